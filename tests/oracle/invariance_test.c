/* SPDX-License-Identifier: BSD-3-Clause
 * What must not matter: the order of statements, a second jump, the direction of half arrows, units. Random graphs, run twice. */
#include <stdlib.h>
#include <string.h>

#include "support/oracle_run.h"
#include "support/random_check.h"
#include "support/random_twin.h"

#define UNSURE_MOST 0.02

/* Statements in another order: not a bit differs. */
static Flaw check_order(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  Random shuffle = {strlen(this->text)};
  HbgText text = hbg_text(this->arena);
  random_graph_write(this->graph, &shuffle, &text);
  const double stop = 0.01;
  const Rows one = run_engine(model, this->text, stop, this->arena),
             two = run_engine(model, text.bytes, stop, this->arena);
  snprintf(this->why, sizeof this->why, "as against\n%s", text.bytes);
  if (one.status != two.status) return FLAW_ORDER;
  int32_t at = first_difference(one.x, two.x, NULL, model->state_count, 0);
  if (at >= 0) return FLAW_ORDER;
  at = first_difference(one.finite, two.finite, NULL, 2 * model->bond_count, 0);
  return at >= 0 || first_difference(one.area, two.area, NULL, 2 * model->bond_count, 0) >= 0 ? FLAW_ORDER : FLAW_NONE;
}

static void set_start(RandomGraph *graph, const char *state, double value) {
  int node = -1;
  if (sscanf(state, "%*[ci]%d", &node) != 1 || node < 0) return;
  graph->nodes[node].start = value;
  graph->nodes[node].start_is_coenergy = false;
}

/* From where a jump has led there is no further jump. */
static Flaw check_again(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const Rows once = run_engine(model, this->text, 0, this->arena);
  if (once.status != HBG_END) return FLAW_UNSURE;
  RandomGraph graph = *this->graph;
  for (int32_t i = 0; i < model->state_count; i++) set_start(&graph, model->states[i].name, once.x[i]);
  HbgText text = hbg_text(this->arena);
  random_graph_write(&graph, NULL, &text);
  const Rows again = run_engine(model, text.bytes, 0, this->arena);
  snprintf(this->why, sizeof this->why, "%s", again.failure);
  if (again.status != HBG_END) return FLAW_AGAIN;
  double scale = fmax(1e-12, largest(once.finite, 2 * model->bond_count));
  for (int32_t i = 0; i < model->state_count; i++)
    scale = fmax(scale, fmax(fabs(model->states[i].start), fabs(once.x[i])));
  int32_t at = first_difference(again.x, once.x, NULL, model->state_count, 1e-11 * scale);
  if (at >= 0) return differ(this, FLAW_AGAIN, model->states[at].name, again.x[at], once.x[at]);
  const double *none = ARENA_NEW(this->arena, double, 2 * model->bond_count);
  at = first_difference(again.area, none, NULL, 2 * model->bond_count, 1e-11 * scale);
  if (at >= 0) return differ(this, FLAW_AGAIN, variable_name(model, at, this->arena), again.area[at], 0);
  return FLAW_NONE;
}

/* A half arrow turned together with its sign: states and what is stored move as before. */
static Flaw check_turned(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  double *before = ARENA_NEW(this->arena, double, model->state_count);
  for (int32_t i = 0; i < model->state_count; i++) before[i] = model->states[i].start;
  const OracleAnswer answer = oracle_jump(model, (OracleMode){0}, 0, before, this->arena);
  if (answer.verdict == ORACLE_UNSURE) return unsure(this, answer.doubt);
  const Rows rows = run_engine(model, this->text, 0, this->arena);
  RandomGraph turned;
  int32_t bond = 0;
  while (bond < this->graph->bond_count && !random_graph_turn(this->graph, bond, &turned)) bond++;
  if (bond == this->graph->bond_count) return unsure(this, ORACLE_NO_DOUBT);
  HbgText text = hbg_text(this->arena);
  random_graph_write(&turned, NULL, &text);
  Elaborated made;
  elaborated_begin(&made, text.bytes);
  const Rows twin = run_engine(&made.model, text.bytes, 0, this->arena);
  elaborated_end(&made);
  if (rows.status != twin.status) return FLAW_REVERSED;
  if (rows.status != HBG_END) return FLAW_NONE;
  const int32_t at = first_beyond(rows.x, twin.x, answer.x_spread, NULL, model->state_count, 0);
  return at >= 0 ? differ(this, FLAW_REVERSED, model->states[at].name, twin.x[at], rows.x[at]) : FLAW_NONE;
}

static RandomUnits pick_units(Case *this) {
  Random random = {strlen(this->text)};
  const double base = random_chance(&random, 0.5) ? 2 : 10;
  return (RandomUnits){.effort = pow(base, random_below(&random, 13) - 6),
                       .flow = pow(base, random_below(&random, 13) - 6),
                       .time = pow(base, random_below(&random, 13) - 6)};
}

/* In other units of effort, flow and time: events at the same instants, states the same, in those units. */
static Flaw check_scaled(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const OracleRun want = oracle_run(model, 0, 20, this->arena);  // says how long, and whether it is clear what happens
  if (want.verdict == ORACLE_UNSURE) return unsure(this, want.doubt);
  // the least of all solutions is another one in other units, and what coincides to the last bit may not coincide there
  if (want.reads_open || want.coincides) return unsure(this, ORACLE_NO_DOUBT);
  const RandomUnits units = pick_units(this);
  RandomGraph scaled;
  random_graph_rescale(this->graph, units, &scaled);
  HbgText text = hbg_text(this->arena);
  random_graph_write(&scaled, NULL, &text);
  const EngineRun one = run_engine_whole(model, this->text, want.stop, this->arena);
  const EngineRun two = run_engine_whole(model, text.bytes, want.stop * units.time, this->arena);
  snprintf(this->why, sizeof this->why, "efforts %g, flows %g, times %g: %d rows, %d rows", units.effort, units.flow,
           units.time, (int)one.count, (int)two.count);
  // an endless loop is proven when what round-off leaves repeats, a layer sooner or later
  if (one.status == HBG_STOPPED && two.status == HBG_STOPPED) return FLAW_NONE;
  if (one.status != two.status || (one.count != two.count && want.events < 20)) return FLAW_SCALED;
  const double most = largest(want.scale, model->state_count);
  for (int32_t i = 0; i < one.count && i < two.count; i++) {
    const HbgRow *a = &one.rows[i].row, *b = &two.rows[i].row;
    if (want.events >= 20 && a->time > want.stop * (1 - 1e-6)) break;  // there the oracle has ended
    if (fabs(a->time * units.time - b->time) > 1e-7 * want.stop * units.time || a->eps != b->eps || a->n != b->n)
      return differ(this, FLAW_SCALED, "time", b->time / units.time, a->time);
    for (int32_t k = 0; k < model->state_count; k++) {
      const bool is_charge = model->nodes[model->states[k].node].kind == HBG_ELEMENT_C;
      const double factor = (is_charge ? units.flow : units.effort) * units.time;
      if (fabs(one.rows[i].x[k] - two.rows[i].x[k] / factor) <=
          1e-7 * fmax(fmax(want.scale[k], fabs(one.rows[i].x[k])), 1e-3 * most))
        continue;
      return differ(this, FLAW_SCALED, model->states[k].name, two.rows[i].x[k] / factor, one.rows[i].x[k]);
    }
  }
  return FLAW_NONE;
}

static void the_order_of_statements_does_not_matter(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 16,
                             .sources = true,
                             .controlled = true,
                             .modulated = true,
                             .nonlinear = true,
                             .decades = 0.5},
               check_order, 100, UNSURE_MOST);
}

static void a_second_jump_moves_nothing(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20,
                             .sources = true,
                             .controlled = true,
                             .modulated = true,
                             .nonlinear = true,
                             .decades = 0.5},
               check_again, 200, UNSURE_MOST);
}

static void half_arrows_may_be_turned_with_their_signs(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 40, .sources = true, .controlled = true, .redundant = true, .decades = 1},
               check_turned, 150, UNSURE_MOST);
}

static void units_do_not_matter(void **state) {
  (void)state;
  check_graphs(
      (RandomTaste){
          .elements_most = 30, .sources = true, .guarded = true, .redundant = true, .pulsed = true, .decades = 0.5},
      check_scaled, 40, 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order_of_statements_does_not_matter),
      cmocka_unit_test(a_second_jump_moves_nothing),
      cmocka_unit_test(half_arrows_may_be_turned_with_their_signs),
      cmocka_unit_test(units_do_not_matter),
  };
  return RUN_RANDOM_TESTS(tests);
}

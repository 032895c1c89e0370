/* SPDX-License-Identifier: BSD-3-Clause
 * Random hybrid bond graphs, once through the whole chain from text to rows, once through the oracle. */
#include <stdlib.h>
#include <string.h>

#include "support/invariants.h"
#include "support/random_check.h"

#define UNSURE_MOST 0.02

/* ---- the first jump ---- */

/* The last row, as a run of its own: what must hold for any row holds here. */
static Flaw check_row(Case *this, const Rows *rows, const OracleAnswer *answer) {
  const size_t n = 2 * (size_t)this->made.model.bond_count;
  double *values = ARENA_NEW(this->arena, double, 2 * (int32_t)n);
  memcpy(values, rows->finite, n * sizeof *values);
  memcpy(values + n, rows->area, n * sizeof *values);
  EngineRow row = {.row = {.kind = HBG_ROW_CONTINUOUS}, .x = rows->x, .finite = values, .area = values + n};
  row.is_on = rows->is_on;
  row.answer = answer;
  const EngineRun run = {.rows = &row, .count = 1};
  return check_invariants(this, &run);
}

static Flaw check_case(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  double *before = ARENA_NEW(this->arena, double, model->state_count);
  for (int32_t i = 0; i < model->state_count; i++) before[i] = model->states[i].start;
  const OracleAnswer answer = oracle_jump(model, (OracleMode){0}, 0, before, this->arena);
  if (answer.verdict == ORACLE_UNSURE) return unsure(this, answer.doubt);
  const Rows rows = run_engine(model, this->text, 0, this->arena);
  snprintf(this->why, sizeof this->why, "%s", rows.failure);
  if (rows.status == HBG_MODEL_WRONG) return FLAW_MODEL;
  const bool stops = rows.status == HBG_STOPPED, has_solution = answer.verdict == ORACLE_SOLVED;
  if (stops == has_solution && random_graph_is_active(this->graph)) return unsure(this, ORACLE_DOUBT_ACTIVE);
  if (stops) return has_solution ? FLAW_STATUS_STOPPED : FLAW_NONE;
  if (!has_solution) return FLAW_STATUS_GOES_ON;
  const double given = fmax(largest(before, model->state_count), largest(answer.area, 2 * model->bond_count));
  const double scale = fmax(1e-12, fmax(given, largest(answer.finite, 2 * model->bond_count)));
  Flaw flaw = compare_state(this, &answer, rows.x, scale);
  if (!flaw) flaw = compare_values(this, &answer, &rows, scale);
  return flaw ? flaw : check_row(this, &rows, &answer);
}

/* ---- switching ---- */

/* The states of all machines after the switch. */
static int32_t *states_after(const Case *this) {
  const HbgFlatModel *model = &this->made.model;
  int32_t *states = ARENA_NEW(this->arena, int32_t, model->machine_count);
  for (int32_t i = 0; i < model->machine_count; i++)
    states[i] = model->machines[i].transition_count ? model->machines[i].transitions[0].to : model->machines[i].initial;
  return states;
}

/* Some junctions switch at once in the middle of a run: the jump from there, and what follows. */
static Flaw check_switch(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const int32_t n = 2 * model->bond_count;
  const Rows rows = run_engine(model, this->text, 2 * RANDOM_SWITCH_TIME, this->arena);
  snprintf(this->why, sizeof this->why, "%s", rows.failure);
  if (!rows.has_event) return FLAW_UNSURE;
  const OracleAnswer answer = oracle_jump(model, (OracleMode){.machine_states = states_after(this)}, RANDOM_SWITCH_TIME,
                                          rows.before, this->arena);
  if (answer.verdict == ORACLE_UNSURE) return unsure(this, answer.doubt);
  if (rows.status == HBG_STOPPED) return answer.verdict == ORACLE_SOLVED ? FLAW_STATUS_STOPPED : FLAW_NONE;
  if (answer.verdict == ORACLE_NO_SOLUTION) return FLAW_STATUS_GOES_ON;
  double given = fmax(largest(rows.before, model->state_count), largest(answer.area, n));
  for (int32_t i = 0; i < model->state_count; i++) given = fmax(given, fabs(model->states[i].start));
  const double scale = fmax(1e-12, fmax(given, largest(answer.finite, n)));
  const Flaw flaw = compare_state(this, &answer, rows.x, scale);
  return flaw ? flaw : compare_values(this, &answer, &rows, scale);
}

/* ---- after a while ---- */

enum { TERMS = 40, STEPS = 4 };

/* One step of the Taylor series of x' = M x + c, where M v = x'(x + v) - x'(x) for every v along which x may move. False when
 * it does not converge. */
static bool taylor_step(Case *this, double *x, double h) {
  const HbgFlatModel *model = &this->made.model;
  const int32_t n = model->state_count;
  const OracleAnswer here = oracle_finite(model, (OracleMode){0}, 0, x, this->arena);
  if (here.verdict != ORACLE_SOLVED) return false;
  double *term = ARENA_NEW(this->arena, double, n), *moved = ARENA_NEW(this->arena, double, n), size = 0;
  for (int32_t i = 0; i < n; i++) term[i] = h * here.rate[i];
  memcpy(moved, x, (size_t)n * sizeof *x);
  const double reach = fmax(largest(x, n), largest(term, n));
  for (int k = 1; k < TERMS; k++) {
    for (int32_t i = 0; i < n; i++) x[i] += term[i];
    size = largest(term, n);
    if (size <= 1e-16 * reach) return true;
    // along the term, as far as the state is large: a small difference would be round-off
    const double far = fmax(reach, 1e-6) / size;
    double *there = ARENA_NEW(this->arena, double, n);
    for (int32_t i = 0; i < n; i++) there[i] = moved[i] + far * term[i];
    const OracleAnswer answer = oracle_finite(model, (OracleMode){0}, 0, there, this->arena);
    if (answer.verdict != ORACLE_SOLVED) return false;
    for (int32_t i = 0; i < n; i++) term[i] = h / (k + 1) * (answer.rate[i] - here.rate[i]) / far;
  }
  return size <= 1e-12 * reach;
}

/* Linear graphs without modulation: the state after a while, by Taylor series. */
static Flaw check_run(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const double stop = 0.1;
  double *before = ARENA_NEW(this->arena, double, model->state_count);
  for (int32_t i = 0; i < model->state_count; i++) before[i] = model->states[i].start;
  const OracleAnswer answer = oracle_jump(model, (OracleMode){0}, 0, before, this->arena);
  if (answer.verdict != ORACLE_SOLVED) return FLAW_UNSURE;
  double most = fmax(1e-9, fmax(largest(before, model->state_count), largest(answer.rate, model->state_count)));
  most = fmax(most, largest(answer.finite, 2 * model->bond_count));
  for (int step = 0; step < STEPS; step++) {
    if (!taylor_step(this, answer.x, stop / STEPS)) return FLAW_UNSURE;
    most = fmax(most, largest(answer.x, model->state_count));
  }
  const Rows rows = run_engine(model, this->text, stop, this->arena);
  snprintf(this->why, sizeof this->why, "%s", rows.failure);
  if (rows.status != HBG_END) return FLAW_STATUS_STOPPED;
  const int32_t at = first_difference(rows.x, answer.x, NULL, model->state_count, 1e-7 * most);
  return at >= 0 ? differ(this, FLAW_RUN, model->states[at].name, rows.x[at], answer.x[at]) : FLAW_NONE;
}

/* Any graph: the equations hold at the end of a short run, with their derivatives. */
static Flaw check_end(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const double stop = 0.05;
  const Rows rows = run_engine(model, this->text, stop, this->arena);
  if (rows.status != HBG_END) return FLAW_UNSURE;
  const OracleAnswer answer = oracle_jump(model, (OracleMode){0}, stop, rows.x, this->arena);
  if (answer.verdict != ORACLE_SOLVED) return FLAW_UNSURE;
  const int32_t n = 2 * model->bond_count;
  double scale = fmax(1e-9, fmax(largest(rows.x, model->state_count), largest(answer.finite, n)));
  for (int32_t i = 0; i < model->state_count; i++) scale = fmax(scale, fabs(model->states[i].start));
  int32_t at = first_difference(rows.x, answer.x, NULL, model->state_count, 1e-7 * scale);
  if (at >= 0) return differ(this, FLAW_RUN, model->states[at].name, rows.x[at], answer.x[at]);
  at = first_difference(rows.finite, answer.finite, answer.finite_is_known, n, 1e-6 * scale);
  if (at >= 0)
    return differ(this, FLAW_FINITE, variable_name(model, at, this->arena), rows.finite[at], answer.finite[at]);
  const double residual = oracle_finite_residual(model, (OracleMode){0}, stop, rows.x, rows.finite, scale, this->arena);
  snprintf(this->why, sizeof this->why, "residual %.3g of the equations", residual);
  return residual <= 1e-5 ? FLAW_NONE : FLAW_FINITE_ROWS;
}

static void linear_graphs_jump_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs(
      (RandomTaste){.elements_most = 60, .sources = true, .controlled = true, .redundant = true, .decades = 0.5},
      check_case, 300, UNSURE_MOST);
}

static void graphs_without_sources_always_have_a_solution(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 60, .controlled = true, .decades = 0.5}, check_case, 150, UNSURE_MOST);
}

static void values_may_be_decades_apart(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20, .sources = true, .controlled = true, .decades = 3}, check_case, 300,
               UNSURE_MOST);
}

static void modulated_graphs_jump_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs(
      (RandomTaste){.elements_most = 20, .sources = true, .controlled = true, .modulated = true, .decades = 0.5},
      check_case, 300, UNSURE_MOST);
}

static void nonlinear_graphs_jump_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20,
                             .sources = true,
                             .controlled = true,
                             .modulated = true,
                             .nonlinear = true,
                             .decades = 0.3},
               check_case, 200, UNSURE_MOST);
}

static void linear_graphs_run_as_their_taylor_series(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 12, .sources = true, .controlled = true, .decades = 0.3}, check_run, 100,
               UNSURE_MOST);
}

static void the_equations_hold_at_the_end_of_a_run(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20,
                             .sources = true,
                             .controlled = true,
                             .modulated = true,
                             .nonlinear = true,
                             .decades = 0.3},
               check_end, 150, UNSURE_MOST);
}

static void graphs_with_sources_that_read_jump_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 16, .sources = true, .active = true, .controlled = true, .decades = 0.5},
               check_case, 200, UNSURE_MOST);
}

static void junctions_switch_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20, .sources = true, .switching = true, .decades = 0.3}, check_switch,
               200, UNSURE_MOST);
}

static void nonlinear_graphs_switch_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20,
                             .sources = true,
                             .switching = true,
                             .controlled = true,
                             .modulated = true,
                             .nonlinear = true,
                             .decades = 0.3},
               check_switch, 150, UNSURE_MOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_graphs_jump_as_the_oracle_says),
      cmocka_unit_test(graphs_without_sources_always_have_a_solution),
      cmocka_unit_test(values_may_be_decades_apart),
      cmocka_unit_test(modulated_graphs_jump_as_the_oracle_says),
      cmocka_unit_test(nonlinear_graphs_jump_as_the_oracle_says),
      cmocka_unit_test(graphs_with_sources_that_read_jump_as_the_oracle_says),
      cmocka_unit_test(junctions_switch_as_the_oracle_says),
      cmocka_unit_test(nonlinear_graphs_switch_as_the_oracle_says),
      cmocka_unit_test(linear_graphs_run_as_their_taylor_series),
      cmocka_unit_test(the_equations_hold_at_the_end_of_a_run),
  };
  return RUN_RANDOM_TESTS(tests);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Random machines on random graphs: where the start comes to rest, by the engine and by the oracle. */
#include <stdlib.h>
#include <string.h>

#include "support/oracle_events.h"
#include "support/random_check.h"

#define UNSURE_MOST 0.5

/* Guards have led out of a mode whose sources fight each other, which the oracle does not look at: is there a solution where they have led to? */
static Flaw check_end(Case *this, const Rows *rows) {
  const HbgFlatModel *model = &this->made.model;
  if (rows->eps) return FLAW_NONE; // its state is not that of the start
  int32_t *states = ARENA_NEW(this->arena, int32_t, model->machine_count);
  double *start = ARENA_NEW(this->arena, double, model->state_count);
  for (int32_t i = 0; i < model->node_count; i++)
    if (model->nodes[i].machine >= 0) states[model->nodes[i].machine] = machine_state(model, i, rows->is_on[i] > 0.5);
  for (int32_t i = 0; i < model->state_count; i++) start[i] = model->states[i].start;
  const OracleAnswer answer = oracle_jump(model, (OracleMode){.machine_states = states}, 0, start, this->arena);
  if (answer.verdict == ORACLE_UNSURE) return unsure(this, answer.doubt);
  if (answer.verdict == ORACLE_NO_SOLUTION) return FLAW_STATUS_GOES_ON;
  const double scale = fmax(fmax(1e-12, largest(answer.finite, 2 * model->bond_count)), largest(start, model->state_count));
  const int32_t at = first_difference(rows->x, answer.x, NULL, model->state_count, 1e-8 * scale);
  return at < 0 ? FLAW_NONE : differ(this, FLAW_JUMP, model->states[at].name, rows->x[at], answer.x[at]);
}

static Flaw check_start(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const int32_t n = 2 * model->bond_count;
  const OracleInstant start = oracle_start(model, this->arena);
  if (start.verdict == ORACLE_UNSURE) return unsure(this, start.doubt);
  const Rows rows = run_engine(model, this->text, 0, this->arena);
  snprintf(this->why, sizeof this->why, "%s", rows.failure);
  if (rows.status == HBG_MODEL_WRONG) return FLAW_MODEL;
  if (rows.status == HBG_STOPPED) return start.verdict == ORACLE_SOLVED ? FLAW_STATUS_STOPPED : FLAW_NONE;
  if (start.verdict == ORACLE_NO_SOLUTION) return start.stops_in_mode ? check_end(this, &rows) : FLAW_STATUS_GOES_ON;
  for (int32_t i = 0; i < model->node_count; i++) {
    const int32_t machine = model->nodes[i].machine;
    if (machine < 0 || machine_state(model, i, rows.is_on[i] > 0.5) == start.machine_states[machine]) continue;
    return differ(this, FLAW_MODE, model->nodes[i].name, machine_state(model, i, rows.is_on[i] > 0.5),
                  start.machine_states[machine]);
  }
  double scale = fmax(1e-12, largest(start.answer->finite, n));
  for (int32_t i = 0; i < model->state_count; i++) scale = fmax(scale, fabs(model->states[i].start));
  const int32_t at = first_difference(rows.x, start.answer->x, NULL, model->state_count, 1e-8 * scale);
  if (at >= 0) return differ(this, FLAW_JUMP, model->states[at].name, rows.x[at], start.answer->x[at]);
  if (start.eps && rows.eps != start.eps) return differ(this, FLAW_MODE, "eps", rows.eps, start.eps);
  return start.n && rows.n != start.n ? differ(this, FLAW_MODE, "n", rows.n, start.n) : FLAW_NONE;
}

static void machines_come_to_rest_where_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 20, .sources = true, .guarded = true, .decades = 0.5}, check_start, 400,
               UNSURE_MOST);
}

static void machines_without_sources_come_to_rest_where_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 40, .guarded = true, .decades = 0.3}, check_start, 200, UNSURE_MOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machines_come_to_rest_where_the_oracle_says),
      cmocka_unit_test(machines_without_sources_come_to_rest_where_the_oracle_says),
  };
  return RUN_RANDOM_TESTS(tests);
}

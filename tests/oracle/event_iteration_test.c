/* SPDX-License-Identifier: BSD-3-Clause
 * Random machines on random graphs: where the start comes to rest, by the engine and by the oracle. */
#include <stdlib.h>
#include <string.h>

#include "support/oracle_events.h"
#include "support/random_check.h"

static int32_t state_after(const HbgFlatModel *model, const Rows *rows, int32_t node) {
  const HbgMachine *machine = &model->machines[model->nodes[node].machine];
  for (int32_t i = 0; i < machine->state_count; i++)
    if (machine->states[i].is_on == (rows->is_on[node] > 0.5)) return i;
  return -1;
}

static Flaw check_start(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const int32_t n = 2 * model->bond_count;
  const OracleInstant start = oracle_start(model, this->arena);
  if (start.verdict == ORACLE_UNSURE) return FLAW_UNSURE;
  const Rows rows = run_engine(model, this->text, 0, this->arena);
  snprintf(this->why, sizeof this->why, "%s", rows.failure);
  if (rows.status == HBG_MODEL_WRONG) return FLAW_MODEL;
  if (rows.status == HBG_STOPPED) return start.verdict == ORACLE_SOLVED ? FLAW_STATUS_STOPPED : FLAW_NONE;
  if (start.verdict == ORACLE_NO_SOLUTION) return FLAW_STATUS_GOES_ON;
  for (int32_t i = 0; i < model->node_count; i++) {
    const int32_t machine = model->nodes[i].machine;
    if (machine < 0 || state_after(model, &rows, i) == start.machine_states[machine]) continue;
    return differ(this, FLAW_MODE, model->nodes[i].name, state_after(model, &rows, i), start.machine_states[machine]);
  }
  double scale = fmax(1e-12, largest(start.answer.finite, n));
  for (int32_t i = 0; i < model->state_count; i++) scale = fmax(scale, fabs(model->states[i].start));
  const int32_t at = first_difference(rows.x, start.answer.x, NULL, model->state_count, 1e-8 * scale);
  if (at >= 0) return differ(this, FLAW_JUMP, model->states[at].name, rows.x[at], start.answer.x[at]);
  if (start.eps && rows.eps != start.eps) return differ(this, FLAW_MODE, "eps", rows.eps, start.eps);
  return start.n && rows.n != start.n ? differ(this, FLAW_MODE, "n", rows.n, start.n) : FLAW_NONE;
}

/* ---- between events ---- */

typedef struct Watch {
  HbgArena *arena;
  Flaw flaw;
  char why[200];
} Watch;

/* Does a guard hold that leaves one of the present states? */
static const HbgTransition *find_enabled(const HbgFlatModel *model, const Rows *rows, bool is_lenient,
                                         HbgArena *arena) {
  for (int32_t i = 0; i < model->node_count; i++) {
    if (model->nodes[i].machine < 0) continue;
    const HbgMachine *machine = &model->machines[model->nodes[i].machine];
    for (int32_t k = 0; k < machine->transition_count; k++)
      if (machine->transitions[k].from == state_after(model, rows, i) &&
          oracle_guard_holds(model, machine->transitions[k].guard, rows->finite, is_lenient, arena))
        return &machine->transitions[k];
  }
  return NULL;
}

static bool watch_row(Rows *rows, const HbgRow *row, const double *values, const HbgFlatModel *model, void *user) {
  Watch *watch = user;
  copy_row(rows, values, model, false);
  if (row->kind == HBG_ROW_SAMPLE) {
    const HbgTransition *missed = find_enabled(model, rows, false, watch->arena);
    if (!missed) return true;
    watch->flaw = FLAW_MISSED;
    snprintf(watch->why, sizeof watch->why, "at t = %.17g: %s", row->time, missed->text);
    return false;
  }
  if (row->kind != HBG_ROW_BEFORE || find_enabled(model, rows, true, watch->arena)) return true;
  watch->flaw = FLAW_SPURIOUS;
  snprintf(watch->why, sizeof watch->why, "at t = %.17g", row->time);
  return false;
}

static Flaw check_crossings(Case *this) {
  Watch watch = {.arena = this->arena};
  const Rows rows = run_engine_by_rows(&this->made.model, this->text, 1, this->arena, watch_row, &watch);
  if (!watch.flaw) return rows.status == HBG_END ? FLAW_NONE : FLAW_UNSURE;
  snprintf(this->why, sizeof this->why, "%s", watch.why);
  return watch.flaw;
}

static void guards_fire_where_they_become_true_and_nowhere_else(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 12, .sources = true, .guarded = true, .modulated = true, .decades = 0.3},
               check_crossings, 100);
}

static void machines_come_to_rest_where_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 14, .sources = true, .guarded = true, .decades = 0.5}, check_start, 400);
}

static void machines_without_sources_come_to_rest_where_the_oracle_says(void **state) {
  (void)state;
  check_graphs((RandomTaste){.elements_most = 24, .guarded = true, .decades = 0.3}, check_start, 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machines_come_to_rest_where_the_oracle_says),
      cmocka_unit_test(machines_without_sources_come_to_rest_where_the_oracle_says),
      cmocka_unit_test(guards_fire_where_they_become_true_and_nowhere_else),
  };
  return RUN_RANDOM_TESTS(tests);
}

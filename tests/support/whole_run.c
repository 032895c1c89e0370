/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/whole_run.h"

#include <math.h>

#include "support/invariants.h"
#include "support/oracle_run.h"

enum { EVENTS_MOST = 20 };
#define RUN_AGREEMENT 1e-7

static const HbgRowKind kind_of[] = {
    [ORACLE_BEFORE] = HBG_ROW_BEFORE,
    [ORACLE_MYTHICAL] = HBG_ROW_MYTHICAL,
    [ORACLE_PINNACLE] = HBG_ROW_PINNACLE,
    [ORACLE_CONTINUOUS] = HBG_ROW_CONTINUOUS,
};

static Flaw compare_states(Case *this, const OracleRun *want, const double *x, const double *expected, double t) {
  const HbgFlatModel *model = &this->made.model;
  const double most = largest(want->scale, model->state_count);
  for (int32_t i = 0; i < model->state_count; i++) {
    const double scale = fmax(fmax(want->scale[i], fabs(expected[i])), 1e-3 * most);
    if (fabs(x[i] - expected[i]) <= RUN_AGREEMENT * scale) continue;
    snprintf(this->why, sizeof this->why, "t = %.17g: %s is %.17g, by the oracle %.17g", t, model->states[i].name, x[i],
             expected[i]);
    return FLAW_RUN;
  }
  return FLAW_NONE;
}

static Flaw compare_rows(Case *this, const OracleRun *want, const EngineRow *row, const OracleRow *expected) {
  const HbgFlatModel *model = &this->made.model;
  const HbgRow *stamp = &row->row;
  snprintf(this->why, sizeof this->why, "<%.17g, %d, %d> kind %d, by the oracle <%.17g, %d, %d> kind %d", stamp->time,
           stamp->eps, stamp->n, (int)stamp->kind, expected->t, expected->eps, expected->n,
           (int)kind_of[expected->kind]);
  if (fabs(stamp->time - expected->t) > RUN_AGREEMENT * want->stop || stamp->eps != expected->eps ||
      stamp->n != expected->n || stamp->kind != kind_of[expected->kind])
    return FLAW_STAMP;
  for (int32_t i = 0; i < model->node_count; i++) {
    const int32_t machine = model->nodes[i].machine;
    if (machine >= 0 && machine_state(model, i, row->is_on[i] > 0.5) != expected->machine_states[machine])
      return differ(this, FLAW_MODE, model->nodes[i].name, row->is_on[i], expected->machine_states[machine]);
  }
  return compare_states(this, want, row->x, expected->answer->x, expected->t);
}

static Flaw compare_instants(Case *this, const OracleRun *want, const EngineRun *run) {
  int32_t at = 0;
  for (int32_t i = 0; i < run->count && at < want->row_count; i++) {
    if (!run->rows[i].row.is_event) continue;
    const Flaw flaw = compare_rows(this, want, &run->rows[i], &want->rows[at++]);
    if (flaw) return flaw;
  }
  if (at < want->row_count && run->status != HBG_STOPPED) {
    snprintf(this->why, sizeof this->why, "no event, by the oracle one at %.17g", want->rows[at].t);
    return FLAW_MISSED;
  }
  if (run->status == HBG_STOPPED && want->verdict == ORACLE_SOLVED) return FLAW_STATUS_STOPPED;
  const bool is_whole = want->verdict == ORACLE_SOLVED && want->events < EVENTS_MOST;
  for (int32_t i = 0, events = 0; i < run->count && is_whole; i++) {
    if (!run->rows[i].row.is_event || events++ < want->row_count) continue;
    snprintf(this->why, sizeof this->why, "an event at %.17g, by the oracle none", run->rows[i].row.time);
    return FLAW_SPURIOUS;
  }
  return FLAW_NONE;
}

Flaw check_whole_run(Case *this) {
  const HbgFlatModel *model = &this->made.model;
  const OracleRun want = oracle_run(model, 0, EVENTS_MOST, this->arena);
  if (want.verdict == ORACLE_UNSURE) return unsure(this, want.doubt);
  this->events = want.events;
  const bool is_cut = want.events >= EVENTS_MOST;
  const EngineRun run = run_engine_whole(model, this->text, is_cut ? want.stop * (1 + 1e-6) : want.stop, this->arena);
  if (run.status == HBG_MODEL_WRONG) return FLAW_MODEL;
  Flaw flaw = compare_instants(this, &want, &run);
  if (!flaw && want.verdict == ORACLE_NO_SOLUTION && !want.stops_in_mode && run.status != HBG_STOPPED) flaw = FLAW_STATUS_GOES_ON;
  if (!flaw && want.verdict == ORACLE_SOLVED && !is_cut && run.count)
    flaw = compare_states(this, &want, run.rows[run.count - 1].x, want.end->x, want.stop);
  if (flaw == FLAW_STATUS_STOPPED) snprintf(this->why, sizeof this->why, "%s", run.failure);
  return flaw ? flaw : check_invariants(this, &run);
}

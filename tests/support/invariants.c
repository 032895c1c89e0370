/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/invariants.h"

#include <math.h>
#include <string.h>

/* ---- stamps ---- */

Flaw check_stamps(Case *this, const EngineRun *run) {
  for (int32_t at = 1; at < run->count; at++) {
    const HbgRow *a = &run->rows[at - 1].row, *b = &run->rows[at].row;
    const bool is_same = a->time >= b->time;
    const bool ascends =
        a->time < b->time || (a->time <= b->time && (a->eps < b->eps || (a->eps == b->eps && a->n < b->n)));
    const bool restarts = !is_same || a->eps == b->eps || b->n == 0;
    const bool infers_on = a->kind != HBG_ROW_MYTHICAL || (is_same && b->eps == a->eps && b->n == a->n + 1);
    const bool goes_on = a->kind != HBG_ROW_PINNACLE || (is_same && b->eps == a->eps + 1);
    if (ascends && restarts && infers_on && goes_on) continue;
    if (run->status == HBG_STOPPED && at == run->count - 1) continue;
    snprintf(this->why, sizeof this->why, "<%.17g, %d, %d> after <%.17g, %d, %d>", b->time, b->eps, b->n, a->time,
             a->eps, a->n);
    return FLAW_STAMP;
  }
  return FLAW_NONE;
}

/* ---- power at junctions ---- */

static double largest_at(const HbgFlatModel *model, const HbgNode *node, const double *values) {
  double most = 0;
  for (int32_t i = 0; i < node->port_count; i++) most = fmax(most, fabs(values[hbg_port(model, node, i)->bond]));
  return most;
}

/* The largest number of all rows: what round-off is measured by where everything near is nothing. */
static double largest_of_run(const HbgFlatModel *model, const EngineRun *run) {
  double most = 0;
  for (int32_t i = 0; i < model->state_count; i++) most = fmax(most, fabs(model->states[i].start));
  for (int32_t at = 0; at < run->count; at++) {
    const EngineRow *row = &run->rows[at];
    most = fmax(most, fmax(largest(row->x, model->state_count), largest(row->finite, 4 * model->bond_count)));
  }
  return most;
}

/* Values of a row, and how far each may be off. */
typedef struct Values {
  const double *value, *spread; /* NULL: as far as round-off of `scale` goes */
  double scale;
} Values;

static double off(const Values *values, int32_t bond) {
  return values->spread ? AGREEMENT * values->spread[bond] + NOTHING * values->scale : 1e-12 * values->scale;
}

/* Is the signed sum over the ports zero, as far as each factor is known? */
static bool balances(const HbgFlatModel *model, const HbgNode *node, Values e, Values f) {
  double sum = 0, allowed = 1e-10 * largest_at(model, node, e.value) * largest_at(model, node, f.value);
  for (int32_t i = 0; i < node->port_count; i++) {
    const HbgPort *port = hbg_port(model, node, i);
    const int32_t bond = port->bond;
    sum += port->sign * e.value[bond] * f.value[bond];
    allowed += off(&e, bond) * (fabs(f.value[bond]) + off(&f, bond)) + fabs(e.value[bond]) * off(&f, bond);
  }
  return fabs(sum) <= allowed;
}

static Values values_of(const double *value, const double *spread, int32_t first, double scale) {
  return (Values){value + first, spread ? spread + first : NULL, scale};
}

static bool row_balances(const HbgFlatModel *model, const HbgNode *node, const EngineRow *row, double scale) {
  const double *finite_spread = row->answer ? row->answer->finite_spread : NULL;
  const double *area_spread = row->answer ? row->answer->area_spread : NULL;
  const Values e = values_of(row->finite, finite_spread, 0, scale);
  const Values f = values_of(row->finite, finite_spread, model->bond_count, scale);
  const Values e_area = values_of(row->area, area_spread, 0, scale);
  const Values f_area = values_of(row->area, area_spread, model->bond_count, scale);
  return balances(model, node, e, f) && balances(model, node, e, f_area) && balances(model, node, e_area, f);
}

Flaw check_tellegen(Case *this, const EngineRun *run) {
  const HbgFlatModel *model = &this->made.model;
  const double scale = largest_of_run(model, run);
  for (int32_t at = 0; at < run->count; at++)
    for (int32_t i = 0; i < model->node_count; i++) {
      const HbgNode *node = &model->nodes[i];
      if (!hbg_is_junction(node) || row_balances(model, node, &run->rows[at], scale)) continue;
      snprintf(this->why, sizeof this->why, "%s at t = %.17g", node->name, run->rows[at].row.time);
      return FLAW_TELLEGEN;
    }
  return FLAW_NONE;
}

/* ---- commits ---- */

static int32_t *states_at(Case *this, const double *is_on) {
  const HbgFlatModel *model = &this->made.model;
  int32_t *states = ARENA_NEW(this->arena, int32_t, model->machine_count);
  for (int32_t i = 0; i < model->node_count; i++)
    if (model->nodes[i].machine >= 0) states[model->nodes[i].machine] = machine_state(model, i, is_on[i] > 0.5);
  return states;
}

static Flaw check_energy(Case *this, const EngineRow *row, const double *before, double scale) {
  const HbgFlatModel *model = &this->made.model;
  const double t = row->row.time, work = oracle_source_energy(model, row->finite, row->area);
  const double was = oracle_energy(model, t, before), is = oracle_energy(model, t, row->x);
  snprintf(this->why, sizeof this->why, "t = %.17g: energy %.17g -> %.17g, sources deliver %.17g", t, was, is, work);
  const double terms = fabs(was) + fabs(is) + oracle_source_terms(model, row->finite, row->area);
  return is <= was + work + 1e-10 * terms + 1e-24 * scale * scale ? FLAW_NONE : FLAW_ENERGY;
}

static Flaw check_conserved(Case *this, const EngineRow *row, const double *before, double scale) {
  const HbgFlatModel *model = &this->made.model;
  const OracleMode mode = {.machine_states = states_at(this, row->is_on)};
  const OracleConserved conserved = oracle_conserved(model, mode, row->row.time, before, this->arena);
  for (int32_t k = 0; k < conserved.count; k++) {
    const double *w = conserved.weight + (int64_t)k * model->state_count;
    double moved = 0, size = 0;
    for (int32_t i = 0; i < model->state_count; i++) {
      moved += w[i] * (row->x[i] - before[i]);
      size += fabs(w[i]) * (fabs(row->x[i]) + fabs(before[i])) +
              conserved.round_off[k * model->state_count + i] * fabs(row->x[i] - before[i]);
    }
    const double nothing = NOTHING * largest(w, model->state_count) * scale;
    if (fabs(moved) <= 1e-12 * size + nothing) continue;
    snprintf(this->why, sizeof this->why, "t = %.17g: combination %d moves by %.3g of %.3g", row->row.time, (int)k,
             moved, size);
    return FLAW_CONSERVED;
  }
  return FLAW_NONE;
}

/* Nothing has an area: nothing has moved. */
static Flaw check_restored(Case *this, const EngineRow *row, const EngineRow *from, const double *before,
                           double scale) {
  const HbgFlatModel *model = &this->made.model;
  // a detour of inferences that leads back to the mode it left
  const bool is_detour = from && from->row.eps < 0 && row->row.eps == 0 && row->row.n > 0 &&
                         !memcmp(from->is_on, row->is_on, (size_t)model->node_count * sizeof *row->is_on);
  for (int32_t i = 0; i < model->state_count; i++) {
    const double allowed = is_detour ? 0 : 1e-9;
    const double moved = fabs(row->x[i] - before[i]);
    const double all = fmax(largest(before, model->state_count), fabs(row->x[i]));
    if (moved <= allowed * all + (allowed > 0 ? NOTHING * scale : NOTHING * NOTHING * scale)) continue;
    snprintf(this->why, sizeof this->why, "t = %.17g: %s was %.17g and is %.17g", row->row.time, model->states[i].name,
             before[i], row->x[i]);
    return FLAW_RESTORED;
  }
  return FLAW_NONE;
}

Flaw check_commits(Case *this, const EngineRun *run) {
  const HbgFlatModel *model = &this->made.model;
  double *before = ARENA_NEW(this->arena, double, model->state_count);
  for (int32_t i = 0; i < model->state_count; i++) before[i] = model->states[i].start;
  const EngineRow *from = NULL;
  const double scale = largest_of_run(model, run);
  for (int32_t at = 0; at < run->count; at++) {
    const EngineRow *row = &run->rows[at];
    const bool is_commit = row->row.kind == HBG_ROW_PINNACLE || row->row.kind == HBG_ROW_CONTINUOUS;
    if (is_commit && (from || row->row.time <= 0)) {
      Flaw flaw = FLAW_NONE;
      if (largest(row->area, 2 * model->bond_count) <= 0)
        flaw = check_restored(this, row, from, before, scale);
      else if (!random_graph_is_active(
                   this->graph))  // what a source reads may be an impulse, and then it is no source of power
        flaw = check_energy(this, row, before, scale);
      if (!flaw) flaw = check_conserved(this, row, before, scale);
      if (flaw) return flaw;
    }
    if (row->row.kind == HBG_ROW_MYTHICAL) continue;
    from = row;
    if (model->state_count) memcpy(before, row->x, (size_t)model->state_count * sizeof *before);
  }
  return FLAW_NONE;
}

Flaw check_invariants(Case *this, const EngineRun *run) {
  Flaw flaw = check_stamps(this, run);
  if (!flaw) flaw = check_tellegen(this, run);
  return flaw ? flaw : check_commits(this, run);
}

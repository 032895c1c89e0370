/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/kinks.h"

#include "hybrid/inside.h"
#include "hybrid/sim.h"

/* ---- what jumps at kinks ---- */

/* Its states may depend on functions of the time. */
static bool follows_rates(const HbgIsland *island) { return !island->is_hanging && island->program->may_jump && island->program->reads_time; }

/* What is relaxed does not: it runs after its sources. */
static bool any_follows_rates(const HbgSim *sim) {
  if (sim->solver.relaxation) return false;
  for (int32_t at = 0; at < sim->present.constrained.count; at++)
    if (follows_rates(sim->present.constrained.islands[at])) return true;
  return false;
}

/* A source that hangs may read efforts and flows of such an island. */
static bool reads_variables(HbgSim *sim, HbgIsland *island) {
  const HbgProgram *law = &hbg_island_law(&sim->solver, island)->program;
  for (int32_t at = 0; at < law->input_count; at++)
    if (hbg_variable_of(&law->inputs[at].leaf) >= 0) return true;
  return false;
}

/* A surface that is slid on tells of itself (hbg_slides_beyond()). */
static bool may_turn(HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count && !guard->surface; at++) {
    HbgIsland *island = sim->island_of[guard->bonds[at]];
    if (follows_rates(island) || (island->is_hanging && !island->is_storage && reads_variables(sim, island))) return true;
  }
  return false;
}

/* ---- which guards ---- */

typedef struct Turned {
  HbgSim *sim;
  const HbgConjunction **list;
  int32_t count, capacity;
} Turned;

static void list_of_machine(Turned *self, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_leaving(self->sim, machine, &count);
  for (int32_t at = 0; at < count; at++)
    if (may_turn(self->sim, &leaving[at])) ARENA_PUSH(&self->sim->scratch, self->list, self->count, self->capacity) = &leaving[at];
}

static bool holds(const HbgConjunction *guard, const HbgValues *values) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
  hbg_probe_run_pairs(probe, values, values);
  return hbg_probe_pair(probe, 0)->value > 0.5;
}

/* Of what is listed, what holds, or does not. */
static void keep(Turned *self, const HbgValues *values, bool that_hold) {
  int32_t kept = 0;
  for (int32_t at = 0; at < self->count; at++)
    if (holds(self->list[at], values) == that_hold) self->list[kept++] = self->list[at];
  self->count = kept;
}

static void drop_disarmed(Turned *self) {
  int32_t kept = 0;
  for (int32_t at = 0; at < self->count; at++)
    if (!hbg_is_disarmed(self->sim, self->list[at], &self->sim->now, &self->sim->now)) self->list[kept++] = self->list[at];
  self->count = kept;
}

/* What guards read, by the courses at hand; where that has no solution, the next step tells. */
static void evaluate(Turned *self) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < sim->present.constrained.count; at++)
    if (follows_rates(sim->present.constrained.islands[at])) hbg_island_reschedule(sim->present.constrained.islands[at]);
  for (int32_t guard = 0; guard < self->count; guard++) hbg_evaluate_guard(sim, self->list[guard]);
}

/* ---- asking ---- */

/* What has jumped there is no round-off (zeno.c). */
static int32_t answer(const Turned *self, const HbgConjunction ***list) {
  for (int32_t at = 0; at < self->count; at++) self->sim->rhythms[self->list[at]->machine].is_unresolved = false;
  *list = self->list;
  return self->count;
}

int32_t hbg_kinks_find_turned(HbgSim *sim, void (*foresee)(HbgSim *), void (*take_back)(HbgSim *), const HbgConjunction ***list) {
  Turned self = {.sim = sim};
  if (!any_follows_rates(sim)) return 0;
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) list_of_machine(&self, machine);
  if (!self.count) return 0;
  sim->now.time = sim->time;
  sim->now.state_scale = sim->scale;
  foresee(sim);
  evaluate(&self);
  keep(&self, &sim->now, true);
  drop_disarmed(&self);
  take_back(sim);
  evaluate(&self);
  keep(&self, &sim->now, false);
  sim->now.state_scale = NULL;
  return answer(&self, list);
}

/* What has been given another course, and nothing that jumps: an island that jumps is evaluated when its jump is known. */
static bool has_kink(const HbgSim *sim, const HbgIsland *island) {
  bool any = false;
  if (!follows_rates(island) || island->is_new) return false;
  for (int32_t at = 0; at < island->program->template.discrete_count; at++) {
    if (sim->discrete.is_written[island->binding.discrete[at]]) return false;
    any = any || sim->discrete.is_changed[island->binding.discrete[at]];
  }
  return any;
}

/* Of the scope, the islands with kinks, or the sources that hang and may read those. False: the equations have no solution. */
static bool evaluate_in_scope(HbgSim *sim, bool hanging, bool *any) {
  const bool all = sim->scope.is_everything;
  const HbgIsland *last = NULL;
  for (int32_t at = 0, count = all ? sim->island_count : sim->scope.bonds.count; at < count; at++) {
    HbgIsland *island = all ? sim->islands[at] : sim->island_of[sim->scope.bonds.list[at]];
    if (island == last) continue;
    last = island;
    if (hanging ? !island->is_hanging || island->is_storage : !has_kink(sim, island)) continue;
    if (!hbg_island_finite(&sim->solver, island, &sim->now, &sim->before)) return false;
    *any = true;
  }
  return true;
}

bool hbg_kinks_take(HbgSim *sim, const HbgConjunction ***list, int32_t *count) {
  Turned self = {.sim = sim};
  bool any = false;
  *count = 0;
  if (sim->solver.relaxation) return true;
  if (!evaluate_in_scope(sim, false, &any)) return false;
  if (!any) return true;
  if (!evaluate_in_scope(sim, true, &any)) return false;
  int32_t machine_count;
  const int32_t *machines = hbg_scope_machines(sim, &machine_count);
  for (int32_t at = 0; at < machine_count; at++) list_of_machine(&self, machines[at]);
  keep(&self, &sim->now, true);
  drop_disarmed(&self);
  keep(&self, &sim->before, false);
  *count = answer(&self, list);
  return true;
}

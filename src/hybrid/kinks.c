/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/kinks.h"

#include "hybrid/distance.h"
#include "hybrid/sim.h"

/* ---- what kinks may turn ---- */

/* A source that hangs follows the time, or reads efforts and flows of what does. */
static bool law_moves(HbgSim *sim, HbgIsland *island) {
  const HbgProgram *law = &hbg_island_law(&sim->solver, island)->program;
  for (int32_t at = 0; at < law->input_count; at++)
    if (law->inputs[at].leaf.op == HBG_OP_TIME || hbg_variable_of(&law->inputs[at].leaf) >= 0) return true;
  return false;
}

/* A surface that is slid on tells of itself (hbg_slides_beyond()). */
static bool may_turn(HbgSim *sim, const HbgConjunction *guard) {
  bool may = guard->reads_time;
  for (int32_t at = 0; at < guard->bond_count && !may; at++) {
    HbgIsland *island = sim->island_of[guard->bonds[at]];
    may = island->is_hanging ? !island->is_storage && law_moves(sim, island) : island->program->reads_time;
  }
  return may && !guard->surface;
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

/* Is something that its laws read foreseen to be another one? */
static bool is_foreseen(const HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; at < island->program->template.discrete_count; at++) {
    const int32_t variable = island->binding.discrete[at];
    if (sim->now.discrete[variable] < sim->before.discrete[variable] || sim->now.discrete[variable] > sim->before.discrete[variable]) return true;
  }
  return false;
}

static HbgPresentList list_foreseen(HbgSim *sim) {
  HbgPresentList found = {0};
  for (int32_t at = 0; at < sim->present.timed.count; at++)
    if (is_foreseen(sim, sim->present.timed.islands[at]))
      ARENA_PUSH(&sim->scratch, found.islands, found.count, found.capacity) = sim->present.timed.islands[at];
  return found;
}

/* What guards read, by the courses at hand, which these islands follow; where that has no solution, the next step tells. */
static void evaluate(Turned *self, const HbgPresentList *islands) {
  for (int32_t at = 0; at < islands->count; at++) hbg_island_reschedule(islands->islands[at]);
  for (int32_t guard = 0; guard < self->count; guard++) hbg_evaluate_guard(self->sim, self->list[guard]);
}

/* ---- asking ---- */

/* What has jumped there is no round-off (zeno.c). */
static int32_t answer(const Turned *self, const HbgConjunction ***list) {
  for (int32_t at = 0; at < self->count; at++) hbg_rhythm_note_flight(&self->sim->rhythms[self->list[at]->machine], self->sim->time, true);
  *list = self->list;
  return self->count;
}

int32_t hbg_kinks_find_turned(HbgSim *sim, void (*foresee)(HbgSim *), void (*take_back)(HbgSim *), const HbgConjunction ***list) {
  Turned self = {.sim = sim};
  if (sim->solver.relaxation) return 0; // what is relaxed runs after its sources
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) list_of_machine(&self, machine);
  if (!self.count) return 0;
  sim->now.time = sim->time;
  sim->now.state_scale = sim->scale;
  foresee(sim);
  const HbgPresentList islands = list_foreseen(sim);
  evaluate(&self, &islands);
  keep(&self, &sim->now, true);
  drop_disarmed(&self);
  take_back(sim);
  evaluate(&self, &islands);
  keep(&self, &sim->now, false);
  sim->now.state_scale = NULL;
  return answer(&self, list);
}

void hbg_kinks_pass(HbgSim *sim) {
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) {
    int32_t count;
    bool any = false;
    const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
    for (int32_t at = 0; at < count; at++) any = any || may_turn(sim, &leaving[at]);
    if (any) hbg_distances_forget_machine(sim, machine);
  }
}

/* What has been given another course, and nothing that jumps: an island that jumps is evaluated when its jump is known. */
static bool has_kink(const HbgSim *sim, const HbgIsland *island) {
  bool any = false;
  if (island->is_hanging || island->is_new) return false;
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

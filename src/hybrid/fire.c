/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/fire.h"

#include "hybrid/sim.h"

/* ---- regions ---- */

/* Is the state of its owner that a region lies in left by this transition, be it to be entered again? */
static bool leaves(const HbgFlatModel *model, const HbgConjunction *fired, const HbgMachine *region) {
  const HbgTransition *transition = &model->machines[fired->machine].transitions[fired->transition];
  return fired->machine == region->owner && region->owner_depth && transition->kept_depth < region->owner_depth &&
         region->owner_first <= transition->from && transition->from <= region->owner_last;
}

bool hbg_fire_overrules(const HbgSim *sim, const HbgConjunction *const *fired, int32_t count, int32_t machine) {
  const HbgMachine *region = &sim->model->machines[machine];
  if (region->owner < 0) return false;
  for (int32_t at = 0; at < count; at++)
    if (leaves(sim->model, fired[at], region)) return true;
  return hbg_fire_overrules(sim, fired, count, region->owner);
}

static bool is_present(const HbgSim *sim, const HbgMachine *region) {
  const int32_t state = sim->now.phi[region->owner];
  return region->owner_first <= state && state <= region->owner_last;
}

/* ---- changing ---- */

typedef struct Change {
  HbgSim *sim;
  int32_t *changed, count;
  uint8_t *began; /* regions that have been entered, perhaps again (machine_count) */
} Change;

static void move(Change *self, int32_t machine, int32_t from, int32_t to, int32_t kept_depth) {
  HbgSim *sim = self->sim;
  sim->now.phi[machine] = to;
  self->changed[self->count++] = machine;
  if (!sim->model->machines[machine].states[to].is_on) hbg_rest_end(sim, machine);
  hbg_timers_move(sim, machine, from, to, kept_depth);
}

/* No transition of the machine tells of it. */
static void move_along(Change *self, int32_t machine, int32_t from, int32_t to) {
  hbg_transcript_spoil(self->sim);
  move(self, machine, from, to, 0);
}

/* Regions follow their owners, which come before them. */
static void follow_owner(Change *self, const HbgConjunction *const *fired, int32_t count, int32_t machine) {
  HbgSim *sim = self->sim;
  const HbgMachine *region = &sim->model->machines[machine];
  const int32_t from = sim->now.phi[machine];
  const bool begins_again = hbg_fire_overrules(sim, fired, count, machine) || self->began[region->owner];
  if (!is_present(sim, region)) {
    if (from != 0) move_along(self, machine, from, 0);
  } else if (from == 0 || begins_again) {
    self->began[machine] = 1;
    move_along(self, machine, from, region->entry);
  }
}

int32_t hbg_fire(HbgSim *sim, const HbgConjunction *const *fired, int32_t count, int32_t *changed) {
  const HbgFlatModel *model = sim->model;
  Change change = {.sim = sim, .changed = changed};
  hbg_discrete_fire(sim, fired, count);
  for (int32_t at = 0; at < count; at++)
    move(&change, fired[at]->machine, fired[at]->from, fired[at]->to,
         model->machines[fired[at]->machine].transitions[fired[at]->transition].kept_depth);
  if (!sim->has_owned) return change.count;
  change.began = ARENA_NEW(&sim->scratch, uint8_t, model->machine_count);
  int32_t machine_count; // the regions of what the instant is about belong to that
  const int32_t *machines = hbg_scope_machines(sim, &machine_count);
  for (int32_t at = 0; at < machine_count; at++)
    if (model->machines[machines[at]].owner_depth) follow_owner(&change, fired, count, machines[at]);
  return change.count;
}

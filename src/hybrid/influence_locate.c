/* SPDX-License-Identifier: BSD-3-Clause
 * Where guards turn in a step that is kept: each is looked for once over all of the step, and again where a patch has changed what it
 * reads. The first of them ends the segment. */
#include <math.h>

#include "hybrid/course.h"
#include "hybrid/distance.h"
#include "hybrid/influence_parts.h"
#include "hybrid/local_parts.h"
#include "hybrid/slide_line.h"

void hbg_foresights_make(HbgInfluence *self) {
  HbgArena *arena = self->sim->arena;
  const HbgFlatModel *model = self->sim->model;
  self->foresights.machines = ARENA_NEW(arena, int32_t, model->machine_count);
  self->foresights.stamp = ARENA_NEW(arena, int32_t, model->machine_count);
  self->foresights.now = 1;
  self->measured = ARENA_NEW(arena, int32_t, model->state_count);
  self->travel = ARENA_NEW(arena, double, model->state_count);
}

/* ---- which must be looked at again ---- */

static void add_machine(HbgForesights *self, int32_t machine) {
  if (self->stamp[machine] == self->now) return;
  self->stamp[machine] = self->now;
  self->machines[self->machine_count++] = machine;
}

static void add_machines(HbgForesights *self, const HbgLists *lists, int32_t number) {
  for (int32_t at = lists->start[number]; at < lists->start[number + 1]; at++) add_machine(self, lists->list[at]);
}

static void add_surface(HbgForesights *self, const HbgSurface *surface) {
  for (int32_t at = 0; at < surface->count; at++) add_machine(self, surface->machines[at]);
}

/* Those whose guards read efforts and flows of an island, or that slide in it. */
static void add_readers(HbgInfluence *self, const HbgIsland *island) {
  if (!island) return;
  for (int32_t at = 0; island->sliding && at < island->sliding->count; at++)
    add_surface(&self->foresights, island->sliding->slides[at]->surface);
  for (int32_t at = 0; at < island->graph.bond_count; at++)
    add_machines(&self->foresights, &self->sim->who_reads->of_bond, island->graph.bonds[at].bond);
}

void hbg_foresights_note_patch(HbgInfluence *self) {
  HbgForesights *foresights = &self->foresights;
  const HbgSim *sim = self->sim;
  for (int32_t at = 0; at < self->rates.count && foresights->is_there; at++) {
    const int32_t state = self->rings.states[at];
    const HbgStateReaders *readers = &self->readers[state];
    int32_t delivery;
    add_machines(foresights, &sim->who_reads->of_state, state);
    add_readers(self, hbg_rings_home(self, state, &delivery));
    for (int32_t which = 0; which < readers->count; which++) add_readers(self, sim->island_of[readers->bonds[which]]);
  }
  for (int32_t at = 0; at < sim->scope.machines.count && foresights->is_there; at++)
    add_machine(foresights, sim->scope.machines.list[at]);
}

/* A guard that has turned and not fired may do so again. */
static void add_passed(HbgInfluence *self) {
  HbgForesights *foresights = &self->foresights;
  for (int32_t at = 0; at < foresights->count; at++) {
    const HbgForeseen *foreseen = &foresights->list[at];
    if (foreseen->is_fickle || (foreseen->turns && foreseen->time <= self->sim->time)) add_machine(foresights, foreseen->guard->machine);
  }
}

static void drop_changed(HbgForesights *self) {
  int32_t kept = 0;
  for (int32_t at = 0; at < self->count; at++)
    if (self->stamp[self->list[at].guard->machine] != self->now) self->list[kept++] = self->list[at];
  self->count = kept;
}

/* ---- looking ---- */

/* The law of a source that hangs may read anything; and what a slide has left behind is told by what has been. */
static bool is_fickle(const HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count; at++) {
    const HbgIsland *island = sim->island_of[guard->bonds[at]];
    if (island->is_hanging && !island->is_storage) return true;
  }
  return sim->slides.disarmed[guard->machine].guard == guard;
}

static void add_guard(HbgInfluence *self, const HbgConjunction *guard) {
  HbgForesights *foresights = &self->foresights;
  const HbgForeseen foreseen = {.guard = guard, .is_fickle = is_fickle(self->sim, guard)};
  ARENA_PUSH(self->sim->arena, foresights->list, foresights->count, foresights->capacity) = foreseen;
}

static double measure(HbgSim *sim, int32_t state) {
  HbgInfluence *self = sim->influence;
  if (self->measured[state] == self->window) return self->travel[state];
  self->measured[state] = self->window;
  double coefficients[HBG_DENSE_DEGREE + 1], sum = 0;
  const HbgPiece piece = hbg_influence_piece(self, state);
  const int32_t degree = hbg_piece_polynomial(&piece, sim->stepper->t0, sim->stepper->t1, coefficients);
  for (int32_t power = 1; power <= degree; power++) sum += fabs(coefficients[power]);
  self->stepper.y0[state] = coefficients[0];
  return self->travel[state] = sum;
}

static void add_changed(HbgInfluence *self) {
  HbgForesights *foresights = &self->foresights;
  for (int32_t at = 0; at < foresights->machine_count; at++) {
    int32_t count;
    const HbgConjunction *leaving = hbg_leaving(self->sim, foresights->machines[at], &count);
    for (int32_t which = 0; which < count; which++)
      if (hbg_distances_may_turn(self->sim, &leaving[which], measure)) add_guard(self, &leaving[which]);
  }
}

static void forget_changes(HbgForesights *self) {
  self->now++;
  self->machine_count = 0;
}

/* Of a step, or what is left of it, of which nothing is known. */
static void begin(HbgInfluence *self) {
  HbgNearGuard *near;
  const int32_t count = hbg_distances_near(self->sim, &near);
  self->foresights.count = 0;
  for (int32_t at = 0; at < count; at++) add_guard(self, near[at].guard);
  self->foresights.is_there = true;
  forget_changes(&self->foresights);
}

static void go_on(HbgInfluence *self) {
  hbg_distances_refresh(self->sim);
  add_passed(self);
  drop_changed(&self->foresights);
  add_changed(self);
  forget_changes(&self->foresights);
}

static void look(HbgInfluence *self) {
  for (int32_t at = 0; at < self->foresights.count; at++) {
    HbgForeseen *foreseen = &self->foresights.list[at];
    if (foreseen->is_known) continue;
    const HbgCrossing crossing = hbg_locate_guard(self->sim, foreseen->guard);
    foreseen->is_known = true;
    foreseen->turns = crossing.found;
    foreseen->time = crossing.time;
  }
}

/* In the order of the guards. */
static void sort(HbgCrossing *crossing) {
  for (int32_t at = 1; at < crossing->count; at++)
    for (int32_t other = at; other > 0 && crossing->list[other] < crossing->list[other - 1]; other--) {
      const HbgConjunction *spare = crossing->list[other];
      crossing->list[other] = crossing->list[other - 1];
      crossing->list[other - 1] = spare;
    }
}

HbgCrossing hbg_influence_locate(HbgSim *sim) {
  HbgInfluence *self = sim->influence;
  if (!self || !self->is_kept || !sim->slides.are_known) return hbg_locate(sim);
  if (self->foresights.is_there) go_on(self);
  else begin(self);
  look(self);
  HbgLocator locator = {.sim = sim};
  for (int32_t at = 0; at < self->foresights.count; at++)
    if (self->foresights.list[at].turns) hbg_locator_propose(&locator, self->foresights.list[at].guard, self->foresights.list[at].time);
  double soon;
  if (hbg_locator_is_at_end(&locator, &soon)) return hbg_locate(sim); // and what belongs together with it
  sort(&locator.crossing);
  hbg_locate_note_unresolved(sim, &locator.crossing);
  return locator.crossing;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/coupled_bent.h"

#include <math.h>

#include "base/numbers.h"
#include "hybrid/local_parts.h"
#include "hybrid/part.h"
#include "hybrid/plausible.h"
#include "numerics/readable.h"

/* Who moves a set: a part of the model, kept for the next set of the same states. */
typedef struct HbgBent {
  HbgPart part;
  HbgCoupled *set;              /* that it moves; NULL: none at the moment */
  HbgStiffness stiffness;       /* of an implicit one */
  HbgReadable readable;         /* of its steps */
  struct HbgBent *next;         /* with the same first state */
  struct HbgBent *older, *newer; /* among those that are idle */
} HbgBent;

typedef struct HbgBents {
  HbgBent **list; int32_t count, capacity, most; /* all; so many there may be: each knows where its states are among all of the model */
  int32_t busy;
  HbgBent *oldest, *newest;                /* of those that are idle */
} HbgBents;

bool hbg_coupled_bends(const HbgCoupledRun *run, const int32_t *states, int32_t count) {
  for (int32_t at = 0; run->any_bends && at < count; at++)
    if (run->states[states[at]].row.is_bent) return true;
  return false;
}

bool hbg_coupled_scope_bends(const HbgSim *sim) {
  return hbg_coupled_bends(sim->local->coupled, sim->scope.states.list, sim->scope.states.count);
}

/* ---- its islands ---- */

/* All that its rates are made of, each once. */
typedef struct Islands {
  HbgSim *sim;
  HbgIsland **list; int32_t count, capacity;
} Islands;

static void add_island(Islands *self, HbgIsland *island) {
  const int32_t stamp = self->sim->local->group_stamp;
  if (island->group_stamp == stamp) return;
  island->group_stamp = stamp;
  ARENA_PUSH(&self->sim->scratch, self->list, self->count, self->capacity) = island;
}

/* With all that delivers to it, where it is cut off. */
static void add_island_of(Islands *self, int32_t bond) {
  HbgSim *sim = self->sim;
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  HbgIsland *island = sim->island_of[bond];
  add_island(self, island);
  if (!island->is_storage) return;
  for (int32_t term = deliveries->start[island->delivery]; term < deliveries->start[island->delivery + 1]; term++)
    add_island(self, sim->island_of[deliveries->variable[term] / 2]);
}

static void add_islands_of_input(Islands *self, int32_t integrator) {
  const HbgInputs *inputs = &self->sim->local->inputs;
  for (int32_t at = inputs->read_start[integrator]; at < inputs->read_start[integrator + 1]; at++)
    if (!inputs->reads[at].is_state) add_island_of(self, inputs->reads[at].index / 2);
}

static Islands islands_of(HbgSim *sim, const HbgCoupled *set) {
  Islands self = {.sim = sim};
  sim->local->group_stamp++;
  for (int32_t at = 0; at < set->count; at++) {
    const int32_t node = sim->model->states[set->states[at]].node;
    if (node < 0) add_islands_of_input(&self, set->states[at] - sim->first_integrator);
    else add_island_of(&self, hbg_port(sim->model, &sim->model->nodes[node], 0)->bond);
  }
  return self;
}

/* What a source reads that hangs may be anything, and constraints that drift are put back on everywhere. */
static bool may_be_moved(HbgSim *sim, const Islands *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    HbgIsland *island = islands->list[at];
    if (island->is_hanging ? !island->is_storage : hbg_constraints_may_drift(sim, island)) return false;
  }
  return true;
}

/* ---- who moves it ---- */

static HbgBents *bents_of(HbgSim *sim) {
  enum { FEW = 32, MANY = 512, PLACES = 4000000 };
  HbgCoupledRun *run = sim->local->coupled;
  if (run->bents) return run->bents;
  const int32_t most = PLACES / (sim->model->state_count + 1);
  run->bents = ARENA_NEW(&sim->local->arena, HbgBents, 1);
  run->bents->most = most < FEW ? FEW : most > MANY ? MANY : most;
  return run->bents;
}

static void begin_to_idle(HbgBents *self, HbgBent *bent) {
  self->busy--;
  bent->older = self->newest;
  bent->newer = NULL;
  if (self->newest) self->newest->newer = bent;
  else self->oldest = bent;
  self->newest = bent;
}

static void end_idling(HbgBents *self, HbgBent *bent) {
  if (bent->older) bent->older->newer = bent->newer;
  else self->oldest = bent->newer;
  if (bent->newer) bent->newer->older = bent->older;
  else self->newest = bent->older;
}

static void forget(HbgCoupledRun *run, HbgBent *bent) {
  HbgBent **link = &run->states[bent->part.states[0]].movers;
  while (*link != bent) link = &(*link)->next;
  *link = bent->next;
  hbg_part_release(&bent->part);
}

/* None of these states yet; NULL: all are busy. */
static HbgBent *new_bent(HbgSim *sim, HbgBents *bents) {
  HbgBent *bent = bents->oldest;
  if (bents->count < bents->most) {
    bent = ARENA_NEW(&sim->local->arena, HbgBent, 1);
    ARENA_PUSH(&sim->local->arena, bents->list, bents->count, bents->capacity) = bent;
  } else if (bent) {
    end_idling(bents, bent);
    forget(sim->local->coupled, bent);
    bent->stiffness = (HbgStiffness){0};
    bent->readable = (HbgReadable){0};
  }
  return bent;
}

static bool is_for(const HbgBent *bent, const HbgCoupled *set, bool is_implicit) {
  if (bent->set || bent->part.count != set->count || bent->part.is_implicit != is_implicit) return false;
  for (int32_t at = 0; at < set->count; at++)
    if (bent->part.states[at] != set->states[at]) return false;
  return true;
}

/* The one that has moved these states before, or else the one that has been idle for longest; NULL: so many small sets are better off together, in loops over all that are alike. */
static HbgBent *mover_for(HbgSim *sim, const HbgCoupled *set, bool is_implicit) {
  enum { MOST_BUSY = 64 };
  HbgBents *bents = bents_of(sim);
  if (bents->busy >= MOST_BUSY) return NULL;
  HbgBent **first = &sim->local->coupled->states[set->states[0]].movers;
  for (HbgBent *bent = *first; bent; bent = bent->next) {
    if (!is_for(bent, set, is_implicit)) continue;
    end_idling(bents, bent);
    return bent;
  }
  HbgBent *bent = new_bent(sim, bents);
  if (!bent) return NULL;
  hbg_part_make(&bent->part, sim, hbg_inputs_of(sim), set->states, set->count, is_implicit);
  bent->next = *first;
  *first = bent;
  return bent;
}

/* ---- motion ---- */

/* Powers of the time over a step, as those of a series whose unit is the step. */
static void take_polynomials(HbgCoupled *set, HbgStepper *stepper) {
  HbgSeries *series = &set->series;
  const int32_t stride = series->stride;
  double coefficient[HBG_DENSE_DEGREE + 1];
  series->degree = 0;
  for (int32_t at = 0; at < set->count; at++) {
    const int32_t degree = hbg_stepper_polynomial(stepper, at, coefficient);
    for (; series->degree < degree; series->degree++)
      for (int32_t row = 0; row < stride; row++) series->c[(series->degree + 1) * stride + row] = 0;
    for (int32_t k = 0; k <= series->degree; k++) series->c[k * stride + at] = k <= degree ? coefficient[k] : 0;
  }
  series->unit = series->length = stepper->t1 - stepper->t0;
  series->rate = 2 / series->unit; // about so fast moves what a step is as long for
}

/* Nothing is known of it but where it is. */
static void stand_still(HbgSim *sim, HbgCoupled *set) {
  set->series.degree = 0;
  set->series.unit = 1;
  set->series.rate = 0;
  set->series.length = (double)INFINITY;
  for (int32_t at = 0; at < set->count; at++) set->series.c[at] = sim->now.state[set->states[at]];
}

static void go_back(HbgSim *sim, const HbgCoupled *set, const double *state) {
  for (int32_t at = 0; at < set->count; at++) sim->now.state[set->states[at]] = state[at];
  sim->now.time = sim->time;
}

/* How large its states are where the next step begins. */
static void note_sizes(HbgSim *sim, const HbgCoupled *set, const double *state) {
  for (int32_t at = 0; at < set->count; at++) hbg_raise_scale(sim, set->states[at], fabs(state[at]));
}

/* A step has been taken: is the method the one to go on with? */
static void judge(HbgSim *sim, HbgCoupled *set) {
  HbgBent *bent = set->bent;
  HbgStepper *stepper = bent->part.stepper;
  bool is_stiff = bent->part.is_implicit || stepper->stiff;
  if (bent->part.is_implicit) is_stiff = hbg_stiffness_go_on(&bent->stiffness, (stepper->t1 - stepper->t0) * bent->part.speed[0]);
  for (int32_t at = 0; at < set->count; at++) sim->local->coupled->states[set->states[at]].is_stiff = is_stiff;
  stepper->stiff = false;
}

static bool take_step(HbgSim *sim, HbgCoupled *set) {
  HbgStepper *stepper = set->bent->part.stepper;
  set->bent->part.arena.on_failure = sim->arena->on_failure; // of the present call
  note_sizes(sim, set, stepper->y1);
  hbg_local_set_scales(sim, set->states, set->count, stepper);
  const double t_max = fmin(sim->options.stop, stepper->t1 + hbg_local_longest_step(sim, set->states[0]));
  const HbgStepResult result = hbg_readable_step(stepper, t_max, &set->bent->readable, &sim->scratch);
  sim->statistics.steps++;
  const bool is_any = result == HBG_STEP_TAKEN && stepper->t1 > stepper->t0; // at the very end there is nothing to step over
  go_back(sim, set, is_any ? stepper->y0 : stepper->y1);
  if (is_any) {
    take_polynomials(set, stepper);
    judge(sim, set);
  } else {
    stand_still(sim, set);
  }
  return result == HBG_STEP_TAKEN;
}

/* From sim->time on. */
static void note_step(HbgSim *sim, HbgCoupled *set) {
  set->origin = set->synced = sim->time;
  set->until = sim->time + set->series.length;
  hbg_coupled_note_motion(sim, set);
  hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, set->states[0]), set->until < sim->options.stop ? set->until : (double)INFINITY);
}

static bool is_stiff(const HbgSim *sim, const HbgCoupled *set) {
  for (int32_t at = 0; at < set->count; at++)
    if (sim->local->coupled->states[set->states[at]].is_stiff) return true;
  return false;
}

/* ---- beginning and end ---- */

static void take_over(HbgSim *sim, HbgCoupled *set, HbgBent *bent) {
  hbg_coupled_unbend(sim->local->coupled, set);
  sim->local->coupled->bents->busy++;
  set->bent = bent;
  bent->set = set;
  if (bent->part.is_implicit && !bent->stiffness.is_stiff) hbg_stiffness_begin(&bent->stiffness);
}

/* From sim->now, by the method that the present mode asks for. */
static bool begin(HbgSim *sim, HbgCoupled *set) {
  const Islands islands = islands_of(sim, set);
  HbgBent *bent = may_be_moved(sim, &islands) ? mover_for(sim, set, is_stiff(sim, set)) : NULL;
  if (!bent) return false;
  take_over(sim, set, bent);
  if (!hbg_part_enter_alone(&bent->part, islands.list, islands.count)) return false;
  HbgStepper *stepper = bent->part.stepper;
  double *from = ARENA_NEW(&sim->scratch, double, set->count);
  for (int32_t at = 0; at < set->count; at++) from[at] = sim->now.state[set->states[at]];
  note_sizes(sim, set, from);
  hbg_local_set_scales(sim, set->states, set->count, stepper);
  stepper->stiff = false;
  const bool is_begun = hbg_stepper_restart(stepper, sim->time, from) == HBG_STEP_TAKEN;
  go_back(sim, set, from);
  return is_begun;
}

static bool begin_anew(HbgSim *sim, HbgCoupled *set) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const bool is_begun = begin(sim, set);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_begun;
}

static bool go_on(HbgSim *sim, HbgCoupled *set, bool is_begun) {
  const bool is_taken = is_begun && take_step(sim, set);
  if (!is_begun) stand_still(sim, set);
  note_step(sim, set);
  return is_taken;
}

bool hbg_coupled_bent_step(HbgSim *sim, HbgCoupled *set) {
  const bool stays = set->bent->part.is_implicit == is_stiff(sim, set);
  go_back(sim, set, set->bent->part.stepper->y1);
  return go_on(sim, set, stays || begin_anew(sim, set));
}

bool hbg_coupled_bending_pays(const HbgSim *sim) {
  enum { AT_FIRST = 2000, AN_INSTANT = 10, STATES = 10 };
  const HbgCoupledRun *run = sim->local->coupled;
  return run->bent_work <= AT_FIRST + AN_INSTANT * run->instants + run->allowed / STATES;
}

bool hbg_coupled_bend(HbgSim *sim, HbgCoupled *set) {
  enum { TO_BEGIN = 10 };
  hbg_series_clear(&set->series);
  for (int32_t at = 0; at < set->count; at++) hbg_series_add_row(&set->series, 0);
  hbg_series_fill_up(&set->series);
  set->measure = 1;
  sim->local->coupled->bent_work += TO_BEGIN + set->count;
  return go_on(sim, set, begin_anew(sim, set));
}

void hbg_coupled_unbend(HbgCoupledRun *run, HbgCoupled *set) {
  if (!set->bent) return;
  set->bent->set = NULL;
  begin_to_idle(run->bents, set->bent);
  set->bent = NULL;
}

void hbg_coupled_bents_free(HbgCoupledRun *run) {
  for (int32_t at = 0; run->bents && at < run->bents->count; at++) hbg_part_release(&run->bents->list[at]->part);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/partition.h"

#include <math.h>
#include <string.h>

#include "hybrid/explicit.h"
#include "hybrid/steady.h"
#include "numerics/foresight.h"
#include "numerics/linear_series.h"
#include "numerics/split.h"
#include "numerics/stiffness.h"

/* So many stiff clusters have a stepper each; more share one, since every step of one part is the end of a step of the whole. */
enum { MOST_OWN = 8, SLOTS = 2 * MOST_OWN };

static const double EXPLICIT_LIMIT = 3.3; /* h rho at which Dormand and Prince's method is no longer stable */

/* What watches over one cluster: its islands, or its integrators when it has none. */
typedef struct Watches {
  HbgStiffness **list;
  int32_t *cluster;
  int32_t count, capacity, cluster_capacity;
} Watches;

struct HbgPartition {
  HbgSim *sim;
  HbgArena arena;           /* of the clusters, emptied whenever they are found anew */
  HbgClusters clusters;
  Watches watches;          /* over the clusters */
  HbgStepper *whole;        /* explicit, of everything; NULL: not needed yet */
  HbgStepper *split;        /* made when something is stiff for the first time */
  HbgPart slots[SLOTS];     /* parts in use, and some that were: a mode met again finds its steppers */
  int64_t last_use[SLOTS], uses;
  HbgSplitPart parts[SLOTS];
  int32_t slot_of[SLOTS], part_count; /* of the parts in use */
  bool met_stiffness, has_looked;
  uint8_t *was_stiff;       /* per state: in the last mode; what a new island begins with */
  HbgStiffness *lone;       /* per state: of integrators in clusters without an island */
  HbgStepperCounts gone;    /* counts of released parts */
  int64_t gone_implicit;
};

HbgPartition *hbg_partition(HbgSim *sim) {
  const int32_t states = sim->model->state_count;
  HbgPartition *self = ARENA_NEW(sim->arena, HbgPartition, 1);
  self->sim = sim;
  self->arena = hbg_arena(sim->arena->allocator);
  self->was_stiff = ARENA_NEW(sim->arena, uint8_t, states);
  self->lone = ARENA_NEW(sim->arena, HbgStiffness, states);
  return self;
}

static HbgStepper *series_of(HbgSim *sim) {
  HbgStepper *series = hbg_linear_series(sim->arena, sim->model->state_count, hbg_evaluate_rates, sim);
  hbg_stepper_set_tolerance(series, sim->options.tolerance);
  series->threads = sim->threads;
  return series;
}

/* What is stiff from the beginning never asks for it. */
static HbgStepper *whole_of(HbgPartition *self) {
  HbgSim *sim = self->sim;
  if (self->whole) return self->whole;
  const bool is_linear = sim->options.method == HBG_METHOD_AUTOMATIC && hbg_rates_are_steady(sim);
  self->whole = is_linear ? series_of(sim) : hbg_explicit_stepper(sim, sim->arena, sim->model->state_count, hbg_evaluate_rates, sim);
  self->whole->round_off = hbg_evaluate_round_off;
  self->whole->reads_between = hbg_explicit_is_read_between(sim);
  return self->whole;
}

HbgStepper *hbg_partition_whole(HbgPartition *self) { return whole_of(self); }

/* ---- what is stiff ---- */

/* An island met for the first time is as stiff as what it is made of was. */
static void learn(HbgPartition *self) {
  for (int32_t at = 0; at < self->sim->island_count; at++) {
    HbgIsland *island = self->sim->islands[at];
    if (island->is_hanging) continue;
    const int32_t count = island->program->template.state_count;
    for (int32_t state = 0; state < count && !island->knows_stiffness; state++) {
      if (!self->was_stiff[island->binding.states[state]]) continue;
      hbg_stiffness_begin(&island->stiffness);
      island->knows_stiffness = true;
    }
    island->knows_stiffness = true;
  }
}

static void list_watches(HbgPartition *self);
static void tell_gains(HbgPartition *self);

static void find_clusters(HbgPartition *self) {
  tell_gains(self);
  hbg_arena_release_all(&self->arena);
  self->arena.on_failure = self->sim->arena->on_failure;
  self->clusters = hbg_clusters(self->sim, hbg_inputs_of(self->sim), &self->arena);
  list_watches(self);
}

static void add_watch(Watches *watches, HbgArena *arena, HbgStiffness *stiffness, int32_t cluster) {
  int32_t count = watches->count;
  ARENA_PUSH(arena, watches->cluster, count, watches->cluster_capacity) = cluster;
  ARENA_PUSH(arena, watches->list, watches->count, watches->capacity) = stiffness;
}

static void list_watches(HbgPartition *self) {
  HbgArena *arena = &self->arena;
  Watches watches = {0};
  uint8_t *has_island = ARENA_NEW(arena, uint8_t, self->clusters.count);
  for (int32_t at = 0; at < self->sim->island_count; at++) {
    const int32_t cluster = self->clusters.of_island[at];
    if (cluster < 0 || self->sim->islands[at]->is_hanging) continue;
    has_island[cluster] = 1;
    add_watch(&watches, arena, &self->sim->islands[at]->stiffness, cluster);
  }
  for (int32_t state = self->sim->first_integrator; state < self->sim->model->state_count; state++)
    if (!has_island[self->clusters.of_state[state]])
      add_watch(&watches, arena, &self->lone[state], self->clusters.of_state[state]);
  self->watches = watches;
}

/* Is everything to be integrated implicitly, stiff or not? */
static bool is_forced(const HbgSim *sim) {
  return sim->options.method == HBG_METHOD_BDF || sim->options.method == HBG_METHOD_SDIRK;
}

/* Per cluster; `*count` of them are stiff. From the scratch arena. */
static uint8_t *find_stiff(HbgPartition *self, int32_t *count) {
  HbgSim *sim = self->sim;
  uint8_t *stiff = ARENA_NEW(&sim->scratch, uint8_t, self->clusters.count);
  const Watches *watches = &self->watches;
  for (int32_t at = 0; at < watches->count; at++)
    if (watches->list[at]->is_stiff || is_forced(sim)) stiff[watches->cluster[at]] = 1;
  // along a surface the Jacobian of neither side would do
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    if (sim->slides.groups[at]->states.count) stiff[self->clusters.of_state[sim->slides.groups[at]->states.list[0]]] = 0;
  *count = 0;
  for (int32_t cluster = 0; cluster < self->clusters.count; cluster++) *count += stiff[cluster];
  for (int32_t state = 0; state < sim->model->state_count; state++)
    self->was_stiff[state] = stiff[self->clusters.of_state[state]];
  return stiff;
}

/* ---- parts ---- */

static bool same_states(const HbgPart *part, const int32_t *states, int32_t count) {
  return part->count == count && memcmp(part->states, states, (size_t)count * sizeof *states) == 0;
}

static void note_counts(HbgStepperCounts *sum, const HbgStepperCounts *counts) {
  sum->steps += counts->steps;
  sum->rejected += counts->rejected;
  sum->evaluations += counts->evaluations;
  sum->jacobians += counts->jacobians;
  sum->restarts += counts->restarts;
}

static void release_slot(HbgPartition *self, int32_t slot) {
  HbgPart *part = &self->slots[slot];
  if (part->stepper) {
    note_counts(&self->gone, &part->stepper->counts);
    if (part->is_implicit) self->gone_implicit += part->stepper->counts.steps;
  }
  hbg_part_release(part);
}

/* The slot that has these states, or the one that has not been used for longest. */
static int32_t find_slot(HbgPartition *self, const int32_t *states, int32_t count, bool is_implicit) {
  int32_t oldest = -1;
  for (int32_t slot = 0; slot < SLOTS; slot++) {
    const HbgPart *part = &self->slots[slot];
    if (part->count && part->is_implicit == is_implicit && same_states(part, states, count)) return slot;
    const bool is_free = !part->count || self->last_use[slot] < self->uses;
    if (is_free && (oldest < 0 || self->last_use[slot] < self->last_use[oldest])) oldest = slot;
  }
  release_slot(self, oldest);
  hbg_part_make(&self->slots[oldest], self->sim, hbg_inputs_of(self->sim), states, count, is_implicit);
  return oldest;
}

/* Has nothing happened to the part since the step that it took last? `moved` per state; NULL: everything has. */
static bool is_untouched(const HbgPart *part, const uint8_t *moved) {
  const HbgSim *sim = part->sim;
  const HbgStepper *stepper = part->stepper;
  if (!moved || !part->in_use || !(stepper->t0 < sim->time && sim->time <= stepper->t1)) return false;
  for (int32_t at = 0; at < part->island_count; at++)
    if (part->islands[at]->is_touched || (part->islands[at]->is_hanging && !part->islands[at]->is_storage)) return false;
  for (int32_t at = 0; at < part->count; at++) {
    const int32_t integrator = part->states[at] - sim->first_integrator;
    if (moved[part->states[at]] || (integrator >= 0 && (part->inputs->reads_mode[integrator] || part->inputs->reads_piece[integrator]))) return false;
  }
  return true;
}

static bool add_part(HbgPartition *self, const int32_t *states, int32_t count, bool is_implicit,
                     const uint8_t *moved) {
  if (!count) return true;
  const int32_t slot = find_slot(self, states, count, is_implicit);
  HbgPart *part = &self->slots[slot];
  self->last_use[slot] = self->uses;
  const HbgStepper *before = part->stepper;
  if (!hbg_part_enter(part, &self->clusters)) return false;
  const bool goes_on = part->stepper == before && is_untouched(part, moved);
  self->slot_of[self->part_count] = slot;
  self->parts[self->part_count++] = (HbgSplitPart){part->stepper, part->states, goes_on};
  return true;
}

/* The states of the clusters whose `stiff` is `wanted`; of cluster `only` when that is not -1. */
static int32_t list_states(const HbgPartition *self, const uint8_t *stiff, uint8_t wanted, int32_t only, int32_t *states) {
  int32_t count = 0;
  for (int32_t state = 0; state < self->sim->model->state_count; state++) {
    const int32_t cluster = self->clusters.of_state[state];
    if (stiff[cluster] == wanted && (only < 0 || cluster == only)) states[count++] = state;
  }
  return count;
}

static bool make_parts(HbgPartition *self, const uint8_t *stiff, int32_t stiff_count, const uint8_t *moved) {
  int32_t *states = ARENA_NEW(&self->sim->scratch, int32_t, self->sim->model->state_count);
  const bool together = stiff_count > MOST_OWN;
  self->part_count = 0;
  self->uses++;
  if (!add_part(self, states, list_states(self, stiff, 0, -1, states), false, moved)) return false;
  if (together) return add_part(self, states, list_states(self, stiff, 1, -1, states), true, moved);
  for (int32_t cluster = 0; cluster < self->clusters.count; cluster++)
    if (stiff[cluster] && !add_part(self, states, list_states(self, stiff, 1, cluster, states), true, moved)) return false;
  return true;
}

/* The parts in use, and in every island which method it has. */
static void note_use(HbgPartition *self) {
  for (int32_t at = 0; at < self->sim->island_count; at++)
    self->sim->islands[at]->is_touched = self->sim->islands[at]->is_implicit = false;
  for (int32_t slot = 0; slot < SLOTS; slot++) {
    HbgPart *part = &self->slots[slot];
    part->in_use = self->part_count && part->stepper && self->last_use[slot] == self->uses;
    for (int32_t at = 0; part->in_use && at < part->island_count; at++)
      part->islands[at]->is_implicit = part->is_implicit;
  }
}

/* Where does the state differ from what the parts hold, by more than a projection's round-off? From the scratch arena. */
static const uint8_t *find_moved(const HbgPartition *self) {
  HbgSim *sim = self->sim;
  const double theta = hbg_stepper_theta(sim->stepper, sim->time);
  uint8_t *moved = ARENA_NEW(&sim->scratch, uint8_t, sim->model->state_count);
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const double far = fabs(sim->now.state[state] - hbg_stepper_dense_one(sim->stepper, theta, state));
    moved[state] = !(far <= 1e-3 * sim->options.tolerance * fmax(sim->scale[state], fabs(sim->now.state[state])));
  }
  return moved;
}

static HbgStepper *split_stepper(HbgPartition *self, const uint8_t *stiff, int32_t stiff_count) {
  HbgSim *sim = self->sim;
  const bool is_split = self->split && sim->stepper == self->split;
  if (!self->split) {
    self->split = hbg_split(sim->arena, sim->model->state_count);
    if (self->whole) memcpy(self->split->scale, self->whole->scale, (size_t)sim->model->state_count * sizeof(double));
  }
  if (!make_parts(self, stiff, stiff_count, is_split ? find_moved(self) : NULL)) return NULL;
  note_use(self);
  hbg_split_set(self->split, self->parts, self->part_count);
  return self->split;
}

static bool may_be_stiff(const HbgPartition *self) {
  const int method = self->sim->options.method;
  if (!self->sim->model->state_count || method == HBG_METHOD_DP5 || method == HBG_METHOD_DP8) return false;
  return is_forced(self->sim) || self->met_stiffness;
}

/* Which clusters keep explicit steps of `h` at their limit of stability, or would, where sim->now is? */
static bool find_culprits(HbgPartition *self, double h) {
  HbgSim *sim = self->sim;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const int32_t count = sim->model->state_count;
  find_clusters(self);
  int32_t *all = ARENA_NEW(&sim->scratch, int32_t, count);
  for (int32_t state = 0; state < count; state++) all[state] = state;
  // where all of it is one cluster, this is the part that will be wanted
  const int32_t slot = find_slot(self, all, count, true);
  HbgPart *survey = &self->slots[slot];
  bool found = false;
  if (hbg_part_survey(survey, &self->clusters)) {
    for (int32_t at = 0; at < self->watches.count; at++) {
      HbgStiffness *watch = self->watches.list[at];
      // of the whole, clusters are numbered as in the part
      if (watch->is_stiff || !(h * survey->speed[self->watches.cluster[at]] > 1)) continue;
      hbg_stiffness_begin(watch);
      found = true;
    }
  }
  const bool is_entered = found && self->clusters.count == 1; // next, and as it is
  survey->is_surveyed = survey->is_surveyed && is_entered;
  if (!survey->stepper && !is_entered) release_slot(self, slot);
  hbg_arena_rewind(&sim->scratch, mark);
  return found;
}

/* Before the first step: what would be stiff if accuracy alone chose it, so that no explicit steps are wasted on it. */
static void look_ahead(HbgPartition *self) {
  HbgSim *sim = self->sim;
  self->has_looked = true;
  if (sim->options.method != HBG_METHOD_AUTOMATIC) return;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const int32_t count = sim->model->state_count;
  double *y = ARENA_NEW(&sim->scratch, double, count);
  if (count) memcpy(y, sim->now.state, (size_t)count * sizeof *y);
  HbgForesight foresight;
  const bool is_known = hbg_foresee(&foresight, hbg_evaluate_rates, sim, count, sim->time, y, sim->scale,
                                    sim->options.tolerance, &sim->scratch);
  self->gone.evaluations += foresight.evaluations;
  if (count) memcpy(sim->now.state, y, (size_t)count * sizeof *y);
  sim->now.time = sim->time;
  if (is_known && foresight.step * foresight.speed > EXPLICIT_LIMIT && isfinite(foresight.step))
    self->met_stiffness = find_culprits(self, foresight.step / EXPLICIT_LIMIT);
  hbg_arena_rewind(&sim->scratch, mark);
}

HbgStepper *hbg_partition_stepper(HbgPartition *self) {
  const bool looks = !self->has_looked;
  if (looks) look_ahead(self);
  if (!may_be_stiff(self)) return whole_of(self);
  tell_gains(self);
  const HbgArenaMark mark = hbg_arena_mark(&self->sim->scratch);
  learn(self);
  if (!looks || !self->met_stiffness) find_clusters(self); // what was met has been met in them
  int32_t stiff_count;
  const uint8_t *stiff = find_stiff(self, &stiff_count);
  HbgStepper *stepper;
  if (stiff_count) {
    stepper = split_stepper(self, stiff, stiff_count);
  } else {
    stepper = whole_of(self);
    self->part_count = 0;
    note_use(self);
  }
  hbg_arena_rewind(&self->sim->scratch, mark);
  return stepper;
}

/* ---- changes ---- */

/* Those who watch over clusters are as many as islands, and need not be told at once of steps that speak for the method. */
static void tell_gains(HbgPartition *self) {
  const Watches *watches = &self->watches;
  for (int32_t at = 0; at < self->part_count; at++) {
    HbgPart *part = &self->slots[self->slot_of[at]];
    if (!part->has_gained) continue;
    part->has_gained = false;
    for (int32_t which = 0; which < watches->count; which++) {
      const int32_t cluster = part->local[watches->cluster[which]];
      if (cluster >= 0 && watches->list[which]->is_stiff) hbg_stiffness_gain(watches->list[which], part->gain[cluster]);
    }
    for (int32_t cluster = 0; cluster < part->cluster_count; cluster++) part->gain[cluster] = 0;
  }
}

/* A step that was worth it for all clusters of the part? Then that is noted. */
static bool gains(HbgPart *part, double h) {
  for (int32_t cluster = 0; cluster < part->cluster_count; cluster++)
    if (!(h * part->speed[cluster] >= 1)) return false;
  for (int32_t cluster = 0; cluster < part->cluster_count; cluster++) part->gain[cluster] += h * part->speed[cluster] - 1;
  return part->has_gained = true;
}

/* The implicit steps since the last look, against what explicit ones would have cost. */
static bool judge_steps(HbgPartition *self) {
  const Watches *watches = &self->watches;
  bool changes = false;
  for (int32_t at = 0; at < self->part_count; at++) {
    HbgPart *part = &self->slots[self->slot_of[at]];
    const HbgStepper *stepper = part->stepper;
    if (!part->is_implicit || stepper->counts.steps == part->noted_steps) continue;
    part->noted_steps = stepper->counts.steps;
    if (gains(part, stepper->t1 - stepper->t0)) continue;
    tell_gains(self);
    for (int32_t which = 0; which < watches->count; which++) {
      const int32_t cluster = part->local[watches->cluster[which]];
      if (cluster < 0 || !watches->list[which]->is_stiff) continue;
      if (!hbg_stiffness_go_on(watches->list[which], (stepper->t1 - stepper->t0) * part->speed[cluster])) changes = true;
    }
  }
  return changes;
}

static HbgStepper *explicit_stepper(HbgPartition *self) {
  if (self->sim->stepper == self->whole) return self->whole;
  for (int32_t at = 0; at < self->part_count; at++)
    if (!self->slots[self->slot_of[at]].is_implicit) return self->slots[self->slot_of[at]].stepper;
  return NULL;
}

bool hbg_partition_changes(HbgPartition *self) {
  if (self->sim->options.method != HBG_METHOD_AUTOMATIC || !self->sim->model->state_count) return false;
  bool changes = self->part_count > 0 && judge_steps(self);
  HbgStepper *stepper = explicit_stepper(self);
  if (stepper && stepper->stiff) {
    stepper->stiff = false;
    HbgSim *sim = self->sim;
    memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
    sim->now.time = sim->time;
    if (find_culprits(self, stepper->next_h)) changes = self->met_stiffness = true;
  }
  return changes;
}

/* ---- counts and end ---- */

HbgStepperCounts hbg_partition_counts(const HbgPartition *self, int64_t *implicit_steps) {
  HbgStepperCounts sum = self->gone;
  *implicit_steps = self->gone_implicit;
  if (self->whole) note_counts(&sum, &self->whole->counts);
  for (int32_t slot = 0; slot < SLOTS; slot++) {
    const HbgPart *part = &self->slots[slot];
    if (!part->stepper) continue;
    note_counts(&sum, &part->stepper->counts);
    if (part->is_implicit) *implicit_steps += part->stepper->counts.steps;
  }
  return sum;
}

void hbg_partition_free(HbgPartition *self) {
  if (!self) return;
  for (int32_t slot = 0; slot < SLOTS; slot++) hbg_part_release(&self->slots[slot]);
  hbg_arena_release_all(&self->arena);
}

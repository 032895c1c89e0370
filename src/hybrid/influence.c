/* SPDX-License-Identifier: BSD-3-Clause
 * The step that is kept, and what continuous time is while it has patches. */
#include <math.h>
#include <string.h>

#include "hybrid/influence_parts.h"
#include "hybrid/near.h"
#include "hybrid/partition.h"
#include "hybrid/slide_line.h"
#include "hybrid/who_reads.h"

enum { MOST_REFUSALS = 8 };

/* Of the step that accuracy allows: so that what a patch is compared with is more exact than what it may differ by. */
static const double SHARE_OF_STEP = 0.8;

/* ---- the stepper ---- */

static double time_at(const HbgStepper *stepper, double theta) { return stepper->t0 + theta * (stepper->t1 - stepper->t0); }

static bool has_piece(const HbgInfluence *self, int32_t state) { return self->piece_stamp[state] == self->kept; }

HbgPiece hbg_influence_piece(const HbgInfluence *self, int32_t state) {
  if (has_piece(self, state)) return self->pieces[state];
  return hbg_piece_of_step(self->whole, state);
}

static double value_at(const HbgInfluence *self, double t, int32_t state) {
  if (has_piece(self, state)) return hbg_piece_at(&self->pieces[state], t);
  return hbg_stepper_dense_one(self->whole, hbg_stepper_theta(self->whole, t), state);
}

static void values_at(const HbgInfluence *self, double t, double *y) {
  hbg_stepper_dense(self->whole, hbg_stepper_theta(self->whole, t), y);
  for (int32_t at = 0; at < self->patched_count; at++)
    y[self->patched[at]] = hbg_piece_at(&self->pieces[self->patched[at]], t);
}

static void dense(HbgStepper *stepper, double theta, double *y) { values_at((HbgInfluence *)stepper, time_at(stepper, theta), y); }

static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  return value_at((HbgInfluence *)stepper, time_at(stepper, theta), i);
}

static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  const HbgPiece piece = hbg_influence_piece((HbgInfluence *)stepper, i);
  return hbg_piece_polynomial(&piece, stepper->t0, stepper->t1, coefficients);
}

static const HbgStepperMethod method = {
    .name = "patches", .dense = dense, .dense_one = dense_one, .polynomial = polynomial};

/* ---- whether ---- */

static bool is_allowed(const HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  const HbgSimOptions *options = &sim->options;
  if (!sim->partition || (options->method != HBG_METHOD_AUTOMATIC && options->method != HBG_METHOD_DP5)) return false;
  if (!hbg_near_may_be(sim) || options->keeps_reasons || model->clock_count) return false;
  const int32_t above = options->patch_above ? options->patch_above : HBG_PATCH_ABOVE;
  return model->machine_count > 0 && above > 0 && model->state_count > above;
}

/* The two deliveries that each variable may be a term of, and the one that is the rate of a state. */
static void find_receivers(HbgInfluence *self) {
  const HbgDeliveries *deliveries = &self->sim->cuts.deliveries;
  const HbgFlatModel *model = self->sim->model;
  HbgArena *arena = self->sim->arena;
  self->receivers = hbg_arena_indices(arena, 4 * model->bond_count);
  for (int32_t which = 0; which < deliveries->count; which++) {
    if (deliveries->state[which] < 0) continue;
    for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++) {
      int32_t *of = &self->receivers[2 * deliveries->variable[term]];
      of[of[0] < 0 ? 0 : 1] = which;
    }
  }
}

static void make_rings(HbgInfluence *self) {
  HbgArena *arena = self->sim->arena;
  const int32_t states = self->sim->model->state_count;
  self->readers = ARENA_NEW(arena, HbgStateReaders, states);
  self->rings.states = ARENA_NEW(arena, int32_t, states);
  self->rings.stamp = ARENA_NEW(arena, int32_t, states);
  self->rings.place = ARENA_NEW(arena, int32_t, states);
  self->rates.stamp = ARENA_NEW(arena, int32_t, states);
  self->rates.place = ARENA_NEW(arena, int32_t, states);
  self->ring_guess = 3;
  find_receivers(self);
}

void hbg_influence_begin(HbgSim *sim) {
  if (!is_allowed(sim)) return;
  const int32_t states = sim->model->state_count;
  hbg_who_reads(sim);
  HbgInfluence *self = ARENA_NEW(sim->arena, HbgInfluence, 1);
  self->sim = sim;
  if (!hbg_patch_inputs_make(self)) return;
  sim->influence = self;
  self->whole = hbg_partition_whole(sim->partition);
  hbg_stepper_init(&self->stepper, &method, sim->arena, states, NULL, NULL);
  self->stepper.scale = self->whole->scale;
  self->stepper.tolerance = self->whole->tolerance;
  self->pieces = ARENA_NEW(sim->arena, HbgPiece, states);
  self->piece_stamp = ARENA_NEW(sim->arena, int32_t, states);
  self->patched = ARENA_NEW(sim->arena, int32_t, states);
  self->known_stamp = ARENA_NEW(sim->arena, int32_t, states);
  self->left = ARENA_NEW(sim->arena, double, states);
  self->kept = 1;
  make_rings(self);
  hbg_foresights_make(self);
}

/* One explicit stepper has everything, and nothing else is going on. */
static bool is_possible(const HbgInfluence *self) {
  const HbgSim *sim = self->sim;
  if (sim->stepper != self->whole && sim->stepper != &self->stepper) return false;
  if (!hbg_piece_is_exact(self->whole)) return false;
  if (!sim->slides.are_known || sim->slides.far_count) return false;
  return !sim->is_local && (sim->cuts.deliveries.present_count > 0 || sim->island_count > 1);
}

/* ---- steps ---- */

bool hbg_influence_goes_on(const HbgSim *sim) {
  return sim->influence && sim->stepper == &sim->influence->stepper && sim->time < sim->stepper->t1;
}

bool hbg_influence_is_over(const HbgSim *sim) {
  return sim->influence && sim->stepper == &sim->influence->stepper && sim->time >= sim->stepper->t1;
}

/* Half of the work should be steps of the whole: longer ones have larger patches, shorter ones fewer. */
static void choose_length(HbgInfluence *self) {
  const double natural = SHARE_OF_STEP * self->whole->next_h;
  if (!(self->cap > 0)) self->cap = natural;
  else self->cap *= self->patch_work > self->whole_work ? 0.8 : 1.25;
  self->cap = fmin(self->cap, natural);
  self->whole_work = 12.0 * self->sim->model->state_count;
  self->patch_work = 0;
}

static double reach(HbgInfluence *self, double t_max) {
  HbgSim *sim = self->sim;
  self->is_kept = self->foresights.is_there = false;
  if (!self->is_wanted || !is_possible(self) || !(self->whole->next_h > 0)) return t_max;
  self->is_wanted = false;
  self->is_kept = true;
  choose_length(self);
  const double end = fmin(sim->time + fmin(self->cap, hbg_integrate_longest_step(sim)), sim->options.stop);
  // no sliver is left before what is due
  return t_max > end && t_max < sim->time + 1.1 * (end - sim->time) ? t_max : end;
}

HbgStepResult hbg_influence_step(HbgSim *sim, double t_max) {
  if (hbg_influence_goes_on(sim)) return HBG_STEP_TAKEN;
  return hbg_stepper_step(sim->stepper, sim->influence ? reach(sim->influence, t_max) : t_max);
}

void hbg_influence_forget(HbgSim *sim) {
  HbgInfluence *self = sim->influence;
  if (!self) return;
  self->kept++;
  self->patched_count = 0;
  self->is_kept = self->foresights.is_there = false;
}

void hbg_influence_take_start(HbgSim *sim) {
  HbgInfluence *self = sim->influence;
  if (!self || sim->stepper != &self->stepper || self->has_start) return;
  values_at(self, self->stepper.t0, self->stepper.y0);
  self->has_start = true;
}

/* ---- states at an instant ---- */

static void know(HbgInfluence *self, int32_t state) {
  if (self->known_stamp[state] == self->instant) return;
  self->known_stamp[state] = self->instant;
  self->sim->now.state[state] = hbg_stepper_dense_one(self->sim->stepper, self->theta, state);
}

/* What must agree at all times is looked at. */
static void know_timed(HbgInfluence *self) {
  const HbgPresentList *timed = &self->sim->present.timed;
  for (int32_t at = 0; self->sim->solver.any_needs_check && at < timed->count; at++)
    for (int32_t state = 0; timed->islands[at]->needs_stacked[0] && state < timed->islands[at]->program->template.state_count; state++)
      know(self, timed->islands[at]->binding.states[state]);
}

static void know_states(HbgInfluence *self, const HbgStateList *states) {
  for (int32_t at = 0; at < states->count; at++) know(self, states->list[at]);
}

/* What is carried along is put back on its surface. */
static void know_carried(HbgInfluence *self) {
  const HbgSlides *slides = &self->sim->slides;
  for (int32_t at = 0; slides->carried_count && at < slides->group_count; at++)
    for (int32_t which = 0; which < slides->groups[at]->count; which++) {
      const struct HbgSlideLine *line = slides->groups[at]->slides[which]->line;
      if (!line->carried.follows_time) continue;
      know_states(self, &line->changed);
      know_states(self, &line->needed);
      hbg_slide_line_project(self->sim, line);
    }
}

bool hbg_influence_wait(HbgSim *sim) {
  HbgInfluence *self = sim->influence;
  if (!self || !is_possible(self)) return false;
  if (self->patience > 0) {
    self->patience--;
    return false;
  }
  if (!(sim->time > sim->stepper->t0 && sim->time < sim->stepper->t1)) return false;
  sim->now.time = sim->time;
  self->theta = hbg_stepper_theta(sim->stepper, sim->time);
  self->instant++;
  self->waits = true;
  know_timed(self);
  know_carried(self);
  return true;
}

void hbg_influence_know(HbgSim *sim, int32_t state) {
  if (sim->influence && sim->influence->waits) know(sim->influence, state);
}

void hbg_influence_know_all(HbgSim *sim) {
  HbgInfluence *self = sim->influence;
  if (!self || !self->waits) return;
  for (int32_t state = 0; state < sim->model->state_count; state++) know(self, state);
  self->waits = false;
}

void hbg_influence_note(HbgSim *sim, bool is_near) {
  HbgInfluence *self = sim->influence;
  if (!self) return;
  self->was_near = is_near;
  self->is_wanted = is_near && !self->patience;
  if (!is_near) self->knows_readers = false;
}

/* The patch did not pay, and may not for a while. */
static void refuse(HbgInfluence *self) {
  if (self->refusals < MOST_REFUSALS) self->refusals++;
  self->patience = 1 << self->refusals;
  self->is_wanted = false;
  self->cap *= 0.5;
}

static void copy_touched(const HbgSim *sim, const double *from, double *to) {
  const HbgMembers *states = &sim->scope.states;
  for (int32_t at = 0; at < states->count; at++) to[states->list[at]] = from[states->list[at]];
}

bool hbg_influence_patch(HbgSim *sim) {
  HbgInfluence *self = sim->influence;
  if (!self) return false;
  if (!self->waits) {
    self->knows_readers = false; // islands have come unseen
    return false;
  }
  copy_touched(sim, sim->now.state, self->left);
  // an instant may have begun a slide whose rates a patch does not know
  const bool is_patched = self->was_near && is_possible(self) && hbg_patch_make(self);
  sim->now.time = sim->time;
  if (is_patched) {
    self->waits = false;
    if (self->refusals > 0) self->refusals--;
    return true;
  }
  if (self->was_near) refuse(self);
  self->instant++; // the attempt may have been elsewhere with some states
  hbg_influence_know_all(sim);
  copy_touched(sim, self->left, sim->now.state);
  return false;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A patch: the states around what has changed, integrated anew to the end of the step that is kept, in one step of their
 * own. */
#include <math.h>
#include <string.h>

#include "hybrid/influence_parts.h"
#include "hybrid/island_forms.h"

/* What a patch may be at most of all states. Who wants patches in small systems wants them whatever they cost. */
static int32_t most_states(const HbgSim *sim) {
  enum { SHARE = 4 };
  return sim->options.patch_above ? sim->model->state_count - 1 : sim->model->state_count / SHARE;
}

/* Of the tolerance: what may be left of the difference at the rim. */
static const double RIM = 0.01;

static double value_before(const HbgInfluence *self, int32_t state, double t) {
  const HbgStepper *stepper = self->sim->stepper;
  return hbg_stepper_dense_one(self->sim->stepper, hbg_stepper_theta(stepper, t), state);
}

static void load(HbgInfluence *self) {
  HbgSingleStep *attempt = &self->attempt;
  for (int32_t at = 0; at < attempt->n; at++) {
    const int32_t state = self->rings.states[at];
    const bool is_touched = hbg_scope_has_state(self->sim, state);
    attempt->y[at] = is_touched ? self->left[state] : value_before(self, state, attempt->begin);
    attempt->scale[at] = self->whole->scale[state];
  }
}

/* ---- is the patch large enough? ---- */

static double allowed(const HbgInfluence *self, int32_t state, double y) {
  return RIM * self->whole->tolerance * fmax(fabs(y), self->whole->scale[state]);
}

/* By how much a state has come to differ from what it was before; in the middle, and at the end. */
static double difference(const HbgInfluence *self, const HbgSingleStep *attempt, int32_t at) {
  const int32_t state = self->rings.states[at];
  const HbgPiece piece = hbg_single_step_piece(attempt, at);
  const double middle = attempt->begin + attempt->length / 2, end = attempt->begin + attempt->length;
  return fmax(fabs(hbg_piece_at(&piece, middle) - value_before(self, state, middle)),
              fabs(attempt->end[at] - value_before(self, state, end)));
}

static bool is_ring_calm(const HbgInfluence *self, const HbgSingleStep *attempt, int32_t ring) {
  for (int32_t at = self->rings.start[ring]; at < self->rings.start[ring + 1]; at++)
    if (!(difference(self, attempt, at) <= allowed(self, self->rings.states[at], attempt->end[at]))) return false;
  return true;
}

/* A state that has come to differ by `change`. */
typedef struct Feeling {
  const HbgInfluence *self;
  const HbgSingleStep *attempt;
  double change;
} Feeling;

/* Would a state that is left as it was have moved by that? */
static bool is_felt_by(void *user, int32_t target, double weight) {
  const Feeling *feeling = user;
  const HbgInfluence *self = feeling->self;
  if (hbg_rings_have(&self->rings, target, self->rates.count)) return false;
  return fabs(weight * feeling->change) * feeling->attempt->length > allowed(self, target, self->sim->stepper->y1[target]);
}

static bool is_felt_outside(const HbgInfluence *self, const HbgSingleStep *attempt, int32_t ring) {
  for (int32_t at = self->rings.start[ring]; at < self->rings.start[ring + 1]; at++) {
    Feeling feeling = {self, attempt, difference(self, attempt, at)};
    if (hbg_rings_visit(self, self->rings.states[at], &(HbgPatchVisit){is_felt_by, &feeling})) return true;
  }
  return false;
}

/* Nothing is left of the change at its rim, nor would the states outside have felt anything. What islands without a form would make of
 * it is not known: where there are some, two rings must have come to nothing. */
static bool is_large_enough(const HbgInfluence *self, const HbgSingleStep *attempt) {
  const HbgRings *rings = &self->rings;
  const int32_t outer = rings->ring_count - 2; // behind it is the ring that would come next
  if (rings->start[rings->ring_count] == rings->start[rings->ring_count - 1]) return true;
  if (!is_ring_calm(self, attempt, outer) || is_felt_outside(self, attempt, outer)) return false;
  return !self->rates.other_count || (outer > 0 && is_ring_calm(self, attempt, outer - 1));
}

/* How many rings to begin with the next time. */
static void learn(HbgInfluence *self, const HbgSingleStep *attempt) {
  const int32_t outer = self->rings.ring_count - 2;
  self->ring_guess = outer;
  if (outer > 1 && !self->rates.other_count && is_ring_calm(self, attempt, outer - 1)) self->ring_guess--;
}

/* ---- what is kept ---- */

/* The patch is too long for one step: the step of the whole ends with it. */
static void end_step(HbgInfluence *self, double t) {
  self->stepper.t1 = t;
  for (int32_t state = 0; state < self->stepper.n; state++) {
    const HbgPiece piece = hbg_influence_piece(self, state);
    self->stepper.y1[state] = hbg_piece_at(&piece, t);
  }
}

static void keep(HbgInfluence *self, const HbgSingleStep *attempt, double end) {
  HbgStepper *stepper = &self->stepper;
  if (self->sim->stepper != stepper) memcpy(stepper->y1, self->whole->y1, (size_t)stepper->n * sizeof *stepper->y1);
  for (int32_t at = 0; at < attempt->n; at++) {
    const int32_t state = self->rings.states[at];
    if (self->piece_stamp[state] != self->kept) self->patched[self->patched_count++] = state;
    self->piece_stamp[state] = self->kept;
    self->pieces[state] = hbg_single_step_piece(attempt, at);
    stepper->y1[state] = attempt->end[at];
  }
  stepper->t0 = attempt->begin;
  stepper->t1 = end;
  self->has_start = false;
  self->window++;
  self->patch_count++;
  self->sim->stepper = stepper;
  if (attempt->begin + attempt->length < end) end_step(self, attempt->begin + attempt->length);
}

static void grow_rings(HbgInfluence *self, int32_t count) {
  while (self->rings.ring_count < count) hbg_rings_grow(self);
}

/* Of the rings but the last one. False: their rates cannot be had. */
static bool attempt_step(HbgInfluence *self, double length) {
  hbg_patch_rates_make(self);
  if (self->rates.are_unknown) return false;
  HbgSingleStep *attempt = &self->attempt;
  hbg_single_step_begin(attempt, self->sim->arena, self->rates.count);
  attempt->begin = self->sim->time;
  attempt->length = length;
  load(self);
  self->patch_work += 200 + 12.0 * attempt->n;
  return hbg_single_step_take(attempt, hbg_patch_rates, self) == 0;
}

bool hbg_patch_make(HbgInfluence *self) {
  const HbgSim *sim = self->sim;
  const double end = sim->stepper->t1, left = end - sim->time;
  double length = left;
  hbg_rings_prepare(self);
  hbg_rings_begin(self);
  grow_rings(self, self->ring_guess + 2);
  while (self->rings.start[self->rings.ring_count - 1] <= most_states(sim)) {
    if (!attempt_step(self, length)) return false;
    const double error = hbg_single_step_error(&self->attempt, self->whole->tolerance);
    if (!(error <= 1)) {
      length *= hbg_single_step_shrinkage(error);
      if (length < 0.2 * left) return false;
    } else if (is_large_enough(self, &self->attempt)) {
      learn(self, &self->attempt);
      keep(self, &self->attempt, end);
      hbg_foresights_note_patch(self);
      return true;
    } else {
      if (self->rings.ring_count >= HBG_MOST_RINGS) return false;
      hbg_rings_grow(self);
    }
  }
  return false;
}

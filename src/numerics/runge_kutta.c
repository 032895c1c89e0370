/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of an explicit embedded pair: attempts, their error, the size of the next one. What is read between the ends of a step is in
 * runge_kutta_dense.c. */
#include "numerics/runge_kutta.h"

#include <math.h>

#include "numerics/dominant.h"
#include "numerics/runge_kutta_dense.h"

enum { NOW_AND_THEN = 20 }; /* steps after which rates are looked at again */
enum { MANY_STEPS = 100 }; /* over which round-off may add up, where steps are small because of it */
enum { PATIENCE = 3 }; /* rejections in a row that have helped too little after which smaller steps are taken not to help */
enum { LONG_PATIENCE = 6 };  /* ... after which a step would be stable, however unstable it was: each is a fifth of the one before */

/* ---- one attempt ---- */

static int evaluate(HbgRungeKutta *self, double t, const double *y, double *dy) {
  self->stepper.counts.evaluations++;
  return self->stepper.rhs(t, y, dy, self->stepper.user);
}

static double *slope_at_end(const HbgRungeKutta *self) { return self->slopes.k[self->pair->stage_count + 1]; }

int hbg_runge_kutta_attempt(HbgRungeKutta *self, double h, double end) {
  const HbgPair *pair = self->pair;
  const int32_t last = pair->stage_count - 1;
  for (int32_t at = 0; at <= last; at++) {
    const HbgStage *stage = &pair->stages[at];
    double *y = at < last ? self->stage : self->trial;
    hbg_slopes_combine(&self->slopes, y, self->stepper.y1, h, &stage->sum);
    const int answer = evaluate(self, stage->c < 1 ? self->stepper.t1 + stage->c * h : end, y, self->slopes.k[at + 2]);
    if (answer != 0) return answer;
  }
  return 0;
}

static double error_by(const HbgRungeKutta *self, double h, const HbgSum *sum) {
  return hbg_slopes_error(&self->slopes, h, sum, self->stepper.tolerance, self->stepper.y1, self->trial, self->stepper.scale);
}

/* At the end of the attempt, in the weighted maximum norm; NAN when something in it is not finite. A state that was, is
 * and is expected to be zero has no weight. */
static double error_at_end(const HbgRungeKutta *self, double h) {
  const double error = error_by(self, h, &self->pair->errors[0]);
  if (self->pair->error_count == 1 || !(error > 0)) return error;
  // HNW I, II.10: an estimate of order five alone is far too large where steps are short, and the one of order three tells so
  const double coarse = error_by(self, h, &self->pair->errors[1]);
  return error * (error / sqrt(error * error + 0.01 * coarse * coarse));
}

/* The error of the attempt where it is read. */
static double error_of(const HbgRungeKutta *self, double h) {
  return (self->stepper.reads_between ? self->pair->dense_error : 1) * error_at_end(self, h);
}

/* ---- step size ---- */

static double unit_in_last_place(double t) {
  const double size = fabs(t);
  return nextafter(size, HUGE_VAL) - size;
}

/* The largest |rate| relative to the size of its state: one over the shortest time in which a state changes by as much
 * as it is large. 0 when no state has a size yet. */
static double fastest_rate(const HbgRungeKutta *self) {
  return hbg_slopes_fastest(&self->slopes, self->stepper.y1, self->stepper.scale);
}

/* A first step, after HNW I, II.4: from the rates at which the state and its derivative change over an Euler step.
 * Differs in that every quantity keeps its unit, so that the unit of time has no influence. States that have hardly begun to be anything change by their own
 * size in no time; a step that is too long is only tried in vain. */
static double first_step(HbgRungeKutta *self, double t_max) {
  const int32_t n = self->stepper.n;
  const double t = self->stepper.t1, left = t_max - t, least = 1e-20 * left;
  const double *y = self->stepper.y1, *k1 = self->slopes.k[1], *k2 = self->slopes.k[2];
  double rate = fastest_rate(self);
  const double h0 = fmin(fmax(rate > 0 ? 0.01 / rate : 1e-5 * left, least), left);
  for (int32_t i = 0; i < n; i++) self->stage[i] = y[i] + h0 * k1[i];
  if (evaluate(self, t + h0, self->stage, self->slopes.k[2]) != 0) return 1e-3 * h0;

  for (int32_t i = 0; i < n; i++) {
    const double size = fmax(fmax(fabs(y[i]), fabs(self->stage[i])), self->stepper.scale[i]), bend = fabs(k2[i] - k1[i]);
    // one that has nothing but a rate that is round-off is nothing yet, and has no say
    if (size > 1e-6 * h0 * bend) rate = fmax(rate, sqrt(bend / (h0 * size)));
  }
  if (!isfinite(rate)) return 1e-3 * h0;
  return fmin(fmin(100 * h0, rate > 0 ? fmax(least, pow(0.1 * self->stepper.tolerance, self->pair->exponent) / rate) : left), left);
}

/* After an event: the step that was good before it, unless the state changes faster now. A state that begins at what
 * round-off has left of it changes by that in no time: it is not waited for below the resolution of time, `smallest`. */
static double step_to_try(HbgRungeKutta *self, double t_max) {
  if (!self->starting) return self->stepper.next_h;
  self->starting = false;
  if (!(self->stepper.next_h > 0)) return first_step(self, t_max);
  const double rate = fastest_rate(self);
  return rate > 0 ? fmin(self->stepper.next_h, 1 / rate) : self->stepper.next_h;
}

/* HNW II, IV.2: the step size from the logarithms of this error and of the one before (PI control). */
static double growth(const HbgRungeKutta *self, double log_error) {
  const double now = self->pair->exponent - 0.75 * self->pair->memory;
  const double factor = 0.9 * exp(-now * log_error + self->pair->memory * self->last_log_error);
  return fmin(fmax(factor, 0.2), 10);
}

static double shrinkage(const HbgRungeKutta *self, double log_error) {
  return fmax(0.2, 0.9 * exp(-self->pair->exponent * log_error));
}

/* ---- stiffness ---- */

/* HNW II, IV.2, "automatic stiffness detection": the last two stages of the last attempt belong to the same time, so they give an
 * estimate of the dominant eigenvalue. */
static HbgNeighbours neighbours_of(const HbgRungeKutta *self, const double *y) {
  return (HbgNeighbours){.state = y,
                         .other = self->stage,
                         .rate = slope_at_end(self),
                         .other_rate = self->slopes.k[self->pair->stage_count],
                         .scale = self->stepper.scale};
}

double hbg_runge_kutta_reach(const HbgRungeKutta *self, double h, const double *y) {
  const HbgNeighbours neighbours = neighbours_of(self, y);
  return h * hbg_dominant_rate(self->stepper.n, &neighbours);
}

/* Is the last attempt, of length `h`, at the edge of the stability region or beyond? */
static bool is_at_limit(const HbgRungeKutta *self, double h) {
  return hbg_runge_kutta_reach(self, h, self->trial) > self->pair->stability;
}

/* ... or is it as long as what decays, step after step, cannot last? The estimate is one of several rates that are mixed, and less than the largest. */
static bool goes_on_at_limit(const HbgRungeKutta *self, double h) {
  static const double SHARE = 0.3; // of stability: in the steps that are waited for it would be gone long ago
  const HbgNeighbours neighbours = neighbours_of(self, self->trial);
  double decay;
  const double rate = hbg_dominant_rate_and_decay(self->stepper.n, &neighbours, &decay), stability = self->pair->stability;
  return h * rate > stability || (h * decay > SHARE * stability && decay > 0.9 * rate);
}

/* What dies out shows at first, and later no more, though a long step has as much of it to suppress. Where restarts follow each other there are no long steps. */
static void note_fastest(HbgRungeKutta *self) {
  enum { FIRST_STEPS = 2 };
  if (!(self->pair->readable > 0) && !self->order.high) return;
  self->steps_so_far++;
  if (!(self->is_calm && self->steps_so_far <= FIRST_STEPS) && self->steps_so_far % NOW_AND_THEN != 0) return;
  const HbgNeighbours neighbours = neighbours_of(self, self->trial);
  double decay;
  hbg_dominant_rate_and_decay(self->stepper.n, &neighbours, &decay);
  self->fastest = fmax(self->fastest, decay);
}

/* Where stability limits the step and not accuracy, it lies there again and again, events or not: what is left of a current that a step beyond stability makes of it may
 * switch a diode every other step. */
static void watch_stiffness(HbgRungeKutta *self, double h) {
  note_fastest(self);
  if (self->stepper.counts.steps % NOW_AND_THEN != 0 && self->suspicion == 0) return;
  if (goes_on_at_limit(self, h)) {
    self->innocence = 0;
    if (++self->suspicion == 15) self->stepper.stiff = true;
  } else if (++self->innocence == 6) {
    self->suspicion = 0;
  }
}

/* ---- when smaller steps do not help ---- */

/* A state that begins to move from zero with a high power of time has the same relative error at every step size: what it moved
 * counts as its size then. But not what an unstable step made of it. Answers whether this could be told. */
static bool take_sizes(HbgRungeKutta *self, double h, int32_t stubborn) {
  // of what begins by such powers the rates are as many times its size as the step is short: that is not what a limit of stability looks like
  if (stubborn < LONG_PATIENCE && is_at_limit(self, h)) return false;
  for (int32_t i = 0; i < self->stepper.n; i++) {
    const bool has_size = self->stepper.scale[i] > 0 || fabs(self->stepper.y1[i]) > 0;
    if (!has_size) self->stepper.scale[i] = fabs(self->trial[i]);
  }
  return true;
}

/* ---- steps ---- */

static HbgStepResult restart(HbgStepper *stepper) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  self->slopes.threads = stepper->threads;
  self->pair = hbg_order_restart(&self->order, self->pair, &stepper->next_h);
  self->has_next = false;
  hbg_runge_kutta_forget_dense(self);
  self->starting = true;
  self->last_log_error = log(1e-4);
  self->fastest = 0;
  self->is_calm = self->steps_so_far >= NOW_AND_THEN || !stepper->counts.steps;
  self->steps_so_far = 0;
  if (evaluate(self, stepper->t1, stepper->y1, self->slopes.k[1]) != 0) return HBG_STEP_REFUSED;
  return hbg_slopes_begin_finite(&self->slopes) ? HBG_STEP_TAKEN : HBG_STEP_NOT_FINITE;
}

static HbgStepResult turn(HbgStepper *stepper) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  double *slope = self->has_next ? slope_at_end(self) : self->slopes.k[1];
  if (evaluate(self, stepper->t1, stepper->y1, slope) != 0) return HBG_STEP_REFUSED;
  for (int32_t i = 0; i < stepper->n; i++)
    if (!isfinite(slope[i])) return HBG_STEP_NOT_FINITE;
  return HBG_STEP_TAKEN;
}

static void swap(double **a, double **b) {
  double *spare = *a;
  *a = *b;
  *b = spare;
}

/* The slope at the end of the last step becomes the first one of this step, which another pair may make. */
static void begin_step(HbgRungeKutta *self) {
  if (!self->has_next) return;
  swap(&self->slopes.k[1], &self->slopes.k[self->pair->stage_count + 1]);
  self->has_next = false;
  self->pair = hbg_order_choose(&self->order, self->pair, self->was_cut, self->stepper.reads_between, &self->stepper.next_h);
}

static void accept(HbgRungeKutta *self, double end) {
  HbgStepper *stepper = &self->stepper;
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = self->trial;
  self->trial = spare;
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
  self->has_next = true;
}

/* A step of `h` to `end`: its error, NAN where it cannot be told. `*answer`: of the right-hand side. */
static double try_step(HbgRungeKutta *self, double h, double end, int *answer) {
  *answer = hbg_runge_kutta_attempt(self, h, end);
  const double error = *answer == 0 ? error_of(self, h) : (double)NAN;
  if (error <= 1 && self->stepper.reads_between) *answer = hbg_runge_kutta_read(self, self->stepper.t1, self->stepper.y1, h);
  return *answer == 0 ? error : (double)NAN;
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  const double t = stepper->t1, smallest = 16 * unit_in_last_place(t);
  HbgStepResult trouble = HBG_STEP_TOO_SMALL;
  begin_step(self);
  // what accuracy allows; t_max may cut it. The step before may have been cut to nothing
  double wish = fmax(step_to_try(self, t_max), smallest);
  const double first_wish = fmin(wish, t_max - t);
  bool has_sizes = false, has_moves = false;
  double last_error = (double)INFINITY, last_h = 0;
  int32_t stubborn = 0;
  if (hbg_noise_has_crawled(&self->pace, t, t_max)) hbg_noise_forgive(&self->noise, stepper, self->slopes.k[1], first_wish, MANY_STEPS * first_wish, first_wish, NULL);

  for (int32_t rejected = 0;; rejected++) {
    // the end is hit exactly, and no sliver is left before it
    const bool is_cut = t + 1.01 * wish >= t_max;
    const double end = is_cut ? t_max : t + wish;
    const double h = end - t;
    if (!is_cut && !(wish >= smallest)) {
      if (has_moves || trouble != HBG_STEP_TOO_SMALL) return trouble;
      has_moves = true;
      wish = first_wish;
      if (!hbg_noise_take_moves(&self->noise, stepper, self->slopes.k[1], fmax(first_wish, 0.01 * (t_max - t)))) return trouble;
      continue;
    }

    int answer;
    hbg_runge_kutta_forget_dense(self);
    const double error = try_step(self, h, end, &answer);
    if (answer < 0) return HBG_STEP_REFUSED;
    const double log_error = log(fmax(error, 1e-10));

    if (error <= 1) {
      double factor = growth(self, log_error);
      if (rejected > 0) factor = fmin(factor, 1);
      stepper->next_h = is_cut ? fmax(wish, factor * h) : factor * h;
      self->last_log_error = fmax(log_error, log(1e-4));
      self->was_cut = is_cut;
      watch_stiffness(self, h);
      accept(self, end);
      return HBG_STEP_TAKEN;
    }

    stepper->counts.rejected++;
    trouble = answer != 0 ? HBG_STEP_REFUSED : isnan(error) ? HBG_STEP_NOT_FINITE : HBG_STEP_TOO_SMALL;
    const bool is_stubborn = !isnan(error) && !hbg_noise_error_falls(error, h, last_error, last_h);
    if (is_stubborn) stubborn++;
    if (stubborn >= PATIENCE && !isnan(error)) {
      if (!has_sizes) has_sizes = take_sizes(self, h, stubborn);
      // or a state holds nothing but round-off; what is known of that adds up over all of the way
      if (is_stubborn && stubborn == PATIENCE)
        hbg_noise_forgive(&self->noise, stepper, self->slopes.k[1], h, first_wish, fmax(first_wish, 0.01 * (t_max - t)), NULL);
    }
    if (!isnan(error)) last_error = error, last_h = h;
    wish = h * (isnan(error) ? 0.2 : shrinkage(self, log_error));
  }
}

/* ---- making one ---- */

static const HbgStepperMethod runge_kutta_method = {.name = "Runge-Kutta",
                                                    .restart = restart,
                                                    .step = step,
                                                    .turn = turn,
                                                    .dense = hbg_runge_kutta_dense,
                                                    .dense_one = hbg_runge_kutta_dense_one,
                                                    .polynomial = hbg_runge_kutta_polynomial,
                                                    .is_rough = hbg_runge_kutta_is_rough,
                                                    .travel = hbg_runge_kutta_travel,
                                                    .read_near = hbg_runge_kutta_read_near,
                                                    .dense_near = hbg_runge_kutta_dense_near};

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/* Vector units read states from places they like, which every eighth is. All vectors are one piece of memory: each for itself would, in a
 * large system, begin a huge page, which is there as a whole as soon as the first byte is. */
static void make_vectors(HbgRungeKutta *self, HbgArena *arena, const HbgPair *pair, const HbgPair *higher) {
  enum { LINE = 64, EACH = LINE / sizeof(double) };
  const HbgPair *other = higher ? higher : pair;
  const int32_t slopes = 1 + larger(pair->stage_count + pair->dense_stage_count, other->stage_count + other->dense_stage_count);
  const int32_t middles = larger(pair->middle_count, other->middle_count);
  const size_t length = ((size_t)self->stepper.n + EACH - 1) / EACH * EACH;
  double *next = hbg_arena_alloc(arena, (size_t)(slopes + middles + 2) * length, sizeof(double), LINE);
  for (int32_t k = 1; k <= slopes; k++, next += length) self->slopes.k[k] = next;
  for (int32_t at = 0; at < middles; at++, next += length) self->middle[at] = next;
  self->stage = next;
  self->trial = next + length;
}

HbgStepper *hbg_runge_kutta(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user, const HbgPair *pair,
                            const HbgPair *higher) {
  HbgRungeKutta *self = ARENA_NEW(arena, HbgRungeKutta, 1);
  hbg_stepper_init(&self->stepper, &runge_kutta_method, arena, n, rhs, user);
  self->pair = pair;
  self->order = hbg_order(pair, higher);
  self->slopes.n = n;
  make_vectors(self, arena, pair, higher);
  self->noise = hbg_noise(arena, n);
  self->arena = arena;
  return &self->stepper;
}

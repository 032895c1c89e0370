/* SPDX-License-Identifier: BSD-3-Clause
 * Dense output after Shampine and Hairer (HNW I, II.6 and II.10), in nested form, with a = 1 - theta:
 *
 *   y0 + theta (rise + a (bend + theta (twist + a (m0 + theta (m1 + a (m2 + ...
 *
 * The first four parts come from the ends of the step and their slopes, whatever the pair; m0, m1, ... are sums of slopes. */
#include "numerics/runge_kutta_dense.h"

#include <math.h>
#include <string.h>

#include "numerics/piece.h"

enum { ENDS = 4, MOST_PARTS = ENDS + HBG_MOST_MIDDLES };
_Static_assert((int)MOST_PARTS <= (int)HBG_PIECE_PARTS, "a piece has room for them");

void hbg_runge_kutta_forget_dense(HbgRungeKutta *self) {
  self->has_middle = self->has_dense_slopes = self->is_cubic = false;
  self->has_near = NULL;
  self->reading = HBG_READ_UNDECIDED;
  self->again_theta = (double)NAN;
}

int hbg_runge_kutta_read(HbgRungeKutta *self, double t, const double *y, double h) {
  const HbgPair *pair = self->pair;
  for (int32_t at = 0; at < pair->dense_stage_count && !self->has_dense_slopes; at++) {
    const HbgStage *stage = &pair->dense_stages[at];
    double *spare = self->middle[0];
    hbg_slopes_combine(&self->slopes, spare, y, h, &stage->sum);
    self->stepper.counts.evaluations++;
    const int answer = self->stepper.rhs(t + stage->c * h, spare, self->slopes.k[pair->stage_count + 2 + at], self->stepper.user);
    if (answer != 0) return answer;
  }
  self->has_dense_slopes = true;
  return 0;
}

static const double *slope_at_end(const HbgRungeKutta *self) { return self->slopes.k[self->pair->stage_count + 1]; }

/* How many parts there are. */
static int32_t read_last_step(HbgRungeKutta *self) {
  const HbgStepper *stepper = &self->stepper;
  if (!self->has_dense_slopes && !self->is_cubic)
    self->is_cubic = hbg_runge_kutta_read(self, stepper->t0, stepper->y0, stepper->t1 - stepper->t0) != 0;
  return self->is_cubic ? ENDS : ENDS + self->pair->middle_count;
}

static double middle_of(const HbgRungeKutta *self, int32_t which, int32_t i) {
  if (self->has_middle) return self->middle[which][i];
  const HbgSum *sum = &self->pair->middles[which];
  double value = sum->weight[0] * self->slopes.k[sum->slope[0]][i];
  for (int32_t term = 1; term < sum->count; term++) value += sum->weight[term] * self->slopes.k[sum->slope[term]][i];
  return value;
}

static void make_middle(HbgRungeKutta *self, int32_t count) {
  for (int32_t which = 0; which < count - ENDS && !self->has_middle; which++)
    hbg_slopes_sum(&self->slopes, self->middle[which], &self->pair->middles[which]);
  self->has_middle = true;
}

/* The parts of state `i`. */
static void take_parts(const HbgRungeKutta *self, int32_t count, int32_t i, double *part) {
  const HbgStepper *stepper = &self->stepper;
  const double h = stepper->t1 - stepper->t0;
  part[0] = stepper->y0[i];
  part[1] = stepper->y1[i] - stepper->y0[i];
  part[2] = h * self->slopes.k[1][i] - part[1];
  part[3] = part[1] - h * slope_at_end(self)[i] - part[2];
  for (int32_t which = ENDS; which < count; which++) part[which] = h * middle_of(self, which - ENDS, i);
}

int32_t hbg_runge_kutta_parts(HbgRungeKutta *self, int32_t i, double *part) {
  const int32_t count = read_last_step(self);
  take_parts(self, count, i, part);
  return count;
}

/* ---- steps that are too long for it ---- */

static void decide(HbgRungeKutta *self) {
  const HbgStepper *stepper = &self->stepper;
  const double most = self->pair->readable;
  const double h = stepper->t1 - stepper->t0;
  const bool is_long = most > 0 && fmax(h * self->fastest, hbg_runge_kutta_reach(self, h, stepper->y1)) > most;
  self->reading = is_long ? HBG_READ_AGAIN : HBG_READ_DENSE;
}

static HbgRungeKutta *begin_again(HbgRungeKutta *self) {
  const HbgStepper *stepper = &self->stepper;
  const size_t size = (size_t)stepper->n * sizeof(double);
  if (!self->again)
    self->again = (HbgRungeKutta *)hbg_runge_kutta(self->arena, stepper->n, stepper->rhs, stepper->user, self->pair, NULL);
  self->again->slopes.threads = self->slopes.threads;
  memcpy(self->again->stepper.y1, stepper->y0, size);
  memcpy(self->again->slopes.k[1], self->slopes.k[1], size);
  self->again->stepper.t1 = stepper->t0;
  return self->again;
}

/* The state by a step from the beginning, which is as exact as any other step; NULL: dense output is, or has to do. */
static const double *read_again(HbgRungeKutta *self, double theta) {
  HbgStepper *stepper = &self->stepper;
  if (self->reading == HBG_READ_UNDECIDED) decide(self);
  if (self->reading == HBG_READ_DENSE) return NULL;
  if (!(self->again_theta >= theta && self->again_theta <= theta)) {
    HbgRungeKutta *again = begin_again(self);
    const double h = theta * (stepper->t1 - stepper->t0);
    stepper->counts.evaluations += self->pair->stage_count;
    if (hbg_runge_kutta_attempt(again, h, stepper->t0 + h) != 0) {
      self->reading = HBG_READ_DENSE;
      return NULL;
    }
    self->again_theta = theta;
  }
  return self->again->trial;
}

/* ---- few states ---- */

/* The sum of hbg_slopes_combine, of one state. */
static double stage_at(const HbgRungeKutta *self, const HbgSum *sum, double h, int32_t i) {
  double value = sum->weight[0] * self->slopes.k[sum->slope[0]][i];
  for (int32_t term = 1; term < sum->count; term++) value += sum->weight[term] * self->slopes.k[sum->slope[term]][i];
  return self->stepper.y0[i] + h * value;
}

/* As hbg_runge_kutta_read(), as far as `near` reaches. */
static int evaluate_near(HbgRungeKutta *self, const HbgNear *near) {
  const HbgPair *pair = self->pair;
  const double t = self->stepper.t0, h = self->stepper.t1 - t;
  for (int32_t at = 0; at < pair->dense_stage_count; at++) {
    const HbgStage *stage = &pair->dense_stages[at];
    double *spare = self->middle[0];
    for (int32_t which = 0; which < near->count; which++)
      spare[near->states[which]] = stage_at(self, &stage->sum, h, near->states[which]);
    const int answer = near->rhs(t + stage->c * h, spare, self->slopes.k[pair->stage_count + 2 + at], near->user);
    if (answer != 0) return answer;
  }
  return 0;
}

bool hbg_runge_kutta_read_near(HbgStepper *stepper, double theta, const HbgNear *near) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  if (self->pair->dense_stage_count > HBG_NEAR_DEPTH || self->has_dense_slopes || self->is_cubic || read_again(self, theta)) return false;
  if (self->has_near != near && evaluate_near(self, near) == 0) self->has_near = near;
  return self->has_near == near;
}

double hbg_runge_kutta_dense_near(HbgStepper *stepper, double theta, int32_t i) {
  const HbgRungeKutta *self = (const HbgRungeKutta *)stepper;
  const int32_t count = ENDS + self->pair->middle_count;
  double part[MOST_PARTS];
  take_parts(self, count, i, part);
  return hbg_nested_value(part, count, theta);
}

/* ---- what steppers answer ---- */

double hbg_runge_kutta_dense_one(HbgStepper *stepper, double theta, int32_t i) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  const double *again = read_again(self, theta);
  if (again) return again[i];
  double part[MOST_PARTS];
  const int32_t count = hbg_runge_kutta_parts(self, i, part);
  return hbg_nested_value(part, count, theta);
}

void hbg_runge_kutta_dense(HbgStepper *stepper, double theta, double *y) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  const double *again = read_again(self, theta);
  if (again) {
    memcpy(y, again, (size_t)stepper->n * sizeof *y);
    return;
  }
  const int32_t count = read_last_step(self);
  make_middle(self, count);
  hbg_slopes_dense(&self->slopes, stepper->t1 - stepper->t0, theta, stepper->y0, stepper->y1, slope_at_end(self), self->middle,
                   count - ENDS, y);
}

/* The slope of a polynomial of powers of theta. */
static double slope_of(const double *coefficient, int32_t degree, double theta) {
  double slope = 0;
  for (int32_t power = degree; power > 0; power--) slope = slope * theta + power * coefficient[power];
  return slope;
}

/* How far the slopes of dense output are from the rates there, as a way over the whole step, in the weighted maximum norm; infinite where they cannot be
 * computed. Which rates the stages show is no matter then: of what is far beyond stability dense output may hold a lot, though the ends of the step hold nothing. */
static double defect_at(HbgRungeKutta *self, double theta) {
  HbgStepper *stepper = &self->stepper;
  const double h = stepper->t1 - stepper->t0;
  double *state = self->trial, worst = 0;
  if (!self->defect) self->defect = ARENA_NEW(self->arena, double, stepper->n);
  hbg_runge_kutta_dense(stepper, theta, state);
  stepper->counts.evaluations++;
  if (stepper->rhs(stepper->t0 + theta * h, state, self->defect, stepper->user) != 0) return (double)INFINITY;
  for (int32_t i = 0; i < stepper->n; i++) {
    double coefficient[HBG_DENSE_DEGREE + 1];
    const int32_t degree = hbg_runge_kutta_polynomial(stepper, i, coefficient);
    const double size = fmax(fmax(fabs(stepper->y0[i]), fabs(stepper->y1[i])), stepper->scale[i]);
    const double defect = fabs(slope_of(coefficient, degree, theta) - h * self->defect[i]);
    if (defect > worst * size * stepper->tolerance) worst = defect / (size * stepper->tolerance);
  }
  return worst;
}

bool hbg_runge_kutta_is_rough(HbgStepper *stepper, double theta) {
  enum { MOST = 300 }; // of a step that is as long as it should be, it is dozens of tolerances
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  if (!(self->pair->readable > 0)) return false;
  if (self->reading == HBG_READ_UNDECIDED) decide(self);
  return self->reading == HBG_READ_AGAIN || defect_at(self, theta) > MOST;
}

int32_t hbg_runge_kutta_polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  double part[MOST_PARTS];
  const int32_t count = hbg_runge_kutta_parts((HbgRungeKutta *)stepper, i, part);
  return hbg_nested_multiply_out(part, count, coefficients);
}

void hbg_runge_kutta_travel(HbgStepper *stepper, double *rise, double *stray) {
  HbgRungeKutta *self = (HbgRungeKutta *)stepper;
  const int32_t count = read_last_step(self);
  make_middle(self, count);
  hbg_slopes_travel(&self->slopes, stepper->t1 - stepper->t0, stepper->y0, stepper->y1, slope_at_end(self), self->middle, count - ENDS,
                    rise, stray);
}

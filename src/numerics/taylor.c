/* SPDX-License-Identifier: BSD-3-Clause
 * How long a step may be: by the last terms, after Jorba and Zou (2005). */
#include "numerics/taylor.h"

#include <math.h>

enum { ORDER = HBG_TAYLOR_ORDER, STRIDE = HBG_TAYLOR_STRIDE, DEGREE = ORDER };
_Static_assert((int)DEGREE <= (int)HBG_DENSE_DEGREE, "dense output is the series itself");

/* A step's error at most, of what other methods may have: it is cheap, and errors of the same sign add up. */
static const double care = 0.01;

typedef struct Taylor {
  HbgStepper stepper; /* first: the methods cast */
  HbgTaylorSource source;
  double *c;          /* of the last step, in powers of theta (n, DEGREE + 1) */
  double lag;         /* for so long behind its end a law may still seem to stand where it has turned [s] */
  double bent_after;  /* how long the last step was, where a law turned at its end; else infinite [s] */
  int32_t suspicion;  /* steps in a row as stiff problems have them */
  int32_t short_steps; /* in a row, too short to come forward by */
} Taylor;

/* ---- how long a step may be ---- */

static double weight(const HbgStepper *stepper, int32_t i) {
  return care * stepper->tolerance * fmax(fabs(stepper->y1[i]), stepper->scale[i]);
}

/* What is left out of a state of no size yet is measured by its first term that is something: how long a step its coefficient k allows, as a logarithm. */
static double length_from_nothing(const double *series, int32_t k, double tolerance) {
  int32_t first = 0;
  while (first < k && !(fabs(series[first]) > 0)) first++;
  const bool has_both = first < k && fabs(series[k]) > 0;
  return has_both ? log(care * tolerance * fabs(series[first] / series[k])) / (k - first) : (double)INFINITY;
}

/* The logarithm of how long a step the coefficients k allow; NAN where one is not finite. What is left out begins with a term of order
 * ORDER + 1, which is smaller than this one as a power of what this one is of the state. */
static double length_by_term(const Taylor *self, const double *series, int32_t k) {
  double most = 0, least = (double)INFINITY;
  for (int32_t i = 0; i < self->stepper.n; i++) {
    const double size = fabs(series[i * STRIDE + k]), allowed = weight(&self->stepper, i);
    if (!isfinite(size)) return (double)NAN;
    if (!(allowed > 0)) least = fmin(least, length_from_nothing(&series[i * STRIDE], k, self->stepper.tolerance));
    else if (size > most * allowed) most = size / allowed;
  }
  const double further = log(care * self->stepper.tolerance) * (1.0 / (ORDER + 1) - 1.0 / k);
  return most > 0 ? fmin(least, -log(most) / k + further) : least;
}

/* NAN where something is not finite. */
static double length_by_accuracy(const Taylor *self, const double *series) {
  double least = (double)INFINITY;
  for (int32_t k = ORDER - 2; k <= ORDER; k++) {
    const double length = length_by_term(self, series, k);
    if (isnan(length)) return length;
    least = fmin(least, length);
  }
  return exp(least);
}

/* An exponential that has long died out keeps the last terms from growing smaller until its steps are about as long as stability would allow. */
static void watch_stiffness(Taylor *self, const double *series, double h) {
  enum { PATIENCE = 40 };
  double now = 0, before = 0;
  for (int32_t i = 0; i < self->stepper.n; i++) {
    const double allowed = weight(&self->stepper, i);
    if (!(allowed > 0)) continue;
    now = fmax(now, fabs(series[i * STRIDE + ORDER]) / allowed);
    before = fmax(before, fabs(series[i * STRIDE + ORDER - 1]) / allowed);
  }
  self->suspicion = now * ORDER * h > 3 * before ? self->suspicion + 1 : 0;
  if (self->suspicion >= PATIENCE) self->stepper.stiff = true;
}

/* ---- polynomials ---- */

/* From the series to powers of theta, over a step of `h`. False where something is not finite. */
static bool make_polynomials(Taylor *self, const double *series, double h) {
  double sum = 0;
  for (int32_t i = 0; i < self->stepper.n; i++) {
    double power = 1, *c = &self->c[i * (DEGREE + 1)];
    for (int32_t k = 0; k <= DEGREE; k++, power *= h) c[k] = power * series[i * STRIDE + k];
    for (int32_t k = 0; k <= DEGREE; k++) sum += fabs(c[k]);
  }
  return isfinite(sum);
}

static double value_at(const Taylor *self, int32_t i, double theta) {
  const double *c = &self->c[i * (DEGREE + 1)];
  double value = c[DEGREE];
  for (int32_t k = DEGREE; k-- > 0;) value = value * theta + c[k];
  return value;
}

/* ---- steps ---- */

static double resolution(double t) { return fmax(16 * (nextafter(fabs(t), HUGE_VAL) - fabs(t)), HBG_LEAST_TIME); }

/* A step to be taken: from the present state. */
typedef struct Attempt {
  const double *series;
  double h;
  double accurate; /* how long it may be by accuracy alone */
  double apart;    /* instants that are closer than this are one within what the series is good for */
  bool is_bent;    /* a law turns at its end */
} Attempt;

static Attempt look_ahead(const Taylor *self, double lag, double longest) {
  const HbgStepper *stepper = &self->stepper;
  Attempt attempt = {.series = self->source.expand(stepper->t1, stepper->y1, lag, self->source.user), .h = (double)NAN};
  if (!attempt.series) return attempt;
  attempt.h = attempt.accurate = length_by_accuracy(self, attempt.series);
  attempt.apart = 4e-15 * fmin(attempt.h, longest);
  if (1.01 * attempt.h >= longest) attempt.h = longest; // no sliver is left
  if (isnan(attempt.h)) return attempt;
  const double held = self->source.holds_for(lag, attempt.h, self->source.user);
  attempt.is_bent = held < attempt.h;
  attempt.h = fmin(held, attempt.h);
  return attempt;
}

static HbgStepResult restart(HbgStepper *stepper) {
  Taylor *self = (Taylor *)stepper;
  self->lag = 0;
  self->bent_after = (double)INFINITY;
  self->suspicion = self->short_steps = 0;
  stepper->stiff = false;
  return HBG_STEP_TAKEN;
}

/* Does it not come forward, as next to where two are held together by a root, which has no series there? Others have to go on. */
static bool creeps(Taylor *self, double length, double longest) {
  enum { PATIENCE = 100 };
  static const double SHORT = 1e-9; // of the way
  self->short_steps = length < SHORT * longest ? self->short_steps + 1 : 0;
  return self->short_steps > PATIENCE;
}

static void accept(Taylor *self, double end) {
  HbgStepper *stepper = &self->stepper;
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = spare;
  for (int32_t i = 0; i < stepper->n; i++) stepper->y1[i] = value_at(self, i, 1);
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
}

/* For how long behind a turn the law is the one behind it, as what turns there is nothing but round-off. Where that is more than it moves by in this
 * time, as of a large angle, it turns at once again, and never comes through: then longer each time. */
static void note_turn(Taylor *self, const Attempt *attempt, double length, double smallest) {
  const bool is_stuck = attempt->is_bent && length > self->bent_after / 2 && length < 1e-6 * attempt->accurate;
  const double lag = attempt->is_bent ? fmax(1e-12 * length, smallest) : 0;
  self->lag = is_stuck ? fmax(lag, 4 * self->lag) : lag;
  self->bent_after = attempt->is_bent ? length : (double)INFINITY;
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  Taylor *self = (Taylor *)stepper;
  const double t = stepper->t1, longest = t_max - t, finest = resolution(t);
  stepper->counts.evaluations++;
  Attempt attempt = look_ahead(self, self->lag, longest);
  const double smallest = fmax(finest, attempt.apart); // close to 0 time itself may be told apart without end
  if (attempt.h < fmin(smallest, longest)) attempt = look_ahead(self, 4 * smallest, longest);
  if (!attempt.series) return HBG_STEP_REFUSED;
  if (isnan(attempt.h)) return HBG_STEP_NOT_FINITE;
  const double end = attempt.h >= longest ? t_max : t + attempt.h;
  if (!(attempt.h >= fmin(finest, longest)) || !(end > t)) return HBG_STEP_TOO_SMALL;
  if (creeps(self, end - t, longest)) return HBG_STEP_TOO_SMALL;
  if (!make_polynomials(self, attempt.series, end - t)) return HBG_STEP_NOT_FINITE;
  watch_stiffness(self, attempt.series, end - t);
  note_turn(self, &attempt, end - t, smallest);
  accept(self, end);
  return HBG_STEP_TAKEN;
}

/* ---- between the ends ---- */

static double dense_one(HbgStepper *stepper, double theta, int32_t i) { return value_at((const Taylor *)stepper, i, theta); }

static void dense(HbgStepper *stepper, double theta, double *y) {
  for (int32_t i = 0; i < stepper->n; i++) y[i] = dense_one(stepper, theta, i);
}

static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  const double *c = &((const Taylor *)stepper)->c[i * (DEGREE + 1)];
  for (int32_t k = 0; k <= DEGREE; k++) coefficients[k] = c[k];
  return DEGREE;
}

HbgStepper *hbg_taylor(HbgArena *arena, int32_t n, const HbgTaylorSource *source) {
  static const HbgStepperMethod method = {
      .name = "Taylor", .restart = restart, .step = step, .dense = dense, .dense_one = dense_one, .polynomial = polynomial};
  Taylor *self = ARENA_NEW(arena, Taylor, 1);
  hbg_stepper_init(&self->stepper, &method, arena, n, NULL, NULL);
  self->source = *source;
  self->c = ARENA_NEW(arena, double, n * (DEGREE + 1));
  return &self->stepper;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Dormand-Prince 5(4). The notation is that of Hairer, Norsett, Wanner: k1...k7 are the derivatives at the stages, and
 * the seventh stage is the first one of the next step. */
#include "numerics/dp5.h"

#include <math.h>

#include "numerics/noise.h"

typedef struct Dp5 {
  HbgStepper stepper; /* first: the methods cast */
  double *k1, *k2, *k3, *k4, *k5, *k6, *k7;
  double *stage;  /* the state at the stage being computed; the sixth one after an attempt */
  double *trial;  /* the state at the end of the attempt */
  double *middle; /* the part of the dense output that needs all stages, made when first asked for */
  HbgNoise noise;
  bool has_middle;
  bool has_next;                /* k7 is the derivative at t1 (k1 is, after a restart) */
  bool starting;                /* the next step is the first one after a restart */
  double last_log_error;        /* of the step before, for the PI control */
  int32_t suspicion, innocence; /* of stiffness: steps in a row that look so, or not */
} Dp5;

enum { PATIENCE = 3 }; /* rejections in a row after which smaller steps are taken not to help */

/* ---- one attempt ---- */

static int evaluate(Dp5 *dp5, double t, const double *y, double *dy) {
  dp5->stepper.counts.evaluations++;
  return dp5->stepper.rhs(t, y, dy, dp5->stepper.user);
}

static void combine2(int32_t n, double *restrict out, const double *restrict y, double h, const double *restrict k1) {
  for (int32_t i = 0; i < n; i++) out[i] = y[i] + h * (1. / 5 * k1[i]);
}

static void combine3(int32_t n, double *restrict out, const double *restrict y, double h, const double *restrict k1,
                     const double *restrict k2) {
  for (int32_t i = 0; i < n; i++) out[i] = y[i] + h * (3. / 40 * k1[i] + 9. / 40 * k2[i]);
}

static void combine4(int32_t n, double *restrict out, const double *restrict y, double h, const double *restrict k1,
                     const double *restrict k2, const double *restrict k3) {
  for (int32_t i = 0; i < n; i++) out[i] = y[i] + h * (44. / 45 * k1[i] - 56. / 15 * k2[i] + 32. / 9 * k3[i]);
}

static void combine5(int32_t n, double *restrict out, const double *restrict y, double h, const double *restrict k1,
                     const double *restrict k2, const double *restrict k3, const double *restrict k4) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = y[i] + h * (19372. / 6561 * k1[i] - 25360. / 2187 * k2[i] + 64448. / 6561 * k3[i] - 212. / 729 * k4[i]);
  }
}

static void combine6(int32_t n, double *restrict out, const double *restrict y, double h, const double *restrict k1,
                     const double *restrict k2, const double *restrict k3, const double *restrict k4,
                     const double *restrict k5) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = y[i] + h * (9017. / 3168 * k1[i] - 355. / 33 * k2[i] + 46732. / 5247 * k3[i] + 49. / 176 * k4[i] -
                         5103. / 18656 * k5[i]);
  }
}

static void combine7(int32_t n, double *restrict out, const double *restrict y, double h, const double *restrict k1,
                     const double *restrict k3, const double *restrict k4, const double *restrict k5,
                     const double *restrict k6) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = y[i] + h * (35. / 384 * k1[i] + 500. / 1113 * k3[i] + 125. / 192 * k4[i] - 2187. / 6784 * k5[i] +
                         11. / 84 * k6[i]);
  }
}

/* The stages of a step of `h` to `end`; what the right-hand side answered. */
static int attempt(Dp5 *dp5, double h, double end) {
  const int32_t n = dp5->stepper.n;
  const double t = dp5->stepper.t1;
  const double *y = dp5->stepper.y1;
  double *stage = dp5->stage;
  int answer;
  combine2(n, stage, y, h, dp5->k1);
  if ((answer = evaluate(dp5, t + 1. / 5 * h, stage, dp5->k2)) != 0) return answer;
  combine3(n, stage, y, h, dp5->k1, dp5->k2);
  if ((answer = evaluate(dp5, t + 3. / 10 * h, stage, dp5->k3)) != 0) return answer;
  combine4(n, stage, y, h, dp5->k1, dp5->k2, dp5->k3);
  if ((answer = evaluate(dp5, t + 4. / 5 * h, stage, dp5->k4)) != 0) return answer;
  combine5(n, stage, y, h, dp5->k1, dp5->k2, dp5->k3, dp5->k4);
  if ((answer = evaluate(dp5, t + 8. / 9 * h, stage, dp5->k5)) != 0) return answer;
  combine6(n, stage, y, h, dp5->k1, dp5->k2, dp5->k3, dp5->k4, dp5->k5);
  if ((answer = evaluate(dp5, end, stage, dp5->k6)) != 0) return answer;
  combine7(n, dp5->trial, y, h, dp5->k1, dp5->k3, dp5->k4, dp5->k5, dp5->k6);
  return evaluate(dp5, end, dp5->trial, dp5->k7);
}

/* The error of the attempt in the weighted maximum norm; NAN when something in it is not finite. A state that was, is
 * and is expected to be zero has no weight. */
static double error_of(const Dp5 *dp5, double h) {
  const int32_t n = dp5->stepper.n;
  const double tolerance = dp5->stepper.tolerance;
  const double *restrict y = dp5->stepper.y1, *restrict after = dp5->trial, *restrict scale = dp5->stepper.scale;
  const double *restrict k1 = dp5->k1, *restrict k3 = dp5->k3, *restrict k4 = dp5->k4, *restrict k5 = dp5->k5,
                         *restrict k6 = dp5->k6, *restrict k7 = dp5->k7;
  double worst = 0, finite = 0;
  for (int32_t i = 0; i < n; i++) {
    const double error = h * (71. / 57600 * k1[i] - 71. / 16695 * k3[i] + 71. / 1920 * k4[i] - 17253. / 339200 * k5[i] +
                              22. / 525 * k6[i] - 1. / 40 * k7[i]);
    const double before_size = fabs(y[i]), after_size = fabs(after[i]);
    double size = before_size > after_size ? before_size : after_size;
    size = size > scale[i] ? size : scale[i];
    const double ratio = fabs(error) / (size > 0 ? tolerance * size : HUGE_VAL);
    worst = ratio > worst ? ratio : worst;
    finite += 0 * (error + after[i]); /* stays 0, or becomes NAN and stays so */
  }
  return worst + finite;
}

/* ---- step size ---- */

static double unit_in_last_place(double t) {
  const double size = fabs(t);
  return nextafter(size, HUGE_VAL) - size;
}

/* The largest |rate| relative to the size of its state: one over the shortest time in which a state changes by as much
 * as it is large. 0 when no state has a size yet. */
static double fastest_rate(const Dp5 *dp5, const double *rate) {
  double fastest = 0;
  for (int32_t i = 0; i < dp5->stepper.n; i++) {
    const double size = fmax(fabs(dp5->stepper.y1[i]), dp5->stepper.scale[i]);
    if (size > 0) fastest = fmax(fastest, fabs(rate[i]) / size);
  }
  return fastest;
}

/* A first step, after HNW I, II.4: from the rates at which the state and its derivative change over an Euler step.
 * Differs in that every quantity keeps its unit, so that the unit of time has no influence. */
static double first_step(Dp5 *dp5, double t_max) {
  const int32_t n = dp5->stepper.n;
  const double t = dp5->stepper.t1, left = t_max - t;
  const double *y = dp5->stepper.y1;
  double rate = fastest_rate(dp5, dp5->k1);
  const double h0 = fmin(rate > 0 ? 0.01 / rate : 1e-5 * left, left);
  for (int32_t i = 0; i < n; i++) dp5->stage[i] = y[i] + h0 * dp5->k1[i];
  if (evaluate(dp5, t + h0, dp5->stage, dp5->k2) != 0) return 1e-3 * h0;

  for (int32_t i = 0; i < n; i++) {
    const double size = fmax(fmax(fabs(y[i]), fabs(dp5->stage[i])), dp5->stepper.scale[i]);
    if (size > 0) rate = fmax(rate, sqrt(fabs(dp5->k2[i] - dp5->k1[i]) / (h0 * size)));
  }
  if (!isfinite(rate)) return 1e-3 * h0;
  return fmin(fmin(100 * h0, rate > 0 ? pow(0.1 * dp5->stepper.tolerance, 0.2) / rate : left), left);
}

/* After an event: the step that was good before it, unless the state changes faster now. A state that begins at what
 * round-off has left of it changes by that in no time: it is not waited for below the resolution of time, `smallest`. */
static double step_to_try(Dp5 *dp5, double t_max) {
  if (!dp5->starting) return dp5->stepper.next_h;
  dp5->starting = false;
  if (!(dp5->stepper.next_h > 0)) return first_step(dp5, t_max);
  const double rate = fastest_rate(dp5, dp5->k1);
  return rate > 0 ? fmin(dp5->stepper.next_h, 1 / rate) : dp5->stepper.next_h;
}

/* HNW II, IV.2: the step size from the logarithms of this error and of the one before (PI control). */
static double growth(const Dp5 *dp5, double log_error) {
  const double factor = 0.9 * exp(-0.17 * log_error + 0.04 * dp5->last_log_error);
  return fmin(fmax(factor, 0.2), 10);
}

static double shrinkage(double log_error) { return fmax(0.2, 0.9 * exp(-0.2 * log_error)); }

/* ---- stiffness ---- */

/* HNW II, IV.2, "automatic stiffness detection": stages six and seven of the last attempt, of length `h`, belong to the same
 * time, so they give an estimate of the dominant eigenvalue. Is the step at the edge of the stability region (3.3) or beyond? */
static bool is_at_limit(const Dp5 *dp5, double h) {
  double derivative = 0, distance = 0;
  for (int32_t i = 0; i < dp5->stepper.n; i++) {
    const double size = fmax(fabs(dp5->trial[i]), dp5->stepper.scale[i]);
    if (!(size > 0)) continue;
    const double a = (dp5->k7[i] - dp5->k6[i]) / size, b = (dp5->trial[i] - dp5->stage[i]) / size;
    derivative += a * a;
    distance += b * b;
  }
  return distance > 0 && h * sqrt(derivative / distance) > 3.25;
}

/* Where stability limits the step and not accuracy, it lies there again and again. */
static void watch_stiffness(Dp5 *dp5, double h) {
  if (dp5->stepper.counts.steps % 20 != 0 && dp5->suspicion == 0) return;
  if (is_at_limit(dp5, h)) {
    dp5->innocence = 0;
    if (++dp5->suspicion == 15) dp5->stepper.stiff = true;
  } else if (++dp5->innocence == 6) {
    dp5->suspicion = 0;
  }
}

/* ---- when smaller steps do not help ---- */

/* A state that begins to move from zero with a high power of time has the same relative error at every step size: what it moved
 * counts as its size then. But not what an unstable step made of it. Answers whether this could be told. */
static bool take_sizes(Dp5 *dp5, double h) {
  if (is_at_limit(dp5, h)) return false;
  for (int32_t i = 0; i < dp5->stepper.n; i++) {
    const bool has_size = dp5->stepper.scale[i] > 0 || fabs(dp5->stepper.y1[i]) > 0;
    if (!has_size) dp5->stepper.scale[i] = fabs(dp5->trial[i]);
  }
  return true;
}

/* ---- steps ---- */

static HbgStepResult restart(HbgStepper *stepper) {
  Dp5 *dp5 = (Dp5 *)stepper;
  dp5->has_next = dp5->has_middle = false;
  dp5->starting = true;
  dp5->last_log_error = log(1e-4);
  dp5->suspicion = dp5->innocence = 0;
  if (evaluate(dp5, stepper->t1, stepper->y1, dp5->k1) != 0) return HBG_STEP_REFUSED;
  for (int32_t i = 0; i < stepper->n; i++) {
    if (!isfinite(dp5->k1[i])) return HBG_STEP_NOT_FINITE;
  }
  return HBG_STEP_TAKEN;
}

static void take_next_derivative(Dp5 *dp5) {
  if (!dp5->has_next) return;
  double *spare = dp5->k1;
  dp5->k1 = dp5->k7;
  dp5->k7 = spare;
  dp5->has_next = false;
}

static void accept(Dp5 *dp5, double end) {
  HbgStepper *stepper = &dp5->stepper;
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = dp5->trial;
  dp5->trial = spare;
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
  dp5->has_next = true;
  dp5->has_middle = false;
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  Dp5 *dp5 = (Dp5 *)stepper;
  const double t = stepper->t1, smallest = 16 * unit_in_last_place(t);
  HbgStepResult trouble = HBG_STEP_TOO_SMALL;
  take_next_derivative(dp5);
  // what accuracy allows; t_max may cut it. The step before may have been cut to nothing
  double wish = fmax(step_to_try(dp5, t_max), smallest);
  const double first_wish = fmin(wish, t_max - t);
  bool has_sizes = false;

  for (int32_t rejected = 0;; rejected++) {
    // the end is hit exactly, and no sliver is left before it
    const bool is_cut = t + 1.01 * wish >= t_max;
    const double end = is_cut ? t_max : t + wish;
    const double h = end - t;
    if (!is_cut && !(wish >= smallest)) return trouble;

    const int answer = attempt(dp5, h, end);
    if (answer < 0) return HBG_STEP_REFUSED;
    const double error = answer == 0 ? error_of(dp5, h) : (double)NAN;
    const double log_error = log(fmax(error, 1e-10));

    if (error <= 1) {
      double factor = growth(dp5, log_error);
      if (rejected > 0) factor = fmin(factor, 1);
      stepper->next_h = is_cut ? fmax(wish, factor * h) : factor * h;
      dp5->last_log_error = fmax(log_error, log(1e-4));
      watch_stiffness(dp5, h);
      accept(dp5, end);
      return HBG_STEP_TAKEN;
    }

    stepper->counts.rejected++;
    trouble = answer != 0 ? HBG_STEP_REFUSED : isnan(error) ? HBG_STEP_NOT_FINITE : HBG_STEP_TOO_SMALL;
    if (rejected >= PATIENCE && !isnan(error)) {
      if (!has_sizes) has_sizes = take_sizes(dp5, h);
      // or a state holds nothing but round-off; what is known of that adds up over all of the way
      if (rejected == PATIENCE)
        hbg_noise_forgive(&dp5->noise, stepper, dp5->k1, first_wish, fmax(first_wish, 0.01 * (t_max - t)), NULL);
    }
    wish = h * (isnan(error) ? 0.2 : shrinkage(log_error));
  }
}

/* ---- dense output ---- */

/* HNW I, (6.12) ff., after Shampine: the coefficient of the fourth-order term. */
static double middle_of(const Dp5 *dp5, int32_t i) {
  return -12715105075. / 11282082432 * dp5->k1[i] + 87487479700. / 32700410799 * dp5->k3[i] -
         10690763975. / 1880347072 * dp5->k4[i] + 701980252875. / 199316789632 * dp5->k5[i] -
         1453857185. / 822651844 * dp5->k6[i] + 69997945. / 29380423 * dp5->k7[i];
}

static double interpolate(double theta, double h, double y0, double y1, double k1, double k7, double middle) {
  const double rise = y1 - y0, bend = h * k1 - rise;
  const double rest = 1 - theta;
  return y0 + theta * (rise + rest * (bend + theta * (rise - h * k7 - bend + rest * (h * middle))));
}

static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  const Dp5 *dp5 = (const Dp5 *)stepper;
  return interpolate(theta, stepper->t1 - stepper->t0, stepper->y0[i], stepper->y1[i], dp5->k1[i], dp5->k7[i],
                     dp5->has_middle ? dp5->middle[i] : middle_of(dp5, i));
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  Dp5 *dp5 = (Dp5 *)stepper;
  const double h = stepper->t1 - stepper->t0;
  const int32_t n = stepper->n;
  if (!dp5->has_middle) {
    for (int32_t i = 0; i < n; i++) dp5->middle[i] = middle_of(dp5, i);
    dp5->has_middle = true;
  }
  const double *restrict y0 = stepper->y0, *restrict y1 = stepper->y1, *restrict k1 = dp5->k1, *restrict k7 = dp5->k7,
                         *restrict middle = dp5->middle;
  double *restrict out = y;
  for (int32_t i = 0; i < n; i++) out[i] = interpolate(theta, h, y0[i], y1[i], k1[i], k7[i], middle[i]);
}

/* interpolate(), multiplied out. */
static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  const Dp5 *dp5 = (const Dp5 *)stepper;
  const double h = stepper->t1 - stepper->t0, rise = stepper->y1[i] - stepper->y0[i], start = h * dp5->k1[i];
  const double bend = start - rise, twist = rise - h * dp5->k7[i] - bend;
  const double middle = h * (dp5->has_middle ? dp5->middle[i] : middle_of(dp5, i));
  coefficients[0] = stepper->y0[i];
  coefficients[1] = start;
  coefficients[2] = twist + middle - bend;
  coefficients[3] = -twist - 2 * middle;
  coefficients[4] = middle;
  return 4;
}

static const HbgStepperMethod dp5_method = {
    .name = "dp5", .restart = restart, .step = step, .dense = dense, .dense_one = dense_one, .polynomial = polynomial};

HbgStepper *hbg_dp5(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user) {
  Dp5 *dp5 = ARENA_NEW(arena, Dp5, 1);
  hbg_stepper_init(&dp5->stepper, &dp5_method, arena, n, rhs, user);
  double **const arrays[] = {&dp5->k1, &dp5->k2, &dp5->k3,    &dp5->k4,    &dp5->k5,
                             &dp5->k6, &dp5->k7, &dp5->stage, &dp5->trial, &dp5->middle};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = ARENA_NEW(arena, double, n);
  dp5->noise = hbg_noise(arena, n);
  return &dp5->stepper;
}

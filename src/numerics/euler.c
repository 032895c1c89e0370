/* SPDX-License-Identifier: BSD-3-Clause
 * Forward Euler. */
#include "numerics/euler.h"

#include <math.h>

typedef struct Euler {
  HbgStepper stepper; /* first: the methods cast */
  double h;
  double *dy;    /* derivative at t0 */
  double *trial; /* the state a step would lead to */
} Euler;

static HbgStepResult restart(HbgStepper *stepper) {
  (void)stepper;
  return HBG_STEP_TAKEN;
}

static bool is_finite(int32_t n, const double *y) {
  for (int32_t i = 0; i < n; i++) {
    if (!isfinite(y[i])) return false;
  }
  return true;
}

/* The step to take from `t` without leaving a sliver before `t_max`. */
static double step_end(double t, double h, double t_max) { return t + h * (1 + 1e-9) >= t_max ? t_max : t + h; }

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  Euler *euler = (Euler *)stepper;
  const double t = stepper->t1;
  const double end = step_end(t, euler->h, t_max);
  if (!(end > t)) return HBG_STEP_TOO_SMALL;

  stepper->counts.evaluations++;
  if (stepper->rhs(t, stepper->y1, euler->dy, stepper->user) != 0) return HBG_STEP_REFUSED;
  for (int32_t i = 0; i < stepper->n; i++) euler->trial[i] = stepper->y1[i] + (end - t) * euler->dy[i];
  if (!is_finite(stepper->n, euler->trial)) return HBG_STEP_NOT_FINITE;

  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = euler->trial;
  euler->trial = spare;
  stepper->t0 = t;
  stepper->t1 = end;
  stepper->counts.steps++;
  return HBG_STEP_TAKEN;
}

static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  return stepper->y0[i] + theta * (stepper->y1[i] - stepper->y0[i]);
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  for (int32_t i = 0; i < stepper->n; i++) y[i] = dense_one(stepper, theta, i);
}

static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  coefficients[0] = stepper->y0[i];
  coefficients[1] = stepper->y1[i] - stepper->y0[i];
  return 1;
}

static const HbgStepperMethod euler_method = {
    .name = "euler", .restart = restart, .step = step, .dense = dense, .dense_one = dense_one, .polynomial = polynomial};

HbgStepper *hbg_euler(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user, double h) {
  Euler *euler = ARENA_NEW(arena, Euler, 1);
  hbg_stepper_init(&euler->stepper, &euler_method, arena, n, rhs, user);
  euler->stepper.next_h = h;
  euler->h = h;
  euler->dy = ARENA_NEW(arena, double, n);
  euler->trial = ARENA_NEW(arena, double, n);
  return &euler->stepper;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What all integration methods share. */
#include "numerics/stepper.h"

#include <math.h>
#include <string.h>

const char *hbg_step_text(HbgStepResult result) {
#define HBG_STEP_TEXT(name, text) text,
  static const char *const texts[HBG_STEP_COUNT] = {HBG_STEP_LIST(HBG_STEP_TEXT)};
#undef HBG_STEP_TEXT
  return (unsigned)result < HBG_STEP_COUNT ? texts[result] : "an unknown result of a step";
}

void hbg_stepper_init(HbgStepper *stepper, const HbgStepperMethod *method, HbgArena *arena, int32_t n,
                      HbgRightHandSide rhs, void *user) {
  *stepper = (HbgStepper){
      .method = method,
      .rhs = rhs,
      .user = user,
      .n = n,
      .y0 = ARENA_NEW(arena, double, n),
      .y1 = ARENA_NEW(arena, double, n),
      .scale = ARENA_NEW(arena, double, n),
      .tolerance = 1e-8,
  };
}

void hbg_stepper_set_tolerance(HbgStepper *stepper, double relative) { stepper->tolerance = relative; }

static void copy_state(int32_t n, const double *from, double *to) {
  if (n > 0) memmove(to, from, (size_t)n * sizeof *to);
}

/* Makes the last step an empty one at its end. */
static void forget_step(HbgStepper *stepper) {
  stepper->t0 = stepper->t1;
  copy_state(stepper->n, stepper->y1, stepper->y0);
}

HbgStepResult hbg_stepper_restart(HbgStepper *stepper, double t, const double *y) {
  copy_state(stepper->n, y, stepper->y1);
  stepper->t1 = t;
  forget_step(stepper);
  stepper->counts.restarts++;
  return stepper->n == 0 ? HBG_STEP_TAKEN : stepper->method->restart(stepper);
}

HbgStepResult hbg_stepper_turn(HbgStepper *stepper) {
  return stepper->n == 0 || !stepper->method->turn ? HBG_STEP_TAKEN : stepper->method->turn(stepper);
}

HbgStepResult hbg_stepper_step(HbgStepper *stepper, double t_max) {
  if (!(t_max > stepper->t1)) return HBG_STEP_TAKEN;
  if (stepper->n == 0) {
    stepper->t0 = stepper->t1;
    stepper->t1 = t_max;
    stepper->counts.steps++;
    return HBG_STEP_TAKEN;
  }
  const HbgStepResult result = stepper->method->step(stepper, t_max);
  if (result != HBG_STEP_TAKEN) forget_step(stepper);
  return result;
}

void hbg_stepper_dense(HbgStepper *stepper, double theta, double *y) {
  // the ends are exact, whatever the interpolation makes of them
  if (stepper->n == 0 || theta >= 1 || stepper->t0 >= stepper->t1) {
    copy_state(stepper->n, stepper->y1, y);
  } else if (theta <= 0) {
    copy_state(stepper->n, stepper->y0, y);
  } else {
    stepper->method->dense(stepper, theta, y);
  }
}

double hbg_stepper_dense_one(HbgStepper *stepper, double theta, int32_t i) {
  if (theta >= 1 || stepper->t0 >= stepper->t1) return stepper->y1[i];
  if (theta <= 0) return stepper->y0[i];
  return stepper->method->dense_one(stepper, theta, i);
}

void hbg_stepper_dense_near(HbgStepper *stepper, double theta, const HbgNear *near, const int32_t *list, int32_t count, double *y) {
  const HbgStepperMethod *method = stepper->method;
  const bool is_within = theta > 0 && theta < 1 && stepper->t0 < stepper->t1;
  const bool is_near = is_within && near && method->read_near && method->read_near(stepper, theta, near);
  for (int32_t at = 0; at < count; at++)
    y[list[at]] = is_near ? method->dense_near(stepper, theta, list[at]) : hbg_stepper_dense_one(stepper, theta, list[at]);
}

int32_t hbg_stepper_polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  if (stepper->t0 < stepper->t1) return stepper->method->polynomial ? stepper->method->polynomial(stepper, i, coefficients) : -1;
  coefficients[0] = stepper->y1[i];
  return 0;
}

bool hbg_stepper_is_rough(HbgStepper *stepper, double theta) {
  return theta > 0 && theta < 1 && stepper->method->is_rough && stepper->method->is_rough(stepper, theta);
}

bool hbg_stepper_leaves_roughly(HbgStepper *stepper, int32_t i) {
  return stepper->method->leaves_roughly && stepper->method->leaves_roughly(stepper, i);
}

/* Everything of its polynomial is straying. */
static double stray_of(HbgStepper *stepper, int32_t i) {
  double coefficients[HBG_DENSE_DEGREE + 1], sum = 0;
  const int32_t degree = hbg_stepper_polynomial(stepper, i, coefficients);
  for (int32_t power = 1; power <= degree; power++) sum += fabs(coefficients[power]);
  return degree < 0 ? (double)INFINITY : sum;
}

void hbg_stepper_travel(HbgStepper *stepper, double *rise, double *stray) {
  if (stepper->method->travel && stepper->t0 < stepper->t1) {
    stepper->method->travel(stepper, rise, stray);
    return;
  }
  for (int32_t i = 0; i < stepper->n; i++) {
    rise[i] = 0;
    stray[i] = stray_of(stepper, i);
  }
}

double hbg_stepper_theta(const HbgStepper *stepper, double t) {
  if (t >= stepper->t1) return 1;
  if (t <= stepper->t0) return 0;
  return (t - stepper->t0) / (stepper->t1 - stepper->t0);
}

void hbg_stepper_reach(const HbgStepper *stepper, double t_max, const double *dy, double *reach) {
  for (int32_t i = 0; i < stepper->n; i++) reach[i] = HBG_STEPPER_PART * (t_max - stepper->t1) * fabs(dy[i]);
}

void hbg_stepper_reach_by_curve(const HbgStepper *stepper, double t_max, const double *ddy, double *reach) {
  const double way = HBG_STEPPER_PART * (t_max - stepper->t1);
  for (int32_t i = 0; i < stepper->n; i++) {
    const double gained = 0.5 * way * way * fabs(ddy[i]);
    if (isfinite(gained) && gained > reach[i]) reach[i] = gained;
  }
}

void hbg_stepper_note_scale(HbgStepper *stepper) {
  const double *restrict y = stepper->y1;
  double *restrict scale = stepper->scale;
  for (int32_t i = 0; i < stepper->n; i++) {
    const double magnitude = fabs(y[i]);
    scale[i] = magnitude > scale[i] ? magnitude : scale[i];
  }
}

void hbg_stepper_free(HbgStepper *stepper) {
  if (stepper && stepper->method->free) stepper->method->free(stepper);
}

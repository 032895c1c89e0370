/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/split.h"

#include <math.h>
#include <string.h>

#include "numerics/polynomial.h"

typedef struct Split {
  HbgStepper stepper; /* first: the methods cast */
  HbgSplitPart *parts;
  int32_t part_count;
  int32_t *part_of, *place_of; /* of each state: its part, and where in it (n) */
  double *gathered;            /* the states of one part (n) */
} Split;

static void gather(const Split *split, const HbgSplitPart *part, const double *whole) {
  for (int32_t i = 0; i < part->stepper->n; i++) split->gathered[i] = whole[part->states[i]];
}

static void scatter(const Split *split, const HbgSplitPart *part, double *whole) {
  for (int32_t i = 0; i < part->stepper->n; i++) whole[part->states[i]] = split->gathered[i];
}

/* What is known of the sizes of the states is known to all; what a part found out is kept. */
static void share_scales(Split *split, const HbgSplitPart *part) {
  for (int32_t i = 0; i < part->stepper->n; i++) {
    double *whole = &split->stepper.scale[part->states[i]], *own = &part->stepper->scale[i];
    *own = *whole = fmax(*own, *whole);
  }
}

static HbgStepResult restart(HbgStepper *stepper) {
  Split *split = (Split *)stepper;
  for (int32_t at = 0; at < split->part_count; at++) {
    HbgSplitPart *part = &split->parts[at];
    if (part->goes_on) continue;
    share_scales(split, part);
    gather(split, part, stepper->y1);
    const HbgStepResult result = hbg_stepper_restart(part->stepper, stepper->t1, split->gathered);
    if (result != HBG_STEP_TAKEN) return result;
  }
  return HBG_STEP_TAKEN;
}

static HbgStepResult turn(HbgStepper *stepper) {
  Split *split = (Split *)stepper;
  for (int32_t at = 0; at < split->part_count; at++) {
    const HbgStepResult result = hbg_stepper_turn(split->parts[at].stepper);
    if (result != HBG_STEP_TAKEN) return result;
  }
  return HBG_STEP_TAKEN;
}

/* All states at `t`, which must lie within the last step of every part. */
static void state_at(Split *split, double t, double *y) {
  for (int32_t at = 0; at < split->part_count; at++) {
    const HbgSplitPart *part = &split->parts[at];
    hbg_stepper_dense(part->stepper, hbg_stepper_theta(part->stepper, t), split->gathered);
    scatter(split, part, y);
  }
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  Split *split = (Split *)stepper;
  double end = t_max;
  for (int32_t at = 0; at < split->part_count; at++) {
    HbgSplitPart *part = &split->parts[at];
    if (part->stepper->t1 <= stepper->t1) {
      share_scales(split, part);
      const HbgStepResult result = hbg_stepper_step(part->stepper, t_max);
      if (result != HBG_STEP_TAKEN) return result;
    }
    end = fmin(end, part->stepper->t1);
  }
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = spare;
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
  state_at(split, end, stepper->y1);
  return HBG_STEP_TAKEN;
}

static double time_at(const HbgStepper *stepper, double theta) {
  return stepper->t0 + theta * (stepper->t1 - stepper->t0);
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  state_at((Split *)stepper, time_at(stepper, theta), y);
}

static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  const Split *split = (const Split *)stepper;
  HbgStepper *part = split->parts[split->part_of[i]].stepper;
  return hbg_stepper_dense_one(part, hbg_stepper_theta(part, time_at(stepper, theta)), split->place_of[i]);
}

static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  const Split *split = (const Split *)stepper;
  HbgStepper *part = split->parts[split->part_of[i]].stepper;
  const int32_t degree = hbg_stepper_polynomial(part, split->place_of[i], coefficients);
  if (degree > 0)
    hbg_coefficients_part(coefficients, degree, hbg_stepper_theta(part, stepper->t0), hbg_stepper_theta(part, stepper->t1));
  return degree;
}

static bool is_rough(HbgStepper *stepper, double theta) {
  const Split *split = (const Split *)stepper;
  const double t = stepper->t0 + theta * (stepper->t1 - stepper->t0);
  for (int32_t at = 0; at < split->part_count; at++)
    if (hbg_stepper_is_rough(split->parts[at].stepper, hbg_stepper_theta(split->parts[at].stepper, t))) return true;
  return false;
}

static bool leaves_roughly(HbgStepper *stepper, int32_t i) {
  const Split *split = (const Split *)stepper;
  return hbg_stepper_leaves_roughly(split->parts[split->part_of[i]].stepper, split->place_of[i]);
}

static const HbgStepperMethod split_method = {.name = "split",
                                              .restart = restart,
                                              .step = step,
                                              .turn = turn,
                                              .dense = dense,
                                              .dense_one = dense_one,
                                              .polynomial = polynomial,
                                              .is_rough = is_rough,
                                              .leaves_roughly = leaves_roughly};

HbgStepper *hbg_split(HbgArena *arena, int32_t n) {
  Split *split = ARENA_NEW(arena, Split, 1);
  hbg_stepper_init(&split->stepper, &split_method, arena, n, NULL, NULL);
  split->part_of = ARENA_NEW(arena, int32_t, n);
  split->place_of = ARENA_NEW(arena, int32_t, n);
  split->gathered = ARENA_NEW(arena, double, n);
  return &split->stepper;
}

void hbg_split_set(HbgStepper *stepper, HbgSplitPart *parts, int32_t count) {
  Split *split = (Split *)stepper;
  split->parts = parts;
  split->part_count = count;
  for (int32_t at = 0; at < count; at++)
    for (int32_t i = 0; i < parts[at].stepper->n; i++) {
      split->part_of[parts[at].states[i]] = at;
      split->place_of[parts[at].states[i]] = i;
    }
}

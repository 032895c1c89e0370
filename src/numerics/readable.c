/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/readable.h"

#include <math.h>
#include <string.h>

/* Once more from where it began, as far as `length`. */
static HbgStepResult take_again(HbgStepper *stepper, double length, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  double *from = ARENA_NEW(scratch, double, stepper->n);
  const double begin = stepper->t0;
  if (stepper->n) memcpy(from, stepper->y0, (size_t)stepper->n * sizeof *from);
  HbgStepResult result = hbg_stepper_restart(stepper, begin, from);
  if (result == HBG_STEP_TAKEN) result = hbg_stepper_step(stepper, begin + length);
  hbg_arena_rewind(scratch, mark);
  return result;
}

static bool is_rough(HbgStepper *stepper) { return stepper->t1 > stepper->t0 && hbg_stepper_is_rough(stepper, 0.5); }

/* Fifteen in a row, or one in six for a while: as many as the method itself asks for. */
static void suspect(HbgStepper *stepper, HbgReadable *readable, bool rough) {
  enum { MORE = 16, LESS = 1, STIFF = 15 * MORE };
  if (rough) readable->suspicion += MORE;
  else if (readable->suspicion > 0) readable->suspicion -= LESS;
  if (readable->suspicion < STIFF) return;
  readable->suspicion = 0;
  stepper->stiff = true;
}

HbgStepResult hbg_readable_step(HbgStepper *stepper, double t_max, HbgReadable *readable, HbgArena *scratch) {
  enum { MOST_ROUNDS = 6 };
  static const double SHORTER = 0.6, LONGER = 1.1;
  HbgStepResult result = hbg_stepper_step(stepper, readable->longest > 0 ? fmin(t_max, stepper->t1 + readable->longest) : t_max);
  bool rough = result == HBG_STEP_TAKEN && is_rough(stepper);
  suspect(stepper, readable, rough);
  readable->longest *= LONGER;
  for (int round = 0; rough && round < MOST_ROUNDS; round++) {
    readable->longest = SHORTER * (stepper->t1 - stepper->t0);
    result = take_again(stepper, readable->longest, scratch);
    rough = result == HBG_STEP_TAKEN && is_rough(stepper);
  }
  return result;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Steps all of which is read, and by their polynomials: between its ends dense output of a long step is less exact than the step (hbg_stepper_is_rough()). */
#ifndef NUMERICS_READABLE_H
#define NUMERICS_READABLE_H

#include "base/arena.h"
#include "numerics/stepper.h"

/* What is remembered from step to step; nothing at first. */
typedef struct HbgReadable {
  double longest;    /* so long they may be [s]; 0: nothing is known */
  int32_t suspicion; /* that stability is what keeps steps short */
} HbgReadable;

/* hbg_stepper_step(), but taken again as long as it is too long for that, and not longer than that from then on. Such steps are long against the fastest motion there is: where
 * they are again and again the problem is stiff (stepper->stiff), which shorter steps would hide from the method. `scratch` is left as it was. */
HbgStepResult hbg_readable_step(HbgStepper *stepper, double t_max, HbgReadable *readable, HbgArena *scratch);

#endif

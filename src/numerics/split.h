/* SPDX-License-Identifier: BSD-3-Clause
 * Several steppers side by side: states that do not depend on each other, each part by its own method and with its own step.
 *
 * A step of the whole reaches as far as the part that is least far; the others are ahead and wait, and are read off their dense
 * output. So the whole looks like one stepper, and at every time in its last step all parts are known. */
#ifndef NUMERICS_SPLIT_H
#define NUMERICS_SPLIT_H

#include "numerics/stepper.h"

typedef struct HbgSplitPart {
  HbgStepper *stepper;   /* over its own states, in their order; not owned */
  const int32_t *states; /* of the whole (stepper->n); borrowed */
  bool goes_on;          /* at the next restart: it holds already where the whole is restarted, and is left as it is */
} HbgSplitPart;

/* A stepper over `n` states without parts; never for use before hbg_split_set(). */
HbgStepper *hbg_split(HbgArena *arena, int32_t n);
/* The parts from the next restart on; each state must be in exactly one. `parts` is borrowed until the next call. */
void hbg_split_set(HbgStepper *split, HbgSplitPart *parts, int32_t count);

#endif

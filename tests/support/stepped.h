/* SPDX-License-Identifier: BSD-3-Clause
 * A stepper on its way. */
#ifndef TESTS_SUPPORT_STEPPED_H
#define TESTS_SUPPORT_STEPPED_H

#include "numerics/stepper.h"

/* Until `t`, noting how large states become; what ended it. */
static inline HbgStepResult stepped_to(HbgStepper *stepper, double t) {
  HbgStepResult result = HBG_STEP_TAKEN;
  while (result == HBG_STEP_TAKEN && stepper->t1 < t) {
    hbg_stepper_note_scale(stepper);
    result = hbg_stepper_step(stepper, t);
  }
  return result;
}

#endif

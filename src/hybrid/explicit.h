/* SPDX-License-Identifier: BSD-3-Clause
 * Explicit steppers by the method of a run. */
#ifndef HYBRID_EXPLICIT_H
#define HYBRID_EXPLICIT_H

#include "hybrid/sim.h"

/* A stepper over `n` states in `arena`, with the tolerance of the run. */
HbgStepper *hbg_explicit_stepper(const HbgSim *sim, HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);
/* Is anything but samples read between the ends of the steps of the whole? */
bool hbg_explicit_is_read_between(const HbgSim *sim);

#endif

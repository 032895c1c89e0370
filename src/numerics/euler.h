/* SPDX-License-Identifier: BSD-3-Clause
 * Forward Euler with a fixed step, as HYBRSIM had it; linear between the ends of a step. */
#ifndef NUMERICS_EULER_H
#define NUMERICS_EULER_H

#include "numerics/stepper.h"

/* A stepper in `arena` with step `h` [s], shortened only where t_max cuts it. */
HbgStepper *hbg_euler(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user, double h);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The explicit Runge-Kutta method of Dormand and Prince, order 5(4), with dense output of order 4.
 * Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19; dense output, initial step, step control and stiffness
 * detection: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4 and II.6, and II, IV.2. */
#ifndef NUMERICS_DP5_H
#define NUMERICS_DP5_H

#include "numerics/stepper.h"

/* A stepper in `arena`; n may be 0 (then a step always reaches t_max). */
HbgStepper *hbg_dp5(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);
/* The same, and dp8 in its place where that is cheaper: numerics/order.h. */
HbgStepper *hbg_dp5_dp8(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The explicit Runge-Kutta method of Dormand and Prince of order 8(5,3), DOP853, with dense output of order 7. For smooth solutions and
 * tight tolerances: twelve evaluations for a step, and three more for its dense output, for steps two to six times as long as dp5's. */
#ifndef NUMERICS_DP8_H
#define NUMERICS_DP8_H

#include "numerics/stepper.h"

/* A stepper in `arena`; n may be 0 (then a step always reaches t_max). */
HbgStepper *hbg_dp8(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Steps by the Taylor series of a linear system with constant coefficients, dy/dt = A y + b, of which nothing is known but its right-hand side. Each
 * derivative is A times the one before, so that a term costs one evaluation and one pass over the states, where a stage of a Runge-Kutta pair of high
 * order adds up eight slopes. The last terms tell how far the series reaches: no step is tried in vain. It is its own dense output.
 *
 * Where the right-hand side is not of that kind what comes out is wrong: the owner has to know. Decision 127 has the measurements. */
#ifndef NUMERICS_LINEAR_SERIES_H
#define NUMERICS_LINEAR_SERIES_H

#include "numerics/stepper.h"

/* Everything from `arena`. The right-hand side may change at a restart. */
HbgStepper *hbg_linear_series(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The pseudo-inverse of a system whose rank is in no doubt, without its singular values: a thirtieth of the work where nothing is left open, a tenth where something is. */
#ifndef NUMERICS_LEAST_SQUARES_REGULAR_H
#define NUMERICS_LEAST_SQUARES_REGULAR_H

#include "numerics/least_squares.h"

/* Of the scaled matrix in `system->u`, whose rank is decided at `tolerance`, finds the pseudo-inverse, the rank, the largest and smallest singular values, and that everything is
 * determined. False where the system is small (its singular values are worth knowing), wide, or not clearly of full rank: then nothing that
 * the decomposition reads has changed. */
bool hbg_least_squares_invert_regular(HbgLeastSquares *system, double tolerance);
/* The same where something is left open, in a system of any shape: the pseudo-inverse of the scaled matrix in the given units, the rank, and in `v`, behind the first of them, an orthonormal
 * basis of what is open, in scaled units and in order. False where it is small, or not clearly of that rank. */
bool hbg_least_squares_invert_deficient(HbgLeastSquares *system, double tolerance);

#endif

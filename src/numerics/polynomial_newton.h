/* SPDX-License-Identifier: BSD-3-Clause
 * What solves a few equations with as many unknowns, F(x(s), s) = 0, over [0, 1]: polynomials with error bounds, as the rest of the equations are.
 *
 * Newton's method on polynomials, which doubles the digits that are right with each step, of the solution as of the inverse of the slopes (Brent and Kung 1978), finds where x is about;
 * that a solution stays within a bound of it, and no other one does, follows from the slopes over all that the bound leaves open (Krawczyk's operator: Moore, Kearfott and
 * Cloud, Introduction to Interval Analysis, 2009, ch. 8). */
#ifndef NUMERICS_POLYNOMIAL_NEWTON_H
#define NUMERICS_POLYNOMIAL_NEWTON_H

#include "numerics/polynomial.h"

enum { HBG_EQUATIONS_OVER = 4 }; /* more of them than this are not solved together */

/* F and its slopes where the unknowns are some x. */
typedef struct HbgEquationsOver {
  const HbgPolynomial *residual[HBG_EQUATIONS_OVER];
  const HbgPolynomial *slope[HBG_EQUATIONS_OVER][HBG_EQUATIONS_OVER]; /* of a row by a column; NULL: 0 */
} HbgEquationsOver;
/* At `x`; what it points to outlasts until the next call. */
typedef void HbgEquationsOf(const HbgPolynomial *x, HbgEquationsOver *over, void *user);

/* The solution `x` (n) that is met from `start` (n) on, with errors and what it was summed up from; about which nothing is known where it may cease to be one, where
 * slopes may be singular, or where it bends too much for polynomials. */
void hbg_polynomial_newton(int32_t n, HbgPolynomial *x, const double *start, HbgEquationsOf *equations, void *user);

#endif

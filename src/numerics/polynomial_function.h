/* SPDX-License-Identifier: BSD-3-Clause
 * Smooth functions of polynomials with error bounds: Taylor's series about the middle of the argument's range, with the bound of
 * its remainder there. */
#ifndef NUMERICS_POLYNOMIAL_FUNCTION_H
#define NUMERICS_POLYNOMIAL_FUNCTION_H

#include "numerics/polynomial.h"

typedef enum HbgSmoothFunction {
  HBG_SMOOTH_POWER, /* of a constant exponent */
  HBG_SMOOTH_EXP,
  HBG_SMOOTH_LOG,
  HBG_SMOOTH_SIN,
  HBG_SMOOTH_COS,
  HBG_SMOOTH_ATAN
} HbgSmoothFunction;

/* `out` may be `a`. The error is what it must be, however large, and infinite where the argument leaves the function's domain;
 * on a shorter part of the argument it is smaller. `exponent`: of POWER. */
void hbg_polynomial_apply(HbgPolynomial *out, HbgSmoothFunction function, const HbgPolynomial *a, double exponent);
/* f(a), where the function has at `middle` the Taylor coefficients `coefficient` (order + 1) and differs from that polynomial by
 * at most `rest` over all of the argument's range; `slope` bounds its derivative there. */
void hbg_polynomial_substitute(HbgPolynomial *out, const HbgPolynomial *a, double middle, const double *coefficient, int order,
                               double rest, double slope);
/* a / b; unknown where b may be 0. `out` may be an argument. */
void hbg_polynomial_divide(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b);

#endif

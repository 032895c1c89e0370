/* SPDX-License-Identifier: BSD-3-Clause
 * Two questions about numbers that the library of C answers by a call, or by a comparison that compilers warn of. */
#ifndef HBG_BASE_NUMBERS_H
#define HBG_BASE_NUMBERS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Exactly nothing, of either sign. Not a number is something. */
static inline bool hbg_is_zero(double x) { return x >= 0 && x <= 0; }

/* Without the care of fmax(): `b` where one of them is not a number, or where they are equal. */
static inline double hbg_larger(double a, double b) { return a > b ? a : b; }

/* Their sum, and nothing where they cancel but for last digits: what is computed in two ways is one number. */
static inline double hbg_cancelling_sum(double a, double b) {
  const double sum = a + b;
  return isfinite(a) && fabs(sum) <= 4 * DBL_EPSILON * fabs(a) ? 0 : sum;
}

#endif

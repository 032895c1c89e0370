/* SPDX-License-Identifier: BSD-3-Clause
 * Questions about numbers that the library of C answers one by one, by a call, or by a comparison that compilers warn of. */
#ifndef HBG_BASE_NUMBERS_H
#define HBG_BASE_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Exactly nothing, of either sign. Not a number is something. */
static inline bool hbg_is_zero(double x) { return x >= 0 && x <= 0; }

/* Without the care of fmax(): `b` where one of them is not a number, or where they are equal. */
static inline double hbg_larger(double a, double b) { return a > b ? a : b; }

/* The exponent of a positive number in [2^k, 2^(k + 1)); -1023 of any that is less than the least normal one. */
static inline int32_t hbg_exponent(double x) {
  enum { MANTISSA = 52, BIAS = 1023 };
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (int32_t)(bits >> MANTISSA) - BIAS;
}

/* Are all of x (count) finite numbers? */
static inline bool hbg_all_finite(int32_t count, const double *x) {
  for (int32_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

#endif

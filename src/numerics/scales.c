/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/scales.h"

#include <math.h>

/* Not fmax(), which is a call for the sake of what is not a number. */
static inline double larger(double a, double b) { return a > b ? a : b; }

bool hbg_scales_grow(double *restrict scale, const double *restrict y, int32_t count) {
  bool any = false;
  for (int32_t at = 0; at < count; at++) {
    if (!(fabs(y[at]) > scale[at])) continue;
    scale[at] = fabs(y[at]);
    any = true;
  }
  return any;
}

void hbg_scales_spread(double *restrict own, const double *restrict scale, const uint8_t *restrict kind, int32_t count) {
  double largest[HBG_SCALE_KINDS] = {0};
  for (int32_t at = 0; at < count; at++) largest[kind[at]] = larger(scale[at], largest[kind[at]]);
  for (int32_t at = 0; at < count; at++) own[at] = larger(larger(scale[at], 1e-6 * largest[kind[at]]), own[at]);
}

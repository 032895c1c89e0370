/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/scales.h"

#include <math.h>

#include "base/numbers.h"
#include "numerics/clones.h"

/* Magnitudes have the order of their bits, and whole numbers have a maximum that vector units can take. */
typedef union Bits {
  double number;
  int64_t bits;
} Bits;

CLONES static bool grow(double *restrict scale, const double *restrict y, int32_t count) {
  int64_t grown = 0;
  for (int32_t at = 0; at < count; at++) {
    const bool grows = fabs(y[at]) > scale[at];
    scale[at] = grows ? fabs(y[at]) : scale[at];
    grown |= grows;
  }
  return grown != 0;
}

bool hbg_scales_grow(double *restrict scale, const double *restrict y, int32_t count) { return grow(scale, y, count); }

static inline int64_t more(int64_t a, int64_t b) { return a > b ? a : b; }

CLONES static void find_largest(const double *restrict scale, const uint8_t *restrict kind, int32_t count,
                                double *largest) {
  int64_t first = 0, second = 0, third = 0;
  for (int32_t at = 0; at < count; at++) {
    const Bits bits = {.number = scale[at]};
    first = more(first, kind[at] == 0 ? bits.bits : 0);
    second = more(second, kind[at] == 1 ? bits.bits : 0);
    third = more(third, kind[at] == 2 ? bits.bits : 0);
  }
  largest[0] = (Bits){.bits = first}.number;
  largest[1] = (Bits){.bits = second}.number;
  largest[2] = (Bits){.bits = third}.number;
}

CLONES static void raise(double *restrict own, const double *restrict scale, const uint8_t *restrict kind,
                         int32_t count, double first, double second, double third) {
  for (int32_t at = 0; at < count; at++) {
    const double least = kind[at] == 0 ? first : kind[at] == 1 ? second : third;
    own[at] = hbg_larger(hbg_larger(scale[at], least), own[at]);
  }
}

void hbg_scales_spread(double *restrict own, const double *restrict scale, const uint8_t *restrict kind,
                       int32_t count) {
  double largest[HBG_SCALE_KINDS];
  find_largest(scale, kind, count, largest);
  raise(own, scale, kind, count, 1e-6 * largest[0], 1e-6 * largest[1], 1e-6 * largest[2]);
}

CLONES static void take_largest(double *restrict over, const double *restrict scale, const double *restrict a,
                                const double *restrict b, int32_t count) {
  for (int32_t at = 0; at < count; at++) over[at] = hbg_larger(scale[at], hbg_larger(fabs(a[at]), fabs(b[at])));
}

void hbg_scales_over(double *restrict over, const double *restrict scale, const double *restrict a,
                     const double *restrict b, int32_t count) {
  take_largest(over, scale, a, b, count);
}

/* What is no number is larger than all bits of numbers. */
static double number_of(int64_t bits) {
  const double number = (Bits){.bits = bits}.number;
  return isnan(number) ? (double)INFINITY : number;
}

CLONES static int64_t farthest_of(const double *restrict a, const double *restrict b, const double *restrict unit,
                                  int32_t count) {
  int64_t largest = 0;
  for (int32_t at = 0; at < count; at++) {
    const Bits bits = {.number = fabs(a[at] - b[at]) * unit[at]};
    largest = more(largest, bits.bits & INT64_MAX);
  }
  return largest;
}

CLONES static int64_t widest_of(const double *restrict a, const double *restrict b, const double *restrict unit,
                                int32_t count) {
  int64_t largest = 0;
  for (int32_t at = 0; at < count; at++) {
    const Bits bits = {.number = (fabs(a[at]) + b[at]) * unit[at]};
    largest = more(largest, bits.bits & INT64_MAX);
  }
  return largest;
}

double hbg_scales_farthest(const double *restrict a, const double *restrict b, const double *restrict unit,
                           int32_t count) {
  return number_of(farthest_of(a, b, unit, count));
}

double hbg_scales_widest(const double *restrict a, const double *restrict b, const double *restrict unit,
                         int32_t count) {
  return number_of(widest_of(a, b, unit, count));
}

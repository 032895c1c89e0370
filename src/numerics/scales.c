/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/scales.h"

#include <math.h>

/* One program for processors with and without wide vectors (cmake/HbgCompiler.cmake). */
#ifdef HBG_CLONES
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONES
#endif

/* Not fmax(), which is a call for the sake of what is not a number. */
static inline double larger(double a, double b) { return a > b ? a : b; }

/* Magnitudes have the order of their bits, and whole numbers have a maximum that vector units can take. */
typedef union Bits {
  double number;
  int64_t bits;
} Bits;

CLONES bool hbg_scales_grow(double *restrict scale, const double *restrict y, int32_t count) {
  int64_t grown = 0;
  for (int32_t at = 0; at < count; at++) {
    const bool grows = fabs(y[at]) > scale[at];
    scale[at] = grows ? fabs(y[at]) : scale[at];
    grown |= grows;
  }
  return grown != 0;
}

/* A pass for each kind: which of three a state belongs to is looked up nowhere. */
CLONES static double largest_of(const double *restrict scale, const uint8_t *restrict kind, int32_t count, uint8_t wanted) {
  int64_t largest = 0;
  for (int32_t at = 0; at < count; at++) {
    const Bits bits = {.number = kind[at] == wanted ? scale[at] : 0};
    largest = bits.bits > largest ? bits.bits : largest;
  }
  return (Bits){.bits = largest}.number;
}

CLONES static void raise(double *restrict own, const double *restrict scale, const uint8_t *restrict kind, int32_t count,
                         double first, double second, double third) {
  for (int32_t at = 0; at < count; at++) {
    const double least = kind[at] == 0 ? first : kind[at] == 1 ? second : third;
    own[at] = larger(larger(scale[at], least), own[at]);
  }
}

void hbg_scales_spread(double *restrict own, const double *restrict scale, const uint8_t *restrict kind, int32_t count) {
  double least[HBG_SCALE_KINDS];
  for (int which = 0; which < HBG_SCALE_KINDS; which++) least[which] = 1e-6 * largest_of(scale, kind, count, (uint8_t)which);
  raise(own, scale, kind, count, least[0], least[1], least[2]);
}

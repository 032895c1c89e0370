/* SPDX-License-Identifier: BSD-3-Clause
 * When a polynomial rises above zero for the first time, with certainty: a parabola above it has its zero before, so going from zero to zero
 * of such parabolas never passes a root, and comes to a simple one as fast as Newton's steps do. */
#ifndef NUMERICS_RISE_H
#define NUMERICS_RISE_H

#include <stdbool.h>
#include <stdint.h>

enum { HBG_RISE_DEGREE = 24 };

typedef struct HbgRise {
  int32_t degree;
  double c[HBG_RISE_DEGREE + 1];    /* over [0, 1] */
  double zero[HBG_RISE_DEGREE + 1]; /* how much of each is round-off */
} HbgRise;

/* The first u in [0, 1] at which it is above zero, or about to be; infinite. What is nothing at 0 goes by where it is going. Where it only comes
 * up to zero, that is the answer if touching counts; at 0 too, if `holds_at_zero`. */
double hbg_rise(const HbgRise *rise, bool touching_counts, bool holds_at_zero);

/* The part of it over [from, 1]. */
HbgRise hbg_rise_from(const HbgRise *rise, double from);

#endif

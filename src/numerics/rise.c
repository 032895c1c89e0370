/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/rise.h"

#include <float.h>
#include <math.h>

#include "numerics/parabola.h"
#include "numerics/polynomial.h"

HbgRise hbg_rise_from(const HbgRise *rise, double from) {
  HbgRise part = *rise;
  hbg_coefficients_part(part.c, part.degree, from, 1);
  hbg_coefficients_part(part.zero, part.degree, from, 1);
  return part;
}

/* Which way does it go from 0 on: the sign of the first term that is not round-off, which is term `*order`. */
static int direction(const HbgRise *rise, int32_t *order) {
  for (*order = 0; *order <= rise->degree; ++*order)
    if (fabs(rise->c[*order]) > rise->zero[*order]) return rise->c[*order] > 0 ? 1 : -1;
  return 0;
}

/* Without its first `order` terms, which are nothing, and divided by u^order: the sign is the same for u > 0. */
static void divide(HbgRise *rise, int32_t order) {
  rise->degree -= order;
  for (int32_t k = 0; k <= rise->degree; k++) rise->c[k] = rise->c[k + order], rise->zero[k] = rise->zero[k + order];
}

/* Value and slope at u. */
static double value_at(const HbgRise *rise, double u, double *slope) {
  double value = rise->c[rise->degree];
  *slope = 0;
  for (int32_t k = rise->degree - 1; k >= 0; k--) {
    *slope = *slope * u + value;
    value = value * u + rise->c[k];
  }
  return value;
}

/* Less than that is nothing: the last place of the value at u, as long as its terms are not much larger. */
static double round_off_at(const HbgRise *rise, double u) {
  double size = 0;
  for (int32_t k = rise->degree; k >= 0; k--) size = size * u + fabs(rise->c[k]);
  return 0.125 * DBL_EPSILON * size;
}

/* No more than that anywhere in [0, 1]: the value and twice the bend. */
static double most_value(const HbgRise *rise) {
  double most = rise->c[0];
  for (int32_t k = 1; k <= rise->degree; k++) most += rise->c[k] > 0 ? rise->c[k] : 0;
  return most;
}

static double most_bend(const HbgRise *rise) {
  double most = 0;
  for (int32_t k = 2; k <= rise->degree; k++) most += rise->c[k] > 0 ? k * (k - 1) * rise->c[k] : 0;
  return most;
}

/* From below zero at 0: where it is zero within round-off for the first time. */
static double first_zero(const HbgRise *rise, double *slope) {
  enum { MOST_STEPS = 1000 };
  if (most_value(rise) < 0) return (double)INFINITY;
  const double bend = most_bend(rise);
  double u = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    const double value = value_at(rise, u, slope);
    if (value >= 0 || -value <= round_off_at(rise, u)) return u;
    const double next = u + hbg_parabola_rise(value, *slope, 0.5 * bend);
    if (!(next <= 1)) return (double)INFINITY;
    if (next <= u) return u;
    u = next;
  }
  return u;
}

/* From where it has come up to zero with `slope`: does it rise above all round-off before it could turn? */
static bool goes_through(const HbgRise *rise, double slope) {
  double bend = 0, zero = 0;
  for (int32_t k = 0; k <= rise->degree; k++) {
    zero += rise->zero[k];
    if (rise->c[k] < 0) bend -= k * (k - 1) * rise->c[k];
  }
  return slope > 0 && slope * slope > 8 * bend * zero;
}

/* From where it has come up to zero, at 0: does it only touch, because it turns before it is more than round-off? `*top`: where it turns. */
static bool only_touches(const HbgRise *rise, double *top) {
  if (rise->degree < 2 || !(rise->c[2] < 0) || !(rise->c[1] > 0)) return false;
  *top = -rise->c[1] / (2 * rise->c[2]);
  return *top < 1 && 0.5 * rise->c[1] * *top <= rise->zero[0];
}

double hbg_rise(const HbgRise *rise, bool touching_counts, bool holds_at_zero) {
  enum { MOST_TOUCHES = 2 * HBG_RISE_DEGREE };
  HbgRise rest = *rise;
  double from = 0;
  for (int touch = 0; touch < MOST_TOUCHES; touch++) {
    int32_t order;
    const int way = direction(&rest, &order);
    if (way > 0 || (holds_at_zero && order > 0)) return from;
    if (!way) return (double)INFINITY;
    HbgRise below = rest;
    divide(&below, order);
    double slope;
    const double u = first_zero(&below, &slope);
    if (isinf(u)) return u;
    const double at = from + u * (1 - from);
    if (touching_counts || at >= 1 || (!order && goes_through(&rest, slope))) return at;
    // does it go through?
    rest = hbg_rise_from(&rest, u);
    from = at;
    double top;
    if (only_touches(&rest, &top)) {
      rest = hbg_rise_from(&rest, top);
      rest.c[1] = 0;
      from += top * (1 - from);
    }
    rest.c[0] = 0;
    holds_at_zero = false;
  }
  return from;
}

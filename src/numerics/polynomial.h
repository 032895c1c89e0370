/* SPDX-License-Identifier: BSD-3-Clause
 * Polynomials in one variable over [0, 1], with a bound for what they leave out: what a function of dense output is over a step.
 *
 * A value stands for every function f with |f(x) - sum c[k] x^k| <= error on all of [0, 1] (a Taylor model: Makino and Berz,
 * "Taylor models and other validated functional inclusion methods", 2003). Truncation is in the error; round-off is not, but
 * can be measured by the size. Fixed arrays, nothing is allocated. */
#ifndef NUMERICS_POLYNOMIAL_H
#define NUMERICS_POLYNOMIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { HBG_POLYNOMIAL_DEGREE = 16 };

typedef struct HbgPolynomial {
  int32_t degree; /* at most HBG_POLYNOMIAL_DEGREE; coefficients above it have no meaning */
  double error;   /* infinite: nothing is known */
  double size;    /* sum of the magnitudes of the terms it was made of: what round-off is small against */
  double c[HBG_POLYNOMIAL_DEGREE + 1];
} HbgPolynomial;

typedef struct HbgRange {
  double least, most;
} HbgRange;

HbgPolynomial hbg_polynomial_constant(double value);
/* x itself goes from `from` to `to`. */
HbgPolynomial hbg_polynomial_line(double from, double to);
/* About which nothing is known. */
HbgPolynomial hbg_polynomial_unknown(void);
/* What lies in `range`, of `size`. */
HbgPolynomial hbg_polynomial_hull(HbgRange range, double size);

/* The polynomial at x, without its error. */
double hbg_polynomial_at(const HbgPolynomial *p, double x);
/* The polynomial's slope at x. */
double hbg_polynomial_slope(const HbgPolynomial *p, double x);

/* The same as hbg_polynomial_constant(), in place: what has no meaning is not written. */
static inline void hbg_polynomial_set(HbgPolynomial *out, double value) {
  out->degree = 0;
  out->error = 0;
  out->size = value < 0 ? -value : value;
  out->c[0] = value;
}
/* `out` is no argument. */
static inline void hbg_polynomial_copy(HbgPolynomial *restrict out, const HbgPolynomial *restrict a) {
  out->degree = a->degree;
  out->error = a->error;
  out->size = a->size;
  for (int32_t k = 0; k <= a->degree; k++) out->c[k] = a->c[k];
}

/* `out` may be an argument. */
void hbg_polynomial_add(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b);
void hbg_polynomial_subtract(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b);
void hbg_polynomial_scale(HbgPolynomial *out, const HbgPolynomial *a, double factor);
void hbg_polynomial_multiply(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b);
/* p(from + (to - from) x): the part of it over [from, to]. */
void hbg_polynomial_part(HbgPolynomial *out, const HbgPolynomial *p, double from, double to);
/* The same of bare coefficients (degree + 1), in place. */
void hbg_coefficients_part(double *c, int32_t degree, double from, double to);

/* Bounds over [0, 1], by the Bernstein coefficients (Farouki, "The Bernstein polynomial basis", 2012), its error included. */
HbgRange hbg_polynomial_range(const HbgPolynomial *p);

/* A piece of [0, 1] outside of which the sign is certain; no longer than round-off of the simple root it holds. */
typedef struct HbgRootPlace {
  double from, to;
  double at;     /* the root, or where the polynomial comes nearest to 0 */
  bool is_touch; /* the sign is the same on both sides */
} HbgRootPlace;

enum { HBG_ROOT_PLACES = 2 * HBG_POLYNOMIAL_DEGREE + 2 };

/* All places in [0, 1] where the polynomial comes within `band` > 0 of 0, in order; their number. Between them, and outside, it is
 * certain that it does not: isolation by the signs of Bernstein coefficients and halving (Lane and Riesenfeld 1981). */
int hbg_polynomial_roots(const HbgPolynomial *p, double band, HbgRootPlace places[HBG_ROOT_PLACES]);

#endif

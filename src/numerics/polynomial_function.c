/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/polynomial_function.h"

#include <float.h>
#include <math.h>

enum { HIGHEST_ORDER = 10 };

/* A Taylor series about `middle` of an argument that stays within `reach` of it. */
typedef struct Series {
  HbgSmoothFunction function;
  double middle, reach, exponent;
  double coefficient[HIGHEST_ORDER + 1]; /* those of orders below the one asked for are known */
} Series;

static bool is_whole(double x) { return x >= floor(x) && x <= floor(x); }

static bool is_in_domain(const Series *self) {
  const double least = self->middle - self->reach;
  switch (self->function) {
    case HBG_SMOOTH_LOG: return least > 0;
    case HBG_SMOOTH_POWER: return least > 0 || (is_whole(self->exponent) && self->middle + self->reach < 0);
    default: return true;
  }
}

/* The sine's or cosine's derivative of order `k` over k!. */
static double wave_coefficient(const Series *self, int k, double factorial) {
  const int quarter = (k + (self->function == HBG_SMOOTH_COS)) % 4;
  const double value = quarter % 2 ? cos(self->middle) : sin(self->middle);
  return (quarter >= 2 ? -value : value) / factorial;
}

/* binomial(exponent, k) middle^(exponent - k), from the one before. */
static double power_coefficient(const Series *self, int k) {
  if (k == 0) return pow(self->middle, self->exponent);
  return self->coefficient[k - 1] * (self->exponent - (k - 1)) / (k * self->middle);
}

/* Of the derivative 1 / (1 + x^2), by its recurrence. */
static double atan_coefficient(const Series *self, int k) {
  const double m = self->middle, norm = 1 + m * m;
  if (k == 0) return atan(m);
  if (k == 1) return 1 / norm;
  const double one = (k - 1) * self->coefficient[k - 1], two = k > 2 ? (k - 2) * self->coefficient[k - 2] : 0;
  return -(2 * m * one + two) / (norm * k);
}

static double coefficient_of(const Series *self, int k, double factorial) {
  switch (self->function) {
    case HBG_SMOOTH_EXP: return exp(self->middle) / factorial;
    case HBG_SMOOTH_SIN:
    case HBG_SMOOTH_COS: return wave_coefficient(self, k, factorial);
    case HBG_SMOOTH_LOG: return k == 0 ? log(self->middle) : -pow(-1 / self->middle, k) / k;
    case HBG_SMOOTH_ATAN: return atan_coefficient(self, k);
    default: return power_coefficient(self, k);
  }
}

/* A bound of the derivative of order `k` over k!, over all of the range. */
static double derivative_bound(const Series *self, int k, double factorial) {
  const double near = fabs(self->middle) - self->reach, far = fabs(self->middle) + self->reach;
  switch (self->function) {
    case HBG_SMOOTH_EXP: return exp(self->middle + self->reach) / factorial;
    case HBG_SMOOTH_SIN:
    case HBG_SMOOTH_COS: return 1 / factorial;
    case HBG_SMOOTH_LOG: return pow(near, -k) / k;
    case HBG_SMOOTH_ATAN: return 1.0 / k;
    default: {
      double binomial = 1;
      for (int at = 0; at < k; at++) binomial *= (self->exponent - at) / (at + 1);
      return fabs(binomial) * pow(self->exponent < k ? near : far, self->exponent - k);
    }
  }
}

void hbg_polynomial_substitute(HbgPolynomial *out, const HbgPolynomial *a, double middle, const double *coefficient, int order,
                               double rest, double slope) {
  const double size = fabs(coefficient[0]) + slope * a->size;
  HbgPolynomial shift = *a, sum = hbg_polynomial_constant(coefficient[order]);
  shift.c[0] -= middle;
  for (int k = order; k-- > 0;) {
    hbg_polynomial_multiply(&sum, &sum, &shift);
    sum.c[0] += coefficient[k];
  }
  *out = sum;
  out->error += rest;
  out->size = size;
  if (!isfinite(out->error)) *out = hbg_polynomial_unknown();
}

/* As many terms as double precision can see, and no more. */
static void substitute(Series *series, HbgPolynomial *out, const HbgPolynomial *a) {
  double factorial = 1, power = 1, rest = 0, slope = 0;
  int order = -1;
  do {
    order++;
    if (order > 0) factorial *= order;
    series->coefficient[order] = coefficient_of(series, order, factorial);
    power *= series->reach;
    const double bound = derivative_bound(series, order + 1, factorial * (order + 1));
    if (order == 0) slope = bound;
    rest = bound * power;
  } while (order < HIGHEST_ORDER && rest > DBL_EPSILON / 8 * fabs(series->coefficient[0]) && rest > DBL_MIN);
  hbg_polynomial_substitute(out, a, series->middle, series->coefficient, order, rest, slope);
}

void hbg_polynomial_apply(HbgPolynomial *out, HbgSmoothFunction function, const HbgPolynomial *a, double exponent) {
  const HbgRange range = hbg_polynomial_range(a);
  const double reach = (range.most - range.least) / 2;
  Series series = {.function = function, .middle = range.least + reach, .reach = reach, .exponent = exponent};
  if (!isfinite(reach) || !is_in_domain(&series)) *out = hbg_polynomial_unknown();
  else substitute(&series, out, a);
}

void hbg_polynomial_divide(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b) {
  if (b->degree == 0 && !(b->error > 0) && fabs(b->c[0]) > 0) {
    hbg_polynomial_scale(out, a, 1 / b->c[0]);
    return;
  }
  HbgPolynomial inverse;
  hbg_polynomial_apply(&inverse, HBG_SMOOTH_POWER, b, -1);
  hbg_polynomial_multiply(out, a, &inverse);
}

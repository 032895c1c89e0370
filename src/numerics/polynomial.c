/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/polynomial.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"

/* ---- making ---- */

HbgPolynomial hbg_polynomial_constant(double value) {
  HbgPolynomial p;
  hbg_polynomial_set(&p, value);
  return p;
}

HbgPolynomial hbg_polynomial_line(double from, double to) {
  HbgPolynomial p = hbg_polynomial_constant(from);
  p.degree = 1;
  p.size = fmax(fabs(from), fabs(to));
  p.c[1] = to - from;
  return p;
}

HbgPolynomial hbg_polynomial_unknown(void) {
  HbgPolynomial p = hbg_polynomial_constant(0);
  p.error = HUGE_VAL;
  return p;
}

HbgPolynomial hbg_polynomial_hull(HbgRange range, double size) {
  HbgPolynomial p = hbg_polynomial_constant(range.least + (range.most - range.least) / 2);
  p.error = (range.most - range.least) / 2;
  p.size = size;
  return isfinite(p.error) ? p : hbg_polynomial_unknown();
}

/* ---- arithmetic ---- */

double hbg_polynomial_at(const HbgPolynomial *p, double x) {
  double value = p->c[p->degree];
  for (int32_t k = p->degree; k-- > 0;) value = value * x + p->c[k];
  return value;
}

double hbg_polynomial_slope(const HbgPolynomial *p, double x) {
  double value = 0;
  for (int32_t k = p->degree; k > 0; k--) value = value * x + k * p->c[k];
  return value;
}

/* Leading zeros would only cost time. */
static void trim(HbgPolynomial *p) {
  while (p->degree > 0 && hbg_is_zero(p->c[p->degree])) p->degree--;
}

void hbg_polynomial_add(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b) {
  const HbgPolynomial *longer = a->degree >= b->degree ? a : b, *shorter = longer == a ? b : a;
  const int32_t common = shorter->degree, degree = longer->degree;
  out->error = a->error + b->error;
  out->size = a->size + b->size;
  for (int32_t k = 0; k <= common; k++) out->c[k] = a->c[k] + b->c[k];
  for (int32_t k = common + 1; k <= degree; k++) out->c[k] = longer->c[k];
  out->degree = degree;
  trim(out);
}

void hbg_polynomial_subtract(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b) {
  const int32_t common = a->degree < b->degree ? a->degree : b->degree;
  const int32_t a_degree = a->degree, b_degree = b->degree;
  out->error = a->error + b->error;
  out->size = a->size + b->size;
  for (int32_t k = 0; k <= common; k++) out->c[k] = a->c[k] - b->c[k];
  for (int32_t k = common + 1; k <= a_degree; k++) out->c[k] = a->c[k];
  for (int32_t k = common + 1; k <= b_degree; k++) out->c[k] = -b->c[k];
  out->degree = a_degree > b_degree ? a_degree : b_degree;
  trim(out);
}

void hbg_polynomial_scale(HbgPolynomial *out, const HbgPolynomial *a, double factor) {
  out->degree = a->degree;
  out->error = fabs(factor) > 0 ? fabs(factor) * a->error : 0;
  out->size = fabs(factor) * a->size;
  for (int32_t k = 0; k <= a->degree; k++) out->c[k] = factor * a->c[k];
  trim(out);
}

static double bound_of(const HbgPolynomial *p) {
  double sum = 0;
  for (int32_t k = 0; k <= p->degree; k++) sum += fabs(p->c[k]);
  return sum;
}

/* By a number with a bound: what scales need no room for a product. */
static void multiply_by_number(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *number, double error) {
  const double factor = number->c[0], size = a->size * number->size;
  const int32_t degree = a->degree;
  for (int32_t k = 0; k <= degree; k++) out->c[k] = a->c[k] * factor;
  out->degree = degree;
  out->error = error;
  out->size = size;
  trim(out);
}

void hbg_polynomial_multiply(HbgPolynomial *out, const HbgPolynomial *a, const HbgPolynomial *b) {
  double error = 0;
  if (!isfinite(a->error) || !isfinite(b->error)) {
    *out = hbg_polynomial_unknown();
    return;
  }
  if (a->error > 0 || b->error > 0) error = a->error * (bound_of(b) + b->error) + b->error * bound_of(a);
  if (b->degree == 0) {
    multiply_by_number(out, a, b, error);
    return;
  }
  if (a->degree == 0) {
    multiply_by_number(out, b, a, error);
    return;
  }
  double c[2 * HBG_POLYNOMIAL_DEGREE + 1];
  const double size = a->size * b->size;
  const int32_t full = a->degree + b->degree;
  for (int32_t k = 0; k <= full; k++) c[k] = 0;
  for (int32_t i = 0; i <= a->degree; i++)
    for (int32_t j = 0; j <= b->degree; j++) c[i + j] += a->c[i] * b->c[j];
  const int32_t kept = full < HBG_POLYNOMIAL_DEGREE ? full : HBG_POLYNOMIAL_DEGREE;
  for (int32_t k = kept + 1; k <= full; k++) error += fabs(c[k]);
  memcpy(out->c, c, (size_t)(kept + 1) * sizeof *c);
  out->degree = kept;
  out->error = error;
  out->size = size;
  trim(out);
}

void hbg_coefficients_part(double *c, int32_t degree, double from, double to) {
  // Taylor shift by Horner's scheme, then the scale
  for (int32_t i = 0; i < degree; i++)
    for (int32_t k = degree - 1; k >= i; k--) c[k] += from * c[k + 1];
  const double length = to - from;
  double power = 1;
  for (int32_t k = 1; k <= degree; k++) c[k] *= power *= length;
}

void hbg_polynomial_part(HbgPolynomial *out, const HbgPolynomial *p, double from, double to) {
  if (out != p) *out = *p;
  hbg_coefficients_part(out->c, out->degree, from, to);
  trim(out);
}

/* ---- Bernstein form ---- */

/* b (degree + 1): the coefficients in the basis binomial(n, k) x^k (1 - x)^(n - k), by Pascal's triangle. */
static void to_bernstein(const HbgPolynomial *p, double *b) {
  const int32_t n = p->degree;
  double binomial = 1;
  b[0] = p->c[0];
  for (int32_t k = 1; k <= n; k++) {
    binomial = binomial * (n - k + 1) / k;
    b[k] = p->c[k] / binomial;
  }
  for (int32_t round = 1; round <= n; round++)
    for (int32_t k = n; k >= round; k--) b[k] += b[k - 1];
}

static HbgRange range_of(const double *b, int32_t n) {
  HbgRange range = {b[0], b[0]};
  for (int32_t k = 1; k <= n; k++) {
    range.least = b[k] < range.least ? b[k] : range.least;
    range.most = b[k] > range.most ? b[k] : range.most;
  }
  return range;
}

HbgRange hbg_polynomial_range(const HbgPolynomial *p) {
  double b[HBG_POLYNOMIAL_DEGREE + 1];
  to_bernstein(p, b);
  const HbgRange range = range_of(b, p->degree);
  return (HbgRange){range.least - p->error, range.most + p->error};
}

/* ---- roots ---- */

typedef struct Search {
  const HbgPolynomial *p;
  double band;
  HbgRootPlace *places;
  int count;
} Search;

static void add(Search *self, double from, double to, double at) {
  HbgRootPlace *last = &self->places[self->count - 1];
  if (self->count > 0 && (from <= last->to || self->count == HBG_ROOT_PLACES)) {
    // pieces next to each other are one
    if (fabs(hbg_polynomial_at(self->p, at)) < fabs(hbg_polynomial_at(self->p, last->at))) last->at = at;
    last->to = to;
    return;
  }
  self->places[self->count++] = (HbgRootPlace){.from = from, .to = to, .at = at};
}

/* The place in [low, high], where the polynomial is monotone, at which it is `level`: Newton's method kept in a bracket. */
static double refine(const HbgPolynomial *p, double level, bool rises, double low, double high) {
  double x = low + (high - low) / 2;
  for (int round = 0; round < 80; round++) {
    const double value = hbg_polynomial_at(p, x) - level;
    if ((value > 0) == rises) high = x;
    else low = x;
    const double next = x - value / hbg_polynomial_slope(p, x);
    const double inner = next > low && next < high ? next : low + (high - low) / 2;
    if (!(inner > low && inner < high) || fabs(inner - x) <= 1e-17) return inner;
    x = inner;
  }
  return x;
}

/* The polynomial is monotone in [low, high], where it goes from `first` to `last`, and does not keep away from 0. */
static void add_monotone(Search *self, double first, double last, double low, double high) {
  const double band = self->band;
  const bool rises = last > first;
  if (fmin(first, last) < -band && fmax(first, last) > band) {
    const double root = refine(self->p, 0, rises, low, high);
    add(self, root, root, root);
    return;
  }
  const double sign = rises ? 1 : -1; // the level that it meets first is -sign * band
  const double from = sign * first < -band ? refine(self->p, -sign * band, rises, low, high) : low;
  const double to = sign * last > band ? refine(self->p, sign * band, rises, low, high) : high;
  add(self, from, to, fabs(first) < fabs(last) ? from : to);
}

static bool is_monotone(const double *b, int32_t n) {
  bool rises = false, falls = false;
  for (int32_t k = 0; k < n; k++) {
    rises = rises || b[k + 1] > b[k];
    falls = falls || b[k + 1] < b[k];
  }
  return rises != falls;
}

/* De Casteljau's scheme at the middle: `b` becomes the left half. */
static void halve(double *b, double *right, int32_t n) {
  for (int32_t k = 0; k <= n; k++) {
    right[n - k] = b[n];
    for (int32_t i = n; i > k; i--) b[i] = (b[i - 1] + b[i]) / 2;
  }
}

static void isolate(Search *self, double *b, double low, double high) {
  enum { FINEST = -46 };
  const int32_t n = self->p->degree;
  const HbgRange range = range_of(b, n);
  if (range.least > self->band || range.most < -self->band) return;
  const bool is_within = range.least >= -self->band && range.most <= self->band;
  if (is_within || high - low < ldexp(1, FINEST)) {
    add(self, low, high, fabs(b[0]) < fabs(b[n]) ? low : high);
  } else if (is_monotone(b, n)) {
    add_monotone(self, b[0], b[n], low, high);
  } else {
    double right[HBG_POLYNOMIAL_DEGREE + 1];
    const double middle = low + (high - low) / 2;
    halve(b, right, n);
    isolate(self, b, low, middle);
    isolate(self, right, middle, high);
  }
}

/* Where it only comes near, the extremum is meant. */
static void go_to_extremum(const HbgPolynomial *p, HbgRootPlace *place) {
  if (!(place->from < place->to)) return;
  double low = place->from, high = place->to;
  const double first = hbg_polynomial_slope(p, low);
  if (!(first * hbg_polynomial_slope(p, high) < 0)) return;
  for (int round = 0; round < 60; round++) {
    const double middle = low + (high - low) / 2;
    *(hbg_polynomial_slope(p, middle) * first > 0 ? &low : &high) = middle;
  }
  place->at = low;
}

static bool is_positive_between(const HbgPolynomial *p, double from, double to) {
  return hbg_polynomial_at(p, from + (to - from) / 2) > 0;
}

/* At the ends of [0, 1] there is no other side. */
static void tell_touches(const Search *self) {
  for (int at = 0; at < self->count; at++) {
    HbgRootPlace *place = &self->places[at];
    const double before = at > 0 ? place[-1].to : 0, after = at + 1 < self->count ? place[1].from : 1;
    place->is_touch = before < place->from && place->to < after &&
                      is_positive_between(self->p, before, place->from) == is_positive_between(self->p, place->to, after);
  }
}

int hbg_polynomial_roots(const HbgPolynomial *p, double band, HbgRootPlace places[HBG_ROOT_PLACES]) {
  double others = band;
  for (int32_t k = 1; k <= p->degree; k++) others += fabs(p->c[k]);
  if (fabs(p->c[0]) > others) return 0;
  if (!isfinite(others + p->c[0])) {
    places[0] = (HbgRootPlace){.from = 0, .to = 1};
    return 1;
  }
  Search self = {.p = p, .band = band, .places = places};
  double b[HBG_POLYNOMIAL_DEGREE + 1];
  to_bernstein(p, b);
  isolate(&self, b, 0, 1);
  for (int at = 0; at < self.count; at++) go_to_extremum(p, &places[at]);
  tell_touches(&self);
  return self.count;
}

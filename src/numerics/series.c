/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/series.h"

#include <float.h>
#include <math.h>

HbgSeries hbg_series(HbgArena *arena, int32_t room) {
  return (HbgSeries){.room = room,
                     .columns = ARENA_NEW(arena, int32_t, HBG_SERIES_ABREAST * room),
                     .weights = ARENA_NEW(arena, double, HBG_SERIES_ABREAST * room),
                     .long_rows = ARENA_NEW(arena, int32_t, room),
                     .first = ARENA_NEW(arena, int32_t, room + 1),
                     .drive = ARENA_NEW(arena, double, room),
                     .size = ARENA_NEW(arena, double, room),
                     .c = ARENA_NEW(arena, double, (HBG_SERIES_DEGREE + 1) * room)};
}

void hbg_series_clear(HbgSeries *self) {
  self->n = 0;
  self->first[0] = 0;
}

void hbg_series_add_row(HbgSeries *self, double drive) {
  self->drive[self->n++] = drive;
  self->first[self->n] = self->first[self->n - 1];
}

void hbg_series_add_term(HbgSeries *self, HbgArena *arena, int32_t column, double weight) {
  ARENA_PUSH(arena, self->terms, self->first[self->n], self->term_capacity) = (HbgSeriesTerm){column, weight};
}

/* ---- how fast it moves ---- */

static double row_of_magnitudes(const HbgSeries *self, int32_t row, const double *w) {
  double sum = 0;
  for (int32_t at = self->first[row]; at < self->first[row + 1]; at++) sum += fabs(self->terms[at].weight) * w[self->terms[at].column];
  return sum;
}

/* The least r with |A| w <= r w, which bounds all eigenvalues (Collatz and Wielandt). */
static double bound(const HbgSeries *self, const double *w) {
  double most = 0;
  for (int32_t row = 0; row < self->n; row++) most = fmax(most, row_of_magnitudes(self, row, w) / w[row]);
  return most;
}

/* The mean of the rates by which states grow: by their exponents, so that it has no preference for units, nor for an order of the states. */
static double mean_rate(const HbgSeries *self, const double *w) {
  int64_t sum = 0;
  int32_t count = 0;
  for (int32_t row = 0; row < self->n; row++) {
    const double rate = row_of_magnitudes(self, row, w) / w[row];
    if (rate > 0 && isfinite(rate)) sum += ilogb(rate), count++;
  }
  return count ? exp2((double)sum / count) : 0;
}

/* Terms side by side; where a row has fewer, they are nothing. */
static void put_abreast(HbgSeries *self) {
  self->long_count = 0;
  for (int32_t row = 0; row < self->n; row++) {
    const int32_t count = self->first[row + 1] - self->first[row];
    if (count > HBG_SERIES_ABREAST) self->long_rows[self->long_count++] = row;
    for (int32_t slot = 0; slot < HBG_SERIES_ABREAST; slot++) {
      const HbgSeriesTerm term = slot < count ? self->terms[self->first[row] + slot] : (HbgSeriesTerm){row, 0};
      self->columns[slot * self->room + row] = term.column;
      self->weights[slot * self->room + row] = term.weight;
    }
  }
}

/* Any positive w gives a bound; those that come out of |A| give a close one, whatever the units of the states. */
void hbg_series_measure(HbgSeries *self) {
  enum { ROUNDS = 4 };
  double *w = self->size;
  put_abreast(self);
  const double mean = mean_rate(self, w);
  for (int round = 0; round < ROUNDS && mean > 0; round++)
    for (int32_t row = 0; row < self->n; row++) w[row] = 0.5 * (w[row] + row_of_magnitudes(self, row, w) / mean);
  self->rate = bound(self, w);
}

/* ---- terms ---- */

/* to := factor A from. Rows have few terms: loops over all rows, so many terms at once, and then what is left of long rows. */
static void multiply(const HbgSeries *self, const double *restrict from, double factor, double *restrict to) {
  const int32_t n = self->n, *restrict c = self->columns;
  const double *restrict w = self->weights;
  const int32_t second = self->room, third = 2 * self->room;
  for (int32_t row = 0; row < n; row++)
    to[row] = factor * (w[row] * from[c[row]] + w[second + row] * from[c[second + row]] + w[third + row] * from[c[third + row]]);
  for (int32_t at = 0; at < self->long_count; at++) {
    const int32_t row = self->long_rows[at];
    double sum = 0;
    for (int32_t term = self->first[row] + HBG_SERIES_ABREAST; term < self->first[row + 1]; term++)
      sum += self->terms[term].weight * from[self->terms[term].column];
    to[row] += factor * sum;
  }
}

static bool is_zero(const double *x, int32_t n) {
  for (int32_t at = 0; at < n; at++)
    if (x[at] < 0 || x[at] > 0) return false;
  return true;
}

static double norm(const HbgSeries *self, const double *x) {
  double most = 0;
  for (int32_t at = 0; at < self->n; at++) {
    const double size = fabs(x[at]) / self->size[at];
    most = size > most ? size : most;
  }
  return most;
}

/* How many units the series is good for: |terms left out| <= norm(last) w (y^(K+1) / (K+1) + ...), in units of 1 / rate, as |A| w <= rate w. */
static double good_for(const HbgSeries *self) {
  enum { MOST = 2 }; // terms are larger than their sum, which round-off in it is small against
  const double last = norm(self, &self->c[self->degree * self->n]), most = MOST;
  if (!(last > 0)) return most;
  return fmin(most, pow(0.5 * DBL_EPSILON * self->norm / last * (self->degree + 1), 1.0 / (self->degree + 1)));
}

/* c[k + 1] := unit / (k + 1) A c[k], and b with the first, until that is nothing or the series is good for so many units. Answers for how
 * many it is. */
static double make_terms(HbgSeries *self, double wanted) {
  enum { LEAST_DEGREE = 6 };
  const int32_t n = self->n;
  double *c = self->c, good = 0;
  for (int32_t k = 0; k < HBG_SERIES_DEGREE && good < wanted; k++) {
    double *next = &c[(k + 1) * n];
    multiply(self, &c[k * n], self->unit / (k + 1), next);
    for (int32_t row = 0; k == 0 && row < n; row++) next[row] += self->unit * self->drive[row];
    self->degree = k;
    if (is_zero(next, n)) return (double)INFINITY;
    self->degree = k + 1;
    if (k == 0) self->norm = fmax(self->norm, norm(self, next));
    if (k + 1 >= LEAST_DEGREE && k % 3 == 2) good = good_for(self);
  }
  return good;
}

static void rescale(HbgSeries *self, double factor) {
  double power = 1;
  for (int32_t k = 1; k <= self->degree; k++) {
    power *= factor;
    for (int32_t row = 0; row < self->n; row++) self->c[k * self->n + row] *= power;
  }
  self->unit *= factor;
}

void hbg_series_start(HbgSeries *self, const double *x, double wanted) {
  for (int32_t row = 0; row < self->n; row++) self->c[row] = x[row];
  self->unit = self->rate > 0 ? 1 / self->rate : 1;
  self->norm = norm(self, self->c);
  const double good = make_terms(self, wanted / self->unit);
  self->length = (double)INFINITY;
  if (isinf(good)) return;
  rescale(self, good);
  self->length = self->unit;
}

void hbg_series_values(const HbgSeries *self, double s, double *x) {
  const int32_t n = self->n;
  const double u = s / self->unit, *c = &self->c[self->degree * n];
  for (int32_t row = 0; row < n; row++) x[row] = c[row];
  for (int32_t k = self->degree - 1; k >= 0; k--) {
    c -= n;
    for (int32_t row = 0; row < n; row++) x[row] = x[row] * u + c[row];
  }
}

double hbg_series_value(const HbgSeries *self, int32_t state, double s) {
  const double u = s / self->unit;
  double x = self->c[self->degree * self->n + state];
  for (int32_t k = self->degree - 1; k >= 0; k--) x = x * u + self->c[k * self->n + state];
  return x;
}

void hbg_series_bends(const HbgSeries *self, double *bends) {
  const int32_t n = self->n;
  for (int32_t row = 0; row < n; row++) bends[row] = 0;
  for (int32_t k = 2; k <= self->degree; k++) {
    const double *restrict c = &self->c[k * n];
    for (int32_t row = 0; row < n; row++) bends[row] += fabs(c[row]);
  }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/series.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"

/* One program for processors with and without wide vectors (cmake/HbgCompiler.cmake); of functions of this file alone, since clang 14
 * gives others no name that is found from elsewhere. */
#ifdef HBG_CLONES
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONES
#endif

enum { ABREAST = 4 }; // numbers of a vector

/* As many as fill whole vectors; said so that compilers know. */
static inline int32_t whole(int32_t count) { return count & ~(ABREAST - 1); }

HbgSeries hbg_series(HbgArena *arena, int32_t count) {
  const int32_t room = whole(count + ABREAST - 1);
  return (HbgSeries){.room = room,
                     .columns = ARENA_NEW(arena, int32_t, HBG_SERIES_ABREAST * room),
                     .weights = ARENA_NEW(arena, double, HBG_SERIES_ABREAST * room),
                     .drive = ARENA_NEW(arena, double, room),
                     .size = ARENA_NEW(arena, double, room),
                     .per_size = ARENA_NEW(arena, double, room),
                     .growth = ARENA_NEW(arena, double, room),
                     .long_of = ARENA_NEW(arena, int32_t, room),
                     .c = ARENA_NEW(arena, double, (HBG_SERIES_DEGREE + 1) * room)};
}

void hbg_series_clear(HbgSeries *self) { self->n = self->stride = self->long_count = 0; }

static HbgSeriesLong *begin_long(HbgSeries *self, HbgArena *arena) {
  if (self->long_count < self->long_made) {
    self->longs[self->long_count].count = 0;
  } else {
    ARENA_PUSH(arena, self->longs, self->long_made, self->long_capacity) = (HbgSeriesLong){0};
  }
  self->long_of[self->open] = self->long_count;
  return &self->longs[self->long_count++];
}

void hbg_series_add_beyond(HbgSeries *self, HbgArena *arena, int32_t column, double weight) {
  const int32_t known = self->long_of[self->open];
  HbgSeriesLong *rest = known >= 0 ? &self->longs[known] : begin_long(self, arena);
  int32_t count = rest->count;
  rest->row = self->open;
  ARENA_PUSH(arena, rest->columns, count, rest->column_capacity) = column;
  ARENA_PUSH(arena, rest->weights, rest->count, rest->weight_capacity) = weight;
}

void hbg_series_fill_up(HbgSeries *self) {
  const int32_t n = self->n;
  while (self->n & (ABREAST - 1)) hbg_series_add_row(self, 0);
  self->stride = self->n;
  self->n = n;
}

/* ---- how fast it moves ---- */

/* |A| w in one row. */
static double magnitude(const HbgSeries *self, const double *w, int32_t row) {
  const int32_t *c = self->columns, second = self->room, third = 2 * self->room;
  const double *weight = self->weights;
  double sum = fabs(weight[row]) * w[c[row]] + fabs(weight[second + row]) * w[c[second + row]] + fabs(weight[third + row]) * w[c[third + row]];
  if (self->long_of[row] < 0) return sum;
  const HbgSeriesLong *rest = &self->longs[self->long_of[row]];
  for (int32_t at = 0; at < rest->count; at++) sum += fabs(rest->weights[at]) * w[rest->columns[at]];
  return sum;
}

static double largest(const double *x, int32_t count) {
  double most = 0;
  for (int32_t at = 0; at < count; at++) most = hbg_larger(most, x[at]);
  return most;
}

/* The growth of all rows; answers the bound. */
static double find_growth(HbgSeries *self, const double *restrict w) {
  const int32_t n = self->n, *restrict c = self->columns, second = self->room, third = 2 * self->room;
  const double *restrict weight = self->weights;
  double *restrict growth = self->growth, most = 0;
  for (int32_t row = 0; row < n; row++) {
    growth[row] = (fabs(weight[row]) * w[c[row]] + fabs(weight[second + row]) * w[c[second + row]] + fabs(weight[third + row]) * w[c[third + row]]) / w[row];
    most = hbg_larger(most, growth[row]);
  }
  for (int32_t at = 0; at < self->long_count; at++) {
    const int32_t row = self->longs[at].row;
    growth[row] = magnitude(self, w, row) / w[row];
    most = hbg_larger(most, growth[row]); // no less than what it has come to by its first terms
  }
  return most;
}

static inline void even_out_row(const HbgSeries *self, double *w, double share, int32_t row) {
  const double m = magnitude(self, w, row);
  if (m > 0) w[row] = 0.5 * w[row] + share * m;
}

/* w := (w + |A| w / mean) / 2, each by those before it as they are then, which comes to rest sooner: masses and springs would take turns; or by those
 * behind it. What nothing moves stays as it is, as it may move again. */
static void even_out(const HbgSeries *self, double *w, double mean, bool backwards) {
  const double share = 0.5 / mean;
  for (int32_t row = 0; row < self->n; row++) even_out_row(self, w, share, backwards ? self->n - 1 - row : row);
}

/* The mean of the rates by which states grow: by their exponents, so that it has no preference for units, nor for an order of the states. */
static double mean_rate(const HbgSeries *self) {
  int64_t sum = 0;
  int32_t count = 0;
  for (int32_t row = 0; row < self->n; row++) {
    const double rate = self->growth[row];
    if (rate > 0 && rate <= DBL_MAX) sum += hbg_exponent(rate), count++;
  }
  return count ? exp2((double)sum / count) : 0;
}

static double weight_at(const HbgSeries *self, int32_t row, int32_t column) {
  double sum = 0;
  for (int32_t slot = 0; slot < HBG_SERIES_ABREAST; slot++)
    if (self->columns[slot * self->room + row] == column) sum += self->weights[slot * self->room + row];
  if (self->long_of[row] < 0) return sum;
  const HbgSeriesLong *rest = &self->longs[self->long_of[row]];
  for (int32_t at = 0; at < rest->count; at++)
    if (rest->columns[at] == column) sum += rest->weights[at];
  return sum;
}

/* Of an entry of the matrix and the one across the diagonal. */
static double cycle(const HbgSeries *self, int32_t row, int32_t column, double weight) {
  if (!(fabs(weight) > 0)) return 0;
  return column == row ? fabs(weight) : sqrt(fabs(weight) * fabs(weight_at(self, column, row)));
}

/* No sizes give a lower bound: what a state does to itself, or one and another to each other, no measure takes away (the largest mean of cycles
 * bounds the root of a matrix that is not negative: Friedland, Linear Algebra Appl. 75 (1986)). */
static double least_bound(const HbgSeries *self) {
  double most = 0;
  for (int32_t row = 0; row < self->n; row++)
    for (int32_t slot = 0; slot < HBG_SERIES_ABREAST; slot++)
      most = hbg_larger(most, cycle(self, row, self->columns[slot * self->room + row], self->weights[slot * self->room + row]));
  for (int32_t which = 0; which < self->long_count; which++) {
    const HbgSeriesLong *rest = &self->longs[which];
    for (int32_t at = 0; at < rest->count; at++) most = hbg_larger(most, cycle(self, rest->row, rest->columns[at], rest->weights[at]));
  }
  return most;
}

#define CLOSE 2.5   // the bound to the mean of the rates
enum { MOST_ROUNDS = 4, MOST_ROUNDS_AT_ALL = 64 };
#define ABSURD 64   // so much more than any cycle makes of it no mean of rates is, but by sizes that say nothing

/* Sizes may all be wrong alike: by units they differ, too, but mostly by less. */
static bool are_far_apart(const double *w, int32_t count) {
  static const double FAR = 1e8;
  double least = (double)INFINITY, most = 0;
  for (int32_t at = 0; at < count; at++) {
    least = w[at] < least ? w[at] : least;
    most = hbg_larger(most, w[at]);
  }
  return most > FAR * least;
}

/* What has been next to nothing so far gives sizes that say nothing: beside them all seems to grow at any rate. Where there is no cycle, as where one is integrated from
 * another, any rate is a bound with the sizes that come of it: those of the whole run. */
static double plausible_mean(const HbgSeries *self, double least, bool are_wild) {
  if (!(least > 0) && are_wild && self->slowest > 0) return self->slowest;
  if (least > 0 && self->mean > ABSURD * least) return ABSURD * least;
  return hbg_larger(self->mean, least);
}

/* In whole vectors, and then what is behind n. */
static void invert(HbgSeries *self) {
  const int32_t n = whole(self->stride);
  const double *restrict size = self->size;
  double *restrict per_size = self->per_size;
  for (int32_t row = 0; row < n; row++) per_size[row] = 1 / size[row];
  for (int32_t row = self->n; row < n; row++) per_size[row] = 0;
}

static int32_t most_rounds(const HbgSeries *self) { return self->rate > ABSURD * self->mean ? MOST_ROUNDS_AT_ALL : MOST_ROUNDS; }

/* Any positive w gives a bound; those that come out of |A| give a close one, whatever the units of the states. The bound is the least r with
 * |A| w <= r w, which is no less than any eigenvalue (Collatz and Wielandt). */
bool hbg_series_measure(HbgSeries *self) {
  double *w = self->size;
  hbg_series_fill_up(self);
  self->rate = find_growth(self, w);
  self->mean = mean_rate(self);
  // what is fast by itself must not grow on and on beside what is slow
  const bool are_wild = are_far_apart(w, self->n);
  if (self->rate > CLOSE * self->mean || are_wild) self->mean = plausible_mean(self, least_bound(self), are_wild);
  int round = 0;
  for (; round < most_rounds(self) && self->mean > 0 && !(self->rate <= CLOSE * self->mean); round++) {
    even_out(self, w, self->mean, are_wild && round % 2); // sizes have to travel along rows
    self->rate = find_growth(self, w);
  }
  self->close = hbg_larger(self->rate, CLOSE * self->mean);
  invert(self);
  return round > 0;
}

/* Sizes of the others stay as long as they give a bound that is about as close as it was. */
bool hbg_series_measure_rows(HbgSeries *self, const int32_t *rows, int32_t count) {
  static const double LOOSER = 1.25;
  const double most = LOOSER * self->close;
  double *w = self->size;
  bool is_larger = false;
  hbg_series_fill_up(self);
  for (int32_t at = 0; at < count; at++) {
    const double m = magnitude(self, w, rows[at]);
    if (m > most * w[rows[at]] && most > 0) w[rows[at]] = m / most, is_larger = true;
    self->growth[rows[at]] = m / w[rows[at]];
  }
  self->rate = is_larger ? find_growth(self, w) : largest(self->growth, self->n);
  if (!(self->rate <= 1.001 * most)) return hbg_series_measure(self);
  for (int32_t at = 0; at < count; at++) self->per_size[rows[at]] = 1 / w[rows[at]];
  for (int32_t row = self->n; row < self->stride; row++) self->per_size[row] = 0;
  return false;
}

/* ---- terms ---- */

/* What the terms beyond the first ones come to: several sums at once, as each waits for itself. */
static double sum_beyond(const HbgSeriesLong *rest, const double *from) {
  const int32_t n = whole(rest->count), *c = rest->columns;
  const double *w = rest->weights;
  double sum[ABREAST] = {0};
  for (int32_t at = 0; at < n; at += ABREAST)
    for (int32_t which = 0; which < ABREAST; which++) sum[which] += w[at + which] * from[c[at + which]];
  for (int32_t at = n; at < rest->count; at++) sum[0] += w[at] * from[c[at]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* to := factor A from. Rows have few terms: loops over all rows, so many terms at once, and then what is left. */
static inline __attribute__((always_inline)) void multiply(const HbgSeries *self, const double *restrict from, double factor, double *restrict to) {
  const int32_t n = whole(self->stride), *restrict c = self->columns;
  const double *restrict w = self->weights;
  const int32_t second = self->room, third = 2 * self->room;
  for (int32_t row = 0; row < n; row++)
    to[row] = factor * (w[row] * from[c[row]] + w[second + row] * from[c[second + row]] + w[third + row] * from[c[third + row]]);
  for (int32_t at = 0; at < self->long_count; at++) to[self->longs[at].row] += factor * sum_beyond(&self->longs[at], from);
}

/* Magnitudes have the order of their bits, and whole numbers have a maximum that vector units can take. */
typedef union Bits {
  double number;
  int64_t bits;
} Bits;

/* The largest of |x| per_size. */
CLONES static double find_norm(const double *restrict x, const double *restrict per_size, int32_t count) {
  const int32_t n = whole(count);
  Bits most = {.number = 0};
  for (int32_t at = 0; at < n; at++) {
    const Bits size = {.number = fabs(x[at] * per_size[at])};
    most.bits = size.bits > most.bits ? size.bits : most.bits;
  }
  return most.number;
}

static double norm(const HbgSeries *self, const double *x) { return find_norm(x, self->per_size, self->stride); }

enum { MOST_UNITS = 2 }; // terms are larger than their sum, which round-off in it is small against

/* What errors must be small against: what states are, as far as sizes tell; but of each not much more than itself, as its size may be anything. What
 * has never been but next to nothing beside the others does not count. */
static double fineness(const HbgSeries *self) {
  static const double MORE = 4, LEAST = 1e-8;
  const double most = hbg_larger(MORE * self->least, LEAST * self->norm);
  return most < self->norm ? most : self->norm;
}

/* The least of what round-off in a state is small against, by its size. */
static double least_of(const HbgSeries *self, const double *scale) {
  double least = (double)INFINITY;
  for (int32_t row = 0; row < self->n; row++) {
    const double own = scale[row] * self->per_size[row];
    least = own > 0 && own < least ? own : least;
  }
  return least;
}

/* So many units y the series is good for: |terms left out| <= norm(last) w (y^(K+1) / (K+1) + ...), in units of 1 / rate, as |A| w <= rate w.
 * Answers y^(K+1). */
static double power_good_for(const HbgSeries *self, double last) {
  return 0.5 * DBL_EPSILON * self->fine / last * (self->degree + 1);
}

static double good_for(const HbgSeries *self, double last) {
  if (!(last > 0)) return MOST_UNITS;
  const double good = pow(power_good_for(self, last), 1.0 / (self->degree + 1));
  return good < MOST_UNITS ? good : MOST_UNITS;
}

/* Is what follows the terms up to `degree` nothing? What has only become too small for a number is not: of terms their direction alone is followed, where
 * there is room to do so. */
__attribute__((noinline)) static bool is_over(HbgSeries *self, int32_t degree) {
  const int32_t stride = self->stride;
  double *from = &self->c[(degree + 1) * stride], *to = from + stride;
  if (degree + 2 > HBG_SERIES_DEGREE) return false;
  multiply(self, self->c, 1, to);
  for (int32_t row = 0; row < self->n; row++) to[row] += self->drive[row];
  for (int32_t k = 1; k <= degree; k++) {
    const double size = norm(self, to);
    if (size <= 0) return true;
    memcpy(from, to, (size_t)stride * sizeof *from);
    multiply(self, from, 1 / size, to);
  }
  return norm(self, to) <= 0;
}

/* c[k + 1] := unit / (k + 1) A c[k], and b with the first, until that is nothing or the series is good for so many units. Answers for how
 * many it is. */
static double make_terms(HbgSeries *self, double wanted) {
  enum { LEAST_DEGREE = 6, FIRST = 2, EVERY = 3 };
  const int32_t stride = self->stride;
  const double units = wanted < MOST_UNITS ? wanted : MOST_UNITS;
  double *c = self->c, size = 0, power = units;
  for (int32_t k = 0; k < HBG_SERIES_DEGREE; k++) {
    double *next = &c[(k + 1) * stride];
    multiply(self, &c[k * stride], self->unit / (k + 1), next);
    for (int32_t row = 0; k == 0 && row < self->n; row++) next[row] += self->unit * self->drive[row];
    power *= units;
    self->degree = k;
    if (k > FIRST && k % EVERY != EVERY - 1) continue;
    size = norm(self, next);
    if (size <= 0) return is_over(self, k) ? (double)INFINITY : MOST_UNITS;
    self->degree = k + 1;
    if (k == 0) self->norm = hbg_larger(self->norm, size), self->fine = fineness(self);
    if (k + 1 >= LEAST_DEGREE && power_good_for(self, size) >= power) break;
  }
  return good_for(self, size);
}

/* Where no state moves another one, nor itself, all go on for ever as they begin. */
static void go_straight(HbgSeries *self) {
  const double pace = norm(self, self->drive);
  self->degree = pace > 0;
  self->unit = 1;
  self->length = (double)INFINITY;
  memcpy(&self->c[self->stride], self->drive, (size_t)self->stride * sizeof *self->drive);
  if (pace > 0) self->norm = hbg_larger(self->norm, pace), self->fine = fineness(self);
}

void hbg_series_start(HbgSeries *self, const double *x, const double *scale, double wanted) {
  for (int32_t row = 0; row < self->n; row++) self->c[row] = x[row];
  for (int32_t row = self->n; row < self->stride; row++) self->c[row] = 0;
  self->norm = norm(self, self->c);
  self->least = scale ? least_of(self, scale) : (double)INFINITY;
  if (!(self->rate > 0)) {
    go_straight(self);
    return;
  }
  self->unit = 1 / self->rate;
  const double good = make_terms(self, wanted / self->unit);
  self->length = good * self->unit;
}

/* x := c[0] + u (c[1] + u (...)). */
CLONES static void add_up(const double *restrict c, int32_t stride, int32_t degree, double u, double *restrict x) {
  const int32_t n = whole(stride);
  const double *restrict term = &c[(int64_t)degree * n];
  for (int32_t row = 0; row < n; row++) x[row] = term[row];
  for (int32_t k = degree - 1; k >= 0; k--) {
    term -= n;
    for (int32_t row = 0; row < n; row++) x[row] = x[row] * u + term[row];
  }
}

void hbg_series_values(const HbgSeries *self, double s, double *x) { add_up(self->c, self->stride, self->degree, s / self->unit, x); }

double hbg_series_value(const HbgSeries *self, int32_t state, double s) {
  const double u = s / self->unit;
  double x = self->c[self->degree * self->stride + state];
  for (int32_t k = self->degree - 1; k >= 0; k--) x = x * u + self->c[k * self->stride + state];
  return x;
}

double hbg_series_integral(const HbgSeries *self, int32_t state, double s) {
  const double u = s / self->unit;
  double x = self->c[self->degree * self->stride + state] / (self->degree + 1);
  for (int32_t k = self->degree - 1; k >= 0; k--) x = x * u + self->c[k * self->stride + state] / (k + 1);
  return x * s;
}

CLONES static void add_magnitudes(const double *restrict c, int32_t stride, int32_t degree, double u, double factor, double *restrict sums) {
  const int32_t n = whole(stride);
  for (int32_t row = 0; row < n; row++) sums[row] = 0;
  for (int32_t k = degree; k >= 2; k--)
    for (int32_t row = 0; row < n; row++) sums[row] = sums[row] * u + fabs(c[(int64_t)k * n + row]);
  for (int32_t row = 0; row < n; row++) sums[row] *= factor;
}

void hbg_series_bends(const HbgSeries *self, double *bends) {
  const double pace = 1 / self->unit;
  add_magnitudes(self->c, self->stride, self->degree, hbg_series_reach(self), pace * pace, bends);
}

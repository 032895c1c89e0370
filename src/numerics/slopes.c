/* SPDX-License-Identifier: BSD-3-Clause
 * Each loop is written for any number of terms and made for each number by inlining, so that the compiler sees how many there are
 * and takes several states at a time. No operation is contracted or reordered: wider vectors give the same bits. */
#include "numerics/slopes.h"

#include <math.h>
#include <stdatomic.h>

#include "numerics/clones.h"

/* The loops write to nothing that they read. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" // where the number of terms is not known, and without optimisation
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define INLINE static inline __attribute__((always_inline))

enum { GRAIN = 16384 }; /* states for which it pays to ask another thread */

/* A loop at work. */
typedef struct Loop {
  const HbgSlopes *slopes;
  const HbgSum *sum;
  double h, tolerance;
  const double *before, *after, *scale;
  double *out;
  _Atomic int64_t worst; /* largest error found so far, as bits: without a sign they have the order of the numbers, and NAN is the largest */
} Loop;

/* The terms of a sum, where the compiler can keep them in registers. */
typedef struct Terms {
  const double *k[HBG_MOST_TERMS];
  double weight[HBG_MOST_TERMS];
} Terms;

INLINE Terms terms_of(const Loop *loop, int32_t count) {
  Terms terms;
  for (int32_t term = 0; term < count; term++) {
    terms.k[term] = loop->slopes->k[loop->sum->slope[term]];
    terms.weight[term] = loop->sum->weight[term];
  }
  return terms;
}

INLINE double add_up(const Terms *terms, int32_t count, int32_t i) {
  double sum = terms->weight[0] * terms->k[0][i];
  for (int32_t term = 1; term < count; term++) sum += terms->weight[term] * terms->k[term][i];
  return sum;
}

/* A loop is made for the numbers of terms that the pairs have, where the number is a constant, and once for any other. */
#define COMBINED_COUNTS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)

/* ---- sums ---- */

INLINE void combine(const Loop *loop, int32_t count, int32_t from, int32_t to) {
  const Terms terms = terms_of(loop, count);
  const double h = loop->h, *y = loop->before;
  double *out = loop->out;
  INDEPENDENT
  for (int32_t i = from; i < to; i++) out[i] = y[i] + h * add_up(&terms, count, i);
}

CLONES static void combine_part(int32_t from, int32_t to, void *user) {
  const Loop *loop = user;
#define COMBINE(N) case N: combine(loop, N, from, to); break;
  switch (loop->sum->count) { COMBINED_COUNTS(COMBINE) default: combine(loop, loop->sum->count, from, to); }
}

void hbg_slopes_combine(const HbgSlopes *slopes, double *out, const double *y, double h, const HbgSum *sum) {
  Loop loop = {.slopes = slopes, .sum = sum, .h = h, .before = y, .out = out};
  hbg_parallel_for(slopes->threads, slopes->n, GRAIN, combine_part, &loop);
}

INLINE void sum_up(const Loop *loop, int32_t count, int32_t from, int32_t to) {
  const Terms terms = terms_of(loop, count);
  double *out = loop->out;
  INDEPENDENT
  for (int32_t i = from; i < to; i++) out[i] = add_up(&terms, count, i);
}

CLONES static void sum_part(int32_t from, int32_t to, void *user) {
  const Loop *loop = user;
#define SUM_UP(N) case N: sum_up(loop, N, from, to); break;
  switch (loop->sum->count) { SUM_UP(6) SUM_UP(12) default: sum_up(loop, loop->sum->count, from, to); }
}

void hbg_slopes_sum(const HbgSlopes *slopes, double *out, const HbgSum *sum) {
  Loop loop = {.slopes = slopes, .sum = sum, .out = out};
  hbg_parallel_for(slopes->threads, slopes->n, GRAIN, sum_part, &loop);
}

/* ---- the error ---- */

typedef union Bits {
  double number;
  int64_t bits;
} Bits;

INLINE double larger(double a, double b) { return a > b ? a : b; }

/* Bits and not numbers are compared, and without branches: a maximum of numbers that may be NAN is no loop for vectors. */
INLINE int64_t worst_of(const Loop *loop, int32_t count, int32_t from, int32_t to) {
  const Terms terms = terms_of(loop, count);
  const double h = loop->h, tolerance = loop->tolerance;
  const double *before = loop->before, *after = loop->after, *scale = loop->scale;
  int64_t worst = 0;
  INDEPENDENT
  for (int32_t i = from; i < to; i++) {
    const double error = h * add_up(&terms, count, i);
    const double allowed = tolerance * larger(larger(fabs(before[i]), fabs(after[i])), scale[i]);
    const double ratio = fabs(error) / (allowed > 0 ? allowed : HUGE_VAL) + 0 * after[i];
    const Bits bits = {.number = fabs(ratio)};
    worst = bits.bits > worst ? bits.bits : worst;
  }
  return worst;
}

CLONES static void error_part(int32_t from, int32_t to, void *user) {
  Loop *loop = user;
  int64_t worst = 0;
#define WORST(N) case N: worst = worst_of(loop, N, from, to); break;
  switch (loop->sum->count) { WORST(6) WORST(8) default: worst = worst_of(loop, loop->sum->count, from, to); }
  int64_t known = atomic_load(&loop->worst);
  while (worst > known && !atomic_compare_exchange_weak(&loop->worst, &known, worst)) continue;
}

double hbg_slopes_error(const HbgSlopes *slopes, double h, const HbgSum *sum, double tolerance, const double *before,
                        const double *after, const double *scale) {
  Loop loop = {.slopes = slopes, .sum = sum, .h = h, .tolerance = tolerance, .before = before, .after = after, .scale = scale};
  hbg_parallel_for(slopes->threads, slopes->n, GRAIN, error_part, &loop);
  return (Bits){.bits = atomic_load(&loop.worst)}.number;
}

/* ---- before and behind a step ---- */

CLONES static int64_t fastest_of(int32_t n, const double *rate, const double *y, const double *scale) {
  int64_t fastest = 0;
  for (int32_t i = 0; i < n; i++) {
    const double size = larger(fabs(y[i]), scale[i]);
    const Bits bits = {.number = size > 0 ? fabs(rate[i]) / size : 0};
    fastest = bits.bits > fastest ? bits.bits : fastest;
  }
  return fastest;
}

double hbg_slopes_fastest(const HbgSlopes *slopes, const double *y, const double *scale) {
  return (Bits){.bits = fastest_of(slopes->n, slopes->k[1], y, scale)}.number;
}

CLONES static int64_t largest_of(int32_t n, const double *rate) {
  int64_t largest = 0;
  for (int32_t i = 0; i < n; i++) {
    const Bits bits = {.number = fabs(rate[i])};
    largest = bits.bits > largest ? bits.bits : largest;
  }
  return largest;
}

bool hbg_slopes_begin_finite(const HbgSlopes *slopes) {
  return isfinite((Bits){.bits = largest_of(slopes->n, slopes->k[1])}.number);
}

/* ---- what is read off a step ---- */

enum { HBG_MOST_MIDDLES_READ = 4 };

/* The operations are those of one state by itself, in the same order. */
INLINE void read_at(int32_t n, double h, double theta, const double *y0, const double *y1, const double *first, const double *last,
                    double *const *middle, int32_t count, double *y) {
  const double *inner[HBG_MOST_MIDDLES_READ] = {0}, rest = 1 - theta;
  for (int32_t which = 0; which < count; which++) inner[which] = middle[which];
  INDEPENDENT
  for (int32_t i = 0; i < n; i++) {
    const double rise = y1[i] - y0[i], bend = h * first[i] - rise, twist = rise - h * last[i] - bend;
    double value = twist;
    if (count > 0) {
      value = h * inner[count - 1][i];
      for (int32_t which = count - 2; which >= 0; which--) value = h * inner[which][i] + (which % 2 == 0 ? theta : rest) * value;
      value = twist + rest * value;
    }
    y[i] = y0[i] + theta * (rise + rest * (bend + theta * value));
  }
}

CLONES static void read_all(int32_t n, double h, double theta, const double *y0, const double *y1, const double *first,
                            const double *last, double *const *middle, int32_t count, double *y) {
#define READ(N) case N: read_at(n, h, theta, y0, y1, first, last, middle, N, y); break;
  switch (count) { READ(0) READ(1) READ(2) READ(3) READ(4) default: break; }
}

void hbg_slopes_dense(const HbgSlopes *slopes, double h, double theta, const double *y0, const double *y1, const double *last,
                      double *const *middle, int32_t count, double *y) {
  read_all(slopes->n, h, theta, y0, y1, slopes->k[1], last, middle, count, y);
}

/* With theta and 1 - theta between 0 and 1, what bends and twists is multiplied by 1/4 and 4/27 at most, and all the rest by 1/16; and
 * by theta, 1/4 theta and 4/27 theta. */
CLONES static void travel_of(int32_t n, double h, const double *y0, const double *y1, const double *first, const double *last,
                             double *rises, double *stray) {
  INDEPENDENT
  for (int32_t i = 0; i < n; i++) {
    const double rise = y1[i] - y0[i], bend = h * first[i] - rise, twist = rise - h * last[i] - bend;
    rises[i] = rise;
    stray[i] = 0.25 * fabs(bend) + 4.0 / 27 * fabs(twist);
  }
}

CLONES static void stray_more(int32_t n, double h, const double *middle, double *stray) {
  INDEPENDENT
  for (int32_t i = 0; i < n; i++) stray[i] += h / 16 * fabs(middle[i]);
}

void hbg_slopes_travel(const HbgSlopes *slopes, double h, const double *y0, const double *y1, const double *last,
                       double *const *middle, int32_t count, double *rise, double *stray) {
  travel_of(slopes->n, h, y0, y1, slopes->k[1], last, rise, stray);
  for (int32_t which = 0; which < count; which++) stray_more(slopes->n, h, middle[which], stray);
}

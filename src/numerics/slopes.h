/* SPDX-License-Identifier: BSD-3-Clause
 * The loops over all states that a Runge-Kutta step consists of. They are compiled for several kinds of vector units, and shared out to
 * threads where there are many states; every result is the same, bit for bit, on every machine and with every number of
 * threads (decision 32). */
#ifndef NUMERICS_SLOPES_H
#define NUMERICS_SLOPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threads.h"

enum { HBG_MOST_SLOPES = 16, HBG_MOST_TERMS = 12 };

/* A weighted sum of slopes. */
typedef struct HbgSum {
  int32_t count;                     /* terms, 1 to HBG_MOST_TERMS */
  int8_t slope[HBG_MOST_TERMS];      /* 1: k1 */
  double weight[HBG_MOST_TERMS];
} HbgSum;

/* What the loops go over. */
typedef struct HbgSlopes {
  int32_t n;
  double *k[HBG_MOST_SLOPES + 1]; /* k1 is k[1] (n each); those that no sum names may be NULL */
  HbgThreads *threads;            /* NULL: none */
} HbgSlopes;

/* out[i] = y[i] + h * sum. `out` is none of the others. */
void hbg_slopes_combine(const HbgSlopes *slopes, double *out, const double *y, double h, const HbgSum *sum);
/* out[i] = sum. */
void hbg_slopes_sum(const HbgSlopes *slopes, double *out, const HbgSum *sum);
/* The largest |h * sum| relative to tolerance * max(|before|, |after|, scale); a state where these three are zero does not count.
 * NAN when anything in it or in `after` is not finite. */
double hbg_slopes_error(const HbgSlopes *slopes, double h, const HbgSum *sum, double tolerance, const double *before,
                        const double *after, const double *scale);

/* The largest |k1| relative to max(|y|, scale), of the states where that is more than zero; and is all of k1 finite? */
double hbg_slopes_fastest(const HbgSlopes *slopes, const double *y, const double *scale);
bool hbg_slopes_begin_finite(const HbgSlopes *slopes);
/* What is read off a step of `h` from y0 to y1, whose slope at the end is `last`, by the nested form of runge_kutta_dense.c with the inner
 * parts `middle` (count): the states at theta; and how far they are from the straight line y0 + theta * rise, at most `stray` and at
 * most 4 theta * stray. */
void hbg_slopes_dense(const HbgSlopes *slopes, double h, double theta, const double *y0, const double *y1, const double *last,
                      double *const *middle, int32_t count, double *y);
void hbg_slopes_travel(const HbgSlopes *slopes, double h, const double *y0, const double *y1, const double *last,
                       double *const *middle, int32_t count, double *rise, double *stray);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Instants in a regular order: offset, offset + period, offset + 2 period, ...
 *
 * Numbers of a text are mostly fractions that binary numbers only come close to: 0.1, 1/3. Three periods of the number next to
 * 0.1 are not the number next to 0.3, and two clocks that should tick together would miss each other by one rounding error.
 * So an offset and a period are taken as the fractions they were meant to be, and instant i is the number next to the exact
 * fraction offset + i period: equal fractions are equal numbers, and nothing adds up over a million ticks. */
#ifndef MODEL_TIME_GRID_H
#define MODEL_TIME_GRID_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HbgTimeGrid {
  double offset, period;  /* [s]; period INFINITY: once */
  int64_t first, step;    /* offset = first/denominator, period = step/denominator */
  int64_t denominator;    /* 0: they are no simple fractions; then instants are rounded once from the numbers themselves */
} HbgTimeGrid;

/* `period` must be positive; it may be infinite. */
HbgTimeGrid hbg_time_grid(double offset, double period);
/* Instant `index` (0 or more; the first only, where the period is infinite) [s]. */
double hbg_time_grid_time(const HbgTimeGrid *grid, int64_t index);
/* The index of the last instant at or before `t`; -1 before the first. */
int64_t hbg_time_grid_index(const HbgTimeGrid *grid, double t);
/* The first instant after `t`; INFINITY when there is none. */
double hbg_time_grid_after(const HbgTimeGrid *grid, double t);

/* May an instant of one be an instant of the other? Where they are no fractions, yes. */
bool hbg_time_grids_meet(const HbgTimeGrid *a, const HbgTimeGrid *b);

/* The fraction `value` was probably meant to be: a decimal number of at most 12 figures, or a quotient of integers with a
 * denominator of at most a million, when it is within a few rounding errors of `value`. False when there is none. */
bool hbg_fraction_of(double value, int64_t *numerator, int64_t *denominator);

#endif

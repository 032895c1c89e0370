/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/time_grid.h"

#include <math.h>

/* Integers up to here are doubles, and their quotient is rounded once. */
#define LARGEST_EXACT 9007199254740992.0

enum { MOST_DECIMALS = 18 };
#define MOST_FIGURES 1e12
#define LARGEST_DENOMINATOR 1e6
/* Some rounding errors: what is left of the fractions when a modeller writes 3*0.1 or 1/50. */
#define NEAR_ENOUGH 1e-15

/* ---- numbers as fractions ---- */

static bool is_near(double value, double numerator, double denominator) {
  return fabs(numerator / denominator - value) <= NEAR_ENOUGH * value;
}

static bool as_decimal(double value, double *numerator, double *denominator) {
  double power = 1;
  for (int decimals = 0; decimals <= MOST_DECIMALS; decimals++, power *= 10) {
    const double nearest = round(value * power);
    if (nearest > MOST_FIGURES) return false;
    *numerator = nearest;
    *denominator = power;
    if (is_near(value, nearest, power)) return true;
  }
  return false;
}

/* The first convergent of the continued fraction that is near enough (Euclid). */
static bool as_quotient(double value, double *numerator, double *denominator) {
  double before = 1, below_before = 0, rest = value;
  *numerator = floor(value);
  *denominator = 1;
  while (!is_near(value, *numerator, *denominator)) {
    rest = 1 / (rest - floor(rest));
    const double next = floor(rest) * *numerator + before, below = floor(rest) * *denominator + below_before;
    if (!(below <= LARGEST_DENOMINATOR) || !(next <= LARGEST_EXACT)) return false;
    before = *numerator, below_before = *denominator;
    *numerator = next, *denominator = below;
  }
  return true;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool hbg_fraction_of(double value, int64_t *numerator, int64_t *denominator) {
  const double size = fabs(value);
  double above = 0, below = 1;
  if (!(size <= MOST_FIGURES)) return false;
  if (size > 0 && !as_decimal(size, &above, &below) && !as_quotient(size, &above, &below)) return false;
  const int64_t divisor = common_divisor((int64_t)above, (int64_t)below);
  *numerator = (int64_t)(value < 0 ? -above : above) / divisor;
  *denominator = (int64_t)below / divisor;
  return true;
}

/* ---- grids ---- */

/* `numerator` over a denominator `factor` times as large; false where that is no longer exact. */
static bool expand(int64_t *numerator, int64_t factor) {
  if (fabs((double)*numerator) * (double)factor > LARGEST_EXACT) return false;
  *numerator *= factor;
  return true;
}

HbgTimeGrid hbg_time_grid(double offset, double period) {
  HbgTimeGrid grid = {.offset = offset, .period = period};
  int64_t first, step = 0, first_below, step_below = 1;
  if (!hbg_fraction_of(offset, &first, &first_below)) return grid;
  if (isfinite(period) && !hbg_fraction_of(period, &step, &step_below)) return grid;
  const int64_t divisor = common_divisor(first_below, step_below);
  int64_t denominator = first_below;
  if (!expand(&denominator, step_below / divisor) || !expand(&first, step_below / divisor) ||
      !expand(&step, first_below / divisor))
    return grid;
  grid.first = first;
  grid.step = step;
  grid.denominator = denominator;
  return grid;
}

double hbg_time_grid_time(const HbgTimeGrid *grid, int64_t index) {
  if (index == 0 && !grid->denominator) return grid->offset;
  // one rounding: of the quotient of two integers, or of the sum
  const double above = (double)grid->first + (double)index * (double)grid->step;
  if (grid->denominator && fabs(above) <= LARGEST_EXACT) return above / (double)grid->denominator;
  return fma((double)index, grid->period, grid->offset);
}

int64_t hbg_time_grid_index(const HbgTimeGrid *grid, double t) {
  if (!(t >= hbg_time_grid_time(grid, 0))) return -1;
  if (isinf(grid->period)) return 0;
  int64_t index = (int64_t)fmin(floor((t - grid->offset) / grid->period), LARGEST_EXACT);
  // the division may be off by one against the instants as they are computed
  while (index > 0 && hbg_time_grid_time(grid, index) > t) index--;
  while (hbg_time_grid_time(grid, index + 1) <= t) index++;
  return index;
}

double hbg_time_grid_after(const HbgTimeGrid *grid, double t) {
  const int64_t index = hbg_time_grid_index(grid, t);
  if (index >= 0 && isinf(grid->period)) return (double)INFINITY;
  return hbg_time_grid_time(grid, index + 1);
}

bool hbg_time_grids_meet(const HbgTimeGrid *a, const HbgTimeGrid *b) {
  if (!a->denominator || !b->denominator || !a->step || !b->step) return true;
  const int64_t divisor = common_divisor(a->denominator, b->denominator);
  int64_t first[2] = {a->first, b->first}, step[2] = {a->step, b->step};
  if (!expand(&first[0], b->denominator / divisor) || !expand(&step[0], b->denominator / divisor) ||
      !expand(&first[1], a->denominator / divisor) || !expand(&step[1], a->denominator / divisor))
    return true;
  return (first[0] - first[1]) % common_divisor(step[0], step[1]) == 0;
}

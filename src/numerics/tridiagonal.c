/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/tridiagonal.h"

#include <math.h>

static const double MOST_GROWTH = 100; /* of what is taken of a diagonal entry, against that */

/* ---- chains ---- */

/* The two neighbours of every vertex in the graph of the pattern, -1 where there is none. False: one has three. */
static bool find_neighbours(const HbgPattern *pattern, int32_t (*neighbour)[2]) {
  for (int32_t i = 0; i < pattern->n; i++) neighbour[i][0] = neighbour[i][1] = -1;
  for (int32_t j = 0; j < pattern->n; j++) {
    for (int32_t k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
      const int32_t ends[2] = {pattern->row[k], j};
      for (int end = 0; end < 2 && ends[0] != ends[1]; end++) {
        int32_t *of = neighbour[ends[end]];
        const int32_t other = ends[1 - end];
        if (of[0] == other || of[1] == other) continue;
        if (of[1] >= 0) return false;
        of[of[0] >= 0] = other;
      }
    }
  }
  return true;
}

/* Walks along all chains, from the end with the smaller number. False: there is a ring. */
static bool walk(int32_t n, int32_t (*neighbour)[2], int32_t *order) {
  int32_t count = 0;
  for (int32_t first = 0; first < n; first++) {
    if (neighbour[first][1] >= 0) continue;
    int32_t before = -1, at = first;
    while (at >= 0) {
      order[count++] = at;
      const int32_t next = neighbour[at][0] == before ? neighbour[at][1] : neighbour[at][0];
      before = at;
      at = next;
    }
    // the other end is not the beginning of a chain
    neighbour[before][1] = n;
  }
  return count == n;
}

static int32_t find_entry(const HbgPattern *pattern, int32_t row, int32_t column) {
  for (int32_t k = pattern->column[column]; k < pattern->column[column + 1]; k++)
    if (pattern->row[k] == row) return k;
  return -1;
}

static bool is_natural(int32_t n, const int32_t *order) {
  for (int32_t at = 0; at < n; at++)
    if (order[at] != at) return false;
  return true;
}

bool hbg_tridiagonal(HbgTridiagonal *matrix, const HbgPattern *pattern, HbgArena *arena) {
  const int32_t n = pattern->n;
  int32_t(*neighbour)[2] = (int32_t(*)[2])ARENA_FULL(arena, int32_t, 2 * (size_t)n);
  int32_t *order = ARENA_NEW(arena, int32_t, n);
  if (!find_neighbours(pattern, neighbour) || !walk(n, neighbour, order)) return false;
  *matrix = (HbgTridiagonal){.n = n, .order = is_natural(n, order) ? NULL : order};
  for (int32_t which = 0; which < 3; which++) {
    matrix->entry[which] = ARENA_FULL(arena, int32_t, n);
    for (int32_t at = 0; at < n; at++) {
      const int32_t other = at + which - 1;
      matrix->entry[which][at] = other < 0 || other >= n ? -1 : find_entry(pattern, order[at], order[other]);
    }
  }
  double **const arrays[] = {&matrix->lower,   &matrix->diagonal, &matrix->upper, &matrix->inverse,
                             &matrix->inward, &matrix->outward,   &matrix->sorted};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = ARENA_FULL(arena, double, n);
  return true;
}

void hbg_tridiagonal_set(HbgTridiagonal *matrix, const double *value) {
  double *const arrays[] = {matrix->lower, matrix->diagonal, matrix->upper};
  for (int32_t which = 0; which < 3; which++)
    for (int32_t at = 0; at < matrix->n; at++)
      arrays[which][at] = matrix->entry[which][at] < 0 ? 0 : value[matrix->entry[which][at]];
}

/* ---- factors ---- */

static int32_t middle_of(const HbgTridiagonal *matrix) { return matrix->n / 2; }

/* The factors are those of a matrix whose diagonal differs by round-off of `taken`: that must not be much more than what stands there.
 * A small pivot is none the worse, unless the next entry has to pay for it. */
static bool is_pivot(double pivot, double diagonal, double taken) {
  return fabs(taken) <= MOST_GROWTH * fabs(diagonal) && isfinite(pivot) && fabs(pivot) > 0;
}

bool hbg_tridiagonal_factor(HbgTridiagonal *matrix, double s) {
  const int32_t n = matrix->n, middle = middle_of(matrix);
  const double *restrict lower = matrix->lower, *restrict diagonal = matrix->diagonal, *restrict upper = matrix->upper;
  double *restrict inverse = matrix->inverse, *restrict inward = matrix->inward, *restrict outward = matrix->outward;
  double before = 0, behind = 0; /* `outward` of the places passed last */
  bool is_regular = n > 0;
  for (int32_t step = 0; step < middle && is_regular; step++) {
    const int32_t i = step, j = n - 1 - step;
    const double own_i = 1 - s * diagonal[i], taken_i = -s * lower[i] * before, pivot_i = own_i - taken_i;
    is_regular = is_pivot(pivot_i, own_i, taken_i);
    inverse[i] = 1 / pivot_i;
    inward[i] = -s * lower[i] * inverse[i];
    outward[i] = before = -s * upper[i] * inverse[i];
    if (j == middle) break;
    const double own_j = 1 - s * diagonal[j], taken_j = -s * upper[j] * behind, pivot_j = own_j - taken_j;
    is_regular = is_regular && is_pivot(pivot_j, own_j, taken_j);
    inverse[j] = 1 / pivot_j;
    inward[j] = -s * upper[j] * inverse[j];
    outward[j] = behind = -s * lower[j] * inverse[j];
  }
  if (!is_regular) return n == 0;
  const double own = 1 - s * diagonal[middle];
  const double taken = -s * (lower[middle] * before + upper[middle] * behind), pivot = own - taken;
  inverse[middle] = 1 / pivot;
  inward[middle] = -s * lower[middle] * inverse[middle];
  outward[middle] = -s * upper[middle] * inverse[middle]; // of the middle: what is taken of the place behind it
  return is_pivot(pivot, own, taken);
}

/* In the order of the chains. */
static void solve_sorted(const HbgTridiagonal *matrix, double *restrict x) {
  const int32_t n = matrix->n, middle = middle_of(matrix);
  const double *restrict inverse = matrix->inverse, *restrict inward = matrix->inward, *restrict outward = matrix->outward;
  double before = 0, behind = 0;
  const int32_t both = n - 1 - middle < middle ? n - 1 - middle : middle; /* as long as there are two ends */
  for (int32_t step = 0; step < both; step++) {
    const int32_t i = step, j = n - 1 - step;
    x[i] = before = x[i] * inverse[i] - inward[i] * before;
    x[j] = behind = x[j] * inverse[j] - inward[j] * behind;
  }
  for (int32_t i = both; i < middle; i++) x[i] = before = x[i] * inverse[i] - inward[i] * before;
  x[middle] = x[middle] * inverse[middle] - inward[middle] * before - outward[middle] * behind;
  before = behind = x[middle];
  for (int32_t i = middle - 1; i >= both; i--) x[i] = before = x[i] - outward[i] * before;
  for (int32_t step = both - 1; step >= 0; step--) {
    const int32_t i = step, j = n - 1 - step;
    x[i] = before = x[i] - outward[i] * before;
    x[j] = behind = x[j] - outward[j] * behind;
  }
}

void hbg_tridiagonal_solve(const HbgTridiagonal *matrix, double *x) {
  if (matrix->n == 0) return;
  if (!matrix->order) {
    solve_sorted(matrix, x);
    return;
  }
  for (int32_t at = 0; at < matrix->n; at++) matrix->sorted[at] = x[matrix->order[at]];
  solve_sorted(matrix, matrix->sorted);
  for (int32_t at = 0; at < matrix->n; at++) x[matrix->order[at]] = matrix->sorted[at];
}

static void multiply_sorted(const HbgTridiagonal *matrix, const double *restrict x, double *restrict y) {
  const int32_t n = matrix->n;
  const double *restrict lower = matrix->lower, *restrict diagonal = matrix->diagonal, *restrict upper = matrix->upper;
  if (n == 1) {
    y[0] = diagonal[0] * x[0];
    return;
  }
  y[0] = diagonal[0] * x[0] + upper[0] * x[1];
  for (int32_t i = 1; i < n - 1; i++) y[i] = lower[i] * x[i - 1] + diagonal[i] * x[i] + upper[i] * x[i + 1];
  y[n - 1] = lower[n - 1] * x[n - 2] + diagonal[n - 1] * x[n - 1];
}

void hbg_tridiagonal_multiply(const HbgTridiagonal *matrix, const double *x, double *y) {
  if (matrix->n == 0) return;
  if (!matrix->order) {
    multiply_sorted(matrix, x, y);
    return;
  }
  // `outward` and the others are factors, and `sorted` the only work space: rows one by one
  for (int32_t at = 0; at < matrix->n; at++) matrix->sorted[at] = x[matrix->order[at]];
  const double *sorted = matrix->sorted;
  for (int32_t at = 0; at < matrix->n; at++) {
    const double before = at > 0 ? matrix->lower[at] * sorted[at - 1] : 0;
    const double behind = at + 1 < matrix->n ? matrix->upper[at] * sorted[at + 1] : 0;
    y[matrix->order[at]] = before + matrix->diagonal[at] * sorted[at] + behind;
  }
}

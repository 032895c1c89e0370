/* SPDX-License-Identifier: BSD-3-Clause
 * Scaling, products and LU. */
#include "numerics/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"

/* ---- products ---- */

void hbg_dense_multiply(int32_t m, int32_t n, const double *restrict a, const double *restrict x, double *restrict y) {
  for (int32_t i = 0; i < m; i++) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++) sum += a[(size_t)i * (size_t)n + (size_t)j] * x[j];
    y[i] = sum;
  }
}

/* ---- scaling ---- */

/* As frexp() and ldexp(1, ...) have them, without a call: they are asked for each row and column many times. */
static int exponent_of(double x) {
  enum { LESS_THAN_NORMAL = -1023 };
  int exponent = hbg_exponent(x) + 1;
  if (exponent - 1 == LESS_THAN_NORMAL) frexp(x, &exponent);
  return exponent;
}

static double power_of_two(int exponent) {
  const uint64_t bits = (uint64_t)(exponent + 1023) << (DBL_MANT_DIG - 1);
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* The power of two next to 1/sqrt(largest), which is what Ruiz' iteration multiplies by; 1 for an empty row. */
static double half_way(double largest) {
  if (!(largest > 0) || !isfinite(largest)) return 1;
  const int exponent = exponent_of(largest);
  return power_of_two(-(exponent >= 0 ? (exponent + 1) / 2 : exponent / 2));
}

static double scaled_entry(const double *a, int32_t n, int32_t i, int32_t j, const double *row_scale,
                           const double *column_scale) {
  return fabs(a[(size_t)i * (size_t)n + (size_t)j]) * row_scale[i] * column_scale[j];
}

/* Comparisons that do not wait for each other. What is no number is in no one's way. */
enum { BESIDE = 16 };

static double largest_of_row(int32_t n, const double *a, int32_t i, const double *row_scale, const double *column_scale) {
  double largest[BESIDE] = {0};
  int32_t j = 0;
  for (; j + BESIDE <= n; j += BESIDE)
    for (int32_t at = 0; at < BESIDE; at++) largest[at] = hbg_larger(scaled_entry(a, n, i, j + at, row_scale, column_scale), largest[at]);
  for (; j < n; j++) largest[0] = hbg_larger(scaled_entry(a, n, i, j, row_scale, column_scale), largest[0]);
  for (int32_t at = 1; at < BESIDE; at++) largest[0] = hbg_larger(largest[at], largest[0]);
  return largest[0];
}

/* Of the columns from `first` on, as they lie side by side in each row. */
static void largest_of_columns(int32_t m, int32_t n, const double *a, int32_t first, const double *row_scale, const double *column_scale, double *largest) {
  const int32_t count = n - first < BESIDE ? n - first : BESIDE;
  for (int32_t at = 0; at < count; at++) largest[at] = 0;
  for (int32_t i = 0; i < m; i++)
    for (int32_t at = 0; at < count; at++) largest[at] = hbg_larger(scaled_entry(a, n, i, first + at, row_scale, column_scale), largest[at]);
}

bool hbg_dense_approach_one(double largest, double *scale) {
  const double factor = half_way(largest);
  *scale *= factor;
  return factor > 1 || factor < 1;
}

/* One pass of Ruiz: rows and columns both go half way, so that neither is preferred. False when nothing changed. */
static bool approach(int32_t m, int32_t n, const double *a, double *row_scale, double *column_scale) {
  bool changed = false;
  for (int32_t i = 0; i < m; i++) changed |= hbg_dense_approach_one(largest_of_row(n, a, i, row_scale, column_scale), &row_scale[i]);
  for (int32_t first = 0; first < n; first += BESIDE) {
    double largest[BESIDE];
    largest_of_columns(m, n, a, first, row_scale, column_scale, largest);
    for (int32_t j = first; j < n && j < first + BESIDE; j++) changed |= hbg_dense_approach_one(largest[j - first], &column_scale[j]);
  }
  return changed;
}

void hbg_dense_equilibrate(int32_t m, int32_t n, const double *a, double *row_scale, double *column_scale) {
  for (int32_t i = 0; i < m; i++) row_scale[i] = 1;
  for (int32_t j = 0; j < n; j++) column_scale[j] = 1;
  for (int pass = 0; pass < 20 && approach(m, n, a, row_scale, column_scale); pass++) continue;
}

/* ---- LU ---- */

HbgLu hbg_lu(HbgArena *arena, int32_t n) {
  return (HbgLu){
      .n = n,
      .factors = ARENA_NEW(arena, double, (size_t)n * (size_t)n),
      .pivot = ARENA_NEW(arena, int32_t, n),
      .begin = ARENA_NEW(arena, int32_t, n),
      .end = ARENA_NEW(arena, int32_t, n),
      .row_scale = ARENA_NEW(arena, double, n),
      .column_scale = ARENA_NEW(arena, double, n),
      .work = ARENA_NEW(arena, double, 2 * (size_t)n),
      .condition = HUGE_VAL,
  };
}

static double *lu_row(const HbgLu *lu, int32_t i) { return lu->factors + (size_t)i * (size_t)lu->n; }

/* Copies the scaled matrix; false when a number in it is not finite. */
static bool load(HbgLu *lu, const double *a) {
  const int32_t n = lu->n;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      const double value = a[(size_t)i * (size_t)n + (size_t)j] * lu->row_scale[i] * lu->column_scale[j];
      if (!isfinite(value)) return false;
      lu_row(lu, i)[j] = value;
    }
  }
  return true;
}

static void swap_rows(HbgLu *lu, int32_t i, int32_t k) {
  double *a = lu_row(lu, i), *b = lu_row(lu, k);
  for (int32_t j = 0; i != k && j < lu->n; j++) {
    const double value = a[j];
    a[j] = b[j];
    b[j] = value;
  }
}

static int32_t largest_below(const HbgLu *lu, int32_t k) {
  int32_t best = k;
  for (int32_t i = k + 1; i < lu->n; i++) {
    if (fabs(lu_row(lu, i)[k]) > fabs(lu_row(lu, best)[k])) best = i;
  }
  return best;
}

/* Matrices of long chains are full of zeros: what stands in row `i` of L and U begins and ends there. */
static int32_t begin_of(const HbgLu *lu, int32_t i) {
  int32_t begin = 0;
  while (begin < i && hbg_is_zero(lu_row(lu, i)[begin])) begin++;
  return begin;
}

static int32_t end_of(const HbgLu *lu, int32_t i) {
  int32_t end = lu->n;
  while (end > i + 1 && hbg_is_zero(lu_row(lu, i)[end - 1])) end--;
  return end;
}

/* Gaussian elimination by rows; false at an exact zero pivot. */
static bool eliminate(HbgLu *lu) {
  const int32_t n = lu->n;
  for (int32_t k = 0; k < n; k++) {
    lu->pivot[k] = largest_below(lu, k);
    swap_rows(lu, k, lu->pivot[k]);
    const double *restrict top = lu_row(lu, k);
    if (!(fabs(top[k]) > 0)) return false;
    const int32_t end = lu->end[k] = end_of(lu, k);
    for (int32_t i = k + 1; i < n; i++) {
      double *restrict row = lu_row(lu, i);
      if (hbg_is_zero(row[k])) continue;
      const double factor = row[k] /= top[k];
      for (int32_t j = k + 1; j < end; j++) row[j] -= factor * top[j];
    }
  }
  for (int32_t i = 0; i < n; i++) lu->begin[i] = begin_of(lu, i);
  return true;
}

/* b := A^-1 b of the scaled matrix. */
static void solve_scaled(const HbgLu *lu, double *b) {
  const int32_t n = lu->n;
  for (int32_t i = 0; i < n; i++) {
    const double taken = b[lu->pivot[i]];
    b[lu->pivot[i]] = b[i];
    b[i] = taken;
  }
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = lu->begin[i]; j < i; j++) b[i] -= lu_row(lu, i)[j] * b[j];
  }
  for (int32_t i = n - 1; i >= 0; i--) {
    for (int32_t j = i + 1; j < lu->end[i]; j++) b[i] -= lu_row(lu, i)[j] * b[j];
    b[i] /= lu_row(lu, i)[i];
  }
}

/* b := A^-T b of the scaled matrix. */
static void solve_scaled_transposed(const HbgLu *lu, double *b) {
  const int32_t n = lu->n;
  for (int32_t i = 0; i < n; i++) {
    b[i] /= lu_row(lu, i)[i];
    for (int32_t j = i + 1; j < lu->end[i]; j++) b[j] -= lu_row(lu, i)[j] * b[i];
  }
  for (int32_t i = n - 1; i >= 0; i--) {
    for (int32_t j = lu->begin[i]; j < i; j++) b[j] -= lu_row(lu, i)[j] * b[i];
  }
  for (int32_t i = n - 1; i >= 0; i--) {
    const double taken = b[lu->pivot[i]];
    b[lu->pivot[i]] = b[i];
    b[i] = taken;
  }
}

static double sum_of_sizes(int32_t n, const double *x) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) sum += fabs(x[i]);
  return sum;
}

static int32_t index_of_largest(int32_t n, const double *x) {
  int32_t best = 0;
  for (int32_t i = 1; i < n; i++) {
    if (fabs(x[i]) > fabs(x[best])) best = i;
  }
  return best;
}

/* The 1-norm of the inverse, from below: Hager 1984 (Higham, Accuracy and Stability, algorithm 15.1). */
static double inverse_norm(const HbgLu *lu) {
  const int32_t n = lu->n;
  double *x = lu->work, *sign = lu->work + n;
  for (int32_t i = 0; i < n; i++) x[i] = 1.0 / n;
  double norm = 0;
  for (int pass = 0; pass < 5; pass++) {
    solve_scaled(lu, x);
    const double better = sum_of_sizes(n, x);
    if (!(better > norm)) break;
    norm = better;
    for (int32_t i = 0; i < n; i++) sign[i] = x[i] < 0 ? -1 : 1;
    solve_scaled_transposed(lu, sign);
    const int32_t column = index_of_largest(n, sign);
    for (int32_t i = 0; i < n; i++) x[i] = i == column ? 1 : 0;
  }
  return norm;
}

/* The largest column sum of the scaled matrix, taken before it is overwritten. */
static double matrix_norm(const HbgLu *lu) {
  double largest = 0;
  for (int32_t j = 0; j < lu->n; j++) {
    double sum = 0;
    for (int32_t i = 0; i < lu->n; i++) sum += fabs(lu_row(lu, i)[j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

bool hbg_lu_factor(HbgLu *lu, const double *a) {
  lu->condition = HUGE_VAL;
  hbg_dense_equilibrate(lu->n, lu->n, a, lu->row_scale, lu->column_scale);
  if (!load(lu, a)) return false;
  const double norm = matrix_norm(lu);
  if (!eliminate(lu)) return false;
  lu->inverse_norm = lu->n > 0 ? inverse_norm(lu) : 0;
  lu->condition = lu->n > 0 ? norm * lu->inverse_norm : 1;
  return lu->condition <= 1 / HBG_RANK_TOLERANCE;
}

void hbg_lu_solve(const HbgLu *lu, double *b) {
  for (int32_t i = 0; i < lu->n; i++) b[i] *= lu->row_scale[i];
  solve_scaled(lu, b);
  for (int32_t i = 0; i < lu->n; i++) b[i] *= lu->column_scale[i];
}

void hbg_lu_refine(const HbgLu *lu, const double *a, const double *b, double *x) {
  const int32_t n = lu->n;
  double *rest = lu->work;
  for (int32_t i = 0; i < n; i++) {
    rest[i] = b[i];
    for (int32_t j = 0; j < n; j++) rest[i] -= a[(size_t)i * (size_t)n + (size_t)j] * x[j];
  }
  hbg_lu_solve(lu, rest);
  for (int32_t i = 0; i < n; i++) x[i] += rest[i];
}

void hbg_lu_solve_transposed(const HbgLu *lu, double *b) {
  for (int32_t i = 0; i < lu->n; i++) b[i] *= lu->column_scale[i];
  solve_scaled_transposed(lu, b);
  for (int32_t i = 0; i < lu->n; i++) b[i] *= lu->row_scale[i];
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_linear.h"

#include <math.h>
#include <string.h>

/* An entry below so many of its bounds may be zero, one above so many is not. */
static const double zero_below = 4, something_above = 1e3;

static OracleSystem system_new(HbgArena *arena, int32_t m, int32_t n) {
  const int64_t all = (int64_t)m * (m + n);
  return (OracleSystem){.m = m,
                        .n = n,
                        .width = m + n,
                        .reduced = ARENA_NEW(arena, double, all),
                        .bound = ARENA_NEW(arena, double, all),
                        .row_scale = ARENA_NEW(arena, double, m),
                        .column_scale = ARENA_NEW(arena, double, n),
                        .pivot_column = ARENA_NEW(arena, int32_t, m),
                        .column_row = ARENA_NEW(arena, int32_t, n),
                        .determined = ARENA_NEW(arena, bool, n),
                        .smallest = 1};
}

static double *entry(const OracleSystem *system, int32_t i, int32_t j) {
  return system->reduced + (int64_t)i * system->width + j;
}
static double *bound(const OracleSystem *system, int32_t i, int32_t j) {
  return system->bound + (int64_t)i * system->width + j;
}

/* ---- scaling ---- */

static double larger(double a, double b) { return a > b ? a : b; }

/* One over the square root of the largest magnitude, as a power of two. */
static double scale_of(double largest) {
  int exponent = 0;
  if (largest > 0) (void)frexp(largest, &exponent);
  return ldexp(1, -exponent / 2);
}

static bool scale_row(OracleSystem *system, int32_t i) {
  double largest = 0;
  for (int32_t j = 0; j < system->n; j++) largest = larger(largest, fabs(*entry(system, i, j)));
  const double scale = scale_of(largest);
  system->row_scale[i] *= scale;
  for (int32_t j = 0; j < system->n && scale != 1; j++) *entry(system, i, j) *= scale;
  return scale != 1;
}

static bool scale_column(OracleSystem *system, int32_t j) {
  double largest = 0;
  for (int32_t i = 0; i < system->m; i++) largest = larger(largest, fabs(*entry(system, i, j)));
  const double scale = scale_of(largest);
  system->column_scale[j] *= scale;
  for (int32_t i = 0; i < system->m && scale != 1; i++) *entry(system, i, j) *= scale;
  return scale != 1;
}

/* Brings the largest entries of rows and columns near one. */
static void equilibrate(OracleSystem *system) {
  for (int32_t i = 0; i < system->m; i++) system->row_scale[i] = 1;
  for (int32_t j = 0; j < system->n; j++) system->column_scale[j] = 1;
  bool changed = true;
  for (int pass = 0; pass < 12 && changed; pass++) {
    changed = false;
    for (int32_t i = 0; i < system->m; i++) changed |= scale_row(system, i);
    for (int32_t j = 0; j < system->n; j++) changed |= scale_column(system, j);
  }
}

/* ---- elimination ---- */

static void swap_rows(OracleSystem *system, int32_t i, int32_t k) {
  for (int32_t j = 0; j < system->width && i != k; j++) {
    const double kept = *entry(system, i, j), kept_bound = *bound(system, i, j);
    *entry(system, i, j) = *entry(system, k, j), *bound(system, i, j) = *bound(system, k, j);
    *entry(system, k, j) = kept, *bound(system, k, j) = kept_bound;
  }
}

/* The largest entry that is not zero, of the rows without a pivot in the columns without one. */
static double find_pivot(OracleSystem *system, int32_t *row, int32_t *column) {
  double largest = 0;
  for (int32_t i = system->rank; i < system->m; i++)
    for (int32_t j = 0; j < system->n; j++) {
      const double size = fabs(*entry(system, i, j));
      if (size <= largest || system->column_row[j] >= 0 || size <= zero_below * *bound(system, i, j)) continue;
      largest = size, *row = i, *column = j;
    }
  return largest;
}

/* The pivot row, divided by its pivot. */
static void normalise(OracleSystem *system, int32_t r, int32_t column) {
  const double pivot = *entry(system, r, column), pivot_bound = *bound(system, r, column) / fabs(pivot);
  for (int32_t j = 0; j < system->width; j++) {
    double *value = entry(system, r, j), *wrong = bound(system, r, j);
    if (*value == 0 && *wrong == 0) continue;
    const double quotient = *value / pivot;
    *wrong = *wrong / fabs(pivot) + fabs(quotient) * pivot_bound + fabs(fma(quotient, pivot, -*value) / pivot);
    *value = quotient;
  }
  *entry(system, r, column) = 1;
  *bound(system, r, column) = 0;
}

/* a - factor * b, and how far that may be wrong: what the terms are wrong by, and the round-off that is really made. */
static void subtract(double *a, double *a_bound, double factor, double factor_bound, double b, double b_bound) {
  const double product = factor * b, rest = fma(factor, b, -product);
  const double difference = *a - product, back = *a - difference;
  const double lost = (*a - (difference + back)) + (back - product);
  *a_bound += fabs(factor) * b_bound + factor_bound * (fabs(b) + b_bound) + fabs(rest) + fabs(lost);
  *a = difference;
}

static void eliminate(OracleSystem *system, int32_t row, int32_t column, int32_t *used) {
  const int32_t r = system->rank++;
  int32_t count = 0;
  swap_rows(system, r, row);
  system->pivot_column[r] = column;
  system->column_row[column] = r;
  normalise(system, r, column);
  for (int32_t j = 0; j < system->width; j++)
    if (*entry(system, r, j) != 0 || *bound(system, r, j) != 0) used[count++] = j;
  for (int32_t i = 0; i < system->m; i++) {
    const double factor = *entry(system, i, column), factor_bound = *bound(system, i, column);
    if (i == r || (factor == 0 && factor_bound == 0)) continue;
    for (int32_t at = 0; at < count; at++) {
      const int32_t j = used[at];
      subtract(entry(system, i, j), bound(system, i, j), factor, factor_bound, *entry(system, r, j),
               *bound(system, r, j));
    }
    *entry(system, i, column) = *bound(system, i, column) = 0;
  }
}

/* What is left is taken for zero: is it? Bounds that are wide say nothing. */
static void doubt_what_is_left(OracleSystem *system) {
  for (int32_t i = system->rank; i < system->m; i++)
    for (int32_t j = 0; j < system->n; j++)
      if (system->column_row[j] < 0 && *bound(system, i, j) > 1e-9) system->is_doubtful = true;
}

static bool is_nothing(OracleSystem *system, int32_t i, int32_t j) {
  const double size = fabs(*entry(system, i, j)), wrong = *bound(system, i, j);
  if (size > zero_below * wrong && size < something_above * wrong) system->is_doubtful = true;
  return size <= zero_below * wrong;
}

static void find_determined(OracleSystem *system) {
  for (int32_t j = 0; j < system->n; j++) {
    const int32_t row = system->column_row[j];
    system->determined[j] = row >= 0;
    for (int32_t k = 0; k < system->n && row >= 0; k++)
      if (system->column_row[k] < 0 && !is_nothing(system, row, k)) system->determined[j] = false;
  }
}

/* A power of two is what it is; other numbers have been rounded. */
static double bound_of(double value) {
  int exponent;
  return fabs(frexp(value, &exponent)) == 0.5 ? 0 : fabs(value) * 2 * ORACLE_UNIT_ROUND_OFF;
}

static void begin(OracleSystem *system, const double *a) {
  for (int32_t i = 0; i < system->m; i++) {
    if (system->n) memcpy(entry(system, i, 0), a + (int64_t)i * system->n, (size_t)system->n * sizeof *a);
    *entry(system, i, system->n + i) = 1;
  }
  for (int32_t j = 0; j < system->n; j++) system->column_row[j] = -1;
  equilibrate(system);
  for (int32_t i = 0; i < system->m; i++)
    for (int32_t j = 0; j < system->n; j++) *bound(system, i, j) = bound_of(*entry(system, i, j));
}

OracleSystem oracle_system(HbgArena *arena, int32_t m, int32_t n, const double *a) {
  OracleSystem system = system_new(arena, m, n);
  int32_t *used = ARENA_NEW(arena, int32_t, m + n);
  system.matrix = a;
  begin(&system, a);
  double first = 0;
  while (system.rank < m) {
    int32_t row = 0, column = 0;
    const double pivot = find_pivot(&system, &row, &column);
    if (pivot <= 0) break;
    if (system.rank == 0) first = pivot;
    if (pivot < something_above * *bound(&system, row, column)) system.is_doubtful = true;
    system.smallest = fmin(system.smallest, pivot / first);
    eliminate(&system, row, column, used);
  }
  doubt_what_is_left(&system);
  find_determined(&system);
  return system;
}

OracleSystem oracle_system_kept(OracleSystems *kept, HbgArena *arena, int32_t m, int32_t n, const double *a) {
  const size_t size = (size_t)m * (size_t)n * sizeof *a;
  for (int32_t i = 0; i < kept->count && i < ORACLE_SYSTEMS_KEPT; i++)
    if (kept->systems[i].m == m && kept->systems[i].n == n && (!size || memcmp(kept->systems[i].matrix, a, size) == 0))
      return kept->systems[i];
  const int32_t at = kept->count++ % ORACLE_SYSTEMS_KEPT;
  double *copy = ARENA_NEW(arena, double, (int64_t)m *n);
  if (size) memcpy(copy, a, size);
  kept->systems[at] = oracle_system(arena, m, n, copy);
  return kept->systems[at];
}

/* ---- answers ---- */

double oracle_solve(const OracleSystem *system, const double *b, double *x) {
  double worst = 0;
  for (int32_t j = 0; j < system->n; j++) x[j] = 0;
  for (int32_t i = 0; i < system->m; i++) {
    double sum = 0, size = 0;
    for (int32_t k = 0; k < system->m; k++) {
      const double term = *entry(system, i, system->n + k) * system->row_scale[k] * b[k];
      sum += term, size += fabs(term);
    }
    if (i < system->rank)
      x[system->pivot_column[i]] = sum * system->column_scale[system->pivot_column[i]];
    else if (size > 0)
      worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

void oracle_add_norm(const OracleSystem *system, const double *x, double share, double *size) {
  double norm = 0;
  for (int32_t j = 0; j < system->n; j++) norm = larger(norm, fabs(x[j]) / system->column_scale[j]);
  for (int32_t i = 0; i < system->m; i++) norm = larger(norm, size[i] * system->row_scale[i]);
  for (int32_t i = 0; i < system->m; i++)
    for (int32_t j = 0; j < system->n; j++)
      size[i] += share * fabs(system->matrix[(int64_t)i * system->n + j]) * system->column_scale[j] * norm;
}

void oracle_spread(const OracleSystem *system, const double *size, double *x) {
  for (int32_t j = 0; j < system->n; j++) x[j] = 0;
  for (int32_t i = 0; i < system->rank; i++) {
    double sum = 0;
    for (int32_t k = 0; k < system->m; k++)
      sum += fabs(*entry(system, i, system->n + k)) * system->row_scale[k] * size[k];
    x[system->pivot_column[i]] = sum * system->column_scale[system->pivot_column[i]];
  }
}

/* An entry, 0 when it is round-off, times `scale`. */
static double clean(const OracleSystem *system, int32_t i, int32_t j, double scale, double *round_off) {
  const double value = *entry(system, i, j), wrong = *bound(system, i, j);
  *round_off = wrong / ORACLE_UNIT_ROUND_OFF * scale;
  return fabs(value) > zero_below * wrong ? value * scale : 0;
}

void oracle_null_vector(const OracleSystem *system, int32_t which, double *x, double *round_off) {
  int32_t free_column = 0;
  for (int32_t seen = 0; free_column < system->n; free_column++)
    if (system->column_row[free_column] < 0 && seen++ == which) break;
  for (int32_t j = 0; j < system->n; j++) {
    const int32_t row = system->column_row[j];
    x[j] = round_off[j] = 0;
    if (row >= 0) x[j] = -clean(system, row, free_column, system->column_scale[j], &round_off[j]);
    if (j == free_column) x[j] = system->column_scale[j];
  }
}

void oracle_left_null_vector(const OracleSystem *system, int32_t which, double *w, double *round_off) {
  const int32_t row = system->rank + which;
  for (int32_t k = 0; k < system->m; k++) w[k] = clean(system, row, system->n + k, system->row_scale[k], &round_off[k]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_linear.h"

#include <math.h>
#include <string.h>

#define RANK_TOLERANCE 1e-10 /* of a scaled matrix */
#define ROUND_OFF 1e-12      /* what is smaller, of numbers near one, is none */

static OracleSystem system_new(HbgArena *arena, int32_t m, int32_t n) {
  const int64_t square = (int64_t)m * m, all = (int64_t)m * n;
  return (OracleSystem){.m = m,
                        .n = n,
                        .reduced = ARENA_NEW(arena, double, all),
                        .transform = ARENA_NEW(arena, double, square),
                        .row_scale = ARENA_NEW(arena, double, m),
                        .column_scale = ARENA_NEW(arena, double, n),
                        .pivot_column = ARENA_NEW(arena, int32_t, m),
                        .column_row = ARENA_NEW(arena, int32_t, n),
                        .determined = ARENA_NEW(arena, bool, n),
                        .smallest = 1};
}

/* One over the square root of the largest magnitude, as a power of two. */
static double scale_of(double largest) { return largest > 0 ? ldexp(1, -(int)lrint(0.5 * log2(largest))) : 1; }

/* Brings the largest entries of rows and columns near one. */
static void equilibrate(OracleSystem *system) {
  double *a = system->reduced;
  for (int32_t i = 0; i < system->m; i++) system->row_scale[i] = 1;
  for (int32_t j = 0; j < system->n; j++) system->column_scale[j] = 1;
  for (int pass = 0; pass < 12; pass++) {
    for (int32_t i = 0; i < system->m; i++) {
      double largest = 0;
      for (int32_t j = 0; j < system->n; j++) largest = fmax(largest, fabs(a[i * system->n + j]));
      const double scale = scale_of(largest);
      system->row_scale[i] *= scale;
      for (int32_t j = 0; j < system->n; j++) a[i * system->n + j] *= scale;
    }
    for (int32_t j = 0; j < system->n; j++) {
      double largest = 0;
      for (int32_t i = 0; i < system->m; i++) largest = fmax(largest, fabs(a[i * system->n + j]));
      const double scale = scale_of(largest);
      system->column_scale[j] *= scale;
      for (int32_t i = 0; i < system->m; i++) a[i * system->n + j] *= scale;
    }
  }
}

static void swap_rows(double *a, int32_t n, int32_t i, int32_t k) {
  for (int32_t j = 0; j < n; j++) {
    const double kept = a[i * n + j];
    a[i * n + j] = a[k * n + j];
    a[k * n + j] = kept;
  }
}

static void add_row(double *a, int32_t n, int32_t to, int32_t from, double factor) {
  for (int32_t j = 0; j < n; j++) a[to * n + j] += factor * a[from * n + j];
}

/* The largest entry of the rows without a pivot in the columns without one. */
static double find_pivot(const OracleSystem *system, int32_t *row, int32_t *column) {
  double largest = 0;
  for (int32_t i = system->rank; i < system->m; i++)
    for (int32_t j = 0; j < system->n; j++) {
      const double size = fabs(system->reduced[i * system->n + j]);
      if (system->column_row[j] >= 0 || size <= largest) continue;
      largest = size, *row = i, *column = j;
    }
  return largest;
}

static void eliminate(OracleSystem *system, int32_t row, int32_t column) {
  const int32_t m = system->m, n = system->n, r = system->rank++;
  swap_rows(system->reduced, n, r, row);
  swap_rows(system->transform, m, r, row);
  system->pivot_column[r] = column;
  system->column_row[column] = r;
  const double inverse = 1 / system->reduced[r * n + column];
  for (int32_t j = 0; j < n; j++) system->reduced[r * n + j] *= inverse;
  for (int32_t j = 0; j < m; j++) system->transform[r * m + j] *= inverse;
  for (int32_t i = 0; i < m; i++) {
    const double factor = -system->reduced[i * n + column];
    if (i == r || fabs(factor) <= 0) continue;
    add_row(system->reduced, n, i, r, factor);
    add_row(system->transform, m, i, r, factor);
    system->reduced[i * n + column] = 0;
  }
}

static void find_determined(OracleSystem *system) {
  for (int32_t j = 0; j < system->n; j++) {
    const int32_t row = system->column_row[j];
    system->determined[j] = row >= 0;
    for (int32_t k = 0; k < system->n && row >= 0; k++)
      if (system->column_row[k] < 0 && fabs(system->reduced[row * system->n + k]) > 1e-8) system->determined[j] = false;
  }
}

OracleSystem oracle_system(HbgArena *arena, int32_t m, int32_t n, const double *a) {
  OracleSystem system = system_new(arena, m, n);
  if (m && n) memcpy(system.reduced, a, (size_t)m * (size_t)n * sizeof *a);
  for (int32_t i = 0; i < m; i++) system.transform[i * m + i] = 1;
  for (int32_t j = 0; j < n; j++) system.column_row[j] = -1;
  equilibrate(&system);
  double first = 0;
  while (system.rank < m) {
    int32_t row = 0, column = 0;
    const double pivot = find_pivot(&system, &row, &column);
    if (system.rank == 0) first = pivot;
    system.largest_left = first > 0 ? pivot / first : 0;
    if (pivot <= RANK_TOLERANCE * first) break;
    system.smallest = fmin(system.smallest, pivot / first);
    system.largest_left = 0;
    eliminate(&system, row, column);
  }
  find_determined(&system);
  return system;
}

double oracle_solve(const OracleSystem *system, const double *b, double *x) {
  double worst = 0;
  for (int32_t j = 0; j < system->n; j++) x[j] = 0;
  for (int32_t i = 0; i < system->m; i++) {
    double sum = 0, size = 0;
    for (int32_t k = 0; k < system->m; k++) {
      const double term = system->transform[i * system->m + k] * system->row_scale[k] * b[k];
      sum += term, size += fabs(term);
    }
    if (i < system->rank)
      x[system->pivot_column[i]] = sum * system->column_scale[system->pivot_column[i]];
    else if (size > 0)
      worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

void oracle_null_vector(const OracleSystem *system, int32_t which, double *x) {
  int32_t free_column = 0;
  for (int32_t seen = 0; free_column < system->n; free_column++)
    if (system->column_row[free_column] < 0 && seen++ == which) break;
  for (int32_t j = 0; j < system->n; j++) {
    const int32_t row = system->column_row[j];
    const double scaled = row < 0 ? (j == free_column ? 1 : 0) : -system->reduced[row * system->n + free_column];
    x[j] = fabs(scaled) > ROUND_OFF ? scaled * system->column_scale[j] : 0;
  }
}

void oracle_left_null_vector(const OracleSystem *system, int32_t which, double *w) {
  const double *row = system->transform + (int64_t)(system->rank + which) * system->m;
  double largest = 0;
  for (int32_t k = 0; k < system->m; k++) largest = fmax(largest, fabs(row[k]));
  for (int32_t k = 0; k < system->m; k++) w[k] = fabs(row[k]) > ROUND_OFF * largest ? row[k] * system->row_scale[k] : 0;
}

bool oracle_is_doubtful(const OracleSystem *system) { return system->smallest < 1e-7 || system->largest_left > 1e-13; }

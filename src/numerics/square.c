/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/square.h"

#include <klu.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"

/* The sparse ones: by columns, with ascending rows. */
typedef struct Sparse {
  int32_t *column, *row; /* where each column begins (n + 1); of each entry (filled) */
  double *value, *scaled; /* (filled) */
  double *row_scale, *column_scale; /* powers of two (n) */
  double *largest;       /* work space (2 n) */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  double inverse_norm; /* of the scaled matrix, in the 1-norm, about */
} Sparse;

struct HbgSquare {
  int32_t n, count;
  const HbgArena *told;
  int32_t *place; /* of entry k among the values (count) */
  int32_t filled; /* different places */
  Sparse *sparse; /* NULL: it is dense */
  double *matrix; HbgLu lu; /* then */
  double *rest;   /* work space (n) */
};

enum { SMALL = 24, FULL = 4 }; /* of fewer unknowns, or with one entry in so many, a dense one costs less */

bool hbg_square_is_sparse(int32_t n, int32_t count) { return n > SMALL && (int64_t)count * FULL <= (int64_t)n * n; }

size_t hbg_square_size(int32_t n, int32_t count) {
  return sizeof(Sparse) + 48 * (size_t)n + 28 * (size_t)count + 512;
}

/* ---- patterns ---- */

/* The numbers of `from` (count; NULL: 0, 1, ...) sorted by what `key` (less than n) says of each, in the order in which they come where that is the same: by counting. */
static void sort_by(int32_t n, const int32_t *key, int32_t count, const int32_t *from, int32_t *to, int32_t *end) {
  memset(end, 0, ((size_t)n + 1) * sizeof *end);
  for (int32_t k = 0; k < count; k++) end[key[k] + 1]++;
  for (int32_t at = 0; at < n; at++) end[at + 1] += end[at];
  for (int32_t at = 0; at < count; at++) {
    const int32_t k = from ? from[at] : at;
    to[end[key[k]]++] = k;
  }
}

/* Columns with ascending rows; where each entry stands among them. */
static void make_pattern(HbgSquare *self, const int32_t *row, const int32_t *column, HbgArena *arena) {
  Sparse *sparse = self->sparse;
  const int32_t n = self->n, count = self->count;
  int32_t *by_row = ARENA_NEW(arena, int32_t, 2 * (size_t)count), *sorted = by_row + count;
  sort_by(n, row, count, NULL, by_row, sparse->column);
  sort_by(n, column, count, by_row, sorted, sparse->column);
  memset(sparse->column, 0, ((size_t)n + 1) * sizeof *sparse->column);
  for (int32_t at = 0; at < count; at++) {
    const int32_t k = sorted[at], before = at ? sorted[at - 1] : -1;
    if (!at || column[k] != column[before] || row[k] != row[before]) {
      sparse->row[self->filled++] = row[k];
      sparse->column[column[k] + 1]++;
    }
    self->place[k] = self->filled - 1;
  }
  for (int32_t at = 0; at < n; at++) sparse->column[at + 1] += sparse->column[at];
  hbg_arena_take_back(arena, by_row, 2 * (size_t)count * sizeof *by_row);
}

HbgSquare *hbg_square(HbgArena *arena, const HbgArena *told, int32_t n, int32_t count, const int32_t *row, const int32_t *column) {
  HbgSquare *self = ARENA_NEW(arena, HbgSquare, 1);
  *self = (HbgSquare){.n = n, .count = count, .told = told, .place = ARENA_NEW(arena, int32_t, count), .rest = ARENA_NEW(arena, double, n)};
  if (!hbg_square_is_sparse(n, count)) {
    for (int32_t k = 0; k < count; k++) self->place[k] = row[k] * n + column[k];
    self->filled = n * n;
    self->matrix = ARENA_NEW(arena, double, (size_t)n * (size_t)n);
    self->lu = hbg_lu(arena, n);
    return self;
  }
  Sparse *sparse = self->sparse = ARENA_NEW(arena, Sparse, 1);
  *sparse = (Sparse){.column = ARENA_NEW(arena, int32_t, n + 1), .row = ARENA_NEW(arena, int32_t, count), .value = ARENA_NEW(arena, double, count),
                     .scaled = ARENA_NEW(arena, double, count), .row_scale = ARENA_NEW(arena, double, n), .column_scale = ARENA_NEW(arena, double, n),
                     .largest = ARENA_NEW(arena, double, 2 * (size_t)n)};
  make_pattern(self, row, column, arena);
  klu_defaults(&sparse->common);
  sparse->common.scale = 0; // it is scaled
  sparse->common.tol = 1;   // pivots are the largest of their columns: with the customary thousandth of that, digits get lost by the dozen
  return self;
}

void hbg_square_free(HbgSquare *self) {
  if (!self || !self->sparse) return;
  if (self->sparse->numeric) klu_free_numeric(&self->sparse->numeric, &self->sparse->common);
  if (self->sparse->symbolic) klu_free_symbolic(&self->sparse->symbolic, &self->sparse->common);
}

/* ---- factors of sparse ones ---- */

/* The largest of each row and column of the scaled matrix. */
static void find_largest(HbgSquare *self, double *of_row, double *of_column) {
  const Sparse *sparse = self->sparse;
  memset(of_row, 0, (size_t)self->n * sizeof *of_row);
  for (int32_t j = 0; j < self->n; j++) {
    of_column[j] = 0;
    for (int32_t k = sparse->column[j]; k < sparse->column[j + 1]; k++) {
      const double size = fabs(sparse->value[k]) * sparse->row_scale[sparse->row[k]] * sparse->column_scale[j];
      of_column[j] = hbg_larger(size, of_column[j]);
      of_row[sparse->row[k]] = hbg_larger(size, of_row[sparse->row[k]]);
    }
  }
}

/* As hbg_dense_equilibrate(), but that rows and columns go half way at once. */
static void equilibrate(HbgSquare *self) {
  enum { MOST_PASSES = 20 };
  Sparse *sparse = self->sparse;
  double *of_row = sparse->largest, *of_column = of_row + self->n;
  for (int32_t i = 0; i < self->n; i++) sparse->row_scale[i] = sparse->column_scale[i] = 1;
  bool changed = true;
  for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
    changed = false;
    find_largest(self, of_row, of_column);
    for (int32_t i = 0; i < self->n; i++) {
      const bool row_changed = hbg_dense_approach_one(of_row[i], &sparse->row_scale[i]), column_changed = hbg_dense_approach_one(of_column[i], &sparse->column_scale[i]);
      changed |= row_changed | column_changed;
    }
  }
}

/* Memory is all that KLU can lack but a pivot. */
static bool answer(const HbgSquare *self, bool is_done) {
  if (self->sparse->common.status == KLU_OUT_OF_MEMORY) hbg_arena_give_up(self->told);
  return is_done && self->sparse->common.status == KLU_OK;
}

static double largest_column_sum(const HbgSquare *self) {
  const Sparse *sparse = self->sparse;
  double largest = 0;
  for (int32_t j = 0; j < self->n; j++) {
    double sum = 0;
    for (int32_t k = sparse->column[j]; k < sparse->column[j + 1]; k++) sum += fabs(sparse->scaled[k]);
    largest = hbg_larger(sum, largest);
  }
  return largest;
}

/* Is what has been factored regular, as far as its condition tells (hbg_lu_factor())? */
static bool is_regular(const HbgSquare *self) {
  Sparse *sparse = self->sparse;
  const bool is_known = answer(self, klu_condest(sparse->column, sparse->scaled, sparse->symbolic, sparse->numeric, &sparse->common));
  sparse->inverse_norm = sparse->common.condest / largest_column_sum(self);
  return is_known && sparse->common.condest <= 1 / HBG_RANK_TOLERANCE;
}

static bool factor_sparse(HbgSquare *self) {
  Sparse *sparse = self->sparse;
  equilibrate(self);
  for (int32_t j = 0; j < self->n; j++)
    for (int32_t k = sparse->column[j]; k < sparse->column[j + 1]; k++) {
      sparse->scaled[k] = sparse->value[k] * sparse->row_scale[sparse->row[k]] * sparse->column_scale[j];
      if (!isfinite(sparse->scaled[k])) return false;
    }
  if (!sparse->symbolic) sparse->symbolic = klu_analyze(self->n, sparse->column, sparse->row, &sparse->common);
  if (!answer(self, sparse->symbolic)) return false;
  if (sparse->numeric) klu_free_numeric(&sparse->numeric, &sparse->common);
  sparse->numeric = klu_factor(sparse->column, sparse->row, sparse->scaled, sparse->symbolic, &sparse->common);
  return answer(self, sparse->numeric) && is_regular(self);
}

/* ---- both ---- */

bool hbg_square_factor(HbgSquare *self, const double *entries) {
  double *value = self->sparse ? self->sparse->value : self->matrix;
  memset(value, 0, (size_t)self->filled * sizeof *value);
  for (int32_t k = 0; k < self->count; k++) value[self->place[k]] += entries[k];
  return self->sparse ? factor_sparse(self) : hbg_lu_factor(&self->lu, self->matrix);
}

void hbg_square_solve(HbgSquare *self, double *x) {
  Sparse *sparse = self->sparse;
  if (!sparse) {
    hbg_lu_solve(&self->lu, x);
    return;
  }
  for (int32_t i = 0; i < self->n; i++) x[i] *= sparse->row_scale[i];
  klu_solve(sparse->symbolic, sparse->numeric, self->n, 1, x, &sparse->common);
  for (int32_t i = 0; i < self->n; i++) x[i] *= sparse->column_scale[i];
}

void hbg_square_solve_transposed(HbgSquare *self, double *x) {
  Sparse *sparse = self->sparse;
  if (!sparse) {
    hbg_lu_solve_transposed(&self->lu, x);
    return;
  }
  for (int32_t i = 0; i < self->n; i++) x[i] *= sparse->column_scale[i];
  klu_tsolve(sparse->symbolic, sparse->numeric, self->n, 1, x, &sparse->common);
  for (int32_t i = 0; i < self->n; i++) x[i] *= sparse->row_scale[i];
}

void hbg_square_refine(HbgSquare *self, const double *b, double *x) {
  const Sparse *sparse = self->sparse;
  if (!sparse) {
    hbg_lu_refine(&self->lu, self->matrix, b, x);
    return;
  }
  memcpy(self->rest, b, (size_t)self->n * sizeof *b);
  for (int32_t j = 0; j < self->n; j++)
    for (int32_t k = sparse->column[j]; k < sparse->column[j + 1]; k++) self->rest[sparse->row[k]] -= sparse->value[k] * x[j];
  hbg_square_solve(self, self->rest);
  for (int32_t i = 0; i < self->n; i++) x[i] += self->rest[i];
}

void hbg_square_spread(const HbgSquare *self, const double *row_errors, double *errors) {
  const Sparse *sparse = self->sparse;
  const double *row_scale = sparse ? sparse->row_scale : self->lu.row_scale, *column_scale = sparse ? sparse->column_scale : self->lu.column_scale;
  double sum = 0;
  for (int32_t i = 0; i < self->n; i++) sum += row_scale[i] * row_errors[i];
  for (int32_t j = 0; j < self->n; j++) errors[j] = column_scale[j] * sum * (sparse ? sparse->inverse_norm : self->lu.inverse_norm);
}

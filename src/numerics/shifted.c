/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/shifted.h"

#include <klu.h>
#include <math.h>
#include <string.h>

#include "numerics/tridiagonal.h"

static const double LEAST_GROWTH = 1e-3; /* KLU's reciprocal pivot growth below which pivots are sought anew */

struct HbgShifted {
  const HbgPattern *pattern;
  double *value;      /* of A (count) */
  int32_t *diagonal;  /* where each column has its diagonal (n) */
  bool has_chains;    /* `chains` may be tried */
  bool by_chains;     /* the present factors are theirs */
  HbgTridiagonal chains;
  double *shifted;    /* entries of I - s A, for KLU (count); NULL: not needed yet */
  HbgArena *arena;
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
};

HbgShifted *hbg_shifted(HbgArena *arena, const HbgPattern *pattern) {
  HbgShifted *matrix = ARENA_NEW(arena, HbgShifted, 1);
  matrix->arena = arena;
  matrix->pattern = pattern;
  matrix->value = ARENA_NEW(arena, double, pattern->count);
  matrix->diagonal = ARENA_NEW(arena, int32_t, pattern->n);
  for (int32_t j = 0; j < pattern->n; j++)
    for (int32_t k = pattern->column[j]; k < pattern->column[j + 1]; k++)
      if (pattern->row[k] == j) matrix->diagonal[j] = k;
  matrix->has_chains = hbg_tridiagonal(&matrix->chains, pattern, arena);
  return matrix;
}

void hbg_shifted_set(HbgShifted *matrix, const double *value) {
  memcpy(matrix->value, value, (size_t)matrix->pattern->count * sizeof *value);
  if (matrix->has_chains) hbg_tridiagonal_set(&matrix->chains, value);
}

/* ---- KLU ---- */

/* Pivots that were good for another matrix of the pattern, unless entries grow with them. */
static bool refactor(HbgShifted *matrix) {
  int32_t *column = matrix->pattern->column, *row = matrix->pattern->row;
  if (!matrix->numeric) return false;
  return klu_refactor(column, row, matrix->shifted, matrix->symbolic, matrix->numeric, &matrix->common) &&
         matrix->common.status == KLU_OK &&
         klu_rgrowth(column, row, matrix->shifted, matrix->symbolic, matrix->numeric, &matrix->common) &&
         matrix->common.rgrowth > LEAST_GROWTH;
}

static HbgFactored factor_by_klu(HbgShifted *matrix, double s) {
  const HbgPattern *pattern = matrix->pattern;
  if (!matrix->shifted) {
    matrix->shifted = ARENA_NEW(matrix->arena, double, pattern->count);
    klu_defaults(&matrix->common);
  }
  for (int32_t k = 0; k < pattern->count; k++) matrix->shifted[k] = -s * matrix->value[k];
  for (int32_t j = 0; j < pattern->n; j++) matrix->shifted[matrix->diagonal[j]] += 1;
  if (!matrix->symbolic) matrix->symbolic = klu_analyze(pattern->n, pattern->column, pattern->row, &matrix->common);
  if (!matrix->symbolic) return HBG_FACTORED_NO_MEMORY;
  if (refactor(matrix)) return HBG_FACTORED;
  if (matrix->numeric) klu_free_numeric(&matrix->numeric, &matrix->common);
  matrix->numeric = klu_factor(pattern->column, pattern->row, matrix->shifted, matrix->symbolic, &matrix->common);
  if (matrix->numeric && matrix->common.status == KLU_OK) return HBG_FACTORED;
  return matrix->common.status == KLU_OUT_OF_MEMORY ? HBG_FACTORED_NO_MEMORY : HBG_FACTORED_SINGULAR;
}

/* ---- both ---- */

HbgFactored hbg_shifted_factor(HbgShifted *matrix, double s) {
  matrix->by_chains = matrix->has_chains && hbg_tridiagonal_factor(&matrix->chains, s);
  return matrix->by_chains ? HBG_FACTORED : factor_by_klu(matrix, s);
}

void hbg_shifted_solve(HbgShifted *matrix, double *x) {
  if (matrix->by_chains) hbg_tridiagonal_solve(&matrix->chains, x);
  else klu_solve(matrix->symbolic, matrix->numeric, matrix->pattern->n, 1, x, &matrix->common);
}

void hbg_shifted_multiply(const HbgShifted *matrix, const double *x, double *y) {
  if (matrix->has_chains) {
    hbg_tridiagonal_multiply(&matrix->chains, x, y);
    return;
  }
  const HbgPattern *pattern = matrix->pattern;
  for (int32_t i = 0; i < pattern->n; i++) y[i] = 0;
  for (int32_t j = 0; j < pattern->n; j++)
    for (int32_t k = pattern->column[j]; k < pattern->column[j + 1]; k++) y[pattern->row[k]] += matrix->value[k] * x[j];
}

double hbg_shifted_decay(const HbgShifted *matrix, int32_t i) { return fabs(matrix->value[matrix->diagonal[i]]); }

void hbg_shifted_free(HbgShifted *matrix) {
  if (!matrix) return;
  if (matrix->numeric) klu_free_numeric(&matrix->numeric, &matrix->common);
  if (matrix->symbolic) klu_free_symbolic(&matrix->symbolic, &matrix->common);
}

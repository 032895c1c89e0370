/* SPDX-License-Identifier: BSD-3-Clause
 * Linear systems of any shape and rank for the oracle, by nothing but Gauss-Jordan elimination with complete pivoting.
 * On purpose not the way of src/numerics: a mistake there must not be repeated here. */
#ifndef TESTS_SUPPORT_ORACLE_LINEAR_H
#define TESTS_SUPPORT_ORACLE_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct OracleSystem {
  int32_t m, n; /* rows, columns */
  int32_t rank;
  double *reduced;   /* the scaled matrix, reduced: 1 at the pivots (m, n) */
  double *transform; /* what reduced it: reduced = transform * scaled matrix (m, m) */
  double *row_scale, *column_scale;
  int32_t *pivot_column; /* of row i < rank */
  int32_t *column_row;   /* the row a column is pivot of, -1: a free column (n) */
  bool *determined;      /* column is fixed by the equations (n) */
  double smallest;       /* pivot that was taken, relative to the largest; 1 when there was none */
  double largest_left;   /* what was taken for zero, relative to the largest */
} OracleSystem;

/* Reduces `a` (m, n), row by row. */
OracleSystem oracle_system(HbgArena *arena, int32_t m, int32_t n, const double *a);
/* A solution of A x = b with free variables 0. Answers how far rows are from being consistent, each relative to what was
 * added up in it. */
double oracle_solve(const OracleSystem *system, const double *b, double *x);
/* Column `which` < n - rank of a basis of the x with A x = 0. */
void oracle_null_vector(const OracleSystem *system, int32_t which, double *x);
/* Row `which` < m - rank of a basis of the w with w' A = 0. */
void oracle_left_null_vector(const OracleSystem *system, int32_t which, double *w);
/* Neither clearly of this rank nor clearly of another. */
bool oracle_is_doubtful(const OracleSystem *system);

#endif

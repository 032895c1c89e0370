/* SPDX-License-Identifier: BSD-3-Clause
 * Linear systems of any shape and rank for the oracle, by nothing but Gauss-Jordan elimination with complete pivoting.
 * On purpose not the way of src/numerics: a mistake there must not be repeated here.
 *
 * Every entry carries a bound of the round-off in it (running error analysis: Higham, Accuracy and Stability of Numerical
 * Algorithms, 3.3), so that what is zero is told from what is small: no tolerance of rank, however far values are apart. */
#ifndef TESTS_SUPPORT_ORACLE_LINEAR_H
#define TESTS_SUPPORT_ORACLE_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define ORACLE_UNIT_ROUND_OFF 0x1p-53

typedef struct OracleSystem {
  int32_t m, n, width; /* rows, columns, n + m */
  int32_t rank;
  const double *matrix; /* as it was given (m, n) */
  double *reduced;      /* the scaled matrix, reduced, and beside it what reduced it: T (scaled A | 1) (m, width) */
  double *bound;        /* how far each entry of that may be wrong (m, width) */
  double *row_scale, *column_scale;
  int32_t *pivot_column; /* of row i < rank */
  int32_t *column_row;   /* the row a column is pivot of, -1: a free column (n) */
  bool *determined;      /* column is fixed by the equations (n) */
  double smallest;       /* pivot that was taken, relative to the largest; 1 when there was none */
  bool is_doubtful;      /* something is neither clearly zero nor clearly not */
} OracleSystem;

/* Reduces `a` (m, n), row by row. */
OracleSystem oracle_system(HbgArena *arena, int32_t m, int32_t n, const double *a);
/* Systems that were reduced before: the same matrix is not reduced again. All zero: none yet. */
enum { ORACLE_SYSTEMS_KEPT = 6 };
typedef struct OracleSystems {
  OracleSystem systems[ORACLE_SYSTEMS_KEPT];
  int32_t count;
} OracleSystems;
OracleSystem oracle_system_kept(OracleSystems *kept, HbgArena *arena, int32_t m, int32_t n, const double *a);
/* A solution of A x = b with free variables 0. Answers how far rows are from being consistent, each relative to what was
 * added up in it. */
double oracle_solve(const OracleSystem *system, const double *b, double *x);
/* Adds to `size` what a row would be if all of x were as large as the largest of it, or of the right-hand side, in the scales
 * of the system: by the norm. */
void oracle_add_norm(const OracleSystem *system, const double *x, double share, double *size);
/* How far x moves at most when row i of the system changes by size[i]: |A^-1| size. */
void oracle_spread(const OracleSystem *system, const double *size, double *x);
/* Column `which` < n - rank of a basis of the x with A x = 0, and its round-off in units of it. */
void oracle_null_vector(const OracleSystem *system, int32_t which, double *x, double *round_off);
/* Row `which` < m - rank of a basis of the w with w' A = 0, and its round-off. */
void oracle_left_null_vector(const OracleSystem *system, int32_t which, double *w, double *round_off);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Small dense linear algebra, row-major. All memory is taken when an object is made; factoring and solving allocate
 * nothing, so they may stand in the event loop.
 *
 * Rows and columns are first scaled by powers of two (exact), so that units spread over many decades do not spoil the
 * decision what is singular. Ruiz, "A scaling algorithm to equilibrate both rows and columns norms in matrices", 2001.
 */
#ifndef NUMERICS_DENSE_H
#define NUMERICS_DENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define HBG_RANK_TOLERANCE 1e-12 /* of a scaled matrix: what is smaller than this times the largest counts as zero */

/* ---- square systems: LU with partial pivoting ---- */

typedef struct HbgLu {
  int32_t n;
  double *factors;      /* L and U of the scaled matrix (n, n) */
  int32_t *pivot;       /* row taken at each elimination step (n) */
  int32_t *begin, *end; /* private: what is not zero in each row of both factors lies between them (n) */
  double *row_scale;    /* powers of two (n) */
  double *column_scale; /* powers of two (n) */
  double *work;         /* private (2 n) */
  double condition; /* estimate of the condition number of the scaled matrix, in the 1-norm; INFINITY when singular */
  double inverse_norm; /* and of that of its inverse */
} HbgLu;

HbgLu hbg_lu(HbgArena *arena, int32_t n);
/* Factors `a` (n, n). False when it is singular: condition of the scaled matrix above 1/HBG_RANK_TOLERANCE, or a number
 * that is not finite. n = 0 is fine. */
bool hbg_lu_factor(HbgLu *lu, const double *a);
/* Replaces `b` (n) by the solution. Only after hbg_lu_factor() answered true. */
void hbg_lu_solve(const HbgLu *lu, double *b);
/* Brings `x`, a solution of A x = b, so close that what is left in each row is no more than round-off of the terms of that row, where sizes of rows lie far
 * apart, too: x := x + A^-1 (b - A x) (Skeel 1980; Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 12). `a`: as it was factored. */
void hbg_lu_refine(const HbgLu *lu, const double *a, const double *b, double *x);
/* As hbg_lu_solve() with the transposed matrix. */
void hbg_lu_solve_transposed(const HbgLu *lu, double *b);

/* ---- plain helpers ---- */

/* y = A x; A (m, n). */
void hbg_dense_multiply(int32_t m, int32_t n, const double *restrict a, const double *restrict x, double *restrict y);
/* Scales (powers of two) that bring the largest entry of every row and column of `a` (m, n) near one. */
void hbg_dense_equilibrate(int32_t m, int32_t n, const double *a, double *row_scale, double *column_scale);
/* One step of that: `scale` goes half way to where `largest`, of a row or column that it has scaled, is near one; true when that is anywhere else. */
bool hbg_dense_approach_one(double largest, double *scale);

#endif

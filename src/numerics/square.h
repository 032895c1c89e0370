/* SPDX-License-Identifier: BSD-3-Clause
 * Square linear systems that are given by their entries: dense where they are small or full (dense.h), sparse where they are large and mostly zeros, as the equations
 * of a network are. Sparse ones are scaled by powers of two as dense ones are, and factored by KLU (Davis and Palamadai Natarajan, ACM Trans. Math. Softw. 37, 2010),
 * which puts rows and columns in an order that keeps the factors sparse: a ladder of n cells costs in proportion to n. */
#ifndef NUMERICS_SQUARE_H
#define NUMERICS_SQUARE_H

#include "numerics/dense.h"

typedef struct HbgSquare HbgSquare;

/* Entry k stands at (row[k], column[k]); several may stand at one place, and add up. Lists are read, not kept. From `arena`; KLU's share is given back by hbg_square_free(). `told`: whose caller is told
 * when memory is refused to KLU; it outlives the system. */
HbgSquare *hbg_square(HbgArena *arena, const HbgArena *told, int32_t n, int32_t count, const int32_t *row, const int32_t *column);
void hbg_square_free(HbgSquare *square);
/* Is one of n unknowns with so many entries sparse? */
bool hbg_square_is_sparse(int32_t n, int32_t count);
/* About as many bytes as a sparse one takes from its arena. */
size_t hbg_square_size(int32_t n, int32_t count);
/* Factors the matrix with these entries (count). False when it is singular, or a number is not finite: as hbg_lu_factor(). */
bool hbg_square_factor(HbgSquare *square, const double *entries);
/* Only after that has answered true: x := A^-1 x, and x := A^-T x (n). */
void hbg_square_solve(HbgSquare *square, double *x);
void hbg_square_solve_transposed(HbgSquare *square, double *x);
/* Brings `x`, a solution of A x = b, so close that what is left in each row is no more than round-off of its terms: hbg_lu_refine(). */
void hbg_square_refine(HbgSquare *square, const double *b, double *x);
/* What errors of so much in the rows may do to each unknown (both n): by the norm of the inverse, which is an estimate from below, and as if all came together in that one. */
void hbg_square_spread(const HbgSquare *square, const double *row_errors, double *errors);

#endif

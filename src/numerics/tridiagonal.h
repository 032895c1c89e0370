/* SPDX-License-Identifier: BSD-3-Clause
 * Matrices I - s A, where the graph of A falls apart into chains: two sweeps solve them, from both ends towards the middle and
 * back, which keeps a processor twice as busy as one sweep from end to end (Babuska 1972; van der Vorst 1987).
 *
 * There is no pivoting. Instead the factorisation is refused as soon as numbers grow: whatever the units, the factors are those of
 * a matrix that is near to the given one, entry by entry (Higham, Accuracy and Stability of Numerical Algorithms, 9.6). */
#ifndef NUMERICS_TRIDIAGONAL_H
#define NUMERICS_TRIDIAGONAL_H

#include "numerics/sparsity.h"

typedef struct HbgTridiagonal {
  int32_t n;
  int32_t *order;  /* which row of A stands at each place (n); NULL: they stand as they are numbered */
  int32_t *entry[3]; /* of each place: where the pattern has the entry before, on and behind the diagonal; -1: there is none (n) */
                   /* meaning                                                              shape */
  double *lower, *diagonal, *upper; /* A in this order                                     (n)   */
  double *inverse; /* of the pivots                                                        (n)   */
  double *inward;  /* what is taken of the place nearer to the end                         (n)   */
  double *outward; /* what is taken of the place nearer to the middle                      (n)   */
  double *sorted;  /* a vector in this order, unless `order` is NULL                       (n)   */
} HbgTridiagonal;

/* Is the graph of the pattern made of chains? If so fills `*matrix`, from `arena`. */
bool hbg_tridiagonal(HbgTridiagonal *matrix, const HbgPattern *pattern, HbgArena *arena);
/* The entries of A, in the order of the pattern. */
void hbg_tridiagonal_set(HbgTridiagonal *matrix, const double *value);
/* Factors I - s A; false where that would need pivoting. */
bool hbg_tridiagonal_factor(HbgTridiagonal *matrix, double s);
/* Replaces `x` (n) by the solution of (I - s A) y = x. */
void hbg_tridiagonal_solve(const HbgTridiagonal *matrix, double *x);
/* y = A x. */
void hbg_tridiagonal_multiply(const HbgTridiagonal *matrix, const double *x, double *y);

#endif

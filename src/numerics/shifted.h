/* SPDX-License-Identifier: BSD-3-Clause
 * I - s A for one sparse matrix A and many s: what the stages of an implicit step are solved with.
 *
 * Chains are solved by two sweeps (tridiagonal.h); everything else, and what would need pivoting, by KLU (Davis and Palamadai
 * Natarajan, ACM Trans. Math. Softw. 37, 2010), which analyses the pattern once and keeps its pivots as long as they serve. */
#ifndef NUMERICS_SHIFTED_H
#define NUMERICS_SHIFTED_H

#include "numerics/sparsity.h"

typedef struct HbgShifted HbgShifted;

/* The pattern is borrowed. From `arena`; KLU's share is given back by hbg_shifted_free(). */
HbgShifted *hbg_shifted(HbgArena *arena, const HbgPattern *pattern);
/* The entries of A, in the order of the pattern; copied. */
void hbg_shifted_set(HbgShifted *matrix, const double *value);
typedef enum HbgFactored { HBG_FACTORED, HBG_FACTORED_SINGULAR, HBG_FACTORED_NO_MEMORY } HbgFactored;
HbgFactored hbg_shifted_factor(HbgShifted *matrix, double s);
/* Replaces `x` (n) by the solution of (I - s A) y = x. Only after hbg_shifted_factor() has answered HBG_FACTORED. */
void hbg_shifted_solve(HbgShifted *matrix, double *x);
/* y = A x. */
void hbg_shifted_multiply(const HbgShifted *matrix, const double *x, double *y);
/* |A_ii|. */
double hbg_shifted_decay(const HbgShifted *matrix, int32_t i);
void hbg_shifted_free(HbgShifted *matrix);

#endif

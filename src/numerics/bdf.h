/* SPDX-License-Identifier: BSD-3-Clause
 * Backward differentiation formulas for stiff systems: CVODE of SUNDIALS, with the sparse direct solver KLU.
 * The only header of a method that needs more than memory of the arena: end with hbg_stepper_free(). */
#ifndef NUMERICS_BDF_H
#define NUMERICS_BDF_H

#include "numerics/stepper.h"

/* Where a Jacobian may be non-zero, by columns, as in CSparse: the rows of column j are row[column[j]] ...
 * row[column[j + 1] - 1], in any order, without doubles. The diagonal need not be there. */
typedef struct HbgSparsity {
  const int32_t *column; /* (n + 1) */
  const int32_t *row;    /* (column[n]) */
} HbgSparsity;

/* d(dy)/dy at (t, y): value[k] belongs to row[k] of the pattern given to hbg_bdf(). Answers like a right-hand side. */
typedef int (*HbgJacobian)(double t, const double *y, const double *dy, double *value, void *user);

/* A stepper in `arena`. `sparsity` NULL: every entry may be non-zero; it is copied. `jacobian` NULL: by differences,
 * columns that share no row at once (Curtis, Powell, Reid 1974). NULL when SUNDIALS is refused memory. */
HbgStepper *hbg_bdf(HbgArena *arena, int32_t n, const HbgSparsity *sparsity, HbgRightHandSide rhs, HbgJacobian jacobian,
                    void *user);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction to three diagonals, and implicit QR steps with Wilkinson's shift
 * (Golub and Van Loan, Matrix Computations, 4th edition, 8.3). Not by a library: what comes of those in last digits depends on the one that a
 * machine has, and results here must not. */
#ifndef NUMERICS_SYMMETRIC_H
#define NUMERICS_SYMMETRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* A = Q' diag(values) Q of `matrix` (n, n): row i of Q, `vectors` (n, n), is the eigenvector of values[i], of length 1. In no order. Values and vectors leave no more of
 * A than some units in the last place of its largest value. False where a number is not finite. */
bool hbg_symmetric_modes(int32_t n, const double *matrix, double *values, double *vectors, HbgArena *scratch);

#endif

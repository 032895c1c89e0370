/* SPDX-License-Identifier: BSD-3-Clause
 * A second way to the flow of x' = A x + b: scaling, a Taylor series and squaring, in extended precision. */
#ifndef SUPPORT_MATRIX_EXPONENTIAL_H
#define SUPPORT_MATRIX_EXPONENTIAL_H

#include <stdint.h>

enum { EXPONENTIAL_WIDTH = 13 };

/* x (n) after h from x0; n < EXPONENTIAL_WIDTH. */
void follow_by_exponential(int32_t n, const double *a, const double *b, const double *x0, double h, double *x);

#endif

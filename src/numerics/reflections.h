/* SPDX-License-Identifier: BSD-3-Clause
 * A = Q R by Householder reflections. Golub and Van Loan, Matrix Computations, 4th ed. 2013, 5.2 and 5.4. */
#ifndef NUMERICS_REFLECTIONS_H
#define NUMERICS_REFLECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HbgReflections {
  int32_t m, n;     /* rows, columns */
  double *columns;  /* (n, m) at first those of A; then the reflections, from their diagonal on, and R above it */
  double *diagonal; /* (n) of R */
  int32_t *ends;    /* (n) behind which row a reflection has nothing but zeros: of a band they are short */
} HbgReflections;

/* In four sums, so that none has to wait for the one before. */
double hbg_vector_dot(int32_t n, const double *x, const double *y);
/* x := x + factor y */
void hbg_vector_add(int32_t n, double *restrict x, double factor, const double *restrict y);
/* The largest singular value of the matrix with these vectors (count, length), by the power method: within a few percent, as far as anybody asks. `x` (length) and
 * `y` (count) are work space. */
double hbg_vectors_norm(const double *vectors, int32_t count, int32_t length, double *x, double *y);

static inline double *hbg_reflections_column(const HbgReflections *self, int32_t at) { return self->columns + (size_t)at * (size_t)self->m; }

/* Column after column. False: one depends on those before it, and adds no more than `least` to them. */
bool hbg_reflections_make(HbgReflections *self, double least);
/* The longest of what is left first (Businger and Golub 1965): column k of R is that of column order[k] of A. Answers how many add more than `least`; what the others add
 * is at most `*rest`. */
int32_t hbg_reflections_make_in_order(HbgReflections *self, int32_t *order, double least, double *rest);
/* Reflection `k`, which is its own inverse, of the vector `x` (m): x - v v'x, since v has the square length two. */
void hbg_reflect(const HbgReflections *self, int32_t k, double *x);

#endif

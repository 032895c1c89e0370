/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/matrix_exponential.h"

#include <math.h>

typedef struct Square {
  long double at[EXPONENTIAL_WIDTH][EXPONENTIAL_WIDTH];
} Square;

static Square multiply(int32_t width, const Square *a, const Square *b) {
  Square product = {{{0}}};
  for (int32_t i = 0; i < width; i++)
    for (int32_t j = 0; j < width; j++)
      for (int32_t k = 0; k < width; k++) product.at[i][j] += a->at[i][k] * b->at[k][j];
  return product;
}

/* exp(M) - 1, so that squaring does not lose what is small beside 1. */
static Square series(int32_t width, const Square *m) {
  Square sum = *m, term = *m;
  for (int32_t k = 2; k < 30; k++) {
    term = multiply(width, &term, m);
    for (int32_t i = 0; i < width; i++)
      for (int32_t j = 0; j < width; j++) sum.at[i][j] += term.at[i][j] /= k;
  }
  return sum;
}

void follow_by_exponential(int32_t n, const double *a, const double *b, const double *x0, double h, double *x) {
  const int32_t width = n + 1;
  Square m = {{{0}}};
  long double norm = 0;
  for (int32_t i = 0; i < n; i++) {
    long double row = 0;
    for (int32_t j = 0; j < width; j++) row += fabsl(m.at[i][j] = (j < n ? a[i * n + j] : b[i]) * (long double)h);
    norm = fmaxl(norm, row);
  }
  int squarings = 0;
  for (; norm > 0.5L; norm /= 2) squarings++;
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j < width; j++) m.at[i][j] = ldexpl(m.at[i][j], -squarings);
  Square change = series(width, &m); // exp - 1; (1 + c)^2 - 1 = 2 c + c c
  for (int i = 0; i < squarings; i++) {
    const Square square = multiply(width, &change, &change);
    for (int32_t k = 0; k < n; k++)
      for (int32_t j = 0; j < width; j++) change.at[k][j] = 2 * change.at[k][j] + square.at[k][j];
  }
  for (int32_t i = 0; i < n; i++) {
    long double sum = x0[i] + change.at[i][n];
    for (int32_t j = 0; j < n; j++) sum += change.at[i][j] * x0[j];
    x[i] = (double)sum;
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * S = Q R by Householder reflections, S+ = R^-1 Q'; what its norm and that of S are decides whether the rank is in doubt. Golub and Van Loan,
 * Matrix Computations, 4th ed. 2013, 5.2 and 5.3. */
#include "numerics/least_squares_regular.h"

#include <math.h>
#include <string.h>

enum { SMALL = 12 };                  /* columns */
static const double CLEARLY = 1e-7;   /* smallest singular value by largest */
static const double FAR_FROM = 1e4;   /* times the tolerance at which rank is decided, it is in no doubt either */

typedef struct Regular {
  HbgLeastSquares *system;
  int32_t m, n;
  double *columns;  /* (n, m) reflections, from their diagonal on, and R above it */
  double *diagonal; /* (n) of R */
  double *inverse;  /* (n, n) of R, its rows */
} Regular;

static double *column_of(const Regular *self, int32_t at) { return self->columns + (size_t)at * (size_t)self->m; }

/* In four sums, so that none has to wait for the one before. */
static double dot(int32_t n, const double *x, const double *y) {
  double sum[4] = {0, 0, 0, 0};
  int32_t at = 0;
  for (; at + 4 <= n; at += 4)
    for (int32_t k = 0; k < 4; k++) sum[k] += x[at + k] * y[at + k];
  for (; at < n; at++) sum[0] += x[at] * y[at];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add(int32_t n, double *restrict x, double factor, const double *restrict y) {
  for (int32_t at = 0; at < n; at++) x[at] += factor * y[at];
}

/* Reflection `k`, which is its own inverse, of the vector `x` (m): x - v v'x, since v has the square length two. */
static void reflect(const Regular *self, int32_t k, double *x) {
  const double *v = column_of(self, k) + k;
  const double product = dot(self->m - k, v, x + k);
  if (fabs(product) > 0) add(self->m - k, x + k, -product, v);
}

/* False: a column depends on those before it. */
static bool triangularise(Regular *self) {
  for (int32_t k = 0; k < self->n; k++) {
    double *v = column_of(self, k) + k;
    const int32_t length = self->m - k;
    const double norm = sqrt(dot(length, v, v)), sign = v[0] < 0 ? -1 : 1;
    if (!(norm > CLEARLY)) return false;
    self->diagonal[k] = -sign * norm;
    v[0] += sign * norm;
    const double scale = 1 / sqrt(norm * fabs(v[0])); // v'v = 2 norm |v0|, becomes 2
    for (int32_t at = 0; at < length; at++) v[at] *= scale;
    for (int32_t j = k + 1; j < self->n; j++) reflect(self, k, column_of(self, j));
  }
  return true;
}

/* R X = 1, row by row from the last. */
static void invert_triangle(Regular *self) {
  const int32_t n = self->n;
  for (int32_t row = n - 1; row >= 0; row--) {
    double *x = self->inverse + (size_t)row * (size_t)n;
    memset(x, 0, (size_t)n * sizeof *x);
    x[row] = 1;
    for (int32_t j = row + 1; j < n; j++) {
      const double entry = column_of(self, j)[row];
      if (fabs(entry) > 0) add(n - j, x + j, -entry, self->inverse + (size_t)j * (size_t)n + j);
    }
    for (int32_t j = row; j < n; j++) x[j] /= self->diagonal[row];
  }
}

/* Rows of X Q', which is those of X reflected from the last reflection to the first. */
static void multiply_by_q(Regular *self) {
  for (int32_t row = 0; row < self->n; row++) {
    double *out = self->system->inverse + (size_t)row * (size_t)self->m;
    memset(out, 0, (size_t)self->m * sizeof *out);
    memcpy(out, self->inverse + (size_t)row * (size_t)self->n, (size_t)self->n * sizeof *out);
    for (int32_t k = self->n - 1; k >= 0; k--) reflect(self, k, out);
  }
}

/* ---- norms ---- */

/* The largest singular value of the matrix with these vectors (count, length), by the power method: within a few percent, as far
 * as anybody asks. */
static double norm_of(const double *vectors, int32_t count, int32_t length, double *x, double *y) {
  enum { ROUNDS = 12 };
  double norm = 0;
  for (int32_t at = 0; at < length; at++) x[at] = 1 + 0.1 * (at % 7); // not orthogonal to what is usual
  for (int round = 0; round < ROUNDS; round++) {
    const double size = sqrt(dot(length, x, x));
    if (!(size > 0)) return norm;
    for (int32_t at = 0; at < length; at++) x[at] /= size;
    for (int32_t k = 0; k < count; k++) y[k] = dot(length, vectors + (size_t)k * (size_t)length, x);
    norm = sqrt(dot(count, y, y));
    memset(x, 0, (size_t)length * sizeof *x);
    for (int32_t k = 0; k < count; k++) add(length, x, y[k], vectors + (size_t)k * (size_t)length);
  }
  return norm;
}

/* Until here the inverse is that of the scaled matrix. `left`: (m + n). */
static bool is_clear(const Regular *self, double tolerance, double *left) {
  HbgLeastSquares *system = self->system;
  const double largest = norm_of(system->u, self->n, self->m, left, left + self->m);
  const double smallest = 1 / norm_of(system->inverse, self->n, self->m, left, left + self->m);
  for (int32_t at = 0; at < self->n; at++) system->singular_value[at] = at ? smallest : largest;
  return smallest > fmax(CLEARLY, FAR_FROM * tolerance) * largest;
}

static void unscale(Regular *self) {
  HbgLeastSquares *system = self->system;
  for (int32_t row = 0; row < self->n; row++)
    for (int32_t at = 0; at < self->m; at++)
      system->inverse[(size_t)row * (size_t)self->m + (size_t)at] *= system->column_scale[row] * system->row_scale[at];
}

bool hbg_least_squares_invert_regular(HbgLeastSquares *system, double tolerance) {
  const int32_t m = system->m, n = system->n;
  if (n <= SMALL || m < n) return false;
  // work space of the decomposition, which is not needed for this
  Regular self = {system, m, n, system->work, system->singular_value, system->null_space};
  memcpy(self.columns, system->u, (size_t)m * (size_t)n * sizeof(double));
  if (!triangularise(&self)) return false;
  invert_triangle(&self);
  multiply_by_q(&self);
  if (!is_clear(&self, tolerance, system->size)) return false;
  unscale(&self);
  system->rank = n;
  for (int32_t at = 0; at < n; at++) system->determined[at] = true;
  return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/reflections.h"

#include <math.h>
#include <string.h>

#include "numerics/clones.h"

/* Four sums, so that none waits for itself. */
CLONES static double dot(int32_t n, const double *x, const double *y) {
  double sum[4] = {0, 0, 0, 0};
  int32_t at = 0;
  for (; at + 4 <= n; at += 4)
    for (int32_t k = 0; k < 4; k++) sum[k] += x[at + k] * y[at + k];
  for (; at < n; at++) sum[0] += x[at] * y[at];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

CLONES static void add(int32_t n, double *restrict x, double factor, const double *restrict y) {
  for (int32_t at = 0; at < n; at++) x[at] += factor * y[at];
}

double hbg_vector_dot(int32_t n, const double *x, const double *y) { return dot(n, x, y); }

void hbg_vector_add(int32_t n, double *restrict x, double factor, const double *restrict y) { add(n, x, factor, y); }

double hbg_vectors_norm(const double *vectors, int32_t count, int32_t length, double *x, double *y) {
  enum { ROUNDS = 12 };
  double norm = 0;
  for (int32_t at = 0; at < length; at++) x[at] = 1 + 0.1 * (at % 7); // not orthogonal to what is usual
  for (int round = 0; round < ROUNDS; round++) {
    const double size = sqrt(hbg_vector_dot(length, x, x));
    if (!(size > 0)) return norm;
    for (int32_t at = 0; at < length; at++) x[at] /= size;
    for (int32_t k = 0; k < count; k++) y[k] = hbg_vector_dot(length, vectors + (size_t)k * (size_t)length, x);
    norm = sqrt(hbg_vector_dot(count, y, y));
    memset(x, 0, (size_t)length * sizeof *x);
    for (int32_t k = 0; k < count; k++) hbg_vector_add(length, x, y[k], vectors + (size_t)k * (size_t)length);
  }
  return norm;
}

void hbg_reflect(const HbgReflections *self, int32_t k, double *x) {
  const double *v = hbg_reflections_column(self, k) + k;
  const int32_t length = self->ends[k] - k;
  const double product = hbg_vector_dot(length, v, x + k);
  if (fabs(product) > 0) hbg_vector_add(length, x + k, -product, v);
}

/* The length of what is not zero: of as many numbers more as are summed up side by side, so that it makes no difference to any sum. */
static int32_t length_of(const double *v, int32_t most) {
  int32_t length = most;
  while (length > 1 && !(fabs(v[length - 1]) > 0)) length--;
  length = (length + 3) / 4 * 4;
  return length < most ? length : most;
}

/* What column `at` adds to those before column `k`. */
static double length_from(const HbgReflections *self, int32_t at, int32_t k) {
  const double *x = hbg_reflections_column(self, at) + k;
  return sqrt(hbg_vector_dot(self->m - k, x, x));
}

/* Column `k`, of which `norm` is left, becomes a reflection, and all behind it are reflected. */
static void make_reflection(HbgReflections *self, int32_t k, double norm) {
  double *v = hbg_reflections_column(self, k) + k;
  const double sign = v[0] < 0 ? -1 : 1;
  self->diagonal[k] = -sign * norm;
  v[0] += sign * norm;
  const double scale = 1 / sqrt(norm * fabs(v[0])); // v'v = 2 norm |v0|, becomes 2
  const int32_t length = length_of(v, self->m - k);
  self->ends[k] = k + length;
  for (int32_t at = 0; at < length; at++) v[at] *= scale;
  for (int32_t j = k + 1; j < self->n; j++) hbg_reflect(self, k, hbg_reflections_column(self, j));
}

bool hbg_reflections_make(HbgReflections *self, double least) {
  for (int32_t k = 0; k < self->n; k++) {
    const double norm = length_from(self, k, k);
    if (!(norm > least)) return false;
    make_reflection(self, k, norm);
  }
  return true;
}

static void exchange(HbgReflections *self, int32_t *order, int32_t a, int32_t b) {
  if (a == b) return;
  double *x = hbg_reflections_column(self, a), *y = hbg_reflections_column(self, b);
  for (int32_t at = 0; at < self->m; at++) {
    const double other = x[at];
    x[at] = y[at];
    y[at] = other;
  }
  const int32_t other = order[a];
  order[a] = order[b];
  order[b] = other;
}

int32_t hbg_reflections_make_in_order(HbgReflections *self, int32_t *order, double least, double *rest) {
  *rest = 0;
  for (int32_t at = 0; at < self->n; at++) order[at] = at;
  for (int32_t k = 0; k < self->n; k++) {
    int32_t longest = k;
    double norm = k < self->m ? length_from(self, k, k) : 0;
    for (int32_t at = k + 1; at < self->n && k < self->m; at++) {
      const double other = length_from(self, at, k);
      if (other > norm) norm = other, longest = at;
    }
    if (!(norm > least)) {
      *rest = norm;
      return k;
    }
    exchange(self, order, k, longest);
    make_reflection(self, k, norm);
  }
  return self->n;
}

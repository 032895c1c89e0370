/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/symmetric.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"

/* ---- three diagonals ---- */

/* The vector v of the reflection 1 - 2 v v' / |v|^2 that leaves only the first of x (count), and what that becomes. False where there is nothing to reflect. */
static bool reflection(int32_t count, const double *x, double *v, double *first) {
  double rest = 0;
  for (int32_t i = 1; i < count; i++) rest += x[i] * x[i];
  *first = x[0];
  if (!(rest > 0)) return false;
  *first = -copysign(sqrt(x[0] * x[0] + rest), x[0]);
  v[0] = x[0] - *first;
  for (int32_t i = 1; i < count; i++) v[i] = x[i];
  return true;
}

static double square_of(int32_t count, const double *v) {
  double sum = 0;
  for (int32_t i = 0; i < count; i++) sum += v[i] * v[i];
  return sum;
}

/* The square (count) from `a` on, whose rows are n apart, reflected from both sides: A - v w' - w v'. */
static void reflect_square(int32_t n, int32_t count, double beta, const double *v, double *a, double *w) {
  double shared = 0;
  for (int32_t i = 0; i < count; i++) {
    double sum = 0;
    for (int32_t j = 0; j < count; j++) sum += a[i * n + j] * v[j];
    w[i] = beta * sum;
    shared += w[i] * v[i];
  }
  for (int32_t i = 0; i < count; i++) w[i] -= 0.5 * beta * shared * v[i];
  for (int32_t i = 0; i < count; i++)
    for (int32_t j = 0; j < count; j++) a[i * n + j] -= v[i] * w[j] + w[i] * v[j];
}

/* Rows (count, n) reflected. */
static void reflect_rows(int32_t n, int32_t count, double beta, const double *v, double *rows, double *sum) {
  memset(sum, 0, (size_t)n * sizeof *sum);
  for (int32_t i = 0; i < count; i++)
    for (int32_t j = 0; j < n; j++) sum[j] += v[i] * rows[i * n + j];
  for (int32_t i = 0; i < count; i++) {
    const double factor = beta * v[i];
    for (int32_t j = 0; j < n; j++) rows[i * n + j] -= factor * sum[j];
  }
}

/* The diagonal, what stands beside it (n - 1), and Q of A = Q' T Q; `a` is changed. */
static void reduce(int32_t n, double *a, double *diagonal, double *beside, double *q, double *room) {
  double *v = room, *w = room + n;
  for (int32_t i = 0; i < n; i++) q[i * n + i] = 1;
  for (int32_t k = 0; k + 1 < n; k++) {
    const int32_t count = n - k - 1;
    if (!reflection(count, a + k * (n + 1) + 1, v, &beside[k])) continue;
    const double beta = 2 / square_of(count, v);
    reflect_square(n, count, beta, v, a + (k + 1) * (n + 1), w);
    reflect_rows(n, count, beta, v, q + (k + 1) * n, w);
  }
  for (int32_t i = 0; i < n; i++) diagonal[i] = a[i * (n + 1)];
}

/* ---- QR steps ---- */

/* That of the last two by two that is next to its last number. */
static double wilkinson_shift(const double *diagonal, const double *beside, int32_t last) {
  const double half = (diagonal[last - 1] - diagonal[last]) / 2, b = beside[last - 1];
  const double far = half + copysign(sqrt(half * half + b * b), half);
  return diagonal[last] - (hbg_is_zero(far) ? 0 : b / far * b);
}

/* Rows one and other (n) turned into c one + s other and c other - s one. */
static void turn_rows(int32_t n, double c, double s, double *restrict one, double *restrict other) {
  for (int32_t j = 0; j < n; j++) {
    const double a = one[j], b = other[j];
    one[j] = c * a + s * b;
    other[j] = c * b - s * a;
  }
}

/* One step on what stands from `low` to `last`: a number beside the three diagonals is driven down along them. */
static void qr_step(int32_t n, int32_t low, int32_t last, double *diagonal, double *beside, double *q) {
  double along = diagonal[low] - wilkinson_shift(diagonal, beside, last), across = beside[low];
  for (int32_t k = low; k < last; k++) {
    const double size = sqrt(along * along + across * across), c = size > 0 ? along / size : 1, s = size > 0 ? across / size : 0;
    const double a = diagonal[k], b = beside[k], d = diagonal[k + 1];
    if (k > low) beside[k - 1] = size;
    diagonal[k] = c * (c * a + 2 * s * b) + s * s * d;
    diagonal[k + 1] = s * (s * a - 2 * c * b) + c * c * d;
    beside[k] = c * s * (d - a) + (c - s) * (c + s) * b;
    turn_rows(n, c, s, q + k * n, q + (k + 1) * n);
    if (k + 1 == last) break;
    along = beside[k];
    across = s * beside[k + 1];
    beside[k + 1] *= c;
  }
}

/* Does it leave no more of the matrix than round-off? Small values are not asked for by themselves. */
static bool is_nothing(const double *beside, int32_t k, double size) { return fabs(beside[k]) <= DBL_EPSILON / 2 * size; }

/* Only the diagonal is left. False where that takes too long, which no finite matrix does. */
static bool make_diagonal(int32_t n, double *diagonal, double *beside, double *q) {
  enum { MOST_STEPS = 60 };
  double size = 0;
  for (int32_t k = 0; k < n; k++) size = hbg_larger(size, fabs(diagonal[k]) + (k + 1 < n ? fabs(beside[k]) : 0));
  int32_t steps = 0;
  for (int32_t last = n - 1; last > 0;) {
    int32_t low = last;
    while (low > 0 && !is_nothing(beside, low - 1, size)) low--;
    if (low == last) {
      last--;
      steps = 0;
      continue;
    }
    if (steps++ == MOST_STEPS) return false;
    qr_step(n, low, last, diagonal, beside, q);
  }
  return true;
}

/* So that its largest number lies in [1, 2), and squares neither overflow nor vanish: the power of two that it is to be multiplied with. */
static double unit_of(int32_t n, const double *matrix) {
  double size = 0;
  for (int32_t i = 0; i < n * n; i++) size = hbg_larger(size, fabs(matrix[i]));
  return size > 0 ? ldexp(1, -hbg_exponent(size)) : 1;
}

bool hbg_symmetric_modes(int32_t n, const double *matrix, double *values, double *vectors, HbgArena *scratch) {
  if (!hbg_all_finite(n * n, matrix)) return false;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  const double unit = unit_of(n, matrix);
  double *a = ARENA_NEW(scratch, double, n *n), *beside = ARENA_NEW(scratch, double, n), *room = ARENA_NEW(scratch, double, 2 * n);
  for (int32_t i = 0; i < n * n; i++) a[i] = unit * matrix[i], vectors[i] = 0;
  reduce(n, a, values, beside, vectors, room);
  const bool is_done = make_diagonal(n, values, beside, vectors);
  for (int32_t i = 0; i < n; i++) values[i] /= unit;
  hbg_arena_rewind(scratch, mark);
  return is_done;
}

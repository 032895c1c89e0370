/* SPDX-License-Identifier: BSD-3-Clause
 * S = Q R by Householder reflections, S+ = R^-1 Q'; what its norm and that of S are decides whether the rank is in doubt. Golub and Van Loan,
 * Matrix Computations, 4th ed. 2013, 5.2 and 5.3; where the rank is not full, 5.5: S P = Q [T; 0], T' = Z [U; 0], S+ = P Z [U'^-1; 0] Q'. */
#include "numerics/least_squares_regular.h"

#include <math.h>
#include <string.h>

#include "numerics/reflections.h"

enum { SMALL = 12, FEW = 8 };       /* columns; where something is open, the decomposition takes longer */
static const double CLEARLY = 1e-7;   /* smallest singular value by largest */
static const double FAR_FROM = 1e4;   /* times the tolerance at which rank is decided, it is in no doubt either */
static const double NOTHING = 0.1;    /* of that tolerance: what is less is round-off */

static double clearly(double tolerance) { return fmax(CLEARLY, FAR_FROM * tolerance); }

/* R X = 1, row by row from the last; X (n, n). */
static void invert_triangle(const HbgReflections *self, double *inverse) {
  const int32_t n = self->n;
  for (int32_t row = n - 1; row >= 0; row--) {
    double *x = inverse + (size_t)row * (size_t)n;
    memset(x, 0, (size_t)n * sizeof *x);
    x[row] = 1;
    for (int32_t j = row + 1; j < n; j++) {
      const double entry = hbg_reflections_column(self, j)[row];
      if (fabs(entry) > 0) hbg_vector_add(n - j, x + j, -entry, inverse + (size_t)j * (size_t)n + j);
    }
    for (int32_t j = row; j < n; j++) x[j] /= self->diagonal[row];
  }
}

/* Rows of X Q', which is those of X reflected from the last reflection to the first. */
static void multiply_by_q(const HbgReflections *self, const double *inverse, double *out) {
  for (int32_t row = 0; row < self->n; row++, out += self->m) {
    memset(out, 0, (size_t)self->m * sizeof *out);
    memcpy(out, inverse + (size_t)row * (size_t)self->n, (size_t)self->n * sizeof *out);
    for (int32_t k = self->n - 1; k >= 0; k--) hbg_reflect(self, k, out);
  }
}

/* Until here the inverse is that of the scaled matrix. */
static bool is_clear(HbgLeastSquares *system, int32_t rank, double tolerance) {
  double *left = system->size; // (m + n)
  const double largest = hbg_vectors_norm(system->u, system->n, system->m, left, left + system->m);
  const double smallest = 1 / hbg_vectors_norm(system->inverse, system->n, system->m, left, left + system->m);
  for (int32_t at = 0; at < system->n; at++) system->singular_value[at] = at >= rank ? 0 : at ? smallest : largest;
  return smallest > clearly(tolerance) * largest;
}

static void unscale(HbgLeastSquares *system) {
  for (int32_t row = 0; row < system->n; row++)
    for (int32_t at = 0; at < system->m; at++)
      system->inverse[(size_t)row * (size_t)system->m + (size_t)at] *= system->column_scale[row] * system->row_scale[at];
}

static void reset_vectors(HbgLeastSquares *system) {
  memset(system->v, 0, (size_t)system->n * (size_t)system->n * sizeof *system->v);
  for (int32_t at = 0; at < system->n; at++) system->v[(size_t)at * (size_t)system->n + (size_t)at] = 1;
}

bool hbg_least_squares_invert_regular(HbgLeastSquares *system, double tolerance) {
  const int32_t m = system->m, n = system->n;
  if (n <= SMALL || m < n) return false;
  // work space of the decomposition, which is not needed for this
  HbgReflections self = {m, n, system->work, system->singular_value, system->part};
  memcpy(self.columns, system->u, (size_t)m * (size_t)n * sizeof(double));
  if (!hbg_reflections_make(&self, CLEARLY)) return false;
  invert_triangle(&self, system->v);
  multiply_by_q(&self, system->v, system->inverse);
  reset_vectors(system);
  if (!is_clear(system, n, tolerance)) return false;
  unscale(system);
  system->rank = n;
  for (int32_t at = 0; at < n; at++) system->determined[at] = true;
  return true;
}

/* ---- where something is left open ---- */

/* The rows of T, as columns, in the order of the unknowns. */
static void take_rows(const HbgReflections *self, const int32_t *order, int32_t rank, double *rows) {
  for (int32_t k = 0; k < rank; k++) {
    double *row = rows + (size_t)k * (size_t)self->n;
    memset(row, 0, (size_t)self->n * sizeof *row);
    row[order[k]] = self->diagonal[k];
    for (int32_t j = k + 1; j < self->n; j++) row[order[j]] = hbg_reflections_column(self, j)[k];
  }
}

/* The first rows of U'^-1 Q' (rank, m), from the first to the last. */
static void solve_lower(const HbgReflections *q, const HbgReflections *z, double *out) {
  for (int32_t k = 0; k < z->n; k++) {
    double *row = out + (size_t)k * (size_t)q->m;
    memset(row, 0, (size_t)q->m * sizeof *row);
    row[k] = 1;
    for (int32_t reflection = k; reflection >= 0; reflection--) hbg_reflect(q, reflection, row);
    for (int32_t before = 0; before < k; before++) hbg_vector_add(q->m, row, -hbg_reflections_column(z, k)[before], out + (size_t)before * (size_t)q->m);
    for (int32_t at = 0; at < q->m; at++) row[at] /= z->diagonal[k];
  }
}

/* Z times the rows of `out` (n, m), of which those behind the rank are nothing at first. `sum`: (m). */
static void multiply_by_z(const HbgReflections *z, int32_t m, double *out, double *sum) {
  const int32_t n = z->m, rank = z->n;
  memset(out + (size_t)rank * (size_t)m, 0, (size_t)(n - rank) * (size_t)m * sizeof *out);
  for (int32_t k = rank - 1; k >= 0; k--) {
    const double *v = hbg_reflections_column(z, k);
    memset(sum, 0, (size_t)m * sizeof *sum);
    for (int32_t row = k; row < n; row++)
      if (fabs(v[row]) > 0) hbg_vector_add(m, sum, v[row], out + (size_t)row * (size_t)m);
    for (int32_t row = k; row < n; row++)
      if (fabs(v[row]) > 0) hbg_vector_add(m, out + (size_t)row * (size_t)m, -v[row], sum);
  }
}

/* The last columns of Z are at right angles to all rows of T. */
static void take_null_vectors(const HbgReflections *z, HbgLeastSquares *system) {
  for (int32_t at = z->n; at < z->m; at++) {
    double *vector = system->v + (size_t)at * (size_t)z->m;
    memset(vector, 0, (size_t)z->m * sizeof *vector);
    vector[at] = 1;
    for (int32_t k = z->n - 1; k >= 0; k--) hbg_reflect(z, k, vector);
  }
  for (int32_t at = 0; at < z->m; at++) system->order[at] = at;
}

bool hbg_least_squares_invert_deficient(HbgLeastSquares *system, double tolerance) {
  const int32_t m = system->m, n = system->n;
  if (n <= FEW) return false;
  HbgReflections q = {m, n, system->work, system->singular_value, system->part};
  memcpy(q.columns, system->u, (size_t)m * (size_t)n * sizeof(double));
  const double longest = hbg_vectors_norm(system->u, n, m, system->size, system->size + m);
  double rest;
  const int32_t rank = hbg_reflections_make_in_order(&q, system->order, clearly(tolerance) * longest, &rest);
  if (rank == 0 || rank == n || rest > NOTHING * tolerance * longest) return false;
  HbgReflections z = {n, rank, system->v, system->size, system->part + n};
  take_rows(&q, system->order, rank, system->v);
  bool is_found = hbg_reflections_make(&z, CLEARLY * longest);
  if (is_found) {
    solve_lower(&q, &z, system->inverse);
    multiply_by_z(&z, m, system->inverse, system->size + n);
    take_null_vectors(&z, system);
    is_found = is_clear(system, rank, tolerance);
  }
  if (is_found) {
    unscale(system);
    system->rank = rank;
  } else {
    reset_vectors(system);
  }
  return is_found;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Pseudo-inverse and null spaces from a one-sided Jacobi singular value decomposition.
 *
 * Rank is decided on the scaled matrix S = R A C (R, C diagonal). Norms are meant for the matrix as given: so the null
 * space is brought back to the given units, made orthonormal there, and taken out of the pseudo-inverse. */
#include "numerics/least_squares.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/least_squares_regular.h"
#include "numerics/reflections.h"

#define ROUND_OFF (4 * DBL_EPSILON) /* of what an entry of the inverse is made of */
#define NOTHING 0x1p-92             /* of the largest entry of a row, in scaled units: what refining leaves of round-off */
enum { MOST_EXPONENT = 1000 };      /* of a number whose scale is a number as well, with all its digits */

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/* What is in it nobody needs any more. */
static void enlarge_room(HbgLeastSquaresRoom *room, size_t needed) {
  if (room->count >= needed) return;
  room->count = needed > 2 * room->count ? needed : 2 * room->count;
  hbg_arena_give_back(room->arena, room->numbers);
  room->numbers = ARENA_FULL(room->arena, double, room->count);
}

HbgLeastSquares hbg_least_squares_in(HbgLeastSquaresRoom *room, HbgArena *arena, int32_t m, int32_t n) {
  const size_t rows = (size_t)m, columns = (size_t)n, most = (size_t)larger(m, n);
  enlarge_room(room, columns * rows + columns * columns + most * most);
  return (HbgLeastSquares){
      .m = m,
      .n = n,
      .arena = arena,
      .inverse = ARENA_NEW(arena, double, columns *rows),
      .singular_value = ARENA_NEW(arena, double, columns),
      .determined = ARENA_NEW(arena, bool, columns),
      .a = ARENA_NEW(arena, double, rows *columns),
      .row_scale = ARENA_NEW(arena, double, rows),
      .column_scale = ARENA_NEW(arena, double, columns),
      .room = room,
      .size = ARENA_NEW(arena, double, rows + columns),
      .order = ARENA_NEW(arena, int32_t, columns),
      .part = ARENA_NEW(arena, int32_t, columns + rows),
  };
}

HbgLeastSquares hbg_least_squares(HbgArena *arena, int32_t m, int32_t n) {
  HbgLeastSquaresRoom *room = ARENA_NEW(arena, HbgLeastSquaresRoom, 1);
  room->arena = arena;
  return hbg_least_squares_in(room, arena, m, n);
}

/* Others may have been in it, and it may lie elsewhere by now. */
static void enter_room(HbgLeastSquares *system) {
  const size_t m = (size_t)system->m, n = (size_t)system->n;
  system->u = system->room->numbers;
  system->v = system->u + n * m;
  system->work = system->v + n * n;
}

/* ---- vectors ---- */

static double *vector_of(double *vectors, int32_t length, int32_t i) { return vectors + (size_t)i * (size_t)length; }

static double dot(int32_t n, const double *x, const double *y) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void subtract(int32_t n, double *restrict x, double factor, const double *restrict y) {
  for (int32_t i = 0; i < n; i++) x[i] -= factor * y[i];
}

static void divide(int32_t n, double *x, double divisor) {
  for (int32_t i = 0; i < n; i++) x[i] /= divisor;
}

static void rotate(int32_t n, double *restrict x, double *restrict y, double c, double s) {
  for (int32_t i = 0; i < n; i++) {
    const double turned = c * x[i] - s * y[i];
    y[i] = s * x[i] + c * y[i];
    x[i] = turned;
  }
}

/* ---- singular values ---- */

/* u := columns of the scaled matrix, v := identity. False when a number is not finite. */
static bool load(HbgLeastSquares *system) {
  const int32_t m = system->m, n = system->n;
  for (int32_t j = 0; j < n; j++) {
    double *column = vector_of(system->u, m, j);
    for (int32_t i = 0; i < m; i++) {
      column[i] = vector_of(system->a, n, i)[j] * system->row_scale[i] * system->column_scale[j];
      if (!isfinite(column[i])) return false;
    }
    double *unit = vector_of(system->v, n, j);
    for (int32_t k = 0; k < n; k++) unit[k] = k == j ? 1 : 0;
  }
  return true;
}

/* Makes columns p and q of u orthogonal; false when they are already. */
static bool orthogonalise(HbgLeastSquares *system, int32_t p, int32_t q) {
  const int32_t m = system->m;
  double *x = vector_of(system->u, m, p), *y = vector_of(system->u, m, q);
  const double mixed = dot(m, x, y);
  if (!(fabs(mixed) > 0)) return false;
  const double a = dot(m, x, x), b = dot(m, y, y);
  if (fabs(mixed) <= 4 * DBL_EPSILON * sqrt(a) * sqrt(b) || sqrt(a * b) < DBL_MIN) return false;
  const double zeta = (b - a) / (2 * mixed);
  const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot(1, zeta));
  const double c = 1 / hypot(1, t);
  rotate(m, x, y, c, c * t);
  rotate(system->n, vector_of(system->v, system->n, p), vector_of(system->v, system->n, q), c, c * t);
  return true;
}

static void sort_by_size(HbgLeastSquares *system) {
  for (int32_t j = 0; j < system->n; j++) {
    const double *column = vector_of(system->u, system->m, j);
    const double size = sqrt(dot(system->m, column, column));
    int32_t place = j;
    for (; place > 0 && system->singular_value[place - 1] < size; place--) {
      system->singular_value[place] = system->singular_value[place - 1];
      system->order[place] = system->order[place - 1];
    }
    system->singular_value[place] = size;
    system->order[place] = j;
  }
}

static void decompose(HbgLeastSquares *system) {
  bool turned = true;
  for (int sweep = 0; sweep < 60 && turned; sweep++) {
    turned = false;
    for (int32_t p = 0; p < system->n; p++) {
      for (int32_t q = p + 1; q < system->n; q++) turned = orthogonalise(system, p, q) || turned;
    }
  }
  sort_by_size(system);
}

static int32_t rank_of(const HbgLeastSquares *system, double tolerance) {
  int32_t rank = 0;
  const int32_t most = system->m < system->n ? system->m : system->n;
  while (rank < most && system->singular_value[rank] > tolerance * system->singular_value[0]) rank++;
  return rank;
}

/* ---- null spaces ---- */

/* The largest entry of vectors `from`... of the list. */
static void find_pivot(double *vectors, int32_t count, int32_t length, int32_t from, int32_t *vector, int32_t *place) {
  *vector = from;
  *place = 0;
  for (int32_t k = from; k < count; k++) {
    for (int32_t i = 0; i < length; i++) {
      const double best = fabs(vector_of(vectors, length, *vector)[*place]);
      if (fabs(vector_of(vectors, length, k)[i]) > best) {
        *vector = k;
        *place = i;
      }
    }
  }
}

/* Gauss-Jordan with complete pivoting: a basis of the same space in which every vector has a place of its own. What
 * belongs to different units is separated by this, and what is zero but for round-off becomes zero. */
static void separate(double *vectors, int32_t count, int32_t length) {
  for (int32_t k = 0; k < count; k++) {
    int32_t best, place;
    find_pivot(vectors, count, length, k, &best, &place);
    double *chosen = vector_of(vectors, length, k);
    for (int32_t i = 0; i < length && best != k; i++) {
      const double value = chosen[i];
      chosen[i] = vector_of(vectors, length, best)[i];
      vector_of(vectors, length, best)[i] = value;
    }
    divide(length, chosen, chosen[place]);
    for (int32_t other = 0; other < count; other++) {
      double *vector = vector_of(vectors, length, other);
      if (other != k) subtract(length, vector, vector[place], chosen);
    }
  }
  for (size_t i = 0; i < (size_t)count * (size_t)length; i++) {
    if (fabs(vectors[i]) < 1e-12) vectors[i] = 0;
  }
}

/* Gram-Schmidt, twice, against the `k` vectors before. */
static void make_orthonormal(double *vectors, int32_t k, int32_t length) {
  double *vector = vector_of(vectors, length, k);
  for (int pass = 0; pass < 2; pass++) {
    divide(length, vector, sqrt(dot(length, vector, vector)));
    for (int32_t other = 0; other < k; other++) {
      const double *before = vector_of(vectors, length, other);
      subtract(length, vector, dot(length, vector, before), before);
    }
  }
  divide(length, vector, sqrt(dot(length, vector, vector)));
}

/* `vectors`: an orthonormal basis in scaled units; `out` (length, count): one in the given units. */
static void unscale_basis(double *vectors, int32_t count, int32_t length, const double *scale, double *out) {
  separate(vectors, count, length);
  for (int32_t k = 0; k < count; k++) {
    double *vector = vector_of(vectors, length, k);
    for (int32_t i = 0; i < length; i++) vector[i] *= scale[i];
    make_orthonormal(vectors, k, length);
    for (int32_t i = 0; i < length; i++) vector_of(out, count, i)[k] = vector[i];
  }
}

/* The arena may have been left since it was made, which the other one has not: who is told when memory is refused has changed. */
static void make_room_for_null_space(HbgLeastSquares *system) {
  system->arena->on_failure = system->room->arena->on_failure;
  system->null_space = ARENA_NEW(system->arena, double, (size_t)system->n * (size_t)system->n);
}

static void find_null_space(HbgLeastSquares *system) {
  const int32_t n = system->n, count = n - system->rank;
  if (!system->null_space) make_room_for_null_space(system);
  for (int32_t k = 0; k < count; k++) {
    memcpy(vector_of(system->work, n, k), vector_of(system->v, n, system->order[system->rank + k]),
           (size_t)n * sizeof(double));
  }
  unscale_basis(system->work, count, n, system->column_scale, system->null_space);
  for (int32_t j = 0; j < n; j++) {
    system->determined[j] = true;
    for (int32_t k = 0; k < count; k++) {
      if (fabs(vector_of(system->null_space, count, j)[k]) > 0) system->determined[j] = false;
    }
  }
}

/* ---- pseudo-inverse ---- */

/* C S+ R, with S+ = sum over the rank of v u' / s; the columns in `u` still carry their s. */
static void invert_scaled(HbgLeastSquares *system) {
  const int32_t m = system->m, n = system->n;
  for (int32_t j = 0; j < n; j++) {
    double *row = vector_of(system->inverse, m, j);
    for (int32_t i = 0; i < m; i++) row[i] = 0;
    for (int32_t k = 0; k < system->rank; k++) {
      const double s = system->singular_value[k];
      const double *u = vector_of(system->u, m, system->order[k]);
      const double v = vector_of(system->v, n, system->order[k])[j];
      if (fabs(v) > 0) subtract(m, row, -v / s / s, u);
    }
    for (int32_t i = 0; i < m; i++) row[i] *= system->column_scale[j] * system->row_scale[i];
  }
}

/* Takes null vector `k` out of column `i` of the pseudo-inverse. */
static void take_out(HbgLeastSquares *system, int32_t k, int32_t i) {
  const int32_t m = system->m, n = system->n, count = n - system->rank;
  double part = 0;
  for (int32_t j = 0; j < n; j++) {
    part += vector_of(system->null_space, count, j)[k] * vector_of(system->inverse, m, j)[i];
  }
  for (int32_t j = 0; j < n; j++) {
    vector_of(system->inverse, m, j)[i] -= part * vector_of(system->null_space, count, j)[k];
  }
}

/* What is left without the null space is the solution that is shortest in the given units. Twice, because what is taken
 * out can be much larger than what stays. */
static void shorten(HbgLeastSquares *system) {
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t i = 0; i < system->m; i++) {
      for (int32_t k = 0; k < system->n - system->rank; k++) take_out(system, k, i);
    }
  }
}

/* ---- connected parts ---- */

static int32_t part_of(int32_t *part, int32_t i) {
  while (part[i] != i) i = part[i] = part[part[i]];
  return i;
}

/* Columns and rows that an entry connects belong to one part; each is named by one of its members. */
static void find_parts(HbgLeastSquares *system) {
  const int32_t m = system->m, n = system->n;
  int32_t *part = system->part;
  for (int32_t i = 0; i < n + m; i++) part[i] = i;
  for (int32_t i = 0; i < m; i++) {
    for (int32_t j = 0; j < n; j++) {
      if (fabs(vector_of(system->a, n, i)[j]) > 0) part[part_of(part, n + i)] = part_of(part, j);
    }
  }
  for (int32_t i = 0; i < n + m; i++) part[i] = part_of(part, i);
}

/* ---- one number ---- */

/* Most laws that are solved have one unknown: all of the decomposition of a number but 0, to the last bit, as only powers of two stand for scales. */
static bool invert_number(HbgLeastSquares *system) {
  int exponent;
  const double scaled = frexp(system->a[0], &exponent), size = fabs(scaled);
  if (!isfinite(scaled) || !(size > 0) || abs(exponent) > MOST_EXPONENT) return false;
  system->row_scale[0] = ldexp(1, -exponent);
  system->column_scale[0] = 1;
  system->singular_value[0] = size;
  system->inverse[0] = 1 / size / size * scaled * system->row_scale[0];
  system->rank = 1;
  system->determined[0] = true;
  system->part[0] = system->part[1] = 0;
  return true;
}

/* ---- doors ---- */

bool hbg_least_squares_factor(HbgLeastSquares *system, const double *a, double tolerance) {
  const int32_t m = system->m, n = system->n;
  enter_room(system);
  if (m > 0 && n > 0 && a != system->a) memcpy(system->a, a, (size_t)m * (size_t)n * sizeof *a);
  if (m == 1 && n == 1 && invert_number(system)) return true;
  hbg_dense_equilibrate(m, n, system->a, system->row_scale, system->column_scale);
  if (!load(system)) return false;
  if (!(tolerance > 0)) tolerance = HBG_RANK_TOLERANCE;
  if (!hbg_least_squares_invert_regular(system, tolerance)) {
    if (!hbg_least_squares_invert_deficient(system, tolerance)) {
      decompose(system);
      system->rank = rank_of(system, tolerance);
      invert_scaled(system);
    }
    find_null_space(system);
    shorten(system);
  }
  find_parts(system);
  return true;
}

/* sum := sum + factor |v| */
static void add_sizes(int32_t count, double *restrict sum, double factor, const double *restrict v) {
  for (int32_t at = 0; at < count; at++) sum[at] += factor * fabs(v[at]);
}

/* X := X + (1 - X A) X, row after row, those before refined already (Ben-Israel and Cohen, SIAM J. Numer. Anal. 3 (1966)). The error of
 * 1 - X A is round-off in |X| |A|, entry by entry, so that of X becomes one in |X| |A| |X|. */
static void refine_row(HbgLeastSquares *system, int32_t row, double *rest, double *change) {
  const int32_t m = system->m, n = system->n;
  double *x = vector_of(system->inverse, m, row);
  for (int32_t j = 0; j < n; j++) rest[j] = j == row;
  for (int32_t i = 0; i < m; i++)
    if (fabs(x[i]) > 0) hbg_vector_add(n, rest, -x[i], vector_of(system->a, n, i));
  for (int32_t i = 0; i < m; i++) change[i] = 0;
  for (int32_t j = 0; j < n; j++)
    if (fabs(rest[j]) > 0) hbg_vector_add(m, change, rest[j], vector_of(system->inverse, m, j));
  for (int32_t i = 0; i < m; i++) x[i] += change[i];
}

/* Entries that are no more than the round-off in |X| |A| |X|, or than its square beside others, are nothing: where an unknown does not follow a right side at all,
 * the least number in its place would say that it does. */
static void tidy_row(HbgLeastSquares *system, int32_t row, double *made_of, double *bound) {
  const int32_t m = system->m, n = system->n;
  double *x = vector_of(system->inverse, m, row);
  for (int32_t j = 0; j < n; j++) made_of[j] = 0;
  for (int32_t i = 0; i < m; i++) bound[i] = 0;
  for (int32_t i = 0; i < m; i++)
    if (fabs(x[i]) > 0) add_sizes(n, made_of, fabs(x[i]), vector_of(system->a, n, i));
  for (int32_t j = 0; j < n; j++)
    if (made_of[j] > 0) add_sizes(m, bound, made_of[j], vector_of(system->inverse, m, j));
  double largest = 0;
  for (int32_t i = 0; i < m; i++) largest = fmax(largest, fabs(x[i]) / system->row_scale[i]);
  for (int32_t i = 0; i < m; i++)
    if (fabs(x[i]) <= fmax(ROUND_OFF * bound[i], NOTHING * largest * system->row_scale[i])) x[i] = 0;
}

void hbg_least_squares_refine(HbgLeastSquares *system) {
  for (int32_t row = 0; row < system->n; row++) refine_row(system, row, system->size, system->size + system->n);
  if (system->rank < system->n) shorten(system); // the step doubles what round-off has left in the null space
  for (int32_t row = 0; row < system->n; row++) tidy_row(system, row, system->size, system->size + system->n);
}

/* The largest unknown of each connected part, in scaled units. */
static void measure_parts(HbgLeastSquares *system, const double *x) {
  for (int32_t i = 0; i < system->n + system->m; i++) system->size[i] = 0;
  for (int32_t j = 0; j < system->n; j++) {
    double *size = &system->size[system->part[j]];
    *size = fmax(*size, fabs(x[j]) / system->column_scale[j]);
  }
}

double hbg_least_squares_residual(HbgLeastSquares *system, const double *b, const double *x, double *row_residual) {
  const int32_t m = system->m, n = system->n;
  double worst = 0;
  measure_parts(system, x);
  for (int32_t i = 0; i < m; i++) {
    const double *row = vector_of(system->a, n, i);
    double residual = -b[i], weight = 0;
    for (int32_t j = 0; j < n; j++) {
      residual += row[j] * x[j];
      weight += fabs(row[j]) * system->column_scale[j];
    }
    const double size = weight * system->size[system->part[n + i]] + fabs(b[i]);
    const double relative = size > 0 ? fabs(residual) / size : 0;
    if (row_residual) row_residual[i] = relative;
    worst = relative <= worst ? worst : relative; /* so that NAN comes through */
  }
  return worst;
}

double hbg_least_squares_solve(HbgLeastSquares *system, const double *b, double *x) {
  hbg_dense_multiply(system->n, system->m, system->inverse, b, x);
  return hbg_least_squares_residual(system, b, x, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/least_squares_regular.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random_graph.h"

enum { MOST = 80 };

static double uniform(Random *random) { return 2 * random_real(random) - 1; }

/* Well conditioned, but for units of rows and columns up to 10^`decades` apart. */
static void fill(double *a, int m, int n, double decades, Random *seed) {
  double row_unit[MOST], column_unit[MOST];
  for (int i = 0; i < m; i++) row_unit[i] = pow(10, decades * uniform(seed));
  for (int j = 0; j < n; j++) column_unit[j] = pow(10, decades * uniform(seed));
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = (uniform(seed) + (i == j ? 8 : 0)) * row_unit[i] * column_unit[j];
}

static void solutions_are_met_whatever_the_units_and_whatever_rows_are_too_many(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  static const int shape[][2] = {{13, 13}, {40, 40}, {80, 80}, {40, 25}, {80, 40}, {17, 16}};
  Random seed = {11};
  for (size_t at = 0; at < sizeof shape / sizeof *shape; at++) {
    const int m = shape[at][0], n = shape[at][1];
    double *a = ARENA_NEW(&arena, double, m *n), *b = ARENA_NEW(&arena, double, m), *x = ARENA_NEW(&arena, double, n);
    fill(a, m, n, 6, &seed);
    HbgLeastSquares system = hbg_least_squares(&arena, m, n);
    assert_true(hbg_least_squares_factor(&system, a, 0));
    assert_int_equal(system.rank, n);
    double *wanted = ARENA_NEW(&arena, double, n);
    for (int j = 0; j < n; j++) {
      wanted[j] = uniform(&seed) * system.column_scale[j];
      assert_true(system.determined[j]);
      for (int i = 0; i < m; i++) b[i] += a[i * n + j] * wanted[j];
    }
    assert_true(hbg_least_squares_solve(&system, b, x) < 1e-13);
    for (int j = 0; j < n; j++) CHECK_NEAR(x[j] / system.column_scale[j], wanted[j] / system.column_scale[j], 1e-12);
  }
  hbg_arena_release_all(&arena);
}

/* What a least residual is: at right angles to all columns, in the scaled system. */
static void where_rows_contradict_each_other_the_residual_is_least(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { M = 30, N = 20 };
  double *a = ARENA_NEW(&arena, double, M *N), b[M], x[N];
  Random seed = {12};
  fill(a, M, N, 2, &seed);
  HbgLeastSquares system = hbg_least_squares(&arena, M, N);
  assert_true(hbg_least_squares_factor(&system, a, 0));
  for (int i = 0; i < M; i++) b[i] = uniform(&seed) / system.row_scale[i];
  assert_true(hbg_least_squares_solve(&system, b, x) > 1e-3);
  for (int j = 0; j < N; j++) {
    double product = 0;
    for (int i = 0; i < M; i++) {
      double residual = -b[i];
      for (int k = 0; k < N; k++) residual += a[i * N + k] * x[k];
      product += a[i * N + j] * system.column_scale[j] * system.row_scale[i] * (residual * system.row_scale[i]);
    }
    CHECK_NEAR(product, 0, 1e-11);
  }
  hbg_arena_release_all(&arena);
}

/* The matrix with 2 on its diagonal and -1 beside it has the singular values 2 - 2 cos(k pi/(n + 1)). */
static void the_ends_of_the_singular_values_are_about_right(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 50 };
  double *a = ARENA_NEW(&arena, double, N *N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i * N + j] = i == j ? 2 : abs(i - j) == 1 ? -1 : 0;
  HbgLeastSquares system = hbg_least_squares(&arena, N, N);
  assert_true(hbg_least_squares_factor(&system, a, 0));
  const double pi = acos(-1), scale = system.row_scale[0] * system.column_scale[0];
  CHECK_CLOSE(system.singular_value[0], scale * (2 - 2 * cos(N * pi / (N + 1))), 0.05);
  CHECK_CLOSE(system.singular_value[N - 1], scale * (2 - 2 * cos(pi / (N + 1))), 0.05);
  hbg_arena_release_all(&arena);
}

/* Who asks where slopes of a millionth are none must not be told that they are some. */
static void rank_is_that_of_the_tolerance_asked_for(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 30 };
  double *a = ARENA_NEW(&arena, double, N *N);
  for (int i = 0; i < N; i++) a[i * N + i] = 1;
  a[1] = 1, a[N] = 1, a[N + 1] = 1 + 2e-6; // singular values 2 and 1e-6
  HbgLeastSquares system = hbg_least_squares(&arena, N, N);
  assert_true(hbg_least_squares_factor(&system, a, 1e-6));
  assert_int_equal(system.rank, N - 1);
  assert_false(system.determined[0] || system.determined[1]);
  assert_true(hbg_least_squares_factor(&system, a, 0));
  assert_int_equal(system.rank, N);
  assert_true(system.determined[0] && system.determined[1]);
  hbg_arena_release_all(&arena);
}

/* C (m, n) = A (m, k) B (k, n). */
static double *product(HbgArena *arena, const double *a, const double *b, int m, int k, int n) {
  double *c = ARENA_NEW(arena, double, m *n);
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

static double asymmetry(const double *a, int n, const double *row_weight, const double *column_weight) {
  double most = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      most = fmax(most, fabs(a[i * n + j] * row_weight[i] * column_weight[j] - a[j * n + i] * row_weight[j] * column_weight[i]));
  return most;
}

/* A = L R of rank r, with rows and columns of units far apart: A X A = A and X A X = X; A X is symmetric in scaled rows, and X A in the units that are given. */
static void what_leaves_something_open_has_the_pseudo_inverse_of_penrose(void **state) {
  (void)state;
  static const int shape[][3] = {{13, 13, 12}, {48, 48, 40}, {40, 30, 11}, {20, 35, 20}, {25, 60, 7}, {9, 9, 5}, {60, 60, 59}, {30, 30, 1}};
  Random seed = {21};
  for (size_t at = 0; at < sizeof shape / sizeof *shape; at++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    const int m = shape[at][0], n = shape[at][1], r = shape[at][2];
    double *left = ARENA_NEW(&arena, double, m *r), *right = ARENA_NEW(&arena, double, r *n), ones[MOST];
    for (int i = 0; i < m * r; i++) left[i] = uniform(&seed);
    for (int i = 0; i < r * n; i++) right[i] = uniform(&seed) * (at % 2 ? pow(10, 2 * uniform(&seed)) : 1);
    for (int i = 0; i < MOST; i++) ones[i] = 1;
    const double *a = product(&arena, left, right, m, r, n);
    HbgLeastSquares system = hbg_least_squares(&arena, m, n);
    assert_true(hbg_least_squares_factor(&system, a, 0));
    assert_int_equal(system.rank, r);
    const double *ax = product(&arena, a, system.inverse, m, n, m), *xa = product(&arena, system.inverse, a, n, m, n);
    const double *axa = product(&arena, ax, a, m, m, n), *xax = product(&arena, xa, system.inverse, n, n, m);
    double largest = 0, of_inverse = 0;
    for (int i = 0; i < m * n; i++) largest = fmax(largest, fabs(a[i])), of_inverse = fmax(of_inverse, fabs(system.inverse[i]));
    for (int i = 0; i < m * n; i++) CHECK_NEAR(axa[i], a[i], 1e-10 * largest);
    for (int i = 0; i < m * n; i++) CHECK_NEAR(xax[i], system.inverse[i], 1e-9 * of_inverse);
    double back[MOST];
    for (int i = 0; i < m; i++) back[i] = 1 / system.row_scale[i];
    CHECK_NEAR(asymmetry(xa, n, ones, ones), 0, 1e-8);
    if (r < m && r < n && at % 2 == 0) CHECK_NEAR(asymmetry(ax, m, system.row_scale, back), 0, 1e-8);
    // null vectors are orthonormal, and nothing comes of them
    const double *nothing = product(&arena, a, system.null_space, m, n, n - r);
    for (int i = 0; i < m * (n - r); i++) CHECK_NEAR(nothing[i], 0, 1e-10 * largest);
    for (int k = 0; k < n - r; k++)
      for (int l = 0; l <= k; l++) {
        double together = 0;
        for (int j = 0; j < n; j++) together += system.null_space[j * (n - r) + k] * system.null_space[j * (n - r) + l];
        CHECK_NEAR(together, k == l, 1e-12);
      }
    hbg_arena_release_all(&arena);
  }
}

static void what_is_nearly_singular_small_or_wide_is_left_to_the_decomposition(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 30 };
  double *a = ARENA_NEW(&arena, double, N *N);
  Random seed = {13};
  for (int trial = 0; trial < 3; trial++) {
    fill(a, N, N, 0, &seed);
    for (int j = 0; j < N && trial < 2; j++) a[7 * N + j] = a[3 * N + j] * (trial ? 1 : 1 + 1e-9 * uniform(&seed)); // the same row twice, or nearly
    HbgLeastSquares system = hbg_least_squares(&arena, N, N);
    assert_true(hbg_least_squares_factor(&system, a, 0));
    assert_int_equal(system.rank, trial == 1 ? N - 1 : N);
    const double smallest = system.singular_value[N - 1] / system.singular_value[0];
    assert_true(trial == 2 ? smallest > 1e-7 : smallest < 1e-7);
    // the decomposition knows those between
    const bool is_decomposed = system.singular_value[1] > system.singular_value[N - 2];
    assert_true(is_decomposed == (trial == 0)); // whether two rows are one is in doubt there
  }
  fill(a, 12, 12, 0, &seed);
  HbgLeastSquares small = hbg_least_squares(&arena, 12, 12), wide = hbg_least_squares(&arena, 15, 20);
  assert_true(hbg_least_squares_factor(&small, a, 0) && small.singular_value[1] > small.singular_value[10]);
  fill(a, 15, 20, 0, &seed);
  assert_true(hbg_least_squares_factor(&wide, a, 0));
  assert_int_equal(wide.rank, 15);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_met_whatever_the_units_and_whatever_rows_are_too_many),
      cmocka_unit_test(where_rows_contradict_each_other_the_residual_is_least),
      cmocka_unit_test(the_ends_of_the_singular_values_are_about_right),
      cmocka_unit_test(rank_is_that_of_the_tolerance_asked_for),
      cmocka_unit_test(what_leaves_something_open_has_the_pseudo_inverse_of_penrose),
      cmocka_unit_test(what_is_nearly_singular_small_or_wide_is_left_to_the_decomposition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

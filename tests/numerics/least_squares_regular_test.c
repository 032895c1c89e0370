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
    assert_true(is_decomposed == (trial < 2));
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
      cmocka_unit_test(what_is_nearly_singular_small_or_wide_is_left_to_the_decomposition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

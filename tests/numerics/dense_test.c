/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/dense.h"

#include <string.h>

#include "numerics/random.h"
#include "support/check.h"

static void a_hilbert_matrix_is_solved_as_well_as_it_can_be(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 6 };
  double a[N * N], b[N] = {0};
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      a[i * N + j] = 1.0 / (i + j + 1);
      b[i] += a[i * N + j] * (j + 1);
    }
  }
  HbgLu lu = hbg_lu(&arena, N);
  assert_true(hbg_lu_factor(&lu, a));
  hbg_lu_solve(&lu, b);
  for (int i = 0; i < N; i++) CHECK_CLOSE(b[i], i + 1, 1e-8);
  assert_true(lu.condition > 1e6 && lu.condition < 1e8); /* 2.9e7 in the 1-norm before scaling */
  hbg_arena_release_all(&arena);
}

static void rows_are_exchanged_where_a_pivot_is_zero(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLu lu = hbg_lu(&arena, 3);
  assert_true(hbg_lu_factor(&lu, (double[]){0, 2, 1, 1, 0, 0, 0, 0, 4}));
  double b[3] = {2 * 5 + 7, 3, 28};
  hbg_lu_solve(&lu, b);
  CHECK_NEAR(b[0], 3, 1e-15);
  CHECK_NEAR(b[1], 5, 1e-15);
  CHECK_NEAR(b[2], 7, 1e-15);
  hbg_arena_release_all(&arena);
}

/* A whole number from 0 to below `count`. */
static int draw(uint64_t seed, uint64_t stream, int index, int count) {
  return (int)(count * hbg_random_uniform((HbgRandomPlace){seed, stream, (uint64_t)index}));
}

static void shuffle(uint64_t seed, uint64_t stream, int count, int *order) {
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    const int j = draw(seed, stream, i, i + 1), kept = order[i];
    order[i] = order[j], order[j] = kept;
  }
}

/* Of a chain whose links stand in any order: mostly zeros, in the factors, too. */
static void chains_in_any_order_are_solved_both_ways(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 60 };
  HbgLu lu = hbg_lu(&arena, N);
  for (uint64_t seed = 1; seed <= 50; seed++) {
    int row_of[N], column_of[N];
    shuffle(seed, 0, N, row_of);
    shuffle(seed, 1, N, column_of);
    double a[N * N] = {0}, b[N] = {0}, transposed[N] = {0};
    for (int i = 0; i < N; i++) {
      a[row_of[i] * N + column_of[i]] = 5;
      if (i > 0) a[row_of[i] * N + column_of[i - 1]] = 1 + draw(seed, 2, i, 2);
      if (i < N - 1) a[row_of[i] * N + column_of[i + 1]] = 1 + draw(seed, 3, i, 2);
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) b[i] += a[i * N + j] * (j + 1), transposed[j] += a[i * N + j] * (i + 1);
    assert_true(hbg_lu_factor(&lu, a));
    hbg_lu_solve(&lu, b);
    hbg_lu_solve_transposed(&lu, transposed);
    for (int i = 0; i < N; i++) {
      CHECK_NEAR(b[i], i + 1, 1e-11);
      CHECK_NEAR(transposed[i], i + 1, 1e-11);
    }
  }
  hbg_arena_release_all(&arena);
}

/* What is left in the worst row, against the terms of that row. */
static double worst_row(int n, const double *a, const double *b, const double *x) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double rest = b[i], size = fabs(b[i]);
    for (int j = 0; j < n; j++) rest -= a[n * i + j] * x[j], size += fabs(a[n * i + j] * x[j]);
    worst = fmax(worst, fabs(rest) / size);
  }
  return worst;
}

/* Of numbers that lie far apart, as leaks beside what conducts and currents beside voltages, elimination leaves round-off of the largest everywhere. */
static void refined_each_row_is_met_to_its_own_last_digits(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 5 };
  HbgLu lu = hbg_lu(&arena, N);
  double worst_plain = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    double a[N * N], b[N] = {0}, x[N];
    for (uint64_t i = 0; i < N * N; i++)
      a[i] = hbg_random_normal((HbgRandomPlace){seed, 0, i}) * pow(10, 6 * hbg_random_normal((HbgRandomPlace){seed, 1, i}));
    for (uint64_t i = 0; i < N; i++) {
      const double truth = hbg_random_normal((HbgRandomPlace){seed, 2, i}) * pow(10, 3 * hbg_random_normal((HbgRandomPlace){seed, 3, i}));
      for (int row = 0; row < N; row++) b[row] += a[row * N + (int)i] * truth;
    }
    if (!hbg_lu_factor(&lu, a)) continue;
    memcpy(x, b, sizeof x);
    hbg_lu_solve(&lu, x);
    worst_plain = fmax(worst_plain, worst_row(N, a, b, x));
    hbg_lu_refine(&lu, a, b, x);
    CHECK_NEAR(worst_row(N, a, b, x), 0, 8e-16);
  }
  assert_true(worst_plain > 1e-10); // or it would say nothing
  hbg_arena_release_all(&arena);
}

static void the_transposed_system_is_solved_by_the_same_factors(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLu lu = hbg_lu(&arena, 3);
  const double a[9] = {1e-6, 2, 1, 1, 0, 5e3, 3, 0, 4};
  assert_true(hbg_lu_factor(&lu, a));
  const double x[3] = {3, -5, 7};
  double b[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b[j] += a[3 * i + j] * x[i];
  hbg_lu_solve_transposed(&lu, b);
  for (int i = 0; i < 3; i++) CHECK_NEAR(b[i], x[i], 1e-12);
  hbg_arena_release_all(&arena);
}

static void singular_is_seen_whatever_the_units(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLu lu = hbg_lu(&arena, 2);
  assert_false(hbg_lu_factor(&lu, (double[]){1, 2, 2, 4}));
  assert_false(hbg_lu_factor(&lu, (double[]){1e-12, 2e12, 2e-6, 4e18}));
  assert_false(hbg_lu_factor(&lu, (double[]){1, 1, 1, 1 + 1e-13}));
  assert_false(hbg_lu_factor(&lu, (double[]){0, 0, 0, 0}));
  assert_false(hbg_lu_factor(&lu, (double[]){1, 0, 0, (double)NAN}));
  // regular, though the determinant is tiny or the numbers lie far apart
  assert_true(hbg_lu_factor(&lu, (double[]){1e-200, 0, 0, 1e-150}));
  assert_true(hbg_lu_factor(&lu, (double[]){1e-12, 2e12, 2e-6, 5e18}));
  double b[2] = {1e-12 + 2e12, 2e-6 + 5e18};
  hbg_lu_solve(&lu, b);
  CHECK_NEAR(b[1], 1, 1e-15);
  hbg_arena_release_all(&arena);
}

static void nothing_is_a_regular_system(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLu lu = hbg_lu(&arena, 0);
  assert_true(hbg_lu_factor(&lu, NULL));
  hbg_lu_solve(&lu, NULL);
  hbg_arena_release_all(&arena);
}

static void scaling_brings_every_row_and_column_near_one(void **state) {
  (void)state;
  const double a[] = {1e12, 3, 0, 1e-9, 0, 2e-18, 0, 0, 1e30};
  double row[3], column[3];
  hbg_dense_equilibrate(3, 3, a, row, column);
  for (int i = 0; i < 3; i++) {
    double largest_in_row = 0, largest_in_column = 0;
    for (int j = 0; j < 3; j++) {
      largest_in_row = fmax(largest_in_row, a[3 * i + j] * row[i] * column[j]);
      largest_in_column = fmax(largest_in_column, a[3 * j + i] * row[j] * column[i]);
    }
    assert_true(largest_in_row >= 0.2 && largest_in_row <= 2);
    assert_true(largest_in_column >= 0.2 && largest_in_column <= 2);
  }
}

/* Of every size that there is, and as the library of C takes it apart and puts it together. */
static void a_scale_is_the_power_of_two_next_to_the_root(void **state) {
  (void)state;
  for (int power = -1074; power <= 1023; power++)
    for (int part = 0; part < 3; part++) {
      const double largest = ldexp(1 + 0.5 * part, power - (part > 1));
      if (!(largest > 0)) continue;
      int exponent;
      frexp(largest, &exponent);
      double scale = 1;
      const bool has_changed = hbg_dense_approach_one(largest, &scale);
      CHECK_NEAR(scale, ldexp(1, -(exponent >= 0 ? (exponent + 1) / 2 : exponent / 2)), 0);
      assert_int_equal(has_changed, scale > 1 || scale < 1);
    }
  double none = 1;
  assert_false(hbg_dense_approach_one(0, &none));
  assert_false(hbg_dense_approach_one((double)INFINITY, &none));
  assert_false(hbg_dense_approach_one((double)NAN, &none));
  CHECK_NEAR(none, 1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hilbert_matrix_is_solved_as_well_as_it_can_be),
      cmocka_unit_test(rows_are_exchanged_where_a_pivot_is_zero),
      cmocka_unit_test(chains_in_any_order_are_solved_both_ways),
      cmocka_unit_test(refined_each_row_is_met_to_its_own_last_digits),
      cmocka_unit_test(the_transposed_system_is_solved_by_the_same_factors),
      cmocka_unit_test(singular_is_seen_whatever_the_units),
      cmocka_unit_test(nothing_is_a_regular_system),
      cmocka_unit_test(scaling_brings_every_row_and_column_near_one),
      cmocka_unit_test(a_scale_is_the_power_of_two_next_to_the_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

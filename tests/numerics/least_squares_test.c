/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/least_squares.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* A small generator of our own (splitmix64), so that every machine sees the same matrices. */
static double uniform(uint64_t *seed) {
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static HbgLeastSquares made(HbgArena *arena, int32_t m, int32_t n, const double *a) {
  HbgLeastSquares system = hbg_least_squares(arena, m, n);
  assert_true(hbg_least_squares_factor(&system, a, 0));
  return system;
}

static void an_effort_shared_by_two_is_split_evenly(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLeastSquares system = made(&arena, 1, 2, (double[]){1, 1});
  double x[2];
  CHECK_NEAR(hbg_least_squares_solve(&system, (double[]){3}, x), 0, 1e-15);
  assert_int_equal(system.rank, 1);
  CHECK_NEAR(x[0], 1.5, 1e-15);
  CHECK_NEAR(x[1], 1.5, 1e-15);
  assert_false(system.determined[0] || system.determined[1]);
  hbg_arena_release_all(&arena);
}

static void the_norm_is_that_of_the_units_given(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLeastSquares system = made(&arena, 1, 2, (double[]){1, 1000});
  double x[2];
  hbg_least_squares_solve(&system, (double[]){1000001}, x);
  CHECK_CLOSE(x[0], 1, 1e-14);
  CHECK_CLOSE(x[1], 1000, 1e-14);
  hbg_arena_release_all(&arena);
}

static void contradictions_are_measured(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLeastSquares system = made(&arena, 3, 2, (double[]){1, 0, 1, 0, 0, 1});
  double x[2], rows[3];
  CHECK_NEAR(hbg_least_squares_solve(&system, (double[]){2, 2, 5}, x), 0, 1e-15);
  assert_true(hbg_least_squares_solve(&system, (double[]){1, 2, 5}, x) > 0.1);
  hbg_least_squares_residual(&system, (double[]){1, 2, 5}, x, rows);
  assert_true(rows[0] > 0.1 && rows[1] > 0.1 && rows[2] < 1e-15);
  hbg_arena_release_all(&arena);
}

static void a_small_part_of_a_system_is_not_forgiven_for_a_large_one(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLeastSquares system = made(&arena, 3, 2, (double[]){1, 0, 0, 1, 0, 1});
  double x[2];
  assert_true(hbg_least_squares_solve(&system, (double[]){1e9, 1e-9, 2e-9}, x) > 0.1);
  hbg_arena_release_all(&arena);
}

static void round_off_of_a_zero_is_no_contradiction(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  /* x1 = 0.1, x1 + x2 = 0.1, 3 x2 = 0 */
  HbgLeastSquares system = made(&arena, 3, 2, (double[]){1, 0, 1, 1, 0, 3});
  double x[2];
  assert_true(hbg_least_squares_solve(&system, (double[]){0.1, 0.1, 0}, x) < 1e-15);
  hbg_arena_release_all(&arena);
}

static void rank_does_not_depend_on_units(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  uint64_t seed = 7;
  enum { M = 9, N = 7, RANK = 4 };
  for (int trial = 0; trial < 50; trial++) {
    double left[M * RANK], right[RANK * N], a[M * N], row_unit[M], column_unit[N];
    for (int i = 0; i < M * RANK; i++) left[i] = uniform(&seed);
    for (int i = 0; i < RANK * N; i++) right[i] = uniform(&seed);
    for (int i = 0; i < M; i++) row_unit[i] = pow(10, 12 * uniform(&seed));
    for (int j = 0; j < N; j++) column_unit[j] = pow(10, 12 * uniform(&seed));
    for (int i = 0; i < M; i++) {
      for (int j = 0; j < N; j++) {
        a[i * N + j] = 0;
        for (int k = 0; k < RANK; k++) a[i * N + j] += left[i * RANK + k] * right[k * N + j];
        a[i * N + j] *= row_unit[i] * column_unit[j];
      }
    }
    HbgLeastSquares system = made(&arena, M, N, a);
    assert_int_equal(system.rank, RANK);

    // A z = 0, relative to the terms of the sum
    for (int k = 0; k < N - RANK; k++) {
      for (int i = 0; i < M; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < N; j++) {
          sum += a[i * N + j] * system.null_space[j * (N - RANK) + k];
          size += fabs(a[i * N + j] * system.null_space[j * (N - RANK) + k]);
        }
        CHECK_NEAR(sum / size, 0, 1e-9);
      }
    }
    // a right-hand side in the range is met, one outside is not
    double b[M] = {0}, x[N];
    for (int i = 0; i < M; i++) {
      for (int j = 0; j < N; j++) b[i] += a[i * N + j] * (j + 1) / column_unit[j];
    }
    assert_true(hbg_least_squares_solve(&system, b, x) < 1e-11);
    b[trial % M] *= 2;
    assert_true(hbg_least_squares_solve(&system, b, x) > 1e-6);
  }
  hbg_arena_release_all(&arena);
}

/* The four conditions of Penrose (1955) define the pseudo-inverse. */
static void the_pseudo_inverse_is_that_of_penrose(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const double a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 7, 9};
  HbgLeastSquares system = made(&arena, 4, 3, a);
  assert_int_equal(system.rank, 2);
  double x_a[9], a_x[16];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      x_a[3 * i + j] = 0;
      for (int k = 0; k < 4; k++) x_a[3 * i + j] += system.inverse[4 * i + k] * a[3 * k + j];
    }
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      a_x[4 * i + j] = 0;
      for (int k = 0; k < 3; k++) a_x[4 * i + j] += a[3 * i + k] * system.inverse[4 * k + j];
    }
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 3; j++) {
      double a_x_a = 0;
      for (int k = 0; k < 4; k++) a_x_a += a_x[4 * i + k] * a[3 * k + j];
      CHECK_NEAR(a_x_a, a[3 * i + j], 1e-13);
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < i; j++) CHECK_NEAR(x_a[3 * i + j], x_a[3 * j + i], 1e-13);
  }
  hbg_arena_release_all(&arena);
}

static void null_spaces_are_orthonormal_and_separate_what_is_separate(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  /* two floating pairs in units 1e12 apart, and one fixed unknown */
  HbgLeastSquares system = made(&arena, 3, 5, (double[]){1e12, -1e12, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 7});
  assert_int_equal(system.rank, 3);
  for (int j = 0; j < 5; j++) assert_int_equal(system.determined[j], j == 4);
  for (int k = 0; k < 2; k++) {
    for (int l = 0; l < 2; l++) {
      double product = 0;
      for (int j = 0; j < 5; j++) product += system.null_space[2 * j + k] * system.null_space[2 * j + l];
      CHECK_NEAR(product, k == l ? 1 : 0, 1e-15);
    }
    const bool first = fabs(system.null_space[k]) > 0;
    CHECK_NEAR(fabs(system.null_space[(first ? 0 : 4) + k]), sqrt(0.5), 1e-15);
    CHECK_NEAR(system.null_space[(first ? 4 : 0) + k], 0, 0);
  }
  hbg_arena_release_all(&arena);
}

static void empty_and_zero_systems_have_answers(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double x[2] = {1, 1};
  HbgLeastSquares none = made(&arena, 0, 2, NULL);
  CHECK_NEAR(hbg_least_squares_solve(&none, NULL, x), 0, 0);
  CHECK_NEAR(x[0], 0, 0);
  assert_false(none.determined[0]);
  HbgLeastSquares zero = made(&arena, 2, 1, (double[]){0, 0});
  assert_int_equal(zero.rank, 0);
  CHECK_NEAR(hbg_least_squares_solve(&zero, (double[]){0, 0}, x), 0, 0);
  CHECK_NEAR(hbg_least_squares_solve(&zero, (double[]){0, 3}, x), 1, 0);
  HbgLeastSquares unknowns = made(&arena, 1, 0, NULL);
  CHECK_NEAR(hbg_least_squares_solve(&unknowns, (double[]){2}, NULL), 1, 0);
  HbgLeastSquares wrong = hbg_least_squares(&arena, 1, 1);
  assert_false(hbg_least_squares_factor(&wrong, (double[]){HUGE_VAL}, 0));
  hbg_arena_release_all(&arena);
}

/* Most laws that are solved have one unknown: a number is told apart from a matrix, and is what it would be among others. */
static void a_number_alone_is_as_it_is_beside_another_one(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  srand(7);
  for (int round = 0; round < 500; round++) {
    const double a = ldexp(0.5 + (double)rand() / RAND_MAX, rand() % 1200 - 600) * (round % 2 ? 1 : -1), b = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 40);
    HbgLeastSquares alone = made(&arena, 1, 1, &a), beside = made(&arena, 2, 2, (double[]){a, 0, 0, 1});
    assert_int_equal(alone.rank, 1);
    assert_true(alone.determined[0]);
    CHECK_NEAR(alone.inverse[0] * a, 1, 4e-16);
    assert_memory_equal(&alone.inverse[0], &beside.inverse[0], sizeof(double));
    double x, pair[2];
    CHECK_NEAR(hbg_least_squares_solve(&alone, &b, &x), 0, 1e-15);
    hbg_least_squares_solve(&beside, (double[]){b, 0}, pair);
    assert_memory_equal(&x, &pair[0], sizeof x);
    const double round_off = alone.column_scale[0] * alone.row_scale[0] / alone.singular_value[0];
    CHECK_NEAR(round_off * fabs(a), 1, 4e-16);
  }
  HbgLeastSquares zero = made(&arena, 1, 1, (double[]){0});
  assert_int_equal(zero.rank, 0);
  hbg_arena_release_all(&arena);
}

static void a_hundred_unknowns_are_no_trouble(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 100 };
  double *a = ARENA_NEW(&arena, double, N *N), *b = ARENA_NEW(&arena, double, N), *x = ARENA_NEW(&arena, double, N);
  uint64_t seed = 3;
  for (int i = 0; i < N * N; i++) a[i] = uniform(&seed);
  for (int j = 0; j < N; j++) a[(N - 1) * N + j] = a[j] - 2 * a[N + j]; /* one row too many */
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) b[i] += a[i * N + j] * (j % 5 - 2);
  }
  HbgLeastSquares system = made(&arena, N, N, a);
  assert_int_equal(system.rank, N - 1);
  assert_true(hbg_least_squares_solve(&system, b, x) < 1e-13);
  hbg_arena_release_all(&arena);
}

/* Row by row: a x0 = b0 beside c x0 + d x1 = b1, whose terms are 15 orders larger. */
static void a_small_row_is_solved_to_its_own_last_digits_beside_large_ones(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const double a[] = {-17066.054145850852, 0, -1994.966635551118, -1652.832374236326}, b[] = {2.8438362775773385e-12, -1536.973241106931};
  HbgLeastSquares system = made(&arena, 2, 2, a);
  hbg_least_squares_refine(&system);
  double x[2];
  hbg_least_squares_solve(&system, b, x);
  CHECK_CLOSE(x[0], b[0] / a[0], 1e-15);
  CHECK_CLOSE(x[1], (b[1] - a[2] * x[0]) / a[3], 1e-15);
  hbg_arena_release_all(&arena);
}

/* The same of many, which are triangular: forward substitution gives each to its last digits. */
static void so_are_those_of_a_large_triangle(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 40 };
  double *a = ARENA_NEW(&arena, double, N *N), *b = ARENA_NEW(&arena, double, N), *x = ARENA_NEW(&arena, double, N), *y = ARENA_NEW(&arena, double, N);
  uint64_t seed = 11;
  for (int i = 0; i < N; i++) {
    const double size = pow(10, 6 * uniform(&seed));
    b[i] = size * uniform(&seed) * (i % 3 ? 1 : 1e-12);
    for (int j = 0; j <= i; j++) a[i * N + j] = size * (i == j ? 2 + uniform(&seed) : j + 3 > i && i % 3 ? 0.3 * uniform(&seed) : 0);
    double sum = b[i];
    for (int j = 0; j < i; j++) sum -= a[i * N + j] * y[j];
    y[i] = sum / a[i * N + i];
  }
  HbgLeastSquares system = made(&arena, N, N, a);
  hbg_least_squares_refine(&system);
  hbg_least_squares_solve(&system, b, x);
  for (int i = 0; i < N; i++) CHECK_CLOSE(x[i], y[i], 1e-13);
  hbg_arena_release_all(&arena);
}

/* The inverse of a triangle is a triangle; rows and columns stand in any order here. */
static void what_an_unknown_does_not_follow_is_nothing_in_the_inverse(void **state) {
  (void)state;
  enum { N = 7 };
  uint64_t seed = 19;
  for (int which = 0; which < 200; which++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    double a[N * N] = {0};
    const int by_row = 1 + which % 6, by_column = 1 + which / 6 % 6; /* 7 is prime: i by is an order */
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++) a[i * by_row % N * N + j * by_column % N] = i == j ? 1 + uniform(&seed) / 2 : uniform(&seed);
    HbgLeastSquares system = made(&arena, N, N, a);
    hbg_least_squares_refine(&system);
    for (int i = 0; i < N; i++)
      for (int j = i + 1; j < N; j++) CHECK_NEAR(system.inverse[i * by_column % N * N + j * by_row % N], 0, 0);
    hbg_arena_release_all(&arena);
  }
}

/* The same with two unknowns in the last row of the triangle, which stay open between them and are shortest: as the force and the impulse of a body that is held do. */
static void so_it_is_where_others_stay_open(void **state) {
  (void)state;
  enum { N = 5, COLUMNS = N + 1 };
  uint64_t seed = 31;
  for (int which = 0; which < 200; which++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    double a[N * COLUMNS] = {0}, right[N];
    const int by_row = 1 + which % (N - 1);
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++) a[i * by_row % N * COLUMNS + (j + which) % COLUMNS] = i == j ? 1 + uniform(&seed) / 2 : uniform(&seed);
    const int last = (N - 1) * by_row % N, one = (N - 1 + which) % COLUMNS, other = (N + which) % COLUMNS;
    a[last * COLUMNS + other] = 0.5;
    HbgLeastSquares system = made(&arena, N, COLUMNS, a);
    hbg_least_squares_refine(&system);
    assert_int_equal(system.rank, N);
    for (int i = 0; i < N - 1; i++)
      for (int j = i + 1; j < N; j++) CHECK_NEAR(system.inverse[(i + which) % COLUMNS * N + j * by_row % N], 0, 0);
    for (int i = 0; i < N; i++) right[i] = uniform(&seed);
    double x[COLUMNS];
    CHECK_NEAR(hbg_least_squares_solve(&system, right, x), 0, 1e-15);
    CHECK_NEAR(x[one] * 0.5 - x[other] * a[last * COLUMNS + one], 0, 1e-14); // along nothing that is open
    hbg_arena_release_all(&arena);
  }
}

/* Of any shape and rank, factored in turn, the second time with other numbers. */
static void systems_in_one_room_do_not_disturb_each_other(void **state) {
  (void)state;
  enum { SYSTEMS = 5, MOST = 20 };
  static const int32_t rows[SYSTEMS] = {3, 20, 14, 7, 20}, columns[SYSTEMS] = {5, 20, 14, 7, 13};
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgLeastSquaresRoom room = {.arena = &arena};
  HbgLeastSquares together[SYSTEMS], alone[SYSTEMS];
  uint64_t seed = 23;
  for (int which = 0; which < SYSTEMS; which++) {
    together[which] = hbg_least_squares_in(&room, &arena, rows[which], columns[which]);
    alone[which] = hbg_least_squares(&arena, rows[which], columns[which]);
  }
  for (int round = 0; round < 2; round++) {
    for (int which = 0; which < SYSTEMS; which++) {
      const int32_t m = rows[which], n = columns[which];
      double a[MOST * MOST];
      for (int i = 0; i < m * n; i++) a[i] = uniform(&seed);
      if (which == 2) memcpy(a, a + n, (size_t)n * sizeof *a); // of a lower rank
      assert_true(hbg_least_squares_factor(&together[which], a, 0));
      assert_true(hbg_least_squares_factor(&alone[which], a, 0));
    }
    for (int which = 0; which < SYSTEMS; which++) {
      const size_t n = (size_t)columns[which], open = n - (size_t)alone[which].rank;
      assert_int_equal(together[which].rank, alone[which].rank);
      assert_memory_equal(together[which].inverse, alone[which].inverse, n * (size_t)rows[which] * sizeof(double));
      if (open) assert_memory_equal(together[which].null_space, alone[which].null_space, n * open * sizeof(double));
    }
  }
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_effort_shared_by_two_is_split_evenly),
      cmocka_unit_test(the_norm_is_that_of_the_units_given),
      cmocka_unit_test(contradictions_are_measured),
      cmocka_unit_test(a_small_part_of_a_system_is_not_forgiven_for_a_large_one),
      cmocka_unit_test(round_off_of_a_zero_is_no_contradiction),
      cmocka_unit_test(rank_does_not_depend_on_units),
      cmocka_unit_test(the_pseudo_inverse_is_that_of_penrose),
      cmocka_unit_test(null_spaces_are_orthonormal_and_separate_what_is_separate),
      cmocka_unit_test(empty_and_zero_systems_have_answers),
      cmocka_unit_test(a_number_alone_is_as_it_is_beside_another_one),
      cmocka_unit_test(a_hundred_unknowns_are_no_trouble),
      cmocka_unit_test(a_small_row_is_solved_to_its_own_last_digits_beside_large_ones),
      cmocka_unit_test(so_are_those_of_a_large_triangle),
      cmocka_unit_test(what_an_unknown_does_not_follow_is_nothing_in_the_inverse),
      cmocka_unit_test(so_it_is_where_others_stay_open),
      cmocka_unit_test(systems_in_one_room_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

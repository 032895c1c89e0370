/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/square.h"

#include <string.h>

#include "numerics/random.h"
#include "support/check.h"

enum { N = 120, MOST = 8 * N };

/* A matrix by its entries, and the same with all its zeros. */
typedef struct Matrix {
  int32_t row[MOST], column[MOST], count;
  double entry[MOST], dense[N * N];
} Matrix;

static double draw(uint64_t seed, uint64_t stream, int32_t at) { return hbg_random_uniform((HbgRandomPlace){seed, stream, (uint64_t)at}); }
static double draw_normal(uint64_t seed, uint64_t stream, int32_t at) { return hbg_random_normal((HbgRandomPlace){seed, stream, (uint64_t)at}); }

static void add(Matrix *self, int32_t row, int32_t column, double entry) {
  self->row[self->count] = row;
  self->column[self->count] = column;
  self->entry[self->count++] = entry;
  self->dense[row * N + column] += entry;
}

/* A ladder whose unknowns and equations stand in any order, some of it said in two pieces, and some nodes far apart joined; in units that differ by up to 1e12. */
static void make_network(Matrix *self, uint64_t seed) {
  memset(self, 0, sizeof *self);
  for (int32_t i = 0; i < N; i++) {
    const int32_t row = (7 * i + (int32_t)seed) % N, unit = 40 * (int32_t)(draw(seed, 1, i) > 0.5);
    const double scale = ldexp(1, unit);
    add(self, row, i, scale * (4 + draw(seed, 2, i)));
    if (i) add(self, row, i - 1, scale * -draw(seed, 3, i));
    if (i + 1 < N) add(self, row, i + 1, scale * -draw(seed, 4, i));
    if (i % 9 == 0) add(self, row, (5 * i + 3) % N, scale * draw(seed, 5, i));
    if (i % 4 == 0) add(self, row, i, scale * draw(seed, 6, i));
  }
}

static HbgSquare *square_of(HbgArena *arena, const Matrix *matrix) { return hbg_square(arena, arena, N, matrix->count, matrix->row, matrix->column); }

/* The largest row of A x - b against the terms of that row; `across`: of the transposed system. */
static double worst_row(const Matrix *matrix, const double *b, const double *x, bool across) {
  double worst = 0;
  for (int i = 0; i < N; i++) {
    double rest = b[i], size = fabs(b[i]);
    for (int j = 0; j < N; j++) {
      const double term = matrix->dense[across ? j * N + i : i * N + j] * x[j];
      rest -= term;
      size += fabs(term);
    }
    worst = fmax(worst, fabs(rest) / size);
  }
  return worst;
}

static void networks_in_any_order_are_solved_both_ways(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    static Matrix matrix;
    make_network(&matrix, seed);
    assert_true(hbg_square_is_sparse(N, matrix.count));
    HbgSquare *square = square_of(&arena, &matrix);
    double b[N], x[N];
    for (int i = 0; i < N; i++) b[i] = draw_normal(seed, 7, i);
    assert_true(hbg_square_factor(square, matrix.entry));
    memcpy(x, b, sizeof x);
    hbg_square_solve(square, x);
    hbg_square_refine(square, b, x);
    CHECK_NEAR(worst_row(&matrix, b, x, false), 0, 1e-15);
    memcpy(x, b, sizeof x);
    hbg_square_solve_transposed(square, x);
    CHECK_NEAR(worst_row(&matrix, b, x, true), 0, 1e-8); // nobody brings that closer, and columns differ by 1e12
    hbg_square_free(square);
    hbg_arena_release_all(&arena);
  }
}

static void what_is_sparse_is_solved_as_what_is_full(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  static Matrix matrix;
  make_network(&matrix, 77);
  HbgLu lu = hbg_lu(&arena, N);
  HbgSquare *square = square_of(&arena, &matrix);
  assert_true(hbg_lu_factor(&lu, matrix.dense) && hbg_square_factor(square, matrix.entry));
  double b[N], full[N], sparse[N];
  for (int i = 0; i < N; i++) b[i] = full[i] = sparse[i] = draw_normal(77, 7, i);
  hbg_lu_solve(&lu, full);
  hbg_lu_refine(&lu, matrix.dense, b, full);
  hbg_square_solve(square, sparse);
  hbg_square_refine(square, b, sparse);
  for (int i = 0; i < N; i++) CHECK_CLOSE(sparse[i], full[i], 1e-12);
  hbg_square_free(square);
  hbg_arena_release_all(&arena);
}

static void what_is_small_or_full_is_solved_too(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const int32_t row[] = {0, 0, 1, 1, 1}, column[] = {0, 1, 0, 1, 1};
  assert_false(hbg_square_is_sparse(2, 5));
  HbgSquare *square = hbg_square(&arena, &arena, 2, 5, row, column);
  assert_true(hbg_square_factor(square, (double[]){2, 1, 1, 1, 2}));
  double x[2] = {2 * 3 + 5, 3 + 3 * 5}, across[2] = {2 * 3 + 5, 3 + 3 * 5};
  hbg_square_solve(square, x);
  CHECK_NEAR(x[0], 3, 1e-15);
  CHECK_NEAR(x[1], 5, 1e-15);
  hbg_square_solve_transposed(square, across); // it is symmetric
  CHECK_NEAR(across[0], 3, 1e-15);
  CHECK_NEAR(across[1], 5, 1e-15);
  hbg_square_free(square);
  hbg_arena_release_all(&arena);
}

/* Rows i and i + 1 of a chain of differences that nothing ties to the ground but where it is said: without that it may move as a whole. */
static void make_chain(Matrix *self, double ground) {
  memset(self, 0, sizeof *self);
  for (int32_t i = 0; i < N; i++) {
    add(self, i, i, (i > 0) + (i < N - 1));
    if (i) add(self, i, i - 1, -1);
    if (i + 1 < N) add(self, i, i + 1, -1);
  }
  add(self, N / 2, N / 2, ground);
}

static void what_is_singular_is_told_from_what_is_hardly_regular(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  static Matrix matrix;
  const struct { double ground; bool is_regular; } cases[] = {{1, true}, {1e-6, true}, {1e-15, false}, {0, false}};
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    make_chain(&matrix, cases[at].ground);
    HbgSquare *square = square_of(&arena, &matrix);
    HbgLu lu = hbg_lu(&arena, N);
    assert_int_equal(hbg_square_factor(square, matrix.entry), cases[at].is_regular);
    assert_int_equal(hbg_lu_factor(&lu, matrix.dense), cases[at].is_regular); // as dense ones are
    hbg_square_free(square);
  }
  hbg_arena_release_all(&arena);
}

/* No unknown may be moved by more than that, by an error of one in any row; and not by next to nothing of it, in units of its own. */
static void check_spread(HbgSquare *square, int n) {
  double errors[N], of_one[N], moved[N], most = 0;
  for (int row = 0; row < n; row++) {
    for (int i = 0; i < n; i++) of_one[i] = moved[i] = i == row;
    hbg_square_solve(square, moved);
    hbg_square_spread(square, of_one, errors);
    for (int i = 0; i < n; i++) {
      assert_true(fabs(moved[i]) <= 3 * errors[i]);
      most = fmax(most, fabs(moved[i]) / errors[i]);
    }
  }
  assert_true(most > 0.01);
}

static void errors_move_unknowns_by_no_more_than_is_told(void **state) {
  (void)state;
  static Matrix matrix;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    make_network(&matrix, seed);
    HbgSquare *square = square_of(&arena, &matrix);
    assert_true(hbg_square_factor(square, matrix.entry));
    check_spread(square, N);
    HbgSquare *small = hbg_square(&arena, &arena, 2, 3, (int32_t[]){0, 1, 1}, (int32_t[]){0, 0, 1});
    assert_true(hbg_square_factor(small, (double[]){2, 1e6, (double)seed}));
    check_spread(small, 2);
    hbg_square_free(square);
    hbg_square_free(small);
    hbg_arena_release_all(&arena);
  }
}

static void a_row_without_entries_and_what_is_no_number_are_refused(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  static Matrix matrix;
  make_chain(&matrix, 1);
  HbgSquare *square = square_of(&arena, &matrix);
  matrix.entry[17] = (double)NAN;
  assert_false(hbg_square_factor(square, matrix.entry));
  matrix.entry[17] = (double)INFINITY;
  assert_false(hbg_square_factor(square, matrix.entry));
  matrix.entry[17] = -1;
  assert_true(hbg_square_factor(square, matrix.entry)); // and it goes on with other numbers
  hbg_square_free(square);
  int32_t row[N], column[N];
  double entry[N];
  for (int32_t i = 0; i < N; i++) row[i] = i ? i : 1, column[i] = i, entry[i] = 1;
  HbgSquare *hollow = hbg_square(&arena, &arena, N, N, row, column);
  assert_false(hbg_square_factor(hollow, entry));
  hbg_square_free(hollow);
  hbg_arena_release_all(&arena);
}

static void the_order_in_which_entries_are_said_does_not_matter(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  static Matrix matrix, other;
  make_network(&matrix, 5);
  memset(&other, 0, sizeof other);
  // those at one place add up in the order in which they come: it is kept
  for (int32_t first = 0; first < 3; first++)
    for (int32_t k = 0; k < matrix.count; k++)
      if (matrix.row[k] % 3 == first) add(&other, matrix.row[k], matrix.column[k], matrix.entry[k]);
  HbgSquare *one = square_of(&arena, &matrix), *two = square_of(&arena, &other);
  assert_true(hbg_square_factor(one, matrix.entry) && hbg_square_factor(two, other.entry));
  double x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = y[i] = draw_normal(5, 7, i);
  hbg_square_solve(one, x);
  hbg_square_solve(two, y);
  assert_memory_equal(x, y, sizeof x);
  hbg_square_free(one);
  hbg_square_free(two);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(networks_in_any_order_are_solved_both_ways),
      cmocka_unit_test(what_is_sparse_is_solved_as_what_is_full),
      cmocka_unit_test(what_is_small_or_full_is_solved_too),
      cmocka_unit_test(what_is_singular_is_told_from_what_is_hardly_regular),
      cmocka_unit_test(errors_move_unknowns_by_no_more_than_is_told),
      cmocka_unit_test(a_row_without_entries_and_what_is_no_number_are_refused),
      cmocka_unit_test(the_order_in_which_entries_are_said_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * I - s A by chains and by KLU, against the product. */
#include "numerics/shifted.h"

#include "numerics/tridiagonal.h"
#include "support/check.h"

enum { MOST = 64 };

/* A matrix by columns whose entries stand where `filled` is not 0, and are `filled`. */
typedef struct Matrix {
  int32_t n, column[MOST + 1], row[MOST * MOST];
  double value[MOST * MOST];
} Matrix;

static Matrix matrix_of(int32_t n, double (*filled)(int32_t i, int32_t j, int32_t n)) {
  Matrix matrix = {.n = n};
  int32_t count = 0;
  for (int32_t j = 0; j < n; j++) {
    for (int32_t i = 0; i < n; i++) {
      const double value = filled(i, j, n);
      if (i != j && !(fabs(value) > 0)) continue;
      matrix.row[count] = i;
      matrix.value[count++] = value;
    }
    matrix.column[j + 1] = count;
  }
  return matrix;
}

/* Solves (I - s A) x = b for a known x, by a fresh object or one that has seen other s. */
static void check_solution(HbgShifted *shifted, const Matrix *matrix, double s, double tolerance) {
  double x[MOST], right[MOST];
  for (int32_t i = 0; i < matrix->n; i++) x[i] = 1 + 0.5 * sin(3.0 * i);
  for (int32_t i = 0; i < matrix->n; i++) right[i] = x[i];
  for (int32_t j = 0; j < matrix->n; j++)
    for (int32_t k = matrix->column[j]; k < matrix->column[j + 1]; k++) right[matrix->row[k]] -= s * matrix->value[k] * x[j];
  assert_int_equal(hbg_shifted_factor(shifted, s), HBG_FACTORED);
  hbg_shifted_solve(shifted, right);
  for (int32_t i = 0; i < matrix->n; i++) CHECK_NEAR(right[i], x[i], tolerance);
}

static void check_product(const HbgShifted *shifted, const Matrix *matrix) {
  double x[MOST], y[MOST], expected[MOST] = {0};
  for (int32_t i = 0; i < matrix->n; i++) x[i] = cos(2.0 * i);
  for (int32_t j = 0; j < matrix->n; j++)
    for (int32_t k = matrix->column[j]; k < matrix->column[j + 1]; k++) expected[matrix->row[k]] += matrix->value[k] * x[j];
  hbg_shifted_multiply(shifted, x, y);
  for (int32_t i = 0; i < matrix->n; i++) CHECK_NEAR(y[i], expected[i], 1e-12 * (1 + fabs(expected[i])));
}

static void check_all(const Matrix *matrix, bool is_chain) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const HbgPattern pattern = hbg_pattern(&arena, matrix->n, &(HbgSparsity){matrix->column, matrix->row});
  HbgTridiagonal chains;
  assert_int_equal(hbg_tridiagonal(&chains, &pattern, &arena), is_chain);
  HbgShifted *shifted = hbg_shifted(&arena, &pattern);
  double *value = ARENA_NEW(&arena, double, pattern.count);
  for (int32_t k = 0; k < pattern.source_count; k++) value[pattern.place[k]] = matrix->value[k];
  hbg_shifted_set(shifted, value);
  for (double s = 1e-6; s < 1e7; s *= 10) check_solution(shifted, matrix, s, 1e-9);
  check_product(shifted, matrix);
  hbg_shifted_free(shifted);
  hbg_arena_release_all(&arena);
}

/* Heat between neighbours, and a little of it lost. */
static double rod(int32_t i, int32_t j, int32_t n) {
  (void)n;
  return i == j ? -2.01 : i - j == 1 || j - i == 1 ? 1 : 0;
}

/* The same rod with its cells numbered at random: 7 i mod 31. */
static double shuffled_rod(int32_t i, int32_t j, int32_t n) { return rod(7 * i % n, 7 * j % n, n); }

/* Two rods, and a cell by itself. */
static double two_rods(int32_t i, int32_t j, int32_t n) {
  if (i == n - 1 || j == n - 1) return i == j ? -1 : 0;
  return (i < n / 2) == (j < n / 2) ? rod(i, j, n) : 0;
}

static double ring(int32_t i, int32_t j, int32_t n) { return (i == 0 && j == n - 1) || (j == 0 && i == n - 1) ? 1 : rod(i, j, n); }

static double star(int32_t i, int32_t j, int32_t n) { return i == j ? -(double)n : i == 0 || j == 0 ? 1 : 0; }

static void chains_are_found_and_solved_whatever_their_length_and_order(void **state) {
  (void)state;
  for (int32_t n = 1; n <= 12; n++) {
    const Matrix matrix = matrix_of(n, rod);
    check_all(&matrix, true);
  }
  const Matrix shuffled = matrix_of(31, shuffled_rod), two = matrix_of(20, two_rods);
  check_all(&shuffled, true);
  check_all(&two, true);
}

static void what_is_no_chain_is_solved_all_the_same(void **state) {
  (void)state;
  const Matrix closed = matrix_of(20, ring), spread = matrix_of(20, star);
  check_all(&closed, false);
  check_all(&spread, false);
}

/* I - s A with a zero in its first corner, and a one: there is no factorisation without pivoting. */
static double corner(int32_t i, int32_t j, int32_t n) {
  (void)n;
  return i == j ? (i == 0 ? 1 : 0) : 1;
}

static void a_chain_that_needs_pivots_gets_them(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const Matrix matrix = matrix_of(2, corner);
  const HbgPattern pattern = hbg_pattern(&arena, 2, &(HbgSparsity){matrix.column, matrix.row});
  HbgTridiagonal chains;
  assert_true(hbg_tridiagonal(&chains, &pattern, &arena));
  hbg_tridiagonal_set(&chains, matrix.value);
  assert_false(hbg_tridiagonal_factor(&chains, 1));
  HbgShifted *shifted = hbg_shifted(&arena, &pattern);
  hbg_shifted_set(shifted, matrix.value);
  check_solution(shifted, &matrix, 1, 1e-14);
  // where the pivot is not nothing but a thousandth of a millionth, the answer would lose nine digits
  assert_false(hbg_tridiagonal_factor(&chains, 1 - 1e-9));
  check_solution(shifted, &matrix, 1 - 1e-9, 1e-14);
  hbg_shifted_free(shifted);
  hbg_arena_release_all(&arena);
}

static double one(int32_t i, int32_t j, int32_t n) {
  (void)i, (void)j, (void)n;
  return 1;
}

static void a_singular_matrix_is_told(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (int32_t n = 1; n <= 4; n++) {
    const Matrix matrix = matrix_of(n, one);
    const HbgPattern pattern = hbg_pattern(&arena, n, &(HbgSparsity){matrix.column, matrix.row});
    HbgShifted *shifted = hbg_shifted(&arena, &pattern);
    hbg_shifted_set(shifted, matrix.value);
    // ones have the eigenvalue n; a third is no number of the machine
    if (n != 3) assert_int_equal(hbg_shifted_factor(shifted, 1.0 / n), HBG_FACTORED_SINGULAR);
    check_solution(shifted, &matrix, -1, 1e-14);
    hbg_shifted_free(shifted);
  }
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_are_found_and_solved_whatever_their_length_and_order),
      cmocka_unit_test(what_is_no_chain_is_solved_all_the_same),
      cmocka_unit_test(a_chain_that_needs_pivots_gets_them),
      cmocka_unit_test(a_singular_matrix_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

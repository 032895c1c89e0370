/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle's linear algebra: rank without a tolerance, and how far round-off goes. */
#include "support/oracle_linear.h"

#include "support/check.h"

static OracleSystem reduced(HbgArena *arena, int32_t m, int32_t n, const double *a) {
  *arena = hbg_arena((HbgAllocator){0});
  return oracle_system(arena, m, n, a);
}

static void what_is_small_is_not_zero(void **state) {
  (void)state;
  // the second pivot is 1e-12 of the first, however rows and columns are scaled, and there is nothing it could be left of
  const double a[] = {1, 1, 1, 1 + 0x1p-40};
  HbgArena arena;
  const OracleSystem system = reduced(&arena, 2, 2, a);
  assert_int_equal(system.rank, 2);
  assert_false(system.is_doubtful);
  hbg_arena_release_all(&arena);
}

static void what_is_left_of_larger_terms_is_zero(void **state) {
  (void)state;
  // the third row is the sum of 1e6 times the first and 1e-6 times the second, but for round-off
  const double a[] = {
      0.1, 0.7, 0.3, 0.9, 0.2, 0.4, 1e6 * 0.1 + 1e-6 * 0.9, 1e6 * 0.7 + 1e-6 * 0.2, 1e6 * 0.3 + 1e-6 * 0.4};
  HbgArena arena;
  const OracleSystem system = reduced(&arena, 3, 3, a);
  assert_int_equal(system.rank, 2);
  hbg_arena_release_all(&arena);
}

static void what_is_a_hundred_times_its_round_off_is_doubtful(void **state) {
  (void)state;
  const double a[] = {0.1, 0.7, 0.3, 2.1 * (1 + 0x1p-46)};
  HbgArena arena;
  assert_true(reduced(&arena, 2, 2, a).is_doubtful);
  hbg_arena_release_all(&arena);
}

/* x + y = 2, x + (1 + h) y = 2: x and y answer to a change of one right-hand side by about 1/h times that. */
static void round_off_spreads_by_the_condition_number(void **state) {
  (void)state;
  const double h = 0x1p-20, a[] = {1, 1, 1, 1 + h}, size[] = {1, 1};
  double x[2];
  HbgArena arena;
  const OracleSystem system = reduced(&arena, 2, 2, a);
  oracle_spread(&system, size, x);
  CHECK_NEAR(x[0], (2 + h) / h, 1e-6 / h);
  CHECK_NEAR(x[1], 2 / h, 1e-6 / h);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_small_is_not_zero),
      cmocka_unit_test(what_is_left_of_larger_terms_is_zero),
      cmocka_unit_test(what_is_a_hundred_times_its_round_off_is_doubtful),
      cmocka_unit_test(round_off_spreads_by_the_condition_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Regular instants: what is one instant in fractions is one number, over any number of periods. */
#include "model/time_grid.h"

#include <math.h>

#include "support/check.h"

static void check_fraction(double value, int64_t numerator, int64_t denominator) {
  int64_t above, below;
  assert_true(hbg_fraction_of(value, &above, &below));
  assert_int_equal(above, numerator);
  assert_int_equal(below, denominator);
}

static void numbers_of_a_text_are_the_fractions_they_were_meant_to_be(void **state) {
  (void)state;
  check_fraction(0, 0, 1);
  check_fraction(7, 7, 1);
  check_fraction(0.1, 1, 10);
  check_fraction(3 * 0.1, 3, 10); // 0.30000000000000004
  check_fraction(1.0 / 3, 1, 3);
  check_fraction(2.0 / 7, 2, 7);
  check_fraction(-1.0 / 3, -1, 3);
  check_fraction(1.0 / 44100, 1, 44100);
  check_fraction(355.0 / 113, 355, 113);
  check_fraction(50e-6, 1, 20000);
  check_fraction(1e-9, 1, 1000000000);
  check_fraction(0.123456789012, 30864197253, 250000000000);
  check_fraction(12345.678, 6172839, 500);
}

static void numbers_that_are_no_fractions_are_none(void **state) {
  (void)state;
  int64_t above, below;
  assert_false(hbg_fraction_of(acos(-1.0), &above, &below));
  assert_false(hbg_fraction_of(sqrt(2), &above, &below));
  assert_false(hbg_fraction_of(exp(-20), &above, &below));
  assert_false(hbg_fraction_of(1e300, &above, &below));
  assert_false(hbg_fraction_of(1e-300, &above, &below));
  assert_false(hbg_fraction_of((double)NAN, &above, &below));
  assert_false(hbg_fraction_of((double)INFINITY, &above, &below));
}

/* A quotient of two integers is rounded once: the second way to the number next to k/10. */
static void a_million_ticks_have_no_drift(void **state) {
  (void)state;
  const HbgTimeGrid tenths = hbg_time_grid(0, 0.1), thirds = hbg_time_grid(1.0 / 7, 1.0 / 3);
  for (int64_t at = 0; at <= 1000000; at++) {
    CHECK_NEAR(hbg_time_grid_time(&tenths, at), (double)at / 10, 0);
    CHECK_NEAR(hbg_time_grid_time(&thirds, at), (double)(3 + 7 * at) / 21, 0);
  }
}

static void clocks_that_meet_meet_exactly(void **state) {
  (void)state;
  const HbgTimeGrid tenth = hbg_time_grid(0, 0.1), three = hbg_time_grid(0, 3 * 0.1), half = hbg_time_grid(0, 0.5),
                    third = hbg_time_grid(0, 1.0 / 3), late = hbg_time_grid(0.2, 0.7);
  for (int64_t at = 0; at < 100000; at++) {
    CHECK_NEAR(hbg_time_grid_time(&tenth, 3 * at), hbg_time_grid_time(&three, at), 0);
    CHECK_NEAR(hbg_time_grid_time(&third, 3 * at), hbg_time_grid_time(&half, 2 * at), 0);
    CHECK_NEAR(hbg_time_grid_time(&tenth, 2 + 7 * at), hbg_time_grid_time(&late, at), 0);
  }
}

/* Walks from instant to instant; index and time agree on both sides of each. */
static void walk(double offset, double period) {
  const HbgTimeGrid grid = hbg_time_grid(offset, period);
  double t = -1e9;
  assert_int_equal(hbg_time_grid_index(&grid, t), -1);
  for (int64_t at = 0; at < 20000; at++) {
    t = hbg_time_grid_after(&grid, t);
    CHECK_NEAR(t, hbg_time_grid_time(&grid, at), 0);
    assert_int_equal(hbg_time_grid_index(&grid, t), at);
    assert_int_equal(hbg_time_grid_index(&grid, nextafter(t, -10)), at - 1);
  }
}

static void every_instant_is_met_once_in_its_order(void **state) {
  (void)state;
  walk(0, 0.1);
  walk(0.1, 1.1 / 3);
  walk(1e-3, 1e-7);
  walk(12345.678, 2.0 / 3);
  walk(0, sqrt(2) / 1000);
  walk(exp(1), 0.01);
  walk(-0.3, 0.1);
}

static void one_instant_comes_once(void **state) {
  (void)state;
  const HbgTimeGrid once = hbg_time_grid(0.3, (double)INFINITY);
  CHECK_NEAR(hbg_time_grid_after(&once, 0), 0.3, 0);
  assert_true(isinf(hbg_time_grid_after(&once, 0.3)));
  assert_int_equal(hbg_time_grid_index(&once, 1e9), 0);
}

static bool meet(double a_offset, double a_period, double b_offset, double b_period) {
  const HbgTimeGrid a = hbg_time_grid(a_offset, a_period), b = hbg_time_grid(b_offset, b_period);
  assert_true(hbg_time_grids_meet(&b, &a) == hbg_time_grids_meet(&a, &b));
  return hbg_time_grids_meet(&a, &b);
}

/* o1 + i p1 = o2 + j p2 has a solution where the greatest common divisor of the periods divides the difference of the offsets. */
static void whether_clocks_meet_is_known(void **state) {
  (void)state;
  assert_true(meet(0, 0.1, 0, 0.3));
  assert_true(meet(0.1, 0.2, 0.5, 0.3));
  assert_false(meet(0, 0.1, 0.05, 0.1));
  assert_false(meet(0, 0.2, 0.1, 0.4));
  assert_true(meet(0, 1.0 / 3, 0.5, 0.5));
  assert_true(meet(0, sqrt(2), 0.1, 0.2)); // not known
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_a_text_are_the_fractions_they_were_meant_to_be),
      cmocka_unit_test(numbers_that_are_no_fractions_are_none),
      cmocka_unit_test(a_million_ticks_have_no_drift),
      cmocka_unit_test(clocks_that_meet_meet_exactly),
      cmocka_unit_test(every_instant_is_met_once_in_its_order),
      cmocka_unit_test(one_instant_comes_once),
      cmocka_unit_test(whether_clocks_meet_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

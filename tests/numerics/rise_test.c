/* SPDX-License-Identifier: BSD-3-Clause
 * The first rise of polynomials whose roots are known. */
#include "numerics/rise.h"

#include <math.h>

#include "support/check.h"

static void assert_near(double is, double should_be, double within) {
  if (!(fabs(is - should_be) <= within)) fail_msg("%.17g instead of %.17g", is, should_be);
}

/* factor (u - root[0]) (u - root[1]) ... */
static HbgRise with_roots(double factor, const double *root, int32_t count) {
  HbgRise rise = {.degree = count, .c = {factor}};
  for (int32_t at = 0; at < count; at++)
    for (int32_t k = at + 1; k >= 0; k--) rise.c[k] = (k ? rise.c[k - 1] : 0) - root[at] * rise.c[k];
  for (int32_t k = 0; k <= count; k++) rise.zero[k] = 1e-15 * fabs(factor);
  return rise;
}

static void a_line_rises_at_its_root(void **state) {
  (void)state;
  const HbgRise rise = with_roots(3, (double[]){0.3}, 1);
  assert_near(hbg_rise(&rise, false, false), 0.3, 1e-15);
}

static void a_falling_line_never_rises(void **state) {
  (void)state;
  const HbgRise rise = with_roots(-3, (double[]){-0.1}, 1);
  assert_true(isinf(hbg_rise(&rise, false, false)));
}

static void what_has_just_fallen_below_zero_comes_back(void **state) {
  (void)state;
  // 2 u^2 - u - next to nothing, which is more than round-off of itself
  const HbgRise rise = {.degree = 2, .c = {-1e-20, -1, 2}};
  assert_near(hbg_rise(&rise, false, false), 0.5, 1e-12);
}

static void what_is_above_holds_at_once(void **state) {
  (void)state;
  const HbgRise rise = with_roots(-3, (double[]){0.5}, 1);
  assert_near(hbg_rise(&rise, false, false), 0, 0);
}

static void the_first_of_many_roots_is_found(void **state) {
  (void)state;
  const HbgRise rise = with_roots(1000, (double[]){0.2, 0.21, 0.5, 0.9, 0.95}, 5);
  assert_near(hbg_rise(&rise, false, false), 0.2, 1e-12);
}

static void a_narrow_rise_is_not_missed(void **state) {
  (void)state;
  // above zero for a millionth of the time
  const HbgRise rise = with_roots(-1, (double[]){0.7, 0.700001}, 2);
  assert_near(hbg_rise(&rise, false, false), 0.7, 1e-9);
}

static void what_stays_below_does_not_rise(void **state) {
  (void)state;
  HbgRise rise = with_roots(-1, (double[]){0.7, 0.7}, 2);
  rise.c[0] -= 1e-9;
  assert_true(isinf(hbg_rise(&rise, false, false)));
  assert_true(isinf(hbg_rise(&rise, true, false)));
}

static void a_touch_counts_where_it_is_enough(void **state) {
  (void)state;
  const HbgRise rise = with_roots(-4, (double[]){0.5, 0.5}, 2);
  assert_near(hbg_rise(&rise, true, false), 0.5, 1e-6);
}

static void a_touch_that_is_not_enough_is_passed(void **state) {
  (void)state;
  const HbgRise rise = with_roots(4, (double[]){0.25, 0.25, 0.75}, 3);
  assert_near(hbg_rise(&rise, false, false), 0.75, 1e-9);
}

static void nothing_at_the_beginning_goes_by_where_it_goes(void **state) {
  (void)state;
  HbgRise rise = with_roots(1, (double[]){0, 0.6}, 2); // falls at first, and comes back
  assert_near(hbg_rise(&rise, false, false), 0.6, 1e-14);
  rise = with_roots(-1, (double[]){0, 0.6}, 2);
  assert_near(hbg_rise(&rise, false, false), 0, 0);
  rise = with_roots(1, (double[]){0, 0, 0.4}, 3);
  assert_near(hbg_rise(&rise, false, false), 0.4, 1e-14);
  assert_near(hbg_rise(&rise, true, true), 0, 0);
}

static void round_off_at_the_beginning_is_nothing(void **state) {
  (void)state;
  HbgRise rise = with_roots(1, (double[]){0, 0.6}, 2);
  rise.c[0] = 1e-16;
  assert_near(hbg_rise(&rise, false, false), 0.6, 1e-14);
}

static void a_part_has_the_roots_of_the_whole(void **state) {
  (void)state;
  const HbgRise rise = with_roots(-50, (double[]){0.1, 0.4, 0.8}, 3), rest = hbg_rise_from(&rise, 0.5);
  assert_near(hbg_rise(&rise, false, false), 0, 0);
  assert_near(hbg_rise(&rest, false, false), 0, 0);
  const HbgRise middle = hbg_rise_from(&rise, 0.2);
  assert_near(0.2 + 0.8 * hbg_rise(&middle, false, false), 0.4, 1e-13);
}

static void cosines_as_series_rise_where_they_are_one_half(void **state) {
  (void)state;
  // 1/2 - cos(2 u): from below to zero at pi/6
  HbgRise rise = {.degree = 22};
  double term = -1;
  for (int32_t k = 0; k <= 22; k += 2) {
    rise.c[k] = term;
    term *= -4.0 / ((k + 1) * (k + 2));
  }
  rise.c[0] += 0.5;
  for (int32_t k = 0; k <= 22; k++) rise.zero[k] = 1e-15;
  assert_near(hbg_rise(&rise, false, false), acos(-1) / 6, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_rises_at_its_root),
      cmocka_unit_test(a_falling_line_never_rises),
      cmocka_unit_test(what_has_just_fallen_below_zero_comes_back),
      cmocka_unit_test(what_is_above_holds_at_once),
      cmocka_unit_test(the_first_of_many_roots_is_found),
      cmocka_unit_test(a_narrow_rise_is_not_missed),
      cmocka_unit_test(what_stays_below_does_not_rise),
      cmocka_unit_test(a_touch_counts_where_it_is_enough),
      cmocka_unit_test(a_touch_that_is_not_enough_is_passed),
      cmocka_unit_test(nothing_at_the_beginning_goes_by_where_it_goes),
      cmocka_unit_test(round_off_at_the_beginning_is_nothing),
      cmocka_unit_test(a_part_has_the_roots_of_the_whole),
      cmocka_unit_test(cosines_as_series_rise_where_they_are_one_half),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

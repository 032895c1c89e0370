/* SPDX-License-Identifier: BSD-3-Clause
 * What errors are measured against. */
#include "numerics/scales.h"

#include "support/check.h"

static void a_scale_is_the_largest_magnitude_so_far(void **state) {
  (void)state;
  double scale[3] = {1, 2, 0};
  assert_true(hbg_scales_grow(scale, (const double[]){-3, 1, -0.5}, 3));
  assert_true(scale[0] >= 3 && scale[0] <= 3 && scale[1] >= 2 && scale[1] <= 2 && scale[2] >= 0.5 && scale[2] <= 0.5);
  assert_false(hbg_scales_grow(scale, (const double[]){3, -2, 0.25}, 3));
}

static void what_has_not_moved_is_measured_against_its_kind(void **state) {
  (void)state;
  const double scale[4] = {4e6, 0, 10, 0};
  const uint8_t kind[4] = {1, 1, 2, 2};
  double own[4] = {0, 0, 50, 0};
  hbg_scales_spread(own, scale, kind, 4);
  assert_true(own[0] >= 4e6 && own[0] <= 4e6);
  assert_true(fabs(own[1] - 4) < 1e-15);
  assert_true(own[2] >= 50 && own[2] <= 50);
  assert_true(fabs(own[3] - 1e-5) < 1e-20);
}

static void the_largest_motion_is_told_in_units_and_what_is_no_number_is_far(void **state) {
  (void)state;
  const double a[3] = {1, -2, 3}, b[3] = {2, 2, 3}, unit[3] = {1, 0.5, 100};
  const double far = hbg_scales_farthest(a, b, unit, 3), wide = hbg_scales_widest(a, b, unit, 3);
  assert_true(far >= 2 && far <= 2);
  assert_true(wide >= 600 && wide <= 600);
  assert_true(isinf(hbg_scales_farthest(a, (const double[]){0, (double)NAN, 0}, unit, 3)));
  assert_true(isinf(hbg_scales_widest((const double[]){0, (double)NAN, 0}, b, unit, 3)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scale_is_the_largest_magnitude_so_far),
      cmocka_unit_test(what_has_not_moved_is_measured_against_its_kind),
      cmocka_unit_test(the_largest_motion_is_told_in_units_and_what_is_no_number_is_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scale_is_the_largest_magnitude_so_far),
      cmocka_unit_test(what_has_not_moved_is_measured_against_its_kind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

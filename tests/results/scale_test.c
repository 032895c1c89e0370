/* SPDX-License-Identifier: BSD-3-Clause
 * An axis. */
#include "support/check.h"

#include "results/scale.h"

static void ticks_are_round_numbers_inside_the_range(void **state) {
  (void)state;
  const HbgScale scale = hbg_scale(-0.23, 1.07, 5);
  CHECK_NEAR(scale.step, 0.5, 1e-15);
  assert_int_equal(scale.tick_count, 3);
  CHECK_NEAR(hbg_scale_tick(&scale, 0), 0.0, 0.0);
  CHECK_NEAR(hbg_scale_tick(&scale, 2), 1.0, 1e-15);
}

static void an_end_that_is_a_tick_keeps_it(void **state) {
  (void)state;
  const HbgScale scale = hbg_scale(0.0, 0.1 + 0.2, 3); // 0.3 and a little
  assert_int_equal(scale.tick_count, 4);
}

static void a_constant_stands_in_the_middle(void **state) {
  (void)state;
  HbgScale scale = hbg_scale(5.0, 5.0, 5);
  scale.from = 100.0;
  scale.to = 200.0;
  CHECK_NEAR(hbg_scale_place(&scale, 5.0), 150.0, 1e-12);
  const HbgScale zero = hbg_scale(0.0, 0.0, 5);
  assert_true(zero.most > zero.least);
}

static void huge_and_tiny_ranges_have_few_ticks(void **state) {
  (void)state;
  for (int power = -300; power <= 300; power += 25) {
    const HbgScale scale = hbg_scale(0.0, pow(10.0, power) * 1.3, 8);
    assert_in_range(scale.tick_count, 3, 9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_are_round_numbers_inside_the_range),
      cmocka_unit_test(an_end_that_is_a_tick_keeps_it),
      cmocka_unit_test(a_constant_stands_in_the_middle),
      cmocka_unit_test(huge_and_tiny_ranges_have_few_ticks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

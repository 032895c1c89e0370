/* SPDX-License-Identifier: BSD-3-Clause
 * Where parabolas come to zero, from closed forms, also where their coefficients lie far apart. */
#include "numerics/parabola.h"

#include "support/check.h"

static void it_rises_at_its_root(void **state) {
  (void)state;
  CHECK_CLOSE(hbg_parabola_rise(-6, 1, 1), 2, 1e-15);
  CHECK_CLOSE(hbg_parabola_rise(-6, 12, 0), 0.5, 1e-15);
  CHECK_CLOSE(hbg_parabola_rise(-3, 4, -1), 1, 1e-15); // which comes before it falls at 3
  CHECK_CLOSE(hbg_parabola_rise(-2, 0, 0.5), 2, 1e-15);
}

static void what_has_just_left_zero_is_known_to_come_back(void **state) {
  (void)state;
  // s (2 s - 1) but for next to nothing: its root is at 1/2, and by the other form of the formula there was none
  for (int digits = 1; digits <= 300; digits += 13) {
    const double value = -pow(10, -digits);
    CHECK_CLOSE(hbg_parabola_rise(value, -1, 2), 0.25 + sqrt(0.0625 - value / 2), 1e-15);
  }
  CHECK_CLOSE(hbg_parabola_rise(-5e-324, -1, 2), 0.5, 1e-15);
}

static void what_stays_below_never_rises(void **state) {
  (void)state;
  assert_true(isinf(hbg_parabola_rise(-1, -1, 0)));
  assert_true(isinf(hbg_parabola_rise(-1, 0, 0)));
  assert_true(isinf(hbg_parabola_rise(-1, 1, -1)));
  assert_true(isinf(hbg_parabola_rise(-1, -1, -1)));
}

static void without_a_bound_it_may_rise_at_once(void **state) {
  (void)state;
  CHECK_NEAR(hbg_parabola_rise(-1, -1, (double)INFINITY), 0, 0);
  CHECK_NEAR(hbg_parabola_rise(-1, 1, (double)INFINITY), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_rises_at_its_root),
      cmocka_unit_test(what_has_just_left_zero_is_known_to_come_back),
      cmocka_unit_test(what_stays_below_never_rises),
      cmocka_unit_test(without_a_bound_it_may_rise_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

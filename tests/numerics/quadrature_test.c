/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/quadrature.h"

#include <math.h>

#include "support/check.h"

static double cubic(double x, void *user) {
  ++*(int *)user;
  return 4 * x * x * x - 1;
}
static double root(double x, void *user) { return (void)user, sqrt(x); }
static double kink(double x, void *user) { return (void)user, fabs(x - 0.3); }
static double steep(double x, void *user) { return (void)user, exp(40 * x); }
static double pole(double x, void *user) { return (void)user, 1 / x; }
static double nothing(double x, void *user) { return (void)user, 0 * x; }
static double gone(double x, void *user) { return (void)user, x > 0.5 ? (double)NAN : x; }

static void polynomials_take_one_look(void **state) {
  (void)state;
  int count = 0;
  CHECK_NEAR(hbg_integral(cubic, &count, 0, 2, 1e-10), 14, 1e-13);
  assert_int_equal(count, 15);
  CHECK_NEAR(hbg_integral(cubic, &count, 2, 0, 1e-10), -14, 1e-13);
  CHECK_NEAR(hbg_integral(cubic, &count, 2, 2, 1e-10), 0, 0);
}

static void roots_kinks_and_steep_slopes_are_found_out(void **state) {
  (void)state;
  CHECK_NEAR(hbg_integral(root, NULL, 0, 1, 1e-11), 2.0 / 3, 1e-10);
  CHECK_NEAR(hbg_integral(kink, NULL, 0, 1, 1e-11), 0.045 + 0.245, 1e-11);
  CHECK_NEAR(hbg_integral(steep, NULL, 0, 1, 1e-11) / exp(40.0), (1 - exp(-40.0)) / 40, 1e-13);
  CHECK_NEAR(hbg_integral(nothing, NULL, 0, 1, 1e-11), 0, 0);
}

static void what_has_no_integral_is_no_number(void **state) {
  (void)state;
  assert_true(isnan(hbg_integral(pole, NULL, 0, 1, 1e-11)));
  assert_true(isnan(hbg_integral(gone, NULL, 0, 1, 1e-11)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_take_one_look),
      cmocka_unit_test(roots_kinks_and_steep_slopes_are_found_out),
      cmocka_unit_test(what_has_no_integral_is_no_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

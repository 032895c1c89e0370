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

/* ---- running integrals ---- */

static double oscillation(double x, void *user) {
  ++*(int *)user;
  return cos(3 * x) * cos(3 * x) * exp(-0.1 * x);
}

static double integral_of_oscillation(double x) {
  // cos^2 = (1 + cos 6x)/2
  const double decay = exp(-0.1 * x);
  return 0.5 * (1 - decay) / 0.1 + 0.5 * (0.1 + decay * (6 * sin(6 * x) - 0.1 * cos(6 * x))) / (36 + 0.01);
}

static void what_runs_is_exact_wherever_somebody_asks(void **state) {
  (void)state;
  int count = 0;
  HbgRunningIntegral often = hbg_running_integral(1.0 / 3, 0), once = often;
  for (int at = 1; at <= 1000; at++)
    CHECK_NEAR(hbg_running_integral_to(&often, oscillation, &count, 0.05 * at), integral_of_oscillation(0.05 * at), 2e-12);
  count = 0;
  const double last = hbg_running_integral_to(&once, oscillation, &count, 50);
  assert_true(last >= hbg_running_integral_to(&often, oscillation, &count, 50) && last <= hbg_running_integral_to(&often, oscillation, &count, 50));
  assert_true(count < 3000); // 300 radians of what is squared
  CHECK_NEAR(hbg_running_integral_to(&once, oscillation, &count, 7.3), integral_of_oscillation(7.3), 2e-12); // and backwards
}

static double power(double x, void *user) { return pow(x, *(double *)user); }

static void both_rules_are_exact_for_the_polynomials_that_they_have_to_be(void **state) {
  (void)state;
  for (double degree = 0; degree <= 11; degree++) { // the rule of 7, on a short panel; agreement needs none
    HbgRunningIntegral of = hbg_running_integral(1e3, 1);
    CHECK_NEAR(hbg_running_integral_to(&of, power, &degree, 1), 1 / (degree + 1), 1e-15);
  }
  for (double degree = 0; degree <= 23; degree++) {
    HbgRunningIntegral of = hbg_running_integral(1.5, 1);
    CHECK_NEAR(hbg_running_integral_to(&of, power, &degree, 1), 1 / (degree + 1), 1e-15);
  }
}

static void what_has_no_scale_is_one_look_at_its_polynomial(void **state) {
  (void)state;
  int count = 0;
  HbgRunningIntegral of = hbg_running_integral((double)INFINITY, 0);
  CHECK_NEAR(hbg_running_integral_to(&of, cubic, &count, 2), 14, 1e-13);
  assert_int_equal(count, 7);
  CHECK_NEAR(hbg_running_integral_to(&of, cubic, &count, 1e3), 1e12 - 1e3, 1e-3);
}

static double pole_inside(double x, void *user) { return (void)user, 1 / (x - 0.69314718); }
static double logarithm(double x, void *user) { return (void)user, log(fabs(x - 0.69314718)); }

static void what_is_steep_somewhere_gets_more_looks_there(void **state) {
  (void)state;
  for (int has_scale = 0; has_scale < 2; has_scale++) {
    const double radian = has_scale ? 0.1 : (double)INFINITY;
    HbgRunningIntegral of_root = hbg_running_integral(radian, 0), of_steep = of_root, of_pole = of_root, of_gone = of_root, of_logarithm = of_root;
    CHECK_NEAR(hbg_running_integral_to(&of_root, root, NULL, 1), 2.0 / 3, 1e-10);
    CHECK_NEAR(hbg_running_integral_to(&of_steep, steep, NULL, 1) / exp(40.0), (1 - exp(-40.0)) / 40, 1e-13);
    assert_true(isnan(hbg_running_integral_to(&of_gone, gone, NULL, 1)));
    assert_true(isfinite(hbg_running_integral_to(&of_pole, pole_inside, NULL, 0.5)));
    assert_true(!isfinite(hbg_running_integral_to(&of_pole, pole_inside, NULL, 1)));
    CHECK_NEAR(hbg_running_integral_to(&of_logarithm, logarithm, NULL, 1), 0.69314718 * log(0.69314718) + 0.30685282 * log(0.30685282) - 1, 1e-8); // which has an integral
  }
}

static double noise_alone(double x, void *user) {
  ++*(int *)user;
  return 1e-17 * sin(1e9 * x * x);
}

static void round_off_is_not_looked_into(void **state) {
  (void)state;
  int count = 0;
  HbgRunningIntegral of = hbg_running_integral(1, 1e-16);
  CHECK_NEAR(hbg_running_integral_to(&of, noise_alone, &count, 100), 0, 1e-14);
  assert_true(count < 3000);
  count = 0;
  of = hbg_running_integral(1, 0); // nobody says so: it ends, too
  (void)hbg_running_integral_to(&of, noise_alone, &count, 10);
  assert_true(count < 1000000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_take_one_look),
      cmocka_unit_test(roots_kinks_and_steep_slopes_are_found_out),
      cmocka_unit_test(what_has_no_integral_is_no_number),
      cmocka_unit_test(what_runs_is_exact_wherever_somebody_asks),
      cmocka_unit_test(both_rules_are_exact_for_the_polynomials_that_they_have_to_be),
      cmocka_unit_test(what_has_no_scale_is_one_look_at_its_polynomial),
      cmocka_unit_test(what_is_steep_somewhere_gets_more_looks_there),
      cmocka_unit_test(round_off_is_not_looked_into),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

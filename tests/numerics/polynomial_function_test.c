/* SPDX-License-Identifier: BSD-3-Clause
 * Smooth functions of polynomials: what they leave out is within what they say. */
#include "numerics/polynomial_function.h"

#include "support/check.h"

typedef struct Case {
  HbgSmoothFunction function;
  double exponent;
  double (*exact)(double x, double exponent);
  double from, to;
} Case;

static double sine(double x, double p) { return (void)p, sin(x); }
static double cosine(double x, double p) { return (void)p, cos(x); }
static double exponential(double x, double p) { return (void)p, exp(x); }
static double logarithm(double x, double p) { return (void)p, log(x); }
static double arc(double x, double p) { return (void)p, atan(x); }

static const Case cases[] = {
    {HBG_SMOOTH_SIN, 0, sine, -2, 3},         {HBG_SMOOTH_COS, 0, cosine, 10, 11},     {HBG_SMOOTH_EXP, 0, exponential, -3, 2},
    {HBG_SMOOTH_LOG, 0, logarithm, 0.5, 0.9}, {HBG_SMOOTH_ATAN, 0, arc, -0.3, 0.4},    {HBG_SMOOTH_POWER, -1, pow, 1, 1.5},
    {HBG_SMOOTH_POWER, -1, pow, -3, -2},      {HBG_SMOOTH_POWER, 0.5, pow, 4, 5},      {HBG_SMOOTH_POWER, 1.7, pow, 0.8, 1.1},
    {HBG_SMOOTH_POWER, -2, pow, -1.2, -0.9},  {HBG_SMOOTH_SIN, 0, sine, -30, 30},      {HBG_SMOOTH_EXP, 0, exponential, -40, 5},
    {HBG_SMOOTH_ATAN, 0, arc, -5, 50},        {HBG_SMOOTH_LOG, 0, logarithm, 1e-3, 1},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Bent, from `from` to `to`. */
static HbgPolynomial argument(double from, double to) {
  HbgPolynomial p = hbg_polynomial_line(0, to - from);
  hbg_polynomial_multiply(&p, &p, &p);
  hbg_polynomial_scale(&p, &p, 1 / (to - from));
  p.c[0] += from;
  p.size = fmax(fabs(from), fabs(to));
  return p;
}

static void the_function_lies_within_the_error(void **state) {
  (void)state;
  for (int at = 0; at < CASES; at++) {
    const HbgPolynomial a = argument(cases[at].from, cases[at].to);
    HbgPolynomial result;
    hbg_polynomial_apply(&result, cases[at].function, &a, cases[at].exponent);
    assert_true(isfinite(result.error));
    for (int place = 0; place <= 100; place++) {
      const double x = place / 100.0, exact = cases[at].exact(hbg_polynomial_at(&a, x), cases[at].exponent);
      CHECK_NEAR(hbg_polynomial_at(&result, x), exact, result.error + 1e-14 * (result.size + fabs(exact)));
    }
  }
}

static void on_a_short_part_nothing_but_round_off_is_left_out(void **state) {
  (void)state;
  for (int at = 0; at < CASES; at++) {
    const double middle = cases[at].from + 0.4 * (cases[at].to - cases[at].from), length = 1e-3 * (fabs(middle) + 0.01);
    const HbgPolynomial a = argument(middle, middle + length);
    HbgPolynomial result;
    hbg_polynomial_apply(&result, cases[at].function, &a, cases[at].exponent);
    assert_true(result.error <= 1e-15 * result.size);
  }
}

static void outside_of_its_domain_a_function_is_unknown(void **state) {
  (void)state;
  const HbgPolynomial through_zero = argument(-1, 1);
  HbgPolynomial result;
  hbg_polynomial_apply(&result, HBG_SMOOTH_LOG, &through_zero, 0);
  assert_true(isinf(result.error));
  hbg_polynomial_apply(&result, HBG_SMOOTH_POWER, &through_zero, -1);
  assert_true(isinf(result.error));
  hbg_polynomial_apply(&result, HBG_SMOOTH_POWER, &through_zero, 0.5);
  assert_true(isinf(result.error));
}

static void a_quotient_is_that_of_functions(void **state) {
  (void)state;
  const HbgPolynomial a = argument(-1, 2), b = argument(3, 3.5);
  HbgPolynomial result;
  hbg_polynomial_divide(&result, &a, &b);
  assert_true(result.error < 1e-4);
  for (int place = 0; place <= 10; place++) {
    const double x = place / 10.0;
    CHECK_NEAR(hbg_polynomial_at(&result, x), hbg_polynomial_at(&a, x) / hbg_polynomial_at(&b, x), result.error + 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_function_lies_within_the_error),
      cmocka_unit_test(on_a_short_part_nothing_but_round_off_is_left_out),
      cmocka_unit_test(outside_of_its_domain_a_function_is_unknown),
      cmocka_unit_test(a_quotient_is_that_of_functions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

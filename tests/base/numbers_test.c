/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/numbers.h"

#include <float.h>
#include <math.h>

#include "support/check.h"

static void nothing_is_zero_of_either_sign_and_nothing_else(void **state) {
  (void)state;
  assert_true(hbg_is_zero(0.0));
  assert_true(hbg_is_zero(-0.0));
  assert_false(hbg_is_zero(nextafter(0.0, 1.0)));
  assert_false(hbg_is_zero(-DBL_MIN));
  assert_false(hbg_is_zero((double)NAN));
  assert_false(hbg_is_zero((double)INFINITY));
}

static void the_larger_of_two_is_the_second_where_they_cannot_be_told_apart(void **state) {
  (void)state;
  assert_true(hbg_larger(2, 1) > 1.5);
  assert_true(hbg_larger(1, 2) > 1.5);
  assert_true(hbg_larger(-(double)INFINITY, -3) > -4);
  assert_true(signbit(hbg_larger(0.0, -0.0)));
  assert_false(signbit(hbg_larger(-0.0, 0.0)));
  assert_true(hbg_larger((double)NAN, 1) > 0);
  assert_true(isnan(hbg_larger(1, (double)NAN)));
}

static void an_exponent_is_that_of_the_library(void **state) {
  (void)state;
  for (int power = -1022; power <= 1023; power++) {
    const double least = ldexp(1, power), most = nextafter(2 * least, 0);
    assert_int_equal(hbg_exponent(least), power);
    if (isfinite(most)) assert_int_equal(hbg_exponent(most), ilogb(most));
  }
  assert_int_equal(hbg_exponent(DBL_MAX), 1023);
  assert_int_equal(hbg_exponent(DBL_MIN / 2), -1023);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_zero_of_either_sign_and_nothing_else),
      cmocka_unit_test(the_larger_of_two_is_the_second_where_they_cannot_be_told_apart),
      cmocka_unit_test(an_exponent_is_that_of_the_library),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

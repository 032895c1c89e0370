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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_zero_of_either_sign_and_nothing_else),
      cmocka_unit_test(the_larger_of_two_is_the_second_where_they_cannot_be_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

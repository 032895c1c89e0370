/* SPDX-License-Identifier: BSD-3-Clause
 * When machines fire whose guards read more than one motion, or wait at gates. */
#include "hybrid/watch.h"

#include "support/waiting.h"

static void conditions_of_two_regions_wait_for_each_other(void **state) {
  (void)state;
  // x = t - 1 holds from 1 s on, and 1 - e^(-t) > 0.75 from log 4 on
  CHECK_NEAR(first_time("model Two {\n signal x = integral(1, start = -1), y = integral(1 - y)\n"
                        " machine M { off no initial; on yes; no -> yes when x > 0 and y > 0.75 }\n" LAMP), log(4.0), 1e-14);
}

static void a_gate_that_is_shut_is_not_waited_at(void **state) {
  (void)state;
  assert_true(isinf(first_time("model Gate {\n signal x = integral(1, start = -1)\n"
                               " machine M { off no initial; on yes; no -> yes when x > 0 and time > 4 }\n" LAMP)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_of_two_regions_wait_for_each_other),
      cmocka_unit_test(a_gate_that_is_shut_is_not_waited_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

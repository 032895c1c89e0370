/* SPDX-License-Identifier: BSD-3-Clause
 * When machines fire whose guards read more than one motion, or wait at gates. */
#include "hybrid/watch.h"

#include "support/simulated.h"
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

static void what_is_level_waits_for_the_others(void **state) {
  (void)state;
  // the force is what the block may be held against, exactly: it sticks when it comes to the belt's speed, moving in parabolas, by exponentials, among sets of states
  static const char *const besides[] = {
      "", "; R b(0.01); v -> b",
      "; for i in 0..12 { 1 w[i]; I n[i](2) start f = i/10; w[i] -> n[i] }; for i in 1..12 { 0 c[i]; C k[i](0.5); w[i-1] -> c[i] -> w[i]; c[i] -> k[i] }"};
  for (int which = 0; which < 3; which++) {
    char text[900];
    snprintf(text, sizeof text,
             "model Level {\n 1 v; I m(1.34) start f = -0.0139; v -> m; Se f(0.852*pulse(0.0396, 1.42, 2.2)); f -> v; signal pull = f.e\n"
             " 0 g by Grip; Sf belt(0.3); v -> g -> belt; Se h(if g in behind then 0.71 else 0); h -> v%s\n"
             " machine Grip { off behind initial; on stuck; behind -> stuck when v.f - 0.3 > 0 and pull <= 0.852 }\n stop 1\n}", besides[which]);
    HbgRunOptions options = hbg_run_options();
    options.events_only = true;
    Simulated run = simulated(text, "m.p; g", &options);
    assert_int_equal(hbg_run_statistics(run.run).events, 2); // the force, and this
    CHECK_NEAR(simulated_last(&run, "m.p"), 1.34*0.3, 1e-12);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_of_two_regions_wait_for_each_other),
      cmocka_unit_test(a_gate_that_is_shut_is_not_waited_at),
      cmocka_unit_test(what_is_level_waits_for_the_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

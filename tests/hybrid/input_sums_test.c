/* SPDX-License-Identifier: BSD-3-Clause
 * What integrators add up without a program is what the program says. */
#include "hybrid/input_sums.h"

#include "hybrid/sim.h"
#include "support/ride.h"

static Ride begun(const char *text) {
  Ride run;
  ride_begin(&run, text, (HbgSimOptions){.stop = 1, .interval = 0.1, .tolerance = 1e-9, .method = HBG_METHOD_DP5}, RIDE_TRAJECTORY);
  return run;
}

#define PAIR " 1 v, w; I m(1) start f = 1, n(2) start f = -0.5; v -> m; w -> n; R r(0.3), s(0.2); v -> r; w -> s; "

static void sums_are_what_the_program_of_the_inputs_says(void **state) {
  (void)state;
  Ride run = begun("model Sums {\n" PAIR "signal a = integral(v.f - w.f), b = integral(3 - 2*v.f + w.f/4), c = integral(v.f + a), d = integral(7)\n stop 1\n}");
  const HbgInputSums *sums = run.sim->input_sums;
  assert_non_null(sums);
  assert_int_equal(sums->count, 4);
  assert_false(sums->are_plain);
  double all[4];
  hbg_input_sums_run(sums, &run.sim->now, all);
  hbg_probe_run(&run.sim->inputs, &run.sim->now);
  for (int32_t at = 0; at < 4; at++) {
    CHECK_NEAR(all[at], hbg_probe_value(&run.sim->inputs, at), 1e-15);
    CHECK_NEAR(hbg_input_sum(sums, at, &run.sim->now), all[at], 0);
  }
  ride_end(&run);
}

static void single_flows_are_plain(void **state) {
  (void)state;
  Ride run = begun("model Plain {\n" PAIR "signal a = integral(v.f), b = integral(w.f)\n stop 1\n}");
  assert_non_null(run.sim->input_sums);
  assert_true(run.sim->input_sums->are_plain);
  ride_end(&run);
}

static void what_is_no_sum_has_a_program(void **state) {
  (void)state;
  static const char *const inputs[] = {"v.f*w.f", "sin(v.f)", "v.f + time", "if v.f > 0 then v.f else 0"};
  for (int which = 0; which < 4; which++) {
    char text[600];
    snprintf(text, sizeof text, "model Program {\n" PAIR "signal a = integral(v.f), b = integral(%s)\n stop 1\n}", inputs[which]);
    Ride run = begun(text);
    assert_null(run.sim->input_sums);
    ride_end(&run);
  }
}

/* m v' = -r v, m = 1: x = (1 - exp(-r)) / r; and of both the difference. */
static void integrals_of_sums_are_right(void **state) {
  (void)state;
  Ride run = begun("model Sums {\n" PAIR "signal a = integral(2*v.f - w.f + 0.5)\n stop 1\n}");
  const double v = (1 - exp(-0.3)) / 0.3, w = -0.5 * (1 - exp(-0.1)) / 0.1;
  for (int32_t column = 0; column < run.columns; column++)
    if (!strcmp(hbg_sim_column(run.sim, column)->column.name, "a")) CHECK_NEAR(run.values[run.count - 1][column], 2 * v - w + 0.5, 1e-8);
  ride_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_what_the_program_of_the_inputs_says),
      cmocka_unit_test(single_flows_are_plain),
      cmocka_unit_test(what_is_no_sum_has_a_program),
      cmocka_unit_test(integrals_of_sums_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

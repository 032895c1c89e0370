/* SPDX-License-Identifier: BSD-3-Clause
 * Scheduled conditions: they change exactly where they say, over any number of periods. */
#include "hybrid/ticks.h"

#include "support/simulated.h"

static void a_step_changes_once(void **state) {
  (void)state;
  const HbgTick step = {.start = 0.3, .width = (double)INFINITY, .period = (double)INFINITY};
  assert_false(hbg_tick_value(&step, nextafter(0.3, 0)));
  assert_true(hbg_tick_value(&step, 0.3));
  assert_true(hbg_tick_value(&step, 1e9));
  CHECK_NEAR(hbg_tick_next(&step, -5), 0.3, 0);
  assert_true(isinf(hbg_tick_next(&step, 0.3)));
}

static void a_single_pulse_comes_and_goes(void **state) {
  (void)state;
  const HbgTick pulse = {.start = 1, .width = 0.5, .period = (double)INFINITY};
  assert_false(hbg_tick_value(&pulse, 0));
  assert_true(hbg_tick_value(&pulse, 1.4));
  assert_false(hbg_tick_value(&pulse, 1.5));
  CHECK_NEAR(hbg_tick_next(&pulse, 1), 1.5, 0);
  assert_true(isinf(hbg_tick_next(&pulse, 1.5)));
}

/* Walks from edge to edge: each is at start + k period (+ width), and the value turns at each. */
static void walk(const HbgTick *tick, int periods) {
  double t = -1;
  bool value = false;
  for (int edge = 0; edge < 2 * periods; edge++) {
    t = hbg_tick_next(tick, t);
    const double rising = tick->start + (edge / 2) * tick->period;
    CHECK_NEAR(t, edge % 2 ? rising + tick->width : rising, 0);
    assert_true(hbg_tick_value(tick, t) != value);
    assert_true(hbg_tick_value(tick, nextafter(t, -10)) == value);
    value = !value;
  }
}

static void both_functions_agree_to_the_last_bit_over_many_periods(void **state) {
  (void)state;
  walk(&(HbgTick){.start = 0, .width = 0.05, .period = 0.1}, 20000);
  walk(&(HbgTick){.start = 0.1, .width = 0.7 / 3, .period = 1.1 / 3}, 20000);
  walk(&(HbgTick){.start = 1e-3, .width = 1e-9, .period = 1e-7}, 20000);
  walk(&(HbgTick){.start = 12345.678, .width = 1.0 / 3, .period = 2.0 / 3}, 20000);
}

static void a_pulse_train_hits_ten_thousand_periods_exactly(void **state) {
  (void)state;
  // 0.3 s of every 0.7 s counted: the integral grows by 0.3 in each period
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Train {\n C count(1); 0 n; Sf s(pulse(0.1, 0.3, 0.7)); s -> n -> count\n stop 7000.05\n}", NULL, &options);
  assert_int_equal(simulated_instants(&run), 20000);
  for (int at = 0; at < 20000; at += 999) {
    const double rising = 0.1 + (at / 2) * 0.7;
    CHECK_NEAR(simulated_instant(&run, at), at % 2 ? rising + 0.3 : rising, 0);
  }
  CHECK_CLOSE(simulated_last(&run, "count.q"), 3000.0, 1e-11);
  simulated_end(&run);
}

static void conditions_on_time_are_scheduled_not_searched(void **state) {
  (void)state;
  Simulated run = simulated_events("model Once {\n Se s(1); 1 a by M(time >= 0.1); 1 b by M(not (time < 0.3)); R r1(1), r2(1); 0 n; s -> n; n -> a -> r1; n -> b -> r2\n"
                                   " machine M(go) { off no initial; on yes; no -> yes when go }\n stop 1\n}");
  assert_int_equal(simulated_instants(&run), 2);
  CHECK_NEAR(simulated_instant(&run, 0), 0.1, 0);
  CHECK_NEAR(simulated_instant(&run, 1), 0.3, 0);
  simulated_end(&run);
}

static void a_step_at_zero_and_a_step_at_the_stop_count(void **state) {
  (void)state;
  Simulated run = simulated("model Ends {\n Sf s(step(0) + 10*step(2)); C c(1); 0 n; s -> n -> c\n stop 2\n}", "c.q; s.f", NULL);
  CHECK_NEAR(simulated_at(&run, 0, "s.f"), 1, 0);
  CHECK_NEAR(simulated_at(&run, 2, "s.f"), 11, 0);
  CHECK_NEAR(simulated_at(&run, 2, "c.q"), 2, 1e-13);
  simulated_end(&run);
}

static void pulses_that_meet_are_one_instant(void **state) {
  (void)state;
  Simulated run = simulated_events("model Meet {\n Sf s(pulse(0.5, 0.5) + 2*pulse(1, 0.5)); C c(1); 0 n; s -> n -> c\n stop 2\n}");
  assert_int_equal(simulated_instants(&run), 3);
  CHECK_NEAR(simulated_last(&run, "c.q"), 1.5, 1e-14);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_changes_once),
      cmocka_unit_test(a_single_pulse_comes_and_goes),
      cmocka_unit_test(both_functions_agree_to_the_last_bit_over_many_periods),
      cmocka_unit_test(a_pulse_train_hits_ten_thousand_periods_exactly),
      cmocka_unit_test(conditions_on_time_are_scheduled_not_searched),
      cmocka_unit_test(a_step_at_zero_and_a_step_at_the_stop_count),
      cmocka_unit_test(pulses_that_meet_are_one_instant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

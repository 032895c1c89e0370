/* SPDX-License-Identifier: BSD-3-Clause
 * Scheduled conditions: they change exactly where they say, over any number of periods. */
#include "hybrid/ticks.h"

#include <stdlib.h>

#include "support/simulated.h"

static HbgTickEdges edges(double start, double width, double period) {
  return hbg_tick_edges_of(&(HbgTick){.start = start, .width = width, .period = period});
}

static void a_step_changes_once(void **state) {
  (void)state;
  HbgTickEdges step = edges(0.3, (double)INFINITY, (double)INFINITY);
  assert_false(hbg_tick_value(&step, nextafter(0.3, 0)));
  assert_true(hbg_tick_value(&step, 0.3));
  assert_true(hbg_tick_value(&step, 1e9));
  CHECK_NEAR(hbg_tick_next(&step, -5), 0.3, 0);
  assert_true(isinf(hbg_tick_next(&step, 0.3)));
}

static void a_single_pulse_comes_and_goes(void **state) {
  (void)state;
  HbgTickEdges pulse = edges(1, 0.5, (double)INFINITY);
  assert_false(hbg_tick_value(&pulse, 0));
  assert_true(hbg_tick_value(&pulse, 1.4));
  assert_false(hbg_tick_value(&pulse, 1.5));
  CHECK_NEAR(hbg_tick_next(&pulse, 1), 1.5, 0);
  assert_true(isinf(hbg_tick_next(&pulse, 1.5)));
}

/* Start, width and period as integers over a common denominator: the quotients of what follows are rounded once. */
typedef struct Train {
  int64_t start, width, period, denominator;
} Train;

/* Walks from edge to edge: each is at start + k period (+ width), and the value turns at each. */
static void walk(Train train, int periods) {
  const double below = (double)train.denominator;
  HbgTickEdges tick =
      edges((double)train.start / below, (double)train.width / below, (double)train.period / below);
  double t = -1;
  bool value = false;
  for (int edge = 0; edge < 2 * periods; edge++) {
    t = hbg_tick_next(&tick, t);
    const int64_t rising = train.start + (edge / 2) * train.period;
    CHECK_NEAR(t, (double)(edge % 2 ? rising + train.width : rising) / below, 0);
    assert_true(hbg_tick_value(&tick, t) != value);
    assert_true(hbg_tick_value(&tick, nextafter(t, -10)) == value);
    value = !value;
  }
}

static void both_functions_agree_to_the_last_bit_over_many_periods(void **state) {
  (void)state;
  walk((Train){0, 5, 10, 100}, 20000);
  walk((Train){3, 7, 11, 30}, 20000);
  walk((Train){1000000, 1, 100, 1000000000}, 20000);
  walk((Train){37037034, 1000, 2000, 3000}, 20000);
}

/* What was asked before does not matter: forth by any stretch, and back. */
static void any_order_of_questions_gets_the_same_answers(void **state) {
  (void)state;
  HbgTickEdges asked = edges(0.3, 0.7, 1.1);
  srand(3);
  for (int question = 0; question < 5000; question++) {
    const int64_t period = rand() % 4 ? question / 7 : rand() % 1000;
    const double within = (rand() % 11) / 10.0, t = (double)(3 + 11 * period) / 10 + within - 0.05;
    const int64_t begun = within < 0.05 ? period - 1 : period;
    const bool holds = begun >= 0 && t < (double)(10 + 11 * begun) / 10;
    assert_int_equal(hbg_tick_value(&asked, t), holds);
    CHECK_NEAR(hbg_tick_next(&asked, t), (double)(holds ? 10 + 11 * begun : 3 + 11 * (begun + 1)) / 10, 0);
  }
}

static void a_pulse_train_hits_ten_thousand_periods_exactly(void **state) {
  (void)state;
  // 0.3 s of every 0.7 s counted: the integral grows by 0.3 in each period
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Train {\n C count(1); 0 n; Sf s(pulse(0.1, 0.3, 0.7)); s -> n -> count\n stop 7000.05\n}", NULL, &options);
  assert_int_equal(simulated_instants(&run), 20000);
  for (int at = 0; at < 20000; at += 999) {
    const int tenths = 1 + (at / 2) * 7 + (at % 2 ? 3 : 0);
    CHECK_NEAR(simulated_instant(&run, at), tenths / 10.0, 0);
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

/* The conditions are read by nothing that could change, but there is a row all the same. */
static void a_sample_at_a_scheduled_instant_without_consequence_is_not_lost(void **state) {
  (void)state;
  Simulated run = simulated("model Late {\n signal late = time >= 1\n stop 2; interval 0.5\n}", "late", NULL);
  assert_int_equal(run.row_count, 5);
  CHECK_NEAR(simulated_at(&run, 0.5, "late"), 0, 0);
  CHECK_NEAR(simulated_at(&run, 1, "late"), 1, 0);
  simulated_end(&run);
}

/* 3*0.1 is not the number next to 3/10, but all of these are meant to be one instant. */
static void edges_that_meet_in_fractions_are_one_instant(void **state) {
  (void)state;
  Simulated run = simulated_events("model Meet {\n param T = 0.1\n Sf s(pulse(0, T/2, T) + 10*step(3*T) + 100*pulse(0.3, 0.6)); C c(1); 0 n; s -> n -> c\n stop 1.01\n}");
  assert_int_equal(simulated_instants(&run), 20);
  for (int at = 0; at < 20; at++) CHECK_NEAR(simulated_instant(&run, at), (at + 1) / 20.0, 0);
  simulated_end(&run);
}

static void a_train_of_pulses_ends_after_its_last(void **state) {
  (void)state;
  Simulated run = simulated("model Train {\n param T = 0.3\n signal on = integral(pulse(0.1, 0.2, T, 3))\n stop 3; interval 0.1\n}", "on", NULL);
  CHECK_NEAR(simulated_at(&run, 0.9, "on"), 0.6, 1e-14);
  CHECK_NEAR(simulated_last(&run, "on"), 0.6, 1e-14);
  simulated_end(&run);
}

static void steps_change_where_they_say(void **state) {
  (void)state;
  Simulated run = simulated("model Steps {\n param times = [0.5, 1.5]\n signal x = steps(times, [2, -1, 4]), sum = integral(x)\n stop 2; interval 0.25\n}", "x; sum", NULL);
  CHECK_NEAR(simulated_at(&run, 0.25, "x"), 2, 0);
  CHECK_NEAR(simulated_at(&run, 0.5, "x"), -1, 0);
  CHECK_NEAR(simulated_at(&run, 1.5, "x"), 4, 0);
  CHECK_NEAR(simulated_last(&run, "sum"), 1 - 1 + 2, 1e-14);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_changes_once),
      cmocka_unit_test(a_single_pulse_comes_and_goes),
      cmocka_unit_test(both_functions_agree_to_the_last_bit_over_many_periods),
      cmocka_unit_test(any_order_of_questions_gets_the_same_answers),
      cmocka_unit_test(a_pulse_train_hits_ten_thousand_periods_exactly),
      cmocka_unit_test(conditions_on_time_are_scheduled_not_searched),
      cmocka_unit_test(a_step_at_zero_and_a_step_at_the_stop_count),
      cmocka_unit_test(pulses_that_meet_are_one_instant),
      cmocka_unit_test(a_sample_at_a_scheduled_instant_without_consequence_is_not_lost),
      cmocka_unit_test(edges_that_meet_in_fractions_are_one_instant),
      cmocka_unit_test(a_train_of_pulses_ends_after_its_last),
      cmocka_unit_test(steps_change_where_they_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

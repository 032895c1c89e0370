/* SPDX-License-Identifier: BSD-3-Clause
 * Timers of machines: `after 2 [ms]`. */
#include "support/simulated.h"

static void a_timer_is_hit_exactly_however_often_it_runs(void **state) {
  (void)state;
  Simulated run = simulated_events("model Blink { machine m = Lamp; machine Lamp { off dark initial; on lit\n"
                                   "  dark -> lit after 0.1; lit -> dark after (2*100) [ms] } stop 90.05 }");
  assert_int_equal(simulated_instants(&run), 600);
  for (int which = 0; which < 600; which++) {
    // chains of timers do not add up round-off: at most half of the last place
    const double exact = which % 2 ? 0.3 * (which / 2 + 1) : 0.3 * (which / 2) + 0.1;
    CHECK_NEAR(simulated_instant(&run, which), exact, 4e-16 * (1 + exact));
  }
  simulated_end(&run);
}

/* By recipes: the tank is a region that has a clock of its own. */
static void nor_does_it_drift_where_instants_follow_recipes(void **state) {
  (void)state;
  Simulated run = simulated_events("model Pump { Se feed(1); 1 pipe by Valve; R narrow(1); C tank(1); feed -> pipe -> narrow; pipe -> tank\n"
                                   " machine Valve { off shut initial; on open; shut -> open after 0.1; open -> shut after 0.2 } stop 90.05 }");
  assert_int_equal(simulated_instants(&run), 600);
  for (int which = 0; which < 600; which++) {
    const double exact = which % 2 ? 0.3 * (which / 2 + 1) : 0.3 * (which / 2) + 0.1;
    CHECK_NEAR(simulated_instant(&run, which), exact, 4e-16 * (1 + exact));
  }
  simulated_end(&run);
}

static void timers_that_fall_on_one_instant_are_one(void **state) {
  (void)state;
  // 0.1 + 0.2 is not 0.3 in binary numbers
  Simulated run = simulated_events("model Same { machine a = A; machine b = B; machine c = C\n"
                                   " machine A { off x initial, y; on z; x -> y after 0.1; y -> z after 0.2 }\n"
                                   " machine B { off x initial; on z; x -> z after 0.3 }\n"
                                   " machine C { off x initial; on z; x -> z when time >= 0.3 } stop 1 }");
  CHECK_STORY(&run, "0.1: before(-1,0) x x x | continuous(0,0) y x x\n"
                    "0.3: before(-1,0) y x x | continuous(0,0) z z z");
  simulated_end(&run);
}

static void a_timer_with_a_condition_waits_for_both(void **state) {
  (void)state;
  // the condition is later than the timer, then earlier
  Simulated run = simulated_events("model Both { machine a = M(1, 3); machine b = M(3, 1)\n"
                                   " machine M(wait, t0) { off x initial; on y; x -> y after wait when time >= t0 } stop 4 }");
  CHECK_STORY(&run, "3: before(-1,0) x x | continuous(0,0) y y");
  simulated_end(&run);
}

static void a_condition_that_passes_before_the_time_counts_for_nothing(void **state) {
  (void)state;
  Simulated run = simulated("model Missed { signal s = sin(2*pi*time); machine m = M\n"
                            " machine M { off x initial; on y; x -> y after 0.6 when s > 0.5 } stop 2 }",
                            "m.state", NULL);
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_instant(&run, 0), 1 + 1.0 / 12, 1e-9); // sin = 1/2 again at 30 degrees
  simulated_end(&run);
}

static void a_transition_from_a_state_to_itself_begins_its_time_anew(void **state) {
  (void)state;
  // kicked at 0.4, 0.8 and 1.2, the watchdog barks one second after the last kick
  Simulated run = simulated("model Dog { event kick; machine k = Kicker; machine d = Dog\n"
                            " machine Kicker { var n = 0; off x initial; x -> x after 0.4 when n < 3 do n := n + 1 send kick }\n"
                            " machine Dog { off calm initial; on barks; calm -> calm when kick; calm -> barks after 1 } stop 4 }",
                            "d.state; k.n", NULL);
  assert_int_equal(simulated_instants(&run), 4);
  CHECK_NEAR(simulated_instant(&run, 3), 2.2, 1e-15);
  simulated_end(&run);
}

static void a_duration_may_follow_variables_and_signals(void **state) {
  (void)state;
  // waits 1, 2, 4 s: the assignment comes before the state is entered
  Simulated run = simulated_events("model Grows { machine m = M; machine M { var wait = 1; off x initial; on y\n"
                                   "  x -> y after wait do wait := 2*wait; y -> x after wait do wait := 2*wait } stop 8 }");
  assert_int_equal(simulated_instants(&run), 3);
  CHECK_NEAR(simulated_instant(&run, 0), 1, 0);
  CHECK_NEAR(simulated_instant(&run, 1), 3, 0);
  CHECK_NEAR(simulated_instant(&run, 2), 7, 0);
  simulated_end(&run);
  run = simulated_events("model Reads { signal x = integral(1); machine m = M(x); machine M(x) { off a initial; on b\n"
                         "  a -> b when x >= 2; b -> a after x when x >= 0 } stop 5 }");
  CHECK_NEAR(simulated_instant(&run, 1), 4, 1e-9);
  simulated_end(&run);
}

static void a_wait_of_nothing_takes_no_time(void **state) {
  (void)state;
  Simulated run = simulated_events("model Now { machine m = M; machine M { off a initial, b; on c\n"
                                   "  a -> b after 1; b -> c after 0 } stop 2 }");
  CHECK_STORY(&run, "1: before(-1,0) a | mythical(0,0) b | continuous(0,1) c");
  simulated_end(&run);
}

static void a_thermostat_stays_on_for_its_least_time(void **state) {
  (void)state;
  // T' = (h - T)/10 with h = 100 or 0, from 18: without a least time it would switch off at 22; on for 10 s at least
  Simulated run = simulated("model Room { Sf heat(if t in on then 10 else 0); 0 room; C air(1) start e = 18; R wall(10)\n"
                            " heat -> room -> air; room -> wall; machine t = Thermostat(room.e)\n"
                            " machine Thermostat(T) { on heating initial; off idle\n"
                            "  heating -> idle after 10 [s] when T >= 22; idle -> heating when T <= 18 } stop 30 }",
                            "air.e; t.state", NULL);
  const double top = 100 - 82 * exp(-1); // after 10 s
  CHECK_NEAR(simulated_instant(&run, 0), 10, 0);
  CHECK_NEAR(simulated_at(&run, 10, "air.e"), top, 1e-6);
  CHECK_NEAR(simulated_instant(&run, 1), 10 + 10 * log(top / 18), 1e-6);
  simulated_end(&run);
}

static void a_bouncing_switch_is_debounced(void **state) {
  (void)state;
  // closed at 1, 1.002, 1.003 and then for good; taken for closed 5 ms after the last change
  Simulated run = simulated("model Switch { signal contact = (time >= 1 and time < 1.001) or (time >= 1.002 and time < 1.0025) or time >= 1.003\n"
                            " machine m = Debounced(contact); machine Debounced(raw) { off open initial, closing; on closed\n"
                            "  open -> closing when raw; closing -> open when not raw; closing -> closed after 5 [ms] } stop 2 }",
                            "m", NULL);
  for (int at = 0; at < run.row_count; at++)
    if (fabs(run.rows[at].row.time - 1.008) > 1e-9) CHECK_NEAR(run.rows[at].values[0], run.rows[at].row.time > 1.008, 0);
  CHECK_NEAR(simulated_instant(&run, simulated_instants(&run) - 1), 1.008, 3e-16);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_timer_is_hit_exactly_however_often_it_runs),
      cmocka_unit_test(nor_does_it_drift_where_instants_follow_recipes),
      cmocka_unit_test(timers_that_fall_on_one_instant_are_one),
      cmocka_unit_test(a_timer_with_a_condition_waits_for_both),
      cmocka_unit_test(a_condition_that_passes_before_the_time_counts_for_nothing),
      cmocka_unit_test(a_transition_from_a_state_to_itself_begins_its_time_anew),
      cmocka_unit_test(a_duration_may_follow_variables_and_signals),
      cmocka_unit_test(a_wait_of_nothing_takes_no_time),
      cmocka_unit_test(a_thermostat_stays_on_for_its_least_time),
      cmocka_unit_test(a_bouncing_switch_is_debounced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What clocks do: when they tick, what a tick reads, what it changes, and what shows of it. Expected numbers follow from difference
 * equations and from exact discretisation (z domain). */
#include "hybrid/clocks.h"

#include "support/simulated.h"

static Simulated sampled(const char *statements, const char *columns) {
  char text[4000];
  snprintf(text, sizeof text, "model Sampled {\n%s\n}", statements);
  return simulated(text, columns, NULL);
}

/* ---- when ---- */

static void a_million_ticks_come_where_fractions_say(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(1 [ms])\n signal at = sample(time, c), n = ticks(c)\n stop 1000; interval 100", "at; n");
  CHECK_NEAR(simulated_last(&run, "n"), 1000001, 0); // those at 0 and at the end count
  for (int hundred = 0; hundred <= 10; hundred++) CHECK_NEAR(simulated_at(&run, hundred * 100, "at"), hundred * 100, 0);
  simulated_end(&run);
}

static void the_first_tick_comes_at_the_offset(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(1, offset = 0.25)\n signal at = sample(time + 1, c, start = -1), n = ticks(c)\n stop 2; interval 0.125", "at; n");
  CHECK_NEAR(simulated_at(&run, 0.125, "at"), -1, 0);
  CHECK_NEAR(simulated_at(&run, 0.25, "at"), 1.25, 0);
  CHECK_NEAR(simulated_at(&run, 1.125, "at"), 1.25, 0);
  CHECK_NEAR(simulated_at(&run, 2, "n"), 2, 0);
  simulated_end(&run);
}

/* Every third tick of one is a tick of the other: there both sample the same instant, and nowhere else. */
static void clocks_of_different_rates_meet_in_one_instant(void **state) {
  (void)state;
  Simulated run = sampled("param T = 0.1\n clock fast = every(T), slow = every(3*T), third = every(1/3), half = every(1/2)\n"
                          "signal a = sample(sample(time, fast), slow), b = sample(sample(time, third), half)\n"
                          "signal c = sample(sample(time, half), third)\n stop 100; interval 0.1", "a; b; c");
  for (int k = 0; k <= 333; k++) CHECK_NEAR(simulated_at(&run, k * 3 / 10.0, "a"), k * 3 / 10.0, 0);
  for (int k = 0; k <= 100; k++) {
    CHECK_NEAR(simulated_at(&run, k, "b"), k, 0);
    CHECK_NEAR(simulated_at(&run, k, "c"), k, 0);
  }
  CHECK_NEAR(simulated_at(&run, 1.5, "b"), 4.0 / 3, 0);
  CHECK_NEAR(simulated_at(&run, 0.7, "c"), 0.5, 0); // at 2/3
  simulated_end(&run);
}

/* ---- what is read ---- */

static void at_one_tick_everything_sampled_is_new(void **state) {
  (void)state;
  // declared in the wrong order on purpose
  Simulated run = sampled("clock c = every(1)\n signal third = sample(second + 1, c), second = sample(2*first, c), first = sample(time, c)\n stop 5", "first; second; third");
  for (int k = 0; k <= 5; k++) {
    CHECK_NEAR(simulated_at(&run, k, "second"), 2 * k, 0);
    CHECK_NEAR(simulated_at(&run, k, "third"), 2 * k + 1, 0);
  }
  simulated_end(&run);
}

static void previous_is_what_was_sampled_one_tick_before(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(1)\n signal old = previous(10*time, c, start = 7), older = previous(old, c)\n stop 5", "old; older");
  CHECK_NEAR(simulated_at(&run, 0, "old"), 7, 0);
  CHECK_NEAR(simulated_at(&run, 1, "older"), 7, 0);
  for (int k = 1; k <= 5; k++) CHECK_NEAR(simulated_at(&run, k, "old"), 10 * (k - 1), 0);
  for (int k = 2; k <= 5; k++) CHECK_NEAR(simulated_at(&run, k, "older"), 10 * (k - 2), 0);
  simulated_end(&run);
}

/* x[k] = x[k-1] + x[k-2]: Fibonacci's numbers, by a signal that reads itself. */
static void difference_equations_are_written_with_previous(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(1)\n signal x = sample(previous(x, c, start = 1) + before, c), before = previous(previous(x, c, start = 1), c)\n stop 20", "x");
  double a = 1, b = 0;
  for (int k = 0; k <= 20; k++) {
    const double next = a + b;
    CHECK_NEAR(simulated_at(&run, k, "x"), next, 0);
    b = k == 0 ? 1 : a;
    a = next;
  }
  simulated_end(&run);
}

/* The bullet reaches the wood at 0.2 s, where the clock ticks, too: it sees the velocity before the impact. */
static void a_tick_at_an_impact_reads_the_left_limit(void **state) {
  (void)state;
  Simulated run = sampled("I bullet(1) start f = 1; I wood(1); 1 a, b; 0 contact by Contact\n a -> bullet; a -> contact -> b -> wood\n"
                          "signal gap = integral(b.f - a.f, start = 0.2)\n"
                          "machine Contact { off apart initial; on joined; apart -> joined when gap <= 0 }\n"
                          "clock c = every(0.2)\n signal seen = sample(bullet.f, c), touching = sample(contact in on, c)\n stop 0.5; interval 0.1", "seen; touching; bullet.f");
  CHECK_NEAR(simulated_at(&run, 0.2, "seen"), 1, 1e-12);
  CHECK_NEAR(simulated_at(&run, 0.2, "touching"), 0, 0);
  CHECK_NEAR(simulated_at(&run, 0.2, "bullet.f"), 0.5, 1e-12);
  CHECK_NEAR(simulated_at(&run, 0.4, "seen"), 0.5, 1e-12);
  CHECK_NEAR(simulated_at(&run, 0.4, "touching"), 1, 0);
  simulated_end(&run);
}

/* What is scheduled belongs to the tick; what follows from it through the bonds does not yet. */
static void a_tick_reads_a_step_at_its_own_instant_but_the_bonds_before_it(void **state) {
  (void)state;
  Simulated run = sampled("Se source(step(1)); R r(1); source -> r\n clock c = every(1)\n signal set = sample(step(1), c), seen = sample(r.e, c)\n stop 2", "set; seen");
  CHECK_NEAR(simulated_at(&run, 1, "set"), 1, 0);
  CHECK_NEAR(simulated_at(&run, 1, "seen"), 0, 0);
  CHECK_NEAR(simulated_at(&run, 2, "seen"), 1, 0);
  simulated_end(&run);
}

static void a_tick_at_the_start_belongs_to_it(void **state) {
  (void)state;
  // the source agrees with the velocity given, from the first instant on: nothing jumps
  Simulated run = sampled("I mass(2) start f = 3; 1 m; Sf drive(v); drive -> m -> mass\n clock c = every(1)\n signal v = sample(3 + mass.p - 6 + time, c)\n stop 0.5", "v; mass.p");
  CHECK_NEAR(simulated_at(&run, 0, "v"), 3, 0);
  CHECK_NEAR(simulated_last(&run, "mass.p"), 6, 1e-13);
  assert_int_equal(hbg_run_warning_count(run.run), 0);
  simulated_end(&run);
}

static void conditions_are_sampled_as_conditions(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(0.3)\n signal late = time >= 1, seen = sample(late, c), rises = seen and not previous(seen, c)\n"
                          "signal count = sample(previous(count, c) + (if rises then 1 else 0), c)\n stop 3; interval 0.1", "seen; count");
  CHECK_NEAR(simulated_at(&run, 1.1, "seen"), 0, 0);
  CHECK_NEAR(simulated_at(&run, 1.2, "seen"), 1, 0);
  CHECK_NEAR(simulated_last(&run, "count"), 1, 0);
  simulated_end(&run);
}

/* ---- plants under sampled control ---- */

/* Deadbeat: u = -x/T takes an integrator to 0 within one period. */
static void deadbeat_control_ends_in_one_step(void **state) {
  (void)state;
  Simulated run = sampled("param T = 0.1\n clock c = every(T)\n signal x = integral(u, start = 3), u = sample(-x/T, c)\n stop 1; interval 0.05", "x");
  CHECK_NEAR(simulated_at(&run, 0.05, "x"), 1.5, 1e-12);
  for (int k = 1; k <= 10; k++) CHECK_NEAR(simulated_at(&run, k / 10.0, "x"), 0, 1e-13);
  simulated_end(&run);
}

/* tau x' = u - x under u = K (r - x), held: x[k+1] = a x[k] + (1 - a) u[k], a = exp(-T/tau). In volts and ampere. */
static void a_first_order_plant_follows_its_exact_discretisation(void **state) {
  (void)state;
  Simulated run = sampled("param R = 2, C = 0.25, K = 3, T = 0.2\n Se source(u); R resistor(R); C capacitor(C) start e = 0.5; 1 loop\n"
                          "source -> loop -> resistor; loop -> capacitor\n"
                          "clock control = every(T)\n signal u = sample(K*(2 - capacitor.e), control)\n stop 4; interval 0.2; tolerance 1e-11", "capacitor.e; u");
  double x = 0.5;
  const double a = exp(-0.2 / 0.5);
  for (int k = 0; k <= 20; k++) {
    CHECK_NEAR(simulated_at(&run, k / 5.0, "capacitor.e"), x, 1e-9);
    CHECK_NEAR(simulated_at(&run, k / 5.0, "u"), 3 * (2 - x), 1e-8);
    x = a * x + (1 - a) * 3 * (2 - x);
  }
  simulated_end(&run);
}

/* The same with every method; bdf takes many small steps for this. */
static void every_method_stops_at_ticks(void **state) {
  (void)state;
  static const char *const methods[] = {"dp5", "bdf", "euler; step 0.001", "automatic"};
  for (int method = 0; method < 4; method++) {
    char statements[400];
    snprintf(statements, sizeof statements, "clock c = every(0.1)\n signal x = integral(u, start = 3), u = sample(-5*x, c)\n stop 1; interval 0.1; method %s", methods[method]);
    Simulated run = sampled(statements, "x");
    double x = 3;
    for (int k = 0; k <= 10; k++, x *= 0.5) CHECK_NEAR(simulated_at(&run, k / 10.0, "x"), x, 1e-7);
    simulated_end(&run);
  }
}

/* An outer loop every 0.3 s, an inner one every 0.1 s, of a double integrator: the same recursion by hand. */
static void loops_of_two_rates_follow_their_recursion(void **state) {
  (void)state;
  Simulated run = sampled("clock inner = every(0.1), outer = every(0.3)\n signal x = integral(v, start = 1), v = integral(u)\n"
                          "signal wanted = sample(-0.8*x, outer), u = sample(4*(wanted - v), inner)\n stop 6; interval 0.1", "x; v");
  double x = 1, v = 0, wanted = 0;
  for (int k = 0; k <= 60; k++) {
    CHECK_NEAR(simulated_at(&run, k / 10.0, "x"), x, 1e-9);
    CHECK_NEAR(simulated_at(&run, k / 10.0, "v"), v, 1e-9);
    if (k % 3 == 0) wanted = -0.8 * x;
    const double u = 4 * (wanted - v);
    x += 0.1 * v + 0.005 * u;
    v += 0.1 * u;
  }
  simulated_end(&run);
}

/* A guard reads what is sampled: the relay opens at the first tick behind the threshold, not where it is crossed. */
static void machines_see_sampled_values_at_ticks(void **state) {
  (void)state;
  Simulated run = simulated_events("model Relay {\n clock c = every(0.25)\n signal x = integral(1), seen = sample(x, c)\n machine relay = Relay\n"
                                   " Se s(1); 1 a by relay; R r(1); s -> a -> r\n machine Relay { on closed initial; off open; closed -> open when seen > 0.6 }\n stop 2\n}");
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_instant(&run, 0), 0.75, 0);
  simulated_end(&run);
}

/* A ramp through 0.6 at 0.6 s, where a clock ticks: one instant, in which the tick still sees the mode before. */
static void a_tick_and_a_state_event_are_one_instant(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(0.2)\n signal x = integral(1), seen = sample(relay in on, c)\n machine relay = Relay\n"
                          "Se s(1); 1 a by relay; R r(1); s -> a -> r\n machine Relay { on closed initial; off open; closed -> open when x >= 3/5 }\n stop 1; interval 0.2", "seen; a.state");
  CHECK_NEAR(simulated_at(&run, 0.6, "seen"), 1, 0);
  CHECK_NEAR(simulated_at(&run, 0.6, "a.state"), 1, 0);
  CHECK_NEAR(simulated_at(&run, 0.8, "seen"), 0, 0);
  simulated_end(&run);
}

/* ---- what shows ---- */

static const char loop[] = "clock c = every(0.1)\n Se source(u); R r(1); I i(1); 1 n; source -> n -> i; n -> r\n signal u = sample(2 - i.f, c)\n stop 1";

static void ticks_are_no_events(void **state) {
  (void)state;
  char text[400];
  snprintf(text, sizeof text, "model Loop {\n%s\n}", loop);
  Simulated run = simulated_events(text);
  assert_int_equal(run.row_count, 0);
  simulated_end(&run);
}

static void a_jump_of_a_stored_quantity_at_a_tick_is_an_event(void **state) {
  (void)state;
  Simulated run = simulated_events("model Jump {\n clock c = every(0.5)\n Se source(sample(time, c)); C tank(2); 0 n; source -> n -> tank\n stop 1.2\n}");
  assert_int_equal(simulated_instants(&run), 2);
  CHECK_NEAR(simulated_instant(&run, 1), 1, 0);
  CHECK_NEAR(simulated_last(&run, "tank.q"), 2, 1e-14);
  simulated_end(&run);
}

/* Slower than the rows: before and behind. Faster: only the rows that were asked for. */
static void slow_ticks_have_two_rows_and_fast_ones_none(void **state) {
  (void)state;
  char statements[400];
  snprintf(statements, sizeof statements, "%s; interval 0.05", loop);
  Simulated slow = sampled(statements, "u");
  assert_int_equal(slow.row_count, 21 + 10); // at 0 there is nothing before
  CHECK_NEAR(simulated_value(&slow, simulated_row_at(&slow, 0.1) - 1, "u"), 2, 0);
  simulated_end(&slow);
  snprintf(statements, sizeof statements, "%s; interval 0.25", loop);
  Simulated fast = sampled(statements, "u");
  assert_int_equal(fast.row_count, 5);
  simulated_end(&fast);
}

static void what_is_not_felt_costs_no_restart(void **state) {
  (void)state;
  Simulated seen = sampled("clock c = every(1 [ms])\n signal x = integral(sin(time)), u = sample(x, c)\n stop 1", "u");
  // a restart would take seven
  assert_true(hbg_run_statistics(seen.run).evaluations < 6100);
  CHECK_NEAR(simulated_last(&seen, "u"), 1 - cos(1), 1e-8);
  simulated_end(&seen);
}

/* Each is made of the other before it is known. */
static void samples_delays_and_integrals_hold_each_other(void **state) {
  (void)state;
  Simulated run = sampled("clock c = every(0.1)\n signal a = sample(delay(time, 0.25), c), b = delay(sample(time, c), 0.25), d = integral(sample(delay(time, 0.2), c))\n"
                          "signal e = sample(integral(sample(1, c)), c)\n stop 1; interval 0.1", "a; b; d; e");
  CHECK_NEAR(simulated_last(&run, "a"), 0.75, 1e-13);
  CHECK_NEAR(simulated_last(&run, "b"), 0.7, 1e-13);
  CHECK_NEAR(simulated_last(&run, "d"), 0.1 * (0.1 + 0.2 + 0.3 + 0.4 + 0.5 + 0.6 + 0.7), 1e-12); // before 0.2 s it is 0
  CHECK_NEAR(simulated_last(&run, "e"), 1, 1e-13);
  simulated_end(&run);
}

/* ---- arrays, copies, states from outside ---- */

static void clocks_and_samples_stand_in_loops(void **state) {
  (void)state;
  Simulated run = sampled("param N = 4\n signal x[0] = time\n for i in 1..N {\n clock c[i] = every(i/10)\n signal x[i] = sample(x[i-1] + i, c[i]) }\n stop 12; interval 1", "x[4]");
  CHECK_NEAR(simulated_at(&run, 12, "x[4]"), 12 + 1 + 2 + 3 + 4, 1e-14);
  simulated_end(&run);
}

static void a_copy_goes_on_with_the_same_ticks_and_numbers(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Noisy {\n clock c = every(0.1)\n signal x = integral(-x + w, start = 1), w = noise(c, seed = 7), p = pwm(0.5 + 0.1*w, 0.3)\n stop 5\n}");
  HbgRun *run = simulated_start(model), *copy = NULL;
  simulated_add_columns(run, "x; w; p");
  HbgRow row, other;
  for (int at = 0; at < 100; at++) assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  for (HbgStatus status; (status = hbg_run_next(run, &row)) == HBG_OK;) {
    assert_int_equal(hbg_run_next(copy, &other), HBG_OK);
    for (int32_t column = 0; column < 3; column++) CHECK_NEAR(hbg_run_value(copy, column), hbg_run_value(run, column), 0);
  }
  hbg_run_free(copy);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_state_given_from_outside_is_sampled_at_the_next_tick(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Set {\n clock c = every(1)\n signal x = integral(0, start = 1), seen = sample(x, c)\n stop 3; interval 0.5\n}");
  HbgRun *run = simulated_start(model);
  simulated_add_columns(run, "seen");
  HbgRow row;
  assert_int_equal(hbg_run_until(run, 0.5, &row), HBG_OK);
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"x", 5}, 1, NULL), HBG_OK);
  assert_int_equal(hbg_run_until(run, 0.75, &row), HBG_OK);
  CHECK_NEAR(hbg_run_value(run, 0), 1, 0);
  assert_int_equal(hbg_run_until(run, 1, &row), HBG_OK);
  CHECK_NEAR(hbg_run_value(run, 0), 5, 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_million_ticks_come_where_fractions_say),
      cmocka_unit_test(the_first_tick_comes_at_the_offset),
      cmocka_unit_test(clocks_of_different_rates_meet_in_one_instant),
      cmocka_unit_test(at_one_tick_everything_sampled_is_new),
      cmocka_unit_test(previous_is_what_was_sampled_one_tick_before),
      cmocka_unit_test(difference_equations_are_written_with_previous),
      cmocka_unit_test(a_tick_at_an_impact_reads_the_left_limit),
      cmocka_unit_test(a_tick_reads_a_step_at_its_own_instant_but_the_bonds_before_it),
      cmocka_unit_test(a_tick_at_the_start_belongs_to_it),
      cmocka_unit_test(conditions_are_sampled_as_conditions),
      cmocka_unit_test(deadbeat_control_ends_in_one_step),
      cmocka_unit_test(a_first_order_plant_follows_its_exact_discretisation),
      cmocka_unit_test(every_method_stops_at_ticks),
      cmocka_unit_test(loops_of_two_rates_follow_their_recursion),
      cmocka_unit_test(machines_see_sampled_values_at_ticks),
      cmocka_unit_test(a_tick_and_a_state_event_are_one_instant),
      cmocka_unit_test(ticks_are_no_events),
      cmocka_unit_test(a_jump_of_a_stored_quantity_at_a_tick_is_an_event),
      cmocka_unit_test(slow_ticks_have_two_rows_and_fast_ones_none),
      cmocka_unit_test(what_is_not_felt_costs_no_restart),
      cmocka_unit_test(samples_delays_and_integrals_hold_each_other),
      cmocka_unit_test(clocks_and_samples_stand_in_loops),
      cmocka_unit_test(a_copy_goes_on_with_the_same_ticks_and_numbers),
      cmocka_unit_test(a_state_given_from_outside_is_sampled_at_the_next_tick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

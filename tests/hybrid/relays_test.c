/* SPDX-License-Identifier: BSD-3-Clause
 * Hysteresis and rate limits: where they change, and what they are between. */
#include "support/follows.h"

enum { ROWS = 13 };

/* sin t reaches 1/2 at pi/6, and -1/2 at 7 pi/6 */
static double relay(double t) {
  const double pi = acos(-1.0);
  return t >= pi / 6 - 1e-9 && t < 7 * pi / 6 - 1e-9 ? 1 : 0;
}

static void a_hysteresis_changes_at_its_thresholds(void **state) {
  (void)state;
  check_follows("model M {\n signal y = hysteresis(sin(time), -0.5, 0.5)\n stop 6; interval 0.5\n}", "y", relay, 0, ROWS);
  Simulated run = simulated_events("model M {\n signal y = hysteresis(sin(time), -0.5, 0.5)\n stop 6\n}");
  assert_int_equal(simulated_instants(&run), 2);
  CHECK_NEAR(simulated_instant(&run, 0), acos(-1.0) / 6, 1e-12);
  CHECK_NEAR(simulated_instant(&run, 1), 7 * acos(-1.0) / 6, 1e-12);
  simulated_end(&run);
}

static double from_one(double t) { return t < 7 * acos(-1.0) / 6 - 1e-9 ? 1 : 0; }

static void a_hysteresis_may_begin_with_one(void **state) {
  (void)state;
  check_follows("model M {\n signal y = hysteresis(sin(time), -0.5, 0.5, start = 1)\n stop 6; interval 0.5\n}", "y", from_one, 0, ROWS);
}

static double after_step(double t) { return t < 1 ? 0 : fmin(2 * (t - 1), 1); }
static double after_pulse(double t) { return t < 1 ? 0 : t < 2 ? fmin(2 * (t - 1), 1) : fmax(1 - 0.5 * (t - 2), 0); }
static double from_start(double t) { return fmin(-1 + 0.5 * t, 1); }

static void a_rate_limit_makes_ramps_of_steps(void **state) {
  (void)state;
  check_follows("model M {\n signal y = rate_limit(step(1), 2)\n stop 3; interval 0.25\n}", "y", after_step, 1e-15, ROWS);
  check_follows("model M {\n signal y = rate_limit(pulse(1, 1), 2, -0.5)\n stop 6; interval 0.5\n}", "y", after_pulse, 1e-15, ROWS);
  check_follows("model M {\n signal y = rate_limit(1, 0.5, start = -1)\n stop 6; interval 0.5\n}", "y", from_start, 1e-15, ROWS);
}

/* 3 sin t is too steep until its slope 3 cos t is... it begins with the line t, which meets it at s: s = 3 sin s; then it falls
 * no faster than 2, which it would from cos t = -2/3 on */
static double limited_sine(double t) {
  const double s = 2.2788626600758283, u = acos(-2.0 / 3);
  return t < s ? t : t < u ? 3 * sin(t) : 3 * sin(u) - 2 * (t - u);
}

static void a_rate_limit_leaves_and_meets_what_it_follows(void **state) {
  (void)state;
  check_follows("model M {\n signal y = rate_limit(3*sin(time), 1, -2)\n stop 4; interval 0.25\n}", "y", limited_sine, 1e-11, ROWS);
}

static void a_rate_limit_knows_how_fast_states_change(void **state) {
  (void)state;
  // the same sine as the position of an oscillator
  check_follows("model M {\n I m(1) start f = 3; C k(1); 1 j; j -> m; j -> k\n signal y = rate_limit(k.q, 1, -2)\n stop 4; interval 0.25\n}", "y",
                limited_sine, 1e-6, ROWS);
  // and as the effort of a spring at a junction
  check_follows("model M {\n I m(1) start f = 3; C k(1); 1 j; 0 n; j -> m; j -> n -> k\n signal y = rate_limit(n.e, 1, -2)\n stop 4; interval 0.25\n}",
                "y", limited_sine, 1e-6, ROWS);
}

static double slow(double t) { return t < 1 ? t : 1; }

static void relays_may_stand_in_loops_and_laws(void **state) {
  (void)state;
  check_follows("model M {\n for i in 1..2 { signal y[i] = rate_limit(step(0), i, start = 0) }\n Se s(y[1]); R r(1); 1 j; s -> j -> r\n stop 3; interval 0.25\n}", "r.f", slow,
                1e-15, ROWS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hysteresis_changes_at_its_thresholds),        cmocka_unit_test(a_hysteresis_may_begin_with_one),
      cmocka_unit_test(a_rate_limit_makes_ramps_of_steps),             cmocka_unit_test(a_rate_limit_leaves_and_meets_what_it_follows),
      cmocka_unit_test(a_rate_limit_knows_how_fast_states_change),     cmocka_unit_test(relays_may_stand_in_loops_and_laws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

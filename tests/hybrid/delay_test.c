/* SPDX-License-Identifier: BSD-3-Clause
 * Delays: the method of steps gives piecewise polynomials, jumps come again one delay later, delays that vary. */
#include "support/follows.h"

enum { ROWS = 21 };

/* y' = -y(t - 1), y = 1 before: y = sum (-1)^k (t - (k - 1))^k / k! as long as t > k - 1 */
static double steps(double t) {
  double sum = 1, factorial = 1;
  for (int k = 1; t > k - 1; k++) {
    factorial *= k;
    sum += (k % 2 ? -1 : 1) * pow(t - (k - 1), k) / factorial;
  }
  return sum;
}

static void an_equation_with_a_delay_follows_the_method_of_steps(void **state) {
  (void)state;
  check_follows("model M {\n signal y = integral(-delay(y, 1, start = 1), start = 1)\n stop 6; interval 0.1; tolerance 1e-10\n}", "y", steps, 1e-9, ROWS);
}

static void a_storage_may_be_driven_by_its_own_past(void **state) {
  (void)state;
  // C q' = f, f = -q(t - 1)
  check_follows("model M {\n C c(1) start q = 1; Sf s(-delay(c.q, 1, start = 1)); 0 n; s -> n -> c\n stop 4; interval 0.1\n}", "c.q", steps,
                1e-8, ROWS);
}

static double past_sine(double t) { return sin(50 * (t - 0.3)); }
static double past_of_silence(double t) { return t < 0.3 ? 0 : sin(50 * (t - 0.3)); }

static void what_no_state_shows_is_remembered_as_well(void **state) {
  (void)state;
  check_follows("model M {\n signal y = delay(sin(50*time), 0.3 [s], start = sin(50*time))\n stop 2; interval 0.07\n}", "y", past_sine, 2e-8, ROWS);
  check_follows("model M {\n signal y = delay(sin(50*time), 300 [ms])\n stop 2; interval 0.07\n}", "y", past_of_silence, 2e-8, ROWS);
}

static double late_step(double t) { return t < 1.25 ? 0 : 1; }
static double late_ramp(double t) { return t < 1.25 ? 0 : t - 1.25; }

static void jumps_come_again_one_delay_later_exactly(void **state) {
  (void)state;
  static const char text[] = "model M {\n signal y = delay(step(1), 0.25), i = integral(y)\n stop 2; interval 0.0625\n}";
  check_follows(text, "y", late_step, 0, ROWS);
  check_follows(text, "i", late_ramp, 1e-15, ROWS);
}

/* x = step(0) - x(t - 1): 1, 0, 1, 0, ... */
static double alternating(double t) { return fmod(floor(t), 2) > 0.5 ? 0 : 1; }

static void a_delay_breaks_a_loop(void **state) {
  (void)state;
  check_follows("model M {\n signal x = 1 - delay(x, 1), i = integral(x)\n stop 6.5; interval 0.13\n}", "x", alternating, 0, ROWS);
}

static void many_delays_pass_through_one_step(void **state) {
  (void)state;
  // a chain of three delays is one of their sum
  check_follows("model M {\n signal a = delay(step(0.25), 0.25), b = delay(a, 0.5), c = delay(b, 0.25)\n stop 2; interval 0.0625\n}", "c",
                late_step, 0, ROWS);
}

/* y' = -y(t/2), y(0) = 1 (the pantograph): sum (-1)^k 2^(-k(k-1)/2) t^k / k! */
static double pantograph(double t) {
  double sum = 0, term = 1;
  for (int k = 0; k < 40; k++) {
    sum += term;
    term *= -t * pow(2, -k) / (k + 1);
  }
  return sum;
}

static void a_delay_may_grow_from_nothing(void **state) {
  (void)state;
  check_follows("model M {\n signal y = integral(-delay(y, time/2, start = 1), start = 1)\n stop 4; interval 0.2\n}", "y", pantograph, 5e-8, ROWS);
}

static double swaying(double t) { return sin(3 * (t - 0.1 - 0.05 * cos(t))); }

static void a_delay_may_sway(void **state) {
  (void)state;
  check_follows("model M {\n signal y = delay(sin(3*time), 0.1 + 0.05*cos(time), most = 0.2, start = sin(3*time))\n stop 4; interval 0.1\n}", "y",
                swaying, 2e-8, ROWS);
}

static double never_longer(double t) { return t < 0.5 ? 0 : t - 0.5; }

static void a_delay_is_never_longer_than_agreed(void **state) {
  (void)state;
  check_follows("model M {\n signal y = delay(time, 2*time + 1, most = 0.5)\n stop 2; interval 0.1\n}", "y", never_longer, 1e-9, ROWS);
}

static void a_delayed_guard_fires_at_its_instant(void **state) {
  (void)state;
  Simulated run = simulated("model M {\n Se u(1); R r(1); 1 j by K(delay(step(1), 0.5)); 1 k; u -> k -> r; Se w(1); R q(1); w -> j -> q\n"
                            " machine K(x) { off o initial; on i; o -> i when x > 0.5 }\n stop 3\n}", NULL, NULL);
  CHECK_NEAR(simulated_instant(&run, 0), 1.5, 0);
  simulated_end(&run);
}

/* t from t = 0.3 on, through functions with a memory: written at one go, it is what it is step by step, whichever name comes first. */
static void a_delay_may_stand_in_a_function_with_a_memory_anywhere(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"2*lag(delay(w, 0.3), 0.2)", "2*lag(s, 0.2)"},
      {"1 + integral(delay(w, 0.3))", "1 + integral(s)"},
      {"delay(delay(delay(w, 0.3), 0.1), 0.1)", "delay(delay(s, 0.1), 0.1)"},
      {"delay(w, 0.3) + delay(lag(delay(w, 0.3), 0.1), 0.2)", "s + delay(lag(s, 0.1), 0.2)"},
      {"hysteresis(delay(w, 0.3), 0.2, 0.4)", "hysteresis(s, 0.2, 0.4)"},
      {"3*hysteresis(lag(delay(w, 0.3), 0.2), 0.2, 0.4)", "3*hysteresis(lag(s, 0.2), 0.2, 0.4)"},
      {"rate_limit(5*lag(delay(w, 0.3), 0.2), 2)", "rate_limit(5*lag(s, 0.2), 2)"},
      {"pid(delay(w, 0.3), Kp = 2, Ti = 3)", "pid(s, Kp = 2, Ti = 3)"},
      {"hysteresis(sample(delay(w, 0.3), every(0.1)), 0.2, 0.4)", "hysteresis(k, 0.2, 0.4)"},
      {"1 + rate_limit(lag(sample(delay(w, 0.3), every(0.1)), 0.2), 1)", "1 + rate_limit(lag(k, 0.2), 1)"},
  };
  for (size_t at = 0; at < sizeof pairs / sizeof *pairs; at++)
    for (int turned = 0; turned < 2; turned++) {
      char text[512];
      snprintf(text, sizeof text, "model Nested {\n signal w = integral(1), s = delay(w, 0.3), k = sample(s, every(0.1))\n signal %s = %s\n signal %s = %s\n stop 2; interval 0.07\n}",
               turned ? "z" : "a", pairs[at][0], turned ? "a" : "z", pairs[at][1]);
      Simulated run = simulated(text, "a; z", NULL);
      assert_true(fabs(simulated_last(&run, "a")) > 0.1);
      for (int row = 0; row < run.row_count; row++) CHECK_NEAR(run.rows[row].values[0], run.rows[row].values[1], 1e-7);
      simulated_end(&run);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_equation_with_a_delay_follows_the_method_of_steps),
      cmocka_unit_test(a_storage_may_be_driven_by_its_own_past),
      cmocka_unit_test(what_no_state_shows_is_remembered_as_well),
      cmocka_unit_test(jumps_come_again_one_delay_later_exactly),
      cmocka_unit_test(a_delay_breaks_a_loop),
      cmocka_unit_test(many_delays_pass_through_one_step),
      cmocka_unit_test(a_delay_may_stand_in_a_function_with_a_memory_anywhere),
      cmocka_unit_test(a_delay_may_grow_from_nothing),
      cmocka_unit_test(a_delay_may_sway),
      cmocka_unit_test(a_delay_is_never_longer_than_agreed),
      cmocka_unit_test(a_delayed_guard_fires_at_its_instant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

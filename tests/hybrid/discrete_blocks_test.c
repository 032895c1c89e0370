/* SPDX-License-Identifier: BSD-3-Clause
 * Functions on clocks against their difference equations, worked out by hand beside them. */
#include "support/simulated.h"

static Simulated sampled(const char *statements, const char *columns) {
  char text[4000];
  snprintf(text, sizeof text, "model Sampled {\n clock c = every(0.1)\n%s\n}", statements);
  return simulated(text, columns, NULL);
}

enum { TICKS = 40 };

/* The signal that all of these are fed: no symmetry helps them. */
static const char input[] = "signal u = sample(sin(3*time) + 0.2*ticks(c), c)\n stop 4; interval 0.1\n";
static double u(int k) { return k < 0 ? 0 : sin(3 * (k / 10.0)) + 0.2 * (k + 1); }

static Simulated fed(const char *signal) {
  char statements[1000];
  snprintf(statements, sizeof statements, "%ssignal y = %s", input, signal);
  return sampled(statements, "y");
}

/* H(z) = (0.5 z^2 + 0.1 z - 0.2)/(2 z^2 - 1.2 z + 0.4). */
static void a_transfer_function_follows_its_difference_equation(void **state) {
  (void)state;
  Simulated run = fed("discrete_transfer(u, c, [0.5, 0.1, -0.2], [2, -1.2, 0.4])");
  double y[TICKS + 1];
  for (int k = 0; k <= TICKS; k++) {
    y[k] = (0.5 * u(k) + 0.1 * u(k - 1) - 0.2 * u(k - 2) + 1.2 * (k > 0 ? y[k - 1] : 0) - 0.4 * (k > 1 ? y[k - 2] : 0)) / 2;
    CHECK_NEAR(simulated_at(&run, k / 10.0, "y"), y[k], 1e-13);
  }
  simulated_end(&run);
}

/* Two poles more than zeros: two ticks of delay. Coefficients from parameters. */
static void a_transfer_function_delays_by_its_excess_of_poles(void **state) {
  (void)state;
  Simulated run = fed("discrete_transfer(u, c, b, a)\n param b = [3], a = [1, 0, 0]");
  for (int k = 0; k <= TICKS; k++) CHECK_NEAR(simulated_at(&run, k / 10.0, "y"), 3 * u(k - 2), 1e-14);
  simulated_end(&run);
}

static void a_state_space_follows_its_recursion(void **state) {
  (void)state;
  Simulated run = fed("discrete_state_space(u, c, [[0.9, 0.1], [-0.3, 0.8]], [0.5, 1], [1, -2], 0.25, start = [1, -1])");
  double x[2] = {1, -1};
  for (int k = 0; k <= TICKS; k++) {
    CHECK_NEAR(simulated_at(&run, k / 10.0, "y"), x[0] - 2 * x[1] + 0.25 * u(k), 1e-12);
    const double next = 0.9 * x[0] + 0.1 * x[1] + 0.5 * u(k);
    x[1] = -0.3 * x[0] + 0.8 * x[1] + u(k);
    x[0] = next;
  }
  simulated_end(&run);
}

static void check_integral(const char *rule, double now, double before) {
  char signal[200];
  snprintf(signal, sizeof signal, "discrete_integral(u, c, start = 2%s)", rule);
  Simulated run = fed(signal);
  double y = 2;
  for (int k = 0; k <= TICKS; k++) {
    if (k > 0) y += 0.1 * (now * u(k) + before * u(k - 1));
    CHECK_NEAR(simulated_at(&run, k / 10.0, "y"), y, 1e-13);
  }
  simulated_end(&run);
}

static void an_integral_sums_up_from_the_first_tick_on(void **state) {
  (void)state;
  check_integral("", 0, 1);
  check_integral(", rule = forward", 0, 1);
  check_integral(", rule = backward", 1, 0);
  check_integral(", rule = trapezoidal", 0.5, 0.5);
}

static void a_moving_average_begins_with_its_start_value(void **state) {
  (void)state;
  Simulated run = fed("moving_average(u, c, 4, start = 3)");
  for (int k = 0; k <= TICKS; k++) {
    double sum = 0;
    for (int back = 0; back < 4; back++) sum += k - back < 0 ? 3 : u(k - back);
    CHECK_NEAR(simulated_at(&run, k / 10.0, "y"), sum / 4, 1e-14);
  }
  simulated_end(&run);
}

static void a_pid_controller_follows_its_recursion_and_its_integral_waits_at_limits(void **state) {
  (void)state;
  Simulated run = fed("discrete_pid(u - 4, c, Kp = 2, Ti = 0.5 [s], Td = 0.05 [s], low = -9, high = 6)");
  double integral = 0;
  bool was_limited = false;
  for (int k = 0; k <= TICKS; k++) {
    const double e = u(k) - 4, rest = 2 * e + (k > 0 ? 2 * 0.05 / 0.1 * (u(k) - u(k - 1)) : 0), step = 2 * 0.1 / 0.5 * e;
    const double wish = rest + integral + step;
    const bool waits = (wish > 6 && step > 0) || (wish < -9 && step < 0);
    if (!waits) integral += step;
    was_limited = was_limited || waits;
    CHECK_NEAR(simulated_at(&run, k / 10.0, "y"), fmax(-9, fmin(6, rest + integral)), 1e-12);
  }
  assert_true(was_limited);
  simulated_end(&run);
}

static void a_first_order_hold_goes_on_along_the_last_slope(void **state) {
  (void)state;
  // of a straight line it is that line from the second tick on
  Simulated run = sampled("signal y = first_order_hold(2*time + 1, c)\n stop 1; interval 0.025", "y");
  CHECK_NEAR(simulated_at(&run, 0.05, "y"), 1, 0);
  for (int at = 4; at <= 40; at++) CHECK_NEAR(simulated_at(&run, at / 40.0, "y"), 2 * (at / 40.0) + 1, 1e-14);
  simulated_end(&run);
}

/* ---- noise ---- */

static void noise_has_the_moments_it_claims(void **state) {
  (void)state;
  // sums over 20001 ticks; four standard errors
  Simulated run = sampled("clock f = every(1 [ms])\n signal w = noise(f, seed = 3, deviation = 2, mean = 5), v = uniform_noise(f, seed = 3, low = -1, high = 3)\n"
                          "signal sum = sample(previous(sum, f) + w, f), square = sample(previous(square, f) + (w - 5)^2, f)\n"
                          "signal usum = sample(previous(usum, f) + v, f), usquare = sample(previous(usquare, f) + (v - 1)^2, f)\n stop 20; interval 20", "sum; square; usum; usquare");
  const double n = 20001;
  CHECK_NEAR(simulated_last(&run, "sum") / n, 5, 4 * 2 / sqrt(n));
  CHECK_NEAR(simulated_last(&run, "square") / n, 4, 4 * 4 * sqrt(2 / n));
  CHECK_NEAR(simulated_last(&run, "usum") / n, 1, 4 * sqrt(16 / 12.0 / n));
  CHECK_NEAR(simulated_last(&run, "usquare") / n, 16 / 12.0, 4 * sqrt(256 / 180.0 / n));
  simulated_end(&run);
}

/* The numbers depend on seed, name and tick, on nothing else: not on what else there is, and in which order. */
static void noise_depends_on_its_seed_and_name_alone(void **state) {
  (void)state;
  Simulated one = sampled("signal a = noise(c, seed = 1), b = noise(c, seed = 1), d = noise(c, seed = 2)\n stop 1; interval 0.1", "a; b; d");
  Simulated other = sampled("signal d = noise(c, seed = 2), z = noise(c), b = 1 + noise(c, seed = 1), a = noise(c, seed = 1)\n stop 1; interval 0.1", "a; b; d");
  int same = 0;
  for (int k = 0; k <= 10; k++) {
    CHECK_NEAR(simulated_at(&other, k / 10.0, "a"), simulated_at(&one, k / 10.0, "a"), 0);
    CHECK_NEAR(simulated_at(&other, k / 10.0, "b"), 1 + simulated_at(&one, k / 10.0, "b"), 0);
    CHECK_NEAR(simulated_at(&other, k / 10.0, "d"), simulated_at(&one, k / 10.0, "d"), 0);
    same += fabs(simulated_at(&one, k / 10.0, "a") - simulated_at(&one, k / 10.0, "b")) < 1e-3;
  }
  assert_true(same < 2); // two of one seed are independent all the same
  simulated_end(&one);
  simulated_end(&other);
}

/* ---- PWM and trains ---- */

static void the_mean_of_pwm_is_its_duty(void **state) {
  (void)state;
  // the duty is taken at the beginning of each period: 0.1, 0.2, ..., and from the tenth on 1
  Simulated run = sampled("signal duty = 0.1 + 0.1*time, on = integral(pwm(duty, 1))\n stop 12; interval 1", "on");
  double on = 0;
  for (int k = 0; k <= 12; k++) {
    CHECK_NEAR(simulated_at(&run, k, "on"), on, 1e-12);
    on += fmin(1, 0.1 + 0.1 * k);
  }
  simulated_end(&run);
}

static void edges_of_pwm_are_exact(void **state) {
  (void)state;
  Simulated run = simulated_events("model Chopper {\n Se source(10); 1 line by Switch; R r(1); I i(1); source -> line -> i; line -> r\n"
                                   "signal gate = pwm(0.25, 0.1, offset = 0.05)\n machine Switch { off open initial; on closed; open -> closed when gate > 0.5; closed -> open when gate < 0.5 }\n stop 1\n}");
  assert_int_equal(simulated_instants(&run), 20);
  for (int at = 0; at < 20; at++) CHECK_CLOSE(simulated_instant(&run, at), 0.05 + (at / 2) * 0.1 + (at % 2) * 0.025, 4e-16);
  simulated_end(&run);
}

static void a_duty_outside_of_the_period_is_off_or_on_throughout(void **state) {
  (void)state;
  Simulated run = sampled("signal off = integral(pwm(0, 0.3)), on = integral(pwm(1, 0.3)), less = integral(pwm(-2, 0.3)), more = integral(pwm(7, 0.3))\n stop 3", "off; on; less; more");
  CHECK_NEAR(simulated_last(&run, "off"), 0, 0);
  CHECK_NEAR(simulated_last(&run, "less"), 0, 0);
  CHECK_NEAR(simulated_last(&run, "on"), 3, 1e-13);
  CHECK_NEAR(simulated_last(&run, "more"), 3, 1e-13);
  simulated_end(&run);
}

/* An RL load on a PWM bridge settles to a periodic current whose extremes are known: with a = exp(-T/tau), b = exp(-d T/tau) the current
 * is largest at the falling edge, V/R (1 - b)/(1 - a). */
static void the_ripple_of_a_chopper_has_its_closed_form(void **state) {
  (void)state;
  Simulated run = sampled("Se source(12*pwm(0.4, 0.5)); R r(3); I coil(0.6); 1 n; source -> n -> coil; n -> r\n stop 10.2; tolerance 1e-11", "coil.f");
  const double tau = 0.2, T = 0.5, d = 0.4;
  CHECK_NEAR(simulated_last(&run, "coil.f"), 12 / 3.0 * (1 - exp(-d * T / tau)) / (1 - exp(-T / tau)), 1e-9);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_transfer_function_follows_its_difference_equation),
      cmocka_unit_test(a_transfer_function_delays_by_its_excess_of_poles),
      cmocka_unit_test(a_state_space_follows_its_recursion),
      cmocka_unit_test(an_integral_sums_up_from_the_first_tick_on),
      cmocka_unit_test(a_moving_average_begins_with_its_start_value),
      cmocka_unit_test(a_pid_controller_follows_its_recursion_and_its_integral_waits_at_limits),
      cmocka_unit_test(a_first_order_hold_goes_on_along_the_last_slope),
      cmocka_unit_test(noise_has_the_moments_it_claims),
      cmocka_unit_test(noise_depends_on_its_seed_and_name_alone),
      cmocka_unit_test(the_mean_of_pwm_is_its_duty),
      cmocka_unit_test(edges_of_pwm_are_exact),
      cmocka_unit_test(a_duty_outside_of_the_period_is_off_or_on_throughout),
      cmocka_unit_test(the_ripple_of_a_chopper_has_its_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

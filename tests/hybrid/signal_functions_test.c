/* SPDX-License-Identifier: BSD-3-Clause
 * Functions with a memory, held against closed forms: transfer functions, state space, lags, controllers. */
#include "support/follows.h"

enum { ROWS = 21 };

/* ---- transfer functions ---- */

static double first_order(double t) { return 3 * (1 - exp(-t / 0.5)); }
static double double_pole(double t) { return 1 - exp(-t) * (1 + t); }
static double complex_poles(double t) {
  const double d = 0.3, w = sqrt(1 - d * d);
  return 1 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}
/* 1/(s+1)^6: the sum of a Poisson distribution */
static double six_equal_poles(double t) {
  double term = 1, sum = 1;
  for (int k = 1; k < 6; k++) sum += term *= t / k;
  return 1 - exp(-t) * sum;
}
/* (2 s + 1)/(s + 1) = 2 - 1/(s + 1) */
static double lead(double t) { return 1 + exp(-t); }
static double oscillation(double t) { return 1 - cos(2 * t); }
static double three_sines(double t) { return 3 * sin(t); }
static double free_decay(double t) { return 5 * exp(-t / 0.5); }

static void step_responses_of_transfer_functions_are_their_closed_forms(void **state) {
  (void)state;
  check_follows("model M {\n signal y = transfer(1, [3], [0.5, 1])\n stop 4; interval 0.2\n}", "y", first_order, 2e-8, ROWS);
  check_follows("model M {\n signal y = transfer(1, [1], [1, 2, 1])\n stop 4; interval 0.2\n}", "y", double_pole, 2e-8, ROWS);
  check_follows("model M {\n signal y = transfer(1, [1], [1, 0.6, 1])\n stop 10; interval 0.2\n}", "y", complex_poles, 1e-7, ROWS);
  check_follows("model M {\n signal y = transfer(1, [1], [1, 6, 15, 20, 15, 6, 1])\n stop 12; interval 0.2\n}", "y", six_equal_poles, 1e-7, ROWS);
  check_follows("model M {\n signal y = transfer(1, [4], [1, 0, 4])\n stop 10; interval 0.2\n}", "y", oscillation, 2e-7, ROWS);
}

static void what_passes_at_once_passes_at_once(void **state) {
  (void)state;
  check_follows("model M {\n signal y = transfer(1, [2, 1], [1, 1])\n stop 4; interval 0.2\n}", "y", lead, 2e-8, ROWS);
  check_follows("model M {\n signal y = transfer(sin(time), [6], [2])\n stop 4; interval 0.2\n}", "y", three_sines, 1e-15, ROWS);
}

static void a_transfer_function_starts_where_it_is_told(void **state) {
  (void)state;
  check_follows("model M {\n signal y = transfer(0, [3], [0.5, 1], start = 5)\n stop 2; interval 0.1\n}", "y", free_decay, 5e-8, ROWS);
}

static void coefficients_may_be_parameters(void **state) {
  (void)state;
  check_follows("model M {\n param T = 500 [ms], den = [T, 1], k = 3\n signal y = transfer(1, [0, k], den)\n stop 4; interval 0.2\n}", "y",
                first_order, 2e-8, ROWS);
}

static double lagged(double t) { return 1 - exp(-t / 0.1); }

static void a_lag_is_a_transfer_function_of_first_order(void **state) {
  (void)state;
  check_follows("model M {\n signal y = lag(1, 0.1 [s])\n stop 1; interval 0.05\n}", "y", lagged, 2e-8, ROWS);
}

static double ramp_through_impulse(double t) { return t >= 1 ? exp(-(t - 1)) : 0; }

static void an_impulse_kicks_a_transfer_function(void **state) {
  (void)state;
  // the wood, of mass 1, is hit at t = 1: its effort has an impulse of 1
  check_follows("model M {\n I a(1) start f = 2; I b(1); 1 ma, mb; 0 c by K; ma -> a; ma -> c -> mb -> b\n"
                " machine K { off o initial; on i; o -> i when time >= 1 }\n"
                " signal y = transfer(b.e, [1], [1, 1])\n stop 2; interval 0.1\n}", "finite(y)", ramp_through_impulse, 5e-8, ROWS);
}

/* ---- state space ---- */

static double first_output(double t) { return 1 - exp(-t) + (1 - exp(-2 * t)) / 2; }
static double second_output(double t) { return 1 - exp(-t) - (1 - exp(-2 * t)) / 2; }
static double turning(double t) { return cos(3 * t); }

static const char two_by_two[] =
    "model M {\n param n = 2\n"
    " signal y[1..n] = state_space([[-1, 0], [0, -2]], [[1, 0], [0, 1]], [[1, 1], [1, -1]], 0, [1, step(0)])\n stop 2; interval 0.1\n}";

static void a_system_has_several_inputs_and_outputs(void **state) {
  (void)state;
  check_follows(two_by_two, "y[1]", first_output, 5e-8, ROWS);
  check_follows(two_by_two, "y[2]", second_output, 5e-8, ROWS);
}

static void a_system_without_input_starts_where_it_is_told(void **state) {
  (void)state;
  check_follows("model M {\n signal y = state_space([[0, 3], [-3, 0]], 0, [1, 0], 0, 0, start = [1, 0])\n stop 2; interval 0.1\n}", "y",
                turning, 2e-7, ROWS);
}

static void hidden_states_can_be_read(void **state) {
  (void)state;
  check_follows("model M {\n signal y = state_space([[0, 3], [-3, 0]], 0, [0, 1], 0, 0, start = [1, 0])\n stop 2; interval 0.1\n}", "y.x[1]",
                turning, 2e-7, ROWS);
}

/* ---- controllers ---- */

/* v' = u, u = 2 (1 - v) + 1/(0.5) integral: v'' + 2 v' + 4 v = 4 with v(0) = 0, v'(0) = 2 */
static double pi_loop(double t) {
  const double w = sqrt(3);
  return 1 - exp(-t) * (cos(w * t) - sin(w * t) / w);
}

static void a_pi_loop_answers_as_its_equation(void **state) {
  (void)state;
  check_follows("model M {\n signal v = integral(u), u = pid(1 - v, Kp = 2, Ti = 0.5)\n stop 4; interval 0.2\n}", "v", pi_loop, 1e-7, ROWS);
}

/* D = N (e - z), z' = (e - z) N/Td with e = t: z = t - Td/N (1 - exp(-N t/Td)) */
static double derivative_of_ramp(double t) { return 3 * (t + 0.5 * (1 - exp(-20 * t))); }

static void the_derivative_is_filtered(void **state) {
  (void)state;
  check_follows("model M {\n signal u = pid(time, Kp = 3, Td = 0.5, N = 10)\n stop 1; interval 0.05\n}", "u", derivative_of_ramp, 1e-7, ROWS);
}

/* Unlimited: u = e + integral(e)/Ti; limited to 1 with e = 1: v = 1 + I, I' = 1 + (1 - v)/Tt = 1 - I/Tt, u = 1 */
static double wound(double t) { return 0.25 * (1 - exp(-t / 0.25)); }

static void back_calculation_stops_the_integral(void **state) {
  (void)state;
  check_follows("model M {\n signal u = pid(1, Ti = 1, low = -1, high = 1, Tt = 0.25)\n stop 2; interval 0.1\n}", "u.x[1]", wound, 5e-8, ROWS);
}

static double one(double t) {
  (void)t;
  return 1;
}

static void a_controller_stays_within_its_limits(void **state) {
  (void)state;
  check_follows("model M {\n signal u = pid(5, Kp = 2, Ti = 1, high = 1)\n stop 2; interval 0.1\n}", "u", one, 0, ROWS);
}

/* ---- without a memory ---- */

static double beyond(double t) { return fmax(sin(t) - 0.5, 0) + fmin(sin(t) + 0.25, 0); }
static double rounded(double t) { return 0.25 * floor(t / 0.25 + 0.5); }
static double formula(double t) { return 0.3 * sin(t) * sin(t) + 2 * t; }

static void plain_functions_are_what_they_say(void **state) {
  (void)state;
  check_follows("model M {\n signal y = deadzone(sin(time), -0.25, 0.5)\n stop 6; interval 0.1\n}", "y", beyond, 1e-15, ROWS);
  check_follows("model M {\n signal y = quantise(time, 0.25)\n stop 2; interval 0.1\n}", "y", rounded, 1e-15, ROWS);
  check_follows("model M {\n signal x = sin(time)\n block d = gain(x, 2), y = sum(+d, +x, -0)\n stop 6; interval 0.1\n}", "y", three_sines, 1e-15, ROWS);
}

static void functions_of_the_modeller_are_formulas(void **state) {
  (void)state;
  static const char text[] = "function squared(x) = x*x\n"
                             "model M {\n param f = 0.3\n function mixed(v, k = 1, rest = 3*squared(k), mu = f) = mu*squared(v) + rest*time\n"
                             " signal y = mixed(sin(time), rest = 2)\n stop 2; interval 0.1\n}";
  check_follows(text, "y", formula, 1e-14, ROWS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_responses_of_transfer_functions_are_their_closed_forms),
      cmocka_unit_test(what_passes_at_once_passes_at_once),
      cmocka_unit_test(a_transfer_function_starts_where_it_is_told),
      cmocka_unit_test(coefficients_may_be_parameters),
      cmocka_unit_test(a_lag_is_a_transfer_function_of_first_order),
      cmocka_unit_test(an_impulse_kicks_a_transfer_function),
      cmocka_unit_test(a_system_has_several_inputs_and_outputs),
      cmocka_unit_test(a_system_without_input_starts_where_it_is_told),
      cmocka_unit_test(hidden_states_can_be_read),
      cmocka_unit_test(a_pi_loop_answers_as_its_equation),
      cmocka_unit_test(the_derivative_is_filtered),
      cmocka_unit_test(back_calculation_stops_the_integral),
      cmocka_unit_test(a_controller_stays_within_its_limits),
      cmocka_unit_test(plain_functions_are_what_they_say),
      cmocka_unit_test(functions_of_the_modeller_are_formulas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

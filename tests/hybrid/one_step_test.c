/* SPDX-License-Identifier: BSD-3-Clause
 * Stiff parts by the one-step method: what it assumes of equations, against closed forms. */
#include "support/simulated.h"

static Simulated run_of(const char *text, const char *columns, double tolerance) {
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_SDIRK;
  options.tolerance = tolerance;
  options.sliding = HBG_SLIDING_OFF;
  return simulated(text, columns, &options);
}

static void a_source_that_moves_is_followed_at_once_and_slowly(void **state) {
  (void)state;
  // RC = 1 us and 1 s behind the same source sin t
  Simulated run = run_of("model Follow {\n Se s(sin(time)); 0 n; s -> n\n"
                         " 1 a; R ra(1e-3); C ca(1e-3); n -> a; a -> ra; a -> ca\n"
                         " 1 b; R rb(1); C cb(1); n -> b; b -> rb; b -> cb\n stop 10\n}",
                         "ca.q; cb.q", 1e-8);
  for (double t = 0.5; t < 10; t += 0.5) {
    CHECK_NEAR(simulated_at(&run, t, "cb.q"), (sin(t) - cos(t) + exp(-t)) / 2, 1e-7);
    CHECK_NEAR(simulated_at(&run, t, "ca.q"), 1e-3 * (sin(t) - 1e-6 * cos(t)), 1e-10);
  }
  simulated_end(&run);
}

static void a_law_that_jumps_is_not_taken_for_a_linear_one(void **state) {
  (void)state;
  // its slope is nothing wherever it has one; v' = -1/2 - v
  Simulated run = run_of("model Brake {\n I mass(1) start f = 1; R air(1); R dry: e = 0.5*sign(f)\n"
                         " 1 v; v -> mass; v -> air; v -> dry\n stop 1\n}",
                         "mass.p", 1e-9);
  CHECK_NEAR(simulated_last(&run, "mass.p"), 1.5 * exp(-1) - 0.5, 1e-8);
  simulated_end(&run);
}

static void integrals_of_what_is_stiff_are_exact(void **state) {
  (void)state;
  Simulated run = run_of("model Rest {\n I mass(1e-6) start f = 1; R air(1); 1 v; v -> mass; v -> air\n"
                         " signal way = integral(v.f); signal twice = integral(way)\n stop 1\n}",
                         "way; twice", 1e-9);
  CHECK_NEAR(simulated_last(&run, "way"), 1e-6, 1e-13);
  CHECK_NEAR(simulated_last(&run, "twice"), 1e-6 * (1 - 1e-6), 1e-13);
  simulated_end(&run);
}

static void a_switch_inside_a_stiff_circuit_is_located(void **state) {
  (void)state;
  // charged by 1 Ohm to 0.8 V, discharged by 1 mOhm to 0.2 V; a follower of 1 us hangs on it
  Simulated run = run_of("model Blinker {\n Se s(1); 0 n; 1 feed; R r(1); s -> feed -> n; feed -> r\n"
                         " C c(1); n -> c; 1 out by Lamp; R lamp(1e-3); n -> out -> lamp\n"
                         " 1 fast; R rf(1); C cf(1e-9); n -> fast; fast -> rf; fast -> cf\n"
                         " machine Lamp { off dark initial; on lit; dark -> lit when c.e >= 0.8; lit -> dark when c.e <= 0.2 }\n"
                         " stop 20\n}",
                         "c.q; out.state", 1e-9);
  // with 1 Ohm and 1 mOhm in parallel the end of discharging is 1/1001 V, its time constant 1/1001 s
  const double rise = log(0.8 / 0.2), first = log(1 / 0.2), fall = log((0.8 - 1.0 / 1001) / (0.2 - 1.0 / 1001)) / 1001;
  const int64_t cycles = (int64_t)((20 - first) / (rise + fall));
  const double inside = 20 - first - (double)cycles * (rise + fall);
  assert_true(inside > fall);
  CHECK_NEAR(simulated_last(&run, "c.q"), 1 - 0.8 * exp(-(inside - fall)), 2e-6);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_source_that_moves_is_followed_at_once_and_slowly),
      cmocka_unit_test(a_law_that_jumps_is_not_taken_for_a_linear_one),
      cmocka_unit_test(integrals_of_what_is_stiff_are_exact),
      cmocka_unit_test(a_switch_inside_a_stiff_circuit_is_located),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

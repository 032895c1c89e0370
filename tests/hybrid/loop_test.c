/* SPDX-License-Identifier: BSD-3-Clause
 * Signals that depend on themselves are solved: linear ones in symbols, others with the equations of the model. */
#include "support/follows.h"

enum { ROWS = 9 };

/* a = b/2 + t, b = a + c, c = a/10 - 3 */
static double linear(double t) { return (t - 1.5) / 0.45; }
static double fixed_point(double t) {
  (void)t;
  return 0.73908513321516064165531208767387340401341175890076;
}
static double cube_root(double t) { return cbrt(8 + t); }

static void linear_loops_are_solved_exactly(void **state) {
  (void)state;
  check_follows("model M {\n signal a = b/2 + time, b = a + c, c = 0.1*a - 3\n stop 2; interval 0.25\n}", "a", linear, 1e-14, ROWS);
}

static void other_loops_are_solved_by_newtons_method(void **state) {
  (void)state;
  check_follows("model M {\n signal x = cos(y), y = x\n stop 2; interval 0.25\n}", "x", fixed_point, 1e-12, ROWS);
  // x^3 = 8 + t
  check_follows("model M {\n signal x = (8 + time - x^3)/3 + x\n stop 2; interval 0.25\n}", "x", cube_root, 1e-11, ROWS);
}

static double saturated(double t) { return fmin(t, 1) ; }

static void a_loop_may_have_corners(void **state) {
  (void)state;
  // u = limit(2 (t - u/2)) : 2u = 2t until u = 1
  check_follows("model M {\n signal u = limit(2*(time - u/2), -1, 1)\n stop 2; interval 0.25\n}", "u", saturated, 1e-12, ROWS);
}

/* R i = u, u = 1 - 0.5 i^3 as a signal that reads the flow of what it drives: i + i^3/2 = 1 */
static double current(double t) {
  (void)t;
  double i = 1;
  for (int k = 0; k < 50; k++) i -= (i + i * i * i / 2 - 1) / (1 + 1.5 * i * i);
  return i;
}

static void a_loop_goes_through_bonds_and_signals(void **state) {
  (void)state;
  check_follows("model M {\n Se s(u); 1 j; R r(1); s -> j -> r\n signal u = 1 - v, v = 0.5*r.f^3\n stop 2; interval 0.25\n}", "r.f", current, 1e-11, ROWS);
  check_follows("model M {\n Se s(w); 1 j; R r(1); s -> j -> r\n signal w = 1 - 0.5*w^3 + 0*r.f\n stop 2; interval 0.25\n}", "r.f", current, 1e-11, ROWS);
}

/* x' = -y, y = x + y/2: y = 2 x, x = exp(-2 t) */
static double decay(double t) { return exp(-2 * t); }

static void an_integral_reads_a_loop(void **state) {
  (void)state;
  check_follows("model M {\n signal x = integral(-y, start = 1), y = x + y/2\n stop 2; interval 0.25\n}", "x", decay, 2e-8, ROWS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_loops_are_solved_exactly),  cmocka_unit_test(other_loops_are_solved_by_newtons_method),
      cmocka_unit_test(a_loop_may_have_corners),          cmocka_unit_test(a_loop_goes_through_bonds_and_signals),
      cmocka_unit_test(an_integral_reads_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

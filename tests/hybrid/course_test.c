/* SPDX-License-Identifier: BSD-3-Clause
 * Tables that are followed over time: integrals of piecewise polynomials are exact, and jumps are hit exactly. */
#include "support/follows.h"

enum { ROWS = 9 };

/* [[0, 1], [1, 3], [1.5, 0], [4, 0]]: narrow, so that no step may pass over it */
static double line(double t) { return t < 1 ? 1 + 2 * t : t < 1.5 ? 3 - 6 * (t - 1) : 0; }
static double area(double t) {
  if (t < 1) return t + t * t;
  if (t < 1.5) return 2 + 3 * (t - 1) - 3 * (t - 1) * (t - 1);
  return 2.75;
}

static const char lines[] = "model M {\n table f(linear) = [[0, 1], [1, 3], [1.5, 0], [4, 0]]\n"
                            " signal y = f(time), i = integral(y), j = integral(f(2*time - 1))\n stop 4; interval 0.37\n}";

static double shifted(double t) { return 2 * t - 1 < 0 ? t : 0.5 + area(2 * t - 1) / 2; }

static void the_integral_of_lines_is_exact(void **state) {
  (void)state;
  check_follows(lines, "y", line, 1e-15, ROWS);
  check_follows(lines, "i", area, 4e-15, ROWS);
  check_follows(lines, "j", shifted, 4e-15, ROWS);
}

static double stairs(double t) { return t < 1 ? 1 : t < 2 ? -2 : 5; }
static double under_stairs(double t) { return t < 1 ? t : t < 2 ? 1 - 2 * (t - 1) : -1 + 5 * (t - 2); }
static double jump(double t) { return t < 1 ? t : t < 2 ? 5 - t : 3; }

static void jumps_are_hit_exactly(void **state) {
  (void)state;
  static const char stepped[] = "model M {\n table f(stepped) = [[0, 1], [1, -2], [2, 5]]\n signal y = f(time), i = integral(y)\n stop 3; interval 0.25\n}";
  check_follows(stepped, "y", stairs, 0, ROWS);
  check_follows(stepped, "i", under_stairs, 2e-15, ROWS);
  check_follows("model M {\n table f(nearest) = [[0.5, 1], [1.5, -2], [2.5, 5]]\n signal y = f(time)\n stop 3; interval 0.25\n}", "y", stairs, 0, ROWS);
  // two knots of one time: the line jumps
  check_follows("model M {\n table f = [[0, 0], [1, 1], [1, 4], [2, 3]]\n signal y = f(time)\n stop 3; interval 0.25\n}", "y", jump, 1e-15, ROWS);
}

/* m v' = F(t) with F the stairs: v is what lies under them */
static void a_source_may_follow_a_table(void **state) {
  (void)state;
  check_follows("model M {\n table f(stepped) = [[0, 1], [1, -2], [2, 5]]\n Se push(f(time)); I m(1); 1 j; push -> j -> m\n stop 3; interval 0.25\n}",
                "m.f", under_stairs, 1e-14, ROWS);
  check_follows("model M {\n table f(linear) = [[0, 1], [1, 3], [1.5, 0], [4, 0]]\n Se push(f(time)); I m(1); 1 j; push -> j -> m\n"
                " stop 4; interval 0.37\n}", "m.f", area, 4e-15, ROWS);
}

static double parabola(double t) { return t * t; }

static void a_table_may_be_a_law(void **state) {
  (void)state;
  // e = f^2 as read off the knots: between them the line, so ask at a flow that is a knot
  check_follows("model M {\n table law(linear) = [[0, 0], [1, 1], [2, 4], [3, 9]]\n Sf s(2); 1 j; R r: e = law(f)\n s -> j -> r\n"
                " signal y = r.e - 4 + time^2\n stop 2; interval 0.25\n}", "y", parabola, 1e-14, ROWS);
}

static void an_inverted_table_is_solved_for(void **state) {
  (void)state;
  // the flow for which the law gives 2.5: between 1 (1) and 2 (4), so 1.5
  Simulated run = simulated("model M {\n table law(linear) = [[0, 0], [1, 1], [2, 4], [3, 9]]\n Se s(2.5); 1 j; R r: e = law(f)\n s -> j -> r\n stop 1\n}", "r.f", NULL);
  CHECK_NEAR(simulated_last(&run, "r.f"), 1.5, 1e-12);
  simulated_end(&run);
}

static double bilinear(double t) { return (1 + t) * (2 - t) + 3; }

static void a_map_reads_two_arguments(void **state) {
  (void)state;
  // f(x, y) = x*y + 3 is bilinear
  check_follows("model M {\n table f(linear) = [[0, 0, 3], [0, 3, 3], [4, 3, 15]]\n signal y = f(1 + time, 2 - time)\n stop 2; interval 0.25\n}", "y",
                bilinear, 1e-14, ROWS);
  check_follows("model M {\n table f(cubic) = [[0, 0, 1, 3], [0, 3, 3, 3], [1, 3, 4, 6], [4, 3, 7, 15]]\n signal y = f(1 + time, 2 - time)\n stop 2; interval 0.25\n}",
                "y", bilinear, 1e-13, ROWS);
}

static void outside_may_stop_the_run(void **state) {
  (void)state;
  Simulated run = simulated_try("model M {\n table f(linear, outside = error) = [[0, 1], [1, 3]]\n signal i = integral(f(2*sin(time)))\n stop 3\n}", "i", NULL);
  assert_int_equal(run.status, HBG_STOPPED);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_integral_of_lines_is_exact), cmocka_unit_test(jumps_are_hit_exactly),
      cmocka_unit_test(a_source_may_follow_a_table),    cmocka_unit_test(a_table_may_be_a_law),
      cmocka_unit_test(an_inverted_table_is_solved_for), cmocka_unit_test(a_map_reads_two_arguments),
      cmocka_unit_test(outside_may_stop_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

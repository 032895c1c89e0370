/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/newton.h"

#include <float.h>
#include <string.h>

#include "support/check.h"
#include "support/random_graph.h"

/* x^2 = 2 */
static int square(const double *x, double *f, void *user) {
  f[0] = x[0] * x[0] - *(const double *)user;
  return 0;
}

static int square_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 2 * x[0];
  return 0;
}

/* A circle of radius 5 units cut by a line, in units of 1e-9 and 1e6. */
static int circle(const double *x, double *f, void *user) {
  (void)user;
  const double a = x[0] * 1e9, b = x[1] * 1e-6;
  f[0] = 1e-15 * (a * a + b * b - 25);
  f[1] = 1e20 * (a - b + 1);
  return 0;
}

static int circle_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 1e-15 * 2 * x[0] * 1e18;
  j[1] = 1e-15 * 2 * x[1] * 1e-12;
  j[2] = 1e20 * 1e9;
  j[3] = -1e20 * 1e-6;
  return 0;
}

/* Newton's method without damping runs away from here. */
static int arctangent(const double *x, double *f, void *user) {
  (void)user;
  f[0] = atan(x[0]);
  return 0;
}

static int arctangent_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 1 / (1 + x[0] * x[0]);
  return 0;
}

/* The current of a diode behind a resistor: 1e-12 (exp(v / 0.025) - 1) = (5 - v) / 1000. */
static int diode(const double *x, double *f, void *user) {
  (void)user;
  f[0] = 1e-12 * (exp(x[0] / 0.025) - 1) - (5 - x[0]) / 1000;
  return 0;
}

static int diode_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 1e-12 / 0.025 * exp(x[0] / 0.025) + 1e-3;
  return 0;
}

/* One equation x y = 6 for two unknowns. */
static int product(const double *x, double *f, void *user) {
  (void)user;
  f[0] = x[0] * x[1] - 6;
  return 0;
}

static int product_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = x[1];
  j[1] = x[0];
  return 0;
}

/* x = 1 and x = 2 */
static int contradiction(const double *x, double *f, void *user) {
  (void)user;
  f[0] = x[0] - 1;
  f[1] = x[0] - 2;
  return 0;
}

static int contradiction_slope(const double *x, double *j, void *user) {
  (void)x;
  (void)user;
  j[0] = j[1] = 1;
  return 0;
}

/* ln x = 1 is not defined for a step too far. */
static int logarithm(const double *x, double *f, void *user) {
  (void)user;
  if (!(x[0] > 0)) return 1;
  f[0] = log(x[0]) - 1;
  return 0;
}

static int logarithm_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 1 / x[0];
  return 0;
}

static void the_root_of_two_is_found_to_the_last_digit(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double two = 2, x = 100;
  HbgNewton newton = hbg_newton(&arena, 1, 1, square, square_slope, &two);
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
  CHECK_CLOSE(x, sqrt(2), 3e-16);
  hbg_arena_release_all(&arena);
}

static void units_do_not_matter(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 2, 2, circle, circle_slope, NULL);
  double x[2] = {1e-9, 1e6};
  assert_int_equal(hbg_newton_solve(&newton, x), HBG_NEWTON_CONVERGED);
  CHECK_CLOSE(x[0], 3e-9, 1e-13);
  CHECK_CLOSE(x[1], 4e6, 1e-13);
  hbg_arena_release_all(&arena);
}

static void damping_tames_the_arctangent(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 1, 1, arctangent, arctangent_slope, NULL);
  newton.scale[0] = 1;
  double x = 20;
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
  CHECK_NEAR(x, 0, 1e-12);
  assert_true(newton.iterations < 20);
  hbg_arena_release_all(&arena);
}

static void the_working_point_of_a_diode_is_found(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 1, 1, diode, diode_slope, NULL);
  double x = 0, f;
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
  diode(&x, &f, NULL);
  CHECK_NEAR(f, 0, 1e-14);
  assert_true(x > 0.5 && x < 0.6);
  hbg_arena_release_all(&arena);
}

/* From there each step is one unit of the exponent: some four hundred of them. */
static void the_working_point_of_a_diode_is_found_from_far_up_its_exponential(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 1, 1, diode, diode_slope, NULL);
  double far = 10, near = 0.5;
  assert_int_equal(hbg_newton_solve(&newton, &near), HBG_NEWTON_CONVERGED);
  assert_int_equal(hbg_newton_solve(&newton, &far), HBG_NEWTON_CONVERGED);
  assert_true(newton.iterations > 100);
  CHECK_CLOSE(far, near, 1e-12);
  hbg_arena_release_all(&arena);
}

static void of_many_solutions_a_near_one_is_taken(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 1, 2, product, product_slope, NULL);
  double x[2] = {2, 2};
  assert_int_equal(hbg_newton_solve(&newton, x), HBG_NEWTON_CONVERGED);
  CHECK_CLOSE(x[0], sqrt(6), 1e-14);
  CHECK_CLOSE(x[1], sqrt(6), 1e-14);
  hbg_arena_release_all(&arena);
}

static void contradictions_are_named(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 2, 1, contradiction, contradiction_slope, NULL);
  double x = 7, minus_one = -1;
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_INCONSISTENT);
  assert_true(newton.inconsistency > 0.1);
  // x^2 = -1 has no real solution: no endless search
  HbgNewton imaginary = hbg_newton(&arena, 1, 1, square, square_slope, &minus_one);
  assert_int_not_equal(hbg_newton_solve(&imaginary, &x), HBG_NEWTON_CONVERGED);
  hbg_arena_release_all(&arena);
}

static void a_step_out_of_the_domain_is_shortened(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 1, 1, logarithm, logarithm_slope, NULL);
  double x = 60; /* the full step leads to x < 0 */
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
  CHECK_CLOSE(x, exp(1), 1e-15);
  double bad = -1;
  assert_int_equal(hbg_newton_solve(&newton, &bad), HBG_NEWTON_NOT_DEFINED);
  hbg_arena_release_all(&arena);
}

/* A root at zero, whose slope there is a number divided by none: sign(x) sqrt(|x|) = 1. */
static int root(const double *x, double *f, void *user) {
  (void)user;
  f[0] = copysign(sqrt(fabs(x[0])), x[0]) - 1;
  return 0;
}

static int root_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 0.5 / sqrt(fabs(x[0]));
  return 0;
}

/* A velocity by a lever that follows a small one, and beside it the force that its square calls for. */
static int lever(const double *x, double *f, void *user) {
  const double *end = user;
  f[0] = 0.5 * x[0] - *end;
  f[1] = x[1] - 2 - 0.3 * x[0] * x[0];
  return 0;
}

static int lever_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = 0.5;
  j[1] = 0;
  j[2] = -0.6 * x[0];
  j[3] = 1;
  return 0;
}

static void what_is_small_beside_something_large_is_not_nothing(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (double end = 1e-30; end < 1; end *= 1e3) {
    HbgNewton newton = hbg_newton(&arena, 2, 2, lever, lever_slope, &end);
    double x[2] = {0, 0};
    assert_int_equal(hbg_newton_solve(&newton, x), HBG_NEWTON_CONVERGED);
    CHECK_CLOSE(x[0], 2 * end, 1e-14);
    CHECK_CLOSE(x[1], 2 + 1.2 * end * end, 1e-14);
  }
  hbg_arena_release_all(&arena);
}

/* Where terms cancel, what is left of them is: 0.1 + 0.2 is not 0.3 to the last digit. */
static int rest(const double *x, double *f, void *user) {
  (void)user;
  f[0] = x[0] - 0.1;
  f[1] = x[1] - 0.2;
  f[2] = x[2] - x[0] - x[1] + 0.3 * x[3];
  f[3] = x[3] - 1;
  return 0;
}

static int rest_slope(const double *x, double *j, void *user) {
  (void)x;
  (void)user;
  const double slope[16] = {1, 0, 0, 0, 0, 1, 0, 0, -1, -1, 1, 0.3, 0, 0, 0, 1};
  memcpy(j, slope, sizeof slope);
  return 0;
}

static void what_round_off_leaves_of_larger_terms_is_nothing(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 4, 4, rest, rest_slope, NULL);
  double x[4] = {0, 0, 0, 0};
  assert_int_equal(hbg_newton_solve(&newton, x), HBG_NEWTON_CONVERGED);
  CHECK_NEAR(x[2], 0, 0);
  hbg_arena_release_all(&arena);
}

static void where_there_is_no_slope_it_begins_nearby(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgNewton newton = hbg_newton(&arena, 1, 1, root, root_slope, NULL);
  double x = 0;
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
  CHECK_CLOSE(x, 1, 1e-12);
  hbg_arena_release_all(&arena);
}

static void a_solution_at_the_start_stays(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double zero = 0, x = 0; /* a double root, where the slope is zero */
  HbgNewton newton = hbg_newton(&arena, 1, 1, square, square_slope, &zero);
  assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
  CHECK_NEAR(x, 0, 0);
  hbg_arena_release_all(&arena);
}

/* f = (v - 10 f)/100 + (v - 10 f)^3/10: for small v that is f = v/110. Numbers of which not all digits are left are as near to each other as a step can be. */
static int in_series(const double *x, double *f, void *user) {
  const double e = *(const double *)user - 10 * x[0];
  f[0] = x[0] - e / 100 - e * e * e / 10;
  return 0;
}

static int in_series_slope(const double *x, double *j, void *user) {
  const double e = *(const double *)user - 10 * x[0];
  j[0] = 1.1 + 3 * e * e;
  return 0;
}

static void numbers_without_all_their_digits_are_solutions(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (int power = -1074; power < -900; power++)
    for (int start = -1074; start < -900; start += 7) {
      const double from = ldexp(1.7, start);
      double v = ldexp(1.3, power), x = -from;
      HbgNewton newton = hbg_newton(&arena, 1, 1, in_series, in_series_slope, &v);
      assert_int_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
      CHECK_NEAR(x, v / 110, 1e-12 * v + 1e-14 * from + DBL_MIN / DBL_EPSILON); // what the start leaves is round-off of it
    }
  hbg_arena_release_all(&arena);
}

/* f = 1e-4 (exp(e / 0.6) - 1) + leak e: of the difference nothing is left where e is less than last digits of 1, and what is left is another line than its slope says. */
typedef struct Junction {
  double leak, f;
} Junction;

static int junction(const double *e, double *f, void *user) {
  const Junction *of = user;
  f[0] = 1e-4 * (exp(e[0] / 0.6) - 1) + of->leak * e[0] - of->f;
  return 0;
}

static int junction_slope(const double *e, double *j, void *user) {
  j[0] = 1e-4 / 0.6 * exp(e[0] / 0.6) + ((const Junction *)user)->leak;
  return 0;
}

/* Where e is small. */
static void junction_terms(double *terms, void *user) {
  (void)user;
  terms[0] = 2e-4;
}

static void a_difference_of_which_nothing_is_left_is_nothing(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  static const double leaks[] = {0.01, 1e-3, 1e-4, 1e-6}; // by the last ones steps do not become shorter
  for (int at = 0; at < 4; at++)
    for (double from = 1e-1; from > 1e-300; from *= 1e-3) {
      Junction of = {leaks[at], 0};
      HbgNewton newton = hbg_newton(&arena, 1, 1, junction, junction_slope, &of);
      newton.terms = junction_terms;
      double e = from;
      assert_int_equal(hbg_newton_solve(&newton, &e), HBG_NEWTON_CONVERGED);
      CHECK_NEAR(e, 0, 0);
      assert_true(newton.iterations < 10);
    }
  hbg_arena_release_all(&arena);
}

/* e (1e-4 / 0.6 + 0.01) = f, but for e^2. */
static void what_is_left_of_a_difference_is_found_as_far_as_it_is_known(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (double f = 1e-18; f < 1e-9; f *= 10) {
    Junction of = {0.01, f};
    HbgNewton newton = hbg_newton(&arena, 1, 1, junction, junction_slope, &of);
    newton.terms = junction_terms;
    double e = 0.1;
    assert_int_equal(hbg_newton_solve(&newton, &e), HBG_NEWTON_CONVERGED);
    CHECK_NEAR(e, f / (1e-4 / 0.6 + 0.01), 4 * 2e-4 * DBL_EPSILON / 0.01 + 1e-6 * f);
  }
  hbg_arena_release_all(&arena);
}

/* ---- kinks ---- */

enum { NODES = 5, BRANCHES = 8 };

/* Nodes joined by branches that conduct one way better than the other: sum over branches of g(a.v) a = i, g(e) = e/r + s max(e, 0). It has one solution, as each
 * branch carries more where there is more across it. */
typedef struct Valves {
  int32_t nodes, branches;
  double a[BRANCHES][NODES], conductance[BRANCHES], more[BRANCHES], current[NODES];
} Valves;

static double across(const Valves *valves, int32_t branch, const double *v) {
  double e = 0;
  for (int32_t node = 0; node < valves->nodes; node++) e += valves->a[branch][node] * v[node];
  return e;
}

static int flows_of_valves(const double *v, double *f, void *user) {
  const Valves *valves = user;
  for (int32_t node = 0; node < valves->nodes; node++) f[node] = -valves->current[node];
  for (int32_t branch = 0; branch < valves->branches; branch++) {
    const double e = across(valves, branch, v), flow = valves->conductance[branch] * e + valves->more[branch] * fmax(e, 0);
    for (int32_t node = 0; node < valves->nodes; node++) f[node] += flow * valves->a[branch][node];
  }
  return 0;
}

static int slopes_of_valves(const double *v, double *j, void *user) {
  const Valves *valves = user;
  const int32_t n = valves->nodes;
  memset(j, 0, (size_t)(n * n) * sizeof *j);
  for (int32_t branch = 0; branch < valves->branches; branch++) {
    const double slope = valves->conductance[branch] + (across(valves, branch, v) > 0 ? valves->more[branch] : 0);
    for (int32_t row = 0; row < n; row++)
      for (int32_t column = 0; column < n; column++) j[row * n + column] += slope * valves->a[branch][row] * valves->a[branch][column];
  }
  return 0;
}

static Valves random_valves(Random *random) {
  Valves valves = {.nodes = 2 + random_below(random, NODES - 1)};
  valves.branches = valves.nodes + random_below(random, BRANCHES - valves.nodes + 1);
  for (int32_t branch = 0; branch < valves.branches; branch++) {
    const int32_t from = branch < valves.nodes ? branch : random_below(random, valves.nodes), to = random_below(random, valves.nodes + 1);
    valves.a[branch][from] = 1;
    if (branch >= valves.nodes && to < valves.nodes && to != from) valves.a[branch][to] = -1;
    valves.conductance[branch] = pow(10, -3 * random_real(random));
    valves.more[branch] = pow(10, 4 * random_real(random));
  }
  return valves;
}

/* As a run follows it: small steps of the currents, each from the solution before. */
static void what_conducts_one_way_is_followed_across_its_kinks(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  int32_t lost = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    Random random = {seed};
    Valves valves = random_valves(&random);
    HbgNewton newton = hbg_newton(&arena, valves.nodes, valves.nodes, flows_of_valves, slopes_of_valves, &valves);
    double v[NODES] = {0};
    for (int32_t step = 0; step < 200; step++) {
      for (int32_t node = 0; node < valves.nodes; node++) valves.current[node] = sin(0.05 * step * (node + 1) + (double)seed);
      double start[NODES];
      memcpy(start, v, sizeof v);
      if (hbg_newton_solve(&newton, v) == HBG_NEWTON_CONVERGED) continue;
      lost++;
      memcpy(v, start, sizeof v);
    }
  }
  assert_int_equal(lost, 0);
  hbg_arena_release_all(&arena);
}

/* Up to a peak of 1, down again, and up for ever. */
static int tunnel(const double *x, double *f, void *user) {
  f[0] = (x[0] < 1 ? x[0] : fabs(x[0] - 2)) - *(const double *)user;
  return 0;
}

static int tunnel_slope(const double *x, double *j, void *user) {
  (void)user;
  j[0] = x[0] > 1 && x[0] < 2 ? -1 : 1;
  return 0;
}

static void behind_a_peak_no_far_solution_is_taken_for_a_near_one(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (double over = 1e-9; over < 1e-2; over *= 10) {
    double height = 1 + over, x = 0.5;
    HbgNewton newton = hbg_newton(&arena, 1, 1, tunnel, tunnel_slope, &height);
    assert_int_not_equal(hbg_newton_solve(&newton, &x), HBG_NEWTON_CONVERGED);
    CHECK_NEAR(x, 1, 2 * over);
  }
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_root_of_two_is_found_to_the_last_digit),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(damping_tames_the_arctangent),
      cmocka_unit_test(the_working_point_of_a_diode_is_found),
      cmocka_unit_test(the_working_point_of_a_diode_is_found_from_far_up_its_exponential),
      cmocka_unit_test(of_many_solutions_a_near_one_is_taken),
      cmocka_unit_test(contradictions_are_named),
      cmocka_unit_test(a_step_out_of_the_domain_is_shortened),
      cmocka_unit_test(what_is_small_beside_something_large_is_not_nothing),
      cmocka_unit_test(what_round_off_leaves_of_larger_terms_is_nothing),
      cmocka_unit_test(where_there_is_no_slope_it_begins_nearby),
      cmocka_unit_test(a_solution_at_the_start_stays),
      cmocka_unit_test(numbers_without_all_their_digits_are_solutions),
      cmocka_unit_test(a_difference_of_which_nothing_is_left_is_nothing),
      cmocka_unit_test(what_is_left_of_a_difference_is_found_as_far_as_it_is_known),
      cmocka_unit_test(what_conducts_one_way_is_followed_across_its_kinks),
      cmocka_unit_test(behind_a_peak_no_far_solution_is_taken_for_a_near_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What solves an equation over [0, 1] is within what is said of it, and nothing is said where there may be none. */
#include "numerics/polynomial_newton.h"

#include "numerics/random.h"
#include "support/check.h"

/* linear x + square x^2 + cube x^3 = right(s). */
typedef struct Cubic {
  double linear, square, cube;
  HbgPolynomial right;
  HbgPolynomial residual, slope; /* work space */
  int calls;
} Cubic;

static void add_power(HbgPolynomial *sum, const HbgPolynomial *power, double factor) {
  HbgPolynomial term;
  hbg_polynomial_scale(&term, power, factor);
  hbg_polynomial_add(sum, sum, &term);
}

static void cubic(const HbgPolynomial *x, HbgEquationsOver *over, void *user) {
  Cubic *self = user;
  HbgPolynomial square, cube;
  hbg_polynomial_multiply(&square, x, x);
  hbg_polynomial_multiply(&cube, &square, x);
  hbg_polynomial_scale(&self->residual, &self->right, -1);
  add_power(&self->residual, x, self->linear);
  add_power(&self->residual, &square, self->square);
  add_power(&self->residual, &cube, self->cube);
  self->slope = hbg_polynomial_constant(self->linear);
  add_power(&self->slope, x, 2 * self->square);
  add_power(&self->slope, &square, 3 * self->cube);
  self->calls++;
  over->residual[0] = &self->residual;
  over->slope[0][0] = &self->slope;
}

static double drawn(uint64_t seed, uint64_t index, double least, double most) {
  return least + (most - least) * hbg_random_uniform((HbgRandomPlace){seed, 0, index});
}

static void solve(HbgPolynomial *x, double start, Cubic *self) { hbg_polynomial_newton(1, x, &start, cubic, self); }

/* By halves, of what rises. */
static double solution(const Cubic *self, double right) {
  double low = -1e3, high = 1e3;
  for (int at = 0; at < 200; at++) {
    const double x = low + (high - low) / 2;
    if (x * (self->linear + x * (self->square + x * self->cube)) < right) low = x;
    else high = x;
  }
  return low;
}

static void a_square_root_is_found_to_the_last_digits(void **state) {
  (void)state;
  Cubic self = {.square = 1, .right = hbg_polynomial_line(4, 4.4)};
  HbgPolynomial x;
  solve(&x, 1.5, &self);
  assert_true(x.error <= 1e-14);
  for (int place = 0; place <= 64; place++) CHECK_NEAR(hbg_polynomial_at(&x, place / 64.0), sqrt(4 + 0.4 * place / 64), 2e-15);
}

/* The other one solves the equation as well. */
static void the_solution_is_the_one_that_is_met_from_the_start(void **state) {
  (void)state;
  Cubic self = {.square = 1, .right = hbg_polynomial_line(4, 4.4)};
  HbgPolynomial x;
  solve(&x, -3, &self);
  CHECK_NEAR(hbg_polynomial_at(&x, 1), -sqrt(4.4), 2e-15);
}

/* x^3 - x = 0.4, which is more than the curve rises to between its bends: only one far away is left, which a start in between comes to by chance. */
static void another_branch_is_not_taken_for_the_one_it_began_on(void **state) {
  (void)state;
  HbgPolynomial x;
  Cubic above = {.linear = -1, .cube = 1, .right = hbg_polynomial_line(0.3, 0.31)}, beyond = {.linear = -1, .cube = 1, .right = hbg_polynomial_line(0.4, 0.41)};
  solve(&x, 1.2, &above);
  CHECK_NEAR(hbg_polynomial_at(&x, 0), 1.125418782756626, 1e-14);
  solve(&x, -0.3, &above);
  CHECK_NEAR(hbg_polynomial_at(&x, 0), -0.3389362415949989, 1e-14);
  solve(&x, -0.3, &beyond);
  assert_true(isinf(x.error));
}

static void over_a_wide_way_less_is_known_and_nothing_wrong(void **state) {
  (void)state;
  Cubic self = {.linear = 1, .cube = 1, .right = hbg_polynomial_line(-2, 30)};
  HbgPolynomial x;
  solve(&x, 0, &self);
  if (!isfinite(x.error)) return; // it may say that it does not know
  for (int place = 0; place <= 64; place++) CHECK_NEAR(hbg_polynomial_at(&x, place / 64.0), solution(&self, -2 + 32.0 * place / 64), x.error + 1e-13);
}

/* As with states that are anywhere in a box. */
static void what_is_known_of_the_equation_but_for_an_error_is_enclosed(void **state) {
  (void)state;
  int known = 0;
  for (uint64_t seed = 0; seed < 2000; seed++) {
    const double from = drawn(seed, 0, -10, 10), to = from + drawn(seed, 1, -1, 1), error = drawn(seed, 2, 0, 0.5);
    Cubic self = {.linear = drawn(seed, 3, 0.5, 3), .cube = drawn(seed, 4, 0, 2), .right = hbg_polynomial_line(from, to)};
    self.right.error = error;
    HbgPolynomial x;
    solve(&x, drawn(seed, 5, -3, 3), &self);
    if (!isfinite(x.error)) continue;
    known++;
    for (int place = 0; place <= 16; place++)
      for (int side = -1; side <= 1; side++) {
        const double s = place / 16.0;
        CHECK_NEAR(hbg_polynomial_at(&x, s), solution(&self, from + (to - from) * s + side * error), x.error * (1 + 1e-12) + 1e-13);
      }
  }
  assert_in_range(known, 1500, 2000);
}

static void where_there_is_no_solution_nothing_is_said(void **state) {
  (void)state;
  Cubic nowhere = {.square = 1, .right = hbg_polynomial_line(-2, -1)}, ends = {.square = 1, .right = hbg_polynomial_line(1, -1)};
  Cubic vertical = {.square = 1, .right = hbg_polynomial_line(0, 1)}, unknown = {.linear = 1, .right = hbg_polynomial_unknown()};
  Cubic *all[] = {&nowhere, &ends, &vertical, &unknown};
  for (size_t at = 0; at < sizeof all / sizeof *all; at++) {
    HbgPolynomial x;
    solve(&x, 1, all[at]);
    assert_true(isinf(x.error));
    assert_in_range(all[at]->calls, 1, 60); // it does not look for long
  }
}

static void what_round_off_of_the_equation_comes_to_is_its_size(void **state) {
  (void)state;
  Cubic self = {.linear = 1e-3, .right = hbg_polynomial_line(1, 1.1)};
  self.right.size = 1e6; // a small rest of large terms
  HbgPolynomial x;
  solve(&x, 0, &self);
  CHECK_NEAR(hbg_polynomial_at(&x, 0), 1000, 1e-10);
  assert_true(x.size >= 1e9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_square_root_is_found_to_the_last_digits),
      cmocka_unit_test(the_solution_is_the_one_that_is_met_from_the_start),
      cmocka_unit_test(another_branch_is_not_taken_for_the_one_it_began_on),
      cmocka_unit_test(over_a_wide_way_less_is_known_and_nothing_wrong),
      cmocka_unit_test(what_is_known_of_the_equation_but_for_an_error_is_enclosed),
      cmocka_unit_test(where_there_is_no_solution_nothing_is_said),
      cmocka_unit_test(what_round_off_of_the_equation_comes_to_is_its_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * One state over a step: the nested form against its product by hand, and what is kept of a step against the step itself. */
#include "numerics/piece.h"

#include "numerics/dp5.h"
#include "numerics/runge_kutta.h"
#include "support/check.h"

/* y = t^4, which dense output of order 4 has exactly. */
static int fourth_power(double t, const double *y, double *dy, void *user) {
  (void)y;
  (void)user;
  dy[0] = 4 * t * t * t;
  return 0;
}

static double power_sum(const double *c, int32_t degree, double u) {
  double sum = c[degree];
  for (int32_t power = degree - 1; power >= 0; power--) sum = c[power] + u * sum;
  return sum;
}

static HbgStepper *step_made(HbgArena *arena, const HbgPair *pair) {
  HbgStepper *stepper = hbg_runge_kutta(arena, 1, fourth_power, NULL, pair, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-6);
  stepper->scale[0] = 1;
  assert_int_equal(hbg_stepper_restart(stepper, 1, (const double[]){1}), HBG_STEP_TAKEN);
  assert_int_equal(hbg_stepper_step(stepper, 1.5), HBG_STEP_TAKEN);
  return stepper;
}

static void the_nested_form_is_multiplied_out(void **state) {
  (void)state;
  // 2 + u (3 + (1 - u) (5 + u 7)) = 2 + 8 u + 2 u^2 - 7 u^3
  const double part[] = {2, 3, 5, 7}, expected[] = {2, 8, 2, -7};
  double c[4];
  assert_int_equal(hbg_nested_multiply_out(part, 4, c), 3);
  for (int power = 0; power < 4; power++) CHECK_NEAR(c[power], expected[power], 0);
  CHECK_NEAR(hbg_nested_value(part, 4, 0.25), 2 + 0.25 * (3 + 0.75 * (5 + 0.25 * 7)), 1e-15);
}

static void a_piece_stays_when_the_stepper_goes_on(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = step_made(&arena, &hbg_pair_dp5);
  const HbgPiece piece = hbg_piece_of_step(stepper, 0);
  CHECK_NEAR(piece.begin, 1, 0);
  const double end = stepper->t1;
  assert_int_equal(hbg_stepper_step(stepper, 2), HBG_STEP_TAKEN);
  for (int at = 0; at <= 8; at++) {
    const double t = 1 + (end - 1) * at / 8;
    CHECK_CLOSE(hbg_piece_at(&piece, t), pow(t, 4), 1e-14);
  }
  hbg_arena_release_all(&arena);
}

static void a_part_of_a_piece_is_a_polynomial_of_its_own(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = step_made(&arena, &hbg_pair_dp5);
  const HbgPiece piece = hbg_piece_of_step(stepper, 0);
  const double from = 1 + 0.2 * piece.length, to = 1 + 0.7 * piece.length;
  double c[HBG_DENSE_DEGREE + 1];
  const int32_t degree = hbg_piece_polynomial(&piece, from, to, c);
  CHECK_CLOSE(power_sum(c, degree, 0), pow(from, 4), 1e-14);
  CHECK_CLOSE(power_sum(c, degree, 1), pow(to, 4), 1e-14);
  CHECK_CLOSE(power_sum(c, degree, 0.5), pow(0.5 * (from + to), 4), 1e-14);
  hbg_arena_release_all(&arena);
}

static void only_a_step_of_order_five_is_known_by_its_pieces(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_true(hbg_piece_is_exact(step_made(&arena, &hbg_pair_dp5)));
  assert_false(hbg_piece_is_exact(step_made(&arena, &hbg_pair_dp8)));
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nested_form_is_multiplied_out),
      cmocka_unit_test(a_piece_stays_when_the_stepper_goes_on),
      cmocka_unit_test(a_part_of_a_piece_is_a_polynomial_of_its_own),
      cmocka_unit_test(only_a_step_of_order_five_is_known_by_its_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

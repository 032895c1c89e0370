/* SPDX-License-Identifier: BSD-3-Clause
 * One step by itself is as exact as the pair of order 5 that it is made with, and what is kept of it is the same between its ends. */
#include "numerics/single_step.h"

#include <math.h>

#include "numerics/dp5.h"
#include "support/check.h"

/* x'' = -x */
static int turn(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

static HbgSingleStep step_of(HbgArena *arena, double length) {
  HbgSingleStep step = {0};
  hbg_single_step_begin(&step, arena, 2);
  step.begin = 1;
  step.length = length;
  step.y[0] = sin(1);
  step.y[1] = cos(1);
  step.scale[0] = step.scale[1] = 1;
  assert_int_equal(hbg_single_step_take(&step, turn, NULL), 0);
  return step;
}

static void a_step_has_order_five(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double error[2];
  for (int half = 0; half < 2; half++) {
    const double length = half ? 0.1 : 0.2;
    const HbgSingleStep step = step_of(&arena, length);
    error[half] = fabs(step.end[0] - sin(1 + length));
    assert_true(hbg_single_step_error(&step, 1e-6) * 1e-6 >= error[half]);  // it is that of order four
  }
  assert_true(error[0] / error[1] > 40);  // of one step: 2^6
  hbg_arena_release_all(&arena);
}

static void a_piece_goes_from_end_to_end(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const HbgSingleStep step = step_of(&arena, 0.1);
  const HbgPiece piece = hbg_single_step_piece(&step, 0);
  assert_true(fabs(hbg_piece_at(&piece, 1) - sin(1)) < 1e-15);
  assert_true(fabs(hbg_piece_at(&piece, 1.1) - step.end[0]) < 1e-15);
  for (double t = 1; t < 1.1; t += 0.01) assert_true(fabs(hbg_piece_at(&piece, t) - sin(t)) < 1e-7);
  double c[HBG_DENSE_DEGREE + 1];
  const int32_t degree = hbg_piece_polynomial(&piece, 1.02, 1.06, c);
  double sum = c[degree];
  for (int32_t power = degree - 1; power >= 0; power--) sum = c[power] + 0.5 * sum;
  assert_true(fabs(sum - hbg_piece_at(&piece, 1.04)) < 1e-14);
  hbg_arena_release_all(&arena);
}

static void a_piece_of_a_stepper_is_its_dense_output(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_dp5(&arena, 2, turn, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  stepper->scale[0] = stepper->scale[1] = 1;
  assert_int_equal(hbg_stepper_restart(stepper, 0, (const double[]){0, 1}), HBG_STEP_TAKEN);
  assert_int_equal(hbg_stepper_step(stepper, 1), HBG_STEP_TAKEN);
  assert_true(hbg_piece_is_exact(stepper));
  const HbgPiece piece = hbg_piece_of_step(stepper, 0);
  const double middle = stepper->t0 + 0.3 * (stepper->t1 - stepper->t0);
  assert_true(fabs(hbg_piece_at(&piece, middle) - hbg_stepper_dense_one(stepper, 0.3, 0)) < 1e-15);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_has_order_five),
      cmocka_unit_test(a_piece_goes_from_end_to_end),
      cmocka_unit_test(a_piece_of_a_stepper_is_its_dense_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

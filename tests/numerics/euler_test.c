/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/euler.h"

#include "support/check.h"

static int growth(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[0];
  return 0;
}

static void ten_steps_are_the_tenth_power(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_euler(&arena, 1, growth, NULL, 0.1);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1}), HBG_STEP_TAKEN);
  while (stepper->t1 < 1) assert_int_equal(hbg_stepper_step(stepper, 1), HBG_STEP_TAKEN);
  assert_int_equal(stepper->counts.steps, 10);
  CHECK_NEAR(stepper->t1, 1, 0);
  CHECK_CLOSE(stepper->y1[0], pow(1.1, 10), 1e-15);
  hbg_arena_release_all(&arena);
}

static void a_step_is_a_straight_line_cut_at_the_end(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_euler(&arena, 1, growth, NULL, 0.5);
  assert_int_equal(hbg_stepper_restart(stepper, 2, (double[]){4}), HBG_STEP_TAKEN);
  assert_int_equal(hbg_stepper_step(stepper, 2.25), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->t1, 2.25, 0);
  CHECK_NEAR(stepper->y1[0], 5, 0);
  CHECK_NEAR(hbg_stepper_dense_one(stepper, hbg_stepper_theta(stepper, 2.125), 0), 4.5, 0);
  double y;
  hbg_stepper_dense(stepper, 0.25, &y);
  CHECK_NEAR(y, 4.25, 0);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

static int blowing_up(double t, const double *y, double *dy, void *user) {
  (void)y;
  (void)user;
  dy[0] = 1 / t;
  return 0;
}

static int refusing(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)y;
  (void)dy;
  (void)user;
  return -1;
}

static void trouble_is_reported(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *a = hbg_euler(&arena, 1, blowing_up, NULL, 0.5), *b = hbg_euler(&arena, 1, refusing, NULL, 0.5);
  hbg_stepper_restart(a, 0, (double[]){4});
  hbg_stepper_restart(b, 0, (double[]){4});
  assert_int_equal(hbg_stepper_step(a, 1), HBG_STEP_NOT_FINITE);
  assert_int_equal(hbg_stepper_step(b, 1), HBG_STEP_REFUSED);
  HbgStepper *c = hbg_euler(&arena, 1, growth, NULL, 1e-20);
  hbg_stepper_restart(c, 1, (double[]){4});
  assert_int_equal(hbg_stepper_step(c, 2), HBG_STEP_TOO_SMALL);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ten_steps_are_the_tenth_power),
      cmocka_unit_test(a_step_is_a_straight_line_cut_at_the_end),
      cmocka_unit_test(trouble_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

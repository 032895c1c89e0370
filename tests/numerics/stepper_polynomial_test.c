/* SPDX-License-Identifier: BSD-3-Clause
 * Dense output as polynomials: of every method the same as dense output itself. */
#include "numerics/bdf.h"
#include "numerics/dp5.h"
#include "numerics/euler.h"
#include "numerics/sdirk.h"
#include "numerics/split.h"
#include "support/check.h"

static int oscillator(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

static int oscillator_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)y, (void)dy, (void)user;
  value[0] = 1;
  value[1] = -1;
  return 0;
}

static int follower(double t, const double *y, double *dy, void *user) {
  (void)user;
  dy[0] = 1e3 * (cos(t) - y[0]);
  return 0;
}

static void check_step(HbgStepper *stepper) {
  for (int32_t i = 0; i < stepper->n; i++) {
    double c[HBG_DENSE_DEGREE + 1];
    const int32_t degree = hbg_stepper_polynomial(stepper, i, c);
    assert_true(degree >= 0 && degree <= HBG_DENSE_DEGREE);
    for (int place = 0; place <= 20; place++) {
      const double theta = place / 20.0;
      double value = c[degree];
      for (int32_t k = degree; k-- > 0;) value = value * theta + c[k];
      const double dense = place == 20 ? stepper->y1[i] : hbg_stepper_dense_one(stepper, theta, i);
      // what a step of bdf begins with differs from what it interpolates, by less than its error
      if (place > 0) CHECK_NEAR(value, dense, 1e-13);
    }
  }
}

static void check_steps(HbgStepper *stepper, const double *start, int count) {
  for (int32_t i = 0; i < stepper->n; i++) stepper->scale[i] = 1;
  assert_int_equal(hbg_stepper_restart(stepper, 0, start), HBG_STEP_TAKEN);
  check_step(stepper);
  for (int step = 0; step < count; step++) {
    assert_int_equal(hbg_stepper_step(stepper, 100), HBG_STEP_TAKEN);
    check_step(stepper);
  }
}

static void the_polynomial_of_each_method_is_its_dense_output(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *bdf = hbg_bdf(&arena, 2, NULL, oscillator, NULL, NULL);
  check_steps(hbg_dp5(&arena, 2, oscillator, NULL), (double[]){1, 0}, 20);
  check_steps(hbg_euler(&arena, 2, oscillator, NULL, 0.01), (double[]){1, 0}, 20);
  check_steps(bdf, (double[]){1, 0}, 60);
  const HbgSparsity sparsity = {(int32_t[]){0, 1, 2}, (int32_t[]){1, 0}};
  HbgStepper *sdirk = hbg_sdirk(&arena, 2, &sparsity, oscillator, oscillator_slope, NULL);
  check_steps(sdirk, (double[]){1, 0}, 20);
  hbg_stepper_free(sdirk);
  hbg_stepper_free(bdf);
  hbg_arena_release_all(&arena);
}

static void a_part_that_steps_further_gives_its_piece(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *split = hbg_split(&arena, 3), *fast = hbg_bdf(&arena, 1, NULL, follower, NULL, NULL);
  HbgSplitPart parts[] = {{.stepper = hbg_dp5(&arena, 2, oscillator, NULL), .states = (int32_t[]){0, 2}},
                          {.stepper = fast, .states = (int32_t[]){1}}};
  hbg_split_set(split, parts, 2);
  check_steps(split, (double[]){1, 1, 0}, 60);
  hbg_stepper_free(fast);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_polynomial_of_each_method_is_its_dense_output),
      cmocka_unit_test(a_part_that_steps_further_gives_its_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

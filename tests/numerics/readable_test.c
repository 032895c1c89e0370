/* SPDX-License-Identifier: BSD-3-Clause
 * Steps that are to be read by their polynomials are as long as these are exact. */
#include "numerics/readable.h"

#include <math.h>

#include "numerics/dp5.h"
#include "numerics/dp8.h"
#include "support/check.h"

/* y = cos t is what all else comes to, quickly: so quickly that stability keeps steps short, which are long for their polynomials. */
static int follow(double t, const double *y, double *dy, void *user) {
  (void)user;
  dy[0] = -40 * (y[0] - cos(t)) - sin(t);
  return 0;
}

/* How far the polynomials stray in the middle of steps, at most, and how many steps are rough. */
typedef struct Met {
  double strays;
  int steps, rough;
  bool stiff;
} Met;

static double stray_in_the_middle(HbgStepper *stepper) {
  double c[HBG_DENSE_DEGREE + 1], y = 0;
  for (int32_t k = hbg_stepper_polynomial(stepper, 0, c); k >= 0; k--) y = y * 0.5 + c[k];
  return fabs(y - cos((stepper->t0 + stepper->t1) / 2));
}

static Met go(HbgStepper *stepper, bool is_readable, HbgArena *scratch) {
  static const double start[1] = {1};
  Met met = {0, 0, 0, false};
  HbgReadable readable = {0};
  stepper->reads_between = true;
  hbg_stepper_set_tolerance(stepper, 1e-5);
  assert_int_equal(hbg_stepper_restart(stepper, 0, start), HBG_STEP_TAKEN);
  while (stepper->t1 < 60) {
    const HbgStepResult result = is_readable ? hbg_readable_step(stepper, 60, &readable, scratch) : hbg_stepper_step(stepper, 60);
    assert_int_equal(result, HBG_STEP_TAKEN);
    met.steps++;
    met.rough += hbg_stepper_is_rough(stepper, 0.5);
    met.strays = fmax(met.strays, stray_in_the_middle(stepper));
    hbg_stepper_note_scale(stepper);
  }
  met.stiff = stepper->stiff;
  return met;
}

static void long_steps_are_taken_again_until_their_polynomials_are_exact(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0}), scratch = hbg_arena((HbgAllocator){0});
  const Met plain = go(hbg_dp8(&arena, 1, follow, NULL), false, &scratch), readable = go(hbg_dp8(&arena, 1, follow, NULL), true, &scratch);
  assert_true(plain.rough > 0); // or it would say nothing
  assert_int_equal(readable.rough, 0);
  assert_true(readable.strays < 0.3 * plain.strays);
  assert_true(readable.steps < 4 * plain.steps);
  assert_true(plain.stiff && readable.stiff); // also with shorter steps
  hbg_arena_release_all(&arena);
  hbg_arena_release_all(&scratch);
}

static void what_is_never_rough_steps_as_ever(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0}), scratch = hbg_arena((HbgAllocator){0});
  const Met plain = go(hbg_dp5(&arena, 1, follow, NULL), false, &scratch), readable = go(hbg_dp5(&arena, 1, follow, NULL), true, &scratch);
  assert_int_equal(plain.rough, 0);
  assert_int_equal(readable.steps, plain.steps);
  CHECK_NEAR(readable.strays, plain.strays, 0);
  hbg_arena_release_all(&arena);
  hbg_arena_release_all(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_steps_are_taken_again_until_their_polynomials_are_exact),
      cmocka_unit_test(what_is_never_rough_steps_as_ever),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

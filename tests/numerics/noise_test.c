/* SPDX-License-Identifier: BSD-3-Clause
 * What holds nothing but round-off, and what has held nothing else before. */
#include "numerics/noise.h"

#include <string.h>

#include "numerics/dp5.h"
#include "support/check.h"

/* y follows the difference of two large numbers, and z follows y, both fast. */
static int follow(double t, const double *y, double *dy, void *user) {
  (void)t;
  const double *large = user;
  dy[0] = 0;
  dy[1] = 60 * (y[0] - large[0] - y[1]);
  dy[2] = 60 * (y[1] - y[2]);
  return 0;
}

static void a_state_that_has_outgrown_its_noise_is_followed_like_any_other(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double large = 1;
  HbgStepper *stepper = hbg_dp5(&arena, 3, follow, &large);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  HbgNoise noise = hbg_noise(&arena, 3);
  double dy[3];
  stepper->scale[0] = 1;
  memcpy(stepper->y1, (double[]){1, 0, 0}, sizeof dy);
  follow(0, stepper->y1, dy, &large);
  assert_true(hbg_noise_forgive(&noise, stepper, dy, 0, 0.001, 0.001, NULL));  // the difference is zero but for round-off
  const double level = stepper->scale[1];
  assert_true(level > 0 && level < 1e-6);
  assert_true(hbg_noise_forgive(&noise, stepper, dy, 0, 0.01, 0.01, NULL));  // more of it in more time
  assert_true(stepper->scale[1] > level && stepper->scale[1] < 1e-6);

  large = 0;  // now it is a number like others
  memcpy(stepper->y1, (double[]){1, 0.5, 0.25}, sizeof dy);
  memcpy(stepper->scale, (double[]){1, 1, 1}, sizeof dy);
  follow(0, stepper->y1, dy, &large);
  hbg_noise_forgive(&noise, stepper, dy, 0, 5, 5, NULL);
  for (int i = 0; i < 3; i++) assert_true(stepper->scale[i] <= 1);
  hbg_arena_release_all(&arena);
}

/* How often it is said of `steps` steps of `h` on the way to 1. */
static int count_crawls(double h, int steps) {
  HbgPace pace = {0};
  int count = 0;
  for (int at = 0; at < steps; at++) count += hbg_noise_has_crawled(&pace, at * h, 1);
  return count;
}

static void steps_that_come_next_to_nowhere_are_told_of_now_and_then(void **state) {
  (void)state;
  assert_int_equal(count_crawls(1e-9, 499), 0);
  assert_int_equal(count_crawls(1e-9, 500), 1);
  assert_int_equal(count_crawls(1e-9, 5000), 10);
  assert_int_equal(count_crawls(1e-3, 900), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_that_come_next_to_nowhere_are_told_of_now_and_then),
      cmocka_unit_test(a_state_that_has_outgrown_its_noise_is_followed_like_any_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

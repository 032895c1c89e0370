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

/* Both are nothing at first; what moves the one begins with the time, and what moves the other is a pole just ahead. */
static int begin_to_move(double t, const double *y, double *dy, void *user) {
  (void)y, (void)user;
  dy[0] = 1000 * t;
  dy[1] = 1 / (1e-13 - t);
  return 0;
}

static void what_a_drive_begins_to_move_counts_as_large_as_it_becomes_and_what_a_pole_moves_does_not(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_dp5(&arena, 2, begin_to_move, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  HbgNoise noise = hbg_noise(&arena, 2);
  double dy[2];
  stepper->y1[1] = stepper->scale[1] = 30;
  begin_to_move(0, stepper->y1, dy, NULL);
  assert_true(hbg_noise_take_moves(&noise, stepper, dy, 0.01));
  assert_true(stepper->scale[0] > 0 && stepper->scale[0] <= 1000 * 0.01 * 0.01);
  CHECK_NEAR(stepper->scale[1], 30, 0);
  hbg_arena_release_all(&arena);
}

/* y is less than is tolerated of it, and z adds it up. */
static int add_up(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = -y[0];
  dy[1] = 1e6 * y[0];
  return 0;
}

static void what_is_less_than_is_tolerated_is_noise_to_what_follows_it(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_dp5(&arena, 2, add_up, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  HbgNoise noise = hbg_noise(&arena, 2);
  double dy[2];
  memcpy(stepper->y1, (double[]){1e-20, 1e-21}, sizeof dy);
  memcpy(stepper->scale, (double[]){1e-9, 1e-18}, sizeof dy);
  add_up(0, stepper->y1, dy, NULL);
  assert_true(hbg_noise_forgive(&noise, stepper, dy, 0, 1e-9, 1e-9, NULL));
  assert_true(stepper->scale[1] > 1e-14 && stepper->scale[1] <= 1e-3);
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

/* A law that is steep over a short way and flat beyond, as that of a diode that blocks between two that conduct. */
static int hold(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = -4e5 * tanh(y[0] / 4e-9);
  return 0;
}

static void what_a_law_holds_that_is_steep_over_a_short_way_is_no_noise(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_dp5(&arena, 1, hold, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  HbgNoise noise = hbg_noise(&arena, 1);
  double dy[1];
  stepper->y1[0] = 0;
  stepper->scale[0] = 1e-3; // it has been that large
  hold(0, stepper->y1, dy, NULL);
  assert_false(hbg_noise_forgive(&noise, stepper, dy, 0, 1e-6, 1e-4, NULL));
  CHECK_NEAR(stepper->scale[0], 1e-3, 0);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_drive_begins_to_move_counts_as_large_as_it_becomes_and_what_a_pole_moves_does_not),
      cmocka_unit_test(what_is_less_than_is_tolerated_is_noise_to_what_follows_it),
      cmocka_unit_test(steps_that_come_next_to_nowhere_are_told_of_now_and_then),
      cmocka_unit_test(a_state_that_has_outgrown_its_noise_is_followed_like_any_other),
      cmocka_unit_test(what_a_law_holds_that_is_steep_over_a_short_way_is_no_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * When the high order is used, and that the number of threads does not matter. */
#include "numerics/order.h"

#include <stdlib.h>
#include <string.h>

#include "numerics/dp5.h"
#include "numerics/dp8.h"
#include "numerics/noise.h"
#include "support/check.h"

typedef HbgStepper *Make(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);

static int oscillator(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

/* y = cos t, which y is pulled to as fast as `user` says. */
static int follower(double t, const double *y, double *dy, void *user) {
  dy[0] = *(double *)user * (cos(t) - y[0]) - sin(t);
  return 0;
}

typedef struct Outcome {
  int64_t evaluations;
  double error;
} Outcome;

/* The oscillator until 100 s; where `each` is positive it is restarted, as by an event, after so many seconds each. */
static Outcome oscillate(Make *make, double tolerance, double each, bool reads) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = make(&arena, 2, oscillator, NULL);
  hbg_stepper_set_tolerance(stepper, tolerance);
  stepper->reads_between = reads;
  stepper->scale[0] = stepper->scale[1] = 1;
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1, 0}), HBG_STEP_TAKEN);
  for (double next = each > 0 ? each : 100; stepper->t1 < 100;) {
    assert_int_equal(hbg_stepper_step(stepper, next), HBG_STEP_TAKEN);
    if (stepper->t1 < next || next >= 100) continue;
    assert_int_equal(hbg_stepper_restart(stepper, next, stepper->y1), HBG_STEP_TAKEN);
    next = fmin(next + each, 100);
  }
  const Outcome outcome = {stepper->counts.evaluations, fabs(stepper->y1[0] - cos(100))};
  hbg_arena_release_all(&arena);
  return outcome;
}

static void smooth_motion_takes_half_the_evaluations_and_less(void **state) {
  (void)state;
  for (double tolerance = 1e-6; tolerance > 1e-13; tolerance /= 10) {
    const Outcome low = oscillate(hbg_dp5, tolerance, 0, false), both = oscillate(hbg_dp5_dp8, tolerance, 0, false);
    assert_true(2 * both.evaluations < low.evaluations);
    assert_true(both.error < 100 * tolerance);
  }
  const Outcome low = oscillate(hbg_dp5, 1e-10, 0, false), both = oscillate(hbg_dp5_dp8, 1e-10, 0, false);
  assert_true(4 * both.evaluations < low.evaluations);
}

static void dense_output_of_every_step_still_pays(void **state) {
  (void)state;
  const Outcome low = oscillate(hbg_dp5, 1e-8, 0, true), both = oscillate(hbg_dp5_dp8, 1e-8, 0, true);
  assert_true(3 * both.evaluations < 2 * low.evaluations);
}

static void frequent_events_leave_it_to_the_low_order(void **state) {
  (void)state;
  const Outcome low = oscillate(hbg_dp5, 1e-6, 0.5, false), both = oscillate(hbg_dp5_dp8, 1e-6, 0.5, false);
  assert_int_equal(both.evaluations, low.evaluations);
  // between rare ones and frequent ones it may cost a little, never much
  for (double each = 0.5; each < 40; each *= 1.25) {
    const Outcome a = oscillate(hbg_dp5, 1e-8, each, true), b = oscillate(hbg_dp5_dp8, 1e-8, each, true);
    assert_true((double)b.evaluations < 1.15 * (double)a.evaluations);
  }
}

static void where_stability_limits_the_step_the_low_order_comes_back(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double pull = 1000;
  HbgStepper *stepper = hbg_dp5_dp8(&arena, 1, follower, &pull), *low = hbg_dp5(&arena, 1, follower, &pull);
  for (int at = 0; at < 2; at++) {
    HbgStepper *one = at ? low : stepper;
    hbg_stepper_set_tolerance(one, 1e-6);
    assert_int_equal(hbg_stepper_restart(one, 0, (double[]){1}), HBG_STEP_TAKEN);
    while (one->t1 < 10) assert_int_equal(hbg_stepper_step(one, 10), HBG_STEP_TAKEN);
    CHECK_NEAR(one->y1[0], cos(10), 1e-6);
  }
  assert_true((double)stepper->counts.evaluations < 1.1 * (double)low->counts.evaluations);
  hbg_arena_release_all(&arena);
}

/* ---- threads ---- */

enum { CHAIN = 40000 };

/* Masses between springs, in a row. */
static int chain(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  const int32_t n = CHAIN / 2;
  for (int32_t i = 0; i < n; i++) {
    dy[i] = y[n + i];
    dy[n + i] = (i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i < n - 1 ? y[i + 1] : 0);
  }
  return 0;
}

/* The state and the errors' sizes after some steps, dense output included. */
static double *walk(Make *make, int32_t thread_count) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double *y = calloc(2 * CHAIN, sizeof *y);
  for (int32_t i = 0; i < CHAIN / 2; i++) y[i] = hbg_scatter(i);
  HbgThreads *threads = thread_count ? hbg_threads(&arena, thread_count) : NULL;
  HbgStepper *stepper = make(&arena, CHAIN, chain, NULL);
  stepper->threads = threads;
  assert_int_equal(hbg_stepper_restart(stepper, 0, y), HBG_STEP_TAKEN);
  for (int at = 0; at < 12; at++) assert_int_equal(hbg_stepper_step(stepper, 100), HBG_STEP_TAKEN);
  memcpy(y, stepper->y1, CHAIN * sizeof *y);
  hbg_stepper_dense(stepper, 0.375, y + CHAIN);
  y[0] += stepper->t1;
  hbg_threads_free(threads);
  hbg_arena_release_all(&arena);
  return y;
}

static void any_number_of_threads_gives_the_same_bytes(void **state) {
  (void)state;
  Make *const makes[] = {hbg_dp5, hbg_dp8};
  for (int at = 0; at < 2; at++) {
    double *alone = walk(makes[at], 0);
    for (int32_t count = 1; count <= 3; count++) {
      double *shared = walk(makes[at], count);
      assert_memory_equal(alone, shared, 2 * CHAIN * sizeof *alone);
      free(shared);
    }
    free(alone);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_motion_takes_half_the_evaluations_and_less),
      cmocka_unit_test(dense_output_of_every_step_still_pays),
      cmocka_unit_test(frequent_events_leave_it_to_the_low_order),
      cmocka_unit_test(where_stability_limits_the_step_the_low_order_comes_back),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

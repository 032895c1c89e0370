/* SPDX-License-Identifier: BSD-3-Clause
 * Steps by Taylor series against motions that are known. */
#include "numerics/taylor.h"

#include "support/check.h"

enum { STRIDE = HBG_TAYLOR_STRIDE, ORDER = HBG_TAYLOR_ORDER };

static double series[2 * STRIDE];

/* x' = y, y' = -x. */
static const double *swing(double t, const double *y, double lag, void *user) {
  (void)t, (void)lag, (void)user;
  double *a = series, *b = series + STRIDE;
  a[0] = y[0], b[0] = y[1];
  for (int32_t k = 0; k < ORDER; k++) a[k + 1] = b[k] / (k + 1), b[k + 1] = -a[k] / (k + 1);
  return series;
}

/* x' = x^2: 1 / (1 - t). */
static const double *burst(double t, const double *y, double lag, void *user) {
  (void)t, (void)lag, (void)user;
  series[0] = y[0];
  for (int32_t k = 0; k < ORDER; k++) {
    double square = 0;
    for (int32_t j = 0; j <= k; j++) square += series[j] * series[k - j];
    series[k + 1] = square / (k + 1);
  }
  return series;
}

/* x' = -sign(x): straight lines that end at nothing. */
static const double *fall(double t, const double *y, double lag, void *user) {
  (void)t, (void)user;
  series[0] = y[0];
  series[1] = y[0] - lag > 0 ? -1 : 0;
  for (int32_t k = 2; k <= ORDER; k++) series[k] = 0;
  return series;
}

static double for_ever(double lag, double length, void *user) {
  (void)lag, (void)user;
  return length;
}

static double until_nothing(double lag, double length, void *user) {
  (void)lag, (void)user;
  return series[1] < 0 ? fmin(length, series[0]) : length;
}

/* The same for x' = -0.01 sign(x - turn), with a turn between two numbers, and closer to the upper one. */
static double above_turn(double x) { return x - 100 - 9e-15; }

static const double *creep(double t, const double *y, double lag, void *user) {
  (void)t, (void)user;
  series[0] = y[0];
  series[1] = above_turn(y[0]) - 0.01 * lag > 0 ? -0.01 : 0;
  for (int32_t k = 2; k <= ORDER; k++) series[k] = 0;
  return series;
}

static double until_turn(double lag, double length, void *user) {
  (void)lag, (void)user;
  return series[1] < 0 ? fmin(length, above_turn(series[0]) / 0.01) : length;
}

/* To `stop`; answers how many steps it took. */
static int go(HbgStepper *stepper, const double *start, double stop) {
  assert_int_equal(hbg_stepper_restart(stepper, 0, start), HBG_STEP_TAKEN);
  int count = 0;
  for (; stepper->t1 < stop; count++) assert_int_equal(hbg_stepper_step(stepper, stop), HBG_STEP_TAKEN);
  return count;
}

static HbgStepper *begin(HbgArena *arena, int32_t n, const HbgTaylorSource *source) {
  *arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_taylor(arena, n, source);
  for (int32_t i = 0; i < n; i++) stepper->scale[i] = 1;
  return stepper;
}

static void an_oscillation_goes_on_within_the_tolerance(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 2, &(HbgTaylorSource){swing, for_ever, NULL});
  const int count = go(stepper, (double[]){0, 1}, 20);
  assert_true(count < 30);
  CHECK_NEAR(stepper->y1[0], sin(20), 1e-8);
  CHECK_NEAR(stepper->y1[1], cos(20), 1e-8);
  hbg_arena_release_all(&arena);
}

static void between_its_ends_a_step_is_as_exact_as_there(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 2, &(HbgTaylorSource){swing, for_ever, NULL});
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){0, 1}), HBG_STEP_TAKEN);
  assert_int_equal(hbg_stepper_step(stepper, 20), HBG_STEP_TAKEN);
  for (int place = 0; place <= 10; place++) {
    const double theta = place / 10.0, t = theta * stepper->t1;
    CHECK_NEAR(hbg_stepper_dense_one(stepper, theta, 0), sin(t), 1e-9);
  }
  hbg_arena_release_all(&arena);
}

static void steps_become_shorter_before_a_pole(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 1, &(HbgTaylorSource){burst, for_ever, NULL});
  go(stepper, (double[]){1}, 0.99);
  CHECK_CLOSE(stepper->y1[0], 100, 1e-6);
  hbg_arena_release_all(&arena);
}

static void what_begins_at_nothing_is_measured_by_what_it_becomes(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 2, &(HbgTaylorSource){swing, for_ever, NULL});
  stepper->scale[0] = stepper->scale[1] = 0;
  go(stepper, (double[]){0, 1e-30}, 3);
  CHECK_CLOSE(stepper->y1[0], 1e-30 * sin(3), 1e-6);
  hbg_arena_release_all(&arena);
}

static void a_step_ends_where_a_law_turns(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 1, &(HbgTaylorSource){fall, until_nothing, NULL});
  assert_int_equal(go(stepper, (double[]){0.7}, 2), 2);
  CHECK_NEAR(stepper->t0, 0.7, 1e-15);
  CHECK_NEAR(stepper->y1[0], 0, 1e-15);
  hbg_arena_release_all(&arena);
}

static void a_law_turns_between_two_numbers(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 1, &(HbgTaylorSource){creep, until_turn, NULL});
  assert_true(go(stepper, (double[]){nextafter(100, 200)}, 20) < 10);
  CHECK_NEAR(stepper->y1[0], 100, 3e-14);
  hbg_arena_release_all(&arena);
}

/* As next to a root at zero: terms that grow by ten decades each. */
static const double *rough(double t, const double *y, double lag, void *user) {
  (void)t, (void)lag, (void)user;
  series[0] = y[0];
  for (int32_t k = 1; k <= ORDER; k++) series[k] = 1e-3 * pow(1e10, k - 1);
  return series;
}

static void what_does_not_come_forward_is_given_up_and_may_begin_anew(void **state) {
  (void)state;
  HbgArena arena;
  HbgStepper *stepper = begin(&arena, 1, &(HbgTaylorSource){rough, for_ever, NULL});
  for (int round = 0; round < 2; round++) {
    int count = 0;
    assert_int_equal(hbg_stepper_restart(stepper, 1, (double[]){1}), HBG_STEP_TAKEN);
    while (count < 10000 && hbg_stepper_step(stepper, 20) == HBG_STEP_TAKEN) count++;
    assert_true(count > 10 && count < 1000);
    assert_true(stepper->t1 < 1.001);
  }
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_oscillation_goes_on_within_the_tolerance),
      cmocka_unit_test(between_its_ends_a_step_is_as_exact_as_there),
      cmocka_unit_test(steps_become_shorter_before_a_pole),
      cmocka_unit_test(what_begins_at_nothing_is_measured_by_what_it_becomes),
      cmocka_unit_test(a_step_ends_where_a_law_turns),
      cmocka_unit_test(a_law_turns_between_two_numbers),
      cmocka_unit_test(what_does_not_come_forward_is_given_up_and_may_begin_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/split.h"

#include "numerics/bdf.h"
#include "numerics/dp5.h"
#include "support/check.h"

static int oscillator(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

/* Follows cos t within a microsecond. */
static int follower(double t, const double *y, double *dy, void *user) {
  (void)user;
  dy[0] = 1e6 * (cos(t) - y[0]);
  return 0;
}

static int refusing(double t, const double *y, double *dy, void *user) {
  (void)y, (void)user;
  dy[0] = 1;
  return t > 0.5 ? -1 : 0;
}

typedef struct Pair {
  HbgArena arena;
  HbgStepper *split, *fast, *slow;
  HbgSplitPart parts[2];
} Pair;

/* The oscillator in states 2 and 0, the follower in 1. */
static void begin(Pair *pair) {
  static const int32_t of_oscillator[] = {0, 2}, of_follower[] = {1};
  pair->arena = hbg_arena((HbgAllocator){0});
  pair->split = hbg_split(&pair->arena, 3);
  pair->slow = hbg_dp5(&pair->arena, 2, oscillator, NULL);
  pair->fast = hbg_bdf(&pair->arena, 1, NULL, follower, NULL, NULL);
  assert_non_null(pair->fast);
  pair->parts[0] = (HbgSplitPart){.stepper = pair->slow, .states = of_oscillator};
  pair->parts[1] = (HbgSplitPart){.stepper = pair->fast, .states = of_follower};
  hbg_split_set(pair->split, pair->parts, 2);
  for (int i = 0; i < 3; i++) pair->split->scale[i] = 1;
  assert_int_equal(hbg_stepper_restart(pair->split, 0, (double[]){1, 1, 0}), HBG_STEP_TAKEN);
}

static void end(Pair *pair) {
  hbg_stepper_free(pair->fast);
  hbg_arena_release_all(&pair->arena);
}

static void go_until(Pair *pair, double t) {
  while (pair->split->t1 < t) assert_int_equal(hbg_stepper_step(pair->split, t), HBG_STEP_TAKEN);
}

static void all_parts_are_known_in_every_step(void **state) {
  (void)state;
  Pair pair;
  begin(&pair);
  while (pair.split->t1 < 5) {
    assert_int_equal(hbg_stepper_step(pair.split, 5), HBG_STEP_TAKEN);
    double y[3];
    hbg_stepper_dense(pair.split, 0.3, y);
    const double t = pair.split->t0 + 0.3 * (pair.split->t1 - pair.split->t0);
    CHECK_NEAR(y[0], cos(t), 1e-6);
    CHECK_NEAR(y[1], cos(t), 1e-5);
    CHECK_NEAR(y[2], -sin(t), 1e-6);
    for (int32_t i = 0; i < 3; i++) CHECK_NEAR(hbg_stepper_dense_one(pair.split, 0.3, i), y[i], 0);
  }
  CHECK_NEAR(pair.split->y1[0], cos(5), 1e-6);
  end(&pair);
}

static void every_part_takes_its_own_steps(void **state) {
  (void)state;
  Pair pair, alone;
  begin(&pair);
  go_until(&pair, 5);
  // the oscillator takes the same steps as without the follower
  begin(&alone);
  hbg_stepper_restart(alone.slow, 0, (double[]){1, 0});
  while (alone.slow->t1 < 5) assert_int_equal(hbg_stepper_step(alone.slow, 5), HBG_STEP_TAKEN);
  assert_int_equal(pair.slow->counts.steps, alone.slow->counts.steps);
  CHECK_NEAR(pair.split->y1[0], alone.slow->y1[0], 0);
  assert_true(pair.fast->counts.steps > pair.slow->counts.steps);
  end(&pair);
  end(&alone);
}

static void a_part_that_goes_on_is_not_restarted(void **state) {
  (void)state;
  Pair pair;
  begin(&pair);
  go_until(&pair, 1);
  // the oscillator is struck; the follower does not notice
  const int64_t restarts = pair.fast->counts.restarts;
  pair.parts[1].goes_on = true;
  const double y[3] = {0.5, pair.split->y1[1], 0};
  assert_int_equal(hbg_stepper_restart(pair.split, 1, y), HBG_STEP_TAKEN);
  go_until(&pair, 2);
  assert_int_equal(pair.fast->counts.restarts, restarts);
  CHECK_NEAR(pair.split->y1[0], 0.5 * cos(1), 1e-6);
  CHECK_NEAR(pair.split->y1[1], cos(2), 1e-5);
  end(&pair);
}

static void what_stops_a_part_stops_the_whole(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *split = hbg_split(&arena, 1);
  HbgSplitPart part = {.stepper = hbg_dp5(&arena, 1, refusing, NULL), .states = (int32_t[]){0}};
  hbg_split_set(split, &part, 1);
  assert_int_equal(hbg_stepper_restart(split, 0, (double[]){1}), HBG_STEP_TAKEN);
  HbgStepResult result = HBG_STEP_TAKEN;
  while (split->t1 < 1 && result == HBG_STEP_TAKEN) result = hbg_stepper_step(split, 1);
  assert_int_equal(result, HBG_STEP_REFUSED);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_parts_are_known_in_every_step),
      cmocka_unit_test(every_part_takes_its_own_steps),
      cmocka_unit_test(a_part_that_goes_on_is_not_restarted),
      cmocka_unit_test(what_stops_a_part_stops_the_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

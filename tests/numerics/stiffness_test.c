/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/stiffness.h"

#include "numerics/bdf.h"
#include "support/check.h"

static void an_implicit_method_that_pays_is_kept(void **state) {
  (void)state;
  HbgStiffness stiffness = {0};
  hbg_stiffness_begin(&stiffness);
  for (int step = 0; step < 10000; step++) assert_true(hbg_stiffness_go_on(&stiffness, 100));
}

static void short_steps_behind_an_event_do_not_count_against_long_ones(void **state) {
  (void)state;
  HbgStiffness stiffness = {0};
  hbg_stiffness_begin(&stiffness);
  for (int event = 0; event < 100; event++) {
    for (int step = 0; step < 60; step++) {
      // the first event is met by a fresh judge, who has not seen a long step yet
      if (event == 0 && step == 0) assert_true(hbg_stiffness_go_on(&stiffness, 1e4));
      assert_true(hbg_stiffness_go_on(&stiffness, 1e-3 * step));
    }
    for (int step = 0; step < 40; step++) assert_true(hbg_stiffness_go_on(&stiffness, 1e4));
  }
}

static void stiffness_that_is_gone_is_left_soon(void **state) {
  (void)state;
  HbgStiffness stiffness = {0};
  hbg_stiffness_begin(&stiffness);
  for (int step = 0; step < 1000; step++) hbg_stiffness_go_on(&stiffness, 1e6);
  int steps = 1;
  while (hbg_stiffness_go_on(&stiffness, 0.1)) steps++;
  assert_false(stiffness.is_stiff);
  assert_in_range(steps, 20, 200);
}

/* The worst there is: what pays explicitly seems not to, and the other way round. */
static void methods_change_only_so_often_whatever_happens(void **state) {
  (void)state;
  HbgStiffness stiffness = {0};
  int changes = 0, steps = 0;
  while (steps < 1000000) {
    hbg_stiffness_begin(&stiffness);
    changes++;
    do steps++;
    while (hbg_stiffness_go_on(&stiffness, 0));
  }
  assert_in_range(changes, 2, 20);
}

static void steps_that_pay_count_the_same_together_as_one_by_one(void **state) {
  (void)state;
  const double speed[] = {1, 1.5, 40, 3, 1.25, 500};
  HbgStiffness one = {0}, other = {0};
  hbg_stiffness_begin(&one);
  hbg_stiffness_begin(&other);
  one.loss = other.loss = 20;
  double gain = 0;
  for (size_t at = 0; at < sizeof speed / sizeof *speed; at++) {
    assert_true(hbg_stiffness_go_on(&one, speed[at]));
    gain += speed[at] - 1;
    HbgStiffness together = other;
    hbg_stiffness_gain(&together, gain);
    CHECK_NEAR(together.loss, one.loss, 1e-12);
  }
}

/* ---- spectral radius ---- */

static void the_fastest_eigenvalue_of_each_block_is_found(void **state) {
  (void)state;
  // a stiff pair (-1e6, -1), an oscillator of 3 rad/s in units far apart, and a state that does not move
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const HbgSparsity pattern = {(int32_t[]){0, 2, 4, 5, 6, 6}, (int32_t[]){0, 1, 0, 1, 3, 2}};
  const double value[] = {-500000.5, 499999.5, 499999.5, -500000.5, -9e6, 1e-6};
  const double scale[] = {1, 1, 1e-3, 3e3, 1};
  const int32_t block[] = {0, 0, 1, 1, 2};
  double radius[3];
  hbg_spectral_radius(5, &pattern, value, scale, block, 3, radius, &arena);
  CHECK_CLOSE(radius[0], 1e6, 0.01);
  CHECK_CLOSE(radius[1], 3, 0.5);
  CHECK_NEAR(radius[2], 0, 0);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_implicit_method_that_pays_is_kept),
      cmocka_unit_test(short_steps_behind_an_event_do_not_count_against_long_ones),
      cmocka_unit_test(stiffness_that_is_gone_is_left_soon),
      cmocka_unit_test(steps_that_pay_count_the_same_together_as_one_by_one),
      cmocka_unit_test(methods_change_only_so_often_whatever_happens),
      cmocka_unit_test(the_fastest_eigenvalue_of_each_block_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

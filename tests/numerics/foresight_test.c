/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/foresight.h"

#include "support/check.h"

enum { CELLS = 100 };
static const double PI = 3.14159265358979323846;

/* Heat in a rod with cold ends: the fastest eigenvalue is that of the shortest wave, the slowest that of the longest. */
static int rod(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  const double k = (CELLS + 1.0) * (CELLS + 1.0);
  for (int i = 0; i < CELLS; i++) dy[i] = k * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < CELLS ? y[i + 1] : 0));
  return 0;
}

static HbgForesight foresee_rod(double unit, int waves) {
  HbgArena scratch = hbg_arena((HbgAllocator){0});
  double y[CELLS], sizes[CELLS];
  for (int i = 0; i < CELLS; i++) {
    y[i] = unit * sin(waves * PI * (i + 1) / (CELLS + 1));
    sizes[i] = unit;
  }
  HbgForesight foresight;
  assert_true(hbg_foresee(&foresight, rod, NULL, CELLS, 0, y, sizes, 1e-8, &scratch));
  hbg_arena_release_all(&scratch);
  return foresight;
}

static double eigenvalue(int waves) {
  const double half = sin(waves * PI / 2 / (CELLS + 1));
  return 4 * (CELLS + 1.0) * (CELLS + 1.0) * half * half;
}

static void the_fastest_eigenvalue_is_found_in_any_unit(void **state) {
  (void)state;
  for (double unit = 1e-12; unit < 1e13; unit *= 1e6) {
    const HbgForesight foresight = foresee_rod(unit, 1);
    assert_true(foresight.speed > 0.5 * eigenvalue(CELLS) && foresight.speed < 1.1 * eigenvalue(CELLS));
    assert_true(foresight.evaluations <= 16);
  }
}

static void a_slow_wave_allows_long_steps_and_a_fast_one_does_not(void **state) {
  (void)state;
  const HbgForesight slow = foresee_rod(1, 1), fast = foresee_rod(1, CELLS);
  CHECK_CLOSE(slow.step, pow(1e-9, 0.2) / eigenvalue(1), 0.05);
  CHECK_CLOSE(fast.step, pow(1e-9, 0.2) / eigenvalue(CELLS), 0.05);
  assert_true(slow.step * slow.speed > 50 && fast.step * fast.speed < 1);
}

static int at_rest(double t, const double *y, double *dy, void *user) {
  (void)t, (void)y, (void)user;
  dy[0] = 0;
  return 0;
}

static int refused(double t, const double *y, double *dy, void *user) {
  (void)t, (void)y, (void)dy, (void)user;
  return 1;
}

static void what_rests_has_no_step_and_what_cannot_be_computed_no_answer(void **state) {
  (void)state;
  HbgArena scratch = hbg_arena((HbgAllocator){0});
  HbgForesight foresight;
  assert_true(hbg_foresee(&foresight, at_rest, NULL, 1, 0, (double[]){1}, (double[]){1}, 1e-8, &scratch));
  assert_true(isinf(foresight.step));
  CHECK_NEAR(foresight.speed, 0, 0);
  assert_false(hbg_foresee(&foresight, refused, NULL, 1, 0, (double[]){1}, (double[]){1}, 1e-8, &scratch));
  assert_false(hbg_foresee(&foresight, at_rest, NULL, 0, 0, NULL, NULL, 1e-8, &scratch));
  hbg_arena_release_all(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fastest_eigenvalue_is_found_in_any_unit),
      cmocka_unit_test(a_slow_wave_allows_long_steps_and_a_fast_one_does_not),
      cmocka_unit_test(what_rests_has_no_step_and_what_cannot_be_computed_no_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

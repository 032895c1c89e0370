/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/bdf.h"

#include "numerics/dp5.h"
#include "numerics/sparsity.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;

static int van_der_pol(double t, const double *y, double *dy, void *user) {
  const double mu = *(const double *)user;
  (void)t;
  dy[0] = y[1];
  dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
  return 0;
}

/* By columns, without the zero in the corner: the diagonal is added. */
static int van_der_pol_slope(double t, const double *y, const double *dy, double *value, void *user) {
  const double mu = *(const double *)user;
  (void)t;
  (void)dy;
  value[0] = -2 * mu * y[0] * y[1] - 1; /* row 1, column 0 */
  value[1] = mu * (1 - y[0] * y[0]);    /* row 1, column 1 */
  value[2] = 1;                         /* row 0, column 1 */
  return 0;
}

enum { RODS = 200 };

/* Heat in a rod with cold ends. */
static int rod(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  const double k = (RODS + 1.0) * (RODS + 1.0);
  for (int i = 0; i < RODS; i++) {
    dy[i] = k * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < RODS ? y[i + 1] : 0));
  }
  return 0;
}

/* Follows its input within a microsecond; the input itself moves slowly. */
static int follower(double t, const double *y, double *dy, void *user) {
  const double unit = *(const double *)user;
  dy[0] = 1e6 * (unit * cos(t) - y[0]);
  return 0;
}

/* Two forces that cancel but for round-off, beside something stiff. */
static int balanced(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[1];
  dy[1] = -y[0];
  dy[2] = (0.1 * y[0] + 0.2 * y[0]) - 0.3 * y[0];
  dy[3] = y[2];
  dy[4] = 1e6 * (y[0] - y[4]);
  return 0;
}

static int growing_without_bound(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[0] * y[0];
  return 0;
}

/* Rests until the input is there, which is not for long. */
static int ramp(double t, const double *y, double *dy, void *user) {
  (void)y;
  (void)user;
  dy[0] = fmax(0, t - 1);
  return 0;
}

static int pulse(double t, const double *y, double *dy, void *user) {
  (void)user;
  dy[0] = fmax(0, sin(t) - 0.5) - y[0];
  return 0;
}

static int giving_up(double t, const double *y, double *dy, void *user) {
  (void)y;
  (void)user;
  dy[0] = 1;
  return t > 0.5 ? -1 : 0;
}

static HbgStepResult go(HbgStepper *stepper, double t) {
  HbgStepResult result = HBG_STEP_TAKEN;
  while (result == HBG_STEP_TAKEN && stepper->t1 < t) {
    hbg_stepper_note_scale(stepper);
    result = hbg_stepper_step(stepper, t);
  }
  return result;
}

/* Where x of the relaxation oscillator first becomes zero, found on the dense output. */
static double first_zero(HbgStepper *stepper, double tolerance) {
  hbg_stepper_set_tolerance(stepper, tolerance);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){2, 0}), HBG_STEP_TAKEN);
  while (stepper->y1[0] > 0) {
    hbg_stepper_note_scale(stepper);
    assert_int_equal(hbg_stepper_step(stepper, 1000), HBG_STEP_TAKEN);
  }
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    *(hbg_stepper_dense_one(stepper, middle, 0) > 0 ? &low : &high) = middle;
  }
  return stepper->t0 + high * (stepper->t1 - stepper->t0);
}

static void the_stiff_oscillator_turns_in_time(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double mu = 1000;
  const HbgSparsity sparsity = {(int32_t[]){0, 1, 3}, (int32_t[]){1, 1, 0}};
  HbgStepper *given = hbg_bdf(&arena, 2, &sparsity, van_der_pol, van_der_pol_slope, &mu);
  HbgStepper *differences = hbg_bdf(&arena, 2, NULL, van_der_pol, NULL, &mu);
  const double fine = first_zero(given, 1e-9), coarse = first_zero(differences, 1e-6);
  CHECK_NEAR(fine, 807.08, 0.005);
  CHECK_NEAR(coarse, fine, 0.05);
  assert_true(given->counts.steps < 3000 && differences->counts.steps < 1500);
  hbg_stepper_free(given);
  hbg_stepper_free(differences);
  hbg_arena_release_all(&arena);
}

/* Dormand-Prince is a second way to the same answer where the problem is not yet stiff. */
static void both_methods_agree(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double mu = 5;
  HbgStepper *bdf = hbg_bdf(&arena, 2, NULL, van_der_pol, NULL, &mu), *dp5 = hbg_dp5(&arena, 2, van_der_pol, &mu);
  CHECK_NEAR(first_zero(bdf, 1e-10), first_zero(dp5, 1e-10), 1e-6);
  hbg_stepper_free(bdf);
  hbg_stepper_free(dp5);
  hbg_arena_release_all(&arena);
}

static void a_rod_cools_as_its_first_harmonic(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  int32_t *column = ARENA_NEW(&arena, int32_t, RODS + 1), *row = ARENA_NEW(&arena, int32_t, 3 * RODS);
  double *y = ARENA_NEW(&arena, double, RODS);
  for (int32_t j = 0, k = 0; j < RODS; j++) {
    if (j + 1 < RODS) row[k++] = j + 1;
    if (j > 0) row[k++] = j - 1;
    row[k++] = j;
    column[j + 1] = k;
    y[j] = sin(PI * (j + 1) / (RODS + 1));
  }
  HbgStepper *stepper = hbg_bdf(&arena, RODS, &(HbgSparsity){column, row}, rod, NULL, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  assert_int_equal(hbg_stepper_restart(stepper, 0, y), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 0.1), HBG_STEP_TAKEN);
  const double half = sin(PI / 2 / (RODS + 1));
  const double decay = exp(-4 * (RODS + 1.0) * (RODS + 1.0) * half * half * 0.1);
  for (int j = 0; j < RODS; j++) CHECK_NEAR(stepper->y1[j], y[j] * decay, 2e-6);
  // three colours: four evaluations a Jacobian at most
  assert_true(stepper->counts.evaluations < 3 * stepper->counts.steps + 4 * stepper->counts.jacobians);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

static void a_fast_follower_costs_few_steps_in_any_unit(void **state) {
  (void)state;
  for (int decade = -12; decade <= 12; decade += 12) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    double unit = pow(10, decade);
    HbgStepper *stepper = hbg_bdf(&arena, 1, NULL, follower, NULL, &unit);
    hbg_stepper_set_tolerance(stepper, 1e-8);
    assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){0}), HBG_STEP_TAKEN);
    assert_int_equal(go(stepper, 3), HBG_STEP_TAKEN);
    CHECK_NEAR(stepper->t1, 3, 0);
    CHECK_CLOSE(stepper->y1[0], unit * (cos(3) - 1e-6 * -sin(3)), 1e-6);
    assert_true(stepper->counts.steps < 1000);
    hbg_stepper_free(stepper);
    hbg_arena_release_all(&arena);
  }
}

static void an_event_starts_it_anew(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double unit = 1;
  HbgStepper *stepper = hbg_bdf(&arena, 1, NULL, follower, NULL, &unit);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 1), HBG_STEP_TAKEN);
  double y;
  hbg_stepper_dense(stepper, 0.5, &y);
  CHECK_NEAR(y, cos((stepper->t0 + stepper->t1) / 2), 1e-4);
  assert_int_equal(hbg_stepper_restart(stepper, 1, (double[]){-3}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 1 + 1e-6), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(1) + (-3 - cos(1)) * exp(-1), 1e-5);
  // the next double is a step, too
  assert_int_equal(hbg_stepper_step(stepper, nextafter(stepper->t1, 2)), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 2), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(2), 1e-5);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

static void round_off_is_not_followed_to_eight_digits(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_bdf(&arena, 5, NULL, balanced, NULL, NULL);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1, 0, 0, 0, 0}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 10), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(10), 1e-5);
  CHECK_NEAR(stepper->y1[2], 0, 1e-14);
  assert_true(stepper->counts.steps < 2000);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

static void a_state_that_rests_at_first_is_not_overlooked(void **state) {
  (void)state;
  for (int power = -5; power >= -10; power--) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgStepper *stepper = hbg_bdf(&arena, 1, NULL, ramp, NULL, NULL);
    hbg_stepper_set_tolerance(stepper, pow(10, power));
    for (int start = 0; start < 2; start++) { // and one that begins where it wakes
      assert_int_equal(hbg_stepper_restart(stepper, start, (double[]){0}), HBG_STEP_TAKEN);
      assert_int_equal(go(stepper, 30), HBG_STEP_TAKEN);
      CHECK_CLOSE(stepper->y1[0], 29 * 29 / 2.0, 200 * pow(10, power));
    }
    hbg_stepper_free(stepper);
    stepper = hbg_bdf(&arena, 1, NULL, pulse, NULL, NULL);
    hbg_stepper_set_tolerance(stepper, pow(10, power));
    assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){0}), HBG_STEP_TAKEN);
    assert_int_equal(go(stepper, 30), HBG_STEP_TAKEN);
    // over the four half waves above 1/2, from the end back: integral of exp(s - 30) (sin s - 1/2)
    double expected = 0;
    for (int turn = 0; turn < 5; turn++) {
      const double ends[2] = {2 * PI * turn + PI / 6, 2 * PI * turn + 5 * PI / 6};
      for (int end = 0; end < 2 && ends[1] < 30; end++) expected += (end ? 1 : -1) * exp(ends[end] - 30) * ((sin(ends[end]) - cos(ends[end])) / 2 - 0.5);
    }
    CHECK_CLOSE(stepper->y1[0], expected, 1e-4 + 200 * pow(10, power));
    hbg_stepper_free(stepper);
    hbg_arena_release_all(&arena);
  }
}

static void trouble_is_reported_and_not_printed(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *a = hbg_bdf(&arena, 1, NULL, growing_without_bound, NULL, NULL);
  assert_int_equal(hbg_stepper_restart(a, 0, (double[]){1}), HBG_STEP_TAKEN);
  assert_int_not_equal(go(a, 2), HBG_STEP_TAKEN);
  CHECK_NEAR(a->t1, 1, 1e-3);
  HbgStepper *b = hbg_bdf(&arena, 1, NULL, giving_up, NULL, NULL);
  assert_int_equal(hbg_stepper_restart(b, 0, (double[]){1}), HBG_STEP_TAKEN);
  assert_int_equal(go(b, 2), HBG_STEP_REFUSED);
  hbg_stepper_free(a);
  hbg_stepper_free(b);
  hbg_stepper_free(NULL);
  HbgStepper *none = hbg_bdf(&arena, 0, NULL, rod, NULL, NULL);
  assert_int_equal(hbg_stepper_restart(none, 0, NULL), HBG_STEP_TAKEN);
  assert_int_equal(go(none, 2), HBG_STEP_TAKEN);
  hbg_stepper_free(none);
  hbg_arena_release_all(&arena);
}

static void patterns_are_sorted_and_get_a_diagonal(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const HbgSparsity given = {(int32_t[]){0, 2, 2, 4}, (int32_t[]){2, 1, 2, 0}};
  const HbgPattern pattern = hbg_pattern(&arena, 3, &given);
  const int32_t column[] = {0, 3, 4, 6}, row[] = {0, 1, 2, 1, 0, 2}, place[] = {2, 1, 5, 4};
  for (int i = 0; i < 4; i++) assert_int_equal(pattern.column[i], column[i]);
  for (int i = 0; i < 6; i++) assert_int_equal(pattern.row[i], row[i]);
  for (int i = 0; i < 4; i++) assert_int_equal(pattern.place[i], place[i]);
  int32_t colour[3];
  assert_int_equal(hbg_pattern_colour(&pattern, &arena, colour), 2); /* columns 1 and 2 share no row */
  const HbgSparsity diagonal = {(int32_t[]){0, 0, 0, 0}, NULL};
  const HbgPattern apart = hbg_pattern(&arena, 3, &diagonal);
  assert_int_equal(hbg_pattern_colour(&apart, &arena, colour), 1);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_stiff_oscillator_turns_in_time),
      cmocka_unit_test(both_methods_agree),
      cmocka_unit_test(a_rod_cools_as_its_first_harmonic),
      cmocka_unit_test(a_fast_follower_costs_few_steps_in_any_unit),
      cmocka_unit_test(an_event_starts_it_anew),
      cmocka_unit_test(round_off_is_not_followed_to_eight_digits),
      cmocka_unit_test(a_state_that_rests_at_first_is_not_overlooked),
      cmocka_unit_test(trouble_is_reported_and_not_printed),
      cmocka_unit_test(patterns_are_sorted_and_get_a_diagonal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

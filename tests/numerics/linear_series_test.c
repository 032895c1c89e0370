/* SPDX-License-Identifier: BSD-3-Clause
 * Steps by the series of a linear system, against closed forms, the matrix exponential and the pair of order eight. */
#include "numerics/linear_series.h"

#include <string.h>

#include "numerics/dp8.h"
#include "numerics/random.h"

#include "support/check.h"
#include "support/matrix_exponential.h"
#include "support/seeds.h"
#include "support/stepped.h"

/* dy/dt = A y + b. */
typedef struct Linear {
  int32_t n;
  const double *a, *b; /* (n, n), (n); b NULL: nothing */
  int32_t refuse_after; /* > 0: so many evaluations are answered */
} Linear;

static int linear(double t, const double *y, double *dy, void *user) {
  Linear *self = user;
  (void)t;
  if (self->refuse_after > 0 && --self->refuse_after == 0) return 1;
  for (int32_t i = 0; i < self->n; i++) {
    dy[i] = self->b ? self->b[i] : 0;
    for (int32_t j = 0; j < self->n; j++) dy[i] += self->a[i * self->n + j] * y[j];
  }
  return 0;
}

/* A row of masses and springs, where the first one is pushed. */
typedef struct Row {
  int32_t masses;
  double push, damping;
} Row;

static int row(double t, const double *y, double *dy, void *user) {
  const Row *self = user;
  const int32_t n = self->masses;
  (void)t;
  for (int32_t i = 0; i < n; i++) {
    const double left = i ? y[i - 1] - y[i] : 0, right = i + 1 < n ? y[i + 1] - y[i] : 0;
    dy[i] = y[n + i];
    dy[n + i] = left + right - self->damping * y[n + i] + (i ? 0 : self->push);
  }
  return 0;
}

/* Each is the integral of the one before. */
static int cascade(double t, const double *y, double *dy, void *user) {
  (void)t;
  dy[0] = 1;
  for (int32_t i = 1; i < *(const int32_t *)user; i++) dy[i] = y[i - 1];
  return 0;
}

typedef HbgStepper *Make(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);

static HbgStepper *start(HbgArena *arena, Make *make, int32_t n, HbgRightHandSide rhs, void *user, double tolerance, const double *y) {
  HbgStepper *stepper = make(arena, n, rhs, user);
  hbg_stepper_set_tolerance(stepper, tolerance);
  assert_int_equal(hbg_stepper_restart(stepper, 0, y), HBG_STEP_TAKEN);
  return stepper;
}

static void a_turn_is_followed_within_the_tolerance_also_between_steps(void **state) {
  (void)state;
  const double tolerances[] = {1e-4, 1e-8, 1e-12};
  for (int which = 0; which < 3; which++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    Linear turn = {2, (double[]){0, 3, -3, 0}, NULL, 0};
    HbgStepper *stepper = start(&arena, hbg_linear_series, 2, linear, &turn, tolerances[which], (double[]){0.6, 0.8});
    while (stepper->t1 < 100) {
      hbg_stepper_note_scale(stepper);
      assert_int_equal(hbg_stepper_step(stepper, 100), HBG_STEP_TAKEN);
      for (int part = 0; part <= 10; part++) {
        const double theta = part / 10.0, t = stepper->t0 + theta * (stepper->t1 - stepper->t0);
        const double allowed = (double)stepper->counts.steps * tolerances[which] + 1e-13;
        double y[2];
        hbg_stepper_dense(stepper, theta, y);
        CHECK_NEAR(y[0], 0.6 * cos(3 * t) + 0.8 * sin(3 * t), allowed);
        CHECK_NEAR(y[1], 0.8 * cos(3 * t) - 0.6 * sin(3 * t), allowed);
        CHECK_NEAR(hbg_stepper_dense_one(stepper, theta, 1), y[1], 1e-15);
      }
    }
    CHECK_NEAR(stepper->t1, 100, 0);
    assert_int_equal(stepper->counts.rejected, 0);
    hbg_arena_release_all(&arena);
  }
}

static double random_number(long seed, uint64_t place) {
  return 2 * hbg_random_uniform((HbgRandomPlace){.seed = (uint64_t)seed, .stream = 7, .index = place}) - 1;
}

static void check_random(long seed) {
  enum { MOST = 8 };
  double a[MOST * MOST], b[MOST], y0[MOST], expected[MOST];
  const int32_t n = 1 + (int32_t)(seed % MOST);
  const double speed = pow(10, 6 * random_number(seed, 0)), until = 4 / speed;
  for (int32_t at = 0; at < n * n; at++) a[at] = speed * random_number(seed, 100 + (uint64_t)at);
  for (int32_t i = 0; i < n; i++) {
    b[i] = seed % 3 ? speed * random_number(seed, 200 + (uint64_t)i) : 0;
    y0[i] = seed % 4 ? random_number(seed, 300 + (uint64_t)i) : 0;
  }
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear system = {n, a, b, 0};
  HbgStepper *stepper = start(&arena, hbg_linear_series, n, linear, &system, 1e-10, y0);
  assert_int_equal(stepped_to(stepper, until), HBG_STEP_TAKEN);
  follow_by_exponential(n, a, b, y0, until, expected);
  double size = 1e-300;
  for (int32_t i = 0; i < n; i++) size = fmax(size, fabs(expected[i]));
  for (int32_t i = 0; i < n; i++)
    if (fabs(stepper->y1[i] - expected[i]) > 1e-8 * size) fail_msg("seed %ld, state %d: %.17g instead of %.17g", seed, i, stepper->y1[i], expected[i]);
  hbg_arena_release_all(&arena);
}

static void random_systems_go_where_the_matrix_exponential_says(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(200);
  printf("seeds %ld to %ld\n", seeds.first, seeds.first + seeds.count - 1);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) check_random(seed);
}

/* Half as many evaluations, and each of them with less around it. */
static void it_asks_less_often_than_the_pair_of_order_eight(void **state) {
  (void)state;
  enum { MASSES = 100 };
  Row masses = {MASSES, 0, 0.01};
  double y[2 * MASSES] = {0};
  for (int32_t i = 0; i < MASSES; i++) y[i] = sin(2.3 * i);
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *series = start(&arena, hbg_linear_series, 2 * MASSES, row, &masses, 1e-8, y);
  HbgStepper *pair = start(&arena, hbg_dp8, 2 * MASSES, row, &masses, 1e-8, y);
  HbgStepper *exact = start(&arena, hbg_dp8, 2 * MASSES, row, &masses, 1e-13, y);
  assert_int_equal(stepped_to(series, 50), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(pair, 50), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(exact, 50), HBG_STEP_TAKEN);
  assert_true(2 * series->counts.evaluations < pair->counts.evaluations);
  for (int32_t i = 0; i < 2 * MASSES; i++) CHECK_NEAR(series->y1[i], exact->y1[i], 1e-8);
  hbg_arena_release_all(&arena);
}

static void a_body_in_free_flight_needs_no_second_step(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear flight = {2, (double[]){0, 1, 0, 0}, (double[]){0, -9.81}, 0};
  HbgStepper *stepper = start(&arena, hbg_linear_series, 2, linear, &flight, 1e-8, (double[]){5, 3});
  stepper->next_h = 2;
  assert_int_equal(hbg_stepper_step(stepper, 2), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->t1, 2, 0);
  for (int part = 0; part <= 4; part++) {
    const double t = part * 0.5;
    CHECK_NEAR(hbg_stepper_dense_one(stepper, part / 4.0, 0), 5 + 3 * t - 0.5 * 9.81 * t * t, 1e-14);
  }
  hbg_arena_release_all(&arena);
}

/* State k is t^(k+1)/(k+1)!: those that the first terms do not reach are nothing as yet when these end. */
static void what_only_later_terms_would_reach_is_not_lost(void **state) {
  (void)state;
  enum { DEEP = 40 };
  const int32_t deep = DEEP;
  double y[DEEP] = {0}, expected = 1;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, hbg_linear_series, DEEP, cascade, (void *)(uintptr_t)&deep, 1e-8, y);
  assert_int_equal(stepped_to(stepper, 30), HBG_STEP_TAKEN);
  for (int32_t k = 0; k < DEEP; k++) {
    expected *= 30.0 / (k + 1);
    CHECK_CLOSE(stepper->y1[k], expected, 1e-7);
  }
  hbg_arena_release_all(&arena);
}

/* From rest, where a push at one end comes to the other much later. */
static void a_wave_into_what_rests_is_followed(void **state) {
  (void)state;
  enum { MASSES = 120 };
  Row masses = {MASSES, 1, 0};
  double y[2 * MASSES] = {0};
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *series = start(&arena, hbg_linear_series, 2 * MASSES, row, &masses, 1e-8, y);
  HbgStepper *pair = start(&arena, hbg_dp8, 2 * MASSES, row, &masses, 1e-8, y);
  HbgStepper *exact = start(&arena, hbg_dp8, 2 * MASSES, row, &masses, 1e-12, y);
  assert_int_equal(stepped_to(series, 60), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(pair, 60), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(exact, 60), HBG_STEP_TAKEN);
  assert_true(fabs(exact->y1[55]) > 0.1);
  for (int32_t i = 0; i < 2 * MASSES; i++) CHECK_NEAR(series->y1[i], exact->y1[i], 1e-6);
  assert_true(4 * series->counts.evaluations < pair->counts.evaluations); // though each state at the front is followed to its own digits
  hbg_arena_release_all(&arena);
}

/* Powers of two, so that the numbers are the same ones. */
static void the_unit_of_time_is_of_no_influence(void **state) {
  (void)state;
  const double unit = ldexp(1, 40);
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear slow = {2, (double[]){-0.1, 2, -2, -0.1}, (double[]){1, 0}, 0};
  Linear fast = {2, (double[]){-0.1 * unit, 2 * unit, -2 * unit, -0.1 * unit}, (double[]){unit, 0}, 0};
  HbgStepper *a = start(&arena, hbg_linear_series, 2, linear, &slow, 1e-8, (double[]){1, 0});
  HbgStepper *b = start(&arena, hbg_linear_series, 2, linear, &fast, 1e-8, (double[]){1, 0});
  assert_int_equal(stepped_to(a, 64), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(b, 64 / unit), HBG_STEP_TAKEN);
  assert_int_equal(a->counts.steps, b->counts.steps);
  CHECK_NEAR(a->y1[0], b->y1[0], 0);
  CHECK_NEAR(a->y1[1], b->y1[1], 0);
  hbg_arena_release_all(&arena);
}

static void a_step_that_must_end_soon_takes_fewer_terms(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear turn = {2, (double[]){0, 1, -1, 0}, NULL, 0};
  HbgStepper *stepper = start(&arena, hbg_linear_series, 2, linear, &turn, 1e-8, (double[]){1, 0});
  assert_int_equal(stepped_to(stepper, 20), HBG_STEP_TAKEN);
  const int64_t before = stepper->counts.evaluations;
  for (int tick = 1; tick <= 50; tick++) assert_int_equal(stepped_to(stepper, 20 + 0.01 * tick), HBG_STEP_TAKEN);
  assert_true(stepper->counts.evaluations - before <= 50 * 8);
  CHECK_NEAR(stepper->y1[0], cos(20.5), 1e-7);
  CHECK_NEAR(stepper->y1[1], -sin(20.5), 1e-7);
  hbg_arena_release_all(&arena);
}

static void what_is_stiff_is_told(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear stiff = {2, (double[]){-1e5, 1e5, 0, -1}, NULL, 0};
  HbgStepper *stepper = start(&arena, hbg_linear_series, 2, linear, &stiff, 1e-8, (double[]){0, 1});
  while (!stepper->stiff && stepper->t1 < 1) assert_int_equal(stepped_to(stepper, fmin(1, stepper->t1 + 1e-3)), HBG_STEP_TAKEN);
  assert_true(stepper->stiff);
  assert_true(stepper->counts.steps < 200);
  hbg_arena_release_all(&arena);
}

/* Fast and small, and for ever: an implicit method would have to follow it, too. */
static void what_swings_fast_and_little_is_not_stiff(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear swings = {4, (double[]){0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 30, 0, 0, -30, 0}, NULL, 0};
  HbgStepper *stepper = start(&arena, hbg_linear_series, 4, linear, &swings, 1e-8, (double[]){1, 0, 1e-5, 0});
  for (int32_t i = 2; i < 4; i++) stepper->scale[i] = 1;
  assert_int_equal(stepped_to(stepper, 300), HBG_STEP_TAKEN);
  assert_false(stepper->stiff);
  CHECK_NEAR(stepper->y1[0], cos(300), 1e-6);
  hbg_arena_release_all(&arena);
}

static void what_cannot_be_evaluated_is_said(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Linear refuses = {1, (double[]){-1}, NULL, 10};
  HbgStepper *stepper = start(&arena, hbg_linear_series, 1, linear, &refuses, 1e-8, (double[]){1});
  assert_int_equal(stepped_to(stepper, 1), HBG_STEP_REFUSED);
  Linear bursts = {1, (double[]){1}, NULL, 0};
  stepper = start(&arena, hbg_linear_series, 1, linear, &bursts, 1e-8, (double[]){1});
  assert_int_equal(stepped_to(stepper, 2000), HBG_STEP_NOT_FINITE); // beyond exp(709)
  stepper = hbg_linear_series(&arena, 1, linear, &(Linear){1, (double[]){INFINITY}, NULL, 0});
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1}), HBG_STEP_NOT_FINITE);
  hbg_arena_release_all(&arena);
}

static void threads_make_the_same_bits(void **state) {
  (void)state;
  enum { MASSES = 30000 };
  Row masses = {MASSES, 1, 0.1};
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double *y = ARENA_NEW(&arena, double, 2 * MASSES);
  for (int32_t i = 0; i < MASSES; i++) y[i] = sin(0.7 * i);
  HbgStepper *one = hbg_linear_series(&arena, 2 * MASSES, row, &masses), *many = hbg_linear_series(&arena, 2 * MASSES, row, &masses);
  many->threads = hbg_threads(&arena, 3);
  assert_int_equal(hbg_stepper_restart(one, 0, y), HBG_STEP_TAKEN);
  assert_int_equal(hbg_stepper_restart(many, 0, y), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(one, 5), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(many, 5), HBG_STEP_TAKEN);
  assert_int_equal(one->counts.steps, many->counts.steps);
  assert_memory_equal(one->y1, many->y1, 2 * MASSES * sizeof(double));
  hbg_threads_free(many->threads);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turn_is_followed_within_the_tolerance_also_between_steps),
      cmocka_unit_test(random_systems_go_where_the_matrix_exponential_says),
      cmocka_unit_test(it_asks_less_often_than_the_pair_of_order_eight),
      cmocka_unit_test(a_body_in_free_flight_needs_no_second_step),
      cmocka_unit_test(what_only_later_terms_would_reach_is_not_lost),
      cmocka_unit_test(a_wave_into_what_rests_is_followed),
      cmocka_unit_test(the_unit_of_time_is_of_no_influence),
      cmocka_unit_test(a_step_that_must_end_soon_takes_fewer_terms),
      cmocka_unit_test(what_is_stiff_is_told),
      cmocka_unit_test(what_swings_fast_and_little_is_not_stiff),
      cmocka_unit_test(what_cannot_be_evaluated_is_said),
      cmocka_unit_test(threads_make_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

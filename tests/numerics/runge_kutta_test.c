/* SPDX-License-Identifier: BSD-3-Clause
 * What holds of every explicit Runge-Kutta method: all tests are made with dp5, with dp8, and with both in turn. */
#include <string.h>

#include "numerics/dp5.h"
#include "numerics/dp8.h"

#include "support/check.h"
#include "support/stepped.h"

typedef struct Method {
  const char *name;
  HbgStepper *(*make)(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user);
  int order, dense_order; /* of the first steps */
  double long_step;       /* for which the error is that of its order, and above round-off [-] */
} Method;

static const Method methods[] = {{"dp5", hbg_dp5, 5, 4, 0.1}, {"dp8", hbg_dp8, 8, 7, 0.4}, {"dp5 and dp8", hbg_dp5_dp8, 5, 4, 0.1}};
static const Method *method;

typedef struct Problem {
  double omega;
  int refuse_beyond; /* > 0: the right-hand side is not defined for y[0] above this */
} Problem;

static int oscillator(double t, const double *y, double *dy, void *user) {
  const Problem *problem = user;
  (void)t;
  dy[0] = problem->omega * y[1];
  dy[1] = -problem->omega * y[0];
  return 0;
}

static int decay(double t, const double *y, double *dy, void *user) {
  (void)t;
  dy[0] = -((const Problem *)user)->omega * y[0];
  return 0;
}

static int power(double t, const double *y, double *dy, void *user) {
  (void)y;
  dy[0] = 12 * pow(t, 11);
  (void)user;
  return 0;
}

static int chain(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = 1;
  for (int i = 1; i < 20; i++) dy[i] = y[i - 1];
  return 0;
}

/* Two forces that cancel but for round-off. */
static int balanced(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[1];
  dy[1] = -y[0];
  dy[2] = (0.1 * y[0] + 0.2 * y[0]) - 0.3 * y[0];
  dy[3] = y[2];
  return 0;
}

static int falling(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[1];
  dy[1] = -9.81;
  return 0;
}

static int growing_without_bound(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  dy[0] = y[0] * y[0];
  return 0;
}

static int square_root(double t, const double *y, double *dy, void *user) {
  (void)t;
  (void)user;
  if (y[0] < 0) return 1;
  dy[0] = -2 * sqrt(y[0]);
  return 0;
}

static int giving_up(double t, const double *y, double *dy, void *user) {
  (void)y;
  (void)user;
  dy[0] = 1;
  return t > 0.5 ? -1 : 0;
}

static HbgStepper *start(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user, double tolerance, double t,
                         const double *y) {
  HbgStepper *stepper = method->make(arena, n, rhs, user);
  hbg_stepper_set_tolerance(stepper, tolerance);
  assert_int_equal(hbg_stepper_restart(stepper, t, y), HBG_STEP_TAKEN);
  return stepper;
}

static void the_oscillator_returns_after_ten_periods(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem problem = {.omega = 2 * 3.14159265358979323846};
  HbgStepper *stepper = start(&arena, 2, oscillator, &problem, 1e-10, 0, (double[]){1, 0});
  assert_int_equal(stepped_to(stepper, 10), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->t1, 10, 0);
  CHECK_NEAR(stepper->y1[0], 1, 1e-7);
  CHECK_NEAR(stepper->y1[1], 0, 1e-7);
  assert_true(stepper->counts.rejected < stepper->counts.steps / 5);
  hbg_arena_release_all(&arena);
}

/* One step of size h of the oscillator; the error at the end, and the largest one of the dense output on the way. */
static void one_step_errors(double h, double *at_end, double *between) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem problem = {.omega = 1};
  HbgStepper *stepper = start(&arena, 2, oscillator, &problem, 1e3, 0, (double[]){0.6, 0.8});
  stepper->next_h = h;
  assert_int_equal(hbg_stepper_step(stepper, h), HBG_STEP_TAKEN);
  *at_end = fabs(stepper->y1[0] - (0.6 * cos(h) + 0.8 * sin(h)));
  *between = 0;
  for (int i = 1; i < 10; i++) {
    double y[2];
    hbg_stepper_dense(stepper, i / 10.0, y);
    *between = fmax(*between, fabs(y[0] - (0.6 * cos(i * h / 10) + 0.8 * sin(i * h / 10))));
    CHECK_NEAR(hbg_stepper_dense_one(stepper, i / 10.0, 1), y[1], 1e-15);
  }
  hbg_arena_release_all(&arena);
}

static void halved_steps_show_the_order_and_that_of_the_dense_output(void **state) {
  (void)state;
  double end[2], between[2];
  one_step_errors(method->long_step, &end[0], &between[0]);
  one_step_errors(method->long_step / 2, &end[1], &between[1]);
  CHECK_NEAR(log2(end[0] / end[1]), method->order + 1, 0.3); /* local error: order + 1 */
  CHECK_NEAR(log2(between[0] / between[1]), method->dense_order + 1, 0.3);
}

static void the_ends_of_the_dense_output_are_exact(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem problem = {.omega = 1};
  HbgStepper *stepper = start(&arena, 2, oscillator, &problem, 1e-8, 0, (double[]){0.1, 0.7});
  assert_int_equal(hbg_stepper_step(stepper, 1), HBG_STEP_TAKEN);
  double y[2];
  hbg_stepper_dense(stepper, hbg_stepper_theta(stepper, stepper->t1), y);
  assert_memory_equal(y, stepper->y1, sizeof y);
  hbg_stepper_dense(stepper, hbg_stepper_theta(stepper, 0), y);
  assert_memory_equal(y, stepper->y0, sizeof y);
  hbg_arena_release_all(&arena);
}

/* The steps taken do not know the unit of time nor that of the state. */
static void scaling_time_and_state_changes_nothing(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem slow = {.omega = 1}, quick = {.omega = 0x1p40};
  HbgStepper *a = start(&arena, 2, oscillator, &slow, 1e-9, 0, (double[]){1, 0});
  HbgStepper *b = start(&arena, 2, oscillator, &quick, 1e-9, 0, (double[]){0x1p-50, 0});
  assert_int_equal(stepped_to(a, 5), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(b, 5 * 0x1p-40), HBG_STEP_TAKEN);
  assert_int_equal(a->counts.steps, b->counts.steps);
  CHECK_NEAR(b->y1[0] * 0x1p50, a->y1[0], 0);
  hbg_arena_release_all(&arena);
}

static void one_state_is_not_hidden_among_many(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  enum { N = 20 };
  double y[N] = {0};
  HbgStepper *stepper = start(&arena, N, chain, NULL, 1e-6, 0, y);
  assert_int_equal(stepped_to(stepper, 1), HBG_STEP_TAKEN);
  double expected = 1;
  for (int i = 0; i < N; i++) {
    expected /= i + 1;
    CHECK_CLOSE(stepper->y1[i], expected, 1e-4);
  }
  hbg_arena_release_all(&arena);
}

static void a_motion_that_starts_with_a_high_power_of_time_does_start(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 1, power, NULL, 1e-8, 0, (double[]){0});
  assert_int_equal(stepped_to(stepper, 1), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], 1, 1e-6);
  assert_true(stepper->counts.steps < 2000);
  hbg_arena_release_all(&arena);
}

static void round_off_is_not_followed_to_eight_digits(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 4, balanced, NULL, 1e-8, 0, (double[]){1, 0, 0, 0});
  assert_int_equal(stepped_to(stepper, 100), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(100), 1e-5);
  CHECK_NEAR(stepper->y1[2], 0, 1e-14);
  assert_true(stepper->counts.steps < 3000);
  hbg_arena_release_all(&arena);
}

static void a_fall_takes_few_steps_and_is_exact(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 2, falling, NULL, 1e-8, 0, (double[]){1, 0});
  assert_int_equal(stepped_to(stepper, 0.4), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], 1 - 9.81 / 2 * 0.16, 1e-14);
  assert_true(stepper->counts.steps <= 5);
  // the step that was good before an event is tried at once after it
  assert_int_equal(hbg_stepper_restart(stepper, 0.4, (double[]){0, 4}), HBG_STEP_TAKEN);
  const int64_t before = stepper->counts.steps;
  assert_int_equal(stepped_to(stepper, 0.6), HBG_STEP_TAKEN);
  assert_true(stepper->counts.steps - before <= 2);
  hbg_arena_release_all(&arena);
}

static void a_state_that_begins_at_round_off_begins(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const double y[] = {2e-32, -3e-32}; // what is left of larger states: at 9.81 per second that is outgrown in 1e-33 s
  HbgStepper *stepper = start(&arena, 2, falling, NULL, 1e-8, 0.25, y);
  assert_int_equal(stepped_to(stepper, 1.25), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], -9.81 / 2, 1e-12);
  CHECK_NEAR(stepper->y1[1], -9.81, 1e-12);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

static void a_cut_step_is_not_remembered(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem problem = {.omega = 1};
  HbgStepper *stepper = start(&arena, 2, oscillator, &problem, 1e-6, 0, (double[]){1, 0});
  assert_int_equal(stepped_to(stepper, 5), HBG_STEP_TAKEN);
  const double good = stepper->next_h;
  assert_int_equal(hbg_stepper_step(stepper, 5 + 1e-9), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->t1, 5 + 1e-9, 0);
  assert_true(stepper->next_h >= good);
  assert_int_equal(hbg_stepper_step(stepper, nextafter(stepper->t1, 6)), HBG_STEP_TAKEN);
  hbg_arena_release_all(&arena);
}

static void a_solution_that_ends_is_said_to_end(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 1, growing_without_bound, NULL, 1e-8, 0, (double[]){1});
  const HbgStepResult result = stepped_to(stepper, 2);
  assert_true(result == HBG_STEP_TOO_SMALL || result == HBG_STEP_NOT_FINITE);
  CHECK_NEAR(stepper->t1, 1, 1e-6);
  // the last good point stays readable
  CHECK_NEAR(hbg_stepper_dense_one(stepper, 0.5, 0), stepper->y1[0], 0);
  hbg_arena_release_all(&arena);
}

static void a_first_step_that_is_cut_to_nothing_does_not_stop_the_next(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem slow = {.omega = 1};
  const double t = 1.25e-5, next = nextafter(t, 1);
  HbgStepper *stepper = start(&arena, 1, decay, &slow, 1e-8, t, (double[]){1});
  assert_int_equal(hbg_stepper_step(stepper, next), HBG_STEP_TAKEN);
  // an event one rounding error behind another
  assert_int_equal(hbg_stepper_restart(stepper, next, stepper->y1), HBG_STEP_TAKEN);
  assert_int_equal(stepped_to(stepper, 1), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], exp(t - 1), 1e-6);
  assert_true(stepper->counts.steps < 100);
  hbg_arena_release_all(&arena);
}

static int follower(double t, const double *y, double *dy, void *user) {
  (void)user;
  dy[0] = 1e6 * (cos(t) - y[0]);
  return 0;
}

static void follower_round_off(double t, const double *y, double *round_off, void *user) {
  (void)t, (void)y, (void)user;
  round_off[0] = 1e-8;
}

static void round_off_that_is_soon_forgotten_loosens_no_tolerance(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 1, follower, NULL, 1e-10, 0, (double[]){1});
  stepper->round_off = follower_round_off;
  // struck by an event, with a step in mind that is far too long
  stepper->scale[0] = 1;
  stepper->next_h = 1e-4;
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){0.999}), HBG_STEP_TAKEN);
  while (stepper->t1 < 5e-3) assert_int_equal(hbg_stepper_step(stepper, 10), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(stepper->t1), 1e-7);
  assert_true(stepper->scale[0] < 2);
  hbg_arena_release_all(&arena);
}

static void outside_of_its_domain_the_step_shrinks(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 1, square_root, NULL, 1e-8, 0, (double[]){1});
  stepper->next_h = 10; /* y = (1 - t)^2 until it is empty */
  assert_int_equal(stepped_to(stepper, 0.999), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], 1e-6, 1e-7);
  hbg_arena_release_all(&arena);
}

static void a_right_hand_side_may_give_up(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 1, giving_up, NULL, 1e-6, 0, (double[]){1});
  assert_int_equal(stepped_to(stepper, 1), HBG_STEP_REFUSED);
  assert_true(stepper->t1 <= 0.5);
  hbg_arena_release_all(&arena);
}

static void stiffness_shows(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Problem stiff = {.omega = 1e5}, mild = {.omega = 1};
  HbgStepper *a = start(&arena, 1, decay, &stiff, 1e-6, 0, (double[]){1});
  assert_int_equal(stepped_to(a, 0.1), HBG_STEP_TAKEN);
  assert_true(a->stiff);
  HbgStepper *b = start(&arena, 2, oscillator, &mild, 1e-6, 0, (double[]){1, 0});
  assert_int_equal(stepped_to(b, 200), HBG_STEP_TAKEN);
  assert_false(b->stiff);
  hbg_arena_release_all(&arena);
}

static int fast_follower(double t, const double *y, double *dy, void *user) {
  (void)user;
  dy[0] = 100 * (sin(3 * t) - y[0]);
  return 0;
}

/* Twenty states, of which the higher ones are high powers of time: read together and one by one, and against the line through each step. */
static void a_step_is_a_line_but_for_what_it_strays(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double y0[20] = {0}, rise[20], stray[20], y[20];
  for (int i = 0; i < 20; i++) y0[i] = i % 3 - 1;
  HbgStepper *stepper = start(&arena, 20, chain, NULL, 1e-6, 0, y0);
  while (stepper->t1 < 8) {
    hbg_stepper_note_scale(stepper);
    assert_int_equal(hbg_stepper_step(stepper, 8), HBG_STEP_TAKEN);
    hbg_stepper_travel(stepper, rise, stray);
    for (int at = 1; at < 40; at++) {
      const double theta = at / 40.0;
      hbg_stepper_dense(stepper, theta, y);
      for (int i = 0; i < 20; i++) {
        const double one = hbg_stepper_dense_one(stepper, theta, i), round_off = 1e-14 * (fabs(y[i]) + fabs(rise[i]) + stray[i]);
        assert_true(memcmp(&one, &y[i], sizeof one) == 0);
        assert_true(fabs(y[i] - (stepper->y0[i] + theta * rise[i])) <= fmin(1, 4 * theta) * stray[i] + round_off);
      }
    }
  }
  hbg_arena_release_all(&arena);
}

/* y' = 100 (sin 3t - y): y = (10000 sin 3t - 300 cos 3t + 300 e^(-100 t))/10009. Read at nine places in every step. */
static void what_is_read_between_steps_is_as_exact_as_their_ends(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 1, fast_follower, NULL, 1e-6, 0, (double[]){0});
  double worst = 0;
  while (stepper->t1 < 10) {
    hbg_stepper_note_scale(stepper);
    assert_int_equal(hbg_stepper_step(stepper, 10), HBG_STEP_TAKEN);
    for (int at = 1; at < 10; at++) {
      const double theta = 0.1 * at, t = stepper->t0 + theta * (stepper->t1 - stepper->t0);
      double y;
      hbg_stepper_dense(stepper, theta, &y);
      CHECK_NEAR(hbg_stepper_dense_one(stepper, theta, 0), y, 1e-15);
      worst = fmax(worst, fabs(y - (10000 * sin(3 * t) - 300 * cos(3 * t) + 300 * exp(-100 * t)) / 10009));
    }
  }
  assert_true(worst < 3e-6);
  hbg_arena_release_all(&arena);
}

/* A motor on 24 V, whose coil has `inductance`: its current follows the speed many times as fast as that changes, and soon shows no trace of it. */
static int motor(double t, const double *y, double *dy, void *user) {
  const double inductance = *(const double *)user;
  (void)t;
  dy[0] = (24 - y[0] - 0.1 * y[1]) / inductance;
  dy[1] = 10 * y[0] - y[1];
  return 0;
}

static double current_of_motor(double inductance, double t) {
  const double sum = 1 + 1 / inductance, root = sqrt(sum * sum - 8 / inductance), slow = (root - sum) / 2, fast = -(root + sum) / 2;
  // 12 A and 120 rad/s in the end; of each way to it, 10/(rate + 1) rad/s for an ampere
  const double a = 10 / (slow + 1), b = 10 / (fast + 1), of_slow = (12 * b - 120) / (a - b);
  return 12 + of_slow * exp(slow * t) - (12 + of_slow) * exp(fast * t);
}

static double worst_of_motor(double inductance, double stop) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 2, motor, &inductance, 1e-8, 0, (double[]){0, 0});
  double worst = 0;
  while (stepper->t1 < stop) {
    hbg_stepper_note_scale(stepper);
    assert_int_equal(hbg_stepper_step(stepper, stop), HBG_STEP_TAKEN);
    for (int at = 1; at < 10; at++) {
      const double t = stepper->t0 + 0.1 * at * (stepper->t1 - stepper->t0);
      worst = fmax(worst, fabs(hbg_stepper_dense_one(stepper, 0.1 * at, 0) - current_of_motor(inductance, t)));
    }
  }
  hbg_arena_release_all(&arena);
  return worst;
}

static void what_has_died_out_does_not_come_back_between_steps(void **state) {
  (void)state;
  static const double inductances[] = {0.05, 0.03, 0.02, 0.015, 0.01, 0.007}, stops[] = {7, 11, 20};
  for (int at = 0; at < 6; at++)
    for (int which = 0; which < 3; which++) CHECK_NEAR(worst_of_motor(inductances[at], stops[which]), 0, 8e-6);
}

/* A voltage that has just come to that of a diode: what drives a current is nothing but its last digit, and then grows with the time. */
static int let_through(double t, const double *y, double *dy, void *user) {
  (void)y;
  dy[0] = sin(4 * t) - *(const double *)user;
  return 0;
}

static void a_rate_that_is_round_off_makes_no_step_small(void **state) {
  (void)state;
  for (int at = 1; at < 40; at++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    const double begin = 0.0091 * at, reached = sin(4 * begin);
    double threshold = nextafter(reached, at % 2 ? 0 : 1);
    HbgStepper *stepper = start(&arena, 1, let_through, &threshold, 1e-8, begin, (double[]){0});
    while (stepper->t1 < begin + 1) {
      hbg_stepper_note_scale(stepper);
      assert_int_equal(hbg_stepper_step(stepper, begin + 1), HBG_STEP_TAKEN);
    }
    CHECK_NEAR(stepper->y1[0], (cos(4 * begin) - cos(4 * (begin + 1))) / 4 - threshold, 1e-7);
    assert_true(stepper->counts.steps < 40);
    hbg_arena_release_all(&arena);
  }
}

static void nothing_to_integrate_goes_straight_to_the_end(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = start(&arena, 0, falling, NULL, 1e-6, 1, NULL);
  assert_int_equal(hbg_stepper_step(stepper, 3), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->t0, 1, 0);
  CHECK_NEAR(stepper->t1, 3, 0);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_oscillator_returns_after_ten_periods),
      cmocka_unit_test(halved_steps_show_the_order_and_that_of_the_dense_output),
      cmocka_unit_test(the_ends_of_the_dense_output_are_exact),
      cmocka_unit_test(scaling_time_and_state_changes_nothing),
      cmocka_unit_test(one_state_is_not_hidden_among_many),
      cmocka_unit_test(a_motion_that_starts_with_a_high_power_of_time_does_start),
      cmocka_unit_test(round_off_is_not_followed_to_eight_digits),
      cmocka_unit_test(a_fall_takes_few_steps_and_is_exact),
      cmocka_unit_test(a_state_that_begins_at_round_off_begins),
      cmocka_unit_test(a_cut_step_is_not_remembered),
      cmocka_unit_test(a_solution_that_ends_is_said_to_end),
      cmocka_unit_test(a_first_step_that_is_cut_to_nothing_does_not_stop_the_next),
      cmocka_unit_test(round_off_that_is_soon_forgotten_loosens_no_tolerance),
      cmocka_unit_test(outside_of_its_domain_the_step_shrinks),
      cmocka_unit_test(a_right_hand_side_may_give_up),
      cmocka_unit_test(stiffness_shows),
      cmocka_unit_test(what_is_read_between_steps_is_as_exact_as_their_ends),
      cmocka_unit_test(what_has_died_out_does_not_come_back_between_steps),
      cmocka_unit_test(a_step_is_a_line_but_for_what_it_strays),
      cmocka_unit_test(a_rate_that_is_round_off_makes_no_step_small),
      cmocka_unit_test(nothing_to_integrate_goes_straight_to_the_end),
  };
  int failures = 0;
  for (size_t at = 0; at < sizeof methods / sizeof *methods; at++) {
    method = &methods[at];
    failures += cmocka_run_group_tests_name(method->name, tests, NULL, NULL);
  }
  return failures;
}

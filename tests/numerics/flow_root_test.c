/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/flow_root.h"

#include "numerics/random.h"
#include "support/check.h"

static const double FOREVER = (double)INFINITY;

static HbgArena arena;

static int begin(void **state) {
  (void)state;
  arena = hbg_arena((HbgAllocator){0});
  return 0;
}

static int end(void **state) {
  (void)state;
  hbg_arena_release_all(&arena);
  return 0;
}

/* x'' = -stiffness x - damping x' + push. */
static HbgFlow *second_order(double stiffness, double damping, double push) {
  const double a[] = {0, 1, -stiffness, -damping}, b[] = {0, push};
  return hbg_flow(&arena, 2, a, b);
}

/* When is x0[0] first below `level` (sense -1) or above it? */
static HbgFlowAnswer ask(const HbgFlow *flow, const double *x0, double level, int sense, double from, double to,
                         double *t) {
  const double w[HBG_FLOW_STATES] = {1};
  const HbgFlowQuestion question = {.constant = -level, .from = from, .to = to, .sense = sense};
  return hbg_flow_first_root(hbg_flow_guard(&arena, flow, w), x0, &question, t);
}

/* ---- what is fast beside what is slow ---- */

/* x = [1 1; 1 2] z, where one z relaxes within a nanosecond and a sine drives the other one (flow_test.c). Whoever goes to a root finds zero there. */
static void where_something_is_fast_a_root_is_where_the_flow_comes_to_be_zero(void **state) {
  (void)state;
  const double fast = 0x1p30, slow = 512, w = 256;
  const double a[] = {-2 * fast + slow, fast - slow, 4, 0, -2 * fast + 2 * slow, fast - 2 * slow, 7, 0, 0, 0, 0, w, 0, 0, -w, 0}, b[4] = {0};
  HbgFlow *flow = hbg_flow(&arena, 4, a, b);
  double x[] = {5, 7, 0, 1}, t;
  for (int turn = 0; turn < 40; turn++) {
    const int sense = turn % 2 ? 1 : -1;
    assert_int_equal(ask(flow, x, 0, sense, 1e-4, 1, &t), HBG_FLOW_CROSSES);
    hbg_flow_go(flow, x, t, x);
    CHECK_NEAR(x[0], 0, 1e-17);  // out of an amplitude of 0.005
  }
}

/* ---- polynomials ---- */

static void a_ball_falls_and_bounces_to_the_last_digit(void **state) {
  (void)state;
  HbgFlow *flow = second_order(0, 0, -9.81);
  double t, x[] = {4.905, 0}, clock = 0;
  for (int k = 1; k <= 60; k++) {
    assert_int_equal(ask(flow, x, 0, -1, 0, 9, &t), HBG_FLOW_CROSSES);
    clock += t;
    hbg_flow_go(flow, x, t, x);
    CHECK_NEAR(clock, 9 - 8 * pow(0.8, k - 1), 1e-14);
    x[0] = 0;  // it is on the ground: the next flight begins at zero
    x[1] *= -0.8;
  }
}

static void a_parabola_that_only_touches_is_told_apart(void **state) {
  (void)state;
  HbgFlow *flow = second_order(0, 0, 2);
  const double x0[] = {1, -2};  // (1 - t)^2
  double t;
  assert_int_equal(ask(flow, x0, 0, -1, 0, 10, &t), HBG_FLOW_TOUCHES);
  CHECK_NEAR(t, 1, 1e-15);
  assert_int_equal(ask(flow, x0, 0, -1, t, 10, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, x0, 1e-12, -1, 0, 10, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, 1 - 1e-6, 1e-9);
  assert_int_equal(ask(flow, x0, -1e-12, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
}

static void what_moves_away_never_comes(void **state) {
  (void)state;
  HbgFlow *flow = second_order(0, 0, 0);
  double t;
  assert_int_equal(ask(flow, (double[]){1, 2}, 0, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, (double[]){0, 2}, 0, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, (double[]){0, 0}, 0, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, (double[]){1, -4}, 0, -1, 0, FOREVER, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, 0.25, 0);
}

static void zero_at_the_start_counts_where_it_leaves_for_that_side(void **state) {
  (void)state;
  double t = -1;
  for (double v = -3; v < 0; v += 1) {
    assert_int_equal(ask(second_order(0, 0, 1), (double[]){0, v}, 0, -1, 0, 9, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, 0, 0);
    assert_int_equal(ask(second_order(4, 0.1, 1), (double[]){0, v}, 0, -1, 0, 9, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, 0, 0);
  }
  // at rest at zero, then pulled
  assert_int_equal(ask(second_order(4, 0.1, -1), (double[]){0, 0}, 0, -1, 0, 9, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, 0, 0);
  assert_int_equal(ask(second_order(4, 0.1, 1), (double[]){0, 0}, 0, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
}

/* (t - r0) (t - r1) ... as a chain of integrators. */
static void all_roots_of_a_polynomial_come_one_after_the_other(void **state) {
  (void)state;
  const double root[] = {1, 1.0001, 2, 5, 5.5};
  enum { DEGREE = 5 };
  double a[DEGREE * DEGREE] = {0}, b[DEGREE] = {0}, x0[DEGREE], c[DEGREE + 1] = {-1};
  for (int k = 0; k < DEGREE; k++)  // -(t - r0) ..., positive at the start
    for (int i = DEGREE; i >= 0; i--) c[i] = (i ? c[i - 1] : 0) - root[k] * c[i];
  double factorial = 1;
  for (int i = 0; i < DEGREE; i++, factorial *= i) {
    x0[i] = c[i] * factorial;
    if (i + 1 < DEGREE) a[i * DEGREE + i + 1] = 1;
  }
  b[DEGREE - 1] = c[DEGREE] * factorial;
  HbgFlow *flow = hbg_flow(&arena, DEGREE, a, b);
  double t = 0;
  for (int k = 0; k < DEGREE; k++) {
    assert_int_equal(ask(flow, x0, 0, k % 2 ? 1 : -1, t, FOREVER, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, root[k], k < 2 ? 1e-10 : 1e-13);
  }
  assert_int_equal(ask(flow, x0, 0, 1, t, FOREVER, &t), HBG_FLOW_NEVER);
}

/* ---- exponentials and oscillations ---- */

/* x' = v, v' = a, a' = j, j' = s: x = 1 - t + s t^4/24 begins with neither a second nor a third derivative, which tell nothing of the fourth. */
static void a_fourth_derivative_alone_is_not_overlooked(void **state) {
  (void)state;
  enum { STATES = 5 };
  double a[STATES * STATES] = {0}, b[STATES] = {0};
  for (int i = 0; i + 1 < STATES; i++) a[i * STATES + i + 1] = 1;
  HbgFlow *flow = hbg_flow(&arena, STATES, a, b);
  for (double s = 1e-6; s < 1; s *= 10) {
    const double x0[STATES] = {1, -1, 0, 0, s};
    double t, root = 1; // by Newton's method
    for (int round = 0; round < 20; round++) root -= (1 - root + s * pow(root, 4) / 24) / (s * pow(root, 3) / 6 - 1);
    assert_int_equal(ask(flow, x0, 0, -1, 0, FOREVER, &t), HBG_FLOW_CROSSES);
    CHECK_CLOSE(t, root, 1e-14);
  }
}

static void a_discharge_reaches_its_threshold_to_the_last_digit(void **state) {
  (void)state;
  const double a = -1 / 3e-6, b = 0, x0 = 24;
  HbgFlow *flow = hbg_flow(&arena, 1, &a, &b);
  double t;
  for (double level = 23; level > 1e-9; level /= 2) {
    assert_int_equal(ask(flow, &x0, level, -1, 0, FOREVER, &t), HBG_FLOW_CROSSES);
    CHECK_CLOSE(t, log(level / x0) / a, 4e-16 * (1 + 1 / log(x0 / level)));
  }
  assert_int_equal(ask(flow, &x0, 0, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, &x0, -1, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
}

/* ... also where it has hardly begun, and the other way round, where it grows. */
static void a_discharge_that_has_hardly_begun_is_as_exact(void **state) {
  (void)state;
  for (int sense = -1; sense <= 1; sense += 2) {
    const double a = sense / 3e-6, b = 0, x0 = 24;
    HbgFlow *flow = hbg_flow(&arena, 1, &a, &b);
    for (double part = 0x1p-40; part < 0.9; part *= 2) {
      double t;
      assert_int_equal(ask(flow, &x0, 24 * (1 + sense * part), sense, 0, FOREVER, &t), HBG_FLOW_CROSSES);
      CHECK_CLOSE(t, log1p(sense * part) / a, 1e-15);
      assert_int_equal(ask(flow, &x0, 24 * (1 + sense * part), sense, 0, 0.999 * t, &t), HBG_FLOW_NEVER);
      assert_int_equal(ask(flow, &x0, 24 * (1 + sense * part), sense, 1e-3, 1, &t), HBG_FLOW_CROSSES); // long ago
      CHECK_NEAR(t, 1e-3, 0);
      assert_int_equal(ask(flow, &x0, 24 * (1 - sense * part), -sense, 0, 1, &t), HBG_FLOW_NEVER);
    }
  }
}

/* e^-t + e^-2t falls from 2, and is y at t = -log((sqrt(1 + 4 y) - 1) / 2). */
static void two_decays_reach_a_level_from_their_first_parabola(void **state) {
  (void)state;
  const double a[] = {-1, 1, 0, -2}, b[] = {0, 0}, x0[] = {2, -1}; // x1' = -2 x1, x0 = e^-t - x1
  HbgFlow *flow = hbg_flow(&arena, 2, a, b);
  for (double part = 0x1p-30; part < 1; part *= 2) {
    const double level = 2 - part, expected = log(2 / (sqrt(1 + 4 * level) - 1));
    double t;
    assert_int_equal(ask(flow, x0, level, -1, 0, FOREVER, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, expected, 4e-16);
    assert_int_equal(ask(flow, x0, level, -1, 0, 1.0001 * expected, &t), HBG_FLOW_CROSSES);
    assert_int_equal(ask(flow, x0, level, -1, 0, 0.9999 * expected, &t), HBG_FLOW_NEVER);
  }
}

/* 10 (1 - e^-t) comes close to 10 to the last digit and no further. */
static void a_limit_is_not_passed(void **state) {
  (void)state;
  const double a = -1, b = 10, x0 = 0;
  HbgFlow *flow = hbg_flow(&arena, 1, &a, &b);
  double t;
  assert_int_equal(ask(flow, &x0, 10, 1, 0, FOREVER, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, &x0, 10, 1, 100, FOREVER, &t), HBG_FLOW_NEVER);
  assert_int_equal(ask(flow, &x0, 10 * (1 - 0x1p-40), 1, 0, FOREVER, &t), HBG_FLOW_CROSSES);
  CHECK_CLOSE(t, 40 * log(2), 2e-5 / 40); // 10 is known to 1e-16, of 1e-11
}

static void every_passage_of_an_oscillator_is_found(void **state) {
  (void)state;
  HbgFlow *flow = second_order(1, 0, 0);
  const double x0[] = {1, 0}, pi = acos(-1), start = acos(0.3);
  double t = 0;
  for (int turn = 0; turn < 50; turn++) {
    assert_int_equal(ask(flow, x0, 0.3, -1, t, 1e3, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, start + 2 * pi * turn, 1e-15 * (1 + 20 * turn));
    assert_int_equal(ask(flow, x0, 0.3, 1, t, 1e3, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, 2 * pi * (turn + 1) - start, 1e-15 * (1 + 20 * turn));
  }
}

/* Below -1 + depth for so short a time that samples would not see it. */
static void a_narrow_dip_is_not_missed(void **state) {
  (void)state;
  HbgFlow *flow = second_order(1, 0, 0);
  const double x0[] = {1, 0}, pi = acos(-1);
  double t;
  for (double depth = 1e-2; depth > 1e-13; depth /= 10) {
    const double half = 2 * asin(sqrt(depth / 2));  // 1 - cos = 2 sin^2
    assert_int_equal(ask(flow, x0, -1 + depth, -1, 0, 6, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, pi - half, 1e-15 + 2e-16 / half);
    assert_int_equal(ask(flow, x0, -1 + depth, 1, t, 6, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, pi + half, 1e-15 + 2e-16 / half);
    assert_int_equal(ask(flow, x0, -1 - depth, -1, 0, FOREVER, &t), HBG_FLOW_NEVER);
  }
  assert_int_equal(ask(flow, x0, -1, -1, 0, 6, &t), HBG_FLOW_TOUCHES);
  CHECK_NEAR(t, pi, 1e-8);
  assert_int_equal(ask(flow, x0, -1, -1, t, 6, &t), HBG_FLOW_NEVER);
}

/* x = e^-t (1 - t) at critical damping. */
static void critical_damping_passes_zero_once(void **state) {
  (void)state;
  HbgFlow *flow = second_order(1, 2, 0);
  double t;
  assert_int_equal(ask(flow, (double[]){1, -2}, 0, -1, 0, 500, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, 1, 1e-15);
  assert_int_equal(ask(flow, (double[]){1, -2}, 0, 1, t, 500, &t), HBG_FLOW_NEVER);
}

/* x = (sin t - t cos t) / 2. */
static void a_resonance_reaches_its_bound(void **state) {
  (void)state;
  const double a[] = {0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0}, b[4] = {0}, x0[] = {0, 0, 0, 1};
  HbgFlow *flow = hbg_flow(&arena, 4, a, b);
  double t;
  assert_int_equal(ask(flow, x0, 20, 1, 0, 1e3, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR((sin(t) - t * cos(t)) / 2, 20, 1e-13);
  assert_true(t > 38 && t < 41);  // the first crest that is high enough
}

static void what_moves_with_time_is_part_of_the_guard(void **state) {
  (void)state;
  HbgFlow *flow = second_order(1, 0, 0);
  const double w[] = {1, 0}, x0[] = {0, 1};  // sin t against 0.1 t
  const HbgFlowQuestion question = {.slope = -0.1, .to = 1e3, .sense = -1};
  double t;
  assert_int_equal(hbg_flow_first_root(hbg_flow_guard(&arena, flow, w), x0, &question, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(sin(t) - 0.1 * t, 0, 1e-15);
  assert_true(t > 2.8 && t < 2.9);
}

/* A light drag and a flight of a nanosecond: the exponentials alone would cancel all digits. */
static void a_tiny_flight_is_as_exact_as_a_long_one(void **state) {
  (void)state;
  HbgFlow *flow = second_order(0, 0.01, -9.81);
  double t;
  for (double v = 1; v > 1e-9; v /= 10) {
    assert_int_equal(ask(flow, (double[]){0, v}, 0, -1, 0, 100, &t), HBG_FLOW_CROSSES);
    const double u = v / 9.81;  // t = 2 u (1 - k u / 3 + ...)
    CHECK_CLOSE(t, 2 * u * (1 - 0.01 * u / 3 + 2 * 1e-4 * u * u / 9), v > 0.05 ? 1e-8 : 1e-14);
  }
}

/* Higher than a metre before, of which round-off is more than all of this flight; where it begins is known to the last digits of what it is. */
static void a_flight_below_the_round_off_of_what_has_been_is_one(void **state) {
  (void)state;
  HbgFlow *flow = second_order(0, 0.01, -9.81);
  const double w[] = {1, 0}, x0[] = {1e-24, 1e-8};
  const HbgFlowGuard *guard = hbg_flow_guard(&arena, flow, w);
  double t;
  assert_int_equal(hbg_flow_first_root(guard, x0, &(HbgFlowQuestion){.to = 100, .sense = -1, .zero = 1.4e-14, .instant = 1}, &t), HBG_FLOW_CROSSES);
  CHECK_CLOSE(t, 2 * 1e-8 / 9.81, 1e-6);
}

/* What moves with cos(7 t) against what is a third of it three times, and the like: nothing but digits are left of their difference. */
static void what_moves_alike_for_ever_never_crosses(void **state) {
  (void)state;
  const double rate = 0.3 * 7, a[] = {0, -rate * sin(0.4), rate * cos(0.4), 0, 0, 7, 0, -7, 0}, b[3] = {0}; // p' = 0.3 (sin(7 t + 0.4))'
  const HbgFlow *flow = hbg_flow(&arena, 3, a, b);
  for (int at = 0; at < 200; at++) {
    const double angle = 7 * 0.013 * at, p = 0.3 * sin(angle + 0.4) * (1 + 1e-15 * (at % 5 - 2));
    const double w[] = {-0.257, 0.257 * 0.3 * cos(0.4), 0.257 * 0.3 * sin(0.4)}, x0[] = {p, sin(angle), cos(angle)};
    double t;
    assert_int_equal(hbg_flow_first_root(hbg_flow_guard(&arena, flow, w), x0, &(HbgFlowQuestion){.to = 10, .sense = -1, .zero = 2e-15}, &t), HBG_FLOW_NEVER);
    assert_int_equal(hbg_flow_first_root(hbg_flow_guard(&arena, flow, w), x0, &(HbgFlowQuestion){.to = 10, .sense = 1, .zero = 2e-15}, &t), HBG_FLOW_NEVER);
  }
}

/* x = e^t (3 - e^t): so far ahead that e^(2 t) overflows. */
/* Tanks in a row, the first of them beside one that is held at 1: all come to that, the one ahead before the one behind. Every other one stands `higher`. */
typedef struct Row {
  int32_t n;
  double higher[HBG_FLOW_STATES], x[HBG_FLOW_STATES];
  HbgFlow *flow;
} Row;

static Row row_of_tanks(int32_t n, double unlike, double higher) {
  Row row = {.n = n};
  double a[HBG_FLOW_STATES * HBG_FLOW_STATES] = {0}, b[HBG_FLOW_STATES] = {1};
  for (int32_t i = 0; i < n; i++) {
    const double size = 1 + unlike * i;
    a[i * n + i] = i + 1 < n ? -2 / size : -1 / size;
    if (i > 0) a[i * n + i - 1] = 1 / size;
    if (i + 1 < n) a[i * n + i + 1] = 1 / size;
    row.higher[i] = higher * (i % 2);
    row.x[i] = 0.9 / (1 + i) + row.higher[i];
  }
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j < n; j++) b[i] -= a[i * n + j] * row.higher[j];
  row.flow = hbg_flow(&arena, n, a, b);
  return row;
}

/* Does one ever come to be more than the one ahead? */
static bool overtakes(const Row *row, int32_t behind) {
  const int32_t ahead = behind - 1;
  double t = 0, w[HBG_FLOW_STATES] = {0};
  if (ahead >= 0) w[ahead] = 1;
  w[behind] = -1;
  const HbgFlowGuard *guard = hbg_flow_guard(&arena, row->flow, w);
  HbgFlowQuestion question = {.constant = (ahead < 0 ? 1 : -row->higher[ahead]) + row->higher[behind], .to = FOREVER, .sense = -1};
  question.zero = 1e-13 * (1 + row->higher[1]);
  HbgFlowAnswer answer;
  int asked = 0;
  while ((answer = hbg_flow_first_root(guard, row->x, &question, &t)) != HBG_FLOW_NEVER) {
    if (answer == HBG_FLOW_CROSSES) return true;
    question.from = nextafter(t, FOREVER);
    assert_in_range(++asked, 1, 50);
  }
  return false;
}

/* What flows from one to the next becomes less than any number, and round-off must not turn it: of what stays for ever and what dies out slowly nothing must be
 * made but what they are. */
static void what_dies_out_never_turns(void **state) {
  (void)state;
  static const double higher[] = {0, 5, 40, 1000};
  for (size_t at = 0; at < sizeof higher / sizeof *higher; at++)
    for (int32_t n = 2; n <= 12; n++)
      for (int unlike = 0; unlike < 3; unlike++) {
        const Row row = row_of_tanks(n, 0.2 * unlike, higher[at]);
        assert_non_null(row.flow);
        for (int32_t i = 0; i < n; i++) assert_false(overtakes(&row, i));
      }
}

static void growth_beyond_all_numbers_hides_nothing(void **state) {
  (void)state;
  const double a[] = {1, 0, 0, 2}, b[2] = {0}, x0[] = {3, -1}, w[] = {1, 1};
  const HbgFlowGuard *guard = hbg_flow_guard(&arena, hbg_flow(&arena, 2, a, b), w);
  double t;
  assert_int_equal(hbg_flow_first_root(guard, x0, &(HbgFlowQuestion){.to = 1e4, .sense = -1}, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, log(3), 1e-15);
  assert_int_equal(hbg_flow_first_root(guard, x0, &(HbgFlowQuestion){.to = FOREVER, .sense = -1}, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, log(3), 1e-15);
}

/* cos t just after it has come to zero, which left it 1e-15 on the side it came from: it goes on, and comes back half a turn later. */
static void what_has_just_become_zero_goes_on_whatever_its_round_off(void **state) {
  (void)state;
  const double w[] = {1, 0};
  const HbgFlowGuard *guard = hbg_flow_guard(&arena, second_order(1, 0, 0), w);
  for (int side = -1; side <= 1; side++) {
    const double x0[] = {1e-15 * side, -1};
    double t;
    HbgFlowQuestion question = {.to = 10, .sense = 1, .zero = 1e-14};
    assert_int_equal(hbg_flow_first_root(guard, x0, &question, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, acos(-1), 2e-15);
    question.sense = -1;
    assert_int_equal(hbg_flow_first_root(guard, x0, &question, &t), HBG_FLOW_CROSSES);
    CHECK_NEAR(t, 0, 0);
  }
}

static void a_long_search_is_done_in_parts(void **state) {
  (void)state;
  // 2 + cos t + cos(sqrt 2 t) comes near zero late, and never to -1e-6
  const double a[] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, -2, 0}, b[4] = {0}, x0[] = {1, 0, 1, 0},
               w[] = {1, 0, 1, 0};
  const HbgFlowGuard *guard = hbg_flow_guard(&arena, hbg_flow(&arena, 4, a, b), w);
  HbgFlowQuestion question = {.constant = 2 - 1e-4, .to = 1e5, .sense = -1};
  double t, last = 0;
  HbgFlowAnswer answer;
  while ((answer = hbg_flow_first_root(guard, x0, &question, &t)) == HBG_FLOW_LATER) {
    assert_true(t > last);
    question.from = last = t;
  }
  assert_int_equal(answer, HBG_FLOW_CROSSES);
  CHECK_NEAR(2 + cos(t) + cos(sqrt(2) * t), 1e-4, 1e-11);
  for (double s = 0; s < t - 1e-3; s += 1e-2) assert_true(2 + cos(s) + cos(sqrt(2) * s) > 1e-4);
}

/* ---- all kinds of systems, against samples ---- */

static double number(uint64_t seed, int32_t i) {
  return 2 * hbg_random_uniform((HbgRandomPlace){seed, 1, (uint64_t)i}) - 1;
}

typedef struct Case {
  int32_t n;
  double a[25], b[5], x0[5], w[5];
  HbgFlowQuestion question;
} Case;

static Case make_case(uint64_t seed) {
  Case made = {.n = 1 + (int32_t)(seed % 5)};
  const bool is_stable = seed / 5 % 2, is_on_it = seed / 10 % 5 == 0, is_moving = seed / 50 % 3 == 0;
  double value = made.question.constant = number(seed, 90) / 2;
  for (int32_t i = 0; i < made.n; i++) {
    for (int32_t j = 0; j < made.n; j++)
      made.a[i * made.n + j] = number(seed, 30 + i * made.n + j) > 0 ? number(seed, i * made.n + j) : 0;
    if (is_stable) made.a[i * made.n + i] -= 1;
    made.b[i] = number(seed, 60 + i) > 0 ? number(seed, 65 + i) : 0;
    made.x0[i] = number(seed, 70 + i);
    made.w[i] = number(seed, 80 + i);
    value += made.w[i] * made.x0[i];
  }
  made.question.sense = value > 0 ? -1 : 1;
  if (is_on_it) made.question.constant -= value;
  made.question.slope = is_moving ? number(seed, 91) / 4 : 0;
  made.question.to = 20 * fabs(number(seed, 92));
  return made;
}

/* Two that decay slowly, and one that rings some hundred times beside them. */
static Case make_ringing(uint64_t seed) {
  Case made = {.n = 4};
  const double ring = 60 + 300 * fabs(number(seed, 1)), decay = 3 * fabs(number(seed, 2)), size = 0.05 + 0.4 * fabs(number(seed, 3));
  made.a[0] = -0.2 - fabs(number(seed, 4)), made.a[5] = -1.5 - fabs(number(seed, 5));
  made.a[10] = made.a[15] = -decay, made.a[11] = ring, made.a[14] = -ring;
  const double x0[] = {2 + fabs(number(seed, 6)), number(seed, 7), size * number(seed, 8), size * number(seed, 9)};
  for (int32_t i = 0; i < made.n; i++) made.x0[i] = x0[i], made.w[i] = 1;
  made.question = (HbgFlowQuestion){.constant = -0.1 - 0.3 * fabs(number(seed, 10)), .slope = seed % 3 ? 0 : number(seed, 11) / 10, .to = 6, .sense = -1};
  return made;
}

/* How far the guard has turned at t, and the size of its terms. */
static double turned(HbgFlow *flow, const Case *one, double t, double *size) {
  double x[5], value = one->question.constant + one->question.slope * t;
  hbg_flow_go(flow, one->x0, t, x);
  *size = fabs(one->question.constant) + fabs(one->question.slope * t);
  for (int32_t i = 0; i < one->n; i++) {
    value += one->w[i] * x[i];
    *size += fabs(one->w[i] * x[i]);
  }
  return one->question.sense * value;
}

static void no_random_guard_turns_before_the_answer(void **state) {
  (void)state;
  int crossings = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    const Case one = make_case(seed);
    HbgFlow *flow = hbg_flow(&arena, one.n, one.a, one.b);
    if (!flow) continue;
    double t, size, largest = 0;
    const HbgFlowAnswer answer = hbg_flow_first_root(hbg_flow_guard(&arena, flow, one.w), one.x0, &one.question, &t);
    const double until = answer == HBG_FLOW_NEVER ? one.question.to : t;
    for (int k = 0; k <= 100; k++) {
      const double value = turned(flow, &one, until * (k / 100.0) * (1 - 1e-9), &size);
      largest = fmax(largest, size);
      if (!(value <= 1e-12 * largest)) print_error("seed %d turns before %.17g\n", (int)seed, until);
      assert_true(value <= 1e-12 * largest);
    }
    if (answer != HBG_FLOW_CROSSES) continue;
    crossings++;
    CHECK_NEAR(turned(flow, &one, t, &size), 0, 1e-12 * fmax(size, largest));
    // and behind it the guard has turned
    double behind = -1;
    for (double step = 1e-7; step < 1e-2; step *= 10)
      behind = fmax(behind, turned(flow, &one, t + step * (1 + t), &size) / fmax(size, largest));
    assert_true(behind > 0);
  }
  assert_true(crossings > 600);
}

/* Each swing is looked at only where it may come down to zero. */
static void what_rings_little_beside_something_slow_takes_few_looks(void **state) {
  (void)state;
  const double a[] = {-1, 0, 0, 0, -100, 1e6, 0, -1e6, -100}, b[3] = {0}, w[] = {1, 1, 0};
  const HbgFlowGuard *guard = hbg_flow_guard(&arena, hbg_flow(&arena, 3, a, b), w);
  for (int k = 0; k < 5; k++) {
    const double x0[] = {1, 0.05 * k, 0.1}, level = 0.2 + 0.1 * k; // which is reached long after the last swing
    const HbgFlowQuestion question = {.constant = -level, .to = 10, .sense = -1};
    double t;
    assert_int_equal(hbg_flow_first_root(guard, x0, &question, &t), HBG_FLOW_CROSSES); // and not HBG_FLOW_LATER
    CHECK_NEAR(t, -log(level), 1e-15);
  }
}

static void no_guard_turns_in_a_swing_that_was_passed_over(void **state) {
  (void)state;
  int crossings = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    Case one = make_ringing(seed);
    HbgFlow *flow = hbg_flow(&arena, one.n, one.a, one.b);
    const HbgFlowGuard *guard = hbg_flow_guard(&arena, flow, one.w);
    double t, size;
    HbgFlowAnswer answer;
    while ((answer = hbg_flow_first_root(guard, one.x0, &one.question, &t)) == HBG_FLOW_LATER) one.question.from = t;
    const double until = answer == HBG_FLOW_NEVER ? one.question.to : t;
    crossings += answer == HBG_FLOW_CROSSES;
    for (double s = 0; s < until * (1 - 1e-9); s += 1e-3) assert_true(turned(flow, &one, s, &size) <= 1e-12);
    if (answer == HBG_FLOW_CROSSES) CHECK_NEAR(turned(flow, &one, t, &size), 0, 1e-12);
  }
  assert_true(crossings > 100);
}

/* The states stand apart then, as they do in what moves. */
static void what_is_far_at_once_never_turns(void **state) {
  (void)state;
  enum { STRIDE = 3 };
  int far = 0, never = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    Case one = make_case(seed);
    one.question.slope = 0;
    HbgFlow *flow = hbg_flow(&arena, one.n, one.a, one.b);
    if (!flow) continue;
    double t, apart[5 * STRIDE];
    for (int32_t i = 0; i < one.n; i++) apart[i * STRIDE] = one.x0[i];
    const HbgFlowGuard *guard = hbg_flow_guard(&arena, flow, one.w);
    const HbgFlowAnswer answer = hbg_flow_first_root(guard, one.x0, &one.question, &t);
    if (answer == HBG_FLOW_NEVER) never++;
    if (!hbg_flow_is_far(guard, apart, STRIDE, one.question.constant, one.question.sense, one.question.to)) continue;
    far++;
    assert_int_equal(answer, HBG_FLOW_NEVER);
    double size;
    for (int k = 0; k <= 100; k++) assert_true(turned(flow, &one, one.question.to * k / 100, &size) < 0);
  }
  assert_true(far > 50 && far < never);
}

/* ---- as far as the time is known ---- */

/* At an instant that a sine has led to, what begins there begins with a slope that is the sine's round-off. */
static void what_turns_sooner_than_the_time_can_tell_has_not_moved(void **state) {
  (void)state;
  HbgFlow *flow = second_order(100, 0, 100);
  const double slope = -100 * 1e-17, x0[] = {0, slope}, w[HBG_FLOW_STATES] = {1};
  HbgFlowGuard *guard = hbg_flow_guard(&arena, flow, w);
  double t;
  const HbgFlowQuestion question = {.to = 0.5, .sense = -1, .instant = 0.1};
  assert_int_equal(hbg_flow_first_root(guard, x0, &question, &t), HBG_FLOW_NEVER);
  const HbgFlowQuestion at_the_beginning = {.to = 0.5, .sense = -1};
  const double clear[] = {0, -1e-3};
  assert_int_equal(hbg_flow_first_root(guard, clear, &at_the_beginning, &t), HBG_FLOW_CROSSES);
  assert_int_equal(hbg_flow_first_root(guard, clear, &question, &t), HBG_FLOW_CROSSES);
}

/* A root that was found is off by a part of the last digit of the time: what the function is there is still nothing. */
static void what_the_last_digit_of_the_time_makes_of_a_value_is_nothing(void **state) {
  (void)state;
  HbgFlow *flow = second_order(100, 0, 0);
  const double x0[] = {-1e-13, 1000}, w[HBG_FLOW_STATES] = {1};
  HbgFlowGuard *guard = hbg_flow_guard(&arena, flow, w);
  double t;
  assert_int_equal(hbg_flow_first_root(guard, x0, &(HbgFlowQuestion){.to = 1, .sense = -1, .instant = 0.9}, &t), HBG_FLOW_CROSSES);
  CHECK_NEAR(t, acos(-1) / 10, 1e-12); // half a turn later
}

/* ---- what does not move ---- */

static bool rests(int32_t n, const double *a, const double *b, const double *w, const double *x0, double constant, double zero) {
  HbgFlow *flow = hbg_flow(&arena, n, a, b);
  const HbgFlowQuestion question = {.constant = constant, .to = FOREVER, .sense = 1, .zero = zero};
  return hbg_flow_rests(hbg_flow_guard(&arena, flow, w), x0, &question);
}

static void two_that_are_equal_and_move_alike_differ_by_nothing_for_good(void **state) {
  (void)state;
  const double alike[] = {-0.7, 0, 0, -0.7}, unlike[] = {-0.7, 0, 0, -0.8}, push[] = {3, 3}, uneven[] = {3, 3.001}, w[] = {1, -1};
  const double level[] = {5, 5}, round_off[] = {5, nextafter(5, 6)}, apart[] = {5, 5.001};
  assert_true(rests(2, alike, push, w, level, 0, 1e-14));
  assert_true(rests(2, alike, push, w, round_off, 0, 1e-14));
  assert_false(rests(2, alike, push, w, apart, 0, 1e-14));
  assert_false(rests(2, alike, push, w, apart, 0.001, 1e-14)); // as far as it is from zero now, it comes nearer
  assert_false(rests(2, unlike, push, w, level, 0, 1e-14));
  assert_false(rests(2, alike, uneven, w, level, 0, 1e-14));
}

/* Ten integrals on end: their last one leaves zero by the tenth power of the time. */
static void what_leaves_zero_late_does_not_stay_there(void **state) {
  (void)state;
  enum { N = 10 };
  double a[N * N] = {0}, b[N] = {1}, w[N] = {0}, x0[N] = {0};
  for (int32_t i = 1; i < N; i++) a[i * N + i - 1] = 1;
  w[N - 1] = 1;
  assert_false(rests(N, a, b, w, x0, 0, 1e-14));
  for (int32_t i = 0; i < N; i++) a[i * N + i] = -1;
  assert_false(rests(N, a, b, w, x0, 0, 1e-14));
  b[0] = 0;
  assert_true(rests(N, a, b, w, x0, 0, 1e-14));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_something_is_fast_a_root_is_where_the_flow_comes_to_be_zero),
      cmocka_unit_test(a_ball_falls_and_bounces_to_the_last_digit),
      cmocka_unit_test(a_parabola_that_only_touches_is_told_apart),
      cmocka_unit_test(what_moves_away_never_comes),
      cmocka_unit_test(zero_at_the_start_counts_where_it_leaves_for_that_side),
      cmocka_unit_test(all_roots_of_a_polynomial_come_one_after_the_other),
      cmocka_unit_test(a_fourth_derivative_alone_is_not_overlooked),
      cmocka_unit_test(a_discharge_reaches_its_threshold_to_the_last_digit),
      cmocka_unit_test(a_discharge_that_has_hardly_begun_is_as_exact),
      cmocka_unit_test(two_decays_reach_a_level_from_their_first_parabola),
      cmocka_unit_test(a_limit_is_not_passed),
      cmocka_unit_test(every_passage_of_an_oscillator_is_found),
      cmocka_unit_test(a_narrow_dip_is_not_missed),
      cmocka_unit_test(critical_damping_passes_zero_once),
      cmocka_unit_test(a_resonance_reaches_its_bound),
      cmocka_unit_test(what_moves_with_time_is_part_of_the_guard),
      cmocka_unit_test(a_tiny_flight_is_as_exact_as_a_long_one),
      cmocka_unit_test(a_flight_below_the_round_off_of_what_has_been_is_one),
      cmocka_unit_test(what_moves_alike_for_ever_never_crosses),
      cmocka_unit_test(what_dies_out_never_turns),
      cmocka_unit_test(growth_beyond_all_numbers_hides_nothing),
      cmocka_unit_test(what_has_just_become_zero_goes_on_whatever_its_round_off),
      cmocka_unit_test(a_long_search_is_done_in_parts),
      cmocka_unit_test(no_random_guard_turns_before_the_answer),
      cmocka_unit_test(what_rings_little_beside_something_slow_takes_few_looks),
      cmocka_unit_test(no_guard_turns_in_a_swing_that_was_passed_over),
      cmocka_unit_test(what_is_far_at_once_never_turns),
      cmocka_unit_test(what_turns_sooner_than_the_time_can_tell_has_not_moved),
      cmocka_unit_test(what_the_last_digit_of_the_time_makes_of_a_value_is_nothing),
      cmocka_unit_test(two_that_are_equal_and_move_alike_differ_by_nothing_for_good),
      cmocka_unit_test(what_leaves_zero_late_does_not_stay_there),
  };
  return cmocka_run_group_tests(tests, begin, end);
}

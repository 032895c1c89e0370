/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/flow.h"

#include <string.h>

#include "numerics/random.h"
#include "support/check.h"
#include "support/matrix_exponential.h"

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

/* ---- closed forms ---- */

static void a_body_in_free_flight_is_a_parabola(void **state) {
  (void)state;
  const double a[] = {0, 1, 0, 0}, b[] = {0, -9.81}, x0[] = {4, 3};
  HbgFlow *flow = hbg_flow(&arena, 2, a, b);
  double x[2];
  hbg_flow_go(flow, x0, 0.5, x);
  CHECK_NEAR(x[0], 4 + 3 * 0.5 - 9.81 / 8, 1e-15);
  CHECK_NEAR(x[1], 3 - 9.81 / 2, 1e-15);
}

/* l' = -a, where a moves by round-off only, and also with l: whatever units that is seen in, l is -a t. */
static void round_off_that_closes_a_circle_takes_nothing_from_what_it_goes_round(void **state) {
  (void)state;
  const double a[] = {-5.5e-17, -5.5e-17, 3.4e-32, -1.0 / 3, -1.0 / 3, 3.4e-32, -1, 0, 0}, b[] = {0, 0, 0}, x0[] = {-1, -1, 0};
  HbgFlow *flow = hbg_flow(&arena, 3, a, b);
  double x[3];
  if (!flow) return;  // steps are right, too
  hbg_flow_go(flow, x0, 1, x);
  CHECK_NEAR(x[2], 1, 1e-12);
}

/* x' = v with v' = -k v - g, over times from far shorter to far longer than 1/k. */
static void a_body_with_light_drag_loses_no_digits_in_short_flights(void **state) {
  (void)state;
  const long double k = 0.01L, g = 9.81L;
  const double a[] = {0, 1, 0, -0.01}, b[] = {0, -9.81}, x0[] = {0, 1};
  HbgFlow *flow = hbg_flow(&arena, 2, a, b);
  for (double h = 1e-9; h < 1e6; h *= 10) {
    double x[2];
    hbg_flow_go(flow, x0, h, x);
    const long double left = -expm1l(-k * h);
    CHECK_NEAR(x[1], (double)(1 - (1 + g / k) * left), h < 20 ? 4e-16 * (1 + 10 * h) : 1e-12);
    if (h > 20) continue;
    long double position = 0, term = h;  // the series of (1 + g/k) left / k - g h / k
    for (int i = 1; i < 40; i++, term *= -k * h / i) position += i == 1 ? h : term * (1 + g / k);
    CHECK_CLOSE(x[0], (double)position, 1e-15);
  }
}

static void a_critically_damped_oscillator_is_exact(void **state) {
  (void)state;
  const double a[] = {0, 1, -1, -2}, b[] = {0, 0}, x0[] = {1, 2};
  HbgFlow *flow = hbg_flow(&arena, 2, a, b);
  for (double h = 0.1; h < 600; h *= 1.7) {
    double x[2];
    hbg_flow_go(flow, x0, h, x);
    CHECK_CLOSE(x[0], exp(-h) * (1 + 3 * h), 1e-15 * (1 + h));
  }
}

/* Damping on both sides of the critical one, nearer and nearer: the difference of the roots is 2 sqrt(epsilon). */
static void nearly_critical_damping_loses_no_digits(void **state) {
  (void)state;
  for (double epsilon = 1e-3; epsilon > 1e-17; epsilon /= 10)
    for (int side = -1; side <= 1; side += 2) {
      const double a[] = {-1, 1, side * epsilon, -1}, b[] = {0, 0}, x0[] = {1, 2};
      HbgFlow *flow = hbg_flow(&arena, 2, a, b);
      assert_non_null(flow);
      for (double h = 0.3; h < 40; h *= 2) {
        double x[2];
        hbg_flow_go(flow, x0, h, x);
        const double d = sqrt(epsilon), s = side > 0 ? sinh(d * h) / d : sin(d * h) / d,
                     c = side > 0 ? cosh(d * h) : cos(d * h);
        CHECK_NEAR(x[0], exp(-h) * (c + 2 * s), 1e-15 * exp(-h) * (1 + h) * (1 + h) * fabs(c));
        CHECK_NEAR(x[1], exp(-h) * (2 * c + side * epsilon * s), 1e-15 * exp(-h) * (1 + h) * (1 + h) * fabs(c));
      }
    }
}

/* The driving oscillator is part of the state. */
static void resonance_grows_as_it_should(void **state) {
  (void)state;
  const double a[] = {0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0}, b[4] = {0}, x0[] = {0, 0, 0, 1};
  HbgFlow *flow = hbg_flow(&arena, 4, a, b);
  for (double h = 0.01; h < 1e4; h *= 3) {
    double x[4];
    hbg_flow_go(flow, x0, h, x);
    CHECK_NEAR(x[0], (sin(h) - h * cos(h)) / 2, 1e-15 * (1 + h * h));
  }
}

static void a_drive_next_to_resonance_beats(void **state) {
  (void)state;
  for (double apart = 1e-2; apart > 1e-12; apart /= 10) {
    const double w = 1 + apart, square = w * w;
    const double a[] = {0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, -square, 0}, b[4] = {0}, x0[] = {0, 0, 0, 1};
    HbgFlow *flow = hbg_flow(&arena, 4, a, b);
    assert_non_null(flow);
    for (double h = 0.1; h < 300; h *= 3) {
      double x[4], second[4];
      hbg_flow_go(flow, x0, h, x);
      follow_by_exponential(4, a, b, x0, h, second);
      for (int i = 0; i < 4; i++) CHECK_NEAR(x[i], second[i], 2e-14 * (1 + h));
    }
  }
}

static void three_equal_lags_in_a_row_are_exact(void **state) {
  (void)state;
  const double a[] = {-1, 0, 0, 1, -1, 0, 0, 1, -1}, b[] = {1, 0, 0}, x0[] = {0, 0, 0};
  HbgFlow *flow = hbg_flow(&arena, 3, a, b);
  for (double h = 0.3; h < 500; h *= 2) {
    double x[3];
    hbg_flow_go(flow, x0, h, x);
    CHECK_NEAR(x[2], 1 - exp(-h) * (1 + h + h * h / 2), 1e-15);
  }
}

/* Two bodies and a spring, pulled: momentum drifts, the spring oscillates; the zero eigenvalue is none by structure. */
static void a_drift_beside_an_oscillation_is_exact(void **state) {
  (void)state;
  const double a[] = {0, 0, -3, 0, 0, 3, 1, -0.5, 0}, b[] = {-1, -2, 0}, x0[] = {1, 2, 3};
  HbgFlow *flow = hbg_flow(&arena, 3, a, b);
  for (double h = 0.1; h < 1e6; h *= 3) {
    double x[3];
    hbg_flow_go(flow, x0, h, x);
    CHECK_NEAR(x[0] + x[1], 3 - 3 * h, 1e-15 * (10 + h));
  }
}

static void a_converter_in_its_units_is_exact(void **state) {
  (void)state;
  const double l = 47e-6, c = 47e-6, r = 20, volts = 12;
  const double a[] = {0, -1 / l, 1 / c, -1 / (r * c)}, b[] = {volts / l, 0}, x0[] = {1.9, 24};
  HbgFlow *flow = hbg_flow(&arena, 2, a, b);
  const double rate = 1 / (2 * r * c), w = sqrt(1 / (l * c) - rate * rate);
  for (double h = 1e-9; h < 1; h *= 4) {
    double x[2];
    hbg_flow_go(flow, x0, h, x);
    const double q = x0[0] - volts / r, s = ((volts - x0[1]) / l + rate * q) / w;
    CHECK_NEAR(x[0], volts / r + exp(-rate * h) * (q * cos(w * h) + s * sin(w * h)), 1e-13);
  }
}

static void what_decays_ends_in_its_steady_state(void **state) {
  (void)state;
  const double a[] = {-2, 1, 1, -3}, b[] = {1, 2}, x0[] = {1e3, -5};
  HbgFlow *flow = hbg_flow(&arena, 2, a, b);
  double x[2];
  hbg_flow_go(flow, x0, 1e12, x);
  CHECK_CLOSE(x[0], 1, 1e-15);
  CHECK_CLOSE(x[1], 1, 1e-15);
}

/* ---- what is fast beside what is slow ---- */

enum { FAST = 1 << 30, SLOW = 512, DRIVE = 256 };

/* x = T z, T = [1 1; 1 2], z' = (-FAST, -SLOW) z + (1, 3) sin(DRIVE t): every number of A is a whole one. Behind x stand sin and cos. */
static const double STIFF[] = {-2.0 * FAST + SLOW, FAST - SLOW, 4, 0, -2.0 * FAST + 2 * SLOW, FAST - 2 * SLOW, 7, 0, 0, 0, 0, DRIVE, 0, 0, -DRIVE, 0};
static const double STIFF_PUSH[4] = {0};

/* z of one eigenvalue, which `push` sin(DRIVE t) drives, from z0 at 0. */
static long double driven(long double rate, long double push, long double z0, long double t) {
  const long double all = rate * rate + (long double)DRIVE * DRIVE;
  const long double steady = push * (rate * sinl(DRIVE * t) - DRIVE * cosl(DRIVE * t)) / all;
  return steady + (z0 + push * DRIVE / all) * expl(-rate * t);
}

static void what_is_driven_and_a_million_times_slower_than_what_is_fast_beside_it_keeps_its_digits(void **state) {
  (void)state;
  HbgFlow *flow = hbg_flow(&arena, 4, STIFF, STIFF_PUSH);
  assert_non_null(flow);
  const double x0[] = {5, 7, 0, 1};  // z = (3, 2)
  for (double h = 1e-11; h < 1; h *= 3) {
    double x[4];
    hbg_flow_go(flow, x0, h, x);
    const long double fast = driven(FAST, 1, 3, (long double)h), slow = driven(SLOW, 3, 2, (long double)h);
    CHECK_NEAR(x[0], (double)(fast + slow), 4e-15);
    CHECK_NEAR(x[1], (double)(fast + 2 * slow), 4e-15);
  }
}

/* What `driven` adds up to. */
static long double driven_so_far(long double rate, long double push, long double z0, long double t) {
  const long double all = rate * rate + (long double)DRIVE * DRIVE, sine = sinl(DRIVE * t), half = sinl(DRIVE * t / 2);
  const long double steady = push * (2 * rate * half * half / DRIVE - sine) / all;
  return steady - (z0 + push * DRIVE / all) * expm1l(-rate * t) / rate;
}

/* As a capacitor that a chain of others fills, in a multiplier of voltages. */
static void what_adds_up_the_slow_keeps_its_digits_as_well(void **state) {
  (void)state;
  enum { N = 5, GAIN = 128 };
  double a[N * N] = {0}, b[N] = {0};
  for (int row = 0; row < N - 1; row++) memcpy(&a[row * N], &STIFF[row * (N - 1)], (N - 1) * sizeof *a);
  a[(N - 1) * N] = -GAIN, a[(N - 1) * N + 1] = GAIN; // 128 (x[1] - x[0]), in which there is only the slow z
  HbgFlow *flow = hbg_flow(&arena, N, a, b);
  assert_non_null(flow);
  const double x0[] = {5, 7, 0, 1, 0.25}; // z = (3, 2)
  for (double h = 1e-11; h < 1; h *= 3) {
    double x[N];
    hbg_flow_go(flow, x0, h, x);
    const long double fast = driven(FAST, 1, 3, (long double)h), slow = driven(SLOW, 3, 2, (long double)h);
    CHECK_NEAR(x[0], (double)(fast + slow), 4e-15);
    CHECK_NEAR(x[1], (double)(fast + 2 * slow), 4e-15);
    CHECK_NEAR(x[4], (double)(0.25L + GAIN * driven_so_far(SLOW, 3, 2, (long double)h)), 4e-16);
  }
}

static void going_in_two_parts_is_going_at_once_where_something_is_fast(void **state) {
  (void)state;
  HbgFlow *flow = hbg_flow(&arena, 4, STIFF, STIFF_PUSH);
  const double x0[] = {5, 7, 0, 1}, h = 0x1p-8;
  double once[4], twice[4];
  hbg_flow_go(flow, x0, h, once);
  for (double part = 0x1p-24; part < h; part *= 2) {
    hbg_flow_go(flow, x0, part, twice);
    hbg_flow_go(flow, twice, h - part, twice);
    for (int i = 0; i < 4; i++) CHECK_NEAR(twice[i], once[i], 1e-15);
  }
}

/* An error of A shifts the slow eigenvalue by that of the fast one, which matters for 1 / SLOW only. */
static void round_off_in_what_is_fast_matters_as_long_as_the_slow_is_remembered(void **state) {
  (void)state;
  const double decays[] = {-2.0 * FAST + SLOW, FAST - SLOW, -2.0 * FAST + 2 * SLOW, FAST - 2 * SLOW}, push[] = {0, 0};
  const HbgFlow *flow = hbg_flow(&arena, 2, decays, push);
  const double lasts = hbg_flow_amplifies(flow, 1e6) / (FAST / SLOW);
  assert_true(lasts > 0.5 && lasts < 8);
  CHECK_CLOSE(hbg_flow_amplifies(flow, 1e-6) * 1e2, hbg_flow_amplifies(flow, 1e-4), 1e-12);
  const double stays[] = {-FAST, FAST, FAST, -FAST};  // the sum is never forgotten
  const double grows = hbg_flow_amplifies(hbg_flow(&arena, 2, stays, push), 1e6) / (FAST * 1e6);
  assert_true(grows > 0.5 && grows < 8);
  const double apart[] = {-FAST, 0, 1, -SLOW};  // what is alone is as precise as its number
  CHECK_CLOSE(hbg_flow_amplifies(hbg_flow(&arena, 2, apart, push), 1e6), 1, 1e-15);
}

/* ---- what it refuses ---- */

static void numbers_that_are_not_finite_have_no_flow(void **state) {
  (void)state;
  const double bad = (double)NAN, good = 1;
  assert_null(hbg_flow(&arena, 1, &bad, &good));
  assert_null(hbg_flow(&arena, 1, &good, &bad));
}

/* The companion matrix of (s + 1)^3: three eigenvalues that only nearly coincide in the last digits. */
static void three_eigenvalues_that_nearly_coincide_are_left_to_the_integrator(void **state) {
  (void)state;
  const double a[] = {0, 1, 0, 0, 0, 1, -1, -3, -3}, b[3] = {0};
  assert_null(hbg_flow(&arena, 3, a, b));
}

/* ---- all kinds of systems ---- */

static double number(uint64_t seed, int32_t i) {
  return 2 * hbg_random_uniform((HbgRandomPlace){seed, 0, (uint64_t)i}) - 1;
}

enum { SPREAD = 1, NILPOTENT, SKEW, KINDS };

/* A system of `n` states, a third of whose entries are zero. */
static void make_system(uint64_t seed, int32_t n, double *a, double *b, double *x0) {
  const int kind = (int)(seed % KINDS);
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      const double value = number(seed, i * n + j), size = kind == SPREAD ? exp(2 * number(seed, 500 + i * n + j)) : 1;
      a[i * n + j] = number(seed, 200 + i * n + j) > -0.3 ? value * size : 0;
    }
    b[i] = number(seed, 400 + i) > 0 ? number(seed, 420 + i) : 0;
    x0[i] = number(seed, 440 + i);
  }
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j <= i; j++)
      if (kind == NILPOTENT)
        a[i * n + j] = 0;
      else if (kind == SKEW)
        a[i * n + j] = i == j ? 0 : -a[j * n + i];
}

static void random_systems_agree_with_the_squared_exponential(void **state) {
  (void)state;
  int made = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    const int32_t n = 1 + (int32_t)(seed / KINDS % 5);
    double a[25], b[5], x0[5];
    make_system(seed, n, a, b, x0);
    HbgFlow *flow = hbg_flow(&arena, n, a, b);
    if (!flow) continue;
    made++;
    for (double h = 10; h > 1e-6; h /= 7) {
      double x[5], second[5], size = 1;
      hbg_flow_go(flow, x0, h, x);
      follow_by_exponential(n, a, b, x0, h, second);
      for (int32_t i = 0; i < n; i++) size = fmax(size, fabs(second[i]));
      for (int32_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - second[i]) <= 3e-13 * size)) print_error("seed %d, h %g\n", (int)seed, h);
        CHECK_NEAR(x[i], second[i], 3e-13 * size);
      }
    }
  }
  assert_true(made > 590);
}

static void a_time_that_comes_again_gives_the_same(void **state) {
  (void)state;
  double a[25], b[5], x0[5], first[5], again[5];
  for (uint64_t seed = 0; seed < 40; seed++) {
    make_system(seed, 5, a, b, x0);
    HbgFlow *flow = hbg_flow(&arena, 5, a, b);
    if (!flow) continue;
    for (double h = 1e-3; h < 4; h *= 30) {
      hbg_flow_go(flow, x0, h, first);
      for (int round = 0; round < 3; round++) {
        hbg_flow_go(flow, x0, h, again);
        for (int i = 0; i < 5; i++) CHECK_NEAR(again[i], first[i], 1e-13 * (1 + fabs(first[i])));
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_in_free_flight_is_a_parabola),
      cmocka_unit_test(round_off_that_closes_a_circle_takes_nothing_from_what_it_goes_round),
      cmocka_unit_test(a_body_with_light_drag_loses_no_digits_in_short_flights),
      cmocka_unit_test(a_critically_damped_oscillator_is_exact),
      cmocka_unit_test(nearly_critical_damping_loses_no_digits),
      cmocka_unit_test(resonance_grows_as_it_should),
      cmocka_unit_test(a_drive_next_to_resonance_beats),
      cmocka_unit_test(three_equal_lags_in_a_row_are_exact),
      cmocka_unit_test(a_drift_beside_an_oscillation_is_exact),
      cmocka_unit_test(a_converter_in_its_units_is_exact),
      cmocka_unit_test(what_decays_ends_in_its_steady_state),
      cmocka_unit_test(what_is_driven_and_a_million_times_slower_than_what_is_fast_beside_it_keeps_its_digits),
      cmocka_unit_test(what_adds_up_the_slow_keeps_its_digits_as_well),
      cmocka_unit_test(going_in_two_parts_is_going_at_once_where_something_is_fast),
      cmocka_unit_test(round_off_in_what_is_fast_matters_as_long_as_the_slow_is_remembered),
      cmocka_unit_test(numbers_that_are_not_finite_have_no_flow),
      cmocka_unit_test(three_eigenvalues_that_nearly_coincide_are_left_to_the_integrator),
      cmocka_unit_test(random_systems_agree_with_the_squared_exponential),
      cmocka_unit_test(a_time_that_comes_again_gives_the_same),
  };
  return cmocka_run_group_tests(tests, begin, end);
}

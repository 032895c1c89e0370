/* SPDX-License-Identifier: BSD-3-Clause
 * Flows of one matrix under many drives, out of what they have in common: each is held against the squared exponential, and against the flow that is made for it alone. */
#include "numerics/flow.h"

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

static double number(uint64_t seed, int32_t i) {
  return 2 * hbg_random_uniform((HbgRandomPlace){seed, 0, (uint64_t)i}) - 1;
}

/* How far x is from the second way, relative to the largest of its numbers. */
static double distance(int32_t n, const double *x, const double *second) {
  double size = 1, most = 0;
  for (int32_t i = 0; i < n; i++) size = fmax(size, fabs(second[i]));
  for (int32_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - second[i]));
  return most / size;
}

/* Drives of few and of all states, and none. */
static void make_drive(uint64_t seed, int32_t n, double *b) {
  for (int32_t i = 0; i < n; i++) b[i] = seed % 3 == 0 || number(seed, 420 + i) > 0.3 ? number(seed, 440 + i) : 0;
  if (seed % 7 == 0)
    for (int32_t i = 0; i < n; i++) b[i] = 0;
}

/* All drives of A against the second way; how many have been compared. */
static int compare(uint64_t seed, int32_t n, const double *a, double tolerance) {
  const HbgFlowBase *base = hbg_flow_base(&arena, n, a);
  int compared = 0;
  for (uint64_t drive = 0; base && drive < 8; drive++) {
    double b[12], x0[12], x[12], second[12];
    make_drive(8 * seed + drive, n, b);
    for (int32_t i = 0; i < n; i++) x0[i] = number(8 * seed + drive, 460 + i);
    HbgFlow *flow = hbg_flow_driven(&arena, base, b);
    assert_non_null(flow);
    for (double h = 10; h > 1e-6; h /= 7) {
      hbg_flow_go(flow, x0, h, x);
      follow_by_exponential(n, a, b, x0, h, second);
      if (!(distance(n, x, second) <= tolerance)) print_error("seed %d, drive %d, n %d, h %g\n", (int)seed, (int)drive, (int)n, h);
      CHECK_NEAR(distance(n, x, second), 0, tolerance);
      compared++;
    }
  }
  return compared;
}

static void random_matrices_agree_with_the_squared_exponential_for_each_drive(void **state) {
  (void)state;
  int compared = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    const int32_t n = 1 + (int32_t)(seed % 7);
    double a[49];
    for (int32_t i = 0; i < n * n; i++) a[i] = number(seed, i) > -0.3 ? number(seed, 100 + i) * (seed % 4 == 1 ? exp(2 * number(seed, 200 + i)) : 1) : 0;
    for (int32_t i = 0; i < n; i++)
      for (int32_t j = 0; j <= i && seed % 4 == 2; j++) a[i * n + j] = i == j ? 0 : -a[j * n + i]; // oscillations, and zero where n is odd
    compared += compare(seed, n, a, 1e-12);
  }
  assert_true(compared > 19000);
}

/* Tanks in a row with outflows, as pumps with clocks of their own fill them: what this is for. */
static void tanks_in_a_row_agree_for_each_drive(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 40; seed++) {
    const int32_t n = 2 + (int32_t)(seed % 11);
    double a[144] = {0};
    for (int32_t i = 0; i < n; i++) {
      a[i * n + i] -= seed % 3 ? 0.1 * (1 + number(seed, i)) : 0; // without outflows what is in all of them stays
      if (i + 1 == n) continue;
      const double pipe = 1.5 + number(seed, 50 + i);
      a[i * n + i] -= pipe, a[i * n + i + 1] += pipe, a[(i + 1) * n + i + 1] -= pipe, a[(i + 1) * n + i] += pipe;
    }
    assert_true(compare(seed, n, a, 1e-12) > 0);
  }
}

/* What is driven and decays far slower than what is fast beside it: x' = -k x + b, y' = -y + x. */
static void slow_states_keep_their_digits_whatever_drives_them(void **state) {
  (void)state;
  int made = 0;
  for (double k = 1e-7; k < 1; k *= 10) {
    const double a[] = {-k, 0, 1, -1}, x0[] = {0.5, -1};
    const HbgFlowBase *base = hbg_flow_base(&arena, 2, a);
    for (int drive = 0; base && drive < 3; drive++) {
      const double b[] = {drive ? 1 : 0, drive == 2 ? -3 : 0};
      HbgFlow *flow = hbg_flow_driven(&arena, base, b);
      for (double h = 0.1; h < 100; h *= 3) {
        double x[2];
        hbg_flow_go(flow, x0, h, x);
        const long double exact = 0.5L * expl(-(long double)k * (long double)h) - (long double)b[0] * expm1l(-(long double)k * (long double)h) / (long double)k;
        CHECK_NEAR(x[0], (double)exact, 2e-15 * (1 + fabs((double)exact)));
        made++;
      }
    }
  }
  assert_true(made > 100);
}

/* Two equal lags, two that nearly coincide, and an oscillation that is nearly critical. */
static void modes_that_coincide_agree_for_each_drive(void **state) {
  (void)state;
  const double lags[] = {-1, 0, 1, -1}, near[] = {-1, 0, 1, -1.0000001}, critical[] = {0, 1, -1, -1.9999999}, sum[] = {-1, 0, 0, 1, -1, 0, 0, 1, 0};
  assert_true(compare(1, 2, lags, 1e-14) > 0);
  assert_true(compare(2, 2, near, 1e-14) > 0);
  assert_true(compare(3, 2, critical, 1e-14) > 0);
  assert_true(compare(4, 3, sum, 1e-14) > 0); // what the second lag adds up to
}

/* A block between two springs: what both are stretched by differs by what it did at first, unless they are driven apart. Two bodies with one drag: their distance. */
static void what_stays_adds_up_only_where_it_is_driven(void **state) {
  (void)state;
  const double springs[] = {-0.05, -0.5, -1, 1, 0, 0, 1, 0, 0}, bodies[] = {-1, 1, 0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
  assert_true(compare(5, 3, springs, 1e-13) > 0);
  assert_true(compare(6, 4, bodies, 1e-13) > 0);
}

static void it_is_the_flow_that_is_made_for_the_drive_alone(void **state) {
  (void)state;
  const double a[] = {-1, 0.5, 0, 0.5, -1.2, 0.3, 0, 0.3, -0.4}, b[] = {0, 2, -1}, x0[] = {1, 2, 3};
  HbgFlow *alone = hbg_flow(&arena, 3, a, b), *driven = hbg_flow_driven(&arena, hbg_flow_base(&arena, 3, a), b);
  for (double h = 1e-3; h < 1e3; h *= 2) {
    double x[3], y[3];
    hbg_flow_go(alone, x0, h, x);
    hbg_flow_go(driven, x0, h, y);
    for (int i = 0; i < 3; i++) CHECK_NEAR(x[i], y[i], 1e-14 * (1 + fabs(x[i])));
  }
}

static void what_is_no_number_has_neither(void **state) {
  (void)state;
  const double a[] = {-1, NAN, 0, 1}, free_flight[] = {0, 1, 0, 0}, fine[] = {-1, 0, 0, -2}, b[] = {0, INFINITY};
  assert_null(hbg_flow_base(&arena, 2, a));
  assert_null(hbg_flow_base(&arena, 2, free_flight));
  assert_null(hbg_flow_driven(&arena, hbg_flow_base(&arena, 2, fine), b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_flow_that_is_made_for_the_drive_alone),
      cmocka_unit_test(random_matrices_agree_with_the_squared_exponential_for_each_drive),
      cmocka_unit_test(tanks_in_a_row_agree_for_each_drive),
      cmocka_unit_test(slow_states_keep_their_digits_whatever_drives_them),
      cmocka_unit_test(what_stays_adds_up_only_where_it_is_driven),
      cmocka_unit_test(modes_that_coincide_agree_for_each_drive),
      cmocka_unit_test(what_is_no_number_has_neither),
  };
  return cmocka_run_group_tests(tests, begin, end);
}

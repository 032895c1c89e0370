/* SPDX-License-Identifier: BSD-3-Clause
 * Points of a line, as many as can be seen. */
#include "support/check.h"
#include "support/one_arena.h"

#include <stdbool.h>

#include "results/trace.h"

static bool has_point(const HbgTrace *trace, double x, double y) {
  for (int32_t i = 0; i < trace->count; i++)
    if (trace->points[i].x == x && trace->points[i].y == y) return true;
  return false;
}

static void few_points_stay_as_they_are(void **state) {
  (void)state;
  HbgTrace trace = hbg_trace(&arena);
  for (int i = 0; i < 10; i++) hbg_trace_add(&trace, i, i * i);
  hbg_trace_end(&trace);
  assert_int_equal(trace.count, 10);
  for (int i = 0; i < 10; i++) assert_true(has_point(&trace, i, i * i));
}

static void a_million_points_become_thousands_and_no_extreme_is_lost(void **state) {
  (void)state;
  HbgTrace trace = hbg_trace(&arena);
  enum { COUNT = 1000000, PEAK = 456789, PIT = 456790 };
  const double width = 500.0;
  for (int i = 0; i < COUNT; i++)
    hbg_trace_add(&trace, width * i / COUNT, i == PEAK ? 1000.0 : i == PIT ? -1000.0 : sin(i));
  hbg_trace_end(&trace);
  assert_true(trace.count <= 4 * 4 * 500 + 4);
  assert_true(has_point(&trace, width * PEAK / COUNT, 1000.0));
  assert_true(has_point(&trace, width * PIT / COUNT, -1000.0));
  for (int32_t i = 1; i < trace.count; i++) assert_true(trace.points[i].x >= trace.points[i - 1].x);
}

static void in_every_column_the_lowest_and_highest_remain_in_any_order(void **state) {
  (void)state;
  uint32_t seed = 7;
  for (int round = 0; round < 1000; round++) {
    HbgTrace trace = hbg_trace(&arena);
    double least = HUGE_VAL, most = -HUGE_VAL, first = 0, last = 0;
    for (int i = 0; i < 12; i++) {
      seed = seed * 1664525u + 1013904223u;
      const double y = seed >> 8;
      hbg_trace_add(&trace, 3.0 + 0.01 * i, y);
      least = fmin(least, y);
      most = fmax(most, y);
      if (i == 0) first = y;
      last = y;
    }
    hbg_trace_end(&trace);
    assert_int_equal(trace.count, 4);
    double found_least = HUGE_VAL, found_most = -HUGE_VAL;
    for (int32_t i = 0; i < 4; i++) {
      found_least = fmin(found_least, trace.points[i].y);
      found_most = fmax(found_most, trace.points[i].y);
    }
    CHECK_NEAR(found_least, least, 0.0);
    CHECK_NEAR(found_most, most, 0.0);
    CHECK_NEAR(trace.points[0].y, first, 0.0);
    CHECK_NEAR(trace.points[3].y, last, 0.0);
  }
}

static void a_lift_is_one_gap_and_none_stands_at_the_ends(void **state) {
  (void)state;
  HbgTrace trace = hbg_trace(&arena);
  hbg_trace_lift(&trace);
  hbg_trace_add(&trace, 0, 0);
  hbg_trace_lift(&trace);
  hbg_trace_lift(&trace);
  hbg_trace_add(&trace, 1, 0);
  hbg_trace_lift(&trace);
  hbg_trace_end(&trace);
  assert_int_equal(trace.count, 3);
  assert_true(isnan(trace.points[1].x));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_points_stay_as_they_are),
      cmocka_unit_test(a_million_points_become_thousands_and_no_extreme_is_lost),
      cmocka_unit_test(in_every_column_the_lowest_and_highest_remain_in_any_order),
      cmocka_unit_test(a_lift_is_one_gap_and_none_stands_at_the_ends),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Curves: jumps, gaps, events, and as many points as can be seen. */
#include "support/drawn.h"

static void a_jump_is_two_ends_with_a_gap_between_them(void **state) {
  (void)state;
  const HbgRecord record = jumping();
  draw_well(&record);
  const HbgShape *curve = shape(HBG_ROLE_CURVE, 0);
  assert_int_equal(count(HBG_ROLE_CURVE), 1);
  assert_int_equal(curve->point_count, 5);
  CHECK_NEAR(curve->points[1].x, across(1), 1e-9);
  CHECK_NEAR(curve->points[1].y, down(1), 1e-9);
  assert_true(isnan(curve->points[2].x));
  CHECK_NEAR(curve->points[3].x, across(1), 1e-9);
  CHECK_NEAR(curve->points[3].y, down(2), 1e-9);
  check_at(shape(HBG_ROLE_BEFORE, 0), 1, 1);
  check_at(shape(HBG_ROLE_AFTER, 0), 1, 2);
  assert_true(hbg_paint_is_broken(&shape(HBG_ROLE_JUMP, 0)->paint));
}

static void a_pinnacle_is_a_diamond_at_its_value(void **state) {
  (void)state;
  const HbgRecord record = jumping();
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_PINNACLE), 1);
  check_at(shape(HBG_ROLE_PINNACLE, 0), 1, 3);
  assert_int_equal(shape(HBG_ROLE_PINNACLE, 0)->form, HBG_MARK_DIAMOND);
}

static void rows_of_one_time_and_one_value_are_no_jump(void **state) {
  (void)state;
  const double times[] = {0, 1, 1, 2}, values[] = {1, 2, 2, 3};
  const HbgRecord record = one_column("x", NULL, HBG_COLUMN_NUMBER, times, values, 4);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_JUMP) + count(HBG_ROLE_BEFORE) + count(HBG_ROLE_AFTER) + count(HBG_ROLE_PINNACLE), 0);
}

static void what_is_no_number_is_a_gap(void **state) {
  (void)state;
  const double times[] = {0, 0.5, 1, 1.5, 2}, values[] = {1, 1, (double)NAN, HUGE_VAL, 3};
  const HbgRecord record = one_column("x", NULL, HBG_COLUMN_NUMBER, times, values, 5);
  draw_well(&record);
  const HbgShape *curve = shape(HBG_ROLE_CURVE, 0);
  assert_int_equal(curve->point_count, 4);
  assert_true(isnan(curve->points[2].x));
  // the last one stands alone
  check_at(shape(HBG_ROLE_SAMPLE, 0), 2, 3);
  check_sound();
}

static void an_end_that_is_no_number_has_no_mark(void **state) {
  (void)state;
  const double times[] = {0, 1, 1, 1, 2}, values[] = {1, (double)NAN, 1, 3, 3};
  const HbgRecord record = one_column("x", NULL, HBG_COLUMN_NUMBER, times, values, 5);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_BEFORE), 0);
  check_at(shape(HBG_ROLE_AFTER, 0), 1, 3);
  check_sound();
}

static void of_events_alone_nothing_is_drawn_between_them(void **state) {
  (void)state;
  HbgRecord record = jumping();
  record.is_sparse = true;
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_CURVE), 0);
  check_at(shape(HBG_ROLE_SAMPLE, 0), 0, 1);
  check_at(shape(HBG_ROLE_BEFORE, 0), 1, 1);
  check_at(shape(HBG_ROLE_AFTER, 0), 1, 2);
}

static void a_million_rows_keep_their_peak_in_few_points(void **state) {
  (void)state;
  enum { COUNT = 1000000, PEAK = 700001 };
  HbgRecord record = hbg_record(&arena, "run", 1);
  hbg_series_name(&arena, &record.series[0], HBG_COLUMN_NUMBER, "x", NULL);
  for (int i = 0; i < COUNT; i++) {
    const double value = i == PEAK ? 3.0 : 1.0 + 0.5 * sin(i);
    hbg_record_add_row(&record, 2.0 * i / (COUNT - 1), &value);
  }
  draw_well(&record);
  const HbgShape *curve = shape(HBG_ROLE_CURVE, 0);
  assert_true(curve->point_count < 4 * 4 * 640);
  double highest = HUGE_VAL, place = 0;
  for (int32_t i = 0; i < curve->point_count; i++)
    if (curve->points[i].y < highest) {
      highest = curve->points[i].y;
      place = curve->points[i].x;
    }
  CHECK_NEAR(highest, down(3), 1e-6);
  CHECK_NEAR(place, across(2.0 * PEAK / (COUNT - 1)), 1e-3);
}

static void thousands_of_jumps_are_no_thousands_of_marks(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
    HbgRecord record = hbg_record(&arena, "run", 1);
    hbg_series_name(&arena, &record.series[0], HBG_COLUMN_NUMBER, "x", NULL);
    for (int i = 0; i < COUNT; i++) {
      const double time = 2.0 * (i / 2) / COUNT, value = (i + 1) / 2 % 2;
      hbg_record_add_row(&record, time, &value);
    }
    record.is_sparse = is_sparse;
    draw_well(&record);
    assert_true(drawing.shape_count < 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(a_jump_is_two_ends_with_a_gap_between_them),   CLAIM(a_pinnacle_is_a_diamond_at_its_value),
      CLAIM(rows_of_one_time_and_one_value_are_no_jump),   CLAIM(what_is_no_number_is_a_gap),
      CLAIM(an_end_that_is_no_number_has_no_mark),         CLAIM(of_events_alone_nothing_is_drawn_between_them),
      CLAIM(a_million_rows_keep_their_peak_in_few_points), CLAIM(thousands_of_jumps_are_no_thousands_of_marks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

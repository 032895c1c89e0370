/* SPDX-License-Identifier: BSD-3-Clause
 * What was recorded over time. */
#include "support/check.h"
#include "support/one_arena.h"

#include "results/record.h"

/* x = 2 t at 0, 1, 2, 3; a junction that is on from 1 on, with both sides of that instant. */
static HbgRecord sample(void) {
  HbgRecord record = hbg_record(&arena, "sample", 2);
  hbg_series_name(&arena, &record.series[0], HBG_COLUMN_NUMBER, "x", "m");
  hbg_series_name(&arena, &record.series[1], HBG_COLUMN_JUNCTION, "contact", NULL);
  const double rows[][3] = {{0, 0, 0}, {1, 2, 0}, {1, 2, 1}, {2, 4, 1}, {3, 6, 1}};
  for (int i = 0; i < 5; i++) hbg_record_add_row(&record, rows[i][0], &rows[i][1]);
  return record;
}

static void a_window_ends_with_values_on_the_line_between_rows(void **state) {
  (void)state;
  const HbgRecord record = sample();
  const HbgRecord window = hbg_record_window(&record, 0.5, 2.25);
  assert_int_equal(window.row_count, 5);
  CHECK_NEAR(window.times[0], 0.5, 0.0);
  CHECK_NEAR(window.series[0].values[0], 1.0, 1e-15);
  CHECK_NEAR(window.times[4], 2.25, 0.0);
  CHECK_NEAR(window.series[0].values[4], 4.5, 1e-15);
  CHECK_NEAR(window.series[1].values[0], 0.0, 0.0);
  CHECK_NEAR(window.series[1].values[4], 1.0, 0.0);
}

static void a_window_keeps_both_sides_of_an_instant_at_its_ends(void **state) {
  (void)state;
  const HbgRecord record = sample();
  assert_int_equal(hbg_record_window(&record, 1.0, 1.0).row_count, 2);
  assert_int_equal(hbg_record_window(&record, 0.0, 1.0).row_count, 3);
}

static void a_window_between_two_rows_has_its_ends(void **state) {
  (void)state;
  const HbgRecord record = sample();
  const HbgRecord window = hbg_record_window(&record, 2.25, 2.75);
  assert_int_equal(window.row_count, 2);
  CHECK_NEAR(window.series[0].values[0], 4.5, 1e-15);
  CHECK_NEAR(window.series[0].values[1], 5.5, 1e-15);
}

static void between_events_alone_only_what_is_switched_is_known(void **state) {
  (void)state;
  HbgRecord record = sample();
  record.is_sparse = true;
  const HbgRecord window = hbg_record_window(&record, 1.5, 2.5);
  assert_int_equal(window.row_count, 3);
  assert_true(isnan(window.series[0].values[0]) && isnan(window.series[0].values[2]));
  CHECK_NEAR(window.series[0].values[1], 4.0, 0.0);
  CHECK_NEAR(window.series[1].values[0], 1.0, 0.0);
}

static void a_window_beside_the_rows_is_empty(void **state) {
  (void)state;
  const HbgRecord record = sample();
  assert_int_equal(hbg_record_window(&record, 4.0, 5.0).row_count, 0);
  assert_int_equal(hbg_record_window(&record, -2.0, -1.0).row_count, 0);
}

static void labels_are_numbered_as_they_come(void **state) {
  (void)state;
  HbgSeries series = {.kind = HBG_COLUMN_MACHINE};
  assert_int_equal(hbg_series_label(&arena, &series, "apart", 5), 0);
  assert_int_equal(hbg_series_label(&arena, &series, "joined", 6), 1);
  assert_int_equal(hbg_series_label(&arena, &series, "apart", 5), 0);
  assert_string_equal(hbg_series_word(&series, 1.0), "joined");
  assert_string_equal(hbg_series_word(&series, 2.0), "");
  assert_string_equal(hbg_series_word(&series, (double)NAN), "");
}

static void names_become_utf8(void **state) {
  (void)state;
  HbgSeries series = {0};
  hbg_series_name(&arena, &series, HBG_COLUMN_NUMBER, "a\xFFz", "\xC2");
  assert_string_equal(series.name, "a\xEF\xBF\xBDz");
  assert_string_equal(series.unit, "\xEF\xBF\xBD");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_window_ends_with_values_on_the_line_between_rows),
      cmocka_unit_test(a_window_keeps_both_sides_of_an_instant_at_its_ends),
      cmocka_unit_test(a_window_between_two_rows_has_its_ends),
      cmocka_unit_test(between_events_alone_only_what_is_switched_is_known),
      cmocka_unit_test(a_window_beside_the_rows_is_empty),
      cmocka_unit_test(labels_are_numbered_as_they_come),
      cmocka_unit_test(names_become_utf8),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes of what is switched. */
#include "support/drawn.h"

static void a_lane_is_shaded_from_event_to_event(void **state) {
  (void)state;
  const double times[] = {0, 0.5, 0.5, 1.5, 1.5, 2}, values[] = {0, 0, 1, 1, 0, 0};
  const HbgRecord record = one_column("contact", NULL, HBG_COLUMN_JUNCTION, times, values, 6);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_ON), 1);
  const HbgShape *on = shape(HBG_ROLE_ON, 0);
  CHECK_NEAR(on->at.x, across(0.5), 1e-9);
  CHECK_NEAR(on->at.x + on->across, across(1.5), 1e-9);
  words(HBG_ROLE_LANE_NAME, "contact");
  words(HBG_ROLE_STATE, "on");
}

static void what_is_on_for_an_infinitesimal_is_a_hair(void **state) {
  (void)state;
  const double times[] = {0, 1, 1, 1, 2}, values[] = {0, 0, 1, 0, 0};
  const HbgRecord record = one_column("contact", NULL, HBG_COLUMN_JUNCTION, times, values, 5);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_ON), 1);
  CHECK_NEAR(shape(HBG_ROLE_ON, 0)->at.x, across(1), 1e-9);
  assert_in_range((int)(10 * shape(HBG_ROLE_ON, 0)->across), 5, 15);
}

/* On for a part of the time that changes from row to row: one shade, and not a stripe for each row. */
static void what_slides_is_one_span(void **state) {
  (void)state;
  enum { COUNT = 2000 };
  static double times[COUNT], values[COUNT];
  for (int i = 0; i < COUNT; i++) {
    times[i] = 2.0 * i / (COUNT - 1);
    values[i] = i < COUNT / 2 ? 0 : 0.2 + 1e-4 * i;
  }
  const HbgRecord record = one_column("contact", NULL, HBG_COLUMN_JUNCTION, times, values, COUNT);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_ON), 1);
  assert_int_equal(count(HBG_ROLE_BUSY), 0);
  CHECK_NEAR(shape(HBG_ROLE_ON, 0)->at.x + shape(HBG_ROLE_ON, 0)->across, across(2), 1e-9);
}

static void a_machine_shows_the_names_of_its_states(void **state) {
  (void)state;
  HbgRecord record = hbg_record(&arena, "run", 1);
  hbg_series_name(&arena, &record.series[0], HBG_COLUMN_MACHINE, "contact.state", NULL);
  const double free = hbg_series_label(&arena, &record.series[0], "free", 4);
  const double stuck = hbg_series_label(&arena, &record.series[0], "stuck", 5);
  const double rows[][2] = {{0, free}, {1, free}, {1, stuck}, {2, stuck}};
  for (int i = 0; i < 4; i++) hbg_record_add_row(&record, rows[i][0], &rows[i][1]);
  draw_well(&record);
  CHECK_NEAR(words(HBG_ROLE_STATE, "free")->at.x, across(0.5), 1e-9);
  CHECK_NEAR(words(HBG_ROLE_STATE, "stuck")->at.x, across(1.5), 1e-9);
}

/* The only lane shades the panes as well; of several the reader would not know which. */
static void a_lane_alone_shades_the_panes(void **state) {
  (void)state;
  HbgRecord record = hbg_record(&arena, "run", 3);
  hbg_series_name(&arena, &record.series[0], HBG_COLUMN_NUMBER, "x", NULL);
  hbg_series_name(&arena, &record.series[1], HBG_COLUMN_JUNCTION, "a", NULL);
  hbg_series_name(&arena, &record.series[2], HBG_COLUMN_JUNCTION, "b", NULL);
  const double rows[][4] = {{0, 1, 0, 1}, {1, 1, 0, 1}, {1, 1, 1, 1}, {2, 1, 1, 1}};
  for (int i = 0; i < 4; i++) hbg_record_add_row(&record, rows[i][0], &rows[i][1]);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_BAND), 0);
  record.series_count = 2;
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_BAND), 1);
  CHECK_NEAR(shape(HBG_ROLE_BAND, 0)->at.x, across(1), 1e-9);
}

static void of_very_many_lanes_the_rest_is_counted(void **state) {
  (void)state;
  enum { COUNT = 30 };
  HbgRecord record = hbg_record(&arena, "run", COUNT);
  double values[COUNT];
  for (int i = 0; i < COUNT; i++) {
    hbg_series_name(&arena, &record.series[i], HBG_COLUMN_JUNCTION, hbg_print(&arena, "contact[%d]", i), NULL);
    values[i] = i % 2;
  }
  hbg_record_add_row(&record, 0, values);
  hbg_record_add_row(&record, 1, values);
  draw_well(&record);
  check_sound();
  const int32_t shown = count(HBG_ROLE_LANE);
  words(HBG_ROLE_LANE_NAME, hbg_print(&arena, "and %d more", COUNT - shown));
}

static uint32_t darkness(uint32_t colour) {
  return 765 - ((colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255));
}

static void fast_switching_is_a_shade_that_tells_its_share(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  HbgRecord record = hbg_record(&arena, "run", 1);
  hbg_series_name(&arena, &record.series[0], HBG_COLUMN_JUNCTION, "relay", NULL);
  // on for a tenth of the time in the first half, for nine tenths in the second
  for (int i = 0; i < COUNT; i++) {
    const double value = i < COUNT / 2 ? i % 10 == 0 : i % 10 != 0;
    hbg_record_add_row(&record, 2.0 * i / (COUNT - 1), &value);
  }
  draw_well(&record);
  assert_in_range(drawing.shape_count, 50, 500);
  uint32_t before = 0, after = 0;
  for (int32_t i = 0; i < count(HBG_ROLE_BUSY); i++) {
    const HbgShape *busy = shape(HBG_ROLE_BUSY, i);
    if (busy->at.x > across(0.4) && busy->at.x < across(0.6)) before = darkness(busy->paint.fill);
    if (busy->at.x > across(1.4) && busy->at.x < across(1.6)) after = darkness(busy->paint.fill);
  }
  assert_true(before > 0);
  assert_true(after > 2 * before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(a_lane_is_shaded_from_event_to_event),    CLAIM(what_is_on_for_an_infinitesimal_is_a_hair),
      CLAIM(a_machine_shows_the_names_of_its_states), CLAIM(a_lane_alone_shades_the_panes),
      CLAIM(of_very_many_lanes_the_rest_is_counted),  CLAIM(fast_switching_is_a_shade_that_tells_its_share),
      CLAIM(what_slides_is_one_span),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Plots as a whole: panes, legends, axes, sizes, windows. */
#include "support/drawn.h"

static HbgRecord several(const char *const *names, const char *const *units, int32_t number) {
  HbgRecord record = hbg_record(&arena, "run", number);
  double values[40];
  for (int32_t i = 0; i < number; i++) hbg_series_name(&arena, &record.series[i], HBG_COLUMN_NUMBER, names[i], units[i]);
  for (int row = 0; row < 3; row++) {
    for (int32_t i = 0; i < number; i++) values[i] = i + row;
    hbg_record_add_row(&record, row, values);
  }
  return record;
}

static void columns_of_one_unit_share_a_pane(void **state) {
  (void)state;
  const char *names[] = {"a.p", "x", "b.p", "c.q", "d[1].q"}, *units[] = {"N*s", "m", "N*s", NULL, NULL};
  const HbgRecord record = several(names, units, 5);
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_FRAME), 3);
  words(HBG_ROLE_QUANTITY, "p [N\xC2\xB7s]");
  words(HBG_ROLE_QUANTITY, "x [m]");
  words(HBG_ROLE_QUANTITY, "q");
  check_sound();
}

static void panes_are_as_asked_for(void **state) {
  (void)state;
  const char *names[] = {"a.p", "max(a, b)", "b.p"}, *units[] = {"N*s", "m", "N*s"};
  const HbgRecord record = several(names, units, 3);
  options.panes = "b.p ; max(a, b),a.p";
  draw_well(&record);
  assert_int_equal(count(HBG_ROLE_FRAME), 2);
  words(HBG_ROLE_QUANTITY, "b.p [N\xC2\xB7s]");
  words(HBG_ROLE_NAME, "max(a, b)");
  options.panes = "b.p;c.p";
  assert_non_null(strstr(draw(&record, 1), "no column 'c.p'"));
  options.panes = "b.p,,a.p";
  assert_non_null(strstr(draw(&record, 1), "empty name"));
}

static void records_share_colours_and_differ_in_dashes(void **state) {
  (void)state;
  const char *names[] = {"a.p", "b.p"}, *units[] = {"N*s", "N*s"}, *unknown[] = {NULL, NULL};
  HbgRecord records[] = {several(names, units, 2), several(names, unknown, 2)};
  records[0].name = "first";
  records[1].name = "second";
  assert_null(draw(records, 2));
  assert_int_equal(count(HBG_ROLE_FRAME), 1);
  assert_int_equal(count(HBG_ROLE_CURVE), 4);
  const HbgPaint a1 = shape(HBG_ROLE_CURVE, 0)->paint, b1 = shape(HBG_ROLE_CURVE, 1)->paint,
                 a2 = shape(HBG_ROLE_CURVE, 2)->paint, b2 = shape(HBG_ROLE_CURVE, 3)->paint;
  assert_int_equal(a1.stroke, a2.stroke);
  assert_int_equal(b1.stroke, b2.stroke);
  assert_int_not_equal(a1.stroke, b1.stroke);
  assert_false(hbg_paint_is_broken(&b1));
  assert_true(hbg_paint_is_broken(&a2));
  words(HBG_ROLE_NAME, "first");
  words(HBG_ROLE_NAME, "second");
  check_sound();
}

static void records_with_one_column_in_each_pane_have_colours_of_their_own(void **state) {
  (void)state;
  const char *names[] = {"a.p", "x"}, *units[] = {"N*s", "m"};
  HbgRecord records[] = {several(names, units, 2), several(names, units, 2)};
  assert_null(draw(records, 2));
  const HbgPaint p1 = shape(HBG_ROLE_CURVE, 0)->paint, p2 = shape(HBG_ROLE_CURVE, 1)->paint,
                 x1 = shape(HBG_ROLE_CURVE, 2)->paint;
  assert_int_not_equal(p1.stroke, p2.stroke);
  assert_int_equal(p1.stroke, x1.stroke);
  assert_int_equal(shape(HBG_ROLE_KEY, 1)->paint.stroke, p2.stroke);
}

static void a_legend_covers_no_pane(void **state) {
  (void)state;
  const char *names[40], *units[40];
  for (int i = 0; i < 40; i++) {
    names[i] = hbg_print(&arena, "a_long_name_of_body[%d].p", i);
    units[i] = "N*s";
  }
  for (double width = 250; width < 1000; width += 50) {
    const HbgRecord record = several(names, units, 40);
    options.width = width;
    draw_well(&record);
    const HbgShape *frame = shape(HBG_ROLE_FRAME, 0);
    const Box pane = {frame->at.x, frame->at.y, frame->at.x + frame->across, frame->at.y + frame->down};
    assert_int_equal(count(HBG_ROLE_CURVE), 40);
    assert_true(count(HBG_ROLE_NAME) >= 3);
    for (int32_t i = 0; i < count(HBG_ROLE_NAME); i++) assert_false(meet(pane, box_of(shape(HBG_ROLE_NAME, i))));
    assert_non_null(strstr(shape(HBG_ROLE_NAME, count(HBG_ROLE_NAME) - 1)->words, " more"));
    check_sound();
  }
}

static void numbers_read_well_at_every_magnitude(void **state) {
  (void)state;
  static const struct { double most; const char *unit, *caption; } cases[] = {
      {5.0, "m", "x [m]"},          {0.3, "m", "x [m]"},       {0.02, "m", "x [mm]"},         {4e-7, "V", "x [nV]"},
      {4.2e-5, "V", "x [\xC2\xB5V]"}, {2500, "Pa", "x [Pa]"},   {3e6, "Pa", "x [MPa]"},        {0.02, "m^3", "x [10\xE2\x81\xBB\xC2\xB3 m\xC2\xB3]"},
      {4e-5, "kg*m/s", "x [10\xE2\x81\xBB\xE2\x81\xB6 kg\xC2\xB7m/s]"}, {7e7, NULL, "x [10\xE2\x81\xB6]"}, {1e-30, "m", "x [10\xE2\x81\xBB\xC2\xB3\xE2\x81\xB0 m]"},
      {0.0, "m", "x [m]"},          {0.05, "m/s^2", "x [mm/s\xC2\xB2]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const HbgAxis axis = hbg_plot_axis(&arena, -cases[i].most / 2, cases[i].most, "x", cases[i].unit);
    assert_string_equal(axis.caption, cases[i].caption);
    if (cases[i].most > 0) assert_in_range((int)(100 * cases[i].most / axis.unit_size), 10, 1000000);
  }
}

static void values_that_differ_in_late_digits_are_told_from_a_round_number(void **state) {
  (void)state;
  const struct { double least, most, offset; const char *unit, *caption; } cases[] = {
      {2.99999999994, 3.0, 3.0, "J", "x \xE2\x88\x92 3 J [pJ]"},
      {-101325.004, -101325.0, -101325.0, "Pa", "x + 101325 Pa [mPa]"},
      {1.0, 1.0 + 4e-16, 0.0, "m", "x [m]"}, // round-off
      {1.0, 1.001, 0.0, "m", "x [m]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const HbgAxis axis = hbg_plot_axis(&arena, cases[i].least, cases[i].most, "x", cases[i].unit);
    CHECK_CLOSE(axis.offset, cases[i].offset, 1e-15);
    assert_string_equal(axis.caption, cases[i].caption);
  }
}

/* Whatever the range: at least two numbers, none of them twice, nothing upon each other. */
static void axes_are_sound_for_any_range(void **state) {
  (void)state;
  uint32_t seed = 3;
  for (int round = 0; round < 2000; round++) {
    double values[2], times[2];
    for (int i = 0; i < 2; i++) {
      seed = seed * 1664525u + 1013904223u;
      const double mantissa = (seed >> 8) / 1e7 - 0.8;
      seed = seed * 1664525u + 1013904223u;
      values[i] = mantissa * pow(10, (int)(seed >> 16) % 12 - 6);
    }
    if (round % 3 == 0) values[1] = values[0] * (1 + pow(10, -(round / 3 % 16)));
    times[0] = 0;
    times[1] = pow(10, (int)(seed >> 20) % 10 - 5) * (1 + (seed >> 24) / 256.0);
    options.width = 200 + (seed >> 10) % 800;
    const HbgRecord record = one_column("ball.p", "N*s", HBG_COLUMN_NUMBER, times, values, 2);
    const HbgArenaMark mark = hbg_arena_mark(&arena);
    draw_well(&record);
    check_sound();
    assert_true(count(HBG_ROLE_VALUE) >= 2);
    for (int32_t i = 1; i < count(HBG_ROLE_VALUE); i++)
      assert_string_not_equal(shape(HBG_ROLE_VALUE, i)->words, shape(HBG_ROLE_VALUE, i - 1)->words);
    hbg_arena_rewind(&arena, mark);
  }
}

static void the_ends_of_the_numbers_can_be_drawn(void **state) {
  (void)state;
  const double times[] = {0, 1, 2, 3};
  const double sets[][4] = {{0, 5e-324, 0, 1e-310}, {DBL_MAX, -DBL_MAX, 1, 0}, {1e300, -1e300, 0, 0}, {1, 1 + DBL_EPSILON, 1, 1},
                            {(double)NAN, (double)NAN, (double)NAN, (double)NAN}};
  for (int i = 0; i < 5; i++) {
    const HbgRecord record = one_column("x", "m", HBG_COLUMN_NUMBER, times, sets[i], 4);
    draw_well(&record);
    check_sound();
  }
}

static void the_drawing_has_the_size_asked_for(void **state) {
  (void)state;
  const HbgRecord record = jumping();
  options.width = 321.0;
  options.height = 234.0;
  draw_well(&record);
  CHECK_NEAR(drawing.width, 321.0, 0.0);
  CHECK_NEAR(drawing.height, 234.0, 0.0);
  check_sound();
  options.height = 50.0;
  assert_non_null(strstr(draw(&record, 1), "height is too small"));
  options.height = (double)NAN;
  options.width = 60.0;
  assert_non_null(strstr(draw(&record, 1), "width is too small"));
}

static void a_window_is_what_the_axis_shows(void **state) {
  (void)state;
  const HbgRecord record = jumping();
  options.from = 1.5;
  options.to = 2.5;
  draw_well(&record);
  words(HBG_ROLE_TIME, "1.5");
  words(HBG_ROLE_TIME, "2.5");
  assert_int_equal(count(HBG_ROLE_BEFORE), 0);
  options.from = 7;
  options.to = 8;
  assert_non_null(strstr(draw(&record, 1), "nothing in the window"));
}

static void nothing_at_all_is_still_a_drawing(void **state) {
  (void)state;
  assert_null(draw(NULL, 0));
  check_sound();
  const HbgRecord empty = one_column("x", NULL, HBG_COLUMN_NUMBER, NULL, NULL, 0);
  draw_well(&empty);
  check_sound();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(columns_of_one_unit_share_a_pane),
      CLAIM(panes_are_as_asked_for),
      CLAIM(records_share_colours_and_differ_in_dashes),
      CLAIM(records_with_one_column_in_each_pane_have_colours_of_their_own),
      CLAIM(a_legend_covers_no_pane),
      CLAIM(numbers_read_well_at_every_magnitude),
      CLAIM(values_that_differ_in_late_digits_are_told_from_a_round_number),
      CLAIM(axes_are_sound_for_any_range),
      CLAIM(the_ends_of_the_numbers_can_be_drawn),
      CLAIM(the_drawing_has_the_size_asked_for),
      CLAIM(a_window_is_what_the_axis_shows),
      CLAIM(nothing_at_all_is_still_a_drawing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

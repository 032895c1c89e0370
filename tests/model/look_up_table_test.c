/* SPDX-License-Identifier: BSD-3-Clause
 * Look-up tables: between the knots, at them, beyond them, and their derivatives against differences. */
#include "model/look_up_table.h"

#include "support/check.h"
#include "support/one_arena.h"

static HbgLookUpTable table_of(HbgInterpolation interpolation, HbgOutside outside, int32_t count, const double *x,
                               const double *y) {
  HbgLookUpTable table = {.name = "t", .interpolation = interpolation, .outside = outside, .x_count = count};
  table.x = (double *)(uintptr_t)x;
  table.value = (double *)(uintptr_t)y;
  hbg_look_up_finish(&table, &arena);
  return table;
}

static const double x3[] = {0, 1, 3}, y3[] = {0, 1, 2};

static void a_linear_table_is_a_line_between_knots(void **state) {
  (void)state;
  const HbgLookUpTable table = table_of(HBG_TABLE_LINEAR, HBG_OUTSIDE_HOLD, 3, x3, y3);
  CHECK_NEAR(hbg_look_up_value(&table, 0, 0.25), 0.25, 0);
  CHECK_NEAR(hbg_look_up_value(&table, 0, 2), 1.5, 0);
  CHECK_NEAR(hbg_look_up_value(&table, 1, 2), 0.5, 0);
  CHECK_NEAR(hbg_look_up_value(&table, 0, -5), 0, 0);
  CHECK_NEAR(hbg_look_up_value(&table, 0, 7), 2, 0);
  CHECK_NEAR(hbg_look_up_value(&table, 1, 7), 0, 0);
  for (int at = 0; at < 3; at++) CHECK_NEAR(hbg_look_up_value(&table, 0, x3[at]), y3[at], 0);
}

static void beyond_the_border_a_table_may_go_on_or_end(void **state) {
  (void)state;
  const HbgLookUpTable extended = table_of(HBG_TABLE_LINEAR, HBG_OUTSIDE_EXTEND, 3, x3, y3);
  CHECK_NEAR(hbg_look_up_value(&extended, 0, 5), 3, 1e-15);
  CHECK_NEAR(hbg_look_up_value(&extended, 0, -1), -1, 1e-15);
  const HbgLookUpTable ended = table_of(HBG_TABLE_LINEAR, HBG_OUTSIDE_ERROR, 3, x3, y3);
  assert_true(isnan(hbg_look_up_value(&ended, 0, 3.0001)));
  CHECK_NEAR(hbg_look_up_value(&ended, 0, 3), 2, 0);
}

static void steps_and_nearest_values_are_constant_between_their_breaks(void **state) {
  (void)state;
  const HbgLookUpTable stepped = table_of(HBG_TABLE_STEPPED, HBG_OUTSIDE_HOLD, 3, x3, y3);
  const HbgLookUpTable nearest = table_of(HBG_TABLE_NEAREST, HBG_OUTSIDE_HOLD, 3, x3, y3);
  CHECK_NEAR(hbg_look_up_value(&stepped, 0, 0.999), 0, 0);
  CHECK_NEAR(hbg_look_up_value(&stepped, 0, 1), 1, 0);
  CHECK_NEAR(hbg_look_up_value(&nearest, 0, 0.499), 0, 0);
  CHECK_NEAR(hbg_look_up_value(&nearest, 0, 0.5), 1, 0);
  CHECK_NEAR(hbg_look_up_value(&nearest, 0, 2.5), 2, 0);
  CHECK_NEAR(hbg_look_up_value(&nearest, 0, -9), 0, 0);
}

static void cubic_slopes_are_those_of_pchip(void **state) {
  (void)state;
  const HbgLookUpTable table = table_of(HBG_TABLE_CUBIC, HBG_OUTSIDE_EXTEND, 3, x3, y3);
  // by hand: the weighted harmonic mean inside, three points at the ends
  CHECK_NEAR(hbg_look_up_value(&table, 1, 0), 3.5 / 3, 1e-15);
  CHECK_NEAR(hbg_look_up_value(&table, 1, 1), 9.0 / 13, 1e-15);
  CHECK_NEAR(hbg_look_up_value(&table, 1, 3), 0.5 / 3, 1e-15);
  CHECK_NEAR(hbg_look_up_value(&table, 0, 5), 2 + 2 * 0.5 / 3, 1e-15);
}

static void a_cubic_table_is_monotone_where_its_knots_are(void **state) {
  (void)state;
  // Fritsch and Carlson 1980, data RPN 14
  static const double x[] = {7.99, 8.09, 8.19, 8.7, 9.2, 10, 12, 15, 20};
  static const double y[] = {0, 2.76429e-5, 4.37498e-2, 0.169183, 0.469428, 0.943740, 0.998636, 0.999919, 0.999994};
  const HbgLookUpTable table = table_of(HBG_TABLE_CUBIC, HBG_OUTSIDE_HOLD, 9, x, y);
  double last = -1;
  for (int at = 0; at <= 1200; at++) {
    const double value = hbg_look_up_value(&table, 0, 7.99 + at * (20 - 7.99) / 1200);
    assert_true(value >= last - 1e-16);
    last = value;
  }
}

static void derivatives_are_limits_of_differences(void **state) {
  (void)state;
  const HbgLookUpTable table = table_of(HBG_TABLE_CUBIC, HBG_OUTSIDE_EXTEND, 3, x3, y3);
  const double h = 1e-4;
  for (double x = -0.45; x < 4; x += 0.3) {
    for (int order = 0; order < 2; order++) {
      const double slope = (hbg_look_up_value(&table, order, x + h) - hbg_look_up_value(&table, order, x - h)) / (2 * h);
      CHECK_NEAR(hbg_look_up_value(&table, order + 1, x), slope, 1e-7);
    }
  }
}

/* f(x, y) = x^2 y at knots 0, 1, 2, 4 and 0, 1, 3 */
static HbgLookUpTable map_of(HbgInterpolation interpolation, HbgOutside outside) {
  static const double x[] = {0, 1, 2, 4}, y[] = {0, 1, 3};
  static double value[12];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) value[3 * i + j] = x[i] * x[i] * y[j];
  HbgLookUpTable table = {.name = "m", .interpolation = interpolation, .outside = outside, .x_count = 4, .y_count = 3,
                          .x = (double *)(uintptr_t)x, .y = (double *)(uintptr_t)y, .value = value};
  hbg_look_up_finish(&table, &arena);
  return table;
}

static void a_map_gives_its_knots_and_lies_between_them(void **state) {
  (void)state;
  for (int way = HBG_TABLE_STEPPED; way <= HBG_TABLE_CUBIC; way++) {
    const HbgLookUpTable table = map_of((HbgInterpolation)way, HBG_OUTSIDE_HOLD);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 3; j++) CHECK_NEAR(hbg_look_up_map_value(&table, 0, 0, table.x[i], table.y[j]), table.value[3 * i + j], 1e-14);
  }
  const HbgLookUpTable linear = map_of(HBG_TABLE_LINEAR, HBG_OUTSIDE_EXTEND);
  CHECK_NEAR(hbg_look_up_map_value(&linear, 0, 0, 1.5, 2), 0.5 * (1 + 4) * 2, 1e-14);
  CHECK_NEAR(hbg_look_up_map_value(&linear, 0, 0, 5, 4), (16 + 6) * 4, 1e-13);
  const HbgLookUpTable nearest = map_of(HBG_TABLE_NEAREST, HBG_OUTSIDE_HOLD);
  CHECK_NEAR(hbg_look_up_map_value(&nearest, 0, 0, 1.5, 2), 4 * 3, 0);
}

static void derivatives_of_maps_are_limits_of_differences(void **state) {
  (void)state;
  const HbgLookUpTable table = map_of(HBG_TABLE_CUBIC, HBG_OUTSIDE_EXTEND);
  const double h = 1e-5;
  for (double x = -0.7; x < 5; x += 0.4) {
    for (double y = -0.6; y < 4; y += 0.7) {
      CHECK_NEAR(hbg_look_up_map_value(&table, 1, 0, x, y),
                 (hbg_look_up_map_value(&table, 0, 0, x + h, y) - hbg_look_up_map_value(&table, 0, 0, x - h, y)) / (2 * h), 1e-6);
      CHECK_NEAR(hbg_look_up_map_value(&table, 0, 1, x, y),
                 (hbg_look_up_map_value(&table, 0, 0, x, y + h) - hbg_look_up_map_value(&table, 0, 0, x, y - h)) / (2 * h), 1e-6);
      CHECK_NEAR(hbg_look_up_map_value(&table, 1, 1, x, y),
                 (hbg_look_up_map_value(&table, 1, 0, x, y + h) - hbg_look_up_map_value(&table, 1, 0, x, y - h)) / (2 * h), 1e-6);
    }
  }
}

static void pieces_change_at_breaks(void **state) {
  (void)state;
  static const double x[] = {0, 1, 1, 3}, y[] = {0, 1, 5, 6};
  const HbgLookUpTable table = table_of(HBG_TABLE_LINEAR, HBG_OUTSIDE_HOLD, 4, x, y);
  assert_int_equal(hbg_look_up_break_count(&table), 4);
  assert_int_equal(hbg_look_up_piece_at(&table, -1), 0);
  assert_int_equal(hbg_look_up_piece_at(&table, 0.5), 1);
  assert_int_equal(hbg_look_up_piece_at(&table, 1), 3);
  CHECK_NEAR(hbg_look_up_piece_value(&table, 1, 0, 1), 1, 0);
  CHECK_NEAR(hbg_look_up_piece_value(&table, 3, 0, 1), 5, 0);
  // a piece goes on beyond its end
  CHECK_NEAR(hbg_look_up_piece_value(&table, 1, 0, 1.5), 1.5, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_table_is_a_line_between_knots),
      cmocka_unit_test(beyond_the_border_a_table_may_go_on_or_end),
      cmocka_unit_test(steps_and_nearest_values_are_constant_between_their_breaks),
      cmocka_unit_test(cubic_slopes_are_those_of_pchip),
      cmocka_unit_test(a_cubic_table_is_monotone_where_its_knots_are),
      cmocka_unit_test(derivatives_are_limits_of_differences),
      cmocka_unit_test(a_map_gives_its_knots_and_lies_between_them),
      cmocka_unit_test(derivatives_of_maps_are_limits_of_differences),
      cmocka_unit_test(pieces_change_at_breaks),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}

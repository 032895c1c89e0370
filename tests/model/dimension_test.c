/* SPDX-License-Identifier: BSD-3-Clause
 * Dimensions in words. */
#include "model/dimension.h"

#include <string.h>

#include "model/unit.h"
#include "support/one_arena.h"
#include "support/check.h"

static HbgDimension of(const char *text) {
  HbgUnit unit;
  uint32_t begin, end;
  if (!hbg_unit_read(text, (uint32_t)strlen(text), &unit, &begin, &end)) fail_msg("[%s] is no unit", text);
  return unit.dimension;
}

static void a_unit_is_written_as_it_is_expected(void **state) {
  (void)state;
  static const struct { const char *text, *unit; } units[] = {
      {"kg*m/s^2", "N"}, {"kg/s", "N*s/m"}, {"J", "N*m"}, {"J/s", "W"}, {"Nm*s", "N*m*s"}, {"V*A", "W"}, {"1/Hz", "s"},
      {"rad", "1"}, {"m/m", "1"}, {"kg^2*m/(s*A^3)", "kg^2*m/(s*A^3)"}, {"1/kg", "1/kg"}, {"cd", "cd"}, {"Pa^0.5", "kg^(1/2)/(m^(1/2)*s)"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    assert_string_equal(hbg_dimension_unit(of(units[i].text), &arena), units[i].unit);
}

/* What is written can be read, and is the same again. */
static void every_unit_that_is_written_can_be_read(void **state) {
  (void)state;
  for (int seed = 0; seed < 3000; seed++) {
    HbgDimension dimension = {{0}};
    int rest = seed * 7919 + 13;
    for (int i = 0; i < HBG_BASE_COUNT - 1; i++, rest /= 3) dimension.power[i] = (int16_t)((rest % 7 - 3) * (rest % 2 ? 60 : 30));
    assert_true(hbg_dimension_equal(of(hbg_dimension_unit(dimension, &arena)), dimension));
  }
}

static void quantities_have_names(void **state) {
  (void)state;
  assert_string_equal(hbg_dimension_phrase(of("kN"), &arena), "a force [N]");
  assert_string_equal(hbg_dimension_phrase(of("N*s"), &arena), "a momentum or impulse [N*s]");
  assert_string_equal(hbg_dimension_phrase(of("deg"), &arena), "a number");
  assert_string_equal(hbg_dimension_phrase(of("kg^3"), &arena), "a quantity in [kg^3]");
}

static void roots_undo_squares_and_thirteenths_are_refused(void **state) {
  (void)state;
  const HbgDimension one = {{0}}, metre = of("m");
  HbgDimension square, root;
  assert_true(hbg_dimension_multiply(one, metre, 2 * HBG_POWER_ONE, &square));
  assert_true(hbg_dimension_multiply(one, square, HBG_POWER_ONE / 2, &root));
  assert_true(hbg_dimension_equal(root, metre));
  assert_true(hbg_dimension_multiply(one, metre, 1, &root));
  assert_false(hbg_dimension_multiply(one, root, 1, &root));
  assert_false(hbg_dimension_multiply(one, metre, 101 * HBG_POWER_ONE, &root));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_unit_is_written_as_it_is_expected),
      cmocka_unit_test(every_unit_that_is_written_can_be_read),
      cmocka_unit_test(quantities_have_names),
      cmocka_unit_test(roots_undo_squares_and_thirteenths_are_refused),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Units against the SI brochure (BIPM 2019) and NIST SP 811. */
#include "model/unit.h"

#include <string.h>

#include "support/check.h"

typedef struct Expected {
  const char *text;
  double factor, offset;
  HbgDimension dimension; /* m kg s A K mol cd rad */
} Expected;

static const Expected expected[] = {
    {"m", 1, 0, {{1}}},
    {"kg", 1, 0, {{0, 1}}},
    {"g", 1e-3, 0, {{0, 1}}},
    {"mm", 1e-3, 0, {{1}}},
    {"mm^2", 1e-6, 0, {{2}}},
    {"cm^3", 1e-6, 0, {{3}}},
    {"m/s", 1, 0, {{1, 0, -1}}},
    {"km/h", 1 / 3.6, 0, {{1, 0, -1}}},
    {"m/s^2", 1, 0, {{1, 0, -2}}},
    {"m/s\xC2\xB2", 1, 0, {{1, 0, -2}}},
    {"m s^-2", 1, 0, {{1, 0, -2}}},
    {"m*s^(-2)", 1, 0, {{1, 0, -2}}},
    {"N", 1, 0, {{1, 1, -2}}},
    {"N*m", 1, 0, {{2, 1, -2}}},
    {"N.m", 1, 0, {{2, 1, -2}}},
    {"N\xC2\xB7m", 1, 0, {{2, 1, -2}}},
    {"kN/mm", 1e6, 0, {{0, 1, -2}}},
    {"J", 1, 0, {{2, 1, -2}}},
    {"V", 1, 0, {{2, 1, -3, -1}}},
    {"Pa*s/m^3", 1, 0, {{-4, 1, -1}}},
    {"J/(kg*K)", 1, 0, {{2, 0, -2, 0, -1}}},
    {"uF", 1e-6, 0, {{-2, -1, 4, 2}}},
    {"\xC2\xB5" "F", 1e-6, 0, {{-2, -1, 4, 2}}},
    {"mH", 1e-3, 0, {{2, 1, -2, -2}}},
    {"kohm", 1e3, 0, {{2, 1, -3, -2}}},
    {"k\xCE\xA9", 1e3, 0, {{2, 1, -3, -2}}},
    {"min", 60, 0, {{0, 0, 1}}},
    {"ms", 1e-3, 0, {{0, 0, 1}}},
    {"1/s", 1, 0, {{0, 0, -1}}},
    {"Hz", 1, 0, {{0, 0, -1}}},
    {"cd", 1, 0, {{0, 0, 0, 0, 0, 0, 1}}},
    {"deg", 0.017453292519943295, 0, {{0, 0, 0, 0, 0, 0, 0, 1}}},
    {"rpm", 0.10471975511965977, 0, {{0, 0, -1, 0, 0, 0, 0, 1}}},
    {"bar", 1e5, 0, {{-1, 1, -2}}},
    {"L/min", 1e-3 / 60, 0, {{3, 0, -1}}},
    {"Ah", 3600, 0, {{0, 0, 1, 1}}},
    {"in", 0.0254, 0, {{1}}},
    {"lbf", 4.4482216152605, 0, {{1, 1, -2}}},
    {"psi", 6894.757293168, 0, {{-1, 1, -2}}},
    {"degC", 1, 273.15, {{0, 0, 0, 0, 1}}},
    {"degF", 5.0 / 9, 459.67 * 5 / 9, {{0, 0, 0, 0, 1}}},
    {"J/degC", 1, 0, {{2, 1, -2, 0, -1}}}, /* a difference of temperatures: no offset */
    {"", 1, 0, {{0}}},
    {"-", 1, 0, {{0}}},
    {"1", 1, 0, {{0}}},
    {"%", 0.01, 0, {{0}}},
};

static void units_have_their_factor_and_dimension(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    HbgUnit unit;
    uint32_t begin, end;
    if (!hbg_unit_read(expected[i].text, (uint32_t)strlen(expected[i].text), &unit, &begin, &end))
      fail_msg("[%s] is not understood", expected[i].text);
    CHECK_CLOSE(unit.factor, expected[i].factor, 1e-12);
    CHECK_NEAR(unit.offset, expected[i].offset, 1e-10);
    for (int base = 0; base < HBG_BASE_COUNT; base++) unit.dimension.power[base] /= HBG_POWER_ONE;
    if (memcmp(&unit.dimension, &expected[i].dimension, sizeof unit.dimension) != 0)
      fail_msg("[%s] has another dimension", expected[i].text);
  }
}

/* NIST SP 811 (2008), appendix B.8, as printed with seven figures. */
static void factors_are_those_of_nist_sp_811(void **state) {
  (void)state;
  static const struct { const char *text; double factor; } published[] = {
      {"atm", 1.01325e5}, {"Btu", 1.055056e3}, {"Btu/h", 2.930711e-1}, {"cal", 4.184}, {"cP", 1e-3}, {"cSt", 1e-6},
      {"arcmin", 2.908882e-4}, {"arcsec", 4.848137e-6}, {"gon", 1.570796e-2}, {"deg", 1.745329e-2}, {"dyn", 1e-5},
      {"erg", 1e-7}, {"ft", 3.048e-1}, {"ft*lbf", 1.355818}, {"gal", 3.785412e-3}, {"gpm", 6.309020e-5}, {"G", 1e-4},
      {"ha", 1e4}, {"hp", 7.456999e2}, {"PS", 7.354988e2}, {"in", 2.54e-2}, {"inHg", 3.386389e3}, {"mmHg", 1.333224e2},
      {"torr", 1.333224e2}, {"kgf", 9.80665}, {"kWh", 3.6e6}, {"kip", 4.448222e3}, {"kn", 5.144444e-1}, {"ksi", 6.894757e6},
      {"Mx", 1e-8}, {"mi", 1.609344e3}, {"mil", 2.54e-5}, {"mph", 4.4704e-1}, {"nmi", 1.852e3}, {"oz", 2.834952e-2},
      {"ozf", 2.780139e-1}, {"lb", 4.535924e-1}, {"lbf", 4.448222}, {"lbf*in", 1.129848e-1}, {"lbf/ft^2", 4.788026e1},
      {"psi", 6.894757e3}, {"rpm", 1.047198e-1}, {"rev", 6.283185}, {"slug", 1.459390e1}, {"yd", 9.144e-1}, {"P", 0.1},
      {"ft^3/min", 4.719474e-4}, {"lb/ft^3", 1.601846e1}, {"ft^2", 9.290304e-2}, {"km/h", 2.777778e-1}, {"degR", 5.555556e-1},
  };
  for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
    HbgUnit unit;
    uint32_t begin, end;
    if (!hbg_unit_read(published[i].text, (uint32_t)strlen(published[i].text), &unit, &begin, &end))
      fail_msg("[%s] is not understood", published[i].text);
    if (fabs(unit.factor - published[i].factor) > 5e-7 * published[i].factor) fail_msg("[%s] is %.9g", published[i].text, unit.factor);
  }
}

static void powers_may_be_fractions(void **state) {
  (void)state;
  static const struct { const char *text; int metres; double factor; } roots[] = {
      {"km^0.5", 30, 31.622776601683793}, {"km^(1/2)", 30, 31.622776601683793}, {"m^(-3/2)", -90, 1}, {"m^2.5", 150, 1},
      {"mm^(1/3)", 20, 0.1}};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    HbgUnit unit;
    uint32_t begin, end;
    assert_true(hbg_unit_read(roots[i].text, (uint32_t)strlen(roots[i].text), &unit, &begin, &end));
    assert_int_equal(unit.dimension.power[0], roots[i].metres);
    CHECK_CLOSE(unit.factor, roots[i].factor, 1e-14);
  }
}

static void what_is_no_unit_is_pointed_at(void **state) {
  (void)state;
  static const struct { const char *text; uint32_t begin, end; } wrong[] = {
      {"kgg", 0, 3}, {"m/x", 2, 3}, {"m^", 2, 3}, {"m^99", 2, 4}, {"(m", 0, 2}, {"m)", 1, 2}, {"m//s", 2, 3},
      {"0", 0, 1}, {"m$", 1, 2}, {"minn", 0, 4}, {"kmin", 0, 4}, {"m^1.5.2", 5, 6}, {"m^(1/7)", 2, 7}, {"m^1/2.", 6, 7}, {"m^0.123", 2, 7},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    HbgUnit unit;
    uint32_t begin = 99, end = 99;
    const uint32_t length = (uint32_t)strlen(wrong[i].text);
    if (hbg_unit_read(wrong[i].text, length, &unit, &begin, &end)) fail_msg("[%s] is understood", wrong[i].text);
    if (begin != wrong[i].begin || end > length || end < begin)
      fail_msg("[%s]: pointed at %u to %u", wrong[i].text, (unsigned)begin, (unsigned)end);
  }
}

static void deep_nesting_is_refused(void **state) {
  (void)state;
  static char text[100001];
  memset(text, '(', sizeof text - 1);
  HbgUnit unit;
  uint32_t begin, end;
  assert_false(hbg_unit_read(text, sizeof text - 1, &unit, &begin, &end));
}

static void the_radian_is_the_number_one(void **state) {
  (void)state;
  HbgUnit torque, joule;
  uint32_t begin, end;
  assert_true(hbg_unit_read("N*m/rad", 7, &torque, &begin, &end));
  assert_true(hbg_unit_read("J", 1, &joule, &begin, &end));
  assert_true(hbg_dimension_equal(torque.dimension, joule.dimension));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_have_their_factor_and_dimension),
      cmocka_unit_test(factors_are_those_of_nist_sp_811),
      cmocka_unit_test(powers_may_be_fractions),
      cmocka_unit_test(what_is_no_unit_is_pointed_at),
      cmocka_unit_test(deep_nesting_is_refused),
      cmocka_unit_test(the_radian_is_the_number_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

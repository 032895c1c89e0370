/* SPDX-License-Identifier: BSD-3-Clause
 * Half arrows and causal strokes, by the formulas of the convention: u = (b - a)/|b - a|, n to the side of the flow. With the argument --print the same
 * function writes cases as JSON, against which the studio's page is held. */
#include "diagram/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

static HbgBox box(double x, double y, double width, double height) { return (HbgBox){{x, y}, width, height}; }

static void check_point(HbgPoint point, double x, double y) {
  CHECK_NEAR(point.x, x, 1e-12);
  CHECK_NEAR(point.y, y, 1e-12);
}

static void a_bond_keeps_four_pixels_away_from_its_symbols(void **state) {
  (void)state;
  const HbgBondGeometry bond = hbg_bond_geometry(box(0, 0, 20, 16), box(100, 0, 40, 16), 0, 1, HBG_STROKE_UNKNOWN);
  check_point(bond.line.from, 14, 0);
  check_point(bond.line.to, 76, 0);
}

static void the_half_arrow_lies_below_a_bond_whichever_way_power_goes(void **state) {
  (void)state;
  const HbgBondGeometry right = hbg_bond_geometry(box(0, 0, 20, 16), box(100, 0, 20, 16), 0, 1, HBG_STROKE_UNKNOWN);
  const HbgBondGeometry left = hbg_bond_geometry(box(100, 0, 20, 16), box(0, 0, 20, 16), 0, 1, HBG_STROKE_UNKNOWN);
  check_point(right.barb, 86 - 13, 7);
  check_point(left.barb, 14 + 13, 7);
}

static void the_half_arrow_lies_to_the_right_of_an_upright_bond_whichever_way_power_goes(void **state) {
  (void)state;
  const HbgBondGeometry down = hbg_bond_geometry(box(0, 0, 20, 16), box(0, 100, 20, 16), 0, 1, HBG_STROKE_UNKNOWN);
  const HbgBondGeometry up = hbg_bond_geometry(box(0, 100, 20, 16), box(0, 0, 20, 16), 0, 1, HBG_STROKE_UNKNOWN);
  check_point(down.barb, 7, 88 - 13);
  check_point(up.barb, 7, 12 + 13);
}

static void the_flow_is_written_on_the_side_of_the_half_arrow_and_the_effort_on_the_other(void **state) {
  (void)state;
  const HbgBondGeometry bond = hbg_bond_geometry(box(0, 0, 20, 16), box(100, 0, 20, 16), 0, 1, HBG_STROKE_UNKNOWN);
  check_point(bond.effort, 50, -13);
  check_point(bond.flow, 50, 15);
}

static void the_stroke_crosses_the_bond_at_the_end_that_is_given_the_effort(void **state) {
  (void)state;
  const HbgBondGeometry head = hbg_bond_geometry(box(0, 0, 20, 16), box(100, 0, 20, 16), 0, 1, HBG_STROKE_AT_HEAD);
  check_point(head.stroke.from, 86, -9);
  check_point(head.stroke.to, 86, 9);
  const HbgBondGeometry tail = hbg_bond_geometry(box(0, 0, 20, 16), box(100, 0, 20, 16), 0, 1, HBG_STROKE_AT_TAIL);
  check_point(tail.stroke.from, 14, -9);
  check_point(tail.stroke.to, 14, 9);
}

static void two_bonds_between_the_same_symbols_are_eight_pixels_to_each_side(void **state) {
  (void)state;
  const HbgBox a = box(0, 0, 20, 16), b = box(100, 0, 20, 16);
  CHECK_NEAR(hbg_bond_geometry(a, b, 0, 2, HBG_STROKE_UNKNOWN).line.from.y, -8, 1e-12);
  CHECK_NEAR(hbg_bond_geometry(a, b, 1, 2, HBG_STROKE_UNKNOWN).line.from.y, 8, 1e-12);
}

static void symbols_upon_each_other_have_a_bond_without_length(void **state) {
  (void)state;
  const HbgBondGeometry bond = hbg_bond_geometry(box(5, 5, 20, 16), box(5, 5, 40, 16), 0, 1, HBG_STROKE_AT_HEAD);
  check_point(bond.line.from, bond.line.to.x, bond.line.to.y);
  assert_true(isfinite(bond.barb.x) && isfinite(bond.stroke.from.y));
}

static void the_head_of_a_signal_opens_to_both_sides(void **state) {
  (void)state;
  const HbgArrowGeometry arrow = hbg_arrow_geometry(box(0, 0, 20, 16), box(100, 0, 20, 16), 0, hbg_measure_HEAD_BACK, hbg_measure_HEAD_ASIDE);
  check_point(arrow.left, 77, -4.5);
  check_point(arrow.right, 77, 4.5);
}

static void signals_between_the_same_symbols_lie_beside_each_other(void **state) {
  (void)state;
  const HbgBox left = box(0, 0, 20, 16), right = box(100, 0, 20, 16);
  const HbgArrowGeometry one = hbg_arrow_geometry(left, right, hbg_arrow_beside(0, 2, 0), hbg_measure_HEAD_BACK, hbg_measure_HEAD_ASIDE);
  const HbgArrowGeometry back = hbg_arrow_geometry(right, left, hbg_arrow_beside(1, 2, 0), hbg_measure_HEAD_BACK, hbg_measure_HEAD_ASIDE);
  check_point(one.line.to, 86, -hbg_measure_LANE_HALF);
  check_point(back.line.from, 86, hbg_measure_LANE_HALF);
  assert_true(fabs(hbg_arrow_beside(0, 1, 1) + 1.25 * hbg_measure_LANE_HALF) < 1e-12);
}

/* -- cases for the page ------------------------------------------------------------------------------------------ */

static void print_point(const char *name, HbgPoint point, const char *behind) {
  printf("\"%s\": [%.17g, %.17g]%s", name, point.x, point.y, behind);
}

static void print_case(HbgBox tail, HbgBox head, int32_t lane, int32_t lanes, HbgStrokePlace stroke, const char *behind) {
  static const char *const places[] = {"unknown", "tail", "head"};
  const HbgBondGeometry bond = hbg_bond_geometry(tail, head, lane, lanes, stroke);
  printf("{\"tail\": [%.17g, %.17g, %.17g, %.17g], ", tail.centre.x, tail.centre.y, tail.width, tail.height);
  printf("\"head\": [%.17g, %.17g, %.17g, %.17g], ", head.centre.x, head.centre.y, head.width, head.height);
  printf("\"lane\": %d, \"lanes\": %d, \"stroke\": \"%s\", ", (int)lane, (int)lanes, places[stroke]);
  print_point("from", bond.line.from, ", ");
  print_point("to", bond.line.to, ", ");
  print_point("barb", bond.barb, ", ");
  print_point("strokeFrom", bond.stroke.from, ", ");
  print_point("strokeTo", bond.stroke.to, ", ");
  print_point("derivative", bond.derivative, ", ");
  print_point("effort", bond.effort, ", ");
  print_point("flow", bond.flow, "}");
  puts(behind);
}

static void print_cases(void) {
  enum { CASES = 200 };
  uint32_t random = 1;
  puts("[");
  for (int i = 0; i < CASES; i++) {
    double numbers[8];
    for (int k = 0; k < 8; k++) {
      random = random * 1664525U + 1013904223U;
      numbers[k] = (double)(random >> 20) / 8 - 256;
    }
    if (i % 5 == 0) numbers[2] = numbers[0];
    if (i % 7 == 0) numbers[3] = numbers[1];
    const HbgBox tail = box(numbers[0], numbers[1], 10 + fabs(numbers[4]) / 4, 10 + fabs(numbers[5]) / 8);
    const HbgBox head = box(numbers[2], numbers[3], 10 + fabs(numbers[6]) / 4, 10 + fabs(numbers[7]) / 8);
    print_case(tail, head, i % 3 ? 0 : i % 2, i % 3 ? 1 : 2, (HbgStrokePlace)(i % 3), i + 1 < CASES ? "," : "");
  }
  puts("]");
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "--print") == 0) {
    print_cases();
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bond_keeps_four_pixels_away_from_its_symbols),
      cmocka_unit_test(the_half_arrow_lies_below_a_bond_whichever_way_power_goes),
      cmocka_unit_test(the_half_arrow_lies_to_the_right_of_an_upright_bond_whichever_way_power_goes),
      cmocka_unit_test(the_flow_is_written_on_the_side_of_the_half_arrow_and_the_effort_on_the_other),
      cmocka_unit_test(the_stroke_crosses_the_bond_at_the_end_that_is_given_the_effort),
      cmocka_unit_test(two_bonds_between_the_same_symbols_are_eight_pixels_to_each_side),
      cmocka_unit_test(symbols_upon_each_other_have_a_bond_without_length),
      cmocka_unit_test(the_head_of_a_signal_opens_to_both_sides),
      cmocka_unit_test(signals_between_the_same_symbols_lie_beside_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

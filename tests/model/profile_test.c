/* SPDX-License-Identifier: BSD-3-Clause
 * Look-up tables that are followed over time: which piece it is, until when, and whether the next one begins elsewhere. */
#include "model/profile.h"

#include "support/check.h"

enum { KNOTS = 4 };
static double knots[KNOTS] = {0, 1, 1, 4}, values[KNOTS] = {2, 3, 5, 5};

static HbgLookUpTable table_of(HbgInterpolation interpolation) {
  return (HbgLookUpTable){.interpolation = interpolation, .x_count = KNOTS, .x = knots, .value = values};
}

static void pieces_end_where_the_argument_comes_to_a_knot(void **state) {
  (void)state;
  const HbgLookUpTable table = table_of(HBG_TABLE_LINEAR);
  const HbgProfile profile = {.slope = 2, .rest = -1}; // 2 t - 1 = 0, 1, 1, 4
  const double ends[] = {0.5, 1, 1, 2.5, (double)INFINITY};
  for (int32_t piece = 0; piece <= KNOTS; piece++) assert_true(hbg_profile_end(&profile, &table, piece) >= ends[piece] && hbg_profile_end(&profile, &table, piece) <= ends[piece]);
}

static void a_knot_belongs_to_the_piece_behind_it(void **state) {
  (void)state;
  const HbgLookUpTable table = table_of(HBG_TABLE_LINEAR);
  const HbgProfile profile = {.slope = 2, .rest = -1};
  const double at[] = {0, 0.5, 0.9, 1, 2.4, 2.5, 9};
  const int32_t piece[] = {0, 1, 1, 3, 3, 4, 4};
  for (int which = 0; which < 7; which++) {
    assert_int_equal(hbg_profile_piece(&profile, &table, at[which]), piece[which]);
    assert_int_equal(hbg_profile_piece_behind(&profile, &table, 0, at[which]), piece[which]);
  }
}

static void only_two_knots_in_one_place_or_steps_jump(void **state) {
  (void)state;
  const HbgLookUpTable lines = table_of(HBG_TABLE_LINEAR), steps = table_of(HBG_TABLE_STEPPED);
  const bool line_jumps[KNOTS] = {false, true, false, false}, step_jumps[KNOTS] = {false, true, true, false};
  for (int32_t piece = 0; piece < KNOTS; piece++) {
    assert_int_equal(hbg_profile_jumps(&lines, piece), line_jumps[piece]);
    assert_int_equal(hbg_profile_jumps(&steps, piece), step_jumps[piece]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_end_where_the_argument_comes_to_a_knot),
      cmocka_unit_test(a_knot_belongs_to_the_piece_behind_it),
      cmocka_unit_test(only_two_knots_in_one_place_or_steps_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

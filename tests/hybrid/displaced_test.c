/* SPDX-License-Identifier: BSD-3-Clause
 * Recipes by displacement: found where a loop has declared the same again, and only there; rows are those of the event iteration. */
#include "hybrid/displaced.h"

#include <math.h>

#include "hybrid/local_parts.h"
#include "support/converters.h"
#include "support/ride.h"

/* Balls on a line between two walls; `mass` and `extra` in the text of its loop. */
#define GAS(mass, extra)                                                                                              \
  "model Gas(N = 24) {\n"                                                                                             \
  " for i in 1..N { I ball[i](" mass                                                                                  \
  ") start f = sin(i*i); 1 motion[i]; motion[i] -> ball[i]\n"                                                         \
  "  signal x[i] = integral(motion[i].f, start = i*1 [m]) }\n"                                                        \
  " for i in 1..N-1 { 0 contact[i] by Impact(x[i+1] - x[i], motion[i].f - motion[i+1].f)\n"                           \
  "  Sf rebound[i](pre(motion[i].f - motion[i+1].f)); motion[i] -> contact[i] -> motion[i+1]; rebound[i] -> "         \
  "contact[i] }\n"                                                                                                    \
  " 0 left by Impact(x[1], -motion[1].f); Sf left_rebound(pre(-motion[1].f)); left -> motion[1]; left_rebound -> "    \
  "left\n"                                                                                                            \
  " 0 right by Impact((N + 1)*1 [m] - x[N], motion[N].f); Sf right_rebound(pre(motion[N].f)); motion[N] -> right\n"   \
  " right_rebound -> right\n" extra                                                                                   \
  " machine Impact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0\n" \
  "  touching -> free when pre(approach) < 0 }\n stop 6 [s]\n}\n"

static const char converters[] = BOOST_CONVERTERS("12", "0.7");

static HbgSimOptions options_of(double stop, bool without_recipes) {
  return (HbgSimOptions){.stop = stop,
                         .tolerance = 1e-9,
                         .method = HBG_METHOD_AUTOMATIC,
                         .sliding = true,
                         .events_only = true,
                         .without_recipes = without_recipes};
}

static void check_rows(const Ride *by_recipes, const Ride *by_iteration) {
  assert_int_equal(by_recipes->count, by_iteration->count);
  for (int32_t row = 0; row < by_recipes->count; row++) {
    const HbgRow *a = &by_recipes->rows[row], *b = &by_iteration->rows[row];
    assert_true(fabs(a->time - b->time) <= 1e-9 * fabs(b->time));
    assert_true(a->eps == b->eps && a->n == b->n);
    assert_string_equal(a->cause, b->cause);
    for (int32_t column = 0; column < by_recipes->columns; column++) {
      const double x = by_recipes->values[row][column], y = by_iteration->values[row][column];
      if (fabs(x - y) > 1e-7 * (1 + fabs(y))) fail_msg("row %d: %g instead of %g", (int)row, x, y);
    }
  }
}

/* How many recipes were found by displacement. */
static int32_t found_in(const char *text, double stop) {
  Ride by_recipes, by_iteration;
  ride_begin(&by_recipes, text, options_of(stop, false), RIDE_EVENTS);
  ride_begin(&by_iteration, text, options_of(stop, true), RIDE_EVENTS);
  assert_true(by_recipes.was_local);
  check_rows(&by_recipes, &by_iteration);
  const int32_t found = by_recipes.sim->local->patterns.found;
  ride_end(&by_recipes);
  ride_end(&by_iteration);
  return found;
}

static void contacts_of_equal_balls_find_the_recipe_of_the_first_ones(void **state) {
  (void)state;
  const int32_t found = found_in(GAS("1 [kg]", ""), 6);
  assert_true(found >= 16);  // of 23 contacts, where the first few are not yet known to be alike
}

static void contacts_of_balls_that_all_differ_find_none(void **state) {
  (void)state;
  assert_int_equal(found_in(GAS("(1 + 0.01*i*i) [kg]", ""), 6), 0);
}

static void masses_that_repeat_are_found_where_they_repeat(void **state) {
  (void)state;
  assert_true(found_in(GAS("(1 + 0.5*mod(i, 3)) [kg]", ""), 6) > 0);
}

static void a_reader_far_away_tells_a_place_from_the_others(void **state) {
  (void)state;
  const char watch[] = GAS("1 [kg]",
                           " Se s(1); 1 lamp by Lamp(x[12]); R glow(1); s -> lamp -> glow\n"
                           " machine Lamp(where) { off dark initial; on lit; dark -> lit when where > 12.01; lit -> "
                           "dark when where < 11.99 }\n");
  assert_true(found_in(watch, 6) >= 8);
}

static void parts_on_one_source_are_displaced_and_the_source_is_not(void **state) {
  (void)state;
  assert_true(found_in(converters, 0.3e-3) > 0);
}

/* ---- patterns ---- */

static const HbgAnchor *anchor(const Ride *ride, const char *machine) {
  return hbg_pattern_of_machine(ride->sim, (int32_t)(elaborated_machine((Elaborated *)(uintptr_t)&ride->made, machine) -
                                                     ride->made.model.machines));
}

static void one_displacement_leads_from_a_contact_to_another(void **state) {
  (void)state;
  Ride ride;
  ride_begin(&ride, GAS("1 [kg]", ""), options_of(1, false), RIDE_EVENTS);
  HbgDisplacement by = {0};
  assert_true(hbg_is_displaced(&by, anchor(&ride, "contact[3]"), anchor(&ride, "contact[10]")));
  assert_true(by.is_known[HBG_NUMBERS_OF_MACHINES] && by.by[HBG_NUMBERS_OF_MACHINES] == 7);
  assert_int_equal(by.by[HBG_NUMBERS_OF_NODES], 7);
  assert_true(hbg_is_displaced(&by, anchor(&ride, "contact[2]"), anchor(&ride, "contact[9]")));
  assert_false(hbg_is_displaced(&by, anchor(&ride, "contact[2]"), anchor(&ride, "contact[8]")));  // by another distance
  assert_false(hbg_is_displaced(&by, anchor(&ride, "contact[2]"), anchor(&ride, "left")));
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_of_equal_balls_find_the_recipe_of_the_first_ones),
      cmocka_unit_test(contacts_of_balls_that_all_differ_find_none),
      cmocka_unit_test(masses_that_repeat_are_found_where_they_repeat),
      cmocka_unit_test(a_reader_far_away_tells_a_place_from_the_others),
      cmocka_unit_test(parts_on_one_source_are_displaced_and_the_source_is_not),
      cmocka_unit_test(one_displacement_leads_from_a_contact_to_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

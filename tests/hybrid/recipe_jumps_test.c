/* SPDX-License-Identifier: BSD-3-Clause
 * Jumps under laws that bend: where a law goes one way only the jump is part of a recipe, and where there may be other solutions it is not. */
#include "hybrid/recipe_jumps.h"

#include "hybrid/local_parts.h"
#include "support/ride.h"

/* Each round the switch opens, and the coil keeps nothing. */
#define COILS(LAW)                                                                            \
  "model Coils {\n Se supply(2); 0 rail; supply -> rail\n"                                    \
  " for i in 1..3 { 1 line[i] by Switch(pulse(0.01*i, 0.05, 0.1) > 0.5); I coil[i]: f = " LAW \
  "; R wire[i](1)\n"                                                                          \
  "  rail -> line[i] -> coil[i]; line[i] -> wire[i] }\n"                                      \
  " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n}\n"

static int32_t uses_of(const Ride *ride) {
  int32_t count = 0;
  const HbgLocal *local = ride->sim->local;
  for (int32_t entry = 0; local && entry < local->queue.count; entry++)
    for (const HbgRecipeUse *use = local->recipes[entry]; use; use = use->next) count += use->recipe->has_jumped;
  return count;
}

/* How many jumps are parts of recipes; rows are those of the event iteration. */
static int32_t jumps_of(const char *text) {
  HbgSimOptions options = {
      .stop = 1.03, .interval = 0.1, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  Ride with, without;
  ride_begin(&with, text, options, RIDE_EVENTS);
  options.without_recipes = true;
  ride_begin(&without, text, options, RIDE_EVENTS);
  ride_check_same(&without, &with, 1e-7, 1e-6);
  const int32_t count = uses_of(&with);
  ride_end(&with);
  ride_end(&without);
  return count;
}

static void a_coil_that_is_switched_off_keeps_no_flux_however_its_law_bends(void **state) {
  (void)state;
  assert_int_equal(jumps_of(COILS("p/0.02 + 300*p^3")), 3);
}

static void where_a_law_comes_back_to_nothing_the_event_iteration_decides(void **state) {
  (void)state;
  assert_int_equal(jumps_of(COILS("40*sin(p)")), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_coil_that_is_switched_off_keeps_no_flux_however_its_law_bends),
      cmocka_unit_test(where_a_law_comes_back_to_nothing_the_event_iteration_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

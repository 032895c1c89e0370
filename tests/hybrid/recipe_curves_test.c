/* SPDX-License-Identifier: BSD-3-Clause
 * Recipes where laws bend: they are made and followed, and rows are those of the event iteration. Random models are families of parts with laws of many
 * kinds. HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "hybrid/recipe_curves.h"

#include <stdlib.h>
#include <string.h>

#include "hybrid/local_parts.h"
#include "support/ride.h"
#include "support/seeds.h"

enum { TEXT = 16384 };

static void ride_both(Ride *with, Ride *without, const char *text, double stop, int shows) {
  HbgSimOptions options = {
      .stop = stop, .interval = stop / 7, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  ride_begin(with, text, options, shows);
  options.without_recipes = true;
  ride_begin(without, text, options, shows);
  ride_check_same(without, with, 1e-7, 1e-6);
}

/* Uses of recipes, those of them in which something bends, and different recipes. */
typedef struct Uses {
  int count, bent, recipes;
} Uses;

static Uses uses_of(const Ride *ride) {
  Uses uses = {0};
  const HbgRecipe *seen[64];
  const HbgLocal *local = ride->sim->local;
  for (int32_t entry = 0; local && entry < local->queue.count; entry++)
    for (const HbgRecipeUse *use = local->recipes[entry]; use; use = use->next) {
      int at = 0;
      while (at < uses.recipes && seen[at] != use->recipe) at++;
      if (at == uses.recipes && at < 64) seen[uses.recipes++] = use->recipe;
      uses.count++;
      uses.bent += use->recipe->needed_curves > 0;
    }
  return uses;
}

#define FLOOR                                                                                                         \
  " machine Floor(height, speed) { off flying initial; on touching; flying -> touching when height <= 0 and speed < " \
  "0\n"                                                                                                               \
  "   touching -> flying when pre(speed) > 0 }\n"
#define SWITCHES                                                                                                      \
  " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"   \
  " machine Diode(current, voltage) { off blocking initial; on conducting; blocking -> conducting when voltage > 0\n" \
  "   conducting -> blocking when current < 0 }\n"

static void an_impact_in_air_is_a_recipe_of_all_balls(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without,
            "model Air {\n for i in 1..5 { 1 motion[i]; I mass[i](1) start f = -0.2*i; Se gravity[i](-9.81); R air[i]: "
            "e = 0.05*f*abs(f)\n"
            "  0 contact[i] by Floor(height[i], motion[i].f); Sf rebound[i](-0.9*pre(motion[i].f)); gravity[i] -> "
            "motion[i] -> mass[i]\n"
            "  motion[i] -> air[i]; motion[i] -> contact[i] -> rebound[i]; signal height[i] = integral(motion[i].f, "
            "start = 5) }\n" FLOOR "}\n",
            5, RIDE_EVENTS);
  const Uses uses = uses_of(&with);
  assert_int_equal(uses.recipes, 1);
  assert_int_equal(uses.count, 5);
  ride_end(&with);
  ride_end(&without);
}

static const char *const converters =
    "model Boost {\n param period = 0.1\n Se supply(2); 0 rail; supply -> rail\n"
    " for i in 1..3 { 1 line[i]; I coil[i]: f = p/0.02 + 300*p^3; 0 node[i], output[i]; 1 switch[i] by Switch(pulse((i "
    "- 1)*period/3, period/2, period) > 0.5)\n"
    "  Se ground[i](0); 1 diode[i] by Diode(diode[i].f, node[i].e - output[i].e); C capacitor[i](0.3); R load[i](20)\n"
    "  rail -> line[i] -> node[i] -> diode[i] -> output[i] -> capacitor[i]; line[i] -> coil[i]; node[i] -> switch[i] "
    "-> ground[i]; output[i] -> load[i]\n"
    "  signal current[i] = coil[i].f, voltage[i] = node[i].e }\n" SWITCHES "}\n";

/* The diode decides by a current that is no combination of states. */
static void what_a_bent_law_decides_is_followed(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without, converters, 3, RIDE_EVENTS);
  const Uses uses = uses_of(&with);
  assert_true(uses.bent >= 3);
  assert_true(uses.recipes < uses.count);
  ride_end(&with);
  ride_end(&without);
}

static void rows_show_what_bends(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without, converters, 1.5, RIDE_EVENTS | RIDE_TRAJECTORY);
  assert_true(uses_of(&with).bent >= 3);
  ride_end(&with);
  ride_end(&without);
}

/* ---- random models ---- */

static double between(double low, double high) { return low + (high - low) * (rand() % 1001) / 1000; }

typedef int (*WritePart)(char *text, size_t size, int n);

static int write_ball(char *text, size_t size, int n) {
  static const char *const airs[] = {"0.1*f*abs(f)", "0.2*f^3", "0.3*f + 0.1*sinh(f/3)", "tanh(f)",
                                     "if f > 0 then 0.3*f else 0.1*f"};
  const double keep = between(0.85, 0.98);
  const char *air = airs[rand() % 5];
  return snprintf(text, size,
                  " 1 motion%d; I mass%d(1) start f = %.3f; Se gravity%d(-9.81); R air%d: e = %s; 0 contact%d by "
                  "Floor(height%d, motion%d.f)\n"
                  " Sf rebound%d(-%.3f*pre(motion%d.f)); gravity%d -> motion%d -> mass%d; motion%d -> air%d; motion%d "
                  "-> contact%d -> rebound%d\n"
                  " signal height%d = integral(motion%d.f, start = %.3f)\n",
                  n, n, -0.1 * n, n, n, air, n, n, n, n, keep, n, n, n, n, n, n, n, n, n, n, n, 1 + 0.1 * n);
}

static int write_boost(char *text, size_t size, int n) {
  static const char *const coils[] = {"p/0.02 + 300*p^3", "20*sinh(p/0.4)", "p/0.02", "p/0.02 + 100*p*abs(p)"};
  const char *coil = coils[rand() % 4];
  const double load = between(5, 40), high = between(0.02, 0.06);
  return snprintf(text, size,
                  " 1 line%d; I coil%d: f = %s; 0 node%d, output%d; 1 switch%d by Switch(pulse(%.4f, %.4f, 0.1) > "
                  "0.5); Se ground%d(0)\n"
                  " 1 diode%d by Diode(diode%d.f, node%d.e - output%d.e); C capacitor%d(0.3); R load%d(%.2f)\n"
                  " rail -> line%d -> node%d -> diode%d -> output%d -> capacitor%d; line%d -> coil%d; node%d -> "
                  "switch%d -> ground%d; output%d -> load%d\n"
                  " signal current%d = coil%d.f\n",
                  n, n, coil, n, n, n, 0.0071 * n, high, n, n, n, n, n, n, n, load, n, n, n, n, n, n, n, n, n, n, n, n,
                  n, n);
}

static int write_leak(char *text, size_t size, int n) {
  static const char *const leaks[] = {"0.3*(exp(e/2) - 1)", "0.2*e^3", "0.4*e"};
  const char *leak = leaks[rand() % 3];
  const double low = between(0.2, 0.4), high = between(0.6, 0.9);
  return snprintf(text, size,
                  " Se source%d(5); 1 line%d by Tank%d(leak%d.f); R into%d(0.5); 0 out%d; C store%d(0.1) start e = "
                  "%.2f; R leak%d: f = %s\n"
                  " source%d -> line%d -> into%d; line%d -> out%d -> store%d; out%d -> leak%d\n"
                  " machine Tank%d(leakage) { off waiting initial; on filling; waiting -> filling when leakage < %.3f; "
                  "filling -> waiting when leakage > %.3f }\n",
                  n, n, n, n, n, n, n, 0.6 + 0.1 * n, n, leak, n, n, n, n, n, n, n, n, n, low, high);
}

static void draw(long seed, char *text) {
  static const WritePart kinds[] = {write_ball, write_boost, write_leak};
  srand((unsigned)seed);
  int used = snprintf(text, TEXT, "// seed %ld\nmodel Family {\n Se supply(2); 0 rail; supply -> rail\n", seed), n = 0;
  for (int family = 0, families = 1 + rand() % 2; family < families; family++) {
    const WritePart kind = kinds[rand() % 3];
    const unsigned numbers = (unsigned)rand();
    for (int member = 0, members = 3 + (int)(numbers % 3); member < members; member++) {
      srand(member == 2 ? numbers + 1 : numbers);  // one of them differs
      used += kind(text + used, TEXT - (size_t)used, n++);
    }
  }
  snprintf(text + used, TEXT - (size_t)used, FLOOR SWITCHES " stop 2\n}\n");
}

static void families_get_the_rows_of_the_event_iteration(void **state) {
  (void)state;
  static char text[TEXT];
  const Seeds seeds = seeds_of(24);
  long sharing = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    draw(seed, text);
    Ride with, without;
    ride_both(&with, &without, text, 1.7, seed % 2 ? RIDE_EVENTS : RIDE_EVENTS | RIDE_TRAJECTORY);
    const Uses uses = uses_of(&with);
    sharing += uses.recipes < uses.count;
    ride_end(&with);
    ride_end(&without);
  }
  assert_true(2 * sharing >= seeds.count);  // else nothing has been compared
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_in_air_is_a_recipe_of_all_balls),
      cmocka_unit_test(what_a_bent_law_decides_is_followed),
      cmocka_unit_test(rows_show_what_bends),
      cmocka_unit_test(families_get_the_rows_of_the_event_iteration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Instants by recipe where sets of states move by themselves have the rows of the event iteration; those who are alike share recipes. */
#include "hybrid/coupled.h"

#include "hybrid/local_parts.h"
#include "support/belt.h"
#include "support/ride.h"

typedef struct Followed {
  int64_t instants, learned;
} Followed;

static void look_at_recipes(const HbgSim *sim, void *user) {
  Followed *followed = user;
  if (!sim->local || !sim->local->coupled) return;
  *followed = (Followed){sim->local->coupled->followed, sim->local->coupled->learned};
}

static HbgSimOptions options_of(double stop, bool without_recipes) {
  return (HbgSimOptions){.stop = stop, .interval = stop / 30, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                         .cut_above = 1, .in_sets = 1, .without_recipes = without_recipes};
}

/* Runs a model with recipes and without; answers how many instants have followed one, of how many. */
static Followed compare(const char *text, double stop, int shows, int64_t *events) {
  static const RideWays ways = {"by recipes", "without", 1e-10, 1e-9};
  Ride own, without;
  Followed followed = {0}, none = {0};
  ride_try(&own, text, options_of(stop, false), shows, look_at_recipes, &followed);
  ride_try(&without, text, options_of(stop, true), shows, look_at_recipes, &none);
  ride_check_alike(&own, &without, &ways);
  assert_int_equal(none.instants, 0);
  *events = hbg_sim_statistics(own.sim).events;
  ride_end(&own);
  ride_end(&without);
  return followed;
}

static void nearly_all_instants_of_blocks_that_are_alike_follow_a_few_recipes(void **state) {
  (void)state;
  int64_t events;
  const Followed followed = compare(BELT(20, 60), 60, RIDE_TRAJECTORY, &events);
  assert_true(events > 200);
  assert_true(followed.instants > events - 30);
  assert_true(followed.learned < 150);
}

static void instants_are_shown_with_the_values_that_they_pass_through(void **state) {
  (void)state;
  int64_t events;
  const Followed followed = compare(BELT(6, 40), 40, RIDE_EVENTS, &events);
  assert_true(followed.instants > events / 2);
}

/* No combination of what the instant reads: several islands give to the storage. */
static void rows_that_show_what_a_storage_between_islands_receives_are_not_by_recipe(void **state) {
  (void)state;
  int64_t events;
  assert_int_equal(compare(BELT(6, 15), 15, RIDE_TRAJECTORY | RIDE_BONDS, &events).instants, 0);
  assert_true(events > 5);
}

/* Converters behind one wire: edges, and diodes that block with a jump of the last digit and turn on where a rate has decided. */
#define BUS(n, count) \
  "model Bus(N = " #n ") {\n param period = 10 [us], V = 12 [V], resistance = 400 [Ohm]\n" \
  " Se supply(V)\n 1 wire\n R cable(10 [mOhm]/N)\n 0 rail\n C buffer(N*1 [mF]) start e = V\n supply -> wire -> rail -> buffer; wire -> cable\n" \
  " for i in 1..N {\n  1 line[i]; I coil[i](47 [uH]); 0 node[i], output[i]\n" \
  "  1 switch[i] by Switch(pulse((i - 1)*period/N, period/2, period) > 0.5)\n  Se ground[i](0 [V])\n" \
  "  1 diode[i] by Diode(diode[i].f, node[i].e - output[i].e)\n  C capacitor[i](47 [uF]); R load[i](resistance)\n" \
  "  rail -> line[i] -> node[i] -> diode[i] -> output[i] -> capacitor[i]\n  line[i] -> coil[i]; node[i] -> switch[i] -> ground[i]; output[i] -> load[i]\n }\n" \
  " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n" \
  " machine Diode(current, voltage) { off blocking initial; on conducting; blocking -> conducting when voltage > 0\n" \
  "  conducting -> blocking when current < 0 }\n stop " #count " [us]\n}"

static void converters_behind_one_wire_follow_each_other(void **state) {
  (void)state;
  int64_t events;
  const Followed followed = compare(BUS(8, 303), 303e-6, RIDE_TRAJECTORY, &events);
  assert_true(events > 150);
  assert_true(followed.instants > events / 2);
}

/* Springs with dampers tie blocks that slip to each other, so islands are as large as their number. */
static void islands_of_many_states_go_through_the_event_iteration(void **state) {
  (void)state;
  int64_t events;
  const char text[] =
      "model Damped(N = 8) {\n param V = 0.5\n function place(i) = 0.2*sin(1.7*i)\n"
      " for i in 1..N { 1 v[i]; I m[i](1) start f = V; C spring[i](1) start q = place(i); 0 grip[i] by Grip(pull[i], v[i].f - V); Sf ride[i](V)\n"
      "  Se friction[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0)\n"
      "  v[i] -> m[i]; v[i] -> spring[i]; v[i] -> grip[i] -> ride[i]; friction[i] -> v[i]\n"
      "  signal pull[i] = tension[i] - tension[i-1] - spring[i].e }\n"
      " for i in 1..N-1 { 0 between[i]; 1 link[i]; C k[i](2) start q = place(i) - place(i + 1); R b[i](0.05)\n"
      "  v[i] -> between[i] -> v[i+1]; between[i] -> link[i] -> k[i]; link[i] -> b[i]; signal tension[i] = -between[i].e }\n"
      " signal tension[0] = 0, tension[N] = 0\n"
      " machine Grip(pull, slip) { on stuck initial; off ahead, behind; stuck -> ahead when pull > 1.5; stuck -> behind when pull < -1.5\n"
      "  ahead -> stuck when slip < 0 and pull >= -1.5; ahead -> behind when slip < 0 and pull < -1.5\n"
      "  behind -> stuck when slip > 0 and pull <= 1.5; behind -> ahead when slip > 0 and pull > 1.5 }\n stop 40\n}";
  const Followed followed = compare(text, 40, RIDE_TRAJECTORY, &events);
  assert_true(events > 30);
  assert_true(followed.instants < events);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearly_all_instants_of_blocks_that_are_alike_follow_a_few_recipes),
      cmocka_unit_test(instants_are_shown_with_the_values_that_they_pass_through),
      cmocka_unit_test(rows_that_show_what_a_storage_between_islands_receives_are_not_by_recipe),
      cmocka_unit_test(converters_behind_one_wire_follow_each_other),
      cmocka_unit_test(islands_of_many_states_go_through_the_event_iteration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

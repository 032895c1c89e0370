/* SPDX-License-Identifier: BSD-3-Clause
 * An event within a step of the whole redoes only what it can influence: runs with patches have the rows of runs in which every event ends
 * the step of everything. */
#include "hybrid/influence_parts.h"
#include "support/belt.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

/* Answers how many patches there were. */
static int64_t ride(Ride *self, const char *text, double stop, int32_t patch_above, bool shows_variables) {
  const HbgSimOptions options = {.stop = stop, .interval = stop / 23, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                                 .cut_above = 1, .patch_above = patch_above, .in_sets = -1};
  ride_try(self, text, options, RIDE_EVENTS | (shows_variables ? RIDE_BONDS : 0), NULL, NULL);
  return self->sim->influence ? self->sim->influence->patch_count : 0;
}

/* Runs a model both ways; answers how many patches there were. */
static int64_t compare_with(const char *text, double stop, bool shows_variables) {
  static const RideWays ways = {"with patches", "without", 1e-8, 1e-7};
  Ride patched, whole;
  const int64_t patches = ride(&patched, text, stop, 1, shows_variables);
  assert_int_equal(ride(&whole, text, stop, -1, shows_variables), 0);
  ride_check_alike(&patched, &whole, &ways);
  ride_end(&patched);
  ride_end(&whole);
  return patches;
}

static int64_t compare(const char *text, double stop) {
  const int64_t patches = compare_with(text, stop, false);
  assert_int_equal(compare_with(text, stop, true), patches);
  return patches;
}

/* ---- models ---- */

static void a_ladder_whose_cells_are_switched_one_by_one_is_patched(void **state) {
  (void)state;
  assert_true(compare("model Ladder(N = 60) {\n Se source(1); 0 n[0]; source -> n[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.05); C c[i](1) start q = cos(i)\n"
                      "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4)\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 2\n}", 2) > 100);
}

static void guards_on_states_of_a_patch_are_found_in_it(void **state) {
  (void)state;
  // a lamp lights where its capacitor has been charged far enough by what others have switched
  assert_true(compare("model Lamps(N = 40) {\n Se source(1); 0 n[0]; source -> n[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](0.5) start p = sin(3*i); R w[i](0.1); C c[i](0.3) start q = 0.4*cos(2*i)\n"
                      "  1 branch[i] by Lamp(n[i].e, 0.3 + 0.01*i); R load[i](0.7); n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Lamp(v, high) { off dark initial; on lit; dark -> lit when v > high; lit -> dark when v < 0.1 }\n stop 5\n}", 5) > 20);
}

static void blocks_that_stick_and_slip_are_patched(void **state) {
  (void)state;
  assert_true(compare(BELT(40, 20), 20) > 50);
}

static void laws_that_bend_are_evaluated_within_a_patch(void **state) {
  (void)state;
  assert_true(compare("model Bent(N = 40) {\n 0 n[0]; C c[0](1) start q = 1; n[0] -> c[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i]: e = 0.1*f + f^3; C c[i](1) start q = cos(i)\n"
                      "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i]: f = sinh(e)\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 2\n}", 2) > 50);
}

static void sources_that_are_pulsed_are_patched(void **state) {
  (void)state;
  assert_true(compare("model Pulsed(N = 40) {\n 0 n[0]; C c[0](1) start q = 1; n[0] -> c[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.3); C c[i](1) start q = cos(i)\n"
                      "  Sf feed[i](pulse(mod(0.618034*i, 1), 0.3, 1)); feed[i] -> n[i]\n"
                      "  1 tap[i] by Tap(n[i].e); R drain[i](2); n[i] -> tap[i] -> drain[i]\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i] }\n"
                      " machine Tap(v) { off shut initial; on running; shut -> running when v > 1.2; running -> shut when v < 0.8 }\n stop 2\n}", 2) > 50);
}

/* A row of pendulums with springs between them; each hits a wall and is thrown back by what its speed was. */
#define PENDULUMS(extra) \
  "model Pendulums(N = 40) {\n for i in 1..N { 1 turning[i]; I mass[i](1); signal angle[i] = integral(turning[i].f, start = 1.5*cos(0.7*i))\n" \
  "  Se weight[i](-2*sin(angle[i])); weight[i] -> turning[i] -> mass[i]\n" \
  "  0 contact[i] by Wall(angle[i], turning[i].f); Sf rebound[i](-0.9*pre(turning[i].f)); turning[i] -> contact[i] -> rebound[i] }\n" \
  " for i in 1..N-1 { 0 torque[i]; C spring[i](2) start q = 1.5*(cos(0.7*i) - cos(0.7*(i + 1)))\n" \
  "  turning[i] -> torque[i] -> turning[i+1]; torque[i] -> spring[i] }\n" extra \
  " machine Wall(angle, speed) { off flying initial; on touching; flying -> touching when angle <= -0.9 and speed < 0\n" \
  "  touching -> flying when pre(speed) > 0 }\n stop 10\n}"

static void pendulums_that_hit_walls_are_patched(void **state) {
  (void)state;
  assert_true(compare(PENDULUMS(""), 10) > 20);
}

static void what_is_thrown_back_is_felt_by_who_reads_its_speed(void **state) {
  (void)state;
  // a law elsewhere, and an integrator of the blow
  assert_int_equal(compare(PENDULUMS(" 1 brake; I wheel(1); Se drag(-turning[3].f); drag -> brake -> wheel\n"), 4) > 0, true);
  compare(PENDULUMS(" 1 brake; I wheel(1); Se drag(-pre(turning[3].f)); drag -> brake -> wheel\n"), 4);
  compare(PENDULUMS(" 1 brake; I wheel(1); Se drag(-pre(turning[3].f)); drag -> brake -> wheel\n"
                    " 1 fast by Fast(drag.e); Se hum(1); R load(1); hum -> fast -> load\n"
                    " machine Fast(e) { on slow initial; off quick; slow -> quick when e < -0.5; quick -> slow when e > 0.5 }\n"), 4);
  compare(PENDULUMS(" signal blows = integral(contact[5].e)\n"), 4);
}

/* ---- random networks ---- */

/* Cells in a row with some bonds across, each of which may have a switch on a clock or on its voltage, and a law that bends. */
static void write_network(HbgText *text, Random *random) {
  const int cells = 12 + random_below(random, 30);
  const double sources = random_chance(random, 0.3) ? 0.1 : 0, timed = random_chance(random, 0.4) ? 0.3 : 0;
  hbg_text_add(text, "model Network {\n machine Clocked(g) { on closed; off open initial; closed -> open when not g; open -> closed when g }\n"
                     " machine Timed(T, S) { var n = 0; on closed initial; off open; closed -> open after T; open -> closed after S do n := n + 1 }\n"
                     " machine Limit(v, a, b) { off low initial; on high; low -> high when v > b; high -> low when v < a }\n 0 n0; C c0(1) start q = 1; n0 -> c0\n");
  for (int i = 1; i <= cells; i++) {
    const int from = random_chance(random, 0.85) ? i - 1 : random_below(random, i);
    hbg_text_add(text, " 0 n%d; 1 w%d; C c%d(%g) start q = %g; n%d -> w%d -> n%d -> c%d\n", i, i, i, 0.3 + random_real(random), random_real(random) - 0.5, from, i, i, i);
    if (random_chance(random, 0.6)) hbg_text_add(text, " I l%d(%g) start p = %g; w%d -> l%d\n", i, 0.3 + random_real(random), random_real(random) - 0.5, i, i);
    if (random_chance(random, 0.15)) hbg_text_add(text, " R r%d: e = %g*f + f^3; w%d -> r%d\n", i, 0.5 + random_real(random), i, i);
    else hbg_text_add(text, " R r%d(%g); w%d -> r%d\n", i, 0.3 + random_real(random), i, i);
    if (random_chance(random, sources)) hbg_text_add(text, " Sf u%d(%g*cos(%g*time)); u%d -> n%d\n", i, random_real(random), 5 * random_real(random), i, i);
    if (random_chance(random, timed))
      hbg_text_add(text, " 1 b%d by Timed(%g, %g); R d%d: e = (%g + 0.1*b%d.n)*f; n%d -> b%d -> d%d\n", i, 0.1 + 0.3 * random_real(random), 0.1 + 0.3 * random_real(random), i,
                   0.5 + random_real(random), i, i, i, i);
    else if (random_chance(random, 0.5))
      hbg_text_add(text, " 1 b%d by Clocked(pulse(%g, %g, %g) > 0.5); R d%d(%g); n%d -> b%d -> d%d\n", i, random_real(random), 0.1 + 0.2 * random_real(random),
                   0.4 + random_real(random), i, 0.5 + random_real(random), i, i, i);
    else if (random_chance(random, 0.5))
      hbg_text_add(text, " 1 b%d by Limit(n%d.e, %g, %g); R d%d(%g); n%d -> b%d -> d%d\n", i, random_chance(random, 0.8) ? i : i - 1,
                   -0.5 * random_real(random), 0.1 + random_real(random), i, 0.5 + random_real(random), i, i, i);
  }
  hbg_text_add(text, " stop 1.5\n}");
}

static void networks_in_which_much_switches_do_the_same_with_patches(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  int64_t patches = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_network(&text, &random);
    patches += compare_with(text.bytes, 1.5, seed % 2);
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(patches > 3 * seeds.count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ladder_whose_cells_are_switched_one_by_one_is_patched),
      cmocka_unit_test(guards_on_states_of_a_patch_are_found_in_it),
      cmocka_unit_test(blocks_that_stick_and_slip_are_patched),
      cmocka_unit_test(laws_that_bend_are_evaluated_within_a_patch),
      cmocka_unit_test(sources_that_are_pulsed_are_patched),
      cmocka_unit_test(pendulums_that_hit_walls_are_patched),
      cmocka_unit_test(what_is_thrown_back_is_felt_by_who_reads_its_speed),
      cmocka_unit_test(networks_in_which_much_switches_do_the_same_with_patches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

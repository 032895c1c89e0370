/* SPDX-License-Identifier: BSD-3-Clause
 * A diode that has just switched leaves its surface plainly, also where its current begins at nothing with no rate, or is told from the leak beside it by a
 * millionth, or is no combination of states: in parts with clocks of their own nobody asks whether it slides. So do bodies that touch, in sets of states, and blocks that let go by a friction that falls. Random rectifiers are in parts what they are as a whole. */
#include "hybrid/departure.h"

#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

static double random_between(Random *random, double least, double most) { return least + (most - least) * random_real(random); }

/* Sines that charge capacitors by way of coils: each by a diode, or by a bridge of four. `leak` [S] beside each; 0: none. */
static void write_rectifiers(char *text, size_t room, Random *random, bool is_bridge, double resistance, double leak) {
  const double shift = random_between(random, 0, 6.28), spread = random_between(random, 0.1, 1);
  snprintf(text, room,
           "model Rectifiers(N = 3) {\n for i in 1..N { Se u[i]: e = 325*sin(314*time + %.17g + %.17g*i); 1 line[i]; I coil[i](%.17g)\n"
           "  R wire[i](0.1); 0 a[i], b[i], plus[i], minus[i]; 1 out[i]; C store[i](1e-3) start e = 200; R load[i](30); 0 rail[i]\n"
           "  u[i] -> line[i] -> a[i]; line[i] -> coil[i]; line[i] -> wire[i]; Se ground[i](0); b[i] -> ground[i]\n"
           "  plus[i] -> out[i] -> minus[i]; out[i] -> rail[i]; rail[i] -> store[i]; rail[i] -> load[i]\n"
           "  for k in 1..%d { 1 path[i][k] by Diode(voltage[i][k] > 0, path[i][k].f); R on[i][k](%.17g); path[i][k] -> on[i][k]\n"
           "   for l in 1..%d { 1 past[i][k]; R leak[i][k](%.17g); past[i][k] -> leak[i][k] } }\n",
           shift, spread, random_between(random, 5e-4, 2e-3), is_bridge ? 4 : 1, resistance, leak > 0 ? 1 : 0, leak > 0 ? 1 / leak : 1);
  static const char *const ends[] = {"a[i]", "plus[i]", "b[i]", "plus[i]", "minus[i]", "a[i]", "minus[i]", "b[i]"};
  for (int k = 1; k <= (is_bridge ? 4 : 1); k++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    const char *from = ends[2 * k - 2], *to = ends[2 * k - 1];
    const char *past = leak > 0 ? hbg_print(&arena, "  %s -> past[i][%d] -> %s\n", from, k, to) : "";
    snprintf(text + strlen(text), room - strlen(text), "  %s -> path[i][%d] -> %s\n%s  signal voltage[i][%d] = %s.e - %s.e\n", from, k, to, past, k, from, to);
    hbg_arena_release_all(&arena);
  }
  snprintf(text + strlen(text), room - strlen(text), "%s }\n machine Diode(opens, flow) { off blocking initial; on conducting\n"
           "  blocking -> conducting when opens; conducting -> blocking when flow < 0 }\n stop 0.05\n}", is_bridge ? "" : "  minus[i] -> b[i]\n");
}

static HbgSimOptions options_of(bool as_a_whole) {
  return (HbgSimOptions){.stop = 0.05, .interval = 1e-3, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .as_a_whole = as_a_whole};
}

/* It must have the rows that it has as a whole; how many surfaces have been asked about. */
static int32_t compare_rows(const char *text) {
  static const RideWays ways = {"in parts", "as a whole", 1e-7, 1e-6};
  Ride parts, whole;
  ride_begin(&parts, text, options_of(false), RIDE_TRAJECTORY | RIDE_EVENTS);
  ride_begin(&whole, text, options_of(true), RIDE_TRAJECTORY | RIDE_EVENTS);
  ride_check_alike(&parts, &whole, &ways);
  assert_true(parts.was_local && hbg_sim_statistics(parts.sim).events > 6);
  const int32_t surfaces = parts.sim->slides.surfaces.count;
  ride_end(&parts);
  ride_end(&whole);
  return surfaces;
}

/* It must come to the end that it comes to as a whole: what two diodes turn at once, or nearly so, need not be the same rows. */
static void compare_ends(const char *text) {
  Ride parts, whole;
  ride_begin(&parts, text, options_of(false), RIDE_TRAJECTORY);
  ride_begin(&whole, text, options_of(true), RIDE_TRAJECTORY);
  const double *scale = ride_scales(&parts);
  for (int32_t column = 0; column < parts.columns; column++)
    CHECK_NEAR(parts.values[parts.count - 1][column], whole.values[whole.count - 1][column], 1e-6 * scale[column]);
  assert_true(hbg_sim_statistics(parts.sim).events > 2);
  ride_end(&parts);
  ride_end(&whole);
}

static void for_seeds(void (*check)(Random *random)) {
  const Seeds seeds = seeds_of(8);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    printf("seed %ld\n", seed);
    Random random = {(uint64_t)seed};
    check(&random);
  }
}

static void check_diodes(Random *random) {
  char text[4000];
  write_rectifiers(text, sizeof text, random, false, random_between(random, 1e-4, 1e-2), 0);
  assert_int_equal(compare_rows(text), 0);
}

static void current_that_begins_at_nothing_with_no_rate_is_no_slide(void **state) {
  (void)state;
  for_seeds(check_diodes);
}

static void check_bridges(Random *random) {
  char text[4000];
  const double resistance = random_between(random, 1e-3, 1e-1), leak = pow(10, random_between(random, -6, -4));
  write_rectifiers(text, sizeof text, random, true, resistance, leak);
  compare_ends(text);
}

static void bridges_with_leaks_come_to_the_end_of_a_whole(void **state) {
  (void)state;
  for_seeds(check_bridges);
}

/* Vessels whose elastance follows the time are filled and emptied through valves: no pressure is a combination of states. */
static void check_vessels(Random *random) {
  char text[2000];
  const double swing = random_between(random, 0.2, 0.6), frequency = random_between(random, 200, 600);
  const double into = random_between(random, 1e-3, 1e-2), from = random_between(random, 1e-3, 1e-2);
  snprintf(text, sizeof text,
           "model Vessels(N = 3) {\n for i in 1..N { signal E[i] = 1 + %.17g*sin((%.17g + 9*i)*time); 0 vessel[i]; C water[i]: e = E[i]*q\n"
           "  1 inlet[i] by Valve(8 - vessel[i].e, inlet[i].f); 1 outlet[i] by Valve(vessel[i].e - 10, outlet[i].f); Se vein[i](8), artery[i](10)\n"
           "  R r[i](%.17g), s[i](%.17g); vein[i] -> inlet[i] -> vessel[i] -> water[i]; inlet[i] -> r[i]\n"
           "  vessel[i] -> outlet[i] -> artery[i]; outlet[i] -> s[i] }\n"
           " machine Valve(difference, flow) { off closed initial; on open; closed -> open when difference > 0; open -> closed when flow < 0 }\n"
           " stop 0.05\n}",
           swing, frequency, into, from);
  assert_int_equal(compare_rows(text), 0);
}

static void what_is_no_combination_of_states_is_told_by_trial(void **state) {
  (void)state;
  for_seeds(check_vessels);
}

/* Bodies in a row, with a spring and a damper between neighbours as long as they touch, which their places tell: each goes in sets of states by itself. */
static void check_grains(Random *random) {
  char text[2000];
  snprintf(text, sizeof text,
           "model Grains(N = 30) {\n for i in 1..N { 1 v[i]; I m[i](%.17g) start f = sin(%.17g*i); v[i] -> m[i]; signal x[i] = integral(v[i].f, start = 1.005*i) }\n"
           " for i in 1..N-1 { 0 c[i] by Touch(over[i]); 1 s[i]; Se spring[i](%.17g*over[i]); R damper[i](1); signal over[i] = 1 - (x[i+1] - x[i])\n"
           "  v[i] -> c[i] -> v[i+1]; c[i] -> s[i] -> spring[i]; s[i] -> damper[i] }\n"
           " machine Touch(over) { off apart initial; on touching; apart -> touching when over > 0; touching -> apart when over < 0 }\n stop 0.05\n}",
           random_between(random, 0.005, 0.02), random_between(random, 1, 9), random_between(random, 500, 2000));
  assert_int_equal(compare_rows(text), 0);
}

static void bodies_that_touch_by_their_places_are_no_slide(void **state) {
  (void)state;
  for_seeds(check_grains);
}

/* Blocks on belts, whose friction falls as they slip, and which let go from rest: then neither the speed has a rate, nor is that of the rate a
 * combination of states. By themselves (parts with clocks of their own), or with springs between them (one part). */
static void check_blocks(Random *random) {
  const bool are_tied = random_below(random, 2);
  char text[2048];
  snprintf(text, sizeof text,
           "model Blocks(N = 4) {\n for i in 1..N { Sf belt[i](1e-3 + %.17g*i); I m[i](1); 1 v[i]; v[i] -> m[i]; C leaf[i](2.5e-6); v[i] -> leaf[i]\n"
           "  0 con[i]; 1 slip[i] by StickSlip(con[i].e, slip[i].f); MSe rub[i](1/(1 + %.17g*slip[i].f^2)); belt[i] -> con[i] -> v[i]; con[i] -> slip[i] -> rub[i] }\n%s"
           " machine StickSlip(force, speed) { off stuck initial; on forward; stuck -> forward when force > 1; forward -> stuck when speed < 0 }\n stop 0.05\n}",
           random_between(random, 1e-5, 1e-4), random_between(random, 3e4, 2e5),
           are_tied ? " for i in 1..N-1 { 0 between[i]; C spring[i](2e-5); v[i] -> between[i] -> v[i+1]; between[i] -> spring[i] }\n" : "");
  if (are_tied) compare_ends(text);
  else assert_int_equal(compare_rows(text), 0);
}

static void friction_that_falls_lets_go_from_rest(void **state) {
  (void)state;
  for_seeds(check_blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(current_that_begins_at_nothing_with_no_rate_is_no_slide),
      cmocka_unit_test(what_is_no_combination_of_states_is_told_by_trial),
      cmocka_unit_test(bodies_that_touch_by_their_places_are_no_slide),
      cmocka_unit_test(friction_that_falls_lets_go_from_rest),
      cmocka_unit_test(bridges_with_leaks_come_to_the_end_of_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

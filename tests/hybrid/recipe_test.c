/* SPDX-License-Identifier: BSD-3-Clause
 * Recipes that are shared: by whom they are followed, and that rows are those of the event iteration. Random models are families of parts with the
 * same numbers and different starts, in which some differ in one number. HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "hybrid/local_parts.h"

#include <stdlib.h>
#include <string.h>

#include "support/numbered.h"
#include "support/random_graph.h"
#include "support/recipes.h"
#include "support/seeds.h"

enum { TEXT = 16384 };

/* ---- runs ---- */

static HbgStatus go_without_rows(void *user) {
  Ride *ride = user;
  HbgRow row;
  ride->sim = hbg_sim_create(&ride->made.model, &ride->options, &ride->arena);
  while ((ride->end = hbg_sim_next(ride->sim, &row)) == HBG_OK) continue;
  return HBG_OK;
}

/* ---- balls ---- */

#define HIT                                                                                                                            \
  " machine Hit(height, speed, weight) { off free initial; on touching; free -> touching when height <= 0 and speed < 0\n"              \
  "   touching -> free when pre(speed) > 0 }\n"

/* Ball i keeps keep[i] of its speed and weighs mass[i]. */
static void write_balls(char *text, int count, const double *mass, const double *keep) {
  int used = snprintf(text, TEXT, "model Balls {\n" HIT);
  for (int at = 0; at < count; at++)
    used += snprintf(text + used, TEXT - (size_t)used,
                     " I ball%d(%g); 1 v%d; Se weight%d(-10*%g); 0 hit%d by Hit(height%d, v%d.f, 1); MSf back%d(%g * pre(v%d.f))\n"
                     " v%d -> ball%d; weight%d -> v%d; v%d -> hit%d <- back%d\n"
                     " signal height%d = integral(v%d.f, start = %.2f)\n",
                     at, mass[at], at, at, mass[at], at, at, at, at, keep[at], at, at, at, at, at, at, at, at, at, at, 0.9 + 0.13 * at);
  snprintf(text + used, TEXT - (size_t)used, " stop 2\n}\n");
}

static void equal_balls_share_what_happens_when_they_hit_the_ground(void **state) {
  (void)state;
  static char text[TEXT];
  const double mass[] = {1, 1, 1, 1}, keep[] = {0.8, 0.8, 0.8, 0.8};
  write_balls(text, 4, mass, keep);
  Ride with, without;
  ride_both(&with, &without, text);
  const HbgRecipe *first = recipe_of(&with, "hit0");
  assert_non_null(first);
  assert_ptr_equal(recipe_of(&with, "hit1"), first);
  assert_ptr_equal(recipe_of(&with, "hit3"), first);
  assert_int_equal(uses_of(&without).count, 0);
  ride_end(&with);
  ride_end(&without);
}

static void a_ball_that_differs_in_one_number_has_a_recipe_of_its_own(void **state) {
  (void)state;
  static char text[TEXT];
  const double mass[] = {1, 1, 1, 2}, keep[] = {0.8, 0.7, 0.8, 0.8};
  write_balls(text, 4, mass, keep);
  Ride with, without;
  ride_both(&with, &without, text);
  assert_ptr_equal(recipe_of(&with, "hit2"), recipe_of(&with, "hit0"));
  assert_ptr_not_equal(recipe_of(&with, "hit1"), recipe_of(&with, "hit0"));
  assert_ptr_not_equal(recipe_of(&with, "hit3"), recipe_of(&with, "hit0"));
  assert_ptr_not_equal(recipe_of(&with, "hit3"), recipe_of(&with, "hit1"));
  ride_end(&with);
  ride_end(&without);
}

/* ---- neighbours ---- */

/* Three balls in a row, the last of which weighs `last`: what the impact of two does to the third is seen by the guard beside them. */
static void write_cradles(char *text, const double *last, int count) {
  int used = snprintf(text, TEXT, "model Cradles {\n machine Hit(gap, approach) { off free initial; on touching\n"
                                  "  free -> touching when gap <= 0 and approach > 0; touching -> free when pre(approach) < 0 }\n");
  for (int at = 0; at < count; at++) {
    used += write_numbered(text + used,
                           " I a#(1) start f = 3; I b#(1); 1 va#, vb#, vc#; va# -> a#; vb# -> b#\n"
                           " signal xa# = integral(va#.f, start = 0), xb# = integral(vb#.f, start = 1 + #/7), xc# = integral(vc#.f, start = 3)\n"
                           " 0 p# by Hit(xb# - xa#, va#.f - vb#.f), q# by Hit(xc# - xb#, vb#.f - vc#.f)\n"
                           " Sf rp#(0.9*pre(va#.f - vb#.f)), rq#(0.9*pre(vb#.f - vc#.f))\n"
                           " va# -> p# -> vb# -> q# -> vc#; rp# -> p#; rq# -> q#\n",
                           at);
    used += snprintf(text + used, TEXT - (size_t)used, " I c%d(%g); vc%d -> c%d\n", at, last[at], at, at);
  }
  snprintf(text + used, TEXT - (size_t)used, " stop 2\n}\n");
}

static void whoever_has_another_neighbour_has_a_recipe_of_his_own(void **state) {
  (void)state;
  static char text[TEXT];
  const double last[] = {1, 1, 2};
  write_cradles(text, last, 3);
  Ride with, without;
  ride_both(&with, &without, text);
  assert_ptr_equal(recipe_of(&with, "p1"), recipe_of(&with, "p0"));
  assert_ptr_equal(recipe_of(&with, "q1"), recipe_of(&with, "q0"));
  assert_ptr_not_equal(recipe_of(&with, "p2"), recipe_of(&with, "p0"));
  ride_end(&with);
  ride_end(&without);
}

/* ---- late ---- */

/* A current that is located at zero 6000 times: what is left of it grows with the time itself, and must not count. */
static void a_recipe_is_followed_however_late_it_is(void **state) {
  (void)state;
  static const char text[] =
      "model Boost {\n Se supply(12); 1 line; 1 switch by Switch; 1 diode by Diode; I coil(47e-6); 0 node, output; Se ground(0); C capacitor(47e-6); R load(400)\n"
      " supply -> line -> node -> diode -> output -> capacitor; line -> coil\n"
      " node -> switch -> ground; output -> load\n"
      " machine Switch { on closed; off open initial; closed -> open when pulse(0, 5e-6, 1e-5) < 0.5\n"
      "   open -> closed when pulse(0, 5e-6, 1e-5) > 0.5 }\n"
      " machine Diode { off blocking initial; on conducting; blocking -> conducting when node.e - output.e > 0\n"
      "   conducting -> blocking when diode.f < 0 }\n stop 0.15\n}\n";
  Ride ride = {.text = text, .arena = hbg_arena((HbgAllocator){0})};
  ride.options = (HbgSimOptions){.stop = 0.15, .interval = 0.01, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  elaborated_begin(&ride.made, text);
  assert_int_equal(hbg_guarded(&ride.arena, go_without_rows, &ride), HBG_OK);
  assert_int_equal(ride.end, HBG_END);
  assert_true(ride.sim->statistics.events > 40000);
  assert_true(uses_of(&ride).count <= 8);
  ride_end(&ride);
}

/* ---- functions of time ---- */

#define RECTIFIER                                                                                                                     \
  " 1 diode%d by Diode%d; R into%d(0.8); I coil%d(0.03); 0 out%d; C hold%d(0.05) start e = %.2f; R load%d(%.1f)\n"                      \
  " grid -> diode%d -> into%d; diode%d -> coil%d; diode%d -> out%d -> hold%d; out%d -> load%d\n"                                      \
  " machine Diode%d { off blocks initial; on conducts; blocks -> conducts when mains.e > out%d.e\n"                                   \
  "   conducts -> blocks when diode%d.f < 0 }\n"

static int write_rectifier_with(char *text, size_t size, int n, double load) {
  return snprintf(text, size, RECTIFIER, n, n, n, n, n, n, 0.3 * n, n, load, n, n, n, n, n, n, n, n, n, n, n, n);
}

/* The last digit of the time is all that one period differs from another by. */
static void rectifiers_follow_their_recipes_however_late_it_is(void **state) {
  (void)state;
  static char text[TEXT];
  int used = snprintf(text, TEXT, "model Mains {\n Se mains(8*sin(20*time)); 0 grid; mains -> grid\n");
  for (int at = 0; at < 3; at++) used += write_rectifier_with(text + used, TEXT - (size_t)used, at, at + 4.0);
  snprintf(text + used, TEXT - (size_t)used, " stop 60\n}\n");
  Ride ride = {.text = text, .arena = hbg_arena((HbgAllocator){0})};
  ride.options = (HbgSimOptions){.stop = 60, .interval = 10, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  elaborated_begin(&ride.made, text);
  assert_int_equal(hbg_guarded(&ride.arena, go_without_rows, &ride), HBG_OK);
  assert_int_equal(ride.end, HBG_END);
  assert_true(ride.sim->statistics.events > 1000);
  assert_true(recipe_of(&ride, "diode0")->follows_time);
  assert_true(uses_of(&ride).count <= 12);
  ride_end(&ride);
}

/* A ramp is about another time each time that its forms are made. */
static void powers_of_the_time_are_followed_too(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without,
            "model Ramp {\n Se pull(3*time - 2*time^2); I mass(0.5); 1 v; R rub(0.2); 0 wall by Wall; MSf back(-0.8*pre(v.f))\n"
            " pull -> v -> mass; v -> rub; v -> wall <- back; signal x = integral(v.f, start = 0.4)\n"
            " machine Wall { off free initial; on touching; free -> touching when x <= 0.3*time and v.f < 0\n"
            "   touching -> free when pre(v.f) > 0 }\n Se p(1); 1 lamp by Lamp; R r(1); p -> lamp -> r\n"
            " machine Lamp { off dark initial; on lit; dark -> lit when v.f > 0.2 + 0.1*time; lit -> dark when v.f < 0.1 }\n"
            " signal beside = integral(1)\n stop 2\n}\n");
  ride_end(&with);
  ride_end(&without);
}

/* ---- complements ---- */

#define GATE " machine Gate(g) { off open initial; on closed; open -> closed when g; closed -> open when not g }\n"

/* At the level itself one of two complements holds by equality: which it is tells the way on which the level has been located. */
static void gates_that_are_complements_follow_recipes_both_ways(void **state) {
  (void)state;
  static const char *const levels[] = {"cos(3*time) > 0.4*sin(40*time)", "tank.e > 0.3", "pull.f < 0.2*sin(40*time)"};
  for (size_t at = 0; at < sizeof levels / sizeof *levels; at++) {
    char text[TEXT], complement[100];
    const char *relation = strpbrk(levels[at], "<>");
    snprintf(complement, sizeof complement, "%.*s %s %s", (int)(relation - levels[at]), levels[at], *relation == '>' ? "<=" : ">=", relation + 1);
    snprintf(text, TEXT,
             "model Bridge {\n" GATE " C tank(0.1) start q = 0.1; I pull(0.2); 1 round; round -> tank; round -> pull\n"
             " Se high(5), low(-5); 0 leg; 1 upper by Gate(%s); 1 lower by Gate(%s); high -> upper -> leg; low -> lower -> leg\n"
             " 1 line; I coil(0.3); R load(2); leg -> line -> coil; line -> load\n stop 2\n}\n",
             levels[at], complement);
    Ride with, without;
    ride_both(&with, &without, text);
    assert_true(with.sim->statistics.events > 4);
    assert_true(uses_of(&with).recipes >= 2); // where the level is passed upwards as well
    ride_end(&with);
    ride_end(&without);
  }
}

/* ---- sources that fight ---- */

/* Buck converters, whose switch closes while the diode conducts: what feeds them and the ground fight through both. `feeds`: what it is; at the node `rail`. */
static void write_bucks(char *text, size_t size, const char *feeds, int count, double first, double step) {
  snprintf(text, size,
           "model Bucks(N = %d) {\n " GATE " machine Diode(f, e) { off blocks initial; on conducts; blocks -> conducts when e < 0; conducts -> blocks when f < 0 }\n"
           " 0 rail; %s\n for i in 1..N { 0 node[i], out[i]; 1 sw[i] by Gate(pulse(%g*(i - 1), 0.02 + %g*i, 0.07) > 0.5), di[i] by Diode(di[i].f, node[i].e), line[i]; Se ground[i](0)\n"
           "  I coil[i](0.3); C cap[i](0.05); R load[i](2); rail -> sw[i] -> node[i] -> line[i] -> out[i] -> cap[i]; line[i] -> coil[i]; out[i] -> load[i]; ground[i] -> di[i] -> node[i] }\n stop 2\n}\n",
           count, feeds, first, step);
}

/* The work of the sources, which must have its sign, is a number, or follows the time, or a state. */
static void sources_that_fight_follow_recipes(void **state) {
  (void)state;
  static const char *const feeds[] = {"Se cell(12); cell -> rail", "Se cell(12 + 3*sin(9*time)); cell -> rail",
                                      "Se cell(12); 0 far; 1 wire; R loss(0.1); C store(0.4) start e = 12; cell -> far -> wire -> rail; wire -> loss; rail -> store"};
  for (size_t which = 0; which < sizeof feeds / sizeof *feeds; which++) {
    static char text[TEXT];
    write_bucks(text, TEXT, feeds[which], which < 2 ? 3 : 1, 0.017, 0.003);
    Ride with, without;
    ride_both(&with, &without, text);
    int fights = 0;
    for (int32_t row = 0; row < with.count; row++) fights += strstr(with.rows[row].cause, "sources fight") != NULL;
    if (which < 2) assert_true(fights > 60);
    assert_true(with.sim->statistics.events > (which < 2 ? 150 : 50));
    assert_true(uses_of(&with).count < 30); // they are followed, and not made again and again
    ride_end(&with);
    ride_end(&without);
  }
}

static void random_bucks_fight_as_the_event_iteration_does(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(30);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    static char text[TEXT], feed[200];
    const double level = 1 + 20 * random_real(&random), swing = random_chance(&random, 0.5) ? 0.9 * level * random_real(&random) : 0;
    snprintf(feed, sizeof feed, "Se cell(%g + %g*cos(%g*time)); cell -> rail", level, swing, 30 * random_real(&random));
    write_bucks(text, TEXT, feed, 1 + random_below(&random, 4), 0.07 * random_real(&random), 0.005 * random_real(&random));
    Ride with, without;
    ride_both(&with, &without, text);
    ride_end(&with);
    ride_end(&without);
  }
}

/* ---- pulses in laws ---- */

static const char *random_pulse(Random *random, char *text) {
  static const double periods[] = {0.1, 0.13, 0.25};
  snprintf(text, 60, "pulse(%g, %g, %g)", 0.01 * random_below(random, 3), 0.03 + 0.02 * random_below(random, 2), periods[random_below(random, 3)]);
  return text;
}

/* Parts on a source of their own, or one that all share: of each the source, a resistance or a ratio is another one while a pulse lasts. */
static void write_pulsed(HbgText *text, Random *random) {
  const bool is_shared = random_chance(random, 0.4);
  const int count = 1 + random_below(random, 4);
  char a[60], b[60];
  hbg_text_add(text, "model Pulsed {\n " GATE " machine By(x, u) { off open initial; on closed; open -> closed when u > 0; closed -> open when x < 0 }\n");
  for (int at = 0; at < count; at++) {
    const double size = 0.1 + random_real(random), loss = 0.3 + random_real(random);
    const char *sine = random_chance(random, 0.3) ? " + sin(7*time)" : "";
    if (!at || !is_shared) hbg_text_add(text, " Se u%d(%g*%s + 2*%s%s); 0 rail%d; u%d -> rail%d\n", at, 9 * random_real(random) - 4, random_pulse(random, a), random_pulse(random, b), sine, at, at, at);
    const int rail = is_shared ? 0 : at;
    const char *turning = random_chance(random, 0.4) ? random_pulse(random, a) : "0";
    const int kind = random_below(random, 3);
    if (kind == 0) hbg_text_add(text, " 1 a%d; I l%d(%g); GY k%d(0.5); 1 w%d; I j%d(0.2)\n rail%d -> a%d -> k%d -> w%d -> j%d; a%d -> l%d", at, at, size, at, at, at, rail, at, at, at, at, at, at);
    if (kind == 1) hbg_text_add(text, " 1 a%d; I l%d(%g); MTF n%d(1 - 1.7*%s); 0 b%d; C c%d(0.3); R g%d(2)\n rail%d -> a%d -> n%d -> b%d -> c%d; b%d -> g%d; a%d -> l%d", at, at, size, at, random_pulse(random, b), at, at, at, rail, at, at, at, at, at, at, at, at);
    if (kind == 2) hbg_text_add(text, " 1 a%d; 1 d%d by By(d%d.f, rail%d.e - b%d.e); 0 b%d; C c%d(%g); R g%d(2)\n rail%d -> d%d -> a%d -> b%d -> c%d; b%d -> g%d", at, at, at, rail, at, at, at, size, at, rail, at, at, at, at, at, at);
    hbg_text_add(text, "\n R r%d(%g + 0.7*%s); a%d -> r%d\n", at, loss, turning, at, at);
  }
  hbg_text_add(text, " stop 2\n}\n");
}

/* An island is another one while a pulse lasts that its laws read. */
static void what_pulses_turn_in_laws_follows_recipes(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_pulsed(&text, &random);
    Ride with, without;
    ride_both(&with, &without, text.bytes);
    assert_true(with.was_local);
    assert_true(uses_of(&with).count > 1);
    ride_end(&with);
    ride_end(&without);
    hbg_arena_release_all(&arena);
  }
}

/* ---- integrals, and several ways to hold ---- */

/* Regulators that switch on levels that integrals are part of, against what a clock holds. */
static void levels_with_integrals_follow_recipes(void **state) {
  (void)state;
  static const char *const levels[] = {"0.4*miss + sum > mod(time, 0.05)/0.05", "0.4*miss + integral(2*miss + 0.1*sin(3*time)) > mod(time, 0.05)/0.05",
                                       "limit(0.4*miss + sum, 0.1, 0.9) > mod(time, 0.05)/0.05", "sum + 0.4*miss > abs(2*mod(time, 0.05)/0.05 - 1)"};
  for (size_t at = 0; at < sizeof levels / sizeof *levels; at++) {
    char text[TEXT];
    snprintf(text, TEXT,
             "model Heater {\n machine Gate(g) { off open initial; on closed; open -> closed when g; closed -> open when not g }\n"
             " signal miss = 0.6 - tank.e, sum = integral(2*miss)\n"
             " Se warm(1.5); 1 feed by Gate(%s); R wall(1); 0 tank; C water(0.5); R loss(1); warm -> feed -> tank -> water; feed -> wall; tank -> loss\n stop 2\n}\n",
             levels[at]);
    Ride with, without;
    ride_both(&with, &without, text);
    assert_true(with.sim->is_local);
    assert_true(with.sim->statistics.events > 60);
    assert_true(uses_of(&with).recipes >= 1);
    assert_true(uses_of(&with).count < 12); // they are followed, and not made again and again
    ride_end(&with);
    ride_end(&without);
  }
}

/* ---- motions ---- */

static void equal_regions_share_their_motion(void **state) {
  (void)state;
  static char text[TEXT];
  int used = snprintf(text, TEXT, "model Tanks {\n");
  for (int at = 0; at < 4; at++)
    used += snprintf(text + used, TEXT - (size_t)used, " C tank%d(%d) start e = %d; R leak%d(1); 0 n%d; tank%d <- n%d -> leak%d\n", at,
                     at == 2 ? 3 : 2, at + 1, at, at, at, at, at);
  snprintf(text + used, TEXT - (size_t)used,
           " Se p(1); 1 lamp by Lamp; R r(1); p -> lamp -> r\n"
           " machine Lamp { off dark initial; on lit; dark -> lit when n0.e < 0.7 }\n stop 2\n}\n");
  Ride ride;
  ride_begin(&ride, text, options_of(), RIDE_EVENTS);
  assert_true(ride.sim->is_local);
  const HbgMotion *motions[4];
  for (int32_t at = 0; at < 4; at++) motions[at] = ride.sim->local->region_of[at]->motion;
  assert_non_null(motions[0]);
  assert_ptr_equal(motions[1], motions[0]);
  assert_ptr_equal(motions[3], motions[0]);
  assert_ptr_not_equal(motions[2], motions[0]);
  ride_end(&ride);
}

/* ---- random families ---- */

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

/* One of a family whose numbers begin with `seed`; each has a start of its own. */
typedef int (*WritePart)(char *text, size_t size, int n);

static int write_room(char *text, size_t size, int n) {
  const double wall = between(0.1, 0.5), air = between(0.05, 0.2), low = between(0.1, 0.2), high = between(0.3, 0.4);
  return snprintf(text, size,
                  " Se warm%d(1); 1 gate%d by Relay%d; R wall%d(%.2f); 0 room%d; C air%d(%.2f) start e = %.3f; R leak%d(1.5)\n"
                  " warm%d -> gate%d -> wall%d; gate%d -> room%d; room%d -> air%d; room%d -> leak%d\n"
                  " machine Relay%d { off cold; on hot initial; cold -> hot when room%d.e < %.2f; hot -> cold when room%d.e > %.2f }\n",
                  n, n, n, n, wall, n, n, air, 0.01 + 0.013 * n, n, n, n, n, n, n, n, n, n, n, n, n, low, n, high);
}

static int write_pump(char *text, size_t size, int n) {
  const double period = between(0.05, 0.3), pipe = between(0.5, 2), tank = between(0.1, 1);
  return snprintf(text, size,
                  " Se push%d(2); 1 valve%d by Valve%d; R pipe%d(%.2f); C tank%d(%.2f); push%d -> valve%d -> pipe%d; valve%d -> tank%d\n"
                  " machine Valve%d { off shut; on open initial; open -> shut when pulse(%.4f, %.4f, %.4f) < 0.5\n"
                  "   shut -> open when pulse(%.4f, %.4f, %.4f) > 0.5 }\n",
                  n, n, n, n, pipe, n, tank, n, n, n, n, n, n, 0.011 * n, 0.4 * period, period, 0.011 * n, 0.4 * period, period);
}

/* A converter: a switch that follows the clock, and a diode that follows the switch. */
static int write_converter(char *text, size_t size, int n) {
  const double coil = between(0.01, 0.05), capacitor = between(0.1, 0.3), load = between(1, 20);
  return snprintf(text, size,
                  " 1 line%d; I coil%d(%.3f); 0 node%d, out%d; 1 switch%d by Switch%d; Se ground%d(0); 1 diode%d by Diode%d\n"
                  " C store%d(%.2f); R load%d(%.1f)\n"
                  " rail -> line%d -> node%d -> diode%d -> out%d -> store%d; line%d -> coil%d; node%d -> switch%d -> ground%d; out%d -> load%d\n"
                  " machine Switch%d { on shut; off open initial; shut -> open when pulse(%.4f, 0.05, 0.1) < 0.5\n"
                  "   open -> shut when pulse(%.4f, 0.05, 0.1) > 0.5 }\n"
                  " machine Diode%d { off blocks initial; on conducts; blocks -> conducts when node%d.e - out%d.e > 0\n"
                  "   conducts -> blocks when diode%d.f < 0 }\n",
                  n, n, coil, n, n, n, n, n, n, n, n, capacitor, n, load, n, n, n, n, n, n, n, n, n, n, n, n, n, 0.007 * n, 0.007 * n, n, n, n, n);
}

/* What it hangs on follows the time: the grid of all. */
static int write_rectifier(char *text, size_t size, int n) { return write_rectifier_with(text, size, n, between(3, 9)); }

/* A mass on a spring that a sine of its own shakes, and a stop that it comes back from. */
static int write_shaken(char *text, size_t size, int n) {
  const double force = between(1, 5), omega = between(5, 15), spring = between(0.02, 0.1), keep = between(0.6, 0.9), stop = between(0.02, 0.1);
  return snprintf(text, size,
                  " Se shake%d(%.2f*sin(%.2f*time) + 0.3*time); 1 v%d; I mass%d(1); C spring%d(%.3f); R oil%d(0.2); 0 stop%d by Stop%d\n"
                  " MSf back%d(-%.2f*pre(v%d.f)); shake%d -> v%d -> mass%d; v%d -> spring%d; v%d -> oil%d; v%d -> stop%d <- back%d\n"
                  " signal way%d = integral(v%d.f, start = -%.3f)\n"
                  " machine Stop%d { off free initial; on touching; free -> touching when way%d >= %.3f and v%d.f > 0\n"
                  "   touching -> free when pre(v%d.f) < 0 }\n",
                  n, force, omega, n, n, n, spring, n, n, n, n, keep, n, n, n, n, n, n, n, n, n, n, n, n, n, 0.01 * n, n, n, stop, n, n);
}

/* Balls of two masses in a row between walls. */
static int write_row(char *text, size_t size, int count) {
  const double other = between(0.3, 3), keep = between(0.9, 1);
  int used = snprintf(text, size,
                      " machine Impact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0\n"
                      "   touching -> free when pre(approach) < 0 }\n");
  for (int at = 0; at < count; at++)
    used += snprintf(text + used, size - (size_t)used,
                     " I b%d(%.3f) start f = %.3f; 1 m%d; m%d -> b%d; signal x%d = integral(m%d.f, start = %d)\n"
                     " 0 c%d by Impact(x%d - %s%d, %s%d.f - m%d.f); Sf r%d(%.3f * pre(%s%d.f - m%d.f)); %s%d -> c%d -> m%d; r%d -> c%d\n",
                     at, rand() % 3 ? 1 : other, between(-3, 3), at, at, at, at, at, at + 1, at, at, at ? "x" : "o", at ? at - 1 : 0,
                     at ? "m" : "w", at ? at - 1 : 0, at, at, keep, at ? "m" : "w", at ? at - 1 : 0, at, at ? "m" : "w", at ? at - 1 : 0, at, at,
                     at, at);
  return used + snprintf(text + used, size - (size_t)used,
                         " Sf hold(0); 1 w0; hold -> w0; signal o0 = integral(w0.f, start = 0)\n");
}

static void draw(long seed, char *text) {
  static const WritePart kinds[] = {write_room, write_pump, write_converter, write_rectifier, write_shaken};
  srand((unsigned)seed);
  int used = snprintf(text, TEXT, "// seed %ld\nmodel Family {\n Se supply(2); 0 rail; supply -> rail\n Se mains(7*sin(20*time + 0.3)); 0 grid; mains -> grid\n", seed), n = 0;
  for (int family = 0, families = 1 + rand() % 2; family < families; family++) {
    const WritePart kind = kinds[rand() % 5];
    const unsigned numbers = (unsigned)rand();
    for (int member = 0, members = 3 + (int)(numbers % 3); member < members; member++) {
      srand(member == 2 ? numbers + 1 : numbers); // one of them differs
      used += kind(text + used, TEXT - (size_t)used, n++);
    }
  }
  if (rand() % 2) used += write_row(text + used, TEXT - (size_t)used, 5);
  snprintf(text + used, TEXT - (size_t)used, " stop 2\n}\n");
}

static void families_get_the_rows_of_the_event_iteration(void **state) {
  (void)state;
  static char text[TEXT];
  const Seeds seeds = seeds_of(40);
  long sharing = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    draw(seed, text);
    Ride with, without;
    ride_both(&with, &without, text);
    const Uses uses = uses_of(&with);
    sharing += uses.recipes < uses.count;
    ride_end(&with);
    ride_end(&without);
  }
  assert_true(10 * sharing >= 9 * seeds.count); // else nothing has been compared
}

/* Each room has a clock of its own, and its relay reads what that has sampled. */
static void note_size(const HbgSim *sim, void *user) {
  if (sim->local) *(size_t *)user = hbg_arena_size(&sim->local->arena);
}

/* A wait that is another one each time is no recipe. */
static void what_cannot_be_learned_takes_no_more_memory_in_a_longer_run(void **state) {
  (void)state;
  size_t size[2];
  for (int at = 0; at < 2; at++) {
    const HbgSimOptions options = {.stop = at ? 12000 : 1500, .tolerance = 1e-8, .interval = 100, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
    Ride run;
    ride_try(&run, "model Waits { I mass(1); 1 m; m -> mass; machine s = S\n machine S { var n = 0; off x initial; on y; x -> y after 1 + 0.1*n/(1 + n); y -> x after 1 do n := n + 1 }\n stop 1\n}",
             options, RIDE_TRAJECTORY, note_size, &size[at]);
    assert_int_equal(run.end, HBG_END);
    assert_true(run.was_local);
    ride_end(&run);
  }
  assert_true((double)size[1] < 1.5 * (double)size[0]);
}

static void relays_that_read_samples_follow_the_recipes_of_one(void **state) {
  (void)state;
  const char *const text =
      "model Rooms {\n for i in 1..6 { Se warm[i](1); 1 gate[i] by Relay(seen[i]); R wall[i](0.3); 0 room[i]; C air[i](0.1) start e = 0.05*i; R leak[i](1.2)\n"
      "  warm[i] -> gate[i] -> wall[i]; gate[i] -> room[i]; room[i] -> air[i]; room[i] -> leak[i]\n"
      "  signal seen[i] = 2*sample(room[i].e, every(0.02, offset = 0.003*i)) }\n"
      " machine Relay(x) { off cold; on hot initial; cold -> hot when x < 0.5; hot -> cold when x > 0.7 }\n}\n";
  Ride with, without;
  ride_both(&with, &without, text);
  assert_true(with.was_local);
  const Uses uses = uses_of(&with);
  // to switch either way
  assert_true(uses.count >= 6 * 2 && uses.recipes <= 2);
  ride_end(&with);
  ride_end(&without);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_balls_share_what_happens_when_they_hit_the_ground),
      cmocka_unit_test(a_ball_that_differs_in_one_number_has_a_recipe_of_its_own),
      cmocka_unit_test(whoever_has_another_neighbour_has_a_recipe_of_his_own),
      cmocka_unit_test(a_recipe_is_followed_however_late_it_is),
      cmocka_unit_test(rectifiers_follow_their_recipes_however_late_it_is),
      cmocka_unit_test(powers_of_the_time_are_followed_too),
      cmocka_unit_test(sources_that_fight_follow_recipes),
      cmocka_unit_test(random_bucks_fight_as_the_event_iteration_does),
      cmocka_unit_test(gates_that_are_complements_follow_recipes_both_ways),
      cmocka_unit_test(what_pulses_turn_in_laws_follows_recipes),
      cmocka_unit_test(levels_with_integrals_follow_recipes),
      cmocka_unit_test(equal_regions_share_their_motion),
      cmocka_unit_test(what_cannot_be_learned_takes_no_more_memory_in_a_longer_run),
      cmocka_unit_test(relays_that_read_samples_follow_the_recipes_of_one),
      cmocka_unit_test(families_get_the_rows_of_the_event_iteration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

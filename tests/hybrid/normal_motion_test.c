/* SPDX-License-Identifier: BSD-3-Clause
 * Many capacities that resistances connect, or inertias and friction, go on by their normal modes once steps of theirs have been dear: held against steps of a hundredth of the tolerance. */
#include "hybrid/motion.h"

#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

/* How many steps there were, but for those that end at events. */
typedef struct Steps {
  int64_t own, other;
} Steps;

/* Rows of the one, in time and in value, are those of the other. */
static Steps compare(const char *text, double stop) {
  const RideWays ways = {.own = "by normal modes", .other = "by steps", .time = 1e-7, .value = 2e-5};
  const HbgSimOptions options = {.stop = stop, .interval = stop / 20, .tolerance = 1e-8, .sliding = true};
  HbgSimOptions precise = options;
  precise.tolerance = 1e-10;
  precise.method = HBG_METHOD_SDIRK;
  Ride own, other;
  ride_begin(&own, text, options, RIDE_EVENTS | RIDE_BONDS);
  ride_begin(&other, text, precise, RIDE_EVENTS | RIDE_BONDS);
  ride_check_alike(&own, &other, &ways);
  const Steps steps = {own.sim->statistics.steps - own.sim->statistics.events, other.sim->statistics.steps - other.sim->statistics.events};
  ride_end(&own);
  ride_end(&other);
  return steps;
}

/* Until normal modes are known there are steps, but few. */
static bool are_few(Steps steps) { return 5 * steps.own < steps.other; }

/* ---- a switch before a ladder ---- */

#define LADDER                                                                                                                       \
  "model Ladder { Se supply(5); 0 node[0..%d]; 1 sw by Switch(pulse(0, 1e-6, 2e-6) > 0.5); R ron(1)\n"                              \
  " supply -> node[0] -> sw -> node[1]; sw -> ron\n"                                                                                \
  " for i in 2..%d { 1 link[i]; R r[i](10); node[i-1] -> link[i] -> node[i]; link[i] -> r[i] }\n"                                   \
  " for i in 1..%d { 1 w[i]; C c[i](1e-9); R esr[i](0.1); node[i] -> w[i] -> c[i]; w[i] -> esr[i] }\n"                              \
  " R load(50); node[%d] -> load\n"                                                                                                 \
  " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"                  \
  " machine seen = Watch(node[3].e)\n machine Watch(v) { off low initial; off high; low -> high when v > 1; high -> low when v < 0.8 }\n}"

static void a_ladder_of_many_cells_goes_on_exactly(void **state) {
  (void)state;
  for (int cells = HBG_FLOW_STATES + 1; cells <= 41; cells += 8) {
    char text[2048];
    snprintf(text, sizeof text, LADDER, cells, cells, cells, cells);
    assert_in_range(compare(text, 1e-4).own, 1, 600); // until its two modes are known; each event would take some fifty
  }
}

/* ---- a rod that a thermostat keeps warm ---- */

/* Its pieces hang together by their storages alone, which are cut: until steps have shown that they are better off together. */
#define ROD                                                                                                                        \
  "model Rod(N = %d) { 0 T[1..N]; Sf heater(if control in heating then 200 else 0); heater -> T[1]\n"                              \
  " for i in 1..N { C heat[i](1/N) start e = 20; T[i] -> heat[i]; 1 out[i]; R loss[i](5*N); Se ambient[i](20)\n"                   \
  "  T[i] -> out[i] -> ambient[i]; out[i] -> loss[i] }\n"                                                                          \
  " for i in 1..N-1 { 1 flow[i]; R resistance[i](0.1/N); T[i] -> flow[i] -> T[i+1]; flow[i] -> resistance[i] }\n"                  \
  " machine control = Thermostat(T[N/2].e)\n"                                                                                     \
  " machine Thermostat(t) { on heating initial; off resting; heating -> resting when t > 60; resting -> heating when t < 55 }\n}"

static void a_rod_with_a_thermostat_is_joined_and_goes_on_exactly(void **state) {
  (void)state;
  for (int pieces = 30; pieces <= 50; pieces += 20) {
    char text[2048];
    snprintf(text, sizeof text, ROD, pieces);
    assert_true(are_few(compare(text, 100)));
  }
}

/* ---- shafts with clutches that slip ---- */

/* Inertias in a row, each of which rubs on the next, and a brake: friction is all there is. */
#define SHAFTS                                                                                                                     \
  "model Shafts(N = 32) { 1 w[1..N]; Se motor(if control in driving then 10 else 0); motor -> w[1]\n"                              \
  " for i in 1..N { I mass[i](0.01); w[i] -> mass[i]; R bearing[i](0.01); w[i] -> bearing[i] }\n"                                  \
  " for i in 1..N-1 { 0 slip[i]; R oil[i](20 + i); w[i] -> slip[i] -> w[i+1]; slip[i] -> oil[i] }\n"                               \
  " machine control = Governor(w[N].f)\n"                                                                                         \
  " machine Governor(f) { on driving initial; off coasting; driving -> coasting when f > 10; coasting -> driving when f < 9 }\n}"

static void inertias_that_friction_connects_have_normal_modes_as_well(void **state) {
  (void)state;
  assert_true(are_few(compare(SHAFTS, 40)));
}

/* ---- networks at random ---- */

static double decades(Random *random, double from, double to) { return pow(10, from + (to - from) * random_real(random)); }

/* With thermostats, and a switch that is worked by a clock, before some of them. */
static void write_network(HbgText *text, Random *random) {
  const int nodes = 26 + random_below(random, 14), machines = 1 + random_below(random, 2);
  hbg_text_add(text, "model Network { 0 T[1..%d]\n", nodes);
  for (int i = 1; i <= nodes; i++) {
    const double capacity = decades(random, -1, 1), start = 20 * random_real(random);
    if (random_chance(random, 0.3))
      hbg_text_add(text, " 1 w%d; C c%d(%g) start e = %g; T[%d] -> w%d -> c%d; R esr%d(%g); w%d -> esr%d\n", i, i, capacity, start, i, i, i, i, decades(random, -3, -1), i, i);
    else hbg_text_add(text, " C c%d(%g) start e = %g; T[%d] -> c%d\n", i, capacity, start, i, i);
    if (random_chance(random, 0.5)) hbg_text_add(text, " R g%d(%g); T[%d] -> g%d\n", i, decades(random, 0, 2), i, i);
  }
  for (int i = 2; i <= nodes + nodes / 3; i++) {
    const int from = i <= nodes ? i : 1 + random_below(random, nodes), back = 1 + random_below(random, 4), to = from - back > 0 ? from - back : from + back;
    hbg_text_add(text, " 1 l%d; R r%d(%g); T[%d] -> l%d -> T[%d]; l%d -> r%d\n", i, i, decades(random, -4, -1), from, i, to, i, i);
  }
  for (int k = 0; k < machines; k++) {
    hbg_text_add(text, " machine control%d = Thermostat(T[%d].e, %g)\n", k, 1 + random_below(random, nodes), 5 + 7 * random_real(random));
    hbg_text_add(text, " Sf heat%d(if control%d in heating then %g else 0); heat%d -> T[%d]\n", k, k, decades(random, 1.5, 2.3), k, 1 + random_below(random, nodes));
  }
  if (random_chance(random, 0.5)) {
    const double period = decades(random, -0.3, 0.5);
    hbg_text_add(text, " Se supply(%g); 1 sw by Switch(pulse(0, %g, %g) > 0.5); R ron(%g); supply -> sw -> T[1]; sw -> ron\n", 30 * random_real(random), period / 2, period,
                 decades(random, -1, 1));
    hbg_text_add(text, " machine Switch(gate) { on closed initial; off open; closed -> open when not gate; open -> closed when gate }\n");
  }
  hbg_text_add(text, " machine Thermostat(t, least) { on heating initial; off resting; heating -> resting when t > least + 2; resting -> heating when t < least }\n}\n");
}

static void networks_at_random_do_what_they_do_by_steps(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(8);
  int normal = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    print_message("seed %ld\n", seed);
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    Random random = {(uint64_t)seed};
    write_network(&text, &random);
    normal += are_few(compare(text.bytes, 40));
    hbg_arena_release_all(&arena);
  }
  assert_true(2 * normal >= seeds.count || seeds.count < 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ladder_of_many_cells_goes_on_exactly),
      cmocka_unit_test(a_rod_with_a_thermostat_is_joined_and_goes_on_exactly),
      cmocka_unit_test(inertias_that_friction_connects_have_normal_modes_as_well),
      cmocka_unit_test(networks_at_random_do_what_they_do_by_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Cutting the graph at storages changes how a mode is computed and nothing else: every model is run with all cuts that are allowed
 * and without any, and both runs must have the same rows. A third run goes through instants that are about what they touch (near.h),
 * a fourth one in sets of states that have clocks of their own (coupled.h). */
#include <string.h>

#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "support/belt.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

enum { ALWAYS = 1, NEVER = -1, SHOWN = RIDE_TRAJECTORY | RIDE_BONDS | RIDE_IMPULSES };

static HbgArena arena;

/* The most at once. */
typedef struct Cuts {
  int32_t hanging; /* storages that were cut off */
  int32_t fed;     /* junctions that sources fixed by way of a feeder */
  int32_t islands;
} Cuts;

static int32_t count_fed(const HbgSim *sim) {
  int32_t count = 0;
  for (int32_t node = 0; node < sim->model->node_count; node++)
    count += hbg_cut_is_fed(&sim->cuts, node, sim->cuts.fixed_by[node]);
  return count;
}

static void look_at_cuts(const HbgSim *sim, void *user) {
  Cuts *most = user;
  const int32_t hanging = sim->cuts.deliveries.present_count, fed = count_fed(sim);
  if (hanging > most->hanging) most->hanging = hanging;
  if (fed > most->fed) most->fed = fed;
  if (sim->island_count > most->islands) most->islands = sim->island_count;
}

/* A state that began at nothing may be large by now: were its size what it was, the bound by which steps are taken would be far too large. */
static void look_at_sizes(const HbgSim *sim, void *user) {
  (void)user;
  for (int32_t state = 0; state < sim->model->state_count && sim->local && sim->local->is_coupled; state++)
    assert_true(hbg_coupled_size(sim, state) >= 0.99e-4 * sim->scale[state]);
}

static HbgSimOptions options_of(double stop, int32_t cut_above) {
  return (HbgSimOptions){.stop = stop, .interval = stop / 20, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                         .cut_above = cut_above, .as_a_whole = true};
}

static Cuts ride(Ride *self, const char *text, HbgSimOptions options) {
  Cuts most = {0};
  ride_try(self, text, options, SHOWN, look_at_cuts, &most);
  return most;
}

/* Runs a model in all ways; answers what was cut off at once. */
static Cuts compare_cuts(const char *text, double stop) {
  static const RideWays pieces = {"with cuts", "without", 1e-8, 1e-7}, near_by = {"by what is touched", "with cuts", 1e-8, 1e-7},
                        in_sets = {"in sets", "with cuts", 1e-8, 1e-7};
  HbgSimOptions options = options_of(stop, ALWAYS);
  Ride cut, whole, near, sets;
  const Cuts cuts = ride(&cut, text, options), none = ride(&whole, text, options_of(stop, NEVER));
  assert_int_equal(none.hanging + none.fed, 0);
  options.as_a_whole = false;
  ride(&near, text, options);
  options.in_sets = true;
  ride_try(&sets, text, options, SHOWN, look_at_sizes, NULL);
  ride_check_alike(&cut, &whole, &pieces);
  ride_check_alike(&near, &cut, &near_by);
  ride_check_alike(&sets, &cut, &in_sets);
  ride_end(&cut);
  ride_end(&whole);
  ride_end(&near);
  ride_end(&sets);
  return cuts;
}

static int32_t compare(const char *text, double stop) { return compare_cuts(text, stop).hanging; }

/* ---- models ---- */

static void a_chain_of_masses_moves_as_one_system_does(void **state) {
  (void)state;
  assert_int_equal(compare("model Chain(N = 8) {\n for i in 1..N { 1 v[i]; I m[i](1 + i/10) start f = sin(i); v[i] -> m[i] }\n"
                           " for i in 1..N-1 { 0 n[i]; 1 s[i]; C k[i](1/i); R d[i](0.1); v[i] -> n[i] -> v[i+1]; n[i] -> s[i]; s[i] -> k[i]; s[i] -> d[i] }\n stop 5\n}", 5),
                   6); // at both ends two ports only
}

static void a_ladder_is_cut_at_its_capacitors_alone(void **state) {
  (void)state;
  assert_int_equal(compare("model Ladder(N = 6) {\n Se u(sin(time)); 1 a[0]; u -> a[0]\n"
                           " for i in 1..N { 0 n[i]; C c[i](0.1*i); a[i-1] -> n[i]; n[i] -> c[i]; 1 a[i]; I l[i](0.2); R r[i](0.1); n[i] -> a[i]; a[i] -> l[i]; a[i] -> r[i] }\n"
                           " I l0(0.3); a[0] -> l0\n stop 5\n}", 5),
                   6);
}

static void an_ideal_switch_between_capacitors_takes_both_in(void **state) {
  (void)state;
  // two capacitors become one, and their neighbours feel only what they share
  assert_true(compare("model Share {\n 0 a, b; C ca(1) start q = 2; C cb(2); a -> ca; b -> cb; 1 s by S; a -> s -> b\n"
                      " R ra(3), rb(4); a -> ra; b -> rb; 1 l; I i(1); R ri(1); a -> l; l -> i; l -> ri; 0 c; C cc(0.5) start q = 1; R rc(1); 1 w; R rw(2); b -> w -> c; w -> rw; c -> cc; c -> rc\n"
                      " machine S { off open initial; on closed; open -> closed when time >= 0.5; closed -> open when time >= 1.3 }\n stop 2\n}", 2) > 0);
}

static void a_stuck_mass_leaves_its_neighbours_alone(void **state) {
  (void)state;
  assert_true(compare(BELT(6, 20), 20) > 0);
}

static void a_stiff_rod_is_as_stiff_in_pieces(void **state) {
  (void)state;
  assert_true(compare("model Rod(N = 20) {\n for i in 1..N { C t[i](1) start q = sin(i); 0 n[i]; n[i] -> t[i] }\n"
                      " for i in 1..N-1 { 1 w[i]; R r[i](1e-4); n[i] -> w[i] -> n[i+1]; w[i] -> r[i] }\n R left(1e-4); n[1] -> left\n stop 1\n}", 1) > 0);
}

static void a_loop_of_resistors_between_storages_is_solved_apart(void **state) {
  (void)state;
  assert_true(compare("model Mesh(N = 4) {\n for i in 0..N { 0 n[i]; C c[i](1) start q = i; n[i] -> c[i]; R g[i](5); n[i] -> g[i] }\n"
                      " for i in 1..N { 1 a[i], b[i]; 0 m[i]; R ra[i](1), rb[i](2), rm[i](3); n[i-1] -> a[i] -> m[i] -> b[i] -> n[i]; a[i] -> ra[i]; b[i] -> rb[i]; m[i] -> rm[i] }\n stop 3\n}", 3) > 0);
}

static void a_relay_slides_on_what_springs_of_a_chain_give(void **state) {
  (void)state;
  assert_true(compare("model Slide(N = 4) {\n for i in 1..N { 0 n[i]; C c[i](1) start q = (if i = 1 then 0.5 else 0); n[i] -> c[i]; R g[i](4); n[i] -> g[i] }\n"
                      " for i in 1..N-1 { 1 w[i]; R r[i](1); n[i] -> w[i] -> n[i+1]; w[i] -> r[i] }\n"
                      " Sf pump(if (c[2].e > 0.2) then -1 else 1); pump -> n[2]\n stop 3\n}", 3) >= 0);
}

/* A shaft at rest that is cut off: what its speed is small against is what it has been, and not the last digits that it has begun to move by. */
static void dry_friction_holds_a_shaft_that_hangs_from_the_start(void **state) {
  (void)state;
  for (int count = 1; count <= 3; count++)
    for (int begun = 0; begun < 2; begun++) {
      char text[700];
      snprintf(text, sizeof text,
               "model Motors(N = %d) {\n Se battery(24); 0 bus; 1 wire; R internal(0.01); battery -> wire -> bus; wire -> internal\n"
               " for i in 1..N { 1 armature[i], shaft[i]; I L[i](1e-3) start f = %g; R Ra[i](0.5); GY k[i](0.05); I J[i](1e-4); Se dry[i](-0.01*i*sign(shaft[i].f))\n"
               "  bus -> armature[i] -> k[i] -> shaft[i] -> J[i]; armature[i] -> L[i]; armature[i] -> Ra[i]; dry[i] -> shaft[i] }\n stop 0.01\n}",
               count, begun * 0.05);
      assert_int_equal(compare(text, 0.01), 2 * count);
    }
}

/* ---- what sources receive ---- */

static void what_a_source_receives_is_shown_as_each_instant_leaves_it(void **state) {
  (void)state;
  // beside it a current that follows the time flows into the same junction
  assert_true(compare("model Received(N = 5) {\n Se u(10); Sf z(2*sin(3*time)); 0 rail; u -> rail; z -> rail\n"
                      " for i in 1..N { 1 a[i]; R r[i](1); 0 n[i]; C c[i](1 + i/50); R g[i](30); 1 s[i] by S(n[i].e, i); R l[i](1)\n"
                      "  rail -> a[i] -> n[i] -> c[i]; n[i] -> g[i]; a[i] -> r[i]; rail -> s[i] -> l[i] }\n"
                      " for i in 1..N-1 { 1 w[i]; R q[i](3); n[i] -> w[i] -> n[i+1]; w[i] -> q[i] }\n"
                      " machine S(v, i) { off open initial; on closed; open -> closed when v >= i }\n stop 1\n}", 1) > 0);
}

/* ---- sources that feed by way of a switch ---- */

/* Converters on a rail, which are switched one after the other, until 2 s: the rest of a model. */
#define CONVERTERS \
  " for i in 1..N { 1 line[i]; I coil[i](0.1*i); R wire[i](1); 0 node[i]; C c[i](0.2); R load[i](3 + i); 1 s[i] by S(i)\n" \
  "  Se ground[i](0); R on[i](0.2); rail -> line[i] -> node[i] -> c[i]; line[i] -> coil[i]; line[i] -> wire[i]; node[i] -> load[i]; node[i] -> s[i] -> ground[i]; s[i] -> on[i] }\n" \
  " machine S(i) { off open initial; on closed; open -> closed when mod(time, 0.5) >= 0.05*i; closed -> open when mod(time, 0.5) < 0.05*i }\n stop 2\n}"

static void converters_behind_one_switch_are_cut_off_from_each_other_while_it_is_on(void **state) {
  (void)state;
  // off, their coils must carry what sums up to nothing
  const Cuts cuts = compare_cuts(
      "model Fleet(N = 7) {\n Se u(12); 1 main by Main; 0 rail; u -> main -> rail\n"
      " machine Main { on closed initial; off open; closed -> open when time >= 1.1; open -> closed when time >= 1.4 and time < 2 }\n" CONVERTERS, 2);
  assert_int_equal(cuts.fed, 1);
}

static void converters_whose_supply_is_changed_over_are_cut_off_from_each_other_by_either(void **state) {
  (void)state;
  // the second source takes over in the instant in which the first one goes; the coils do not notice but by the voltage
  const Cuts cuts = compare_cuts(
      "model Fleet(N = 7) {\n Se mains(12), battery(9 + sin(3*time)); 1 first by First, second by Second; 0 rail; mains -> first -> rail; battery -> second -> rail\n"
      " machine First { on closed initial; off open; closed -> open when mod(time, 0.8) >= 0.43; open -> closed when mod(time, 0.8) < 0.43 }\n"
      " machine Second { off open initial; on closed; open -> closed when mod(time, 0.8) >= 0.43; closed -> open when mod(time, 0.8) < 0.43 }\n" CONVERTERS, 2);
  assert_int_equal(cuts.fed, 1);
}

static void blocks_with_dampers_that_stick_are_cut_off_from_each_other(void **state) {
  (void)state;
  const Cuts cuts = compare_cuts(
      "model Row(N = 6) {\n param V = 0.5\n for i in 1..N { 1 v[i]; I m[i](1 + i/7) start f = V; C k[i](1) start q = 0.2*sin(1.7*i); 0 grip[i] by Grip(pull[i], v[i].f - V); Sf belt[i](V)\n"
      "  Se rub[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0); v[i] -> m[i]; v[i] -> k[i]; v[i] -> grip[i] -> belt[i]; rub[i] -> v[i]\n"
      "  signal pull[i] = t[i] - t[i-1] - k[i].e }\n"
      " for i in 1..N-1 { 0 n[i]; 1 l[i]; C c[i](2) start q = 0.2*(sin(1.7*i) - sin(1.7*i + 1.7)); R d[i](0.05); v[i] -> n[i] -> v[i+1]; n[i] -> l[i]; l[i] -> c[i]; l[i] -> d[i]; signal t[i] = -n[i].e }\n"
      " signal t[0] = 0, t[N] = 0\n"
      " machine Grip(pull, slip) { on stuck initial; off ahead, behind; stuck -> ahead when pull > 1.5; stuck -> behind when pull < -1.5\n"
      "  ahead -> stuck when slip < 0 and pull >= -1.5; ahead -> behind when slip < 0 and pull < -1.5; behind -> stuck when slip > 0 and pull <= 1.5; behind -> ahead when slip > 0 and pull > 1.5 }\n stop 12\n}", 12);
  assert_true(cuts.fed > 1);
}

/* ---- random networks ---- */

/* Cells of a network, each a junction: a capacitor or a mass at most of them, and perhaps a resistor or a source. */
static void write_cell(HbgText *text, Random *random, int cell, bool is_zero) {
  const char *storage = is_zero ? "C c" : "I c";
  hbg_text_add(text, " %d n%d\n", is_zero ? 0 : 1, cell);
  if (random_chance(random, 0.75))
    hbg_text_add(text, " %s%d(%g) start %s = %g; n%d -> c%d\n", storage, cell, 0.5 + random_real(random), is_zero ? "q" : "p",
                 random_real(random) - 0.5, cell, cell);
  if (random_chance(random, 0.5)) hbg_text_add(text, " R r%d(%g); n%d -> r%d\n", cell, 0.5 + random_real(random), cell, cell);
  if (random_chance(random, 0.2))
    hbg_text_add(text, " %s u%d(%g*cos(%g*time)); u%d -> n%d\n", is_zero ? "Sf" : "Se", cell, random_real(random), 5 * random_real(random), cell, cell);
}

/* What joins two cells: a bond where their kinds differ, else a junction of the other kind with something on it, which may switch. */
static void write_edge(HbgText *text, Random *random, int edge, int from, int to, const bool *is_zero) {
  if (is_zero[from] != is_zero[to]) {
    hbg_text_add(text, " n%d -> n%d\n", from, to);
    return;
  }
  hbg_text_add(text, " %d w%d", is_zero[from] ? 1 : 0, edge);
  if (random_chance(random, 0.4))
    hbg_text_add(text, " by S(%g, %g)", 0.3 * random_real(random), 0.3 + 0.3 * random_real(random));
  hbg_text_add(text, "; n%d -> w%d -> n%d\n", from, edge, to);
  const int what = random_below(random, 4);
  if (what & 1) hbg_text_add(text, " R q%d(%g); w%d -> q%d\n", edge, 0.2 + random_real(random), edge, edge);
  if (what & 2) hbg_text_add(text, " %s l%d(%g); w%d -> l%d\n", is_zero[from] ? "I" : "C", edge, 0.2 + random_real(random), edge, edge);
}

/* A source behind a switch that closes by what it finds there, or by the clock. Its voltage, or speed, may follow the time. Another one may take over in the
 * instant in which it opens. */
static void write_feeder(HbgText *text, Random *random, int cell, bool is_zero, double taken_over) {
  const double level = random_real(random) - 0.5, threshold = 0.4 * random_real(random) - 0.2, end = 0.3 + 0.3 * random_real(random);
  const int drive = random_below(random, 4);
  hbg_text_add(text, " %s s%d(%g%s); %d f%d by F(n%d.%s, %g, %g); ", is_zero ? "Se" : "Sf", cell, level,
               drive == 1 ? " + sin(3*time)" : drive == 2 ? " + 0.4*pulse(0.11, 0.13, 0.21)" : "", is_zero ? 1 : 0,
               cell, cell, is_zero ? "e" : "f", threshold, end);
  const bool comes_in = random_chance(random, 0.5);
  hbg_text_add(text, "%s%d -> f%d -> %s%d\n", comes_in ? "s" : "n", cell, cell, comes_in ? "n" : "s", cell);
  if (taken_over > 0 && random_chance(random, taken_over))
    hbg_text_add(text, " %s t%d(%g); %d g%d by G(%g); t%d -> g%d -> n%d\n", is_zero ? "Se" : "Sf", cell, random_real(random) - 0.5, is_zero ? 1 : 0, cell, end,
                 cell, cell, cell);
}

static void write_network(HbgText *text, Random *random, double fed, double taken_over) {
  enum { MOST = 12 };
  bool is_zero[MOST];
  const int cells = 3 + random_below(random, MOST - 3);
  hbg_text_add(text, "model Network {\n machine S(a, b) { %s; open -> closed when time >= a and time < b; closed -> open when time >= b and time < 0.7 }\n",
               random_chance(random, 0.5) ? "off open initial; on closed" : "on closed initial; off open");
  if (fed > 0)
    hbg_text_add(text, " machine F(x, a, b) { %s; open -> closed when x > a and time < 0.25; closed -> open when time >= b and time < 0.65; open -> closed when time >= 0.7 }\n",
                 random_chance(random, 0.5) ? "off open initial; on closed" : "on closed initial; off open");
  if (taken_over > 0)
    hbg_text_add(text, " machine G(b) { off open initial; on closed; open -> closed when time >= b and time < 0.7; closed -> open when time >= 0.7 }\n");
  for (int cell = 0; cell < cells; cell++) {
    is_zero[cell] = random_chance(random, 0.6);
    write_cell(text, random, cell, is_zero[cell]);
    if (fed > 0 && random_chance(random, fed)) write_feeder(text, random, cell, is_zero[cell], taken_over);
  }
  int edge = 0;
  for (int cell = 1; cell < cells; cell++) write_edge(text, random, edge++, random_below(random, cell), cell, is_zero);
  for (int loop = random_below(random, 3); loop > 0; loop--) {
    const int from = random_below(random, cells), to = random_below(random, cells);
    if (from != to) write_edge(text, random, edge++, from, to, is_zero);
  }
  hbg_text_add(text, " stop 0.8\n}");
}

/* One of some things at a rail that a source gives, as voltages or as speeds; what its state is, behind it. */
static const char *write_consumer(HbgText *text, Random *random, int at, bool is_zero) {
  const char *flow = is_zero ? "1" : "0", *junction = is_zero ? "0" : "1", *storage = is_zero ? "C" : "I";
  const double size = 0.1 + random_real(random), loss = 0.3 + random_real(random);
  switch (random_below(random, 4)) {
    case 0:
      hbg_text_add(text, " %s a%d; %s l%d(%g); R r%d(%g); rail -> a%d; a%d -> l%d; a%d -> r%d\n", flow, at, is_zero ? "I" : "C", at, size, at, loss, at, at, at, at, at);
      return is_zero ? "a%d.f" : "a%d.e";
    case 1: hbg_text_add(text, is_zero ? " 1 a%d by By(a%d.f, rail.e - b%d.e)\n" : " 0 a%d by By(a%d.e, rail.f - b%d.f)\n", at, at, at); break;
    case 2: hbg_text_add(text, " %s a%d by On(%g)\n", flow, at, 0.2 * random_real(random)); break;
    default: hbg_text_add(text, " %s a%d\n", flow, at);
  }
  hbg_text_add(text, " %s w%d; %s b%d; %s c%d(%g); R r%d(%g), q%d(2); rail -> a%d -> w%d -> b%d; w%d -> r%d; b%d -> c%d; b%d -> q%d\n", flow, at, junction, at, storage, at, size, at, loss, at,
               at, at, at, at, at, at, at, at, at);
  return is_zero ? "b%d.e" : "b%d.f";
}

/* Consumers on a source that machines switch, which look at the time or at one of them. `reading`: what a machine reads that never fires. */
static void write_fleet(HbgText *text, Random *random, const char *reading) {
  const bool is_zero = random_chance(random, 0.6);
  const int count = 2 + random_below(random, 5);
  static const char *const whens[] = {"p -> q when %s > 0.4; q -> p when %s < 0.1", "p -> q after 0.13; q -> p when %s < 0.2; q -> p after 0.21", "p -> q when pulse(0.1, 0.1, 0.3) > 0.5; q -> p when pulse(0.1, 0.1, 0.3) < 0.5 and %s < 9",
                                      "p -> q when %s > 0.3; q -> p when %s < 0.3"};
  hbg_text_add(text, "model Fleet {\n machine By(x, drive) { off open initial; on closed; open -> closed when drive > 0; closed -> open when x < 0 }\n"
                     " machine On(a) { off open initial; on closed; open -> closed when mod(time, 0.3) >= a; closed -> open when mod(time, 0.3) < a }\n"
                     " machine never = Never(%s); machine Never(x) { off no initial, yes; no -> yes when x > 1e9 }\n", reading);
  hbg_text_add(text, is_zero ? " Se u(%s); 0 rail; u -> rail\n" : " Sf u(%s); 1 rail; u -> rail\n", random_chance(random, 0.5) ? "if m in p then 2 else -1 + sin(9*time)" : "if m in q then 0.5 + sin(7*time) else 2");
  const char *state = "";
  for (int at = 0; at < count; at++) state = write_consumer(text, random, at, is_zero);
  char name[16], when[200];
  snprintf(name, sizeof name, state[0] == 'a' ? "a%d.%c" : "b%d.%c", count - 1, state[strlen(state) - 1]);
  snprintf(when, sizeof when, whens[random_below(random, 4)], name, name);
  hbg_text_add(text, " machine m = M; machine M { off p initial, q; %s }\n stop 1\n}", when);
}

static void ride_fleet(Ride *ride_of, long seed, const char *reading, int how, int32_t *islands) {
  HbgSimOptions options = options_of(1, 0);
  Random random = {(uint64_t)seed};
  HbgText text = hbg_text(&arena);
  write_fleet(&text, &random, reading);
  options.as_a_whole = how == 0;
  options.in_sets = how == 2;
  *islands = ride(ride_of, text.bytes, options).islands;
}

/* Where somebody reads what the source gives, it is not cut off: the same in one piece. */
static void what_a_source_that_machines_switch_feeds_does_the_same_in_pieces(void **state) {
  (void)state;
  static const RideWays ways = {"in pieces", "in one", 1e-8, 1e-7};
  const Seeds seeds = seeds_of(150);
  int32_t in_pieces = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    arena = hbg_arena((HbgAllocator){0});
    int32_t whole_islands, islands;
    Ride whole, pieces;
    ride_fleet(&whole, seed, "u.f + u.e", 0, &whole_islands);
    for (int how = 0; how < 3; how++) {
      ride_fleet(&pieces, seed, "time", how, &islands);
      in_pieces += islands > whole_islands;
      ride_check_alike(&pieces, &whole, &ways);
      ride_end(&pieces);
    }
    ride_end(&whole);
    hbg_arena_release_all(&arena);
  }
  assert_true(in_pieces > 2 * seeds.count); // of three each, or it would say nothing
}

/* So many have storages that are cut off, or junctions that are fed. */
static void compare_networks(double fed, double taken_over) {
  const Seeds seeds = seeds_of(200);
  int32_t with_cuts = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_network(&text, &random, fed, taken_over);
    const Cuts cuts = compare_cuts(text.bytes, 0.8);
    with_cuts += (fed > 0 ? cuts.fed : cuts.hanging) > 0;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(with_cuts > seeds.count / (fed > 0 ? 4 : 2)); // or it would say nothing
}

static void networks_of_storages_and_switches_do_the_same_in_pieces(void **state) {
  (void)state;
  compare_networks(0, 0);
}

static void networks_that_sources_feed_by_way_of_switches_do_the_same_in_pieces(void **state) {
  (void)state;
  compare_networks(0.5, 0);
}

static void networks_whose_sources_are_changed_over_do_the_same_in_pieces(void **state) {
  (void)state;
  compare_networks(0.5, 0.5);
}

static void random_graphs_do_the_same_in_pieces(void **state) {
  (void)state;
  const RandomTaste taste = {.elements_most = 60, .sources = true, .guarded = true, .redundant = true, .pulsed = true, .modulated = true,
                             .nonlinear = true, .decades = 0.5};
  const Seeds seeds = seeds_of(100);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    arena = hbg_arena((HbgAllocator){0});
    const RandomGraph graph = random_graph(&random, taste);
    HbgText text = hbg_text(&arena);
    random_graph_write(&graph, NULL, &text);
    compare(text.bytes, 0.05);
    hbg_arena_release_all(&arena);
  }
}

/* ---- islands ---- */

static const char ladder[] =
    "model Ladder(N = 40) {\n for i in 0..N { 0 n[i]; C c[i](1) start q = i/40; n[i] -> c[i]; R g[i](5); n[i] -> g[i] }\n"
    " for i in 1..N { 1 s[i] by S(i); R r[i](1); n[i-1] -> s[i] -> n[i]; s[i] -> r[i] }\n"
    " machine S(i) { on closed initial; off open; closed -> open when time >= i/100 }\n stop 0.5\n}";

static void a_ladder_of_switches_shares_two_programs_a_cell(void **state) {
  (void)state;
  Ride cut;
  assert_true(ride(&cut, ladder, options_of(0.5, 0)).hanging > 0);
  assert_true(hbg_sim_statistics(cut.sim).modes < 12); // instead of one for every length of what is left
  ride_end(&cut);
}

/* Of a ladder of resistors with one storage at its end nothing would be gained by a cut there: what the block without it needs is not asked for, and its equations are never made. */
static void where_nothing_is_gained_no_equations_of_a_block_are_made(void **state) {
  (void)state;
  Ride run;
  const HbgSimOptions options = {.stop = 1e-3, .interval = 1e-3, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .cut_above = 1};
  ride_begin(&run,
             "model Ladder(N = 6) {\n Se source(1); 0 node[0]; source -> node[0]\n for i in 1..N { 0 node[i]; 1 line[i]; R wire[i](0.05), across[i](7)\n"
             "  node[i-1] -> line[i] -> node[i] -> across[i]; line[i] -> wire[i] }\n C end(1); node[N] -> end\n stop 1\n}",
             options, RIDE_TRAJECTORY);
  assert_int_equal(hbg_sim_statistics(run.sim).modes, 1);
  ride_end(&run);
}

/* Is a row of cells ever cut where nobody says so? Each has a coil, a capacitor and, the first of them, a switch or a heater that a thermostat reads. */
static bool is_row_cut(int cells, int switches, int thermostats) {
  char text[1500];
  snprintf(text, sizeof text,
           "model Row(N = %d, switches = %d, stats = %d) { Se supply(5); 0 n[0..N]; supply -> n[0]\n"
           " for i in 1..N { 1 j[i]; I l[i](1); R r[i](0.3); C c[i](1); R leak[i](9), other[i](8), third[i](7); n[i-1] -> j[i] -> n[i]; j[i] -> l[i]; j[i] -> r[i]\n"
           "  n[i] -> c[i]; n[i] -> leak[i]; n[i] -> other[i]; n[i] -> third[i] }\n"
           " for i in 1..switches { 1 s[i] by S(i); R q[i](1); n[i] -> s[i] -> q[i] }\n"
           " for i in 1..stats { machine t[i] = T(n[i].e); Sf heat[i](if t[i] in warm then 1 else 0); heat[i] -> n[i] }\n"
           " machine S(i) { on closed initial; off open; closed -> open when time >= i/10 }\n"
           " machine T(e) { on warm initial; off cold; warm -> cold when e > 3; cold -> warm when e < 1 }\n stop 1\n}",
           cells, switches, thermostats);
  Ride run;
  const bool is_cut = ride(&run, text, options_of(1, 0)).hanging > 0;
  ride_end(&run);
  return is_cut;
}

static void few_storages_and_machines_stay_together_however_much_hangs_on_them(void **state) {
  (void)state;
  assert_false(is_row_cut(4, 1, 0)); // 8 storages and some forty bonds
  assert_false(is_row_cut(5, 5, 0));
  assert_true(is_row_cut(6, 1, 0));
  assert_false(is_row_cut(5, 0, 3));
  assert_true(is_row_cut(5, 0, 4));
  assert_true(is_row_cut(5, 4, 2));
}

static void note_joining(const HbgSim *sim, void *user) {
  *(bool *)user = sim->cuts.are_joined;
}

/* Cranks that drive a flywheel by clutches of one way: of each a spring and a hub swing some twenty times between two events, which series would go along with for ever. */
static void what_swings_often_between_two_events_is_joined(void **state) {
  (void)state;
  static const RideWays ways = {"joined", "by steps", 1e-6, 1e-6};
  const Seeds seeds = seeds_of(4);
  int32_t joined_count = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    hbg_text_add(&text, "model Wheel {\n 1 shaft; I flywheel(%g); R load(1.5); shaft -> flywheel; shaft -> load\n", 1 + random_real(&random));
    for (int crank = 0; crank < 5 + seed % 3; crank++)
      hbg_text_add(&text, " Sf u%d(%g*sin(%g*time + %d.5)); 0 d%d; 1 a%d; C s%d(%g); I h%d(1e-3); R o%d(0.01); 0 k%d by Sprag(a%d.f - shaft.f, k%d.e)\n"
                          " u%d -> d%d; d%d -> s%d; d%d -> a%d; a%d -> h%d; a%d -> o%d; a%d -> k%d -> shaft\n",
                   crank, 8 + 4 * random_real(&random), 9 + 2 * random_real(&random), crank, crank, crank, crank, 1e-4 * (0.5 + random_real(&random)), crank, crank, crank, crank, crank,
                   crank, crank, crank, crank, crank, crank, crank, crank, crank, crank, crank, crank);
    hbg_text_add(&text, " machine Sprag(slip, torque) { off free initial; on locked; free -> locked when slip > 0; locked -> free when torque < 0 }\n stop 2.5\n}\n");
    Ride joined, stepped;
    bool is_joined = false;
    HbgSimOptions options = options_of(2.5, 0);
    ride_try(&stepped, text.bytes, options, SHOWN, NULL, NULL);
    options.as_a_whole = false;
    ride_try(&joined, text.bytes, options, SHOWN, note_joining, &is_joined);
    joined_count += is_joined;
    assert_true(joined.sim->statistics.steps < stepped.sim->statistics.steps);
    ride_check_alike(&joined, &stepped, &ways);
    ride_end(&joined);
    ride_end(&stepped);
    hbg_arena_release_all(&arena);
  }
  assert_true(2 * joined_count > seeds.count); // the others would be later
}

/* Columns of a display, each with a wire and pixels of which one row at a time is connected: stiff, with more states in all than an exact flow has, but few in each column. */
static void stiff_islands_of_few_states_are_joined_however_many_there_are(void **state) {
  (void)state;
  static const RideWays ways = {"joined", "by steps", 1e-6, 1e-6};
  const Seeds seeds = seeds_of(4);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const int rows = 7 + (int)(seed % 3), columns = 4 + (int)(seed % 2);
    hbg_text_add(&text, "model Display {\n param T = 1e-4\n");
    for (int column = 0; column < columns; column++) {
      hbg_text_add(&text, " Se u%d(%g*cos(500*time + %d)); 1 l%d; R w%d(%g); 0 c%d; C s%d(1e-11); u%d -> l%d; l%d -> w%d; l%d -> c%d; c%d -> s%d\n", column,
                   3 + random_real(&random), column, column, column, 1e3 * (1 + random_real(&random)), column, column, column, column, column, column, column,
                   column, column, column);
      for (int row = 0; row < rows; row++)
        hbg_text_add(&text, " 1 g%d_%d by Row(pulse(%d*T/%d, T/%d, T) > 0.5); R r%d_%d(1e4); 0 p%d_%d; C q%d_%d(%g); R k%d_%d(1e9); c%d -> g%d_%d; g%d_%d -> r%d_%d; g%d_%d -> p%d_%d; "
                            "p%d_%d -> q%d_%d; p%d_%d -> k%d_%d\n",
                     column, row, row, rows, rows, column, row, column, row, column, row, 1e-12 * (1 + random_real(&random)), column, row, column, column, row, column, row,
                     column, row, column, row, column, row, column, row, column, row, column, row, column, row);
    }
    hbg_text_add(&text, " machine Row(selected) { off hidden initial; on shown; hidden -> shown when selected; shown -> hidden when not selected }\n stop 1e-3\n}\n");
    Ride joined, stepped;
    bool is_joined = false;
    HbgSimOptions options = options_of(1e-3, 0);
    ride_try(&stepped, text.bytes, options, SHOWN, NULL, NULL);
    options.as_a_whole = false;
    ride_try(&joined, text.bytes, options, SHOWN, note_joining, &is_joined);
    assert_true(joined.sim->model->state_count > HBG_FLOW_STATES);
    assert_true(is_joined);
    assert_true(joined.sim->statistics.steps < stepped.sim->statistics.steps);
    ride_check_alike(&joined, &stepped, &ways);
    ride_end(&joined);
    ride_end(&stepped);
    hbg_arena_release_all(&arena);
  }
}

/* How many there are in both ways until then; the most with cuts. */
static int32_t check_islands_count_alike(double stop, int32_t *count) {
  Ride cut, whole;
  const int32_t most = ride(&cut, ladder, options_of(stop, ALWAYS)).islands;
  ride(&whole, ladder, options_of(stop, NEVER));
  *count = (int32_t)hbg_sim_statistics(cut.sim).islands;
  assert_int_equal(*count, hbg_sim_statistics(whole.sim).islands);
  ride_end(&cut);
  ride_end(&whole);
  return most;
}

static void what_is_connected_counts_as_one_island(void **state) {
  (void)state;
  int32_t count;
  assert_true(check_islands_count_alike(0.005, &count) > 40);
  assert_int_equal(count, 1);
  check_islands_count_alike(0.055, &count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_of_masses_moves_as_one_system_does),
      cmocka_unit_test(a_ladder_is_cut_at_its_capacitors_alone),
      cmocka_unit_test(an_ideal_switch_between_capacitors_takes_both_in),
      cmocka_unit_test(a_stuck_mass_leaves_its_neighbours_alone),
      cmocka_unit_test(a_stiff_rod_is_as_stiff_in_pieces),
      cmocka_unit_test(a_loop_of_resistors_between_storages_is_solved_apart),
      cmocka_unit_test(dry_friction_holds_a_shaft_that_hangs_from_the_start),
      cmocka_unit_test(a_relay_slides_on_what_springs_of_a_chain_give),
      cmocka_unit_test(what_a_source_receives_is_shown_as_each_instant_leaves_it),
      cmocka_unit_test(converters_behind_one_switch_are_cut_off_from_each_other_while_it_is_on),
      cmocka_unit_test(converters_whose_supply_is_changed_over_are_cut_off_from_each_other_by_either),
      cmocka_unit_test(blocks_with_dampers_that_stick_are_cut_off_from_each_other),
      cmocka_unit_test(few_storages_and_machines_stay_together_however_much_hangs_on_them),
      cmocka_unit_test(what_swings_often_between_two_events_is_joined),
      cmocka_unit_test(stiff_islands_of_few_states_are_joined_however_many_there_are),
      cmocka_unit_test(networks_of_storages_and_switches_do_the_same_in_pieces),
      cmocka_unit_test(networks_that_sources_feed_by_way_of_switches_do_the_same_in_pieces),
      cmocka_unit_test(networks_whose_sources_are_changed_over_do_the_same_in_pieces),
      cmocka_unit_test(what_a_source_that_machines_switch_feeds_does_the_same_in_pieces),
      cmocka_unit_test(random_graphs_do_the_same_in_pieces),
      cmocka_unit_test(a_ladder_of_switches_shares_two_programs_a_cell),
      cmocka_unit_test(where_nothing_is_gained_no_equations_of_a_block_are_made),
      cmocka_unit_test(what_is_connected_counts_as_one_island),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

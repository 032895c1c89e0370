/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of states with clocks of their own, where storages hang, do what a run as a whole does: random chains of masses and springs, of capacitors
 * and coils, with blocks that stick, contacts, relays, fuses and switches by the clock, are run in both ways and must have the same rows. */
#include "hybrid/coupled.h"

#include "support/belt.h"
#include "support/numbered.h"
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/sets.h"
#include "support/with_library.h"

/* ---- models ---- */

static void blocks_between_blocks_that_stick_are_sets_of_their_own(void **state) {
  (void)state;
  const SetsMet met = sets_compare(BELT(6, 40), 40, false);
  assert_true(met.events > 30);
  assert_true(met.coupled_rows > met.events);
  assert_true(met.most_sets > 6);
}

static void efforts_and_flows_are_shown_as_they_are(void **state) {
  (void)state;
  assert_true(sets_compare(BELT(6, 15), 15, true).coupled_rows > 0);
}

/* Blocks on a belt that neither machines nor rows can tell apart from their mirror image. */
static void what_happens_on_both_sides_at_once_is_one_instant(void **state) {
  (void)state;
  const char belt[] = BELT(6, 40);
  char mirrored[sizeof belt + 64];
  const char *from = strstr(belt, "0.2*sin(1.7*i)");
  const int before = (int)(from - belt);
  snprintf(mirrored, sizeof mirrored, "%.*s%s%s", before, belt, "0.1*(2*i - N - 1)^2*0.2", from + strlen("0.2*sin(1.7*i)"));
  const SetsMet met = sets_compare(mirrored, 40, false);
  assert_true(met.events > 10);
  assert_true(met.coupled_rows > met.events);
}

/* Friction without a breakaway force: a block that is as fast as the belt slides on the surface between both directions. */
static void machines_slide_where_sets_had_clocks_of_their_own(void **state) {
  (void)state;
  const char text[] =
      "model Belt(N = 4) {\n param V = 0.5\n"
      " for i in 1..N { 1 v[i]; I block[i](1) start f = 0.1*i; v[i] -> block[i]; C spring[i](1) start q = 0.2*sin(1.7*i)\n"
      "  v[i] -> spring[i]; Se friction[i](if way[i] in ahead then -1 else 1); friction[i] -> v[i]; machine way[i] = Way(v[i].f - V) }\n"
      " for i in 1..N-1 { 0 f[i]; C spread[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> spread[i] }\n"
      " machine Way(slip) { off behind initial; off ahead; behind -> ahead when slip > 0; ahead -> behind when slip < 0 }\n stop 20\n}";
  assert_true(sets_compare(text, 20, false).events > 3);
}

/* Puts `by` in the place of `what`, wherever that stands. */
static void replace(char *text, size_t room, const char *what, const char *by) {
  char *at = text;
  while ((at = strstr(at, what))) {
    const size_t rest = strlen(at + strlen(what)) + 1;
    assert_true((size_t)(at - text) + strlen(by) + rest <= room);
    memmove(at + strlen(by), at + strlen(what), rest);
    memcpy(at, by, strlen(by));
    at += strlen(by);
  }
}

/* The speed of the belt is a sine of the time, and pulls at the springs of blocks that stick. */
static void blocks_on_a_belt_that_follows_the_time_are_sets_of_their_own(void **state) {
  (void)state;
  char swaying[4000] = BELT(6, 40);
  replace(swaying, sizeof swaying, "ride[i](V)", "ride[i](W)");
  replace(swaying, sizeof swaying, "v[i].f - V", "v[i].f - W");
  replace(swaying, sizeof swaying, "stop 40", "signal W = V + 0.1*sin(1.3*time)\n stop 40");
  const SetsMet met = sets_compare(swaying, 40, false);
  assert_true(met.events > 30);
  assert_true(met.coupled_rows > met.events);
  assert_true(met.most_sets > 6);
}

/* Guards read the time, and what is a power of it; and a force of many frequencies, one for each block. */
static void each_set_follows_the_time_in_its_own_way(void **state) {
  (void)state;
  const char text[] =
      "model Row(N = 6) {\n for i in 1..N { 1 v[i]; I m[i](1); v[i] -> m[i]; R b[i](0.1); v[i] -> b[i]; Se push[i](sin(i*time)); push[i] -> v[i]\n"
      "  0 brake[i] by Brake(v[i].f - 0.02*time, v[i].f + 0.001*time^2); R r[i](3); v[i] -> brake[i] -> r[i] }\n"
      " for i in 1..N-1 { 0 f[i]; C k[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> k[i] }\n"
      " machine Brake(over, under) { off open initial; on closed; open -> closed when over > 0; closed -> open when under < 0 }\n stop 12\n}";
  const SetsMet met = sets_compare(text, 12, false);
  assert_true(met.events > 10);
  assert_true(met.coupled_rows > met.events);
}

/* The valves of a row of vessels open one after the other, from 1e-3 s to 1e-12 s apart: the last ones hold next to nothing for a while, down to what numbers
 * cannot hold, and all of them their share in the end. */
static void a_row_that_is_filled_from_one_end_is_right_however_little_arrives_at_first(void **state) {
  (void)state;
  for (double apart = 1e-3; apart > 1e-13; apart *= 1e-3) {
    char text[800];
    snprintf(text, sizeof text,
             "model Row(N = 40) {\n for i in 1..N { 0 tank[i]; C water[i](1) start e = if i = 1 then 1 else 0; tank[i] -> water[i] }\n"
             " for i in 1..N-1 { 1 valve[i] by Valve(%g*i); R pipe[i](0.5); tank[i] -> valve[i] -> tank[i+1]; valve[i] -> pipe[i] }\n"
             " machine Valve(t) { off shut initial; on open; shut -> open when time >= t }\n stop 1\n}",
             apart);
    assert_int_equal(sets_compare(text, 1, false).events, 39);
  }
}

static double share_of_rows_in_sets(const char *text, double stop) {
  Ride own;
  const int32_t count = sets_ride(&own, text, stop, AS_IS_BEST, false).coupled_rows;
  assert_int_equal(own.end, HBG_END);
  const double share = (double)count / own.count;
  ride_end(&own);
  return share;
}

static void what_is_one_set_goes_on_by_its_series(void **state) {
  (void)state;
  const char text[] = "model Chain(N = 30) {\n for i in 1..N { 1 v[i]; I m[i](1) start f = sin(i); v[i] -> m[i]; R b[i](0.01); v[i] -> b[i] }\n"
                      " for i in 1..N-1 { 0 n[i]; C k[i](1); v[i] -> n[i] -> v[i+1]; n[i] -> k[i] }\n"
                      " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
                      " machine B(f) { on open initial; off closed; open -> closed when f > 0.9 }\n stop 20\n}";
  assert_true(share_of_rows_in_sets(text, 20) >= 1);
}

static void sets_that_are_quicker_than_all_that_happens_are_given_up(void **state) {
  (void)state;
  // two stiff chains, and nothing happens: series of so many terms would cost more than steps
  const char text[] = "model Chains(N = 15) {\n for i in 1..N { 1 v[i], w[i]; I m[i](1) start f = sin(i), l[i](1); v[i] -> m[i]; w[i] -> l[i] }\n"
                      " for i in 1..N-1 { 0 n[i], o[i]; C s[i](1e-7), t[i](1e-7); v[i] -> n[i] -> v[i+1]; n[i] -> s[i]; w[i] -> o[i] -> w[i+1]; o[i] -> t[i] }\n"
                      " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
                      " machine B(f) { off open initial; on closed; open -> closed when f > 900 }\n stop 6\n}";
  const double share = share_of_rows_in_sets(text, 6);
  assert_true(share > 0 && share < 1);
}

/* ---- random chains ---- */

static const char machines[] =
    " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"
    "  stuck -> ahead when S > 0.6; stuck -> behind when S < -0.6\n"
    "  ahead -> stuck when slip < 0 and S >= -0.6; ahead -> behind when slip < 0 and S < -0.6\n"
    "  behind -> stuck when slip > 0 and S <= 0.6; behind -> ahead when slip > 0 and S > 0.6 }\n"
    " machine Above(x, y) { off below initial; on above; below -> above when x > y + 0.15; above -> below when x < y + 0.05 }\n"
    " machine Fuse(x) { on whole initial; off blown; whole -> blown when x > 0.4 or x < -0.4 }\n"
    " machine Clock(a, b) { on closed initial; off open; closed -> open when time >= a and time < b; open -> closed when time >= b }\n"
    " machine Wall(x) { off free initial; on hit; free -> hit when x > 0.3; hit -> free when x < 0.25 }\n";

/* A mass of a chain, with what is on it. */
static void write_mass(HbgText *text, Random *random, int i) {
  numbered_add(text, " 1 v#; I m#(@) start p = ~; v# -> m#\n", i, 0.5 + random_real(random), random_real(random) - 0.5);
  const double a = 0.3 + random_real(random), b = random_real(random) - 0.5;
  switch (random_below(random, 10)) {
    case 0: numbered_add(text, " C s#(@) start q = ~; v# -> s#; R d#(0.1); v# -> d#\n", i, a, b); break;
    case 1: numbered_add(text, " R d#(@); v# -> d#\n", i, a, b); break;
    case 2:
      numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 g# by Stick(k#.e - s#.e, v#.f - 0.3); Sf ride#(0.3); v# -> g# -> ride#\n"
                " Se fr#(if g# in ahead then -0.4 else if g# in behind then 0.4 else 0); fr# -> v#\n", i, a, b);
      break;
    case 3: numbered_add(text, " 1 w# by Wall(m#.f); Se stop#(-1); 0 c#; v# -> c#; C s#(@); c# -> s#; stop# -> w#; R rw#(1); w# -> rw#\n", i, a, b); break;
    case 4: numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 b# by Clock(@, 1.2); R r#(~ + 1); v# -> b# -> r#\n", i, a, b); break;
    case 5: numbered_add(text, " Se weight#(~); weight# -> v#; C s#(@); v# -> s#\n", i, a, b); break;
    case 6: numbered_add(text, " Se drive#(~ + @*sin(2.3*time + #)); drive# -> v#; C s#(@); v# -> s#\n", i, a, b); break;
    case 7: numbered_add(text, " Se ramp#(@*time - ~*time^2); ramp# -> v#; R d#(@); v# -> d#\n", i, a, b); break;
    case 8:
      numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 g# by Stick(k#.e - s#.e, v#.f - V#); Sf ride#(V#); v# -> g# -> ride#\n"
                " signal V# = 0.3 + 0.2*cos(3*time)\n"
                " Se fr#(if g# in ahead then -0.4 else if g# in behind then 0.4 else 0); fr# -> v#\n", i, a, b);
      break;
    default: break;
  }
}

/* What is between mass i and the next one. */
static void write_spring(HbgText *text, Random *random, int i, bool is_last) {
  numbered_add(text, " 0 n#; C k#(@) start q = ~; v# -> n# -> k#\n", i, 0.5 + random_real(random), 0.4 * random_real(random) - 0.2);
  if (!is_last) hbg_text_add(text, " n%d -> v%d\n", i, i + 1);
  const double a = 0.2 + random_real(random);
  switch (random_below(random, 5)) {
    case 0: numbered_add(text, " 1 f# by Fuse(k#.e); R q#(@); n# -> f# -> q#\n", i, a, 0); break;
    case 1: numbered_add(text, " 1 l# by Above(k#.e, ~); R q#(@); n# -> l# -> q#\n", i, a, 0.1); break;
    case 2: numbered_add(text, " R q#(@); n# -> q#\n", i, a, 0); break;
    default: break;
  }
}

static void write_chain(HbgText *text, Random *random) {
  const int count = 2 + random_below(random, 7);
  hbg_text_add(text, "model Chain {\n%s", machines);
  for (int i = 1; i <= count; i++) {
    write_mass(text, random, i);
    write_spring(text, random, i, i == count);
  }
  hbg_text_add(text, " stop 6\n}");
}

static void chains_in_which_much_switches_do_the_same_in_sets(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  int32_t in_sets = 0, events = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_chain(&text, &random);
    const SetsMet met = sets_compare(text.bytes, 6, random_chance(&random, 0.3));
    in_sets += met.coupled_rows > 0;
    events += met.events;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(in_sets > seeds.count / 2 && events > seeds.count); // or it would say nothing
}

/* ---- random stars ---- */

static const char star_machines[] =
    " machine Gate(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"
    " machine Diode(current, voltage) { off blocking; on conducting initial; blocking -> conducting when voltage > 0\n"
    "  conducting -> blocking when current < -0.001 }\n"
    " machine Lamp(voltage) { off dark initial; on lit; dark -> lit when voltage >= 0.9; lit -> dark when voltage <= 0.6 }\n"
    " machine Heater(warm) { off cold initial; on hot; cold -> hot when warm < 0.8; hot -> cold when warm > 1.1 }\n";

/* Something that hangs on the one storage in the middle. */
static void write_leaf(HbgText *text, Random *random, int i) {
  const double a = 0.3 + random_real(random), b = random_real(random);
  switch (random_below(random, 5)) {
    case 0: // its current of backward recovery jumps to nothing
      numbered_add(text, " 1 line#; I coil#(@) start f = 0.05; 0 node#, output#; Se ground#(0); C tank#(@) start e = 1.3; R load#(~ + 0.5)\n", i, a, b);
      numbered_add(text, " 1 switch# by Gate(pulse(~, 0.4, 0.9) > 0.5); 1 diode# by Diode(diode#.f, node#.e - output#.e)\n", i, a, 0.5 * b);
      numbered_add(text, " rail -> line# -> node# -> diode# -> output# -> tank#; line# -> coil#; node# -> switch# -> ground#; output# -> load#\n", i, a, b);
      break;
    case 1:
      numbered_add(text, " 1 line#; R in#(@); 0 node#; C tank#(~ + 0.2); 1 lamp# by Lamp(node#.e); R glow#(0.2)\n", i, a, b);
      numbered_add(text, " rail -> line# -> node# -> tank#; line# -> in#; node# -> lamp# -> glow#\n", i, a, b);
      break;
    case 2: numbered_add(text, " 1 line#; R in#(@); C tank#(~ + 0.2); rail -> line#; line# -> in#; line# -> tank#\n", i, a, b); break;
    case 3: numbered_add(text, " 1 heat# by Heater(tank.e); R in#(@ + 2); rail -> heat# -> in#\n", i, a, b); break;
    default: numbered_add(text, " 1 line#; I coil#(@); R in#(~ + 0.1); rail -> line#; line# -> coil#; line# -> in#\n", i, a, b); break;
  }
}

static void write_star(HbgText *text, Random *random, int count) {
  hbg_text_add(text, "model Star {\n%s Se supply(1.5); 1 wire; R resistance(%.6g); 0 rail; C tank(%.6g) start e = 1\n", star_machines,
               0.5 + random_real(random), 0.3 * count);
  hbg_text_add(text, " supply -> wire -> rail -> tank; wire -> resistance\n");
  for (int i = 1; i <= count; i++) write_leaf(text, random, i);
  hbg_text_add(text, " stop 6\n}");
}

static SetsMet compare_star(long seed, int least, int most) {
  Random random = {(uint64_t)seed};
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgText text = hbg_text(&arena);
  write_star(&text, &random, least + random_below(&random, most - least + 1));
  const SetsMet met = sets_compare(text.bytes, 6, random_chance(&random, 0.2));
  hbg_arena_release_all(&arena);
  return met;
}

static void stars_around_one_storage_do_the_same_in_sets(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(20);
  int32_t in_sets = 0, events = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    const SetsMet met = compare_star(seed, 6, 12);
    in_sets += met.coupled_rows > 0;
    events += met.events;
  }
  if (seeds.count > 10) assert_true(in_sets > seeds.count / 2 && events > 10 * seeds.count);
}

/* Around a storage with so many neighbours an instant touches a small part of the set, which stays. */
static void large_stars_do_the_same_where_their_set_stays(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(6);
  int32_t stays = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) stays += compare_star(1000 + seed, 25, 40).most_stays > 4;
  if (seeds.count > 5) assert_true(stays > seeds.count / 2);
}

/* A coil and a capacitor swing by way of a diode that has just opened; another coil, and a capacitor that is shorted, have nothing but round-off, and take no time to be anything. Half a
 * period later the diode must block, and not carry the current back. */
static void round_off_has_no_time_of_its_own(void **state) {
  (void)state;
  const char text[] =
      "model Swing { 0 n1, n2, n3, g; Ground gr; g -> gr; Diode dx1(threshold = 0.5 [V]); n1 -> dx1 -> g\n"
      " 1 a, b, c, d; C ca(0.2) start e = -1.04; n2 -> a -> n1; a -> ca; C cb(0.3); n3 -> b -> g; b -> cb\n"
      " I la(1); n1 -> c -> g; c -> la; I lb(1); n3 -> d -> n1; d -> lb\n"
      " Switch short(closed = true); n3 -> short -> g; Diode dx6(threshold = 0.5 [V]); n3 -> dx6 -> n2\n stop 3 }";
  Ride run;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const SetsMet met = sets_ride(&run, with_library("electrical.hbg", text, &arena), 3, IN_SETS, false);
  assert_true(met.coupled_rows > 0);
  int32_t last = run.count - 1; // the last event is that of the diode
  while (last > 0 && !run.rows[last].is_event) last--;
  CHECK_NEAR(run.rows[last].time, 4 * atan(1) * sqrt(0.5 * 0.2), 1e-9);
  ride_end(&run);
  hbg_arena_release_all(&arena);
}

/* Bodies that have stood still so far, but for round-off, and then are set going, beside others that swing: by a clutch that takes hold, and by another body that sticks to them.
 * What they have been is no measure of what they come to. */
static void what_has_never_moved_hides_nothing(void **state) {
  (void)state;
  const char clutch[] =
      "model Clutched { I m0(2), m1(2), m2(1), m3(1), m4(1); 1 v0, v1, v2, v3, v4, fix; v0 -> m0; v1 -> m1; v2 -> m2; v3 -> m3; v4 -> m4\n"
      " Se f0(3.202*sin(3.77*time) + 0.247), f1(4.707*sin(2.79*time + 1.506) + 2.385), f2(1.65*sin(3.437*time) - 0.845); f0 -> v0; f1 -> v1; f2 -> v2\n"
      " Fixed ground; fix -> ground; Spring p0(k = 18.183); v0 -> p0 -> v1; Friction p1(sliding = 2.242, ratio = 1.557); v1 -> p1 -> v2\n"
      " Clutch p2(capacity = if mod(time, 0.932) < 0.225 then 5.012 else 0); v2 -> p2 -> v3; Freewheel p3; v3 -> p3 -> v4; Freewheel p6; v2 -> p6 -> fix\n"
      " signal x2 = integral(v2.f), x3 = integral(v3.f), x4 = integral(v4.f)\n stop 3 }";
  const char latch[] =
      "model Latched { I m0(1), m1(1), m2(1) start f = 0.364, m3(2); 1 v0, v1, v2, v3, fix; v0 -> m0; v1 -> m1; v2 -> m2; v3 -> m3\n"
      " Se f1(-0.622), f2(5.157*sin(3.964*time)), f3(4.666*sin(4.975*time) - 0.816); f1 -> v1; f2 -> v2; f3 -> v3; Fixed ground; fix -> ground\n"
      " Latch p0(gap = 0); v0 -> p0 -> v1; Latch p1(gap = 0.471); v1 -> p1 -> v2; PlasticContact p2(gap = 0); v2 -> p2 -> v3; Freewheel p3; v0 -> p3 -> fix\n"
      " Spring p5(k = 27.49, stretch = 0.127); v2 -> p5 -> fix; PlasticContact p7(gap = 0.355); v2 -> p7 -> fix\n"
      " signal x0 = integral(v0.f), x1 = integral(v1.f), x2 = integral(v2.f), x3 = integral(v3.f)\n stop 3 }";
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_true(sets_compare(with_library("mechanical.hbg", clutch, &arena), 3, false).coupled_rows > 0);
  assert_true(sets_compare(with_library("mechanical.hbg", latch, &arena), 3, false).coupled_rows > 0);
  hbg_arena_release_all(&arena);
}

/* ---- what clocks tick for ---- */

/* A row of cells with a switch in each, whose condition is one that a clock is behind: a sawtooth or a triangle against what follows the time or a state, a sample, a table over the time. */
static void write_clocked(HbgText *text, Random *random, int cells) {
  static const char *const gates[] = {"mod(time/%.3g + 0.%d, 1) < 0.5 + 0.3*sin(%.3g*time)", "abs(4*mod(time/%.3g + 0.%d, 1) - 2) - 1 < 0.7*cos(%.3g*time)",
                                      "2*mod(time/%.3g + 0.%d, 1) < n[i].e + 0.1*%.3g", "sample(n[i].e, every(%.3g)) > 0.4%d - 0*%.3g", "course(time/%.3g) + 0.0%d > 0.17*%.3g"};
  char gate[120];
  const int which = random_below(random, 5);
  const double period = 0.05 * (1 + random_below(random, 6));
  snprintf(gate, sizeof gate, gates[which], period, random_below(random, 9), 1 + random_below(random, 5) + (which == 4 ? -0.5 : 0));
  hbg_text_add(text,
               "model Clocked(N = %d) {\n table course = [[0, 0.1], [1, 0.9], [3, 0.2], [7, 0.8], [20, 0.4], [60, 0.6]]\n Se u(1 + 0.2*sin(2*time)); 0 n[0]; 1 feed; R wire(0.2); u -> feed -> n[0]; feed -> wire; C c[0](0.1) start q = 0.05; n[0] -> c[0]\n"
               " for i in 1..N { 0 n[i]; C c[i](0.2 + 0.1*i) start q = 0.1*i; n[i] -> c[i]; 1 l[i]; R r[i](0.5); I s[i](%.3g); n[i-1] -> l[i] -> n[i]; l[i] -> r[i]; l[i] -> s[i]\n"
               "  1 g[i] by Gate(%s); R x[i](1 + i); n[i] -> g[i] -> x[i] }\n"
               " machine Gate(c) { off open initial; on closed; open -> closed when c; closed -> open when not c }\n stop 2\n}",
               cells, 0.05 + random_real(random), gate);
}

static void what_clocks_tick_for_alone_is_no_matter_of_the_whole(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  int32_t in_sets = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_clocked(&text, &random, 2 + random_below(&random, 5));
    in_sets += sets_compare(text.bytes, 2, seed % 2).coupled_rows > 0;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(in_sets > seeds.count / 2); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_clocks_tick_for_alone_is_no_matter_of_the_whole),
      cmocka_unit_test(blocks_between_blocks_that_stick_are_sets_of_their_own),
      cmocka_unit_test(efforts_and_flows_are_shown_as_they_are),
      cmocka_unit_test(what_happens_on_both_sides_at_once_is_one_instant),
      cmocka_unit_test(round_off_has_no_time_of_its_own),
      cmocka_unit_test(what_has_never_moved_hides_nothing),
      cmocka_unit_test(machines_slide_where_sets_had_clocks_of_their_own),
      cmocka_unit_test(blocks_on_a_belt_that_follows_the_time_are_sets_of_their_own),
      cmocka_unit_test(each_set_follows_the_time_in_its_own_way),
      cmocka_unit_test(a_row_that_is_filled_from_one_end_is_right_however_little_arrives_at_first),
      cmocka_unit_test(what_is_one_set_goes_on_by_its_series),
      cmocka_unit_test(sets_that_are_quicker_than_all_that_happens_are_given_up),
      cmocka_unit_test(stars_around_one_storage_do_the_same_in_sets),
      cmocka_unit_test(large_stars_do_the_same_where_their_set_stays),
      cmocka_unit_test(chains_in_which_much_switches_do_the_same_in_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

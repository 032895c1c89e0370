/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of states whose laws bend, beside others that are sums: they have clocks of their own, and nobody else feels their steps. */
#include "hybrid/coupled_bent.h"

#include "hybrid/part.h"
#include "support/numbered.h"
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/sets.h"

#define CONVERTER                                                                                                                                  \
  " Se supply(12); 0 rail; supply -> rail; 1 line; I coil(0.01); 0 node, output; 1 switch by Gate(pulse(0, 0.005, 0.01) > 0.5); Se ground(0)\n"       \
  " 1 diode by Diode(diode.f, node.e - output.e); C capacitor(0.01); R load(40)\n"                                                                  \
  " rail -> line -> node -> diode -> output -> capacitor; line -> coil; node -> switch -> ground; output -> load\n"                                 \
  " machine Gate(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"                                   \
  " machine Diode(current, voltage) { off blocking initial; on conducting; blocking -> conducting when voltage > 0\n"                               \
  "  conducting -> blocking when current < 0 }\n stop 2\n"
/* Masses between springs that stiffen, without losses. */
#define CHAIN                                                                                                                                      \
  " for i in 1..8 { 1 v[i]; I m[i](i) start f = sin(i); v[i] -> m[i] }\n"                                                                            \
  " for i in 1..7 { 0 n[i]; C k[i]: e = q + 2*q^3; v[i] -> n[i] -> v[i+1]; n[i] -> k[i] }\n"

/* The states of a run that bend, and those of them that are stiff; the most at any row. */
typedef struct Bent {
  int32_t rows, most, most_stiff;
} Bent;

static void look(const HbgSim *sim, void *user) {
  Bent *met = user;
  int32_t bent = 0, stiff = 0;
  if (!sim->is_local || !sim->local->is_coupled) return;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const HbgCoupledState *at = &sim->local->coupled->states[state];
    bent += at->set && at->set->bent;
    stiff += at->set && at->set->bent && at->is_stiff;
  }
  met->rows += bent > 0;
  met->most = bent > met->most ? bent : met->most;
  met->most_stiff = stiff > met->most_stiff ? stiff : met->most_stiff;
}

static Bent ride(Ride *self, const char *text, double stop, double tolerance, bool cuts) {
  const HbgSimOptions options = {.stop = stop, .interval = stop / 30, .tolerance = tolerance, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .cut_above = cuts ? 1 : 0};
  Bent met = {0};
  ride_try(self, text, options, RIDE_TRAJECTORY, look, &met);
  assert_int_equal(self->end, HBG_END);
  return met;
}

static int32_t column_of(const Ride *self, const char *name) {
  for (int32_t at = 0; at < self->columns; at++)
    if (!strcmp(hbg_sim_column(self->sim, at)->column.name, name)) return at;
  fail_msg("no column %s", name);
  return -1;
}

/* ---- what is beside it ---- */

/* One part with so many states, and no other. */
static void check_who_steps(HbgSim *sim, int32_t states) {
  int32_t stepping = 0, known = 0;
  for (int32_t at = hbg_sim_region_count(sim); at-- > 0;) {
    const HbgRegionInfo told = hbg_sim_region(sim, at);
    if (told.motion != HBG_MOTION_STEPS) {
      assert_true(told.motion == HBG_MOTION_SERIES || told.motion == HBG_MOTION_PARABOLA);
      known += told.count;
      continue;
    }
    assert_int_equal(told.count, states);
    stepping++;
  }
  assert_int_equal(stepping, 1);
  assert_int_equal(states + known, sim->model->state_count);
}

static void a_converter_beside_what_bends_moves_as_it_does_alone(void **state) {
  (void)state;
  static const char *const names[] = {"coil.p", "capacitor.q"};
  Ride beside, alone;
  const Bent met = ride(&beside, "model Both {\n" CHAIN CONVERTER "}", 2, 1e-4, false);
  ride(&alone, "model Converter {\n" CONVERTER "}", 2, 1e-4, false);
  assert_true(met.rows > 300 && met.most == 15);
  assert_int_equal(beside.count, alone.count);
  for (int32_t row = 0; row < alone.count; row++)
    for (int which = 0; which < 2; which++) {
      const double own = beside.values[row][column_of(&beside, names[which])], other = alone.values[row][column_of(&alone, names[which])];
      CHECK_NEAR(own, other, 1e-12 * (1 + fabs(other))); // both are exact, whatever the tolerance is
    }
  assert_true(hbg_sim_statistics(beside.sim).steps < hbg_sim_statistics(alone.sim).steps + 200);
  check_who_steps(beside.sim, 15);
  ride_end(&beside);
  ride_end(&alone);
}

static double energy_of(const Ride *self, const double *values) {
  double energy = 0;
  for (int i = 1; i <= 8; i++) {
    char name[24];
    snprintf(name, sizeof name, "m[%d].p", i);
    const double p = values[column_of(self, name)];
    energy += p * p / (2 * i);
  }
  for (int i = 1; i <= 7; i++) {
    char name[24];
    snprintf(name, sizeof name, "k[%d].q", i);
    const double q = values[column_of(self, name)];
    energy += q * q / 2 + q * q * q * q / 2;
  }
  return energy;
}

static void what_bends_without_losses_keeps_its_energy_whatever_switches_beside_it(void **state) {
  (void)state;
  Ride run;
  assert_true(ride(&run, "model Both {\n" CHAIN CONVERTER "}", 2, 1e-10, true).rows > 300);
  const double first = energy_of(&run, run.values[0]);
  for (int32_t row = 0; row < run.count; row++) CHECK_NEAR(energy_of(&run, run.values[row]), first, 1e-8 * first);
  ride_end(&run);
}

/* What the dampers, which bend, have taken is what is missing; and what the load of the converter takes is a matter of its own. */
static void what_is_lost_where_laws_bend_is_added_up(void **state) {
  (void)state;
  Ride run;
  const Bent met = ride(&run, "model Both {\n" CHAIN " for i in 1..7 { R d[i]: f = 0.2*e + e^3; n[i] -> d[i]; signal lost[i] = integral(d[i].e*d[i].f) }\n signal heat = integral(load.e*load.f)\n" CONVERTER "}",
                        2, 1e-10, false);
  assert_true(met.rows > 300 && met.most == 8 + 7 + 7);
  const double first = energy_of(&run, run.values[0]);
  for (int32_t row = 0; row < run.count; row++) {
    double lost = 0;
    for (int i = 1; i <= 7; i++) {
      char name[24];
      snprintf(name, sizeof name, "lost[%d]", i);
      lost += run.values[row][column_of(&run, name)];
    }
    CHECK_NEAR(energy_of(&run, run.values[row]) + lost, first, 1e-8 * first);
  }
  ride_end(&run);
}

/* ---- guards ---- */

/* K(k) by the arithmetic-geometric mean. */
static double complete_elliptic_integral(double k) {
  double a = 1, b = sqrt(1 - k * k);
  while (fabs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1.0) / (2 * a);
}

/* q'' = -sin q, let go at 2: what its weight pulls with turns after a quarter of the period 4 K(sin 1), and then every half. The guards read a law that bends, and so do some that read
 * its product with a speed, which turns where that does. */
static void guards_on_what_bends_hold_when_it_says(void **state) {
  (void)state;
  static const char *const pulls[] = {"k.e", "k.e*(3 + m.f)", "0.5*k.e + k.e^3"};
  const double quarter = complete_elliptic_integral(sin(1));
  for (int which = 0; which < 3; which++) {
    char text[2000];
    snprintf(text, sizeof text,
             "model Swing {\n 1 v; I m(1); C k: e = sin(q) start q = 2; v -> m; v -> k\n 0 lamp by Lamp(%s); Sf none(0); 1 way; R glow(1); none -> way; way -> lamp -> glow\n"
             " machine Lamp(pull) { on ahead initial; off behind; ahead -> behind when pull < 0; behind -> ahead when pull > 0 }\n%s}",
             pulls[which], CONVERTER);
    Ride run;
    const Bent met = ride(&run, text, 20, 1e-10, true);
    int32_t turns = 0;
    for (int32_t row = 1; row < run.count; row++) {
      if (!strstr(run.rows[row].cause, "lamp")) continue;
      CHECK_NEAR(run.rows[row].time, (2 * turns + 1) * quarter, 1e-7);
      turns++;
    }
    assert_int_equal(turns, (int)((20 / quarter + 1) / 2));
    assert_true(met.rows == 0 || met.most == 2);
    ride_end(&run);
  }
}

/* ---- methods ---- */

static void a_stiff_set_goes_by_implicit_steps_of_its_own(void **state) {
  (void)state;
  const char text[] = "model Rod(N = 40) {\n 0 t[0]; C c[0](1); t[0] -> c[0]\n for i in 1..N { 0 t[i]; C c[i](1) start e = 1 + sin(0.1*i); t[i] -> c[i]\n"
                      "  1 j[i]; R r[i]: f = 1000*e*(1 + 0.01*e^2); t[i-1] -> j[i] -> t[i]; j[i] -> r[i] }\n" CONVERTER "}";
  Ride run, whole;
  const Bent met = ride(&run, text, 2, 1e-10, true);
  assert_int_equal(met.most_stiff, 41);
  const int64_t steps = hbg_sim_statistics(run.sim).steps;
  assert_true(steps < 2 * hbg_sim_statistics(run.sim).events);
  const HbgSimOptions options = {.stop = 2, .interval = 2.0 / 30, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .cut_above = -1, .as_a_whole = true};
  ride_begin(&whole, text, options, RIDE_TRAJECTORY);
  ride_check_alike(&run, &whole, &(RideWays){"in sets", "as a whole", 1e-7, 1e-6});
  ride_end(&run);
  ride_end(&whole);
}

/* Blocks that stick and slip all the time, between springs that bend: an event of the whole costs less than to begin sets anew. */
static void what_bends_and_switches_all_the_time_goes_on_as_a_whole(void **state) {
  (void)state;
  const char text[] =
      "model Belt(N = 40) {\n for i in 1..N { 1 v[i]; I b[i](1) start f = 0.5; C s[i]: e = q + 0.1*q^3 start q = 0.2*sin(1.7*i); v[i] -> b[i]; v[i] -> s[i]\n"
      "  0 grip[i] by Grip(pull[i], v[i].f - 0.5); Sf belt[i](0.5); Se f[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0)\n"
      "  v[i] -> grip[i] -> belt[i]; f[i] -> v[i]; signal pull[i] = tension[i] - tension[i-1] - s[i].e }\n"
      " for i in 1..N-1 { 0 n[i]; C c[i]: e = 0.5*q + 0.1*q^3; v[i] -> n[i] -> v[i+1]; n[i] -> c[i]; signal tension[i] = -c[i].e }\n"
      " signal tension[0] = 0, tension[N] = 0\n"
      " machine Grip(pull, slip) { on stuck initial; off ahead, behind; stuck -> ahead when pull > 1.5; stuck -> behind when pull < -1.5\n"
      "  ahead -> stuck when slip < 0 and pull >= -1.5; ahead -> behind when slip < 0 and pull < -1.5\n"
      "  behind -> stuck when slip > 0 and pull <= 1.5; behind -> ahead when slip > 0 and pull > 1.5 }\n stop 40\n}";
  Ride run;
  const Bent met = ride(&run, text, 40, 1e-8, false);
  assert_true(met.rows < run.count / 2);
  ride_end(&run);
}

static void many_small_sets_that_bend_go_together(void **state) {
  (void)state;
  const char text[] = "model Many(N = 80) {\n for i in 1..N { 1 p[i]; I pm[i](1); C pk[i]: e = sin(q) start q = 0.5 + i/N; p[i] -> pm[i]; p[i] -> pk[i] }\n"
                      " for i in 1..12 { 1 v[i]; I m[i](1) start f = sin(i); v[i] -> m[i]; 0 brake[i] by B(pulse(0.1*i, 0.05, 0.7) > 0.5); R r[i](3); v[i] -> brake[i] -> r[i] }\n"
                      " for i in 1..11 { 0 n[i]; C k[i](1); v[i] -> n[i] -> v[i+1]; n[i] -> k[i] }\n"
                      " machine B(gate) { on open initial; off closed; open -> closed when gate; closed -> open when not gate }\n stop 5\n}";
  Ride run;
  assert_int_equal(ride(&run, text, 5, 1e-8, false).rows, 0);
  ride_end(&run);
}

/* ---- random models ---- */

/* A chain whose springs and dampers bend here and there, with what switches on it. */
static void write_bent_chain(HbgText *text, Random *random) {
  const int count = 3 + random_below(random, 5);
  for (int i = 1; i <= count; i++) {
    const double a = 0.3 + random_real(random), b = random_real(random) - 0.5;
    numbered_add(text, " 1 v#; I m#(@) start f = ~; v# -> m#\n", i, a, b);
    numbered_add(text, random_chance(random, 0.6) ? " 0 n#; C k#: e = @*q + q^3 start q = ~\n" : " 0 n#; C k#(@) start q = ~\n", i, 3 * a, b);
    hbg_text_add(text, i == count ? " v%d -> n%d -> k%d\n" : " v%d -> n%d -> k%d; n%d -> v%d\n", i, i, i, i, i + 1);
    switch (random_below(random, 10)) {
      case 0: numbered_add(text, " R d#: e = @*f + f^3 + 0*~; v# -> d#\n", i, a, b); break;
      case 1: numbered_add(text, " R d#(@); v# -> d#\n", i, a, b); break;
      case 2: numbered_add(text, " Se push#(@*sin(3*time + ~)); push# -> v#\n", i, a, b); break;
      case 3: numbered_add(text, " 0 b# by Hot(k#.e); R r#(@); v# -> b# -> r#\n", i, a, b); break;
      case 4: numbered_add(text, " 0 b# by Hot(2*m#.f*k#.q); R r#(@); v# -> b# -> r#\n", i, a, b); break;
      case 5: numbered_add(text, " 0 b# by Clock(@, 1.7); R r#(~ + 1); v# -> b# -> r#\n", i, a, b); break;
      case 6: numbered_add(text, " signal work# = integral(m#.f*k#.e)\n", i, a, b); break;
      case 7: numbered_add(text, " signal work# = integral(m#.f^2 + 0.1*sin(time)); 0 b# by Hot(work#); R r#(@); v# -> b# -> r#\n", i, a, b); break;
      case 8: numbered_add(text, " signal way# = integral(m#.f), bend# = integral(sin(way#) + k#.e)\n", i, a, b); break;
      default: break;
    }
  }
  hbg_text_add(text, " machine Hot(x) { off cold initial; on hot; cold -> hot when x > 0.4; hot -> cold when x < 0.1 }\n"
                     " machine Clock(a, b) { on closed initial; off open; closed -> open when time >= a and time < b; open -> closed when time >= b }\n");
}

/* What is a sum of states: blocks, one of which sticks. */
static void write_straight_chain(HbgText *text, Random *random) {
  const int count = 2 + random_below(random, 4);
  for (int i = 1; i <= count; i++) {
    numbered_add(text, " 1 w#; I l#(@) start f = ~; w# -> l#; 0 o#; C c#(1); w# -> o# -> c#\n", i, 0.3 + random_real(random), random_real(random) - 0.5);
    if (i < count) hbg_text_add(text, " o%d -> w%d\n", i, i + 1);
    if (random_chance(random, 0.4)) hbg_text_add(text, " 0 h%d by Brake(l%d.f); w%d -> h%d; R q%d(1); h%d -> q%d\n", i, i, i, i, i, i, i);
  }
  hbg_text_add(text, " machine Brake(f) { off open initial; on closed; open -> closed when f > 0.3; closed -> open when f < 0.1 }\n");
}

static void random_models_of_which_a_part_bends_do_the_same_in_sets(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  int32_t in_sets = 0, events = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    hbg_text_add(&text, "model Mixed {\n");
    write_bent_chain(&text, &random);
    write_straight_chain(&text, &random);
    hbg_text_add(&text, " stop 5\n}");
    const SetsMet met = sets_compare(text.bytes, 5, random_chance(&random, 0.3));
    in_sets += met.coupled_rows > 0;
    events += met.events;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(in_sets > seeds.count / 2 && events > seeds.count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_converter_beside_what_bends_moves_as_it_does_alone),
      cmocka_unit_test(what_bends_without_losses_keeps_its_energy_whatever_switches_beside_it),
      cmocka_unit_test(what_is_lost_where_laws_bend_is_added_up),
      cmocka_unit_test(guards_on_what_bends_hold_when_it_says),
      cmocka_unit_test(a_stiff_set_goes_by_implicit_steps_of_its_own),
      cmocka_unit_test(what_bends_and_switches_all_the_time_goes_on_as_a_whole),
      cmocka_unit_test(many_small_sets_that_bend_go_together),
      cmocka_unit_test(random_models_of_which_a_part_bends_do_the_same_in_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

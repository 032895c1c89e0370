/* SPDX-License-Identifier: BSD-3-Clause
 * What rests behind an accumulation keeps a clock of its own, and looks back at nothing but where it rests (semantics 10). */
#include "hybrid/local_parts.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"
#include "support/simulated.h"

#define CONTACT                                                                                                                     \
  " machine Floor(x, v) { off flying initial; on touching; flying -> touching when x <= 0 and v < 0; touching -> flying when pre(v) > 0 }\n"

/* ---- many, at different times ---- */

/* From its own height, on a floor that may shake, against a drag that may be nothing. */
static void write_ball(HbgText *text, Random *random, int i, bool shakes) {
  const double height = 0.2 + random_real(random), restitution = 0.3 + 0.5 * random_real(random), drag = random_chance(random, 0.3) ? random_real(random) : 0;
  hbg_text_add(text, " Se weight%d(-9.81); I ball%d(%g); 1 motion%d; 0 contact%d by Floor(x%d, motion%d.f - w%d); R drag%d(%g)\n", i, i, 0.5 + random_real(random), i, i,
               i, i, i, i, drag);
  if (shakes) hbg_text_add(text, " signal w%d = %g*sin(%g*time)\n", i, 0.3 * random_real(random), 1 + 5 * random_real(random));
  else hbg_text_add(text, " signal w%d = 0\n", i);
  hbg_text_add(text, " Sf rebound%d(w%d - %g*pre(motion%d.f - w%d)); weight%d -> motion%d -> ball%d; motion%d -> drag%d; motion%d -> contact%d -> rebound%d\n", i, i,
               restitution, i, i, i, i, i, i, i, i, i, i);
  hbg_text_add(text, " signal x%d = integral(motion%d.f - w%d, start = %g)\n", i, i, i, height);
}

static void write_balls(HbgText *text, Random *random) {
  enum { MOST = 8 };
  const bool shake = random_chance(random, 0.5);
  hbg_text_add(text, "model Balls {\n");
  for (int i = 0, count = 2 + random_below(random, MOST - 2); i < count; i++) write_ball(text, random, i, shake);
  hbg_text_add(text, CONTACT " stop 6\n}");
}

/* Masses on springs, with springs and dampers between them, that a force which follows the time presses against stops. */
static void write_stops(HbgText *text, Random *random) {
  enum { MOST = 7 };
  const int count = 2 + random_below(random, MOST - 2);
  hbg_text_add(text, "model Stops {\n");
  for (int i = 0; i < count; i++) {
    hbg_text_add(text, " Se push%d(-2 - %g*sin(%g*time + %d)); I m%d(%g); 1 v%d; C k%d(1) start q = %g; 0 contact%d by Floor(k%d.q, v%d.f)\n", i, 2 * random_real(random),
                 0.5 + random_real(random), i, i, 0.5 + random_real(random), i, i, 0.5 + random_real(random), i, i, i);
    hbg_text_add(text, " Sf rebound%d(-%g*pre(v%d.f)); push%d -> v%d -> m%d; v%d -> k%d; v%d -> contact%d -> rebound%d\n", i, 0.3 + 0.3 * random_real(random), i, i, i, i, i, i, i,
                 i, i);
    if (i)
      hbg_text_add(text, " 0 link%d; 1 give%d; C spring%d(%g); R damper%d(%g); v%d -> link%d -> v%d; link%d -> give%d; give%d -> spring%d; give%d -> damper%d\n", i, i, i,
                   0.3 + random_real(random), i, 0.1 + random_real(random), i - 1, i, i, i, i, i, i, i, i);
  }
  hbg_text_add(text, CONTACT " stop 6\n}");
}

static void count_resting(const HbgSim *sim, void *user) { *(int *)user += sim->is_local && sim->rests.count > 1; }

static HbgSimOptions options_of(double stop) {
  return (HbgSimOptions){.stop = stop, .tolerance = 1e-11, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .zeno_continue = true, .events_only = true};
}

/* Every model by itself and as a whole; answers how many rows there were while several rested in parts with clocks of their own. */
static int compare(void (*write)(HbgText *text, Random *random), Seeds seeds, bool in_sets) {
  static const RideWays ways = {"in parts", "as a whole", 1e-7, 1e-6};
  int resting = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write(&text, &random);
    HbgSimOptions options = options_of(6);
    options.in_sets = in_sets;
    options.cut_above = in_sets ? 1 : 0;
    Ride own, whole;
    ride_try(&own, text.bytes, options, RIDE_EVENTS, count_resting, &resting);
    options = options_of(6);
    options.as_a_whole = true;
    options.method = HBG_METHOD_DP5;
    ride_try(&whole, text.bytes, options, RIDE_EVENTS, NULL, NULL);
    ride_check_alike(&own, &whole, &ways);
    ride_end(&own);
    ride_end(&whole);
    hbg_arena_release_all(&arena);
  }
  return resting;
}

static void balls_come_to_rest_by_themselves_as_they_do_in_one_run_of_all(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  const int resting = compare(write_balls, seeds, false);
  if (seeds.count > 20) assert_true(resting > 10 * seeds.count);
}

static void masses_come_to_rest_on_stops_in_sets_as_they_do_in_one_run_of_all(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(30);
  const int resting = compare(write_stops, seeds, true);
  if (seeds.count > 20) assert_true(resting > 2 * seeds.count);
}

/* ---- a few ---- */

static Simulated go_on_behind(const char *text, const char *columns, double stop) {
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = true;
  options.stop = stop;
  return simulated(text, columns, &options);
}

/* On tables that shake, each on its own. Some rebounds are too small for a jump when the row ends: what is left of them is taken away, or the contact would open again. */
static void balls_on_shaking_tables_come_to_rest_and_stay(void **state) {
  (void)state;
  Simulated run = go_on_behind("model Tables {\n for i in 945..1000 { Se weight[i](-9.81); I ball[i](1); 1 motion[i]; 0 contact[i] by Floor(x[i], motion[i].f - table[i].f); Sf table[i](0.3*sin(7*time + i))\n"
                               " Sf rebound[i](0.7*pre(table[i].f - motion[i].f)); weight[i] -> motion[i] -> ball[i]; table[i] -> contact[i] -> motion[i]; rebound[i] -> contact[i]\n"
                               " signal x[i] = integral(motion[i].f - table[i].f, start = 1 + 0.3*sin(i)) }\n" CONTACT "}",
                               "motion[947].f; table[947].f; x[947]; contact[991]", 4);
  const int last = run.row_count - 1;
  assert_int_equal(hbg_run_warning_count(run.run), 0);
  CHECK_NEAR(simulated_value(&run, last, "motion[947].f"), simulated_value(&run, last, "table[947].f"), 1e-12);
  CHECK_NEAR(simulated_value(&run, last, "x[947]"), 0, 1e-12);
  assert_true(simulated_value(&run, last, "contact[991]") > 0.5);
  simulated_end(&run);
}

/* One falls on the floor from half a metre, and rests; the other on it from 20 m above, and leaves it with a share of its own velocity. */
#define STACK(restitution)                                                                                                           \
  "model Stack {\n I a(1); 1 va; Se wa(-9.81); wa -> va -> a; 0 floor by Floor(x, va.f); Sf bounce(-0.5*pre(va.f)); va -> floor -> bounce\n" \
  " I b(3); 1 vb; Se wb(-3*9.81); wb -> vb -> b; 0 touch by Floor(gap, vb.f - va.f); Sf rebound(-" restitution "*pre(vb.f - va.f))\n"  \
  " vb -> touch -> va; touch -> rebound; signal x = integral(va.f, start = 0.5), gap = integral(vb.f - va.f, start = 20)\n" CONTACT "}"

/* A table that never falls faster than a ball, written as a formula of the time and not as the velocity of a bond: what the contact reads is nothing but the
 * difference of two that move alike, in whichever phase. */
static void a_ball_at_rest_stays_on_a_table_that_is_a_formula(void **state) {
  (void)state;
  for (int phase = 0; phase < 40; phase++) {
    char text[900];
    snprintf(text, sizeof text,
             "model Ball { param a = %g, r = 0.5\n 1 motion; I ball(1); Se weight(-9.81); Sf table(0.3*cos(30*time + a)); weight -> motion -> ball\n"
             " 0 contact by Floor(height - 0.01*sin(30*time + a), 0.3*cos(30*time + a) - motion.f); Sf rebound(r*pre(0.3*cos(30*time + a) - motion.f))\n"
             " table -> contact -> motion; rebound -> contact; signal height = integral(motion.f, start = 0.1)\n"
             " machine Floor(gap, approach) { off flying initial; on touching; flying -> touching when gap <= 0 and approach > 0\n"
             "  touching -> flying when pre(approach) < 0 }\n stop 20\n}", 0.1*phase);
    HbgRunOptions options = hbg_run_options();
    options.events_only = options.zeno_continue = true;
    Simulated run = simulated(text, "contact", &options);
    // in flight it rebounds at once: what opens an instant later had come to rest
    for (int row = 0; row < run.row_count; row++)
      if (strstr(run.rows[row].cause, "pre(approach)") && run.rows[row].row.eps == 0) fail_msg("phase %g: it lifts off at %.17g s", 0.1*phase, run.rows[row].row.time);
    CHECK_NEAR(simulated_last(&run, "contact"), 1, 0);
    CHECK_NEAR(run.rows[run.row_count - 1].row.time, 1, 0.8);
    simulated_end(&run);
  }
}

static void a_ball_at_rest_gives_a_blow_back(void **state) {
  (void)state;
  const double first = sqrt(2 * 20.5 / 9.81);
  Simulated run = go_on_behind(STACK("0.6"), "va.f; vb.f; floor; gap", 14);
  double begin = 0, closed = 0;
  int count = 0;
  for (int at = 0; at < run.row_count; at++) {
    if (run.rows[at].row.time < 1.5) continue; // three times the first fall of the lower one
    if (!begin) begin = run.rows[at].row.time;
    assert_true(simulated_value(&run, at, "floor") > 0.5);
    CHECK_NEAR(simulated_value(&run, at, "va.f"), 0, 1e-13);
    if (run.rows[at].row.kind != HBG_ROW_PINNACLE) continue;
    if (count < 20) {
      CHECK_NEAR(run.rows[at].row.time, first * (1 + 2 * 0.6 * (1 - pow(0.6, count)) / 0.4), 1e-9);
      CHECK_NEAR(simulated_value(&run, at, "vb.f"), 9.81 * first * pow(0.6, count + 1), 1e-9);
    }
    count++;
    closed = run.rows[at].row.time;
  }
  assert_true(count > 40);
  CHECK_NEAR(closed, first * (1 + 0.6) / (1 - 0.6), 1e-8);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "gap"), 0, 1e-9);
  simulated_end(&run);
}

/* Pulled up with 2 g from 4 s until 4.5 s, it rises until 5 s, and falls from g/4 m. */
static void a_contact_that_has_opened_rebounds_as_it_did_before_it_rested(void **state) {
  (void)state;
  Simulated run = go_on_behind("model Again {\n Se weight(-9.81); MSe pull(if time >= 4 and time < 4.5 then 2*9.81 else 0); I ball(1); 1 motion; 0 contact by Floor; Sf rebound(-0.5*pre(motion.f))\n"
                               " weight -> motion -> ball; pull -> motion; motion -> contact : link; contact -> rebound; signal height = integral(motion.f, start = 1)\n"
                               " machine Floor { off flying initial; on touching; flying -> touching when height <= 0 and motion.f < 0\n"
                               "  touching -> flying when pre(motion.f) > 0; touching -> flying when link.e > 0 }\n}",
                               "height; motion.f; contact", 10);
  const double top = 5, fall = sqrt(2 * 0.25);
  int count = 0;
  for (int at = 0; at < run.row_count; at++) {
    if (run.rows[at].row.kind != HBG_ROW_PINNACLE || run.rows[at].row.time < 4) continue;
    if (count < 20) CHECK_NEAR(run.rows[at].row.time, top + fall * (1 + 2 * 0.5 * (1 - pow(0.5, count)) / 0.5), 1e-9);
    if (count < 20) CHECK_NEAR(simulated_value(&run, at, "motion.f"), 9.81 * fall * pow(0.5, count + 1), 1e-8);
    count++;
  }
  assert_true(count > 20);
  assert_true(simulated_value(&run, run.row_count - 1, "contact") > 0.5);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "height"), 0, 1e-9);
  simulated_end(&run);
}

/* 500 kg on the ground under a rope whose force grows by 1e5 N/s: it is lifted when that is the weight, with no rate of its speed at first, and at y = 100/3 (t - t0)^3. */
static void a_load_is_lifted_by_any_method(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  const double lifted = 0.6 + 0.04905;
  for (size_t method = 0; method < sizeof methods / sizeof *methods; method++)
    for (int at = 0; at < 3; at++) {
      if (methods[method] == HBG_METHOD_BDF && tolerances[at] < 1e-9) continue; // of order one at first, which is never so exact
      HbgRunOptions options = hbg_run_options();
      options.method = methods[method];
      options.tolerance = tolerances[at];
      Simulated run = simulated("model Lift { I load(500); 1 v; Se weight(-4905), rope(1e5*max(0, time - 0.6)); weight -> v -> load; rope -> v\n signal y = integral(v.f)\n"
                                " 0 ground by Floor(y <= 0 and v.f < 0, gb.e); Sf z(0); v -> ground : gb; z -> ground\n"
                                " machine Floor(hit, F) { on held initial; off free; free -> held when hit; held -> free when F > 0 } stop 1\n}",
                                "y", &options);
      assert_int_equal(simulated_instants(&run), 2); // the rope is tightened, and the load lifted
      CHECK_NEAR(simulated_last(&run, "y"), 100.0 / 3 * pow(1 - lifted, 3), 1e3 * tolerances[at]);
      simulated_end(&run);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_is_lifted_by_any_method),
      cmocka_unit_test(balls_on_shaking_tables_come_to_rest_and_stay),
      cmocka_unit_test(a_ball_at_rest_stays_on_a_table_that_is_a_formula),
      cmocka_unit_test(a_ball_at_rest_gives_a_blow_back),
      cmocka_unit_test(a_contact_that_has_opened_rebounds_as_it_did_before_it_rested),
      cmocka_unit_test(balls_come_to_rest_by_themselves_as_they_do_in_one_run_of_all),
      cmocka_unit_test(masses_come_to_rest_on_stops_in_sets_as_they_do_in_one_run_of_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

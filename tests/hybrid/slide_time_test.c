/* SPDX-License-Identifier: BSD-3-Clause
 * Slides under functions of the time: dry friction on bodies that are pulled, and on surfaces that move. By closed forms; and random bodies by shares that are known beforehand, within patches
 * and without, against shares that are solved for in every rate. */
#include "hybrid/influence_parts.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"
#include "support/simulated.h"

/* ---- closed forms ---- */

static Simulated run_model(const char *text, const char *columns) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.1;
  return simulated(text, columns, &options);
}

static void a_block_on_a_belt_that_swings_goes_with_it_as_far_as_friction_can(void **state) {
  (void)state;
  // the belt has a cos(t); a block of 1 kg with friction of 1 N goes with it while the force, -a sin(t), is less than that
  Simulated run = run_model("model Belt { 1 motion; I block(1) start f = 1.2; 0 sole; Sf belt(-1.2*cos(time)); R rub: e = sign(f)\n"
                            " motion -> block; motion -> sole -> rub; belt -> sole\n stop 2\n}", "block.f; rub.e");
  const double left = asin(1 / 1.2);
  CHECK_NEAR(simulated_time_of(&run, "slide left on"), left, 1e-8);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t < left - 1e-7) {
      CHECK_NEAR(simulated_value(&run, at, "block.f"), 1.2 * cos(t), 1e-12);
      if (t > 1e-6) CHECK_NEAR(simulated_value(&run, at, "rub.e"), 1.2 * sin(t), 1e-8);
    }
    if (t > left + 1e-7) CHECK_NEAR(simulated_value(&run, at, "block.f"), 1.2 * cos(left) - (t - left), 1e-7);
  }
  simulated_end(&run);
}

static void a_block_that_is_pulled_by_a_parabola_of_the_time_waits_for_it(void **state) {
  (void)state;
  Simulated run = run_model("model Pull { 1 motion; I block(2) start f = 0.5; Se pull(0.25*time^2); R rub: e = 3*sign(f); motion -> block; pull -> motion; motion -> rub\n stop 5\n}",
                            "block.f; rub.e");
  const double leaves = sqrt(12);
  CHECK_NEAR(simulated_time_of(&run, "slide left on"), leaves, 1e-8);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t > 0.5 && t < leaves - 1e-7) CHECK_NEAR(simulated_value(&run, at, "rub.e"), 0.25 * t * t, 1e-10);
    if (t > leaves) CHECK_NEAR(simulated_value(&run, at, "block.f"), (t * t * t / 12 - 3 * t - leaves * leaves * leaves / 12 + 3 * leaves) / 2, 1e-8);
  }
  simulated_end(&run);
}

static void a_guard_that_follows_the_time_itself_is_a_surface_that_moves(void **state) {
  (void)state;
  // x is held at 1 + sin(t) by a relay, which is on for (2 + cos(t))/4 of the time
  Simulated run = run_model("model Relay { signal x = integral(if x < 1 + sin(time) then 2 else -2, start = 1); stop 4\n}", "x");
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(simulated_value(&run, at, "x"), 1 + sin(run.rows[at].row.time), 1e-7);
  simulated_end(&run);
}

static void a_belt_that_gets_faster_at_a_knot_loses_its_block_there(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP8, HBG_METHOD_SDIRK};
  for (size_t method = 0; method < sizeof methods / sizeof *methods; method++) {
    HbgRunOptions options = hbg_run_options();
    options.method = methods[method];
    // 2 N take the block along at 1 m/s^2, and not at 5
    Simulated run = simulated("model Belt { table belt = [[0, 0], [1, 1], [2, 6]]; I body(1); 1 mo; R fr: e = 2*sign(f - belt(time)); mo -> fr; mo -> body; signal x = integral(mo.f)\n stop 2\n}", "body.f; x", &options);
    CHECK_NEAR(simulated_time_of(&run, "slide left on"), 1, 1e-12);
    CHECK_NEAR(simulated_last(&run, "body.f"), 3, 1e-7);
    CHECK_NEAR(simulated_last(&run, "x"), 2.5, 1e-7);
    simulated_end(&run);
  }
}

/* 2 N take 1 kg along at 2 m/s^2 at most: what the belt does, and the speed at 2 s. */
static void kinks_are_seen_by_the_share_whether_they_are_scheduled_or_not(void **state) {
  (void)state;
  const struct Kinked { const char *belt; double speed; } belts[] = {
      {"5*max(time - 1, 0)", 2}, {"limit(time, 0, 1)", 1}, {"3*limit(time, 0, 1)", 3}, {"limit(sin(time), 0, 0.5)", 0.5}, {"delay(if time < 0.5 then time else 5*time - 2, 0.5)", 2.5}, {"max(exp(time) - exp(1), 0)", 2}, {"3*max(sqrt(time) - 1, 0)", 3*(sqrt(2) - 1)}};
  for (size_t at = 0; at < sizeof belts / sizeof *belts; at++) {
    char text[400];
    snprintf(text, sizeof text, "model Belt { signal b = %s; I body(1); 1 mo; R fr: e = 2*sign(f - b); mo -> fr; mo -> body\n stop 2\n}", belts[at].belt);
    Simulated run = run_model(text, "body.f");
    CHECK_NEAR(simulated_last(&run, "body.f"), belts[at].speed, 1e-6);
    simulated_end(&run);
  }
}

static void a_belt_that_starts_as_the_run_does_takes_its_block_along(void **state) {
  (void)state;
  // at 0 s it still stands, and the block is between both speeds of it
  static const char *const belts[] = {"if sin(time) > 0 then 1 else 0", "max(0, sign(sin(time)))", "if time^2 > 0 then 1 else 0", "if time > 0 then 1 else 0"};
  for (size_t at = 0; at < sizeof belts / sizeof *belts; at++) {
    char text[400];
    snprintf(text, sizeof text, "model Belt { signal b = %s; I body(1) start f = 0.5; 1 mo; R fr: e = sign(f - b); mo -> body; mo -> fr\n stop 3\n}", belts[at]);
    Simulated run = run_model(text, "body.f");
    CHECK_NEAR(simulated_time_of(&run, "slide entered on"), 0.5, 1e-9);
    CHECK_NEAR(simulated_last(&run, "body.f"), 1, 1e-9);
    simulated_end(&run);
  }
}

static void a_relay_that_becomes_too_weak_lets_go(void **state) {
  (void)state;
  Simulated run = run_model("model Relay { signal x = integral(K*(if x > 0 then -1 else 1) + 0.5, start = 1), K = if time < 3 then 2 else 0.2\n stop 5\n}", "x");
  CHECK_NEAR(simulated_time_of(&run, "slide left on"), 3, 1e-12);
  CHECK_NEAR(simulated_last(&run, "x"), 0.6, 1e-8);
  simulated_end(&run);
}

static void friction_that_turns_into_its_contrary_throws_off(void **state) {
  (void)state;
  // at x = 0.5 both sides lead away; 0.3 N and 1 N push on from there
  Simulated run = run_model("model Away { I body(1) start f = 1; 1 mo; MSe F(0.3); R fr: e = (if x < 0.5 then 1 else -1)*sign(f - 1); F -> mo -> body; mo -> fr; signal x = integral(mo.f)\n stop 3\n}", "body.f");
  CHECK_NEAR(simulated_time_of(&run, "slide left on"), 0.5, 1e-9);
  CHECK_NEAR(simulated_last(&run, "body.f"), 1 + 1.3 * 2.5, 1e-8);
  simulated_end(&run);
}

static void a_push_that_a_machine_gives_tears_a_block_off_its_belt(void **state) {
  (void)state;
  static const char *const belts[] = {"0.05", "0.2*time^2", "0.1*time"}, *const guards[] = {"after 0.5", "when time >= 0.5", "when x >= 0.5"};
  for (size_t belt = 0; belt < 3; belt++) {
    for (size_t guard = 0; guard < 3; guard++) {
      char text[500];
      snprintf(text, sizeof text, "model Pushed { machine pushed = push; machine push { off A initial; on B; A -> B %s }\n"
                                  "I body(1) start f = 0; 1 mo; MSe F(if pushed in B then 3 else 0.2); R fr: e = sign(f - %s)\n"
                                  "F -> mo -> body; mo -> fr; signal x = integral(1); stop 1\n}", guards[guard], belts[belt]);
      Simulated run = run_model(text, "body.f");
      CHECK_NEAR(simulated_time_of(&run, "slide left on"), 0.5, 1e-9);
      CHECK_NEAR(simulated_last(&run, "body.f"), 0.05 + (3 - 1) * 0.5, 1e-8);
      simulated_end(&run);
    }
  }
}

static void a_belt_that_jumps_over_the_speed_of_its_block_is_shown_at_the_same_time(void **state) {
  (void)state;
  // a sample stands where the law jumps, of which no row tells
  Simulated run = run_model("model Step { signal b = step(1); I body(1) start f = 0.5; 1 mo; R fr: e = 0.1*sign(f - b); mo -> body; mo -> fr; signal v = mo.f\n stop 3\n}", "v; fr.e");
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    CHECK_NEAR(simulated_value(&run, at, "v"), t < 1 ? 0.5 - 0.1 * t : 0.4 + 0.1 * (t - 1), 1e-9);
  }
  simulated_end(&run);
}

/* ---- random bodies ---- */

static double real(Random *random, double from, double to) { return from + (to - from) * random_real(random); }

static void write_pull(HbgText *text, Random *random, int i) {
  const double strength = real(random, 0.5, 3), pace = real(random, 0.3, 1.5), phase = real(random, 0, 6);
  const int kind = random_below(random, 5);
  if (random_chance(random, 0.25)) {
    hbg_text_add(text, " machine push%d { off A initial; on B; A -> B after %g; B -> A after %g }\n", i, real(random, 0.3, 3), real(random, 0.3, 1.5));
    hbg_text_add(text, " machine pushed%d = push%d; Se pull%d(if pushed%d in B then %g else 0.4*sin(time)); pull%d -> m%d\n", i, i, i, i, strength, i, i);
  } else if (kind == 0) hbg_text_add(text, " Se pull%d(%g*sin(%g*time + %g) + 0.1*time); pull%d -> m%d\n", i, strength, pace, phase, i, i);
  else if (kind == 1) hbg_text_add(text, " Se pull%d(%g*sin(%g*time)*cos(0.7*time)); pull%d -> m%d\n", i, strength, pace, i, i);
  else hbg_text_add(text, " Se pull%d(%g*sin(%g*time + %g)); pull%d -> m%d\n", i, strength, pace, phase, i, i);
}

static void write_friction(HbgText *text, Random *random, int i) {
  const double strength = real(random, 0.3, 1.5);
  const int kind = random_below(random, 6);
  const bool on_belt = random_chance(random, 0.5);
  if (on_belt && random_chance(random, 0.3)) hbg_text_add(text, " Sf belt%d(0.2*time - 0.03*time^2)\n", i);
  else if (on_belt) hbg_text_add(text, " Sf belt%d(%g*cos(%g*time))\n", i, real(random, 0.2, 0.8), real(random, 0.3, 1.2));
  if (on_belt) hbg_text_add(text, " 0 sole%d; m%d -> sole%d -> rub%d; belt%d -> sole%d\n", i, i, i, i, i, i);
  else hbg_text_add(text, " m%d -> rub%d\n", i, i);
  if (kind == 0) hbg_text_add(text, " R rub%d: e = %g*sign(f) + 0.2*f\n", i, strength);
  else if (kind == 1) hbg_text_add(text, " R rub%d: e = if f > 0 then %g else -%g\n", i, strength, 0.7 * strength);
  else if (kind == 2) hbg_text_add(text, " R rub%d: e = %g*sign(f)/(1 + f^2)\n", i, strength);
  else if (kind == 3) hbg_text_add(text, " R rub%d: e = (if pulse(%g, %g, 2) > 0.5 then %g else %g)*sign(f)\n", i, real(random, 0, 2), real(random, 0.3, 1.5), strength, random_chance(random, 0.5) ? 0 : 0.5);
  else if (kind == 4) hbg_text_add(text, " R rub%d: e = %g*(1 + step(%g) - 2*step(%g))*sign(f) + 0.1*f\n", i, strength, real(random, 1, 4), real(random, 4, 7));
  else hbg_text_add(text, " R rub%d: e = %g*sign(f)\n", i, strength);
}

/* Bodies with dry friction, on the floor or on belts, with springs of their own and between some of them. */
static void write_bodies(HbgText *text, Random *random) {
  const int count = 3 + random_below(random, 12);
  hbg_text_add(text, "model Bodies {\n");
  for (int i = 1; i <= count; i++) {
    hbg_text_add(text, " 1 m%d; I b%d(%g) start f = %g; m%d -> b%d\n", i, i, real(random, 0.5, 2), real(random, -1, 1), i, i);
    write_pull(text, random, i);
    write_friction(text, random, i);
    if (random_chance(random, 0.5)) hbg_text_add(text, " C s%d(%g); m%d -> s%d\n", i, real(random, 0.3, 2), i, i);
    else if (random_chance(random, 0.3)) hbg_text_add(text, " C s%d: e = q + 0.3*q^3; m%d -> s%d\n", i, i, i);
    if (i > 1 && random_chance(random, 0.3)) hbg_text_add(text, " 0 t%d; C c%d(%g); m%d -> t%d -> m%d; t%d -> c%d\n", i, i, real(random, 0.5, 3), i - 1, i, i, i, i);
  }
  hbg_text_add(text, " stop 8\n}");
}

static int64_t ride(Ride *self, const char *text, bool as_a_whole, int32_t patch_above) {
  const HbgSimOptions options = {.stop = 8, .interval = 0.37, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .as_a_whole = as_a_whole, .cut_above = 1,
                                 .patch_above = patch_above};
  ride_try(self, text, options, RIDE_EVENTS | RIDE_BONDS, NULL, NULL);
  return self->sim->influence ? self->sim->influence->patch_count : 0;
}

static int64_t compare(const char *text) {
  static const RideWays ways = {"by what is known beforehand", "solved for", 1e-8, 1e-6};
  Ride whole, known, patched;
  ride(&whole, text, true, -1);
  ride(&known, text, false, -1);
  const int64_t patches = ride(&patched, text, false, 1);
  ride_check_alike(&known, &whole, &ways);
  ride_check_alike(&patched, &whole, &ways);
  ride_end(&whole);
  ride_end(&known);
  ride_end(&patched);
  return patches;
}

static void bodies_that_stick_under_functions_of_time_do_what_shares_that_are_solved_for_say(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(20);
  int64_t patches = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_bodies(&text, &random);
    patches += compare(text.bytes);
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 10) assert_true(patches > seeds.count); // or it would say little
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_on_a_belt_that_swings_goes_with_it_as_far_as_friction_can),
      cmocka_unit_test(a_block_that_is_pulled_by_a_parabola_of_the_time_waits_for_it),
      cmocka_unit_test(a_guard_that_follows_the_time_itself_is_a_surface_that_moves),
      cmocka_unit_test(a_belt_that_gets_faster_at_a_knot_loses_its_block_there),
      cmocka_unit_test(kinks_are_seen_by_the_share_whether_they_are_scheduled_or_not),
      cmocka_unit_test(a_belt_that_starts_as_the_run_does_takes_its_block_along),
      cmocka_unit_test(a_relay_that_becomes_too_weak_lets_go),
      cmocka_unit_test(friction_that_turns_into_its_contrary_throws_off),
      cmocka_unit_test(a_push_that_a_machine_gives_tears_a_block_off_its_belt),
      cmocka_unit_test(a_belt_that_jumps_over_the_speed_of_its_block_is_shown_at_the_same_time),
      cmocka_unit_test(bodies_that_stick_under_functions_of_time_do_what_shares_that_are_solved_for_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

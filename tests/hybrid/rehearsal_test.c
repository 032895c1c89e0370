/* SPDX-License-Identifier: BSD-3-Clause
 * A rehearsal leaves a recipe behind and nothing else: all is as it was before, and the run goes on as if there had been none. */
#include "hybrid/rehearsal.h"

#include "support/begun.h"
#include "support/ride.h"
#include "support/with_library.h"

/* A ball falls from 5 m, g = 10: it arrives after 1 s with 10 m/s, and keeps 0.8 of it. */
static const char ball[] =
    "model Ball {\n 1 v; I m(2); Se weight(-20); weight -> v -> m\n signal x = integral(v.f, start = 5)\n"
    " 0 bounce by Hit(x, v.f); Sf back(-0.8*pre(v.f)); v -> bounce -> back\n"
    " machine Hit(x, f) { off away initial; on there; away -> there when x <= 0 and f < 0; there -> away when pre(f) > 0 }\n stop 1.5\n}";

/* The first thing that is due, as a run would find it. */
static void find_due(HbgSim *sim) {
  HbgLocal *local = sim->local;
  int32_t count;
  sim->time = hbg_queue_earliest(&local->queue);
  local->due_count = hbg_queue_list(&local->queue, sim->time, local->due);
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, local->due[0], sim->now.phi[local->due[0]], &count);
  local->located_count = 0;
  for (int32_t at = 0; at < count; at++)
    if (local->watches.foretold[&leaving[at] - sim->guards.list].time <= sim->time)
      ARENA_PUSH(&local->arena, local->located, local->located_count, local->located_capacity) = &leaving[at];
}

/* How many rows the recipe tells, 0 without one. */
static int32_t rehearse(HbgSim *sim) {
  const double time = sim->time;
  double values[HBG_FOLLOWER_ROOM];
  HbgFollower follower = {.values = values};
  find_due(sim);
  const int32_t count = hbg_rehearse(sim, &follower) ? follower.recipe->row_count : 0;
  sim->time = time;
  return count;
}

static const HbgSimOptions options = {.stop = 1.5, .tolerance = 1e-10, .interval = 0.1, .method = HBG_METHOD_AUTOMATIC, .sliding = true};

static HbgStatus check_that_all_is_as_before(void *user) {
  HbgSim *sim = user;
  HbgValues *now = &sim->now;
  const int32_t phi = now->phi[0], rows = sim->queue_count;
  const int64_t events = sim->statistics.events;
  const double scale[] = {sim->scale[0], sim->scale[1]};
  assert_null(sim->local->recipes[0]);
  assert_int_equal(rehearse(sim), 3); // before the impact, at it, behind it
  assert_non_null(sim->local->recipes[0]);
  // the states have been brought to the left limit, and stay there
  assert_string_equal(sim->model->states[0].name, "m.p");
  for (int side = 0; side < 2; side++) {
    const double *x = side ? sim->before.state : now->state;
    CHECK_CLOSE(x[0], -20, 1e-14);
    CHECK_NEAR(x[1], 0, 1e-14);
    CHECK_NEAR(sim->scale[side], scale[side], 0);
  }
  assert_int_equal(now->phi[0], phi);
  assert_int_equal(sim->before.phi[0], phi);
  assert_int_equal(sim->queue_count, rows);
  assert_int_equal(sim->statistics.events, events);
  assert_false(sim->is_rehearsal);
  return HBG_OK;
}

static void all_is_as_before_but_for_a_recipe(void **state) {
  (void)state;
  Begun run;
  begun_with(&run, ball, options);
  assert_true(run.sim->is_local);
  begun_do(&run, check_that_all_is_as_before, run.sim);
  begun_end(&run);
}

/* At the first row. */
static void rehearse_once(const HbgSim *sim, void *user) {
  bool *is_done = user;
  if (*is_done) return;
  *is_done = true;
  assert_int_equal(rehearse((HbgSim *)(uintptr_t)sim), 3);
}

static void the_run_goes_on_as_if_nobody_had_rehearsed(void **state) {
  (void)state;
  bool is_done = false;
  Ride plain, rehearsed;
  ride_begin(&plain, ball, options, RIDE_TRAJECTORY);
  ride_try(&rehearsed, ball, options, RIDE_TRAJECTORY, rehearse_once, &is_done);
  assert_int_equal(rehearsed.end, HBG_END);
  ride_check_same(&plain, &rehearsed, 0, 1e-14);
  assert_int_equal(hbg_sim_statistics(rehearsed.sim).events, hbg_sim_statistics(plain.sim).events);
  ride_end(&plain);
  ride_end(&rehearsed);
}

/* Two switches of one network are closed at the same time. What one of them does by itself comes to no end, having fired a diode to and fro: of that nothing is left. */
static void one_that_fails_leaves_no_junction_behind(void **state) {
  (void)state;
  const char text[] =
      "model Swapped { 0 n1, n2, n3, n4, n5, n6, g; Ground gr; g -> gr; Diode dx2; n2 -> dx2 -> g; 1 a, b, c, d, e, jtx1, ktx1\n"
      " I lx1(0.748); n3 -> a -> n1; a -> lx1; Diode dx3; n4 -> dx3 -> n2; Diode dx4; n5 -> dx4 -> g; C cx1(0.527); n5 -> b -> n3; b -> cx1\n"
      " R rx1(1.679); n1 -> c -> n5; c -> rx1; Diode dx5; n3 -> dx5 -> n5; Switch sx1(closed = mod(time + 0.678, 0.692) < 0.14878); n4 -> sx1 -> n1\n"
      " TF tx1(-1.5); n2 -> jtx1 -> n1; n5 -> ktx1 -> g; jtx1 -> tx1 -> ktx1; Switch sx2(closed = mod(time + 0.287, 0.44) < 0.20064); n3 -> sx2 -> n4\n"
      " Switch sx3(closed = mod(time + 0.255, 0.424) < 0.287896); n3 -> sx3 -> g; Se vx1(1.13*sin(8.961*time)); vx1 -> d; g -> d -> n6\n"
      " R rx2(2.615); n6 -> e -> n1; e -> rx2\n stop 0.68 }";
  HbgSimOptions own = {.stop = 0.68, .tolerance = 1e-10, .interval = 0.05, .method = HBG_METHOD_AUTOMATIC, .sliding = true}, whole = own;
  whole.as_a_whole = true;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const char *with = with_library("electrical.hbg", text, &arena);
  Ride parts, together;
  ride_begin(&parts, with, own, RIDE_TRAJECTORY);
  ride_begin(&together, with, whole, RIDE_TRAJECTORY);
  const double *scale = ride_scales(&together);
  // how many rows there are within round-off of an instant need not be the same
  for (int32_t column = 0; column < parts.columns; column++)
    CHECK_NEAR(parts.values[parts.count - 1][column], together.values[together.count - 1][column], 1e-6 * scale[column]);
  ride_end(&parts);
  ride_end(&together);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_that_fails_leaves_no_junction_behind),
      cmocka_unit_test(all_is_as_before_but_for_a_recipe),
      cmocka_unit_test(the_run_goes_on_as_if_nobody_had_rehearsed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

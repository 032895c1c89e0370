/* SPDX-License-Identifier: BSD-3-Clause
 * Timers in recipes: which of them have run out is part of when a recipe applies, how long they run is not part of it. */
#include "hybrid/recipe_timers.h"

#include "support/begun.h"
#include "support/numbered.h"
#include "support/recipes.h"

enum { TEXT = 16384 };

/* ---- whom a recipe is for ---- */

static void valves_that_wait_differently_share_what_happens_then(void **state) {
  (void)state;
  static char text[TEXT];
  char valve[TEXT];
  int used = snprintf(text, TEXT, "model Valves {\n");
  for (int at = 0; at < 3; at++) {
    write_numbered(valve, " Se feed#(1); 1 pipe# by Valve(WAIT); R narrow#(1); C tank#(0.5); 0 top#; R leak#(2); feed# -> pipe# -> narrow#\n"
                          " pipe# -> top# -> tank#; top# -> leak#\n", at);
    char *wait = strstr(valve, "WAIT");
    used += snprintf(text + used, TEXT - (size_t)used, "%.*s%.3f%s", (int)(wait - valve), valve, 0.1 + 0.037 * at, wait + 4);
  }
  snprintf(text + used, TEXT - (size_t)used, " machine Valve(wait) { off shut initial; on open; shut -> open after wait; open -> shut after 2*wait }\n stop 2 }");
  Ride with, without;
  ride_both(&with, &without, text);
  assert_non_null(recipe_of(&with, "pipe0"));
  assert_ptr_equal(recipe_of(&with, "pipe1"), recipe_of(&with, "pipe0"));
  assert_ptr_equal(recipe_of(&with, "pipe2"), recipe_of(&with, "pipe0"));
  ride_end(&with);
  ride_end(&without);
}

/* Which of two timers has run out tells where the machine goes, though nothing else differs. */
static void a_recipe_is_for_the_timer_that_has_run_out(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without,
            "model Two { Se feed(1); 1 pipe by Valve; R narrow(1); C tank(0.5); feed -> pipe -> narrow; pipe -> tank; signal beat = pulse(0, 0.1, 0.31) > 0.5\n"
            " machine Valve { off shut initial; on open { on wide initial; on thin }; shut -> open after 0.1; open -> shut after 0.33\n"
            "  wide -> thin after 0.2 when beat; thin -> wide after 0.05 } stop 2 }");
  assert_true(with.was_local);
  assert_true(uses_of(&with).count > 2);
  ride_end(&with);
  ride_end(&without);
}

/* A tank behind a valve that opens and shuts by itself; as a region of its own. */
#define PUMP(open, shut)                                                                                          \
  "model Pump { Se feed(1); 1 pipe by Valve; R narrow(1); C tank(1); feed -> pipe -> narrow; pipe -> tank\n"      \
  " machine Valve { off shut initial; on open; shut -> open after " open "; open -> shut after " shut " } stop 2 }"

static void what_waits_for_as_long_as_a_state_says_is_gone_through_anew(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without, PUMP("0.1", "0.2"));
  assert_true(uses_of(&with).count >= 2);
  ride_end(&with);
  ride_end(&without);
  ride_both(&with, &without, PUMP("0.1 + 0.01*tank.e", "0.2 + 0.01*tank.e"));
  assert_true(with.was_local);
  assert_int_equal(uses_of(&with).count, 0);
  ride_end(&with);
  ride_end(&without);
}

/* Shut for 0.1 s and open for 0.2 s, e' = 1 - e while it is open: after n rounds e = 1 - exp(-0.2 n). */
static void who_follows_recipes_waits_as_long_as_ever(void **state) {
  (void)state;
  Ride with, without;
  ride_both(&with, &without, PUMP("0.1", "0.2"));
  int rounds = 0;
  for (int32_t at = 0; at < with.count; at++) {
    if (with.rows[at].kind != HBG_ROW_BEFORE || with.rows[at].time <= 0) continue;
    const int32_t half = rounds++;
    CHECK_CLOSE(with.rows[at].time, half % 2 ? 0.3 * (half / 2 + 1) : 0.3 * (half / 2) + 0.1, 4e-16);
  }
  assert_int_equal(rounds, 13);
  CHECK_CLOSE(with.sim->now.state[0], 1 - exp(-0.2 * 6 - 0.1), 1e-13); // at 2 s it has been open for 0.1 s again
  ride_end(&with);
  ride_end(&without);
}

/* ---- when a recipe applies ---- */

/* Two timers start when it opens, of which one runs out. */
static const char lamp[] =
    "model Lamp { Se feed(1); 1 pipe by Valve; R narrow(1); C tank(1); feed -> pipe -> narrow; pipe -> tank\n"
    " machine Valve { off shut initial; on open; on long; shut -> open after 0.1; open -> shut after 0.2 when tank.e < 1; open -> long after 100 } stop 2 }";

static const HbgRecipeUse *use_with_timers(const HbgSim *sim) {
  for (int32_t entry = 0; entry < sim->local->queue.count; entry++)
    for (const HbgRecipeUse *use = sim->local->recipes[entry]; use; use = use->next)
      if (use->recipe->timer_count > 1 && use->recipe->move_count) return use;
  fail_msg("no recipe has timers");
  return NULL;
}

static int32_t timer_number(const HbgSim *sim, const HbgRecipeUse *use, int32_t at) {
  return sim->model->machines[use->machines[use->recipe->timers[at].machine]].first_timer + use->recipe->timers[at].which;
}

/* A recipe as it has been made, at the present instant, with timers that have run out, or not. */
static HbgStatus turn_timers(void *user) {
  HbgSim *sim = user;
  const HbgRecipeUse *use = use_with_timers(sim);
  const HbgRecipe *recipe = use->recipe;
  assert_int_equal(recipe->timer_count, sim->model->timer_count);
  int32_t out = 0;
  for (int32_t at = 0; at < recipe->timer_count; at++) {
    sim->now.deadline[timer_number(sim, use, at)].time = recipe->timers[at].has_run_out ? sim->time : sim->time + 1;
    out += recipe->timers[at].has_run_out;
  }
  assert_in_range(out, 1, recipe->timer_count - 1);
  assert_true(hbg_recipe_timers_apply(sim, use));
  for (int32_t at = 0; at < recipe->timer_count; at++) {
    HbgDeadline *deadline = &sim->now.deadline[timer_number(sim, use, at)];
    const HbgDeadline as_it_was = *deadline;
    deadline->time = recipe->timers[at].has_run_out ? nextafter(sim->time, HUGE_VAL) : sim->time;
    assert_false(hbg_recipe_timers_apply(sim, use));
    *deadline = as_it_was;
  }
  // where the time does not advance by as much as they run for, they have run out already
  sim->time = 1e17;
  for (int32_t at = 0; at < recipe->timer_count; at++)
    sim->now.deadline[timer_number(sim, use, at)].time = recipe->timers[at].has_run_out ? sim->time : 2 * sim->time;
  assert_false(hbg_recipe_timers_apply(sim, use));
  return HBG_OK;
}

static void a_recipe_applies_when_those_have_run_out_that_had_then_and_no_others(void **state) {
  (void)state;
  Begun run;
  begun_with(&run, lamp, (HbgSimOptions){.stop = 2, .tolerance = 1e-10, .interval = 2, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .events_only = true});
  while (run.row.time < 1) assert_int_equal(begun_next(&run), HBG_OK);
  begun_do(&run, turn_timers, run.sim);
  begun_end(&run);
}

static void check_deadline(const HbgDeadline *deadline, double time) { assert_true(deadline->time >= time && deadline->time <= time); }

/* It opens at sim->time: what closes it starts then, and what it waited for before has stopped. */
static HbgStatus take_effect(void *user) {
  HbgSim *sim = user;
  const HbgRecipeUse *use = use_with_timers(sim);
  const HbgRecipeMove *move = &use->recipe->moves[use->recipe->move_count - 1];
  const bool opens = move->to > 0;
  sim->now.instant = sim->time;
  sim->now.instant_rest = 0;
  hbg_recipe_timers_take_effect(sim, use);
  const HbgDeadline *deadline = sim->now.deadline;
  check_deadline(&deadline[0], opens ? (double)INFINITY : sim->time + 0.1);
  check_deadline(&deadline[1], opens ? sim->time + 0.2 : (double)INFINITY);
  check_deadline(&deadline[2], opens ? sim->time + 100 : (double)INFINITY);
  for (int timer = 0; timer < 3; timer++) check_deadline(&sim->before.deadline[timer], deadline[timer].time);
  return HBG_OK;
}

static void what_starts_then_starts_whenever_it_is_followed(void **state) {
  (void)state;
  Begun run;
  begun_with(&run, lamp, (HbgSimOptions){.stop = 2, .tolerance = 1e-10, .interval = 2, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .events_only = true});
  while (run.row.time < 1) assert_int_equal(begun_next(&run), HBG_OK);
  run.sim->time = 1.25;
  begun_do(&run, take_effect, run.sim);
  begun_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(valves_that_wait_differently_share_what_happens_then),
      cmocka_unit_test(a_recipe_is_for_the_timer_that_has_run_out),
      cmocka_unit_test(what_waits_for_as_long_as_a_state_says_is_gone_through_anew),
      cmocka_unit_test(who_follows_recipes_waits_as_long_as_ever),
      cmocka_unit_test(a_recipe_applies_when_those_have_run_out_that_had_then_and_no_others),
      cmocka_unit_test(what_starts_then_starts_whenever_it_is_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * An instant of a local run in sets of states. */
#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "hybrid/transcript.h"

/* Where hardly an instant is like another one, recipes cost more than they spare: some of each machine are made ahead of what others have spared. */
enum { AHEAD = 8, COST_OF_BORROWING = 1, COST_OF_MAKING = 4 };

static HbgCrossing crossing_of_due(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  return (HbgCrossing){
      .found = local->located_count > 0, .time = sim->time, .list = local->located, .count = local->located_count};
}

static bool may_learn_in_sets(HbgSim *sim) {
  const HbgCoupledRun *run = sim->local->coupled;
  return run->learned <= AHEAD * (int64_t)sim->model->machine_count + run->followed && hbg_local_wants_recipe(sim);
}

/* One that has been followed here, or elsewhere. */
static bool choose_in_sets(HbgSim *sim, HbgFollower *follower) {
  if (hbg_recipe_choose(sim, sim->local->recipes[sim->local->due[0]], follower)) return true;
  if (!may_learn_in_sets(sim) || hbg_recipe_changes_equations(sim)) return false;
  sim->local->coupled->learned += COST_OF_BORROWING;
  if (!hbg_recipe_borrow(sim, follower)) return false;
  hbg_local_add_recipe(sim, follower->use);
  return true;
}

bool hbg_local_follow_in_sets(HbgSim *sim, HbgStatus *status) {
  const HbgLocal *local = sim->local;
  if (sim->options.without_recipes || local->clocks_are_due || !local->due_count || local->due_count > HBG_RECIPE_MOST_DUE) return false;
  uint8_t old[HBG_RECIPE_MOST_DUE];
  double numbers[HBG_FOLLOWER_ROOM];
  HbgFollower follower = {.values = numbers};
  hbg_local_reach_timers(sim);
  hbg_local_take_ticks(sim, old);
  sim->crossing = crossing_of_due(sim);
  const bool is_followed = !hbg_recipe_shows_balances(sim) && choose_in_sets(sim, &follower);
  sim->crossing = (HbgCrossing){0};
  if (is_followed) *status = hbg_recipe_take_effect_in_sets(&follower);
  sim->local->coupled->followed += is_followed;
  hbg_local_end_ticks(sim, old, is_followed);
  return is_followed;
}

/* The instant at hand has been gone through: the next of its kind may follow it. */
static void learn_in_sets(HbgSim *sim, int32_t first_row) {
  sim->local->coupled->learned += COST_OF_MAKING;
  sim->scope.is_everything = false;  // what it touched is known
  HbgRecipeUse *recipe = hbg_recipe_make(sim, first_row);
  if (recipe) hbg_recipe_lend(sim, recipe);
  sim->scope.is_everything = true;
  if (recipe)
    hbg_local_add_recipe(sim, recipe);
  else
    sim->local->recipe_count[sim->local->due[0]]++;  // not tried for ever
}

HbgStatus hbg_local_settle_in_sets(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const int32_t first_row = sim->queue_count;
  if (!local->clocks_are_due && may_learn_in_sets(sim) && !hbg_recipe_shows_balances(sim)) hbg_transcript_begin(sim);
  sim->crossing = crossing_of_due(sim);
  const HbgStatus status = hbg_settle(sim, HBG_CAUSE_STATE, local->located, local->located_count);
  sim->crossing = (HbgCrossing){0};
  if (status == HBG_OK && sim->transcript.is_on) learn_in_sets(sim, first_row);
  sim->transcript.is_on = false;
  return status;
}

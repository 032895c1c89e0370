/* SPDX-License-Identifier: BSD-3-Clause
 * An instant of a local run that follows recipes. */
#include <string.h>

#include "hybrid/local_parts.h"
#include "hybrid/rote.h"
#include "hybrid/together.h"

enum { MOST_RECIPES = 24 };

bool hbg_local_may_add_recipe(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  return local->due_count > 0 && local->due_count <= HBG_RECIPE_MOST_DUE &&
         local->recipe_count[local->due[0]] < MOST_RECIPES;
}

static bool reads_variable(const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++)
    if (guard->probe.program.inputs[at].leaf.op == HBG_OP_VARIABLE) return true;
  return false;
}

/* Is it to be seen whether what was located still holds behind the tick? */
static bool clocks_may_undo(const HbgSim *sim) {
  for (int32_t at = 0; at < sim->local->located_count; at++)
    if (reads_variable(sim->local->located[at])) return true;
  return false;
}

/* What laws read of clocks makes other equations; and the first row shows what was before. */
static bool clocks_need_more(HbgSim *sim) {
  if (!sim->local->clocks_are_due) return false;
  return hbg_clocks_jump(sim, false) || clocks_may_undo(sim) || hbg_local_clocks_change_equations(sim) || hbg_shown_now(sim)->reads_variables;
}

/* At the end of a long row of ever shorter intervals everything is next to nothing: what is learned there is of no use for anything that comes later. */
static bool dies_out(const HbgSim *sim) {
  enum { LONG_ROW = 32 };
  const int32_t machine = sim->local->due[0];
  return machine < sim->model->machine_count && sim->rhythms[machine].shrinking > LONG_ROW;
}

/* Is it not its turn yet? */
static bool waits(HbgLocal *local) {
  HbgRecipeTries *tries = &local->tries[local->due[0]];
  if (!tries->wait) return false;
  tries->wait--;
  return true;
}

bool hbg_local_wants_recipe(HbgSim *sim) {
  return !sim->options.without_recipes && hbg_local_may_add_recipe(sim) && !clocks_need_more(sim) && !dies_out(sim) && !waits(sim->local);
}

void hbg_local_note_try(HbgSim *sim, bool is_made) {
  enum { PATIENT = 8, MOST = 15 }; // failures without a wait, and doublings of it
  HbgRecipeTries *tries = &sim->local->tries[sim->local->due[0]];
  if (is_made) *tries = (HbgRecipeTries){0};
  else if (tries->failures < PATIENT + MOST) tries->failures++;
  if (tries->failures > PATIENT) tries->wait = (uint16_t)(1U << (tries->failures - PATIENT));
}

void hbg_local_forget_what_shows_less(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (local->recipes_show == hbg_shown_now(sim)) return;
  local->recipes_show = hbg_shown_now(sim);
  memset(local->recipes, 0, (size_t)local->queue.count * sizeof(HbgRecipeUse *));
  memset(local->recipe_count, 0, (size_t)local->queue.count);
}

void hbg_local_add_recipe(HbgSim *sim, HbgRecipeUse *use) {
  HbgLocal *local = sim->local;
  use->next = local->recipes[local->due[0]];
  local->recipes[local->due[0]] = use;
  local->recipe_count[local->due[0]]++;
}

/* All that is due by one recipe. */
static bool follow_one(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  if (local->due_count > HBG_RECIPE_MOST_DUE) return false;
  double numbers[HBG_FOLLOWER_ROOM];
  HbgFollower follower = {.values = numbers};
  bool is_found = hbg_recipe_choose(sim, local->recipes[local->due[0]], &follower);
  if (!is_found && hbg_local_wants_recipe(sim) && hbg_recipe_borrow(sim, &follower)) {
    hbg_local_add_recipe(sim, follower.use);
    is_found = true;
  }
  if (is_found) *status = hbg_recipe_take_effect(&follower);
  if (is_found && local->entry_count) hbg_rote_learn(sim, follower.use, local->entries, local->entry_count);
  return is_found;
}

void hbg_local_reach_timers(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  int32_t machines = 0;
  while (machines < local->due_count && local->due[machines] < sim->model->machine_count) machines++;
  hbg_timers_reach_of(sim, local->due, machines);
}

/* Clocks have ticked as well, whose ticks have led to no more than a recipe tells. */
static void end_clocks(HbgSim *sim, bool are_followed) {
  hbg_clocks_take_back(sim);
  if (!are_followed) return;
  hbg_clocks_take(sim);
  hbg_discrete_commit(sim);
  hbg_local_await_clocks(sim);
}

/* The same by one recipe, when clocks tick. */
static bool follow_beside_clocks(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  if (sim->options.without_recipes || !local->due_count || local->due_count > HBG_RECIPE_MOST_DUE ||
      clocks_need_more(sim))
    return false;
  uint8_t old[HBG_RECIPE_MOST_DUE];
  hbg_local_take_ticks(sim, old);
  hbg_clocks_foresee(sim);
  const bool is_followed = follow_one(sim, status);
  end_clocks(sim, is_followed);
  hbg_local_end_ticks(sim, old, is_followed);
  return is_followed;
}

bool hbg_local_follow_recipes(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  hbg_local_reach_timers(sim);
  if (local->clocks_are_due) return follow_beside_clocks(sim, status);
  const bool are_many = hbg_together_is_possible(sim);
  if (sim->options.without_recipes || (local->due_count > HBG_RECIPE_MOST_DUE && !are_many)) {
    hbg_owed_pay_all(sim);
    return false;
  }
  uint8_t few[HBG_RECIPE_MOST_DUE],
      *old = local->due_count > HBG_RECIPE_MOST_DUE ? ARENA_NEW(&sim->scratch, uint8_t, local->due_count) : few;
  hbg_local_take_ticks(sim, old);
  const bool are_followed = (are_many && hbg_together_follow(sim, status)) || follow_one(sim, status);
  if (!are_followed) hbg_owed_pay_all(sim);
  hbg_local_end_ticks(sim, old, are_followed);
  return are_followed;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/recipe_timers.h"

#include "hybrid/local_parts.h"

/* ---- going through it again ---- */

/* Does a timer that starts now go on for some time, and is that known beforehand? */
static bool goes_on(const HbgSim *sim, int32_t timer) {
  return hbg_timer_is_constant(sim, timer) && sim->time + hbg_timer_duration(sim, timer) > sim->time;
}

static bool all_go_on(const HbgSim *sim, const HbgMachine *of) {
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++)
    if (!goes_on(sim, timer)) return false;
  return true;
}

bool hbg_recipe_timers_begin(HbgSim *sim, HbgRecipe *recipe, const HbgRecipeUse *use, HbgDeadline **last) {
  int32_t count = 0, capacity = 0;
  for (int32_t at = 0; at < recipe->machine_count; at++) {
    const HbgMachine *of = &sim->model->machines[use->machines[at]];
    if (!all_go_on(sim, of)) return false;
    count += of->timer_count;
  }
  *last = ARENA_NEW(&sim->scratch, HbgDeadline, count);
  for (int32_t at = 0; at < recipe->machine_count; at++) {
    const HbgMachine *of = &sim->model->machines[use->machines[at]];
    for (int32_t which = 0; which < of->timer_count; which++) {
      const int32_t timer = of->first_timer + which;
      (*last)[recipe->timer_count] = sim->now.deadline[timer];
      sim->now.deadline[timer] = sim->scope.first_deadline[timer];
      ARENA_PUSH(&sim->local->arena, recipe->timers, recipe->timer_count, capacity) =
          (HbgRecipeTimer){at, which, sim->now.deadline[timer].time <= sim->time};
    }
  }
  return true;
}

void hbg_recipe_timers_move(HbgSim *sim, HbgRecipe *recipe, const HbgRecipeUse *use, int32_t place, const HbgConjunction *fired) {
  const HbgMachine *of = &sim->model->machines[use->machines[place]];
  if (!of->timer_count) return;
  const HbgRecipeMove move = {place, fired->from, fired->to, of->transitions[fired->transition].kept_depth};
  ARENA_PUSH(&sim->local->arena, recipe->moves, recipe->move_count, recipe->move_capacity) = move;
  hbg_timers_move(sim, use->machines[place], move.from, move.to, move.kept_depth);
}

void hbg_recipe_timers_end(HbgSim *sim, const HbgRecipe *recipe, const HbgRecipeUse *use, const HbgDeadline *last) {
  for (int32_t at = 0; at < recipe->timer_count; at++)
    sim->now.deadline[sim->model->machines[use->machines[recipe->timers[at].machine]].first_timer + recipe->timers[at].which] = last[at];
}

/* ---- following ---- */

bool hbg_recipe_timers_apply(const HbgSim *sim, const HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  for (int32_t at = 0; at < recipe->timer_count; at++) {
    const HbgRecipeTimer *timer = &recipe->timers[at];
    const int32_t number = sim->model->machines[use->machines[timer->machine]].first_timer + timer->which;
    if ((sim->now.deadline[number].time <= sim->time) != timer->has_run_out) return false;
    if (recipe->move_count && !goes_on(sim, number)) return false;
  }
  return true;
}

void hbg_recipe_timers_take_effect(HbgSim *sim, const HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  for (int32_t at = 0; at < recipe->move_count; at++) {
    const HbgRecipeMove *move = &recipe->moves[at];
    const int32_t machine = use->machines[move->machine];
    const HbgMachine *of = &sim->model->machines[machine];
    hbg_timers_move(sim, machine, move->from, move->to, move->kept_depth);
    for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++)
      sim->before.deadline[timer] = sim->now.deadline[timer];
  }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/rehearsal.h"

#include <math.h>

#include "hybrid/local_parts.h"

/* ---- going back ---- */

static void undo(HbgSim *sim) {
  const HbgScope *scope = &sim->scope;
  int32_t *switched = ARENA_NEW(&sim->scratch, int32_t, scope->machines.count), switched_count = 0;
  for (int32_t at = 0; at < scope->machines.count; at++) {
    const int32_t machine = scope->machines.list[at];
    // where it failed, one may have fired back into its first state, and the mode is still that of the other
    if (hbg_scope_has_fired(sim, machine) || sim->now.phi[machine] != scope->first_phi[machine]) switched[switched_count++] = machine;
    sim->now.phi[machine] = sim->before.phi[machine] = scope->first_phi[machine];
    const HbgMachine *of = &sim->model->machines[machine];
    for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++)
      sim->now.deadline[timer] = sim->before.deadline[timer] = scope->first_deadline[timer];
    hbg_rest_take_back(sim, machine);
  }
  hbg_mode_take_back(sim, switched, switched_count);
  for (int32_t at = 0; at < scope->states.count; at++) {
    const int32_t state = scope->states.list[at];
    sim->now.state[state] = sim->before.state[state] = scope->first_state[state];
    sim->scale[state] = scope->first_scale[state];
  }
  for (int32_t at = 0; at < scope->variables.count; at++)
    sim->now.discrete[scope->variables.list[at]] = sim->before.discrete[scope->variables.list[at]] = scope->first_variable[scope->variables.list[at]];
  for (int32_t at = 0; at < sim->transcript.region_count; at++)
    sim->transcript.regions[at]->synced = sim->transcript.regions[at]->shown = (double)NAN;
}

/* ---- scheduled conditions ---- */

/* By their places in what is due. */
typedef struct Ticks {
  uint8_t *before, *now;
} Ticks;

/* As they were: those of the left limit. */
static Ticks take_ticks_back(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  const Ticks ticks = {ARENA_NEW(&sim->scratch, uint8_t, local->due_count), ARENA_NEW(&sim->scratch, uint8_t, local->due_count)};
  for (int32_t at = 0; at < local->due_count; at++) {
    const int32_t tick = local->due[at] - sim->model->machine_count;
    if (tick < 0) continue;
    ticks.now[at] = sim->now.tick[tick];
    ticks.before[at] = sim->before.tick[tick];
    hbg_sim_set_tick(sim, tick, ticks.before[at]);
  }
  return ticks;
}

/* They have become what they are, and been committed. */
static void take_ticks_again(HbgSim *sim, const Ticks *ticks) {
  const HbgLocal *local = sim->local;
  for (int32_t at = 0; at < local->due_count; at++) {
    const int32_t tick = local->due[at] - sim->model->machine_count;
    if (tick < 0) continue;
    sim->before.tick[tick] = ticks->before[at];
    hbg_sim_set_tick(sim, tick, ticks->now[at]);
  }
}

/* ---- all ---- */

bool hbg_rehearse(HbgSim *sim, HbgFollower *follower) {
  const HbgLocal *local = sim->local;
  const int32_t first_row = sim->queue_count;
  const HbgText failure = sim->failure;
  const int64_t events = sim->statistics.events;
  HbgRecipeUse *use = NULL;
  const Ticks ticks = take_ticks_back(sim);
  sim->is_rehearsal = true;
  hbg_transcript_begin(sim);
  if (hbg_settle(sim, HBG_CAUSE_STATE, local->located, local->located_count) == HBG_OK) use = hbg_recipe_make(sim, first_row);
  if (use) hbg_recipe_lend(sim, use);
  if (use) hbg_recipe_keep_firing(sim, use);
  sim->transcript.is_on = sim->is_rehearsal = false;
  undo(sim);
  take_ticks_again(sim, &ticks);
  sim->queue_count = first_row;
  sim->failure = failure;
  sim->statistics.events = events;
  if (use) hbg_local_add_recipe(sim, use);
  return use && hbg_recipe_choose(sim, use, follower);
}

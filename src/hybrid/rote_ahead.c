/* SPDX-License-Identifier: BSD-3-Clause
 * In large models nothing that an event reads is in the cache any more: others have been there since. While one event is gone through the
 * memory of the next is asked for. What it reads is found by following pointers, so each stage asks for what the one before it has brought. Nothing
 * depends on it but time. */
#include "hybrid/rote_parts.h"
#include "hybrid/watch_parts.h"

enum { LINE = 64, USE_LINES = 3, ROTE_LINES = 7, REGION_LINES = 3, READING_LINES = 3 };

static inline void ask_for(const void *place) { __builtin_prefetch(place); }

static inline void ask_for_lines(const void *place, int count) {
  for (int line = 0; line < count; line++) ask_for((const char *)place + line * LINE);
}

static void ask_for_machine(const HbgSim *sim, int32_t machine) {
  ask_for(&sim->now.phi[machine]);
  ask_for(&sim->before.phi[machine]);
}

static void ask_for_state(const HbgSim *sim, int32_t state) {
  ask_for(&sim->now.state[state]);
  ask_for(&sim->before.state[state]);
  ask_for(&sim->scale[state]);
  ask_for(&sim->local->region_of[state]);
}

/* What the lists of the use lead to. */
static void ask_for_members(const HbgSim *sim, const HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  for (int32_t at = 0; at < recipe->region_count; at++) ask_for_lines(use->regions[at], REGION_LINES);
  for (int32_t at = 0; at < use->made_count; at++)
    if (!use->stays[at]) ask_for_lines(use->made[at], REGION_LINES);
  for (int32_t at = 0; at < recipe->tick_count; at++) ask_for_lines(&sim->ticks[use->ticks[at]], 2);
  for (int32_t at = 0; at < recipe->machine_count; at++) ask_for_machine(sim, use->machines[at]);
  for (int32_t at = 0; at < recipe->input_count; at++) ask_for_state(sim, use->states[at]);
  for (int32_t at = 0; at < recipe->fired_count; at++) ask_for(&sim->rhythms[use->machines[recipe->fired[at]]]);
  for (int32_t at = 0; at < recipe->hanging_count; at++)
    if (use->rote->hanging[at] < sim->local->owed.presence_count) ask_for(&sim->local->owed.presence[use->rote->hanging[at]]);
  for (int32_t at = 0; at < use->rote->guard_count; at++)
    ask_for(&sim->local->watches.foretold[use->rote->guards[at].number]);
  for (int32_t at = 0; at < use->foretold_count; at++) {
    ask_for(use->plans[at].entries);
    ask_for(&sim->local->watches.asked[use->foretold[at]]);
    ask_for(hbg_queue_place(&sim->local->queue, use->foretold[at]));
  }
}

static void ask_for_readings(const HbgSim *sim, const HbgWatchPlan *plan) {
  for (int32_t at = 0; at < plan->count; at++) {
    ask_for(&sim->local->watches.foretold[plan->entries[at].number]);
    if (plan->entries[at].reading) ask_for_lines(plan->entries[at].reading, READING_LINES);
  }
}

static void ask_for_motions(const HbgSim *sim, const HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->recipe->region_count; at++)
    if (use->regions[at]->tracks != use->regions[at]->few_tracks) ask_for_lines(use->regions[at]->tracks, 2);
  for (int32_t at = 0; at < use->foretold_count; at++) ask_for_readings(sim, &use->plans[at]);
}

/* Neighbours that guards read as well. */
static void ask_for_neighbours(const HbgWatchPlan *plan, bool are_here) {
  for (int32_t at = 0; at < plan->count; at++) {
    const HbgReading *reading = plan->entries[at].reading;
    for (int32_t which = 0; reading && !plan->entries[at].is_lasting && which < reading->region_count; which++) {
      if (!are_here)
        ask_for_lines(reading->regions[which], REGION_LINES);
      else if (reading->regions[which]->tracks != reading->regions[which]->few_tracks)
        ask_for_lines(reading->regions[which]->tracks, 2);
    }
  }
}

void hbg_rote_ahead_begin(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const int32_t entry = hbg_queue_likely_next(&local->queue, hbg_local_latest(hbg_queue_earliest(&local->queue)));
  local->ahead.stage = -1;
  if (entry < 0) return;
  local->ahead.stage = 0;
  local->ahead.entry = entry;
  ask_for(&local->ahead.last[entry]);
  if (entry < sim->model->machine_count) ask_for(&local->watches.asked[entry]);
}

/* Nobody has been at that place before: what an event begins with. */
static void ask_for_beginning(const HbgSim *sim, int32_t entry) {
  if (entry >= sim->model->machine_count) return;
  ask_for_machine(sim, entry);
  ask_for(&sim->guards.first[sim->guards.start[entry] + sim->now.phi[entry]]);
  ask_for(&sim->rhythms[entry]);
  ask_for_lines(&sim->model->machines[entry], 2);
}

void hbg_rote_ahead_step(HbgSim *sim) {
  HbgLocal *local = sim->local;
  HbgRecipeUse *use = local->ahead.use;
  switch (local->ahead.stage) {
    case 0:
      local->ahead.due = local->ahead.last[local->ahead.entry];
      if (local->ahead.due)
        ask_for_lines(local->ahead.due, 2);
      else
        ask_for_beginning(sim, local->ahead.entry);
      break;
    case 1:
      local->ahead.use = use = local->ahead.due->expected;
      if (!use) {
        local->ahead.stage = -1;
        return;
      }
      ask_for(local->ahead.due->choices);
      ask_for(&local->rote_due[local->ahead.due->entries[0]]);
      ask_for(&local->recipes[local->ahead.due->first]);
      ask_for_lines(use, USE_LINES);
      ask_for_lines(local->ahead.due->expected_rote, ROTE_LINES);
      break;
    case 2: ask_for_members(sim, use); break;
    case 3: ask_for_motions(sim, use); break;
    case 4:
      for (int32_t at = 0; at < use->foretold_count; at++) ask_for_neighbours(&use->plans[at], false);
      break;
    case 5:
      for (int32_t at = 0; at < use->foretold_count; at++) ask_for_neighbours(&use->plans[at], true);
      break;
    default: return;
  }
  local->ahead.stage = local->ahead.due ? local->ahead.stage + 1 : -1;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What is due at an instant of a local run. */
#include "base/numbers.h"
#include "hybrid/local_parts.h"
#include "hybrid/rote.h"

/* Without the steps of regions, and machines whose guards are only to be looked at again. */
static void keep_what_happens(HbgSim *sim) {
  HbgLocal *local = sim->local;
  int32_t kept = 0;
  for (int32_t at = 0; at < local->due_count; at++)
    if (!hbg_local_is_step(sim, local->due[at]) && !hbg_local_is_pause(sim, local->due[at]))
      local->due[kept++] = local->due[at];
  local->due_count = kept;
}

/* Entries that are due, where all `found` of them happen. */
static void keep_entries(HbgSim *sim, int32_t found) {
  HbgLocal *local = sim->local;
  local->entry_count = found <= HBG_ROTE_MOST_DUE && local->due_count == found ? found : 0;
  for (int32_t at = 0; at < local->entry_count; at++) local->entries[at] = local->due[at];
}

/* The ticks of clocks are not among what is due, but machines that feel them. */
static void set_clocks_apart(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->clocks_are_due = local->due_count && local->due[local->due_count - 1] == hbg_local_clock_entry(sim);
  if (local->clocks_are_due) local->due_count--;
  local->clocks_are_shown = local->clocks_are_due && hbg_clocks_are_shown(sim);
}

/* Behind the machines that are due by themselves (`count`) those of `readers` that read `number`. Answers how many there are then. */
static int32_t add_readers_of(HbgSim *sim, const HbgLists *readers, int32_t number, int32_t count) {
  HbgLocal *local = sim->local;
  for (int32_t which = readers->start[number]; which < readers->start[number + 1]; which++) {
    if (local->due_stamp[readers->list[which]] == local->due_instant) continue;
    local->due_stamp[readers->list[which]] = local->due_instant;
    local->due[count++] = readers->list[which];
  }
  return count;
}

/* Those that read what clocks have computed that is new. */
static int32_t add_readers_of_clocks(HbgSim *sim, int32_t count) {
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++) {
    const HbgNewValue *fresh = &sim->clocks.fresh[at];
    if (hbg_clocks_change_by(sim, fresh))
      count = add_readers_of(sim, &sim->who_reads->of_variable, fresh->variable, count);
  }
  return count;
}

void hbg_local_add_readers(HbgSim *sim) {
  HbgLocal *local = sim->local;
  int32_t machines = 0, few[HBG_RECIPE_MOST_DUE];
  while (machines < local->due_count && local->due[machines] < sim->model->machine_count) machines++;
  const int32_t tick_count = local->due_count - machines;
  if (!tick_count && !local->clocks_are_due) return;
  int32_t *ticks = tick_count <= HBG_RECIPE_MOST_DUE ? few : ARENA_NEW(&sim->scratch, int32_t, tick_count);
  for (int32_t at = 0; at < tick_count; at++) ticks[at] = local->due[machines + at];
  local->due_instant++;
  for (int32_t at = 0; at < machines; at++) local->due_stamp[local->due[at]] = local->due_instant;
  for (int32_t at = 0; at < tick_count; at++)
    machines = add_readers_of(sim, &sim->who_reads->of_tick, ticks[at] - sim->model->machine_count, machines);
  if (local->clocks_are_due) machines = add_readers_of_clocks(sim, machines);
  if (machines > 1) hbg_key_sort(local->due, machines);
  for (int32_t at = 0; at < tick_count; at++) local->due[machines + at] = ticks[at];
  local->due_count = machines + tick_count;
}

bool hbg_local_turns(const HbgSim *sim, int32_t number) {
  if (!sim->past.memory_count || !hbg_local_is_step(sim, number)) return false;
  const int32_t state = number - hbg_local_step_entry(sim, 0);
  const HbgMemory *memory = hbg_memory_of_state(&sim->past, state);
  return memory && hbg_memory_next(sim, memory) <= sim->local->region_of[state]->horizon;
}

/* Steps that end where the past of what they integrate goes on to another piece. */
static void note_turns(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  for (int32_t at = 0; sim->past.memory_count && at < local->due_count; at++) {
    if (!hbg_local_turns(sim, local->due[at])) continue;
    hbg_memory_turn(&sim->past, hbg_memory_of_state(&sim->past, local->due[at] - hbg_local_step_entry(sim, 0)));
    sim->time = hbg_larger(sim->time, hbg_queue_time(&local->queue, local->due[at]));
  }
}

bool hbg_local_is_remembered(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  if (!sim->past.memory_count) return false;
  if (local->clocks_are_due || sim->past.turning_count) return true;
  for (int32_t at = 0; at < local->due_count; at++) {
    const int32_t tick = local->due[at] - sim->model->machine_count;
    if (tick < 0 ? hbg_memory_of_machine(&sim->past, local->due[at]) != NULL : hbg_past_feels_tick(sim, tick)) return true;
  }
  return false;
}

void hbg_local_find_due(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const double first = hbg_queue_earliest(&local->queue);
  local->due_count = hbg_queue_list(&local->queue, hbg_local_latest(first), local->due);
  sim->time = first;
  const int32_t found = local->due_count;
  note_turns(sim);
  keep_what_happens(sim);
  keep_entries(sim, found);
  for (int32_t at = 0; at < local->due_count; at++)
    sim->time = hbg_larger(sim->time, hbg_queue_time(&local->queue, local->due[at]));
  set_clocks_apart(sim);
  const double latest = sim->time;
  if (sim->time > sim->options.stop) sim->time = sim->options.stop;
  local->located_count = 0;
  for (int32_t at = 0; at < local->due_count && local->due[at] < sim->model->machine_count; at++) {
    int32_t count;
    const HbgConjunction *leaving =
        hbg_guards_leaving(&sim->guards, local->due[at], sim->now.phi[local->due[at]], &count);
    for (int32_t which = 0; which < count; which++)
      if (local->watches.foretold[&leaving[which] - sim->guards.list].time <= latest)
        ARENA_PUSH(&local->arena, local->located, local->located_count, local->located_capacity) = &leaving[which];
  }
}

void hbg_local_note_unresolved(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  for (int32_t at = 0; at < local->located_count; at++) {
    const HbgForetold *foretold = &local->watches.foretold[local->located[at] - sim->guards.list];
    hbg_rhythm_note_flight(&sim->rhythms[local->located[at]->machine], foretold->begin, foretold->is_resolved);
  }
}

/* ---- scheduled conditions ---- */

void hbg_local_take_ticks(HbgSim *sim, uint8_t *old) {
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t tick = sim->local->due[at] - sim->model->machine_count;
    if (tick < 0) continue;
    old[at] = sim->now.tick[tick];
    hbg_sim_set_tick(sim, tick, hbg_tick_value(&sim->ticks[tick], sim->time));
  }
}

void hbg_local_end_ticks(HbgSim *sim, const uint8_t *old, bool are_taken) {
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t number = sim->local->due[at], tick = number - sim->model->machine_count;
    if (tick < 0) continue;
    if (!are_taken) hbg_sim_set_tick(sim, tick, old[at]);
    sim->before.tick[tick] = sim->now.tick[tick];
    if (are_taken) hbg_queue_set(&sim->local->queue, number, hbg_tick_next(&sim->ticks[tick], sim->time));
  }
}

bool hbg_local_compute_clocks_behind_ticks(HbgSim *sim) {
  uint8_t few[HBG_RECIPE_MOST_DUE], *old = sim->local->due_count > HBG_RECIPE_MOST_DUE
                                               ? ARENA_NEW(&sim->scratch, uint8_t, sim->local->due_count)
                                               : few;
  hbg_local_take_ticks(sim, old);
  const bool are_computed = hbg_local_compute_clocks(sim);
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t tick = sim->local->due[at] - sim->model->machine_count;
    if (tick >= 0) hbg_sim_set_tick(sim, tick, old[at]);
  }
  return are_computed;
}

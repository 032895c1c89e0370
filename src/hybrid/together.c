/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/together.h"

#include <stddef.h>

#include "hybrid/local_parts.h"
#include "hybrid/together_parts.h"

enum { MOST_REFUSALS = 10, NEVER = -1 };

/* ---- when ---- */

bool hbg_together_is_possible(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  if (sim->options.without_recipes || local->due_count < 2 || local->due[1] >= sim->model->machine_count) return false;
  const HbgShown *shown = hbg_shown_now((HbgSim *)(uintptr_t)sim);
  return !shown->everything && !shown->reads_a_priori && !hbg_recipe_changes_equations(sim);
}

/* ---- what is kept ---- */

struct HbgTogether *hbg_together_state(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (local->together) return local->together;
  HbgArena *arena = &local->arena;
  local->together = ARENA_NEW(arena, struct HbgTogether, 1);
  *local->together = (struct HbgTogether){.machines = ARENA_NEW(arena, HbgClaim, sim->model->machine_count),
                                          .states = ARENA_NEW(arena, HbgClaim, sim->model->state_count),
                                          .bonds = ARENA_NEW(arena, HbgClaim, sim->model->bond_count),
                                          .seed_of = ARENA_NEW(arena, int32_t, sim->model->machine_count),
                                          .habit = ARENA_NEW(arena, int32_t, sim->model->machine_count)};
  return local->together;
}

void *hbg_together_take(HbgDue *self, int32_t count, size_t size) {
  struct HbgTogether *state = self->sim->local->together;
  const size_t bytes = ((size_t)count * size + 15) / 16 * 16, place = self->used;
  state->room_wanted += bytes;
  if (!state->room || place + bytes > state->room_size) return hbg_arena_alloc(&self->sim->scratch, (size_t)count, size, _Alignof(max_align_t));
  self->used += bytes;
  return state->room + place;
}

void hbg_together_make_room(HbgSim *sim) {
  struct HbgTogether *state = sim->local->together;
  if (state->room_wanted > state->room_size) {
    state->room_size = 2 * state->room_wanted;
    state->room = hbg_arena_alloc(&sim->local->arena, state->room_size, 1, _Alignof(max_align_t));
  }
  state->room_wanted = 0;
}

/* ---- all ---- */

/* A few that are due together time and again, be it by accident, are one thing: one recipe is quicker than several. */
static bool is_habit(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  int32_t *habit = &local->together->habit[local->due[0]];
  if (local->due_count > HBG_TOGETHER_BY_HABIT || *habit == NEVER) return false;
  int32_t number = 1;
  for (int32_t at = 1; at < local->due_count; at++) number = (int32_t)(((uint32_t)number * 31 + (uint32_t)local->due[at]) & INT32_MAX);
  const bool is_so = *habit == number;
  *habit = number;
  return is_so;
}

void hbg_together_part(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  if (local->together && local->due[0] < sim->model->machine_count) local->together->habit[local->due[0]] = NEVER;
}

bool hbg_together_follow(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  struct HbgTogether *state = hbg_together_state(sim);
  if (is_habit(sim) || state->patience-- > 0) return false;
  const HbgDueGroup everything = {.due = local->due, .due_count = local->due_count, .located = local->located, .located_count = local->located_count};
  HbgDue self = hbg_due_begin(sim);
  const bool are_apart = hbg_due_fall_apart(&self) && hbg_due_fit_together(&self);
  if (are_apart) *status = hbg_due_take_effect(&self);
  state->count += are_apart;
  hbg_due_look_at(sim, &everything);
  const bool is_one = self.count < 2;
  state->refusals = are_apart || is_one ? 0 : state->refusals < MOST_REFUSALS ? state->refusals + 1 : MOST_REFUSALS;
  state->patience = state->refusals ? 1 << state->refusals : 0;
  return are_apart;
}

int32_t hbg_together_habit(const HbgSim *sim, int32_t machine) {
  return sim->local->together ? sim->local->together->habit[machine] : 0;
}

int64_t hbg_together_count(const HbgSim *sim) { return sim->local && sim->local->together ? sim->local->together->count : 0; }

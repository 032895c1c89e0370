/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/ties.h"

#include "hybrid/local_parts.h"

enum { MOST_STATES = 64 }; /* more of them are better off in the steps of the whole, which redo what an event influences */

/* ---- the forest ---- */

static void untie_all(HbgSim *sim, HbgTies *ties) {
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    ties->parent[state] = state;
    ties->size[state] = 1;
  }
}

static void make_room(HbgSim *sim, HbgTies *ties) {
  if (ties->parent) return;
  ties->parent = ARENA_NEW(&sim->local->arena, int32_t, sim->model->state_count);
  ties->size = ARENA_NEW(&sim->local->arena, int32_t, sim->model->state_count);
  untie_all(sim, ties);
}

int32_t hbg_tied_to(const HbgTies *ties, int32_t state) {
  while (ties->parent && ties->parent[state] != state) {
    ties->parent[state] = ties->parent[ties->parent[state]];
    state = ties->parent[state];
  }
  return state;
}

/* How many are tied to them then. */
static int32_t tie_states(HbgTies *ties, int32_t a, int32_t b) {
  int32_t large = hbg_tied_to(ties, a), small = hbg_tied_to(ties, b);
  if (large == small) return ties->size[large];
  if (ties->size[large] < ties->size[small]) {
    const int32_t other = large;
    large = small;
    small = other;
  }
  ties->parent[small] = large;
  return ties->size[large] += ties->size[small];
}

/* ---- regions ---- */

static void tie_region(HbgTies *ties, const HbgRegion *region) {
  for (int32_t at = 1; at < region->count; at++) tie_states(ties, region->states[0], region->states[at]);
}

void hbg_tie(HbgSim *sim, const HbgRegion *a, const HbgRegion *b) {
  HbgTies *ties = &sim->local->ties;
  make_room(sim, ties);
  tie_region(ties, a);
  tie_region(ties, b);
  if (hbg_tied_to(ties, a->states[0]) == hbg_tied_to(ties, b->states[0])) return;
  ties->count++;
  if (tie_states(ties, a->states[0], b->states[0]) <= MOST_STATES) return;
  ties->are_too_many = true;
  untie_all(sim, ties);
}

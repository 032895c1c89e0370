/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/ties.h"

#include "base/forest.h"
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

int32_t hbg_tied_to(const HbgTies *ties, int32_t state) { return ties->parent ? hbg_forest_root(ties->parent, state) : state; }

/* False: they have been already. */
static bool tie_states(HbgTies *ties, int32_t a, int32_t b) {
  const int32_t root = hbg_tied_to(ties, a), other = hbg_tied_to(ties, b);
  if (root == other) return false;
  ties->parent[other] = root;
  ties->size[root] += ties->size[other];
  return true;
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
  if (!tie_states(ties, a->states[0], b->states[0])) return;
  ties->count++;
  if (ties->size[hbg_tied_to(ties, a->states[0])] <= MOST_STATES) return;
  ties->are_too_many = true;
  untie_all(sim, ties);
}

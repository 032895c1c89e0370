/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/vicinity.h"

#include "hybrid/island_parts.h"

enum { WORTH = 8 }; /* a part of the system that is smaller by this factor is worth lists of its own */

typedef struct Vicinity {
  HbgNear near;
  HbgSim *sim;
  HbgBatches batches;
} Vicinity;

/* What has been found, in the scratch arena. */
typedef struct Search {
  HbgSim *sim;
  int32_t *states; int32_t state_count;
  HbgIsland **islands; int32_t island_count;
  uint8_t *has_state, *has_island; /* per state, and per place of an island */
} Search;

static void add_state(Search *self, int32_t state) {
  if (self->has_state[state]) return;
  self->has_state[state] = 1;
  self->states[self->state_count++] = state;
}

/* An island that rates are made of, with the states that it reads. */
static void add_island(Search *self, HbgIsland *island) {
  if (self->has_island[island->place]) return;
  self->has_island[island->place] = 1;
  self->islands[self->island_count++] = island;
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++)
    add_state(self, island->binding.states[at]);
}

/* The rate of a storage that is cut off is what its neighbours send it. */
static void add_givers(Search *self, int32_t state) {
  HbgSim *sim = self->sim;
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const HbgNode *storage = &sim->model->nodes[sim->model->states[state].node];
  HbgIsland *island = sim->island_of[hbg_port(sim->model, storage, 0)->bond];
  add_island(self, island);
  if (!island->is_hanging) return;
  for (int32_t term = deliveries->start[island->delivery]; term < deliveries->start[island->delivery + 1]; term++)
    add_island(self, sim->island_of[deliveries->variable[term] / 2]);
}

/* All that so many evaluations hang on; false where that is too much of the system. */
static bool look_around(Search *self, const int32_t *list, int32_t count) {
  for (int32_t at = 0; at < count; at++) add_state(self, list[at]);
  int32_t from = 0;
  for (int depth = 0; depth < HBG_NEAR_DEPTH; depth++) {
    const int32_t to = self->state_count;
    for (; from < to; from++) add_givers(self, self->states[from]);
    if (WORTH * self->state_count > self->sim->model->state_count) return false;
  }
  return true;
}

static int rates(double t, const double *y, double *dy, void *user) {
  Vicinity *self = user;
  HbgSim *sim = self->sim;
  sim->now.time = t;
  for (int32_t at = 0; at < self->near.count; at++) sim->now.state[self->near.states[at]] = y[self->near.states[at]];
  return hbg_batches_rates(&self->batches, y, &sim->now, dy) ? 0 : 1;
}

static const HbgNear *keep(const Search *found) {
  HbgSim *sim = found->sim;
  Vicinity *self = ARENA_NEW(sim->arena, Vicinity, 1);
  int32_t *states = ARENA_NEW(sim->arena, int32_t, found->state_count);
  HbgIsland **islands = ARENA_NEW(sim->arena, HbgIsland *, found->island_count);
  for (int32_t at = 0; at < found->state_count; at++) states[at] = found->states[at];
  for (int32_t at = 0; at < found->island_count; at++) islands[at] = found->islands[at];
  *self = (Vicinity){.near = {states, found->state_count, rates, self}, .sim = sim, .batches = hbg_batches(&sim->solver, sim->arena)};
  hbg_batches_set(&self->batches, islands, found->island_count, &sim->now);
  return &self->near;
}

const HbgNear *hbg_vicinity(HbgSim *sim, const int32_t *list, int32_t count) {
  const int32_t states = sim->model->state_count;
  if (sim->first_integrator < states || WORTH * count > states) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Search search = {.sim = sim,
                   .states = ARENA_NEW(&sim->scratch, int32_t, states),
                   .islands = ARENA_NEW(&sim->scratch, HbgIsland *, sim->island_count),
                   .has_state = ARENA_NEW(&sim->scratch, uint8_t, states),
                   .has_island = ARENA_NEW(&sim->scratch, uint8_t, sim->island_count)};
  const HbgNear *near = look_around(&search, list, count) ? keep(&search) : NULL;
  hbg_arena_rewind(&sim->scratch, mark);
  return near;
}

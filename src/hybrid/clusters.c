/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/clusters.h"

#include "base/forest.h"

/* A forest over islands first, then states. */
typedef struct Forest {
  const HbgSim *sim;
  int32_t *parent;
  bool read_hanging;
} Forest;

static void join(Forest *self, int32_t a, int32_t b) { self->parent[hbg_forest_root(self->parent, a)] = hbg_forest_root(self->parent, b); }

static int32_t of_state(const Forest *self, int32_t state) { return self->sim->island_count + state; }

/* The states an island has, and those it reads. What a storage receives that is cut off, islands give that read it. */
static void join_islands(Forest *self) {
  for (int32_t at = 0; at < self->sim->island_count; at++) {
    const HbgIsland *island = self->sim->islands[at];
    if (island->is_storage) join(self, at, of_state(self, self->sim->cuts.deliveries.state[island->delivery]));
    if (island->is_hanging) continue;
    for (int32_t state = 0; state < island->program->template.state_count; state++)
      join(self, at, of_state(self, island->binding.states[state]));
  }
}

static void join_everything(Forest *self) {
  self->read_hanging = true;
  for (int32_t at = 1; at < self->sim->island_count + self->sim->model->state_count; at++) join(self, 0, at);
}

static void join_integrators(Forest *self, const HbgInputs *inputs) {
  for (int32_t integrator = 0; integrator < inputs->count; integrator++) {
    const int32_t own = of_state(self, self->sim->first_integrator + integrator);
    for (int32_t at = inputs->read_start[integrator]; at < inputs->read_start[integrator + 1]; at++) {
      const HbgInputLeaf *leaf = &inputs->reads[at];
      const HbgIsland *island = leaf->is_state ? NULL : self->sim->island_of[leaf->index / 2];
      if (!island) join(self, own, of_state(self, leaf->index));
      else if (island->is_hanging && !island->is_storage) join_everything(self);
      else join(self, own, island->place);
    }
  }
}

/* Slides that are solved for together, with all they read. */
static void join_slides(Forest *self) {
  for (int32_t at = 0; at < self->sim->slides.group_count; at++) {
    const HbgSlideGroup *group = self->sim->slides.groups[at];
    if (group->reads_everything) join_everything(self);
    if (!group->states.count) continue; // held fast by junctions that are off
    const int32_t first = of_state(self, group->states.list[0]);
    for (int32_t which = 1; which < group->states.count; which++) join(self, first, of_state(self, group->states.list[which]));
    for (int32_t which = 0; which < group->islands.count; which++)
      if (group->islands.list[which]->place >= 0) join(self, first, group->islands.list[which]->place);
  }
}

HbgClusters hbg_clusters(const HbgSim *sim, const HbgInputs *inputs, HbgArena *arena) {
  const int32_t states = sim->model->state_count, count = sim->island_count + states;
  Forest forest = {.sim = sim, .parent = ARENA_NEW(arena, int32_t, count)};
  for (int32_t at = 0; at < count; at++) forest.parent[at] = at;
  join_islands(&forest);
  join_integrators(&forest, inputs);
  join_slides(&forest);
  HbgClusters clusters = {.of_state = ARENA_NEW(arena, int32_t, states),
                          .of_island = ARENA_NEW(arena, int32_t, sim->island_count)};
  clusters.read_hanging = forest.read_hanging;
  int32_t *number = ARENA_NEW(arena, int32_t, count);
  for (int32_t state = 0; state < states; state++) {
    int32_t *own = &number[hbg_forest_root(forest.parent, of_state(&forest, state))];
    if (!*own) *own = ++clusters.count;
    clusters.of_state[state] = *own - 1;
  }
  for (int32_t at = 0; at < sim->island_count; at++) clusters.of_island[at] = number[hbg_forest_root(forest.parent, at)] - 1;
  return clusters;
}

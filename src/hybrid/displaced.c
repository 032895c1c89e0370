/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/displaced.h"

#include <string.h>

#include "hybrid/local_parts.h"

enum { MOST_HOMES = 24, FEW_ALIKE = 2 };

/* How a region is found: by one of its states, or where it has none by a bond. */
typedef struct Way {
  int32_t integrator, storage; /* a state, the node of one; -1 */
  HbgPortPlace bond;
} Way;

struct HbgHome {
  const HbgRecipeUse *use;
  HbgAnchor due; /* of the first machine that is due */
  int32_t *machines,
      *phi; /* of the neighbourhood, with those that are only read, and those whose junctions are at its border */
  HbgAnchor *anchors; /* (machine_count) */
  int32_t machine_count;
  HbgAnchor *regions;      /* of the recipe */
  Way *ways;               /* ... and how they are found */
  HbgPortPlace *hanging;   /* bonds of what hangs */
  HbgPortPlace *variables; /* bonds of what rows show */
  int32_t *located;        /* places of guards */
  int32_t *ticks;
  uint8_t *tick_values;
  int32_t tick_count;
  HbgHome *next; /* where such a machine is due */
};

/* ---- where it was made ---- */

static void take_machine(HbgSim *sim, HbgHome *self, int32_t machine, int32_t phi) {
  for (int32_t at = 0; at < self->machine_count; at++)
    if (self->machines[at] == machine) return;
  self->machines[self->machine_count] = machine;
  self->phi[self->machine_count] = phi;
  self->anchors[self->machine_count++] = *hbg_pattern_of_machine(sim, machine);
}

static void list_machines(HbgSim *sim, const HbgNeighbourhood *here, HbgHome *self) {
  HbgArena *arena = &sim->local->arena;
  const int32_t most = here->machines.count + here->others.count + here->nodes.count;
  self->machines = ARENA_NEW(arena, int32_t, most);
  self->phi = ARENA_NEW(arena, int32_t, most);
  self->anchors = ARENA_NEW(arena, HbgAnchor, most);
  for (int32_t at = 0; at < here->machines.count; at++)  // of those that have changed the recipe knows
    take_machine(sim, self, here->machines.list[at], sim->scope.first_phi[here->machines.list[at]]);
  for (int32_t at = 0; at < here->others.count; at++)
    take_machine(sim, self, here->others.list[at], sim->now.phi[here->others.list[at]]);
  for (int32_t at = 0; at < here->nodes.count; at++) {
    const int32_t machine = sim->model->nodes[here->nodes.list[at]].machine;
    if (machine >= 0) take_machine(sim, self, machine, sim->now.phi[machine]);
  }
}

static void list_ticks(HbgSim *sim, const HbgNeighbourhood *here, HbgHome *self) {
  self->tick_count = here->ticks.count;
  self->ticks = ARENA_NEW(&sim->local->arena, int32_t, here->ticks.count);
  self->tick_values = ARENA_NEW(&sim->local->arena, uint8_t, here->ticks.count);
  for (int32_t at = 0; at < here->ticks.count; at++) {
    self->ticks[at] = here->ticks.list[at];
    self->tick_values[at] = sim->now.tick[self->ticks[at]];
  }
}

static Way way_to(const HbgSim *sim, const HbgRegion *region) {
  Way way = {.integrator = -1, .storage = -1};
  const int32_t last = region->count ? region->states[region->count - 1] : -1;  // integrators are last
  if (last >= sim->first_integrator)
    way.integrator = last;
  else if (last >= 0)
    way.storage = sim->model->states[last].node;
  else
    hbg_port_place(sim, region->islands[0]->graph.bonds[0].bond, &way.bond);  // it has one: its pattern tells it
  return way;
}

static void list_what_is_read(HbgSim *sim, HbgHome *self) {
  HbgArena *arena = &sim->local->arena;
  const HbgRecipeUse *use = self->use;
  const HbgRecipe *recipe = use->recipe;
  self->regions = ARENA_NEW(arena, HbgAnchor, recipe->region_count);
  self->ways = ARENA_NEW(arena, Way, recipe->region_count);
  self->hanging = ARENA_NEW(arena, HbgPortPlace, recipe->hanging_count);
  self->variables = ARENA_NEW(arena, HbgPortPlace, recipe->variable_count);
  self->located = ARENA_NEW(arena, int32_t, recipe->located_count);
  for (int32_t at = 0; at < recipe->region_count; at++)
    self->regions[at] = *hbg_pattern_of_region(sim, use->regions[at]);
  for (int32_t at = 0; at < recipe->located_count; at++)
    self->located[at] = hbg_guards_place(&sim->guards, use->located[at]);
}

/* When all patterns are there, so that each bond has a place. */
static bool list_bonds(const HbgSim *sim, HbgHome *self) {
  const HbgRecipeUse *use = self->use;
  for (int32_t at = 0; at < use->recipe->region_count; at++) self->ways[at] = way_to(sim, use->regions[at]);
  for (int32_t at = 0; at < use->recipe->hanging_count; at++)
    if (!hbg_port_place(sim, use->hanging[at]->graph.bonds[0].bond, &self->hanging[at])) return false;
  for (int32_t at = 0; at < use->recipe->variable_count; at++)
    if (!hbg_port_place(sim, use->variables[at] / 2, &self->variables[at])) return false;
  return true;
}

/* Has all of it a pattern, and does one displacement tell where all of it lies? */
static bool is_told(const HbgHome *self) {
  HbgDisplacement none = {0};
  for (int32_t at = 0; at < self->machine_count; at++)
    if (!hbg_is_displaced(&none, &self->anchors[at], &self->anchors[at])) return false;
  for (int32_t at = 0; at < self->use->recipe->region_count; at++)
    if (!hbg_is_displaced(&none, &self->regions[at], &self->regions[at])) return false;
  return true;
}

void hbg_displaced_keep(HbgSim *sim, const HbgNeighbourhood *here, const HbgRecipeUse *use) {
  if (!use->recipe->due_count || use->recipe->held_count || use->due[0] >= sim->model->machine_count) return;
  const HbgAnchor *due = hbg_pattern_of_machine(sim, use->due[0]);
  if (!due->pattern || due->pattern->member_count < FEW_ALIKE) return;
  int32_t count = 0;
  HbgHome **last = &due->pattern->homes;
  for (; *last; last = &(*last)->next) count++;
  if (count == MOST_HOMES) return;
  HbgHome *self = ARENA_NEW(&sim->local->arena, HbgHome, 1);
  *self = (HbgHome){.use = use, .due = *due};
  list_machines(sim, here, self);
  list_ticks(sim, here, self);
  list_what_is_read(sim, self);
  if (is_told(self) && list_bonds(sim, self)) *last = self;
}

/* ---- whether it is the same here ---- */

static inline bool is_between(int32_t number, int32_t count) { return number >= 0 && number < count; }

static bool same_is_due(const HbgSim *sim, const HbgHome *home, const HbgDisplacement *by) {
  const HbgLocal *local = sim->local;
  const HbgRecipe *recipe = home->use->recipe;
  const int32_t machine_count = sim->model->machine_count;
  if (local->due_count != recipe->due_count || local->located_count != recipe->located_count) return false;
  for (int32_t at = 0; at < recipe->due_count; at++) {
    const bool is_machine = home->use->due[at] < machine_count;
    const HbgNumberKind kind = is_machine ? HBG_NUMBERS_OF_MACHINES : HBG_NUMBERS_OF_TICKS;
    if (!by->is_known[kind] || local->due[at] - home->use->due[at] != by->by[kind] ||
        (local->due[at] < machine_count) != is_machine)
      return false;
  }
  for (int32_t at = 0; at < recipe->located_count; at++) {
    if (local->located[at]->machine - home->use->located[at]->machine != by->by[HBG_NUMBERS_OF_MACHINES]) return false;
    if (hbg_guards_place(&sim->guards, local->located[at]) != home->located[at]) return false;
  }
  return true;
}

static bool machines_are_alike(HbgSim *sim, const HbgHome *home, HbgDisplacement *by) {
  for (int32_t at = 0; at < home->machine_count; at++) {
    const int32_t machine = home->machines[at] + by->by[HBG_NUMBERS_OF_MACHINES];
    if (!is_between(machine, sim->model->machine_count) || sim->now.phi[machine] != home->phi[at]) return false;
  }
  for (int32_t at = 0; at < home->machine_count; at++) {
    const int32_t machine = home->machines[at] + by->by[HBG_NUMBERS_OF_MACHINES];
    if (!hbg_is_displaced(by, &home->anchors[at], hbg_pattern_of_machine(sim, machine))) return false;
  }
  return true;
}

/* The laws and integrators of a recipe read no scheduled condition that is due (hbg_recipe_changes_equations()). */
static bool ticks_are_alike(const HbgSim *sim, const HbgHome *home, const HbgDisplacement *by) {
  if (!home->tick_count) return true;
  if (!by->is_known[HBG_NUMBERS_OF_TICKS] || hbg_recipe_changes_equations(sim)) return false;
  for (int32_t at = 0; at < home->tick_count; at++) {
    const int32_t tick = home->ticks[at] + by->by[HBG_NUMBERS_OF_TICKS];
    if (!is_between(tick, sim->model->tick_count) || sim->now.tick[tick] != home->tick_values[at]) return false;
  }
  return true;
}

/* The bond that lies where `home` would; -1. */
static int32_t bond_at(const HbgSim *sim, const HbgPortPlace *home, const HbgDisplacement *by) {
  const int32_t node = home->node + by->by[HBG_NUMBERS_OF_NODES];
  if (!by->is_known[HBG_NUMBERS_OF_NODES] || !is_between(node, sim->model->node_count)) return -1;
  const HbgNode *at = &sim->model->nodes[node];
  return home->port < at->port_count ? hbg_port(sim->model, at, home->port)->bond : -1;
}

static int32_t state_at(const HbgSim *sim, const Way *home, const HbgDisplacement *by) {
  if (home->integrator >= 0) {
    const int32_t state = home->integrator + by->by[HBG_NUMBERS_OF_INTEGRATORS];
    return by->is_known[HBG_NUMBERS_OF_INTEGRATORS] && is_between(state, sim->model->state_count) ? state : -1;
  }
  const int32_t node = home->storage + by->by[HBG_NUMBERS_OF_NODES];
  return by->is_known[HBG_NUMBERS_OF_NODES] && is_between(node, sim->model->node_count) ? sim->model->nodes[node].state
                                                                                        : -1;
}

/* The region that lies where that of the home would; NULL. */
static HbgRegion *region_at(const HbgSim *sim, const Way *home, const HbgDisplacement *by) {
  if (home->integrator >= 0 || home->storage >= 0) {
    const int32_t state = state_at(sim, home, by);
    return state < 0 ? NULL : sim->local->region_of[state];
  }
  const int32_t bond = bond_at(sim, &home->bond, by);
  return bond < 0 ? NULL : sim->island_of[bond]->region;
}

static bool regions_are_alike(HbgSim *sim, const HbgHome *home, HbgDisplacement *by, HbgRegion **regions) {
  for (int32_t at = 0; at < home->use->recipe->region_count; at++) {
    regions[at] = region_at(sim, &home->ways[at], by);
    if (!regions[at] || !hbg_is_displaced(by, &home->regions[at], hbg_pattern_of_region(sim, regions[at])))
      return false;
  }
  return true;
}

static bool same_hangs(const HbgSim *sim, const HbgHome *home, const HbgDisplacement *by, HbgIsland **hanging) {
  for (int32_t at = 0; at < home->use->recipe->hanging_count; at++) {
    const int32_t bond = bond_at(sim, &home->hanging[at], by);
    if (bond < 0) return false;
    hanging[at] = sim->island_of[bond];
    if (!hanging[at]->is_hanging) return false;
  }
  return true;
}

static bool is_alike(HbgSim *sim, const HbgHome *home, HbgDisplacement *by, HbgRegion **regions, HbgIsland **hanging) {
  return same_is_due(sim, home, by) && machines_are_alike(sim, home, by) && ticks_are_alike(sim, home, by) &&
         regions_are_alike(sim, home, by, regions) && same_hangs(sim, home, by, hanging);
}

/* ---- its use here ---- */

static void displace(int32_t *list, const int32_t *home, int32_t count, int32_t by) {
  for (int32_t at = 0; at < count; at++) list[at] = home[at] + by;
}

static HbgRecipeUse *use_here(HbgSim *sim, const HbgHome *home, const HbgDisplacement *by, HbgRegion *const *regions,
                              HbgIsland *const *hanging) {
  const HbgRecipeUse *from = home->use;
  const HbgRecipe *recipe = from->recipe;
  HbgRecipeUse *use = hbg_recipe_new_use(sim, recipe);
  const int32_t machines = by->by[HBG_NUMBERS_OF_MACHINES];
  displace(use->machines, from->machines, recipe->machine_count, machines);
  displace(use->others, from->others, recipe->other_count, machines);
  displace(use->switched, from->switched, recipe->switched_count, machines);
  displace(use->ticks, from->ticks, recipe->tick_count, by->by[HBG_NUMBERS_OF_TICKS]);
  for (int32_t at = 0; at < recipe->variable_count; at++)
    use->variables[at] = 2 * bond_at(sim, &home->variables[at], by) + from->variables[at] % 2;
  for (int32_t at = 0; at < recipe->due_count; at++) use->due[at] = sim->local->due[at];
  for (int32_t at = 0; at < recipe->located_count; at++) use->located[at] = sim->local->located[at];
  for (int32_t at = 0; at < recipe->region_count; at++) {
    use->regions[at] = regions[at];
    memcpy(&use->states[recipe->input_start[at]], regions[at]->states,
           (size_t)regions[at]->count * sizeof *use->states);
  }
  for (int32_t at = 0; at < recipe->hanging_count; at++) use->hanging[at] = hanging[at];
  return use;
}

static bool try_home(HbgSim *sim, const HbgHome *home, const HbgAnchor *due, HbgFollower *self) {
  HbgRegion *regions[HBG_NEIGHBOURHOOD_MOST];
  HbgIsland *hanging[HBG_NEIGHBOURHOOD_MOST];
  HbgDisplacement by = {0};
  if (!hbg_is_displaced(&by, &home->due, due) || !is_alike(sim, home, &by, regions, hanging)) return false;
  const HbgArenaMark mark = hbg_arena_mark(&sim->local->arena);
  if (hbg_recipe_choose(sim, use_here(sim, home, &by, regions, hanging), self)) return true;
  hbg_arena_rewind(&sim->local->arena, mark);
  return false;
}

bool hbg_displaced_borrow(HbgSim *sim, HbgFollower *self) {
  if (hbg_cuts_vary(&sim->cuts) || sim->local->due[0] >= sim->model->machine_count) return false;
  const HbgAnchor *due = hbg_pattern_of_machine(sim, sim->local->due[0]);
  for (const HbgHome *home = due->pattern ? due->pattern->homes : NULL; home; home = home->next)
    if (try_home(sim, home, due, self)) {
      sim->local->patterns.found++;
      return true;
    }
  return false;
}

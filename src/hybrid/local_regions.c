/* SPDX-License-Identifier: BSD-3-Clause
 * Which islands and integrators make up a region: those that read each other's states, in the present mode. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/forest.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/local_parts.h"

/* What is to be grouped: islands first, then states; a forest of both. */
typedef struct Grouping {
  HbgSim *sim;
  HbgIsland **islands; int32_t island_count, island_capacity;
  int32_t *states, state_count;
  int32_t *parent;
  HbgRegion **made; int32_t made_count, made_capacity;
  int32_t *onlookers; int32_t onlooker_count, onlooker_capacity; /* states that are regions of their own */
  HbgRegion **tallies; /* of those among these that are tallies their regions, with a motion; NULL of others (onlooker_count) */
  bool is_exact;
  bool is_alone; /* one region is all there is: then it need not be cut out */
} Grouping;

static void join(Grouping *self, int32_t a, int32_t b) { self->parent[hbg_forest_root(self->parent, a)] = hbg_forest_root(self->parent, b); }

/* ---- members ---- */

static void add_island(Grouping *self, HbgIsland *island) {
  HbgLocal *local = self->sim->local;
  if (island->group_stamp == local->group_stamp) return;
  island->group_stamp = local->group_stamp;
  island->region = NULL;
  if (island->is_hanging) return;
  island->group_place = self->island_count;
  ARENA_PUSH(&self->sim->scratch, self->islands, self->island_count, self->island_capacity) = island;
}

/* ---- who reads whom ---- */

static void join_islands(Grouping *self) {
  const int32_t *place_of = self->sim->local->place_of;
  for (int32_t at = 0; at < self->island_count; at++) {
    const HbgIsland *island = self->islands[at];
    for (int32_t state = 0; state < island->program->template.state_count; state++)
      join(self, at, self->island_count + place_of[island->binding.states[state]]);
  }
}

/* What a source imposes that nothing is on is what its law says, which may be read where that follows the time alone. At a junction that is off it receives nothing. */
static bool is_function_of_time(HbgSim *sim, HbgIsland *source, int32_t variable) {
  if (hbg_island_receives_nothing(source, variable)) return true;
  return !source->is_storage && variable == hbg_island_given(source) && hbg_island_hanging_forms_in_time(&sim->solver, source, &sim->now);
}

/* Its law may read anything, otherwise. */
static void read_hanging(Grouping *self, HbgIsland *island, int32_t variable) {
  self->is_exact = self->is_exact && is_function_of_time(self->sim, island, variable);
  self->sim->local->any_reads_hanging = true;
}

static void join_integrators(Grouping *self) {
  HbgSim *sim = self->sim;
  const HbgInputs *inputs = &sim->local->inputs;
  for (int32_t at = 0; at < self->state_count; at++) {
    const int32_t integrator = self->states[at] - sim->first_integrator;
    if (integrator < 0 || hbg_is_onlooker(sim, self->states[at])) continue;
    for (int32_t read = inputs->read_start[integrator]; read < inputs->read_start[integrator + 1]; read++) {
      const HbgInputLeaf *leaf = &inputs->reads[read];
      HbgIsland *island = leaf->is_state ? NULL : sim->island_of[leaf->index / 2];
      if (leaf->is_state) join(self, self->island_count + at, self->island_count + sim->local->place_of[leaf->index]);
      else if (island->is_hanging) read_hanging(self, island, leaf->index);
      else join(self, self->island_count + at, island->group_place);
    }
  }
}

static void join_tied(Grouping *self) {
  const HbgLocal *local = self->sim->local;
  for (int32_t at = 0; local->ties.count && at < self->state_count; at++) {
    const int32_t other = hbg_tied_to(&local->ties, self->states[at]), place = local->place_of[other];
    if (place < self->state_count && self->states[place] == other) join(self, self->island_count + at, self->island_count + place);
  }
}

/* What remembers goes together, with all islands that its delays may read or drive (past.h). */
static void join_family(Grouping *self, const HbgMemory *memory, int32_t member) {
  if (!memory) return;
  const int32_t place = self->sim->local->place_of[memory->state];
  if (place < self->state_count && self->states[place] == memory->state) join(self, member, self->island_count + place);
}

static void join_families(Grouping *self) {
  const HbgPast *past = &self->sim->past;
  if (!past->memory_count) return;
  for (int32_t at = 0; at < self->island_count; at++) join_family(self, hbg_memory_of_bond(past, self->islands[at]->graph.bonds[0].bond), at);
  for (int32_t at = 0; at < self->state_count; at++) join_family(self, hbg_memory_of_state(past, self->states[at]), self->island_count + at);
}

/* ---- regions ---- */

static int compare_numbers(const void *a, const void *b) {
  const int32_t x = (*(HbgIsland *const *)a)->number, y = (*(HbgIsland *const *)b)->number;
  return (x > y) - (x < y);
}

static void list_machines(HbgSim *sim, HbgRegion *region) {
  const HbgReaders *readers = sim->who_reads;
  HbgKey key = hbg_key(&sim->local->arena);
  for (int32_t at = 0; at < region->count; at++)
    for (int32_t which = readers->of_state.start[region->states[at]]; which < readers->of_state.start[region->states[at] + 1]; which++)
      hbg_key_add(&key, readers->of_state.list[which]);
  for (int32_t at = 0; at < region->island_count; at++) {
    const HbgGraph *graph = &region->islands[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      for (int32_t which = readers->of_bond.start[graph->bonds[bond].bond]; which < readers->of_bond.start[graph->bonds[bond].bond + 1]; which++)
        hbg_key_add(&key, readers->of_bond.list[which]);
  }
  const HbgMemory *memory = region->count ? hbg_memory_of_state(&sim->past, region->states[0]) : NULL;
  for (int32_t at = 0; memory && at < memory->machine_count; at++) hbg_key_add(&key, memory->machines[at]);
  hbg_key_sort(key.list, key.count);
  region->machines = key.list;
  for (int32_t at = 0; at < key.count; at++)
    if (!at || key.list[at] != key.list[at - 1]) region->machines[region->machine_count++] = key.list[at];
}

static HbgRegion *region_for(HbgSim *sim, HbgIsland **islands, int32_t island_count, int32_t *states, int32_t count) {
  HbgLocal *local = sim->local;
  if (island_count) qsort(islands, (size_t)island_count, sizeof *islands, compare_numbers);
  hbg_key_sort(states, count);
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < island_count; at++) hbg_key_add(&key, islands[at]->number);
  for (int32_t at = 0; at < count; at++) hbg_key_add(&key, -1 - states[at]);
  HbgRegion *region = hbg_key_table_find(&local->known_regions, key.list, key.count);
  if (region) return region;
  region = hbg_region(sim, islands, island_count, states, count);
  region->prefers_steps = count && hbg_memory_of_state(&sim->past, states[0]); // which what it remembers is recorded by
  list_machines(sim, region);
  int32_t *kept = ARENA_NEW(&local->arena, int32_t, key.count);
  memcpy(kept, key.list, (size_t)key.count * sizeof *kept);
  hbg_key_table_add(&local->known_regions, kept, key.count, region);
  return region;
}

/* Scheduled conditions, or what an integrator reads of machines, may have changed. */
static bool must_assemble(const HbgRegion *region) {
  if (!region->is_assembled || region->reads_mode || region->waits_for_motion || region->is_stepped != !region->motion) return true;
  for (int32_t at = 0; at < region->island_count; at++)
    if (!region->islands[at]->has_forms) return true;
  return region->edition != hbg_region_edition(region); // somebody else may have made forms anew
}

/* Has the instant only looked at it, as one about everything does? Then its steps go on: its equations are the same, and its states on the way that they were. */
static bool goes_on(HbgSim *sim, const HbgRegion *region) {
  if (!hbg_region_steps_steadily(region) || !(region->synced >= sim->time && region->synced <= sim->time)) return false;
  for (int32_t at = 0; at < region->count; at++)
    if (sim->local->region_of[region->states[at]] != region) return false;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *values = ARENA_NEW(&sim->scratch, double, region->count);
  hbg_region_values(region, sim->time, values);
  bool is_same = true;
  for (int32_t at = 0; at < region->count && is_same; at++) {
    const double own = sim->now.state[region->states[at]];
    is_same = own >= values[at] && own <= values[at];
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return is_same;
}

static void enter(Grouping *self, HbgRegion *region) {
  HbgSim *sim = self->sim;
  if (goes_on(sim, region)) {
    hbg_region_go_on(sim, region);
    ARENA_PUSH(&sim->scratch, self->made, self->made_count, self->made_capacity) = region;
    return;
  }
  if (must_assemble(region)) hbg_region_assemble(sim, region);
  region->is_stepped = !region->motion && hbg_region_may_step(sim, region) && (!self->is_alone || hbg_region_is_quick(sim, region));
  if (region->motion || region->is_stepped) hbg_region_enter(sim, region);
  else self->is_exact = false;
  ARENA_PUSH(&sim->scratch, self->made, self->made_count, self->made_capacity) = region;
}

/* Where it all hangs together by them, and no motion would be known. */
static bool let_onlookers_leave(Grouping *self) {
  HbgArena *scratch = &self->sim->scratch;
  const int32_t count = self->island_count + self->state_count;
  if (self->state_count <= HBG_REGION_USUAL_STATES || self->sim->first_integrator == self->sim->model->state_count) return false;
  int32_t *size = ARENA_NEW(scratch, int32_t, count), *leaving = ARENA_FULL(scratch, int32_t, self->state_count), leaving_count = 0;
  for (int32_t at = 0; at < self->state_count; at++) size[hbg_forest_root(self->parent, self->island_count + at)]++;
  for (int32_t at = 0; at < self->state_count; at++)
    if (size[hbg_forest_root(self->parent, self->island_count + at)] > HBG_REGION_USUAL_STATES) leaving[leaving_count++] = self->states[at];
  return hbg_onlookers_leave(self->sim, leaving, leaving_count);
}

/* Who hangs together, as a forest. */
static void join_all(Grouping *self) {
  const int32_t count = self->island_count + self->state_count;
  for (int32_t at = 0; at < self->state_count; at++) self->sim->local->place_of[self->states[at]] = at;
  do {
    for (int32_t at = 0; at < count; at++) self->parent[at] = at;
    join_islands(self);
    join_integrators(self);
    join_tied(self);
    join_families(self);
  } while (let_onlookers_leave(self));
}

/* Members by their roots: sorted by counting. */
static void make_regions(Grouping *self) {
  HbgArena *scratch = &self->sim->scratch;
  const int32_t count = self->island_count + self->state_count;
  self->made_count = self->onlooker_count = 0;
  join_all(self);
  int32_t *next = ARENA_FULL(scratch, int32_t, count + 1), *order = ARENA_FULL(scratch, int32_t, count);
  for (int32_t at = 0; at < count; at++) next[hbg_forest_root(self->parent, at) + 1]++;
  for (int32_t at = 0; at < count; at++) next[at + 1] += next[at];
  int32_t *fill = ARENA_FULL(scratch, int32_t, count);
  for (int32_t at = 0; at < count; at++) fill[at] = next[at];
  for (int32_t at = 0; at < count; at++) order[fill[hbg_forest_root(self->parent, at)]++] = at;
  for (int32_t root = 0; root < count; root++) {
    const int32_t members = next[root + 1] - next[root];
    if (!members) continue;
    HbgIsland **islands = ARENA_NEW(scratch, HbgIsland *, members);
    int32_t *states = ARENA_NEW(scratch, int32_t, members), islands_here = 0, states_here = 0;
    for (int32_t at = next[root]; at < next[root + 1]; at++) {
      if (order[at] < self->island_count) islands[islands_here++] = self->islands[order[at]];
      else states[states_here++] = self->states[order[at] - self->island_count];
    }
    if (!islands_here && hbg_is_onlooker(self->sim, states[0]) && !hbg_memory_of_state(&self->sim->past, states[0])) {
      ARENA_PUSH(scratch, self->onlookers, self->onlooker_count, self->onlooker_capacity) = states[0];
      continue;
    }
    HbgRegion *region = region_for(self->sim, islands, islands_here, states, states_here);
    ARENA_PUSH(scratch, self->made, self->made_count, self->made_capacity) = region;
  }
}

static void enter_all(Grouping *self) {
  const int32_t count = self->made_count;
  self->is_alone = count == 1 && self->made[0]->count == self->sim->model->state_count;
  self->made_count = 0;
  for (int32_t at = 0; at < count; at++) enter(self, self->made[at]);
}

/* ---- onlookers ---- */

static HbgRegion *region_for_onlooker(HbgSim *sim, int32_t state, const int32_t *guests, int32_t count) {
  HbgLocal *local = sim->local;
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, -1 - state);
  for (int32_t at = 0; at < count; at++) hbg_key_add(&key, -1 - sim->model->state_count - guests[at]);
  HbgRegion *region = hbg_key_table_find(&local->known_regions, key.list, key.count);
  if (region) return region;
  region = hbg_region_of_onlooker(sim, state, guests, count, hbg_is_tally(sim, state));
  list_machines(sim, region);
  hbg_key_table_add(&local->known_regions, hbg_key_keep(&key, &local->arena), key.count, region);
  return region;
}

/* With the motion that it has among these; NULL: it has none. */
static HbgRegion *assembled_onlooker(HbgSim *sim, int32_t state) {
  int32_t *guests = NULL;
  const int32_t count = hbg_onlooker_guests(sim, state, &guests);
  HbgRegion *region = count < 0 ? NULL : region_for_onlooker(sim, state, guests, count);
  if (region) hbg_region_assemble(sim, region);
  return region && region->motion ? region : NULL;
}

/* Tallies need the motion of those that they look at. Where that is not known, they belong to them after all, from now on: true, and all is to be
 * grouped anew. */
static bool tallies_come_back(Grouping *self) {
  HbgSim *sim = self->sim;
  int32_t came = 0;
  self->tallies = ARENA_FULL(&sim->scratch, HbgRegion *, self->onlooker_count);
  if (!sim->local->onlookers.tallies_look_on) return false;
  for (int32_t at = 0; at < self->made_count; at++) {
    if (must_assemble(self->made[at])) hbg_region_assemble(sim, self->made[at]);
    hbg_region_take_states(sim, self->made[at]);
    self->made[at]->synced = sim->time; // whether or not it ever starts
  }
  for (int32_t at = 0; at < self->onlooker_count; at++) {
    if (!hbg_is_tally(sim, self->onlookers[at])) continue;
    self->tallies[at] = assembled_onlooker(sim, self->onlookers[at]);
    if (self->tallies[at]) continue;
    hbg_onlookers_come_back(sim, self->onlookers[at]);
    came++;
  }
  return came;
}

/* Behind the regions that they look at. */
static void enter_onlookers(Grouping *self) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < self->onlooker_count && self->is_exact; at++) {
    HbgRegion *region = self->tallies[at] ? self->tallies[at] : assembled_onlooker(sim, self->onlookers[at]);
    if (region) {
      hbg_region_enter(sim, region);
      ARENA_PUSH(&sim->scratch, self->made, self->made_count, self->made_capacity) = region;
    } else {
      self->is_exact = false;
    }
  }
}

/* ---- guards ---- */

static void foretell(HbgSim *sim, int32_t machine, bool *is_possible) {
  hbg_local_set_due(sim, machine, hbg_watch_machine(sim, &sim->local->watches, machine, is_possible));
}

/* Machines that read a region that has started anew, and those of the instant itself. */
static void foretell_touched(Grouping *self) {
  HbgSim *sim = self->sim;
  HbgLocal *local = sim->local;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) foretell(sim, sim->scope.machines.list[at], &self->is_exact);
  for (int32_t at = 0; at < self->made_count; at++)
    for (int32_t which = 0; which < self->made[at]->machine_count; which++)
      if (!hbg_scope_has_machine(sim, self->made[at]->machines[which])) foretell(sim, self->made[at]->machines[which], &self->is_exact);
  for (int32_t at = 0; at < sim->scope.ticks.count; at++) {
    const int32_t tick = sim->scope.ticks.list[at];
    hbg_queue_set(&local->queue, sim->model->machine_count + tick, hbg_tick_next(&sim->ticks[tick], sim->time));
  }
}

/* ---- whose guards turn out to need steps ---- */

/* They go on by steps from here, as they will from now on. False: one cannot, or somebody looks at what its motion was. */
static bool turn_to_steps(Grouping *self) {
  HbgSim *sim = self->sim;
  HbgLocal *local = sim->local;
  const int32_t count = local->turned_count;
  local->turned_count = 0;
  if (!count || sim->local->onlookers.count) return false;
  for (int32_t at = 0; at < count; at++) {
    HbgRegion *region = local->turned[at];
    hbg_region_sync(sim, region, sim->time);
    hbg_region_assemble(sim, region);
    if (region->motion || !hbg_region_may_step(sim, region)) return false;
    region->is_stepped = true;
    hbg_region_enter(sim, region);
    if (!hbg_scope_has_state(sim, region->states[0])) ARENA_PUSH(&sim->scratch, self->made, self->made_count, self->made_capacity) = region;
  }
  return true;
}

static void foretell_all(Grouping *self) {
  self->sim->local->turned_count = 0;
  foretell_touched(self);
  while (!self->is_exact && !self->is_alone && turn_to_steps(self)) {
    self->is_exact = true;
    foretell_touched(self);
  }
}

/* ---- all ---- */

/* False: there is no way. */
static bool group_once(Grouping *self) {
  HbgSim *sim = self->sim;
  self->is_exact = true;
  for (int32_t at = 0; at < self->state_count; at++) hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, self->states[at]), (double)INFINITY);
  hbg_onlookers_let_tallies_leave(sim);
  make_regions(self);
  while (tallies_come_back(self)) {
    if (self->state_count < sim->model->state_count) return false; // what they look at may be no part of this
    make_regions(self);
  }
  enter_all(self);
  enter_onlookers(self);
  if (self->is_exact) foretell_all(self);
  return self->is_exact;
}

/* Once more where guards turn out to tie some of them, from the states at the instant: to tell when guards turn is to look ahead. */
static bool group(Grouping *self) {
  HbgSim *sim = self->sim;
  if (sim->cuts.deliveries.present_count) return false; // what a storage receives that is cut off, no region knows alone
  self->parent = ARENA_FULL(&sim->scratch, int32_t, self->island_count + self->state_count);
  double *here = ARENA_NEW(&sim->scratch, double, self->state_count);
  for (int32_t at = 0; at < self->state_count; at++) here[at] = sim->now.state[self->states[at]];
  HbgTies *ties = &sim->local->ties;
  ties->are_too_many = false;
  for (;;) {
    const int32_t count = ties->count;
    if (group_once(self)) return true;
    if (ties->count == count || ties->are_too_many) return false;
    for (int32_t at = 0; at < self->state_count; at++) sim->now.state[self->states[at]] = here[at];
    sim->now.time = sim->time;
  }
}

bool hbg_local_regroup(HbgSim *sim, HbgRecipeUse *recipe) {
  Grouping self = {.sim = sim, .states = sim->scope.states.list, .state_count = sim->scope.states.count};
  sim->local->group_stamp++;
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) add_island(&self, sim->island_of[sim->scope.bonds.list[at]]);
  if (!group(&self)) return false;
  if (recipe) hbg_recipe_finish(sim, recipe, self.made, self.made_count);
  return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/neighbourhood.h"

#include "hybrid/local_parts.h"

/* One kind of members while they are gathered: each of them is found by its number at once, wherever it stands for now. */
typedef struct Members {
  HbgPlaces *places;
  int32_t *where; /* per number of the model: its place, if it is one of them */
} Members;

typedef struct Surveyor {
  HbgSim *sim;
  HbgNeighbourhood *of;
  HbgKey *key;
  Members machines, states, bonds, nodes;
  const HbgShape *machine_shape[HBG_NEIGHBOURHOOD_MOST]; /* by place */
  const HbgShape *node_shape[HBG_NEIGHBOURHOOD_MOST];
  int32_t region_of_bond[HBG_NEIGHBOURHOOD_MOST];  /* -1: it hangs */
  int32_t region_of_state[HBG_NEIGHBOURHOOD_MOST];
  bool is_possible;
} Surveyor;

/* ---- places ---- */

int32_t hbg_place_of(const HbgPlaces *places, int32_t number) {
  int32_t low = 0, high = places->count;
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (places->list[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low < places->count && places->list[low] == number ? low : -1;
}

static inline int32_t place_of(const Members *members, int32_t number) {
  const int32_t place = members->where[number];
  return place < members->places->count && members->places->list[place] == number ? place : -1;
}

static inline void take(Surveyor *self, const Members *to, int32_t number) {
  HbgPlaces *places = to->places;
  if (place_of(to, number) >= 0) return;
  if (places->count == HBG_NEIGHBOURHOOD_MOST) {
    self->is_possible = false;
    return;
  }
  to->where[number] = places->count;
  places->list[places->count++] = number;
}

static void sort(const Members *members) {
  hbg_key_sort(members->places->list, members->places->count);
  for (int32_t at = 0; at < members->places->count; at++) members->where[members->places->list[at]] = at;
}

/* Into its place at once: of what there is little. */
static void insert(Surveyor *self, HbgPlaces *to, int32_t number) {
  int32_t at = to->count;
  while (at > 0 && to->list[at - 1] > number) at--;
  if (at > 0 && to->list[at - 1] == number) return;
  if (to->count == HBG_NEIGHBOURHOOD_MOST) {
    self->is_possible = false;
    return;
  }
  for (int32_t place = to->count; place > at; place--) to->list[place] = to->list[place - 1];
  to->list[at] = number;
  to->count++;
}

/* ---- who belongs to it ---- */

static void add_island(Surveyor *self, const HbgIsland *island) {
  for (int32_t bond = 0; self->is_possible && bond < island->graph.bond_count; bond++) {
    const HbgBond *at = &self->sim->model->bonds[island->graph.bonds[bond].bond];
    take(self, &self->bonds, island->graph.bonds[bond].bond);
    take(self, &self->nodes, at->tail);
    take(self, &self->nodes, at->head);
  }
}

static void add_region(Surveyor *self, const HbgRegion *region) {
  for (int32_t at = 0; at < region->island_count; at++) add_island(self, region->islands[at]);
  for (int32_t at = 0; self->is_possible && at < region->count; at++) take(self, &self->states, region->states[at]);
}

/* What is read besides: scheduled conditions, and machines that do not take part. */
static void add_references(Surveyor *self, const HbgShape *shape) {
  if (!shape) self->is_possible = false;
  for (int32_t at = 0; self->is_possible && at < shape->reference_count; at++) {
    const HbgReference *reference = &shape->references[at];
    if (reference->kind == HBG_REFERS_TO_TICK) insert(self, &self->of->ticks, reference->number);
    if (reference->kind == HBG_REFERS_TO_VARIABLE) insert(self, &self->of->variables, reference->number);
    if (reference->kind == HBG_REFERS_TO_MACHINE && place_of(&self->machines, reference->number) < 0)
      insert(self, &self->of->others, reference->number);
  }
}

static const HbgShape *shape_of_state(Surveyor *self, int32_t state) {
  return state < self->sim->first_integrator ? NULL : hbg_shape_of_integrator(self->sim, &self->sim->local->shapes, state);
}

static void add_all_references(Surveyor *self) {
  HbgNeighbourhood *of = self->of;
  HbgShapes *shapes = &self->sim->local->shapes;
  for (int32_t at = 0; self->is_possible && at < of->machines.count; at++)
    add_references(self, self->machine_shape[at] = hbg_shape_of_machine(self->sim, shapes, of->machines.list[at]));
  for (int32_t at = 0; self->is_possible && at < of->nodes.count; at++) {
    const int32_t node = of->nodes.list[at], fixing = hbg_transcript_fixed_before(self->sim, node);
    add_references(self, self->node_shape[at] = hbg_shape_of_node(self->sim, shapes, node));
    if (fixing >= 0) add_references(self, hbg_shape_of_node(self->sim, shapes, fixing));
  }
  for (int32_t at = 0; self->is_possible && at < of->states.count; at++)
    if (of->states.list[at] >= self->sim->first_integrator) add_references(self, shape_of_state(self, of->states.list[at]));
}

/* Where sets of states take the place of regions: the islands that were read, with their states and those that guards read by themselves. */
static void gather_in_sets(Surveyor *self) {
  const HbgSim *sim = self->sim;
  const HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; self->is_possible && at < transcript->island_count; at++) {
    const HbgIsland *island = transcript->islands[at];
    const int32_t own = island->is_hanging ? sim->model->nodes[island->element].state : -1;
    add_island(self, island);
    if (self->is_possible && own >= 0) take(self, &self->states, own);
    for (int32_t state = 0; self->is_possible && !island->is_hanging && state < island->program->template.state_count; state++)
      take(self, &self->states, island->binding.states[state]);
  }
  for (int32_t at = 0; self->is_possible && at < transcript->state_count; at++) take(self, &self->states, transcript->states[at]);
}

static void gather(Surveyor *self) {
  const HbgSim *sim = self->sim;
  const HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) take(self, &self->machines, sim->scope.machines.list[at]);
  for (int32_t at = 0; at < sim->scope.ticks.count; at++) insert(self, &self->of->ticks, sim->scope.ticks.list[at]);
  for (int32_t at = 0; self->is_possible && at < transcript->region_count; at++) add_region(self, transcript->regions[at]);
  for (int32_t at = 0; self->is_possible && at < transcript->hanging_count; at++) add_island(self, transcript->hanging[at]);
  if (sim->local->is_coupled) gather_in_sets(self);
  sort(&self->machines);
  sort(&self->states);
  sort(&self->bonds);
  sort(&self->nodes);
  add_all_references(self);
}

/* ---- how it is connected ---- */

/* Each island stands for itself, and is called by its first bond; states belong together or not. */
static void find_islands(Surveyor *self) {
  const HbgTranscript *transcript = &self->sim->transcript;
  for (int32_t at = 0; at < transcript->island_count; at++) {
    const HbgGraph *graph = &transcript->islands[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      self->region_of_bond[place_of(&self->bonds, graph->bonds[bond].bond)] = place_of(&self->bonds, graph->bonds[0].bond);
  }
  for (int32_t at = 0; at < self->of->states.count; at++) self->region_of_state[at] = 0;
}

static void find_regions(Surveyor *self) {
  const HbgTranscript *transcript = &self->sim->transcript;
  for (int32_t at = 0; at < self->of->bonds.count; at++) self->region_of_bond[at] = -1;
  for (int32_t at = 0; at < transcript->region_count; at++) {
    const HbgRegion *region = transcript->regions[at];
    for (int32_t which = 0; which < region->island_count; which++)
      for (int32_t bond = 0; bond < region->islands[which]->graph.bond_count; bond++)
        self->region_of_bond[place_of(&self->bonds, region->islands[which]->graph.bonds[bond].bond)] = at;
    for (int32_t state = 0; state < region->count; state++)
      self->region_of_state[place_of(&self->states, region->states[state])] = at;
  }
}

static inline void describe(Surveyor *self, int32_t value) { hbg_key_add(self->key, value); }

/* A source that hangs elsewhere imposes what its law says, whatever happens to it: a number or a function of time. */
static void describe_outside(Surveyor *self, int32_t bond) {
  HbgSim *sim = self->sim;
  const HbgIsland *island = sim->island_of[bond];
  const bool is_source = island->is_hanging && !island->is_storage;
  const HbgShape *shape = is_source ? hbg_shape_of_node(sim, &sim->local->shapes, island->element) : NULL;
  if (!shape || shape->reference_count) self->is_possible = false;
  else describe(self, shape->number);
}

static void describe_reference(Surveyor *self, const HbgReference *reference) {
  const HbgNeighbourhood *of = self->of;
  int32_t place = -1;
  switch (reference->kind) {
    case HBG_REFERS_TO_STATE: place = place_of(&self->states, reference->number); break;
    case HBG_REFERS_TO_BOND: place = place_of(&self->bonds, reference->number); break;
    case HBG_REFERS_TO_TICK: place = hbg_place_of(&of->ticks, reference->number); break;
    case HBG_REFERS_TO_VARIABLE: place = hbg_place_of(&of->variables, reference->number); break;
    case HBG_REFERS_TO_MACHINE:
      place = place_of(&self->machines, reference->number);
      if (place < 0) place = HBG_NEIGHBOURHOOD_MOST + hbg_place_of(&of->others, reference->number);
      break;
  }
  describe(self, place);
  if (place >= 0) return;
  // what it reads lies outside
  if (reference->kind == HBG_REFERS_TO_BOND) describe_outside(self, reference->number);
  else self->is_possible = false;
}

static void describe_shape(Surveyor *self, const HbgShape *shape) {
  describe(self, shape->number);
  for (int32_t at = 0; at < shape->reference_count; at++) describe_reference(self, &shape->references[at]);
}

static void describe_machines(Surveyor *self) {
  HbgSim *sim = self->sim;
  const HbgNeighbourhood *of = self->of;
  describe(self, of->machines.count);
  for (int32_t at = 0; at < of->machines.count; at++) {
    describe_shape(self, self->machine_shape[at]);
    describe(self, sim->scope.first_phi[of->machines.list[at]]);
  }
  describe(self, of->others.count);
  for (int32_t at = 0; at < of->others.count; at++) {
    const int32_t phi = sim->now.phi[of->others.list[at]];
    describe(self, phi);
    describe(self, sim->model->machines[of->others.list[at]].states[phi].is_on);
  }
  describe(self, of->ticks.count);
  for (int32_t at = 0; at < of->ticks.count; at++) describe(self, sim->now.tick[of->ticks.list[at]]);
}

/* A junction of a machine outside stays as it is. */
static void describe_nodes(Surveyor *self) {
  HbgSim *sim = self->sim;
  const HbgPlaces *nodes = &self->of->nodes;
  describe(self, nodes->count);
  for (int32_t at = 0; at < nodes->count; at++) {
    const int32_t node = nodes->list[at], machine = sim->model->nodes[node].machine, fixing = hbg_transcript_fixed_before(sim, node);
    const int32_t place = machine < 0 ? -1 : place_of(&self->machines, machine);
    describe_shape(self, self->node_shape[at]);
    describe(self, place >= 0 ? place : -1 - sim->is_on[node]);
    if (fixing >= 0) describe_shape(self, hbg_shape_of_node(sim, &sim->local->shapes, fixing));
    describe(self, fixing < 0 ? -1 : place_of(&self->nodes, fixing));
  }
}

static void describe_bonds(Surveyor *self) {
  const HbgSim *sim = self->sim;
  const HbgPlaces *bonds = &self->of->bonds;
  const uint8_t *shows_bond = hbg_shown_now(self->sim)->shows_bond, *reads_bond = hbg_shown_now(self->sim)->reads_bond;
  describe(self, bonds->count);
  for (int32_t at = 0; at < bonds->count; at++) {
    const int32_t bond = bonds->list[at];
    describe(self, place_of(&self->nodes, sim->model->bonds[bond].tail));
    describe(self, place_of(&self->nodes, sim->model->bonds[bond].head));
    describe(self, self->region_of_bond[at]);
    describe(self, sim->laws.is_read[bond] + 2 * sim->laws.is_demanded[2 * bond] + 4 * sim->laws.is_demanded[2 * bond + 1] +
                       8 * shows_bond[bond] + 32 * reads_bond[bond]);
  }
}

static void describe_states(Surveyor *self) {
  const HbgSim *sim = self->sim;
  const HbgPlaces *states = &self->of->states;
  const uint8_t *shows_state = hbg_shown_now(self->sim)->shows_state;
  describe(self, states->count);
  for (int32_t at = 0; at < states->count; at++) {
    const int32_t state = states->list[at];
    describe(self, 2 * self->region_of_state[at] + shows_state[state]);
    if (state >= sim->first_integrator) describe_shape(self, shape_of_state(self, state));
    else describe(self, place_of(&self->nodes, sim->model->states[state].node));
  }
}

static void describe_regions(Surveyor *self) {
  const HbgTranscript *transcript = &self->sim->transcript;
  describe(self, transcript->region_count);
  for (int32_t at = 0; at < transcript->region_count; at++) {
    describe(self, transcript->motions[at] ? transcript->motions[at]->number : -1);
    describe(self, transcript->regions[at]->touch_stamp == self->sim->scope.stamp);
  }
}

/* Machines in the order of the model, since what is enabled at once fires in that order; what is due; what holds by location. */
static void describe_what_is_due(Surveyor *self) {
  const HbgLocal *local = self->sim->local;
  describe(self, local->due_count);
  for (int32_t at = 0; at < local->due_count; at++) {
    const int32_t machine = local->due[at], tick = machine - self->sim->model->machine_count;
    describe(self, tick < 0 ? place_of(&self->machines, machine) : -1 - hbg_place_of(&self->of->ticks, tick));
  }
  describe(self, local->located_count);
  for (int32_t at = 0; at < local->located_count; at++) {
    describe(self, place_of(&self->machines, local->located[at]->machine));
    describe(self, hbg_guards_place(&self->sim->guards, local->located[at]));
  }
}

bool hbg_neighbourhood(HbgSim *sim, HbgNeighbourhood *self, HbgKey *key) {
  Surveyor surveyor;
  surveyor.sim = sim;
  surveyor.of = self;
  surveyor.key = key;
  surveyor.machines = (Members){&self->machines, sim->local->place_by.machine};
  surveyor.states = (Members){&self->states, sim->local->place_by.state};
  surveyor.bonds = (Members){&self->bonds, sim->local->place_by.bond};
  surveyor.nodes = (Members){&self->nodes, sim->local->place_by.node};
  surveyor.is_possible = sim->local->is_coupled || !hbg_cuts_vary(&sim->cuts);
  self->machines.count = self->others.count = self->ticks.count = self->variables.count = self->states.count = self->bonds.count = self->nodes.count = 0;
  if (surveyor.is_possible) gather(&surveyor);
  if (!surveyor.is_possible) return false;
  describe(&surveyor, sim->local->is_coupled);
  if (sim->local->is_coupled) find_islands(&surveyor);
  else find_regions(&surveyor);
  describe_machines(&surveyor);
  describe_nodes(&surveyor);
  describe_bonds(&surveyor);
  describe_states(&surveyor);
  describe_regions(&surveyor);
  describe_what_is_due(&surveyor);
  return surveyor.is_possible;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/patterns.h"

#include "hybrid/local_parts.h"

enum { MOST_NODES = 64, MOST_NUMBERS = 96 }; /* what is larger has no recipe, mostly */
enum { MOST_PORTS = 8 };

/* Somebody who tells a pattern. */
typedef struct Teller {
  HbgSim *sim;
  HbgKey *key;
  int32_t *first;                        /* of the anchor */
  int32_t nodes[MOST_NODES], node_count; /* that have been told */
  bool is_possible;
} Teller;

HbgPatterns hbg_patterns(const HbgSim *sim, HbgArena *arena) {
  return (HbgPatterns){.arena = arena,
                       .known = hbg_key_table(arena),
                       .key = hbg_key(arena),
                       .of_machine = ARENA_NEW(arena, HbgAnchor, sim->model->machine_count)};
}

/* ---- parts of patterns ---- */

static inline void tell(Teller *self, int32_t what) { hbg_key_add(self->key, what); }

/* Counted from the first one of its kind. */
static inline int32_t count_from_first(Teller *self, HbgNumberKind kind, int32_t number) {
  if (self->first[kind] < 0) self->first[kind] = number;
  return number - self->first[kind];
}

static inline void tell_number(Teller *self, HbgNumberKind kind, int32_t number) { tell(self, count_from_first(self, kind, number)); }

static inline bool has_many_ports(const HbgSim *sim, int32_t node) { return sim->model->nodes[node].port_count > MOST_PORTS; }

bool hbg_port_place(const HbgSim *sim, int32_t bond, HbgPortPlace *place) {
  const HbgBond *ends = &sim->model->bonds[bond];
  place->node = has_many_ports(sim, ends->tail) ? ends->head : ends->tail;
  place->port = 0;
  if (has_many_ports(sim, place->node)) return false;
  const HbgNode *node = &sim->model->nodes[place->node];
  while (hbg_port(sim->model, node, place->port)->bond != bond) place->port++;
  return true;
}

/* By twice what it is, and one more where that is its number itself. */
static inline void tell_node_number(Teller *self, int32_t node) {
  tell(self, has_many_ports(self->sim, node) ? 2 * node + 1 : 2 * count_from_first(self, HBG_NUMBERS_OF_NODES, node));
}

static void tell_bond_number(Teller *self, int32_t bond) {
  HbgPortPlace place;
  if (!hbg_port_place(self->sim, bond, &place)) self->is_possible = false;
  if (!self->is_possible) return;
  tell_number(self, HBG_NUMBERS_OF_NODES, place.node);
  tell(self, place.port);
}

static void tell_state_number(Teller *self, int32_t state) {
  const bool is_integrator = state >= self->sim->first_integrator;
  tell(self, is_integrator);
  if (is_integrator)
    tell_number(self, HBG_NUMBERS_OF_INTEGRATORS, state);
  else
    tell_node_number(self, self->sim->model->states[state].node);
}

static void tell_node(Teller *self, int32_t node);

static bool is_source(HbgElementKind kind) { return kind == HBG_ELEMENT_SE || kind == HBG_ELEMENT_SF; }

/* What a source imposes may be read far away from all else. */
static void tell_sources(Teller *self, int32_t bond) {
  const HbgFlatModel *model = self->sim->model;
  const int32_t ends[2] = {model->bonds[bond].tail, model->bonds[bond].head};
  for (int end = 0; end < 2; end++)
    if (is_source(model->nodes[ends[end]].kind)) tell_node(self, ends[end]);
}

static void tell_reference(Teller *self, const HbgReference *reference) {
  switch (reference->kind) {
    case HBG_REFERS_TO_STATE: tell_state_number(self, reference->number); break;
    case HBG_REFERS_TO_BOND:
      tell_bond_number(self, reference->number);
      tell_sources(self, reference->number);
      break;
    case HBG_REFERS_TO_MACHINE: tell_number(self, HBG_NUMBERS_OF_MACHINES, reference->number); break;
    case HBG_REFERS_TO_TICK: tell_number(self, HBG_NUMBERS_OF_TICKS, reference->number); break;
    case HBG_REFERS_TO_VARIABLE: self->is_possible = false; break;
  }
}

static void tell_shape(Teller *self, const HbgShape *shape) {
  if (!shape) {
    self->is_possible = false;
    return;
  }
  tell(self, shape->number);
  for (int32_t at = 0; at < shape->reference_count; at++) tell_reference(self, &shape->references[at]);
}

static void tell_node(Teller *self, int32_t node) {
  HbgSim *sim = self->sim;
  HbgShapes *shapes = &sim->local->shapes;
  tell_node_number(self, node);
  for (int32_t at = 0; at < self->node_count; at++)
    if (self->nodes[at] == node) return;
  if (self->node_count == MOST_NODES) {
    self->is_possible = false;
    return;
  }
  self->nodes[self->node_count++] = node;
  const int32_t machine = sim->model->nodes[node].machine, fixing = sim->cuts.fixed_by[node];
  tell(self, (machine >= 0) + 2 * (fixing >= 0));
  tell_shape(self, hbg_shape_of_node(sim, shapes, node));
  if (machine >= 0) tell_number(self, HBG_NUMBERS_OF_MACHINES, machine);
  if (fixing < 0) return;
  if (has_many_ports(sim, node))
    tell(self, fixing);
  else
    tell_number(self, HBG_NUMBERS_OF_NODES, fixing);
  tell_shape(self, hbg_shape_of_node(sim, shapes, fixing));
}

static void tell_bond(Teller *self, int32_t bond) {
  const HbgSim *sim = self->sim;
  const HbgLaws *laws = &sim->laws;
  tell_bond_number(self, bond);
  tell(self, laws->is_read[bond] + 2 * laws->is_demanded[2 * bond] + 4 * laws->is_demanded[2 * bond + 1] +
                 8 * sim->local->patterns.shows->shows_bond[bond]);
  tell_node(self, sim->model->bonds[bond].tail);
  tell_node(self, sim->model->bonds[bond].head);
}

static void tell_numbers(Teller *self, HbgNumberKind kind, const int32_t *numbers, int32_t count) {
  tell(self, count);
  if (count > MOST_NUMBERS) self->is_possible = false;
  for (int32_t at = 0; self->is_possible && at < count; at++) tell_number(self, kind, numbers[at]);
}

static void tell_list(Teller *self, HbgNumberKind kind, const HbgLists *lists, int32_t of) {
  tell_numbers(self, kind, lists->list + lists->start[of], lists->start[of + 1] - lists->start[of]);
}

/* ---- regions ---- */

static void tell_state(Teller *self, int32_t state) {
  HbgSim *sim = self->sim;
  tell_state_number(self, state);
  tell(self, sim->local->patterns.shows->shows_state[state]);
  if (state >= sim->first_integrator) tell_shape(self, hbg_shape_of_integrator(sim, &sim->local->shapes, state));
}

static void tell_region(Teller *self, const HbgRegion *region) {
  tell(self, -1);
  tell(self, region->count);
  if (region->count > MOST_NUMBERS) self->is_possible = false;
  for (int32_t at = 0; self->is_possible && at < region->count; at++) tell_state(self, region->states[at]);
  tell(self, region->guest_count);
  for (int32_t at = 0; self->is_possible && at < region->guest_count; at++) tell_state_number(self, region->guests[at]);
  tell(self, region->island_count);
  for (int32_t at = 0; at < region->island_count; at++) {
    const HbgGraph *graph = &region->islands[at]->graph;
    tell(self, graph->bond_count);
    for (int32_t bond = 0; self->is_possible && bond < graph->bond_count; bond++)
      tell_bond(self, graph->bonds[bond].bond);
  }
  tell_numbers(self, HBG_NUMBERS_OF_MACHINES, region->machines, region->machine_count);
}

/* ---- machines ---- */

/* What is touched with a bond where that hangs. */
static void tell_touched(Teller *self, int32_t bond) {
  tell_bond(self, bond);
  tell_list(self, HBG_NUMBERS_OF_MACHINES, &self->sim->who_reads->of_bond, bond);
}

static void tell_switched(Teller *self, int32_t node) {
  const HbgFlatModel *model = self->sim->model;
  tell_node(self, node);
  tell(self, model->nodes[node].port_count);
  for (int32_t which = 0; self->is_possible && which < model->nodes[node].port_count; which++)
    tell_touched(self, hbg_port(model, &model->nodes[node], which)->bond);
}

/* What a source delivers that is cut off lies anywhere. */
static void tell_law(Teller *self, int32_t node) {
  const HbgSim *sim = self->sim;
  const int32_t bond = hbg_port(sim->model, &sim->model->nodes[node], 0)->bond, *of_node = sim->cuts.deliveries.of_node;
  if (of_node[sim->model->bonds[bond].tail] >= 0 || of_node[sim->model->bonds[bond].head] >= 0)
    self->is_possible = false;
  else
    tell_touched(self, bond);
}

static void tell_machine(Teller *self, int32_t machine) {
  HbgSim *sim = self->sim;
  const HbgLaws *laws = &sim->laws;
  const HbgLists *read = &sim->who_reads->by_machine;
  tell(self, -2);
  tell_number(self, HBG_NUMBERS_OF_MACHINES, machine);
  tell_shape(self, hbg_shape_of_machine(sim, &sim->local->shapes, machine));
  tell(self, read->start[machine + 1] - read->start[machine]);
  for (int32_t at = read->start[machine]; at < read->start[machine + 1]; at++) {
    tell(self, read->list[at] >= 0);
    if (read->list[at] >= 0)
      tell_state_number(self, read->list[at]);
    else
      tell_bond_number(self, -1 - read->list[at]);
  }
  tell(self, laws->switched_start[machine + 1] - laws->switched_start[machine]);
  for (int32_t at = laws->switched_start[machine]; self->is_possible && at < laws->switched_start[machine + 1]; at++)
    tell_switched(self, laws->switched_list[at]);
  tell(self, laws->reader_start[machine + 1] - laws->reader_start[machine]);
  for (int32_t at = laws->reader_start[machine]; self->is_possible && at < laws->reader_start[machine + 1]; at++)
    tell_law(self, laws->reader_list[at]);
  tell_list(self, HBG_NUMBERS_OF_MACHINES, &sim->who_reads->of_machine, machine);
  tell_list(self, HBG_NUMBERS_OF_INTEGRATORS, &sim->local->integrators_of_machine, machine);
}

/* ---- patterns ---- */

static Teller begin(HbgSim *sim, HbgAnchor *anchor) {
  HbgPatterns *patterns = &sim->local->patterns;
  patterns->key.count = 0;
  patterns->made++;
  anchor->edition = patterns->edition;
  anchor->pattern = NULL;
  for (int kind = 0; kind < HBG_NUMBER_KINDS; kind++) anchor->first[kind] = -1;
  return (Teller){.sim = sim, .key = &patterns->key, .first = anchor->first, .is_possible = true};
}

static void end(const Teller *self, HbgAnchor *anchor) {
  HbgPatterns *patterns = &self->sim->local->patterns;
  if (!self->is_possible) return;
  HbgPattern *pattern = hbg_key_table_find(&patterns->known, self->key->list, self->key->count);
  if (!pattern) {
    pattern = ARENA_NEW(patterns->arena, HbgPattern, 1);
    hbg_key_table_add(&patterns->known, hbg_key_keep(self->key, patterns->arena), self->key->count, pattern);
  }
  pattern->member_count++;
  anchor->pattern = pattern;
}

/* Rows show something else: what has been told is no more so. */
__attribute__((noinline)) static void begin_anew(HbgSim *sim) {
  HbgPatterns *patterns = &sim->local->patterns;
  patterns->shows = hbg_shown_now(sim);
  patterns->known = hbg_key_table(patterns->arena);
  patterns->edition++;
  patterns->made = 0;
}

static inline void keep_up(HbgSim *sim) {
  if (sim->local->patterns.shows != hbg_shown_now(sim)) begin_anew(sim);
}

/* ---- those that lie side by side ---- */

enum { MOST_BESIDE = 64, TRUST = 8 };

/* As shapes do it: the more have been asked for so far, the more are made at once around one. */
static int32_t block_size(const HbgPatterns *patterns) {
  int32_t size = 1;
  while (size < MOST_BESIDE && TRUST * size <= patterns->made) size *= 2;
  return size;
}

static void make_machine(HbgSim *sim, int32_t machine) {
  HbgAnchor *anchor = &sim->local->patterns.of_machine[machine];
  if (anchor->edition == sim->local->patterns.edition) return;
  Teller teller = begin(sim, anchor);
  tell_machine(&teller, machine);
  end(&teller, anchor);
}

const HbgAnchor *hbg_pattern_of_machine(HbgSim *sim, int32_t machine) {
  HbgPatterns *patterns = &sim->local->patterns;
  keep_up(sim);
  if (patterns->of_machine[machine].edition != patterns->edition) {
    const int32_t size = block_size(patterns), start = machine / size * size;
    for (int32_t at = start; at < start + size && at < sim->model->machine_count; at++) make_machine(sim, at);
  }
  return &patterns->of_machine[machine];
}

static void make_region(HbgSim *sim, HbgRegion *region) {
  if (region->anchor.edition == sim->local->patterns.edition) return;
  Teller teller = begin(sim, &region->anchor);
  tell_region(&teller, region);
  end(&teller, &region->anchor);
}

/* Those whose first states lie beside that of `region`. */
static void make_regions_beside(HbgSim *sim, const HbgRegion *region) {
  const int32_t size = block_size(&sim->local->patterns), start = region->states[0] / size * size;
  for (int32_t state = start; state < start + size && state < sim->model->state_count; state++) {
    HbgRegion *beside = sim->local->region_of[state];
    if (beside && beside->states[0] == state) make_region(sim, beside);
  }
}

const HbgAnchor *hbg_pattern_of_region(HbgSim *sim, HbgRegion *region) {
  keep_up(sim);
  if (region->anchor.edition != sim->local->patterns.edition) {
    if (region->count) make_regions_beside(sim, region);
    make_region(sim, region);
  }
  return &region->anchor;
}

bool hbg_is_displaced(HbgDisplacement *displacement, const HbgAnchor *home, const HbgAnchor *here) {
  if (!here->pattern || home->pattern != here->pattern) return false;
  for (int kind = 0; kind < HBG_NUMBER_KINDS; kind++) {
    if (home->first[kind] < 0) continue;  // and so is the other's
    const int32_t by = here->first[kind] - home->first[kind];
    if (displacement->is_known[kind] && displacement->by[kind] != by) return false;
    displacement->by[kind] = by;
    displacement->is_known[kind] = true;
  }
  return true;
}

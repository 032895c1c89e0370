/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of the present mode. A junction that is off separates, so in every mode the graph falls apart into islands;
 * entering a mode regroups only the bonds of those islands that a switched junction touches. Every island ever met is kept,
 * and so is what came of every change, so that a change met again costs a look-up. */
#include <string.h>

#include "base/key.h"
#include "hybrid/sim.h"

/* ---- what holds together ---- */

/* A source at the port of a junction that is off, read by no law: nothing depends on it, and what its own law reads need
 * not join it to anything. */
static bool is_hanging(const HbgSim *sim, int32_t bond) {
  const HbgBond *ends = &sim->model->bonds[bond];
  // what the source itself delivers is summed up afterwards
  if (sim->fixed_by[ends->head] == ends->tail || sim->fixed_by[ends->tail] == ends->head) return true;
  const bool head_off = !sim->is_on[ends->head], tail_off = !sim->is_on[ends->tail];
  if (head_off == tail_off || sim->laws.is_read[bond]) return false;
  const HbgNode *off = &sim->model->nodes[head_off ? ends->head : ends->tail];
  const HbgNode *source = &sim->model->nodes[head_off ? ends->tail : ends->head];
  // e = u against e = 0 is a contradiction that must be told, not overlooked
  return (source->kind == HBG_ELEMENT_SF && off->kind == HBG_ELEMENT_ZERO) ||
         (source->kind == HBG_ELEMENT_SE && off->kind == HBG_ELEMENT_ONE);
}

typedef struct Search {
  HbgSim *sim;
  int32_t *queue;
  int32_t count;
} Search;

static void reach(Search *search, int32_t bond) {
  if (search->sim->bond_stamp[bond] == search->sim->stamp) return;
  search->sim->bond_stamp[bond] = search->sim->stamp;
  search->queue[search->count++] = bond;
}

static void reach_through_node(Search *search, int32_t node) {
  HbgSim *sim = search->sim;
  if (!sim->is_on[node] || sim->fixed_by[node] >= 0 || sim->node_stamp[node] == sim->stamp) return;
  sim->node_stamp[node] = sim->stamp; // a large junction is walked once
  const HbgNode *at = &sim->model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++) reach(search, hbg_port(sim->model, at, which)->bond);
}

static void reach_through_links(Search *search, int32_t bond) {
  const HbgLaws *laws = &search->sim->laws;
  for (int32_t at = laws->link_start[bond]; at < laws->link_start[bond + 1]; at++) {
    const HbgLink *link = &laws->link_list[at];
    if (is_hanging(search->sim, link->reader)) continue;
    reach(search, link->reader == bond ? link->read : link->reader);
  }
}

/* All bonds that belong together with `bond`, into `queue`; answers how many. */
static int32_t gather(HbgSim *sim, int32_t bond, int32_t *queue) {
  Search search = {sim, queue, 0};
  reach(&search, bond);
  for (int32_t at = 0; at < search.count; at++) {
    const int32_t here = queue[at];
    if (is_hanging(sim, here)) continue;
    reach_through_node(&search, sim->model->bonds[here].tail);
    reach_through_node(&search, sim->model->bonds[here].head);
    reach_through_links(&search, here);
  }
  return search.count;
}

/* ---- islands ---- */

/* Bonds, which of their ends are on, and the states of the machines that laws of the island read. */
static HbgKey island_key(HbgSim *sim, const int32_t *bonds, int32_t count) {
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < count; at++) {
    const HbgBond *bond = &sim->model->bonds[bonds[at]];
    hbg_key_add(&key, bonds[at]);
    hbg_key_add(&key, sim->is_on[bond->tail] * 2 + sim->is_on[bond->head]);
    const int32_t ends[2] = {bond->tail, bond->head};
    for (int end = 0; end < 2; end++)
      for (int32_t read = sim->laws.read_start[ends[end]]; read < sim->laws.read_start[ends[end] + 1]; read++)
        hbg_key_add(&key, -1 - sim->now.phi[sim->laws.read_list[read]]);
  }
  return key;
}

static int32_t *copy_list(HbgArena *arena, const int32_t *list, int32_t count) {
  int32_t *copy = ARENA_NEW(arena, int32_t, count);
  if (count) memcpy(copy, list, (size_t)count * sizeof *copy);
  return copy;
}

static void make_hanging(HbgSim *sim, HbgIsland *island) {
  island->is_hanging = true;
  island->place = -1;
  HbgExprPool *pool = &sim->laws.pool;
  const HbgExpr law = sim->model->nodes[island->graph.nodes[0].node].law;
  island->pre = hbg_probe(sim->model, pool, &law, 1, sim->arena);
}

static HbgIsland *make_island(HbgSim *sim, const int32_t *bonds, int32_t count) {
  HbgIsland *island = ARENA_NEW(sim->arena, HbgIsland, 1);
  island->graph = hbg_graph_make(&sim->graphs, bonds, count, sim->is_on, sim->arena);
  if (count == 1 && is_hanging(sim, bonds[0])) {
    make_hanging(sim, island);
    return island;
  }
  HbgTemplate template;
  hbg_template_make(&sim->laws, &island->graph, sim->now.phi, sim->arena, &template, &island->binding);
  island->program = hbg_program_for(&sim->programs, &sim->laws, &template, sim->assignment);
  hbg_island_init(&sim->solver, island);
  for (int32_t at = 0; at < count; at++)
    if (sim->guards.is_read[hbg_effort_of(bonds[at])] || sim->guards.is_read[hbg_flow_of(bonds[at])])
      island->is_watched = true;
  return island;
}

static HbgIsland *island_for(HbgSim *sim, const int32_t *bonds, int32_t count) {
  const HbgKey key = island_key(sim, bonds, count);
  HbgIsland *island = hbg_key_table_find(&sim->known_islands, key.list, key.count);
  if (island) return island;
  island = make_island(sim, bonds, count);
  island->number = sim->known_islands.count;
  hbg_key_table_add(&sim->known_islands, copy_list(sim->arena, key.list, key.count), key.count, island);
  return island;
}

static void add_island(HbgSim *sim, HbgIsland *island) {
  island->is_new = island->is_touched = sim->islands_changed = true;
  island->place = sim->island_count;
  if (!island->is_hanging) hbg_island_unprepare(island); // scheduled conditions may have changed meanwhile
  ARENA_PUSH(sim->arena, sim->islands, sim->island_count, sim->island_capacity) = island;
  for (int32_t at = 0; at < island->graph.bond_count; at++) sim->island_of[island->graph.bonds[at].bond] = island;
}

static void remove_island(HbgSim *sim, HbgIsland *island) {
  sim->islands_changed = true;
  HbgIsland *last = sim->islands[--sim->island_count];
  sim->islands[island->place] = last;
  last->place = island->place;
  island->place = -1;
}

/* ---- entering ---- */

/* From one mode to the next. */
typedef struct Change {
  HbgSim *sim;
  HbgIsland **gone; int32_t gone_count, gone_capacity; /* islands that were taken away, in the scratch arena */
} Change;

/* Takes the island of `bond` away, if it is present; answers whether it was. */
static bool dissolve(Change *change, int32_t bond) {
  HbgSim *sim = change->sim;
  HbgIsland *island = sim->island_of[bond];
  if (!island || island->place < 0) return false;
  remove_island(sim, island);
  ARENA_PUSH(&sim->scratch, change->gone, change->gone_count, change->gone_capacity) = island;
  return true;
}

static void dissolve_node(Change *change, int32_t node) {
  const HbgFlatModel *model = change->sim->model;
  for (int32_t which = 0; which < model->nodes[node].port_count; which++)
    dissolve(change, hbg_port(model, &model->nodes[node], which)->bond);
}

/* The junctions of a machine take its state; what they and the laws that read it belong to falls apart. */
static void switch_machine(Change *change, int32_t machine) {
  HbgSim *sim = change->sim;
  const HbgLaws *laws = &sim->laws;
  const uint8_t is_on = sim->model->machines[machine].states[sim->now.phi[machine]].is_on;
  for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) {
    const int32_t node = laws->switched_list[at];
    if (sim->is_on[node] == is_on) continue;
    sim->is_on[node] = is_on;
    hbg_assignment_switch(sim->assignment, node, is_on);
    dissolve_node(change, node);
  }
  for (int32_t at = laws->reader_start[machine]; at < laws->reader_start[machine + 1]; at++)
    dissolve_node(change, laws->reader_list[at]);
}

/* Groups `loose` bonds into islands. */
static void regroup(Change *change, const int32_t *loose, int32_t loose_count) {
  HbgSim *sim = change->sim;
  sim->stamp++;
  for (int32_t at = 0; at < loose_count; at++) {
    if (sim->bond_stamp[loose[at]] == sim->stamp) continue;
    const int32_t count = gather(sim, loose[at], sim->bond_queue);
    // a source that hung may now belong to an island that was left alone, and take it with it
    for (int32_t which = 0; which < count; which++) dissolve(change, sim->bond_queue[which]);
    hbg_key_sort(sim->bond_queue, count);
    add_island(sim, island_for(sim, sim->bond_queue, count));
  }
}

static void regroup_all(Change *change) {
  HbgSim *sim = change->sim;
  int32_t *bonds = ARENA_NEW(&sim->scratch, int32_t, sim->model->bond_count);
  for (int32_t bond = 0; bond < sim->model->bond_count; bond++) bonds[bond] = bond;
  regroup(change, bonds, sim->model->bond_count);
}

static void regroup_gone(Change *change) {
  int32_t *loose = NULL, count = 0, capacity = 0;
  for (int32_t at = 0; at < change->gone_count; at++) {
    const HbgGraph *graph = &change->gone[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      ARENA_PUSH(&change->sim->scratch, loose, count, capacity) = graph->bonds[bond].bond;
  }
  hbg_key_sort(loose, count);
  regroup(change, loose, count);
}

/* The islands that came of a change met before. */
typedef struct KnownChange {
  HbgIsland **islands;
  int32_t count;
} KnownChange;

/* What the islands that are gone stand for, and the new states of the machines, say all of the islands that come. */
static HbgKey change_key(const Change *change, const int32_t *changed, int32_t count) {
  HbgKey key = hbg_key(&change->sim->scratch);
  for (int32_t at = 0; at < change->gone_count; at++) hbg_key_add(&key, change->gone[at]->number);
  for (int32_t at = 0; at < count; at++) {
    hbg_key_add(&key, -1 - changed[at]);
    hbg_key_add(&key, change->sim->now.phi[changed[at]]);
  }
  return key;
}

static void remember_change(HbgSim *sim, const HbgKey *key, int32_t first) {
  KnownChange *known = ARENA_NEW(sim->arena, KnownChange, 1);
  known->count = sim->island_count - first;
  known->islands = ARENA_NEW(sim->arena, HbgIsland *, known->count);
  for (int32_t at = 0; at < known->count; at++) known->islands[at] = sim->islands[first + at];
  hbg_key_table_add(&sim->known_changes, copy_list(sim->arena, key->list, key->count), key->count, known);
}

static void repeat_or_regroup(Change *change, const int32_t *changed, int32_t count) {
  HbgSim *sim = change->sim;
  if (!change->gone_count) return;
  const HbgKey key = change_key(change, changed, count);
  const KnownChange *known = hbg_key_table_find(&sim->known_changes, key.list, key.count);
  if (known) {
    for (int32_t at = 0; at < known->count; at++) add_island(sim, known->islands[at]);
    return;
  }
  const int32_t gone_count = change->gone_count, first = sim->island_count;
  regroup_gone(change);
  // where the new islands took in another one, the key does not tell of that
  if (change->gone_count == gone_count) remember_change(sim, &key, first);
}

void hbg_mode_enter(HbgSim *sim, const int32_t *changed, int32_t count) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const double start = sim->options.processor_seconds ? sim->options.processor_seconds(sim->options.user) : 0;
  Change change = {.sim = sim};
  const int32_t switched = count < 0 ? sim->model->machine_count : count;
  for (int32_t at = 0; at < switched; at++) switch_machine(&change, count < 0 ? at : changed[at]);
  hbg_assignment_settle(sim->assignment);
  if (count < 0) regroup_all(&change);
  else repeat_or_regroup(&change, changed, count);
  if (sim->options.processor_seconds)
    sim->solver.compile_s += sim->options.processor_seconds(sim->options.user) - start;
  hbg_arena_rewind(&sim->scratch, mark);
}

const char *hbg_mode_text(const HbgSim *sim, const int32_t *phi, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  const HbgFlatModel *model = sim->model;
  for (int32_t at = 0; at < model->shown_junction_count; at++) {
    const HbgNode *junction = &model->nodes[model->shown_junctions[at]];
    const HbgMachineState *state = &model->machines[junction->machine].states[phi[junction->machine]];
    hbg_text_add(&text, "%s%s %s", at ? ", " : "", junction->name, state->is_on ? "on" : "off");
    if (model->machines[junction->machine].state_count > 2) hbg_text_add(&text, " (%s)", state->name);
  }
  for (int32_t at = 0; at < model->machine_count; at++) {
    const HbgMachine *machine = &model->machines[at];
    if (!machine->switches) hbg_text_add(&text, "%s%s %s", text.length ? ", " : "", machine->name, machine->states[phi[at]].name);
  }
  return text.bytes;
}

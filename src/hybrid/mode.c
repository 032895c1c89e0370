/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of the present mode. A junction that is off separates, so in every mode the graph falls apart into islands;
 * entering a mode regroups only the bonds of those islands that a switched junction touches. Every island ever met is kept,
 * so that a mode met again costs a look-up. */
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

static HbgIsland **find_island(HbgSim *sim, const HbgKey *key, uint32_t hash) {
  HbgIsland **place = &sim->island_cache[hash % (uint32_t)sim->cache_size];
  for (; *place; place = &(*place)->next)
    if ((*place)->hash == hash && hbg_key_equal((*place)->key, (*place)->key_length, key->list, key->count))
      break;
  return place;
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

static void enlarge_cache(HbgSim *sim) {
  const int32_t old_size = sim->cache_size;
  HbgIsland **old = sim->island_cache;
  sim->cache_size = old_size ? old_size * 4 : 256;
  sim->island_cache = ARENA_NEW(sim->arena, HbgIsland *, sim->cache_size);
  for (int32_t at = 0; at < old_size; at++) {
    while (old[at]) {
      HbgIsland *island = old[at];
      old[at] = island->next;
      HbgIsland **place = &sim->island_cache[island->hash % (uint32_t)sim->cache_size];
      island->next = *place;
      *place = island;
    }
  }
}

static HbgIsland *island_for(HbgSim *sim, const int32_t *bonds, int32_t count) {
  const HbgKey key = island_key(sim, bonds, count);
  const uint32_t hash = hbg_key_hash(key.list, key.count);
  if (sim->cached_count >= sim->cache_size) enlarge_cache(sim);
  HbgIsland **place = find_island(sim, &key, hash);
  if (!*place) {
    HbgIsland *island = make_island(sim, bonds, count);
    island->key = copy_list(sim->arena, key.list, key.count);
    island->key_length = key.count;
    island->hash = hash;
    *place = island;
    sim->cached_count++;
  }
  return *place;
}

static void add_island(HbgSim *sim, HbgIsland *island) {
  island->is_new = true;
  island->place = sim->island_count;
  if (!island->is_hanging) hbg_island_unprepare(island); // scheduled conditions may have changed meanwhile
  ARENA_PUSH(sim->arena, sim->islands, sim->island_count, sim->island_capacity) = island;
  for (int32_t at = 0; at < island->graph.bond_count; at++)
    sim->island_of[island->graph.bonds[at].bond] = island->place;
}

static void remove_island(HbgSim *sim, HbgIsland *island) {
  HbgIsland *last = sim->islands[--sim->island_count];
  sim->islands[island->place] = last;
  last->place = island->place;
  for (int32_t at = 0; at < last->graph.bond_count; at++) sim->island_of[last->graph.bonds[at].bond] = last->place;
  island->place = -1;
}

/* ---- entering ---- */

typedef struct BondList {
  int32_t *list, count, capacity;
} BondList;

/* Takes the island of `bond` away and remembers its bonds for regrouping. */
static void dissolve(HbgSim *sim, int32_t bond, BondList *loose) {
  const int32_t place = sim->island_of[bond];
  if (place < 0) return;
  HbgIsland *island = sim->islands[place];
  remove_island(sim, island);
  for (int32_t at = 0; at < island->graph.bond_count; at++) {
    sim->island_of[island->graph.bonds[at].bond] = -1;
    ARENA_PUSH(&sim->scratch, loose->list, loose->count, loose->capacity) = island->graph.bonds[at].bond;
  }
}

static void dissolve_node(HbgSim *sim, int32_t node, BondList *loose) {
  for (int32_t which = 0; which < sim->model->nodes[node].port_count; which++)
    dissolve(sim, hbg_port(sim->model, &sim->model->nodes[node], which)->bond, loose);
}

/* The junctions of a machine take its state; what they and the laws that read it belong to falls apart. */
static void switch_machine(HbgSim *sim, int32_t machine, BondList *loose) {
  const HbgLaws *laws = &sim->laws;
  const uint8_t is_on = sim->model->machines[machine].states[sim->now.phi[machine]].is_on;
  for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) {
    const int32_t node = laws->switched_list[at];
    if (sim->is_on[node] == is_on) continue;
    sim->is_on[node] = is_on;
    hbg_assignment_switch(sim->assignment, node, is_on);
    dissolve_node(sim, node, loose);
  }
  for (int32_t at = laws->reader_start[machine]; at < laws->reader_start[machine + 1]; at++)
    dissolve_node(sim, laws->reader_list[at], loose);
}

static void regroup(HbgSim *sim, BondList *loose) {
  if (!loose->count) return;
  hbg_key_sort(loose->list, loose->count);
  sim->stamp++;
  for (int32_t at = 0; at < loose->count; at++) {
    if (sim->bond_stamp[loose->list[at]] == sim->stamp) continue;
    const int32_t count = gather(sim, loose->list[at], sim->bond_queue);
    // a source that hung may now belong to an island that was left alone, and take it with it
    const int32_t before = loose->count;
    for (int32_t which = 0; which < count; which++) dissolve(sim, sim->bond_queue[which], loose);
    loose->count = before;
    hbg_key_sort(sim->bond_queue, count);
    add_island(sim, island_for(sim, sim->bond_queue, count));
  }
}

void hbg_mode_enter(HbgSim *sim, const int32_t *changed, int32_t count) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const double start = sim->options.processor_seconds ? sim->options.processor_seconds(sim->options.user) : 0;
  BondList loose = {0};
  if (count < 0) {
    for (int32_t machine = 0; machine < sim->model->machine_count; machine++) switch_machine(sim, machine, &loose);
    for (int32_t bond = 0; bond < sim->model->bond_count; bond++)
      ARENA_PUSH(&sim->scratch, loose.list, loose.count, loose.capacity) = bond;
  } else {
    for (int32_t at = 0; at < count; at++) switch_machine(sim, changed[at], &loose);
  }
  hbg_assignment_settle(sim->assignment);
  regroup(sim, &loose);
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
  return text.bytes;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of the present mode. A junction that is off separates, so in every mode the graph falls apart into islands;
 * entering a mode regroups only the bonds of those islands that a switched junction touches. Every island ever met is kept,
 * and so is what came of every change, so that a change met again costs a look-up. */
#include <string.h>

#include "base/key.h"
#include "equations/boundary.h"
#include "hybrid/blocks.h"
#include "hybrid/gather.h"
#include "hybrid/sim.h"

/* ---- islands ---- */

/* Bonds with their causality, which of their ends are on, which are cut, and the states of the machines that laws of the island read. */
static HbgKey island_key(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < count; at++) {
    const HbgBond *bond = &sim->model->bonds[bonds[at]];
    const int is_cut = (fixed_by[bond->tail] >= 0) * 2 + (fixed_by[bond->head] >= 0);
    const int is_on = sim->is_on[bond->tail] * 2 + sim->is_on[bond->head];
    hbg_key_add(&key, bonds[at]);
    hbg_key_add(&key, is_on + 4 * is_cut + 16 * hbg_assignment_effort_from_tail(sim->assignment, bonds[at]));
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

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

/* A source by its law; a storage by its law and the derivative of that by the state. */
static void make_hanging(HbgSim *sim, const int32_t *fixed_by, HbgIsland *island) {
  const int32_t element = island->graph.nodes[0].node, junction = island->graph.nodes[1].node;
  const HbgFlatModel *model = sim->model;
  const int32_t given = hbg_gives_effort(model->nodes[element].kind) ? hbg_effort_of(island->graph.bonds[0].bond)
                                                                       : hbg_flow_of(island->graph.bonds[0].bond);
  island->is_hanging = true;
  island->is_storage = model->nodes[element].state >= 0;
  island->delivery = fixed_by[junction] == element ? sim->cuts.deliveries.of_node[junction] : -1;
  island->is_demanded = sim->laws.is_demanded[given];
  island->is_watched = !island->is_storage || sim->guards.is_read[given];
  island->place = -1;
  HbgExprPool *pool = &sim->laws.pool;
  HbgExpr law[2] = {model->nodes[element].law, 0};
  if (island->is_storage) {
    const HbgExpr state = hbg_expr_leaf(pool, HBG_OP_STATE, model->nodes[element].state, 0);
    law[1] = hbg_expr_derivative(pool, law[0], one_for, (void *)(uintptr_t)&state);
    island->reads_time = hbg_expr_depends(pool, law[0], hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0));
  }
  island->pre = hbg_probe(model, pool, law, island->is_storage ? 2 : 1, sim->arena);
}

/* The junction that node `port` of a graph, a port that something fixes, is a port of. */
static int32_t junction_of(const HbgSim *sim, const HbgGraph *graph, int32_t port, const int32_t *fixed_by) {
  const HbgBond *bond = &sim->model->bonds[graph->bonds[graph->ports[graph->nodes[port].first_port].bond].bond];
  return fixed_by[bond->tail] == graph->nodes[port].node ? bond->tail : bond->head;
}

/* Which of the storages at its border the island cannot do without (equations/boundary.h). */
static void find_needs(HbgSim *sim, const int32_t *fixed_by, HbgIsland *island) {
  const uint8_t *needs = hbg_boundary_needs(island->program, &sim->laws, sim->arena);
  int32_t capacity = 0;
  for (int32_t node = 0; node < island->graph.node_count; node++) {
    if (needs[node] == HBG_BOUNDARY_FREE) continue;
    if (needs[node] == HBG_BOUNDARY_IF_SINGULAR && hbg_island_is_regular(&sim->solver, island, &sim->now)) continue;
    ARENA_PUSH(sim->arena, island->needs, island->need_count, capacity) = junction_of(sim, &island->graph, node, fixed_by);
  }
}

static HbgIsland *make_island(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  HbgIsland *island = ARENA_NEW(sim->arena, HbgIsland, 1);
  sim->graphs.fixed_by = fixed_by;
  island->graph = hbg_graph_make(&sim->graphs, bonds, count, sim->is_on, sim->arena);
  island->delivery = -1;
  if (count == 1 && hbg_hangs(sim, fixed_by, bonds[0])) {
    make_hanging(sim, fixed_by, island);
    return island;
  }
  HbgTemplate template;
  hbg_template_make(&sim->laws, &island->graph, sim->now.phi, sim->arena, &template, &island->binding);
  island->program = hbg_program_for(&sim->programs, &sim->laws, &template, sim->assignment);
  hbg_island_init(&sim->solver, island);
  for (int32_t at = 0; at < count; at++)
    if (sim->guards.is_read[hbg_effort_of(bonds[at])] || sim->guards.is_read[hbg_flow_of(bonds[at])])
      island->is_watched = true;
  if (island->graph.is_cut_at_storage) find_needs(sim, fixed_by, island);
  return island;
}

HbgIsland *hbg_island_for(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  const HbgKey key = island_key(sim, fixed_by, bonds, count);
  HbgIsland *island = hbg_key_table_find(&sim->known_islands, key.list, key.count);
  if (island) return island;
  island = make_island(sim, fixed_by, bonds, count);
  island->number = sim->known_islands.count;
  hbg_key_table_add(&sim->known_islands, copy_list(sim->arena, key.list, key.count), key.count, island);
  return island;
}

void hbg_island_renew(HbgSim *sim, HbgIsland *island) {
  island->is_touched = true;
  if (island->is_new) return;
  island->is_new = true;
  ARENA_PUSH(sim->arena, sim->fresh, sim->fresh_count, sim->fresh_capacity) = island;
}

/* Where the graph is cut follows from the islands: a junction stands within one, or something hangs at it. */
static void note_cuts(HbgSim *sim, HbgIsland *island) {
  HbgCuts *cuts = &sim->cuts;
  if (!cuts->any_storage) return;
  if (island->is_hanging && island->is_storage) {
    cuts->fixed_by[island->graph.nodes[1].node] = island->graph.nodes[0].node;
    hbg_delivery_enter(&cuts->deliveries, island->delivery);
    return;
  }
  for (int32_t node = 0; node < island->graph.node_count; node++) {
    const HbgGraphNode *at = &island->graph.nodes[node];
    if (!at->is_off_port && !at->is_source_port && hbg_cut_storage(cuts, at->node) >= 0) cuts->fixed_by[at->node] = -1;
  }
}

static void add_island(HbgSim *sim, HbgIsland *island) {
  sim->islands_changed = true;
  hbg_island_renew(sim, island);
  island->place = sim->island_count;
  if (!island->is_hanging) hbg_island_unprepare(island); // scheduled conditions may have changed meanwhile
  ARENA_PUSH(sim->arena, sim->islands, sim->island_count, sim->island_capacity) = island;
  for (int32_t at = 0; at < island->graph.bond_count; at++) sim->island_of[island->graph.bonds[at].bond] = island;
  note_cuts(sim, island);
  if (island->is_hanging && !island->is_storage) sim->hanging_sources++;
}

static void remove_island(HbgSim *sim, HbgIsland *island) {
  sim->islands_changed = true;
  HbgIsland *last = sim->islands[--sim->island_count];
  sim->islands[island->place] = last;
  last->place = island->place;
  island->place = -1;
  if (!island->is_hanging) return;
  if (island->is_storage) hbg_delivery_leave(&sim->cuts.deliveries, island->delivery);
  else sim->hanging_sources--;
}

/* ---- entering ---- */

/* From one mode to the next. */
typedef struct Change {
  HbgSim *sim;
  HbgIslandList gone;  /* islands that were taken away, in the scratch arena */
  HbgIslandList come;  /* that took their places */
  HbgIslandList asked; /* that stay, and on which it depends how the others are grouped */
  HbgKey turned;       /* bonds whose causality is another one, where that matters outside of their islands */
} Change;

/* Takes the island of `bond` away, if it is present. */
static void dissolve(Change *change, int32_t bond) {
  HbgSim *sim = change->sim;
  HbgIsland *island = sim->island_of[bond];
  if (!island || island->place < 0) return;
  remove_island(sim, island);
  ARENA_PUSH(&sim->scratch, change->gone.list, change->gone.count, change->gone.capacity) = island;
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

/* A storage that has become dependent, or ceased to be, is within an island or hangs, with all that meets at its junction. */
static void settle_causality(Change *change) {
  HbgSim *sim = change->sim;
  const HbgAssignmentChange settled = hbg_assignment_settle(sim->assignment);
  if (!sim->cuts.any_storage) return;
  change->turned = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < settled.turned_count; at++) {
    const int32_t bond = settled.turned[at];
    const HbgBond *ends = &sim->model->bonds[bond];
    hbg_key_add(&change->turned, bond * 2 + hbg_assignment_effort_from_tail(sim->assignment, bond));
    dissolve(change, bond);
    if (hbg_blocks_renew(sim, ends->tail)) dissolve_node(change, ends->tail);
    if (hbg_blocks_renew(sim, ends->head)) dissolve_node(change, ends->head);
  }
}

/* Groups `loose` bonds into islands. */
static void regroup(Change *change, const int32_t *loose, int32_t loose_count) {
  HbgSim *sim = change->sim;
  if (sim->cuts.any_storage) hbg_blocks_cut(sim, loose, loose_count, &change->asked);
  sim->stamp++;
  for (int32_t at = 0; at < loose_count; at++) {
    if (sim->bond_stamp[loose[at]] == sim->stamp) continue;
    const int32_t count = hbg_gather(sim, sim->cuts.fixed_by, loose[at], sim->bond_queue);
    // what hung, or was cut off, may now belong to an island that was left alone, and take it with it
    for (int32_t which = 0; which < count; which++) dissolve(change, sim->bond_queue[which]);
    hbg_key_sort(sim->bond_queue, count);
    HbgIsland *island = hbg_island_for(sim, sim->cuts.fixed_by, sim->bond_queue, count);
    ARENA_PUSH(&sim->scratch, change->come.list, change->come.count, change->come.capacity) = island;
    add_island(sim, island);
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
  for (int32_t at = 0; at < change->gone.count; at++) {
    const HbgGraph *graph = &change->gone.list[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      ARENA_PUSH(&change->sim->scratch, loose, count, capacity) = graph->bonds[bond].bond;
  }
  hbg_key_sort(loose, count);
  regroup(change, loose, count);
}

/* The islands that came of a change met before. */
typedef struct KnownChange {
  HbgIslandList islands;
  HbgIslandList taken;       /* further islands that were taken away */
  HbgIslandList asked;       /* as in Change */
  struct KnownChange *other; /* of the same key, with other islands around; NULL: none */
} KnownChange;

/* What the islands that are gone stand for, and the new states of the machines, say all of the islands that come, but for what
 * they are joined to. */
static HbgKey change_key(const Change *change, const int32_t *changed, int32_t count) {
  HbgKey key = hbg_key(&change->sim->scratch);
  for (int32_t at = 0; at < change->gone.count; at++) hbg_key_add(&key, change->gone.list[at]->number);
  for (int32_t at = 0; at < count; at++) {
    hbg_key_add(&key, -1 - changed[at]);
    hbg_key_add(&key, change->sim->now.phi[changed[at]]);
  }
  for (int32_t at = 0; at < change->turned.count; at++) hbg_key_add(&key, change->turned.list[at]);
  return key;
}

static HbgIslandList keep(HbgSim *sim, HbgIsland *const *list, int32_t count) {
  HbgIslandList kept = {ARENA_NEW(sim->arena, HbgIsland *, count), count, count};
  if (count) memcpy(kept.list, list, (size_t)count * sizeof *list);
  return kept;
}

static bool are_present(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (islands->list[at]->place < 0) return false;
  return true;
}

static void repeat(Change *change, const KnownChange *known) {
  for (int32_t at = 0; at < known->taken.count; at++) dissolve(change, known->taken.list[at]->graph.bonds[0].bond);
  for (int32_t at = 0; at < known->islands.count; at++) add_island(change->sim, known->islands.list[at]);
}

static void repeat_or_regroup(Change *change, const int32_t *changed, int32_t count) {
  HbgSim *sim = change->sim;
  if (!change->gone.count) return;
  const HbgKey key = change_key(change, changed, count);
  KnownChange *first = hbg_key_table_find(&sim->known_changes, key.list, key.count);
  for (const KnownChange *known = first; known; known = known->other) {
    if (!are_present(&known->taken) || !are_present(&known->asked)) continue;
    repeat(change, known);
    return;
  }
  const int32_t gone_count = change->gone.count;
  regroup_gone(change);
  KnownChange *made = ARENA_NEW(sim->arena, KnownChange, 1);
  *made = (KnownChange){.islands = keep(sim, change->come.list, change->come.count),
                        .taken = keep(sim, change->gone.list + gone_count, change->gone.count - gone_count),
                        .asked = keep(sim, change->asked.list, change->asked.count)};
  if (first) {
    made->other = first->other;
    first->other = made;
  } else {
    hbg_key_table_add(&sim->known_changes, copy_list(sim->arena, key.list, key.count), key.count, made);
  }
}

void hbg_mode_enter(HbgSim *sim, const int32_t *changed, int32_t count) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const double start = sim->options.processor_seconds ? sim->options.processor_seconds(sim->options.user) : 0;
  Change change = {.sim = sim};
  const int32_t switched = count < 0 ? sim->model->machine_count : count;
  for (int32_t at = 0; at < switched; at++) switch_machine(&change, count < 0 ? at : changed[at]);
  settle_causality(&change);
  if (count < 0) regroup_all(&change);
  else repeat_or_regroup(&change, changed, count);
  if (sim->options.processor_seconds)
    sim->solver.compile_s += sim->options.processor_seconds(sim->options.user) - start;
  hbg_arena_rewind(&sim->scratch, mark);
}

static int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

int32_t hbg_energy_island_count(const HbgSim *sim) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  int32_t *parent = sim->bond_queue, count = sim->island_count; // work space: an island has a bond at least
  for (int32_t at = 0; at < sim->island_count; at++) parent[at] = at;
  for (int32_t at = 0; at < deliveries->present_count; at++) {
    const int32_t which = deliveries->present[at];
    const int32_t own = root_of(parent, sim->island_of[deliveries->own[which] / 2]->place);
    for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++) {
      const int32_t other = root_of(parent, sim->island_of[deliveries->variable[term] / 2]->place);
      if (other != own) count--;
      parent[other] = own;
    }
  }
  return count;
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

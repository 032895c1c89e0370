/* SPDX-License-Identifier: BSD-3-Clause
 * The islands of a mode, one by one: what each is made of, and its program. Every island ever met is kept. */
#include "base/key.h"
#include "base/forest.h"
#include "equations/boundary.h"
#include "hybrid/gather.h"
#include "hybrid/island_parts.h"
#include "hybrid/sim.h"

/* Is the graph cut at a node, and by whom of those who may? */
static int cut_at(const HbgSim *sim, const int32_t *fixed_by, int32_t node) {
  if (fixed_by[node] < 0) return 0;
  return hbg_cut_is_fed(&sim->cuts, node, fixed_by[node]) ? 2 : 1;
}

static void add_machines_read(const HbgSim *sim, HbgKey *key, int32_t node) {
  const HbgLaws *laws = &sim->laws;
  for (int32_t read = laws->read_start[node]; read < laws->read_start[node + 1]; read++) hbg_key_add(key, -1 - sim->now.phi[laws->read_list[read]]);
}

/* A small island is another one with other values of the few scheduled conditions that its laws read: what has been made of it for these is not made anew at each tick
 * (decision 158). */
enum { MOST_TICKS = 4, MOST_BONDS = 64 };

typedef struct Ticks {
  int32_t list[MOST_TICKS], count; /* more than there is room for: too many */
} Ticks;

static bool is_among(const Ticks *ticks, int32_t tick) {
  for (int32_t at = 0; at < ticks->count && at < MOST_TICKS; at++)
    if (ticks->list[at] == tick) return true;
  return false;
}

static void add_ticks_read(const HbgSim *sim, Ticks *ticks, int32_t node) {
  const HbgLaws *laws = &sim->laws;
  for (int32_t read = laws->tick_start[node]; read < laws->tick_start[node + 1] && ticks->count <= MOST_TICKS; read++) {
    if (is_among(ticks, laws->tick_list[read])) continue;
    if (ticks->count < MOST_TICKS) ticks->list[ticks->count] = laws->tick_list[read];
    ticks->count++;
  }
}

/* Those that an island is told by: none, where they are many. */
static Ticks ticks_of(const HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  Ticks ticks = {.count = 0};
  if (!sim->laws.tick_start[sim->model->node_count] || count > MOST_BONDS) return ticks;
  for (int32_t at = 0; at < count; at++) {
    const int32_t ends[2] = {sim->model->bonds[bonds[at]].tail, sim->model->bonds[bonds[at]].head};
    for (int end = 0; end < 2; end++) {
      add_ticks_read(sim, &ticks, ends[end]);
      if (fixed_by[ends[end]] >= 0) add_ticks_read(sim, &ticks, fixed_by[ends[end]]);
    }
  }
  if (ticks.count > MOST_TICKS) ticks.count = 0;
  return ticks;
}

/* Bonds with their causality, which of their ends are on, which are cut, the states of the machines that laws of the island read, and the scheduled conditions that it is told by. */
static HbgKey island_key(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  HbgKey key = {.arena = &sim->workshop, .list = ARENA_NEW(&sim->workshop, int32_t, 4 * count), .capacity = 4 * count};
  for (int32_t at = 0; at < count; at++) {
    const HbgBond *bond = &sim->model->bonds[bonds[at]];
    const int is_cut = cut_at(sim, fixed_by, bond->tail) * 3 + cut_at(sim, fixed_by, bond->head);
    const int is_on = sim->is_on[bond->tail] * 2 + sim->is_on[bond->head];
    hbg_key_add(&key, bonds[at]);
    // without storages at the border, causality follows from the rest
    const int stroke = hbg_cuts_vary(&sim->cuts) && hbg_assignment_effort_from_tail(sim->assignment, bonds[at]);
    hbg_key_add(&key, is_on + 4 * is_cut + 36 * stroke);
    const int32_t ends[2] = {bond->tail, bond->head};
    for (int end = 0; end < 2; end++) {
      if (hbg_cut_is_fed(&sim->cuts, ends[end], fixed_by[ends[end]])) hbg_key_add(&key, fixed_by[ends[end]]); // one of several
      add_machines_read(sim, &key, ends[end]);
      if (sim->cuts.source_of[ends[end]] >= 0) add_machines_read(sim, &key, sim->cuts.source_of[ends[end]]);
    }
  }
  const Ticks ticks = ticks_of(sim, fixed_by, bonds, count);
  for (int32_t at = 0; at < ticks.count; at++) hbg_key_add(&key, sim->now.tick[ticks.list[at]]);
  return key;
}

/* A source or a storage by itself: what it imposes is its law (hbg_island_law()). */
static void make_hanging(HbgSim *sim, const int32_t *fixed_by, HbgIsland *island) {
  const HbgFlatModel *model = sim->model;
  const int32_t bond = island->graph.bonds[0].bond;
  const HbgFeeder *feeder = hbg_cut_way(&sim->cuts, fixed_by, bond);
  const int32_t element = feeder ? feeder->source : island->graph.nodes[0].node, junction = feeder ? feeder->junction : island->graph.nodes[1].node;
  island->is_hanging = true;
  island->element = element;
  island->junction = junction;
  island->gives_effort = hbg_gives_effort(model->nodes[element].kind);
  const int32_t given = hbg_island_given(island);
  island->is_storage = model->nodes[element].state >= 0;
  if (feeder) island->delivery = feeder->deliveries[bond == feeder->bonds[1]];
  else island->delivery = fixed_by[junction] == element ? sim->cuts.deliveries.of_node[junction] : -1;
  island->is_demanded = sim->laws.is_demanded[given];
  island->is_watched = !island->is_storage || sim->guards.is_read[given];
  island->place = -1;
  if (island->is_storage)
    island->reads_time = hbg_expr_depends(&sim->laws.pool, model->nodes[element].law, hbg_expr_leaf(&sim->laws.pool, HBG_OP_TIME, 0, 0));
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

/* Causality is asked for where the structure is new: of all others it is known. */
static HbgIslandProgram *program_for(HbgSim *sim, const HbgTemplate *template) {
  HbgIslandProgram *known = hbg_program_find(&sim->programs, template);
  if (known) return known;
  hbg_compiling_begin(&sim->solver);
  const HbgTemplate kept = hbg_template_keep(template, sim->arena);
  hbg_template_give_back(template, &sim->workshop);
  hbg_mode_settle_causality(sim);
  HbgIslandProgram *program = hbg_program_for(&sim->programs, &sim->laws, &kept, sim->assignment);
  hbg_compiling_end(&sim->solver);
  return program;
}

/* Of all that turns at instants, does it read which pieces of tables are followed, and nothing else? */
static bool reads_only_pieces(const HbgSim *sim, const HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t at = 0; at < template->discrete_count; at++)
    if (!sim->clocks.pieces[island->binding.discrete[at]]) return false;
  return template->discrete_count && !template->tick_count;
}

/* Its program, and what it puts into it. */
static void bind_program(HbgSim *sim, HbgIsland *island) {
  HbgTemplate template;
  HbgBinding binding;
  hbg_template_make(&sim->laws, &island->graph, sim->now.phi, &sim->workshop, &template, &binding);
  island->program = program_for(sim, &template);
  island->binding = hbg_binding_keep(&binding, &template, sim->arena);
  island->reads_only_pieces = reads_only_pieces(sim, island);
  hbg_island_init(&sim->solver, island);
}

static HbgIsland *make_island(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  HbgIsland *island = ARENA_NEW(sim->arena, HbgIsland, 1);
  island->delivery = -1;
  const Ticks ticks = ticks_of(sim, fixed_by, bonds, count);
  island->knows_ticks = ticks.count > 0;
  sim->graphs.fixed_by = fixed_by;
  const HbgGraph graph = hbg_graph_make(&sim->graphs, bonds, count, sim->is_on, &sim->workshop);
  island->graph = hbg_graph_keep(&graph, sim->arena);
  hbg_graph_give_back(&graph, &sim->workshop);
  if (count == 1 && hbg_hangs(sim, fixed_by, bonds[0])) {
    make_hanging(sim, fixed_by, island);
    return island;
  }
  bind_program(sim, island);
  for (int32_t at = 0; at < island->program->template.tick_count; at++) island->knows_ticks = island->knows_ticks && is_among(&ticks, island->binding.ticks[at]);
  for (int32_t at = 0; at < count; at++)
    if (sim->guards.is_read[hbg_effort_of(bonds[at])] || sim->guards.is_read[hbg_flow_of(bonds[at])])
      island->is_watched = true;
  if (island->graph.is_cut_at_storage) find_needs(sim, fixed_by, island);
  return island;
}

/* Its first block stays, so that rewinding gives nothing back; and others do, as soon as there are modes that come after the first one. */
static void open_workshop(HbgSim *sim) {
  sim->workshop.keeps_blocks = !sim->all_are_new;
  if (sim->workshop_bottom.block) return;
  ARENA_NEW(&sim->workshop, char, 1);
  sim->workshop_bottom = hbg_arena_mark(&sim->workshop);
}

/* Of a mode that all islands are new in, they are entered when a second mode asks for one. */
static HbgIsland *find_island(HbgSim *sim, const HbgKey *key) {
  if (sim->all_are_new) return NULL;
  hbg_key_table_catch_up(&sim->known_islands);
  return hbg_key_table_find(&sim->known_islands, key->list, key->count);
}

HbgIsland *hbg_island_for(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count) {
  open_workshop(sim);
  const HbgKey key = island_key(sim, fixed_by, bonds, count);
  HbgIsland *island = find_island(sim, &key);
  if (!island) {
    const int32_t *kept = hbg_key_keep(&key, sim->arena);
    hbg_arena_give_back(&sim->workshop, key.list);
    island = make_island(sim, fixed_by, bonds, count);
    island->number = sim->known_islands.count;
    hbg_key_table_add_later(&sim->known_islands, kept, key.count, island);
  }
  hbg_arena_rewind(&sim->workshop, sim->workshop_bottom);
  return island;
}

/* ---- energy ---- */

int32_t hbg_energy_island_count(const HbgSim *sim) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  int32_t *parent = sim->bond_queue, count = sim->island_count; // work space: an island has a bond at least
  for (int32_t at = 0; at < sim->island_count; at++) parent[at] = at;
  for (int32_t at = 0; at < deliveries->present_count; at++) {
    const int32_t which = deliveries->present[at];
    const int32_t own = hbg_forest_root(parent, sim->island_of[deliveries->own[which] / 2]->place);
    for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++) {
      const int32_t other = hbg_forest_root(parent, sim->island_of[deliveries->variable[term] / 2]->place);
      if (other != own) count--;
      parent[other] = own;
    }
  }
  return count;
}

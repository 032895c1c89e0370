/* SPDX-License-Identifier: BSD-3-Clause
 * Which elements may be cut off from their junctions: a source that follows time, discrete variables and states of machines alone, and a storage whose
 * law gives what it imposes as a function of these and its own state. And nobody may need to know what the element receives: that
 * would tie the pieces together again. */
#include "hybrid/cut.h"

#include <string.h>

#include "hybrid/sim.h"

/* ---- what an element follows ---- */

typedef struct Dependence {
  int32_t state; /* that may be read, -1 */
  bool may_be_of_machines; /* may their states be read? */
  bool is_foreign;
} Dependence;

static HbgExpr note_dependence(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Dependence *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  switch (node->op) {
    case HBG_OP_CONSTANT:
    case HBG_OP_TIME:
    case HBG_OP_TICK:
    case HBG_OP_VARIABLE: break;
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON: self->is_foreign = self->is_foreign || !self->may_be_of_machines; break;
    case HBG_OP_STATE: self->is_foreign = self->is_foreign || node->index != self->state; break;
    default: self->is_foreign = true;
  }
  return 0;
}

/* Does the law of a source or storage follow what is known beforehand alone? Not where it has no explicit form. */
static bool is_known_beforehand(HbgSim *sim, int32_t element, bool may_be_of_machines) {
  const HbgExpr law = hbg_gives_effort(sim->model->nodes[element].kind) ? sim->laws.effort_law[element] : sim->laws.flow_law[element];
  Dependence dependence = {sim->model->nodes[element].state, may_be_of_machines, false};
  if (!law) return false;
  hbg_expr_replace(&sim->laws.pool, law, note_dependence, &dependence);
  return !dependence.is_foreign;
}

/* The one element of `kind` at `junction`, -1 when there is none or several fight. */
static int32_t find_element(const HbgSim *sim, const HbgNode *junction, HbgElementKind kind, int32_t *bond) {
  int32_t found = -1;
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgPort *port = hbg_port(sim->model, junction, which);
    const HbgBond *ends = &sim->model->bonds[port->bond];
    const int32_t other = port->sign > 0 ? ends->tail : ends->head;
    if (sim->model->nodes[other].kind != kind) continue;
    if (found >= 0) return -1;
    found = other;
    *bond = port->bond;
  }
  return found;
}

static bool is_delivery_read(const HbgSim *sim, const HbgNode *junction, int32_t bond) {
  const int32_t delivered = junction->kind == HBG_ELEMENT_ZERO ? hbg_flow_of(bond) : hbg_effort_of(bond);
  return sim->laws.is_read[bond] || sim->laws.is_demanded[delivered] || sim->guards.is_read[delivered];
}

/* ---- how large islands may become ---- */

static int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

/* How many storages and machines an island has to do with, by the root of its bonds. */
typedef struct Members {
  int32_t *parent;
  int32_t *storages, *machines;
  int32_t *last; /* machine that was counted there, and one more */
} Members;

static void count_machine(const HbgSim *sim, Members *self, int32_t machine, int32_t node, int32_t times) {
  for (int32_t which = 0; which < sim->model->nodes[node].port_count; which++) {
    const int32_t root = root_of(self->parent, hbg_port(sim->model, &sim->model->nodes[node], which)->bond);
    if (self->last[root] == machine + 1) continue;
    self->last[root] = machine + 1;
    self->machines[root] += times;
  }
}

/* In the run's arena: while a run is made its scratch memory has no owner yet. */
static Members count_members(HbgSim *sim, int32_t *parent) {
  const HbgFlatModel *model = sim->model;
  const HbgLaws *laws = &sim->laws;
  HbgArena *arena = sim->arena;
  Members self = {parent, ARENA_NEW(arena, int32_t, model->bond_count), ARENA_NEW(arena, int32_t, model->bond_count), ARENA_NEW(arena, int32_t, model->bond_count)};
  for (int32_t state = 0; state < sim->first_integrator; state++)
    self.storages[root_of(parent, hbg_port(model, &model->nodes[model->states[state].node], 0)->bond)]++;
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) count_machine(sim, &self, machine, laws->switched_list[at], 1);
    for (int32_t at = laws->reader_start[machine]; at < laws->reader_start[machine + 1]; at++) count_machine(sim, &self, machine, laws->reader_list[at], 2);
  }
  return self;
}

/* Storages count for more where modes change, as a flow that is exact costs the cube of its states in each of them; but where both are few nothing counts. */
static void count_storages(HbgSim *sim, int32_t *parent, int32_t *size) {
  const HbgArenaMark mark = hbg_arena_mark(sim->arena);
  const Members members = count_members(sim, parent);
  for (int32_t bond = 0; bond < sim->model->bond_count; bond++) {
    const bool are_few = members.storages[bond] <= HBG_CUT_FEW_STORAGES && members.machines[bond] <= HBG_CUT_FEW_MACHINES;
    size[bond] += HBG_CUT_STORAGE * members.storages[bond];
    if (members.storages[bond] > sim->cuts.most_storages) sim->cuts.most_storages = members.storages[bond];
    if (members.storages[bond] && are_few && !sim->options.cut_above) size[bond] = 0;
  }
  hbg_arena_rewind(sim->arena, mark);
}

/* The size of the largest island that each bond may belong to, cut at sources only: its bonds and storages. In work space of islands, which must be zero again. */
static const int32_t *count_connected(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  int32_t *parent = sim->bond_queue, *size = sim->bond_stamp;
  for (int32_t bond = 0; bond < model->bond_count; bond++) parent[bond] = bond;
  for (int32_t node = 0; node < model->node_count; node++) {
    if (sim->cuts.source_of[node] >= 0) continue;
    for (int32_t which = 1; which < model->nodes[node].port_count; which++)
      parent[root_of(parent, hbg_port(model, &model->nodes[node], which)->bond)] =
          root_of(parent, hbg_port(model, &model->nodes[node], 0)->bond);
  }
  for (int32_t at = 0; at < sim->laws.link_start[model->bond_count]; at++)
    parent[root_of(parent, sim->laws.link_list[at].reader)] = root_of(parent, sim->laws.link_list[at].read);
  for (int32_t bond = 0; bond < model->bond_count; bond++) size[root_of(parent, bond)]++;
  if (model->machine_count) count_storages(sim, parent, size);
  for (int32_t bond = 0; bond < model->bond_count; bond++) size[bond] = size[root_of(parent, bond)];
  return size;
}

/* ---- all junctions ---- */

/* The source, or the storage, that may fix the common variable of `node`; and its bond. */
static int32_t find_source(const HbgSim *sim, int32_t node, int32_t *bond) {
  const HbgNode *junction = &sim->model->nodes[node];
  return find_element(sim, junction, junction->kind == HBG_ELEMENT_ZERO ? HBG_ELEMENT_SE : HBG_ELEMENT_SF, bond);
}

static int32_t find_storage(const HbgSim *sim, int32_t node, int32_t *bond) {
  const HbgNode *junction = &sim->model->nodes[node];
  int32_t of_source = -1;
  const int32_t source = find_source(sim, node, &of_source);
  if (source >= 0 || of_source >= 0) return -1; // in no mode does a storage beside it fix anything
  return find_element(sim, junction, junction->kind == HBG_ELEMENT_ZERO ? HBG_ELEMENT_C : HBG_ELEMENT_I, bond);
}

static bool may_hang(HbgSim *sim, int32_t node, int32_t element, int32_t bond, bool may_be_of_machines) {
  return element >= 0 && !is_delivery_read(sim, &sim->model->nodes[node], bond) && is_known_beforehand(sim, element, may_be_of_machines);
}

static bool may_be_cut(const HbgNode *node) { return hbg_is_junction(node) && node->machine < 0 && node->port_count >= 3; }

/* In a run compatible with HYBRSIM the storages of an island relax together. */
static bool are_storages_allowed(const HbgSim *sim) { return !(sim->options.convergence_factor > 0) && sim->options.cut_above >= 0; }

static void cut_at_sources(HbgSim *sim) {
  HbgCuts *cuts = &sim->cuts;
  for (int32_t node = 0; node < sim->model->node_count; node++) {
    int32_t bond = -1;
    cuts->source_of[node] = -1;
    if (!may_be_cut(&sim->model->nodes[node])) continue;
    const int32_t source = find_source(sim, node, &bond);
    if (may_hang(sim, node, source, bond, true)) cuts->source_of[node] = source;
  }
}

/* ---- feeders ---- */

/* A 1-junction between an Se and a 0-junction, or a 0-junction between an Sf and a 1-junction, that power flows through in one direction. */
static bool find_feeder(const HbgSim *sim, int32_t node, HbgFeeder *found) {
  const HbgFlatModel *model = sim->model;
  const HbgNode *feeder = &model->nodes[node];
  if (feeder->machine < 0 || !hbg_is_way_through(model, feeder)) return false;
  const bool is_one = feeder->kind == HBG_ELEMENT_ONE;
  *found = (HbgFeeder){.node = node, .source = -1, .junction = -1, .next = -1};
  for (int32_t which = 0; which < 2; which++) {
    const HbgPort *port = hbg_port(model, feeder, which);
    const int32_t other = hbg_other_end(model, port->bond, node);
    const HbgElementKind kind = model->nodes[other].kind;
    if (kind == (is_one ? HBG_ELEMENT_SE : HBG_ELEMENT_SF)) found->source = other, found->bonds[0] = port->bond;
    if (kind == (is_one ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE)) found->junction = other, found->bonds[1] = port->bond;
  }
  return found->source >= 0 && found->junction >= 0;
}

/* Does enough fall apart at a junction? Where storages fix its neighbours these are cut off from each other anyway, and a few small islands cost more than one. */
static bool holds_much_together(const HbgSim *sim, const HbgNode *junction) {
  enum { MANY_PORTS = 7, MANY_PARTS = 2 };
  int32_t parts = 0;
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgPort *port = hbg_port(sim->model, junction, which);
    const HbgBond *ends = &sim->model->bonds[port->bond];
    const int32_t other = port->sign > 0 ? ends->tail : ends->head;
    HbgFeeder feeder;
    if (hbg_is_junction(&sim->model->nodes[other]) && hbg_cut_storage(&sim->cuts, other) < 0 && !find_feeder(sim, other, &feeder)) parts++;
  }
  return parts >= MANY_PARTS || junction->port_count >= MANY_PORTS;
}

static bool may_feed(HbgSim *sim, const HbgFeeder *feeder, const int32_t *connected) {
  const HbgNode *junction = &sim->model->nodes[feeder->junction];
  const int32_t above = sim->options.cut_above ? sim->options.cut_above : HBG_CUT_ABOVE;
  int32_t bond = -1;
  if (!may_be_cut(junction) || connected[feeder->bonds[1]] <= above || !holds_much_together(sim, junction)) return false;
  if (find_source(sim, feeder->junction, &bond) >= 0 || bond >= 0) return false;
  return may_hang(sim, feeder->junction, feeder->source, feeder->bonds[0], false) && may_hang(sim, feeder->junction, feeder->source, feeder->bonds[1], false);
}

/* As many to one junction as are worth their deliveries, each of which sums up all its ports. */
static void list_feeder(HbgSim *sim, HbgFeeder *feeder) {
  enum { MOST_TO_ONE = 4 };
  HbgCuts *cuts = &sim->cuts;
  int32_t count = 0;
  if (!cuts->feeder_count) {
    cuts->feeder_at = hbg_arena_indices(sim->arena, sim->model->node_count);
    cuts->feeder_of = hbg_arena_indices(sim->arena, sim->model->bond_count);
  }
  for (int32_t at = cuts->feeder_at[feeder->junction]; at >= 0; at = cuts->feeders[at].next) count++;
  if (count == MOST_TO_ONE) return;
  feeder->next = cuts->feeder_at[feeder->junction];
  cuts->feeder_at[feeder->junction] = cuts->feeder_at[feeder->node] = cuts->feeder_count;
  cuts->feeder_of[feeder->bonds[0]] = cuts->feeder_of[feeder->bonds[1]] = cuts->feeder_count;
  ARENA_PUSH(sim->arena, cuts->feeders, cuts->feeder_count, cuts->feeder_capacity) = *feeder;
}

static void add_ways(HbgSim *sim) {
  HbgCuts *cuts = &sim->cuts;
  int32_t ports = 0;
  for (int32_t at = 0; at < cuts->feeder_count; at++) ports += 2 * sim->model->nodes[cuts->feeders[at].junction].port_count;
  hbg_deliveries_make_room(&cuts->deliveries, 2 * cuts->feeder_count, ports, sim->arena);
  for (HbgFeeder *feeder = cuts->feeders, *end = feeder + cuts->feeder_count; feeder < end; feeder++)
    for (int32_t which = 0; which < 2; which++)
      feeder->deliveries[which] =
          hbg_delivery_add_way(&cuts->deliveries, sim->model, feeder->junction, feeder->source, feeder->bonds[1], feeder->bonds[which]);
}

static void add_feeders(HbgSim *sim, const int32_t *connected) {
  HbgFeeder feeder;
  if (!are_storages_allowed(sim)) return;
  for (int32_t node = 0; node < sim->model->node_count; node++)
    if (find_feeder(sim, node, &feeder) && may_feed(sim, &feeder, connected)) list_feeder(sim, &feeder);
  if (sim->cuts.feeder_count) add_ways(sim);
}

/* ---- all of it ---- */

/* Deliveries at all junctions where the graph is cut, or may be. */
static void add_deliveries(HbgSim *sim, const int32_t *connected) {
  const HbgFlatModel *model = sim->model;
  HbgCuts *cuts = &sim->cuts;
  const int32_t above = sim->options.cut_above ? sim->options.cut_above : HBG_CUT_ABOVE;
  for (int32_t node = 0; node < model->node_count; node++) {
    int32_t bond = -1;
    cuts->base_by[node] = cuts->fixed_by[node] = cuts->source_of[node];
    if (cuts->source_of[node] >= 0) {
      find_source(sim, node, &bond);
      hbg_delivery_add(&cuts->deliveries, model, node, cuts->source_of[node], bond);
      continue;
    }
    if (!may_be_cut(&model->nodes[node]) || !are_storages_allowed(sim)) continue;
    if (connected[hbg_port(model, &model->nodes[node], 0)->bond] <= above) continue;
    const int32_t storage = find_storage(sim, node, &bond);
    if (!may_hang(sim, node, storage, bond, false)) continue;
    hbg_delivery_add(&cuts->deliveries, model, node, storage, bond);
    cuts->any_storage = true;
  }
}

void hbg_cuts_make(HbgSim *sim) {
  HbgCuts *cuts = &sim->cuts;
  cuts->source_of = ARENA_FULL(sim->arena, int32_t, sim->model->node_count);
  cuts->base_by = ARENA_FULL(sim->arena, int32_t, sim->model->node_count);
  cuts->fixed_by = ARENA_FULL(sim->arena, int32_t, sim->model->node_count);
  cuts->deliveries = hbg_deliveries(sim->model, sim->arena);
  cuts->counted_by = ARENA_FULL(sim->arena, int32_t, sim->model->node_count);
  cuts->needed_by = ARENA_FULL(sim->arena, int32_t, sim->model->node_count);
  cuts->listed_by = ARENA_FULL(sim->arena, int32_t, sim->model->node_count);
  cuts->block_of = ARENA_FULL(sim->arena, int32_t, sim->model->bond_count);
  cut_at_sources(sim);
  const int32_t *connected = count_connected(sim);
  add_deliveries(sim, connected);
  add_feeders(sim, connected);
  if (sim->model->bond_count) memset(sim->bond_stamp, 0, (size_t)sim->model->bond_count * sizeof *sim->bond_stamp);
}

int32_t hbg_cut_storage(const HbgCuts *self, int32_t node) {
  const int32_t delivery = self->are_joined ? -1 : self->deliveries.of_node[node];
  return delivery >= 0 && self->deliveries.state[delivery] >= 0 ? self->deliveries.element[delivery] : -1;
}

void hbg_cuts_join_storages(HbgSim *sim) {
  HbgCuts *cuts = &sim->cuts;
  for (int32_t node = 0; node < sim->model->node_count; node++) {
    const int32_t storage = hbg_cut_storage(cuts, node);
    if (storage < 0) continue;
    if (cuts->base_by[node] == storage) cuts->base_by[node] = -1;
    if (cuts->fixed_by[node] == storage) cuts->fixed_by[node] = -1;
  }
  cuts->are_joined = true;
  hbg_mode_enter(sim, NULL, -1);
  hbg_mode_end_fresh(sim);
}

int32_t hbg_cut_felt_at(const HbgSim *sim, int32_t element) {
  const int32_t junction = hbg_other_end(sim->model, hbg_port(sim->model, &sim->model->nodes[element], 0)->bond, element);
  return sim->cuts.source_of[junction] == element ? junction : element;
}

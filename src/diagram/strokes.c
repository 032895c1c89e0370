/* SPDX-License-Identifier: BSD-3-Clause
 * Causal strokes of what cannot be run: the graph of the level with stubs where bonds lead nowhere, assigned several times: stubs
 * set the effort or the flow. What is the same every time is taken to be so whatever will be connected there. */
#include "causality/assign.h"
#include "diagram/contents.h"

typedef struct Graph {
  HbgFlatModel model; /* nodes, bonds and ports only */
  bool *is_open;      /* per node: a stub, or a two-port without both of its bonds */
  int32_t *bond_of;   /* per bond of the level: that of the graph; -1 */
} Graph;

/* ---- the graph ---- */

static int32_t add_stub(Graph *self) {
  self->model.nodes[self->model.node_count] = (HbgNode){.name = "", .kind = HBG_ELEMENT_R, .state = -1, .machine = -1};
  self->is_open[self->model.node_count] = true;
  return self->model.node_count++;
}

static void add_open_bonds(Graph *self, const HbgLevel *level) {
  for (int32_t i = 0; i < level->bond_count; i++) {
    const HbgLevelBond *bond = &level->bonds[i];
    self->bond_of[i] = bond->bond;
    if (bond->bond >= 0 || (bond->tail_node < 0 && bond->head_node < 0)) continue;
    const int32_t tail = bond->tail_node < 0 ? add_stub(self) : bond->tail_node,
                  head = bond->head_node < 0 ? add_stub(self) : bond->head_node;
    self->bond_of[i] = self->model.bond_count;
    self->model.bonds[self->model.bond_count++] = (HbgBond){.name = "", .tail = tail, .head = head};
  }
}

/* Bonds that come in stand before those that go out, as two-ports want it. */
static void place_ports(Graph *self, HbgArena *arena) {
  HbgFlatModel *model = &self->model;
  model->ports = ARENA_NEW(arena, HbgPort, 2 * model->bond_count);
  model->port_count = 2 * model->bond_count;
  for (int32_t node = 0; node < model->node_count; node++) model->nodes[node].port_count = 0;
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    model->nodes[model->bonds[bond].tail].port_count++;
    model->nodes[model->bonds[bond].head].port_count++;
  }
  int32_t first = 0;
  for (int32_t node = 0; node < model->node_count; node++) {
    model->nodes[node].first_port = first;
    first += model->nodes[node].port_count;
    model->nodes[node].port_count = 0;
  }
  for (int sign = 1; sign >= -1; sign -= 2)
    for (int32_t bond = 0; bond < model->bond_count; bond++) {
      HbgNode *node = &model->nodes[sign > 0 ? model->bonds[bond].head : model->bonds[bond].tail];
      model->ports[node->first_port + node->port_count++] = (HbgPort){bond, sign};
    }
}

static bool is_half_two_port(const HbgFlatModel *model, const HbgNode *node) {
  return (node->kind == HBG_ELEMENT_TF || node->kind == HBG_ELEMENT_GY) &&
         !(node->port_count == 2 && hbg_port(model, node, 0)->sign > 0 && hbg_port(model, node, 1)->sign < 0);
}

static Graph make_graph(const HbgLevel *level, HbgArena *arena) {
  const HbgFlatModel *flat = level->flat;
  const int32_t most_nodes = flat->node_count + 2 * level->bond_count,
                most_bonds = flat->bond_count + level->bond_count;
  Graph self = {.model = {.name = "",
                          .nodes = ARENA_NEW(arena, HbgNode, most_nodes),
                          .node_count = flat->node_count,
                          .bonds = ARENA_NEW(arena, HbgBond, most_bonds),
                          .bond_count = flat->bond_count},
                .is_open = ARENA_NEW(arena, bool, most_nodes),
                .bond_of = ARENA_NEW(arena, int32_t, level->bond_count)};
  for (int32_t i = 0; i < flat->node_count; i++) self.model.nodes[i] = flat->nodes[i];
  for (int32_t i = 0; i < flat->bond_count; i++) self.model.bonds[i] = flat->bonds[i];
  add_open_bonds(&self, level);
  place_ports(&self, arena);
  for (int32_t i = 0; i < flat->node_count; i++) self.is_open[i] = is_half_two_port(&self.model, &self.model.nodes[i]);
  return self;
}

/* ---- what is the same whatever comes ---- */

/* What stub number `stub` sets in trial `trial`: all the effort, all the flow, then half of them this and half of them that, so that
 * for any two of the first there is a trial in which they differ. */
static HbgWish wish_of(int32_t stub, int trial) {
  const bool is_other = trial % 2;
  const bool bit = trial < 2 || (stub >> (trial / 2 - 1) & 1);
  return bit != is_other ? HBG_WISH_EFFORT_OUT : HBG_WISH_FLOW_OUT;
}

static const HbgAssignment *assign(const Graph *self, const HbgFlatModel *flat, const int32_t *phi, int trial,
                                   HbgArena *arena) {
  HbgWish *wishes = ARENA_NEW(arena, HbgWish, self->model.node_count);
  int32_t stub = 0;
  for (int32_t node = 0; node < self->model.node_count; node++)
    wishes[node] = self->is_open[node] ? wish_of(stub++, trial) : HBG_WISH_NONE;
  HbgAssignment *assignment = hbg_assignment(&self->model, wishes, NULL, arena);
  for (int32_t node = 0; node < flat->node_count; node++)
    if (hbg_diagram_is_off(flat, phi, node)) hbg_assignment_switch(assignment, node, false);
  hbg_assignment_settle(assignment);
  return assignment;
}

/* Must the node at one end of a bond have it otherwise than that it sets (or does not set) the effort? */
static bool is_overruled(const HbgFlatModel *flat, const int32_t *phi, int32_t node, bool sets_effort) {
  if (node < 0 || node >= flat->node_count) return false;
  const HbgElementKind kind = flat->nodes[node].kind;
  if (hbg_diagram_is_off(flat, phi, node)) return (kind == HBG_ELEMENT_ZERO) != sets_effort;
  return (kind == HBG_ELEMENT_SE && !sets_effort) || (kind == HBG_ELEMENT_SF && sets_effort);
}

static int32_t count_open(const Graph *self) {
  int32_t count = 0;
  for (int32_t node = 0; node < self->model.node_count; node++) count += self->is_open[node];
  return count;
}

/* How many trials tell what is open. */
static int count_trials(const Graph *self) {
  enum { MOST_TRIALS = 8 };
  const int32_t open = count_open(self);
  int trials = 2;
  if (!open) return 1;
  while (trials < MOST_TRIALS && 1 << (trials / 2 - 1) < open) trials += 2;
  return trials;
}

static void note_stroke(const Graph *self, const HbgLevel *level, const int32_t *phi, int32_t bond, bool from_tail,
                        HbgBondStroke *stroke) {
  const HbgBond *ends = &self->model.bonds[bond];
  stroke->place = from_tail ? HBG_STROKE_AT_HEAD : HBG_STROKE_AT_TAIL;
  stroke->is_conflict =
      is_overruled(level->flat, phi, ends->tail, from_tail) || is_overruled(level->flat, phi, ends->head, !from_tail);
}

HbgBondStroke *hbg_diagram_strokes(const HbgLevel *level, const int32_t *phi, HbgArena *scratch) {
  HbgBondStroke *strokes = ARENA_NEW(scratch, HbgBondStroke, level->bond_count);
  const Graph graph = make_graph(level, scratch);
  const HbgAssignment *first = assign(&graph, level->flat, phi, 0, scratch);
  bool *differs = ARENA_NEW(scratch, bool, graph.model.bond_count);
  for (int trial = 1; trial < count_trials(&graph); trial++) {
    const HbgArenaMark mark = hbg_arena_mark(scratch);
    const HbgAssignment *other = assign(&graph, level->flat, phi, trial, scratch);
    for (int32_t bond = 0; bond < graph.model.bond_count; bond++)
      differs[bond] =
          differs[bond] || hbg_assignment_effort_from_tail(first, bond) != hbg_assignment_effort_from_tail(other, bond);
    hbg_arena_rewind(scratch, mark);
  }
  for (int32_t i = 0; i < level->bond_count; i++) {
    const int32_t bond = graph.bond_of[i];
    if (bond >= 0 && !differs[bond])
      note_stroke(&graph, level, phi, bond, hbg_assignment_effort_from_tail(first, bond), &strokes[i]);
  }
  return strokes;
}

HbgBondStroke *hbg_diagram_known_strokes(const HbgLevel *level, const HbgCausality *causality, HbgArena *scratch) {
  HbgBondStroke *strokes = ARENA_NEW(scratch, HbgBondStroke, level->bond_count);
  for (int32_t i = 0; i < level->bond_count; i++) {
    const int32_t bond = level->bonds[i].bond;
    if (bond < 0 || bond >= causality->stroke_count) continue;
    const HbgStroke *stroke = &causality->strokes[bond];
    strokes[i] =
        (HbgBondStroke){stroke->effort_from_tail ? HBG_STROKE_AT_HEAD : HBG_STROKE_AT_TAIL, stroke->is_conflict};
  }
  return strokes;
}

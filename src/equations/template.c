/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/template.h"

#include <string.h>

typedef struct Maker {
  HbgLaws *laws;
  HbgTemplate *template;
  HbgBinding *binding;
  HbgArena *arena;
  const int32_t *phi;
  int32_t constant_capacity, tick_capacity, discrete_capacity, state_capacity, input_capacity, node_capacity, pre_capacity, inner_capacity;
  int32_t first_constant; /* of the law at hand: constants are shared within one law only */
} Maker;

static int32_t find_index(const int32_t *list, int32_t count, int32_t value) {
  for (int32_t at = 0; at < count; at++)
    if (list[at] == value) return at;
  return -1;
}

/* Small numbers that shape an expression stay; all others become slots. */
static bool shapes(double value) {
  static const double kept[] = {0, 1, -1, 2, 0.5, 3};
  for (size_t at = 0; at < sizeof kept / sizeof *kept; at++)
    if (value >= kept[at] && value <= kept[at]) return true;
  return false;
}

static HbgExpr constant_slot(Maker *self, double value) {
  for (int32_t at = self->first_constant; at < self->template->constant_count; at++)
    if (self->binding->constants[at] >= value && self->binding->constants[at] <= value)
      return hbg_slot(&self->laws->pool, HBG_SLOT_CONSTANT, at);
  const int32_t slot = self->template->constant_count;
  ARENA_PUSH(self->arena, self->binding->constants, self->template->constant_count, self->constant_capacity) = value;
  return hbg_slot(&self->laws->pool, HBG_SLOT_CONSTANT, slot);
}

static HbgExpr tick_slot(Maker *self, int32_t tick) {
  int32_t slot = find_index(self->binding->ticks, self->template->tick_count, tick);
  if (slot < 0) {
    slot = self->template->tick_count;
    ARENA_PUSH(self->arena, self->binding->ticks, self->template->tick_count, self->tick_capacity) = tick;
  }
  return hbg_slot(&self->laws->pool, HBG_SLOT_TICK, slot);
}

static HbgExpr discrete_slot(Maker *self, int32_t variable) {
  int32_t slot = find_index(self->binding->discrete, self->template->discrete_count, variable);
  if (slot < 0) {
    slot = self->template->discrete_count;
    ARENA_PUSH(self->arena, self->binding->discrete, self->template->discrete_count, self->discrete_capacity) = variable;
  }
  return hbg_slot(&self->laws->pool, HBG_SLOT_DISCRETE, slot);
}

static int32_t add_state(Maker *self, int32_t state, int32_t node) {
  HbgTemplate *template = self->template;
  const int32_t local = template->state_count;
  int32_t count = local, again = local;
  ARENA_PUSH(self->arena, self->binding->states, template->state_count, self->state_capacity) = state;
  ARENA_PUSH(self->arena, template->state_node, count, self->node_capacity) = node;
  ARENA_PUSH(self->arena, template->state_input, again, self->input_capacity) = 0;
  self->laws->state_slot[state] = local;
  self->laws->state_stamp[state] = self->laws->stamp;
  return local;
}

static HbgExpr translate(Maker *self, HbgExpr expr);

static HbgExpr state_leaf(Maker *self, int32_t state) {
  const bool is_known = self->laws->state_stamp[state] == self->laws->stamp;
  const int32_t local = is_known ? self->laws->state_slot[state] : add_state(self, state, -1);
  return hbg_expr_leaf(&self->laws->pool, HBG_OP_STATE, local, 0);
}

static HbgExpr pre_slot(Maker *self, HbgExpr pre) {
  HbgTemplate *template = self->template;
  int32_t slot = find_index(self->binding->pre, template->pre_count, pre);
  if (slot < 0) {
    slot = template->pre_count;
    int32_t count = slot;
    ARENA_PUSH(self->arena, self->binding->pre, template->pre_count, self->pre_capacity) = pre;
    ARENA_PUSH(self->arena, template->pre_inner, count, self->inner_capacity) = 0; /* translated when all laws are */
  }
  return hbg_slot(&self->laws->pool, HBG_SLOT_PRE, slot);
}

static HbgExpr variable_leaf(Maker *self, const HbgExprNode *node) {
  const int32_t bond = hbg_graph_find_bond(&self->template->graph, node->index);
  // a bond of another island: only below a source whose port is off, where nothing depends on it
  return bond < 0 ? hbg_expr_constant(&self->laws->pool, 0) : hbg_expr_leaf(&self->laws->pool, node->op, bond, 0);
}

static HbgExpr translate_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Maker *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  switch (node.op) {
    case HBG_OP_CONSTANT: return node.is_boolean || shapes(node.value) ? leaf : constant_slot(self, node.value);
    case HBG_OP_TICK: return tick_slot(self, node.index);
    case HBG_OP_VARIABLE: return discrete_slot(self, node.index);
    case HBG_OP_STATE: return state_leaf(self, node.index);
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: return variable_leaf(self, &node);
    case HBG_OP_IN_STATE: return hbg_expr_boolean(pool, self->phi[node.index] == node.other);
    case HBG_OP_IS_ON:
      return hbg_expr_boolean(pool, self->laws->model->machines[node.index].states[self->phi[node.index]].is_on);
    case HBG_OP_PRE: return pre_slot(self, leaf);
    case HBG_OP_IMPULSE: return hbg_expr_constant(pool, 0); /* a law has no impulse of its own to read */
    case HBG_OP_FINITE: return 0;
    default: return leaf;
  }
}

enum { SHALLOW = 3 }; /* laws of so few operations within each other are translated without remembering what was met */

/* Most laws are one operation or two, and a walk costs more than they do. The last argument first, as a walk does. */
static HbgExpr translate_shallow(Maker *self, HbgExpr expr, int depth) {
  HbgExprPool *pool = &self->laws->pool;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_operation_info[node.op].arguments) {
    const HbgExpr leaf = translate_leaf(pool, expr, self);
    return leaf ? leaf : expr;
  }
  const bool has_own_rules = node.op == HBG_OP_PRE || node.op == HBG_OP_IMPULSE || node.op == HBG_OP_FINITE;
  if (has_own_rules || node.c || hbg_operation_has_table(node.op) || !depth) return hbg_expr_replace(pool, expr, translate_leaf, self);
  const HbgExpr b = node.b ? translate_shallow(self, node.b, depth - 1) : 0, a = translate_shallow(self, node.a, depth - 1);
  return b ? hbg_expr_binary(pool, node.op, a, b) : hbg_expr_unary(pool, node.op, a);
}

static HbgExpr translate(Maker *self, HbgExpr expr) {
  if (!expr) return 0;
  self->first_constant = self->template->constant_count;
  return translate_shallow(self, expr, SHALLOW);
}

static void add_storages(Maker *self) {
  const HbgGraph *graph = &self->template->graph;
  for (int32_t node = 0; node < graph->node_count; node++) {
    const HbgGraphNode *origin = &graph->nodes[node];
    const int32_t state = origin->is_off_port || origin->is_source_port ? -1 : self->laws->model->nodes[origin->node].state;
    self->template->node_state[node] = state < 0 ? -1 : add_state(self, state, node);
  }
}

static void translate_laws(Maker *self) {
  HbgTemplate *template = self->template;
  for (int32_t node = 0; node < template->graph.node_count; node++) {
    const HbgGraphNode *origin = &template->graph.nodes[node];
    if (origin->is_off_port) {
      const HbgExpr zero = hbg_expr_constant(&self->laws->pool, 0);
      if (origin->kind == HBG_ELEMENT_SE) template->effort_law[node] = zero;
      else template->flow_law[node] = zero;
      continue;
    }
    template->effort_law[node] = translate(self, self->laws->effort_law[origin->node]);
    template->flow_law[node] = translate(self, self->laws->flow_law[origin->node]);
    template->implicit_law[node] = translate(self, self->laws->implicit_law[origin->node]);
    template->wish[node] = self->laws->wish[origin->node];
    template->passes_impulses[node] = self->laws->model->nodes[origin->node].passes_impulses;
  }
}

/* A port that a storage elsewhere fixes: which state its law has read, and what it must be told. */
static void translate_boundary(Maker *self) {
  HbgTemplate *template = self->template;
  const HbgGraph *graph = &template->graph;
  for (int32_t node = 0; node < graph->node_count; node++) {
    template->boundary_state[node] = -1;
    const HbgGraphNode *at = &graph->nodes[node];
    const int32_t state = at->is_source_port ? self->laws->model->nodes[at->node].state : -1;
    if (state < 0) continue;
    const int32_t bond = graph->ports[at->first_port].bond;
    template->is_demanded[at->kind == HBG_ELEMENT_SE ? hbg_flow_of(bond) : hbg_effort_of(bond)] = 1;
    if (self->laws->state_stamp[state] == self->laws->stamp) template->boundary_state[node] = self->laws->state_slot[state];
  }
}

/* Both lists may grow while they are translated: an input may read further integrators, an a priori value another. */
static void translate_inner(Maker *self) {
  HbgTemplate *template = self->template;
  for (int32_t pre = 0; pre < template->pre_count; pre++) {
    const HbgExpr argument = hbg_expr_node(&self->laws->pool, self->binding->pre[pre])->a;
    const HbgExpr inner = translate(self, argument);
    template->pre_inner[pre] = inner;
  }
  const int32_t differentiated = template->state_count; /* deeper integrators only give values, never derivatives */
  for (int32_t state = 0; state < differentiated; state++) {
    if (template->state_node[state] >= 0) continue;
    const HbgExpr input = translate(self, self->laws->model->states[self->binding->states[state]].input);
    template->state_input[state] = input;
  }
  for (int32_t pre = 0; pre < template->pre_count; pre++) {
    if (template->pre_inner[pre]) continue;
    const HbgExpr inner = translate(self, hbg_expr_node(&self->laws->pool, self->binding->pre[pre])->a);
    template->pre_inner[pre] = inner;
  }
}

static int32_t *write_node_key(int32_t *next, const HbgTemplate *template, int32_t node) {
  const HbgGraphNode *at = &template->graph.nodes[node];
  *next++ = (int32_t)at->kind * 2 + (at->is_off_port ? 1 : 0);
  *next++ = at->port_count;
  for (int32_t which = 0; which < at->port_count; which++) {
    const HbgPort *port = &template->graph.ports[at->first_port + which];
    *next++ = port->bond * 2 + (port->sign > 0 ? 1 : 0);
  }
  *next++ = template->effort_law[node];
  *next++ = template->flow_law[node];
  *next++ = template->implicit_law[node];
  *next++ = template->node_state[node];
  *next++ = template->boundary_state[node];
  *next++ = (int32_t)template->wish[node] * 2 + template->passes_impulses[node]; // of a ratio that varies with machines, also where it is a number now
  return next;
}

static void make_key(HbgTemplate *template, HbgArena *arena) {
  const HbgGraph *graph = &template->graph;
  const int32_t most = 1 + 8 * graph->node_count + graph->port_count + template->state_count + template->pre_count + 2 * graph->bond_count;
  int32_t *next = template->key = ARENA_NEW(arena, int32_t, most);
  *next++ = graph->node_count;
  for (int32_t node = 0; node < graph->node_count; node++) next = write_node_key(next, template, node);
  for (int32_t state = 0; state < template->state_count; state++) *next++ = template->state_input[state];
  for (int32_t pre = 0; pre < template->pre_count; pre++) *next++ = template->pre_inner[pre];
  for (int32_t variable = 0; variable < 2 * graph->bond_count; variable++)
    if (template->is_demanded[variable]) *next++ = -1 - variable;
  template->key_length = (int32_t)(next - template->key);
}

/* All that has its length by the graph, in two pieces: there are a million islands. */
static void make_lists(HbgTemplate *out, const HbgGraph *graph, HbgArena *arena) {
  enum { LISTS = 5 };
  int32_t *numbers = ARENA_NEW(arena, int32_t, (int64_t)LISTS * graph->node_count);
  uint8_t *bytes = ARENA_NEW(arena, uint8_t, (int64_t)graph->node_count * 2 + graph->bond_count * 2);
  *out = (HbgTemplate){.graph = *graph,
                       .effort_law = numbers,
                       .flow_law = numbers + graph->node_count,
                       .implicit_law = numbers + 2 * (int64_t)graph->node_count,
                       .node_state = numbers + 3 * (int64_t)graph->node_count,
                       .boundary_state = numbers + 4 * (int64_t)graph->node_count,
                       .wish = (HbgWish *)bytes,
                       .passes_impulses = bytes + graph->node_count,
                       .is_demanded = bytes + 2 * (int64_t)graph->node_count};
}

void hbg_template_make(HbgLaws *laws, const HbgGraph *graph, const int32_t *phi, HbgArena *arena, HbgTemplate *out,
                       HbgBinding *binding) {
  make_lists(out, graph, arena);
  *binding = (HbgBinding){0};
  laws->stamp++;
  Maker self = {.laws = laws, .template = out, .binding = binding, .arena = arena, .phi = phi};
  for (int32_t variable = 0; variable < 2 * graph->bond_count; variable++)
    out->is_demanded[variable] = laws->is_demanded[2 * graph->bonds[variable / 2].bond + variable % 2];
  add_storages(&self);
  translate_laws(&self);
  translate_boundary(&self);
  translate_inner(&self);
  make_key(out, arena);
}

/* ---- keeping ---- */

#define KEEP(thing, member, count) (thing)->member = hbg_arena_copy(arena, (thing)->member, count, sizeof *(thing)->member)

HbgTemplate hbg_template_keep(const HbgTemplate *template, HbgArena *arena) {
  HbgTemplate kept = *template;
  const int32_t nodes = kept.graph.node_count;
  KEEP(&kept, effort_law, nodes);
  KEEP(&kept, flow_law, nodes);
  KEEP(&kept, implicit_law, nodes);
  KEEP(&kept, wish, nodes);
  KEEP(&kept, passes_impulses, nodes);
  KEEP(&kept, node_state, nodes);
  KEEP(&kept, boundary_state, nodes);
  KEEP(&kept, state_node, kept.state_count);
  KEEP(&kept, state_input, kept.state_count);
  KEEP(&kept, pre_inner, kept.pre_count);
  KEEP(&kept, is_demanded, 2 * kept.graph.bond_count);
  KEEP(&kept, key, kept.key_length);
  return kept;
}

void hbg_template_give_back(const HbgTemplate *template, HbgArena *arena) {
  const void *const lists[] = {template->effort_law, template->wish, template->state_node, template->state_input, template->pre_inner, template->key};
  for (size_t at = 0; at < sizeof lists / sizeof *lists; at++) hbg_arena_give_back(arena, lists[at]);
}

HbgBinding hbg_binding_keep(const HbgBinding *binding, const HbgTemplate *template, HbgArena *arena) {
  HbgBinding kept = *binding;
  if (template->constant_count) KEEP(&kept, constants, template->constant_count);
  if (template->tick_count) KEEP(&kept, ticks, template->tick_count);
  if (template->discrete_count) KEEP(&kept, discrete, template->discrete_count);
  if (template->state_count) KEEP(&kept, states, template->state_count);
  if (template->pre_count) KEEP(&kept, pre, template->pre_count);
  return kept;
}

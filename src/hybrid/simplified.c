/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/simplified.h"

#include <stdlib.h>
#include <string.h>

#include "base/forest.h"
#include "equations/slot.h"
#include "hybrid/left_open.h"

typedef struct Simplifier {
  const HbgFlatModel *model; /* as it was */
  HbgArena *arena;
                      /* meaning                                                            shape        */
  int32_t *parent;    /* who is of one set                                                  (node_count) */
  int32_t *core;      /* of each set a junction that is more than a way through, -1         (node_count) */
  const uint8_t *open_flow, *open_effort; /* what a mode may leave open is taken of least norm over all bonds: there none must go (bond_count) */
  uint8_t *is_looped; /* a set around which there are two ways: it stays as it is           (node_count) */
  int32_t *into;      /* of each node the junction that stays; itself where that is none    (node_count) */
  int32_t *way;       /* of one that goes the bond towards that, -1                         (node_count) */
  int32_t *order; int32_t order_count; /* all that go, those nearer to what stays first */
} Simplifier;

/* ---- sets ---- */

/* Is it a junction without which its two bonds would be one? */
static bool is_superfluous(const HbgFlatModel *model, const HbgNode *node) { return node->machine < 0 && hbg_is_way_through(model, node); }

static bool are_alike(const HbgNode *a, const HbgNode *b) { return a->kind == b->kind && a->machine < 0 && b->machine < 0; }

/* Would the bond between two sets be within one of their kind, and is what goes through it never open? */
static bool may_be_one(const Simplifier *self, int32_t a, int32_t b, int32_t bond) {
  const HbgNode *nodes = self->model->nodes;
  const int32_t core = self->core[a] < 0 ? self->core[b] : self->core[a];
  if (core < 0) return !self->open_flow[bond] && !self->open_effort[bond];
  if (self->core[a] >= 0 && self->core[b] >= 0 && !are_alike(&nodes[self->core[a]], &nodes[self->core[b]])) return false;
  return nodes[core].kind == HBG_ELEMENT_ZERO ? !self->open_flow[bond] : !self->open_effort[bond];
}

static void join(Simplifier *self, int32_t a, int32_t b) {
  const int32_t core = self->core[a] < 0 || (self->core[b] >= 0 && self->core[b] < self->core[a]) ? self->core[b] : self->core[a];
  const bool is_looped = self->is_looped[a] || self->is_looped[b];
  hbg_forest_join(self->parent, a, b);
  const int32_t root = hbg_forest_root(self->parent, a);
  self->core[root] = core;
  self->is_looped[root] = is_looped;
}

/* Two junctions of which none is the end of a way: what goes to such an end is nothing, a number, and a guard that reads that would have no phase. */
static bool joins_junctions(const HbgFlatModel *model, int32_t bond) {
  const HbgNode *tail = &model->nodes[model->bonds[bond].tail], *head = &model->nodes[model->bonds[bond].head];
  return hbg_is_junction(tail) && hbg_is_junction(head) && tail->port_count > 1 && head->port_count > 1;
}

/* Is there anything to look for? In most models there is not. */
static bool is_any_alike(const HbgFlatModel *model) {
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    const HbgNode *tail = &model->nodes[model->bonds[bond].tail], *head = &model->nodes[model->bonds[bond].head];
    if (!joins_junctions(model, bond)) continue;
    if (are_alike(tail, head) || is_superfluous(model, tail) || is_superfluous(model, head)) return true;
  }
  return false;
}

static void find_sets(Simplifier *self) {
  const HbgFlatModel *model = self->model;
  for (int32_t node = 0; node < model->node_count; node++) {
    self->parent[node] = node;
    self->core[node] = is_superfluous(model, &model->nodes[node]) ? -1 : node;
  }
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    const int32_t tail = model->bonds[bond].tail, head = model->bonds[bond].head;
    if (!joins_junctions(model, bond)) continue;
    const int32_t a = hbg_forest_root(self->parent, tail), b = hbg_forest_root(self->parent, head);
    if (a == b) self->is_looped[a] = 1;
    else if (may_be_one(self, a, b, bond)) join(self, a, b);
  }
}

/* Of a set the first junction that is more than a way through stays; else the first of all. */
static void choose_who_stays(Simplifier *self) {
  for (int32_t node = 0; node < self->model->node_count; node++) {
    const int32_t root = hbg_forest_root(self->parent, node);
    self->into[node] = self->is_looped[root] ? node : self->core[root] >= 0 ? self->core[root] : root;
    self->way[node] = -1;
  }
}

static bool is_inside(const Simplifier *self, int32_t bond) {
  return self->into[self->model->bonds[bond].tail] == self->into[self->model->bonds[bond].head];
}

/* Those that go and have a bond to `node`. */
static void reach_from(Simplifier *self, int32_t node) {
  const HbgFlatModel *model = self->model;
  const HbgNode *at = &model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++) {
    const int32_t bond = hbg_port(model, at, which)->bond, other = hbg_other_end(model, bond, node);
    if (!is_inside(self, bond) || bond == self->way[node]) continue;
    self->way[other] = bond;
    self->order[self->order_count++] = other;
  }
}

static void find_ways(Simplifier *self) {
  for (int32_t node = 0; node < self->model->node_count; node++) {
    if (self->into[node] != node || !hbg_is_junction(&self->model->nodes[node])) continue;
    int32_t next = self->order_count;
    reach_from(self, node);
    for (; next < self->order_count; next++) reach_from(self, self->order[next]);
  }
}

/* ---- the graph ---- */

static HbgBond *new_bonds(const Simplifier *self) {
  const HbgFlatModel *model = self->model;
  HbgBond *bonds = hbg_arena_copy(self->arena, model->bonds, model->bond_count, sizeof *bonds);
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    const int32_t tail = bonds[bond].tail, head = bonds[bond].head;
    if (self->way[tail] != bond) bonds[bond].tail = self->into[tail];
    if (self->way[head] != bond) bonds[bond].head = self->into[head];
  }
  return bonds;
}

typedef struct SortedPort {
  HbgPort port;
  int32_t other;
} SortedPort;

static int compare_ports(const void *a, const void *b) {
  const SortedPort *first = a, *second = b;
  return first->other != second->other ? (first->other < second->other ? -1 : 1) : first->port.bond - second->port.bond;
}

/* In the order that junctions of models have theirs in. */
static void sort_ports(HbgFlatModel *model, int32_t node, SortedPort *room) {
  HbgPort *ports = &model->ports[model->nodes[node].first_port];
  const int32_t count = model->nodes[node].port_count;
  for (int32_t port = 0; port < count; port++) room[port] = (SortedPort){ports[port], hbg_other_end(model, ports[port].bond, node)};
  qsort(room, (size_t)count, sizeof *room, compare_ports);
  for (int32_t port = 0; port < count; port++) ports[port] = room[port].port;
}

/* Ports of all nodes, in the order that they had; those of junctions that stay are sorted anew. */
static void place_ports(const Simplifier *self, HbgFlatModel *model) {
  const HbgFlatModel *from = self->model;
  HbgNode *nodes = model->nodes;
  model->ports = ARENA_FULL(self->arena, HbgPort, model->port_count);
  for (int32_t node = 0; node < model->node_count; node++) nodes[node].port_count = 0;
  for (int32_t node = 0; node < model->node_count; node++) {
    const int32_t count = from->nodes[node].port_count;
    nodes[self->into[node]].port_count += self->way[node] < 0 ? count : count - 1;
    if (self->way[node] >= 0) nodes[node].port_count++;
  }
  int32_t first = 0, most = 0;
  for (int32_t node = 0; node < model->node_count; node++) {
    nodes[node].first_port = first;
    first += nodes[node].port_count;
    if (nodes[node].port_count > most) most = nodes[node].port_count;
    nodes[node].port_count = 0;
  }
  for (int32_t node = 0; node < model->node_count; node++)
    for (int32_t which = 0; which < from->nodes[node].port_count; which++) {
      const HbgPort *port = hbg_port(from, &from->nodes[node], which);
      HbgNode *at = &nodes[port->bond == self->way[node] ? node : self->into[node]];
      model->ports[at->first_port + at->port_count++] = *port;
    }
  SortedPort *room = ARENA_NEW(self->arena, SortedPort, most);
  for (int32_t at = 0; at < self->order_count; at++)
    if (!at || self->into[self->order[at]] != self->into[self->order[at - 1]]) sort_ports(model, self->into[self->order[at]], room);
}

/* One that goes is a source of nothing to the junction that stays. */
static void make_nothing(const Simplifier *self, HbgFlatModel *model, int32_t node) {
  HbgNode *at = &model->nodes[node];
  at->kind = model->nodes[self->into[node]].kind == HBG_ELEMENT_ZERO ? HBG_ELEMENT_SF : HBG_ELEMENT_SE;
  at->law_form = HBG_LAW_VALUE;
  at->law = hbg_expr_constant(&model->pool, 0);
}

/* ---- what went through ---- */

static int32_t sign_at(const HbgFlatModel *model, int32_t node, int32_t bond) { return model->bonds[bond].head == node ? 1 : -1; }

/* The terms of one that goes: its other bonds, of which those within the set have been found before. */
static void find_terms(const Simplifier *self, HbgSimplified *simplified, int32_t which, int32_t node) {
  const HbgFlatModel *model = self->model;
  const HbgNode *at = &model->nodes[node];
  const int32_t way = self->way[node], own = sign_at(model, node, way);
  const bool is_flow = model->nodes[self->into[node]].kind == HBG_ELEMENT_ZERO;
  int32_t end = simplified->start[which];
  for (int32_t port = 0; port < at->port_count; port++) {
    const HbgPort *other = hbg_port(model, at, port);
    if (other->bond == way) continue;
    const int32_t inside = simplified->of_bond[other->bond];
    simplified->term[end] = inside >= 0 ? -1 - inside : 2 * other->bond + is_flow;
    simplified->factor[end++] = -own * other->sign;
  }
  simplified->start[which + 1] = end;
  simplified->variable[which] = 2 * way + is_flow;
  simplified->of_bond[way] = which;
}

static HbgExpr balance_of(const HbgSimplified *simplified, HbgExprPool *pool, int32_t which) {
  HbgExpr sum = 0;
  for (int32_t at = simplified->start[which]; at < simplified->start[which + 1]; at++) {
    const int32_t term = simplified->term[at];
    const HbgExpr expr = term < 0 ? simplified->balance[-1 - term] : hbg_variable(pool, term);
    const bool is_minus = simplified->factor[at] < 0;
    if (sum) sum = hbg_expr_binary(pool, is_minus ? HBG_OP_SUB : HBG_OP_ADD, sum, expr);
    else sum = is_minus ? hbg_expr_unary(pool, HBG_OP_NEG, expr) : expr;
  }
  return sum ? sum : hbg_expr_constant(pool, 0);
}

static void find_balances(const Simplifier *self, HbgExprPool *pool, HbgSimplified *simplified) {
  const int32_t count = self->order_count;
  int32_t terms = 0;
  for (int32_t at = 0; at < count; at++) terms += self->model->nodes[self->order[at]].port_count;
  *simplified = (HbgSimplified){.written = self->model->nodes,
                                .count = count,
                                .variable = ARENA_FULL(self->arena, int32_t, count),
                                .balance = ARENA_FULL(self->arena, HbgExpr, count),
                                .start = ARENA_NEW(self->arena, int32_t, count + 1),
                                .term = ARENA_FULL(self->arena, int32_t, terms),
                                .factor = ARENA_FULL(self->arena, double, terms),
                                .of_bond = hbg_arena_indices(self->arena, self->model->bond_count)};
  for (int32_t which = 0; which < count; which++) {
    find_terms(self, simplified, which, self->order[count - 1 - which]);
    simplified->balance[which] = balance_of(simplified, pool, which);
  }
}

/* ---- who reads it ---- */

static int32_t read_by(const HbgSimplified *self, const HbgExprNode *node) {
  const int32_t variable = hbg_variable_of(node);
  const int32_t which = variable < 0 ? -1 : self->of_bond[variable / 2];
  return which >= 0 && self->variable[which] == variable ? which : -1;
}

static HbgExpr balance_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgSimplified *self = user;
  const int32_t which = read_by(self, hbg_expr_node(pool, leaf));
  return which < 0 ? 0 : self->balance[which];
}

HbgExpr hbg_simplified_read(const HbgSimplified *simplified, HbgExprPool *pool, HbgExpr expr) {
  return simplified->count && expr ? hbg_expr_replace(pool, expr, balance_for, (void *)(uintptr_t)simplified) : expr;
}

/* Does any expression of the model? One pass over all there are, before any is rebuilt. */
static bool is_any_read(const HbgSimplified *simplified, const HbgExprPool *pool) {
  for (HbgExpr expr = 1; expr < pool->count; expr++)
    if (read_by(simplified, hbg_expr_node(pool, expr)) >= 0) return true;
  return false;
}

typedef struct Rewriting {
  const HbgSimplified *simplified;
  HbgFlatModel *model;
  HbgArena *arena;
} Rewriting;

static void rewrite(const Rewriting *self, HbgExpr *expr) { *expr = hbg_simplified_read(self->simplified, &self->model->pool, *expr); }

static void rewrite_transitions(const Rewriting *self, HbgMachine *machine) {
  machine->transitions = hbg_arena_copy(self->arena, machine->transitions, machine->transition_count, sizeof *machine->transitions);
  for (int32_t at = 0; at < machine->transition_count; at++) {
    HbgTransition *transition = &machine->transitions[at];
    rewrite(self, &transition->guard);
    transition->actions = hbg_arena_copy(self->arena, transition->actions, transition->action_count, sizeof *transition->actions);
    for (int32_t action = 0; action < transition->action_count; action++) rewrite(self, &transition->actions[action].value);
  }
}

#define COPY(list, count) (model->list = hbg_arena_copy(self->arena, model->list, model->count, sizeof *model->list))

static void rewrite_all(const Rewriting *self) {
  HbgFlatModel *model = self->model;
  COPY(states, state_count), COPY(machines, machine_count), COPY(timers, timer_count), COPY(updates, update_count);
  COPY(delays, delay_count), COPY(conditions, condition_count);
  for (int32_t at = 0; at < model->node_count; at++) rewrite(self, &model->nodes[at].law);
  for (int32_t at = 0; at < model->state_count; at++) rewrite(self, &model->states[at].input);
  for (int32_t at = 0; at < model->machine_count; at++) rewrite_transitions(self, &model->machines[at]);
  for (int32_t at = 0; at < model->timer_count; at++) rewrite(self, &model->timers[at].duration);
  for (int32_t at = 0; at < model->update_count; at++) rewrite(self, &model->updates[at].value);
  for (int32_t at = 0; at < model->delay_count; at++) rewrite(self, &model->delays[at].input), rewrite(self, &model->delays[at].before);
  for (int32_t at = 0; at < model->condition_count; at++) rewrite(self, &model->conditions[at].left), rewrite(self, &model->conditions[at].right);
}

/* ---- all of it ---- */

static Simplifier simplifier(const HbgFlatModel *model, HbgArena *arena) {
  const int32_t count = model->node_count;
  return (Simplifier){.model = model,
                      .arena = arena,
                      .open_flow = hbg_left_open(model, true, arena),
                      .open_effort = hbg_left_open(model, false, arena),
                      .parent = ARENA_FULL(arena, int32_t, count),
                      .core = ARENA_FULL(arena, int32_t, count),
                      .is_looped = ARENA_NEW(arena, uint8_t, count),
                      .into = ARENA_FULL(arena, int32_t, count),
                      .way = ARENA_FULL(arena, int32_t, count),
                      .order = ARENA_FULL(arena, int32_t, count)};
}

const HbgFlatModel *hbg_simplified_graph(const HbgFlatModel *model, HbgSimplified *simplified, HbgArena *arena) {
  *simplified = (HbgSimplified){0};
  if (!is_any_alike(model)) return model;
  Simplifier self = simplifier(model, arena);
  find_sets(&self);
  choose_who_stays(&self);
  find_ways(&self);
  if (!self.order_count) return model;
  HbgFlatModel *simple = ARENA_NEW(arena, HbgFlatModel, 1);
  *simple = *model;
  simple->pool = hbg_expr_pool_copy(&model->pool, arena);
  simple->nodes = hbg_arena_copy(arena, model->nodes, model->node_count, sizeof *model->nodes);
  simple->bonds = new_bonds(&self);
  for (int32_t at = 0; at < self.order_count; at++) make_nothing(&self, simple, self.order[at]);
  place_ports(&self, simple);
  find_balances(&self, &simple->pool, simplified);
  if (is_any_read(simplified, &model->pool)) rewrite_all(&(Rewriting){simplified, simple, arena});
  return simple;
}

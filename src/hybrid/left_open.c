/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/left_open.h"

#include <stdlib.h>

#include "equations/slot.h"

/* Said of flows; of efforts with 0 and 1 exchanged. */
typedef enum Role {
  ELSE,    /* an element with one bond */
  STOPS,   /* a 1-junction with something that has a flow, or takes power */
  PASSES,  /* any other 1-junction, and a transformer */
  DIVIDES, /* a 0-junction */
  GIVES,   /* a 0-junction at a source: from and to each of its bonds any flow may go */
  ANYTHING /* a junction that may be off, so that each of its bonds is by itself; a gyrator */
} Role;

/* Where an open flow may come from. */
typedef struct End {
  HbgExpr law;        /* of the source; 0: anything */
  int32_t node, bond; /* the one of the tree that it comes to first, and by which */
  bool is_only;       /* no other one of that tree has its law */
} End;

typedef struct Finder {
  const HbgFlatModel *model;
  bool is_flow;
  HbgArena *arena;
                    /* meaning                                                  shape        */
  uint8_t *role;    /* Role                                                     (node_count) */
  HbgExpr *law;     /* of what gives: that of its source                        (node_count) */
  int32_t *way;     /* the bond it was reached by, -1                           (node_count) */
  uint8_t *is_met;  /*                                                          (node_count) */
  int32_t *ends, *only; /* behind a node: so many ends, and of them so many that have a law of their own (node_count) */
  int32_t *tree, tree_count; /* the one at hand, from its first node outwards   (node_count) */
  bool is_ring;     /* there are two ways between some of its nodes */
  bool is_bent;     /* efforts differ along it */
  End *list; int32_t count, capacity; /* its ends */
  uint8_t *is_open; /*                                                          (bond_count) */
} Finder;

/* ---- what a node does to a flow ---- */

static bool is_a(const Finder *self, const HbgNode *node, HbgElementKind of_flow, HbgElementKind of_effort) {
  return node->kind == (self->is_flow ? of_flow : of_effort);
}

static int32_t beside(const Finder *self, const HbgNode *node, int32_t which) {
  return hbg_other_end(self->model, hbg_port(self->model, node, which)->bond, (int32_t)(node - self->model->nodes));
}

/* Does it take power from any flow, or effort, of its own? A law that bends may not everywhere. */
static bool takes_power(const Finder *self, const HbgNode *node) {
  if (node->kind != HBG_ELEMENT_R || node->passes_impulses || !node->law) return false;
  const HbgExprNode *law = hbg_expr_node(&self->model->pool, node->law);
  const int32_t bond = hbg_port(self->model, node, 0)->bond;
  if (law->op == HBG_OP_MUL || law->op == HBG_OP_DIV) {
    const int32_t a = hbg_variable_of(hbg_expr_node(&self->model->pool, law->a)), b = hbg_variable_of(hbg_expr_node(&self->model->pool, law->b));
    return (a >= 0 && a / 2 == bond) != (b >= 0 && b / 2 == bond);
  }
  return hbg_variable_of(law) >= 0;
}

static bool stops(const Finder *self, const HbgNode *node) {
  return is_a(self, node, HBG_ELEMENT_I, HBG_ELEMENT_C) || is_a(self, node, HBG_ELEMENT_SF, HBG_ELEMENT_SE) || takes_power(self, node);
}

static HbgExpr source_at(const Finder *self, const HbgNode *junction) {
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgNode *other = &self->model->nodes[beside(self, junction, which)];
    if (is_a(self, other, HBG_ELEMENT_SE, HBG_ELEMENT_SF)) return other->law;
  }
  return 0;
}

static Role role_of(Finder *self, int32_t node) {
  const HbgNode *at = &self->model->nodes[node];
  if (at->kind == HBG_ELEMENT_TF) return PASSES;
  if (at->kind == HBG_ELEMENT_GY) return ANYTHING;
  if (!hbg_is_junction(at)) return ELSE;
  if (is_a(self, at, HBG_ELEMENT_ZERO, HBG_ELEMENT_ONE)) {
    if (at->machine >= 0) return ANYTHING;
    self->law[node] = source_at(self, at);
    return self->law[node] ? GIVES : DIVIDES;
  }
  for (int32_t which = 0; which < at->port_count; which++)
    if (stops(self, &self->model->nodes[beside(self, at, which)])) return STOPS;
  return PASSES;
}

/* 1-junctions that share a flow with one that has it. */
static void stop_beside(Finder *self) {
  int32_t count = 0;
  for (int32_t node = 0; node < self->model->node_count; node++)
    if (self->role[node] == STOPS) self->tree[count++] = node;
  while (count) {
    const HbgNode *at = &self->model->nodes[self->tree[--count]];
    for (int32_t which = 0; which < at->port_count; which++) {
      const int32_t other = beside(self, at, which);
      if (self->role[other] != PASSES || self->model->nodes[other].kind != at->kind) continue;
      self->role[other] = STOPS;
      self->tree[count++] = other;
    }
  }
}

/* ---- trees ---- */

static void add_end(Finder *self, int32_t node, int32_t bond, HbgExpr law) {
  ARENA_PUSH(self->arena, self->list, self->count, self->capacity) = (End){law, node, bond, false};
}

/* What a flow through `node` may come from or go to at the element `other`. */
static void look_at_element(Finder *self, int32_t node, int32_t bond, const HbgNode *other) {
  const bool is_source = is_a(self, other, HBG_ELEMENT_SE, HBG_ELEMENT_SF), is_storage = is_a(self, other, HBG_ELEMENT_C, HBG_ELEMENT_I);
  if (is_source) add_end(self, node, bond, other->law); // of a 1-junction that passes
  else if (!is_storage && other->kind == HBG_ELEMENT_R && !takes_power(self, other)) add_end(self, node, bond, 0);
}

static void look_at(Finder *self, int32_t node, int32_t bond) {
  const int32_t other = hbg_other_end(self->model, bond, node);
  switch ((Role)self->role[other]) {
    case ELSE: look_at_element(self, node, bond, &self->model->nodes[other]); break;
    case STOPS: break;
    case GIVES: add_end(self, node, bond, self->law[other]); break;
    case ANYTHING: add_end(self, node, bond, 0); break;
    case PASSES:
    case DIVIDES:
      if (bond == self->way[node]) break;
      if (self->is_met[other]) {
        self->is_ring = true;
        break;
      }
      self->is_met[other] = 1;
      self->way[other] = bond;
      self->tree[self->tree_count++] = other;
      break;
  }
}

static void find_tree(Finder *self, int32_t first) {
  self->is_ring = self->is_bent = false;
  self->count = self->tree_count = 0;
  self->is_met[first] = 1;
  self->tree[self->tree_count++] = first;
  for (int32_t at = 0; at < self->tree_count; at++) {
    const int32_t node = self->tree[at];
    const HbgNode *here = &self->model->nodes[node];
    if (self->role[node] == PASSES && !hbg_is_way_through(self->model, here)) self->is_bent = true;
    if (self->role[node] == PASSES && here->port_count == 1) add_end(self, node, hbg_port(self->model, here, 0)->bond, 0); // nothing is at its other side, and any flow may go there
    for (int32_t which = 0; which < here->port_count; which++) look_at(self, node, hbg_port(self->model, here, which)->bond);
  }
}

static int compare_laws(const void *a, const void *b) {
  const End *first = a, *second = b;
  if (first->law != second->law) return first->law < second->law ? -1 : 1;
  return first->bond - second->bond;
}

/* A law that looks elsewhere may come to be any other one. */
static bool look_elsewhere(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (hbg_variable_of(node) >= 0 || node->op == HBG_OP_STATE || node->op == HBG_OP_PRE) *(bool *)user = true;
  return !*(bool *)user;
}

static void find_who_is_only(Finder *self) {
  bool is_any = self->is_bent;
  HbgExprPool *pool = (HbgExprPool *)(uintptr_t)&self->model->pool; // which is looked at only
  if (self->count) qsort(self->list, (size_t)self->count, sizeof *self->list, compare_laws);
  for (int32_t at = 0; at < self->count && !is_any; at++) {
    is_any = !self->list[at].law;
    if (self->list[at].law && (!at || self->list[at].law != self->list[at - 1].law)) hbg_expr_visit(pool, self->list[at].law, look_elsewhere, &is_any);
  }
  for (int32_t at = 0; at < self->count && !is_any; at++)
    self->list[at].is_only = (!at || self->list[at - 1].law != self->list[at].law) && (at + 1 == self->count || self->list[at + 1].law != self->list[at].law);
}

/* Everything behind each node, seen from the first one. */
static void sum_up(Finder *self) {
  for (int32_t at = 0; at < self->tree_count; at++) self->ends[self->tree[at]] = self->only[self->tree[at]] = 0;
  for (int32_t at = 0; at < self->count; at++) {
    self->ends[self->list[at].node]++;
    self->only[self->list[at].node] += self->list[at].is_only;
  }
  for (int32_t at = self->tree_count - 1; at > 0; at--) {
    const int32_t node = self->tree[at], before = hbg_other_end(self->model, self->way[node], node);
    self->ends[before] += self->ends[node];
    self->only[before] += self->only[node];
  }
}

/* What comes through there would have to go to another source of the same law on the other side. */
static bool may_be_open(const Finder *self, int32_t ends, int32_t only) {
  const int32_t first = self->tree[0], others = self->ends[first] - ends, others_only = self->only[first] - only;
  return self->is_ring || (ends > only && others > others_only);
}

static void judge(Finder *self) {
  for (int32_t at = 1; at < self->tree_count; at++) {
    const int32_t node = self->tree[at];
    self->is_open[self->way[node]] = may_be_open(self, self->ends[node], self->only[node]);
  }
  for (int32_t at = 0; at < self->count; at++) self->is_open[self->list[at].bond] = self->is_ring || (self->count > 1 && !self->list[at].is_only);
  for (int32_t at = 0; self->is_ring && at < self->tree_count; at++) { // also those by which no node was reached
    const HbgNode *here = &self->model->nodes[self->tree[at]];
    for (int32_t which = 0; which < here->port_count; which++) self->is_open[hbg_port(self->model, here, which)->bond] = 1;
  }
}

/* ---- all of it ---- */

static void judge_what_is_in_no_tree(Finder *self) {
  for (int32_t bond = 0; bond < self->model->bond_count; bond++) {
    const Role tail = self->role[self->model->bonds[bond].tail], head = self->role[self->model->bonds[bond].head];
    self->is_open[bond] = tail != STOPS && head != STOPS;
  }
}

uint8_t *hbg_left_open(const HbgFlatModel *model, bool is_flow, HbgArena *arena) {
  const int32_t count = model->node_count;
  Finder self = {.model = model,
                 .is_flow = is_flow,
                 .arena = arena,
                 .role = ARENA_FULL(arena, uint8_t, count),
                 .law = ARENA_NEW(arena, HbgExpr, count),
                 .way = hbg_arena_indices(arena, count),
                 .is_met = ARENA_NEW(arena, uint8_t, count),
                 .ends = ARENA_FULL(arena, int32_t, count),
                 .only = ARENA_FULL(arena, int32_t, count),
                 .tree = ARENA_FULL(arena, int32_t, count),
                 .is_open = ARENA_FULL(arena, uint8_t, model->bond_count)};
  for (int32_t node = 0; node < count; node++) self.role[node] = (uint8_t)role_of(&self, node);
  stop_beside(&self);
  judge_what_is_in_no_tree(&self);
  for (int32_t node = 0; node < count; node++) {
    if (self.is_met[node] || (self.role[node] != PASSES && self.role[node] != DIVIDES)) continue;
    find_tree(&self, node);
    find_who_is_only(&self);
    sum_up(&self);
    judge(&self);
  }
  return self.is_open;
}

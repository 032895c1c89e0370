/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/rails.h"

#include "equations/slot.h"

enum { MOST_BESIDE = 16 };

typedef struct Rails {
  const HbgFlatModel *model;
  HbgExpr *number; /* of each junction that a source of its own kind is at, in all modes, and of each such source; 0 (node_count) */
  int32_t beside[MOST_BESIDE], beside_count; /* junctions and elements at the bonds that the input at hand reads */
  bool is_asked;
} Rails;

/* ---- numbers ---- */

static bool is_constant(const HbgFlatModel *model, HbgExpr law) { return law && hbg_expr_node(&model->pool, law)->op == HBG_OP_CONSTANT; }

/* The junction at the bond of a source; -1: another element, or a junction that is nothing where it is off. */
static int32_t junction_of(const HbgFlatModel *model, int32_t source) {
  const int32_t other = hbg_other_end(model, hbg_port(model, &model->nodes[source], 0)->bond, source);
  return hbg_is_junction(&model->nodes[other]) && model->nodes[other].machine < 0 ? other : -1;
}

static void find_numbers(const HbgFlatModel *model, HbgExpr *number) {
  for (int32_t node = 0; node < model->node_count; node++) {
    const HbgNode *source = &model->nodes[node];
    if ((source->kind != HBG_ELEMENT_SE && source->kind != HBG_ELEMENT_SF) || source->port_count != 1 || !is_constant(model, source->law)) continue;
    const int32_t junction = junction_of(model, node);
    if (junction < 0) continue;
    number[node] = source->law;
    if (model->nodes[junction].kind == (source->kind == HBG_ELEMENT_SE ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE)) number[junction] = source->law;
  }
}

/* Is there no junction at the other end of a bond that makes it nothing where it is off? */
static bool is_free(const HbgFlatModel *model, int32_t node, bool is_flow) {
  return model->nodes[node].kind != (is_flow ? HBG_ELEMENT_ONE : HBG_ELEMENT_ZERO) || model->nodes[node].machine < 0;
}

/* What a variable is for ever; 0. */
static HbgExpr number_of(const Rails *self, int32_t variable) {
  const HbgFlatModel *model = self->model;
  const HbgBond *bond = &model->bonds[variable / 2];
  const bool is_flow = variable % 2;
  const int32_t ends[2] = {bond->tail, bond->head};
  for (int end = 0; end < 2; end++) {
    const HbgElementKind kind = model->nodes[ends[end]].kind;
    const bool imposes = is_flow ? kind == HBG_ELEMENT_SF || kind == HBG_ELEMENT_ONE : kind == HBG_ELEMENT_SE || kind == HBG_ELEMENT_ZERO;
    if (imposes && self->number[ends[end]] && is_free(model, ends[1 - end], is_flow)) return self->number[ends[end]];
  }
  return 0;
}

/* ---- bonds ---- */

/* The bond between a node of few and a junction; -1. */
static int32_t bond_between(const HbgFlatModel *model, int32_t node, int32_t junction) {
  for (int32_t which = 0; which < model->nodes[node].port_count && which < MOST_BESIDE; which++) {
    const int32_t bond = hbg_port(model, &model->nodes[node], which)->bond;
    if (model->bonds[bond].tail == junction || model->bonds[bond].head == junction) return bond;
  }
  return -1;
}

/* Of the bonds at a junction that share the variable, the one to something else that is read: the first of these in order. */
static int32_t nearest_bond(const Rails *self, int32_t variable) {
  const HbgFlatModel *model = self->model;
  const HbgBond *bond = &model->bonds[variable / 2];
  const int32_t ends[2] = {bond->tail, bond->head};
  for (int end = 0; end < 2; end++) {
    const HbgNode *junction = &model->nodes[ends[end]];
    if (junction->kind != (variable % 2 ? HBG_ELEMENT_ONE : HBG_ELEMENT_ZERO) || junction->machine >= 0) continue;
    for (int32_t at = 0; at < self->beside_count; at++) {
      if (self->beside[at] == ends[end] || self->beside[at] == ends[1 - end]) continue;
      const int32_t near = bond_between(model, self->beside[at], ends[end]);
      if (near >= 0) return near;
    }
  }
  return variable / 2;
}

static void add_beside(Rails *self, int32_t node) {
  for (int32_t at = 0; at < self->beside_count; at++)
    if (self->beside[at] == node) return;
  if (self->beside_count < MOST_BESIDE) self->beside[self->beside_count++] = node;
}

static bool note_beside(HbgExprPool *pool, HbgExpr expr, void *user) {
  Rails *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0 && !number_of(self, variable)) {
    add_beside(self, self->model->bonds[variable / 2].tail);
    add_beside(self, self->model->bonds[variable / 2].head);
  }
  return node->op != HBG_OP_PRE;
}

/* ---- inputs ---- */

static bool note_asked(HbgExprPool *pool, HbgExpr expr, void *user) {
  Rails *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0 && (number_of(self, variable) || nearest_bond(self, variable) != variable / 2)) self->is_asked = true;
  return !self->is_asked && node->op != HBG_OP_PRE;
}

/* What is looked back at is left as it is. */
static HbgExpr apart(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const Rails *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  const int32_t variable = hbg_variable_of(&node);
  if (node.op == HBG_OP_PRE) return leaf;
  if (variable < 0) return 0;
  const HbgExpr number = number_of(self, variable);
  return number ? number : hbg_expr_leaf(pool, node.op, nearest_bond(self, variable), 0);
}

static void look_beside(Rails *self, HbgExprPool *pool, HbgExpr input) {
  self->beside_count = 0;
  hbg_expr_visit(pool, input, note_beside, self);
}

static bool is_any_asked(Rails *self, HbgExprPool *pool) {
  for (int32_t state = 0; state < self->model->state_count && !self->is_asked; state++) {
    const HbgExpr input = self->model->states[state].input;
    if (self->model->states[state].node >= 0) continue;
    const int32_t alone = hbg_variable_of(hbg_expr_node(pool, input)); // as mostly
    if (alone < 0) look_beside(self, pool, input);
    if (alone < 0) hbg_expr_visit(pool, input, note_asked, self);
    else self->is_asked = number_of(self, alone);
  }
  return self->is_asked;
}

static void replace_all(Rails *self, HbgFlatModel *extended, HbgArena *arena) {
  extended->states = ARENA_NEW(arena, HbgState, extended->state_count);
  for (int32_t state = 0; state < extended->state_count; state++) {
    const HbgState *from = &self->model->states[state];
    extended->states[state] = *from;
    if (from->node >= 0) continue;
    look_beside(self, &extended->pool, from->input);
    extended->states[state].input = hbg_expr_replace(&extended->pool, from->input, apart, self);
  }
}

const HbgFlatModel *hbg_rails_apart(const HbgFlatModel *model, HbgArena *arena) {
  if (!model->state_count || model->states[model->state_count - 1].node >= 0) return model; // integrators are last
  Rails self = {.model = model, .number = ARENA_FULL(arena, HbgExpr, model->node_count)};
  HbgFlatModel *extended = ARENA_NEW(arena, HbgFlatModel, 1);
  *extended = *model;
  extended->pool = hbg_expr_pool_copy(&model->pool, arena);
  find_numbers(model, self.number);
  if (!is_any_asked(&self, &extended->pool)) return model;
  replace_all(&self, extended, arena);
  return extended;
}

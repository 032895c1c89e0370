/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/likeness.h"

enum { MOST_STEPS = 64 };

/* Leaves that may stand for each other. */
static bool may_differ(const HbgExprNode *node) {
  switch (node->op) {
    case HBG_OP_STATE:
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_TICK:
    case HBG_OP_VARIABLE:
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON: return true;
    default: return false;
  }
}

static bool is_of_bond(const HbgExprNode *leaf) { return hbg_variable_of(leaf) >= 0; }

/* Numbers of one kind go together: both sides of a bond are those of one bond. */
static bool is_one_to_one(const HbgLikeness *self, const HbgExprPool *pool, const HbgExprNode *from,
                          const HbgExprNode *to) {
  for (int32_t at = 0; at < self->count; at++) {
    const HbgExprNode *a = hbg_expr_node(pool, self->from[at]), *b = hbg_expr_node(pool, self->to[at]);
    const bool are_comparable = a->op == from->op || (is_of_bond(a) && is_of_bond(from));
    if (are_comparable && (a->index == from->index) != (b->index == to->index)) return false;
  }
  return true;
}

static bool add_leaf(HbgLikeness *self, const HbgExprPool *pool, HbgExpr from, HbgExpr to) {
  for (int32_t at = 0; at < self->count; at++)
    if (self->from[at] == from) return self->to[at] == to;
  const HbgExprNode *a = hbg_expr_node(pool, from), *b = hbg_expr_node(pool, to);
  if (self->count == HBG_LIKENESS_LEAVES || a->other != b->other || !is_one_to_one(self, pool, a, b)) return false;
  self->from[self->count] = from;
  self->to[self->count++] = to;
  return true;
}

bool hbg_likeness_add(HbgLikeness *self, const HbgExprPool *pool, HbgExpr from, HbgExpr to) {
  if (!from || !to) return from == to;
  if (++self->steps > MOST_STEPS) return false;
  const HbgExprNode *a = hbg_expr_node(pool, from), *b = hbg_expr_node(pool, to);
  if (a->op != b->op || a->is_boolean != b->is_boolean) return false;
  if (may_differ(a)) return add_leaf(self, pool, from, to);
  if (!hbg_operation_info[a->op].arguments) return from == to;
  if (hbg_operation_has_table(a->op) && (a->index != b->index || a->other != b->other)) return false;
  return hbg_likeness_add(self, pool, a->a, b->a) && hbg_likeness_add(self, pool, a->b, b->b) &&
         hbg_likeness_add(self, pool, a->c, b->c);
}

HbgExprNode hbg_likeness_leaf(const HbgLikeness *self, const HbgExprPool *pool, const HbgExprNode *leaf) {
  for (int32_t at = 0; at < self->count; at++) {
    const HbgExprNode *from = hbg_expr_node(pool, self->from[at]);
    if (from->op == leaf->op && from->index == leaf->index && from->other == leaf->other)
      return *hbg_expr_node(pool, self->to[at]);
  }
  return *leaf;
}

int32_t hbg_likeness_state(const HbgLikeness *self, const HbgExprPool *pool, int32_t state) {
  for (int32_t at = 0; at < self->count; at++) {
    const HbgExprNode *from = hbg_expr_node(pool, self->from[at]);
    if (from->op == HBG_OP_STATE && from->index == state) return hbg_expr_node(pool, self->to[at])->index;
  }
  return state;
}

int32_t hbg_likeness_bond(const HbgLikeness *self, const HbgExprPool *pool, int32_t bond) {
  for (int32_t at = 0; at < self->count; at++) {
    const HbgExprNode *from = hbg_expr_node(pool, self->from[at]);
    if (is_of_bond(from) && from->index == bond) return hbg_expr_node(pool, self->to[at])->index;
  }
  return bond;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The impulse part of an expression. */
#include "equations/definitions.h"

static HbgExpr a_priori_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  (void)user;
  const int32_t variable = hbg_variable_of(hbg_expr_node(pool, leaf));
  return variable < 0 ? 0 : hbg_slot(pool, HBG_SLOT_PRE_VARIABLE, variable);
}

typedef struct AreaWalk {
  bool is_undefined;
} AreaWalk;

static HbgExpr area_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0) return hbg_slot(pool, HBG_SLOT_AREA, variable);
  const bool is_finite = node->is_boolean || node->op == HBG_OP_PRE || node->op == HBG_OP_IMPULSE ||
                         node->op == HBG_OP_FINITE || node->op == HBG_OP_SIGN;
  if (is_finite || hbg_operation_info[node->op].arguments == 0) return hbg_expr_constant(pool, 0);
  return 0;
}

/* A factor next to an impulse: marked FINITE here, replaced by its a priori value when the walk is over. */
static HbgExpr coefficient(HbgExprPool *pool, HbgExpr expr) { return hbg_expr_unary(pool, HBG_OP_FINITE, expr); }

static HbgExpr undefined(HbgExprPool *pool, AreaWalk *self) {
  self->is_undefined = true;
  return hbg_expr_constant(pool, 0);
}

static HbgExpr area_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  AreaWalk *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  const HbgExpr a = memo[node.a], b = node.b ? memo[node.b] : 0, c = node.c ? memo[node.c] : 0;
  const bool a_zero = hbg_expr_is(pool, a, 0), b_zero = !b || hbg_expr_is(pool, b, 0);
  switch (node.op) {
    case HBG_OP_SELECT: return hbg_expr_select(pool, coefficient(pool, node.a), b, c);
    case HBG_OP_NEG:
    case HBG_OP_ABS: return hbg_expr_unary(pool, node.op, a);
    case HBG_OP_ADD:
    case HBG_OP_SUB: return hbg_expr_binary(pool, node.op, a, b);
    default: break;
  }
  if (a_zero && b_zero) return hbg_expr_constant(pool, 0);
  switch (node.op) {
    case HBG_OP_MIN:
    case HBG_OP_MAX:
    case HBG_OP_HYPOT: return hbg_expr_binary(pool, node.op, a, b);
    case HBG_OP_MUL:
      if (!a_zero && !b_zero) return undefined(pool, self);
      return a_zero ? hbg_expr_binary(pool, HBG_OP_MUL, coefficient(pool, node.a), b)
                    : hbg_expr_binary(pool, HBG_OP_MUL, a, coefficient(pool, node.b));
    case HBG_OP_DIV:
      return b_zero ? hbg_expr_binary(pool, HBG_OP_DIV, a, coefficient(pool, node.b)) : undefined(pool, self);
    default: return undefined(pool, self);
  }
}

HbgExpr hbg_a_priori_of(HbgExprPool *pool, HbgExpr expr) { return hbg_expr_replace(pool, expr, a_priori_leaf, NULL); }

static HbgExpr freeze_coefficient(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  return node.op == HBG_OP_FINITE ? hbg_a_priori_of(pool, node.a) : 0;
}

HbgExpr hbg_area_of(HbgExprPool *pool, HbgExpr expr, bool *is_undefined) {
  AreaWalk self = {false};
  const HbgExpr area = hbg_expr_walk(pool, expr, &(HbgWalk){area_enter, area_leave, &self});
  if (self.is_undefined) *is_undefined = true;
  return hbg_expr_replace(pool, area, freeze_coefficient, NULL);
}

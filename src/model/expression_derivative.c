/* SPDX-License-Identifier: BSD-3-Clause
 * Derivatives of expressions. */
#include <math.h>

#include "model/expression_build.h"

typedef struct Differentiation {
  HbgLeafDerivative derivative;
  void *user;
} Differentiation;

static HbgExpr derivative_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Differentiation *differentiation = user;
  const HbgExprNode *node = &pool->nodes[expr];
  if (node->op == HBG_OP_CONSTANT || node->is_boolean) return hbg_expr_constant(pool, 0);
  if (!hbg_is_leaf(node->op) && node->op != HBG_OP_PRE) return 0;
  const HbgExpr result = differentiation->derivative(pool, expr, differentiation->user);
  return result ? result : hbg_expr_constant(pool, 0);
}

static HbgExpr square(HbgExprPool *pool, HbgExpr a) { return MUL(a, a); }

/* d(a^b): the general rule needs log a, which a negative base with a constant exponent does not have. */
static HbgExpr power_derivative(HbgExprPool *pool, HbgExpr expr, HbgExpr a, HbgExpr b, HbgExpr da, HbgExpr db) {
  const HbgExpr by_base = MUL(MUL(b, POW(a, SUB(b, NUMBER(1)))), da);
  if (hbg_expr_is(pool, db, 0)) return by_base;
  return ADD(by_base, MUL(MUL(expr, FUNCTION(LOG, a)), db));
}

/* The derivative of a function of one argument with respect to it. */
static HbgExpr outer_derivative(HbgExprPool *pool, HbgOperation op, HbgExpr expr, HbgExpr a) {
  switch (op) {
    case HBG_OP_NEG: return NUMBER(-1);
    case HBG_OP_ABS: return FUNCTION(SIGN, a);
    case HBG_OP_SQRT: return DIV(NUMBER(0.5), expr);
    case HBG_OP_EXP: return expr;
    case HBG_OP_LOG: return DIV(NUMBER(1), a);
    case HBG_OP_LOG10: return DIV(NUMBER(1 / log(10.0)), a);
    case HBG_OP_SIN: return FUNCTION(COS, a);
    case HBG_OP_COS: return FUNCTION(NEG, FUNCTION(SIN, a));
    case HBG_OP_TAN: return ADD(NUMBER(1), square(pool, expr));
    case HBG_OP_ASIN: return DIV(NUMBER(1), FUNCTION(SQRT, SUB(NUMBER(1), square(pool, a))));
    case HBG_OP_ACOS: return DIV(NUMBER(-1), FUNCTION(SQRT, SUB(NUMBER(1), square(pool, a))));
    case HBG_OP_ATAN: return DIV(NUMBER(1), ADD(NUMBER(1), square(pool, a)));
    case HBG_OP_SINH: return FUNCTION(COSH, a);
    case HBG_OP_COSH: return FUNCTION(SINH, a);
    case HBG_OP_TANH: return SUB(NUMBER(1), square(pool, expr));
    case HBG_OP_FINITE: return NUMBER(1);
    default: return NUMBER(0); /* sign, floor, ceil, impulse: constant where they have a derivative */
  }
}

static HbgExpr choose(HbgExprPool *pool, HbgOperation relation, HbgExpr a, HbgExpr b, HbgExpr da, HbgExpr db) {
  return hbg_expr_select(pool, hbg_expr_binary(pool, relation, a, b), da, db);
}

static HbgExpr binary_derivative(HbgExprPool *pool, HbgExpr expr, HbgExpr da, HbgExpr db) {
  const HbgExprNode node = pool->nodes[expr];
  const HbgExpr a = node.a, b = node.b;
  switch (node.op) {
    case HBG_OP_ADD: return ADD(da, db);
    case HBG_OP_SUB: return SUB(da, db);
    case HBG_OP_MUL: return ADD(MUL(da, b), MUL(a, db));
    case HBG_OP_DIV:
      if (hbg_expr_is(pool, db, 0)) return DIV(da, b);
      return DIV(SUB(da, MUL(expr, db)), b);
    case HBG_OP_POW: return power_derivative(pool, expr, a, b, da, db);
    case HBG_OP_MIN: return choose(pool, HBG_OP_LESS, a, b, da, db);
    case HBG_OP_MAX: return choose(pool, HBG_OP_GREATER, a, b, da, db);
    case HBG_OP_ATAN2: return DIV(SUB(MUL(b, da), MUL(a, db)), ADD(square(pool, a), square(pool, b)));
    case HBG_OP_HYPOT: return DIV(ADD(MUL(a, da), MUL(b, db)), expr);
    case HBG_OP_MOD: return SUB(da, MUL(FUNCTION(FLOOR, DIV(a, b)), db));
    default: return NUMBER(0);
  }
}

static HbgExpr derivative_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)user;
  const HbgExprNode node = pool->nodes[expr];
  const HbgExpr da = memo[node.a], db = node.b ? memo[node.b] : 0, dc = node.c ? memo[node.c] : 0;
  if (node.op == HBG_OP_SELECT) return hbg_expr_select(pool, node.a, db, dc);
  if (node.b) {
    const bool constant = hbg_expr_is(pool, da, 0) && hbg_expr_is(pool, db, 0);
    return constant ? NUMBER(0) : binary_derivative(pool, expr, da, db);
  }
  if (hbg_expr_is(pool, da, 0)) return NUMBER(0);
  return MUL(outer_derivative(pool, node.op, expr, node.a), da);
}

HbgExpr hbg_expr_derivative(HbgExprPool *pool, HbgExpr expr, HbgLeafDerivative derivative, void *user) {
  Differentiation differentiation = {derivative, user};
  return hbg_expr_walk(pool, expr, &(HbgWalk){derivative_enter, derivative_leave, &differentiation});
}

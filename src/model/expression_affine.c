/* SPDX-License-Identifier: BSD-3-Clause
 * Which expressions are affine. */
#include "model/expression_build.h"

/* How an expression depends on what varies. */
typedef enum Dependence { NONE = 1, AFFINE, OTHER } Dependence;

typedef struct Question {
  bool (*varies)(const HbgExprNode *leaf, void *user);
  void *user;
} Question;

static HbgExpr enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Question *question = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_PRE) return OTHER;
  if (!hbg_is_leaf(node->op)) return 0;
  return question->varies(node, question->user) ? AFFINE : NONE;
}

static Dependence worst_of(Dependence a, Dependence b) { return a > b ? a : b; }

static HbgExpr leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const Dependence a = (Dependence)memo[node->a], b = node->b ? (Dependence)memo[node->b] : NONE;
  const Dependence c = node->c ? (Dependence)memo[node->c] : NONE, worst = worst_of(a, worst_of(b, c));
  if (worst == NONE) return NONE;
  switch (node->op) {
    case HBG_OP_ADD:
    case HBG_OP_SUB:
    case HBG_OP_NEG:
    case HBG_OP_FINITE: return (HbgExpr)worst;
    case HBG_OP_MUL: return a == NONE || b == NONE ? (HbgExpr)worst : OTHER;
    case HBG_OP_DIV: return b == NONE ? (HbgExpr)worst : OTHER;
    case HBG_OP_SELECT: return a == NONE ? (HbgExpr)worst : OTHER;
    default: return OTHER;
  }
}

bool hbg_expr_is_affine(HbgExprPool *pool, HbgExpr expr, bool (*varies)(const HbgExprNode *leaf, void *user), void *user) {
  Question question = {varies, user};
  return hbg_expr_walk(pool, expr, &(HbgWalk){enter, leave, &question}) != OTHER;
}

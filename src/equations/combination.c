/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/combination.h"

#include <math.h>

enum { DEEPEST = 24 };

/* to := to + sign other. */
static bool join(HbgCombination *to, double sign, const HbgCombination *other) {
  to->constant += sign * other->constant;
  for (int32_t at = 0; at < other->count; at++) {
    int32_t place = 0;
    while (place < to->count && to->terms[place].leaf != other->terms[at].leaf) place++;
    if (place == HBG_COMBINATION_MOST) return false;
    if (place == to->count) to->terms[to->count++] = (HbgCombinationTerm){other->terms[at].leaf, 0};
    to->terms[place].weight += sign * other->terms[at].weight;
  }
  return true;
}

static void scale(HbgCombination *to, double factor) {
  to->constant *= factor;
  for (int32_t at = 0; at < to->count; at++) to->terms[at].weight *= factor;
}

static void divide(HbgCombination *to, double by) {
  to->constant /= by;
  for (int32_t at = 0; at < to->count; at++) to->terms[at].weight /= by;
}

static bool is_constant(const HbgCombination *of) {
  for (int32_t at = 0; at < of->count; at++)
    if (!(of->terms[at].weight >= 0 && of->terms[at].weight <= 0)) return false;
  return true;
}

static bool read(const HbgExprPool *pool, HbgExpr expr, int depth, HbgCombination *to);

static bool read_product(HbgCombination *to, HbgCombination *other) {
  if (is_constant(to)) {
    scale(other, to->constant);
    *to = *other;
    return true;
  }
  scale(to, other->constant);
  return is_constant(other);
}

static bool read_operation(const HbgExprPool *pool, const HbgExprNode *node, int depth, HbgCombination *to) {
  HbgCombination other;
  if (depth == DEEPEST || !read(pool, node->a, depth + 1, to) || (node->b && !read(pool, node->b, depth + 1, &other)))
    return false;
  switch (node->op) {
    case HBG_OP_NEG: scale(to, -1); return true;
    case HBG_OP_ADD: return join(to, 1, &other);
    case HBG_OP_SUB: return join(to, -1, &other);
    case HBG_OP_MUL: return read_product(to, &other);
    default: divide(to, other.constant); return is_constant(&other);
  }
}

static bool read(const HbgExprPool *pool, HbgExpr expr, int depth, HbgCombination *to) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  to->constant = 0;
  to->count = 0;
  switch (node->op) {
    case HBG_OP_CONSTANT: to->constant = node->value; return !node->is_boolean;
    case HBG_OP_STATE:
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: to->terms[to->count++] = (HbgCombinationTerm){expr, 1}; return true;
    case HBG_OP_NEG:
    case HBG_OP_ADD:
    case HBG_OP_SUB:
    case HBG_OP_MUL:
    case HBG_OP_DIV: return read_operation(pool, node, depth, to);
    default: return false;
  }
}

static bool is_finite(const HbgCombination *of) {
  double sum = of->constant;
  for (int32_t at = 0; at < of->count; at++) sum += fabs(of->terms[at].weight);
  return isfinite(sum);
}

bool hbg_combination(const HbgExprPool *pool, HbgExpr expr, HbgCombination *combination) {
  return read(pool, expr, 0, combination) && is_finite(combination);
}

bool hbg_combination_of_difference(const HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgCombination *combination) {
  HbgCombination other;
  return read(pool, left, 0, combination) && read(pool, right, 0, &other) && join(combination, -1, &other) &&
         is_finite(combination);
}

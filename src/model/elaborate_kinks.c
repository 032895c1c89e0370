/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: comparisons of what has kinks. limit(x, low, high) > y holds where x > y or low > y, and high > y: of conditions without kinks each is
 * a sum, as a rule, where the limited value is none, so that guards on it are solved for and not searched, and those on time alone are scheduled.
 *
 *   max(a, b) > y  is  a > y or b > y,   min(a, b) > y  is  a > y and b > y,   abs(a) is max(a, -a);
 *
 * and so with any sum in which such a value stands once, with a factor whose sign is known. */
#include "base/numbers.h"
#include "model/elaborator.h"
#include "model/expression_build.h"

enum { MOST_PARTS = 12 }; /* that a comparison is taken apart into; one of more stays whole, as parts and what they are parts of would turn at the same instants */

typedef struct Comparison {
  HbgElaborator *elaborator;
  const HbgPlace *place;
  HbgTreeNode node;
  HbgOperation op;
  bool is_tried; /* its parts are only counted */
  int parts;     /* so far */
} Comparison;

/* A value with a kink in a sum, and whether the sum grows with it (1) or falls (-1). */
typedef struct Kink {
  HbgExpr expr;
  int sign;
} Kink;

static bool has_kink(HbgOperation op) { return op == HBG_OP_MIN || op == HBG_OP_MAX || op == HBG_OP_ABS; }

/* The sign of a number; 0: it is none, or nothing. */
static int sign_of(const HbgExprPool *pool, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op != HBG_OP_CONSTANT || hbg_is_zero(node->value)) return 0;
  return node->value > 0 ? 1 : -1;
}

/* The parts of a sum, with the signs that they have in it, by the node that is their sum; `count` 0: it is none. */
typedef struct Parts {
  HbgExpr list[2];
  int sign[2], count;
} Parts;

static Parts parts_of(const HbgExprPool *pool, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int a = node->a ? sign_of(pool, node->a) : 0, b = node->b ? sign_of(pool, node->b) : 0;
  switch (node->op) {
    case HBG_OP_ADD: return (Parts){{node->a, node->b}, {1, 1}, 2};
    case HBG_OP_SUB: return (Parts){{node->a, node->b}, {1, -1}, 2};
    case HBG_OP_NEG: return (Parts){{node->a}, {-1}, 1};
    case HBG_OP_MUL: return a ? (Parts){{node->b}, {a}, 1} : b ? (Parts){{node->a}, {b}, 1} : (Parts){0};
    case HBG_OP_DIV: return b ? (Parts){{node->a}, {b}, 1} : (Parts){0};
    default: return (Parts){0};
  }
}

/* The first one of a sum. */
static Kink find_kink(const HbgExprPool *pool, HbgExpr expr, int sign, int depth) {
  Kink found = {0};
  if (has_kink(hbg_expr_node(pool, expr)->op)) return (Kink){expr, sign};
  const Parts parts = parts_of(pool, expr);
  for (int at = 0; at < parts.count && depth && !found.expr; at++) found = find_kink(pool, parts.list[at], sign * parts.sign[at], depth - 1);
  return found;
}

/* How often it stands in a sum, or more often than that where it does so other than as a term. */
static int count_in(const HbgExprPool *pool, HbgExpr expr, HbgExpr kink, int depth) {
  enum { OFTEN = 1000 };
  if (expr == kink) return 1;
  const Parts parts = parts_of(pool, expr);
  if (!parts.count || !depth) return hbg_expr_depends(pool, expr, kink) ? OFTEN : 0;
  int count = 0;
  for (int at = 0; at < parts.count; at++) count += count_in(pool, parts.list[at], kink, depth - 1);
  return count;
}

static HbgExpr compare(Comparison *self, HbgExpr a, HbgExpr b) {
  enum { DEEPEST = 24 };
  HbgExprPool *pool = self->elaborator->pool;
  Kink kink = find_kink(pool, a, 1, DEEPEST);
  if (!kink.expr) kink = find_kink(pool, b, -1, DEEPEST);
  const bool is_one = kink.expr && count_in(pool, a, kink.expr, DEEPEST) + count_in(pool, b, kink.expr, DEEPEST) == 1;
  if (!is_one || self->parts > MOST_PARTS) {
    self->parts++;
    return self->is_tried ? 0 : hbg_elaborate_smooth_comparison(self->elaborator, self->place, self->node, self->op, a, b);
  }
  const HbgExprNode node = *hbg_expr_node(pool, kink.expr);
  const HbgExpr other = node.op == HBG_OP_ABS ? FUNCTION(NEG, node.a) : node.b;
  const bool is_greater = self->op == HBG_OP_GREATER || self->op == HBG_OP_GREATER_EQUAL;
  const HbgExpr one = compare(self, hbg_expr_exchange(pool, a, kink.expr, node.a), hbg_expr_exchange(pool, b, kink.expr, node.a));
  const HbgExpr two = compare(self, hbg_expr_exchange(pool, a, kink.expr, other), hbg_expr_exchange(pool, b, kink.expr, other));
  if (self->is_tried) return 0;
  // the largest decides whether any is above, and whether all are below
  const bool any = (node.op != HBG_OP_MIN) == (is_greater == (kink.sign > 0));
  return hbg_expr_binary(pool, any ? HBG_OP_OR : HBG_OP_AND, one, two);
}

HbgExpr hbg_elaborate_comparison(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op, HbgExpr a, HbgExpr b) {
  Comparison self = {elaborator, place, node, op, true, 0};
  if (op != HBG_OP_EQUAL && !elaborator->is_column) compare(&self, a, b);
  if (self.parts < 2 || self.parts > MOST_PARTS) return hbg_elaborate_smooth_comparison(elaborator, place, node, op, a, b);
  return compare(&(Comparison){elaborator, place, node, op, false, 0}, a, b);
}

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
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_CONSTANT || node->is_boolean) return hbg_expr_constant(pool, 0);
  if (!hbg_is_leaf(node->op) && node->op != HBG_OP_PRE) return 0;
  const HbgExpr result = differentiation->derivative(pool, expr, differentiation->user);
  return result ? result : hbg_expr_constant(pool, 0);
}

enum { SHALLOW = 12 }; /* so far within each other what is chosen is looked for */

/* Is it made of what is chosen to be 0? */
static bool may_be_chosen(const HbgExprPool *pool, HbgExpr derivative, int depth) {
  const HbgExprNode *node = hbg_expr_node(pool, derivative);
  if (!depth) return false;
  switch (node->op) {
    case HBG_OP_SELECT: return hbg_expr_is(pool, node->b, 0) || hbg_expr_is(pool, node->c, 0);
    case HBG_OP_NEG:
    case HBG_OP_DIV: return may_be_chosen(pool, node->a, depth - 1);
    case HBG_OP_MUL: return may_be_chosen(pool, node->a, depth - 1) || may_be_chosen(pool, node->b, depth - 1);
    case HBG_OP_ADD:
    case HBG_OP_SUB: return may_be_chosen(pool, node->a, depth - 1) && may_be_chosen(pool, node->b, depth - 1);
    default: return false;
  }
}

/* `factor` times a derivative, which is 0 where that is chosen to be 0, whatever the factor is there: the square root of max(x, 0) has the slope 0 below 0, though that of the root
 * is not finite. */
static HbgExpr times(HbgExprPool *pool, HbgExpr factor, HbgExpr derivative) {
  if (!may_be_chosen(pool, derivative, SHALLOW)) return MUL(factor, derivative);
  const HbgExprNode node = *hbg_expr_node(pool, derivative);
  switch (node.op) {
    case HBG_OP_SELECT: {
      const HbgExpr b = times(pool, factor, node.b), c = times(pool, factor, node.c);
      return hbg_expr_select(pool, node.a, b, c);
    }
    case HBG_OP_NEG: return FUNCTION(NEG, times(pool, factor, node.a));
    case HBG_OP_DIV: return DIV(times(pool, factor, node.a), node.b);
    case HBG_OP_MUL: return may_be_chosen(pool, node.a, SHALLOW) ? MUL(times(pool, factor, node.a), node.b) : MUL(node.a, times(pool, factor, node.b));
    default: {
      const HbgExpr a = times(pool, factor, node.a), b = times(pool, factor, node.b);
      return hbg_expr_binary(pool, node.op, a, b);
    }
  }
}

static HbgExpr square(HbgExprPool *pool, HbgExpr a) { return MUL(a, a); }

/* d(a^b): the general rule needs log a, which a negative base with a constant exponent does not have. */
static HbgExpr power_derivative(HbgExprPool *pool, HbgExpr expr, HbgExpr a, HbgExpr b, HbgExpr da, HbgExpr db) {
  const HbgExpr by_base = times(pool, MUL(b, POW(a, SUB(b, NUMBER(1)))), da);
  if (hbg_expr_is(pool, db, 0)) return by_base;
  return ADD(by_base, times(pool, MUL(expr, FUNCTION(LOG, a)), db));
}

/* A table's own derivative, one order higher: of a map in steps of 1 by its first argument, of 4 by its second. */
static HbgExpr table_derivative(HbgExprPool *pool, HbgExpr expr, int32_t step) {
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  return hbg_expr_table(pool, node.op, node.index, node.other + step, node.a, node.b);
}

/* The derivative of a function of one argument with respect to it. */
static HbgExpr outer_derivative(HbgExprPool *pool, HbgOperation op, HbgExpr expr, HbgExpr a) {
  switch (op) {
    case HBG_OP_TABLE: return table_derivative(pool, expr, 1);
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
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  const HbgExpr a = node.a, b = node.b;
  switch (node.op) {
    case HBG_OP_ADD: return ADD(da, db);
    case HBG_OP_SUB: return SUB(da, db);
    case HBG_OP_MUL: return ADD(times(pool, b, da), times(pool, a, db));
    case HBG_OP_DIV:
      if (hbg_expr_is(pool, db, 0)) return DIV(da, b);
      return DIV(SUB(da, MUL(expr, db)), b);
    case HBG_OP_POW: return power_derivative(pool, expr, a, b, da, db);
    case HBG_OP_MIN: return choose(pool, HBG_OP_LESS, a, b, da, db);
    case HBG_OP_MAX: return choose(pool, HBG_OP_GREATER, a, b, da, db);
    case HBG_OP_ATAN2: return DIV(SUB(MUL(b, da), MUL(a, db)), ADD(square(pool, a), square(pool, b)));
    case HBG_OP_HYPOT: return DIV(ADD(MUL(a, da), MUL(b, db)), expr);
    case HBG_OP_MAP: {
      const HbgExpr by_x = hbg_expr_is(pool, da, 0) ? da : MUL(table_derivative(pool, expr, 1), da);
      return hbg_expr_is(pool, db, 0) ? by_x : ADD(by_x, MUL(table_derivative(pool, expr, 4), db));
    }
    case HBG_OP_COURSE: return MUL(table_derivative(pool, expr, 1), da); /* the piece is constant between instants */
    case HBG_OP_MOD: return SUB(da, MUL(FUNCTION(FLOOR, DIV(a, b)), db));
    default: return NUMBER(0);
  }
}

static HbgExpr derivative_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  const HbgExpr da = memo[node.a], db = node.b ? memo[node.b] : 0, dc = node.c ? memo[node.c] : 0;
  if (node.op == HBG_OP_SELECT) return hbg_expr_select(pool, node.a, db, dc);
  if (node.b) {
    const bool constant = hbg_expr_is(pool, da, 0) && hbg_expr_is(pool, db, 0);
    return constant ? NUMBER(0) : binary_derivative(pool, expr, da, db);
  }
  if (hbg_expr_is(pool, da, 0)) return NUMBER(0);
  return times(pool, outer_derivative(pool, node.op, expr, node.a), da);
}

HbgExpr hbg_expr_derivative(HbgExprPool *pool, HbgExpr expr, HbgLeafDerivative derivative, void *user) {
  Differentiation differentiation = {derivative, user};
  return hbg_expr_walk(pool, expr, &(HbgWalk){derivative_enter, derivative_leave, &differentiation});
}

/* ---- all derivatives at once ---- */

/* The slope of an operation with respect to its argument `which`. */
static HbgExpr partial(HbgExprPool *pool, HbgExpr expr, int which) {
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (node.b) return binary_derivative(pool, expr, NUMBER(which == 0), NUMBER(which == 1));
  return outer_derivative(pool, node.op, expr, node.a);
}

/* `slope` times that, which of sums and products is known without a look at it. */
static HbgExpr share_of(HbgExprPool *pool, HbgExpr expr, int which, HbgExpr slope) {
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  switch (node.op) {
    case HBG_OP_ADD: return slope;
    case HBG_OP_SUB: return which ? FUNCTION(NEG, slope) : slope;
    case HBG_OP_NEG: return FUNCTION(NEG, slope);
    case HBG_OP_MUL: return MUL(slope, which ? node.a : node.b);
    default: return MUL(slope, partial(pool, expr, which));
  }
}

/* A node of an expression, and where in the list its arguments stand; -1 where there is none with a derivative. */
typedef struct Part {
  HbgExpr expr;
  bool is_end; /* a leaf, or what counts as one */
  int32_t argument[3];
} Part;

/* Is there anything below this argument that has a derivative? */
static bool may_vary(const HbgExprPool *pool, HbgExpr argument) {
  return argument && !hbg_expr_node(pool, argument)->is_boolean && hbg_expr_node(pool, argument)->op != HBG_OP_CONSTANT;
}

/* Expressions that count as leaves (ascending). */
typedef struct Border {
  const HbgExpr *list;
  int32_t count;
} Border;

int32_t hbg_expr_place(HbgExpr expr, const HbgExpr *border, int32_t count) {
  int32_t first = 0;
  while (count) {
    const int32_t half = count / 2, middle = first + half;
    if (border[middle] == expr) return middle;
    if (border[middle] < expr) first = middle + 1;
    count = border[middle] < expr ? count - half - 1 : half;
  }
  return -1;
}

static bool ends_gradient(const HbgExprPool *pool, HbgExpr expr, const Border *border) {
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  return hbg_is_leaf(op) || op == HBG_OP_PRE || hbg_expr_place(expr, border->list, border->count) >= 0;
}

static Part part_of(const HbgExprPool *pool, HbgExpr expr, bool is_end) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const HbgExpr arguments[3] = {node->a, node->b, node->c};
  Part part = {.expr = expr, .is_end = is_end};
  for (int which = 0; which < 3; which++)
    part.argument[which] = !is_end && may_vary(pool, arguments[which]) ? pool->memo[arguments[which]] : -1;
  return part;
}

/* What `root` is made of, arguments before what they are arguments of. */
static int32_t list_parts(HbgExprPool *pool, HbgExpr root, const Border *border, HbgArena *scratch, Part **list) {
  const int32_t stamp = ++*pool->last_stamp;
  HbgExpr *stack = NULL;
  int32_t depth = 0, stack_capacity = 0, count = 0, capacity = 0;
  ARENA_PUSH(scratch, stack, depth, stack_capacity) = root;
  while (depth) {
    const HbgExpr expr = stack[depth - 1];
    const HbgExprNode *node = hbg_expr_node(pool, expr);
    const HbgExpr arguments[3] = {node->a, node->b, node->c};
    const bool is_known = pool->stamp[expr] == stamp, is_end = !is_known && ends_gradient(pool, expr, border);
    bool ready = true;
    for (int which = 0; which < 3 && !is_known && !is_end; which++) {
      const HbgExpr argument = arguments[which];
      if (!may_vary(pool, argument) || pool->stamp[argument] == stamp) continue;
      ARENA_PUSH(scratch, stack, depth, stack_capacity) = argument;
      ready = false;
    }
    if (!ready) continue;
    depth--;
    if (is_known) continue;
    pool->stamp[expr] = stamp;
    pool->memo[expr] = count;
    ARENA_PUSH(scratch, *list, count, capacity) = part_of(pool, expr, is_end);
  }
  return count;
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? NUMBER(1) : 0;
}

static bool branches(HbgOperation op) { return op == HBG_OP_SELECT || op == HBG_OP_MIN || op == HBG_OP_MAX; }

/* Leaf by leaf: backwards, a slope that is not finite on a branch that is not taken would spoil the others. */
static void gradient_by_leaves(HbgExprPool *pool, HbgExpr expr, const Part *list, int32_t count, HbgTakeSlope take,
                               void *user) {
  for (int32_t at = 0; at < count; at++) {
    HbgExpr leaf = list[at].expr;
    if (!list[at].is_end) continue;
    const HbgExpr slope = hbg_expr_derivative(pool, expr, one_for, &leaf);
    if (!hbg_expr_is(pool, slope, 0)) take(pool, leaf, slope, user);
  }
}

static void gradient_backwards(HbgExprPool *pool, const Part *list, int32_t count, HbgExpr *slope, HbgTakeSlope take,
                               void *user) {
  slope[count - 1] = NUMBER(1);
  for (int32_t at = count - 1; at >= 0; at--) {
    if (!slope[at] || hbg_expr_is(pool, slope[at], 0)) continue;
    if (list[at].is_end) take(pool, list[at].expr, slope[at], user);
    for (int which = 0; which < 3; which++) {
      const int32_t argument = list[at].argument[which];
      if (argument < 0) continue;
      const HbgExpr share = share_of(pool, list[at].expr, which, slope[at]);
      slope[argument] = slope[argument] ? ADD(slope[argument], share) : share;
    }
  }
}

static bool some_branch(const HbgExprPool *pool, const Part *list, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (!list[at].is_end && branches(hbg_expr_node(pool, list[at].expr)->op)) return true;
  return false;
}

void hbg_expr_gradient(HbgExprPool *pool, HbgExpr expr, HbgArena *scratch, HbgTakeSlope take, void *user) {
  if (!may_vary(pool, expr)) return;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  const Border none = {0};
  Part *list = NULL;
  const int32_t count = list_parts(pool, expr, &none, scratch, &list);
  if (some_branch(pool, list, count)) gradient_by_leaves(pool, expr, list, count, take, user);
  else gradient_backwards(pool, list, count, ARENA_NEW(scratch, HbgExpr, count), take, user);
  hbg_arena_rewind(scratch, mark);
}

bool hbg_expr_gradient_to(HbgExprPool *pool, HbgExpr expr, const HbgExpr *border, int32_t border_count, HbgArena *scratch, HbgTakeSlope take, void *user) {
  if (!may_vary(pool, expr)) return true;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  const Border until = {border, border_count};
  Part *list = NULL;
  const int32_t count = list_parts(pool, expr, &until, scratch, &list);
  const bool can_be_taken = !some_branch(pool, list, count);
  if (can_be_taken) gradient_backwards(pool, list, count, ARENA_NEW(scratch, HbgExpr, count), take, user);
  hbg_arena_rewind(scratch, mark);
  return can_be_taken;
}

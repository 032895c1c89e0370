/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions: the simplifying constructors, walks. Nodes are never changed once made and children come
 * before their parents, so that every walk is a loop and no depth of nesting can overflow the stack. */
#include "model/expression_pool.h"

#include <math.h>

const HbgOperationInfo hbg_operation_info[HBG_OP_COUNT] = {
#define OPERATION(kind, name, arguments, result, is_function) \
  [HBG_OP_##kind] = {name, arguments, HBG_RESULT_##result, is_function},
#include "model/operations.def"
#undef OPERATION
};

/* ---- constructors ---- */

/* Where a constant that is asked for more often than all others is kept; NULL: it is another one. */
static HbgExpr *place_of_often(HbgExprPool *pool, double value) {
  const bool is_often = value >= -1 && value <= 1 && !(value > -1 && value < 0) && !(value > 0 && value < 1);
  return is_often ? &pool->often[(int)value + 1] : NULL;
}

HbgExpr hbg_expr_constant(HbgExprPool *pool, double value) {
  HbgExpr *often = place_of_often(pool, value);
  if (often && *often) return *often;
  // one zero: -0 and 0 would otherwise be two constants
  const HbgExpr made = hbg_expr_intern(pool, (HbgExprNode){.op = HBG_OP_CONSTANT, .value = value + 0.0});
  if (often) *often = made;
  return made;
}

HbgExpr hbg_expr_boolean(HbgExprPool *pool, bool value) {
  return hbg_expr_intern(pool, (HbgExprNode){.op = HBG_OP_CONSTANT, .is_boolean = true, .value = value ? 1 : 0});
}

HbgExpr hbg_expr_leaf(HbgExprPool *pool, HbgOperation op, int32_t index, int32_t other) {
  const bool is_boolean = hbg_operation_info[op].result == HBG_RESULT_BOOLEAN || (op == HBG_OP_VARIABLE && other);
  return hbg_expr_intern(pool, (HbgExprNode){.op = op, .is_boolean = is_boolean, .index = index, .other = other});
}

static bool has_constant_result(const HbgExprPool *pool, HbgExpr a, HbgExpr b) {
  return hbg_expr_is_constant(pool, a) && (!b || hbg_expr_is_constant(pool, b));
}

static HbgExpr fold(HbgExprPool *pool, HbgOperation op, HbgExpr a, HbgExpr b) {
  const double value = hbg_operation_apply(op, hbg_expr_node(pool, a)->value, b ? hbg_expr_node(pool, b)->value : 0, 0);
  return hbg_operation_info[op].result == HBG_RESULT_BOOLEAN ? hbg_expr_boolean(pool, value > 0.5)
                                                             : hbg_expr_constant(pool, value);
}

HbgExpr hbg_expr_unary(HbgExprPool *pool, HbgOperation op, HbgExpr a) {
  const HbgExprNode *argument = hbg_expr_node(pool, a);
  const bool same = op == HBG_OP_PRE || op == HBG_OP_FINITE;
  if (argument->op == HBG_OP_CONSTANT) {
    if (same) return a;
    if (op == HBG_OP_IMPULSE) return hbg_expr_constant(pool, 0);
    return fold(pool, op, a, 0);
  }
  if (op == HBG_OP_NEG) {
    if (argument->op == HBG_OP_NEG) return argument->a;
    if (argument->op == HBG_OP_SUB) return hbg_expr_binary(pool, HBG_OP_SUB, argument->b, argument->a);
  }
  if (op == HBG_OP_NOT && argument->op == HBG_OP_NOT) return argument->a;
  if (op == HBG_OP_PRE && argument->op == HBG_OP_PRE) return a;
  const bool is_boolean = op == HBG_OP_NOT || (same && argument->is_boolean);
  return hbg_expr_intern(pool, (HbgExprNode){.op = op, .is_boolean = is_boolean, .a = a});
}

static HbgExpr negative(HbgExprPool *pool, HbgExpr a) { return hbg_expr_unary(pool, HBG_OP_NEG, a); }

/* What is certain whatever the other argument is; 0 when nothing is. */
static HbgExpr simplify(HbgExprPool *pool, HbgOperation op, HbgExpr a, HbgExpr b) {
  switch (op) {
    case HBG_OP_ADD:
      if (hbg_expr_is(pool, a, 0)) return b;
      if (hbg_expr_is(pool, b, 0)) return a;
      if (hbg_expr_node(pool, b)->op == HBG_OP_NEG) return hbg_expr_binary(pool, HBG_OP_SUB, a, hbg_expr_node(pool, b)->a);
      if (hbg_expr_node(pool, a)->op == HBG_OP_NEG) return hbg_expr_binary(pool, HBG_OP_SUB, b, hbg_expr_node(pool, a)->a);
      return 0;
    case HBG_OP_SUB:
      if (hbg_expr_is(pool, b, 0)) return a;
      if (hbg_expr_is(pool, a, 0)) return negative(pool, b);
      if (a == b) return hbg_expr_constant(pool, 0);
      if (hbg_expr_node(pool, b)->op == HBG_OP_NEG) return hbg_expr_binary(pool, HBG_OP_ADD, a, hbg_expr_node(pool, b)->a);
      return 0;
    case HBG_OP_MUL:
      if (hbg_expr_is(pool, a, 0) || hbg_expr_is(pool, b, 0)) return hbg_expr_constant(pool, 0);
      if (hbg_expr_is(pool, a, 1)) return b;
      if (hbg_expr_is(pool, b, 1)) return a;
      if (hbg_expr_is(pool, a, -1)) return negative(pool, b);
      if (hbg_expr_is(pool, b, -1)) return negative(pool, a);
      return 0;
    case HBG_OP_DIV:
      if (hbg_expr_is(pool, b, 1)) return a;
      if (hbg_expr_is(pool, b, -1)) return negative(pool, a);
      if (hbg_expr_is(pool, a, 0) && !hbg_expr_is(pool, b, 0)) return a;
      return 0;
    case HBG_OP_POW:
      if (hbg_expr_is(pool, b, 1)) return a;
      if (hbg_expr_is(pool, b, 0)) return hbg_expr_constant(pool, 1);
      return 0;
    case HBG_OP_AND:
      if (hbg_expr_is_constant(pool, a)) return hbg_expr_is(pool, a, 0) ? a : b;
      if (hbg_expr_is_constant(pool, b)) return hbg_expr_is(pool, b, 0) ? b : a;
      return a == b ? a : 0;
    case HBG_OP_OR:
      if (hbg_expr_is_constant(pool, a)) return hbg_expr_is(pool, a, 0) ? b : a;
      if (hbg_expr_is_constant(pool, b)) return hbg_expr_is(pool, b, 0) ? a : b;
      return a == b ? a : 0;
    default: return 0;
  }
}

/* One of two numbers, by a condition, that is compared with a number, as (if C then 1 else 0) > 0.5: the condition, its contrary, or what is always so; 0: no such thing. */
static HbgExpr compare_choice(HbgExprPool *pool, HbgOperation op, HbgExpr a, HbgExpr b) {
  const bool is_first = hbg_expr_node(pool, a)->op == HBG_OP_SELECT;
  const HbgExprNode choice = *hbg_expr_node(pool, is_first ? a : b);
  const HbgExpr number = is_first ? b : a;
  if (choice.op != HBG_OP_SELECT || choice.is_boolean || !hbg_expr_is_constant(pool, number)) return 0;
  if (!hbg_expr_is_constant(pool, choice.b) || !hbg_expr_is_constant(pool, choice.c)) return 0;
  const HbgExpr yes = is_first ? fold(pool, op, choice.b, number) : fold(pool, op, number, choice.b);
  const HbgExpr no = is_first ? fold(pool, op, choice.c, number) : fold(pool, op, number, choice.c);
  if (yes == no) return yes;
  return hbg_expr_is(pool, no, 0) ? choice.a : hbg_expr_unary(pool, HBG_OP_NOT, choice.a);
}

HbgExpr hbg_expr_binary(HbgExprPool *pool, HbgOperation op, HbgExpr a, HbgExpr b) {
  if (has_constant_result(pool, a, b)) return fold(pool, op, a, b);
  const HbgExpr simple = simplify(pool, op, a, b);
  if (simple) return simple;
  const bool is_boolean = hbg_operation_info[op].result == HBG_RESULT_BOOLEAN;
  const HbgExpr condition = is_boolean ? compare_choice(pool, op, a, b) : 0;
  if (condition) return condition;
  return hbg_expr_intern(pool, (HbgExprNode){.op = op, .is_boolean = is_boolean, .a = a, .b = b});
}

HbgExpr hbg_expr_select(HbgExprPool *pool, HbgExpr condition, HbgExpr yes, HbgExpr no) {
  if (hbg_expr_is_constant(pool, condition)) return hbg_expr_is(pool, condition, 0) ? no : yes;
  if (yes == no) return yes;
  const bool is_boolean = hbg_expr_node(pool, yes)->is_boolean;
  return hbg_expr_intern(pool, (HbgExprNode){.op = HBG_OP_SELECT, .is_boolean = is_boolean, .a = condition, .b = yes, .c = no});
}

/* ---- tables ---- */

int32_t hbg_expr_add_table(HbgExprPool *pool, HbgLookUpTable *table) {
  ARENA_PUSH(pool->arena, pool->tables, pool->table_count, pool->table_capacity) = table;
  return pool->table_count - 1;
}

HbgExpr hbg_expr_table(HbgExprPool *pool, HbgOperation op, int32_t table, int32_t order, HbgExpr a, HbgExpr b) {
  const bool is_constant = op != HBG_OP_COURSE && !pool->tables[table]->history && has_constant_result(pool, a, b);
  if (!is_constant) return hbg_expr_intern(pool, (HbgExprNode){.op = op, .a = a, .b = b, .index = table, .other = order});
  return hbg_expr_constant(pool, hbg_operation_look_up(op, pool->tables[table], order, hbg_expr_node(pool, a)->value,
                                                       b ? hbg_expr_node(pool, b)->value : 0));
}

double hbg_operation_look_up(HbgOperation op, const HbgLookUpTable *table, int32_t order, double a, double b) {
  if (op == HBG_OP_MAP) return hbg_look_up_map_value(table, order % 4, order / 4, a, b);
  return op == HBG_OP_COURSE ? hbg_look_up_piece_value(table, (int32_t)b, order, a) : hbg_look_up_value(table, order, a);
}

/* ---- numbers ---- */

static double sign_of(double a) { return (a > 0) - (a < 0); }

/* Squares, cubes and fourth powers are products, which cost a tenth of pow(). */
static double power(double a, double b) {
  if (!(b >= 2 && b <= 4)) return pow(a, b);
  if (b <= 2) return a * a;
  if (b >= 3 && b <= 3) return a * a * a;
  return b >= 4 ? a * a * (a * a) : pow(a, b);
}

double hbg_operation_apply(HbgOperation op, double a, double b, double c) {
  switch (op) {
    case HBG_OP_ADD: return a + b;
    case HBG_OP_SUB: return a - b;
    case HBG_OP_MUL: return a * b;
    case HBG_OP_DIV: return a / b;
    case HBG_OP_POW: return power(a, b);
    case HBG_OP_NEG: return -a;
    case HBG_OP_ABS: return fabs(a);
    case HBG_OP_SIGN: return sign_of(a);
    case HBG_OP_SQRT: return sqrt(a);
    case HBG_OP_EXP: return exp(a);
    case HBG_OP_LOG: return log(a);
    case HBG_OP_LOG10: return log10(a);
    case HBG_OP_SIN: return sin(a);
    case HBG_OP_COS: return cos(a);
    case HBG_OP_TAN: return tan(a);
    case HBG_OP_ASIN: return asin(a);
    case HBG_OP_ACOS: return acos(a);
    case HBG_OP_ATAN: return atan(a);
    case HBG_OP_SINH: return sinh(a);
    case HBG_OP_COSH: return cosh(a);
    case HBG_OP_TANH: return tanh(a);
    case HBG_OP_FLOOR: return floor(a);
    case HBG_OP_CEIL: return ceil(a);
    case HBG_OP_MIN: return a < b ? a : b;
    case HBG_OP_MAX: return a > b ? a : b;
    case HBG_OP_ATAN2: return atan2(a, b);
    case HBG_OP_HYPOT: return hypot(a, b);
    case HBG_OP_MOD: return a - b * floor(a / b);
    case HBG_OP_LESS: return a < b;
    case HBG_OP_LESS_EQUAL: return a <= b;
    case HBG_OP_EQUAL: return a >= b && a <= b;
    case HBG_OP_GREATER_EQUAL: return a >= b;
    case HBG_OP_GREATER: return a > b;
    case HBG_OP_AND: return a > 0.5 && b > 0.5;
    case HBG_OP_OR: return a > 0.5 || b > 0.5;
    case HBG_OP_NOT: return !(a > 0.5);
    case HBG_OP_SELECT: return a > 0.5 ? b : c;
    default: return (double)NAN;
  }
}

/* ---- walks ---- */

/* Most walks are short: their stack takes nothing from the arena. */
enum { SHORT_WALK = 64 };

typedef struct WalkStack {
  HbgExpr *list;
  int32_t count, capacity;
  HbgExpr few[SHORT_WALK];
} WalkStack;

static void push(HbgExprPool *pool, WalkStack *stack, HbgExpr expr) {
  if (stack->count == stack->capacity) {
    stack->list = hbg_arena_enlarge(pool->arena, stack->list, stack->capacity, 2 * stack->capacity, sizeof *stack->list);
    stack->capacity *= 2;
  }
  stack->list[stack->count++] = expr;
}

static void begin_walk(HbgExprPool *pool, WalkStack *stack, HbgExpr root) {
  stack->list = stack->few;
  stack->count = 0;
  stack->capacity = SHORT_WALK;
  push(pool, stack, root);
}

/* What the walk `stamp` has settled already stays so. */
static HbgExpr walk_on(HbgExprPool *pool, HbgExpr root, const HbgWalk *how, int32_t stamp) {
  WalkStack stack;
  begin_walk(pool, &stack, root);
  while (stack.count) {
    const HbgExpr expr = stack.list[stack.count - 1];
    if (pool->stamp[expr] == stamp) {
      stack.count--;
      continue;
    }
    const HbgExprNode node = *hbg_expr_node(pool, expr);
    const HbgExpr settled = how->enter(pool, expr, how->user);
    const HbgExpr children[3] = {node.a, node.b, node.c};
    bool ready = true;
    for (int which = 0; which < 3 && !settled; which++) {
      if (!children[which] || pool->stamp[children[which]] == stamp) continue;
      push(pool, &stack, children[which]);
      ready = false;
    }
    if (!ready) continue;
    const HbgExpr result = settled ? settled : how->leave(pool, expr, pool->memo, how->user);
    pool->memo[expr] = result;
    pool->stamp[expr] = stamp;
    stack.count--;
  }
  return pool->memo[root];
}

HbgExpr hbg_expr_walk(HbgExprPool *pool, HbgExpr root, const HbgWalk *how) {
  return walk_on(pool, root, how, ++*pool->last_stamp);
}

static void visit_on(HbgExprPool *pool, HbgExpr root, HbgExprVisitor visit, void *user, int32_t stamp) {
  WalkStack stack;
  begin_walk(pool, &stack, root);
  while (stack.count) {
    const HbgExpr expr = stack.list[--stack.count];
    if (pool->stamp[expr] == stamp) continue;
    pool->stamp[expr] = stamp;
    if (!visit(pool, expr, user)) continue;
    const HbgExprNode *node = hbg_expr_node(pool, expr);
    if (node->a) push(pool, &stack, node->a);
    if (node->b) push(pool, &stack, node->b);
    if (node->c) push(pool, &stack, node->c);
  }
}

void hbg_expr_visit(HbgExprPool *pool, HbgExpr root, HbgExprVisitor visit, void *user) {
  visit_on(pool, root, visit, user, ++*pool->last_stamp);
}

void hbg_expr_visit_many(HbgExprPool *pool, const HbgExpr *roots, int32_t count, HbgExprVisitor visit, void *user) {
  const int32_t stamp = ++*pool->last_stamp;
  for (int32_t at = 0; at < count; at++) visit_on(pool, roots[at], visit, user, stamp);
}

typedef struct Replacement {
  HbgReplaceLeaf replace;
  void *user;
} Replacement;

static bool is_leaf(HbgOperation op) { return hbg_operation_info[op].arguments == 0; }

static HbgExpr replace_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Replacement *replacement = user;
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  if (!is_leaf(op) && op != HBG_OP_PRE && op != HBG_OP_IMPULSE && op != HBG_OP_FINITE) return 0;
  const HbgExpr other = replacement->replace(pool, expr, replacement->user);
  return other ? other : is_leaf(op) ? expr : 0;
}

HbgExpr hbg_expr_rebuild(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (node.op == HBG_OP_SELECT) return hbg_expr_select(pool, memo[node.a], memo[node.b], memo[node.c]);
  if (hbg_operation_has_table(node.op))
    return hbg_expr_table(pool, node.op, node.index, node.other, memo[node.a], node.b ? memo[node.b] : 0);
  if (node.b) return hbg_expr_binary(pool, node.op, memo[node.a], memo[node.b]);
  return hbg_expr_unary(pool, node.op, memo[node.a]);
}

HbgExpr hbg_expr_replace(HbgExprPool *pool, HbgExpr expr, HbgReplaceLeaf replace, void *user) {
  Replacement replacement = {replace, user};
  return hbg_expr_walk(pool, expr, &(HbgWalk){replace_enter, hbg_expr_rebuild, &replacement});
}

void hbg_expr_replace_many(HbgExprPool *pool, HbgExpr *exprs, int32_t count, HbgReplaceLeaf replace, void *user) {
  Replacement replacement = {replace, user};
  const int32_t stamp = ++*pool->last_stamp;
  for (int32_t at = 0; at < count; at++)
    if (exprs[at]) exprs[at] = walk_on(pool, exprs[at], &(HbgWalk){replace_enter, hbg_expr_rebuild, &replacement}, stamp);
}

/* A dependency walk answers 2 for "depends" and 1 for "does not". */
static HbgExpr depends_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExpr leaf = *(const HbgExpr *)user;
  if (expr == leaf) return 2;
  return is_leaf(hbg_expr_node(pool, expr)->op) ? 1 : 0;
}

static HbgExpr depends_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const bool any = memo[node->a] == 2 || (node->b && memo[node->b] == 2) || (node->c && memo[node->c] == 2);
  return any ? 2 : 1;
}

bool hbg_expr_depends(const HbgExprPool *pool, HbgExpr expr, HbgExpr leaf) {
  HbgExprPool view = *pool; /* the walk only writes memo and stamps */
  return hbg_expr_walk(&view, expr, &(HbgWalk){depends_enter, depends_leave, &leaf}) == 2;
}

typedef struct Exchange {
  HbgExpr from, to;
} Exchange;

static HbgExpr exchange_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Exchange *self = user;
  if (expr == self->from) return self->to;
  return hbg_operation_info[hbg_expr_node(pool, expr)->op].arguments ? 0 : expr;
}

HbgExpr hbg_expr_exchange(HbgExprPool *pool, HbgExpr expr, HbgExpr from, HbgExpr to) {
  return hbg_expr_walk(pool, expr, &(HbgWalk){exchange_enter, hbg_expr_rebuild, &(Exchange){from, to}});
}

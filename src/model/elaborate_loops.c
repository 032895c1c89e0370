/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: signals that depend on themselves (algebraic loops). Where a signal is asked for while its own value is being found,
 * a letter stands for it, and in the end there is one equation y = F(y). If F is linear in y, so is its solution written down; else the
 * equation becomes the law of a resistor of its own, R y: e = F(e) on a bond without flow, which is solved with all other
 * equations of the model (Newton's method, in the same island as what reads it or is read by it). */
#include <string.h>

#include "base/text.h"
#include "model/expression_build.h"
#include "model/functions.h"

/* The leaf that stands for a signal; of no other use before the equations are made. */
enum { LETTER = -1 };

/* ---- what cannot be solved ---- */

static void tell(HbgElaborator *elaborator, const HbgSignalDeclaration *signal, const char *why, const char *help) {
  const char *name = elaborator->scope.symbols[signal->symbol].name;
  const HbgTear *torn = signal->torn;
  if (hbg_elaborator_report(elaborator, &torn->place, HBG_DIAGNOSTIC_SIGNAL_CYCLE, hbg_tree_span(torn->place.tree, torn->node),
                            "'%s' depends on itself%s: %s", name, why, torn->path))
    HELP(elaborator, "%s", help);
}

static const char memory_help[] = "break the loop: let an integral(...), a delay(...) or a sampled value stand in it";

/* Is the value a condition, as far as its outermost word tells? */
static bool is_condition(const HbgTree *tree, HbgTreeNode node) {
  static const char *const words[] = {"<", "<=", "=", ">=", ">", "and", "or", "not", "true", "false"};
  const HbgNodeKind kind = node ? hbg_tree_kind(tree, node) : HBG_NODE_ERROR;
  const HbgTreeNode first = node ? hbg_tree_first_expression(tree, node) : 0;
  if (kind == HBG_NODE_IN_STATE) return true;
  if (kind == HBG_NODE_PARENTHESES) return is_condition(tree, first);
  if (kind == HBG_NODE_IF) return is_condition(tree, first ? hbg_tree_next_expression(tree, first) : 0);
  if (kind != HBG_NODE_BINARY && kind != HBG_NODE_UNARY && kind != HBG_NODE_NAME) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hbg_tree_is_word(tree, node, words[i])) return true;
  return false;
}

/* ---- tearing ---- */

HbgExpr hbg_loop_tear(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t symbol, const char *path) {
  const int32_t index = elaborator->scope.symbols[symbol].index;
  HbgSignalDeclaration *signal = &elaborator->signals[index];
  if (signal->tear) return signal->tear;
  signal->torn = ARENA_NEW(elaborator->arena, HbgTear, 1);
  *signal->torn = (HbgTear){*place, node, path};
  if (is_condition(tree_of(signal->frame), signal->expression)) {
    tell(elaborator, signal, ", and is true or false", memory_help);
    return 0;
  }
  signal->tear = hbg_expr_leaf(elaborator->pool, HBG_OP_SLOT, index, LETTER);
  signal->tear_begin = elaborator->found_count;
  elaborator->open_tears++;
  return signal->tear;
}

void hbg_loop_note(HbgElaborator *elaborator, int32_t symbol) {
  if (!elaborator->open_tears) return;
  ARENA_PUSH(elaborator->arena, elaborator->found_signals, elaborator->found_count, elaborator->found_capacity) =
      elaborator->scope.symbols[symbol].index;
}

/* ---- closing ---- */

/* How the letter stands in an equation. */
typedef struct Reading {
  HbgExpr letter;
  bool in_condition, in_the_past;
} Reading;

static HbgExpr enter_node(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)user;
  return hbg_is_leaf(hbg_expr_node(pool, expr)->op) ? expr : 0;
}

/* What depends on the letter becomes the letter, all else itself. */
static HbgExpr leave_node(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  Reading *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  const HbgExpr arguments[3] = {node.a, node.b, node.c};
  bool depends = false;
  for (int which = 0; which < 3; which++) depends = depends || (arguments[which] && memo[arguments[which]] == self->letter);
  if (depends && node.is_boolean) self->in_condition = true;
  if (depends && (node.op == HBG_OP_PRE || node.op == HBG_OP_IMPULSE || node.op == HBG_OP_FINITE)) self->in_the_past = true;
  return depends ? self->letter : expr;
}

static Reading read_letter(HbgExprPool *pool, HbgExpr expr, HbgExpr letter) {
  Reading self = {.letter = letter};
  hbg_expr_walk(pool, expr, &(HbgWalk){enter_node, leave_node, &self});
  return self;
}

static HbgExpr replace_letter(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExpr *pair = user;
  (void)pool;
  return leaf == pair[0] ? pair[1] : 0;
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? NUMBER(1) : 0;
}

/* The solution of letter = `right` where that is linear; 0 when it is not, or none (`*is_singular`). */
static HbgExpr solve_linear(HbgExprPool *pool, HbgExpr right, HbgExpr letter, bool *is_singular) {
  const HbgExpr slope = hbg_expr_derivative(pool, right, one_for, &letter);
  if (hbg_expr_depends(pool, slope, letter)) return 0;
  HbgExpr pair[2] = {letter, NUMBER(0)};
  const HbgExpr rest = hbg_expr_replace(pool, right, replace_letter, pair), divisor = SUB(NUMBER(1), slope);
  *is_singular = hbg_expr_is(pool, divisor, 0);
  return *is_singular ? 0 : DIV(rest, divisor);
}

static HbgExpr solve(HbgElaborator *elaborator, const HbgSignalDeclaration *signal) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr letter = signal->tear, right = signal->expr;
  if (!hbg_expr_depends(pool, right, letter)) return right;
  const Reading reading = read_letter(pool, right, letter);
  if (reading.in_the_past) {
    tell(elaborator, signal, " by pre(...), impulse(...) or finite(...)", memory_help);
    return 0;
  }
  if (hbg_expr_node(pool, right)->is_boolean || reading.in_condition) {
    tell(elaborator, signal, " through a condition", memory_help);
    return 0;
  }
  bool is_singular = false;
  const HbgExpr linear = solve_linear(pool, right, letter, &is_singular);
  if (linear) return linear;
  if (is_singular) {
    tell(elaborator, signal, ", and the equation does not determine it", memory_help);
    return 0;
  }
  return hbg_elaborate_implicit(elaborator, elaborator->scope.symbols[signal->symbol].name,
                                elaborator->scope.symbols[signal->symbol].span, right, letter);
}

/* Those that got values while the loop was open read its solution now; 0: there is none. */
static void insert_solution(HbgElaborator *elaborator, const HbgSignalDeclaration *signal, HbgExpr solution) {
  HbgExprPool *pool = elaborator->pool;
  const int32_t count = elaborator->found_count - signal->tear_begin, *found = &elaborator->found_signals[signal->tear_begin];
  HbgExpr *exprs = ARENA_NEW(elaborator->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) exprs[at] = elaborator->signals[found[at]].expr;
  HbgExpr pair[2] = {signal->tear, solution ? solution : NUMBER(0)};
  hbg_expr_replace_many(pool, exprs, count, replace_letter, pair);
  for (int32_t at = 0; at < count; at++) {
    HbgExpr *expr = &elaborator->signals[found[at]].expr;
    if (*expr != exprs[at]) *expr = solution ? exprs[at] : 0;
  }
}

void hbg_loop_close(HbgElaborator *elaborator, int32_t symbol) {
  const int32_t index = elaborator->scope.symbols[symbol].index;
  HbgSignalDeclaration *signal = &elaborator->signals[index];
  if (!signal->tear) return;
  signal->expr = signal->expr ? solve(elaborator, signal) : 0;
  if (elaborator->found_count > signal->tear_begin) insert_solution(elaborator, signal, signal->expr);
  for (int32_t at = 0; at < elaborator->callable_count; at++) elaborator->callables[at].last_value = 0;
  signal->tear = 0;
  if (!--elaborator->open_tears) elaborator->found_count = 0;
}

/* ---- equations that are not linear ---- */

static HbgNode *add_node(HbgElaborator *elaborator, HbgNode node) {
  HbgFlatModel *model = elaborator->model;
  ARENA_PUSH(elaborator->arena, model->nodes, model->node_count, elaborator->hidden_node_capacity) = node;
  return &model->nodes[model->node_count - 1];
}

static void add_port(HbgElaborator *elaborator, int32_t bond, int32_t sign) {
  HbgFlatModel *model = elaborator->model;
  ARENA_PUSH(elaborator->arena, model->ports, model->port_count, elaborator->hidden_port_capacity) = (HbgPort){bond, sign};
}

/* The lists were made as long as they had to be; from here on they grow. */
static void let_lists_grow(HbgElaborator *elaborator) {
  if (elaborator->hidden_node_capacity) return;
  elaborator->hidden_node_capacity = elaborator->model->node_count;
  elaborator->hidden_port_capacity = elaborator->model->port_count;
  elaborator->hidden_bond_capacity = elaborator->model->bond_count;
}

HbgExpr hbg_elaborate_implicit(HbgElaborator *elaborator, const char *name, HbgSpan span, HbgExpr right, HbgExpr letter) {
  HbgFlatModel *model = elaborator->model;
  HbgExprPool *pool = elaborator->pool;
  let_lists_grow(elaborator);
  model->implied_node_count += 2;
  const int32_t bond = model->bond_count, source = model->node_count, law = source + 1;
  HbgExpr pair[2] = {letter, hbg_expr_leaf(pool, HBG_OP_EFFORT, bond, 0)};
  const HbgExpr residual = SUB(hbg_expr_replace(pool, right, replace_letter, pair), pair[1]);
  add_node(elaborator, (HbgNode){.kind = HBG_ELEMENT_SF, .name = hbg_print(elaborator->arena, "%s.loop", name), .span = span,
                                 .first_port = model->port_count, .port_count = 1, .state = -1, .law_form = HBG_LAW_VALUE,
                                 .law = NUMBER(0), .machine = -1});
  add_port(elaborator, bond, -1);
  add_node(elaborator, (HbgNode){.kind = HBG_ELEMENT_R, .name = name, .span = span, .first_port = model->port_count,
                                 .port_count = 1, .state = -1, .law_form = HBG_LAW_IMPLICIT, .law = residual, .machine = -1});
  add_port(elaborator, bond, 1);
  ARENA_PUSH(elaborator->arena, model->bonds, model->bond_count, elaborator->hidden_bond_capacity) =
      (HbgBond){.name = name, .tail = source, .head = law, .span = span};
  return pair[1];
}

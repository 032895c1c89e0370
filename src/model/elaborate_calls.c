/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions, and conditions on time alone, which become scheduled ticks. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/callables.h"

enum { AFFINE_BUDGET = 64 };

typedef struct Arguments {
  HbgTreeNode list[HBG_MOST_ARGUMENTS];
  HbgTreeNode named; /* the first NAMED_ARGUMENT, 0 without */
  int count;
} Arguments;

static Arguments arguments_of(const HbgTree *tree, HbgTreeNode call) {
  Arguments arguments = {.count = 0};
  for (HbgTreeNode child = tree_first(tree, call); child; child = tree_next(tree, child)) {
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT) {
      if (!arguments.named) arguments.named = child;
    } else if (hbg_tree_is_expression(tree, child)) {
      if (arguments.count < HBG_MOST_ARGUMENTS) arguments.list[arguments.count] = child;
      arguments.count++;
    }
  }
  return arguments;
}

/* ---- scheduled conditions ---- */

static bool same_number(double a, double b) { return (a >= b && a <= b) || (isinf(a) && isinf(b)); }

enum { TICK_KEY = 3 * sizeof(double) / sizeof(int32_t) };

/* What equal ticks have in common; zero has one sign. */
static void key_of_tick(const HbgTick *tick, int32_t key[TICK_KEY]) {
  const double numbers[3] = {tick->start + 0.0, tick->width + 0.0, tick->period + 0.0};
  memcpy(key, numbers, sizeof numbers);
}

/* Ticks are known by their index; equal ones share it. -1: there is none. */
static int32_t find_tick(const HbgElaborator *elaborator, const HbgTick *tick) {
  int32_t key[TICK_KEY];
  key_of_tick(tick, key);
  const int32_t *index = hbg_key_table_find(&elaborator->ticks, key, TICK_KEY);
  return index ? *index : -1;
}

static void add_tick(HbgElaborator *elaborator, const HbgTick *tick) {
  HbgFlatModel *model = elaborator->model;
  int32_t *key = ARENA_NEW(elaborator->arena, int32_t, TICK_KEY), *index = ARENA_NEW(elaborator->arena, int32_t, 1);
  key_of_tick(tick, key);
  *index = model->tick_count;
  hbg_key_table_add(&elaborator->ticks, key, TICK_KEY, index);
  ARENA_PUSH(elaborator->arena, model->ticks, model->tick_count, elaborator->tick_capacity) = *tick;
}

/* The same condition for an expression that can only look on: no instants are scheduled for it. */
static HbgExpr tick_as_comparison(HbgExprPool *pool, const HbgTick *tick) {
  HbgExpr since = hbg_expr_binary(pool, HBG_OP_SUB, hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0),
                                  hbg_expr_constant(pool, tick->start));
  const HbgExpr begun = hbg_expr_binary(pool, HBG_OP_GREATER_EQUAL, since, hbg_expr_constant(pool, 0));
  if (isinf(tick->width)) return begun;
  if (isfinite(tick->period)) since = hbg_expr_binary(pool, HBG_OP_MOD, since, hbg_expr_constant(pool, tick->period));
  return hbg_expr_binary(pool, HBG_OP_AND, begun,
                         hbg_expr_binary(pool, HBG_OP_LESS, since, hbg_expr_constant(pool, tick->width)));
}

HbgExpr hbg_elaborate_tick(HbgElaborator *elaborator, HbgTick tick) {
  HbgFlatModel *model = elaborator->model;
  int32_t index = find_tick(elaborator, &tick);
  if (index < 0 && elaborator->is_column) return tick_as_comparison(elaborator->pool, &tick);
  if (index < 0) {
    index = model->tick_count;
    add_tick(elaborator, &tick);
  }
  return hbg_expr_leaf(elaborator->pool, HBG_OP_TICK, index, 0);
}

typedef struct Affine {
  double slope, rest; /* slope * time + rest */
} Affine;

/* Is `expr` a constant multiple of the time plus a constant? `budget` bounds the work where parts are shared. */
static bool is_affine(const HbgExprPool *pool, HbgExpr expr, int *budget, Affine *out) {
  if (--*budget < 0) return false;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  Affine a, b;
  switch (node->op) {
    case HBG_OP_CONSTANT: *out = (Affine){0, node->value}; return !node->is_boolean;
    case HBG_OP_TIME: *out = (Affine){1, 0}; return true;
    case HBG_OP_NEG:
      if (!is_affine(pool, node->a, budget, &a)) return false;
      *out = (Affine){-a.slope, -a.rest};
      return true;
    case HBG_OP_ADD:
    case HBG_OP_SUB: {
      if (!is_affine(pool, node->a, budget, &a) || !is_affine(pool, node->b, budget, &b)) return false;
      const double sign = node->op == HBG_OP_ADD ? 1 : -1;
      *out = (Affine){a.slope + sign * b.slope, a.rest + sign * b.rest};
      return true;
    }
    case HBG_OP_MUL:
      if (!is_affine(pool, node->a, budget, &a) || !is_affine(pool, node->b, budget, &b)) return false;
      if (!same_number(a.slope, 0) && !same_number(b.slope, 0)) return false;
      *out = (Affine){a.slope * b.rest + b.slope * a.rest, a.rest * b.rest};
      return true;
    case HBG_OP_DIV:
      if (!is_affine(pool, node->a, budget, &a) || !is_affine(pool, node->b, budget, &b)) return false;
      if (!same_number(b.slope, 0) || same_number(b.rest, 0)) return false;
      *out = (Affine){a.slope / b.rest, a.rest / b.rest};
      return true;
    default: return false;
  }
}

bool hbg_elaborate_is_affine(const HbgElaborator *elaborator, HbgExpr expr, double *slope, double *rest) {
  Affine affine;
  int budget = AFFINE_BUDGET;
  if (!is_affine(elaborator->pool, expr, &budget, &affine)) return false;
  *slope = affine.slope;
  *rest = affine.rest;
  return true;
}

/* Does it change at instants only, as the number of a gear? `budget` as above: what is too much to tell moves. */
static bool is_stepwise(const HbgExprPool *pool, HbgExpr expr, int *budget) {
  if (--*budget < 0) return false;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const HbgExpr arguments[] = {node->a, node->b, node->c};
  const int32_t count = hbg_operation_info[node->op].arguments;
  switch (node->op) {
    case HBG_OP_CONSTANT:
    case HBG_OP_VARIABLE:
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON:
    case HBG_OP_TICK:
    case HBG_OP_TIMER: return true;
    default: break;
  }
  for (int32_t at = 0; at < count; at++)
    if (!is_stepwise(pool, arguments[at], budget)) return false;
  return count > 0;
}

static void warn_of_equality(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_EQUALITY, hbg_tree_span(place->tree, node),
                            "two numbers that change are equal at single instants only, if at all"))
    HELP(elaborator, "use <= or >= for the instant at which one crosses the other");
}

HbgExpr hbg_elaborate_smooth_comparison(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                                        HbgExpr a, HbgExpr b) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr plain = hbg_expr_binary(pool, op, a, b);
  if (hbg_expr_is_constant(pool, plain)) return plain;
  if (op == HBG_OP_EQUAL) {
    int budget = AFFINE_BUDGET;
    if (!is_stepwise(pool, plain, &budget)) warn_of_equality(elaborator, place, node);
    return plain;
  }
  if (elaborator->is_column) return plain;
  const bool holds_when_positive = op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL;
  HbgTick period = {.span = hbg_tree_span(place->tree, node)};
  bool is_positive;
  const HbgSawtoothSign sign = hbg_elaborate_sawtooth(elaborator, a, b, &period, &is_positive);
  if (sign == HBG_SAWTOOTH_STANDS) return hbg_expr_boolean(pool, holds_when_positive == is_positive);
  if (sign == HBG_SAWTOOTH_TURNS) {
    const HbgExpr within = hbg_elaborate_tick(elaborator, period);
    return holds_when_positive == is_positive ? within : hbg_expr_unary(pool, HBG_OP_NOT, within);
  }
  Affine left, right;
  int budget = AFFINE_BUDGET;
  if (!is_affine(pool, a, &budget, &left) || !is_affine(pool, b, &budget, &right)) return plain;
  const double slope = left.slope - right.slope, rest = left.rest - right.rest;
  if (same_number(slope, 0)) return plain;
  // slope * time + rest changes its sign at one instant; from there on it is positive or negative
  const double instant = -rest / slope;
  if (!isfinite(instant)) return plain;
  const HbgTick tick = {.start = instant, .width = HUGE_VAL, .period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  const HbgExpr begun = hbg_elaborate_tick(elaborator, tick);
  return holds_when_positive == (slope > 0) ? begun : hbg_expr_unary(pool, HBG_OP_NOT, begun);
}

/* ---- plain functions ---- */

static HbgExpr prefixed(HbgElaborator *elaborator, const HbgPlace *place, HbgOperation op, HbgTreeNode argument) {
  // pre() of a condition is the condition as it was; impulse() and finite() read numbers only
  const HbgExpr expr = op == HBG_OP_PRE ? hbg_elaborate_expression(elaborator, place, argument)
                                        : hbg_elaborate_number(elaborator, place, argument);
  return expr ? hbg_expr_unary(elaborator->pool, op, expr) : 0;
}

static HbgExpr function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                        const Arguments *arguments) {
  if (op == HBG_OP_PRE || op == HBG_OP_IMPULSE || op == HBG_OP_FINITE)
    return prefixed(elaborator, place, op, arguments->list[0]);
  HbgExpr result = hbg_elaborate_number(elaborator, place, arguments->list[0]);
  if (arguments->count == 1 && hbg_operation_info[op].arguments == 1)
    return result ? hbg_elaborate_finite(elaborator, place, node, hbg_expr_unary(elaborator->pool, op, result)) : 0;
  for (int i = 1; i < arguments->count; i++) {
    const HbgExpr next = hbg_elaborate_number(elaborator, place, arguments->list[i]);
    result = result && next ? hbg_expr_binary(elaborator->pool, op, result, next) : 0;
  }
  return hbg_elaborate_finite(elaborator, place, node, result);
}

static bool takes(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const Arguments *arguments,
                  int least, int most, const char *form) {
  if (arguments->count >= least && arguments->count <= most) return true;
  const char *name = hbg_elaborate_word(elaborator, place->tree, node);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, node),
                            "%s takes %d argument%s, not %d", name, arguments->count < least ? least : most,
                            (arguments->count < least ? least : most) == 1 ? "" : "s", arguments->count))
    HELP(elaborator, "write: %s(%s)", name, form);
  return false;
}

static bool has_no_named(HbgElaborator *elaborator, const HbgPlace *place, const Arguments *arguments) {
  if (!arguments->named) return true;
  const char *name = hbg_elaborate_word(elaborator, place->tree, arguments->named);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, arguments->named),
                            "there is no argument named '%s'", name))
    HELP(elaborator, "leave '%s =' out", name);
  return false;
}

static const char *list_names(const HbgScope *scope, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  for (int32_t i = 0; i < scope->count; i++) hbg_text_add(&text, "%s%s", i ? ", " : "", scope->symbols[i].name);
  return text.bytes;
}

/* Is what stands before the point neither an imported file nor anything in the model? */
static bool has_no_owner(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char **owner) {
  const HbgTreeNode before = hbg_tree_find(place->tree, node, HBG_NODE_OWNER);
  if (!before) return false;
  *owner = hbg_elaborate_word(elaborator, place->tree, before);
  const HbgModelFile *file = place->frame->instance->file;
  for (int32_t i = 0; i < file->import_count; i++)
    if (file->imports[i].alias && !strcmp(file->imports[i].alias, *owner)) return false;
  return hbg_elaborate_find(elaborator, place, hbg_print(elaborator->arena, "%s%s", place->frame->instance->prefix, *owner)) < 0;
}

static void tell_unknown_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node,
                                  const char *name) {
  HbgScope functions = hbg_scope(elaborator->arena);
  for (int op = 0; op < HBG_OP_COUNT; op++)
    if (hbg_operation_info[op].is_function)
      hbg_scope_add(&functions, hbg_operation_info[op].name, HBG_SCOPE_SIGNAL, 0, (HbgSpan){0, 0});
  for (int i = 0; i < HBG_FUNCTION_COUNT; i++)
    hbg_scope_add(&functions, hbg_function_info[i].name, HBG_SCOPE_SIGNAL, 0, (HbgSpan){0, 0});
  hbg_elaborate_list_callables(elaborator, place, &functions);
  hbg_elaborate_clocked_names(&functions);
  if (elaborator->is_quiet) {
    elaborator->is_missing = true;
    return;
  }
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_FUNCTION, hbg_tree_token_span(place->tree, node),
                             "there is no function '%s'", name))
    return;
  const char *owner;
  if (has_no_owner(elaborator, place, node, &owner)) {
    HELP(elaborator, "no file is imported as '%s', and nothing else has that name; write: import \"file.hbg\" as %s", owner, owner);
    return;
  }
  if (hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name)) >= 0) {
    HELP(elaborator, "'%s' is a name of the model; to multiply write %s * (...)", name, name);
    return;
  }
  const char *near = !strcmp(name, "ln") ? "'log'" : !strcmp(name, "der") ? "'pre'" : NULL;
  if (!strcmp(name, "der")) {
    HELP(elaborator, "there are no derivatives in the language: read the effort or flow that is one, as in wood.e for p'");
    return;
  }
  if (!near) near = hbg_scope_near(&functions, name, HBG_SCOPE_ALL, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else HELP(elaborator, "the functions are: %s", list_names(&functions, elaborator->arena));
}

static HbgExpr plain_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                          const Arguments *arguments) {
  const HbgOperationInfo *info = &hbg_operation_info[op];
  const bool takes_many = op == HBG_OP_MIN || op == HBG_OP_MAX;
  const char *arguments_form = op == HBG_OP_ATAN2 ? "y, x" : info->arguments == 1 ? "x" : "x, y";
  const int most = takes_many ? HBG_MOST_ARGUMENTS : info->arguments;
  if (!takes(elaborator, place, node, arguments, info->arguments, most, arguments_form)) return 0;
  return function(elaborator, place, node, op, arguments);
}

static HbgExpr own_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const char *name = hbg_call_name(elaborator, place, node);
  const HbgCallable own = hbg_elaborate_callable(elaborator, place, name);
  if (own.kind == HBG_SCOPE_FUNCTION) return hbg_elaborate_user_call(elaborator, place, node, own.index);
  if (own.kind == HBG_SCOPE_TABLE) return hbg_elaborate_table_call(elaborator, place, node, own.index);
  tell_unknown_function(elaborator, place, node, name);
  return 0;
}

HbgExpr hbg_elaborate_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_tree_find(place->tree, node, HBG_NODE_OWNER)) return own_call(elaborator, place, node);
  HbgExpr clocked;
  if (hbg_elaborate_clocked_call(elaborator, place, node, &clocked)) return clocked;
  const HbgFunction known = hbg_function_of(place->tree, node);
  if (known != HBG_FUNCTION_NONE) return hbg_elaborate_function(elaborator, place, node, known);
  const Arguments arguments = arguments_of(place->tree, node);
  for (int op = 0; op < HBG_OP_COUNT; op++) {
    if (!hbg_operation_info[op].is_function || !hbg_tree_is_word(place->tree, node, hbg_operation_info[op].name)) continue;
    if (!has_no_named(elaborator, place, &arguments)) return 0;
    return plain_call(elaborator, place, node, (HbgOperation)op, &arguments);
  }
  return own_call(elaborator, place, node);
}

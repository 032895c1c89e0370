/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions, and conditions on time alone, which become scheduled ticks. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

enum { MOST_ARGUMENTS = 16, AFFINE_BUDGET = 64 };

/* The functions that are more than one operation. */
typedef enum Special { SPECIAL_INTEGRAL, SPECIAL_STEP, SPECIAL_PULSE, SPECIAL_LIMIT, SPECIAL_COUNT } Special;

typedef struct SpecialInfo {
  const char *name;
  int least, most;
  const char *form;
} SpecialInfo;

static const SpecialInfo special_info[SPECIAL_COUNT] = {
    [SPECIAL_INTEGRAL] = {"integral", 1, 1, "integral(x), integral(x, start = 1)"},
    [SPECIAL_STEP] = {"step", 1, 1, "step(t0)"},
    [SPECIAL_PULSE] = {"pulse", 2, 3, "pulse(t0, width) or pulse(t0, width, period)"},
    [SPECIAL_LIMIT] = {"limit", 3, 3, "limit(x, lowest, highest)"},
};

typedef struct Arguments {
  HbgTreeNode list[MOST_ARGUMENTS];
  HbgTreeNode named; /* the first NAMED_ARGUMENT, 0 without */
  int count;
} Arguments;

static Arguments arguments_of(const HbgTree *tree, HbgTreeNode call) {
  Arguments arguments = {.count = 0};
  for (HbgTreeNode child = tree_first(tree, call); child; child = tree_next(tree, child)) {
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT) {
      if (!arguments.named) arguments.named = child;
    } else if (hbg_tree_is_expression(tree, child)) {
      if (arguments.count < MOST_ARGUMENTS) arguments.list[arguments.count] = child;
      arguments.count++;
    }
  }
  return arguments;
}

/* ---- scheduled conditions ---- */

static bool same_number(double a, double b) { return (a >= b && a <= b) || (isinf(a) && isinf(b)); }

static bool tick_equal(const HbgTick *a, const HbgTick *b) {
  return same_number(a->start, b->start) && same_number(a->width, b->width) && same_number(a->period, b->period);
}

/* Ticks are known by their index; equal ones share it. Looked for from the newest, as equal ones stand close together
 * in a text; beyond a few thousand an equal one is worth no longer search. */
static int32_t find_tick(const HbgElaborator *elaborator, const HbgTick *tick) {
  const HbgFlatModel *model = elaborator->model;
  const int32_t last = model->tick_count > 4096 ? model->tick_count - 4096 : 0;
  for (int32_t i = model->tick_count - 1; i >= last; i--)
    if (tick_equal(&model->ticks[i], tick)) return i;
  return -1;
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
    ARENA_PUSH(elaborator->arena, model->ticks, model->tick_count, elaborator->tick_capacity) = tick;
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

static void warn_of_equality(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_EQUALITY, hbg_tree_span(place->tree, node),
                            "two numbers that change are equal at single instants only, if at all"))
    HELP(elaborator, "use <= or >= for the instant at which one crosses the other");
}

HbgExpr hbg_elaborate_comparison(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                                 HbgExpr a, HbgExpr b) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr plain = hbg_expr_binary(pool, op, a, b);
  if (hbg_expr_is_constant(pool, plain)) return plain;
  if (op == HBG_OP_EQUAL) {
    warn_of_equality(elaborator, place, node);
    return plain;
  }
  if (elaborator->is_column) return plain;
  Affine left, right;
  int budget = AFFINE_BUDGET;
  if (!is_affine(pool, a, &budget, &left) || !is_affine(pool, b, &budget, &right)) return plain;
  const double slope = left.slope - right.slope, rest = left.rest - right.rest;
  if (same_number(slope, 0)) return plain;
  // slope * time + rest changes its sign at one instant; from there on it is positive or negative
  const double instant = -rest / slope;
  if (!isfinite(instant)) return plain;
  const bool holds_when_positive = op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL;
  const HbgTick tick = {.start = instant, .width = HUGE_VAL, .period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  const HbgExpr begun = hbg_elaborate_tick(elaborator, tick);
  return holds_when_positive == (slope > 0) ? begun : hbg_expr_unary(pool, HBG_OP_NOT, begun);
}

/* ---- special functions ---- */

static bool constant_argument(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double *value) {
  HbgPlace here = *place;
  if (!here.constant) here.constant = "an instant of a schedule";
  return hbg_elaborate_constant(elaborator, &here, node, value);
}

static HbgExpr zero_or_one(HbgElaborator *elaborator, HbgTick tick) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr condition = hbg_elaborate_tick(elaborator, tick);
  return hbg_expr_select(pool, condition, hbg_expr_constant(pool, 1), hbg_expr_constant(pool, 0));
}

static HbgExpr step(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const Arguments *arguments) {
  HbgTick tick = {.width = HUGE_VAL, .period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  if (!constant_argument(elaborator, place, arguments->list[0], &tick.start)) return 0;
  return zero_or_one(elaborator, tick);
}

static HbgExpr pulse(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const Arguments *arguments) {
  HbgTick tick = {.period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  if (!constant_argument(elaborator, place, arguments->list[0], &tick.start) ||
      !constant_argument(elaborator, place, arguments->list[1], &tick.width) ||
      (arguments->count > 2 && !constant_argument(elaborator, place, arguments->list[2], &tick.period)))
    return 0;
  if (tick.width > 0 && tick.width < tick.period) return zero_or_one(elaborator, tick);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_PULSE, tick.span,
                            "a pulse of width %.15g s cannot come every %.15g s", tick.width, tick.period))
    HELP(elaborator, "the width must be greater than 0 and less than the period");
  return 0;
}

static HbgExpr limit(HbgElaborator *elaborator, const HbgPlace *place, const Arguments *arguments) {
  HbgExpr bound[3];
  for (int i = 0; i < 3; i++) bound[i] = hbg_elaborate_number(elaborator, place, arguments->list[i]);
  if (!bound[0] || !bound[1] || !bound[2]) return 0;
  const HbgExpr low = hbg_expr_binary(elaborator->pool, HBG_OP_MAX, bound[0], bound[1]);
  return hbg_expr_binary(elaborator->pool, HBG_OP_MIN, low, bound[2]);
}

static HbgExpr integral(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const int32_t found = elaborator->is_column ? -1 : hbg_elaborate_integral_at(elaborator, node, place->frame);
  if (found >= 0 && !place->constant)
    return hbg_expr_leaf(elaborator->pool, HBG_OP_STATE, elaborator->integrals[found].state, 0);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "an integral cannot stand %s", elaborator->is_column ? "in a column" : "here"))
    HELP(elaborator, "declare a signal for it in the model: signal x = %s",
         hbg_tree_excerpt(place->tree, node, elaborator->arena));
  return 0;
}

static HbgExpr special(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, Special which,
                       const Arguments *arguments) {
  switch (which) {
    case SPECIAL_INTEGRAL: return integral(elaborator, place, node);
    case SPECIAL_STEP: return place->constant ? 0 : step(elaborator, place, node, arguments);
    case SPECIAL_PULSE: return place->constant ? 0 : pulse(elaborator, place, node, arguments);
    case SPECIAL_LIMIT: return limit(elaborator, place, arguments);
    default: return 0;
  }
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
  const char *name = hbg_tree_word(place->tree, node, elaborator->arena);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, node),
                            "%s takes %d argument%s, not %d", name, arguments->count < least ? least : most,
                            (arguments->count < least ? least : most) == 1 ? "" : "s", arguments->count))
    HELP(elaborator, "write: %s", form);
  return false;
}

static bool named_fits(HbgElaborator *elaborator, const HbgPlace *place, const Arguments *arguments, bool is_integral) {
  if (!arguments->named) return true;
  if (is_integral && hbg_tree_is_word(place->tree, arguments->named, "start")) return true;
  const char *name = hbg_tree_word(place->tree, arguments->named, elaborator->arena);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, arguments->named),
                            "there is no argument named '%s'", name))
    HELP(elaborator, is_integral ? "the initial value is given with: start = ..." : "leave '%s =' out", name);
  return false;
}

static const char *list_names(const HbgScope *scope, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  for (int32_t i = 0; i < scope->count; i++) hbg_text_add(&text, "%s%s", i ? ", " : "", scope->symbols[i].name);
  return text.bytes;
}

static void tell_unknown_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node,
                                  const char *name) {
  HbgScope functions = hbg_scope(elaborator->arena);
  for (int op = 0; op < HBG_OP_COUNT; op++)
    if (hbg_operation_info[op].is_function)
      hbg_scope_add(&functions, hbg_operation_info[op].name, HBG_SYMBOL_SIGNAL, 0, (HbgSpan){0, 0});
  for (int i = 0; i < SPECIAL_COUNT; i++)
    hbg_scope_add(&functions, special_info[i].name, HBG_SYMBOL_SIGNAL, 0, (HbgSpan){0, 0});
  hbg_elaborate_clocked_names(&functions);
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_FUNCTION, hbg_tree_token_span(place->tree, node),
                             "there is no function '%s'", name))
    return;
  if (hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name)) >= 0) {
    HELP(elaborator, "'%s' is a name of the model; to multiply write %s * (...)", name, name);
    return;
  }
  const char *near = !strcmp(name, "ln") ? "'log'" : !strcmp(name, "der") ? "'pre'" : NULL;
  if (!strcmp(name, "der")) {
    HELP(elaborator, "there are no derivatives in the language: read the effort or flow that is one, as in wood.e for p'");
    return;
  }
  if (!near) near = hbg_scope_near(&functions, name, HBG_SYMBOLS_ALL, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else HELP(elaborator, "the functions are: %s", list_names(&functions, elaborator->arena));
}

static HbgExpr plain_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                          const Arguments *arguments) {
  const HbgOperationInfo *info = &hbg_operation_info[op];
  const bool takes_many = op == HBG_OP_MIN || op == HBG_OP_MAX;
  const char *arguments_form = op == HBG_OP_ATAN2 ? "y, x" : info->arguments == 1 ? "x" : "x, y";
  const char *form = hbg_print(elaborator->arena, "%s(%s)", info->name, arguments_form);
  const int most = takes_many ? MOST_ARGUMENTS : info->arguments;
  if (!takes(elaborator, place, node, arguments, info->arguments, most, form)) return 0;
  return function(elaborator, place, node, op, arguments);
}

HbgExpr hbg_elaborate_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  HbgExpr clocked;
  if (hbg_elaborate_clocked_call(elaborator, place, node, &clocked)) return clocked;
  const Arguments arguments = arguments_of(place->tree, node);
  for (int i = 0; i < SPECIAL_COUNT; i++) {
    const SpecialInfo *info = &special_info[i];
    if (!hbg_tree_is_word(place->tree, node, info->name)) continue;
    if (!takes(elaborator, place, node, &arguments, info->least, info->most, info->form)) return 0;
    if (!named_fits(elaborator, place, &arguments, i == SPECIAL_INTEGRAL)) return 0;
    return special(elaborator, place, node, (Special)i, &arguments);
  }
  for (int op = 0; op < HBG_OP_COUNT; op++) {
    if (!hbg_operation_info[op].is_function || !hbg_tree_is_word(place->tree, node, hbg_operation_info[op].name)) continue;
    if (!named_fits(elaborator, place, &arguments, false)) return 0;
    return plain_call(elaborator, place, node, (HbgOperation)op, &arguments);
  }
  tell_unknown_function(elaborator, place, node, hbg_tree_word(place->tree, node, elaborator->arena));
  return 0;
}

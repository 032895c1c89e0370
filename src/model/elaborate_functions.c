/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the functions that are more than one operation: their arguments in order, and what those without a memory
 * stand for. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/expression_build.h"
#include "model/functions.h"

const HbgFunctionInfo hbg_function_info[HBG_FUNCTION_COUNT] = {
#define LANGUAGE_FUNCTION(kind, name, formals, needed, memory, units, form) [HBG_FUNCTION_##kind] = {name, formals, needed, memory, units, form},
#include "model/functions.def"
#undef LANGUAGE_FUNCTION
};

HbgFunction hbg_function_of(const HbgTree *tree, HbgTreeNode node) {
  for (int i = 0; i < HBG_FUNCTION_COUNT; i++)
    if (hbg_tree_is_word(tree, node, hbg_function_info[i].name)) return (HbgFunction)i;
  return HBG_FUNCTION_NONE;
}

/* ---- formal arguments ---- */

static bool takes_any_number(const HbgFunctionInfo *info) { return info->formals[0] == '*'; }

/* Goes through "x low; start": the next name at `*at`; its length, 0 at the end. */
static size_t next_formal(const char **at) {
  *at += strspn(*at, " ;");
  return strcspn(*at, " ;");
}

int hbg_function_formal(HbgFunction function, const char *name) {
  const char *at = hbg_function_info[function].formals;
  size_t length;
  for (int which = 0; (length = next_formal(&at)); which++, at += length)
    if (strlen(name) == length && !strncmp(at, name, length)) return which;
  return -1;
}

/* How many of the formals may be given by their place. */
static int positional_count(const HbgFunctionInfo *info) {
  const char *at = info->formals, *bar = strchr(at, ';');
  size_t length;
  int count = 0;
  for (; (length = next_formal(&at)) && (!bar || at < bar); at += length) count++;
  return takes_any_number(info) ? HBG_MOST_ARGUMENTS : count;
}

static const char *formal_name(HbgElaborator *elaborator, const HbgFunctionInfo *info, int which) {
  const char *at = info->formals;
  size_t length = next_formal(&at);
  for (; which > 0; which--) {
    at += length;
    length = next_formal(&at);
  }
  return hbg_arena_text(elaborator->arena, at, length);
}

static bool tell_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgFunctionInfo *info,
                        int given) {
  const int most = positional_count(info), wanted = given > most ? most : info->needed;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, node),
                            "%s takes %d argument%s, not %d", info->name, wanted, wanted == 1 ? "" : "s", given))
    HELP(elaborator, "write: %s", info->form);
  return false;
}

static const char *list_formals(HbgElaborator *elaborator, const HbgFunctionInfo *info) {
  HbgText text = hbg_text(elaborator->arena);
  const char *at = info->formals;
  size_t length;
  for (int which = 0; (length = next_formal(&at)); which++, at += length)
    hbg_text_add(&text, "%s%.*s", which ? ", " : "", (int)length, at);
  return text.bytes;
}

static bool tell_named(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode named, const HbgFunctionInfo *info,
                       const char *problem) {
  const char *name = hbg_elaborate_word(elaborator, place->tree, named);
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, named), problem, name))
    return false;
  if (takes_any_number(info)) HELP(elaborator, "leave '%s =' out", name);
  else HELP(elaborator, "its arguments are %s: %s", list_formals(elaborator, info), info->form);
  return false;
}

static bool take_named(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode named, HbgFunction function,
                       HbgArguments *out) {
  const HbgFunctionInfo *info = &hbg_function_info[function];
  const char *name = hbg_elaborate_word(elaborator, place->tree, named);
  const int which = takes_any_number(info) ? -1 : hbg_function_formal(function, name);
  if (which < 0) return tell_named(elaborator, place, named, info, "there is no argument named '%s'");
  if (out->list[which]) return tell_named(elaborator, place, named, info, "the argument '%s' is given twice");
  out->list[which] = hbg_tree_first_expression(place->tree, named);
  return true;
}

bool hbg_elaborate_arguments(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgFunction function,
                             HbgArguments *out) {
  const HbgFunctionInfo *info = &hbg_function_info[function];
  const HbgTree *tree = place->tree;
  const int most = positional_count(info);
  *out = (HbgArguments){.count = 0};
  int given = 0;
  for (HbgTreeNode child = hbg_tree_first_expression(tree, node); child; child = hbg_tree_next_expression(tree, child)) {
    if (given < most) out->list[given] = child;
    given++;
  }
  if (given > most) return tell_number(elaborator, place, node, info, given);
  out->count = given;
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT && !take_named(elaborator, place, child, function, out))
      return false;
  for (int which = 0; which < info->needed; which++) {
    if (out->list[which]) continue;
    if (given == 0 || takes_any_number(info) || given + 1 < info->needed || info->needed == 1)
      return tell_number(elaborator, place, node, info, given);
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, node),
                              "%s lacks its argument '%s'", info->name, formal_name(elaborator, info, which)))
      HELP(elaborator, "write: %s", info->form);
    return false;
  }
  return true;
}

/* ---- schedules ---- */

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

static HbgExpr step(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgArguments *arguments) {
  HbgTick tick = {.width = HUGE_VAL, .period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  if (!constant_argument(elaborator, place, arguments->list[0], &tick.start)) return 0;
  return zero_or_one(elaborator, tick);
}

/* The end of a train of `count` pulses: the condition that it has not come. */
static bool end_train(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgTick *tick, HbgExpr *goes_on) {
  double count;
  if (!constant_argument(elaborator, place, node, &count)) return false;
  if (!(count >= 1) || floor(count) < count || !isfinite(tick->period)) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_PULSE, hbg_tree_span(place->tree, node),
                              "%.15g pulses%s make no train", count, isfinite(tick->period) ? "" : " without a period"))
      HELP(elaborator, "the number of pulses is an integer of 1 or more, behind the period: pulse(0, 0.1, 1, 5)");
    return false;
  }
  const HbgTick end = {.start = tick->start + count * tick->period, .width = HUGE_VAL, .period = HUGE_VAL, .span = tick->span};
  *goes_on = hbg_expr_unary(elaborator->pool, HBG_OP_NOT, hbg_elaborate_tick(elaborator, end));
  return true;
}

static HbgExpr pulse(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgArguments *arguments) {
  HbgTick tick = {.period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  if (!constant_argument(elaborator, place, arguments->list[0], &tick.start) ||
      !constant_argument(elaborator, place, arguments->list[1], &tick.width) ||
      (arguments->list[2] && !constant_argument(elaborator, place, arguments->list[2], &tick.period)))
    return 0;
  HbgExprPool *pool = elaborator->pool;
  HbgExpr goes_on = hbg_expr_boolean(pool, true);
  if (arguments->list[3] && !end_train(elaborator, place, arguments->list[3], &tick, &goes_on)) return 0;
  if (tick.width > 0 && tick.width < tick.period)
    return hbg_expr_select(pool, goes_on, zero_or_one(elaborator, tick), NUMBER(0));
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_PULSE, tick.span,
                            "a pulse of width %.15g s cannot come every %.15g s", tick.width, tick.period))
    HELP(elaborator, "the width must be greater than 0 and less than the period");
  return 0;
}

/* ---- plain expressions ---- */

/* All arguments as numbers; false when one is wrong. Those not given are 0. */
static bool numbers_of(HbgElaborator *elaborator, const HbgPlace *place, const HbgArguments *arguments, HbgExpr *out) {
  bool whole = true;
  for (int which = 0; which < HBG_MOST_ARGUMENTS; which++) {
    out[which] = arguments->list[which] ? hbg_elaborate_number(elaborator, place, arguments->list[which]) : 0;
    if (arguments->list[which] && !out[which]) whole = false;
  }
  return whole;
}

bool hbg_elaborate_is_reversed(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr low, HbgExpr high) {
  const HbgExprPool *pool = elaborator->pool;
  if (!hbg_expr_is_constant(pool, low) || !hbg_expr_is_constant(pool, high)) return false;
  const double from = hbg_expr_node(pool, low)->value, to = hbg_expr_node(pool, high)->value;
  if (from <= to) return false;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_REVERSED_RANGE, hbg_tree_span(place->tree, node),
                            "the lower bound %.9g is above the upper bound %.9g", from, to))
    HELP(elaborator, "write the lower bound first");
  return true;
}

static HbgExpr limited(HbgExprPool *pool, HbgExpr x, HbgExpr low, HbgExpr high) {
  return hbg_expr_binary(pool, HBG_OP_MIN, hbg_expr_binary(pool, HBG_OP_MAX, x, low), high);
}

/* What lies outside of [low, high], measured from there. */
static HbgExpr dead_zone(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgExpr *value) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr low = value[2] ? value[1] : FUNCTION(NEG, value[1]), high = value[2] ? value[2] : value[1];
  if (hbg_elaborate_is_reversed(elaborator, place, node, low, high)) return 0;
  return SUB(value[0], limited(pool, value[0], low, high));
}

static HbgExpr quantised(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgExpr *value) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExprNode *step = hbg_expr_node(pool, value[1]);
  if (step->op == HBG_OP_CONSTANT && !(step->value > 0)) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FUNCTION_NUMBER, hbg_tree_span(place->tree, node),
                              "the step of quantise is %.9g", step->value))
      HELP(elaborator, "it must be greater than 0: quantise(x, 0.1)");
    return 0;
  }
  return MUL(value[1], FUNCTION(FLOOR, ADD(DIV(value[0], value[1]), NUMBER(0.5))));
}

static HbgExpr joined(HbgExprPool *pool, HbgOperation op, const HbgExpr *value, int count) {
  HbgExpr result = value[0];
  for (int which = 1; which < count; which++) result = hbg_expr_binary(pool, op, result, value[which]);
  return result;
}

static HbgExpr plain(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgFunction function,
                     const HbgArguments *arguments) {
  HbgExprPool *pool = elaborator->pool;
  HbgExpr value[HBG_MOST_ARGUMENTS];
  if (!numbers_of(elaborator, place, arguments, value)) return 0;
  switch (function) {
    case HBG_FUNCTION_LIMIT:
      return hbg_elaborate_is_reversed(elaborator, place, node, value[1], value[2]) ? 0 : limited(pool, value[0], value[1], value[2]);
    case HBG_FUNCTION_DEAD_ZONE: return dead_zone(elaborator, place, node, value);
    case HBG_FUNCTION_QUANTISE: return quantised(elaborator, place, node, value);
    case HBG_FUNCTION_SUM: return joined(pool, HBG_OP_ADD, value, arguments->count);
    case HBG_FUNCTION_PRODUCT: return joined(pool, HBG_OP_MUL, value, arguments->count);
    case HBG_FUNCTION_GAIN: return MUL(value[1], value[0]);
    default: return 0;
  }
}

/* ---- functions with a memory ---- */

static HbgExpr remembered(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgFunctionInfo *info) {
  const int32_t found = elaborator->is_column ? -1 : hbg_elaborate_integral_at(elaborator, node, place->frame);
  if (found >= 0 && !place->constant) return hbg_memory_value(elaborator, &elaborator->integrals[found], -1);
  if (elaborator->call_depth) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                              "a function remembers nothing: '%s' cannot stand in it", info->name))
      HELP(elaborator, "hand it over as an argument, or write a submodel");
    return 0;
  }
  const char *what = hbg_print(elaborator->arena, strchr("aeiou", info->name[0]) ? "an %s" : "a %s", info->name);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "%s cannot stand %s", what, elaborator->is_column ? "in a column" : "here"))
    HELP(elaborator, "declare a signal for it in the model: signal x = %s",
         hbg_tree_excerpt(place->tree, node, elaborator->arena));
  return 0;
}

HbgExpr hbg_elaborate_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgFunction function) {
  const HbgFunctionInfo *info = &hbg_function_info[function];
  HbgArguments arguments;
  if (!hbg_elaborate_arguments(elaborator, place, node, function, &arguments)) return 0;
  if (info->has_memory) return remembered(elaborator, place, node, info);
  switch (function) {
    case HBG_FUNCTION_STEP: return place->constant ? 0 : step(elaborator, place, node, &arguments);
    case HBG_FUNCTION_STEPS: return place->constant ? 0 : hbg_elaborate_steps(elaborator, place, node, &arguments);
    case HBG_FUNCTION_PULSE: return place->constant ? 0 : pulse(elaborator, place, node, &arguments);
    default: return hbg_elaborate_finite(elaborator, place, node, plain(elaborator, place, node, function, &arguments));
  }
}

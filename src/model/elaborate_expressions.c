/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: expressions of the text become expressions over the model's variables; numbers and conditions are kept
 * apart, units converted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "model/callables.h"

enum { LONGEST_NUMBER = 64 };

/* ---- kinds ---- */

bool hbg_elaborate_is_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr) {
  if (!expr) return false;
  if (!hbg_expr_node(elaborator->pool, expr)->is_boolean) return true;
  const char *text = hbg_tree_excerpt(place->tree, node, elaborator->arena);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_TYPE, hbg_tree_span(place->tree, node),
                            "a number is needed here, but '%s' is true or false", text))
    HELP(elaborator, "to make a number of it: if %s then 1 else 0", text);
  return false;
}

bool hbg_elaborate_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr) {
  if (!expr) return false;
  if (hbg_expr_node(elaborator->pool, expr)->is_boolean) return true;
  const char *text = hbg_tree_excerpt(place->tree, node, elaborator->arena);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_TYPE, hbg_tree_span(place->tree, node),
                            "a condition is needed here, but '%s' is a number", text))
    HELP(elaborator, "compare it with another number, as in: %s > 0", text);
  return false;
}

HbgExpr hbg_elaborate_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgExpr expr = hbg_elaborate_expression(elaborator, place, node);
  return hbg_elaborate_is_number(elaborator, place, node, expr) ? expr : 0;
}

HbgExpr hbg_elaborate_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgExpr expr = hbg_elaborate_expression(elaborator, place, node);
  return hbg_elaborate_is_condition(elaborator, place, node, expr) ? expr : 0;
}

HbgExpr hbg_elaborate_finite(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr) {
  if (!expr || !hbg_expr_is_constant(elaborator->pool, expr)) return expr;
  const double value = hbg_expr_node(elaborator->pool, expr)->value;
  if (isfinite(value)) return expr;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_FINITE, hbg_tree_span(place->tree, node),
                            isnan(value) ? "'%s' has no value (it is not a number)" : "'%s' is too large for a number",
                            hbg_tree_excerpt(place->tree, node, elaborator->arena)))
    HELP(elaborator, isnan(value) ? "sqrt, log and powers with a fraction need positive numbers, asin and acos numbers from -1 to 1"
                                  : "numbers reach to 1.79e308");
  return 0;
}

/* ---- units ---- */

/* The bytes between the brackets of a unit. */
static HbgSpan unit_span(const HbgTree *tree, HbgTreeNode unit_of) {
  HbgSpan span = hbg_tree_token_span(tree, unit_of);
  const char *text = hbg_tree_bytes(tree, span);
  const uint32_t length = span.end - span.begin;
  if (length > 0 && text[0] == '[') span.begin++;
  if (length > 1 && text[length - 1] == ']') span.end--;
  return span;
}

const char *hbg_elaborate_unit_text(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode unit_of) {
  const HbgSpan span = unit_span(tree, unit_of);
  return hbg_arena_text(elaborator->arena, hbg_tree_bytes(tree, span), span.end - span.begin);
}

bool hbg_elaborate_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode unit_of, HbgUnit *unit) {
  HbgReadUnit *read = elaborator->readings ? &elaborator->readings->units[unit_of % HBG_READ_COUNT] : NULL;
  if (read && read->node == unit_of && read->tree == place->tree) {
    *unit = read->unit;
    return true;
  }
  const HbgSpan span = unit_span(place->tree, unit_of);
  const char *text = hbg_tree_bytes(place->tree, span);
  uint32_t begin = 0, end = 0;
  if (hbg_unit_read(text, span.end - span.begin, unit, &begin, &end)) {
    if (read) *read = (HbgReadUnit){place->tree, unit_of, *unit};
    return true;
  }
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNIT, (HbgSpan){span.begin + begin, span.begin + end},
                            "'%.*s' is no unit", (int)(end - begin), text + begin))
    HELP(elaborator, "units are products, quotients and powers of names like m, kg, s, N, V, ohm, deg: [kg*m/s^2]");
  return false;
}

/* Without the unit that may stand behind it. */
static uint32_t length_of_number(const char *text, uint32_t length) {
  uint32_t end = 0;
  while (end < length && text[end] > ' ' && text[end] != '[') end++;
  return end;
}

/* What hbg_decimal_read() leaves to others. */
static double long_number(HbgElaborator *elaborator, const char *text, uint32_t length) {
  char small[LONGEST_NUMBER];
  const char *digits = length < sizeof small ? small : hbg_arena_text(elaborator->arena, text, length);
  if (digits == small) {
    memcpy(small, text, length);
    small[length] = '\0';
  }
  return strtod(digits, NULL);
}

static bool read_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double *value) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  if (!hbg_decimal_read(text, length_of_number(text, length), value)) *value = long_number(elaborator, text, length);
  const HbgTreeNode unit_of = hbg_tree_find(place->tree, node, HBG_NODE_UNIT_OF);
  if (!unit_of) return true;
  HbgUnit unit;
  if (!hbg_elaborate_unit(elaborator, place, unit_of, &unit)) return false;
  *value = *value * unit.factor + unit.offset;
  return true;
}

static HbgExpr number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  HbgReadNumber *read = elaborator->readings ? &elaborator->readings->numbers[node % HBG_READ_COUNT] : NULL;
  double value;
  if (read && read->node == node && read->tree == place->tree) value = read->value;
  else if (!read_number(elaborator, place, node, &value)) return 0;
  if (read) *read = (HbgReadNumber){place->tree, node, value};
  return hbg_elaborate_finite(elaborator, place, node, hbg_expr_constant(elaborator->pool, value));
}

/* ---- operators ---- */

static bool operation_of(const HbgTree *tree, HbgTreeNode node, HbgOperation *op) {
  static const struct { const char *word; HbgOperation op; } operators[] = {
      {"+", HBG_OP_ADD}, {"-", HBG_OP_SUB}, {"*", HBG_OP_MUL}, {"/", HBG_OP_DIV}, {"^", HBG_OP_POW},
      {"<", HBG_OP_LESS}, {"<=", HBG_OP_LESS_EQUAL}, {"=", HBG_OP_EQUAL}, {">=", HBG_OP_GREATER_EQUAL},
      {">", HBG_OP_GREATER}, {"and", HBG_OP_AND}, {"or", HBG_OP_OR}};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (!hbg_tree_is_word(tree, node, operators[i].word)) continue;
    *op = operators[i].op;
    return true;
  }
  return false;
}

static bool is_relation(HbgOperation op) {
  return op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL || op == HBG_OP_EQUAL || op == HBG_OP_GREATER_EQUAL ||
         op == HBG_OP_GREATER;
}

/* true = true: both hold, or neither. */
static HbgExpr same_truth(HbgExprPool *pool, HbgExpr a, HbgExpr b) {
  const HbgExpr neither = hbg_expr_binary(pool, HBG_OP_AND, hbg_expr_unary(pool, HBG_OP_NOT, a),
                                          hbg_expr_unary(pool, HBG_OP_NOT, b));
  return hbg_expr_binary(pool, HBG_OP_OR, hbg_expr_binary(pool, HBG_OP_AND, a, b), neither);
}

static HbgExpr relation(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                        HbgTreeNode left, HbgTreeNode right) {
  const HbgExpr a = hbg_elaborate_expression(elaborator, place, left);
  const HbgExpr b = hbg_elaborate_expression(elaborator, place, right);
  if (!a || !b) return 0;
  HbgExprPool *pool = elaborator->pool;
  if (op == HBG_OP_EQUAL && hbg_expr_node(pool, a)->is_boolean && hbg_expr_node(pool, b)->is_boolean)
    return same_truth(pool, a, b);
  const bool first = hbg_elaborate_is_number(elaborator, place, left, a);
  const bool second = hbg_elaborate_is_number(elaborator, place, right, b);
  return first && second ? hbg_elaborate_comparison(elaborator, place, node, op, a, b) : 0;
}

static HbgExpr arithmetic(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                          HbgTreeNode left, HbgTreeNode right) {
  const HbgExpr a = hbg_elaborate_number(elaborator, place, left);
  const HbgExpr b = hbg_elaborate_number(elaborator, place, right);
  if (!a || !b) return 0;
  if (op == HBG_OP_DIV && hbg_expr_is(elaborator->pool, b, 0)) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_DIVISION_BY_ZERO, hbg_tree_span(place->tree, node),
                              "division by zero: '%s' is 0", hbg_tree_excerpt(place->tree, right, elaborator->arena)))
      HELP(elaborator, "give it a value other than 0");
    return 0;
  }
  return hbg_elaborate_finite(elaborator, place, node, hbg_expr_binary(elaborator->pool, op, a, b));
}

static HbgExpr binary(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode left = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode right = left ? hbg_tree_next_expression(place->tree, left) : 0;
  HbgOperation op;
  if (!right || !operation_of(place->tree, node, &op)) return 0;
  if (is_relation(op)) return relation(elaborator, place, node, op, left, right);
  if (op != HBG_OP_AND && op != HBG_OP_OR) return arithmetic(elaborator, place, node, op, left, right);
  const HbgExpr a = hbg_elaborate_condition(elaborator, place, left);
  const HbgExpr b = hbg_elaborate_condition(elaborator, place, right);
  return a && b ? hbg_expr_binary(elaborator->pool, op, a, b) : 0;
}

static HbgExpr unary(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode argument = hbg_tree_first_expression(place->tree, node);
  if (!argument) return 0;
  if (hbg_tree_is_word(place->tree, node, "not")) {
    const HbgExpr condition = hbg_elaborate_condition(elaborator, place, argument);
    return condition ? hbg_expr_unary(elaborator->pool, HBG_OP_NOT, condition) : 0;
  }
  const HbgExpr expr = hbg_elaborate_number(elaborator, place, argument);
  if (!expr || hbg_tree_is_word(place->tree, node, "+")) return expr;
  return hbg_expr_unary(elaborator->pool, HBG_OP_NEG, expr);
}

static HbgExpr choice(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode condition = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode yes = condition ? hbg_tree_next_expression(place->tree, condition) : 0;
  const HbgTreeNode no = yes ? hbg_tree_next_expression(place->tree, yes) : 0;
  if (!no) return 0;
  const HbgExpr a = hbg_elaborate_condition(elaborator, place, condition);
  // the other branch of what is decided before the run may be what would be wrong: if r > 0 then 1/r else 0
  if (a && hbg_expr_is_constant(elaborator->pool, a))
    return hbg_elaborate_expression(elaborator, place, hbg_expr_is(elaborator->pool, a, 0) ? no : yes);
  const HbgExpr b = hbg_elaborate_expression(elaborator, place, yes);
  const HbgExpr c = hbg_elaborate_expression(elaborator, place, no);
  if (!a || !b || !c) return 0;
  // the first branch says what the second one must be
  const bool fits = hbg_expr_node(elaborator->pool, b)->is_boolean
                        ? hbg_elaborate_is_condition(elaborator, place, no, c)
                        : hbg_elaborate_is_number(elaborator, place, no, c);
  return fits ? hbg_expr_select(elaborator->pool, a, b, c) : 0;
}

static HbgExpr list_is_wrong(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_TYPE, hbg_tree_span(place->tree, node),
                            "a list of numbers cannot stand here"))
    HELP(elaborator, "lists give parameters their values: param m = [1, 2, 3]; one of them is m[2]");
  return 0;
}

/* What is in parentheses, in the unit behind them, if there is one. */
static HbgExpr parentheses(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode inner = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode unit_of = hbg_tree_find(place->tree, node, HBG_NODE_UNIT_OF);
  if (!inner) return 0;
  if (!unit_of) return hbg_elaborate_expression(elaborator, place, inner);
  const HbgExpr value = hbg_elaborate_number(elaborator, place, inner);
  HbgUnit unit;
  return value && hbg_elaborate_unit(elaborator, place, unit_of, &unit) ? hbg_elaborate_in_unit(elaborator, value, unit) : 0;
}

static HbgExpr expression_of_kind(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  switch (hbg_tree_kind(place->tree, node)) {
    case HBG_NODE_NUMBER: return number(elaborator, place, node);
    case HBG_NODE_NAME: return hbg_elaborate_name(elaborator, place, node);
    case HBG_NODE_MEMBER: return hbg_elaborate_member(elaborator, place, node);
    case HBG_NODE_UNARY: return unary(elaborator, place, node);
    case HBG_NODE_BINARY: return binary(elaborator, place, node);
    case HBG_NODE_IN_STATE: return hbg_elaborate_in_state(elaborator, place, node);
    case HBG_NODE_CALL: return hbg_elaborate_call(elaborator, place, node);
    case HBG_NODE_IF: return choice(elaborator, place, node);
    case HBG_NODE_LIST: return list_is_wrong(elaborator, place, node);
    case HBG_NODE_PARENTHESES: return parentheses(elaborator, place, node);
    default: return 0; /* the parser has told it */
  }
}

HbgExpr hbg_elaborate_expression(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  elaborator->depth++;
  const HbgExpr expr = expression_of_kind(elaborator, place, node);
  elaborator->depth--;
  return expr;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: what every expression of the text is, by the units written in it and the domains of bonds. */
#include <string.h>

#include "base/text.h"

#include "model/functions.h"
#include "model/unit_check.h"

static const HbgQuantity unknown = {.kind = HBG_QUANTITY_UNKNOWN};
static const HbgQuantity pure = {.kind = HBG_QUANTITY_BARE, .is_pure = true};
static const HbgDimension one = {{0}};

static HbgQuantity of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  return hbg_unit_of_expression(elaborator, place, node);
}

/* ---- leaves ---- */

HbgQuantity hbg_unit_of_text(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode unit_of) {
  HbgUnit unit;
  if (!hbg_elaborate_unit(elaborator, place, unit_of, &unit)) return unknown;
  HbgQuantity quantity = hbg_quantity_of(unit.dimension);
  quantity.is_absolute = unit.offset > 0;
  return quantity;
}

HbgQuantity hbg_unit_of_bond(const HbgElaborator *elaborator, int32_t bond, HbgMeasure measure) {
  const HbgDomainSet set = elaborator->model->bonds[bond].domains;
  HbgQuantity quantity = unknown;
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++) {
    if (!(set >> domain & 1)) continue;
    const HbgDimension dimension = elaborator->units->table.of[domain][measure];
    if (quantity.kind == HBG_QUANTITY_KNOWN && !hbg_dimension_equal(quantity.of, dimension)) return unknown;
    quantity = hbg_quantity_of(dimension);
    // temperatures of bonds count from absolute zero
    quantity.is_absolute = measure == HBG_MEASURE_EFFORT && (domain == HBG_DOMAIN_THERMAL || domain == HBG_DOMAIN_HEAT);
  }
  return quantity;
}

static HbgQuantity of_state(const HbgElaborator *elaborator, int32_t index) {
  const HbgFlatModel *model = elaborator->model;
  const HbgState *state = &model->states[index];
  if (state->node < 0) {
    const int32_t integral = elaborator->units->integral_of[index];
    return integral < 0 ? unknown : elaborator->units->integrals[integral];
  }
  const HbgNode *node = &model->nodes[state->node];
  return hbg_unit_of_bond(elaborator, hbg_port(model, node, 0)->bond,
                          node->kind == HBG_ELEMENT_I ? HBG_MEASURE_P : HBG_MEASURE_Q);
}

HbgQuantity hbg_unit_of_variable(const HbgElaborator *elaborator, HbgExpr expr) {
  if (!expr) return unknown;
  const HbgExprNode *node = hbg_expr_node(elaborator->pool, expr);
  switch (node->op) {
    case HBG_OP_TIME: return hbg_quantity_time();
    case HBG_OP_EFFORT: return hbg_unit_of_bond(elaborator, node->index, HBG_MEASURE_EFFORT);
    case HBG_OP_FLOW: return hbg_unit_of_bond(elaborator, node->index, HBG_MEASURE_FLOW);
    case HBG_OP_STATE: return of_state(elaborator, node->index);
    case HBG_OP_VARIABLE: return elaborator->units->variables[node->index];
    default: return unknown;
  }
}

static HbgQuantity of_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode unit_of = hbg_tree_find(place->tree, node, HBG_NODE_UNIT_OF);
  if (unit_of) return hbg_unit_of_text(elaborator, place, unit_of);
  const HbgExpr value = hbg_elaborate_expression(elaborator, place, node);
  HbgQuantity quantity = value ? hbg_quantity_bare(hbg_expr_node(elaborator->pool, value)->value) : unknown;
  quantity.is_pure = hbg_tree_is_word(place->tree, node, "0.5") || hbg_tree_is_word(place->tree, node, "1");
  return quantity;
}

/* A name of a frame is a variable of a loop, or stands for an argument. */
static HbgQuantity of_frame(const HbgElaborator *elaborator, const HbgFrame *frame) {
  if (frame->quantity && (frame->quantity->kind != HBG_QUANTITY_UNKNOWN || !frame->value)) return *frame->quantity;
  if (!frame->value) return unknown;
  const HbgExprNode *value = hbg_expr_node(elaborator->pool, frame->value);
  if (value->op != HBG_OP_CONSTANT) return hbg_unit_of_variable(elaborator, frame->value);
  HbgQuantity counted = hbg_quantity_bare(value->value);
  counted.is_pure = true;
  return counted;
}

static HbgQuantity of_symbol(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  if (symbol->kind == HBG_SCOPE_PARAMETER) return elaborator->units->parameters[symbol->index];
  return symbol->kind == HBG_SCOPE_SIGNAL ? elaborator->units->signals[symbol->index] : unknown;
}

static bool is_leaf(const HbgElaborator *elaborator, HbgExpr expr) {
  const HbgOperation op = expr ? hbg_expr_node(elaborator->pool, expr)->op : HBG_OP_CONSTANT;
  return op == HBG_OP_EFFORT || op == HBG_OP_FLOW || op == HBG_OP_STATE;
}

/* The symbol, -1. */
static int32_t find_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const char *name = hbg_elaborate_key(elaborator, place, node);
  if (!name) return -1;
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  hbg_arena_take_back(elaborator->arena, name, strlen(name) + 1);
  return found;
}

static HbgQuantity of_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  if (!hbg_tree_find(place->tree, node, HBG_NODE_INDEX)) {
    for (const HbgFrame *frame = place->frame; frame; frame = frame->outer)
      if (frame->length && frame->length == length && !memcmp(frame->name, text, length)) return of_frame(elaborator, frame);
    if (hbg_tree_is_word(place->tree, node, "time")) return hbg_quantity_time();
    if (hbg_tree_is_word(place->tree, node, "pi")) return pure;
  }
  if (place->element >= 0 || place->field) {  // a letter of a law
    const HbgExpr own = hbg_elaborate_name(elaborator, place, node);
    if (is_leaf(elaborator, own)) return hbg_unit_of_variable(elaborator, own);
  }
  const int32_t found = find_name(elaborator, place, node);
  return found < 0 ? unknown : of_symbol(elaborator, &elaborator->scope.symbols[found]);
}

static HbgQuantity of_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  // a signal or parameter inside of an instance: `motor.power`
  const int32_t found = elaborator->instance_count ? find_name(elaborator, place, node) : -1;
  const HbgScopeSymbol *symbol = found < 0 ? NULL : &elaborator->scope.symbols[found];
  if (symbol && (symbol->kind == HBG_SCOPE_SIGNAL || symbol->kind == HBG_SCOPE_PARAMETER)) return of_symbol(elaborator, symbol);
  if (symbol && symbol->kind == HBG_SCOPE_CLOCK) return unknown;
  return hbg_unit_of_variable(elaborator, hbg_elaborate_member(elaborator, place, node));
}

/* ---- operators ---- */

static HbgQuantity meeting(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode whole, HbgTreeNode left,
                           HbgTreeNode right, const char *how) {
  const HbgQuantity a = of(elaborator, place, left), b = of(elaborator, place, right);
  hbg_tell_unit_fit(elaborator, place, whole, left, a, right, b, how);
  return hbg_quantity_sum(a, b);
}

static void tell_two_temperatures(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (elaborator->units->tells &&
      hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TWO_TEMPERATURES, hbg_tree_span(place->tree, node),
                            "two temperatures are added, both counted from absolute zero: 5 [degC] is 278.15 K"))
    HELP(elaborator, "write a difference of temperatures in kelvin: 5 [K]");
}

static HbgQuantity added(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgTreeNode left,
                         HbgTreeNode right, bool is_difference) {
  const HbgQuantity a = of(elaborator, place, left), b = of(elaborator, place, right);
  hbg_tell_unit_fit(elaborator, place, node, left, a, right, b, is_difference ? "are subtracted" : "are added");
  HbgQuantity sum = hbg_quantity_sum(a, b);
  if (a.is_absolute && b.is_absolute && !is_difference) tell_two_temperatures(elaborator, place, node);
  if (a.is_absolute && b.is_absolute && is_difference) sum.is_absolute = false;
  return sum;
}

static HbgQuantity quotient(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode left, HbgTreeNode right) {
  HbgQuantity divisor = of(elaborator, place, right);
  // nobody hides a unit in the half of something
  if (hbg_tree_is_word(place->tree, right, "2") && divisor.kind == HBG_QUANTITY_BARE) divisor.is_pure = true;
  return hbg_quantity_product(of(elaborator, place, left), divisor, -1);
}

static HbgQuantity raised(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode left, HbgTreeNode right) {
  const HbgQuantity base = of(elaborator, place, left), exponent = of(elaborator, place, right);
  hbg_tell_unit_wanted(elaborator, place, right, exponent, one, "an exponent");
  if (base.kind != HBG_QUANTITY_KNOWN) return base;
  const HbgExpr value = hbg_elaborate_expression(elaborator, place, right);
  if (!value || !hbg_expr_is_constant(elaborator->pool, value)) {
    hbg_tell_unit_wanted(elaborator, place, left, base, one, "what is raised to a power that varies");
    return base;
  }
  return hbg_quantity_power(base, hbg_expr_node(elaborator->pool, value)->value);
}

static HbgQuantity of_binary(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode left = hbg_tree_first_expression(tree, node);
  const HbgTreeNode right = left ? hbg_tree_next_expression(tree, left) : 0;
  if (!right) return unknown;
  uint32_t length;
  switch (*hbg_tree_text(tree, node, &length)) {
    case '*': return hbg_quantity_product(of(elaborator, place, left), of(elaborator, place, right), 1);
    case '/': return quotient(elaborator, place, left, right);
    case '^': return raised(elaborator, place, left, right);
    case '+': return added(elaborator, place, node, left, right, false);
    case '-': return added(elaborator, place, node, left, right, true);
    case '<':
    case '=':
    case '>': meeting(elaborator, place, node, left, right, "are compared"); return unknown;
    default: break;
  }
  of(elaborator, place, left); /* and, or */
  of(elaborator, place, right);
  return unknown;
}

static HbgQuantity of_unary(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  HbgQuantity quantity = of(elaborator, place, hbg_tree_first_expression(place->tree, node));
  quantity.is_time = quantity.is_time && !hbg_tree_is_word(place->tree, node, "not");
  return quantity;
}

static HbgQuantity of_choice(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode condition = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode yes = condition ? hbg_tree_next_expression(place->tree, condition) : 0;
  const HbgTreeNode no = yes ? hbg_tree_next_expression(place->tree, yes) : 0;
  if (!no) return unknown;
  of(elaborator, place, condition);
  return meeting(elaborator, place, node, yes, no, "are the two branches");
}

/* ---- functions ---- */

typedef enum Rule {
  RULE_SAME,      /* what its first argument is */
  RULE_ALIKE,     /* what its arguments are, which are all the same */
  RULE_ANGLE_OF,  /* an angle, of arguments that are all the same */
  RULE_NUMBER,    /* a number of a number */
  RULE_ANGLE,     /* an angle of a number */
  RULE_SIGN,      /* a number of anything */
  RULE_ROOT,
  RULE_IMPULSE,
  RULE_INTEGRAL,
  RULE_OTHER      /* of functions.def, on a clock, or the modeller's own */
} Rule;

static Rule rule_of(const HbgTree *tree, HbgTreeNode call) {
  static const struct { const char *name; Rule rule; } rules[] = {
      {"abs", RULE_SAME}, {"floor", RULE_SAME}, {"ceil", RULE_SAME}, {"pre", RULE_SAME}, {"finite", RULE_SAME},
      {"min", RULE_ALIKE}, {"max", RULE_ALIKE}, {"hypot", RULE_ALIKE}, {"mod", RULE_ALIKE},
      {"atan2", RULE_ANGLE_OF}, {"asin", RULE_ANGLE}, {"acos", RULE_ANGLE}, {"atan", RULE_ANGLE},
      {"sin", RULE_NUMBER}, {"cos", RULE_NUMBER}, {"tan", RULE_NUMBER}, {"sinh", RULE_NUMBER}, {"cosh", RULE_NUMBER},
      {"tanh", RULE_NUMBER}, {"exp", RULE_NUMBER}, {"log", RULE_NUMBER}, {"log10", RULE_NUMBER},
      {"sign", RULE_SIGN}, {"sqrt", RULE_ROOT}, {"impulse", RULE_IMPULSE}, {"integral", RULE_INTEGRAL},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (hbg_tree_is_word(tree, call, rules[i].name)) return rules[i].rule;
  return RULE_OTHER;
}

static HbgTreeNode next_argument(const HbgTree *tree, HbgTreeNode argument) {
  return argument ? hbg_tree_next_expression(tree, argument) : 0;
}

static HbgQuantity alike(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  const HbgTreeNode first = hbg_tree_first_expression(place->tree, call);
  HbgQuantity result = first ? of(elaborator, place, first) : unknown;
  for (HbgTreeNode next = next_argument(place->tree, first); next; next = next_argument(place->tree, next)) {
    const HbgQuantity quantity = of(elaborator, place, next);
    hbg_tell_unit_fit(elaborator, place, call, first, result, next, quantity, "are arguments of one function");
    result = hbg_quantity_sum(result, quantity);
  }
  return result;
}

static void want(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgTreeNode argument,
                 HbgDimension wanted) {
  const HbgQuantity given = of(elaborator, place, argument);
  // where the language counts in seconds a bare number is one of them
  if (given.kind == HBG_QUANTITY_BARE || hbg_quantity_fit(given, hbg_quantity_of(wanted)) == HBG_FITS) return;
  const char *name = hbg_elaborate_word(elaborator, place->tree, call);
  hbg_tell_unit_wanted(elaborator, place, argument, given, wanted, hbg_print(elaborator->arena, "the argument of %s", name));
}

static HbgQuantity of_integral(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  const int32_t found = elaborator->is_column ? -1 : hbg_elaborate_integral_at(elaborator, call, place->frame);
  return found < 0 ? unknown : elaborator->units->integrals[found];
}

/* Of what nothing is known, the arguments are looked at all the same. */
static HbgQuantity other(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  bool is_known;
  const HbgQuantity result = hbg_unit_of_call(elaborator, place, call, &is_known);
  if (is_known) return result;
  HbgTreeNode argument = hbg_tree_first_expression(place->tree, call);
  for (; argument; argument = next_argument(place->tree, argument)) of(elaborator, place, argument);
  return unknown;
}

static HbgQuantity of_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  const HbgTreeNode first = hbg_tree_first_expression(place->tree, call);
  const bool is_imported = hbg_tree_find(place->tree, call, HBG_NODE_OWNER) != 0;
  const Rule rule = is_imported ? RULE_OTHER : rule_of(place->tree, call);
  if (!first) return unknown;
  HbgQuantity result;
  switch (rule) {
    case RULE_SAME: return of(elaborator, place, first);
    case RULE_ALIKE: return alike(elaborator, place, call);
    case RULE_ANGLE_OF: alike(elaborator, place, call); return hbg_quantity_of(one);
    case RULE_NUMBER: want(elaborator, place, call, first, one); return pure;
    case RULE_ANGLE: want(elaborator, place, call, first, one); return hbg_quantity_of(one);
    case RULE_SIGN: of(elaborator, place, first); return pure;
    case RULE_ROOT: return hbg_quantity_power(of(elaborator, place, first), 0.5);
    case RULE_IMPULSE:
      result = hbg_quantity_integral(of(elaborator, place, first));
      result.is_impulse = true;
      return result;
    case RULE_INTEGRAL: return of_integral(elaborator, place, call);
    default: return other(elaborator, place, call);
  }
}

/* ---- every expression ---- */

static HbgQuantity of_parentheses(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode inner = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode unit_of = hbg_tree_find(place->tree, node, HBG_NODE_UNIT_OF);
  const HbgQuantity quantity = of(elaborator, place, inner);
  if (!unit_of) return quantity;
  hbg_tell_second_unit(elaborator, place, inner, quantity, unit_of);
  return hbg_unit_of_text(elaborator, place, unit_of);
}

HbgQuantity hbg_unit_of_expression(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (!node) return unknown;
  switch (hbg_tree_kind(place->tree, node)) {
    case HBG_NODE_NUMBER: return of_number(elaborator, place, node);
    case HBG_NODE_NAME: return of_name(elaborator, place, node);
    case HBG_NODE_MEMBER: return of_member(elaborator, place, node);
    case HBG_NODE_BINARY: return of_binary(elaborator, place, node);
    case HBG_NODE_UNARY: return of_unary(elaborator, place, node);
    case HBG_NODE_IF: return of_choice(elaborator, place, node);
    case HBG_NODE_CALL: return of_call(elaborator, place, node);
    case HBG_NODE_PARENTHESES: return of_parentheses(elaborator, place, node);
    default: return unknown;
  }
}

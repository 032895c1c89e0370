/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the law of every element, and the initial values of the storages. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* How an element is written when it takes one value, and what that value makes of it. */
typedef struct ValueInfo {
  const char *letter; /* that the value is called by */
  const char *form;   /* an example for the help; %s is the name */
} ValueInfo;

static const ValueInfo value_info[HBG_ELEMENT_COUNT] = {
    [HBG_ELEMENT_SE] = {"u", "Se %s(10 [V]), or Se %s: e = 10*sin(time)"},
    [HBG_ELEMENT_SF] = {"u", "Sf %s(1 [m/s]), or Sf %s: f = sin(time)"},
    [HBG_ELEMENT_R] = {"R", "R %s(100 [ohm]), or R %s: e = 2*f*abs(f)"},
    [HBG_ELEMENT_C] = {"C", "C %s(1e-3 [F]), or C %s: e = 1000*q + 10*q^3"},
    [HBG_ELEMENT_I] = {"I", "I %s(1 [kg]), or I %s: f = p/2"},
    [HBG_ELEMENT_TF] = {"n", "TF %s(2), or TF %s: n = cos(angle)"},
    [HBG_ELEMENT_GY] = {"r", "GY %s(0.1), or GY %s: r = 0.1*field"},
};

/* The leaves of an element's own variables. */
typedef struct Own {
  HbgExpr effort, flow, state;
} Own;

static Own own_of(HbgElaborator *elaborator, const HbgNode *node) {
  const int32_t bond = hbg_port(elaborator->model, node, 0)->bond;
  HbgExprPool *pool = elaborator->pool;
  return (Own){.effort = hbg_expr_leaf(pool, HBG_OP_EFFORT, bond, 0), .flow = hbg_expr_leaf(pool, HBG_OP_FLOW, bond, 0),
               .state = node->state < 0 ? 0 : hbg_expr_leaf(pool, HBG_OP_STATE, node->state, 0)};
}

static void help_with_form(HbgElaborator *elaborator, const HbgNode *node) {
  const char *pattern = value_info[node->kind].form;
  // the name stands twice in the pattern
  HbgText text = hbg_text(elaborator->arena);
  for (const char *at = pattern; *at; at++) {
    if (at[0] != '%') hbg_text_add_bytes(&text, at, 1);
    else hbg_text_add(&text, "%s", node->name), at++;
  }
  HELP(elaborator, "write: %s", text.bytes);
}

/* ---- given by a value: R r(100) ---- */

static void check_storage_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                                const HbgNode *node, double value) {
  if (value > 0) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_POSITIVE, hbg_tree_span(place->tree, where),
                            "the %s of '%s' is %.15g, but must be greater than 0", value_info[node->kind].letter,
                            node->name, value))
    HELP(elaborator, "a storage with no or negative capacity has no state; leave the element out for none");
}

static void check_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgNode *node,
                        HbgExpr value) {
  if (!hbg_expr_is_constant(elaborator->pool, value)) return;
  const double number = hbg_expr_node(elaborator->pool, value)->value;
  const HbgSpan span = hbg_tree_span(place->tree, where);
  if (hbg_is_storage(node)) {
    check_storage_value(elaborator, place, where, node, number);
  } else if (node->kind == HBG_ELEMENT_R && number < 0) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NEGATIVE_RESISTANCE, span,
                              "the resistance of '%s' is %.15g: it gives energy instead of taking it", node->name, number))
      HELP(elaborator, "if that is meant, leave it; otherwise change the sign");
  } else if ((node->kind == HBG_ELEMENT_TF || node->kind == HBG_ELEMENT_GY) && number >= 0 && number <= 0) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ZERO_RATIO, span,
                              "the ratio of '%s' is 0: it would connect nothing", node->name))
      HELP(elaborator, "give it a value other than 0, or leave the element out");
  }
}

/* A resistance of nothing, or a conductance: as ideal as a source of zero, which bears any impulse of what it leaves open. Only where energy is lost are there
 * none (semantics 4, J4). */
static bool is_nothing(const HbgExprPool *pool, const HbgNode *resistor) {
  return resistor->law && resistor->law_form != HBG_LAW_IMPLICIT && hbg_expr_is(pool, resistor->law, 0);
}

static void law_of_value(HbgElaborator *elaborator, HbgNode *node, HbgExpr value) {
  // only the variable that the law reads becomes a node of the pool: there are millions of these laws
  HbgExprPool *pool = elaborator->pool;
  switch (node->kind) {
    case HBG_ELEMENT_R:
      node->law_form = HBG_LAW_EFFORT;
      node->law = hbg_expr_binary(pool, HBG_OP_MUL, value,
                                  hbg_expr_leaf(pool, HBG_OP_FLOW, hbg_port(elaborator->model, node, 0)->bond, 0));
      node->passes_impulses = is_nothing(pool, node);
      return;
    case HBG_ELEMENT_C:
    case HBG_ELEMENT_I:
      node->law_form = node->kind == HBG_ELEMENT_C ? HBG_LAW_EFFORT : HBG_LAW_FLOW;
      node->law = hbg_expr_binary(pool, HBG_OP_DIV, hbg_expr_leaf(pool, HBG_OP_STATE, node->state, 0), value);
      return;
    default:
      node->law_form = HBG_LAW_VALUE;
      node->law = value;
      return;
  }
}

/* `I m(1,5)`: two numbers with nothing but a comma between them are one with a decimal comma. */
static void help_with_arguments(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode arguments,
                                const HbgNode *node) {
  const HbgTreeNode first = hbg_tree_first_expression(tree, arguments);
  const HbgTreeNode second = first ? hbg_tree_next_expression(tree, first) : 0;
  const bool are_numbers = second && hbg_tree_kind(tree, first) == HBG_NODE_NUMBER &&
                           hbg_tree_kind(tree, second) == HBG_NODE_NUMBER;
  if (!are_numbers || hbg_tree_span(tree, first).end + 1 != hbg_tree_span(tree, second).begin) {
    help_with_form(elaborator, node);
    return;
  }
  HELP(elaborator, "numbers have a decimal point: %s.%s", hbg_tree_excerpt(tree, first, elaborator->arena),
       hbg_tree_excerpt(tree, second, elaborator->arena));
}

/* C spring(K = 100): what is given is the stiffness. */
static bool is_stiffness(const HbgTree *tree, HbgTreeNode arguments, const HbgNode *node) {
  const HbgTreeNode first = tree_first(tree, arguments);
  return node->kind == HBG_ELEMENT_C && first && hbg_tree_kind(tree, first) == HBG_NODE_NAMED_ARGUMENT &&
         hbg_tree_is_word(tree, first, "K");
}

/* The value in the parentheses, also with its letter: C(C = 2). 0: told. */
static HbgTreeNode the_argument(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode arguments,
                                const HbgNode *node) {
  const HbgTree *tree = place->tree;
  HbgTreeNode value = 0;
  int count = 0;
  for (HbgTreeNode child = tree_first(tree, arguments); child; child = tree_next(tree, child)) {
    const bool is_named = hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT;
    if (!is_named && !hbg_tree_is_expression(tree, child)) continue;
    count++;
    if (!is_named || hbg_tree_is_word(tree, child, value_info[node->kind].letter) || is_stiffness(tree, arguments, node))
      value = is_named ? hbg_tree_first_expression(tree, child) : child;
  }
  if (count == 1 && value) return value;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, arguments),
                            "'%s' (%s) takes one value, %s", node->name, hbg_element_info[node->kind].name,
                            value_info[node->kind].letter))
    help_with_arguments(elaborator, tree, arguments, node);
  return 0;
}

static void take_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode arguments, HbgNode *node,
                       int32_t component) {
  const HbgTreeNode argument = the_argument(elaborator, place, arguments, node);
  const HbgExpr value = argument ? hbg_elaborate_part(elaborator, place, argument, component, node->name) : 0;
  if (!value) return;
  check_value(elaborator, place, argument, node, value);
  // division by zero in the law of a storage is told already
  if (hbg_is_storage(node) && hbg_expr_is(elaborator->pool, value, 0)) return;
  if (!node->port_count) return;
  if (!is_stiffness(place->tree, arguments, node)) {
    law_of_value(elaborator, node, value);
  } else {
    node->law_form = HBG_LAW_EFFORT;
    node->law = hbg_expr_binary(elaborator->pool, HBG_OP_MUL, value, own_of(elaborator, node).state);
  }
}

/* ---- given by an equation: R r: e = 2*f ---- */

/* The place of an equation, without the colon before it. */
HbgSpan hbg_elaborate_law_span(const HbgTree *tree, HbgTreeNode law) {
  HbgSpan span = hbg_tree_span(tree, law);
  const HbgTreeNode left = hbg_tree_kind(tree, law) == HBG_NODE_LAW ? hbg_tree_first_expression(tree, law) : 0;
  if (left) span.begin = hbg_tree_span(tree, left).begin;
  return span;
}

static void tell_wrong_law(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, const HbgNode *node,
                           const char *why) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_LAW, hbg_elaborate_law_span(place->tree, law),
                            "the law of '%s' (%s) %s", node->name, hbg_element_info[node->kind].name, why))
    help_with_form(elaborator, node);
}

/* `unknown` of left = right: as written, or solved for; 0 when that cannot be done. */
HbgExpr hbg_elaborate_explicit(HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgExpr unknown) {
  if (left == unknown && !hbg_expr_depends(pool, right, unknown)) return right;
  if (right == unknown && !hbg_expr_depends(pool, left, unknown)) return left;
  return hbg_expr_solve(pool, left, right, unknown);
}

static bool is_written_for(const HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgExpr unknown) {
  return (left == unknown && !hbg_expr_depends(pool, right, unknown)) ||
         (right == unknown && !hbg_expr_depends(pool, left, unknown));
}

/* A resistor ties its effort to its flow; what fixes one of them alone is a source. */
static void check_resistor(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, const HbgNode *node,
                           Own own) {
  const HbgExprPool *pool = elaborator->pool;
  if (node->law_form != HBG_LAW_FLOW && !hbg_expr_depends(pool, node->law, own.flow))
    tell_wrong_law(elaborator, place, law, node, "does not read f: that is a source of effort, Se");
  if (node->law_form != HBG_LAW_EFFORT && !hbg_expr_depends(pool, node->law, own.effort))
    tell_wrong_law(elaborator, place, law, node, "does not read e: that is a source of flow, Sf");
}

static void resistor_law(HbgElaborator *elaborator, HbgNode *node, Own own, HbgExpr left, HbgExpr right) {
  HbgExprPool *pool = elaborator->pool;
  // a law for f stays one: solving it for e may not be possible for every value
  if (is_written_for(pool, left, right, own.flow) && !is_written_for(pool, left, right, own.effort)) {
    node->law_form = HBG_LAW_FLOW;
    node->law = hbg_elaborate_explicit(pool, left, right, own.flow);
    return;
  }
  node->law_form = HBG_LAW_EFFORT;
  node->law = hbg_elaborate_explicit(pool, left, right, own.effort);
  if (node->law) return;
  node->law_form = HBG_LAW_FLOW;
  node->law = hbg_elaborate_explicit(pool, left, right, own.flow);
  if (node->law) return;
  node->law_form = HBG_LAW_IMPLICIT;
  node->law = hbg_expr_binary(pool, HBG_OP_SUB, left, right);
}

static void storage_law(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, HbgNode *node, Own own,
                        HbgExpr left, HbgExpr right) {
  HbgExprPool *pool = elaborator->pool;
  const bool is_c = node->kind == HBG_ELEMENT_C;
  const HbgExpr wanted = is_c ? own.effort : own.flow, other = is_c ? own.flow : own.effort;
  node->law_form = is_c ? HBG_LAW_EFFORT : HBG_LAW_FLOW;
  node->law = hbg_elaborate_explicit(pool, left, right, wanted);
  if (!node->law && !hbg_expr_depends(pool, left, wanted) && !hbg_expr_depends(pool, right, wanted)) {
    tell_wrong_law(elaborator, place, law, node, is_c ? "does not read e, which it must give" : "does not read f, which it must give");
    return;
  }
  if (!node->law) { // solved during the run
    node->law_form = HBG_LAW_IMPLICIT;
    node->law = hbg_expr_binary(pool, HBG_OP_SUB, left, right);
  }
  if (hbg_expr_depends(pool, node->law, other))
    tell_wrong_law(elaborator, place, law, node, is_c ? "reads the flow: the effort of a C is a function of q alone"
                                                      : "reads the effort: the flow of an I is a function of p alone");
  else if (!hbg_expr_depends(pool, node->law, own.state))
    tell_wrong_law(elaborator, place, law, node, is_c ? "does not read q: that is a source of effort"
                                                      : "does not read p: that is a source of flow");
}

static void source_law(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, HbgNode *node, Own own,
                       HbgExpr left, HbgExpr right) {
  const bool is_effort = node->kind == HBG_ELEMENT_SE;
  node->law_form = HBG_LAW_VALUE;
  node->law = hbg_elaborate_explicit(elaborator->pool, left, right, is_effort ? own.effort : own.flow);
  if (!node->law)
    tell_wrong_law(elaborator, place, law, node, is_effort ? "does not give e" : "does not give f");
}

static bool reads_own(const HbgExprPool *pool, Own own, HbgExpr left, HbgExpr right) {
  return hbg_expr_depends(pool, left, own.effort) || hbg_expr_depends(pool, left, own.flow) ||
         hbg_expr_depends(pool, right, own.effort) || hbg_expr_depends(pool, right, own.flow);
}

static void one_port_law(HbgElaborator *elaborator, HbgPlace place, HbgTreeNode law, HbgNode *node) {
  place.element = (int32_t)(node - elaborator->model->nodes);
  const HbgTreeNode first = hbg_tree_first_expression(place.tree, law);
  const HbgTreeNode second = first ? hbg_tree_next_expression(place.tree, first) : 0;
  place.is_left = true;
  const HbgExpr left = first ? hbg_elaborate_number(elaborator, &place, first) : 0;
  place.is_left = false;
  const HbgExpr right = second ? hbg_elaborate_number(elaborator, &place, second) : 0;
  // without its bond, which is told, the element has no variables; other names are looked at all the same
  if (!left || !right || !node->port_count) return;
  const Own own = own_of(elaborator, node);
  if (node->kind == HBG_ELEMENT_R && reads_own(elaborator->pool, own, left, right)) {
    resistor_law(elaborator, node, own, left, right);
    node->passes_impulses = is_nothing(elaborator->pool, node);
    check_resistor(elaborator, &place, law, node, own);
  } else if (node->kind == HBG_ELEMENT_R) {
    tell_wrong_law(elaborator, &place, law, node, "reads neither its e nor its f");
  } else if (hbg_is_storage(node)) {
    storage_law(elaborator, &place, law, node, own, left, right);
  } else {
    source_law(elaborator, &place, law, node, own, left, right);
  }
}

/* TF t: n = ..., GY g: r = ... */
static void ratio_law(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, HbgNode *node) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode left = hbg_tree_first_expression(tree, law);
  const HbgTreeNode right = left ? hbg_tree_next_expression(tree, left) : 0;
  if (!right || hbg_tree_kind(tree, left) == HBG_NODE_ERROR) return;
  if (hbg_tree_kind(tree, left) != HBG_NODE_NAME || !hbg_tree_is_word(tree, left, value_info[node->kind].letter)) {
    tell_wrong_law(elaborator, place, law, node, node->kind == HBG_ELEMENT_TF ? "does not give its ratio n"
                                                                              : "does not give its ratio r");
    return;
  }
  const HbgExpr value = hbg_elaborate_number(elaborator, place, right);
  if (!value) return;
  check_value(elaborator, place, right, node, value);
  node->law_form = HBG_LAW_VALUE;
  node->law = value;
}

/* ---- every element ---- */

static void refuse(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgNode *node,
                   const char *what) {
  if (where && hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_LAW, hbg_elaborate_law_span(place->tree, where),
                                     "'%s' is a %s-junction, which has no %s", node->name,
                                     hbg_element_info[node->kind].name, what))
    HELP(elaborator, "give it to an element at the junction");
}

static void find_law(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgPlace place = place_of_owner(elaborator, declaration->frame, declaration->name);
  const HbgTree *tree = place.tree;
  HbgNode *node = &elaborator->model->nodes[declaration->final];
  const HbgTreeNode arguments = hbg_tree_find(tree, declaration->node, HBG_NODE_ARGUMENTS);
  const HbgTreeNode law = hbg_tree_find(tree, declaration->node, HBG_NODE_LAW);
  if (hbg_is_junction(node)) {
    refuse(elaborator, &place, arguments, node, "value");
    refuse(elaborator, &place, law, node, "law of its own");
    return;
  }
  if (arguments && law) {
    tell_wrong_law(elaborator, &place, law, node, "is given twice, by a value and by an equation");
  } else if (arguments) {
    take_value(elaborator, &place, arguments, node, declaration->component);
  } else if (law && hbg_element_info[node->kind].ports == 2) {
    ratio_law(elaborator, &place, law, node);
  } else if (law) {
    one_port_law(elaborator, place, law, node);
  } else if (!hbg_tree_find(tree, declaration->node, HBG_NODE_ERROR) &&
             hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_NO_LAW, declaration->span,
                                   "'%s' (%s) has no value", node->name, hbg_element_info[node->kind].name)) {
    help_with_form(elaborator, node);
  }
}

void hbg_elaborate_laws(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->node_count; i++)
    if (!elaborator->nodes[i].field) find_law(elaborator, &elaborator->nodes[i]);
}

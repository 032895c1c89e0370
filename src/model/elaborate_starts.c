/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: initial values of storages. `start q = ` and `start p = ` give the stored quantity; `start e = ` of a C
 * and `start f = ` of an I give what it must be for: the law is inverted, by its operations where that is possible,
 * else by bisection. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

enum { BISECTIONS = 200 };
static const double FARTHEST = 1e30, NEAREST = 1e-12;

/* The law of a storage at time 0, as a function of what is stored. */
typedef struct LawAtStart {
  HbgElaborator *elaborator;
  HbgExpr law, state;
  HbgExpr given; /* of an implicit law: its effort or flow, */
  double value;  /* which is this */
  double stored; /* where it is looked at */
} LawAtStart;

static bool tick_at_start(const HbgTick *tick) {
  if (tick->start > 0) return false;
  const double since = isfinite(tick->period) ? fmod(-tick->start, tick->period) : -tick->start;
  return since < tick->width;
}

HbgExpr hbg_elaborate_known_at_start(const HbgElaborator *elaborator, HbgExpr leaf) {
  const HbgFlatModel *model = elaborator->model;
  HbgExprPool *pool = elaborator->pool;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  switch (node.op) {
    case HBG_OP_TIME: return hbg_expr_constant(pool, 0);
    case HBG_OP_TICK: return hbg_expr_boolean(pool, tick_at_start(&model->ticks[node.index]));
    case HBG_OP_STATE: {
      const HbgState *state = &model->states[node.index];
      return state->node < 0 ? hbg_expr_constant(pool, state->start) : 0;
    }
    case HBG_OP_IN_STATE: return hbg_expr_boolean(pool, model->machines[node.index].initial == node.other);
    case HBG_OP_IS_ON: {
      const HbgMachine *machine = &model->machines[node.index];
      return hbg_expr_boolean(pool, machine->states[machine->initial].is_on);
    }
    case HBG_OP_VARIABLE: {
      const HbgVariable *variable = &model->variables[node.index];
      return variable->is_boolean ? hbg_expr_boolean(pool, variable->start > 0.5) : hbg_expr_constant(pool, variable->start);
    }
    default: return 0;
  }
}

static HbgExpr at_start(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const LawAtStart *law = user;
  if (leaf == law->state) return hbg_expr_constant(pool, law->stored);
  if (leaf == law->given) return hbg_expr_constant(pool, law->value);
  return hbg_elaborate_known_at_start(law->elaborator, leaf);
}

/* Does the law read nothing but what is known at the start? */
static bool is_known(LawAtStart *law) {
  law->stored = 1;
  return hbg_expr_is_constant(law->elaborator->pool, hbg_expr_replace(law->elaborator->pool, law->law, at_start, law));
}

/* NAN where the law has no value. */
static double value_at(LawAtStart *law, double stored) {
  law->stored = stored;
  const HbgExpr value = hbg_expr_replace(law->elaborator->pool, law->law, at_start, law);
  return hbg_expr_is_constant(law->elaborator->pool, value) ? hbg_expr_node(law->elaborator->pool, value)->value : (double)NAN;
}

static double bisect(LawAtStart *law, double target, double low, double high) {
  const bool rises = value_at(law, high) > value_at(law, low);
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if ((value_at(law, middle) < target) == rises) low = middle;
    else high = middle;
  }
  // of two neighbours the one that comes nearer
  return fabs(value_at(law, low) - target) <= fabs(value_at(law, high) - target) ? low : high;
}

/* The stored quantity nearest to zero at which the law gives `target`; false when none is found. */
static bool invert_by_search(LawAtStart *law, double target, double *stored) {
  const double at_zero = value_at(law, 0);
  if (at_zero >= target && at_zero <= target) return *stored = 0, true;
  double inner[2] = {0, 0};
  for (double size = NEAREST; size < FARTHEST; size *= 1.5) {
    for (int side = 0; side < 2; side++) {
      const double outer = side ? -size : size;
      const double near = value_at(law, inner[side]) - target, far = value_at(law, outer) - target;
      if (isfinite(near) && isfinite(far) && (near < 0) != (far < 0)) {
        *stored = side ? bisect(law, target, outer, inner[side]) : bisect(law, target, inner[side], outer);
        return true;
      }
      inner[side] = outer;
    }
  }
  return false;
}

static bool invert(LawAtStart *law, double target, double *stored) {
  HbgExprPool *pool = law->elaborator->pool;
  const HbgExpr solved = hbg_expr_solve(pool, law->law, hbg_expr_constant(pool, target), law->state);
  if (solved) {
    const HbgExpr value = hbg_expr_replace(pool, solved, at_start, law);
    *stored = hbg_expr_node(pool, value)->value;
    if (hbg_expr_is_constant(pool, value) && isfinite(*stored)) return true;
  }
  return invert_by_search(law, target, stored);
}

static LawAtStart law_of(HbgElaborator *elaborator, const HbgNode *node, double value) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr given = hbg_expr_leaf(pool, node->kind == HBG_ELEMENT_C ? HBG_OP_EFFORT : HBG_OP_FLOW,
                                      hbg_port(elaborator->model, node, 0)->bond, 0);
  return (LawAtStart){.elaborator = elaborator, .law = node->law, .state = hbg_expr_leaf(pool, HBG_OP_STATE, node->state, 0),
                      .given = node->law_form == HBG_LAW_IMPLICIT ? given : 0, .value = value};
}

bool hbg_elaborate_invert_start(HbgElaborator *elaborator, const HbgNode *node, double value, double *stored) {
  LawAtStart law = law_of(elaborator, node, value);
  return node->law && is_known(&law) && invert(&law, law.given ? 0 : value, stored);
}

/* What the law of a storage gives cannot be told before the run: it becomes a condition for the start. */
static void start_by_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node,
                               double value) {
  const HbgOperation op = node->kind == HBG_ELEMENT_C ? HBG_OP_EFFORT : HBG_OP_FLOW;
  elaborator->model->states[node->state].is_unknown = true;
  hbg_elaborate_add_condition(
      elaborator, (HbgCondition){.left = hbg_expr_leaf(elaborator->pool, op, hbg_port(elaborator->model, node, 0)->bond, 0),
                                 .right = hbg_expr_constant(elaborator->pool, value), .span = hbg_tree_span(place->tree, start),
                                 .text = hbg_print(elaborator->arena, "%s: %s", node->name,
                                                   hbg_tree_folded(place->tree, start, elaborator->arena))});
}

/* `start e = value` of a C, `start f = value` of an I: what is stored then. */
static void start_by_law(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node,
                         double value, double *stored) {
  LawAtStart law = law_of(elaborator, node, value);
  const bool is_c = node->kind == HBG_ELEMENT_C;
  if (!is_known(&law)) {
    start_by_condition(elaborator, place, start, node, value);
    return;
  }
  if (invert(&law, law.given ? 0 : value, stored)) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_span(place->tree, start),
                            "no stored quantity of '%s' gives %s = %.15g at the start", node->name, is_c ? "e" : "f", value))
    HELP(elaborator, "give the stored quantity itself: start %s = ...", is_c ? "q" : "p");
}

static bool fits_letter(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node,
                        bool *is_stored) {
  const bool is_c = node->kind == HBG_ELEMENT_C;
  *is_stored = hbg_tree_is_word(place->tree, start, is_c ? "q" : "p");
  if (*is_stored || hbg_tree_is_word(place->tree, start, is_c ? "e" : "f")) return true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_token_span(place->tree, start),
                            "'%s' (%s) cannot start with a given %s", node->name, is_c ? "C" : "I",
                            hbg_elaborate_word(elaborator, place->tree, start)))
    HELP(elaborator, is_c ? "give its stored quantity, start q = ..., or its effort, start e = ..."
                          : "give its stored quantity, start p = ..., or its flow, start f = ...");
  return false;
}

static bool has_state(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node) {
  if (hbg_is_storage(node)) return true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_span(place->tree, start),
                            "'%s' (%s) stores nothing that could start", node->name, hbg_element_info[node->kind].name))
    HELP(elaborator, "initial values belong to C and I");
  return false;
}

bool hbg_elaborate_start_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t component,
                               const char *key, double *value) {
  if (!component) return hbg_elaborate_constant(elaborator, place, node, value);
  const HbgExpr expr = hbg_elaborate_part(elaborator, place, node, component, key);
  if (!expr || !hbg_elaborate_finite(elaborator, place, node, expr) || !hbg_expr_is_constant(elaborator->pool, expr)) return false;
  *value = hbg_expr_node(elaborator->pool, expr)->value;
  return true;
}

/* Only the ports of fields have several. */
static bool is_only_start(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start) {
  HbgTreeNode other = tree_next(place->tree, start);
  while (other && hbg_tree_kind(place->tree, other) != HBG_NODE_START) other = tree_next(place->tree, other);
  const HbgTreeNode index = hbg_tree_find(place->tree, start, HBG_NODE_INDEX), wrong = other ? other : index;
  if (!wrong) return true;
  if (hbg_elaborator_report(elaborator, place, other ? HBG_DIAGNOSTIC_GIVEN_TWICE : HBG_DIAGNOSTIC_WRONG_START,
                            hbg_tree_span(place->tree, wrong), other ? "`start` is given twice" : "this element has one port, without a number"))
    HELP(elaborator, other ? "keep one of them" : "leave the index out: start p = ..., start q = ...");
  return false;
}

static void find_start(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgPlace place = place_in(elaborator, declaration->frame, "a start value");
  const HbgTreeNode start = hbg_tree_find(place.tree, declaration->node, HBG_NODE_START);
  if (!start || !is_only_start(elaborator, &place, start)) return;
  const HbgNode *node = &elaborator->model->nodes[declaration->final];
  const HbgTreeNode expression = hbg_tree_first_expression(place.tree, start);
  bool is_stored;
  double value;
  if (has_state(elaborator, &place, start, node) && hbg_elaborate_unknown_start(elaborator, &place, start, node)) return;
  if (!has_state(elaborator, &place, start, node) || !fits_letter(elaborator, &place, start, node, &is_stored)) return;
  if (!expression || !hbg_elaborate_start_value(elaborator, &place, expression, declaration->component, node->name, &value)) return;
  double *stored = &elaborator->model->states[node->state].start;
  if (is_stored) *stored = value;
  else if (node->law) start_by_law(elaborator, &place, start, node, value, stored);
}

void hbg_elaborate_starts(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->node_count; i++)
    if (!elaborator->nodes[i].field) find_start(elaborator, &elaborator->nodes[i]);
}

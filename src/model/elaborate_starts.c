/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: initial values of storages. `start q = ` and `start p = ` give the stored quantity; `start e = ` of a C
 * and `start f = ` of an I give what it must be for: the law is inverted, by its operations where that is possible,
 * else by bisection. */
#include <math.h>
#include <string.h>

#include "model/elaborator.h"

enum { BISECTIONS = 200 };
static const double FARTHEST = 1e30, NEAREST = 1e-12;

/* The law of a storage at time 0, as a function of what is stored. */
typedef struct LawAtStart {
  HbgElaborator *elaborator;
  HbgExpr law, state;
  double stored; /* where it is looked at */
} LawAtStart;

static HbgExpr at_start(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const LawAtStart *law = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (leaf == law->state) return hbg_expr_constant(pool, law->stored);
  if (node->op == HBG_OP_TIME) return hbg_expr_constant(pool, 0);
  if (node->op != HBG_OP_TICK) return 0;
  const HbgTick *tick = &law->elaborator->model->ticks[node->index];
  if (tick->start > 0) return hbg_expr_boolean(pool, false);
  const double since = isfinite(tick->period) ? fmod(-tick->start, tick->period) : -tick->start;
  return hbg_expr_boolean(pool, since < tick->width);
}

/* NAN when the law reads what is not known at the start. */
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

static bool invert(HbgElaborator *elaborator, const HbgNode *node, double target, double *stored) {
  HbgExprPool *pool = elaborator->pool;
  LawAtStart law = {elaborator, node->law, hbg_expr_leaf(pool, HBG_OP_STATE, node->state, 0), 0};
  const HbgExpr solved = hbg_expr_solve(pool, node->law, hbg_expr_constant(pool, target), law.state);
  if (solved) {
    const HbgExpr value = hbg_expr_replace(pool, solved, at_start, &law);
    *stored = hbg_expr_node(pool, value)->value;
    if (hbg_expr_is_constant(pool, value) && isfinite(*stored)) return true;
  }
  return invert_by_search(&law, target, stored);
}

static bool fits_letter(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node,
                        bool *is_stored) {
  const bool is_c = node->kind == HBG_ELEMENT_C;
  *is_stored = hbg_tree_is_word(place->tree, start, is_c ? "q" : "p");
  if (*is_stored || hbg_tree_is_word(place->tree, start, is_c ? "e" : "f")) return true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_token_span(place->tree, start),
                            "'%s' (%s) cannot start with a given %s", node->name, is_c ? "C" : "I",
                            hbg_tree_word(place->tree, start, elaborator->arena)))
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

static void find_start(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgTreeNode start = hbg_tree_find(elaborator->tree, declaration->node, HBG_NODE_START);
  if (!start) return;
  const HbgPlace place = place_in(elaborator, declaration->frame, "a start value");
  const HbgNode *node = &elaborator->model->nodes[declaration->final];
  const HbgTreeNode expression = hbg_tree_first_expression(elaborator->tree, start);
  bool is_stored;
  double value;
  if (!has_state(elaborator, &place, start, node) || !fits_letter(elaborator, &place, start, node, &is_stored)) return;
  if (!expression || !hbg_elaborate_constant(elaborator, &place, expression, &value)) return;
  double *stored = &elaborator->model->states[node->state].start;
  if (is_stored) *stored = value;
  else if (node->law && !invert(elaborator, node, value, stored) &&
           hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_span(place.tree, start),
                                 "no stored quantity of '%s' gives %s = %.15g at the start", node->name,
                                 node->kind == HBG_ELEMENT_C ? "e" : "f", value))
    HELP(elaborator, "give the stored quantity itself: start %s = ...", node->kind == HBG_ELEMENT_C ? "q" : "p");
}

void hbg_elaborate_starts(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->node_count; i++) find_start(elaborator, &elaborator->nodes[i]);
}

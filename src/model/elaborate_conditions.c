/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: initial values that are not given but found: `start steady`, `start open`, and `initial a = b`. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

void hbg_elaborate_add_condition(HbgElaborator *elaborator, HbgCondition condition) {
  HbgFlatModel *model = elaborator->model;
  ARENA_PUSH(elaborator->arena, model->conditions, model->condition_count, elaborator->condition_capacity) = condition;
}

/* Its rate is nothing at the start. `rate` 0: told already. */
static void hold(HbgElaborator *elaborator, const char *name, HbgExpr rate, HbgSpan span) {
  if (rate)
    hbg_elaborate_add_condition(elaborator, (HbgCondition){.left = rate, .right = hbg_expr_constant(elaborator->pool, 0), .span = span,
                                                           .text = hbg_print(elaborator->arena, "%s is steady", name)});
}

/* What p' and q' of a storage are. */
static HbgExpr rate_of(const HbgElaborator *elaborator, const HbgNode *node) {
  const int32_t bond = hbg_port(elaborator->model, node, 0)->bond;
  return hbg_expr_leaf(elaborator->pool, node->kind == HBG_ELEMENT_C ? HBG_OP_FLOW : HBG_OP_EFFORT, bond, 0);
}

/* ---- storages ---- */

static void tell_wrong_guess(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode guess, const HbgNode *node) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_span(place->tree, guess),
                            "a guess for '%s' is one for the stored quantity", node->name))
    HELP(elaborator, "write: start %s = steady guess ...", node->kind == HBG_ELEMENT_C ? "q" : "p");
}

static void read_guess(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node) {
  const HbgTreeNode guess = hbg_tree_find(place->tree, start, HBG_NODE_GUESS);
  const HbgTreeNode value = guess ? hbg_tree_first_expression(place->tree, guess) : 0;
  double number;
  if (!value || !hbg_elaborate_constant(elaborator, place, value, &number)) return;
  const bool is_other = hbg_tree_is_word(place->tree, start, node->kind == HBG_ELEMENT_C ? "e" : "f");
  double *stored = &elaborator->model->states[node->state].start;
  if (!is_other) *stored = number;
  else if (!hbg_elaborate_invert_start(elaborator, node, number, stored)) tell_wrong_guess(elaborator, place, guess, node);
}

static bool fits_letter(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node) {
  static const char *const letters[2][4] = {{"p", "f", "steady", "open"}, {"q", "e", "steady", "open"}};
  for (int i = 0; i < 4; i++)
    if (hbg_tree_is_word(place->tree, start, letters[node->kind == HBG_ELEMENT_C][i])) return true;
  const char *letter = hbg_elaborate_word(elaborator, place->tree, start);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_token_span(place->tree, start),
                            "'%s' (%s) cannot start with a given %s", node->name, hbg_element_info[node->kind].name, letter))
    HELP(elaborator, "write: start steady, or start open");
  return false;
}

bool hbg_elaborate_unknown_start(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node) {
  const HbgTreeNode unknown = hbg_tree_find(place->tree, start, HBG_NODE_UNKNOWN);
  if (!unknown) return false;
  if (!fits_letter(elaborator, place, start, node)) return true;
  read_guess(elaborator, place, start, node);
  elaborator->model->states[node->state].is_unknown = true;
  if (hbg_tree_is_word(place->tree, unknown, "steady"))
    hold(elaborator, node->name, rate_of(elaborator, node), hbg_tree_span(place->tree, start));
  return true;
}

/* ---- integrals, and what else has states ---- */

static bool is_free_word(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *word) {
  return hbg_tree_kind(place->tree, node) == HBG_NODE_NAME && hbg_tree_is_word(place->tree, node, word) &&
         !tree_first(place->tree, node) && hbg_elaborate_find(elaborator, place, word) < 0 &&
         !hbg_frame_find(place->frame, word, (uint32_t)strlen(word));
}

bool hbg_elaborate_is_unknown(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start) {
  return start && (is_free_word(elaborator, place, start, "steady") || is_free_word(elaborator, place, start, "open"));
}

bool hbg_elaborate_unknown_memory(HbgElaborator *elaborator, const HbgIntegral *memory, HbgTreeNode start) {
  if (!hbg_elaborate_is_unknown(elaborator, &memory->place, start)) return false;
  const bool is_steady = is_free_word(elaborator, &memory->place, start, "steady");
  for (int32_t which = 0; which < memory->state_count; which++) {
    HbgState *state = &elaborator->model->states[memory->state + which];
    state->is_unknown = true;
    if (is_steady) hold(elaborator, state->name, state->input, memory->span);
  }
  return true;
}

/* ---- conditions ---- */

static void add_statement(HbgElaborator *elaborator, const HbgDeferred *written) {
  const HbgPlace place = place_in(elaborator, written->frame, NULL);
  const HbgTreeNode left = hbg_tree_first_expression(place.tree, written->node);
  const HbgTreeNode right = left ? hbg_tree_next_expression(place.tree, left) : 0;
  if (!right) return;
  const HbgCondition condition = {.left = hbg_elaborate_number(elaborator, &place, left),
                                  .right = hbg_elaborate_number(elaborator, &place, right),
                                  .text = hbg_tree_folded(place.tree, written->node, elaborator->arena),
                                  .span = hbg_tree_span(place.tree, written->node)};
  if (condition.left && condition.right) hbg_elaborate_add_condition(elaborator, condition);
}

static void tell_nothing_open(HbgElaborator *elaborator) {
  const HbgDeferred *first = &elaborator->condition_nodes[0];
  const HbgTree *tree = tree_of(first->frame);
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_NOTHING_OPEN, hbg_tree_span(tree, first->node),
                            "there is an initial condition, but nothing whose initial value is open"))
    HELP(elaborator, "say which storage is to be found for it: C tank(1) start open");
}

void hbg_elaborate_conditions(HbgElaborator *elaborator) {
  bool any_unknown = false;
  for (int32_t state = 0; state < elaborator->model->state_count; state++)
    any_unknown = any_unknown || elaborator->model->states[state].is_unknown;
  for (int32_t i = 0; i < elaborator->condition_node_count; i++) add_statement(elaborator, &elaborator->condition_nodes[i]);
  if (elaborator->condition_node_count && !any_unknown && !elaborator->diagnostics->error_count) tell_nothing_open(elaborator);
}

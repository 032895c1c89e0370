/* SPDX-License-Identifier: BSD-3-Clause
 * What a guard compares, as it is written, in the name space of a finished model: for those who ask why it held. */
#include "model/guard_terms.h"

#include "model/elaborator.h"
#include "model/unit_check.h"

typedef struct Lister {
  HbgElaborator *elaborator;
  const HbgPlace *place;
  HbgGuardTerms terms;
  int32_t capacity;
} Lister;

static bool is_any_word(const HbgTree *tree, HbgTreeNode node, const char *const *words, int count) {
  for (int at = 0; at < count; at++)
    if (hbg_tree_is_word(tree, node, words[at])) return true;
  return false;
}

/* A number is itself: nobody asks what it was. */
static bool is_literal(const HbgTree *tree, HbgTreeNode node) {
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  if (kind == HBG_NODE_NUMBER) return true;
  if (kind != HBG_NODE_UNARY && kind != HBG_NODE_PARENTHESES) return false;
  const HbgTreeNode inner = hbg_tree_first_expression(tree, node);
  return inner && is_literal(tree, inner);
}

static HbgExpr enter_a_priori(HbgExprPool *pool, HbgExpr expr, void *user) {
  bool *reads = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const bool is_pre = node->op == HBG_OP_PRE, is_leaf = !hbg_operation_info[node->op].arguments;
  if (is_pre)
    reads[0] = true;
  else if (is_leaf && node->op != HBG_OP_CONSTANT)
    reads[1] = true;
  return is_pre || is_leaf ? expr : 0;
}

static HbgExpr leave_as_it_is(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)pool;
  (void)memo;
  (void)user;
  return expr;
}

/* Is all that moves in it read as it was before? */
static bool is_a_priori(HbgExprPool *pool, HbgExpr expr) {
  bool reads[2] = {false, false};
  hbg_expr_walk(pool, expr, &(HbgWalk){enter_a_priori, leave_as_it_is, reads});
  return reads[0] && !reads[1];
}

/* What cannot be made again without adding to the model (a function with a memory of its own) is left out. */
static void add_term(Lister *self, HbgTreeNode node) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgTree *tree = self->place->tree;
  if (is_literal(tree, node)) return;
  const HbgExpr expr = hbg_elaborate_expression(elaborator, self->place, node);
  if (!expr) return;
  const bool is_boolean = hbg_expr_node(elaborator->pool, expr)->is_boolean;
  ARENA_PUSH(elaborator->arena, self->terms.list, self->terms.count, self->capacity) =
      (HbgGuardTerm){.text = hbg_tree_folded(tree, node, elaborator->arena),
                     .expr = expr,
                     .unit = is_boolean || !elaborator->units ? NULL : hbg_column_unit(elaborator, self->place, node),
                     .is_boolean = is_boolean,
                     .is_a_priori = is_a_priori(elaborator->pool, expr)};
}

static void list_terms(Lister *self, HbgTreeNode node);

static void list_operands(Lister *self, HbgTreeNode node) {
  const HbgTree *tree = self->place->tree;
  for (HbgTreeNode operand = hbg_tree_first_expression(tree, node); operand;
       operand = hbg_tree_next_expression(tree, operand))
    list_terms(self, operand);
}

static void list_sides(Lister *self, HbgTreeNode relation) {
  const HbgTree *tree = self->place->tree;
  for (HbgTreeNode side = hbg_tree_first_expression(tree, relation); side; side = hbg_tree_next_expression(tree, side))
    add_term(self, side);
}

/* Down to the comparisons, the sides of which are terms; conditions of another kind are terms themselves. */
static void list_terms(Lister *self, HbgTreeNode node) {
  static const char *const joins[] = {"and", "or", "not"}, *const relations[] = {"<", "<=", "=", ">=", ">"};
  const HbgTree *tree = self->place->tree;
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  const bool is_operator = kind == HBG_NODE_BINARY || kind == HBG_NODE_UNARY;
  if (kind == HBG_NODE_PARENTHESES || (is_operator && is_any_word(tree, node, joins, 3)))
    list_operands(self, node);
  else if (kind == HBG_NODE_BINARY && is_any_word(tree, node, relations, 5))
    list_sides(self, node);
  else
    add_term(self, node);
}

HbgGuardTerms hbg_model_guard_terms(const HbgFlatModel *model, HbgExprPool *pool, int32_t machine, int32_t transition) {
  HbgFlatModel view;
  HbgUnitCheck units;
  HbgDiagnostics ignored = hbg_diagnostics(pool->arena);
  HbgElaborator elaborator = hbg_elaborate_onlooker(model, &view, &units, pool, &ignored);
  if (machine >= elaborator.placed_machine_count) return (HbgGuardTerms){0};
  const HbgMachineDeclaration *declared = &elaborator.machines[elaborator.machine_of[machine]];
  const HbgTypeDeclaration *type = &elaborator.types[declared->type];
  const HbgTreeNode guard = type->written[model->machines[machine].transitions[transition].written].guard;
  HbgPlace place = place_of_owner(&elaborator, declared->formals, declared->name);
  place.reads_events = true;
  Lister lister = {.elaborator = &elaborator, .place = &place};
  if (guard) list_terms(&lister, guard);
  return lister.terms;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: whether what is sampled is a number or a condition, told from the text alone: what is sampled may need the very call
 * whose type is asked for. */
#include <string.h>

#include "base/text.h"
#include "model/clocked.h"

enum { DEEPEST_TYPE = 64 };

static bool is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth);

static bool symbol_is_condition(HbgElaborator *elaborator, int32_t found, int depth) {
  if (found < 0) return false;
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (symbol->kind == HBG_SCOPE_VARIABLE) return elaborator->model->variables[symbol->index].is_boolean;
  if (symbol->kind == HBG_SCOPE_PARAMETER) {
    const HbgExpr expr = elaborator->parameters[symbol->index].expr;
    return expr && hbg_expr_node(elaborator->pool, expr)->is_boolean;
  }
  if (symbol->kind != HBG_SCOPE_SIGNAL) return false;
  const HbgSignalDeclaration *signal = &elaborator->signals[symbol->index];
  const HbgPlace there = place_in(elaborator, signal->frame, NULL);
  return signal->expression && is_condition(elaborator, &there, signal->expression, depth + 1);
}

static bool name_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  if (hbg_tree_is_word(place->tree, node, "true") || hbg_tree_is_word(place->tree, node, "false")) return true;
  for (const HbgFrame *frame = place->frame; frame; frame = frame->outer)
    if (frame->length == length && !memcmp(frame->name, text, length))
      return frame->value && hbg_expr_node(elaborator->pool, frame->value)->is_boolean;
  const char *key = hbg_elaborate_key(elaborator, place, node);
  return symbol_is_condition(elaborator, key ? hbg_elaborate_find(elaborator, place, key) : -1, depth);
}

/* `machine.variable`, and what else has a name with points. */
static bool member_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  const char *key = hbg_print(elaborator->arena, "%s%s", place->frame->instance->prefix,
                              hbg_tree_folded(place->tree, node, elaborator->arena));
  return symbol_is_condition(elaborator, hbg_elaborate_find(elaborator, place, key), depth);
}

static bool binary_is_condition(const HbgTree *tree, HbgTreeNode node) {
  static const char *const words[] = {"<", "<=", "=", ">=", ">", "and", "or"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hbg_tree_is_word(tree, node, words[i])) return true;
  return false;
}

static bool is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  const HbgTree *tree = place->tree;
  if (!node || depth > DEEPEST_TYPE) return false;
  const HbgTreeNode first = hbg_tree_first_expression(tree, node);
  switch (hbg_tree_kind(tree, node)) {
    case HBG_NODE_IN_STATE: return true;
    case HBG_NODE_NAME: return name_is_condition(elaborator, place, node, depth);
    case HBG_NODE_MEMBER: return member_is_condition(elaborator, place, node, depth);
    case HBG_NODE_UNARY: return hbg_tree_is_word(tree, node, "not");
    case HBG_NODE_BINARY: return binary_is_condition(tree, node);
    case HBG_NODE_PARENTHESES: return is_condition(elaborator, place, first, depth + 1);
    case HBG_NODE_IF: return is_condition(elaborator, place, first ? hbg_tree_next_expression(tree, first) : 0, depth + 1);
    case HBG_NODE_CALL: {
      const bool passes_on = hbg_tree_is_word(tree, node, "sample") || hbg_tree_is_word(tree, node, "previous") ||
                             hbg_tree_is_word(tree, node, "pre");
      return passes_on && is_condition(elaborator, place, first, depth + 1);
    }
    default: return false;
  }
}

bool hbg_clocked_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  return is_condition(elaborator, place, node, 0);
}

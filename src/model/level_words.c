/* SPDX-License-Identifier: BSD-3-Clause
 * Levels: the words at a part. */
#include <string.h>

#include "base/text.h"
#include "model/level_reading.h"

enum { LONGEST_LABEL = 24 };

/* How many bytes the first `count` characters of `text` have. */
static size_t bytes_of(const char *text, int count) {
  const char *at = text;
  while (*at && count-- > 0) do
      at++;
    while (((unsigned char)*at & 0xC0) == 0x80);
  return (size_t)(at - text);
}

static const char *shortened(const char *text, HbgArena *arena) {
  const size_t whole = bytes_of(text, LONGEST_LABEL);
  if (!text[whole]) return text;
  return hbg_print(arena, "%.*s\xE2\x80\xA6", (int)bytes_of(text, LONGEST_LABEL - 1), text);
}

const char *hbg_level_label(const HbgTree *tree, int32_t first, int32_t last, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  bool is_apart = false;
  // behind what is cut off nothing needs to be read
  for (int32_t i = first; i <= last && text.length <= 4 * LONGEST_LABEL; i++) {
    const HbgToken *token = &tree->tokens[i];
    is_apart = is_apart || token->kind == HBG_TOKEN_NEWLINE || hbg_tree_blank(tree, i) < token->span.begin;
    if (token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END) continue;
    if (is_apart && text.length) hbg_text_add_bytes(&text, " ", 1);
    is_apart = false;
    hbg_text_add_bytes(&text, tree->text + token->span.begin, token->span.end - token->span.begin);
  }
  return shortened(text.bytes, arena);
}

static bool is_symbol(const HbgTree *tree, int32_t token, char symbol) {
  const HbgSpan span = tree->tokens[token].span;
  return span.end - span.begin == 1 && tree->text[span.begin] == symbol;
}

/* Without the first token, and without the last one where it is `closing`. */
static const char *inner_label(const HbgTree *tree, HbgTreeNode node, char closing, HbgArena *arena) {
  const HbgTreeNodeData *data = &tree->nodes[node];
  const int32_t last = data->last_token > data->first_token && is_symbol(tree, data->last_token, closing)
                           ? data->last_token - 1
                           : data->last_token;
  return hbg_level_label(tree, data->first_token + 1, last, arena);
}

const char *hbg_level_label_of(const HbgTree *tree, HbgTreeNode node, HbgArena *arena) {
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child)) {
    switch (hbg_tree_kind(tree, child)) {
      case HBG_NODE_ARGUMENTS: return inner_label(tree, child, ')', arena);
      case HBG_NODE_LAW: return inner_label(tree, child, '\0', arena);
      case HBG_NODE_LAW_BLOCK: return inner_label(tree, child, '}', arena);
      default: break;
    }
  }
  return "";
}

HbgTreeNode hbg_level_inner(const HbgTree *tree, HbgTreeNode expression) {
  while (expression && hbg_tree_kind(tree, expression) == HBG_NODE_PARENTHESES)
    expression = hbg_tree_first_expression(tree, expression);
  return expression;
}

const char *hbg_level_kind_of_signal(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode expression,
                                     bool is_constant) {
  expression = hbg_level_inner(tree, expression);
  if (!expression || hbg_tree_kind(tree, expression) == HBG_NODE_ERROR) return "expression";
  if (hbg_tree_kind(tree, expression) == HBG_NODE_CALL) return hbg_tree_word(tree, expression, elaborator->arena);
  return is_constant ? "constant" : "expression";
}

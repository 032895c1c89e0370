/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a tree. */
#include "language/tree.h"

#include <string.h>

enum { LENGTH_MOST = 1 << 30 };

const char *hbg_unparse(const HbgTree *tree, HbgArena *arena) {
  char *text = ARENA_NEW(arena, char, (size_t)tree->length + 1);
  uint32_t at = 0;
  for (int32_t i = 0; i < tree->token_count; i++) {
    const uint32_t blank = hbg_tree_blank(tree, i), length = tree->tokens[i].span.end - blank;
    if (length) memcpy(text + at, tree->text + blank, length);
    at += length;
  }
  return text;
}

HbgTreeNode hbg_tree_child(const HbgTree *tree, HbgTreeNode node, int32_t which) {
  HbgTreeNode child = tree->nodes[node].first_child;
  for (; child && which > 0; which--) child = tree->nodes[child].next_sibling;
  return child;
}

int32_t hbg_tree_child_count(const HbgTree *tree, HbgTreeNode node) {
  int32_t count = 0;
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling) count++;
  return count;
}

static HbgSpan moved(HbgSpan span, uint32_t by) { return (HbgSpan){span.begin + by, span.end + by}; }

HbgSpan hbg_tree_token_span(const HbgTree *tree, HbgTreeNode node) {
  const int32_t token = tree->nodes[node].token;
  return token < 0 ? (HbgSpan){0, 0} : moved(tree->tokens[token].span, tree->base);
}

const char *hbg_tree_text(const HbgTree *tree, HbgTreeNode node, uint32_t *length) {
  const int32_t token = tree->nodes[node].token;
  const HbgSpan span = token < 0 ? (HbgSpan){0, 0} : tree->tokens[token].span;
  *length = span.end - span.begin;
  return tree->text + span.begin;
}

const char *hbg_tree_bytes(const HbgTree *tree, HbgSpan span) { return tree->text + (span.begin - tree->base); }

HbgSpan hbg_tree_span(const HbgTree *tree, HbgTreeNode node) {
  const HbgTreeNodeData *data = &tree->nodes[node];
  const uint32_t begin = tree->tokens[data->first_token].span.begin;
  const bool is_empty = data->last_token < data->first_token;
  return moved((HbgSpan){begin, is_empty ? begin : tree->tokens[data->last_token].span.end}, tree->base);
}

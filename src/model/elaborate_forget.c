/* SPDX-License-Identifier: BSD-3-Clause
 * What a model was made of, and nobody asks for once it is finished: columns and the terms of guards read values, signals, functions and
 * machine types, but neither the text of elements and bonds, which is most of a large file, nor where they were declared. */
#include "model/elaborator.h"

/* ---- the text ---- */

static bool is_needed(const HbgTree *tree, HbgTreeNode statement) {
  const HbgNodeKind kind = hbg_tree_kind(tree, statement);
  return kind != HBG_NODE_ELEMENT_LIST && kind != HBG_NODE_BOND_CHAIN;
}

/* The first and the last one made of `node` and those below it. */
static void widen(const HbgTree *tree, HbgTreeNode node, HbgTreeNode *first, HbgTreeNode *last) {
  if (node < *first) *first = node;
  if (node > *last) *last = node;
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child)) widen(tree, child, first, last);
}

/* Statements are made one after the other: between the nodes of the first and the last one lie only their own. */
static void forget_statements(HbgTree *tree, const HbgArena *arena, HbgTreeNode first, HbgTreeNode last) {
  const int32_t first_token = tree->nodes[first].first_token, last_token = tree->nodes[last].last_token;
  HbgTreeNode first_node = first, last_node = last;
  widen(tree, first, &first_node, &last_node);
  widen(tree, last, &first_node, &last_node);
  hbg_arena_forget(arena, &tree->nodes[first_node], (size_t)(last_node - first_node + 1) * sizeof *tree->nodes);
  hbg_arena_forget(arena, &tree->tokens[first_token], (size_t)(last_token - first_token + 1) * sizeof *tree->tokens);
}

static void forget_text_of(HbgTree *tree, const HbgArena *arena, HbgTreeNode body) {
  HbgTreeNode first = 0, last = 0, before = 0;
  for (HbgTreeNode statement = tree_first(tree, body), next; statement; statement = next) {
    next = tree_next(tree, statement);
    if (!is_needed(tree, statement)) {
      if (!first) first = statement;
      last = statement;
    }
    if (first && (!next || is_needed(tree, next))) {
      forget_statements(tree, arena, first, last);
      if (before) tree->nodes[before].next_sibling = next;
      else tree->nodes[body].first_child = next;
      first = 0;
    }
    if (is_needed(tree, statement)) before = statement;
  }
}

static void forget_text(const HbgElaborator *elaborator, HbgTree *tree) {
  const HbgNodeKind root = hbg_tree_kind(tree, tree->root);
  if (root == HBG_NODE_MODEL) forget_text_of(tree, elaborator->arena, tree->root);
  if (root != HBG_NODE_FILE) return;
  for (HbgTreeNode part = tree_first(tree, tree->root); part; part = tree_next(tree, part))
    if (hbg_tree_kind(tree, part) == HBG_NODE_MODEL || hbg_tree_kind(tree, part) == HBG_NODE_SUBMODEL)
      forget_text_of(tree, elaborator->arena, part);
}

/* ---- declarations ---- */

static void forget_declared_nodes(HbgElaborator *elaborator) {
  elaborator->final_nodes = ARENA_NEW(elaborator->arena, int32_t, elaborator->node_count);
  for (int32_t i = 0; i < elaborator->node_count; i++) elaborator->final_nodes[i] = elaborator->nodes[i].final;
  hbg_arena_give_back(elaborator->arena, elaborator->nodes);
  elaborator->nodes = NULL;
}

void hbg_elaborate_forget(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->file_count; i++) forget_text(elaborator, &elaborator->files[i]->tree);
  if (elaborator->nodes) forget_declared_nodes(elaborator);
}

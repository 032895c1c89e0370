/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the `drawing` of a body. */
#include "language/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

HbgTreeNode hbg_drawing_of(const HbgTree *tree, HbgTreeNode body) {
  HbgTreeNode child = tree->nodes[body].first_child;
  while (child && hbg_tree_kind(tree, child) != HBG_NODE_DRAWING) child = tree->nodes[child].next_sibling;
  return child;
}

/* Of a NUMBER, or of UNARY minus of one. */
static double value_of(const HbgTree *tree, HbgTreeNode node) {
  enum { LONGEST = 64 };
  if (hbg_tree_kind(tree, node) == HBG_NODE_UNARY) return -value_of(tree, tree->nodes[node].first_child);
  char digits[LONGEST];
  uint32_t length;
  const char *text = hbg_tree_text(tree, node, &length);
  if (length >= LONGEST) return (double)INFINITY; /* more figures than any place has */
  memcpy(digits, text, length);
  digits[length] = '\0';
  return strtod(digits, NULL);
}

const char *hbg_drawn_name(const HbgTree *tree, HbgTreeNode drawn, HbgArena *arena) {
  uint32_t length;
  const char *own = hbg_tree_text(tree, drawn, &length);
  HbgText text = hbg_text(arena);
  hbg_text_add_bytes(&text, own, length);
  for (HbgTreeNode child = tree->nodes[drawn].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) == HBG_NODE_INDEX) hbg_text_add(&text, "[%.0f]", value_of(tree, tree->nodes[child].first_child));
  return text.bytes;
}

void hbg_drawn_place(const HbgTree *tree, HbgTreeNode drawn, double *x, double *y) {
  HbgTreeNode child = tree->nodes[drawn].first_child;
  while (child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX) child = tree->nodes[child].next_sibling;
  *x = value_of(tree, child);
  *y = value_of(tree, tree->nodes[child].next_sibling);
}

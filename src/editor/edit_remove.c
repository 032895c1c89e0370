/* SPDX-License-Identifier: BSD-3-Clause
 * Taking away symbols with their bonds and places, and bonds alone; and turning a bond round. */
#include <string.h>

#include "editor/edit_insertion.h"
#include "editor/edits.h"

/* ---- what goes with a symbol ---- */

static HbgTreeNode next_of(const HbgTree *tree, HbgTreeNode node) { return node ? tree->nodes[node].next_sibling : 0; }

/* The names that go, by what stands before their indices: a text names many. */
typedef struct Going {
  HbgScope bases;
  const char *const *names;
  int32_t *next; /* of the same base, -1 without */
} Going;

static Going going(const HbgEditing *editing, const char *const *names, int32_t count) {
  Going self = {.bases = hbg_scope(editing->arena), .names = names, .next = ARENA_NEW(editing->arena, int32_t, count)};
  for (int32_t i = 0; i < count; i++) {
    const uint32_t length = (uint32_t)strcspn(names[i], "[");
    const int32_t found = hbg_scope_find(&self.bases, names[i], length);
    self.next[i] = found < 0 ? -1 : self.bases.symbols[found].index;
    if (found >= 0) self.bases.symbols[found].index = i;
    else hbg_scope_add(&self.bases, hbg_arena_text(editing->arena, names[i], length), HBG_SCOPE_NODE, i, (HbgSpan){0, 0});
  }
  return self;
}

static bool goes(const HbgEditing *editing, const Going *self, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(editing->tree, node, &length);
  const int32_t found = hbg_scope_find(&self->bases, text, length);
  for (int32_t i = found < 0 ? -1 : self->bases.symbols[found].index; i >= 0; i = self->next[i])
    if (hbg_edit_means(editing, node, self->names[i])) return true;
  return false;
}

static void cut_bonds(HbgEditing *editing, const Going *self, HbgTreeNode chain) {
  const HbgTree *tree = editing->tree;
  HbgTreeNode from = tree->nodes[chain].first_child;
  for (HbgTreeNode arrow = next_of(tree, from); arrow; arrow = next_of(tree, from)) {
    const HbgTreeNode to = next_of(tree, arrow);
    if (!to) return;
    if (goes(editing, self, from) || goes(editing, self, to)) hbg_edit_take_away(editing, arrow);
    from = to;
  }
}

/* Bonds at what goes, and places of it, anywhere below `node`; loops, too. */
static void cut_below(HbgEditing *editing, const Going *self, HbgTreeNode node) {
  const HbgTree *tree = editing->tree;
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = next_of(tree, child)) {
    const HbgNodeKind kind = hbg_tree_kind(tree, child);
    if (kind == HBG_NODE_BOND_CHAIN) cut_bonds(editing, self, child);
    else if (kind == HBG_NODE_DRAWN && goes(editing, self, child)) hbg_edit_take_away(editing, child);
    else if (kind == HBG_NODE_FOR || kind == HBG_NODE_DRAWING) cut_below(editing, self, child);
  }
}

/* ---- arrows ---- */

/* The arrow that stands at `range`; 0 and a reason when there is none, or a loop makes more of it. */
static HbgTreeNode find_arrow(HbgEditing *editing, HbgRange range) {
  const HbgTree *tree = editing->tree;
  const int32_t token = range.begin < tree->length ? hbg_names_token_at(editing->view->names, range.begin + 1) : -1;
  const HbgTreeNode arrow = token < 0 ? 0 : editing->view->names->node_of_token[token];
  if (!arrow || hbg_tree_kind(tree, arrow) != HBG_NODE_BOND_ARROW || hbg_tree_token_span(tree, arrow).begin != range.begin ||
      hbg_tree_kind(tree, tree->nodes[arrow].parent) != HBG_NODE_BOND_CHAIN)
    return hbg_edit_refuse(editing, "there is no bond at this place of the text"), 0;
  if (hbg_edit_is_in_loop(tree, arrow))
    return hbg_edit_refuse(editing, "this bond is made by a loop, together with others: edit the loop in the text"), 0;
  return arrow;
}

void hbg_edit_remove(HbgEditing *editing, const char *const *names, int32_t name_count, const HbgRange *arrows, int32_t arrow_count) {
  for (int32_t i = 0; i < name_count && !editing->reason; i++) {
    const HbgDeclared found = hbg_edit_find_one(editing, names[i]);
    if (found.node && found.kind == HBG_NAME_BOND) hbg_edit_refuse(editing, "'%s' is a bond: take its arrow away", names[i]);
    if (found.node) hbg_edit_take_away(editing, found.node);
  }
  for (int32_t i = 0; i < arrow_count && !editing->reason; i++) {
    const HbgTreeNode arrow = find_arrow(editing, arrows[i]);
    if (arrow) hbg_edit_take_away(editing, arrow);
  }
  if (editing->reason || !name_count) return;
  const Going self = going(editing, names, name_count);
  cut_below(editing, &self, editing->body);
}

/* `=>` has no other direction: its ends are exchanged. */
static void exchange_ends(HbgEditing *editing, HbgTreeNode arrow) {
  const HbgTree *tree = editing->tree;
  const HbgTreeNode chain = tree->nodes[arrow].parent, from = tree->nodes[chain].first_child, to = next_of(tree, arrow);
  if (next_of(tree, from) != arrow || next_of(tree, to)) {
    hbg_edit_refuse(editing, "this bond stands in a chain of several: write it as a statement of its own, and then turn it round");
    return;
  }
  const HbgSpan a = hbg_tree_span(tree, from), b = hbg_tree_span(tree, to);
  hbg_edit_replace(editing, a, hbg_print(editing->arena, "%.*s", (int)(b.end - b.begin), tree->text + b.begin));
  hbg_edit_replace(editing, b, hbg_print(editing->arena, "%.*s", (int)(a.end - a.begin), tree->text + a.begin));
}

void hbg_edit_reverse(HbgEditing *editing, HbgRange range) {
  const HbgTreeNode arrow = find_arrow(editing, range);
  if (!arrow) return;
  uint32_t length;
  const HbgSpan span = hbg_tree_token_span(editing->tree, arrow);
  const char *text = hbg_tree_text(editing->tree, arrow, &length);
  if (*text == '=') exchange_ends(editing, arrow);
  else hbg_edit_replace(editing, span, *text == '<' ? "->" : "<-");
}

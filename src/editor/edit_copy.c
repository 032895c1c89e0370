/* SPDX-License-Identifier: BSD-3-Clause
 * The statements that declare some symbols, the bonds among them and their places: what is pasted elsewhere. */
#include <string.h>

#include "editor/edit_insertion.h"
#include "editor/edits.h"
#include "language/drawing.h"

typedef struct Copy {
  HbgEditing *editing;
  const char *const *names;
  int32_t count;
  bool *is_copied; /* by node: a name may be given twice */
  HbgText out;
} Copy;

static void add_bytes(Copy *self, uint32_t begin, uint32_t end) {
  hbg_text_add_bytes(&self->out, self->editing->tree->text + begin, end - begin);
}

/* The word or words that the list of `node` begins with: "I", "signal", "lib.Diode". */
static HbgSpan head_of(const HbgTree *tree, HbgTreeNode node) {
  const HbgTreeNode list = tree->nodes[node].parent, type = hbg_names_child(tree, list, HBG_NODE_TYPE_NAME);
  return type ? hbg_tree_span(tree, type) : tree->tokens[tree->nodes[list].first_token].span;
}

static void copy_declaration(Copy *self, const char *name) {
  const HbgTree *tree = self->editing->tree;
  const HbgDeclared found = hbg_edit_find_one(self->editing, name);
  if (!found.node || self->is_copied[found.node]) return;
  self->is_copied[found.node] = true;
  const HbgSpan span = hbg_tree_span(tree, found.node);
  switch (hbg_tree_kind(tree, found.node)) {
    case HBG_NODE_ELEMENT:
    case HBG_NODE_SIGNAL:
    case HBG_NODE_INSTANCE:
    case HBG_NODE_PARAMETER:
    case HBG_NODE_CLOCK:
    case HBG_NODE_EVENT: {
      if (hbg_tree_kind(tree, tree->nodes[found.node].parent) == HBG_NODE_FORMALS) break;
      const HbgSpan head = head_of(tree, found.node);
      add_bytes(self, head.begin, head.end);
      hbg_text_add(&self->out, " ");
      add_bytes(self, span.begin, span.end);
      hbg_text_add(&self->out, "\n");
      return;
    }
    case HBG_NODE_MACHINE:
    case HBG_NODE_MACHINE_INSTANCE:
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA:
      add_bytes(self, span.begin, span.end);
      hbg_text_add(&self->out, "\n");
      return;
    default: break;
  }
  hbg_edit_refuse(self->editing, "'%s' is a %s, which belongs to the head of the submodel and cannot be copied: leave it out", name,
                  hbg_name_kind_text(found.kind));
}

static bool is_among(const Copy *self, HbgTreeNode node) {
  for (int32_t i = 0; i < self->count; i++)
    if (hbg_edit_means(self->editing, node, self->names[i])) return true;
  return false;
}

/* The pieces of a chain whose ends are all copied. */
static void copy_chain(Copy *self, HbgTreeNode chain) {
  const HbgTree *tree = self->editing->tree;
  bool is_open = false; /* a piece is begun */
  uint32_t begin = 0;
  HbgTreeNode from = tree->nodes[chain].first_child;
  for (HbgTreeNode arrow = from ? tree->nodes[from].next_sibling : 0; arrow; arrow = tree->nodes[from].next_sibling) {
    const HbgTreeNode to = tree->nodes[arrow].next_sibling, name = tree->nodes[arrow].first_child;
    if (!to) break;
    const bool is_copied = is_among(self, from) && is_among(self, to);
    if (is_copied && !is_open) {
      const HbgSpan end = hbg_tree_span(tree, from);
      add_bytes(self, end.begin, end.end);
      begin = tree->tokens[tree->nodes[arrow].token].span.begin;
    }
    if (is_copied) {
      hbg_text_add(&self->out, " ");
      if (is_open) begin = tree->tokens[tree->nodes[arrow].token].span.begin;
      add_bytes(self, begin, name ? hbg_tree_span(tree, name).end : hbg_tree_span(tree, to).end);
    } else if (is_open) {
      hbg_text_add(&self->out, "\n");
    }
    is_open = is_copied;
    from = to;
  }
  if (is_open) hbg_text_add(&self->out, "\n");
}

static void copy_places(Copy *self) {
  const HbgTree *tree = self->editing->tree;
  const HbgTreeNode drawing = hbg_drawing_of(tree, self->editing->body);
  bool has_place = false;
  for (HbgTreeNode child = drawing ? tree->nodes[drawing].first_child : 0; child; child = tree->nodes[child].next_sibling) {
    if (hbg_tree_kind(tree, child) != HBG_NODE_DRAWN || !is_among(self, child)) continue;
    hbg_text_add(&self->out, "%s  ", has_place ? "" : "drawing {\n");
    add_bytes(self, hbg_tree_span(tree, child).begin, hbg_tree_span(tree, child).end);
    hbg_text_add(&self->out, "\n");
    has_place = true;
  }
  if (has_place) hbg_text_add(&self->out, "}\n");
}

const char *hbg_edit_copy(HbgEditing *editing, const char *const *names, int32_t count) {
  const HbgTree *tree = editing->tree;
  Copy self = {editing, names, count, ARENA_NEW(editing->arena, bool, tree->node_count), hbg_text(editing->arena)};
  for (int32_t i = 0; i < count && !editing->reason; i++) copy_declaration(&self, names[i]);
  for (HbgTreeNode child = editing->reason ? 0 : tree->nodes[editing->body].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) == HBG_NODE_BOND_CHAIN) copy_chain(&self, child);
  if (!editing->reason) copy_places(&self);
  return editing->reason ? NULL : self.out.bytes ? self.out.bytes : "";
}

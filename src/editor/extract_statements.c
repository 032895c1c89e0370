/* SPDX-License-Identifier: BSD-3-Clause
 * Statements that move into a submodel, as a whole with the comment behind them, or item by item; and the places of symbols. */
#include <math.h>
#include <string.h>

#include "editor/extract.h"
#include "language/drawing.h"

static HbgNodeKind kind_of(const HbgExtract *self, HbgTreeNode node) { return hbg_tree_kind(self->tree, node); }

/* Does the line go with `statement`: is that all that stands in it, or are all others before it in the line gone already? */
static bool takes_line(const HbgExtract *self, HbgTreeNode statement) {
  const HbgTree *tree = self->tree;
  if (!hbg_edit_ends_line(tree, hbg_tree_span(tree, statement).end)) return false;
  for (HbgTreeNode first = statement;;) {
    HbgTreeNode before = tree->nodes[self->body].first_child;
    if (hbg_edit_begins_line(tree, hbg_tree_span(tree, first).begin)) return true;
    while (before && before != first && tree->nodes[before].next_sibling != first)
      before = tree->nodes[before].next_sibling;
    if (!before || before == first || !self->editing->is_cut[before]) return false;
    first = before;
  }
}

void hbg_extract_statement(HbgExtract *self, HbgTreeNode statement) {
  const HbgTree *tree = self->tree;
  const HbgSpan span = hbg_tree_span(tree, statement);
  hbg_text_add(&self->inside, "%s", hbg_extract_text(self, span));
  if (takes_line(self, statement))
    hbg_text_add_bytes(&self->inside, tree->text + span.end, hbg_edit_rest_of_line(tree, span.end) - span.end);
  hbg_edit_take_away(self->editing, statement);
  hbg_text_add(&self->inside, "\n");
}

/* The statement again, with the items that move. */
static void move_items(HbgExtract *self, HbgTreeNode list, const HbgTreeNode *nodes, int32_t count) {
  const HbgTreeNode type = hbg_names_child(self->tree, list, HBG_NODE_TYPE_NAME);
  const HbgSpan word = self->tree->tokens[self->tree->nodes[list].first_token].span;
  if (type)
    hbg_text_add(&self->inside, "%s ", hbg_node_text(self->editing->view, type));
  else
    hbg_text_add(&self->inside, "%.*s ", (int)(word.end - word.begin), self->tree->text + word.begin);
  for (int32_t i = 0; i < count; i++)
    hbg_text_add(&self->inside, "%s%s", i ? ", " : "", hbg_extract_text(self, hbg_tree_span(self->tree, nodes[i])));
  hbg_text_add(&self->inside, "\n");
  for (int32_t i = 0; i < count; i++) hbg_edit_take_away(self->editing, nodes[i]);
}

static void copy_or_move(HbgExtract *self, HbgTreeNode statement) {
  const int32_t name = hbg_extract_own_name(self, statement);
  if (name < 0 || self->move[name] == HBG_MOVE_NOT) return;
  if (self->move[name] == HBG_MOVE_IN)
    hbg_extract_statement(self, statement);
  else
    hbg_text_add(&self->inside, "%s\n", hbg_extract_text(self, hbg_tree_span(self->tree, statement)));
}

void hbg_extract_list(HbgExtract *self, HbgTreeNode list) {
  const HbgNodeKind kind = kind_of(self, list);
  const HbgNodeKind item = kind == HBG_NODE_ELEMENT_LIST    ? HBG_NODE_ELEMENT
                           : kind == HBG_NODE_INSTANCE_LIST ? HBG_NODE_INSTANCE
                           : kind == HBG_NODE_SIGNAL_LIST   ? HBG_NODE_SIGNAL
                                                            : HBG_NODE_EVENT;
  if (kind != HBG_NODE_ELEMENT_LIST && kind != HBG_NODE_INSTANCE_LIST && kind != HBG_NODE_SIGNAL_LIST &&
      kind != HBG_NODE_EVENT_LIST) {
    copy_or_move(self, list);
    return;
  }
  HbgTreeNode *nodes = ARENA_NEW(self->arena, HbgTreeNode, hbg_tree_child_count(self->tree, list));
  int32_t count = 0, all = 0;
  for (HbgTreeNode child = self->tree->nodes[list].first_child; child; child = self->tree->nodes[child].next_sibling) {
    if (kind_of(self, child) != item) continue;
    all++;
    if (hbg_extract_is_inside(self, child)) nodes[count++] = child;
  }
  if (count && count == all)
    hbg_extract_statement(self, list);
  else if (count)
    move_items(self, list, nodes, count);
}

/* ---- places ---- */

/* The instance stands in the middle of what moves; in the place of its first symbol when nothing else is drawn. */
static void add_instance_place(HbgExtract *self, HbgTreeNode drawing, HbgTreeNode first, const double box[4]) {
  const double x = round((box[0] + box[1]) / 2), y = round((box[2] + box[3]) / 2);
  const char *place = hbg_print(self->arena, "%s at %.0f, %.0f", self->instance, x, y);
  HbgTreeNode last = 0;
  for (HbgTreeNode drawn = self->tree->nodes[drawing].first_child; drawn; drawn = self->tree->nodes[drawn].next_sibling)
    if (hbg_edit_is_statement(self->tree, drawn) && !self->editing->is_cut[drawn]) last = drawn;
  if (last) {
    hbg_edit_insert(self->editing, drawing, last, place);
    return;
  }
  self->editing->is_cut[first] = false;
  hbg_edit_write(self->editing, hbg_tree_span(self->tree, first), place);
}

void hbg_extract_places(HbgExtract *self) {
  const HbgTreeNode drawing = hbg_drawing_of(self->tree, self->body);
  HbgText places = hbg_text(self->arena);
  double box[4] = {(double)INFINITY, -(double)INFINITY, (double)INFINITY, -(double)INFINITY};
  HbgTreeNode first = 0;
  for (HbgTreeNode drawn = drawing ? self->tree->nodes[drawing].first_child : 0; drawn;
       drawn = self->tree->nodes[drawn].next_sibling) {
    double x, y;
    if (kind_of(self, drawn) != HBG_NODE_DRAWN || !hbg_extract_is_inside(self, drawn)) continue;
    if (!first) first = drawn;
    hbg_drawn_place(self->tree, drawn, &x, &y);
    box[0] = fmin(box[0], x), box[1] = fmax(box[1], x), box[2] = fmin(box[2], y), box[3] = fmax(box[3], y);
    hbg_text_add(&places, "%s\n", hbg_node_text(self->editing->view, drawn));
    hbg_edit_take_away(self->editing, drawn);
  }
  if (!places.length) return;
  hbg_text_add(&self->inside, "drawing {\n%s}\n", places.bytes);
  add_instance_place(self, drawing, first, box);
}

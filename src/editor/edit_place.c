/* SPDX-License-Identifier: BSD-3-Clause
 * Places of symbols, as the `drawing` of a body has them. */
#include <math.h>
#include <string.h>

#include "editor/edit_insertion.h"
#include "editor/edits.h"
#include "language/drawing.h"

static const double FARTHEST = 1e6; /* as the language has it */

/* Shortest figures, "120", "-40.5". */
static const char *number(const HbgEditing *editing, double value) {
  HbgText text = hbg_text(editing->arena);
  hbg_text_add_number(&text, value == 0 ? 0 : value); /* no -0 */
  return text.bytes;
}

/* The entries of a drawing by name; the first where there are two by mistake. */
static HbgScope list_drawn(const HbgEditing *editing, HbgTreeNode drawing) {
  const HbgTree *tree = editing->tree;
  HbgScope scope = hbg_scope(editing->arena);
  for (HbgTreeNode child = drawing ? tree->nodes[drawing].first_child : 0; child; child = tree->nodes[child].next_sibling) {
    if (hbg_tree_kind(tree, child) != HBG_NODE_DRAWN) continue;
    const char *name = hbg_drawn_name(tree, child, editing->arena);
    if (hbg_scope_find(&scope, name, (uint32_t)strlen(name)) < 0) hbg_scope_add(&scope, name, HBG_SCOPE_NODE, child, hbg_tree_span(tree, child));
  }
  return scope;
}

static HbgTreeNode find_drawn(const HbgScope *drawn, const char *name) {
  const int32_t symbol = hbg_scope_find(drawn, name, (uint32_t)strlen(name));
  return symbol < 0 ? 0 : drawn->symbols[symbol].index;
}

static HbgTreeNode last_entry(const HbgTree *tree, HbgTreeNode drawing) {
  HbgTreeNode last = 0;
  for (HbgTreeNode child = tree->nodes[drawing].first_child; child; child = tree->nodes[child].next_sibling) last = child;
  return last;
}

/* Entry `drawn` gets other numbers, and stays as it is otherwise. */
static void move(HbgEditing *editing, HbgTreeNode drawn, double x, double y) {
  const HbgTree *tree = editing->tree;
  double old_x, old_y;
  hbg_drawn_place(tree, drawn, &old_x, &old_y);
  HbgTreeNode child = tree->nodes[drawn].first_child;
  while (hbg_tree_kind(tree, child) == HBG_NODE_INDEX) child = tree->nodes[child].next_sibling;
  if (old_x < x || old_x > x) hbg_edit_replace(editing, hbg_tree_span(tree, child), number(editing, x));
  if (old_y < y || old_y > y) hbg_edit_replace(editing, hbg_tree_span(tree, tree->nodes[child].next_sibling), number(editing, y));
}

static bool is_drawn_kind(HbgNameKind kind) {
  return kind == HBG_NAME_ELEMENT || kind == HBG_NAME_JUNCTION || kind == HBG_NAME_INSTANCE || kind == HBG_NAME_SIGNAL ||
         kind == HBG_NAME_MACHINE || kind == HBG_NAME_PORT || kind == HBG_NAME_INPUT;
}

static bool check(HbgEditing *editing, const HbgPlacement *place) {
  const HbgDeclared found = hbg_edit_find(editing, place->name);
  if (found.finding == HBG_FOUND_NOTHING) return hbg_edit_refuse(editing, "there is no '%s' here that could have a place", place->name);
  if (!is_drawn_kind(found.kind))
    return hbg_edit_refuse(editing, "'%s' is a %s, which is not drawn and has no place", place->name, hbg_name_kind_text(found.kind));
  if (fabs(place->x) <= FARTHEST && fabs(place->y) <= FARTHEST) return true;
  return hbg_edit_refuse(editing, "'%s' would stand too far away: places reach to a million pixels", place->name);
}

/* "bullet at 40, 120" */
static const char *entry(const HbgEditing *editing, const HbgPlacement *place) {
  return hbg_print(editing->arena, "%s at %s, %s", place->name, number(editing, place->x), number(editing, place->y));
}

/* A drawing of its own, behind everything and a blank line; in a body of one line, in that. */
static void add_drawing(HbgEditing *editing, const char *const *entries, int32_t count) {
  const HbgTree *tree = editing->tree;
  const HbgSpan body = hbg_tree_span(tree, editing->body);
  const bool has_statement = tree->nodes[editing->body].first_child != 0;
  const bool is_one_line = has_statement && !memchr(tree->text + body.begin, '\n', body.end - body.begin);
  HbgText text = hbg_text(editing->arena);
  hbg_text_add(&text, "drawing {%s", is_one_line ? " " : editing->line_end);
  for (int32_t i = 0; i < count; i++) hbg_text_add(&text, "%s%s", entries[i], !is_one_line ? editing->line_end : i + 1 < count ? "; " : " ");
  hbg_text_add(&text, "}");
  hbg_edit_add_statement(editing, HBG_SORT_DRAWING, text.bytes);
}

/* Of several places for one name the last counts. */
static HbgScope list_last(const HbgEditing *editing, const HbgPlacement *places, int32_t count) {
  HbgScope scope = hbg_scope(editing->arena);
  for (int32_t i = count - 1; i >= 0; i--)
    if (hbg_scope_find(&scope, places[i].name, (uint32_t)strlen(places[i].name)) < 0)
      hbg_scope_add(&scope, places[i].name, HBG_SCOPE_NODE, i, (HbgSpan){0, 0});
  return scope;
}

void hbg_edit_places(HbgEditing *editing, const HbgPlacement *places, int32_t count, bool are_new) {
  const HbgTree *tree = editing->tree;
  if (editing->reason) return;
  const HbgTreeNode drawing = hbg_drawing_of(tree, editing->body);
  const HbgScope old = list_drawn(editing, drawing), last = list_last(editing, places, count);
  const char **entries = ARENA_NEW(editing->arena, const char *, count);
  int32_t entry_count = 0;
  for (int32_t i = 0; i < count && !editing->reason; i++) {
    const HbgPlacement *place = &places[i];
    if (find_drawn(&last, place->name) != i) continue;
    const HbgTreeNode drawn = find_drawn(&old, place->name);
    const bool is_away = isnan(place->x) || isnan(place->y);
    if (is_away && drawn) hbg_edit_take_away(editing, drawn);
    if (is_away || (!are_new && !check(editing, place))) continue;
    if (drawn) move(editing, drawn, place->x, place->y);
    else entries[entry_count++] = entry(editing, place);
  }
  if (!entry_count || editing->reason) return;
  if (!drawing) add_drawing(editing, entries, entry_count);
  const HbgTreeNode behind = drawing ? last_entry(tree, drawing) : 0;
  for (int32_t i = 0; drawing && i < entry_count; i++) hbg_edit_insert(editing, drawing, behind, entries[i]);
}

void hbg_edit_place(HbgEditing *editing, const HbgPlacement *places, int32_t count) { hbg_edit_places(editing, places, count, false); }

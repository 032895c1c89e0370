/* SPDX-License-Identifier: BSD-3-Clause
 * Writing one part of a declaration anew. */
#include <string.h>

#include "editor/parts.h"
#include "language/lexer.h"

/* ---- kinds ---- */

static int32_t count_of(const HbgTree *tree, HbgTreeNode list, HbgNodeKind kind) {
  int32_t count = 0;
  for (HbgTreeNode child = tree->nodes[list].first_child; child; child = tree->nodes[child].next_sibling)
    count += hbg_tree_kind(tree, child) == kind;
  return count;
}

/* `R a(1), b(2)`: b becomes a C behind them. */
static void set_kind(HbgEditing *editing, HbgTreeNode node, const HbgPartPlace *place, const char *text) {
  const HbgTree *tree = editing->view->tree;
  const HbgTreeNode list = tree->nodes[node].parent;
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  const bool is_same = place->is_there && strlen(text) == place->inner.end - place->inner.begin &&
                       !memcmp(text, tree->text + place->inner.begin, strlen(text));
  const bool is_in_list = kind == HBG_NODE_ELEMENT || kind == HBG_NODE_SIGNAL || kind == HBG_NODE_INSTANCE;
  if (is_same) return;
  if (is_in_list && count_of(tree, list, kind) > 1) {
    hbg_edit_take_away(editing, node);
    hbg_edit_insert(editing, tree->nodes[list].parent, list,
                    hbg_join(editing->view->arena, text, " ", hbg_node_text(editing->view, node)));
  } else {
    hbg_edit_write(editing, place->inner,
                   place->is_there ? text : hbg_join(editing->view->arena, text, "", place->after));
  }
}

/* ---- away ---- */

/* The unit of a value that stands in it, `2 [Ohm]`, or behind it. */
static HbgTreeNode unit_of(const HbgTree *tree, HbgTreeNode node) {
  HbgTreeNode unit = hbg_names_child(tree, node, HBG_NODE_UNIT_OF);
  for (HbgTreeNode child = tree->nodes[node].first_child; child && !unit; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) == HBG_NODE_NUMBER || hbg_tree_kind(tree, child) == HBG_NODE_LIST ||
        hbg_tree_kind(tree, child) == HBG_NODE_PARENTHESES)
      unit = hbg_names_child(tree, child, HBG_NODE_UNIT_OF);
  return unit;
}

static uint32_t without_blanks_before(const HbgTree *tree, uint32_t at) {
  while (at > 0 && (tree->text[at - 1] == ' ' || tree->text[at - 1] == '\t')) at--;
  return at;
}

static void take_away(HbgEditing *editing, HbgTreeNode node, HbgPart part, const HbgPartPlace *place) {
  const HbgTree *tree = editing->view->tree;
  if (!place->is_there) return;
  if (hbg_tree_kind(tree, node) == HBG_NODE_SETTING) {
    hbg_edit_take_away_bare(editing, node);
    return;
  }
  const HbgTreeNode unit = part == HBG_PART_VALUE ? unit_of(tree, node) : 0;
  const HbgSpan span = {without_blanks_before(tree, place->whole.begin), place->whole.end};
  const int32_t word = tree->nodes[node].token - 1;
  // only behind that word a unit can stand behind a name
  if (unit && hbg_tree_kind(tree, node) == HBG_NODE_PARAMETER && !token_is_word(tree, &tree->tokens[word], "param"))
    hbg_edit_write(editing, hbg_edit_at(hbg_tree_token_span(tree, node).begin), "param ");
  if (part == HBG_PART_KIND)
    hbg_edit_write(editing, (HbgSpan){place->whole.begin, hbg_tree_token_span(tree, node).begin}, "");
  else
    hbg_edit_write(editing, span,
                   unit ? hbg_join(editing->view->arena, " ", "", hbg_node_text(editing->view, unit)) : "");
}

/* ---- anew ---- */

/* A parameter of a head that has only a unit keeps it: `R [Ohm]` becomes `R = 2 [Ohm]`. */
static void add_value(HbgEditing *editing, HbgTreeNode node, const HbgPartPlace *place, const char *text) {
  const HbgTreeNode unit = hbg_names_child(editing->view->tree, node, HBG_NODE_UNIT_OF);
  HbgTree tree = {.text = text, .length = (uint32_t)strlen(text)};
  hbg_lex(&tree, editing->view->arena);
  const bool is_number = tree.token_count == 2 && tree.tokens[0].kind == HBG_TOKEN_NUMBER;
  const bool has_unit = strchr(text, '[') != NULL;
  const char *value = unit && !is_number && !has_unit ? hbg_print(editing->view->arena, "(%s)", text) : text;
  if (unit && has_unit)
    hbg_edit_write(editing, (HbgSpan){place->at, hbg_tree_span(editing->view->tree, unit).end},
                   hbg_join(editing->view->arena, " = ", "", value));
  else
    hbg_edit_write(editing, hbg_edit_at(place->at), hbg_join(editing->view->arena, " = ", "", value));
}

/* `: e = f` and `{ e[1] = f[1] }` are introduced differently. */
static void write_law(HbgEditing *editing, const HbgPartPlace *place, const char *text) {
  const HbgTree *tree = editing->view->tree;
  const bool is_block = *text == '{';
  const HbgSpan span = {without_blanks_before(tree, place->whole.begin), place->whole.end};
  hbg_edit_write(editing, span, hbg_join(editing->view->arena, is_block ? " " : place->before, "", text));
}

static void write_part(HbgEditing *editing, HbgTreeNode node, HbgPart part, const HbgPartPlace *place,
                       const char *text) {
  const HbgTree *tree = editing->view->tree;
  const bool was_block = place->is_there && tree->text[place->inner.begin] == '{';
  if (part == HBG_PART_KIND)
    set_kind(editing, node, place, text);
  else if (part == HBG_PART_LAW && (*text == '{' || was_block))
    write_law(editing, place, text);
  else if (place->is_there)
    hbg_edit_write(editing, place->inner, text);
  else if (part == HBG_PART_VALUE)
    add_value(editing, node, place, text);
  else
    hbg_edit_write(editing, hbg_edit_at(place->at),
                   hbg_print(editing->view->arena, "%s%s%s", place->before, text, place->after));
}

/* An element has a value or a law: who writes one of them takes the other one away. An RS may have both. */
static void take_other_away(HbgEditing *editing, HbgTreeNode node, HbgPart part) {
  const HbgTree *tree = editing->view->tree;
  if (hbg_tree_kind(tree, node) != HBG_NODE_ELEMENT || (part != HBG_PART_ARGUMENTS && part != HBG_PART_LAW)) return;
  if (strcmp(hbg_node_word(editing->view, tree->nodes[node].parent), "RS") == 0) return;
  const HbgPart other = part == HBG_PART_LAW ? HBG_PART_ARGUMENTS : HBG_PART_LAW;
  const HbgPartPlace place = hbg_part_place(tree, node, other);
  if (place.is_possible) take_away(editing, node, other, &place);
}

/* ---- settings ---- */

static void add_setting(HbgEditing *editing, const char *name, const char *text) {
  if (!*text) return;
  const char *reason =
      hbg_piece_refusal(editing->view, "", hbg_join(editing->view->arena, name, " ", text), "", "one value", NULL);
  if (reason)
    hbg_edit_refuse(editing, "%s", reason);
  else
    hbg_edit_add_statement(editing, HBG_SORT_SETTINGS, hbg_join(editing->view->arena, name, " ", text));
}

static const char *trimmed(const HbgView *view, const char *text) {
  size_t length = strlen(text);
  while (length && strchr(" \t\r\n", text[length - 1])) length--;
  const size_t lead = strspn(text, " \t\r\n");
  return lead >= length ? "" : hbg_arena_text(view->arena, text + lead, length - lead);
}

void hbg_view_set_part(HbgEditing *editing, const char *name, HbgPart part, const char *given) {
  HbgPartText parts[HBG_PART_COUNT];
  const HbgView *view = editing->view;
  const char *text = trimmed(view, given);
  hbg_view_parts(editing, name, parts);
  if (editing->reason) return;
  const HbgTreeNode node = hbg_part_owner(editing, name);
  if (!parts[part].is_possible)
    hbg_edit_refuse(editing, "`%s` cannot have %s", name, hbg_part_name(part));
  else if (!node)
    add_setting(editing, name, text);
  if (!node || !parts[part].is_possible) return;
  const HbgPartPlace place = hbg_part_place(view->tree, node, part);
  if (!*text && place.is_needed)
    hbg_edit_refuse(editing, "`%s` needs %s", name, hbg_part_name(part));
  else if (!*text)
    take_away(editing, node, part, &place);
  if (!*text) return;
  const char *reason = hbg_part_refusal(view, node, part, text);
  if (reason) {
    hbg_edit_refuse(editing, "%s", reason);
    return;
  }
  write_part(editing, node, part, &place, text);
  take_other_away(editing, node, part);
}

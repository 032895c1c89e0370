/* SPDX-License-Identifier: BSD-3-Clause
 * What a name means in a body: which declaration makes it, and what else that makes. Loops are not expanded; indices count as far as they
 * are plain numbers. */
#include <stdlib.h>
#include <string.h>

#include "editor/edit_insertion.h"
#include "editor/functions.h"

bool hbg_edit_is_in_loop(const HbgTree *tree, HbgTreeNode node) {
  while (node && hbg_tree_kind(tree, node) != HBG_NODE_FOR) node = tree->nodes[node].parent;
  return node != 0;
}

const char *hbg_node_text(const HbgView *view, HbgTreeNode node) {
  const HbgSpan span = hbg_tree_span(view->tree, node);
  return hbg_arena_text(view->arena, hbg_tree_bytes(view->tree, span), span.end - span.begin);
}

const char *hbg_node_word(const HbgView *view, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(view->tree, node, &length);
  return hbg_arena_text(view->arena, text, length);
}

/* ---- indices ---- */

static const char *without_blanks(const HbgEditing *editing, int32_t first, int32_t last) {
  HbgText text = hbg_text(editing->arena);
  for (int32_t i = first; i <= last; i++) {
    const HbgSpan span = editing->tree->tokens[i].span;
    hbg_text_add_bytes(&text, editing->tree->text + span.begin, span.end - span.begin);
  }
  return text.bytes;
}

const char *hbg_edit_name_of(const HbgEditing *editing, HbgTreeNode node) {
  const HbgTree *tree = editing->tree;
  const int32_t token = tree->nodes[node].token;
  int32_t last = token;
  if (token < 0) return "";
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) == HBG_NODE_INDEX || hbg_tree_kind(tree, child) == HBG_NODE_PART) last = tree->nodes[child].last_token;
  return without_blanks(editing, token, last);
}

/* A plain whole number, maybe behind a minus. */
static bool read_number(const HbgTree *tree, HbgTreeNode node, int64_t *value) {
  enum { MOST_DIGITS = 15 };
  uint32_t length;
  if (node && hbg_tree_kind(tree, node) == HBG_NODE_UNARY && *hbg_tree_text(tree, node, &length) == '-') {
    const bool is_read = read_number(tree, tree->nodes[node].first_child, value);
    *value = -*value;
    return is_read;
  }
  *value = 0;
  if (!node || hbg_tree_kind(tree, node) != HBG_NODE_NUMBER || tree->nodes[node].first_child) return false;
  const char *text = hbg_tree_text(tree, node, &length);
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9' || length > MOST_DIGITS) return false;
    *value = 10 * *value + (text[i] - '0');
  }
  return length > 0;
}

typedef enum Match { MATCH_NOT, MATCH_MAYBE, MATCH_AMONG, MATCH_EXACT } Match;

/* INDEX `node` and the number `wanted`. */
static Match match_index(const HbgTree *tree, HbgTreeNode node, int64_t wanted) {
  const HbgTreeNode first = tree->nodes[node].first_child, last = first ? tree->nodes[first].next_sibling : 0;
  int64_t from, to;
  if (!read_number(tree, first, &from)) return MATCH_MAYBE;
  if (!last) return from == wanted ? MATCH_EXACT : MATCH_NOT;
  if (!read_number(tree, last, &to)) return MATCH_MAYBE;
  return from <= wanted && wanted <= to ? MATCH_AMONG : MATCH_NOT;
}

/* The declaration `node` and the indices in `text`, "[3]" or "". */
static Match match_indices(const HbgTree *tree, HbgTreeNode node, const char *text) {
  Match match = MATCH_EXACT;
  HbgTreeNode child = tree->nodes[node].first_child;
  const bool has_index = child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX;
  if (!*text) return has_index ? MATCH_AMONG : MATCH_EXACT;
  for (; child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX; child = tree->nodes[child].next_sibling) {
    if (*text != '[') return MATCH_NOT;
    char *end;
    const Match own = match_index(tree, child, strtoll(text + 1, &end, 10));
    if (own < match) match = own;
    text = *end == ']' ? end + 1 : end;
  }
  if (!has_index) return MATCH_AMONG; /* a port of a field, a value of a list */
  return *text ? MATCH_NOT : match;
}

/* ---- declarations ---- */

static HbgFinding finding_of(const HbgTree *tree, HbgTreeNode node, Match match, bool has_indices) {
  if (hbg_edit_is_in_loop(tree, node)) return HBG_FOUND_IN_LOOP;
  if (match == MATCH_EXACT) return HBG_FOUND_ONE;
  return match == MATCH_AMONG && !has_indices ? HBG_FOUND_ARRAY : HBG_FOUND_OF_ARRAY;
}

HbgDeclared hbg_edit_find(const HbgEditing *editing, const char *name) {
  const HbgNames *names = editing->view->names;
  const uint32_t length = (uint32_t)strcspn(name, "[");
  HbgDeclared found = {.finding = HBG_FOUND_NOTHING};
  Match best = MATCH_NOT;
  if (!editing->body) return found;
  const int32_t symbol = hbg_scope_find(&names->scopes[editing->scope].names, name, length);
  if (symbol < 0) return found;
  const int32_t own = names->scopes[editing->scope].names.symbols[symbol].index;
  found.kind = names->list[own].kind;
  for (int32_t i = editing->tree->nodes[editing->body].first_token; i <= editing->tree->nodes[editing->body].last_token; i++) {
    if (names->name_of_token[i] != own || names->role_of_token[i] != HBG_ROLE_DECLARED) continue;
    const HbgTreeNode node = names->node_of_token[i];
    const Match match = match_indices(editing->tree, node, name + length);
    // `out y` is declared once more, by its signal
    if (match == best && hbg_tree_kind(editing->tree, found.node) == HBG_NODE_OUTPUT) found.node = node;
    // several pieces of an array: no one of them is the whole
    if (match == MATCH_AMONG && best == MATCH_AMONG && !name[length]) found.finding = HBG_FOUND_OF_ARRAY;
    if (match <= best) continue;
    best = match;
    found.node = node;
    found.finding = finding_of(editing->tree, node, match, name[length] != '\0');
  }
  if (best == MATCH_NOT) found.node = 0;
  return found;
}

HbgDeclared hbg_edit_find_one(HbgEditing *editing, const char *name) {
  HbgDeclared found = hbg_edit_find(editing, name);
  switch (found.finding) {
    case HBG_FOUND_ONE:
    case HBG_FOUND_ARRAY: return found;
    case HBG_FOUND_NOTHING: hbg_edit_refuse(editing, "there is no '%s' here", name); break;
    case HBG_FOUND_IN_LOOP: hbg_edit_refuse(editing, "'%s' is made by a loop, together with others: edit the loop in the text", name); break;
    case HBG_FOUND_OF_ARRAY: hbg_edit_refuse(editing, "'%s' is declared together with the rest of its array: edit that in the text", name); break;
  }
  return (HbgDeclared){.finding = found.finding, .kind = found.kind};
}

bool hbg_edit_means(const HbgEditing *editing, HbgTreeNode node, const char *name) {
  const HbgTree *tree = editing->tree;
  uint32_t length;
  const char *own = hbg_tree_text(tree, node, &length);
  if (length != strcspn(name, "[") || memcmp(own, name, length) != 0) return false;
  const char *indices = name + length;
  HbgTreeNode child = tree->nodes[node].first_child;
  for (; *indices && child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX; child = tree->nodes[child].next_sibling) {
    char *end;
    if (match_index(tree, child, strtoll(indices + 1, &end, 10)) != MATCH_EXACT) return false;
    indices = *end == ']' ? end + 1 : end;
  }
  return !*indices;
}

bool hbg_edit_covers(const HbgEditing *editing, HbgTreeNode node, const char *name) {
  const HbgTree *tree = editing->tree;
  uint32_t length;
  const char *own = hbg_tree_text(tree, node, &length);
  if (length != strcspn(name, "[") || memcmp(own, name, length) != 0) return false;
  const HbgTreeNode child = tree->nodes[node].first_child;
  if (!child || !name[length]) return !child || hbg_tree_kind(tree, child) == HBG_NODE_INDEX;
  return match_indices(tree, node, name + length) >= MATCH_AMONG;
}

/* ---- free names ---- */

static bool is_kept(const char *name) {
  static const char *const kept[] = {"and", "or", "not", "if", "then", "else", "when", "in", "true", "false", "pi", "time"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (!strcmp(kept[i], name)) return true;
  return strlen(name) == 1 && strchr("efpqnr", *name); /* the letters of laws would hide it */
}

static bool is_taken(const HbgEditing *editing, const char *name, const HbgScope *taken) {
  const HbgNames *names = editing->view->names;
  const uint32_t length = (uint32_t)strlen(name);
  if (is_kept(name) || (taken && hbg_scope_find(taken, name, length) >= 0)) return true;
  if (hbg_function_find(name, length) || hbg_names_find(names, editing->scope, name, length) >= 0) return true;
  for (int32_t i = 0; i < names->scope_count; i++) /* variables of loops, and arguments, must not hide it */
    if (names->scopes[i].outer >= 0 && (names->scopes[i].is_loop || names->scopes[i].outer == editing->scope) &&
        hbg_scope_find(&names->scopes[i].names, name, length) >= 0)
      return true;
  return false;
}

/* `stem` without what no name may have, and without figures at its end. */
static const char *clean(const HbgEditing *editing, const char *stem) {
  HbgText text = hbg_text(editing->arena);
  for (const char *at = stem; *at && *at != '['; at++) {
    const bool is_figure = *at >= '0' && *at <= '9';
    const bool is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' || (unsigned char)*at >= 0x80;
    if (is_figure && !text.length) hbg_text_add(&text, "_");
    hbg_text_add_bytes(&text, is_letter || is_figure ? at : "_", 1);
  }
  return text.length ? text.bytes : "x";
}

const char *hbg_edit_free_name(const HbgEditing *editing, const char *stem, const HbgScope *taken) {
  const char *whole = clean(editing, stem);
  if (!is_taken(editing, whole, taken)) return whole;
  size_t length = strlen(whole);
  while (length > 1 && whole[length - 1] >= '0' && whole[length - 1] <= '9') length--;
  for (int number = 2;; number++) {
    const char *name = hbg_print(editing->arena, "%.*s%d", (int)length, whole, number);
    if (!is_taken(editing, name, taken)) return name;
  }
}

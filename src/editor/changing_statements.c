/* SPDX-License-Identifier: BSD-3-Clause
 * Statements that come and go, in lines of their own or with others in one line. */
#include <stdlib.h>
#include <string.h>

#include "editor/changing.h"
#include "language/lexer.h"

static const HbgTreeNodeData *data_of(const HbgTree *tree, HbgTreeNode node) { return &tree->nodes[node]; }

static bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v'; }

bool hbg_changing_line_ends(const HbgTree *tree, uint32_t at, uint32_t *end) {
  const char *text = tree->text;
  while (at < tree->length) {
    if (text[at] == '\n' || (text[at] == '\r' && at + 1 < tree->length && text[at + 1] == '\n')) return *end = at, true;
    if (is_blank(text[at])) {
      at++;
    } else if (text[at] == '/' && at + 1 < tree->length && text[at + 1] == '/') {
      while (at < tree->length && text[at] != '\n') at++;
      if (at > 0 && text[at - 1] == '\r') at--;
    } else if (text[at] == '/' && at + 1 < tree->length && text[at + 1] == '*') {
      for (at += 2; at + 1 < tree->length && !(text[at] == '*' && text[at + 1] == '/');) at++;
      at += 2;
    } else {
      return false;
    }
  }
  return *end = tree->length, true;
}

int32_t hbg_changing_brace(const HbgTree *tree, HbgTreeNode owner) {
  const HbgTreeNodeData *data = data_of(tree, owner);
  for (int32_t i = data->first_token; i <= data->last_token; i++)
    if (token_is_symbol(tree, &tree->tokens[i], "{")) return i;
  return -1;
}

/* Puts a statement behind token `at`, which is the last of a statement or an opening brace. */
static void add_behind_token(HbgChanging *changing, int32_t at, const char *statement) {
  const HbgTree *tree = changing->view->tree;
  const bool is_brace = token_is_symbol(tree, &tree->tokens[at], "{");
  const HbgToken *next = &tree->tokens[at + 1];
  uint32_t end;
  if (hbg_changing_line_ends(tree, tree->tokens[at].span.end, &end)) {
    hbg_changing_insert(changing, end, hbg_join(changing->view->arena, "\n", "", statement));
  } else if (is_brace) {
    const char *behind = token_is_symbol(tree, next, "}") ? " " : ";";
    hbg_changing_insert(changing, tree->tokens[at].span.end,
                        hbg_print(changing->view->arena, " %s%s", statement, behind));
  } else {
    hbg_changing_insert(changing, tree->tokens[at].span.end, hbg_join(changing->view->arena, "; ", "", statement));
  }
}

void hbg_changing_add_behind(HbgChanging *changing, HbgTreeNode node, const char *statement) {
  const HbgTree *tree = changing->view->tree;
  int32_t last = data_of(tree, node)->last_token;
  // `a; // why`: the line ends behind the semicolon
  uint32_t end;
  const bool has_semicolon = token_is_symbol(tree, &tree->tokens[last + 1], ";");
  if (has_semicolon && hbg_changing_line_ends(tree, tree->tokens[last + 1].span.end, &end)) last++;
  add_behind_token(changing, last, statement);
}

/* A drawing stays behind everything else. */
static HbgTreeNode last_statement(const HbgTree *tree, HbgTreeNode owner, int32_t brace) {
  HbgTreeNode last = 0;
  for (HbgTreeNode child = data_of(tree, owner)->first_child; child; child = data_of(tree, child)->next_sibling)
    if (data_of(tree, child)->first_token > brace && (!last || data_of(tree, child)->kind != HBG_NODE_DRAWING))
      last = child;
  return last;
}

void hbg_changing_add_first(HbgChanging *changing, HbgTreeNode owner, const char *statement) {
  const int32_t brace = hbg_changing_brace(changing->view->tree, owner);
  if (brace >= 0)
    add_behind_token(changing, brace, statement);
  else
    hbg_changing_refuse(changing, "there is no `{` to write behind; mend the text first");
}

void hbg_changing_add_last(HbgChanging *changing, HbgTreeNode owner, const char *statement) {
  const int32_t brace = hbg_changing_brace(changing->view->tree, owner);
  const HbgTreeNode last = brace < 0 ? 0 : last_statement(changing->view->tree, owner, brace);
  if (last)
    hbg_changing_add_behind(changing, last, statement);
  else
    hbg_changing_add_first(changing, owner, statement);
}

/* ---- away ---- */

/* Where the blanks before byte `at` begin, in its line. */
static uint32_t blanks_before(const HbgTree *tree, uint32_t at) {
  while (at > 0 && is_blank(tree->text[at - 1])) at--;
  return at;
}

static uint32_t blanks_behind(const HbgTree *tree, uint32_t at) {
  while (at < tree->length && is_blank(tree->text[at])) at++;
  return at;
}

static void remove_with_line(HbgChanging *changing, HbgSpan span) {
  const HbgTree *tree = changing->view->tree;
  const uint32_t begin = blanks_before(tree, span.begin), end = blanks_behind(tree, span.end);
  const bool begins_line = begin == 0 || tree->text[begin - 1] == '\n';
  const bool ends_line = end == tree->length || tree->text[end] == '\n';
  if (begins_line && ends_line)
    hbg_changing_replace(changing, (HbgSpan){begin, end < tree->length ? end + 1 : end}, "");
  else if (begins_line)
    hbg_changing_replace(changing, (HbgSpan){span.begin, end}, "");
  else
    hbg_changing_replace(changing, (HbgSpan){begin, ends_line ? span.end : end}, ends_line ? "" : " ");
}

void hbg_changing_remove(HbgChanging *changing, HbgTreeNode node) {
  ARENA_PUSH(changing->view->arena, changing->removed, changing->removed_count, changing->removed_capacity) = node;
}

/* `; ` on the same line. */
static bool is_semicolon_before(const HbgTree *tree, int32_t token, uint32_t begin) {
  const HbgSpan span = tree->tokens[token].span;
  return token_is_symbol(tree, &tree->tokens[token], ";") && !memchr(tree->text + span.end, '\n', begin - span.end);
}

/* With the semicolon before it, or, of the first, with the one behind. */
static void remove_statement(HbgChanging *changing, HbgTreeNode node, uint32_t removed_to) {
  const HbgTree *tree = changing->view->tree;
  const int32_t before = data_of(tree, node)->first_token - 1, behind = data_of(tree, node)->last_token + 1;
  HbgSpan span = hbg_tree_span(tree, node);
  const bool is_first = before < 0 || tree->tokens[before].span.begin < removed_to;
  if (!is_first && is_semicolon_before(tree, before, span.begin))
    span.begin = tree->tokens[before].span.begin;
  else if (token_is_symbol(tree, &tree->tokens[behind], ";"))
    span.end = tree->tokens[behind].span.end;
  remove_with_line(changing, span);
}

static int by_place(const void *a, const void *b) {
  const HbgTreeNode x = *(const HbgTreeNode *)a, y = *(const HbgTreeNode *)b;
  return (x > y) - (x < y);
}

void hbg_changing_remove_statements(HbgChanging *changing) {
  const HbgTree *tree = changing->view->tree;
  uint32_t removed_to = 0;
  // nodes are numbered as they begin in the text
  if (changing->removed_count)
    qsort(changing->removed, (size_t)changing->removed_count, sizeof *changing->removed, by_place);
  for (int32_t i = 0; i < changing->removed_count; i++) {
    const HbgSpan span = hbg_tree_span(tree, changing->removed[i]);
    if (span.begin < removed_to) continue; /* in what is taken away already, or twice the same */
    remove_statement(changing, changing->removed[i], removed_to);
    removed_to = changing->changes.list[changing->changes.count - 1].span.end;
  }
}

static bool is_among(HbgTreeNode node, const HbgTreeNode *nodes, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (nodes[i] == node) return true;
  return false;
}

/* With the comma before it, or, where nothing before it stays, with the one behind; comments between stay. */
static void remove_item(HbgChanging *changing, HbgTreeNode node, bool is_first) {
  const HbgTree *tree = changing->view->tree;
  const HbgSpan span = hbg_tree_span(tree, node);
  const HbgSpan comma =
      tree->tokens[is_first ? data_of(tree, node)->last_token + 1 : data_of(tree, node)->first_token - 1].span;
  const uint32_t begin = blanks_before(tree, span.begin);
  if (is_first) {
    hbg_changing_replace(changing, (HbgSpan){span.begin, comma.begin}, "");
    hbg_changing_replace(changing, (HbgSpan){comma.begin, blanks_behind(tree, comma.end)}, "");
  } else {
    hbg_changing_replace(changing, comma, "");
    hbg_changing_replace(changing, (HbgSpan){begin > comma.end ? begin : comma.end, span.end}, "");
  }
}

void hbg_changing_remove_items(HbgChanging *changing, HbgTreeNode list, HbgNodeKind kind, const HbgTreeNode *nodes,
                               int32_t count) {
  const HbgTree *tree = changing->view->tree;
  int32_t all = 0;
  for (HbgTreeNode child = data_of(tree, list)->first_child; child; child = data_of(tree, child)->next_sibling)
    all += hbg_tree_kind(tree, child) == kind;
  if (all == count) {
    hbg_changing_remove(changing, list);
    return;
  }
  bool is_first = true;
  for (HbgTreeNode child = data_of(tree, list)->first_child; child; child = data_of(tree, child)->next_sibling) {
    if (hbg_tree_kind(tree, child) != kind) continue;
    if (is_among(child, nodes, count))
      remove_item(changing, child, is_first);
    else
      is_first = false;
  }
}

void hbg_changing_remove_from_list(HbgChanging *changing, HbgTreeNode list, HbgTreeNode node, HbgNodeKind kind) {
  hbg_changing_remove_items(changing, list, kind, &node, 1);
}

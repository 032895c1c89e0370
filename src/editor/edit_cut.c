/* SPDX-License-Identifier: BSD-3-Clause
 * Taking away: things of a list with their comma, statements with their line. Comments of other things stay. */
#include <string.h>

#include "editor/edit_insertion.h"

static bool is_list(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_PARAMETER_LIST:
    case HBG_NODE_ELEMENT_LIST:
    case HBG_NODE_INSTANCE_LIST:
    case HBG_NODE_SIGNAL_LIST:
    case HBG_NODE_CLOCK_LIST:
    case HBG_NODE_EVENT_LIST:
    case HBG_NODE_CONDITION_LIST:
    case HBG_NODE_VARIABLE_LIST:
    case HBG_NODE_STATE_LIST:
    case HBG_NODE_FORMALS: return true;
    default: return false;
  }
}

void hbg_edit_take_away(HbgEditing *editing, HbgTreeNode node) { editing->is_cut[node] = true; }

void hbg_edit_take_away_bare(HbgEditing *editing, HbgTreeNode node) { editing->is_cut[node] = editing->is_bare[node] = true; }

static void cut(HbgEditing *editing, uint32_t begin, uint32_t end) {
  if (begin < end) hbg_edit_replace(editing, (HbgSpan){begin, end}, "");
}

/* ---- lists ---- */

static bool is_item(const HbgTree *tree, HbgTreeNode node) { return hbg_tree_kind(tree, node) != HBG_NODE_TYPE_NAME; }

static HbgTreeNode next_item(const HbgTree *tree, HbgTreeNode node) {
  do node = tree->nodes[node].next_sibling;
  while (node && !is_item(tree, node));
  return node;
}

static HbgTreeNode first_item(const HbgTree *tree, HbgTreeNode list) {
  const HbgTreeNode child = tree->nodes[list].first_child;
  return !child || is_item(tree, child) ? child : next_item(tree, child);
}

/* What comes last goes with the comma before it, but not with the comment behind that: behind one only an end of the line may follow. */
static void cut_last_item(HbgEditing *editing, HbgTreeNode kept, HbgTreeNode node) {
  const HbgTree *tree = editing->tree;
  const HbgSpan item = hbg_tree_span(tree, node);
  const HbgToken *comma = &tree->tokens[tree->nodes[kept].last_token + 1];
  const uint32_t comment_end = hbg_edit_rest_of_line(tree, comma->span.end), rest = hbg_edit_rest_of_line(tree, item.end);
  const bool has_comment = edit_is_line_end(tree, comment_end) && tree->text[comment_end - 1] != ',';
  cut(editing, hbg_tree_span(tree, kept).end, comma->span.end);
  if (!has_comment) {
    cut(editing, comma->span.end, item.end);
  } else if (!edit_is_line_end(tree, rest)) {
    cut(editing, item.begin, rest);
  } else {
    uint32_t behind = comment_end; /* the end of the line goes, the comment stays */
    while (behind > comma->span.end && strchr(" \t\r", tree->text[behind - 1])) behind--;
    cut(editing, behind, item.end);
  }
}

static bool has_cut_child(const HbgEditing *editing, HbgTreeNode node) {
  HbgTreeNode child = editing->tree->nodes[node].first_child;
  while (child && !editing->is_cut[child]) child = editing->tree->nodes[child].next_sibling;
  return child != 0;
}

static void cut_items(HbgEditing *editing, HbgTreeNode list) {
  const HbgTree *tree = editing->tree;
  HbgTreeNode kept = 0;
  for (HbgTreeNode item = first_item(tree, list); item; item = next_item(tree, item)) {
    const HbgTreeNode next = next_item(tree, item);
    if (!editing->is_cut[item]) kept = item;
    else if (next) cut(editing, hbg_tree_span(tree, item).begin, hbg_tree_span(tree, next).begin);
    else cut_last_item(editing, kept, item);
  }
}

/* Is a list, a drawing or a chain of bonds left without anything? */
static bool is_emptied(const HbgEditing *editing, HbgTreeNode node) {
  const HbgTree *tree = editing->tree;
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  bool has_cut = false;
  if (kind != HBG_NODE_DRAWING && kind != HBG_NODE_BOND_CHAIN && !is_list(kind)) return false;
  for (HbgTreeNode item = first_item(tree, node); item; item = next_item(tree, item)) {
    if (hbg_tree_kind(tree, item) == HBG_NODE_BOND_END) continue;
    if (!editing->is_cut[item]) return false;
    has_cut = true;
  }
  return has_cut;
}

/* ---- statements ---- */

static bool shares_line(const HbgTree *tree, uint32_t end, uint32_t begin) {
  return begin >= end && !memchr(tree->text + end, '\n', begin - end);
}

static bool is_blank_line(const HbgTree *tree, uint32_t begin) {
  while (begin < tree->length && strchr(" \t\r", tree->text[begin])) begin++;
  return begin < tree->length && tree->text[begin] == '\n';
}

/* A line that stands between blank lines, or between one and the brace, takes the one above along. */
static uint32_t with_blank_line(const HbgTree *tree, uint32_t begin, uint32_t end) {
  if (begin == 0) return begin;
  const uint32_t above = hbg_edit_line_begin(tree, begin - 1);
  if (!is_blank_line(tree, above)) return begin;
  uint32_t next = end;
  while (next < tree->length && strchr(" \t\r", tree->text[next])) next++;
  const bool is_at_end = next >= tree->length || tree->text[next] == '\n' || tree->text[next] == '}';
  return is_at_end ? above : begin;
}

/* Statements `first` to `last` of `block`, all in one line; `before` and `next` are what stands around them, 0 without. */
static void cut_statements(HbgEditing *editing, HbgTreeNode block, HbgTreeNode before, HbgTreeNode first, HbgTreeNode last, HbgTreeNode next) {
  const HbgTree *tree = editing->tree;
  const uint32_t begin = hbg_tree_span(tree, first).begin, end = hbg_tree_span(tree, last).end;
  const uint32_t closing = tree->tokens[tree->nodes[block].last_token].span.begin;
  const uint32_t rest = hbg_edit_rest_of_line(tree, end);
  uint32_t comment = end;
  while (comment < rest && strchr(" \t\r;", tree->text[comment])) comment++;
  if (next && shares_line(tree, end, hbg_tree_span(tree, next).begin) && rest == hbg_tree_span(tree, next).begin) {
    cut(editing, begin, rest);
  } else if (before && shares_line(tree, hbg_tree_span(tree, before).end, begin)) {
    cut(editing, hbg_tree_span(tree, before).end, end);
  } else if (editing->is_bare[last] && comment < rest) {
    cut(editing, begin, comment);
  } else if (hbg_edit_begins_line(tree, begin) && edit_is_line_end(tree, rest) && rest < tree->length) {
    const uint32_t line = hbg_edit_line_begin(tree, begin);
    cut(editing, with_blank_line(tree, line, rest + 1), rest + 1);
  } else if (rest == closing) {
    cut(editing, begin, closing);
  } else {
    cut(editing, begin, rest);
  }
}

static HbgTreeNode next_statement(const HbgTree *tree, HbgTreeNode node) {
  do node = tree->nodes[node].next_sibling;
  while (node && !hbg_edit_is_statement(tree, node));
  return node;
}

static void cut_block(HbgEditing *editing, HbgTreeNode block) {
  const HbgTree *tree = editing->tree;
  HbgTreeNode before = 0, node = tree->nodes[block].first_child;
  if (node && !hbg_edit_is_statement(tree, node)) node = next_statement(tree, node);
  while (node) {
    HbgTreeNode last = node, next = next_statement(tree, node);
    while (editing->is_cut[node] && next && editing->is_cut[next] && shares_line(tree, hbg_tree_span(tree, last).end, hbg_tree_span(tree, next).begin)) {
      last = next;
      next = next_statement(tree, next);
    }
    if (editing->is_cut[node]) cut_statements(editing, block, before, node, last, next);
    before = last;
    node = next;
  }
}

/* ---- all of it ---- */

void hbg_edit_cut(HbgEditing *editing) {
  const HbgTree *tree = editing->tree;
  bool has_cut = false;
  for (HbgTreeNode node = 1; node < tree->node_count; node++) has_cut |= editing->is_cut[node];
  if (!has_cut) return;
  for (HbgTreeNode node = tree->node_count - 1; node > 0; node--) /* what is inside comes later */
    if (is_emptied(editing, node)) editing->is_cut[node] = true, editing->is_bare[node] = editing->is_bare[first_item(tree, node)];
  for (HbgTreeNode node = 1; node < tree->node_count; node++) {
    const bool is_head = hbg_tree_kind(tree, node) == HBG_NODE_FORMALS; /* with its parentheses */
    if (editing->is_cut[node] && is_head) cut(editing, hbg_tree_span(tree, node).begin, hbg_tree_span(tree, node).end);
    if (editing->is_cut[node]) continue;
    if (!has_cut_child(editing, node)) continue;
    if (hbg_tree_kind(tree, node) == HBG_NODE_BOND_CHAIN) hbg_edit_cut_chain(editing, node);
    else if (is_list(hbg_tree_kind(tree, node))) cut_items(editing, node);
    else if (hbg_edit_opening(tree, node) >= 0) cut_block(editing, node);
  }
}

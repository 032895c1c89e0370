/* SPDX-License-Identifier: BSD-3-Clause
 * Where something new belongs: behind the last statement of its sort, in a line of its own; in a body of one line, behind a `;`. */
#include <string.h>

#include "editor/edit_insertion.h"

/* ---- lines ---- */

uint32_t hbg_edit_line_begin(const HbgTree *tree, uint32_t at) {
  while (at > 0 && tree->text[at - 1] != '\n') at--;
  return at;
}

bool hbg_edit_begins_line(const HbgTree *tree, uint32_t at) {
  while (at > 0 && (tree->text[at - 1] == ' ' || tree->text[at - 1] == '\t')) at--;
  return at == 0 || tree->text[at - 1] == '\n';
}

/* Behind a comment that begins at `at` and ends in its line; `at` when there is none such. */
static uint32_t behind_comment(const HbgTree *tree, uint32_t at) {
  if (at + 1 >= tree->length || tree->text[at] != '/') return at;
  uint32_t end = at + 2;
  if (tree->text[at + 1] == '/') {
    while (end < tree->length && tree->text[end] != '\n') end++;
    return end;
  }
  if (tree->text[at + 1] != '*') return at;
  while (end + 1 < tree->length && tree->text[end] != '\n' && !(tree->text[end] == '*' && tree->text[end + 1] == '/')) end++;
  return end + 1 < tree->length && tree->text[end] == '*' ? end + 2 : at;
}

uint32_t hbg_edit_rest_of_line(const HbgTree *tree, uint32_t at) {
  for (;;) {
    while (at < tree->length && strchr(" \t\r;", tree->text[at])) at++;
    const uint32_t end = behind_comment(tree, at);
    if (end == at) return at;
    at = end;
  }
}

bool hbg_edit_ends_line(const HbgTree *tree, uint32_t at) { return edit_is_line_end(tree, hbg_edit_rest_of_line(tree, at)); }

bool hbg_edit_has_lines(const HbgTree *tree, HbgTreeNode block) {
  const int32_t opening = hbg_edit_opening(tree, block);
  return opening >= 0 && hbg_edit_ends_line(tree, tree->tokens[opening].span.end);
}

/* ---- sorts ---- */

HbgStatementSort hbg_edit_sort_of(const HbgTree *tree, HbgTreeNode statement) {
  switch (hbg_tree_kind(tree, statement)) {
    case HBG_NODE_PARAMETER_LIST: return HBG_SORT_PARAMETERS;
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA: return HBG_SORT_CALLABLES;
    case HBG_NODE_CLOCK_LIST:
    case HBG_NODE_EVENT_LIST: return HBG_SORT_CLOCKS;
    case HBG_NODE_ELEMENT_LIST: {
      uint32_t length;
      const char *kind = hbg_tree_text(tree, statement, &length);
      return *kind == '0' || *kind == '1' ? HBG_SORT_JUNCTIONS : HBG_SORT_ELEMENTS;
    }
    case HBG_NODE_INSTANCE_LIST: return HBG_SORT_INSTANCES;
    case HBG_NODE_BOND_CHAIN: return HBG_SORT_BONDS;
    case HBG_NODE_SIGNAL_LIST: return HBG_SORT_SIGNALS;
    case HBG_NODE_MACHINE:
    case HBG_NODE_MACHINE_INSTANCE: return HBG_SORT_MACHINES;
    case HBG_NODE_CONDITION_LIST: return HBG_SORT_CONDITIONS;
    case HBG_NODE_SETTING: return HBG_SORT_SETTINGS;
    case HBG_NODE_DRAWING: return HBG_SORT_DRAWING;
    case HBG_NODE_FOR: {
      HbgStatementSort sort = HBG_SORT_NONE;
      for (HbgTreeNode child = tree->nodes[statement].first_child; child; child = tree->nodes[child].next_sibling)
        if (hbg_edit_is_statement(tree, child)) sort = hbg_edit_sort_of(tree, child);
      return sort;
    }
    default: return HBG_SORT_NONE;
  }
}

bool hbg_edit_is_statement(const HbgTree *tree, HbgTreeNode node) {
  const HbgTreeNode parent = tree->nodes[node].parent;
  const int32_t opening = parent ? hbg_edit_opening(tree, parent) : -1;
  return opening >= 0 && tree->nodes[node].first_token > opening;
}

int32_t hbg_edit_opening(const HbgTree *tree, HbgTreeNode block) {
  switch (hbg_tree_kind(tree, block)) {
    case HBG_NODE_MODEL:
    case HBG_NODE_SUBMODEL:
    case HBG_NODE_FOR:
    case HBG_NODE_DRAWING:
    case HBG_NODE_MACHINE:
    case HBG_NODE_STATE:
    case HBG_NODE_REGION: break;
    default: return -1;
  }
  for (int32_t i = tree->nodes[block].first_token; i <= tree->nodes[block].last_token; i++)
    if (token_is_symbol(tree, &tree->tokens[i], "{")) return i;
  return -1;
}

/* The statement that one of this sort goes behind: the last of its sort, else the last of all sorts that come before it; 0: none. */
static HbgTreeNode statement_before(const HbgEditing *editing, HbgStatementSort sort) {
  HbgTreeNode found = 0;
  bool has_own = false;
  for (HbgTreeNode child = editing->tree->nodes[editing->body].first_child; child; child = editing->tree->nodes[child].next_sibling) {
    if (!hbg_edit_is_statement(editing->tree, child)) continue;
    const HbgStatementSort own = hbg_edit_sort_of(editing->tree, child);
    const bool is_before = own != HBG_SORT_NONE && (own == sort || (own < sort && !has_own));
    if (!is_before && sort != HBG_SORT_DRAWING) continue; /* a drawing goes behind everything */
    found = child;
    has_own |= own == sort;
  }
  return found;
}

/* ---- places ---- */

static int32_t depth_of(const HbgTree *tree, HbgTreeNode block) {
  int32_t depth = 0;
  for (HbgTreeNode node = block; node; node = tree->nodes[node].parent) depth += hbg_edit_opening(tree, node) >= 0;
  return depth;
}

/* The blanks that the line of `node` begins with, and `more`. */
static const char *indentation_of(const HbgEditing *editing, HbgTreeNode node, const char *more) {
  const HbgTree *tree = editing->tree;
  const uint32_t begin = hbg_edit_line_begin(tree, hbg_tree_span(tree, node).begin);
  uint32_t end = begin;
  while (end < tree->length && (tree->text[end] == ' ' || tree->text[end] == '\t')) end++;
  return hbg_print(editing->arena, "%.*s%s", (int)(end - begin), tree->text + begin, more);
}

typedef struct Place {
  uint32_t at;
  const char *before, *behind; /* what separates the new from what is around it */
  HbgSpan blank;               /* that goes */
} Place;

/* The next statement behind `statement` in `block`; 0: its first. */
static HbgTreeNode next_statement(const HbgTree *tree, HbgTreeNode block, HbgTreeNode statement) {
  HbgTreeNode child = statement ? tree->nodes[statement].next_sibling : tree->nodes[block].first_child;
  while (child && !hbg_edit_is_statement(tree, child)) child = tree->nodes[child].next_sibling;
  return child;
}

/* At the beginning of a block whose brace ends no line. */
static Place place_behind_brace(const HbgEditing *editing, HbgTreeNode block, const char *indentation, const char *text) {
  const HbgTree *tree = editing->tree;
  const HbgTreeNode first = next_statement(tree, block, 0);
  if (first) {
    const uint32_t at = hbg_tree_span(tree, first).begin;
    return (Place){at, "", strstr(text, "//") ? editing->line_end : "; ", {at, at}};
  }
  const uint32_t closing = tree->tokens[tree->nodes[block].last_token].span.begin;
  const HbgNodeKind kind = hbg_tree_kind(tree, block);
  uint32_t end = closing;
  while (tree->text[end - 1] == ' ' || tree->text[end - 1] == '\t') end--;
  // those of machines stay in one line: `machine Switch { }`
  if (kind == HBG_NODE_MACHINE || kind == HBG_NODE_STATE || kind == HBG_NODE_REGION) return (Place){closing, " ", " ", {end, closing}};
  // `{}`: it becomes one of several lines
  const char *own = indentation_of(editing, block, "");
  return (Place){closing, hbg_print(editing->arena, "%s%s", editing->line_end, indentation), hbg_print(editing->arena, "%s%s", editing->line_end, own),
                 {end, closing}};
}

static Place place_of(const HbgEditing *editing, HbgTreeNode block, HbgTreeNode behind, const char *indentation, const char *text) {
  const HbgTree *tree = editing->tree;
  const uint32_t closing = tree->tokens[tree->nodes[block].last_token].span.begin;
  for (;;) {
    const int32_t opening = hbg_edit_opening(tree, block);
    const uint32_t end = behind ? hbg_tree_span(tree, behind).end : tree->tokens[opening].span.end;
    const uint32_t rest = hbg_edit_rest_of_line(tree, end);
    if (edit_is_line_end(tree, rest) && rest < closing)
      return (Place){rest + 1, indentation, editing->line_end, {rest + 1, rest + 1}};
    const HbgTreeNode next = next_statement(tree, block, behind);
    const bool shares_line = next && hbg_tree_span(tree, next).begin == rest;
    if (!behind) return place_behind_brace(editing, block, indentation, text);
    // a comment to the end of the line would take along what stands behind it
    if (!shares_line) return (Place){end, "; ", strstr(text, "//") ? editing->line_end : "", {end, end}};
    behind = next; // the line goes on with another statement
  }
}

static void insert(HbgEditing *editing, HbgTreeNode block, HbgTreeNode behind, HbgStatementSort sort, const char *text) {
  const HbgTree *tree = editing->tree;
  if (hbg_edit_opening(tree, block) < 0) hbg_edit_refuse(editing, "there is no `{` to write behind; mend the text first");
  if (!token_is_symbol(tree, &tree->tokens[tree->nodes[block].last_token], "}"))
    hbg_edit_refuse(editing, "what it would stand in is never closed: write the `}` that is missing");
  if (editing->reason) return;
  const bool is_apart = sort == HBG_SORT_DRAWING ? block == editing->body : *text == '\n';
  text += *text == '\n';
  const HbgTreeNode neighbour = behind ? behind : next_statement(tree, block, 0);
  // its line begins inside of the block
  const uint32_t line = neighbour ? hbg_edit_line_begin(tree, hbg_tree_span(tree, neighbour).begin) : 0;
  const bool has_line = neighbour && line >= tree->tokens[hbg_edit_opening(tree, block)].span.end;
  const char *indentation = indentation_of(editing, has_line ? neighbour : block, has_line ? "" : "  ");
  const Place place = place_of(editing, block, behind, indentation, text);
  const bool is_new_body = place.blank.end > place.blank.begin || strchr(place.before, '\n');
  // several of them into `{}`: only the first opens the lines
  const HbgTextInsertion *last = editing->insertion_count ? &editing->insertions[editing->insertion_count - 1] : NULL;
  const bool goes_on = is_new_body && last && last->indentation && last->span.end == place.blank.end && last->span.begin == place.blank.begin;
  const char *all = goes_on ? hbg_print(editing->arena, "%s%s%s", indentation, text, place.behind)
                            : hbg_print(editing->arena, "%s%s%s", place.before, text, place.behind);
  // a blank line before what is not alone
  const bool has_lines = goes_on || ((behind || last) && edit_is_line_end(tree, place.at - 1));
  if (is_apart && has_lines) all = hbg_print(editing->arena, "%s%s", editing->line_end, all);
  if (goes_on) { // instead of what the last one ends with
    HbgTextInsertion *own = &editing->insertions[editing->insertion_count - 1];
    const size_t kept = strlen(own->text) - strlen(place.behind);
    own->text = hbg_print(editing->arena, "%.*s%s%s", (int)kept, own->text, editing->line_end, all);
    return;
  }
  hbg_edit_note(editing, (HbgTextInsertion){.span = is_new_body ? place.blank : (HbgSpan){place.at, place.at}, .text = all, .sort = sort,
                                           .indentation = indentation, .depth = depth_of(tree, block)});
}

void hbg_edit_insert(HbgEditing *editing, HbgTreeNode block, HbgTreeNode behind, const char *text) {
  insert(editing, block, behind, behind ? hbg_edit_sort_of(editing->tree, behind) : HBG_SORT_NONE, text);
}

void hbg_edit_add_statement(HbgEditing *editing, HbgStatementSort sort, const char *text) {
  if (!editing->reason) insert(editing, editing->body, statement_before(editing, sort), sort, text);
}

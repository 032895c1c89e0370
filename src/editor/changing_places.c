/* SPDX-License-Identifier: BSD-3-Clause
 * Where in a text something stands that is to be changed. */
#include <string.h>

#include "editor/changing.h"
#include "language/lexer.h"

const char *hbg_node_text(const HbgView *view, HbgTreeNode node) {
  const HbgSpan span = hbg_tree_span(view->tree, node);
  return hbg_arena_text(view->arena, hbg_tree_bytes(view->tree, span), span.end - span.begin);
}

const char *hbg_node_word(const HbgView *view, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(view->tree, node, &length);
  return hbg_arena_text(view->arena, text, length);
}

static bool is_called(const HbgTree *tree, HbgTreeNode node, const char *name, size_t length) {
  uint32_t own;
  const char *text = hbg_tree_text(tree, node, &own);
  return own == length && memcmp(text, name, length) == 0;
}

/* ---- bodies ---- */

HbgTreeNode hbg_changing_body(HbgChanging *changing, const char *where) {
  const HbgTree *tree = changing->view->tree;
  for (HbgTreeNode node = tree->nodes[tree->root].first_child; node; node = tree->nodes[node].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(tree, node);
    if (!*where && kind == HBG_NODE_MODEL) return node;
    if (*where && kind == HBG_NODE_SUBMODEL && is_called(tree, node, where, strlen(where))) return node;
  }
  if (*where)
    hbg_changing_refuse(changing,
                        "this text has no submodel `%s` that could be read; submodels of other files are changed there",
                        where);
  else
    hbg_changing_refuse(changing, "this text has no model that could be read: it begins with `model Name {`");
  return 0;
}

/* ---- declarations ---- */

static bool declares(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_ELEMENT:
    case HBG_NODE_INSTANCE:
    case HBG_NODE_PARAMETER:
    case HBG_NODE_SIGNAL:
    case HBG_NODE_PORT:
    case HBG_NODE_INPUT:
    case HBG_NODE_OUTPUT:
    case HBG_NODE_REPLACEABLE:
    case HBG_NODE_CLOCK:
    case HBG_NODE_EVENT:
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA:
    case HBG_NODE_MACHINE_INSTANCE: return true;
    default: return false;
  }
}

static bool holds_declarations(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_FORMALS:
    case HBG_NODE_FOR:
    case HBG_NODE_PARAMETER_LIST:
    case HBG_NODE_ELEMENT_LIST:
    case HBG_NODE_INSTANCE_LIST:
    case HBG_NODE_SIGNAL_LIST:
    case HBG_NODE_CLOCK_LIST:
    case HBG_NODE_EVENT_LIST: return true;
    default: return false;
  }
}

typedef struct Search {
  const HbgTree *tree;
  const char *name;
  size_t base; /* bytes before its index */
  HbgTreeNode found;
  int best;
} Search;

/* The indices of a declaration as they are written, without blanks, are those of the name. */
static bool has_index(const Search *search, HbgTreeNode node) {
  const HbgTree *tree = search->tree;
  const char *wanted = search->name + search->base;
  for (int32_t i = tree->nodes[node].token + 1; i <= tree->nodes[node].last_token && *wanted; i++) {
    const HbgSpan span = tree->tokens[i].span;
    const size_t length = span.end - span.begin;
    if (strncmp(wanted, tree->text + span.begin, length) != 0) return false;
    wanted += length;
  }
  return !*wanted;
}

/* How well a declaration of that name fits: the index itself, any index, a signal before the `out` that announces it. */
static int fit_of(const Search *search, HbgTreeNode node) {
  const HbgTree *tree = search->tree;
  const bool is_indexed = search->name[search->base] != '\0';
  if (hbg_tree_kind(tree, node) == HBG_NODE_OUTPUT) return 1;
  if (!is_indexed) return 4;
  if (has_index(search, node)) return 4;
  const HbgTreeNode index = hbg_names_child(tree, node, HBG_NODE_INDEX);
  const bool is_number = index && hbg_tree_child_count(tree, index) == 1 &&
                         hbg_tree_kind(tree, hbg_tree_child(tree, index, 0)) == HBG_NODE_NUMBER;
  return is_number ? 2 : 3;
}

static void search_below(Search *search, HbgTreeNode owner) {
  const HbgTree *tree = search->tree;
  for (HbgTreeNode node = tree->nodes[owner].first_child; node; node = tree->nodes[node].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(tree, node);
    if (declares(kind) && is_called(tree, node, search->name, search->base)) {
      const int fit = fit_of(search, node);
      if (fit > search->best) search->found = node, search->best = fit;
    }
    if (holds_declarations(kind)) search_below(search, node);
  }
}

HbgTreeNode hbg_changing_declaration(const HbgTree *tree, HbgTreeNode body, const char *name) {
  Search search = {.tree = tree, .name = name, .base = strcspn(name, "[")};
  search_below(&search, body);
  if (search.found) return search.found;
  for (HbgTreeNode node = tree->nodes[body].first_child; node; node = tree->nodes[node].next_sibling)
    if (hbg_tree_kind(tree, node) == HBG_NODE_SETTING && is_called(tree, node, name, strlen(name))) return node;
  return 0;
}

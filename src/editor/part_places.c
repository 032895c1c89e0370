/* SPDX-License-Identifier: BSD-3-Clause
 * Where the parts of a declaration stand, and where they would. */
#include "editor/parts.h"

#include <string.h>

const char *hbg_part_name(HbgPart part) {
  static const char *const names[] = {"a kind",
                                      "something in parentheses",
                                      "a law or domain behind a colon",
                                      "an initial value",
                                      "a machine",
                                      "a value",
                                      "a description"};
  return names[part];
}

static HbgNodeKind kind_of(const HbgTree *tree, HbgTreeNode node) { return hbg_tree_kind(tree, node); }

/* The kind of an element without the M of what is modulated; "0" or "1" of a junction. */
static char kind_letter(const HbgTree *tree, HbgTreeNode node, bool *is_junction) {
  uint32_t length;
  const char *text = hbg_tree_text(tree, tree->nodes[node].parent, &length);
  *is_junction = length == 1 && (*text == '0' || *text == '1');
  if (length > 1 && *text == 'M') text++, length--;
  return length == 1 || (length == 2 && text[1] == 'C') ? *text : 'x';
}

static bool is_storage(const HbgTree *tree, HbgTreeNode node) {
  bool is_junction;
  const char letter = kind_letter(tree, node, &is_junction);
  return letter == 'I' || letter == 'C';
}

static bool is_junction(const HbgTree *tree, HbgTreeNode node) {
  bool is_junction;
  kind_letter(tree, node, &is_junction);
  return is_junction;
}

static bool is_formal(const HbgTree *tree, HbgTreeNode node) {
  return kind_of(tree, tree->nodes[node].parent) == HBG_NODE_FORMALS;
}

static bool has_description(const HbgTree *tree, HbgTreeNode node) {
  switch (kind_of(tree, node)) {
    case HBG_NODE_INSTANCE:
    case HBG_NODE_PARAMETER:
    case HBG_NODE_PORT:
    case HBG_NODE_INPUT:
    case HBG_NODE_OUTPUT:
    case HBG_NODE_REPLACEABLE:
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA: return true;
    case HBG_NODE_CLOCK: return is_formal(tree, node);
    default: return false;
  }
}

static bool has_value(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_PARAMETER:
    case HBG_NODE_SIGNAL:
    case HBG_NODE_INPUT:
    case HBG_NODE_CLOCK:
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA:
    case HBG_NODE_SETTING: return true;
    default: return false;
  }
}

static bool is_possible(const HbgTree *tree, HbgTreeNode node, HbgPart part) {
  const HbgNodeKind kind = kind_of(tree, node);
  const bool is_element = kind == HBG_NODE_ELEMENT;
  switch (part) {
    case HBG_PART_KIND:
      return is_element || kind == HBG_NODE_INSTANCE || kind == HBG_NODE_SIGNAL || kind == HBG_NODE_PORT ||
             kind == HBG_NODE_REPLACEABLE;
    case HBG_PART_ARGUMENTS:
      return (is_element && !is_junction(tree, node)) || kind == HBG_NODE_INSTANCE || kind == HBG_NODE_TABLE ||
             kind == HBG_NODE_DATA;
    case HBG_PART_LAW: return is_element || kind == HBG_NODE_PORT;
    case HBG_PART_START: return is_element && is_storage(tree, node);
    case HBG_PART_CONTROL: return (is_element && is_junction(tree, node)) || kind == HBG_NODE_MACHINE_INSTANCE;
    case HBG_PART_VALUE: return has_value(kind);
    case HBG_PART_DESCRIPTION: return has_description(tree, node);
    default: return false;
  }
}

/* ---- what is there ---- */

static HbgTreeNode child_of(const HbgTree *tree, HbgTreeNode node, HbgNodeKind kind) {
  return hbg_names_child(tree, node, kind);
}

static void set_place(const HbgTree *tree, HbgPartPlace *place, HbgTreeNode first, HbgTreeNode last, int32_t lead,
                      int32_t trail) {
  const HbgSpan begin = hbg_tree_span(tree, first), end = hbg_tree_span(tree, last);
  const int32_t inner = tree->nodes[first].first_token + lead;
  place->is_there = true;
  place->whole = (HbgSpan){begin.begin, end.end};
  place->inner = (HbgSpan){tree->tokens[inner].span.begin,
                           trail ? tree->tokens[tree->nodes[last].last_token - 1].span.end : end.end};
  if (place->inner.end < place->inner.begin) place->inner.begin = place->inner.end; /* `( )` */
}

/* The word or sign before the part belongs to it: `by`, `=`. */
static void take_lead(const HbgTree *tree, HbgPartPlace *place, HbgTreeNode first) {
  place->whole.begin = tree->tokens[tree->nodes[first].first_token - 1].span.begin;
}

/* The end of the name, its indices, and those children that stand before the part. */
static uint32_t end_behind(const HbgTree *tree, HbgTreeNode node, const HbgNodeKind *kinds) {
  uint32_t end = hbg_tree_token_span(tree, node).end;
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling)
    for (int32_t i = 0; kinds[i] != HBG_NODE_FILE; i++)
      if (kind_of(tree, child) == kinds[i]) end = hbg_tree_span(tree, child).end;
  return end;
}

static void find_kind(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  const HbgNodeKind kind = kind_of(tree, node);
  const HbgTreeNode list = tree->nodes[node].parent;
  const HbgTreeNode type = child_of(tree, kind == HBG_NODE_INSTANCE ? list : node,
                                    kind == HBG_NODE_PORT ? HBG_NODE_PORT_KIND : HBG_NODE_TYPE_NAME);
  place->is_needed = kind != HBG_NODE_PORT;
  place->at = hbg_tree_token_span(tree, node).begin;
  place->after = " ";
  if (kind == HBG_NODE_ELEMENT || kind == HBG_NODE_SIGNAL) {
    const int32_t word = tree->nodes[list].first_token;
    place->whole = place->inner = tree->tokens[word].span;
    place->is_there = true;
  } else if (type) {
    set_place(tree, place, type, type, 0, 0);
  }
}

static void find_arguments(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  static const HbgNodeKind behind[] = {HBG_NODE_INDEX, HBG_NODE_FILE};
  const HbgTreeNode arguments = child_of(tree, node, HBG_NODE_ARGUMENTS);
  place->at = end_behind(tree, node, behind);
  place->before = "(";
  place->after = ")";
  if (arguments) set_place(tree, place, arguments, arguments, 1, 1);
}

static void find_law(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  static const HbgNodeKind behind[] = {HBG_NODE_INDEX, HBG_NODE_ARGUMENTS, HBG_NODE_FILE};
  const HbgTreeNode block = child_of(tree, node, HBG_NODE_LAW_BLOCK);
  const HbgTreeNode domain = child_of(tree, node, HBG_NODE_DOMAIN);
  const HbgTreeNode law = domain ? domain : child_of(tree, node, HBG_NODE_LAW);
  place->at = end_behind(tree, node, behind);
  place->before = kind_of(tree, node) == HBG_NODE_PORT || is_junction(tree, node) ? " : " : ": ";
  if (block)
    set_place(tree, place, block, block, 0, 0);
  else if (law)
    set_place(tree, place, law, law, 1, 0);
}

static void find_start(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  static const HbgNodeKind behind[] = {HBG_NODE_INDEX, HBG_NODE_ARGUMENTS, HBG_NODE_LAW, HBG_NODE_LAW_BLOCK,
                                       HBG_NODE_FILE};
  HbgTreeNode first = child_of(tree, node, HBG_NODE_START), last = first;
  place->at = end_behind(tree, node, behind);
  place->before = "  start ";
  for (HbgTreeNode child = first; child; child = tree->nodes[child].next_sibling)
    if (kind_of(tree, child) == HBG_NODE_START) last = child;
  if (first) set_place(tree, place, first, last, 1, 0);
}

static void find_control(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  const HbgTreeNode control = child_of(tree, node, HBG_NODE_CONTROL);
  place->at = hbg_tree_span(tree, node).end;
  place->before = " by ";
  place->is_needed = kind_of(tree, node) == HBG_NODE_MACHINE_INSTANCE;
  if (!control) return;
  set_place(tree, place, control, control, 0, 0);
  take_lead(tree, place, control);
}

static bool is_value(HbgNodeKind kind) {
  return kind != HBG_NODE_INDEX && kind != HBG_NODE_PARAMETERS && kind != HBG_NODE_ARGUMENTS &&
         kind != HBG_NODE_UNIT_OF && kind != HBG_NODE_DESCRIPTION;
}

/* The expression, with the unit behind it. */
static void find_value(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  static const HbgNodeKind behind[] = {HBG_NODE_INDEX, HBG_NODE_PARAMETERS, HBG_NODE_ARGUMENTS, HBG_NODE_FILE};
  const HbgTreeNode unit = child_of(tree, node, HBG_NODE_UNIT_OF);
  HbgTreeNode value = tree->nodes[node].first_child;
  while (value && !is_value(kind_of(tree, value))) value = tree->nodes[value].next_sibling;
  place->at = end_behind(tree, node, behind);
  place->before = " = ";
  place->is_needed =
      kind_of(tree, node) != HBG_NODE_SETTING &&
      !(is_formal(tree, node) && kind_of(tree, tree->nodes[tree->nodes[node].parent].parent) == HBG_NODE_SUBMODEL);
  if (!value) return;
  set_place(tree, place, value, unit ? unit : value, 0, 0);
  take_lead(tree, place, value);
}

static void find_description(const HbgTree *tree, HbgTreeNode node, HbgPartPlace *place) {
  const HbgTreeNode description = child_of(tree, node, HBG_NODE_DESCRIPTION);
  place->at = hbg_tree_span(tree, node).end;
  place->before = " \"";
  place->after = "\"";
  if (!description) return;
  place->is_there = true;
  place->whole = hbg_tree_span(tree, description);
  place->inner = (HbgSpan){place->whole.begin + 1, place->whole.end - 1};
}

HbgPartPlace hbg_part_place(const HbgTree *tree, HbgTreeNode node, HbgPart part) {
  static void (*const find[])(const HbgTree *, HbgTreeNode, HbgPartPlace *) = {
      find_kind, find_arguments, find_law, find_start, find_control, find_value, find_description};
  HbgPartPlace place = {.is_possible = is_possible(tree, node, part), .before = "", .after = ""};
  if (place.is_possible) find[part](tree, node, &place);
  if (!place.is_there) place.whole = place.inner = (HbgSpan){place.at, place.at};
  return place;
}

static const char *const settings[] = {"stop", "tolerance", "method", "step", "interval", "sliding"};

static bool is_setting(const char *name) {
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i], name) == 0) return true;
  return false;
}

/* What is declared with the indices of `name` as they are written: `wagon[i]`, `between[1..N-1]`. */
static HbgTreeNode declared_as_written(const HbgEditing *editing, const char *name) {
  const HbgNames *names = editing->view->names;
  const HbgTreeNodeData *body = &editing->tree->nodes[editing->body];
  for (int32_t i = body->first_token; i <= body->last_token; i++)
    if (names->role_of_token[i] == HBG_ROLE_DECLARED && names->name_of_token[i] >= 0 &&
        !strcmp(hbg_edit_name_of(editing, names->node_of_token[i]), name))
      return names->node_of_token[i];
  return 0;
}

HbgTreeNode hbg_part_owner(const HbgEditing *editing, const char *name) {
  const HbgTree *tree = editing->tree;
  const HbgDeclared found = hbg_edit_find(editing, name);
  const bool has_parts = found.kind != HBG_NAME_BOND && found.kind != HBG_NAME_MACHINE_TYPE;
  const HbgTreeNode declared = !has_parts                         ? 0
                               : found.node || !strchr(name, '[') ? found.node
                                                                  : declared_as_written(editing, name);
  HbgTreeNode node = declared ? 0 : tree->nodes[editing->body].first_child;
  for (; node; node = tree->nodes[node].next_sibling)
    if (kind_of(tree, node) == HBG_NODE_SETTING && !strcmp(hbg_node_word(editing->view, node), name)) return node;
  return declared;
}

void hbg_view_parts(HbgEditing *editing, const char *name, HbgPartText parts[HBG_PART_COUNT]) {
  const HbgView *view = editing->view;
  const HbgTreeNode node = hbg_part_owner(editing, name);
  const bool could_be_set = !node && is_setting(name) && hbg_tree_kind(view->tree, editing->body) == HBG_NODE_MODEL;
  if (!node && !could_be_set) hbg_edit_refuse(editing, "nothing is called `%s` here", name);
  for (HbgPart part = 0; part < HBG_PART_COUNT; part++) {
    HbgPartPlace place = {.is_possible = could_be_set && part == HBG_PART_VALUE};
    if (node) place = hbg_part_place(view->tree, node, part);
    parts[part] = (HbgPartText){"", {place.inner.begin, place.inner.end}, place.is_possible};
    if (place.is_there)
      parts[part].text =
          hbg_arena_text(view->arena, view->tree->text + place.inner.begin, place.inner.end - place.inner.begin);
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a machine type from the tree, and what names of states mean in it. */
#include "editor/machine_shape.h"

#include <string.h>

#include "language/lexer.h"

static HbgNodeKind kind_of(const HbgMachineShape *shape, HbgTreeNode node) {
  return hbg_tree_kind(shape->view->tree, node);
}
static HbgTreeNode parent_of(const HbgMachineShape *shape, HbgTreeNode node) {
  return shape->view->tree->nodes[node].parent;
}
static HbgTreeNode first_of(const HbgMachineShape *shape, HbgTreeNode node) {
  return shape->view->tree->nodes[node].first_child;
}
static HbgTreeNode next_of(const HbgMachineShape *shape, HbgTreeNode node) {
  return shape->view->tree->nodes[node].next_sibling;
}

/* ---- where things stand ---- */

bool hbg_shape_is_within(const HbgMachineShape *shape, HbgTreeNode node, HbgTreeNode around) {
  while (node && node != around) node = parent_of(shape, node);
  return around && node == around;
}

HbgTreeNode hbg_shape_region(const HbgMachineShape *shape, HbgTreeNode node) {
  while (node && kind_of(shape, node) != HBG_NODE_REGION && kind_of(shape, node) != HBG_NODE_MACHINE)
    node = parent_of(shape, node);
  return node;
}

/* The names of the states, and regions, between `from` and state `node`. */
static const char *path_from(const HbgMachineShape *shape, HbgTreeNode from, HbgTreeNode node) {
  const char *path = hbg_node_word(shape->view, node);
  for (HbgTreeNode around = parent_of(shape, node); around && around != from; around = parent_of(shape, around))
    if (kind_of(shape, around) == HBG_NODE_STATE || kind_of(shape, around) == HBG_NODE_REGION)
      path = hbg_join(shape->view->arena, hbg_node_word(shape->view, around), ".", path);
  return path;
}

/* ---- names ---- */

static HbgTreeNode region_of_state(const HbgMachineShape *shape, int32_t state) {
  return hbg_shape_region(shape, shape->states[state].owner);
}

static const char *path_in_region(const HbgMachineShape *shape, int32_t state) {
  const HbgShapeState *found = &shape->states[state];
  return found->node ? path_from(shape, region_of_state(shape, state), found->node) : found->name;
}

/* The state of `region` with this whole path, or with this name alone. */
static int32_t find_in_region(const HbgMachineShape *shape, const char *path, HbgTreeNode region, bool by_name) {
  int32_t found = -1;
  for (int32_t i = 0; i < shape->state_count; i++) {
    if (region_of_state(shape, i) != region) continue;
    if (!strcmp(path_in_region(shape, i), path)) return i;
    if (!by_name || strcmp(shape->states[i].name, path) != 0) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

int32_t hbg_shape_find(const HbgMachineShape *shape, const char *path, HbgTreeNode owner) {
  const HbgTreeNode region = hbg_shape_region(shape, owner);
  for (HbgTreeNode block = owner; block != region; block = parent_of(shape, block)) {
    if (kind_of(shape, block) != HBG_NODE_STATE) continue;
    const char *whole = hbg_join(shape->view->arena, path_from(shape, region, block), ".", path);
    const int32_t found = find_in_region(shape, whole, region, false);
    if (found >= 0) return found;
  }
  return find_in_region(shape, path, region, true);
}

int32_t hbg_shape_state(const HbgMachineShape *shape, const char *path) {
  int32_t found = -1;
  for (int32_t i = 0; i < shape->state_count; i++) {
    if (!strcmp(shape->states[i].path, path)) return i;
    if (strcmp(shape->states[i].name, path) != 0) continue;
    found = found == -1 ? i : -2;
  }
  return found < 0 ? -1 : found;
}

const char *hbg_shape_name_in(const HbgMachineShape *shape, int32_t state, HbgTreeNode owner) {
  const char *name = shape->states[state].name;
  return hbg_shape_find(shape, name, owner) == state ? name : path_in_region(shape, state);
}

int32_t hbg_shape_initial(const HbgMachineShape *shape, HbgTreeNode owner, HbgTreeNode without) {
  int32_t first = -1, first_on = -1;
  for (int32_t i = 0; i < shape->state_count; i++) {
    const HbgShapeState *state = &shape->states[i];
    if (state->owner != owner || (without && state->node == without)) continue;
    if (state->is_marked) return i;
    if (first < 0) first = i;
    if (first_on < 0 && state->is_on) first_on = i;
  }
  return first_on >= 0 ? first_on : first;
}

/* ---- reading ---- */

static void push_state(HbgMachineShape *shape, HbgShapeState state) {
  ARENA_PUSH(shape->view->arena, shape->states, shape->state_count, shape->state_capacity) = state;
}

static void read_states(HbgMachineShape *shape, HbgTreeNode owner);

static void read_list(HbgMachineShape *shape, HbgTreeNode owner, HbgTreeNode list) {
  const HbgTree *tree = shape->view->tree;
  const bool is_on = token_is_word(tree, &tree->tokens[tree->nodes[list].token], "on");
  for (HbgTreeNode node = first_of(shape, list); node; node = next_of(shape, node)) {
    if (kind_of(shape, node) != HBG_NODE_STATE) continue;
    push_state(shape, (HbgShapeState){.name = hbg_node_word(shape->view, node),
                                      .path = path_from(shape, shape->node, node),
                                      .node = node,
                                      .list = list,
                                      .owner = owner,
                                      .is_on = is_on,
                                      .is_marked = hbg_names_child(tree, node, HBG_NODE_INITIAL) != 0});
    read_states(shape, node);
  }
}

static bool has_states(const HbgMachineShape *shape, HbgTreeNode owner) {
  for (HbgTreeNode child = first_of(shape, owner); child; child = next_of(shape, child))
    if (kind_of(shape, child) == HBG_NODE_STATE_LIST) return true;
  return false;
}

static void read_states(HbgMachineShape *shape, HbgTreeNode owner) {
  if (kind_of(shape, owner) == HBG_NODE_MACHINE && !has_states(shape, owner)) {
    push_state(shape, (HbgShapeState){.name = "on", .path = "on", .owner = owner, .is_on = true});
    push_state(shape, (HbgShapeState){.name = "off", .path = "off", .owner = owner});
  }
  for (HbgTreeNode child = first_of(shape, owner); child; child = next_of(shape, child)) {
    if (kind_of(shape, child) == HBG_NODE_STATE_LIST) read_list(shape, owner, child);
    if (kind_of(shape, child) == HBG_NODE_REGION) read_states(shape, child);
  }
}

/* The name as it is written, with its points, without blanks. */
static const char *written_path(const HbgMachineShape *shape, HbgTreeNode name) {
  const HbgTree *tree = shape->view->tree;
  HbgText text = hbg_text(shape->view->arena);
  for (int32_t i = tree->nodes[name].first_token; i <= tree->nodes[name].last_token; i++)
    hbg_text_add_bytes(&text, tree->text + tree->tokens[i].span.begin,
                       tree->tokens[i].span.end - tree->tokens[i].span.begin);
  return text.bytes;
}

static void read_transition(HbgMachineShape *shape, HbgTreeNode owner, HbgTreeNode node) {
  const HbgTree *tree = shape->view->tree;
  const HbgTreeNode from = hbg_tree_child(tree, node, 0), to = hbg_tree_child(tree, node, 1);
  HbgShapeTransition made = {.node = node, .owner = owner};
  made.from = hbg_shape_find(shape, written_path(shape, from), owner);
  made.to = hbg_shape_find(shape, written_path(shape, to), owner);
  for (HbgTreeNode child = next_of(shape, to); child; child = next_of(shape, child)) {
    const HbgNodeKind kind = kind_of(shape, child);
    if (kind == HBG_NODE_AFTER)
      made.after = child;
    else if (kind != HBG_NODE_ACTION && kind != HBG_NODE_SEND && kind != HBG_NODE_PRIORITY)
      made.guard = child;
  }
  ARENA_PUSH(shape->view->arena, shape->transitions, shape->transition_count, shape->transition_capacity) = made;
}

static void read_transitions(HbgMachineShape *shape, HbgTreeNode owner, HbgTreeNode below) {
  for (HbgTreeNode child = first_of(shape, below); child; child = next_of(shape, child))
    switch (kind_of(shape, child)) {
      case HBG_NODE_TRANSITION: read_transition(shape, owner, child); break;
      case HBG_NODE_STATE_LIST: read_transitions(shape, owner, child); break;
      case HBG_NODE_STATE:
      case HBG_NODE_REGION: read_transitions(shape, child, child); break;
      default: break;
    }
}

/* ---- finding ---- */

static HbgTreeNode find_type(const HbgView *view, HbgTreeNode owner, const char *name) {
  const HbgTree *tree = view->tree;
  for (HbgTreeNode node = tree->nodes[owner].first_child; node; node = tree->nodes[node].next_sibling)
    if (hbg_tree_kind(tree, node) == HBG_NODE_MACHINE && !strcmp(hbg_node_word(view, node), name)) return node;
  return 0;
}

HbgMachineShape hbg_machine_shape(HbgEditing *editing, const char *name) {
  const HbgView *view = editing->view;
  HbgMachineShape shape = {.view = view};
  if (editing->body) shape.node = find_type(view, editing->body, name);
  if (!shape.node) shape.node = find_type(view, view->tree->root, name);
  if (!shape.node) {
    hbg_edit_refuse(editing, "this text has no machine type `%s`; a type of another file is changed there", name);
    return shape;
  }
  read_states(&shape, shape.node);
  read_transitions(&shape, shape.node, shape.node);
  return shape;
}

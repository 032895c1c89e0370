/* SPDX-License-Identifier: BSD-3-Clause
 * A machine type for people: its states, and its transitions with what they ask. */
#include <string.h>

#include "editor/machine_shape.h"

static const char *bytes_between(const HbgView *view, uint32_t begin, uint32_t end) {
  return begin < end ? hbg_arena_text(view->arena, view->tree->text + begin, end - begin) : "";
}

/* ---- states ---- */

static bool holds_states(const HbgMachineShape *shape, HbgTreeNode node) {
  for (int32_t i = 0; i < shape->state_count; i++)
    if (shape->states[i].node != node && hbg_shape_is_within(shape, shape->states[i].owner, node)) return true;
  return false;
}

static const HbgMachineStateText *list_states(const HbgMachineShape *shape) {
  HbgMachineStateText *list = ARENA_NEW(shape->view->arena, HbgMachineStateText, shape->state_count);
  for (int32_t i = 0; i < shape->state_count; i++) {
    const HbgShapeState *state = &shape->states[i];
    const HbgSpan span = state->node ? hbg_tree_token_span(shape->view->tree, state->node) : (HbgSpan){0, 0};
    list[i] = (HbgMachineStateText){.name = state->path,
                                    .is_on = state->is_on,
                                    .is_initial = hbg_shape_initial(shape, state->owner, 0) == i,
                                    .has_inner = state->node && holds_states(shape, state->node),
                                    .range = {span.begin, span.end}};
  }
  return list;
}

/* ---- what a guard reads ---- */

typedef struct Reading {
  const HbgView *view;
  bool a_priori, a_posteriori;
} Reading;

/* Parameters, constants and variables of the machine do not change at an instant before the machines do. */
static bool varies(const HbgView *view, HbgTreeNode node) {
  const int32_t token = view->tree->nodes[node].token;
  const int32_t name = token < 0 ? -1 : view->names->name_of_token[token];
  if (name >= 0) {
    const HbgNameKind kind = view->names->list[name].kind;
    return kind != HBG_NAME_PARAMETER && kind != HBG_NAME_LOOP_VARIABLE && kind != HBG_NAME_VARIABLE;
  }
  return token < 0 || view->names->role_of_token[token] != HBG_ROLE_CONSTANT ||
         !strcmp(hbg_node_word(view, node), "time");
}

static void read_below(Reading *reading, HbgTreeNode node) {
  const HbgTree *tree = reading->view->tree;
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  if (kind == HBG_NODE_CALL && !strcmp(hbg_node_word(reading->view, node), "pre")) {
    reading->a_priori = true;
    return;
  }
  if (kind == HBG_NODE_IN_STATE) reading->a_posteriori = true;
  if ((kind == HBG_NODE_NAME || kind == HBG_NODE_MEMBER) && varies(reading->view, node)) reading->a_posteriori = true;
  if (kind == HBG_NODE_NAME || kind == HBG_NODE_MEMBER) return;
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling)
    read_below(reading, child);
}

/* ---- transitions ---- */

static uint32_t condition_end(const HbgMachineShape *shape, const HbgShapeTransition *transition) {
  const HbgTree *tree = shape->view->tree;
  const HbgTreeNode last = transition->guard   ? transition->guard
                           : transition->after ? transition->after
                                               : hbg_tree_child(tree, transition->node, 1);
  return hbg_tree_span(tree, last).end;
}

/* From the first token behind the condition on. */
static const char *actions_of(const HbgMachineShape *shape, const HbgShapeTransition *transition) {
  const HbgTree *tree = shape->view->tree;
  const uint32_t end = condition_end(shape, transition);
  for (int32_t i = tree->nodes[transition->node].first_token; i <= tree->nodes[transition->node].last_token; i++)
    if (tree->tokens[i].span.begin >= end)
      return bytes_between(shape->view, tree->tokens[i].span.begin, hbg_tree_span(tree, transition->node).end);
  return "";
}

static const char *state_name(const HbgMachineShape *shape, const HbgShapeTransition *transition, int32_t state,
                              int32_t which) {
  return state >= 0 ? shape->states[state].path
                    : hbg_node_text(shape->view, hbg_tree_child(shape->view->tree, transition->node, which));
}

static HbgMachineTransitionText transition_text(const HbgMachineShape *shape, const HbgShapeTransition *transition) {
  const HbgView *view = shape->view;
  const HbgSpan span = hbg_tree_span(view->tree, transition->node);
  const HbgSpan guard = transition->guard
                            ? hbg_tree_span(view->tree, transition->guard)
                            : (HbgSpan){condition_end(shape, transition), condition_end(shape, transition)};
  Reading reading = {.view = view, .a_posteriori = transition->after != 0};
  if (transition->guard) read_below(&reading, transition->guard);
  return (HbgMachineTransitionText){
      .from = state_name(shape, transition, transition->from, 0),
      .to = state_name(shape, transition, transition->to, 1),
      .after = transition->after ? hbg_node_text(view, hbg_tree_child(view->tree, transition->after, 0)) : "",
      .guard = bytes_between(view, guard.begin, guard.end),
      .actions = actions_of(shape, transition),
      .has_a_priori = reading.a_priori,
      .has_a_posteriori = reading.a_posteriori || !reading.a_priori,
      .range = {span.begin, span.end},
      .guard_range = {guard.begin, guard.end}};
}

static const char *parameters_of(const HbgMachineShape *shape) {
  const HbgTree *tree = shape->view->tree;
  const HbgTreeNode parameters = hbg_names_child(tree, shape->node, HBG_NODE_PARAMETERS);
  if (!parameters || hbg_tree_child_count(tree, parameters) == 0) return "";
  const int32_t first = tree->nodes[parameters].first_token + 1, last = tree->nodes[parameters].last_token - 1;
  return bytes_between(shape->view, tree->tokens[first].span.begin, tree->tokens[last].span.end);
}

void hbg_view_machine(HbgEditing *editing, const char *name, HbgMachineText *machine) {
  const HbgMachineShape shape = hbg_machine_shape(editing, name);
  if (!shape.node) return;
  HbgMachineTransitionText *transitions =
      ARENA_NEW(shape.view->arena, HbgMachineTransitionText, shape.transition_count);
  for (int32_t i = 0; i < shape.transition_count; i++) transitions[i] = transition_text(&shape, &shape.transitions[i]);
  const HbgSpan span = hbg_tree_span(shape.view->tree, shape.node);
  *machine = (HbgMachineText){.name = hbg_node_word(shape.view, shape.node),
                              .parameters = parameters_of(&shape),
                              .states = list_states(&shape),
                              .state_count = shape.state_count,
                              .transitions = transitions,
                              .transition_count = shape.transition_count,
                              .range = {span.begin, span.end}};
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Transitions of a machine type that come, go and change. */
#include <string.h>

#include "editor/machine_shape.h"
#include "editor/parts.h"
#include "language/lexer.h"

typedef struct Edit {
  HbgEditing *editing;
  const HbgMachineShape *shape;
  const HbgMachineEditing *request;
  const HbgShapeTransition *transition;
} Edit;

static const HbgTree *tree_of(const Edit *self) { return self->shape->view->tree; }
static HbgArena *arena_of(const Edit *self) { return self->shape->view->arena; }

/* ---- conditions ---- */

static bool begins_with_word(const char *text, const char *first) {
  const size_t length = strlen(first);
  return !strncmp(text, first, length) && (text[length] == '\0' || strchr(" \t\n(", text[length]));
}

static bool is_whole_condition(const char *text) {
  return begins_with_word(text, "after") || begins_with_word(text, "when");
}

/* One machine with one transition, which has nothing behind its condition. */
static bool fits_condition(const HbgTree *tree, HbgTreeNode statement) {
  const HbgTreeNode transition = hbg_tree_child(tree, statement, 0);
  if (hbg_tree_child_count(tree, statement) != 1 || hbg_tree_kind(tree, transition) != HBG_NODE_TRANSITION)
    return false;
  for (HbgTreeNode child = hbg_tree_child(tree, transition, 2); child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) == HBG_NODE_ACTION || hbg_tree_kind(tree, child) == HBG_NODE_SEND ||
        hbg_tree_kind(tree, child) == HBG_NODE_PRIORITY)
      return false;
  return true;
}

static const char *trimmed(const Edit *self) {
  const char *text = self->request->text + strspn(self->request->text, " \t\r\n");
  size_t length = strlen(text);
  while (length && strchr(" \t\r\n", text[length - 1])) length--;
  return hbg_arena_text(arena_of(self), text, length);
}

/* The condition as it is written, with `when` or `after`; NULL, and a reason, when it is none. */
static const char *condition_of(const Edit *self) {
  const char *text = trimmed(self);
  if (!*text) {
    hbg_edit_refuse(self->editing, "a transition needs a condition, as in `gap <= 0`, or a time, as in `after 2 [s]`");
    return NULL;
  }
  const char *lead = is_whole_condition(text) ? "machine M {\na -> b " : "machine M {\na -> b when ";
  const char *reason = hbg_piece_refusal(self->shape->view, lead, text, "\n}", "one condition", fits_condition);
  if (reason) hbg_edit_refuse(self->editing, "%s", reason);
  return reason ? NULL : text;
}

static void set_guard(const Edit *self) {
  const HbgShapeTransition *transition = self->transition;
  const HbgTree *tree = tree_of(self);
  const char *text = trimmed(self);
  const HbgSpan to = hbg_tree_span(tree, hbg_tree_child(tree, transition->node, 1));
  if (!*text && transition->after) {
    const uint32_t end = hbg_tree_span(tree, transition->after).end;
    if (transition->guard)
      hbg_edit_write(self->editing, (HbgSpan){end, hbg_tree_span(tree, transition->guard).end}, "");
    return;
  }
  text = condition_of(self);
  if (!text) return;
  if (is_whole_condition(text)) {
    const HbgTreeNode first = transition->after ? transition->after : transition->guard,
                      last = transition->guard ? transition->guard : transition->after;
    const uint32_t begin = transition->after ? hbg_tree_span(tree, first).begin
                                             : tree->tokens[tree->nodes[first].first_token - 1].span.begin;
    hbg_edit_write(self->editing, (HbgSpan){begin > to.end ? begin : to.end, hbg_tree_span(tree, last).end}, text);
  } else if (transition->guard) {
    hbg_edit_write(self->editing, hbg_tree_span(tree, transition->guard), text);
  } else {
    hbg_edit_write(self->editing, hbg_edit_at(hbg_tree_span(tree, transition->after).end),
                   hbg_join(arena_of(self), " when ", "", text));
  }
}

/* ---- from and to ---- */

/* Both states, when they are of one machine or region; false, and a reason, otherwise. */
static bool find_ends(const Edit *self, int32_t *from, int32_t *to) {
  const HbgMachineShape *shape = self->shape;
  *from = hbg_shape_state(shape, self->request->state);
  *to = hbg_shape_state(shape, self->request->other);
  const char *missing = *from < 0 ? self->request->state : *to < 0 ? self->request->other : NULL;
  if (missing)
    hbg_edit_refuse(self->editing, "the machine has no state `%s`, or several that are called so", missing);
  else if (hbg_shape_region(shape, shape->states[*from].owner) != hbg_shape_region(shape, shape->states[*to].owner))
    hbg_edit_refuse(self->editing, "`%s` and `%s` are in different regions, which run side by side",
                    self->request->state, self->request->other);
  return !self->editing->reason;
}

/* The innermost braces around both. */
static HbgTreeNode common_owner(const HbgMachineShape *shape, int32_t from, int32_t to) {
  HbgTreeNode owner = shape->states[from].owner;
  while (!hbg_shape_is_within(shape, shape->states[to].owner, owner)) {
    owner = shape->view->tree->nodes[owner].parent;
    if (hbg_tree_kind(shape->view->tree, owner) == HBG_NODE_STATE_LIST) owner = shape->view->tree->nodes[owner].parent;
  }
  return owner;
}

/* The last statement in the braces of `owner`; 0 without. */
static HbgTreeNode last_of(const HbgTree *tree, HbgTreeNode owner) {
  HbgTreeNode last = 0;
  for (HbgTreeNode child = tree->nodes[owner].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_edit_is_statement(tree, child)) last = child;
  return last;
}

static void add_transition(const Edit *self) {
  const HbgMachineShape *shape = self->shape;
  int32_t from, to;
  const char *condition = find_ends(self, &from, &to) ? condition_of(self) : NULL;
  if (!condition) return;
  const HbgTreeNode owner = common_owner(shape, from, to);
  const char *statement =
      hbg_print(arena_of(self), "%s -> %s %s%s", hbg_shape_name_in(shape, from, owner),
                hbg_shape_name_in(shape, to, owner), is_whole_condition(condition) ? "" : "when ", condition);
  HbgTreeNode last = 0;
  for (int32_t i = 0; i < shape->transition_count; i++)
    if (shape->transitions[i].owner == owner) last = shape->transitions[i].node;
  hbg_edit_insert(self->editing, owner, last ? last : last_of(tree_of(self), owner), statement);
}

static void set_ends(const Edit *self) {
  const HbgMachineShape *shape = self->shape;
  const HbgTreeNode owner = self->transition->owner;
  int32_t from, to;
  if (!find_ends(self, &from, &to)) return;
  if (hbg_shape_region(shape, shape->states[from].owner) != hbg_shape_region(shape, owner)) {
    hbg_edit_refuse(self->editing, "the transition stands in another region than `%s`", self->request->state);
    return;
  }
  const HbgTreeNode first = hbg_tree_child(tree_of(self), self->transition->node, 0),
                    second = hbg_tree_child(tree_of(self), self->transition->node, 1);
  if (from != self->transition->from)
    hbg_edit_write(self->editing, hbg_tree_span(tree_of(self), first), hbg_shape_name_in(shape, from, owner));
  if (to != self->transition->to)
    hbg_edit_write(self->editing, hbg_tree_span(tree_of(self), second), hbg_shape_name_in(shape, to, owner));
}

/* ---- order ---- */

/* The next transition up or down in the same braces; NULL without. */
static const HbgShapeTransition *neighbour_of(const Edit *self) {
  const int32_t step = self->request->is_on ? -1 : 1;
  for (int32_t i = self->request->transition + step; i >= 0 && i < self->shape->transition_count; i += step)
    if (self->shape->transitions[i].owner == self->transition->owner) return &self->shape->transitions[i];
  return NULL;
}

/* With the comment behind it, when its line ends there. */
static HbgSpan line_of(const Edit *self, HbgTreeNode node, bool *ends_line) {
  HbgSpan span = hbg_tree_span(tree_of(self), node);
  *ends_line = hbg_edit_ends_line(tree_of(self), span.end);
  if (*ends_line) span.end = hbg_edit_rest_of_line(tree_of(self), span.end);
  return span;
}

static const char *bytes_of(const Edit *self, HbgSpan span) {
  return hbg_arena_text(arena_of(self), tree_of(self)->text + span.begin, span.end - span.begin);
}

static void move_transition(const Edit *self) {
  const HbgShapeTransition *other = neighbour_of(self);
  bool ends_line, other_ends_line;
  if (!other) {
    hbg_edit_refuse(self->editing, "it is the %s transition already", self->request->is_on ? "first" : "last");
    return;
  }
  HbgSpan span = line_of(self, self->transition->node, &ends_line),
          other_span = line_of(self, other->node, &other_ends_line);
  if (!ends_line || !other_ends_line) {
    span = hbg_tree_span(tree_of(self), self->transition->node);
    other_span = hbg_tree_span(tree_of(self), other->node);
  }
  hbg_edit_write(self->editing, span, bytes_of(self, other_span));
  hbg_edit_write(self->editing, other_span, bytes_of(self, span));
}

void hbg_machine_edit_transition(HbgEditing *editing, const HbgMachineShape *shape, const HbgMachineEditing *request) {
  Edit self = {editing, shape, request, NULL};
  if (request->edit == HBG_MACHINE_ADD_TRANSITION) {
    add_transition(&self);
    return;
  }
  if (request->transition < 0 || request->transition >= shape->transition_count) {
    hbg_edit_refuse(editing, "the machine has no transition number %d", (int)request->transition + 1);
    return;
  }
  self.transition = &shape->transitions[request->transition];
  switch (request->edit) {
    case HBG_MACHINE_REMOVE_TRANSITION: hbg_edit_take_away_bare(editing, self.transition->node); break;
    case HBG_MACHINE_SET_GUARD: set_guard(&self); break;
    case HBG_MACHINE_SET_ENDS: set_ends(&self); break;
    case HBG_MACHINE_MOVE_TRANSITION: move_transition(&self); break;
    default: hbg_edit_refuse(editing, "there is no such edit of a machine"); break;
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * States of a machine type that come, go and change. What a machine begins in stays what it was, unless that is what is changed. */
#include <string.h>

#include "editor/machine_shape.h"
#include "language/lexer.h"

typedef struct Edit {
  HbgEditing *editing;
  const HbgMachineShape *shape;
  const HbgMachineEditing *request;
  int32_t at; /* the state that is meant, -1: a new one */
} Edit;

static const HbgTree *tree_of(const Edit *self) { return self->shape->view->tree; }
static const HbgShapeState *state_of(const Edit *self) { return &self->shape->states[self->at]; }
static const char *word(bool is_on) { return is_on ? "on" : "off"; }

/* ---- the mark of the initial state ---- */

static void mark_initial(const Edit *self, int32_t state) {
  const HbgShapeState *marked = &self->shape->states[state];
  if (marked->node && !marked->is_marked)
    hbg_edit_write(self->editing, hbg_edit_at(hbg_tree_token_span(tree_of(self), marked->node).end), " initial");
}

static void unmark(const Edit *self, HbgTreeNode owner) {
  for (int32_t i = 0; i < self->shape->state_count; i++) {
    const HbgShapeState *state = &self->shape->states[i];
    if (state->owner != owner || !state->is_marked) continue;
    const HbgTreeNode mark = hbg_names_child(tree_of(self), state->node, HBG_NODE_INITIAL);
    const int32_t before = tree_of(self)->nodes[mark].first_token - 1;
    const HbgSpan span = hbg_tree_span(tree_of(self), mark);
    const uint32_t end = tree_of(self)->tokens[before].span.end;
    const bool is_near = strspn(tree_of(self)->text + end, " \t") >= span.begin - end;
    hbg_edit_write(self->editing, (HbgSpan){is_near ? end : span.begin, span.end}, "");
  }
}

/* ---- machines that declare no states ---- */

/* They have `on`, which is initial, and `off`: written out, so that they can be changed. A text of NULL is left out. */
static void write_out(const Edit *self, const char *on, const char *off) {
  HbgArena *arena = self->shape->view->arena;
  const char *between = on && off ? (hbg_edit_has_lines(tree_of(self), self->shape->node) ? "\n" : "; ") : "";
  hbg_edit_insert(self->editing, self->shape->node, 0, hbg_join(arena, on ? on : "", between, off ? off : ""));
}

static bool declares_none(const Edit *self) { return self->shape->state_count > 0 && !self->shape->states[0].node; }

/* ---- names ---- */

/* The last name of a path, and the node in whose braces such a state would stand; 0: there is no such place. */
static const char *split_path(const Edit *self, const char *path, HbgTreeNode *owner) {
  const HbgMachineShape *shape = self->shape;
  const char *point = strrchr(path, '.');
  *owner = shape->node;
  if (!point) return path;
  const char *outer = hbg_arena_text(shape->view->arena, path, (size_t)(point - path));
  const int32_t around = hbg_shape_state(shape, outer);
  *owner = around >= 0 ? shape->states[around].node : 0;
  for (int32_t i = 0; i < shape->state_count && !*owner; i++) {
    const HbgShapeState *state = &shape->states[i];
    const size_t length = strlen(outer);
    const bool is_inside =
        !strncmp(state->path, outer, length) && state->path[length] == '.' && !strchr(state->path + length + 1, '.');
    if (is_inside) *owner = state->owner; /* of a region */
  }
  return point + 1;
}

static bool is_free(const Edit *self, const char *name, HbgTreeNode owner) {
  for (int32_t i = 0; i < self->shape->state_count; i++)
    if (self->shape->states[i].owner == owner && !strcmp(self->shape->states[i].name, name)) return false;
  return true;
}

/* `on off` would say two things. */
static bool may_be_called(const Edit *self, const char *name, bool is_on) {
  const char *reason = hbg_name_refusal(self->shape->view, name);
  if (reason)
    hbg_edit_refuse(self->editing, "%s", reason);
  else if (!strcmp(name, word(!is_on)))
    hbg_edit_refuse(self->editing, "a state that is %s cannot be called `%s`", word(is_on), name);
  return !self->editing->reason;
}

/* ---- the edits ---- */

static HbgTreeNode last_list(const Edit *self, HbgTreeNode owner) {
  HbgTreeNode last = 0;
  for (HbgTreeNode child = tree_of(self)->nodes[owner].first_child; child;
       child = tree_of(self)->nodes[child].next_sibling)
    if (hbg_tree_kind(tree_of(self), child) == HBG_NODE_STATE_LIST) last = child;
  return last;
}

/* A new state that is on would be the first of these, and so the initial one. */
static void keep_initial(const Edit *self, HbgTreeNode owner, bool is_on) {
  const int32_t initial = hbg_shape_initial(self->shape, owner, 0);
  if (initial >= 0 && is_on && !self->shape->states[initial].is_on) mark_initial(self, initial);
}

static void add_state(const Edit *self) {
  HbgTreeNode owner;
  const char *name = split_path(self, self->request->state, &owner);
  const bool is_on = self->request->is_on;
  if (!may_be_called(self, name, is_on)) return;
  if (!owner)
    hbg_edit_refuse(self->editing, "there is no state or region around `%s`", self->request->state);
  else if (!is_free(self, name, owner))
    hbg_edit_refuse(self->editing, "there is a state `%s` already", name);
  if (self->editing->reason) return;
  const HbgTreeNode list = last_list(self, owner);
  const char *statement = hbg_join(self->shape->view->arena, word(is_on), " ", name);
  hbg_edit_name(self->editing, self->request->state);
  if (declares_none(self) && owner == self->shape->node) {
    const bool has_lines = hbg_edit_has_lines(tree_of(self), owner);
    write_out(self, "on on initial", hbg_join(self->shape->view->arena, "off off", has_lines ? "\n" : "; ", statement));
    return;
  }
  keep_initial(self, owner, is_on);
  if (list)
    hbg_edit_insert(self->editing, owner, list, statement);
  else if (hbg_edit_opening(tree_of(self), owner) >= 0)
    hbg_edit_insert(self->editing, owner, 0, statement);
  else
    hbg_edit_write(self->editing, hbg_edit_at(hbg_tree_span(tree_of(self), owner).end),
                   hbg_print(self->shape->view->arena, " { %s }", statement));
}

/* ---- away ---- */

static bool names_removed(const Edit *self, HbgTreeNode name, HbgTreeNode owner) {
  const int32_t state = hbg_shape_find(self->shape, hbg_node_text(self->shape->view, name), owner);
  if (state < 0) return false;
  return state == self->at || (state_of(self)->node && self->shape->states[state].node &&
                               hbg_shape_is_within(self->shape, self->shape->states[state].node, state_of(self)->node));
}

/* Transitions from and to it, and what is done when it is entered or left. */
static void remove_uses(const Edit *self, HbgTreeNode owner, HbgTreeNode below) {
  const HbgTree *tree = tree_of(self);
  for (HbgTreeNode child = tree->nodes[below].first_child; child; child = tree->nodes[child].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(tree, child);
    if (kind == HBG_NODE_TRANSITION || kind == HBG_NODE_PASSAGE) {
      const HbgTreeNode first = hbg_tree_child(tree, child, 0),
                        second = kind == HBG_NODE_TRANSITION ? hbg_tree_child(tree, child, 1) : first;
      if (names_removed(self, first, owner) || names_removed(self, second, owner))
        hbg_edit_take_away_bare(self->editing, child);
    } else if (kind == HBG_NODE_STATE_LIST) {
      remove_uses(self, owner, child);
    } else if ((kind == HBG_NODE_STATE || kind == HBG_NODE_REGION) && child != state_of(self)->node) {
      remove_uses(self, child, child);
    }
  }
}

static int32_t first_left(const Edit *self) {
  for (int32_t i = 0; i < self->shape->state_count; i++)
    if (i != self->at && self->shape->states[i].owner == state_of(self)->owner) return i;
  return -1;
}

static void remove_state(const Edit *self) {
  const HbgShapeState *state = state_of(self);
  const int32_t left = first_left(self);
  if (left < 0) {
    hbg_edit_refuse(
        self->editing,
        "`%s` is the last state here: a machine is always in one; remove the machine, or what is around the state",
        state->path);
    return;
  }
  remove_uses(self, self->shape->node, self->shape->node);
  if (declares_none(self)) {
    write_out(self, state->is_on ? NULL : "on on", state->is_on ? "off off" : NULL);
    return;
  }
  const bool was_initial = hbg_shape_initial(self->shape, state->owner, 0) == self->at;
  if (was_initial && (state->is_marked || hbg_shape_initial(self->shape, state->owner, state->node) != left))
    mark_initial(self, left);
  hbg_edit_take_away_bare(self->editing, state->node);
}

/* ---- another name ---- */

/* States of other braces may have the same name: only those that mean this one. */
static bool has_namesake(const Edit *self) {
  for (int32_t i = 0; i < self->shape->state_count; i++)
    if (i != self->at && !strcmp(self->shape->states[i].name, state_of(self)->name)) return true;
  return false;
}

static void rename_default(const Edit *self, const char *name) {
  const HbgShapeState *state = state_of(self);
  HbgArena *arena = self->shape->view->arena;
  write_out(self, state->is_on ? hbg_print(arena, "on %s initial", name) : "on on initial",
            state->is_on ? "off off" : hbg_join(arena, "off ", "", name));
  for (int32_t i = 0; i < self->shape->transition_count; i++) {
    const HbgShapeTransition *transition = &self->shape->transitions[i];
    if (transition->from == self->at)
      hbg_edit_write(self->editing, hbg_tree_span(tree_of(self), hbg_tree_child(tree_of(self), transition->node, 0)),
                     name);
    if (transition->to == self->at)
      hbg_edit_write(self->editing, hbg_tree_span(tree_of(self), hbg_tree_child(tree_of(self), transition->node, 1)),
                     name);
  }
}

static void rename_state(const Edit *self) {
  const HbgShapeState *state = state_of(self);
  const char *name = self->request->text, *reason = NULL;
  if (!strcmp(name, state->name) || !may_be_called(self, name, state->is_on)) return;
  if (!is_free(self, name, state->owner))
    hbg_edit_refuse(self->editing, "there is a state `%s` already", name);
  else if (has_namesake(self))
    hbg_edit_refuse(self->editing, "several states of this machine are called `%s`; give it another name in the text",
                    state->name);
  if (self->editing->reason) return;
  hbg_edit_name(self->editing, name);
  if (!state->node) {
    rename_default(self, name);
    return;
  }
  const HbgTextChanges *changes =
      hbg_view_rename(self->shape->view, hbg_tree_token_span(tree_of(self), state->node).begin, name, &reason);
  if (!changes) hbg_edit_refuse(self->editing, "%s", reason);
  for (int32_t i = 0; changes && i < changes->count; i++)
    hbg_edit_replace(self->editing, changes->list[i].span, changes->list[i].text);
}

/* ---- initial, on and off ---- */

static void set_initial(const Edit *self) {
  const HbgShapeState *state = state_of(self);
  if (hbg_shape_initial(self->shape, state->owner, 0) == self->at) return;
  if (!state->node) {
    write_out(self, "on on", "off off initial");
    return;
  }
  unmark(self, state->owner);
  mark_initial(self, self->at);
}

static int32_t states_in_list(const Edit *self, HbgTreeNode list) {
  int32_t count = 0;
  for (int32_t i = 0; i < self->shape->state_count; i++) count += self->shape->states[i].list == list;
  return count;
}

/* Which state would the block begin in, were this one of the other type, and stood behind its list? */
static bool would_begin_elsewhere(const Edit *self, int32_t initial) {
  const HbgMachineShape *shape = self->shape;
  if (shape->states[initial].is_marked) return false;
  int32_t first_on = -1;
  for (int32_t i = 0; i < shape->state_count && first_on < 0; i++)
    if (shape->states[i].owner == state_of(self)->owner &&
        (i == self->at ? self->request->is_on : shape->states[i].is_on))
      first_on = i;
  return first_on != initial;
}

static const char *text_with_mark(const Edit *self, bool is_initial) {
  const HbgView *view = self->shape->view;
  const HbgTreeNode node = state_of(self)->node;
  if (!is_initial || state_of(self)->is_marked) return hbg_node_text(view, node);
  const HbgSpan span = hbg_tree_span(view->tree, node), name = hbg_tree_token_span(view->tree, node);
  const char *rest = hbg_arena_text(view->arena, view->tree->text + name.end, span.end - name.end);
  return hbg_print(view->arena, "%s initial%s", state_of(self)->name, rest);
}

static void set_on(const Edit *self) {
  const HbgShapeState *state = state_of(self);
  const bool is_on = self->request->is_on;
  if (state->is_on == is_on) return;
  if (!strcmp(state->name, word(!is_on))) {
    hbg_edit_refuse(self->editing, "a state that is %s cannot be called `%s`: give it another name first", word(is_on),
                    state->name);
    return;
  }
  const int32_t initial = hbg_shape_initial(self->shape, state->owner, 0);
  const bool must_mark = would_begin_elsewhere(self, initial);
  const bool is_alone = states_in_list(self, state->list) == 1;
  if (must_mark && (initial != self->at || is_alone)) mark_initial(self, initial);
  if (is_alone) {
    hbg_edit_write(self->editing, hbg_tree_token_span(tree_of(self), state->list), word(is_on));
    return;
  }
  hbg_edit_take_away_bare(self->editing, state->node);
  const char *text = text_with_mark(self, must_mark && initial == self->at);
  hbg_edit_insert(self->editing, state->owner, state->list, hbg_join(self->shape->view->arena, word(is_on), " ", text));
}

void hbg_machine_edit_state(HbgEditing *editing, const HbgMachineShape *shape, const HbgMachineEditing *request) {
  Edit self = {editing, shape, request, hbg_shape_state(shape, request->state)};
  if (request->edit == HBG_MACHINE_ADD_STATE) {
    add_state(&self);
    return;
  }
  if (self.at < 0) {
    hbg_edit_refuse(editing, "the machine has no state `%s`, or several that are called so", request->state);
    return;
  }
  switch (request->edit) {
    case HBG_MACHINE_REMOVE_STATE: remove_state(&self); break;
    case HBG_MACHINE_RENAME_STATE: rename_state(&self); break;
    case HBG_MACHINE_SET_INITIAL: set_initial(&self); break;
    default: set_on(&self); break;
  }
}

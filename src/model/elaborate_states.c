/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the states of a machine type, which may hold others. What a machine can be in are the innermost ones; they are
 * numbered so that those inside of one state stand side by side. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* Where statements are read: in the braces of a declared state, -1 of the machine or region itself. */
typedef struct Block {
  HbgElaborator *elaborator;
  HbgTypeDeclaration *type;
  int32_t inside;
} Block;

static void read_block(const Block *self, HbgTreeNode owner);

static bool is_inside(const HbgTypeDeclaration *type, int32_t state, int32_t parent) {
  return type->declared[state].parent == parent;
}

static int32_t find_sibling(const HbgTypeDeclaration *type, const char *name, int32_t parent) {
  for (int32_t i = 0; i < type->declared_count; i++)
    if (is_inside(type, i, parent) && !strcmp(type->declared[i].name, name)) return i;
  return -1;
}

/* ---- names ---- */

int32_t hbg_state_find(const HbgTypeDeclaration *type, const char *path) {
  int32_t found = -1;
  for (int32_t i = 0; i < type->declared_count; i++) {
    if (!strcmp(type->declared[i].path, path)) return i;
    if (strcmp(type->declared[i].name, path) != 0) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

const char *hbg_state_path(const HbgTree *tree, HbgTreeNode name, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  for (int32_t i = tree->nodes[name].first_token; i <= tree->nodes[name].last_token; i++)
    hbg_text_add_bytes(&text, tree->text + tree->tokens[i].span.begin,
                       tree->tokens[i].span.end - tree->tokens[i].span.begin);
  return text.bytes;
}

static int32_t find_from(const HbgTypeDeclaration *type, const char *path, int32_t inside, HbgArena *arena) {
  for (int32_t block = inside;; block = type->declared[block].parent) {
    const char *whole = block < 0 ? path : hbg_print(arena, "%s.%s", type->declared[block].path, path);
    for (int32_t i = 0; i < type->declared_count; i++)
      if (!strcmp(type->declared[i].path, whole)) return i;
    if (block < 0) return hbg_state_find(type, path);
  }
}

int32_t hbg_elaborate_state_named(HbgElaborator *elaborator, const HbgTypeDeclaration *type, HbgTreeNode name, int32_t inside) {
  const HbgTree *tree = tree_of(type->frame);
  const char *path = hbg_state_path(tree, name, elaborator->arena);
  const int32_t found = find_from(type, path, inside, elaborator->arena);
  if (found >= 0) return found;
  if (!hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_UNKNOWN_STATE, hbg_tree_span(tree, name),
                             "the machine type '%s' has no state '%s'", type->name, path))
    return -1;
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < type->declared_count; i++) hbg_text_add(&text, "%s%s", i ? ", " : "", type->declared[i].path);
  HELP(elaborator, "its states are: %s", text.bytes);
  return -1;
}

/* ---- reading ---- */

static int32_t initial_sibling(const HbgTypeDeclaration *type, int32_t parent) {
  for (int32_t i = 0; i < type->declared_count; i++)
    if (is_inside(type, i, parent) && type->declared[i].is_initial) return i;
  return -1;
}

static void check_name(const Block *self, HbgSpan span, const char *name, bool is_on) {
  if (!strcmp(name, is_on ? "off" : "on") &&
      hbg_elaborator_report(self->elaborator, NULL, HBG_DIAGNOSTIC_RESERVED_NAME, span,
                            "a state of type %s cannot be called '%s'", is_on ? "on" : "off", name))
    HELP(self->elaborator, "write: %s %s", name, name);
}

static bool is_second_initial(const Block *self, HbgSpan span) {
  const int32_t first = initial_sibling(self->type, self->inside);
  if (first < 0) return false;
  const char *place = self->inside < 0 ? "a machine" : hbg_print(self->elaborator->arena, "'%s'", self->type->declared[self->inside].path);
  if (hbg_elaborator_report(self->elaborator, NULL, HBG_DIAGNOSTIC_TWO_INITIAL, span,
                            "%s begins in one state, but '%s' is initial already", place, self->type->declared[first].name))
    HELP(self->elaborator, "take `initial` away from one of them");
  return true;
}

static void add_state(const Block *self, HbgTreeNode node, bool is_on) {
  HbgElaborator *elaborator = self->elaborator;
  HbgTypeDeclaration *type = self->type;
  const HbgTree *tree = tree_of(type->frame);
  const char *name = hbg_elaborate_word(elaborator, tree, node);
  const HbgSpan span = hbg_tree_token_span(tree, node);
  if (find_sibling(type, name, self->inside) >= 0) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME, span,
                              "the machine type '%s' has a state '%s' already", type->name, name))
      HELP(elaborator, "give one of them another name");
    return;
  }
  check_name(self, span, name, is_on);
  const HbgStateDeclaration *outer = self->inside < 0 ? NULL : &type->declared[self->inside];
  HbgStateDeclaration state = {.name = name, .span = span, .parent = self->inside, .is_on = is_on};
  state.path = outer ? hbg_print(elaborator->arena, "%s.%s", outer->path, name) : name;
  state.depth = outer ? outer->depth + 1 : 1;
  const HbgTreeNode initial = hbg_tree_find(tree, node, HBG_NODE_INITIAL);
  state.is_initial = initial && !is_second_initial(self, hbg_tree_span(tree, initial));
  state.keeps_history = hbg_tree_find(tree, node, HBG_NODE_HISTORY) != 0;
  const Block block = {elaborator, type, type->declared_count};
  ARENA_PUSH(elaborator->arena, type->declared, type->declared_count, type->declared_capacity) = state;
  read_block(&block, node);
}

static void add_variables(const Block *self, HbgTreeNode list) {
  const HbgTree *tree = tree_of(self->type->frame);
  for (HbgTreeNode variable = tree_first(tree, list); variable; variable = tree_next(tree, variable))
    if (hbg_tree_kind(tree, variable) == HBG_NODE_VARIABLE)
      ARENA_PUSH(self->elaborator->arena, self->type->variables, self->type->variable_count, self->type->variable_capacity) =
          variable;
}

/* A region is a type of its own, behind all others. */
static void add_region(const Block *self, HbgTreeNode region) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgTypeDeclaration *type = self->type;
  const char *name = hbg_tree_word(tree_of(type->frame), region, elaborator->arena);
  ARENA_PUSH(elaborator->arena, elaborator->regions, elaborator->region_count, elaborator->region_capacity) =
      (HbgTypeDeclaration){.name = hbg_print(elaborator->arena, "%s.%s", type->name, name), .node = region,
                           .frame = type->frame, .is_used = true, .owner = (int32_t)(type - elaborator->types),
                           .owner_state = self->inside};
}

static void read_block(const Block *self, HbgTreeNode owner) {
  const HbgTree *tree = tree_of(self->type->frame);
  for (HbgTreeNode child = tree_first(tree, owner); child; child = tree_next(tree, child)) {
    switch (hbg_tree_kind(tree, child)) {
      case HBG_NODE_STATE_LIST:
        for (HbgTreeNode state = tree_first(tree, child); state; state = tree_next(tree, state))
          if (hbg_tree_kind(tree, state) == HBG_NODE_STATE) add_state(self, state, hbg_tree_is_word(tree, child, "on"));
        break;
      case HBG_NODE_VARIABLE_LIST: add_variables(self, child); break;
      case HBG_NODE_REGION: add_region(self, child); break;
      default: break;
    }
  }
}

/* ---- numbering ---- */

/* HYBRSIM begins with junctions that are on. */
static int32_t find_initial(const HbgTypeDeclaration *type, int32_t parent) {
  const int32_t marked = initial_sibling(type, parent);
  if (marked >= 0) return type->declared[marked].initial;
  int32_t first = -1;
  for (int32_t i = 0; i < type->declared_count; i++) {
    if (!is_inside(type, i, parent)) continue;
    if (type->declared[i].is_on) return type->declared[i].initial;
    if (first < 0) first = type->declared[i].initial;
  }
  return first;
}

/* Gives the innermost states inside of `parent` their numbers, in the order of the text. */
static void number_states(HbgElaborator *elaborator, HbgTypeDeclaration *type, int32_t parent) {
  for (int32_t i = 0; i < type->declared_count; i++) {
    if (!is_inside(type, i, parent)) continue;
    HbgStateDeclaration *state = &type->declared[i];
    state->first = type->state_count;
    number_states(elaborator, type, i);
    state->has_parts = type->state_count > state->first;
    if (!state->has_parts)
      ARENA_PUSH(elaborator->arena, type->states, type->state_count, type->state_capacity) =
          (HbgMachineState){state->path, state->is_on};
    state->last = type->state_count - 1;
    state->initial = state->has_parts ? find_initial(type, i) : state->first;
  }
}

static void add_default_states(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  const HbgSpan span = hbg_tree_token_span(tree_of(type->frame), type->node);
  ARENA_PUSH(elaborator->arena, type->declared, type->declared_count, type->declared_capacity) =
      (HbgStateDeclaration){.name = "on", .path = "on", .span = span, .parent = -1, .depth = 1, .is_on = true};
  ARENA_PUSH(elaborator->arena, type->declared, type->declared_count, type->declared_capacity) =
      (HbgStateDeclaration){.name = "off", .path = "off", .span = span, .parent = -1, .depth = 1};
}

/* A region inside of a state is nowhere while that state is left. */
static void add_absence(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  if (type->owner >= 0 && type->owner_state >= 0)
    ARENA_PUSH(elaborator->arena, type->states, type->state_count, type->state_capacity) = (HbgMachineState){"none", false};
}

void hbg_elaborate_states(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  read_block(&(Block){elaborator, type, -1}, type->node);
  if (!type->declared_count) add_default_states(elaborator, type);
  add_absence(elaborator, type);
  number_states(elaborator, type, -1);
  type->initial = find_initial(type, -1);
}

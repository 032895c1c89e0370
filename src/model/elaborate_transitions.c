/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the transitions of a machine type, from states of the text to states the machine can be in. Those that leave one state
 * are ordered: a smaller priority first, then outer states before the ones inside, then the text. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- reading ---- */

typedef struct Reader {
  HbgElaborator *elaborator;
  HbgTypeDeclaration *type;
} Reader;

static const char *text_of(const Reader *self, HbgTreeNode after, HbgTreeNode guard) {
  const HbgTree *tree = tree_of(self->type->frame);
  HbgArena *arena = self->elaborator->arena;
  const char *condition = guard ? hbg_tree_folded(tree, guard, arena) : NULL;
  if (!after) return condition;
  const char *time = hbg_tree_folded(tree, after, arena);
  return condition ? hbg_print(arena, "%s when %s", time, condition) : time;
}

/* Transitions without a priority come behind all others. */
static double priority_of(const Reader *self, HbgTreeNode transition) {
  const HbgTree *tree = tree_of(self->type->frame);
  const HbgTreeNode priority = hbg_tree_find(tree, transition, HBG_NODE_PRIORITY);
  const HbgTreeNode value = priority ? hbg_tree_first_expression(tree, priority) : 0;
  const HbgPlace place = place_in(self->elaborator, self->type->frame, "a priority");
  double number = (double)INFINITY;
  if (value) hbg_elaborate_constant(self->elaborator, &place, value, &number);
  return number;
}

static void read_transition(const Reader *self, HbgTreeNode node, int32_t inside) {
  HbgElaborator *elaborator = self->elaborator;
  HbgTypeDeclaration *type = self->type;
  const HbgTree *tree = tree_of(type->frame);
  const HbgTreeNode from = hbg_tree_find(tree, node, HBG_NODE_STATE_NAME);
  HbgTreeNode to = from ? tree_next(tree, from) : 0;
  while (to && hbg_tree_kind(tree, to) != HBG_NODE_STATE_NAME) to = tree_next(tree, to);
  HbgTransitionDeclaration made = {.node = node, .guard = hbg_tree_first_expression(tree, node),
                                   .after = hbg_tree_find(tree, node, HBG_NODE_AFTER)};
  if (!to || (!made.guard && !made.after)) return;
  made.from = hbg_elaborate_state_named(elaborator, type, from, inside);
  made.to = hbg_elaborate_state_named(elaborator, type, to, inside);
  made.priority = priority_of(self, node);
  made.text = text_of(self, made.after, made.guard);
  made.span = hbg_tree_span(tree, made.after ? made.after : made.guard);
  if (made.after && made.guard) made.span.end = hbg_tree_span(tree, made.guard).end;
  if (made.from < 0 || made.to < 0) return;
  ARENA_PUSH(elaborator->arena, type->written, type->written_count, type->written_capacity) = made;
}

static void read_passage(const Reader *self, HbgTreeNode node, int32_t inside) {
  HbgTypeDeclaration *type = self->type;
  const HbgTree *tree = tree_of(type->frame);
  const HbgTreeNode name = hbg_tree_find(tree, node, HBG_NODE_STATE_NAME);
  const int32_t state = name ? hbg_elaborate_state_named(self->elaborator, type, name, inside) : -1;
  if (state >= 0)
    ARENA_PUSH(self->elaborator->arena, type->passages, type->passage_count, type->passage_capacity) =
        (HbgPassage){node, state, hbg_tree_is_word(tree, node, "enter")};
}

/* The state that a STATE node declares in the block of `inside`; the first of two of one name. */
static int32_t declared_by(const Reader *self, HbgTreeNode node, int32_t inside) {
  const HbgTypeDeclaration *type = self->type;
  for (int32_t i = 0; i < type->declared_count; i++)
    if (type->declared[i].parent == inside && hbg_tree_is_word(tree_of(type->frame), node, type->declared[i].name)) return i;
  return -1;
}

static void read_block(const Reader *self, HbgTreeNode owner, int32_t inside) {
  const HbgTree *tree = tree_of(self->type->frame);
  for (HbgTreeNode child = tree_first(tree, owner); child; child = tree_next(tree, child)) {
    switch (hbg_tree_kind(tree, child)) {
      case HBG_NODE_STATE_LIST:
        for (HbgTreeNode state = tree_first(tree, child); state; state = tree_next(tree, state))
          if (hbg_tree_kind(tree, state) == HBG_NODE_STATE) read_block(self, state, declared_by(self, state, inside));
        break;
      case HBG_NODE_TRANSITION: read_transition(self, child, inside); break;
      case HBG_NODE_PASSAGE: read_passage(self, child, inside); break;
      default: break;
    }
  }
}

/* ---- between states of the machine ---- */

static bool holds(const HbgStateDeclaration *declared, int32_t state) {
  return declared->first <= state && state <= declared->last;
}

/* How deep the innermost state lies that holds `from` and, strictly inside, the declared state `to`: it is not left. */
static int32_t kept_depth(const HbgTypeDeclaration *type, int32_t from, int32_t to) {
  int32_t outer = type->declared[to].parent;
  while (outer >= 0 && !holds(&type->declared[outer], from)) outer = type->declared[outer].parent;
  return outer < 0 ? 0 : type->declared[outer].depth;
}

static void add(const Reader *self, const HbgFlatTransition *made) {
  ARENA_PUSH(self->elaborator->arena, self->type->transitions, self->type->transition_count, self->type->transition_capacity) = *made;
}

/* Into a state that remembers: to whichever of the states inside was the last. */
static void add_to(const Reader *self, HbgFlatTransition made, int32_t to) {
  const HbgStateDeclaration *target = &self->type->declared[to];
  made.to = target->initial;
  made.remembering = -1;
  if (!target->has_parts || !target->keeps_history) {
    add(self, &made);
    return;
  }
  made.remembering = to;
  for (made.to = target->first; made.to <= target->last; made.to++) add(self, &made);
}

/* What leaves one state of the machine, in order. */
typedef struct Leaving {
  const HbgTypeDeclaration *type;
  int32_t *list, count;
} Leaving;

static bool comes_before(const HbgTypeDeclaration *type, int32_t a, int32_t b) {
  const HbgTransitionDeclaration *first = &type->written[a], *second = &type->written[b];
  if (first->priority < second->priority || first->priority > second->priority) return first->priority < second->priority;
  return type->declared[first->from].depth < type->declared[second->from].depth;
}

/* By insertion, which keeps the order of the text. */
static void insert(Leaving *self, int32_t written) {
  int32_t at = self->count++;
  for (; at > 0 && comes_before(self->type, written, self->list[at - 1]); at--) self->list[at] = self->list[at - 1];
  self->list[at] = written;
}

static void flatten_state(const Reader *self, int32_t from, int32_t *work) {
  const HbgTypeDeclaration *type = self->type;
  Leaving leaving = {type, work, 0};
  for (int32_t i = 0; i < type->written_count; i++)
    if (holds(&type->declared[type->written[i].from], from)) insert(&leaving, i);
  for (int32_t i = 0; i < leaving.count; i++) {
    const int32_t to = type->written[leaving.list[i]].to;
    add_to(self, (HbgFlatTransition){.written = leaving.list[i], .from = from, .kept_depth = kept_depth(type, from, to)}, to);
  }
}

void hbg_elaborate_transitions(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  const Reader self = {elaborator, type};
  read_block(&self, type->node, -1);
  int32_t *work = ARENA_NEW(elaborator->arena, int32_t, type->written_count);
  for (int32_t state = 0; state < type->state_count; state++) flatten_state(&self, state, work);
}

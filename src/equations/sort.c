/* SPDX-License-Identifier: BSD-3-Clause
 * A depth-first search over the definitions (Tarjan's order of leaving); a definition that is reached while it is being
 * worked on closes a loop and becomes an unknown. Starting at the resistors that were given their causality freely puts
 * the tears where causality left them open, one for each such choice (van Dijk and Breedveld 1991). */
#include "equations/sort.h"

#include <string.h>

enum { NOT_SEEN, IN_WORK, DONE };

typedef struct Frame {
  int32_t variable, next, first, end; /* its dependencies are list[first .. end) */
} Frame;

typedef struct Sorter {
  HbgDefinitions *definitions;
  HbgExprPool *pool;
  HbgArena *scratch; /* all lists lie there */
  HbgExpr *value;
  uint8_t *state;
  int32_t *dependencies;
  int32_t dependency_count, dependency_capacity;
  Frame *stack;
  int32_t depth, stack_capacity;
} Sorter;

/* The variable of the definitions a leaf stands for. */
static int32_t variable_of_leaf(const HbgExprNode *node, bool is_area) {
  if (!is_area) return hbg_variable_of(node);
  return hbg_is_slot(node, HBG_SLOT_AREA) ? node->index : -1;
}

static HbgExpr unknown_leaf(const Sorter *self, int32_t unknown) {
  return hbg_slot(self->pool, self->definitions->is_area ? HBG_SLOT_AREA_UNKNOWN : HBG_SLOT_UNKNOWN, unknown);
}

static HbgExpr collect(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Sorter *self = user;
  const int32_t variable = variable_of_leaf(hbg_expr_node(pool, leaf), self->definitions->is_area);
  if (variable >= 0)
    ARENA_PUSH(self->scratch, self->dependencies, self->dependency_count, self->dependency_capacity) = variable;
  return 0;
}

static void push(Sorter *self, int32_t variable) {
  self->state[variable] = IN_WORK;
  Frame frame = {.variable = variable, .first = self->dependency_count};
  hbg_expr_replace(self->pool, self->definitions->definition[variable], collect, self);
  frame.next = frame.first;
  frame.end = self->dependency_count;
  ARENA_PUSH(self->scratch, self->stack, self->depth, self->stack_capacity) = frame;
}

static void tear(Sorter *self, int32_t variable) {
  HbgDefinitions *set = self->definitions;
  if (set->unknown_of[variable] >= 0) return;
  set->unknown_of[variable] = set->unknown_count;
  ARENA_PUSH(self->scratch, set->unknowns, set->unknown_count, set->unknown_capacity) =
      (HbgUnknown){variable, -1, HBG_UNKNOWN_LOOP, 0};
  self->value[variable] = unknown_leaf(self, set->unknown_of[variable]);
}

typedef struct Resolution {
  const HbgExpr *value;
  bool is_area;
} Resolution;

static HbgExpr resolve_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const Resolution *resolution = user;
  const int32_t variable = variable_of_leaf(hbg_expr_node(pool, leaf), resolution->is_area);
  return variable < 0 ? 0 : resolution->value[variable];
}

static HbgExpr resolve(HbgExprPool *pool, const HbgExpr *value, bool is_area, HbgExpr expr) {
  Resolution resolution = {value, is_area};
  return hbg_expr_replace(pool, expr, resolve_leaf, &resolution);
}

static void leave(Sorter *self, const Frame *frame) {
  HbgDefinitions *set = self->definitions;
  const int32_t variable = frame->variable, unknown = set->unknown_of[variable];
  const HbgExpr value = resolve(self->pool, self->value, set->is_area, set->definition[variable]);
  if (unknown < 0) self->value[variable] = value;
  else set->unknowns[unknown].residual = hbg_expr_binary(self->pool, HBG_OP_SUB, value, self->value[variable]);
  self->state[variable] = DONE;
}

static void visit(Sorter *self, int32_t root) {
  if (self->state[root] != NOT_SEEN) return;
  push(self, root);
  while (self->depth) {
    Frame *frame = &self->stack[self->depth - 1];
    if (frame->next == frame->end) {
      const Frame done = *frame;
      self->depth--;
      self->dependency_count = done.first;
      leave(self, &done);
      continue;
    }
    const int32_t variable = self->dependencies[frame->next++];
    if (self->state[variable] == NOT_SEEN) push(self, variable);
    else if (self->state[variable] == IN_WORK) tear(self, variable);
  }
}

/* The unknowns that the definitions have themselves: known from the start, as leaves. */
static void settle_unknowns(Sorter *self) {
  for (int32_t unknown = 0; unknown < self->definitions->unknown_count; unknown++) {
    const int32_t variable = self->definitions->unknowns[unknown].variable;
    self->value[variable] = unknown_leaf(self, unknown);
    self->state[variable] = DONE;
  }
}

HbgSorted hbg_sort(HbgDefinitions *definitions, int32_t variable_count, const int32_t *first, int32_t first_count,
                   HbgExprPool *pool, HbgArena *arena, HbgArena *scratch) {
  Sorter self = {.definitions = definitions,
                 .pool = pool,
                 .scratch = scratch,
                 .value = ARENA_NEW(arena, HbgExpr, variable_count),
                 .state = ARENA_NEW(scratch, uint8_t, variable_count)};
  settle_unknowns(&self);
  const int32_t own_count = definitions->unknown_count;
  for (int32_t at = 0; at < first_count; at++) visit(&self, first[at]);
  for (int32_t variable = 0; variable < variable_count; variable++) visit(&self, variable);
  for (int32_t unknown = 0; unknown < own_count; unknown++) {
    HbgUnknown *own = &definitions->unknowns[unknown];
    own->residual = resolve(pool, self.value, definitions->is_area, own->residual);
  }
  for (int32_t at = 0; at < definitions->condition_count; at++)
    definitions->conditions[at] = resolve(pool, self.value, definitions->is_area, definitions->conditions[at]);
  return (HbgSorted){.value = self.value,
                     .unknowns = hbg_arena_copy(arena, definitions->unknowns, definitions->unknown_count, sizeof *definitions->unknowns),
                     .unknown_count = definitions->unknown_count,
                     .conditions = hbg_arena_copy(arena, definitions->conditions, definitions->condition_count, sizeof *definitions->conditions),
                     .condition_nodes = hbg_arena_copy(arena, definitions->condition_nodes, definitions->condition_count, sizeof *definitions->condition_nodes),
                     .condition_count = definitions->condition_count,
                     .is_area = definitions->is_area};
}

HbgExpr hbg_sorted_expr(const HbgSorted *sorted, HbgExprPool *pool, HbgExpr expr) {
  return resolve(pool, sorted->value, sorted->is_area, expr);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/initial_pattern.h"

/* A condition, and an unknown that moves it. */
typedef struct Pair {
  int32_t unknown, condition;
} Pair;

typedef struct Reader {
  HbgSim *sim;
  HbgArena *arena;
  int32_t *unknown_of; /* per state; -1 */
  int32_t *seen;       /* per unknown: the condition that has read it last, plus one */
  int32_t condition;
  Pair *pairs; int32_t count, capacity;
} Reader;

static void read_state(Reader *self, int32_t state) {
  const int32_t unknown = self->unknown_of[state];
  if (unknown < 0 || self->seen[unknown] == self->condition + 1) return;
  self->seen[unknown] = self->condition + 1;
  ARENA_PUSH(self->arena, self->pairs, self->count, self->capacity) = (Pair){unknown, self->condition};
}

static void read_island(Reader *self, const HbgIsland *island) {
  const int32_t own = island->is_hanging ? self->sim->model->nodes[island->element].state : -1;
  if (own >= 0) read_state(self, own);
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++) read_state(self, island->binding.states[at]);
}

/* What hangs receives the balance of others. */
static void read_bond(Reader *self, int32_t bond) {
  const HbgDeliveries *deliveries = &self->sim->cuts.deliveries;
  const HbgIsland *island = self->sim->island_of[bond];
  read_island(self, island);
  if (!island->is_hanging || island->delivery < 0) return;
  for (int32_t at = deliveries->start[island->delivery]; at < deliveries->start[island->delivery + 1]; at++)
    read_island(self, self->sim->island_of[deliveries->variable[at] / 2]);
}

static bool read_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Reader *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(node);
  if (node->op == HBG_OP_STATE) read_state(self, node->index);
  if (variable >= 0) read_bond(self, variable / 2);
  return true;
}

static void read_conditions(Reader *self) {
  HbgSim *sim = self->sim;
  for (self->condition = 0; self->condition < sim->model->condition_count; self->condition++) {
    hbg_expr_visit(&sim->laws.pool, sim->model->conditions[self->condition].left, read_leaf, self);
    hbg_expr_visit(&sim->laws.pool, sim->model->conditions[self->condition].right, read_leaf, self);
  }
}

/* Pairs lie in the order of their conditions, and stay so. */
static void list_by_unknown(const Reader *self, int32_t count, HbgInitialPattern *pattern, HbgArena *arena) {
  pattern->start = ARENA_NEW(arena, int32_t, count + 1);
  pattern->conditions = ARENA_NEW(arena, int32_t, self->count);
  int32_t *next = ARENA_NEW(arena, int32_t, count);
  for (int32_t at = 0; at < self->count; at++) pattern->start[self->pairs[at].unknown + 1]++;
  for (int32_t unknown = 0; unknown < count; unknown++) {
    pattern->start[unknown + 1] += pattern->start[unknown];
    next[unknown] = pattern->start[unknown];
  }
  for (int32_t at = 0; at < self->count; at++) pattern->conditions[next[self->pairs[at].unknown]++] = self->pairs[at].condition;
}

/* Pairs of one condition, as chains. */
typedef struct Chains {
  int32_t *first; /* (condition_count) */
  int32_t *next;  /* (pairs) */
} Chains;

static Chains chains_of(const Reader *self, HbgArena *arena) {
  const Chains chains = {hbg_arena_indices(arena, self->sim->model->condition_count), ARENA_NEW(arena, int32_t, self->count)};
  for (int32_t pair = 0; pair < self->count; pair++) {
    chains.next[pair] = chains.first[self->pairs[pair].condition];
    chains.first[self->pairs[pair].condition] = pair;
  }
  return chains;
}

/* The first group in which nothing moves a condition that the unknown moves. `taken` (groups): the unknown, plus one, that the group has last been refused to. */
static int32_t find_group(const Reader *self, const HbgInitialPattern *pattern, const Chains *chains, int32_t unknown, const int32_t *group_of, int32_t *taken) {
  for (int32_t at = pattern->start[unknown]; at < pattern->start[unknown + 1]; at++)
    for (int32_t pair = chains->first[pattern->conditions[at]]; pair >= 0; pair = chains->next[pair]) {
      const int32_t other = group_of[self->pairs[pair].unknown];
      if (other >= 0) taken[other] = unknown + 1;
    }
  int32_t free = 0;
  while (taken[free] == unknown + 1) free++;
  return free;
}

static void make_groups(const Reader *self, int32_t count, HbgInitialPattern *pattern, HbgArena *arena) {
  const Chains chains = chains_of(self, arena);
  int32_t *group_of = hbg_arena_indices(arena, count), *taken = ARENA_NEW(arena, int32_t, count + 1);
  for (int32_t unknown = 0; unknown < count; unknown++) {
    group_of[unknown] = find_group(self, pattern, &chains, unknown, group_of, taken);
    if (group_of[unknown] == pattern->group_count) pattern->group_count++;
  }
  pattern->group_start = ARENA_NEW(arena, int32_t, pattern->group_count + 1);
  pattern->members = ARENA_NEW(arena, int32_t, count);
  int32_t *next = ARENA_NEW(arena, int32_t, pattern->group_count);
  for (int32_t unknown = 0; unknown < count; unknown++) pattern->group_start[group_of[unknown] + 1]++;
  for (int32_t at = 0; at < pattern->group_count; at++) {
    pattern->group_start[at + 1] += pattern->group_start[at];
    next[at] = pattern->group_start[at];
  }
  for (int32_t unknown = 0; unknown < count; unknown++) pattern->members[next[group_of[unknown]]++] = unknown;
}

HbgInitialPattern hbg_initial_pattern(HbgSim *sim, const int32_t *unknowns, int32_t count, HbgArena *arena) {
  HbgInitialPattern pattern = {0};
  Reader reader = {.sim = sim, .arena = arena, .unknown_of = hbg_arena_indices(arena, sim->model->state_count), .seen = ARENA_NEW(arena, int32_t, count)};
  for (int32_t unknown = 0; unknown < count; unknown++) reader.unknown_of[unknowns[unknown]] = unknown;
  read_conditions(&reader);
  list_by_unknown(&reader, count, &pattern, arena);
  make_groups(&reader, count, &pattern, arena);
  return pattern;
}

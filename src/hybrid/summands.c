/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/summands.h"

#include <string.h>

#include "base/forest.h"
#include "equations/slot.h"

enum { MOST_TOGETHER = 4 }; /* parts that are as well off in one integral */

/* A term of a sum: `factor` times an expression. */
typedef struct Term {
  HbgExpr expr;
  double factor;
} Term;

typedef struct Terms {
  Term *list;
  int32_t count, capacity;
} Terms;

typedef struct ExprList {
  HbgExpr *list;
  int32_t count, capacity;
} ExprList;

typedef struct Maker {
  const HbgFlatModel *model;
  HbgExprPool *pool;
  HbgArena *arena;
  uint8_t *is_read; /* by something else than columns, or not to be touched (state_count) */
  Terms open, terms; /* what is still to be taken apart; and the terms of the sum at hand */
  int32_t *parent;   /* of bonds, and of states behind them: by which part of the model they belong to (bond_count + state_count) */
  int32_t reader;    /* one that reads another thing is of its part; -1: none so far */
  int32_t *group;    /* of each part that has a term of the sum at hand, its place in `sums`, and one more */
  ExprList sums;     /* of the sum at hand, part by part */
} Maker;

/* ---- sums ---- */

static void add(Maker *self, Terms *to, HbgExpr expr, double factor) { ARENA_PUSH(self->arena, to->list, to->count, to->capacity) = (Term){expr, factor}; }

/* One level less; false: it is no sum. */
static bool take_apart(Maker *self, Term term) {
  const HbgExprNode node = *hbg_expr_node(self->pool, term.expr);
  switch (node.op) {
    case HBG_OP_ADD:
    case HBG_OP_SUB:
      add(self, &self->open, node.b, node.op == HBG_OP_ADD ? term.factor : -term.factor);
      add(self, &self->open, node.a, term.factor);
      return true;
    case HBG_OP_NEG: add(self, &self->open, node.a, -term.factor); return true;
    case HBG_OP_MUL:
      if (!hbg_expr_is_constant(self->pool, node.a)) return false;
      add(self, &self->open, node.b, term.factor * hbg_expr_node(self->pool, node.a)->value);
      return true;
    default: return false;
  }
}

/* From left to right. Sums may be as long as there are parts: nothing calls itself here. False: it is short, or has more terms than there are expressions, as sums that double
 * each other may. */
static bool find_terms(Maker *self, HbgExpr sum) {
  self->open.count = self->terms.count = 0;
  add(self, &self->open, sum, 1);
  while (self->open.count && self->terms.count <= self->pool->count) {
    const Term term = self->open.list[--self->open.count];
    if (!take_apart(self, term)) add(self, &self->terms, term.expr, term.factor);
  }
  return !self->open.count && self->terms.count > MOST_TOGETHER;
}

static HbgExpr written(HbgExprPool *pool, Term term) {
  if (term.factor >= 1 && term.factor <= 1) return term.expr;
  return hbg_expr_binary(pool, HBG_OP_MUL, hbg_expr_constant(pool, term.factor), term.expr);
}

/* ---- who reads integrals ---- */

static bool note_state(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_STATE) ((Maker *)user)->is_read[node->index] = 1;
  return true;
}

static void read(Maker *self, HbgExpr expr) {
  if (expr) hbg_expr_visit(self->pool, expr, note_state, self);
}

static void read_machine(Maker *self, const HbgMachine *machine) {
  for (int32_t at = 0; at < machine->transition_count; at++) {
    read(self, machine->transitions[at].guard);
    for (int32_t action = 0; action < machine->transitions[at].action_count; action++) read(self, machine->transitions[at].actions[action].value);
  }
}

static void note_readers(Maker *self) {
  const HbgFlatModel *model = self->model;
  for (int32_t at = 0; at < model->node_count; at++) read(self, model->nodes[at].law);
  for (int32_t at = 0; at < model->state_count; at++) {
    read(self, model->states[at].input);
    if (model->states[at].node >= 0 || model->states[at].is_unknown) self->is_read[at] = 1;
  }
  for (int32_t at = 0; at < model->machine_count; at++) read_machine(self, &model->machines[at]);
  for (int32_t at = 0; at < model->timer_count; at++) read(self, model->timers[at].duration);
  for (int32_t at = 0; at < model->update_count; at++) read(self, model->updates[at].value);
  for (int32_t at = 0; at < model->delay_count; at++) {
    read(self, model->delays[at].input);
    read(self, model->delays[at].before);
  }
  for (int32_t at = 0; at < model->condition_count; at++) {
    read(self, model->conditions[at].left);
    read(self, model->conditions[at].right);
  }
}

/* ---- parts ---- */

static bool read_thing(HbgExprPool *pool, HbgExpr expr, void *user) {
  Maker *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(node);
  const int32_t thing = variable >= 0 ? variable / 2 : node->op == HBG_OP_STATE ? self->model->bond_count + node->index : -1;
  if (thing >= 0 && self->reader >= 0) hbg_forest_join(self->parent, self->reader, thing);
  if (thing >= 0) self->reader = thing;
  return true;
}

/* Answers one of all that `expr` and `reader` are about, which are of one part from now on; -1: nothing. */
static int32_t read_together(Maker *self, int32_t reader, HbgExpr expr) {
  self->reader = reader;
  if (expr) hbg_expr_visit(self->pool, expr, read_thing, self);
  return self->reader;
}

/* What an ideal source imposes parts those who share it. */
static bool is_rail(const HbgFlatModel *model, int32_t junction) {
  const HbgNode *node = &model->nodes[junction];
  if (!hbg_is_junction(node) || node->machine >= 0) return false;
  for (int32_t port = 0; port < node->port_count; port++) {
    const HbgElementKind other = model->nodes[hbg_other_end(model, hbg_port(model, node, port)->bond, junction)].kind;
    if (other == (node->kind == HBG_ELEMENT_ZERO ? HBG_ELEMENT_SE : HBG_ELEMENT_SF)) return true;
  }
  return false;
}

static void find_parts(Maker *self) {
  const HbgFlatModel *model = self->model;
  const int32_t count = model->bond_count + model->state_count;
  self->parent = ARENA_NEW(self->arena, int32_t, count);
  self->group = ARENA_NEW(self->arena, int32_t, count);
  for (int32_t thing = 0; thing < count; thing++) self->parent[thing] = thing;
  for (int32_t at = 0; at < model->node_count; at++) {
    const HbgNode *node = &model->nodes[at];
    if (!node->port_count || is_rail(model, at)) continue;
    const int32_t first = hbg_port(model, node, 0)->bond;
    for (int32_t port = 1; port < node->port_count; port++) hbg_forest_join(self->parent, first, hbg_port(model, node, port)->bond);
    if (node->state >= 0) hbg_forest_join(self->parent, first, model->bond_count + node->state);
    read_together(self, first, node->law);
  }
  for (int32_t state = 0; state < model->state_count; state++)
    if (self->is_read[state] && model->states[state].node < 0) read_together(self, model->bond_count + state, model->states[state].input);
}

/* What a term is about; what is about nothing goes with the first. */
static int32_t part_of(Maker *self, HbgExpr term) {
  const int32_t thing = read_together(self, -1, term);
  return thing < 0 ? -1 : hbg_forest_root(self->parent, thing);
}

static void add_to(Maker *self, int32_t place, Term term) {
  const HbgExpr own = written(self->pool, term);
  if (place < self->sums.count) self->sums.list[place] = hbg_expr_binary(self->pool, HBG_OP_ADD, self->sums.list[place], own);
  else ARENA_PUSH(self->arena, self->sums.list, self->sums.count, self->sums.capacity) = own;
}

/* The terms at hand, part by part, in the order of the first of each. */
static void sum_by_parts(Maker *self) {
  for (int32_t at = 0; at < self->terms.count; at++) part_of(self, self->terms.list[at].expr); // what one term is about is one part
  self->sums.count = 0;
  for (int32_t at = 0; at < self->terms.count; at++) {
    const int32_t part = part_of(self, self->terms.list[at].expr);
    if (part < 0) continue;
    if (!self->group[part]) self->group[part] = self->sums.count + 1;
    add_to(self, self->group[part] - 1, self->terms.list[at]);
  }
  for (int32_t at = 0; at < self->terms.count; at++) {
    const int32_t part = part_of(self, self->terms.list[at].expr);
    if (part < 0) add_to(self, 0, self->terms.list[at]);
    else self->group[part] = 0;
  }
}

/* ---- making ---- */

static bool has_long_sum(Maker *self) {
  const HbgFlatModel *model = self->model;
  for (int32_t state = model->state_count - 1; state >= 0 && model->states[state].node < 0; state--) // integrators are last
    if (find_terms(self, model->states[state].input)) return true;
  return false;
}

/* Of each state the sums of all its parts but the first, behind those of the states before it; `first`: that one, 0 where it stays as it is. */
static void find_all(Maker *self, HbgSummands *summands, ExprList *others, HbgExpr *first) {
  for (int32_t state = 0; state < summands->own; state++) {
    summands->first[state] = summands->own + others->count;
    if (self->is_read[state] || !find_terms(self, self->model->states[state].input)) continue;
    sum_by_parts(self);
    if (self->sums.count <= MOST_TOGETHER) continue;
    first[state] = self->sums.list[0];
    for (int32_t at = 1; at < self->sums.count; at++) ARENA_PUSH(self->arena, others->list, others->count, others->capacity) = self->sums.list[at];
  }
  summands->first[summands->own] = summands->own + others->count;
  summands->count = others->count;
}

static void write_states(Maker *self, const HbgSummands *summands, const ExprList *others, const HbgExpr *first, HbgState *states) {
  memcpy(states, self->model->states, (size_t)summands->own * sizeof *states);
  for (int32_t state = 0; state < summands->own; state++) {
    if (!first[state]) continue;
    states[state].input = first[state];
    for (int32_t other = summands->first[state]; other < summands->first[state + 1]; other++) {
      states[other] = states[state];
      states[other].start = 0;
      states[other].input = others->list[other - summands->own];
    }
  }
}

const HbgFlatModel *hbg_summands_apart(const HbgFlatModel *model, HbgSummands *summands, HbgArena *arena) {
  *summands = (HbgSummands){.own = model->state_count};
  HbgFlatModel *extended = ARENA_NEW(arena, HbgFlatModel, 1);
  *extended = *model;
  Maker self = {.model = model, .pool = &extended->pool, .arena = arena};
  if (!has_long_sum(&self)) return model;
  extended->pool = hbg_expr_pool_copy(&model->pool, arena);
  self.is_read = ARENA_NEW(arena, uint8_t, model->state_count);
  note_readers(&self);
  find_parts(&self);
  ExprList others = {0};
  HbgExpr *first = ARENA_NEW(arena, HbgExpr, model->state_count);
  summands->first = ARENA_NEW(arena, int32_t, model->state_count + 1);
  find_all(&self, summands, &others, first);
  if (!summands->count) return model;
  extended->state_count += summands->count;
  extended->states = ARENA_NEW(arena, HbgState, extended->state_count);
  write_states(&self, summands, &others, first, extended->states);
  return extended;
}

/* ---- reading ---- */

static HbgExpr sum_up(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgSummands *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  if (node.op != HBG_OP_STATE || self->first[node.index] == self->first[node.index + 1]) return 0;
  HbgExpr sum = leaf;
  for (int32_t other = self->first[node.index]; other < self->first[node.index + 1]; other++)
    sum = hbg_expr_binary(pool, HBG_OP_ADD, sum, hbg_expr_leaf(pool, HBG_OP_STATE, other, 0));
  return sum;
}

HbgExpr hbg_summands_read(const HbgSummands *summands, HbgExprPool *pool, HbgExpr expr) {
  return summands->count ? hbg_expr_replace(pool, expr, sum_up, (void *)(uintptr_t)summands) : expr;
}

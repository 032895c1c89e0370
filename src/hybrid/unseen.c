/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/unseen.h"

#include "hybrid/kindred.h"

enum { READS_TIME = 1, IS_GUARDED = 2, HIDES = 4 };

typedef struct Maker {
  HbgLaws *laws;
  HbgKindred families;
  uint8_t *what; /* of each family (count) */
  bool reads_time;
} Maker;

bool hbg_unseen_is_any(const HbgLaws *laws, const HbgGuards *guards) {
  return guards->may_oscillate || laws->branch_on_time || (guards->count && laws->read_time);
}

/* A law that reads what an integrator holds may need how fast that changes. */
static bool note_time(HbgExprPool *pool, HbgExpr expr, void *user) {
  Maker *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (node.op == HBG_OP_TIME) self->reads_time = true;
  if (node.op != HBG_OP_STATE || self->laws->model->states[node.index].node >= 0) return !self->reads_time;
  self->reads_time = self->reads_time || hbg_expr_depends(pool, self->laws->model->states[node.index].input, hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0));
  return false;
}

static uint8_t of_law(Maker *self, HbgExpr law) {
  self->reads_time = false;
  hbg_expr_visit(&self->laws->pool, law, note_time, self);
  return (uint8_t)((self->reads_time ? READS_TIME : 0) | (hbg_law_branches_on_time(&self->laws->pool, law) ? HIDES : 0));
}

static void note_laws(Maker *self) {
  const HbgFlatModel *model = self->laws->model;
  for (int32_t at = 0; at < model->node_count; at++) {
    const HbgNode *node = &model->nodes[at];
    if (node->law && node->port_count) self->what[self->families.of_bond[hbg_port(model, node, 0)->bond]] |= of_law(self, node->law);
  }
  for (int32_t state = 0; state < model->state_count; state++) {
    const HbgExpr input = model->states[state].input;
    if (input && hbg_law_branches_on_time(&self->laws->pool, input)) self->what[self->families.of_state[state]] |= HIDES;
  }
}

static void note_guards(Maker *self, const HbgGuards *guards) {
  for (int32_t at = 0; at < guards->count; at++)
    self->what[self->families.of_machine[guards->list[at].machine]] |= (uint8_t)(IS_GUARDED | (guards->list[at].may_oscillate ? HIDES : 0));
}

const uint8_t *hbg_unseen(const HbgFlatModel *model, HbgLaws *laws, const HbgGuards *guards, HbgArena *arena, HbgArena *scratch) {
  uint8_t *of_state = ARENA_FULL(arena, uint8_t, model->state_count);
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Maker self = {.laws = laws, .families = hbg_kindred(model, laws, scratch)};
  self.what = ARENA_NEW(scratch, uint8_t, self.families.count);
  note_laws(&self);
  note_guards(&self, guards);
  for (int32_t state = 0; state < model->state_count; state++) {
    const uint8_t what = self.what[self.families.of_state[state]];
    const bool hides = (what & HIDES) || (what & (READS_TIME | IS_GUARDED)) == (READS_TIME | IS_GUARDED);
    of_state[state] = (uint8_t)((hides ? HBG_UNSEEN_HIDES : 0) | (what & READS_TIME ? HBG_UNSEEN_FOLLOWS_TIME : 0));
  }
  hbg_arena_rewind(scratch, mark);
  return of_state;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The slopes of a guard that is no sum of states, by each thing that it reads. */
#include "hybrid/watch_parts.h"

typedef struct Slopes {
  const HbgProgram *program;
  HbgExpr *list; /* of one difference, by the inputs of the program */
} Slopes;

static void take(HbgExprPool *pool, HbgExpr leaf, HbgExpr slope, void *user) {
  const Slopes *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  for (int32_t at = 0; at < self->program->input_count; at++) {
    const HbgProgramInput *input = &self->program->inputs[at];
    const bool moves = hbg_moves(&input->leaf) || input->leaf.op == HBG_OP_TIME;
    if (moves && !input->is_pre && input->leaf.op == node->op && input->leaf.index == node->index) self->list[at] = slope;
  }
}

static HbgProbe *make(HbgSim *sim, const HbgConjunction *guard, const HbgProgram *program) {
  HbgExprPool *pool = &sim->laws.pool;
  const int32_t inputs = program->input_count, count = guard->difference_count * inputs;
  HbgExpr *slopes = ARENA_NEW(&sim->scratch, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) slopes[at] = hbg_expr_constant(pool, 0);
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const HbgExpr difference = hbg_expr_binary(pool, HBG_OP_SUB, guard->sides[2 * which], guard->sides[2 * which + 1]);
    hbg_expr_gradient(pool, difference, &sim->scratch, take, &(Slopes){program, &slopes[which * inputs]});
  }
  HbgProbe *made = ARENA_NEW(&sim->local->arena, HbgProbe, 1);
  *made = hbg_probe(sim->model, pool, slopes, count, &sim->local->arena);
  return made;
}

HbgProbe *hbg_watch_slopes(HbgSim *sim, int32_t number) {
  HbgWatch *watch = &sim->local->watches.list[number];
  if (!watch->is_made) hbg_watch_make(sim, &sim->guards.list[number], watch);
  if (!watch->differences) return NULL;
  if (!watch->slopes) watch->slopes = make(sim, &sim->guards.list[number], &watch->differences->program);
  return watch->slopes;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/inputs.h"

#include "hybrid/sim.h"
#include "model/profile.h"

/* The leaves of one input, and its slopes as expressions. */
typedef struct Maker {
  HbgInputs *made;
  HbgArena *arena;
  const bool *is_piece; /* of the variables of the model (variable_count) */
  int32_t integrator, read_end, slope_end;
  HbgExpr *exprs; int32_t expr_capacity; /* beside made->slopes */
} Maker;

static bool as_leaf(const HbgExprNode *node, HbgInputLeaf *leaf) {
  const int32_t variable = hbg_variable_of(node);
  *leaf = (HbgInputLeaf){node->op == HBG_OP_STATE, variable < 0 ? node->index : variable};
  return leaf->is_state || variable >= 0;
}

/* In continuous time an a priori value is the value itself. */
static HbgExpr read_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Maker *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  HbgInputLeaf leaf;
  if (as_leaf(node, &leaf))
    ARENA_PUSH(self->arena, self->made->reads, self->read_end, self->made->read_capacity) = leaf;
  if (node->op == HBG_OP_TICK || node->op == HBG_OP_IN_STATE || node->op == HBG_OP_IS_ON ||
      (node->op == HBG_OP_VARIABLE && !self->is_piece[node->index]))
    self->made->reads_mode[self->integrator] = 1;
  if (node->op == HBG_OP_VARIABLE && self->is_piece[node->index]) self->made->reads_piece[self->integrator] = 1;
  return 0;
}

static HbgExpr drop_a_priori(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  return node->op == HBG_OP_PRE ? node->a : 0;
}

static void take_slope(HbgExprPool *pool, HbgExpr expr, HbgExpr slope, void *user) {
  Maker *self = user;
  HbgInputLeaf leaf;
  if (!as_leaf(hbg_expr_node(pool, expr), &leaf)) return;
  int32_t beside = self->slope_end;
  ARENA_PUSH(self->arena, self->exprs, beside, self->expr_capacity) = slope;
  ARENA_PUSH(self->arena, self->made->slopes, self->slope_end, self->made->slope_capacity) = leaf;
}

static bool is_state_or_variable(const HbgExprNode *leaf, void *user) {
  (void)user;
  HbgInputLeaf read;
  return as_leaf(leaf, &read);
}

/* Most integrators add up a state, an effort or a flow. */
static bool is_leaf_alone(const HbgExprPool *pool, HbgExpr input) {
  HbgInputLeaf leaf;
  return as_leaf(hbg_expr_node(pool, input), &leaf);
}

static void take_leaf(Maker *self, HbgExprPool *pool, HbgExpr leaf) {
  read_leaf(pool, leaf, self);
  take_slope(pool, leaf, hbg_expr_constant(pool, 1), self);
}

static void take_whole(Maker *self, HbgExprPool *pool, HbgExpr whole, HbgArena *scratch) {
  const HbgExpr input = hbg_expr_replace(pool, whole, drop_a_priori, NULL);
  hbg_expr_replace(pool, input, read_leaf, self);
  hbg_expr_gradient(pool, input, scratch, take_slope, self);
  if (!hbg_expr_is_affine(pool, input, is_state_or_variable, NULL)) self->made->are_affine = false;
}

HbgInputs hbg_inputs(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *inputs, int32_t count, HbgArena *arena,
                     HbgArena *scratch) {
  HbgInputs made = {.count = count,
                    .read_start = ARENA_NEW(arena, int32_t, count + 1),
                    .slope_start = ARENA_NEW(arena, int32_t, count + 1),
                    .reads_mode = ARENA_NEW(arena, uint8_t, count),
                    .reads_piece = ARENA_NEW(arena, uint8_t, count)};
  Maker self = {.made = &made, .arena = arena, .is_piece = hbg_profile_list_pieces(model, scratch)};
  made.are_affine = true;
  for (self.integrator = 0; self.integrator < count; self.integrator++) {
    if (is_leaf_alone(pool, inputs[self.integrator])) take_leaf(&self, pool, inputs[self.integrator]);
    else take_whole(&self, pool, inputs[self.integrator], scratch);
    made.read_start[self.integrator + 1] = self.read_end;
    made.slope_start[self.integrator + 1] = self.slope_end;
  }
  made.probe = hbg_probe(model, pool, self.exprs, self.slope_end, arena);
  if (made.probe.program.input_count) made.are_affine = false;
  return made;
}

const HbgInputs *hbg_inputs_of(HbgSim *sim) {
  if (sim->input_slopes) return sim->input_slopes;
  const int32_t count = sim->model->state_count - sim->first_integrator;
  HbgExpr *exprs = ARENA_NEW(sim->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) exprs[at] = sim->model->states[sim->first_integrator + at].input;
  sim->input_slopes = ARENA_NEW(sim->arena, HbgInputs, 1);
  *sim->input_slopes = hbg_inputs(sim->model, &sim->laws.pool, exprs, count, sim->arena, &sim->scratch);
  return sim->input_slopes;
}

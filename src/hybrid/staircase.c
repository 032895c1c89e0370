/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/staircase.h"

#include "hybrid/law_jump.h"

static const double PI = 3.14159265358979323846;
static const double BEHIND = 1e-12; /* of a step */

struct HbgStaircaseWave {
  HbgExpr wave, behind;
};

bool hbg_has_steps(HbgOperation op) { return op == HBG_OP_FLOOR || op == HBG_OP_CEIL || op == HBG_OP_MOD; }

static bool is_read(HbgOperation op) { return op == HBG_OP_STATE || op == HBG_OP_EFFORT || op == HBG_OP_FLOW; }

HbgStaircase hbg_staircase(const HbgExprPool *pool, HbgArena *arena) {
  uint8_t *varies = hbg_arena_enlarge(arena, NULL, 0, pool->count, sizeof *varies);
  bool any = false;
  for (HbgExpr expr = 1; expr < pool->count; expr++) {
    const HbgExprNode *node = hbg_expr_node(pool, expr);
    varies[expr] = is_read(node->op) || (!hbg_law_stops_at(node->op) && (varies[node->a] || varies[node->b] || varies[node->c]));
    any = any || (hbg_has_steps(node->op) && varies[node->a]);
  }
  return (HbgStaircase){.arena = arena, .varies = any ? varies : NULL};
}

/* `parity` plus the even number that is nearest to x - parity - 1/2: that of the step, up to half a step beyond its ends. */
static HbgExpr step(HbgExprPool *pool, HbgExpr x, double parity) {
  const HbgExpr two = hbg_expr_constant(pool, 2);
  const HbgExpr half = hbg_expr_binary(pool, HBG_OP_DIV, hbg_expr_binary(pool, HBG_OP_ADD, x, hbg_expr_constant(pool, 0.5 - parity)), two);
  return hbg_expr_binary(pool, HBG_OP_ADD, hbg_expr_binary(pool, HBG_OP_MUL, two, hbg_expr_unary(pool, HBG_OP_FLOOR, half)), hbg_expr_constant(pool, parity));
}

static HbgExpr wave_of(HbgExprPool *pool, HbgExpr x) {
  return hbg_expr_unary(pool, HBG_OP_SIN, hbg_expr_binary(pool, HBG_OP_MUL, hbg_expr_constant(pool, PI), x));
}

static HbgExpr lower(HbgStaircase *self, HbgExprPool *pool, HbgExpr x) {
  const HbgStaircaseWave own = {wave_of(pool, x), wave_of(pool, hbg_expr_binary(pool, HBG_OP_ADD, x, hbg_expr_constant(pool, BEHIND)))};
  const HbgExpr is_even = hbg_expr_binary(pool, HBG_OP_GREATER_EQUAL, own.wave, hbg_expr_constant(pool, 0));
  ARENA_PUSH(self->arena, self->waves, self->count, self->capacity) = own;
  return hbg_expr_select(pool, is_even, step(pool, x, 0), step(pool, x, 1));
}

static HbgExpr enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  (void)user;
  return !hbg_operation_info[op].arguments || hbg_law_stops_at(op) ? expr : 0;
}

static HbgExpr leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  HbgStaircase *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_has_steps(node.op) || !self->varies[node.a]) return hbg_expr_rebuild(pool, expr, memo, NULL);
  const HbgExpr x = memo[node.a];
  if (node.op == HBG_OP_FLOOR) return lower(self, pool, x);
  if (node.op == HBG_OP_CEIL) return hbg_expr_unary(pool, HBG_OP_NEG, lower(self, pool, hbg_expr_unary(pool, HBG_OP_NEG, x)));
  const HbgExpr y = memo[node.b];
  return hbg_expr_binary(pool, HBG_OP_SUB, x, hbg_expr_binary(pool, HBG_OP_MUL, y, lower(self, pool, hbg_expr_binary(pool, HBG_OP_DIV, x, y))));
}

HbgExpr hbg_staircase_read(HbgStaircase *self, HbgExprPool *pool, HbgExpr expr) {
  return self->varies ? hbg_expr_walk(pool, expr, &(HbgWalk){enter, leave, self}) : expr;
}

HbgExpr hbg_staircase_start(const HbgStaircase *self, HbgExpr wave) {
  for (int32_t at = 0; at < self->count; at++)
    if (self->waves[at].wave == wave) return self->waves[at].behind;
  return 0;
}

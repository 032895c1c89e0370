/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: how far the time is in a period, and in which, as numbers: mod(time, T), floor(time/T). What a modulator holds a signal against, or a staircase
 * follows, is a straight line, or stands still, between instants that are known beforehand. It becomes that, beside what is held from one tick of a clock to
 * the next: mod(time, T) = time - (when the last period began). So its jumps are met and not searched, and closed forms go up to them. */
#include <math.h>

#include "base/numbers.h"
#include "base/text.h"
#include "model/elaborator.h"
#include "model/expression_build.h"

typedef struct Carriers {
  HbgElaborator *elaborator;
  HbgExpr *made;  /* of each expression that there was before; 0: not met yet */
  int32_t count;  /* of these */
} Carriers;

/* A line over the time, and what it is counted in. */
typedef struct Line {
  double slope, rest, modulus;
} Line;

/* ---- clocks ---- */

/* Ticks where the line is a multiple of its modulus. False: there is no such clock. */
static bool find_clock(const Line *line, HbgClock *clock) {
  const double period = line->modulus / fabs(line->slope), begin = -line->rest / line->slope, offset = begin - period * floor(begin / period);
  if (!isfinite(period) || !(period > 0) || !isfinite(offset)) return false;
  *clock = (HbgClock){.offset = offset < period ? offset : 0, .period = period, .late = -1};
  return true;
}

/* A variable that becomes `value` at each tick. */
static HbgExpr hold(HbgElaborator *elaborator, HbgClock clock, double start, HbgExpr value) {
  HbgFlatModel *model = elaborator->model;
  clock.name = hbg_elaborate_clock_name(elaborator, clock.period, clock.offset);
  const int32_t variable = hbg_elaborate_add_variable(elaborator, (HbgVariable){.name = clock.name, .start = start});
  ARENA_PUSH(elaborator->arena, model->updates, model->update_count, elaborator->update_capacity) =
      (HbgUpdate){.variable = variable, .clock = hbg_elaborate_add_clock(elaborator, clock), .value = value};
  return hbg_expr_leaf(elaborator->pool, HBG_OP_VARIABLE, variable, 0);
}

/* ---- what is exchanged ---- */

/* How far the line is from the multiple below it. */
static HbgExpr remainder_of(HbgElaborator *elaborator, const Line *line) {
  HbgExprPool *pool = elaborator->pool;
  HbgClock clock;
  if (!find_clock(line, &clock)) return 0;
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  const HbgExpr begun = hold(elaborator, clock, clock.offset > 0 ? clock.offset - clock.period : 0, time);
  const HbgExpr way = MUL(NUMBER(line->slope), SUB(time, begun));
  return line->slope > 0 ? way : ADD(NUMBER(line->modulus), way);
}

/* How many times the modulus, which is 1, goes into the line. At a tick that is told by what comes behind it. */
static HbgExpr count_of(HbgElaborator *elaborator, const Line *line) {
  HbgExprPool *pool = elaborator->pool;
  HbgClock clock;
  if (!find_clock(line, &clock)) return 0;
  const HbgExpr there = ADD(MUL(NUMBER(line->slope), hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0)), NUMBER(line->rest));
  return hold(elaborator, clock, floor(line->rest), FUNCTION(FLOOR, ADD(there, NUMBER(line->slope > 0 ? 0.5 : -0.5))));
}

static bool is_line(const HbgElaborator *elaborator, HbgExpr expr, Line *line) {
  return hbg_elaborate_is_affine(elaborator, expr, &line->slope, &line->rest) && !hbg_is_zero(line->slope);
}

static bool is_modulus(const HbgElaborator *elaborator, HbgExpr expr, Line *line) {
  double slope;
  return hbg_elaborate_is_affine(elaborator, expr, &slope, &line->modulus) && hbg_is_zero(slope) && line->modulus > 0;
}

/* What stands for `expr` from now on; 0: it is no such thing. */
static HbgExpr carrier_of(HbgElaborator *elaborator, HbgExpr expr) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  Line line = {.modulus = 1};
  if (!is_line(elaborator, node.a, &line)) return 0;
  if (node.op == HBG_OP_FLOOR) return count_of(elaborator, &line);
  if (node.op == HBG_OP_MOD) return is_modulus(elaborator, node.b, &line) ? remainder_of(elaborator, &line) : 0;
  const HbgExpr below = count_of(elaborator, &(Line){-line.slope, -line.rest, 1});
  return below ? FUNCTION(NEG, below) : 0;
}

static bool may_be_carrier(HbgOperation op) { return op == HBG_OP_MOD || op == HBG_OP_FLOOR || op == HBG_OP_CEIL; }

static HbgExpr enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  Carriers *self = user;
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  if (hbg_is_leaf(op)) return expr;
  if (!may_be_carrier(op) || expr >= self->count) return 0;
  if (!self->made[expr]) self->made[expr] = carrier_of(self->elaborator, expr);
  return self->made[expr];
}

/* ---- where they stand ---- */

static void exchange(Carriers *self, HbgExpr *expr) {
  if (*expr) *expr = hbg_expr_walk(self->elaborator->pool, *expr, &(HbgWalk){enter, hbg_expr_rebuild, self});
}

/* Whatever is followed between instants. What is read at single ones is as good as it is. */
static void exchange_all(Carriers *self) {
  HbgElaborator *elaborator = self->elaborator;
  HbgFlatModel *model = elaborator->model;
  for (int32_t at = 0; at < elaborator->signal_count; at++) exchange(self, &elaborator->signals[at].expr);
  for (int32_t at = 0; at < model->signal_count; at++) exchange(self, &model->signals[at].expr);
  for (int32_t at = 0; at < model->node_count; at++) exchange(self, &model->nodes[at].law);
  for (int32_t at = 0; at < model->state_count; at++) exchange(self, &model->states[at].input);
  for (int32_t at = 0; at < model->delay_count; at++) exchange(self, &model->delays[at].input);
  for (int32_t at = 0; at < model->machine_count; at++)
    for (int32_t which = 0; which < model->machines[at].transition_count; which++)
      exchange(self, &model->machines[at].transitions[which].guard);
}

static bool are_any(const HbgElaborator *elaborator) {
  Line line;
  for (HbgExpr expr = 1; expr < elaborator->pool->count; expr++) {
    const HbgExprNode *node = hbg_expr_node(elaborator->pool, expr);
    if (may_be_carrier(node->op) && is_line(elaborator, node->a, &line)) return true;
  }
  return false;
}

void hbg_elaborate_carriers(HbgElaborator *elaborator) {
  if (elaborator->diagnostics->error_count || !are_any(elaborator)) return;
  Carriers self = {.elaborator = elaborator, .count = elaborator->pool->count};
  self.made = ARENA_NEW(elaborator->arena, HbgExpr, self.count);
  exchange_all(&self);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_guards.h"

#include <math.h>

#define TIE 1e-7 /* sides of a comparison closer than this, relative to their sizes, are too close to call */
#define ROUND_OFF_AREA 1e-13 /* an area below this part of the largest is none */
#define CERTAIN_AREA 1e-8    /* above this part it is one */

/* A signal: its value, its impulse, and what makes them uncertain. */
typedef struct Pair {
  double value, area, size;
  OracleDoubt doubt;
} Pair;

static Pair number(double value) { return (Pair){.value = value, .size = fabs(value)}; }

/* What is this small beside the rest of its kind is round-off; what is near that could be either. */
static void take_area(OracleSides *sides, Pair *pair, double area) {
  const double part = fabs(area) / fmax(sides->area_scale, 1e-300);
  if (part > ROUND_OFF_AREA && part < CERTAIN_AREA) pair->doubt = ORACLE_DOUBT_AREA;
  pair->area = part >= CERTAIN_AREA ? area : 0;
}

static Pair read_variable(OracleSides *sides, int32_t i, bool is_pre) {
  const OracleAnswer *from = is_pre ? sides->before : sides->now;
  Pair pair = number(from->finite[i]);
  pair.size = fmax(pair.size, 1e-6 * from->finite_spread[i]);
  if (!from->finite_is_known[i] || (sides->areas_count && !from->area_is_known[i])) sides->reads_open = true;
  if (is_pre || !sides->areas_count) return pair;
  take_area(sides, &pair, from->area[i]);
  return pair;
}

/* A stored quantity or an integral has no impulse: it jumps. */
static Pair read_state(const OracleSides *sides, int32_t i, bool is_pre) {
  return number((is_pre ? sides->before : sides->now)->x[i]);
}

static Pair add(Pair a, Pair b, double sign) {
  return (Pair){a.value + sign * b.value, a.area + sign * b.area, a.size + b.size, a.doubt ? a.doubt : b.doubt};
}

static Pair read_pair(OracleSides *sides, HbgExpr expr, bool is_pre) {
  const HbgExprNode *node = hbg_expr_node(&sides->model->pool, expr);
  switch (node->op) {
    case HBG_OP_CONSTANT: return number(node->value);
    case HBG_OP_TIME: return number(sides->t);
    case HBG_OP_STATE: return read_state(sides, node->index, is_pre);
    case HBG_OP_EFFORT: return read_variable(sides, node->index, is_pre);
    case HBG_OP_FLOW: return read_variable(sides, sides->model->bond_count + node->index, is_pre);
    case HBG_OP_PRE: return read_pair(sides, node->a, true);
    case HBG_OP_ADD: return add(read_pair(sides, node->a, is_pre), read_pair(sides, node->b, is_pre), 1);
    case HBG_OP_SUB: return add(read_pair(sides, node->a, is_pre), read_pair(sides, node->b, is_pre), -1);
    case HBG_OP_NEG: return add((Pair){0}, read_pair(sides, node->a, is_pre), -1);
    case HBG_OP_IMPULSE: {
      const Pair inner = read_pair(sides, node->a, is_pre);
      return (Pair){.value = inner.area, .size = fabs(inner.area), .doubt = inner.doubt};
    }
    case HBG_OP_FINITE: {
      Pair inner = read_pair(sides, node->a, is_pre);
      inner.area = 0;
      return inner;
    }
    default: return (Pair){.doubt = ORACLE_DOUBT_OPEN};
  }
}

/* Is a - b positive? An impulse is larger than any number. */
static OracleTruth is_above(OracleSides *sides, HbgExpr a, HbgExpr b) {
  const Pair difference = add(read_pair(sides, a, false), read_pair(sides, b, false), -1);
  if (difference.doubt) {
    sides->doubt = difference.doubt;
    return ORACLE_MAYBE;
  }
  if (fabs(difference.area) > 0) return difference.area > 0 ? ORACLE_YES : ORACLE_NO;
  if (fabs(difference.value) > TIE * difference.size) return difference.value > 0 ? ORACLE_YES : ORACLE_NO;
  sides->doubt = ORACLE_DOUBT_TIE;
  return ORACLE_MAYBE;
}

OracleTruth oracle_guard(OracleSides *sides, HbgExpr guard) {
  const HbgExprNode *node = hbg_expr_node(&sides->model->pool, guard);
  switch (node->op) {
    case HBG_OP_CONSTANT: return node->value > 0 ? ORACLE_YES : ORACLE_NO;
    case HBG_OP_TICK: {
      const bool *ticks = sides->mode.ticks;
      const bool holds = ticks ? ticks[node->index] : oracle_tick_is_true(&sides->model->ticks[node->index], sides->t);
      return holds ? ORACLE_YES : ORACLE_NO;
    }
    case HBG_OP_AND: {
      const OracleTruth left = oracle_guard(sides, node->a), right = oracle_guard(sides, node->b);
      if (left == ORACLE_NO || right == ORACLE_NO) return ORACLE_NO;
      return left == ORACLE_MAYBE || right == ORACLE_MAYBE ? ORACLE_MAYBE : ORACLE_YES;
    }
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL: return is_above(sides, node->b, node->a);
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return is_above(sides, node->a, node->b);
    default: sides->doubt = ORACLE_DOUBT_OPEN; return ORACLE_MAYBE;
  }
}

double oracle_guard_margin(OracleSides *sides, HbgExpr guard, double *size) {
  const HbgExprNode *node = hbg_expr_node(&sides->model->pool, guard);
  *size = 0;
  switch (node->op) {
    case HBG_OP_AND: {
      double left_size, right_size;
      const double left = oracle_guard_margin(sides, node->a, &left_size);
      const double right = oracle_guard_margin(sides, node->b, &right_size);
      *size = left < right ? left_size : right_size;
      return fmin(left, right);
    }
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: {
      const bool is_less = node->op == HBG_OP_LESS || node->op == HBG_OP_LESS_EQUAL;
      const Pair difference = add(read_pair(sides, node->a, false), read_pair(sides, node->b, false), -1);
      *size = difference.size;
      return is_less ? -difference.value : difference.value;
    }
    default: return oracle_guard(sides, guard) == ORACLE_YES ? 1 : -1;
  }
}

bool oracle_reads_now(const HbgFlatModel *model, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&model->pool, expr);
  if (node->op == HBG_OP_PRE) return false;
  if (node->op == HBG_OP_EFFORT || node->op == HBG_OP_FLOW || node->op == HBG_OP_STATE || node->op == HBG_OP_TICK)
    return true;
  return (node->a && oracle_reads_now(model, node->a)) || (node->b && oracle_reads_now(model, node->b));
}

bool oracle_reads_before(const HbgFlatModel *model, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&model->pool, expr);
  if (node->op == HBG_OP_PRE) return true;
  return (node->a && oracle_reads_before(model, node->a)) || (node->b && oracle_reads_before(model, node->b));
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What the equations of an island refer to besides bonds, states and time. A slot is a leaf HBG_OP_SLOT whose `other` is
 * one of these and whose `index` counts within it. */
#ifndef EQUATIONS_SLOT_H
#define EQUATIONS_SLOT_H

#include "model/expression.h"

typedef enum HbgSlotKind {
  HBG_SLOT_CONSTANT,     /* a number that may differ between islands of the same structure */
  HBG_SLOT_TICK,         /* a scheduled condition, 0 or 1 */
  HBG_SLOT_DISCRETE,     /* a discrete variable */
  HBG_SLOT_PRE,          /* an a priori value */
  HBG_SLOT_PRE_VARIABLE, /* the a priori value of variable `index` */
  HBG_SLOT_UNKNOWN,      /* a torn variable */
  HBG_SLOT_RATE,         /* its time derivative */
  HBG_SLOT_AREA,         /* the impulse part of variable `index` (2 * bond + is_flow) */
  HBG_SLOT_AREA_UNKNOWN, /* a torn impulse */
  HBG_SLOT_SHARED,       /* how a state changes that many others depend on (system.h) */
  HBG_SLOT_WEIGHT        /* what a residual has to do with an unknown (solved_rates.h) */
} HbgSlotKind;

static inline HbgExpr hbg_slot(HbgExprPool *pool, HbgSlotKind kind, int32_t index) {
  return hbg_expr_leaf(pool, HBG_OP_SLOT, index, (int32_t)kind);
}
static inline bool hbg_is_slot(const HbgExprNode *node, HbgSlotKind kind) {
  return node->op == HBG_OP_SLOT && node->other == (int32_t)kind;
}

/* A slot whose number stays through continuous time. */
static inline bool hbg_is_still_slot(const HbgExprNode *node) {
  return hbg_is_slot(node, HBG_SLOT_CONSTANT) || hbg_is_slot(node, HBG_SLOT_TICK) || hbg_is_slot(node, HBG_SLOT_DISCRETE);
}

/* Variables of bonds are numbered 2 * bond for the effort and 2 * bond + 1 for the flow. */
static inline int32_t hbg_effort_of(int32_t bond) { return 2 * bond; }
static inline int32_t hbg_flow_of(int32_t bond) { return 2 * bond + 1; }
/* The variable a leaf EFFORT or FLOW stands for; -1 for other nodes. */
static inline int32_t hbg_variable_of(const HbgExprNode *node) {
  if (node->op == HBG_OP_EFFORT) return hbg_effort_of(node->index);
  return node->op == HBG_OP_FLOW ? hbg_flow_of(node->index) : -1;
}

/* Does what the leaf stands for change in continuous time, other than by the time itself? */
static inline bool hbg_moves(const HbgExprNode *leaf) { return leaf->op == HBG_OP_STATE || hbg_variable_of(leaf) >= 0; }
static inline HbgExpr hbg_variable(HbgExprPool *pool, int32_t variable) {
  return hbg_expr_leaf(pool, variable % 2 ? HBG_OP_FLOW : HBG_OP_EFFORT, variable / 2, 0);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Is an expression another one, of other states, bonds, machines, scheduled conditions and variables? What has been made of the one then
 * serves the other one as well, with these exchanged. */
#ifndef EQUATIONS_LIKENESS_H
#define EQUATIONS_LIKENESS_H

#include "equations/slot.h"

enum { HBG_LIKENESS_LEAVES = 16 };

/* What stands in the other expressions for what, as far as they have been compared. Begins as {0}. */
typedef struct HbgLikeness {
  HbgExpr from[HBG_LIKENESS_LEAVES], to[HBG_LIKENESS_LEAVES];
  int32_t count;
  int32_t steps; /* taken so far: long expressions are not compared to their end */
} HbgLikeness;

/* Is `to` like `from`, with what has been found so far? Equal leaves are equal on both sides, and so are the bonds of efforts and flows.
 * False: one of them differs in more, or is long. Then nothing more may be asked. */
bool hbg_likeness_add(HbgLikeness *self, const HbgExprPool *pool, HbgExpr from, HbgExpr to);
/* What stands for a leaf, or for a state or bond of that number; the leaf itself where it is no such thing. */
HbgExprNode hbg_likeness_leaf(const HbgLikeness *self, const HbgExprPool *pool, const HbgExprNode *leaf);
int32_t hbg_likeness_state(const HbgLikeness *self, const HbgExprPool *pool, int32_t state);
int32_t hbg_likeness_bond(const HbgLikeness *self, const HbgExprPool *pool, int32_t bond);

#endif

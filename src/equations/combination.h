/* SPDX-License-Identifier: BSD-3-Clause
 * A short expression as a constant plus a linear combination of states, efforts and flows, if it is plainly one. What byte code on affine
 * forms finds out of any expression (affine.h) is read off from most guards and inputs of integrators, and to the same digits; thousands
 * of them need no programs for that. */
#ifndef EQUATIONS_COMBINATION_H
#define EQUATIONS_COMBINATION_H

#include "model/expression.h"

enum { HBG_COMBINATION_MOST = 8 };

typedef struct HbgCombinationTerm {
  HbgExpr leaf;  /* STATE, EFFORT or FLOW */
  double weight; /* may be 0, where terms have cancelled */
} HbgCombinationTerm;

typedef struct HbgCombination {
  double constant;
  HbgCombinationTerm terms[HBG_COMBINATION_MOST];
  int32_t count; /* each leaf once, as they are read from left to right */
} HbgCombination;

/* False: it is none, or a longer one, or reads something else. */
bool hbg_combination(const HbgExprPool *pool, HbgExpr expr, HbgCombination *combination);
/* The same of left - right. */
bool hbg_combination_of_difference(const HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgCombination *combination);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * floor, ceil and mod of what varies, in laws and inputs of integrators: a law that has infinitely many jumps, but only two kinds of steps. On the even ones sin(pi x) is
 * positive, on the odd ones negative; and which even number is next to x, or which odd one, does not change where x leaves its step. So it is a choice by one sign, which
 * implied.h makes a machine of: the jumps are met, and it may slide on them. */
#ifndef HYBRID_STAIRCASE_H
#define HYBRID_STAIRCASE_H

#include "model/expression.h"

typedef struct HbgStaircaseWave HbgStaircaseWave;

typedef struct HbgStaircase {
  HbgArena *arena;
  const uint8_t *varies; /* of each expression that was in the pool, whether it reads stored quantities, efforts or flows as they are; NULL: nobody has steps */
  HbgStaircaseWave *waves; int32_t count, capacity; /* of each that has been read */
} HbgStaircase;

bool hbg_has_steps(HbgOperation op);
HbgStaircase hbg_staircase(const HbgExprPool *pool, HbgArena *arena);
/* `expr` with choices for the steps of what varies; itself where there are none. */
HbgExpr hbg_staircase_read(HbgStaircase *self, HbgExprPool *pool, HbgExpr expr);
/* One of the waves sin(pi x), where something jumps wherever it vanishes: the same a little behind, which tells on which step x begins: what rests at the very beginning of a
 * step is on it. 0: it is none. */
HbgExpr hbg_staircase_start(const HbgStaircase *self, HbgExpr wave);

#endif

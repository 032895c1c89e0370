/* SPDX-License-Identifier: BSD-3-Clause
 * Does a law jump where a difference vanishes, ever? It is tried on both sides of its zeros, at numbers without any relation to each other, and with all that
 * switches beside it in every combination, as far as these are few: a brake may be put on late. */
#ifndef HYBRID_LAW_JUMP_H
#define HYBRID_LAW_JUMP_H

#include "hybrid/values.h"
#include "model/model.h"

typedef struct HbgLawJump {
  HbgFlatModel *model; /* whose pool the expressions are of */
  HbgArena *arena, *scratch;
  HbgValues values;    /* any, to try laws at */
  /* of the difference at hand: */
  bool varies, looks_back; /* it reads something that varies continuously; that was before, or an impulse */
  HbgExpr leaf;            /* what it is solved for */
  HbgExpr *own; int32_t own_count, own_capacity;             /* all leaves of it that vary */
  HbgExpr *hanging; int32_t hanging_count, hanging_capacity; /* what hangs on them */
  HbgExpr *choices; int32_t choice_count, choice_capacity;   /* what switches or is looked up beside it: it may be anything, at some time */
} HbgLawJump;

HbgLawJump hbg_law_jump(HbgFlatModel *model, HbgArena *arena, HbgArena *scratch);
/* Is a law that is read[0] where a > b, and read[1] where a < b, another one on both sides of a = b? Where that place cannot be found it may be; where a - b does not vary
 * continuously, or looks back, it is not. */
bool hbg_law_jumps(HbgLawJump *self, HbgExpr a, HbgExpr b, const HbgExpr read[2]);
/* Is a < b at the beginning, as far as stored quantities tell? */
bool hbg_law_is_below_at_start(HbgLawJump *self, HbgExpr a, HbgExpr b);
/* What was before, or an impulse: laws are not read beyond. */
bool hbg_law_stops_at(HbgOperation op);

#endif

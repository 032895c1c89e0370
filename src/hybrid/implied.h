/* SPDX-License-Identifier: BSD-3-Clause
 * Implied machines. A law or an integrated signal that jumps, such as F*sign(v) or `if x > 0 then 1 else -1`, switches: where it
 * does is an event, and it may slide there. Each difference at which something jumps becomes a machine of two states, and what
 * reads its sign reads the machine. Where a law has only a kink, nothing is done. */
#ifndef HYBRID_IMPLIED_H
#define HYBRID_IMPLIED_H

#include "base/key_table.h"
#include "model/model.h"

/* A difference and its machine: state 0 while a > b, state 1 while a < b. */
typedef struct HbgImpliedSign {
  HbgExpr a, b;
  int32_t machine;
} HbgImpliedSign;

typedef struct HbgImplied {
  int32_t first;         /* the first implied machine: behind those of the model */
  HbgKeyTable signs;     /* by their two sides, the lesser one first: as laws write them, and in a common form */
  int32_t *common;       /* the first variable that is always the same as this one (2 bond_count); NULL: nothing is implied */
} HbgImplied;

/* `model` with the machines its laws imply, listed in `*implied`; itself when there are none. From `arena`. */
const HbgFlatModel *hbg_imply_machines(const HbgFlatModel *model, HbgImplied *implied, HbgArena *arena);
/* `expr`, an expression of `pool`, with the states of implied machines for the signs that they stand for. */
HbgExpr hbg_implied_read(const HbgImplied *implied, HbgExprPool *pool, HbgExpr expr);

#endif

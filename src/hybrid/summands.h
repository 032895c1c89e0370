/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of long sums, as of what all converters lose together. One integral of the sum would have to do with everything that is in it; the sum of integrals of its
 * terms is the same, and each of these has to do with the part that its term is about. Where nothing but columns reads such an integral, it holds what is about the first part from
 * now on, and integrators behind those of the model hold what is about the others. */
#ifndef HYBRID_SUMMANDS_H
#define HYBRID_SUMMANDS_H

#include "model/model.h"

typedef struct HbgSummands {
  int32_t count;  /* integrators that are not the model's own */
  int32_t own;    /* states of the model: the others stand behind them */
  int32_t *first; /* of each state of the model the others that it is the sum of, from first[state] to first[state + 1] - 1 (own + 1) */
} HbgSummands;

/* `model` with such integrators, listed in `*summands`; itself where there is no long sum. From `arena`. */
const HbgFlatModel *hbg_summands_apart(const HbgFlatModel *model, HbgSummands *summands, HbgArena *arena);
/* `expr`, an expression of `pool` over the states of the model, with the sums of what stands for them. */
HbgExpr hbg_summands_read(const HbgSummands *summands, HbgExprPool *pool, HbgExpr expr);

#endif

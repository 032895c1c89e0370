/* SPDX-License-Identifier: BSD-3-Clause
 * What integrators of signals integrate, where all of that are short sums of states, efforts and flows: added up without a program. */
#ifndef HYBRID_INPUT_SUMS_H
#define HYBRID_INPUT_SUMS_H

#include "hybrid/values.h"
#include "model/expression.h"

typedef struct HbgInputSums {
  int32_t count;
  bool are_plain;  /* each is one effort or flow, and nothing more */
                   /* meaning                                               shape          */
  int32_t *start;  /* terms of input i: [start[i], start[i + 1])            (count + 1)    */
  int32_t *leaves; /* of each term: a variable, or -1 - state               (start[count]) */
  double *weights; /*                                                       (start[count]) */
  double *constants; /*                                                     (count)        */
} HbgInputSums;

/* Of `inputs` (count), from `arena`; NULL: one of them is more than that. */
HbgInputSums *hbg_input_sums(const HbgExprPool *pool, const HbgExpr *inputs, int32_t count, HbgArena *arena);
/* Input `which`. */
double hbg_input_sum(const HbgInputSums *self, int32_t which, const HbgValues *values);
/* All of them (count). */
void hbg_input_sums_run(const HbgInputSums *self, const HbgValues *values, double *sums);

#endif

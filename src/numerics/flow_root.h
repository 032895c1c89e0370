/* SPDX-License-Identifier: BSD-3-Clause
 * Where an affine function of the states, g(t) = w . x(t) + constant + slope t, first changes its sign along an exact flow: with
 * certainty, since nothing is sampled. From the exponentials that g consists of follow bounds of its derivatives over a stretch
 * of time, so that a parabola below it tells how far there is no zero, and one above it that there is exactly one. */
#ifndef NUMERICS_FLOW_ROOT_H
#define NUMERICS_FLOW_ROOT_H

#include "numerics/flow.h"

/* w . x along a flow, made ready to be asked about. */
typedef struct HbgFlowGuard HbgFlowGuard;

HbgFlowGuard *hbg_flow_guard(HbgArena *arena, const HbgFlow *flow, const double *w);

typedef struct HbgFlowQuestion {
  double constant, slope; /* of g */
  double from, to;        /* since x0 [s], 0 <= from <= to; `to` may be INFINITY */
  int sense;              /* 1: when does g become greater than zero? -1: less? */
  double zero;            /* so little is zero at x0, where that is an instant known no better; else 0 */
  double instant;         /* the time at x0 [s], which is known to its round-off only: what turns sooner has not moved; else 0 */
} HbgFlowQuestion;

typedef enum HbgFlowAnswer {
  HBG_FLOW_NEVER,   /* not in [from, to] */
  HBG_FLOW_CROSSES, /* at t; `from` when g leaves zero for that side there, or has left it already */
  HBG_FLOW_TOUCHES, /* at t it comes to zero within round-off, and goes back; from t on there may be more */
  HBG_FLOW_LATER,   /* not before t, which is beyond `from`: ask again from there. So much work is done in one call */
} HbgFlowAnswer;

/* The first of these in [from, to], to full precision: an error of t changes g by no more than the round-off of its terms. A g that is zero
 * within round-off at `from` is judged by the first derivative that is not; when it leaves for the other side, what counts is the next time. */
HbgFlowAnswer hbg_flow_first_root(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question,
                                  double *t);

/* Is g of the question nothing more than `zero` at x0, and does it stay so, as all it would move by is round-off, too? */
bool hbg_flow_rests(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question);

/* Is it certain at once that w . x + constant, from the states x0, x0[stride], ... on, does not turn in [0, to]? `sense` as above. False: perhaps not. */
bool hbg_flow_is_far(const HbgFlowGuard *guard, const double *x0, int32_t stride, double constant, int sense, double to);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The matrix M of a flow, brought to triangular form: only for the spectrum of flows.
 *
 * First M falls into its strongly connected parts, in the order in which one moves the next, so that what is zero by structure stays
 * zero; then each part is balanced (Parlett and Reinsch 1969) and becomes triangular by the QR method with Wilkinson's
 * shift (Golub and Van Loan, Matrix Computations, 7.5), in extended precision where there is one. */
#ifndef NUMERICS_FLOW_SCHUR_H
#define NUMERICS_FLOW_SCHUR_H

#include <complex.h>

#include "numerics/flow_inner.h"

typedef long double _Complex FlowLong;
typedef FlowLong FlowSquare[FLOW_WIDTH][FLOW_WIDTH];

/* scaled M = S^-1 M S with rows and columns in `order` = q t q^H. */
typedef struct FlowSchur {
  int32_t width, layers;
  int32_t order[FLOW_WIDTH];    /* which state stands where */
  int32_t part[FLOW_WIDTH];     /* strongly connected part of a place, 0.. */
  double scale[FLOW_WIDTH];     /* S, by place: powers of two */
  double part_norm[FLOW_WIDTH]; /* largest row sum of the balanced part, by place */
  double norm;                  /* the same of the whole matrix; at least as large as its fastest eigenvalue */
  bool is_nilpotent;            /* by structure; then t is not made */
  FlowSquare t, q;
} FlowSchur;

/* The units in which the states of a flow that nothing drives are balanced, by state (n), powers of two. False where M is nilpotent. */
bool hbg_flow_units(const HbgFlow *flow, double *unit);
/* An entry of the scaled matrix. */
double hbg_flow_entry(const FlowSchur *schur, const HbgFlow *flow, int32_t row, int32_t column);
/* A part that something moves from behind is measured by what that makes of it within `times` the time scale of the fastest part, a power of
 * two. False when the QR method does not come to an end (numbers that are not finite). */
bool hbg_flow_schur(FlowSchur *schur, const HbgFlow *flow, double times);

#endif

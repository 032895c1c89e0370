/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle in continuous time: one mode, integrated by extrapolation of the midpoint rule (Gragg, Bulirsch, Stoer;
 * Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9). On purpose not the engine's method.
 *
 * Every evaluation begins with the jump map, which puts the state on the constraints. Where the mode turns out to be linear,
 * x' and z are found once as matrices over x and checked at a point of their own. */
#ifndef TESTS_SUPPORT_ORACLE_FLOW_H
#define TESTS_SUPPORT_ORACLE_FLOW_H

#include "support/oracle.h"

typedef struct OracleFlow {
  const HbgFlatModel *model;
  HbgArena *arena;
  OracleMode mode;
  OracleAnswer here; /* where the flow begins, for what is determined */
  bool is_linear;
  double *rate_of, *finite_of; /* (states + 1, states), (states + 1, 2 bonds): the last row is the constant part */
  double fastest;              /* estimate of the largest rate of change [1/s] */
  double *scale;               /* of each state (states) */
  OracleDoubt doubt;
} OracleFlow;

/* The flow of a mode from state `x` on; `scale` is what states have been so far. A doubt says that there is none. */
OracleFlow oracle_flow(const HbgFlatModel *model, OracleMode mode, double t, const double *x, double *scale,
                       HbgArena *arena);
/* The state after `step`. Answers the error against the scales; infinite where it fails. */
double oracle_flow_step(OracleFlow *flow, double t, const double *x, double step, double *out);
/* Efforts and flows at a state (2 bonds). */
void oracle_flow_finite(OracleFlow *flow, double t, const double *x, double *finite);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Damped Newton for small dense systems F(x) = 0, m equations in n unknowns, singular ones included: each step is the
 * one of minimum norm. Damping by the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems,
 * 2004, 2.1 and 3.3), which does not depend on the units of the equations. */
#ifndef NUMERICS_NEWTON_H
#define NUMERICS_NEWTON_H

#include "numerics/least_squares.h"

/* F(x) into `residual` (m). 0: done; > 0: not defined there, a shorter step is tried; < 0: give up. */
typedef int (*HbgNewtonResidual)(const double *x, double *residual, void *user);
/* dF/dx into `jacobian` (m, n), row-major, where the residual has been asked for last. Answers the same way. */
typedef int (*HbgNewtonJacobian)(const double *x, double *jacobian, void *user);
/* The magnitudes each residual has been summed up from, where it has been asked for last, into `terms` (m). */
typedef void (*HbgNewtonTerms)(double *terms, void *user);

typedef enum HbgNewtonResult {
  HBG_NEWTON_CONVERGED,
  HBG_NEWTON_NOT_DEFINED,    /* the equations cannot be evaluated at the start */
  HBG_NEWTON_REFUSED,        /* the equations gave up */
  HBG_NEWTON_NO_DESCENT,     /* no step leads towards a solution */
  HBG_NEWTON_NO_CONVERGENCE, /* within the allowed iterations */
  HBG_NEWTON_INCONSISTENT    /* the equations contradict each other */
} HbgNewtonResult;

typedef struct HbgNewton {
  int32_t m, n;
  HbgNewtonResidual residual;
  HbgNewtonJacobian jacobian;
  void *user;
  HbgNewtonTerms terms;    /* what round-off of the residual is small against; NULL: what its slopes tell */
  double tolerance;        /* of a step, relative to max(|x[i]|, scale[i]); 1e-12 */
  int32_t iterations_most; /* with steps that are damped, 100; ten times as many where none is */
  double rank_tolerance;   /* of the Jacobian, as hbg_least_squares_factor() has it; 0 */
  double *scale;           /* size each unknown is expected to have (n); 0 where nothing is known */
  /* after a solve */
  int32_t iterations;
  double change;          /* last step, relative */
  double inconsistency;   /* left-over residual, relative, as hbg_least_squares_solve() has it */
  HbgLeastSquares system; /* of the last Jacobian: rank, null space, determined */
  /* private */
  double change_before; /* of the step before the last one, in this solve */
  double *f, *j, *trial, *step, *reference, *next_step, *resolution, *start, *term_sizes;
  bool is_by_norm, asks_terms, is_bold;
  int32_t damped; /* steps, in this solve */
} HbgNewton;

HbgNewton hbg_newton(HbgArena *arena, int32_t m, int32_t n, HbgNewtonResidual residual, HbgNewtonJacobian jacobian,
                     void *user);
/* Improves `x` (n), which holds the start. On failure `x` is the best point seen. */
HbgNewtonResult hbg_newton_solve(HbgNewton *newton, double *x);

#endif

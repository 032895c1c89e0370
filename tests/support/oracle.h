/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle: the second, independent way to what a hybrid bond graph does in one mode.
 *
 * No causality, no islands, no sorting: the equations of all ports of all nodes are one dense system in the efforts and
 * flows of all bonds, z = (e, f), exactly as they stand in the theory (docs/theory.md):
 *
 *   (1)  the laws, g(z, x, t) = 0                   (2)  what they leave as a condition on x, where they are dependent
 *   (3)  its derivative with respect to time        (J1..J5)  the jump map
 *
 * Slow on purpose, and short. Knows nothing of guards: it stays in the mode it is told. */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

#include "support/oracle_laws.h"

typedef enum OracleVerdict {
  ORACLE_SOLVED,
  ORACLE_NO_SOLUTION, /* the mode contradicts itself, or its sources */
  ORACLE_UNSURE       /* says nothing, for one of the reasons below */
} OracleVerdict;

typedef enum OracleDoubt {
  ORACLE_NO_DOUBT,
  ORACLE_DOUBT_RANK,        /* a number is neither clearly zero nor clearly not */
  ORACLE_DOUBT_CONVERGENCE, /* Newton's method does not come to rest */
  ORACLE_DOUBT_RESIDUAL,    /* equations hold, but not well */
  ORACLE_DOUBT_TIE,         /* the two sides of a guard are closer than 1e-7 */
  ORACLE_DOUBT_AREA,        /* an impulse is hardly more than round-off */
  ORACLE_DOUBT_OPEN,        /* a guard reads what the mode leaves undetermined */
  ORACLE_DOUBT_NEAR,        /* two guards within 1e-6 of each other, or one that is hardly touched */
  ORACLE_DOUBT_STIFF,       /* the integration of the oracle needs too many steps */
  ORACLE_DOUBT_LONG,        /* too many configurations in an instant */
  ORACLE_DOUBT_ACTIVE,      /* a source reads what happens elsewhere: the theorem of the jump does not hold */
  ORACLE_DOUBT_SHARE, /* how sources that are tied to each other share a load: the engine cuts the graph there first */
  ORACLE_DOUBT_COUNT
} OracleDoubt;

/* Efforts first, then flows: z[b] is the effort of bond b, z[bond_count + b] its flow. */
typedef struct OracleAnswer {
  OracleVerdict verdict;
  OracleDoubt doubt;
  double *x;             /* stored quantities and integrals after the jump (state_count) */
  double *rate;          /* their derivatives (state_count) */
  double *finite;        /* z, the shortest where it is open (2 bond_count) */
  double *area;          /* impulses of z (2 bond_count) */
  bool *finite_is_known; /* determined by the equations (2 bond_count) */
  bool *area_is_known;
  /* How far each value moves, to first order, when every term of every equation is changed by a unit of its size, or by one of
   * the largest term in the scales of the equilibrated system: |A^-1| (|A| |z| + |b|), of one system after the other. Divided
   * by the value it is a condition number (Bauer, Skeel; Higham, Accuracy and Stability, 7.2). */
  double *x_spread, *finite_spread, *area_spread;
} OracleAnswer;

/* The jump from `before` at time `t` in a mode, and what follows. */
OracleAnswer oracle_jump(const HbgFlatModel *model, OracleMode mode, double t, const double *before, HbgArena *arena);
/* The same without the jump: `x` fulfils the constraints already. */
OracleAnswer oracle_finite(const HbgFlatModel *model, OracleMode mode, double t, const double *x, HbgArena *arena);

/* How far finite values are from the equations: the worst row, relative to its terms and a little to the largest value of all,
 * or to `scale`, where there are larger values elsewhere that leave round-off. */
double oracle_finite_residual(const HbgFlatModel *model, OracleMode mode, double t, const double *x, const double *z,
                              double scale, HbgArena *arena);

/* The combinations of stored quantities that no area of the mode can change: w' S Z = 0 on V. */
typedef struct OracleConserved {
  int32_t count;
  double *weight, *round_off; /* (count, state_count) */
} OracleConserved;
OracleConserved oracle_conserved(const HbgFlatModel *model, OracleMode mode, double t, const double *x,
                                 HbgArena *arena);

#endif

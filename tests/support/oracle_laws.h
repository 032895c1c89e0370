/* SPDX-License-Identifier: BSD-3-Clause
 * The laws of a hybrid bond graph as they stand: one row for every port, evaluated with the derivative in one direction. */
#ifndef TESTS_SUPPORT_ORACLE_LAWS_H
#define TESTS_SUPPORT_ORACLE_LAWS_H

#include "model/model.h"

/* A number, its derivative in one direction, and how large the terms were that it was added up from. */
typedef struct OracleNumber {
  double value, slope, size;
} OracleNumber;

/* What may differ from one instant to the next beside the state. NULL: machines in their initial states; scheduled
 * conditions as they are from this moment on. */
typedef struct OracleMode {
  const int32_t *machine_states; /* (machine_count) */
  const bool *ticks;             /* (tick_count) */
  struct OracleSystems *kept;    /* systems met before, for one that asks often; belongs to the caller */
} OracleMode;

/* Where the equations are evaluated, and the direction in which they are differentiated (NULL: zero). */
typedef struct OraclePoint {
  const HbgFlatModel *model;
  OracleMode mode;
  double t;
  const double *x, *z;
  double dt;
  const double *dx, *dz;
} OraclePoint;

/* Is a scheduled condition true from `t` on? */
bool oracle_tick_is_true(const HbgTick *tick, double t);
/* The value of an expression. */
OracleNumber oracle_value(const OraclePoint *at, HbgExpr expr);
/* g(z, x, t) of (1), one row for every port (2 bond_count). Answers how many rows. */
void oracle_rows(const OraclePoint *at, OracleNumber *rows);
/* The rows of one node; answers how many. */
int32_t oracle_node_rows(const OraclePoint *at, const HbgNode *node, OracleNumber *rows);
/* x' = S z (state_count). */
void oracle_rates(const OraclePoint *at, double *rate);
/* How far the states jump by the areas `area`: S Z (state_count). */
void oracle_state_jumps(const OraclePoint *at, const double *area, double *jump);

/* dg/dz into the first 2 bond_count columns of `a`, zero so far (rows of `width`). */
void oracle_jacobian(const OraclePoint *at, double *a, int32_t width, HbgArena *arena);
/* Does a law of a resistor, a source or a two-port move while z stands still? */
bool oracle_laws_move(const HbgFlatModel *model);

#endif

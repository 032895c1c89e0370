/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle at an instant: the event iteration of docs/theory.md word for word, over the oracle's jump. */
#ifndef TESTS_SUPPORT_ORACLE_EVENTS_H
#define TESTS_SUPPORT_ORACLE_EVENTS_H

#include "support/oracle.h"

typedef struct OracleInstant {
  OracleVerdict verdict;   /* NO_SOLUTION: also an endless loop; UNSURE: also a guard too close to call */
  int32_t *machine_states; /* in the end (machine_count) */
  int32_t eps, n;          /* of the configuration in the end */
  OracleAnswer answer;     /* in the end; `x` is the state */
} OracleInstant;

/* The start at t = 0, from the initial states of machines and storages. */
OracleInstant oracle_start(const HbgFlatModel *model, HbgArena *arena);
/* In continuous time: does the guard hold with these values z? `is_lenient`: also when it is too close to call. */
bool oracle_guard_holds(const HbgFlatModel *model, HbgExpr guard, const double *z, bool is_lenient, HbgArena *arena);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle at an instant: the event iteration of docs/theory.md word for word, over the oracle's jump. */
#ifndef TESTS_SUPPORT_ORACLE_EVENTS_H
#define TESTS_SUPPORT_ORACLE_EVENTS_H

#include "support/oracle_guards.h"

typedef enum OracleKind { ORACLE_BEFORE, ORACLE_MYTHICAL, ORACLE_PINNACLE, ORACLE_CONTINUOUS } OracleKind;

/* One configuration. */
typedef struct OracleRow {
  double t;
  int32_t eps, n;
  OracleKind kind;
  int32_t *machine_states; /* (machine_count) */
  const OracleAnswer *answer;
} OracleRow;

enum { ORACLE_CONFIGURATIONS_MOST = 100 };

typedef struct OracleInstant {
  OracleVerdict verdict; /* NO_SOLUTION: also an endless loop */
  OracleDoubt doubt;
  int32_t *machine_states;    /* in the end (machine_count) */
  int32_t eps, n;             /* of the configuration in the end */
  const OracleAnswer *answer; /* in the end; `x` is the state. NULL: nothing happened */
  OracleRow *rows;            /* all configurations, the one before included */
  int32_t row_count;
  bool changes_mode, jumps;
  bool reads_open; /* a guard has read what a mode leaves undetermined */
  bool stops_in_mode; /* NO_SOLUTION of a mode that guards might lead out of, which the oracle does not look at (theory.md, 8) */
} OracleInstant;

/* The start at t = 0, from the initial states of machines and storages. */
OracleInstant oracle_start(const HbgFlatModel *model, HbgArena *arena);

/* What an instant begins with. */
typedef struct OracleOccasion {
  double t;
  const int32_t *machine_states;
  const double *x;
  const bool *ticks_before, *ticks;    /* scheduled conditions on its two sides (tick_count) */
  bool is_input;                       /* one of them stands in the equations, and has changed */
  const HbgTransition *const *located; /* whose guards become true here */
  int32_t located_count;
} OracleOccasion;

OracleInstant oracle_instant(const HbgFlatModel *model, const OracleOccasion *occasion, HbgArena *arena);

#endif

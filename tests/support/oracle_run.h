/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle over whole runs: instants of oracle_events, continuous time of oracle_flow, and between them guards that are
 * sampled densely and bisected. Slow and obvious. */
#ifndef TESTS_SUPPORT_ORACLE_RUN_H
#define TESTS_SUPPORT_ORACLE_RUN_H

#include "support/oracle_events.h"

typedef struct OracleRun {
  OracleVerdict
      verdict; /* SOLVED: to `stop`; NO_SOLUTION: an instant has none; UNSURE: only the rows so far are certain */
  OracleDoubt doubt;
  OracleRow *rows; /* the configurations of all instants in which something happened */
  int32_t row_count;
  int32_t events;          /* instants, without the start */
  bool reads_open;         /* a guard has read what a mode leaves undetermined: its least value hangs on the units */
  bool stops_in_mode;      /* as in OracleInstant */
  bool coincides;          /* several scheduled conditions change at one instant: to the last bit, in these units */
  double stop;             /* where the run ends [s] */
  const OracleAnswer *end; /* there */
  double *scale;           /* the largest each state has been (state_count) */
} OracleRun;

/* Runs to `stop`; where that is 0, for a time in which something can happen, which is found from the rates at the start.
 * Ends after so many events, at the last of them. */
OracleRun oracle_run(const HbgFlatModel *model, double stop, int32_t events_most, HbgArena *arena);

#endif

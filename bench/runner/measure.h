// SPDX-License-Identifier: BSD-3-Clause
// Runs of both sides of a workload: the program, as a process of its own, and what is written by hand, here.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "../workloads/workload.h"

typedef struct {
  const char *program;  // hybrsim
  const char *models;   // a folder with copies of the models, where their data are written
  double patience;      // s: a run that takes longer is stopped
} Bench;

typedef enum { RUN_RIGHT, RUN_FAILED, RUN_TOO_LONG } RunEnd;

typedef struct {
  RunEnd end;
  double load, compile, run;  // s of the processor
  long events, steps;
} Timing;

typedef struct {
  Timing timing;
  double error;      // the largest
  long values;       // how many were compared
  char reason[200];  // why it failed
} Check;

// One run whose results are compared with the exact ones.
Check bench_check(const Bench *bench, const Workload *workload, long n, const double *exact);

// One run whose results go nowhere.
Timing bench_time(const Bench *bench, const Workload *workload, long n);

// Seconds of the processor for one run by hand: the mean over as many runs as `least` seconds take.
double bench_time_by_hand(const Workload *workload, long n, double *values, double least);

#endif

// SPDX-License-Identifier: BSD-3-Clause
// What was measured, as a table and as comma separated values.
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include "../workloads/workload.h"

typedef struct {
  const Workload *workload;
  long n;
  long instants, switchings;                // what there should be: instants with a switching, and switchings
  long events, hand_events, steps;          // what there was
  double error, hand_error;                 // the largest, against the exact answer
  double load, ours, hand;                  // s; ours without reading the model (load)
  double ratio, ratio_least, ratio_most;    // ours to hand, of samples taken in turn
  int samples;
  char verdict[240];
} Result;

typedef struct {
  Result *result;
  long count, room;
} Results;

void bench_keep(Results *results, const Result *result);

void bench_head(FILE *table, FILE *csv);
void bench_row(FILE *table, FILE *csv, const Result *result);

// Where the ratio is worst, and what was wrong.
void bench_summary(FILE *table, const Results *results);

#endif

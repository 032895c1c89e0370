// SPDX-License-Identifier: BSD-3-Clause
// A workload: a model in the language, the same by hand in C, and its exact answer. README.md defines each.
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  const char *name, *title;
  const char *model;      // of bench/models, without .hbg
  const char *options;    // of hybrsim, besides the size; NULL for none
  long sizes[8];          // N, ending with 0
  long quick;             // the largest N of a quick run
  double allowed;         // errors up to this are right
  bool times;             // what is compared are the times of all events, instead of values at the end
  const char *columns[4]; // the values at the end: patterns with %ld for 1, 2, ..., ending with NULL
  long (*parts)(long n);  // how many there are of each; NULL: n
  // Writes what the model reads into the folder; NULL for nothing.
  void (*prepare)(long n, const char *folder);
  // The exact answer: values by column patterns one after the other, or times. Returns the number of switchings; `instants` is how many
  // instants with a switching there are, that at the start included.
  long (*exact)(long n, double *values, long *instants);
  // The same as one writes it by hand; returns the number of switchings.
  long (*hand)(long n, double *values);
} Workload;

// All of them, ending with one without a name.
extern const Workload *const bench_workloads[];

// How many values a workload has at a size; of times the most there can be.
long bench_values(const Workload *workload, long n);

// The next of the random numbers of the workloads, in [0, 1): Knuth's linear congruence for MMIX, its upper 53 bits.
double bench_random(unsigned long long *seed);

// Memory or the end.
void *bench_memory(size_t bytes);

#endif

// SPDX-License-Identifier: BSD-3-Clause
// hybrsim-bench PROGRAM MODELS RESULTS [--quick] [--only NAME] [--most N]: every workload at every size, its results held against the exact ones and then
// its time against that of the same by hand. Writes RESULTS/bench.csv and RESULTS/bench.svg; answers 1 when a result is wrong.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "picture.h"
#include "result.h"

typedef struct {
  Bench bench;
  const char *results, *only;
  bool quick;
  int samples;
  double least;  // s: how long a sample by hand takes at least
  long most;     // the largest size
} Options;

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return count % 2 ? values[count/2] : (values[count/2 - 1] + values[count/2])/2;
}

// Both sides in turn, so that whatever else the machine does meets both of them.
static void take_samples(const Options *options, const Workload *workload, Result *result, double *scratch) {
  enum { MOST = 32 };
  double ours[MOST], hands[MOST], ratios[MOST], loads[MOST];
  int count = 0, wanted = options->samples;
  while (count < wanted) {
    Timing timing = bench_time(&options->bench, workload, result->n);
    if (timing.end != RUN_RIGHT) break;
    ours[count] = timing.compile + timing.run;
    loads[count] = timing.load;
    hands[count] = bench_time_by_hand(workload, result->n, scratch, options->least);
    ratios[count] = ours[count]/hands[count];
    if (ours[count] > 2 && wanted > 3) wanted = 3;
    count++;
  }
  if (!count) return;
  result->load = median(loads, count);
  result->ours = median(ours, count);
  result->hand = median(hands, count);
  result->ratio = median(ratios, count);
  result->ratio_least = ratios[0];
  result->ratio_most = ratios[count - 1];
  result->samples = count;
}

static double largest_difference(const double *a, const double *b, long count) {
  double worst = 0;
  for (long i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= worst)) worst = fabs(a[i] - b[i]);
  return worst;
}

static void judge(Result *result, const Check *check, double allowed) {
  char *verdict = result->verdict;
  size_t room = sizeof result->verdict;
  if (check->timing.end == RUN_TOO_LONG) snprintf(verdict, room, "too long");
  else if (check->timing.end == RUN_FAILED) snprintf(verdict, room, "FAILED %s", check->reason);
  else if (result->events != result->instants) snprintf(verdict, room, "WRONG number of events");
  else if (!(result->error <= allowed)) snprintf(verdict, room, "WRONG result");
  else if (result->hand_events != result->switchings) snprintf(verdict, room, "yardstick WRONG number of events");
  else if (!(result->hand_error <= allowed)) snprintf(verdict, room, "yardstick WRONG result");
  else snprintf(verdict, room, "right");
}

static Result run(const Options *options, const Workload *workload, long n) {
  Result result = {.workload = workload, .n = n};
  long count = bench_values(workload, n);
  double *exact = bench_memory(2*(size_t)count*sizeof *exact), *hand = exact + count;
  if (workload->prepare) workload->prepare(n, options->bench.models);
  result.switchings = workload->exact(n, exact, &result.instants);
  result.hand_events = workload->hand(n, hand);
  result.hand_error = largest_difference(hand, exact, workload->times ? n : count);
  Check check = bench_check(&options->bench, workload, n, exact);
  result.events = check.timing.events;
  result.steps = check.timing.steps;
  result.error = check.error;
  judge(&result, &check, workload->allowed);
  if (check.timing.end == RUN_RIGHT) take_samples(options, workload, &result, hand);
  else result.hand = bench_time_by_hand(workload, n, hand, options->least);
  free(exact);
  return result;
}

static Options options_of(int count, char **words) {
  if (count < 4) {
    fprintf(stderr, "usage: %s PROGRAM MODELS RESULTS [--quick] [--only NAME] [--most N]\n", words[0]);
    exit(2);
  }
  Options options = {.bench = {words[1], words[2], 60}, .results = words[3], .samples = 7, .least = 0.05, .most = 1000000000};
  for (int i = 4; i < count; i++) {
    if (!strcmp(words[i], "--quick")) options.quick = true;
    else if (!strcmp(words[i], "--only") && i + 1 < count) options.only = words[++i];
    else if (!strcmp(words[i], "--most") && i + 1 < count) options.most = atol(words[++i]);
    else fprintf(stderr, "unknown option %s\n", words[i]), exit(2);
  }
  if (options.quick) options.samples = 3, options.least = 0.01, options.bench.patience = 10;
  return options;
}

static FILE *open_result(const Options *options, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", options->results, name);
  FILE *file = fopen(path, "w");
  if (!file) perror(path), exit(2);
  return file;
}

int main(int count, char **words) {
  Options options = options_of(count, words);
  FILE *csv = open_result(&options, "bench.csv");
  Results results = {0};
  bool right = true;
  bench_head(stdout, csv);
  for (int w = 0; bench_workloads[w]; w++) {
    const Workload *workload = bench_workloads[w];
    if (options.only && strcmp(options.only, workload->name)) continue;
    for (int k = 0; workload->sizes[k]; k++) {
      long n = workload->sizes[k];
      if (n > options.most || (options.quick && n > workload->quick)) break;
      Result result = run(&options, workload, n);
      bench_row(stdout, csv, &result);
      bench_keep(&results, &result);
      if (strstr(result.verdict, "WRONG") || strstr(result.verdict, "FAILED")) right = false;
      if (!strcmp(result.verdict, "too long")) break;
    }
  }
  fclose(csv);
  bench_summary(stdout, &results);
  FILE *picture = open_result(&options, "bench.svg");
  bench_picture(picture, &results);
  fclose(picture);
  free(results.result);
  return right ? 0 : 1;
}

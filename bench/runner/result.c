// SPDX-License-Identifier: BSD-3-Clause
#include "result.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

void bench_keep(Results *results, const Result *result) {
  if (results->count == results->room) {
    results->room = results->room ? 2*results->room : 64;
    results->result = realloc(results->result, (size_t)results->room*sizeof *results->result);
    if (!results->result) abort();
  }
  results->result[results->count++] = *result;
}

// With a prefix: `12.3 ms`.
static const char *seconds(double value, char text[32]) {
  static const struct {
    double unit;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t k = 0;
  while (k < 3 && value < 0.9995*units[k].unit) k++;
  snprintf(text, 32, "%.3g %s", value/units[k].unit, units[k].name);
  return text;
}

void bench_head(FILE *table, FILE *csv) {
  fprintf(csv, "workload,N,verdict,error,hand_error,events,expected_events,steps,load_s,ours_s,hand_s,ratio,ratio_least,ratio_most,"
               "samples,machine\n");
  fprintf(table, "%-10s %7s  %9s %9s  %8s  %9s %9s %9s  %7s %-15s  %s\n", "workload", "N", "error", "by hand", "events", "reading", "ours",
          "by hand", "ratio", "(range)", "verdict");
}

void bench_row(FILE *table, FILE *csv, const Result *r) {
  char load[32], ours[32], hand[32], range[40], machine[256];
  bench_machine(machine);
  fprintf(csv, "%s,%ld,\"%s\",%.3g,%.3g,%ld,%ld,%ld,%.6g,%.6g,%.6g,%.4g,%.4g,%.4g,%d,\"%s\"\n", r->workload->name, r->n, r->verdict, r->error,
          r->hand_error, r->events, r->instants, r->steps, r->load, r->ours, r->hand, r->ratio, r->ratio_least, r->ratio_most, r->samples, machine);
  snprintf(range, sizeof range, "(%.3g-%.3g)", r->ratio_least, r->ratio_most);
  fprintf(table, "%-10s %7ld  %9.2g %9.2g  %8ld  %9s %9s %9s  %7.3g %-15s  %s\n", r->workload->name, r->n, r->error, r->hand_error,
          r->events, seconds(r->load, load), seconds(r->ours, ours), seconds(r->hand, hand), r->ratio, range, r->verdict);
  if (strstr(r->verdict, "events"))
    fprintf(table, "    events %ld instead of %ld; by hand %ld instead of %ld\n", r->events, r->instants, r->hand_events, r->switchings);
  fflush(table);
  fflush(csv);
}

void bench_summary(FILE *table, const Results *results) {
  long wrong = 0, late = 0, faster = 0;
  const Result *worst = NULL;
  for (long i = 0; i < results->count; i++) {
    const Result *r = &results->result[i];
    if (strstr(r->verdict, "WRONG") || strstr(r->verdict, "FAILED")) wrong++;
    late += !strcmp(r->verdict, "too long");
    faster += r->samples > 0 && r->ratio <= 1;
    if (r->samples && (!worst || r->ratio > worst->ratio)) worst = r;
  }
  fprintf(table, "\n%ld cases: %ld wrong, %ld too long, %ld not slower than by hand", results->count, wrong, late, faster);
  if (worst) fprintf(table, "; the worst ratio is %.3g, of %s with N = %ld", worst->ratio, worst->workload->name, worst->n);
  fprintf(table, "\n");
}

/* SPDX-License-Identifier: BSD-3-Clause
 * For the program of the command line: the environment variable HYBRSIM_REFUSE says which request for memory is refused;
 * 0 only counts. HYBRSIM_REFUSE_COUNT names a file for the number of requests. */
#include <stdio.h>
#include <stdlib.h>

#include "refusal/refuse.h"

static void write_count(void) {
  const char *path = getenv("HYBRSIM_REFUSE_COUNT");
  refusals.counts = false;
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", refusals.total);
  fclose(file);
}

__attribute__((constructor)) static void begin(void) {
  const char *chosen = getenv("HYBRSIM_REFUSE");
  if (!chosen) return;
  atexit(write_count);
  refusals.at_total = strtol(chosen, NULL, 10);
  refusals.counts = true;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks. */
#define _XOPEN_SOURCE 700
#include "clock.h"

#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_processor_seconds(void *user) {
  (void)user;
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double cli_wall_seconds(void) { return seconds(CLOCK_MONOTONIC); }

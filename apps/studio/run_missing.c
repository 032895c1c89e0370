/* SPDX-License-Identifier: BSD-3-Clause
 * Runs are not there yet. */
#include "studio.h"

#define MISSING(handler)                                                                             \
  __attribute__((weak)) json_t *handler(Studio *studio, const json_t *request, StudioReply *reply) { \
    (void)studio, (void)request;                                                                     \
    return studio_fail(reply, 501, NULL, "This server cannot run models.");                          \
  }
MISSING(studio_run)
MISSING(studio_command)
MISSING(studio_runs)
MISSING(studio_run_info)
MISSING(studio_samples)
MISSING(studio_instants)
MISSING(studio_row)
MISSING(studio_ledger)
MISSING(studio_table)

__attribute__((weak)) StudioRuns *studio_runs_create(Studio *studio) { return (StudioRuns *)studio; }
__attribute__((weak)) void studio_runs_free(StudioRuns *runs) { (void)runs; }
__attribute__((weak)) bool studio_run_take_at_row(Studio *studio, const char *name, int64_t row, StudioRunAtRow *out, StudioReply *reply) {
  (void)studio, (void)name, (void)row, (void)out;
  studio_fail(reply, 501, NULL, "This server cannot run models.");
  return false;
}
__attribute__((weak)) void studio_run_release_at_row(Studio *studio, StudioRunAtRow *at) { (void)studio, (void)at; }

/* SPDX-License-Identifier: BSD-3-Clause
 * A run of the library that stands at a row of a run, for pictures. Rows are kept as numbers only, so it is computed once more. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "runs.h"

enum { MOST_SECONDS = 20 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_late(void *deadline) { return now() > *(const double *)deadline; }

/* What is found before the first row can be read at every row. */
static void find_bonds(HbgRun *run, int32_t count) {
  int32_t variable;
  for (int32_t bond = 0; bond < count; bond++) {
    hbg_run_find_bond(run, bond, true, &variable);
    hbg_run_find_bond(run, bond, false, &variable);
  }
}

/* HBG_OK at the row. */
static HbgStatus go(const StudioRun *run, int64_t row, double *deadline, HbgRun **out) {
  HbgRunOptions options = run->options;
  HbgRow ignored;
  options.keeps_reasons = true;  // as it was: the same instants, gone through in the same way
  options.interrupt = is_late;
  options.interrupt_user = deadline;
  HbgStatus status = hbg_run_create(run->model, &options, out, NULL);
  if (status == HBG_OK) find_bonds(*out, hbg_model_size(run->model).bonds);
  for (int64_t at = 0; at <= row && status == HBG_OK; at++) status = hbg_run_next(*out, &ignored);
  return status;
}

typedef struct Holder {
  StudioRun *run;
  double deadline;
} Holder;

bool studio_run_take_at_row(Studio *studio, const char *name, int64_t row, StudioRunAtRow *out, StudioReply *reply) {
  *out = (StudioRunAtRow){0};
  StudioRun *run = studio_run_find(studio->runs, name, reply);
  if (!run) return false;
  Holder *holder = row >= 0 && row < studio_trace_rows(&run->trace) ? calloc(1, sizeof *holder) : NULL;
  if (!holder) {
    studio_fail(reply, 404, NULL, "The run has no row of the number %lld.", (long long)row);
    studio_run_release(run);
    return false;
  }
  *holder = (Holder){run, now() + MOST_SECONDS};
  out->holder = holder;
  const HbgStatus status = go(run, row, &holder->deadline, &out->run);
  if (status == HBG_OK) return true;
  studio_run_release_at_row(studio, out);
  if (status == HBG_MEMORY)
    studio_fail_memory(reply);
  else
    studio_fail(reply, 413, "Draw an earlier row, or draw the mode without values.",
                "It takes longer than %d seconds to compute the run up to this row again.", MOST_SECONDS);
  return false;
}

void studio_run_release_at_row(Studio *studio, StudioRunAtRow *at) {
  (void)studio;
  Holder *holder = at->holder;
  hbg_run_free(at->run);
  if (holder) studio_run_release(holder->run);
  free(holder);
  *at = (StudioRunAtRow){0};
}

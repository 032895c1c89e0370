/* SPDX-License-Identifier: BSD-3-Clause
 * The work of one run: row by row, until it is over, paused or cancelled. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runs.h"

enum { ROWS_BETWEEN_LOOKS = 64 };
#define TELL_EVERY 0.12  // [s]

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool studio_run_is_interrupted(void *run) {
  return atomic_load_explicit(&((StudioRun *)run)->is_cancelled, memory_order_relaxed);
}

/* ---- what it says ---- */

static void set_failure(StudioRun *run, const char *failure) {
  char *copy = strdup(failure);
  pthread_mutex_lock(&run->runs->lock);
  free(run->failure);
  run->failure = copy;
  pthread_mutex_unlock(&run->runs->lock);
}

/* With the lock held. */
static void add_warning(StudioRun *run, const char *warning) {
  char **grown = realloc(run->warnings, (size_t)(run->warning_count + 1) * sizeof *grown);
  char *copy = grown ? strdup(warning) : NULL;
  if (grown) run->warnings = grown;
  if (copy) run->warnings[run->warning_count++] = copy;
}

static bool has_warning(const StudioRun *run, const char *warning) {
  for (int32_t at = 0; at < run->warning_count; at++)
    if (!strcmp(run->warnings[at], warning)) return true;
  return false;
}

static void warn(StudioRun *run, const char *warning) {
  pthread_mutex_lock(&run->runs->lock);
  if (!has_warning(run, warning)) add_warning(run, warning);
  pthread_mutex_unlock(&run->runs->lock);
}

static void take_warnings(StudioRun *run) {
  for (int32_t at = 0; at < hbg_run_warning_count(run->run); at++) warn(run, hbg_run_warning(run->run, at));
}

/* ---- memory ---- */

/* Counts what its rows take by now; false: all runs together take too much. */
static bool count_bytes(StudioRun *run) {
  const size_t bytes = studio_trace_bytes(&run->trace);
  StudioRuns *runs = run->runs;
  pthread_mutex_lock(&runs->lock);
  runs->bytes += (int64_t)bytes - (int64_t)run->bytes;
  run->bytes = bytes;
  const bool fits = runs->bytes <= runs->most_bytes;
  pthread_mutex_unlock(&runs->lock);
  if (!fits)
    warn(run,
         "Paused: the rows of all runs take more memory than they may (1 GB). Forget other runs and go on, or run with "
         "a longer interval between samples.");
  return fits;
}

/* ---- working ---- */

static StudioRunState end(StudioRun *run, HbgStatus status) {
  const bool is_kept = studio_trace_end(&run->trace);
  if (atomic_load(&run->is_cancelled)) return STUDIO_CANCELLED;
  if (status == HBG_STOPPED)
    set_failure(run, hbg_run_failure(run->run));
  else if (status != HBG_END || !is_kept)
    set_failure(run, "There is not enough memory to go on.");
  return status == HBG_END && is_kept ? STUDIO_DONE : status == HBG_STOPPED ? STUDIO_STOPPED : STUDIO_FAILED;
}

/* What is wanted of it between two rows, and what it has to tell. False: it pauses. */
static bool look_up(StudioRun *run) {
  const double time = now();
  if (time - run->told >= TELL_EVERY) {
    run->told = time;
    take_warnings(run);
    studio_run_tell(run);
  }
  return count_bytes(run);
}

static StudioRunState pull(StudioRun *run) {
  for (int64_t rows = 0;; rows++) {
    if (atomic_load_explicit(&run->is_cancelled, memory_order_relaxed)) return end(run, HBG_STOPPED);
    if (atomic_exchange_explicit(&run->is_to_pause, false, memory_order_relaxed)) return STUDIO_PAUSED;
    if (rows % ROWS_BETWEEN_LOOKS == 0 && !look_up(run)) return STUDIO_PAUSED;
    HbgRow row;
    bool ends_instant;
    const HbgStatus status = hbg_run_next(run->run, &row);
    if (status != HBG_OK) return end(run, status);
    if (!studio_trace_keep(&run->trace, run->run, &row, &ends_instant)) return end(run, HBG_MEMORY);
    if (ends_instant && atomic_exchange(&run->is_to_step, false)) return STUDIO_PAUSED;
  }
}

StudioRunState studio_run_work(StudioRun *run) {
  const double start = now();
  const StudioRunState state = pull(run);
  take_warnings(run);
  count_bytes(run);
  pthread_mutex_lock(&run->runs->lock);
  run->seconds += now() - start;
  pthread_mutex_unlock(&run->runs->lock);
  return state;
}

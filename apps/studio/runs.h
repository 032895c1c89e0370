/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of the studio: each has rows that are kept, a state, and stands in line for one of two threads that work. */
#ifndef STUDIO_RUNS_H
#define STUDIO_RUNS_H

#include <pthread.h>
#include <stdatomic.h>

#include "run_trace.h"
#include "studio.h"

enum { STUDIO_MOST_RUNS = 32, STUDIO_WORKERS = 2 };
#define STUDIO_RUN_BYTES ((int64_t)1 << 30) // that the rows of all runs may take

typedef enum StudioRunState {
  STUDIO_RUNNING, // at work, or in line for it
  STUDIO_PAUSED,
  STUDIO_DONE,
  STUDIO_STOPPED, // the simulation could not go on
  STUDIO_FAILED,  // no memory
  STUDIO_CANCELLED
} StudioRunState;

typedef struct StudioStrokes StudioStrokes; // run_strokes.h: what has been drawn for modes

typedef struct StudioRun StudioRun;

struct StudioRun {
  StudioRuns *runs;
  char name[32];
  char *label, *path, *model_name;
  json_t *settings;
  HbgModel *model;
  HbgRunOptions options; // it was made with, but for what asks for interruption
  HbgRun *run;           // of the thread at work; NULL when it has ended
  StudioTrace trace;
  double stop;

  // under the lock of the runs
  int references;        // who looks at it, and the list
  StudioRunState state;
  bool is_listed, is_waiting, is_at_work;
  bool is_to_go_on;      // what is at work and about to pause shall not
  StudioRun *next;       // in line
  char *failure;
  char **warnings; int32_t warning_count;
  double seconds;
  StudioStrokes *strokes; // with a lock of its own

  atomic_bool is_cancelled, is_to_pause, is_to_step;
  atomic_int_least64_t event_count;
  size_t bytes;          // counted for it; of the thread at work
  double told;           // when its progress was told last [s]
};

struct StudioRuns {
  Studio *studio;
  pthread_mutex_t lock;
  pthread_cond_t has_changed;
  pthread_t workers[STUDIO_WORKERS];
  int worker_count;
  bool ends;
  StudioRun *list[STUDIO_MOST_RUNS]; int count; // the oldest first
  StudioRun *first, *last;                      // in line
  int64_t number;
  int64_t bytes, most_bytes;                    // of all
};

/* ---- runs.c ---- */

/* A run with a name of its own, which nobody sees yet; NULL: no memory. */
StudioRun *studio_run_new(StudioRuns *runs);
/* Puts it on the list, the oldest that is over being forgotten for it, and in line unless `is_paused`. False after studio_fail(): there are too many. What `run`
 * was is then released. */
bool studio_run_enter(StudioRun *run, bool is_paused, StudioReply *reply);
/* The run that a request names by `run`; to be released. NULL after studio_fail(). */
StudioRun *studio_run_named(Studio *studio, const json_t *request, StudioReply *reply);
StudioRun *studio_run_find(StudioRuns *runs, const char *name, StudioReply *reply);
void studio_run_release(StudioRun *run);
/* Takes it off the list and ends it; who looks at it keeps it until then. */
void studio_run_forget(StudioRun *run);
/* Puts it in line for work. */
void studio_run_go_on(StudioRun *run);
/* It is to pause at the next row. */
void studio_run_pause(StudioRun *run);
/* Ends what is paused; what waits or is at work sees it by itself. */
void studio_run_cancel(StudioRun *run);

/* RunProgress and RunInfo of protocol.ts; NULL: no memory. */
json_t *studio_run_progress(StudioRun *run);
json_t *studio_run_information(StudioRun *run);
/* Tells all pages how far it is. */
void studio_run_tell(StudioRun *run);

/* ---- run_work.c ---- */

/* Works on `run` until it is over, or to be paused, and answers what its state is then. */
StudioRunState studio_run_work(StudioRun *run);
/* Asked by the library. */
bool studio_run_is_interrupted(void *run);

#endif

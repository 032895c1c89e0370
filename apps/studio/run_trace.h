/* SPDX-License-Identifier: BSD-3-Clause
 * The rows of a run as they are kept: times and columns, and of rows at instants what led to them. One thread adds rows while others read those
 * before studio_trace_rows(). */
#ifndef STUDIO_RUN_TRACE_H
#define STUDIO_RUN_TRACE_H

#include <stdatomic.h>

#include "run_columns.h"

/* Of every row. */
typedef struct StudioStamp {
  int32_t eps, n;
  uint8_t kind; // HbgRowKind
} StudioStamp;

/* A transition that led to a row. Texts live as long as the trace. */
typedef struct StudioFired {
  int32_t machine, from, to;
  const char *guard;
  int64_t first_term; int32_t term_count;
} StudioFired;

/* Of a row at an instant. */
typedef struct StudioEvent {
  const char *cause;
  int64_t first_fired; int32_t fired_count;
  int64_t first_impulse; int32_t impulse_count;
} StudioEvent;

/* Rows of one instant at which something happened. Its events are as many, one for each row. */
typedef struct StudioInstant {
  int64_t first_row, first_event;
  int32_t row_count;
  bool has_jump;
} StudioInstant;

typedef struct StudioTrace {
  StudioColumns columns;
  StudioList times, stamps;            // double, StudioStamp
  StudioList instants, events;         // StudioInstant, StudioEvent
  StudioList fired, terms, impulses;   // StudioFired, HbgFiredTerm, HbgImpulse
  char **texts; size_t text_count, text_places; // every text once
  size_t text_bytes;
  StudioInstant open;                  // the instant that is not over (row_count 0: none)
  atomic_int_least64_t row_count, instant_count; // that may be read
} StudioTrace;

void studio_trace_make(StudioTrace *trace);
/* Keeps the current row of `run`; `*ends_instant`: it is the last of an instant with events. False: no memory. */
bool studio_trace_keep(StudioTrace *trace, HbgRun *run, const HbgRow *row, bool *ends_instant);
/* No more rows come: an instant that was not over is, all the same. */
bool studio_trace_end(StudioTrace *trace);
void studio_trace_free(StudioTrace *trace);

/* How many rows and instants are there to be read. */
int64_t studio_trace_rows(const StudioTrace *trace);
int64_t studio_trace_instants(const StudioTrace *trace);
double studio_trace_time(const StudioTrace *trace, int64_t row);
const StudioStamp *studio_trace_stamp(const StudioTrace *trace, int64_t row);
const StudioInstant *studio_trace_instant(const StudioTrace *trace, int64_t instant);
const StudioEvent *studio_trace_event(const StudioTrace *trace, int64_t event);
/* The first of `rows` rows that is behind `time` (or, when not `is_behind`, at `time` or behind); `rows` when there is none. */
int64_t studio_trace_search(const StudioTrace *trace, int64_t rows, double time, bool is_behind);
/* The instant that row `row` belongs to, -1. */
int64_t studio_trace_instant_of(const StudioTrace *trace, int64_t row);
/* The state a machine is in; `*is_sliding`: in none, it slides. -1 when it is not known. */
int32_t studio_trace_state(const StudioTrace *trace, const HbgModel *model, int32_t machine, int64_t row, bool *is_sliding);
/* The mode of a row as hbg_model_causality() reads it; from malloc(), NULL: no memory. */
char *studio_trace_mode(const StudioTrace *trace, const HbgModel *model, int64_t row);
/* Roughly what it takes in memory. */
size_t studio_trace_bytes(const StudioTrace *trace);

#endif

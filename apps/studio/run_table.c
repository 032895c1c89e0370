/* SPDX-License-Identifier: BSD-3-Clause
 * The rows of a run as a table: CSV (RFC 4180) with numbers that read back as the same ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "run_instants.h"
#include "runs.h"

#define MOST_CELLS 20000000

typedef struct Table {
  const StudioRun *run;
  bool is_of_events;
  StudioBuffer csv;
} Table;

/* ---- writing ---- */

static void add_bytes(Table *self, const char *bytes, size_t length) { studio_buffer_add(&self->csv, bytes, length); }

static void add_text(Table *self, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    add_bytes(self, text, strlen(text));
    return;
  }
  add_bytes(self, "\"", 1);
  for (; *text; text++) {
    if (*text == '"') add_bytes(self, "\"", 1);
    add_bytes(self, text, 1);
  }
  add_bytes(self, "\"", 1);
}

static void add_number(Table *self, double number) {
  char text[40];
  if (!isfinite(number)) {
    add_text(self, isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (!(strtod(text, NULL) < number) && !(strtod(text, NULL) > number)) break;
  }
  add_text(self, text);
}

static void next_cell(Table *self) { add_bytes(self, ",", 1); }
static void end_line(Table *self) { add_bytes(self, "\n", 1); }

/* ---- cells ---- */

/* Is it a machine that switches no junction? The others are told beside theirs. */
static bool stands_alone(const Table *self, int32_t machine) {
  const StudioColumns *columns = &self->run->trace.columns;
  for (int32_t at = 0; at < columns->count && columns->list[at].group == STUDIO_JUNCTION; at++)
    if (columns->list[at].machine == machine) return false;
  return true;
}

/* Trajectories are told by all that a run usually has and was asked for, events by machines, what is stored, and what machines count. */
static bool is_shown(const Table *self, const StudioColumn *column) {
  switch (column->group) {
    case STUDIO_JUNCTION:
    case STUDIO_STORED: return true;
    case STUDIO_SIGNAL: return !self->is_of_events || column->is_variable;
    case STUDIO_ASKED: return !self->is_of_events;
    default: return false;
  }
}

static void add_cell(Table *self, const StudioColumn *column, int32_t index, int64_t row) {
  const double value = studio_columns_value(&self->run->trace.columns, index, row);
  switch (column->kind) {
    case HBG_COLUMN_JUNCTION:
      if (value > 0 && value < 1)
        add_number(self, value);
      else
        add_text(self, value > 0.5 ? "on" : "off");
      break;
    case HBG_COLUMN_BOOLEAN: add_text(self, value > 0.5 ? "true" : "false"); break;
    case HBG_COLUMN_MACHINE:
      if (column->machine >= 0)
        add_text(self, studio_state_at(self->run, column->machine, row));
      else
        add_number(self, value);
      break;
    default: add_number(self, value + 0.0);
  }
}

static void add_named(Table *self, const StudioColumn *column, const char *suffix) {
  StudioBuffer name = {0};
  studio_buffer_add(&name, column->name, strlen(column->name));
  studio_buffer_add(&name, suffix, strlen(suffix));
  char *text = studio_buffer_take(&name, NULL);
  next_cell(self);
  if (text)
    add_text(self, text);
  else
    self->csv.has_failed = true;
  free(text);
}

/* Machines come behind the junctions. */
static int32_t junction_count(const StudioColumns *columns) {
  int32_t count = 0;
  while (count < columns->count && columns->list[count].group == STUDIO_JUNCTION) count++;
  return count;
}

/* The machines that switch nothing; `row` < 0: their names. */
static void tell_machines(Table *self, int64_t row) {
  const StudioColumns *columns = &self->run->trace.columns;
  for (int32_t machine = 0; machine < columns->machine_count; machine++) {
    const int32_t at = columns->machine_column[machine];
    if (at < 0 || !stands_alone(self, machine)) continue;
    next_cell(self);
    add_text(self, row < 0 ? columns->list[at].name : studio_state_at(self->run, machine, row));
  }
}

/* One line; `row` < 0: the names. */
static void tell_columns(Table *self, int64_t row) {
  const StudioColumns *columns = &self->run->trace.columns;
  const int32_t junctions = junction_count(columns);
  for (int32_t at = 0; at < columns->count; at++) {
    const StudioColumn *column = &columns->list[at];
    if (at == junctions && self->is_of_events) tell_machines(self, row);
    if (!is_shown(self, column)) continue;
    if (row < 0) {
      add_named(self, column, "");
    } else {
      next_cell(self);
      add_cell(self, column, at, row);
    }
    if (at >= junctions || !self->is_of_events) continue;
    if (row < 0) {
      add_named(self, column, ".state");
    } else {
      next_cell(self);
      add_text(self, studio_state_at(self->run, column->machine, row));
    }
  }
  end_line(self);
}

static void add_head(Table *self) {
  add_bytes(self, "time", 4);
  if (self->is_of_events) add_bytes(self, ",eps,n,kind,cause", 17);
  tell_columns(self, -1);
}

/* ---- tables ---- */

static void add_trajectory(Table *self) {
  const StudioTrace *trace = &self->run->trace;
  for (int64_t row = 0, rows = studio_trace_rows(trace); row < rows && !self->csv.has_failed; row++) {
    // inferences are no part of the trajectory
    if (studio_trace_stamp(trace, row)->kind == HBG_ROW_MYTHICAL) continue;
    add_number(self, studio_trace_time(trace, row));
    tell_columns(self, row);
  }
}

static void add_event(Table *self, int64_t row, const StudioEvent *event) {
  const StudioStamp *stamp = studio_trace_stamp(&self->run->trace, row);
  char text[40];
  add_number(self, studio_trace_time(&self->run->trace, row));
  snprintf(text, sizeof text, ",%d,%d,", (int)stamp->eps, (int)stamp->n);
  add_bytes(self, text, strlen(text));
  add_text(self, studio_row_kind(stamp->kind));
  next_cell(self);
  add_text(self, event->cause);
  tell_columns(self, row);
}

static void add_events(Table *self) {
  const StudioTrace *trace = &self->run->trace;
  for (int64_t at = 0, count = studio_trace_instants(trace); at < count && !self->csv.has_failed; at++) {
    const StudioInstant *instant = studio_trace_instant(trace, at);
    for (int32_t row = 0; row < instant->row_count; row++)
      add_event(self, instant->first_row + row, studio_trace_event(trace, instant->first_event + row));
  }
}

static bool is_too_large(const Table *self) {
  const StudioTrace *trace = &self->run->trace;
  int64_t columns = 1;
  for (int32_t at = 0; at < trace->columns.count; at++) columns += is_shown(self, &trace->columns.list[at]);
  return !self->is_of_events && studio_trace_rows(trace) * columns > MOST_CELLS;
}

static json_t *answer(const StudioRun *run, const char *format, StudioReply *reply) {
  Table self = {.run = run, .is_of_events = !strcmp(format, "events")};
  if (!self.is_of_events && strcmp(format, "csv"))
    return studio_fail(reply, 400, "Formats are csv and events.", "There is no format '%s'.", format);
  if (is_too_large(&self))
    return studio_fail(
        reply, 413,
        "Run with a longer interval between samples, or use `hybrsim simulate` on the model, which writes to a file.",
        "The table would have more than twenty million cells.");
  add_head(&self);
  if (self.is_of_events)
    add_events(&self);
  else
    add_trajectory(&self);
  size_t length;
  char *bytes = studio_buffer_take(&self.csv, &length);
  return bytes ? studio_answer_bytes(reply, "text/csv", bytes, length) : studio_fail_memory(reply);
}

json_t *studio_table(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *format = "csv";
  if (!studio_read_text(request, "format", false, &format, reply)) return NULL;
  StudioRun *run = studio_run_named(studio, request, reply);
  if (run) answer(run, format, reply);
  studio_run_release(run);
  return NULL;
}

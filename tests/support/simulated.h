/* SPDX-License-Identifier: BSD-3-Clause
 * Simulating in tests, through the public interface only: a text becomes all rows of a run. What must hold for the rows of
 * any run (semantics 14: stamps ascend, n begins at 0 in each layer, an inference is followed by the next) is checked here
 * for every run of every test. */
#ifndef TESTS_SUPPORT_SIMULATED_H
#define TESTS_SUPPORT_SIMULATED_H

#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

typedef struct SimulatedRow {
  HbgRow row;
  char cause[200];
  double *values; /* (column_count) */
} SimulatedRow;

typedef struct Simulated {
  HbgModel *model;
  HbgRun *run;
  HbgStatus status; /* HBG_END, HBG_STOPPED or HBG_MEMORY */
  SimulatedRow *rows;
  int row_count, row_capacity, column_count;
  char story[4000];
} Simulated;

/* ---- making one ---- */

static inline HbgModel *simulated_model(const char *text) {
  HbgModel *model = NULL;
  const HbgStatus status = hbg_model_load(text, strlen(text), NULL, &model);
  if (status != HBG_OK)
    fail_msg("%s: %s", hbg_status_text(status), model ? hbg_model_diagnostic(model, 0) : "");
  return model;
}

/* A run with the model's own options. */
static inline HbgRun *simulated_start(const HbgModel *model) {
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  return run;
}

/* The handle of a variable. */
static inline int32_t simulated_find(HbgRun *run, const char *expression) {
  int32_t variable = -1;
  const char *message = "";
  if (hbg_run_find(run, expression, &variable, &message) != HBG_OK) fail_msg("%s", message);
  return variable;
}

/* Columns as "a.q; b.p; gap"; NULL: the default ones of the event table. */
static inline void simulated_add_columns(HbgRun *run, const char *columns) {
  if (!columns) {
    assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS), HBG_OK);
    return;
  }
  char copy[8000];
  snprintf(copy, sizeof copy, "%s", columns);
  for (char *word = strtok(copy, ";"); word; word = strtok(NULL, ";")) {
    const char *message = "";
    while (*word == ' ') word++;
    if (hbg_run_add_column(run, word, &message) != HBG_OK) fail_msg("%s", message);
  }
}

static inline void simulated_keep(Simulated *made, const HbgRow *row) {
  if (made->row_count == made->row_capacity) {
    made->row_capacity = made->row_capacity ? made->row_capacity * 2 : 256;
    made->rows = realloc(made->rows, (size_t)made->row_capacity * sizeof *made->rows);
    assert_non_null(made->rows);
  }
  SimulatedRow *kept = &made->rows[made->row_count++];
  kept->row = *row;
  snprintf(kept->cause, sizeof kept->cause, "%s", row->cause);
  kept->row.cause = NULL;
  const size_t size = (size_t)made->column_count * sizeof *kept->values;
  kept->values = malloc(size ? size : 1);
  assert_non_null(kept->values);
  if (size) memcpy(kept->values, hbg_run_values(made->run), size);
}

/* The rules for the stamps of any run. */
static inline void simulated_check_stamps(const Simulated *made) {
  for (int at = 1; at < made->row_count; at++) {
    const HbgRow *a = &made->rows[at - 1].row, *b = &made->rows[at].row;
    const bool ascends = a->time < b->time || (a->time <= b->time && (a->eps < b->eps || (a->eps == b->eps && a->n < b->n)));
    if (!ascends)
      fail_msg("row %d <%.17g, %d, %d> does not come after <%.17g, %d, %d>", at, b->time, b->eps, b->n, a->time, a->eps, a->n);
    if (b->eps != a->eps && b->n != 0 && b->is_event && a->time >= b->time)
      fail_msg("n is %d in the first row of layer %d at t = %.17g", b->n, b->eps, b->time);
    if (a->kind == HBG_ROW_MYTHICAL &&
        !(b->time >= a->time && b->time <= a->time && b->eps == a->eps && b->n == a->n + 1))
      fail_msg("the inference <%.17g, %d, %d> is followed by <%.17g, %d, %d>", a->time, a->eps, a->n, b->time, b->eps, b->n);
    if (a->kind == HBG_ROW_PINNACLE && !(b->time >= a->time && b->time <= a->time && b->eps == a->eps + 1))
      fail_msg("the pinnacle <%.17g, %d, %d> is followed by <%.17g, %d, %d>", a->time, a->eps, a->n, b->time, b->eps, b->n);
  }
}

static inline Simulated simulated_from(HbgModel *model, const char *columns, const HbgRunOptions *options) {
  Simulated made = {.model = model};
  const char *message = "";
  if (hbg_run_create(model, options, &made.run, &message) != HBG_OK) fail_msg("%s", message);
  simulated_add_columns(made.run, columns);
  made.column_count = hbg_run_column_count(made.run);
  HbgRow row;
  while ((made.status = hbg_run_next(made.run, &row)) == HBG_OK) simulated_keep(&made, &row);
  simulated_check_stamps(&made);
  return made;
}

/* Runs `text` to its end; what the end is stands in `status`. `options` NULL: the defaults. */
static inline Simulated simulated_try(const char *text, const char *columns, const HbgRunOptions *options) {
  return simulated_from(simulated_model(text), columns, options);
}

/* The same, and it must reach the end. */
static inline Simulated simulated(const char *text, const char *columns, const HbgRunOptions *options) {
  const Simulated made = simulated_try(text, columns, options);
  if (made.status != HBG_END) fail_msg("%s: %s", hbg_status_text(made.status), hbg_run_failure(made.run));
  return made;
}

/* The time of the first row whose cause has `words` in it; NAN. */
static inline double simulated_time_of(const Simulated *run, const char *words) {
  for (int at = 0; at < run->row_count; at++)
    if (strstr(run->rows[at].cause, words)) return run->rows[at].row.time;
  return (double)NAN;
}

/* Only instants. */
static inline Simulated simulated_events(const char *text) {
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  return simulated(text, NULL, &options);
}

static inline void simulated_end(Simulated *made) {
  for (int at = 0; at < made->row_count; at++) free(made->rows[at].values);
  free(made->rows);
  hbg_run_free(made->run);
  hbg_model_free(made->model);
  *made = (Simulated){0};
}

/* ---- reading it ---- */

static inline int simulated_column(const Simulated *made, const char *name) {
  for (int column = 0; column < made->column_count; column++)
    if (!strcmp(hbg_run_column(made->run, column).name, name)) return column;
  fail_msg("there is no column '%s'", name);
  return -1;
}

static inline double simulated_value(const Simulated *made, int row, const char *column) {
  if (row < 0 || row >= made->row_count) fail_msg("there is no row %d of %d", row, made->row_count);
  return made->rows[row].values[simulated_column(made, column)];
}

static inline double simulated_last(const Simulated *made, const char *column) {
  return simulated_value(made, made->row_count - 1, column);
}

/* The time from which on `column` is more than 1/2 to the end: when what it tells has come to rest. */
static inline double simulated_since(const Simulated *made, const char *column) {
  const int which = simulated_column(made, column);
  int first = made->row_count;
  while (first > 0 && made->rows[first - 1].values[which] > 0.5) first--;
  if (first == made->row_count) fail_msg("'%s' does not hold at the end", column);
  return made->rows[first].row.time;
}

/* The last row at or before time `t` (samples and events alike). */
static inline int simulated_row_at(const Simulated *made, double t) {
  int found = -1;
  for (int at = 0; at < made->row_count && made->rows[at].row.time <= t; at++) found = at;
  return found;
}

/* The value of a column in the last row exactly at time `t`. */
static inline double simulated_at(const Simulated *made, double t, const char *column) {
  const int row = simulated_row_at(made, t);
  if (row < 0 || made->rows[row].row.time < t) fail_msg("there is no row at t = %.17g", t);
  return simulated_value(made, row, column);
}

/* How many instants stand in the event table. */
static inline int simulated_instants(const Simulated *made) {
  int count = 0;
  for (int at = 0; at < made->row_count; at++) count += made->rows[at].row.kind == HBG_ROW_CONTINUOUS;
  return count;
}

/* The time of instant `which`, counted from 0. */
static inline double simulated_instant(const Simulated *made, int which) {
  for (int at = 0; at < made->row_count; at++)
    if (made->rows[at].row.kind == HBG_ROW_CONTINUOUS && which-- == 0) return made->rows[at].row.time;
  fail_msg("there are fewer instants");
  return (double)NAN;
}

static inline bool simulated_warns(const Simulated *made, const char *part) {
  for (int32_t at = 0; at < hbg_run_warning_count(made->run); at++)
    if (strstr(hbg_run_warning(made->run, at), part)) return true;
  return false;
}

static inline bool simulated_failed_with(const Simulated *made, const char *part) {
  return made->status == HBG_STOPPED && strstr(hbg_run_failure(made->run), part);
}

/* All instants in words, one to a line, with the states of the machines that are columns (NAME.state):
 * "0.2: before(-1,0) apart | continuous(0,0) joined\n" */
static inline const char *simulated_story(Simulated *made) {
  static const char *const kinds[] = {"sample", "before", "mythical", "pinnacle", "continuous", "cycle"};
  size_t used = 0;
  double time = (double)NAN;
  made->story[0] = '\0';
  for (int at = 0; at < made->row_count; at++) {
    const SimulatedRow *kept = &made->rows[at];
    if (!kept->row.is_event || used > sizeof made->story - 200) continue;
    const bool goes_on = time <= kept->row.time && time >= kept->row.time;
    if (goes_on) used += (size_t)snprintf(made->story + used, sizeof made->story - used, " | ");
    else used += (size_t)snprintf(made->story + used, sizeof made->story - used, "%s%.9g: ", used ? "\n" : "", kept->row.time);
    time = kept->row.time;
    used += (size_t)snprintf(made->story + used, sizeof made->story - used, "%s(%d,%d)", kinds[kept->row.kind],
                             (int)kept->row.eps, (int)kept->row.n);
    for (int column = 0; column < made->column_count; column++)
      if (hbg_run_column(made->run, column).kind == HBG_COLUMN_MACHINE)
        used += (size_t)snprintf(made->story + used, sizeof made->story - used, " %s",
                                 hbg_run_label(made->run, column, kept->values[column]));
  }
  return made->story;
}

#define CHECK_STORY(run, expected) assert_string_equal(simulated_story(run), expected)

#endif

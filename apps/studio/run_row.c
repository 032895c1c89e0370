/* SPDX-License-Identifier: BSD-3-Clause
 * Everything at one row of a run: what the drawing shows at the cursor. */
#include <math.h>
#include <stdlib.h>

#include "run_instants.h"
#include "run_strokes.h"
#include "runs.h"

/* The row that is meant; -1 after studio_fail(). */
static int64_t find_row(const StudioRun *run, const json_t *request, StudioReply *reply) {
  const int64_t rows = studio_trace_rows(&run->trace);
  int64_t row = -1;
  double time = (double)NAN;
  if (!studio_read_integer(request, "row", false, 0, INT64_MAX / 2, &row, reply) ||
      !studio_read_number(request, "time", false, &time, reply))
    return -1;
  if (!rows) {
    studio_fail(reply, 404, "Wait a moment.", "The run has no rows yet.");
    return -1;
  }
  if (row >= rows) {
    studio_fail(reply, 404, NULL, "The run has %lld rows, and none of the number %lld.", (long long)rows,
                (long long)row);
    return -1;
  }
  if (row >= 0) return row;
  // the last one not behind it; before the first, the first
  const int64_t behind = isnan(time) ? rows : studio_trace_search(&run->trace, rows, time, true);
  return behind ? behind - 1 : 0;
}

static json_t *tell_values(const StudioRun *run, int64_t row) {
  const StudioColumns *columns = &run->trace.columns;
  json_t *values = json_object();
  // of two of one name the first is meant
  for (int32_t at = columns->count - 1; at >= 0; at--)
    json_object_set_new(values, columns->list[at].name, studio_json_number(studio_columns_value(columns, at, row)));
  return values;
}

static json_t *tell_states(const StudioRun *run, int64_t row) {
  json_t *states = json_object();
  for (int32_t machine = 0; machine < run->trace.columns.machine_count; machine++)
    json_object_set_new(states, hbg_model_machine(run->model, machine).name,
                        studio_json_text(studio_state_at(run, machine, row)));
  return states;
}

static json_t *tell_row(const StudioRun *run, int64_t row, const char *level, const char *mode, StudioReply *reply) {
  const StudioStamp *stamp = studio_trace_stamp(&run->trace, row);
  json_t *drawn = studio_strokes_at(run->strokes, run->model, level, mode, reply);
  if (!drawn) return NULL;
  json_t *told = json_object();
  json_object_update(told, drawn);
  json_decref(drawn);
  json_object_set_new(told, "row", json_integer(row));
  json_object_set_new(told, "time", studio_json_number(studio_trace_time(&run->trace, row)));
  json_object_set_new(told, "eps", json_integer(stamp->eps));
  json_object_set_new(told, "n", json_integer(stamp->n));
  json_object_set_new(told, "kind", studio_json_text(studio_row_kind(stamp->kind)));
  json_object_set_new(told, "mode", studio_json_text(mode));
  json_object_set_new(told, "instant", json_integer(studio_trace_instant_of(&run->trace, row)));
  json_object_set_new(told, "values", tell_values(run, row));
  json_object_set_new(told, "states", tell_states(run, row));
  return told;
}

static json_t *answer(const StudioRun *run, const json_t *request, StudioReply *reply) {
  const char *level = "";
  if (!studio_read_text(request, "level", false, &level, reply)) return NULL;
  const int64_t row = find_row(run, request, reply);
  char *mode = row < 0 ? NULL : studio_trace_mode(&run->trace, run->model, row);
  if (row >= 0 && !mode) return studio_fail_memory(reply);
  json_t *told = row < 0 ? NULL : tell_row(run, row, level, mode, reply);
  free(mode);
  return told;
}

json_t *studio_row(Studio *studio, const json_t *request, StudioReply *reply) {
  StudioRun *run = studio_run_named(studio, request, reply);
  json_t *told = run ? answer(run, request, reply) : NULL;
  studio_run_release(run);
  return told;
}

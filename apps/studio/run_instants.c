/* SPDX-License-Identifier: BSD-3-Clause
 * The instants of a run: their rows, and what led to each of them. */
#include <math.h>

#include "run_instants.h"
#include "runs.h"

enum { MOST_INSTANTS = 1000, MOST_ROWS = 20000 };

const char *studio_row_kind(int kind) {
  static const char *const names[] = {[HBG_ROW_SAMPLE] = "sample",
                                      [HBG_ROW_BEFORE] = "before",
                                      [HBG_ROW_MYTHICAL] = "mythical",
                                      [HBG_ROW_PINNACLE] = "pinnacle",
                                      [HBG_ROW_CONTINUOUS] = "continuous"};
  return names[kind];
}

const char *studio_state_at(const StudioRun *run, int32_t machine, int64_t row) {
  bool is_sliding;
  const int32_t state = studio_trace_state(&run->trace, run->model, machine, row, &is_sliding);
  return is_sliding ? "sliding" : state < 0 ? "" : hbg_model_machine_state(run->model, machine, state, NULL);
}

static json_t *tell_term(const HbgFiredTerm *term) {
  json_t *told = json_object();
  json_object_set_new(told, "text", studio_json_text(term->text));
  json_object_set_new(told, "value", studio_json_number(term->value));
  json_object_set_new(told, "impulse", studio_json_number(term->impulse));
  json_object_set_new(told, "unit", studio_json_text(term->unit));
  json_object_set_new(told, "isBoolean", json_boolean(term->is_boolean));
  json_object_set_new(told, "isAPriori", json_boolean(term->is_a_priori));
  return told;
}

static json_t *tell_fired(const StudioRun *run, const StudioFired *fired) {
  json_t *told = json_object(), *values = json_array();
  for (int32_t at = 0; at < fired->term_count; at++)
    json_array_append_new(values, tell_term(studio_list_at(&run->trace.terms, fired->first_term + at)));
  json_object_set_new(told, "machine", studio_json_text(hbg_model_machine(run->model, fired->machine).name));
  json_object_set_new(told, "from",
                      studio_json_text(hbg_model_machine_state(run->model, fired->machine, fired->from, NULL)));
  json_object_set_new(told, "to",
                      studio_json_text(hbg_model_machine_state(run->model, fired->machine, fired->to, NULL)));
  json_object_set_new(told, "guard", studio_json_text(fired->guard));
  json_object_set_new(told, "values", values);
  return told;
}

static json_t *tell_row(const StudioRun *run, int64_t row, const StudioEvent *event) {
  const StudioStamp *stamp = studio_trace_stamp(&run->trace, row);
  json_t *told = json_object(), *states = json_array(), *guards = json_array();
  for (int32_t machine = 0; machine < run->trace.columns.machine_count; machine++)
    json_array_append_new(states, studio_json_text(studio_state_at(run, machine, row)));
  for (int32_t at = 0; at < event->fired_count; at++)
    json_array_append_new(guards, tell_fired(run, studio_list_at(&run->trace.fired, event->first_fired + at)));
  json_object_set_new(told, "row", json_integer(row));
  json_object_set_new(told, "eps", json_integer(stamp->eps));
  json_object_set_new(told, "n", json_integer(stamp->n));
  json_object_set_new(told, "kind", studio_json_text(studio_row_kind(stamp->kind)));
  json_object_set_new(told, "cause", studio_json_text(event->cause));
  json_object_set_new(told, "states", states);
  json_object_set_new(told, "guards", guards);
  return told;
}

static json_t *tell_instant(const StudioRun *run, const StudioInstant *instant, int64_t most_rows) {
  json_t *told = json_object(), *rows = json_array();
  for (int32_t at = 0; at < instant->row_count && at < most_rows; at++)
    json_array_append_new(
        rows, tell_row(run, instant->first_row + at, studio_trace_event(&run->trace, instant->first_event + at)));
  json_object_set_new(told, "time", studio_json_number(studio_trace_time(&run->trace, instant->first_row)));
  json_object_set_new(told, "rows", rows);
  json_object_set_new(told, "hasJump", json_boolean(instant->has_jump));
  return told;
}

static json_t *tell_instants(const StudioRun *run, int64_t first, int64_t count) {
  const int64_t total = studio_trace_instants(&run->trace);
  json_t *list = json_array();
  int64_t rows = MOST_ROWS;  // of all that are told at once: an instant may have ten thousand
  for (int64_t at = first; at < total && at - first < count && rows > 0; at++) {
    const StudioInstant *instant = studio_trace_instant(&run->trace, at);
    json_array_append_new(list, tell_instant(run, instant, rows));
    rows -= instant->row_count;
  }
  return json_pack("{s:I, s:o}", "total", (json_int_t)total, "instants", list);
}

json_t *studio_instants(Studio *studio, const json_t *request, StudioReply *reply) {
  int64_t first = 0, count = MOST_INSTANTS;
  if (!studio_read_integer(request, "first", false, 0, INT64_MAX / 2, &first, reply) ||
      !studio_read_integer(request, "count", false, 0, INT64_MAX / 2, &count, reply))
    return NULL;
  StudioRun *run = studio_run_named(studio, request, reply);
  json_t *answer = run ? tell_instants(run, first, count < MOST_INSTANTS ? count : MOST_INSTANTS) : NULL;
  studio_run_release(run);
  return answer;
}

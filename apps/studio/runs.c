/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_strokes.h"

/* ---- one run ---- */

StudioRun *studio_run_new(StudioRuns *runs) {
  StudioRun *run = calloc(1, sizeof *run);
  if (!run) return NULL;
  run->runs = runs;
  run->references = 1;
  run->state = STUDIO_PAUSED;
  run->strokes = studio_strokes_new();
  studio_trace_make(&run->trace);
  pthread_mutex_lock(&runs->lock);
  snprintf(run->name, sizeof run->name, "run-%lld", (long long)++runs->number);
  pthread_mutex_unlock(&runs->lock);
  return run;
}

static void free_run(StudioRun *run) {
  hbg_run_free(run->run);
  studio_strokes_free(run->strokes);
  hbg_model_free(run->model);
  studio_trace_free(&run->trace);
  for (int32_t at = 0; at < run->warning_count; at++) free(run->warnings[at]);
  free(run->warnings);
  json_decref(run->settings);
  free(run->failure);
  free(run->label);
  free(run->path);
  free(run->model_name);
  free(run);
}

void studio_run_release(StudioRun *run) {
  if (!run) return;
  StudioRuns *runs = run->runs;
  pthread_mutex_lock(&runs->lock);
  const bool is_last = !--run->references;
  if (is_last) runs->bytes -= (int64_t)run->bytes;
  pthread_mutex_unlock(&runs->lock);
  if (is_last) free_run(run);
}

/* ---- the line: all with the lock held ---- */

static void stand_in_line(StudioRun *run) {
  StudioRuns *runs = run->runs;
  run->state = STUDIO_RUNNING;
  run->is_to_go_on = run->is_at_work;
  if (run->is_waiting || run->is_at_work) return;
  run->is_waiting = true;
  run->next = NULL;
  run->references++;
  if (runs->last)
    runs->last->next = run;
  else
    runs->first = run;
  runs->last = run;
  pthread_cond_broadcast(&runs->has_changed);
}

/* It keeps the reference that the line has had. */
static StudioRun *take_first(StudioRuns *runs) {
  StudioRun *run = runs->first;
  if (!run) return NULL;
  runs->first = run->next;
  if (!runs->first) runs->last = NULL;
  run->is_waiting = false;
  return run;
}

static bool is_over(const StudioRun *run) { return run->state != STUDIO_RUNNING && run->state != STUDIO_PAUSED; }

void studio_run_pause(StudioRun *run) {
  pthread_mutex_lock(&run->runs->lock);
  run->is_to_go_on = false;
  atomic_store(&run->is_to_step, false);
  atomic_store(&run->is_to_pause, run->is_waiting || run->is_at_work);
  pthread_mutex_unlock(&run->runs->lock);
}

void studio_run_go_on(StudioRun *run) {
  pthread_mutex_lock(&run->runs->lock);
  atomic_store(&run->is_to_pause, false);
  if (!is_over(run)) stand_in_line(run);
  pthread_mutex_unlock(&run->runs->lock);
}

void studio_run_cancel(StudioRun *run) {
  atomic_store(&run->is_cancelled, true);
  pthread_mutex_lock(&run->runs->lock);
  // one that waits is taken from the line, seen to be cancelled, and ends; a paused one has nobody who would see it
  const bool ends = !is_over(run) && !run->is_waiting && !run->is_at_work;
  HbgRun *ended = ends ? run->run : NULL;
  if (ends) run->state = STUDIO_CANCELLED;
  if (ends) run->run = NULL;
  pthread_mutex_unlock(&run->runs->lock);
  if (!ends) return;
  studio_trace_end(&run->trace);
  hbg_run_free(ended);
  studio_run_tell(run);
}

/* ---- the list ---- */

static void take_off(StudioRuns *runs, int place) {
  runs->list[place]->is_listed = false;
  memmove(&runs->list[place], &runs->list[place + 1], (size_t)(runs->count - place - 1) * sizeof *runs->list);
  runs->count--;
}

void studio_run_forget(StudioRun *run) {
  StudioRuns *runs = run->runs;
  studio_run_cancel(run);
  pthread_mutex_lock(&runs->lock);
  const bool was_listed = run->is_listed;
  for (int place = 0; was_listed && place < runs->count; place++) {
    if (runs->list[place] != run) continue;
    take_off(runs, place);
    break;
  }
  pthread_mutex_unlock(&runs->lock);
  if (was_listed) studio_run_release(run);
}

/* The oldest that is over makes room; NULL: all are still needed. */
static StudioRun *make_room(StudioRuns *runs) {
  for (int place = 0; place < runs->count; place++) {
    StudioRun *oldest = runs->list[place];
    if (!is_over(oldest)) continue;
    take_off(runs, place);
    return oldest;
  }
  return NULL;
}

bool studio_run_enter(StudioRun *run, bool is_paused, StudioReply *reply) {
  StudioRuns *runs = run->runs;
  pthread_mutex_lock(&runs->lock);
  StudioRun *forgotten = runs->count == STUDIO_MOST_RUNS ? make_room(runs) : NULL;
  const bool has_room = runs->count < STUDIO_MOST_RUNS;
  if (has_room) {
    run->is_listed = true;
    runs->list[runs->count++] = run;
    if (!is_paused) stand_in_line(run);
  }
  pthread_mutex_unlock(&runs->lock);
  studio_run_release(forgotten);
  if (has_room) return true;
  studio_run_release(run);
  studio_fail(reply, 429, "Stop or forget some of them.",
              "There are %d runs already, and all of them are at work or paused.", STUDIO_MOST_RUNS);
  return false;
}

StudioRun *studio_run_find(StudioRuns *runs, const char *name, StudioReply *reply) {
  StudioRun *found = NULL;
  pthread_mutex_lock(&runs->lock);
  for (int place = 0; place < runs->count && !found; place++)
    if (!strcmp(runs->list[place]->name, name)) found = runs->list[place];
  if (found) found->references++;
  pthread_mutex_unlock(&runs->lock);
  if (!found) studio_fail(reply, 404, "Run the model again.", "There is no run '%s' any more.", name);
  return found;
}

StudioRun *studio_run_named(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *name;
  return studio_read_text(request, "run", true, &name, reply) ? studio_run_find(studio->runs, name, reply) : NULL;
}

/* ---- threads ---- */

static void end_work(StudioRun *run, StudioRunState state) {
  StudioRuns *runs = run->runs;
  const bool is_to_end = state != STUDIO_PAUSED;
  if (is_to_end) {  // rows stay, what made them goes
    hbg_run_free(run->run);
    run->run = NULL;
  }
  pthread_mutex_lock(&runs->lock);
  run->is_at_work = false;
  run->state = state;
  // meanwhile somebody may have wanted it to go on, or to end: that is seen at work
  if (!is_to_end && (run->is_to_go_on || atomic_load(&run->is_cancelled))) stand_in_line(run);
  pthread_mutex_unlock(&runs->lock);
  studio_run_tell(run);
  studio_run_release(run);
}

static void *work(void *user) {
  StudioRuns *runs = user;
  pthread_mutex_lock(&runs->lock);
  while (!runs->ends) {
    StudioRun *run = take_first(runs);
    if (!run) {
      pthread_cond_wait(&runs->has_changed, &runs->lock);
      continue;
    }
    run->is_at_work = true;
    run->is_to_go_on = false;
    pthread_mutex_unlock(&runs->lock);
    studio_run_tell(run);
    end_work(run, studio_run_work(run));
    pthread_mutex_lock(&runs->lock);
  }
  pthread_mutex_unlock(&runs->lock);
  return NULL;
}

StudioRuns *studio_runs_create(Studio *studio) {
  StudioRuns *runs = calloc(1, sizeof *runs);
  if (!runs) return NULL;
  runs->studio = studio;
  runs->most_bytes = STUDIO_RUN_BYTES;
  pthread_mutex_init(&runs->lock, NULL);
  pthread_cond_init(&runs->has_changed, NULL);
  for (int at = 0; at < STUDIO_WORKERS; at++)
    if (!pthread_create(&runs->workers[runs->worker_count], NULL, work, runs)) runs->worker_count++;
  if (runs->worker_count) return runs;
  studio_runs_free(runs);
  return NULL;
}

void studio_runs_free(StudioRuns *runs) {
  if (!runs) return;
  pthread_mutex_lock(&runs->lock);
  runs->ends = true;
  for (int at = 0; at < runs->count; at++) atomic_store(&runs->list[at]->is_cancelled, true);
  pthread_cond_broadcast(&runs->has_changed);
  pthread_mutex_unlock(&runs->lock);
  for (int at = 0; at < runs->worker_count; at++) pthread_join(runs->workers[at], NULL);
  for (StudioRun *run = take_first(runs); run; run = take_first(runs)) studio_run_release(run);
  while (runs->count) {
    StudioRun *run = runs->list[0];
    take_off(runs, 0);
    studio_run_release(run);
  }
  pthread_cond_destroy(&runs->has_changed);
  pthread_mutex_destroy(&runs->lock);
  free(runs);
}

/* ---- telling ---- */

static const char *state_name(StudioRunState state) {
  static const char *const names[] = {"running", "paused", "done", "stopped", "failed", "cancelled"};
  return names[state];
}

json_t *studio_run_progress(StudioRun *run) {
  const int64_t rows = studio_trace_rows(&run->trace);
  pthread_mutex_lock(&run->runs->lock);
  const StudioRunState state = run->state;
  pthread_mutex_unlock(&run->runs->lock);
  json_t *progress = json_object();
  json_object_set_new(progress, "run", studio_json_text(run->name));
  json_object_set_new(progress, "label", studio_json_text(run->label));
  json_object_set_new(progress, "state", studio_json_text(state_name(state)));
  json_object_set_new(progress, "time", studio_json_number(rows ? studio_trace_time(&run->trace, rows - 1) : 0));
  json_object_set_new(progress, "stop", studio_json_number(run->stop));
  json_object_set_new(progress, "rows", json_integer(rows));
  json_object_set_new(progress, "events", json_integer(studio_trace_instants(&run->trace)));
  return progress;
}

void studio_run_tell(StudioRun *run) {
  json_t *event = studio_run_progress(run);
  if (event && !json_object_set_new(event, "event", studio_json_text("run")))
    studio_tell(run->runs->studio, event);
  else
    json_decref(event);
}

static json_t *tell_column(const StudioRun *run, const StudioColumn *column) {
  static const char *const kinds[] = {[HBG_COLUMN_NUMBER] = "number",
                                      [HBG_COLUMN_BOOLEAN] = "boolean",
                                      [HBG_COLUMN_JUNCTION] = "junction",
                                      [HBG_COLUMN_MACHINE] = "machine"};
  json_t *told = json_object(), *states = json_array();
  const int32_t count = column->kind == HBG_COLUMN_MACHINE && column->machine >= 0
                            ? hbg_model_machine(run->model, column->machine).state_count
                            : 0;
  for (int32_t state = 0; state < count; state++)
    json_array_append_new(states, studio_json_text(hbg_model_machine_state(run->model, column->machine, state, NULL)));
  if (count) json_array_append_new(states, studio_json_text("sliding"));
  json_object_set_new(told, "name", studio_json_text(column->name));
  json_object_set_new(told, "unit", studio_json_text(column->unit));
  json_object_set_new(told, "kind", studio_json_text(kinds[column->kind]));
  json_object_set_new(told, "states", states);
  json_object_set_new(told, "group", studio_json_text(studio_group_name(column->group)));
  return told;
}

static json_t *tell_warnings(StudioRun *run) {
  json_t *warnings = json_array();
  if (run->trace.columns.is_large)
    json_array_append_new(warnings, json_sprintf("The model has more than %d bonds: efforts, flows and energies are "
                                                 "not kept, but for columns that you ask for.",
                                                 STUDIO_MOST_BONDS));
  pthread_mutex_lock(&run->runs->lock);
  for (int32_t at = 0; at < run->warning_count; at++)
    json_array_append_new(warnings, studio_json_text(run->warnings[at]));
  pthread_mutex_unlock(&run->runs->lock);
  return warnings;
}

json_t *studio_run_information(StudioRun *run) {
  json_t *info = studio_run_progress(run), *columns = json_array();
  for (int32_t at = 0; at < run->trace.columns.count; at++)
    json_array_append_new(columns, tell_column(run, &run->trace.columns.list[at]));
  pthread_mutex_lock(&run->runs->lock);
  const double seconds = run->seconds;
  json_t *failure = studio_json_text(run->failure ? run->failure : "");
  pthread_mutex_unlock(&run->runs->lock);
  json_object_set_new(info, "path", studio_json_text(run->path));
  json_object_set_new(info, "model", studio_json_text(run->model_name));
  json_object_set(info, "settings", run->settings);
  json_object_set_new(info, "failure", failure);
  json_object_set_new(info, "warnings", tell_warnings(run));
  json_object_set_new(info, "columns", columns);
  json_object_set_new(info, "seconds", studio_json_number(seconds));
  return info;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "run_trace.h"

#include <stdlib.h>
#include <string.h>

#include "buffer.h"

/* ---- texts ---- */

static size_t hash_of(const char *text) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return (size_t)hash;
}

static char **place_of(char **texts, size_t places, const char *text) {
  size_t at = hash_of(text) & (places - 1);
  while (texts[at] && strcmp(texts[at], text)) at = (at + 1) & (places - 1);
  return &texts[at];
}

static bool widen_texts(StudioTrace *trace) {
  const size_t places = trace->text_places ? 2 * trace->text_places : 64;
  char **texts = calloc(places, sizeof *texts);
  if (!texts) return false;
  for (size_t at = 0; at < trace->text_places; at++)
    if (trace->texts[at]) *place_of(texts, places, trace->texts[at]) = trace->texts[at];
  free(trace->texts);
  trace->texts = texts;
  trace->text_places = places;
  return true;
}

/* The same text, once for all; NULL: no memory. */
static const char *keep_text(StudioTrace *trace, const char *text) {
  if (2 * trace->text_count >= trace->text_places && !widen_texts(trace)) return NULL;
  char **place = place_of(trace->texts, trace->text_places, text);
  if (*place) return *place;
  *place = strdup(text);
  if (!*place) return NULL;
  trace->text_count++;
  trace->text_bytes += strlen(text) + 1;
  return *place;
}

/* ---- making ---- */

void studio_trace_make(StudioTrace *trace) {
  *trace = (StudioTrace){.times.item = sizeof(double),
                         .stamps.item = sizeof(StudioStamp),
                         .instants.item = sizeof(StudioInstant),
                         .events.item = sizeof(StudioEvent),
                         .fired.item = sizeof(StudioFired),
                         .terms.item = sizeof(HbgFiredTerm),
                         .impulses.item = sizeof(HbgImpulse)};
}

static bool keep_terms(StudioTrace *trace, const HbgFiredTransition *fired) {
  for (int32_t at = 0; at < fired->term_count; at++) {
    HbgFiredTerm term = fired->terms[at];
    term.text = keep_text(trace, term.text);
    term.unit = term.unit ? keep_text(trace, term.unit) : "";
    if (!term.text || !term.unit || !studio_list_push(&trace->terms, &term)) return false;
  }
  return true;
}

static bool keep_fired(StudioTrace *trace, const HbgRun *run, StudioEvent *event) {
  event->first_fired = trace->fired.count;
  event->fired_count = hbg_run_fired_count(run);
  for (int32_t at = 0; at < event->fired_count; at++) {
    const HbgFiredTransition told = hbg_run_fired(run, at);
    const StudioFired fired = {told.machine,       told.from,      told.to, keep_text(trace, told.guard),
                               trace->terms.count, told.term_count};
    if (!fired.guard || !keep_terms(trace, &told) || !studio_list_push(&trace->fired, &fired)) return false;
  }
  return true;
}

static bool keep_impulses(StudioTrace *trace, const HbgRun *run, StudioEvent *event) {
  event->first_impulse = trace->impulses.count;
  event->impulse_count = hbg_run_impulse_count(run);
  for (int32_t at = 0; at < event->impulse_count; at++) {
    const HbgImpulse impulse = hbg_run_impulse(run, at);
    if (!studio_list_push(&trace->impulses, &impulse)) return false;
  }
  return true;
}

static bool end_instant(StudioTrace *trace) {
  if (!studio_list_push(&trace->instants, &trace->open)) return false;
  trace->open.row_count = 0;
  return true;
}

static bool keep_event(StudioTrace *trace, HbgRun *run, const HbgRow *row, bool *ends_instant) {
  StudioEvent event = {.cause = keep_text(trace, row->cause)};
  if (!trace->open.row_count)
    trace->open = (StudioInstant){.first_row = trace->times.count, .first_event = trace->events.count};
  trace->open.row_count++;
  trace->open.has_jump = trace->open.has_jump || row->has_jump;
  if (!event.cause || !keep_fired(trace, run, &event) || !keep_impulses(trace, run, &event)) return false;
  if (!studio_list_push(&trace->events, &event)) return false;
  *ends_instant = row->kind == HBG_ROW_CONTINUOUS;
  return !*ends_instant || end_instant(trace);
}

static void publish(StudioTrace *trace) {
  atomic_store_explicit(&trace->row_count, trace->times.count, memory_order_release);
  atomic_store_explicit(&trace->instant_count, trace->instants.count, memory_order_release);
}

bool studio_trace_keep(StudioTrace *trace, HbgRun *run, const HbgRow *row, bool *ends_instant) {
  const StudioStamp stamp = {row->eps, row->n, (uint8_t)row->kind};
  *ends_instant = false;
  if (row->is_event && !keep_event(trace, run, row, ends_instant)) return false;
  if (!studio_columns_keep(&trace->columns, run) || !studio_list_push(&trace->stamps, &stamp)) return false;
  if (!studio_list_push(&trace->times, &row->time)) return false;
  publish(trace);
  return true;
}

bool studio_trace_end(StudioTrace *trace) {
  if (trace->open.row_count && !end_instant(trace)) return false;
  publish(trace);
  return true;
}

void studio_trace_free(StudioTrace *trace) {
  StudioList *const lists[] = {&trace->times, &trace->stamps, &trace->instants, &trace->events,
                               &trace->fired, &trace->terms,  &trace->impulses};
  for (size_t at = 0; at < sizeof lists / sizeof *lists; at++) studio_list_free(lists[at]);
  for (size_t at = 0; at < trace->text_places; at++) free(trace->texts[at]);
  free(trace->texts);
  studio_columns_free(&trace->columns);
  studio_trace_make(trace);
}

/* ---- asking ---- */

int64_t studio_trace_rows(const StudioTrace *trace) {
  return atomic_load_explicit(&trace->row_count, memory_order_acquire);
}
int64_t studio_trace_instants(const StudioTrace *trace) {
  return atomic_load_explicit(&trace->instant_count, memory_order_acquire);
}
double studio_trace_time(const StudioTrace *trace, int64_t row) {
  return *(const double *)studio_list_at(&trace->times, row);
}
const StudioStamp *studio_trace_stamp(const StudioTrace *trace, int64_t row) {
  return studio_list_at(&trace->stamps, row);
}
const StudioInstant *studio_trace_instant(const StudioTrace *trace, int64_t instant) {
  return studio_list_at(&trace->instants, instant);
}
const StudioEvent *studio_trace_event(const StudioTrace *trace, int64_t event) {
  return studio_list_at(&trace->events, event);
}

int64_t studio_trace_search(const StudioTrace *trace, int64_t rows, double time, bool is_behind) {
  int64_t low = 0, high = rows;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const double at = studio_trace_time(trace, middle);
    if (at < time || (is_behind && at <= time))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int64_t studio_trace_instant_of(const StudioTrace *trace, int64_t row) {
  int64_t low = 0, high = studio_trace_instants(trace);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const StudioInstant *instant = studio_trace_instant(trace, middle);
    if (row < instant->first_row)
      high = middle;
    else if (row >= instant->first_row + instant->row_count)
      low = middle + 1;
    else
      return middle;
  }
  return -1;
}

int32_t studio_trace_state(const StudioTrace *trace, const HbgModel *model, int32_t machine, int64_t row,
                           bool *is_sliding) {
  const int32_t column = trace->columns.machine_column[machine];
  const HbgMachineInfo info = hbg_model_machine(model, machine);
  const double value = column >= 0 ? studio_columns_value(&trace->columns, column, row) : -1;
  *is_sliding = value > info.state_count - 0.5;
  if (*is_sliding) return info.initial;
  return value > -0.5 ? (int32_t)(value + 0.5) : -1;
}

static void add_word(StudioBuffer *text, const char *word) { studio_buffer_add(text, word, strlen(word)); }

char *studio_trace_mode(const StudioTrace *trace, const HbgModel *model, int64_t row) {
  StudioBuffer text = {0};
  for (int32_t machine = 0; machine < trace->columns.machine_count; machine++) {
    bool is_sliding;
    const int32_t state = studio_trace_state(trace, model, machine, row, &is_sliding);
    if (state < 0) continue;
    if (text.size) add_word(&text, ",");
    add_word(&text, hbg_model_machine(model, machine).name);
    add_word(&text, "=");
    add_word(&text, hbg_model_machine_state(model, machine, state, NULL));
  }
  return studio_buffer_take(&text, NULL);
}

size_t studio_trace_bytes(const StudioTrace *trace) {
  const int64_t of_rows =
      trace->times.count * (int64_t)(sizeof(double) * (1 + (size_t)trace->columns.count) + sizeof(StudioStamp));
  const int64_t of_instants =
      trace->instants.count * (int64_t)sizeof(StudioInstant) + trace->events.count * (int64_t)sizeof(StudioEvent) +
      trace->fired.count * (int64_t)sizeof(StudioFired) + trace->terms.count * (int64_t)sizeof(HbgFiredTerm) +
      trace->impulses.count * (int64_t)sizeof(HbgImpulse);
  return (size_t)(of_rows + of_instants) + trace->text_bytes;
}

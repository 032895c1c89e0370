/* SPDX-License-Identifier: BSD-3-Clause
 * What was recorded over time. */
#include "results/record.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

static const char *clean(HbgArena *arena, const char *name) {
  HbgText text = hbg_text(arena);
  const uint32_t length = (uint32_t)strlen(name);
  for (uint32_t at = 0; at < length;) {
    const HbgCharacter character = hbg_utf8_read(name + at, length - at);
    if (character.code == HBG_CHARACTER_WRONG)
      hbg_text_add(&text, "\xEF\xBF\xBD");
    else
      hbg_text_add_bytes(&text, name + at, character.length);
    at += character.length;
  }
  return text.bytes;
}

bool hbg_time_is_sound(double time) { return fabs(time) <= 1e300; }

HbgRecord hbg_record(HbgArena *arena, const char *name, int32_t series_count) {
  return (HbgRecord){.arena = arena,
                     .name = clean(arena, name),
                     .series = ARENA_NEW(arena, HbgSeries, series_count),
                     .series_count = series_count};
}

void hbg_series_name(HbgArena *arena, HbgSeries *series, HbgColumnKind kind, const char *name, const char *unit) {
  const char *bracket = strrchr(name, '[');
  const size_t length = strlen(name);
  const bool has_unit = bracket && bracket > name && bracket[-1] == ' ' && name[length - 1] == ']';
  series->kind = kind;
  series->name = clean(arena, has_unit ? hbg_arena_text(arena, name, (size_t)(bracket - name - 1)) : name);
  if (has_unit) unit = hbg_arena_text(arena, bracket + 1, (size_t)(name + length - 1 - (bracket + 1)));
  series->unit = unit ? clean(arena, unit) : NULL;
}

static void push(HbgArena *arena, HbgSeries *series, int32_t row, double value) {
  int32_t count = row;
  ARENA_PUSH(arena, series->values, count, series->value_capacity) = value;
}

void hbg_record_add_row(HbgRecord *record, double time, const double *values) {
  for (int32_t i = 0; i < record->series_count; i++)
    push(record->arena, &record->series[i], record->row_count, values[i]);
  ARENA_PUSH(record->arena, record->times, record->row_count, record->time_capacity) = time;
}

int32_t hbg_series_label(HbgArena *arena, HbgSeries *series, const char *label, size_t length) {
  for (int32_t i = 0; i < series->label_count; i++)
    if (strlen(series->labels[i]) == length && memcmp(series->labels[i], label, length) == 0) return i;
  ARENA_PUSH(arena, series->labels, series->label_count, series->label_capacity) =
      clean(arena, hbg_arena_text(arena, label, length));
  return series->label_count - 1;
}

const char *hbg_series_word(const HbgSeries *series, double value) {
  switch (series->kind) {
    case HBG_COLUMN_JUNCTION: return hbg_junction_word(value);
    case HBG_COLUMN_BOOLEAN: return value > 0.5 ? "true" : "false";
    default: return value >= 0.0 && value < series->label_count ? series->labels[(int32_t)value] : "";
  }
}

/* -- a window ---------------------------------------------------------------------------------------------------- */

/* The first row that is not before `time`, or that is behind it. */
static int32_t first_row(const HbgRecord *record, double time, bool is_behind) {
  int32_t low = 0, high = record->row_count;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    const bool is_left = is_behind ? record->times[middle] <= time : record->times[middle] < time;
    if (is_left)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A value at `part` of the way from a row to the next. What is switched stays as it was; between events alone a number
 * is not known. */
static double value_between(const HbgRecord *record, const HbgSeries *series, int32_t row, double part) {
  if (series->kind != HBG_COLUMN_NUMBER) return series->values[row];
  if (record->is_sparse) return (double)NAN;
  return (1.0 - part) * series->values[row] + part * series->values[row + 1];
}

/* Adds the row at `time`, which lies between the rows `behind` - 1 and `behind`. */
static void add_between(HbgRecord *window, const HbgRecord *record, int32_t behind, double time) {
  if (behind <= 0 || behind >= record->row_count) return;
  const double begin = record->times[behind - 1], end = record->times[behind];
  const double part = (time - begin) / (end - begin);
  for (int32_t i = 0; i < record->series_count; i++)
    push(window->arena, &window->series[i], window->row_count,
         value_between(record, &record->series[i], behind - 1, part));
  ARENA_PUSH(window->arena, window->times, window->row_count, window->time_capacity) = time;
}

HbgRecord hbg_record_window(const HbgRecord *record, double from, double to) {
  HbgRecord window = *record;
  window.series = ARENA_NEW(record->arena, HbgSeries, record->series_count);
  for (int32_t i = 0; i < record->series_count; i++) window.series[i] = record->series[i];
  if (!record->row_count || (record->times[0] >= from && record->times[record->row_count - 1] <= to)) return window;
  window.times = NULL;
  window.row_count = window.time_capacity = 0;
  for (int32_t i = 0; i < record->series_count; i++) {
    window.series[i].values = NULL;
    window.series[i].value_capacity = 0;
  }
  const int32_t first = first_row(record, from, false), end = first_row(record, to, true);
  if (first == record->row_count || record->times[first] > from) add_between(&window, record, first, from);
  for (int32_t row = first; row < end; row++) {
    for (int32_t i = 0; i < record->series_count; i++)
      push(window.arena, &window.series[i], window.row_count, record->series[i].values[row]);
    ARENA_PUSH(window.arena, window.times, window.row_count, window.time_capacity) = record->times[row];
  }
  if (end == 0 || record->times[end - 1] < to) add_between(&window, record, end, to);
  return window;
}

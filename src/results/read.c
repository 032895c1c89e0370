/* SPDX-License-Identifier: BSD-3-Clause
 * What the formats have in common: which columns there are, and what a row means. */
#include "results/read.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

/* What a column of the file is for. */
typedef enum ColumnUse { USE_SERIES, USE_TIME, USE_ROW_KIND, USE_NOTHING } ColumnUse;

typedef struct HbgReaderColumn {
  const char *name;
  ColumnUse use;
  int32_t series;
  bool is_word, is_number; /* what has been seen in it */
} HbgReaderColumn;

HbgReader hbg_reader(HbgArena *arena, const char *file, const char *name) {
  return (HbgReader){.arena = arena,
                     .file = hbg_print(arena, "%s", file),
                     .record = hbg_record(arena, name, 0),
                     .place = {.line = 1, .byte = 1},
                     .last_time = -HUGE_VAL};
}

bool hbg_reader_fail(HbgReader *reader, const char *format, ...) {
  HbgText text = hbg_text(reader->arena);
  const HbgReaderPlace *place = &reader->place;
  if (place->part)
    hbg_text_add(&text, "%s: %s[%d]: ", reader->file, place->part, place->element);
  else
    hbg_text_add(&text, "%s:%d:%d: ", reader->file, place->line, place->byte);
  va_list arguments;
  va_start(arguments, format);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  reader->message = text.bytes;
  return false;
}

/* -- columns ----------------------------------------------------------------------------------------------------- */

static bool has(const char *const *names, int32_t count, const char *name) {
  for (int32_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static ColumnUse use_of(const char *name, bool is_events) {
  if (strcmp(name, "time") == 0) return USE_TIME;
  if (is_events && strcmp(name, "kind") == 0) return USE_ROW_KIND;
  const bool is_told = strcmp(name, "eps") == 0 || strcmp(name, "n") == 0 || strcmp(name, "cause") == 0;
  return is_events && is_told ? USE_NOTHING : USE_SERIES;
}

bool hbg_reader_begin(HbgReader *reader, const char *const *names, const char *const *units, int32_t count) {
  if (!has(names, count, "time"))
    return hbg_reader_fail(reader, "there is no column 'time'; results of 'hybrsim simulate' and 'events' have one");
  const bool is_events = has(names, count, "eps") && has(names, count, "kind");
  HbgRecord *record = &reader->record;
  *record = hbg_record(reader->arena, record->name, count);
  record->is_sparse = is_events;
  record->series_count = 0;
  reader->column_count = count;
  reader->columns = ARENA_NEW(reader->arena, HbgReaderColumn, count);
  for (int32_t i = 0; i < count; i++) {
    if (has(names, i, names[i])) return hbg_reader_fail(reader, "there are two columns '%s'", names[i]);
    const ColumnUse use = use_of(names[i], is_events);
    reader->columns[i] = (HbgReaderColumn){.name = names[i], .use = use, .series = record->series_count};
    if (use != USE_SERIES) continue;
    hbg_series_name(reader->arena, &record->series[record->series_count++], HBG_COLUMN_NUMBER, names[i],
                    units ? units[i] : NULL);
  }
  reader->values = ARENA_NEW(reader->arena, double, record->series_count);
  return true;
}

/* -- cells ------------------------------------------------------------------------------------------------------- */

static bool is_word(const char *word, size_t length, const char *wanted) {
  return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

/* Rows of events tell of modes that never were, too; their values had no effect. */
static bool is_unreal(const char *row_kind, size_t length) {
  return is_word(row_kind, length, "mythical") || is_word(row_kind, length, "cycle");
}

bool hbg_reader_add_number(HbgReader *reader, int32_t column, double value) {
  HbgReaderColumn *to = &reader->columns[column];
  if (to->use == USE_TIME && !hbg_time_is_sound(value))
    return hbg_reader_fail(reader, "a time must be a finite number");
  if (to->use == USE_TIME) reader->time = value;
  if (to->use != USE_SERIES) return true;
  if (to->is_word) return hbg_reader_fail(reader, "a number stands in the column '%s', which has words", to->name);
  to->is_number = true;
  reader->values[to->series] = value;
  return true;
}

bool hbg_reader_add_word(HbgReader *reader, int32_t column, const char *word, size_t length) {
  enum { MOST_LABELS = 1000, MOST_SHOWN = 30 };
  HbgReaderColumn *to = &reader->columns[column];
  const int shown = length > MOST_SHOWN ? MOST_SHOWN : (int)length;
  if (to->use == USE_ROW_KIND) reader->is_unreal = is_unreal(word, length);
  if (to->use == USE_TIME || to->is_number)
    return hbg_reader_fail(reader, "'%.*s' is no number, and the column '%s' has numbers", shown, word, to->name);
  if (to->use != USE_SERIES) return true;
  if (!length) return hbg_reader_fail(reader, "there is nothing in the column '%s'", to->name);
  HbgSeries *series = &reader->record.series[to->series];
  to->is_word = true;
  series->kind = HBG_COLUMN_MACHINE;
  reader->values[to->series] = hbg_series_label(reader->arena, series, word, length);
  if (series->label_count <= MOST_LABELS) return true;
  return hbg_reader_fail(reader,
                         "the column '%s' has more than %d different words; it cannot be the state of a machine",
                         to->name, MOST_LABELS);
}

bool hbg_reader_end_row(HbgReader *reader) {
  if (reader->time < reader->last_time)
    return hbg_reader_fail(reader, "the time %.15g stands behind %.15g; times must ascend", reader->time,
                           reader->last_time);
  reader->last_time = reader->time;
  if (!reader->is_unreal) hbg_record_add_row(&reader->record, reader->time, reader->values);
  return true;
}

/* -- the whole --------------------------------------------------------------------------------------------------- */

static bool has_only(const HbgSeries *series, const char *a, const char *b) {
  for (int32_t i = 0; i < series->label_count; i++)
    if (strcmp(series->labels[i], a) != 0 && strcmp(series->labels[i], b) != 0) return false;
  return true;
}

/* A column of the words on and off is that of a junction, one of true and false is boolean. */
static void decide_kind(HbgSeries *series, int32_t row_count) {
  const bool is_junction = has_only(series, "on", "off"), is_boolean = has_only(series, "true", "false");
  if (series->kind != HBG_COLUMN_MACHINE || !(is_junction || is_boolean)) return;
  series->kind = is_junction ? HBG_COLUMN_JUNCTION : HBG_COLUMN_BOOLEAN;
  for (int32_t row = 0; row < row_count; row++) {
    const char *label = series->labels[(int32_t)series->values[row]];
    series->values[row] = strcmp(label, is_junction ? "on" : "true") == 0 ? 1.0 : 0.0;
  }
}

bool hbg_reader_read(HbgReader *reader, const char *text, size_t length) {
  size_t first = 0;
  while (first < length && strchr(" \t\r\n", text[first]) && text[first]) first++;
  const bool is_json = first < length && text[first] == '{';
  const bool is_read = is_json ? hbg_read_json(reader, text, length) : hbg_read_csv(reader, text, length);
  if (!is_read) return false;
  for (int32_t i = 0; i < reader->record.series_count; i++)
    decide_kind(&reader->record.series[i], reader->record.row_count);
  return true;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Results in JSON, read by jansson. */
#include <jansson.h>
#include <math.h>

#include "results/read.h"

void hbg_reader_close(HbgReader *reader) {
  json_decref(reader->json);
  reader->json = NULL;
}

static bool read_columns(HbgReader *reader, const json_t *columns) {
  const int32_t count = (int32_t)json_array_size(columns);
  const char **names = ARENA_NEW(reader->arena, const char *, count),
             **units = ARENA_NEW(reader->arena, const char *, count);
  for (int32_t i = 0; i < count; i++) {
    reader->place = (HbgReaderPlace){.part = "columns", .element = i};
    const json_t *column = json_array_get(columns, (size_t)i);
    names[i] = json_string_value(json_object_get(column, "name"));
    units[i] = json_string_value(json_object_get(column, "unit"));
    if (!names[i]) return hbg_reader_fail(reader, "a column must be an object with a 'name'");
  }
  return hbg_reader_begin(reader, names, units, count);
}

static bool add_cell(HbgReader *reader, int32_t column, const json_t *cell) {
  if (json_is_number(cell)) return hbg_reader_add_number(reader, column, json_number_value(cell));
  if (json_is_null(cell)) return hbg_reader_add_number(reader, column, (double)NAN);
  if (json_is_true(cell)) return hbg_reader_add_word(reader, column, "true", 4);
  if (json_is_false(cell)) return hbg_reader_add_word(reader, column, "false", 5);
  if (json_is_string(cell))
    return hbg_reader_add_word(reader, column, json_string_value(cell), json_string_length(cell));
  return hbg_reader_fail(reader, "a cell must be a number, a word, true, false or null");
}

static bool read_row(HbgReader *reader, int32_t index, const json_t *row) {
  reader->place = (HbgReaderPlace){.part = "rows", .element = index};
  if (!json_is_array(row) || json_array_size(row) != (size_t)reader->column_count)
    return hbg_reader_fail(reader, "a row must be a list of as many cells as there are columns, %d",
                           reader->column_count);
  for (int32_t i = 0; i < reader->column_count; i++)
    if (!add_cell(reader, i, json_array_get(row, (size_t)i))) return false;
  return hbg_reader_end_row(reader);
}

bool hbg_read_json(HbgReader *reader, const char *text, size_t length) {
  json_error_t error;
  reader->json = json_loadb(text, length, JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES, &error);
  if (!reader->json) {
    reader->place =
        (HbgReaderPlace){.line = error.line > 0 ? error.line : 1, .byte = error.column > 0 ? error.column : 1};
    return hbg_reader_fail(reader, "this is no JSON: %s", error.text);
  }
  const json_t *columns = json_object_get(reader->json, "columns"), *rows = json_object_get(reader->json, "rows");
  if (!json_is_array(columns) || !json_is_array(rows))
    return hbg_reader_fail(reader, "there are no lists 'columns' and 'rows'; results of 'hybrsim simulate' have them");
  if (!read_columns(reader, columns)) return false;
  for (size_t i = 0; i < json_array_size(rows); i++)
    if (!read_row(reader, (int32_t)i, json_array_get(rows, i))) return false;
  return true;
}

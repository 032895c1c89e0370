/* SPDX-License-Identifier: BSD-3-Clause
 * Results as comma separated values, read. */
#include "base/csv.h"
#include "results/read.h"

typedef struct Csv {
  HbgReader *reader;
  HbgCsv file;
} Csv;

static bool read_cell(Csv *csv, HbgCsvCell *cell) {
  const bool is_read = hbg_csv_cell(&csv->file, cell);
  csv->reader->place = (HbgReaderPlace){.line = cell->line, .byte = cell->byte};
  return is_read || hbg_reader_fail(csv->reader, "%s", csv->file.problem);
}

static bool read_header(Csv *csv) {
  const char **names = NULL;
  int32_t count = 0, capacity = 0;
  HbgCsvCell cell;
  do {
    if (!read_cell(csv, &cell)) return false;
    ARENA_PUSH(csv->reader->arena, names, count, capacity) =
        hbg_arena_text(csv->reader->arena, cell.bytes, cell.length);
  } while (!cell.is_last);
  csv->reader->place = (HbgReaderPlace){.line = 1, .byte = 1};
  return hbg_reader_begin(csv->reader, names, NULL, count);
}

static bool add_cell(Csv *csv, const HbgCsvCell *cell, int32_t column) {
  HbgReader *reader = csv->reader;
  double value;
  if (hbg_csv_number(cell, &value)) return hbg_reader_add_number(reader, column, value);
  return hbg_reader_add_word(reader, column, cell->bytes, cell->length);
}

static bool read_row(Csv *csv) {
  HbgCsvCell cell;
  int32_t count = 0;
  const int32_t expected = csv->reader->column_count;
  const int32_t line = csv->file.line;
  do {
    if (!read_cell(csv, &cell)) return false;
    if (count < expected && !add_cell(csv, &cell, count)) return false;
    count++;
  } while (!cell.is_last);
  csv->reader->place = (HbgReaderPlace){.line = line, .byte = 1};
  if (count != expected)
    return hbg_reader_fail(csv->reader, "this row has %d cells, and the first line names %d columns", count, expected);
  return hbg_reader_end_row(csv->reader);
}

bool hbg_read_csv(HbgReader *reader, const char *text, size_t length) {
  Csv csv = {.reader = reader, .file = hbg_csv(reader->arena, text, length)};
  if (csv.file.at == csv.file.end) return hbg_reader_fail(reader, "the file is empty");
  if (!read_header(&csv)) return false;
  while (csv.file.at < csv.file.end)
    if (!read_row(&csv)) return false;
  return true;
}

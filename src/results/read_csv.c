/* SPDX-License-Identifier: BSD-3-Clause
 * Comma separated values, RFC 4180, read. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "results/read.h"

typedef struct Csv {
  HbgReader *reader;
  const char *at, *end;
  const char *line_start;
  int32_t line;
} Csv;

/* A cell; what stood in quotes lies in the arena, the rest in the text. */
typedef struct Cell {
  const char *bytes;
  size_t length;
  bool is_quoted, is_last; /* the last of its line */
} Cell;

static void next_line(Csv *csv) {
  csv->line++;
  csv->line_start = csv->at;
}

static bool read_quoted(Csv *csv, Cell *cell) {
  HbgText text = hbg_text(csv->reader->arena);
  for (csv->at++;; csv->at++) {
    if (csv->at == csv->end) return hbg_reader_fail(csv->reader, "a quotation mark is not closed");
    if (*csv->at == '"' && (csv->at + 1 == csv->end || csv->at[1] != '"')) break;
    if (*csv->at == '"') csv->at++;
    hbg_text_add_bytes(&text, csv->at, 1);
    if (*csv->at == '\n') {
      csv->line++;
      csv->line_start = csv->at + 1;
    }
  }
  csv->at++;
  cell->bytes = text.bytes;
  cell->length = (size_t)text.length;
  return true;
}

static void read_plain(Csv *csv, Cell *cell) {
  while (csv->at < csv->end && *csv->at != ',' && *csv->at != '\n' && *csv->at != '\r') csv->at++;
  cell->length = (size_t)(csv->at - cell->bytes);
}

/* Goes on behind the comma or the end of the line that ends a cell. */
static bool pass_end(Csv *csv, Cell *cell) {
  if (csv->at < csv->end && *csv->at == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n') csv->at++;
  cell->is_last = csv->at == csv->end || *csv->at == '\n';
  if (!cell->is_last && *csv->at != ',')
    return hbg_reader_fail(csv->reader, "a comma or the end of the line must follow this cell");
  if (csv->at < csv->end) csv->at++;
  if (cell->is_last) next_line(csv);
  return true;
}

static bool read_cell(Csv *csv, Cell *cell) {
  *cell = (Cell){.bytes = csv->at};
  csv->reader->place = (HbgReaderPlace){.line = csv->line, .byte = (int32_t)(csv->at - csv->line_start) + 1};
  cell->is_quoted = csv->at < csv->end && *csv->at == '"';
  if (cell->is_quoted && !read_quoted(csv, cell)) return false;
  if (!cell->is_quoted) read_plain(csv, cell);
  return pass_end(csv, cell);
}

static bool read_header(Csv *csv) {
  const char **names = NULL;
  int32_t count = 0, capacity = 0;
  Cell cell;
  do {
    if (!read_cell(csv, &cell)) return false;
    ARENA_PUSH(csv->reader->arena, names, count, capacity) =
        hbg_arena_text(csv->reader->arena, cell.bytes, cell.length);
  } while (!cell.is_last);
  csv->reader->place = (HbgReaderPlace){.line = 1, .byte = 1};
  return hbg_reader_begin(csv->reader, names, NULL, count);
}

/* A number, when the whole cell is one. */
static bool is_number(const Cell *cell, double *value) {
  enum { LONGEST = 63 };
  char digits[LONGEST + 1];
  if (cell->is_quoted || cell->length == 0 || cell->length > LONGEST) return false;
  memcpy(digits, cell->bytes, cell->length);
  digits[cell->length] = '\0';
  char *stop;
  *value = strtod(digits, &stop);
  return stop == digits + cell->length;
}

static bool add_cell(Csv *csv, const Cell *cell, int32_t column) {
  HbgReader *reader = csv->reader;
  double value;
  if (is_number(cell, &value)) return hbg_reader_add_number(reader, column, value);
  return hbg_reader_add_word(reader, column, cell->bytes, cell->length);
}

static bool read_row(Csv *csv) {
  Cell cell;
  int32_t count = 0;
  const int32_t expected = csv->reader->column_count;
  const int32_t line = csv->line;
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
  static const char mark[] = "\xEF\xBB\xBF";  // some programs put one at the beginning
  if (length >= 3 && memcmp(text, mark, 3) == 0) {
    text += 3;
    length -= 3;
  }
  Csv csv = {.reader = reader, .at = text, .end = text + length, .line_start = text, .line = 1};
  if (!length) return hbg_reader_fail(reader, "the file is empty");
  if (!read_header(&csv)) return false;
  while (csv.at < csv.end)
    if (!read_row(&csv)) return false;
  return true;
}

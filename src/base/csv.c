/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"

HbgCsv hbg_csv(HbgArena *arena, const char *text, size_t length) {
  static const char mark[] = "\xEF\xBB\xBF";  // some programs put one at the beginning
  const size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
  return (HbgCsv){.arena = arena, .at = text + skip, .end = text + length, .line_start = text + skip, .line = 1};
}

static bool wrong(HbgCsv *csv, const char *problem) {
  csv->problem = problem;
  return false;
}

static bool read_quoted(HbgCsv *csv, HbgCsvCell *cell) {
  HbgText text = hbg_text(csv->arena);
  for (csv->at++;; csv->at++) {
    if (csv->at == csv->end) return wrong(csv, "a quotation mark is not closed");
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

static void read_plain(HbgCsv *csv, HbgCsvCell *cell) {
  while (csv->at < csv->end && *csv->at != ',' && *csv->at != '\n' && *csv->at != '\r') csv->at++;
  cell->length = (size_t)(csv->at - cell->bytes);
}

/* Goes on behind the comma or the end of the line that ends a cell. */
static bool pass_end(HbgCsv *csv, HbgCsvCell *cell) {
  if (csv->at < csv->end && *csv->at == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n') csv->at++;
  cell->is_last = csv->at == csv->end || *csv->at == '\n';
  if (!cell->is_last && *csv->at != ',') return wrong(csv, "a comma or the end of the line must follow this cell");
  if (csv->at < csv->end) csv->at++;
  if (!cell->is_last) return true;
  csv->line++;
  csv->line_start = csv->at;
  return true;
}

bool hbg_csv_cell(HbgCsv *csv, HbgCsvCell *cell) {
  *cell = (HbgCsvCell){.bytes = csv->at, .line = csv->line, .byte = (int32_t)(csv->at - csv->line_start) + 1};
  cell->is_quoted = csv->at < csv->end && *csv->at == '"';
  if (cell->is_quoted && !read_quoted(csv, cell)) return false;
  if (!cell->is_quoted) read_plain(csv, cell);
  return pass_end(csv, cell);
}

bool hbg_csv_number(const HbgCsvCell *cell, double *value) {
  enum { LONGEST = 63 };
  const char *bytes = cell->bytes;
  size_t length = cell->length;
  while (length && (*bytes == ' ' || *bytes == '\t')) bytes++, length--;
  while (length && (bytes[length - 1] == ' ' || bytes[length - 1] == '\t')) length--;
  char digits[LONGEST + 1];
  if (cell->is_quoted || length == 0 || length > LONGEST) return false;
  if (hbg_decimal_read(bytes, length, value)) return true;
  memcpy(digits, bytes, length);
  digits[length] = '\0';
  char *stop;
  *value = strtod(digits, &stop);
  return stop == digits + length;
}

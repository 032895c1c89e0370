/* SPDX-License-Identifier: BSD-3-Clause
 * Rows are most of what a long run writes, and both rows of an event have one time, and mostly the same values but for a few, or all of them. */
#include "results/csv_rows.h"

#include <string.h>

HbgCsvRows hbg_csv_rows(HbgArena *arena, int32_t cell_count) {
  HbgCsvRows rows = {.numbers = ARENA_NEW(arena, HbgCsvNumber, cell_count), .cell_count = cell_count, .end = -1};
  for (int32_t cell = 0; cell < cell_count; cell++)
    rows.numbers[cell].length = hbg_number_exact(0.0, rows.numbers[cell].digits);
  return rows;
}

/* Every function below writes to `next`, before `end`, and answers where it stopped; NULL: there is no room. */

enum { MOST_DIGITS = 24 };  // "-1.2345678901234567e-308"

/* Where there is room. */
static inline char *write_number(HbgCsvNumber *last, double number, char *next) {
  if (!hbg_csv_is_still(last, number)) {
    last->number = number;
    last->length = hbg_number_exact(number, last->digits);
  }
  memcpy(next, last->digits, MOST_DIGITS);  // as a whole, which is quicker than as many as there are
  return next + last->length;
}

static char *put_number(HbgCsvNumber *last, double number, char *next, const char *end) {
  return end - next < HBG_LONGEST_DIGITS ? NULL : write_number(last, number, next);
}

static char *put_bytes(const char *bytes, size_t length, char *next, const char *end) {
  if ((size_t)(end - next) < length) return NULL;
  memcpy(next, bytes, length);
  return next + length;
}

static char *put_quoted(const char *word, char *next, const char *end) {
  if ((size_t)(end - next) < 2 * strlen(word) + 2) return NULL;
  *next++ = '"';
  for (; *word; word++) {
    if (*word == '"') *next++ = '"';
    *next++ = *word;
  }
  *next++ = '"';
  return next;
}

static char *put_word(const char *word, char *next, const char *end) {
  const size_t length = strcspn(word, ",\"\r\n");
  return word[length] ? put_quoted(word, next, end) : put_bytes(word, length, next, end);
}

static char *put_cell(HbgCsvNumber *last, const HbgCell *cell, char *next, const char *end) {
  switch (cell->kind) {
    case HBG_CELL_NUMBER: return put_number(last, cell->number, next, end);
    case HBG_CELL_TRUTH: return put_word(cell->number != 0.0 ? "true" : "false", next, end);
    case HBG_CELL_WORD: return put_word(cell->word, next, end);
  }
  return next;
}

bool hbg_csv_rows_try(HbgCsvRows *rows, HbgText *text, const HbgCell *cells) {
  char *next = text->bytes + text->length;
  const char *const end = text->bytes + text->capacity - 2;  // behind it are a comma and a NUL
  for (int32_t cell = 0; cell < rows->cell_count; cell++) {
    next = put_cell(&rows->numbers[cell], &cells[cell], next, end);
    if (!next) return false;
    *next++ = ',';
    if (next > end) return false;
  }
  next[-1] = '\n';
  *next = '\0';
  text->length = (int32_t)(next - text->bytes);
  rows->end = -1;
  return true;
}

static char *write_numbers(HbgCsvRows *rows, double first, const double *others, char *next) {
  HbgCsvNumber *last = rows->numbers;
  const HbgCsvNumber *const end = last + rows->cell_count;
  next = write_number(last, first, next);
  while (++last < end) {
    *next++ = ',';
    next = write_number(last, *others++, next);
  }
  *next++ = '\n';
  return next;
}

bool hbg_csv_rows_try_others(HbgCsvRows *rows, HbgText *text, double first, const double *others) {
  if (text->capacity - text->length <= (int64_t)rows->cell_count * HBG_CSV_NUMBER_ROOM) return false;
  char *const place = text->bytes + text->length, *const end = write_numbers(rows, first, others, place);
  *end = '\0';
  rows->begin = text->length;
  rows->end = text->length += (int32_t)(end - place);
  return true;
}

void hbg_csv_rows_add(HbgCsvRows *rows, HbgText *text, const HbgCell *cells) {
  while (!hbg_csv_rows_try(rows, text, cells)) hbg_text_reserve(text, (size_t)text->capacity);
}

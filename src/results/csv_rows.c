/* SPDX-License-Identifier: BSD-3-Clause
 * Rows are most of what a long run writes, and both rows of an event have one time, and mostly the same values but for a few, or all of them. */
#include "results/csv_rows.h"

#include <string.h>

enum { MOST_DIGITS = 24 };  // "-1.2345678901234567e-308"; what is longer is a word

/* ---- words ---- */

/* How long it is in a row, with the quotes that it may need. */
static int32_t length_of_word(const char *word) {
  const size_t plain = strcspn(word, ",\"\r\n");
  if (!word[plain]) return (int32_t)plain;
  size_t length = 2;
  for (; *word; word++) length += *word == '"' ? 2 : 1;
  return (int32_t)length;
}

/* Where there is room for `length`. */
static char *write_word(const char *word, int32_t length, char *next) {
  if (!word[strcspn(word, ",\"\r\n")]) {
    memcpy(next, word, (size_t)length);
    return next + length;
  }
  *next++ = '"';
  for (; *word; word++) {
    if (*word == '"') *next++ = '"';
    *next++ = *word;
  }
  *next++ = '"';
  return next;
}

/* ---- cells ---- */

static bool is_word(const HbgCsvRows *rows, int32_t cell) { return rows->words.is_word && rows->words.is_word[cell]; }

static void set_word(HbgCsvRows *rows, int32_t cell) {
  HbgCsvCell *last = &rows->cells[cell];
  const char *word = rows->words.word(rows->words.user, cell, last->value);
  last->length = length_of_word(word);
  if (last->length <= MOST_DIGITS) write_word(word, last->length, last->bytes);
}

static inline void set_value(HbgCsvRows *rows, int32_t cell, double value) {
  HbgCsvCell *last = &rows->cells[cell];
  last->value = value;
  if (is_word(rows, cell)) set_word(rows, cell);
  else last->length = hbg_number_exact(value, last->bytes);
}

HbgCsvRows hbg_csv_rows(HbgArena *arena, int32_t cell_count, HbgCsvWords words) {
  HbgCsvRows rows = {.cells = ARENA_NEW(arena, HbgCsvCell, cell_count), .cell_count = cell_count, .words = words, .end = -1};
  for (int32_t cell = 0; cell < cell_count; cell++) set_value(&rows, cell, 0.0);
  return rows;
}

/* ---- rows ---- */

/* Every function below writes to `next`, where there is room for all that comes, and answers where it stopped. */

/* One that is longer than numbers are; NULL: there is no room. */
static char *write_long(HbgCsvRows *rows, int32_t cell, char *next, const char *room) {
  const HbgCsvCell *last = &rows->cells[cell];
  if (room - next < last->length + (int64_t)(rows->cell_count - cell) * HBG_CSV_CELL_ROOM) return NULL;
  return write_word(rows->words.word(rows->words.user, cell, last->value), last->length, next);
}

/* And what is behind it. */
static inline char *write_cell(HbgCsvRows *rows, int32_t cell, double value, char *next, const char *room) {
  HbgCsvCell *last = &rows->cells[cell];
  if (!hbg_csv_is_still(last, value)) set_value(rows, cell, value);
  if (last->length <= MOST_DIGITS) {
    memcpy(next, last->bytes, MOST_DIGITS);  // as a whole, which is quicker than as many as there are
    next += last->length;
  } else {
    next = write_long(rows, cell, next, room);
    if (!next) return NULL;
  }
  *next++ = ',';
  return next;
}

static inline char *write_values(HbgCsvRows *rows, int32_t first, int32_t end, const double *values, char *next, const char *room) {
  for (int32_t cell = first; cell < end && next; cell++) next = write_cell(rows, cell, *values++, next, room);
  return next;
}

static bool has_room(const HbgCsvRows *rows, const HbgText *text, int64_t more) {
  return text->capacity - text->length > (int64_t)rows->cell_count * HBG_CSV_CELL_ROOM + more;
}

/* What was written from the end of the text on is a row, or nothing where there was no room for it. */
static bool end_row(HbgText *text, char *next) {
  char *const place = text->bytes + text->length;
  if (next) next[-1] = '\n';
  else next = place;
  *next = '\0';
  text->length += (int32_t)(next - place);
  return next > place;
}

bool hbg_csv_rows_try_others(HbgCsvRows *rows, HbgText *text, double first, const double *others) {
  if (!has_room(rows, text, 0)) return false;
  const char *const room = text->bytes + text->capacity;
  char *next = write_cell(rows, 0, first, text->bytes + text->length, room);
  next = write_values(rows, 1, rows->cell_count, others, next, room);
  rows->begin = text->length;
  const bool is_added = end_row(text, next);
  rows->end = is_added ? text->length : -1;
  return is_added;
}

bool hbg_csv_rows_try_remark(HbgCsvRows *rows, HbgText *text, const double *lead, int32_t lead_count, const char *remark,
                             const double *others) {
  const int32_t length = length_of_word(remark);
  if (!has_room(rows, text, length + 1)) return false;
  const char *const room = text->bytes + text->capacity;
  char *next = write_values(rows, 0, lead_count, lead, text->bytes + text->length, room - (length + 1));
  if (next) {
    next = write_word(remark, length, next);
    *next++ = ',';
    next = write_values(rows, lead_count, rows->cell_count, others, next, room);
  }
  rows->end = -1;
  return end_row(text, next);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Many rows of comma separated values, one after the other: what is the same as in the row before is not written anew. */
#ifndef RESULTS_CSV_ROWS_H
#define RESULTS_CSV_ROWS_H

#include <string.h>

#include "results/csv.h"
#include "results/number.h"

enum { HBG_CSV_CELL_ROOM = HBG_LONGEST_DIGITS + 1 }; /* a number and what is behind it need no more */

/* A cell as it was written last. */
typedef struct HbgCsvCell {
  double value;
  int32_t length; /* of its text; a word that is longer than numbers are is asked for each time */
  char bytes[HBG_LONGEST_DIGITS];
} HbgCsvCell;

/* The cells that are words, which have a number for each. */
typedef struct HbgCsvWords {
  const uint8_t *is_word; /* (cells); NULL: all are numbers */
  const char *(*word)(const void *user, int32_t cell, double value); /* never NULL; lives until the next call, and may need quotes */
  const void *user;
} HbgCsvWords;

typedef struct HbgCsvRows {
  HbgCsvCell *cells; int32_t cell_count;
  HbgCsvWords words;
  int32_t begin, end; /* of the last row in the text, where there was no remark in it; else -1 */
} HbgCsvRows;

/* Rows of so many cells, before the first. All go into one text, with nothing else between them; it may be emptied. */
HbgCsvRows hbg_csv_rows(HbgArena *arena, int32_t cell_count, HbgCsvWords words);

static inline bool hbg_csv_is_still(const HbgCsvCell *last, double value) {
  return memcmp(&last->value, &value, sizeof value) == 0;
}

/* Has a row of these values just been written? */
static inline bool hbg_csv_rows_are_as_before(const HbgCsvRows *rows, const HbgText *text, double first,
                                              const double *others) {
  const HbgCsvCell *last = rows->cells, *const end = last + rows->cell_count;
  if (rows->end != text->length || !hbg_csv_is_still(last, first)) return false;
  while (++last < end)
    if (!hbg_csv_is_still(last, *others++)) return false;
  return true;
}

/* The last row once more, if there is room; in pieces of one size, the last of which ends where the row does. */
static inline bool hbg_csv_rows_try_again(HbgCsvRows *rows, HbgText *text) {
  enum { AT_ONCE = 16 };
  const int32_t length = rows->end - rows->begin;
  if (text->capacity - text->length <= length || length < AT_ONCE) return false;
  char *const to = text->bytes + text->length;
  const char *const from = to - length;
  for (int32_t at = 0; at < length - AT_ONCE; at += AT_ONCE) memcpy(to + at, from + at, AT_ONCE);
  memcpy(to + length - AT_ONCE, from + length - AT_ONCE, AT_ONCE);
  to[length] = '\0';
  rows->begin = text->length;
  rows->end = text->length += length;
  return true;
}

/* One that is not as before. */
bool hbg_csv_rows_try_others(HbgCsvRows *rows, HbgText *text, double first, const double *others);
/* Adds a row of these values where there is room for it in `text`, without asking for memory; false: there is none, or just enough, and
 * nothing was added. */
static inline bool hbg_csv_rows_try(HbgCsvRows *rows, HbgText *text, double first, const double *others) {
  const bool is_as_before = hbg_csv_rows_are_as_before(rows, text, first, others);
  return (is_as_before && hbg_csv_rows_try_again(rows, text)) || hbg_csv_rows_try_others(rows, text, first, others);
}

/* The same with a remark, which is no cell of the rows, behind the first `lead_count` of their cells. */
bool hbg_csv_rows_try_remark(HbgCsvRows *rows, HbgText *text, const double *lead, int32_t lead_count, const char *remark,
                             const double *others);

#endif

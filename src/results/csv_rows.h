/* SPDX-License-Identifier: BSD-3-Clause
 * Many rows of comma separated values, one after the other: a number that is the same as in the row before is not written anew. */
#ifndef RESULTS_CSV_ROWS_H
#define RESULTS_CSV_ROWS_H

#include <string.h>

#include "results/csv.h"
#include "results/number.h"

enum { HBG_CSV_NUMBER_ROOM = HBG_LONGEST_DIGITS + 1 }; /* a number and what is behind it need no more */

/* A number as it was written last. */
typedef struct HbgCsvNumber {
  double number;
  int length;
  char digits[HBG_LONGEST_DIGITS];
} HbgCsvNumber;

typedef struct HbgCsvRows {
  HbgCsvNumber *numbers; /* of each cell */
  int32_t cell_count;
  int32_t begin, end; /* of the last row in the text, where it was made of numbers; else -1 */
} HbgCsvRows;

/* Rows of so many cells, before the first. All go into one text, with nothing else between them; it may be emptied. */
HbgCsvRows hbg_csv_rows(HbgArena *arena, int32_t cell_count);
/* Adds the row where there is room for it in `text`, without asking for memory; false: there is none, and nothing was added. */
bool hbg_csv_rows_try(HbgCsvRows *rows, HbgText *text, const HbgCell *cells);

/* ---- rows of numbers ---- */

static inline bool hbg_csv_is_still(const HbgCsvNumber *last, double number) {
  return memcmp(&last->number, &number, sizeof number) == 0;
}

/* Has a row of these numbers just been written? */
static inline bool hbg_csv_rows_are_as_before(const HbgCsvRows *rows, const HbgText *text, double first,
                                              const double *others) {
  const HbgCsvNumber *last = rows->numbers, *const end = last + rows->cell_count;
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
/* hbg_csv_rows_try() where all cells are numbers: the first of them, and the others. It may also find that there is no room where there is just enough. */
static inline bool hbg_csv_rows_try_numbers(HbgCsvRows *rows, HbgText *text, double first, const double *others) {
  const bool is_as_before = hbg_csv_rows_are_as_before(rows, text, first, others);
  return (is_as_before && hbg_csv_rows_try_again(rows, text)) || hbg_csv_rows_try_others(rows, text, first, others);
}

/* Adds the row. */
void hbg_csv_rows_add(HbgCsvRows *rows, HbgText *text, const HbgCell *cells);

#endif

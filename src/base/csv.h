/* SPDX-License-Identifier: BSD-3-Clause
 * Comma separated values, RFC 4180, cell by cell. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>

#include "base/arena.h"

/* A cell; what stood in quotes lies in the arena, the rest in the text. */
typedef struct HbgCsvCell {
  const char *bytes;
  size_t length;
  int32_t line, byte;       /* where it begins, from 1 */
  bool is_quoted, is_last;  /* the last of its line */
} HbgCsvCell;

typedef struct HbgCsv {
  HbgArena *arena;
  const char *at, *end, *line_start;
  int32_t line;
  const char *problem; /* what is wrong with the cell that was read last, NULL: nothing */
} HbgCsv;

/* Begins to read `text`, which may begin with a byte order mark. */
HbgCsv hbg_csv(HbgArena *arena, const char *text, size_t length);
/* The next cell, while csv->at < csv->end; false: csv->problem, at the place of the cell. */
bool hbg_csv_cell(HbgCsv *csv, HbgCsvCell *cell);
/* Is the whole cell a number? Blanks around it do not count. */
bool hbg_csv_number(const HbgCsvCell *cell, double *value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Many rows of comma separated values, one after the other: a number that is the same as in the row before is not written anew. */
#ifndef RESULTS_CSV_ROWS_H
#define RESULTS_CSV_ROWS_H

#include "results/csv.h"
#include "results/number.h"

/* A number as it was written last. */
typedef struct HbgCsvNumber {
  double number;
  int length;
  char digits[HBG_LONGEST_DIGITS];
} HbgCsvNumber;

typedef struct HbgCsvRows {
  HbgCsvNumber *numbers; /* of each cell */
  int32_t cell_count;
} HbgCsvRows;

/* Rows of so many cells, before the first. */
HbgCsvRows hbg_csv_rows(HbgArena *arena, int32_t cell_count);
/* Adds the row where there is room for it in `text`, without asking for memory; false: there is none, and nothing was added. */
bool hbg_csv_rows_try(HbgCsvRows *rows, HbgText *text, const HbgCell *cells);
/* Adds the row. */
void hbg_csv_rows_add(HbgCsvRows *rows, HbgText *text, const HbgCell *cells);

#endif

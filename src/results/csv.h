/* SPDX-License-Identifier: BSD-3-Clause
 * Comma separated values as RFC 4180 has them, with lines that end in one newline. Numbers read back exactly. */
#ifndef RESULTS_CSV_H
#define RESULTS_CSV_H

#include "base/text.h"
#include "results/cell.h"

/* Adds a word, in quotes where it holds a comma, a quote or a line break. */
void hbg_csv_add_word(HbgText *text, const char *word);
/* Adds the line of names. */
void hbg_csv_add_header(HbgText *text, const HbgField *fields, int32_t field_count);
void hbg_csv_add_row(HbgText *text, const HbgCell *cells, int32_t cell_count);

#endif

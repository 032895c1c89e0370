/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a run as fields and cells: the files of 'simulate' and 'events' as programs read them. */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H
#include "cli.h"

/* The words of the column `kind`. */
const char *cli_row_kind_word(HbgRowKind kind);
/* How many fields stand before the columns of the run: time, or time,eps,n,kind,cause. */
int32_t cli_row_lead(bool is_events);
/* The fields of a row, (cli_row_lead + columns of the run). */
HbgField *cli_row_fields(const Cli *cli, const HbgRun *run, bool is_events);
/* Fills `cells` with the current row of `run`. The texts are the run's. */
void cli_row_cells(const HbgRun *run, const HbgRow *row, bool is_events, HbgCell *cells);

#endif

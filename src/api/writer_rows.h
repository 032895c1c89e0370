/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a run as fields and cells: the files of trajectories and events as programs read them. */
#ifndef API_WRITER_ROWS_H
#define API_WRITER_ROWS_H

#include "api/api.h"
#include "results/cell.h"

/* How many fields stand before the columns of the run: time, or time,eps,n,kind,cause. */
int32_t hbg_row_lead(bool is_events);
/* The fields of a row, (hbg_row_lead + columns of the run). */
HbgField *hbg_row_fields(const HbgRun *run, bool is_events, HbgArena *arena);
/* As many cells, to be filled. */
HbgCell *hbg_row_cells(const HbgRun *run, bool is_events, HbgArena *arena);
/* Fills `cells` with a row of `run` that has these values; asks for no memory. The texts are the run's. */
void hbg_row_fill(const HbgRun *run, const HbgRow *row, const double *values, bool is_events, HbgCell *cells);
/* Are all of these cells numbers? */
bool hbg_row_has_numbers_alone(const HbgCell *cells, int32_t count);

#endif

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

/* ---- rows of values ---- */

enum { HBG_ROW_LEAD_VALUES = 4 }; /* time, eps, n, kind: what stands before the cause of an event */

/* How many values stand before those of the columns, not counting the cause. */
int32_t hbg_row_lead_values(bool is_events);
/* The first values of a row of an event. */
void hbg_row_fill_lead(const HbgRow *row, double values[HBG_ROW_LEAD_VALUES]);
/* Which values of a row stand for words, (hbg_row_lead_values + columns of the run); NULL: none. */
const uint8_t *hbg_row_is_word(const HbgRun *run, bool is_events, HbgArena *arena);
/* The word for one of them. */
const char *hbg_row_word(const HbgRun *run, bool is_events, int32_t cell, double value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories and events as tables for people. The first rows are kept until the width of every column is known; then
 * rows go out as they come. */
#ifndef API_WRITER_TABLE_H
#define API_WRITER_TABLE_H

#include "api/api.h"
#include "base/text.h"
#include "hybrsim/results.h"

typedef struct HbgTableWriter HbgTableWriter;

/* From `arena`; to be freed before it. */
HbgTableWriter *hbg_table_writer(const HbgRun *run, const HbgWriterOptions *options, HbgArena *arena);
void hbg_table_writer_free(HbgTableWriter *writer);
/* Adds the current row of the run; what is ready to be written is added to `text`. */
void hbg_table_writer_add(HbgTableWriter *writer, HbgText *text);
/* Adds what was kept. */
void hbg_table_writer_end(HbgTableWriter *writer, HbgText *text);
/* Which of the columns there was no room for; NULL behind the last. */
const char *hbg_table_writer_hidden(const HbgTableWriter *writer, int32_t index);

#endif

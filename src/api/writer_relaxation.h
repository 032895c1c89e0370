/* SPDX-License-Identifier: BSD-3-Clause
 * The passes of HYBRSIM's relaxation as a table: how a run compatible with it found its jumps. */
#ifndef API_WRITER_RELAXATION_H
#define API_WRITER_RELAXATION_H

#include "api/writer.h"

typedef struct HbgRelaxationWriter HbgRelaxationWriter; /* opaque */

/* From `arena`; borrows `run` and `options`. */
HbgRelaxationWriter *hbg_relaxation_writer(const HbgRun *run, const HbgWriterOptions *options, HbgArena *arena);
/* Keeps the passes of the last hbg_run_next(): which columns there are is known when all passes are. */
void hbg_relaxation_writer_collect(HbgRelaxationWriter *self);
/* Writes the whole table. `failure`: why the run stopped; NULL when it did not. */
void hbg_relaxation_writer_end(HbgRelaxationWriter *self, const char *failure, HbgText *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * How rows of a run are told. */
#ifndef STUDIO_RUN_INSTANTS_H
#define STUDIO_RUN_INSTANTS_H

#include "runs.h"

/* A HbgRowKind in a word of protocol.ts. */
const char *studio_row_kind(int kind);
/* The state of a machine in a row: its name, "sliding", or "" when it is not known. */
const char *studio_state_at(const StudioRun *run, int32_t machine, int64_t row);

#endif

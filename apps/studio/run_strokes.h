/* SPDX-License-Identifier: BSD-3-Clause
 * Causal strokes, and what is off, at a level of a model in the modes of its rows: found once for each mode. */
#ifndef STUDIO_RUN_STROKES_H
#define STUDIO_RUN_STROKES_H

#include "studio.h"

typedef struct StudioStrokes StudioStrokes;

StudioStrokes *studio_strokes_new(void); // NULL: no memory
/* NULL is fine. */
void studio_strokes_free(StudioStrokes *strokes);
/* The members `strokes` and `off` of a RowAnswer, as an object of the caller's own: a new reference. NULL after studio_fail(): there is no such level. `strokes` may be
 * NULL: nothing is remembered. */
json_t *studio_strokes_at(StudioStrokes *strokes, const HbgModel *model, const char *level, const char *mode, StudioReply *reply);

#endif

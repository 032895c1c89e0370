/* SPDX-License-Identifier: BSD-3-Clause
 * Where the value of a column is found: most columns are a state, an effort, a flow or a machine as it is, and need no program. */
#ifndef HYBRID_ROW_SOURCE_H
#define HYBRID_ROW_SOURCE_H

#include "hybrid/probe.h"

typedef enum HbgRowSourceKind {
  HBG_FROM_EXPRESSION, /* none of those below */
  HBG_FROM_STATE,
  HBG_FROM_VARIABLE, /* an effort or flow */
  HBG_FROM_DISCRETE,
  HBG_FROM_MACHINE, /* the number of its state */
  HBG_FROM_IS_ON,   /* of a machine's state */
  HBG_FROM_SHEET,   /* a place of the sheet (column_sheet.h) */
} HbgRowSourceKind;

typedef struct HbgRowSource {
  uint8_t kind; /* HbgRowSourceKind */
  int32_t index;
  uint64_t on; /* IS_ON: a bit for each state that is on */
} HbgRowSource;

/* What `probe` reads. `machine`: whose state its value numbers, or -1. */
HbgRowSource hbg_row_source(const HbgFlatModel *model, const HbgProbe *probe, int32_t machine);

/* A state, effort or flow. */
static inline bool hbg_row_source_is_plain(const HbgRowSource *source) {
  return source->kind == HBG_FROM_STATE || source->kind == HBG_FROM_VARIABLE;
}

/* False: that has to be computed, or there is something to be told of it. Nothing may slide. */
static inline bool hbg_row_source_value(const HbgRowSource *source, const HbgValues *now, double *value) {
  const int32_t index = source->index;
  if (source->kind == HBG_FROM_VARIABLE) {
    *value = now->variable[index];
    return !now->undetermined[index];
  }
  switch (source->kind) {
    case HBG_FROM_STATE: *value = now->state[index]; return true;
    case HBG_FROM_DISCRETE: *value = now->discrete[index]; return true;
    case HBG_FROM_MACHINE: *value = now->phi[index]; return true;
    case HBG_FROM_IS_ON: *value = (double)(source->on >> now->phi[index] & 1); return true;
    default: return false;
  }
}

#endif

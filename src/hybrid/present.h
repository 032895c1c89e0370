/* SPDX-License-Identifier: BSD-3-Clause
 * Of the present islands those that every step and every sample must look after: found once when islands have come or gone, so
 * that thousands of others cost nothing. */
#ifndef HYBRID_PRESENT_H
#define HYBRID_PRESENT_H

#include "hybrid/island_run.h"

typedef struct HbgPresent {
  bool is_current;
  HbgIsland **constrained; int32_t constrained_count, constrained_capacity; /* whose states depend on each other or on sources */
  HbgIsland **timed; int32_t timed_count, timed_capacity;                   /* whose laws follow the time */
} HbgPresent;

typedef struct HbgSim HbgSim;

/* Those of now. */
const HbgPresent *hbg_present(HbgSim *sim);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Of the present islands those that every step and every sample must look after, kept while islands come and go, so that thousands of
 * others cost nothing. */
#ifndef HYBRID_PRESENT_H
#define HYBRID_PRESENT_H

#include "hybrid/island_run.h"

typedef struct HbgPresentList {
  HbgIsland **islands; int32_t count, capacity; /* in no particular order */
} HbgPresentList;

typedef struct HbgPresent {
  HbgPresentList constrained; /* whose states depend on each other or on sources */
  HbgPresentList timed;       /* whose laws follow the time */
} HbgPresent;

typedef struct HbgSim HbgSim;

/* An island comes, or goes. */
void hbg_present_add(HbgSim *sim, HbgIsland *island);
void hbg_present_remove(HbgSim *sim, HbgIsland *island);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Regions that are integrated and that one guard reads together, as two pendulums that may meet. Steps of their own would not agree: where both move alike, the guard would
 * see the difference of their errors. So from then on they are one region, whatever happens. */
#ifndef HYBRID_TIES_H
#define HYBRID_TIES_H

#include "hybrid/region.h"

/* A forest of states (base/forest.h); all zero: nothing is tied. */
typedef struct HbgTies {
  int32_t *parent, *size; /* (state_count), and how many belong to a root; NULL: nothing has ever been tied */
  int32_t count;          /* ties that have been made */
  bool are_too_many;      /* too much would have moved together lately; nothing is tied any more */
} HbgTies;

/* Ties two regions, if they are not yet. */
void hbg_tie(HbgSim *sim, const HbgRegion *a, const HbgRegion *b);
/* The same one of all states that are tied to `state`, or itself. */
int32_t hbg_tied_to(const HbgTies *ties, int32_t state);

#endif

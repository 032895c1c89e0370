/* SPDX-License-Identifier: BSD-3-Clause
 * What the columns and readers of a run read: nothing else needs to be known for a row. */
#ifndef HYBRID_SHOWN_H
#define HYBRID_SHOWN_H

#include "hybrid/sim.h"

typedef struct HbgShown {
  int32_t *states; int32_t state_count;
  int32_t *bonds; int32_t bond_count; /* those of sources last, since their laws may read the others */
  bool reads_a_priori; /* some column does */
} HbgShown;

/* From `arena`. */
HbgShown hbg_shown(const HbgSim *sim, HbgArena *arena);

#endif

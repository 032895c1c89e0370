/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that are far away, told by a few multiplications: differences as linear combinations of states, kept from step to step, against
 * how far a step can have taken each state. Nearly all guards of a large model are, at nearly all steps; and a guard whose conditions do
 * not move at all turns in instants only. An instant makes anew what it has touched. */
#ifndef HYBRID_DISTANCE_H
#define HYBRID_DISTANCE_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;
typedef struct HbgDistances HbgDistances;

/* Guards that may turn within the last step, in the order of their machines. `*list` (answered count) is from the scratch arena; where
 * nothing is kept, as in a run with slides, these are all. */
int32_t hbg_distances_near(HbgSim *sim, const HbgConjunction ***list);
/* An instant has been gone through, with the scope that it has now. */
void hbg_distances_forget(HbgSim *sim);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The part of the system that the rates of a few states hang on, some evaluations deep: what has to be computed where a row between two
 * steps shows these states and no others (decision 57). */
#ifndef HYBRID_VICINITY_H
#define HYBRID_VICINITY_H

#include "hybrid/sim.h"

/* Of the states `list` (count), with all that lies HBG_NEAR_DEPTH evaluations around them. From the run's arena, good as long as the mode
 * lasts; NULL where it is not worth it: most of the system, or rates that are not those of islands alone. */
const HbgNear *hbg_vicinity(HbgSim *sim, const int32_t *list, int32_t count);

#endif

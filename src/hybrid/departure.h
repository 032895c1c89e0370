/* SPDX-License-Identifier: BSD-3-Clause
 * Where something has just switched, in a run whose regions or sets of states have clocks of their own, or in an instant that is near: does a difference that is nothing
 * at the moment leave zero to one side, plainly? */
#ifndef HYBRID_DEPARTURE_H
#define HYBRID_DEPARTURE_H

#include "hybrid/guards.h"
#include "hybrid/transcript.h"

/* The side to which difference `which` of a guard leaves zero in the present mode, by its rate, or by the rate of that: 1 or -1; 0 where both are no more than
 * a small share of what they consist of, or are not known. `*made`: the rate as a combination of states and functions of time, in the scratch
 * memory of the instant; of a guard that bends, in an island whose laws bend, or whose rate is nothing, it says something of this instant only, and `made->is_possible` is false. */
int hbg_departure(HbgSim *sim, const HbgConjunction *guard, int32_t which, HbgDeparture *made);

#endif

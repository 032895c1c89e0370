/* SPDX-License-Identifier: BSD-3-Clause
 * Of several ways out of a conflict of sources: which comes first?
 *
 * As a rule all that is enabled fires together. Where that leads round in a circle, as it may of diodes that block since a current without end
 * would flow back and would not if only one of them did, the circle is gone through once more as it would be with small inductances on the way:
 * from what everything has been, along the direction in which it grows, to the first guard that turns (the ratio test of Dantzig's simplex
 * method). */
#ifndef HYBRID_CONFLICT_ORDER_H
#define HYBRID_CONFLICT_ORDER_H

#include "hybrid/transcript.h"

/* Keeps of what is enabled a posteriori what turns first of that which a conflict has decided; where that is nothing, all. */
void hbg_conflict_keep_first(HbgSim *sim, HbgFired *enabled);

#endif

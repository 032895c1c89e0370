/* SPDX-License-Identifier: BSD-3-Clause
 * Kinks in what tallies add up: an `abs`, `min` or `max` of what is read. It bends where a sum of that passes zero, or a factor of a product of such sums, and
 * where this is along a closed form is known with certainty; so quadratures need not find it by looking. */
#ifndef HYBRID_TALLY_KINKS_H
#define HYBRID_TALLY_KINKS_H

#include "hybrid/onlookers.h"
#include "numerics/flow_root.h"

/* Where this passes zero, the rate has a kink. */
typedef struct HbgTallyKink {
  const double *form;  /* constant, and weights of guests and of what drives these (1 + count) */
  HbgFlowGuard *guard; /* NULL: guests move in parabolas */
} HbgTallyKink;

/* How could an integrator look on whose rate is no sum? As a tally it reads nothing but states, efforts and flows, and bends nowhere; as a bent one it has kinks that
 * are known. */
HbgOnlooking hbg_tally_kind(HbgSim *sim, int32_t integrator);
/* The kinks of a tally by this probe, whose guests move like that and whose inputs are these forms (inputs, 1 + guests->count). From the local arena. */
HbgTallyKink *hbg_tally_kinks(HbgSim *sim, const HbgProbe *probe, const HbgMotion *guests, const double *forms, int32_t *count);
/* Behind `from` the next of them; or, where that is far, some time before it. `tracks`: of the guests, which began at 0. */
double hbg_tally_next_turn(const HbgTallyKink *kinks, int32_t kink_count, const HbgMotion *guests, const HbgTrack *tracks, double from);

#endif

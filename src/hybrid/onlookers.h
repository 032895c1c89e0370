/* SPDX-License-Identifier: BSD-3-Clause
 * Onlookers: integrators of signals whose value no law and no integrator reads, such as the gap between two bodies as the integral of their relative
 * velocity. What guards and columns read of them ties nobody together, so where a region would become too large to be known in closed form with
 * them, they leave it: each is a region of its own, whose motion has behind its one state those states of others that its rate follows, and what
 * these follow, as guests. It begins anew whenever one of the regions does that it looks at (local_scope.c), and no event reaches farther through it. */
#ifndef HYBRID_ONLOOKERS_H
#define HYBRID_ONLOOKERS_H

#include "hybrid/region.h"

typedef struct HbgOnlookers {
  uint8_t *may_be, *is; /* per integrator: it could look on; it does. NULL: nobody has asked */
  int32_t count;        /* how many do */
} HbgOnlookers;

/* Is this state (of the model) an onlooker by now? */
bool hbg_is_onlooker(const HbgSim *sim, int32_t state);
/* Nobody is, as long as nobody has to be. */
void hbg_onlookers_forget(HbgSim *sim);
/* From now on those of `states` (count) that could be onlookers are; answers whether that are any more than before. */
bool hbg_onlookers_leave(HbgSim *sim, const int32_t *states, int32_t count);
/* The guests of `onlooker` in the present regions of all that it looks at, ascending, in the scratch arena; answers how many, or -1 where they
 * have no closed form by themselves, or are too many. */
int32_t hbg_onlooker_guests(HbgSim *sim, int32_t onlooker, int32_t **guests);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Onlookers: integrators of signals whose value no law and no integrator reads, such as the gap between two bodies as the integral of their relative
 * velocity. What guards and columns read of them ties nobody together, so where a region would become too large to be known in closed form with
 * them, they leave it: each is a region of its own, whose motion has behind its one state those states of others that its rate follows, and what
 * these follow, as guests. It begins anew whenever one of the regions does that it looks at (local_scope.c), and no event reaches farther through it.
 *
 * Those that add up what is no sum, such as powers, and that no guard reads either are tallies (tally.h): they look on from the start, since nobody has a
 * closed form with them. Where those that they look at have none themselves, they move with them, from then on. */
#ifndef HYBRID_ONLOOKERS_H
#define HYBRID_ONLOOKERS_H

#include "hybrid/region.h"

typedef enum HbgOnlooking {
  HBG_LOOKS_NOT_ON,
  HBG_LOOKS_ON,
  HBG_LOOKS_ON_AS_TALLY,
  HBG_LOOKS_ON_AS_BENT_TALLY, /* in regions alone */
  HBG_LOOKED_ON_AS_TALLY,     /* and has come back: in sets alone */
} HbgOnlooking;

typedef struct HbgOnlookers {
  uint8_t *may_be, *is; /* per integrator: how it could look on (HbgOnlooking); it does. NULL: nobody has asked */
  int32_t count;        /* how many do */
  bool tallies_look_on; /* in this local run */
} HbgOnlookers;

/* Is this state (of the model) an onlooker by now? */
bool hbg_is_onlooker(const HbgSim *sim, int32_t state);
/* ... and as a tally? */
bool hbg_is_tally(const HbgSim *sim, int32_t state);
/* Nobody is, as long as nobody has to be. */
void hbg_onlookers_forget(HbgSim *sim);
/* From now on those of `states` (count) that could be onlookers are; answers whether that are any more than before. */
bool hbg_onlookers_leave(HbgSim *sim, const int32_t *states, int32_t count);
/* From now on all tallies are. */
void hbg_onlookers_let_tallies_leave(HbgSim *sim);
/* Could this be a tally where states move in sets? */
bool hbg_may_be_tally(HbgSim *sim, int32_t state);
/* This one is none of a region any more, for the rest of the run. */
void hbg_onlookers_come_back(HbgSim *sim, int32_t state);
/* The guests of `onlooker` in the present regions of all that it looks at, ascending, in the scratch arena; answers how many, or -1 where they
 * have no closed form by themselves, or are too many. */
int32_t hbg_onlooker_guests(HbgSim *sim, int32_t onlooker, int32_t **guests);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that are far away, told by a few multiplications: differences as linear combinations of states, kept from step to step, against
 * how far a step can have taken each state; of those that bend, boxes of states in which they cannot hold. Nearly all guards of a large model are, at nearly all steps; and a guard whose conditions do
 * not move at all turns in instants only. An instant makes anew what it has touched. */
#ifndef HYBRID_DISTANCE_H
#define HYBRID_DISTANCE_H

#include "hybrid/linear.h"

typedef struct HbgSim HbgSim;
typedef struct HbgDistances HbgDistances;

/* A guard that may turn within the last step, but not before theta. */
typedef struct HbgNearGuard {
  const HbgConjunction *guard;
  double earliest;
} HbgNearGuard;

/* Those, the earliest first, and else in the order of their machines. `*list` (answered count) is from the scratch arena; where nothing
 * is kept, as in a run with slides, these are all. */
int32_t hbg_distances_near(HbgSim *sim, HbgNearGuard **list);
/* How far `state` can come within what is left of a step from sim->stepper->y0, which must have it. */
typedef double HbgTravelOf(HbgSim *sim, int32_t state);
/* What instants have touched is made anew. False: nothing is kept. */
bool hbg_distances_refresh(HbgSim *sim);
/* The same of one guard, after that, with states that are measured when they are read. */
bool hbg_distances_may_turn(HbgSim *sim, const HbgConjunction *guard, HbgTravelOf *measure);
/* Was the guard beneath notice when it was asked about? Then it may hold from where a step begins that is not, and has not fired. */
bool hbg_distances_owe(const HbgConjunction *guard);
/* That has been looked at. */
void hbg_distances_pay(const HbgConjunction *guard);
/* An instant has been gone through, with the scope that it has now. */
void hbg_distances_forget(HbgSim *sim);
/* What guards of a machine read is another thing by now, without an instant. */
void hbg_distances_forget_machine(HbgSim *sim, int32_t machine);

#endif

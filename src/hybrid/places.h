/* SPDX-License-Identifier: BSD-3-Clause
 * Where within the stepper's last step a conjunction may turn: found by the roots of its differences as polynomials, so that none is
 * overlooked however close together they lie. */
#ifndef HYBRID_PLACES_H
#define HYBRID_PLACES_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

typedef enum HbgPlacesResult {
  HBG_PLACES_NONE,   /* it cannot come to hold within the step */
  HBG_PLACES_FOUND,
  HBG_PLACES_UNKNOWN /* it is no polynomial to within round-off, nor in short parts of the step */
} HbgPlacesResult;

/* Instants at which a conjunction must be looked at. */
typedef struct HbgPlaces {
  double *times;   /* ascending, both ends of the step among them [s] */
  double *turns;   /* the place between this time and the one before where something turns, the time itself if nothing does [s] */
  int32_t count, time_capacity, turn_capacity;
} HbgPlaces;

/* Between two neighbouring times at most one place lies where a relation's difference is zero, or some so close together that
 * they are one; or the conjunction does not hold on all of the way. From the scratch arena; `keeps_ends`: also where it cannot
 * come to hold. */
HbgPlacesResult hbg_places(HbgSim *sim, const HbgConjunction *conjunction, bool keeps_ends, HbgPlaces *places);
/* Is the conjunction about to hold just behind the end of the step: every condition does, or will within `soon` [s]? */
bool hbg_places_just_behind(HbgSim *sim, const HbgConjunction *conjunction, double soon);

#endif

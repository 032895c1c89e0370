/* SPDX-License-Identifier: BSD-3-Clause
 * Where within the stepper's last step a conjunction may turn: found by the roots of its differences as polynomials, so that none is
 * overlooked however close together they lie. Where a difference bends, jumps or is not known well enough the step is halved, until a
 * part is so short that it is a place itself. */
#ifndef HYBRID_PLACES_H
#define HYBRID_PLACES_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

/* Times at which a conjunction must be looked at, in a part of the step. */
typedef struct HbgPlaces {
  double *times; /* ascending, both ends of the part among them [s] */
  double *turns; /* the place between this time and the one before where something turns, the time itself if nothing does [s] */
  int32_t count, time_capacity, turn_capacity;
} HbgPlaces;

/* Between two neighbouring times lies at most one place where the conjunction can turn, or some so close together that they are
 * one. `places` from the scratch arena. Answers whether the search is over. */
typedef bool (*HbgTakePlaces)(const HbgPlaces *places, void *user);

/* Hands out the parts of the step in which `conjunction` may come to hold, in order, none that begins behind `latest` [s]. With
 * `keeps_all` also those in which it holds or not all the time. False: what it reads is not known as polynomials, or too much of the
 * step is in doubt; some parts may have been handed out. */
bool hbg_places(HbgSim *sim, const HbgConjunction *conjunction, double latest, bool keeps_all, HbgTakePlaces take, void *user);

#endif

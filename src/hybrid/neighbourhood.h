/* SPDX-License-Identifier: BSD-3-Clause
 * What an instant is about, apart from names: the machines of its scope, the regions it reads with all that they consist of, the sources
 * that hang at what it touches, and how all of these are connected. Every member has a place, by its number among those of its kind. Two
 * neighbourhoods with equal keys are the same system under other names: what happens in one happens in the other. */
#ifndef HYBRID_NEIGHBOURHOOD_H
#define HYBRID_NEIGHBOURHOOD_H

#include "base/key.h"
#include "hybrid/island_run.h"

typedef struct HbgSim HbgSim;
typedef struct HbgRegion HbgRegion;

enum { HBG_NEIGHBOURHOOD_MOST = 96 };

/* Numbers of the model, ascending; the place of a member is its place here. */
typedef struct HbgPlaces {
  int32_t list[HBG_NEIGHBOURHOOD_MOST], count;
} HbgPlaces;

typedef struct HbgNeighbourhood {
  HbgPlaces machines; /* of the scope */
  HbgPlaces others;   /* machines that are read besides */
  HbgPlaces ticks, variables, states, bonds, nodes;
} HbgNeighbourhood;

/* The place of a member; -1. */
int32_t hbg_place_of(const HbgPlaces *places, int32_t number);

/* The neighbourhood of the instant at hand, with machines as they were when it began: of the scope, and of the regions and hanging sources in
 * the transcript. `key` (empty) describes it. False: it is large, or something in it is not told by it. */
bool hbg_neighbourhood(HbgSim *sim, HbgNeighbourhood *self, HbgKey *key);

#endif

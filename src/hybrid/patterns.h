/* SPDX-License-Identifier: BSD-3-Clause
 * What a machine or a region is, and what it is connected to, with numbers of the model counted from the first that is told of each kind.
 * What a loop declares is the same again and again but for a displacement of its numbers: equal patterns tell that, and from where to
 * where. Together they tell all of a neighbourhood (neighbourhood.h) but for what moves: states of machines, and motions. */
#ifndef HYBRID_PATTERNS_H
#define HYBRID_PATTERNS_H

#include "base/key.h"
#include "base/key_table.h"

typedef struct HbgSim HbgSim;
typedef struct HbgRegion HbgRegion;
typedef struct HbgShown HbgShown;

/* Bonds are told by their nodes and ports, and states of storages by their nodes; junctions with many ports, which many parts share, by
 * themselves. */
typedef enum HbgNumberKind {
  HBG_NUMBERS_OF_MACHINES,
  HBG_NUMBERS_OF_INTEGRATORS,
  HBG_NUMBERS_OF_NODES,
  HBG_NUMBERS_OF_TICKS,
  HBG_NUMBER_KINDS
} HbgNumberKind;

typedef struct HbgPattern {
  int32_t member_count;  /* who has it */
  struct HbgHome *homes; /* recipes that were made where such a machine was due (displaced.h) */
} HbgPattern;

/* Where a pattern lies. */
typedef struct HbgAnchor {
  HbgPattern *pattern;             /* NULL: it has none, as it reads what patterns do not tell */
  int32_t edition;                 /* of the patterns that it was made with; 0: not yet */
  int32_t first[HBG_NUMBER_KINDS]; /* the first number of each kind; -1: none is told */
} HbgAnchor;

typedef struct HbgPatterns {
  HbgArena *arena;
  HbgKeyTable known;
  HbgKey key;            /* work space */
  HbgAnchor *of_machine; /* (machine_count) */
  const HbgShown *shows; /* what rows show is a part of them */
  int32_t edition;       /* grows when that changes: then all are made anew */
  int32_t made;          /* how many there are */
  int32_t found;         /* recipes that were found by them (displaced.h) */
} HbgPatterns;

HbgPatterns hbg_patterns(const HbgSim *sim, HbgArena *arena);
/* In a local run without storages that may be cut off. Made when first asked for, with some that lie beside it. */
const HbgAnchor *hbg_pattern_of_machine(HbgSim *sim, int32_t machine);
const HbgAnchor *hbg_pattern_of_region(HbgSim *sim, HbgRegion *region);

/* A bond by a port of one of its nodes. False: both ends have too many. */
typedef struct HbgPortPlace {
  int32_t node, port;
} HbgPortPlace;
bool hbg_port_place(const HbgSim *sim, int32_t bond, HbgPortPlace *place);

/* From one place to another: what is to be added to numbers of each kind, as far as that is known. */
typedef struct HbgDisplacement {
  int32_t by[HBG_NUMBER_KINDS];
  bool is_known[HBG_NUMBER_KINDS];
} HbgDisplacement;

/* Is `here` the same as `home`, displaced like all that was asked about before? */
bool hbg_is_displaced(HbgDisplacement *displacement, const HbgAnchor *home, const HbgAnchor *here);

#endif

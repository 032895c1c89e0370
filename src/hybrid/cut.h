/* SPDX-License-Identifier: BSD-3-Clause
 * Where the graph may be cut: at junctions whose common variable one element fixes by itself (an Se or a C on a 0-junction, an Sf or
 * an I on a 1-junction). What happens at one of the other ports is not felt at the others at the same time, so N converters on one
 * battery are N islands, and a chain of N masses is N small ones. What the element itself receives is the balance of the other
 * ports, and is summed up after them (delivery.h). Why that is the same: docs/theory.md, section 3.
 *
 * At sources the graph is cut once and for all. A storage fixes its junction only where causality leaves it integral; so whether
 * the graph is cut there depends on the mode, and blocks.h decides it. So it does where a source fixes a junction by way of a switch, a *feeder*: a
 * junction with two ports and a machine, on the other side of which the source stands (decision 102). While it is on, its bonds carry what the
 * source imposes and the fed junction asks for, and hang like that of a source beside its junction. */
#ifndef HYBRID_CUT_H
#define HYBRID_CUT_H

#include "hybrid/delivery.h"

typedef struct HbgSim HbgSim;

/* A switch between an ideal source and a junction that this may fix by way of it. */
typedef struct HbgFeeder {
  int32_t node, source, junction;
  int32_t bonds[2];      /* at the source, and at the junction                       */
  int32_t deliveries[2]; /* what the junction's other ports deliver to each of these */
  int32_t next;          /* another one to the same junction, -1                     */
} HbgFeeder;

typedef struct HbgCuts {
                             /* meaning                                                                   shape        */
  HbgDeliveries deliveries;  /* of all elements at which the graph is cut, or may be                                   */
  int32_t *source_of;        /* the ideal source that fixes a junction in every mode, -1                  (node_count) */
  int32_t *base_by;          /* that source, or the storage that fixes the junction in the present
                                causality, -1: with all these cuts the graph falls apart into blocks      (node_count) */
  int32_t *fixed_by;         /* the same, but for storages that are needed within an island: the cuts     (node_count) */
  int32_t *counted_by, *needed_by, *listed_by; /* work space of blocks.c: stamps of junctions           (node_count) */
  int32_t *block_of;         /* ... and the block of a bond                                              (bond_count) */
  int32_t block_count;       /* ... blocks found so far                                                              */
  struct HbgIsland **block_island; /* the islands that are those of blocks; NULL: none; until the mode is entered  (blocks) */
  bool any_storage;          /* the graph may be cut at some storage                                                   */
  bool are_joined;           /* ... but it no longer is                                                                */
  int32_t most_storages;     /* that an island may have, cut at sources only; 0 where nothing switches                 */
  HbgFeeder *feeders; int32_t feeder_count, feeder_capacity; /* ... or at the junctions of these: then                 */
  int32_t *feeder_at;        /* which of them a node is the feeder of, or the first to a junction, -1   (node_count) */
  int32_t *feeder_of;        /* ... and which a bond belongs to, -1                                     (bond_count) */
} HbgCuts;

/* Islands of at most this size, with every junction on, are not cut at storages: one small system is quicker than its pieces. A bond
 * counts for one, a storage for so many more in a model with machines. Nor are those of so few storages and machines, however many bonds they have: they have a few modes with exact flows,
 * whatever the time between two events is. A machine that only laws read counts twice: it is felt nearby only, mostly. */
enum { HBG_CUT_ABOVE = 64, HBG_CUT_STORAGE = 7, HBG_CUT_FEW_STORAGES = 10, HBG_CUT_FEW_MACHINES = 6 };

/* Finds sources and storages at which the graph may be cut. Once, when laws and guards are known; sim->cuts. */
void hbg_cuts_make(HbgSim *sim);
/* The storage at which the graph may be cut at `node`; -1. */
int32_t hbg_cut_storage(const HbgCuts *self, int32_t node);
/* From now on the graph is cut at no storage, in the mode at hand and in all others: what are pieces becomes one. Between two instants. */
void hbg_cuts_join_storages(HbgSim *sim);
/* The node at the ports of which the law of `element` is felt: its junction, where the graph is cut by it in every mode, or else itself. */
int32_t hbg_cut_felt_at(const HbgSim *sim, int32_t element);
/* The first of the feeders by way of which sources may fix the junction `node`; NULL. */
static inline const HbgFeeder *hbg_cut_feeder_to(const HbgCuts *self, int32_t node) {
  const HbgFeeder *feeder = self->feeder_count && self->feeder_at[node] >= 0 ? &self->feeders[self->feeder_at[node]] : NULL;
  return feeder && feeder->junction == node ? feeder : NULL;
}
/* Is it one of these sources that fixes the junction `node`, where that is `by`? */
static inline bool hbg_cut_is_fed(const HbgCuts *self, int32_t node, int32_t by) {
  return by >= 0 && hbg_cut_feeder_to(self, node) && by != hbg_cut_storage(self, node);
}
/* The junction that `node` feeds while it is on; -1. */
static inline int32_t hbg_cut_feeds(const HbgCuts *self, int32_t node) {
  const HbgFeeder *feeder = self->feeder_count && self->feeder_at[node] >= 0 ? &self->feeders[self->feeder_at[node]] : NULL;
  return feeder && feeder->node == node ? feeder->junction : -1;
}
/* The feeder that `bond` belongs to; NULL. */
static inline const HbgFeeder *hbg_cut_feeder_of(const HbgCuts *self, int32_t bond) {
  return self->feeder_count && self->feeder_of[bond] >= 0 ? &self->feeders[self->feeder_of[bond]] : NULL;
}
/* The same if by these cuts a source fixes the junction by way of it. */
static inline const HbgFeeder *hbg_cut_way(const HbgCuts *self, const int32_t *fixed_by, int32_t bond) {
  const HbgFeeder *feeder = hbg_cut_feeder_of(self, bond);
  return feeder && fixed_by[feeder->junction] == feeder->source ? feeder : NULL;
}
/* The other bond of the feeder that `bond` belongs to and that is in use; -1. */
static inline int32_t hbg_cut_other_way(const HbgCuts *self, int32_t bond) {
  const HbgFeeder *feeder = hbg_cut_way(self, self->fixed_by, bond);
  return feeder ? feeder->bonds[bond == feeder->bonds[0]] : -1;
}
/* Does it depend on the mode where the graph is cut? */
static inline bool hbg_cuts_vary(const HbgCuts *self) { return self->any_storage || self->feeder_count; }

#endif

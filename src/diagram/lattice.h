/* SPDX-License-Identifier: BSD-3-Clause
 * Symbols on the points of a lattice, what is wrong with how they stand there, and how it becomes better. */
#ifndef DIAGRAM_LATTICE_H
#define DIAGRAM_LATTICE_H

#include "diagram/layout.h"

typedef struct HbgCell {
  int32_t column, row;
} HbgCell;

typedef struct HbgBounds {
  HbgCell low, high; /* both within */
} HbgBounds;

struct HbgNearby;

typedef struct HbgLattice {
  int32_t node_count, edge_count;
  const HbgLayoutEdge *edges;
  HbgCell *cells;        /* of each node; no two nodes that are there have the same */
  bool *is_fixed;        /* it may not be moved */
  bool *is_there;        /* it has a cell */
  int32_t *first, *near; /* the edges at node i: near[first[i]] to near[first[i + 1] - 1] */
  HbgArena *arena;
  struct HbgNearby *near_edges, *near_nodes; /* what lies where; NULL before hbg_lattice_note */
} HbgLattice;

/* A walk over the edges, or nodes, near a rectangle. */
typedef struct HbgFinding {
  const struct HbgNearby *nearby;
  HbgBounds box;
  uint64_t bits;
  int32_t word, count, next;
} HbgFinding;

/* All nodes free, and none there yet. Edges from a node to itself are left out. */
HbgLattice hbg_lattice(int32_t node_count, const HbgLayoutEdge *edges, int32_t edge_count, HbgArena *arena);
/* First and last column and row that are taken. */
void hbg_lattice_bounds(const HbgLattice *lattice, HbgCell *low, HbgCell *high);
/* Gives all nodes of a connected graph a cell, by their distances in the graph (spread.c). */
void hbg_lattice_spread(HbgLattice *lattice, HbgArena *arena);
/* Moves free nodes about until nothing gets better that is worth the time (improve.c). */
void hbg_lattice_improve(HbgLattice *lattice, HbgArena *arena);
/* Puts those that are not there near their neighbours (improve.c). */
void hbg_lattice_fill_in(HbgLattice *lattice);
/* Notes where all edges and nodes are, so that those near a place are found quickly; from then on nodes are moved by hbg_lattice_move (nearby.c). */
void hbg_lattice_note(HbgLattice *lattice);
void hbg_lattice_move(HbgLattice *lattice, int32_t node, HbgCell cell);
HbgBounds hbg_lattice_edge_bounds(const HbgLattice *lattice, int32_t edge);
/* All that touch `box`, and maybe others, in the order of their numbers; where nothing is noted, all there are. Ends with -1. Inline, since a
 * layout asks some ten million times. */
HbgFinding hbg_lattice_find(const HbgLattice *lattice, bool are_edges, HbgBounds box);
bool hbg_finding_go_on(HbgFinding *self); /* to the next 64 that have any; false: there are none */

static inline int32_t hbg_finding_next(HbgFinding *self) {
  if (!self->nearby) return self->next < self->count ? self->next++ : -1;
  if (!self->bits && !hbg_finding_go_on(self)) return -1;
  const int32_t bit = __builtin_ctzll(self->bits);
  self->bits &= self->bits - 1;
  return self->word * 64 + bit;
}

/* What is wrong with how `node` stands and with its edges; smaller is better (cost.c). */
double hbg_lattice_cost(const HbgLattice *lattice, int32_t node);

#endif

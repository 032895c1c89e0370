/* SPDX-License-Identifier: BSD-3-Clause
 * Symbols on the points of a lattice, what is wrong with how they stand there, and how it becomes better. */
#ifndef DIAGRAM_LATTICE_H
#define DIAGRAM_LATTICE_H

#include "diagram/layout.h"

typedef struct HbgCell {
  int32_t column, row;
} HbgCell;

typedef struct HbgLattice {
  int32_t node_count, edge_count;
  const HbgLayoutEdge *edges;
  HbgCell *cells;        /* of each node; no two nodes that are there have the same */
  bool *is_fixed;        /* it may not be moved */
  bool *is_there;        /* it has a cell */
  int32_t *first, *near; /* the edges at node i: near[first[i]] to near[first[i + 1] - 1] */
  HbgArena *arena;
} HbgLattice;

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
/* What is wrong with how `node` stands and with its edges; smaller is better (cost.c). */
double hbg_lattice_cost(const HbgLattice *lattice, int32_t node);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Places for the symbols of a drawing that have none yet.
 *
 * A bond graph is read best when its bonds lie straight across or straight down, are of one length, do not cross and pass no symbol; so
 * symbols stand on the points of a lattice. docs/decisions/0051-layout-of-drawings.md tells why this is ours. */
#ifndef DIAGRAM_LAYOUT_H
#define DIAGRAM_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct HbgLayoutNode {
  double width, height; /* of its box [pixels] */
  bool is_fixed;        /* it has its place already */
  double x, y;          /* centre [pixels]; in: of what is fixed; out: of all */
} HbgLayoutNode;

typedef struct HbgLayoutEdge {
  int32_t from, to; /* nodes; power or signals run best from left to right, or downwards */
  double weight;    /* how much it matters that it is short and straight: 1 a bond, less a signal */
} HbgLayoutEdge;

/* Finds places for all nodes that are not fixed. The order of nodes and edges decides between equals: it should be that of names.
 * Nothing but places is changed; `arena` holds what is needed on the way. */
void hbg_layout(HbgLayoutNode *nodes, int32_t node_count, const HbgLayoutEdge *edges, int32_t edge_count, HbgArena *arena);

#endif

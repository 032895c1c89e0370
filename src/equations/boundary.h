/* SPDX-License-Identifier: BSD-3-Clause
 * May an island stay apart from the storages at its border? Its equations read what these impose as given, which is right as long as
 * nobody asks how fast that changes, and as no impulse passes the border.
 *
 * Both happen only where something was overruled: a constraint is differentiated, or a jump needed. By groups of unknowns that appear
 * in each other's rows: what a group with such an unknown reads of the border belongs to the island after all. A group of torn loops
 * is solved as it stands where its matrix is regular; where that can change during the run it counts as overruled. */
#ifndef EQUATIONS_BOUNDARY_H
#define EQUATIONS_BOUNDARY_H

#include "equations/island.h"

typedef enum HbgBoundaryNeed {
  HBG_BOUNDARY_FREE,
  HBG_BOUNDARY_IF_SINGULAR, /* needed where the island's PLAIN equations, whose entries never change, have no solution */
  HBG_BOUNDARY_NEEDED
} HbgBoundaryNeed;

/* HbgBoundaryNeed per node of the program's graph: is the storage that fixes this port needed within the island? Found out when first
 * asked for, in `arena`, which must live as long as the program. */
const uint8_t *hbg_boundary_needs(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena);

#endif

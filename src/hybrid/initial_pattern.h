/* SPDX-License-Identifier: BSD-3-Clause
 * Which conditions each unknown initial state can move, as far as the islands of the present mode tell, and unknowns in groups of which no two move the same condition: all
 * slopes of a group are told by one difference (Curtis, Powell and Reid, J. Inst. Maths Applics 13 (1974)). */
#ifndef HYBRID_INITIAL_PATTERN_H
#define HYBRID_INITIAL_PATTERN_H

#include "hybrid/sim.h"

typedef struct HbgInitialPattern {
  int32_t *start, *conditions;       /* of unknown u: conditions[start[u] .. start[u + 1]), ascending, each once */
  int32_t *group_start, *members;    /* of group g: members[group_start[g] .. group_start[g + 1]), unknowns */
  int32_t group_count;
} HbgInitialPattern;

/* Of the unknown states `unknowns` (count); lists from `arena`. */
HbgInitialPattern hbg_initial_pattern(HbgSim *sim, const int32_t *unknowns, int32_t count, HbgArena *arena);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Which state's rate depends on which state in the present mode: the sparsity of the Jacobian, read off the byte code. */
#ifndef HYBRID_DEPENDENCY_H
#define HYBRID_DEPENDENCY_H

#include "hybrid/sim.h"

/* A pattern by columns, rows ascending. */
typedef struct HbgDependency {
  int32_t n;
  int32_t *column; /* (n + 1) */
  int32_t *row;    /* (column[n]) */
} HbgDependency;

/* The pattern of the present mode united with `known` (n = 0: none). From `arena`. `*grown` tells whether it holds more
 * than `known`. */
HbgDependency hbg_dependency(HbgSim *sim, const HbgDependency *known, HbgArena *arena, bool *grown);

#endif

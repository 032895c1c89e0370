/* SPDX-License-Identifier: BSD-3-Clause
 * The rest of a system of equations: what is solved exactly while some unknowns are given and as many rows are left open. */
#ifndef HYBRID_RELAXATION_REST_H
#define HYBRID_RELAXATION_REST_H

#include "hybrid/island_solve.h"

/* The storages in derivative causality: the unknown each answers with, and the row that holds its demand. */
typedef struct HbgDependents {
  int32_t count;
  int32_t *unknown, *row, *state; /* of the system, of the system, of the island (count) */
} HbgDependents;

/* The dependents of a PLAIN or JUMP system of `island`. In a JUMP the unknown is what the storage takes up. From `arena`. */
HbgDependents hbg_dependents(const HbgEquationsRun *run, const HbgIsland *island, HbgArena *arena);

typedef struct HbgRest {
  HbgEquationsRun *run;
  int32_t *column_of, *row_of; /* place within the rest, -1: given or open (unknown_count), (row_count) */
  int32_t column_count, row_count;
  HbgLeastSquares least;
  bool is_factored;
  double *matrix, *right, *solution;
} HbgRest;

/* All but the unknowns and demands of `dependents`. From `arena`. */
HbgRest hbg_rest(HbgEquationsRun *run, const HbgDependents *dependents, HbgArena *arena);
/* Finds the unknowns of the rest for those that are given in run->unknowns; the least ones where several would do. Executes
 * up to the residuals. False when they cannot be computed. */
bool hbg_rest_solve(HbgRest *rest);

#endif

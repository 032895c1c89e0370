/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers by which the unknowns of an island follow from its residuals, for programs that have solved for them
 * (equations/solved_rates.h). */
#ifndef HYBRID_ISLAND_WEIGHTS_H
#define HYBRID_ISLAND_WEIGHTS_H

#include "equations/solved_rates.h"
#include "hybrid/island_run.h"

typedef struct HbgIslandWeights {
  const HbgSolvedRates *rates; /* NULL: its unknowns must be solved for each time */
  double *list; int32_t room;  /* (rates->weight_count) */
  bool are_known;              /* they are up to date */
} HbgIslandWeights;

/* In continuous time, with the scheduled conditions and discrete variables in `now`; made when asked for first and when these have changed. NULL: its
 * equations are not linear in the unknowns, or their matrix does not stay. */
const HbgIslandWeights *hbg_island_weights(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
/* Those that hbg_island_rates() goes by, where it has no forms: NULL where there is nothing to solve, or not in this way. (island_run.c) */
const HbgIslandWeights *hbg_island_rates_weights(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
/* hbg_island_rates() by these. */
void hbg_island_rates_by_weights(HbgIslandSolver *solver, HbgIsland *island, const HbgIslandWeights *weights, HbgValues *values, double *rate);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Rates and other values as combinations of states and of functions of time: constant + weights, row by row. */
#ifndef HYBRID_RATES_H
#define HYBRID_RATES_H

#include "equations/time_columns.h"
#include "hybrid/island_run.h"

typedef struct HbgSim HbgSim;

typedef struct HbgRates {
  const int32_t *states; int32_t count; /* of the model: what the rows are combinations of */
  int32_t width;   /* of a row: count + HBG_TIME_COLUMNS */
  double *matrix;  /* what a row takes of the states and of functions of time (rows, width) */
  double *drive;   /* and what is constant in it (rows) */
  HbgTimeColumns columns;
} HbgRates;

/* `rows` rows of nothing, in `arena`; powers of time are those of the time since `reference`. */
HbgRates hbg_rates(const int32_t *states, int32_t count, int32_t rows, double reference, HbgArena *arena);

/* Each of these adds to a row, with what sim->now has of scheduled conditions and machines, and answers false where what it adds is no such
 * combination, or one of other states or of too many functions of time. */

/* The rates of the states of an island, each to the row that is its place among the states. */
bool hbg_rates_add_island(HbgSim *sim, HbgRates *rates, HbgIsland *island);
/* What an integrator adds up. */
bool hbg_rates_add_integrator(HbgSim *sim, HbgRates *rates, int32_t row, int32_t state);
/* A state, effort or flow, times `factor`. */
bool hbg_rates_add_leaf(HbgSim *sim, HbgRates *rates, int32_t row, const HbgExprNode *leaf, double factor);
/* The rate of a state of another region, which has a motion. */
bool hbg_rates_add_guest(const HbgSim *sim, HbgRates *rates, int32_t row, int32_t state);

#endif

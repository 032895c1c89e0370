/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the rates of everything are A y + b, with a matrix and a drive that stay from one instant to the next: then steps are those of a series
 * (numerics/linear_series.h, decision 127). */
#ifndef HYBRID_STEADY_H
#define HYBRID_STEADY_H

#include "hybrid/sim.h"

/* A table over time, or a delayed signal, that an island reads goes from piece to piece without a restart. */
bool hbg_island_reads_pieces(const HbgSim *sim, const HbgIsland *island);
/* In every mode that the run may come to? Asked when its first one is entered; false where anything may switch but scheduled conditions, or hang on the past. */
bool hbg_rates_are_steady(HbgSim *sim);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What must be integrated together: islands and integrators of signals that read each other, directly or by way of others.
 * Between instants, clusters know nothing of each other. */
#ifndef HYBRID_CLUSTERS_H
#define HYBRID_CLUSTERS_H

#include "hybrid/inputs.h"
#include "hybrid/sim.h"

typedef struct HbgClusters {
  int32_t count;
  int32_t *of_state;  /* cluster of each state; they are numbered by their first states (state_count) */
  int32_t *of_island; /* cluster of each present island; -1: of none, it has no states          (island_count) */
  bool read_hanging;  /* an integrator reads a hanging source, whose law may read anything: everything is one cluster */
} HbgClusters;

/* Those of the present mode, from `arena`. */
HbgClusters hbg_clusters(const HbgSim *sim, const HbgInputs *inputs, HbgArena *arena);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The Jacobian of one island: how the rates of its states, and the variables that integrators of signals read, depend on its
 * states, from its linearised equations and the factors of its systems (equations/linearisation.h). */
#ifndef HYBRID_ISLAND_SLOPES_H
#define HYBRID_ISLAND_SLOPES_H

#include "equations/linearisation.h"
#include "hybrid/island_run.h"

/* value[k] belongs to the output and state of `made->column[k]`. */
typedef struct HbgIslandSlopes {
  const HbgLinearisation *made;
  double *value;
  bool is_current; /* constant, and computed */
} HbgIslandSlopes;

/* Sees to it that island->last_slopes tells where entries may be; it stays NULL when the island cannot be solved at `values`. */
void hbg_island_linearise(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values);
/* The entries at `values`, in continuous time; NULL when the island cannot be solved there. Owned by the island. */
const HbgIslandSlopes *hbg_island_slopes(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values);
/* The scheduled conditions changed. */
void hbg_island_forget_slopes(HbgIsland *island);

#endif

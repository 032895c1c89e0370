/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that are far away: nearly all of a large model, told from the few that are worth a closer look by nothing but the bounds of
 * the states over the step. Of differences that are linear combinations of states, efforts and flows. */
#ifndef HYBRID_REACH_H
#define HYBRID_REACH_H

#include "hybrid/guards.h"
#include "hybrid/window.h"

/* Where a value stays, and the magnitudes it was summed up from. */
typedef struct HbgBound {
  double least, most, size;
} HbgBound;

/* The differences of one conjunction as linear combinations. */
typedef struct HbgReach {
  bool is_linear;
  HbgExprNode *leaves; int32_t count;
  double *forms;       /* a constant and a factor for each leaf (difference_count, 1 + count) */
} HbgReach;

/* `slice` computes the differences of `conjunction`. From the run's arena. */
HbgReach hbg_reach(HbgSim *sim, const HbgConjunction *conjunction, const HbgSlice *slice);
/* Is some condition certain not to hold anywhere in the step? `window` is the whole of it. */
bool hbg_reach_is_out(HbgSim *sim, HbgStepWindow *window, const HbgReach *reach, const HbgConjunction *conjunction);

#endif

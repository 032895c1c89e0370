/* SPDX-License-Identifier: BSD-3-Clause
 * x' = A x + b as a motion that is known in closed form, for the whole run: regions with the same numbers share it, and scheduled conditions may
 * lead a region from one to another and back. Behind the states stand the functions of time that drive them. */
#ifndef HYBRID_MOTION_H
#define HYBRID_MOTION_H

#include "hybrid/driven.h"
#include "hybrid/rates.h"
#include "numerics/flow.h"

enum { HBG_MOTION_USUAL_STATES = 12 }; /* to take more of them apart costs as much as hundreds of steps */

/* What is not nothing in A. */
typedef struct HbgMotionTerm {
  double factor;
  int32_t row, column;
} HbgMotionTerm;

typedef struct HbgMotion {
  int32_t count;                /* of states and functions of time */
  bool is_parabola;
  bool is_known;                /* it has a closed form */
  HbgFlow *flow;                /* ... which is that; NULL: it is a parabola, or a tally */
  const double *matrix, *drive; /* A (count, count), b (count) */
  const HbgMotionTerm *terms; const int32_t *start; /* of parabolas: those of row r of A are terms[start[r] .. start[r + 1]) */
  const HbgMotionTerm *bends; int32_t bend_count; /* ... and halves of those of states that move themselves, so that the row bends */
  double speed;                 /* of the fastest of it [1/s], about */
  int32_t number;               /* of all motions of the run */
  HbgDriven driven;             /* the functions of time behind the states (none, mostly) */
  const struct HbgTally *tally; /* of an onlooker whose rate is no sum (tally.h); NULL */
} HbgMotion;

/* So far, by whatever takes them. */
int64_t hbg_implicit_steps(const HbgSim *sim);
/* Have steps cost as much as it would to take apart so many states; of more than HBG_FLOW_STATES, implicit steps, as what is not stiff goes on by steps as well? */
bool hbg_motion_is_affordable(const HbgSim *sim, int32_t n);
/* Are these states (NULL: the first ones) all capacities, or all inertias, so that they may have normal modes? */
bool hbg_motion_of_one_kind(const HbgSim *sim, const int32_t *states, int32_t count);
/* Would states that move by A (n, n) have normal modes that are precise enough? Spends what it costs to find them. */
bool hbg_motion_would_be_normal(HbgSim *sim, int32_t n, const double *matrix);
/* The functions of time that the first `rows` rows need. */
HbgDriven hbg_motion_driven(const HbgRates *rates, int32_t rows);
/* The motion of states whose rates are the first rows, driven by these; the same one where it has been met before. NULL where it has no closed form, or where that would cost more
 * than all steps so far have: then `*waits`, and it may have one later. */
const HbgMotion *hbg_motion(HbgSim *sim, const HbgRates *rates, const HbgDriven *driven, bool *waits);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Tallies: onlookers (onlookers.h) whose rate is no sum of efforts and flows, such as the energy that a load has taken, the integral of e f. That rate is
 * no combination of states, but those that it is computed from move in closed form, so the value of a tally is a quadrature over their motion. */
#ifndef HYBRID_TALLY_H
#define HYBRID_TALLY_H

#include "hybrid/tally_kinks.h"
#include "numerics/quadrature.h"

enum { HBG_TALLY_MOST_INPUTS = 16 };

/* What all tallies have in common that add up the same, of guests that move in the same way. */
typedef struct HbgTally {
  const HbgMotion *guests;       /* how those move that are looked at, and what drives them */
  const HbgProgram *program;     /* the rate */
  double *registers, *sizes;     /* its, which are work space but for what is constant in it */
  int32_t output;                /* the register of the rate */
  const double *forms;           /* of its inputs: constant, and weights of guests and of what drives these (inputs, 1 + guests->count) */
  HbgTallyKink *kinks; int32_t kink_count; /* that it has */
} HbgTally;

/* How far one has come: integrals begin anew behind each kink. */
typedef struct HbgTallyCourse {
  HbgRunningIntegral integral; /* from `start` [s] behind region->origin on */
  double start, base, turn;    /* what has come together until then; and the next kink [s] */
  double noise;
  bool has_begun; /* somebody has asked since its region started */
} HbgTallyCourse;

/* How much of a rate may be nothing but round-off, where its inputs are as large as that (input_count): some of what it would be if all that it is computed from
 * were large, though it may be small. `registers` and `sizes` (register_count) are work space but for constants. */
double hbg_tally_noise(const HbgProgram *program, double *registers, double *sizes, int32_t output, const double *input_sizes);
/* The motion of a region that is a tally, over its guests, which have one; NULL where it has none. */
const HbgMotion *hbg_tally_motion(HbgSim *sim, HbgRegion *region);
/* Its guests have their states in the tracks of the region, as of region->origin: it goes on from there. */
void hbg_tally_start(HbgRegion *region);
/* Its value at `t`. */
double hbg_tally_value(const HbgRegion *region, double t);

#endif

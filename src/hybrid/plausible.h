/* SPDX-License-Identifier: BSD-3-Clause
 * What states may come to. Round-off is small against what a state has been, and what has been nothing so far may be found to be next to nothing at the next
 * event, just behind the one that set it going: no step was taken from which one could tell. Then its rate tells, over a time that is
 * short, but long against what times can be told apart by. */
#ifndef HYBRID_PLAUSIBLE_H
#define HYBRID_PLAUSIBLE_H

#include <float.h>

#include "hybrid/sim.h"

#define HBG_PLAUSIBLE 1e-3 /* of what a state comes to in the time of the fastest motion: that much at least, as it may turn sooner */

/* [s] What a state has moved by within the resolution of the time is no impulse against what it moves by in this time. */
static inline double hbg_soon(double t) {
  const double resolution = DBL_EPSILON * t;
  return 4 / HBG_AREA_BAND * (resolution > HBG_LEAST_TIME ? resolution : HBG_LEAST_TIME);
}

static inline void hbg_raise_scale(HbgSim *sim, int32_t state, double size) {
  if (!(size > sim->scale[state]) || !isfinite(size)) return;
  sim->scale[state] = size;
  sim->scaled = NULL;
}

#endif

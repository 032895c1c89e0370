/* SPDX-License-Identifier: BSD-3-Clause
 * A region: states that move together, apart from all others, with a clock of its own. It consists of islands and of integrators
 * of signals that read each other; in a mode in which all of their equations are affine with constant coefficients its motion
 * x' = A x + b is known in closed form for any distance in time, and nobody has to integrate it. */
#ifndef HYBRID_REGION_H
#define HYBRID_REGION_H

#include "hybrid/inputs.h"
#include "hybrid/island_run.h"

typedef struct HbgSim HbgSim;

enum { HBG_REGION_MOST_STATES = 16 };

/* How one state moves: x(origin + s) = a + b s + c s^2, with the sizes round-off in b and c is small against. */
typedef struct HbgTrack {
  double a, b, c, b_size, c_size;
} HbgTrack;

typedef struct HbgRegion {
  HbgIsland **islands; int32_t island_count; /* by their numbers */
  int32_t *states; int32_t count;            /* of the model, ascending */
  int32_t *machines; int32_t machine_count;  /* whose guards read a state or a bond of the region, in whatever state, ascending */
  double *matrix, *drive;  /* A (count, count), b (count) */
  bool is_exact;           /* A and b are known, and nilpotent to the second degree */
  bool reads_mode;         /* an integrator reads machines, scheduled conditions or variables */
  HbgTrack *tracks;        /* (count) */
  double origin;           /* where they begin [s] */
  double synced;           /* sim->now has its states at this time [s]; NAN: not at all */
  double shown;            /* and its variables, for a row; NAN: not at all */
  int32_t read_stamp, touch_stamp; /* of the instants that have read, and touched, it last */
  int32_t group_stamp;     /* of the grouping that has met it last */
} HbgRegion;

/* The region of `islands` and `states` (ascending); from the run's arena, without its machines. */
HbgRegion *hbg_region(HbgSim *sim, HbgIsland *const *islands, int32_t island_count, const int32_t *states, int32_t count);
/* Finds A and b anew, with the scheduled conditions and machines in sim->now. */
void hbg_region_assemble(HbgSim *sim, HbgRegion *region);
/* Goes on from its states in sim->now, at `t`. */
void hbg_region_start(HbgSim *sim, HbgRegion *region, double t);
/* Its states at `t` into sim->now. */
void hbg_region_sync(HbgSim *sim, HbgRegion *region, double t);

/* Takes its states and islands over, and goes on from sim->time. */
void hbg_region_enter(HbgSim *sim, HbgRegion *region);
/* State `place` of the region at `t`. */
static inline double hbg_region_value(const HbgRegion *region, int32_t place, double t) {
  const HbgTrack *track = &region->tracks[place];
  const double s = t - region->origin;
  return track->a + s * (track->b + s * track->c);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * A region: states that move together, apart from all others, with a clock of its own. It consists of islands and of integrators
 * of signals that read each other; in a mode in which all of their equations are affine with constant coefficients its motion
 * x' = A x + b is known in closed form for any distance in time, and nobody has to integrate it. */
#ifndef HYBRID_REGION_H
#define HYBRID_REGION_H

#include "hybrid/inputs.h"
#include "hybrid/motion.h"
#include "hybrid/patterns.h"
#include "numerics/readable.h"

typedef struct HbgSim HbgSim;
typedef struct HbgRegionSeries HbgRegionSeries; /* region_series.c */

/* How many have an exact motion: as a rule, and where steps have cost so much that it may cost as much to take them apart, and these are all of one kind (motion.h). */
enum { HBG_REGION_USUAL_STATES = HBG_MOTION_USUAL_STATES, HBG_REGION_MOST_STATES = HBG_FLOW_MOST_STATES };
enum { HBG_REGION_FEW_STATES = 2, HBG_REGION_FEW_TRACKS = 3 };

/* How one state moves: x(origin + s) = a + b s + c s^2, with the sizes round-off in b and c is small against. Where the motion is no parabola
 * only `a` is that: there `b` is the size up to which the state raises no scale, if `b_size` of the first one is what stands for the motion. */
typedef struct HbgTrack {
  double a, b, c, b_size, c_size;
} HbgTrack;

enum { HBG_TRACK_STRIDE = sizeof(HbgTrack) / sizeof(double) }; /* from one `a` to the next */

typedef struct HbgRegion {
  /* what every event touches, in one line of the cache */
  _Alignas(64) const HbgMotion *motion; /* at present; NULL where it has no closed form */
  HbgTrack *tracks;        /* (motion->count): of the states, guests and functions of time; of a motion that is no parabola only `a` */
  int32_t *states; int32_t count; /* of the model, ascending */
  int32_t read_stamp;      /* of the instant that has read it last */
  double origin;           /* where the tracks begin [s] */
  double synced;           /* sim->now has its states at this time [s]; NAN: not at all */
  double shown;            /* and its variables, for a row; NAN: not at all */
  bool is_stepped;         /* it is integrated */
  bool is_owed;            /* its islands do not know yet that it is present */
  bool is_assembled;
  int32_t guest_count;     /* of an onlooker: states of other regions that stand behind its own (onlookers.h) */
  /* and beside it what these lead to, where they are few */
  int32_t few_states[HBG_REGION_FEW_STATES];
  HbgTrack few_tracks[HBG_REGION_FEW_TRACKS];
  /* and what few do */
  HbgIsland **islands; int32_t island_count; /* by their numbers */
  int32_t *machines; int32_t machine_count;  /* whose guards read a state or a bond of the region, in whatever state, ascending */
  int64_t edition;         /* of the forms it is assembled from */
  int32_t *guests;         /* (guest_count) */
  struct HbgTallyCourse *course; /* of a tally (tally.h); NULL */
  bool reads_mode;         /* an integrator reads machines, scheduled conditions or variables */
  bool is_held;            /* discrete variables drive it */
  uint32_t held_rows;      /* ... the rows of b that have ever been something */
  HbgDriven *held;         /* ... and what drives it, with numbers of its own; NULL: as its motion says */
  bool waits_for_motion;   /* one has not been made yet, as it costs more than steps have (motion.h) */
  bool prefers_steps;      /* a guard reads it that is no combination of states */
  HbgSim *sim;
  HbgStepper *stepper;     /* of a region that has ever been integrated: one of these */
  HbgStepper *by_pairs, *by_series; /* explicit pairs; Taylor series. Each made when first needed, NULL */
  struct HbgStiffRegion *by_part; /* implicit, and what it is judged by; NULL: it has never been stiff */
  HbgRegionSeries *series; /* its equations as series; NULL: it has none, or nobody has asked */
  bool has_no_series;      /* it has none */
  double horizon;          /* when it needs the next step [s]; infinite */
  int32_t reads;           /* so often its steps have been read lately, between their ends, ... */
  HbgReadable readable;    /* ... and what is remembered of steps that are read often */
  int32_t track_room;      /* how many there may be */
  int32_t touch_stamp;     /* of the instant that has touched it last */
  HbgAnchor anchor;        /* patterns.h */
  int32_t ample_wait, ample_waited; /* starts until it is looked at again whether scales are ample, more and more */
} HbgRegion;

/* The region of `islands` and `states` (ascending); from the run's arena, without its machines. */
HbgRegion *hbg_region(HbgSim *sim, HbgIsland *const *islands, int32_t island_count, const int32_t *states, int32_t count);
/* The same of an onlooker and its guests (ascending), which may be a tally. */
HbgRegion *hbg_region_of_onlooker(HbgSim *sim, int32_t state, const int32_t *guests, int32_t count, bool is_tally);
/* Finds A and b anew, with the scheduled conditions and machines in sim->now. */
void hbg_region_assemble(HbgSim *sim, HbgRegion *region);
/* Grows whenever forms of one of its islands are made anew. */
int64_t hbg_region_edition(const HbgRegion *region);
/* Is there no more to its motion than its rates, so that it may be integrated by itself? */
bool hbg_region_may_step(HbgSim *sim, const HbgRegion *region);
/* ---- region_steps.c ---- */
/* Is it small, and goes by series? Then it is worth its own steps even where it is all there is. */
bool hbg_region_is_quick(HbgSim *sim, HbgRegion *region);
/* Goes on by steps from its states in sim->now, at `t`: the first, and the next one. Where that fails the local run is to be left. */
void hbg_region_begin_steps(HbgSim *sim, HbgRegion *region, double t);
/* Is it on its way by a series of equations that no instant changes but by another region in its place? */
bool hbg_region_steps_steadily(const HbgRegion *region);
void hbg_region_step(HbgSim *sim, HbgRegion *region);

/* ---- region.c ---- */
/* Goes on from its states in sim->now, at `t`. */
void hbg_region_start(HbgSim *sim, HbgRegion *region, double t);
/* What drives a region with a motion. */
const HbgDriven *hbg_region_driven(const HbgRegion *region);
/* Between two instants functions of time may have led its states further than at either: scales learn of that up to `t`, about. True: some
 * have grown. */
bool hbg_region_note_course(HbgSim *sim, const HbgRegion *region, double t);
/* Its states at `t` into sim->now. */
void hbg_region_sync(HbgSim *sim, HbgRegion *region, double t);

/* Takes its states and islands over, and goes on from sim->time. */
void hbg_region_enter(HbgSim *sim, HbgRegion *region);
/* The same where it is on its way already. */
void hbg_region_go_on(HbgSim *sim, HbgRegion *region);
/* Its states alone. */
void hbg_region_take_states(HbgSim *sim, HbgRegion *region);
/* State `place` of a region that moves in parabolas, at `t`. */
static inline double hbg_region_value(const HbgRegion *region, int32_t place, double t) {
  const HbgTrack *track = &region->tracks[place];
  const double s = t - region->origin;
  return track->a + s * (track->b + s * track->c);
}
/* Its states and guests, and their values at `t`. */
static inline int32_t hbg_region_width(const HbgRegion *region) { return region->count + region->guest_count; }
void hbg_region_values_with_guests(const HbgRegion *region, double t, double *values);
/* All its states at `t` (count), without guests and functions of time. */
void hbg_region_values_later(const HbgRegion *region, double t, double *values);
/* The same; where it has just started anew they are as they were then. */
static inline void hbg_region_values(const HbgRegion *region, double t, double *values) {
  const double s = t - region->origin;
  if (region->is_stepped || (!region->motion->is_parabola && (s > 0 || s < 0))) {
    hbg_region_values_later(region, t, values);
    return;
  }
  const HbgTrack *track = region->tracks, *end = track + region->count;
  if (s > 0 || s < 0)
    for (; track < end; track++) *values++ = track->a + s * (track->b + s * track->c);
  else
    for (; track < end; track++) *values++ = track->a;
}

#endif

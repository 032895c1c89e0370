/* SPDX-License-Identifier: BSD-3-Clause
 * States that are coupled, with a clock of their own, in a mode in which storages are cut off from their junctions (cut.h).
 *
 * What a storage receives that hangs is the balance of several islands. So regions are not made of islands here (local_regions.c), but of
 * states: where all islands are affine, the rate of each state is a sum of others, and states belong together where the weight is not
 * nothing. A block that sticks to a belt passes on nothing but the belt's velocity, so the blocks between two that stick are a small
 * system. An island may read several of them, and so may a guard.
 *
 * Each set moves by its Taylor series (numerics/series.h), which is exact for a while; then it goes on by the next one. Guards are sums
 * of these polynomials. An instant is one of what it touches, as in a run as a whole (near.h), and behind it only the sets are made
 * anew that have to do with it. */
#ifndef HYBRID_COUPLED_H
#define HYBRID_COUPLED_H

#include "hybrid/sim.h"
#include "numerics/series.h"

typedef struct HbgCoupled {
  HbgSeries series;
  int32_t *states; int32_t count, room; /* ascending */
  double origin;   /* where its series begins [s] */
  double until;    /* and how far it is good for [s]; infinite */
  double synced;   /* sim->now has its states at this time [s]; NAN: not at all */
  int32_t *machines; int32_t machine_count, machine_capacity; /* whose guards read it in their present states */
  int32_t serial;  /* of that list */
  bool is_gone;    /* its states are to be grouped anew */
  struct HbgCoupled *next; /* of those that are free */
} HbgCoupled;

/* The rate of a state: drive + sum of weights times states. */
typedef struct HbgRateRow {
  double drive;
  HbgSeriesTerm *terms; int32_t count, capacity;
} HbgRateRow;

/* A set that has taken note of a machine, in the list of that serial. */
typedef struct HbgCoupledReading {
  HbgCoupled *set;
  int32_t serial;
} HbgCoupledReading;

/* All of one machine. */
typedef struct HbgCoupledReadings {
  bool knows_forms; /* of its guards in its present state: nothing has changed them since the last time */
  HbgCoupledReading *list; int32_t count, capacity;
} HbgCoupledReadings;

typedef struct HbgCoupledRun {
  HbgRateRow *rows;            /* (state_count) */
  HbgCoupled **of_state;       /* (state_count) */
  int32_t *place_of;           /* in it (state_count) */
  HbgCoupledReadings *readings; /* (machine_count) */
  HbgCoupled *free[32];        /* by the logarithm of their room */
  int32_t *parent, *order;     /* work space of groupings (state_count) */
  int32_t *state_stamp, *machine_stamp, *asked; int32_t stamp;
  struct HbgGuardForm **forms; /* of guards that may turn as time goes on (guard count) */
  double *size;                /* by which series measure states (state_count) */
  double last_event, pace;     /* when the last instant was, and how far they are apart lately [s] */
  int64_t taken_on, started, allowed; /* states that have gone on without an event, and begun anew behind one; and all states of the model, event by event */
  int32_t patience;            /* instants to wait where that has cost too much */
} HbgCoupledRun;

/* ---- coupled_rates.c ---- */
/* Rates of the states in the scope, and of storages at its border: sim->local->coupled->rows. False where one is not affine. */
bool hbg_coupled_find_rates(HbgSim *sim);

/* ---- coupled.c ---- */
HbgCoupledRun *hbg_coupled_run(HbgSim *sim);
/* Goes on from sim->time, behind an instant of everything. False where a run as a whole does better, or cannot be avoided. */
bool hbg_coupled_begin(HbgSim *sim);
/* Behind an instant, whose scope it is about: what moves from now on, and when which guard comes to hold. False where that cannot be told. */
bool hbg_coupled_regroup(HbgSim *sim);
/* The set whose first state is `state` goes on by the next series. False as before. */
bool hbg_coupled_step(HbgSim *sim, int32_t state);
/* A state at the present instant, or all of them, into sim->now. */
void hbg_coupled_bring(HbgSim *sim, int32_t state);
void hbg_coupled_bring_all(HbgSim *sim);
/* What columns read, at the present instant. */
bool hbg_coupled_show(HbgSim *sim);

/* ---- coupled_watch.c ---- */
/* When the first guard leaves the present state of `machine`; infinite where that is not within what is known of the sets it reads, which
 * take note of it. `*is_possible`: false where it cannot be told. */
double hbg_coupled_watch(HbgSim *sim, int32_t machine, bool *is_possible);

#endif

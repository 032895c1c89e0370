/* SPDX-License-Identifier: BSD-3-Clause
 * Tallies (tally.h) where states move in sets: integrators whose rate is no sum, and which nobody reads but columns. They belong to no set. What has come
 * together is added up whenever one of the sets that they look at begins anew, or the instant touches what they add up. */
#ifndef HYBRID_COUPLED_TALLY_H
#define HYBRID_COUPLED_TALLY_H

#include "hybrid/coupled.h"

/* One of them. */
typedef struct HbgCoupledTally {
  int32_t state;
  HbgProbe *probe;     /* its rate */
  HbgRateRow *inputs;  /* of its program, as sums of states and functions of time (input_count) */
  double *sizes;       /* of its registers: work space */
  bool is_sum; HbgRateRow sum; /* in this mode its rate is one, as where one of two factors stands still */
  double value, since; /* what it was at that time [s] */
} HbgCoupledTally;

/* Does this state look on as a tally in sets? */
static inline bool hbg_coupled_is_tally(const HbgCoupledRun *run, int32_t state) { return run->states[state].tally != NULL; }
/* All of them begin at sim->time, as sim->now has them, and look at nobody yet. */
void hbg_coupled_tallies_begin(HbgSim *sim);
/* The instant has touched what it adds up: false where that is not known as sums. */
bool hbg_coupled_tally_find(HbgSim *sim, int32_t state);
/* It looks on no more, but is a state like others: its value is in sim->now. */
void hbg_coupled_tally_come_back(HbgSim *sim, int32_t state);
/* Its value at sim->time into sim->now: for good, and to be read only. */
void hbg_coupled_tally_bring(HbgSim *sim, int32_t state);
void hbg_coupled_tally_peek(HbgSim *sim, int32_t state);
/* The series of a set is about to end: those that look at it are brought to sim->time. */
void hbg_coupled_tallies_follow(HbgSim *sim, const HbgCoupled *set);

#endif

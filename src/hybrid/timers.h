/* SPDX-License-Identifier: BSD-3-Clause
 * Timers of machines: `after 2 [ms]`. A timer starts when its state is entered, and has run out from an instant on that is
 * computed then and hit exactly. */
#ifndef HYBRID_TIMERS_H
#define HYBRID_TIMERS_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

/* Probes for the durations of all timers (timer_count). */
HbgProbe *hbg_timers(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena);
/* The states that machines begin in are entered. */
void hbg_timers_begin(HbgSim *sim);
/* A machine goes from one state to another, keeping what lies less deep than `kept_depth` or just as deep: timers of states that are
 * left stop, those of states that are entered start. */
void hbg_timers_move(HbgSim *sim, int32_t machine, int32_t from, int32_t to, int32_t kept_depth);
/* Is the time that it runs for the same number always? Which? */
bool hbg_timer_is_constant(const HbgSim *sim, int32_t timer);
double hbg_timer_duration(const HbgSim *sim, int32_t timer);
/* An instant begins, of what its scope holds: sets the time from which on timers are read. */
void hbg_timers_reach(HbgSim *sim);
/* The same of an instant of `machines` (count). */
void hbg_timers_reach_of(HbgSim *sim, const int32_t *machines, int32_t count);
/* When the next timer of `machine` runs out, later than sim->time; infinite. */
double hbg_timers_next(const HbgSim *sim, int32_t machine);

#endif

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
/* Machines have changed by these transitions: timers of states that are left stop, those of states that are entered start. */
void hbg_timers_change(HbgSim *sim, const HbgConjunction *const *fired, int32_t count);
/* An instant begins: sets the time from which on timers are read. */
void hbg_timers_reach(HbgSim *sim);

#endif

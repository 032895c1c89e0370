/* SPDX-License-Identifier: BSD-3-Clause
 * Transitions fire together: variables are assigned, machines change, regions come and go, timers start and stop. */
#ifndef HYBRID_FIRE_H
#define HYBRID_FIRE_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

/* Does one of the transitions leave the state that `machine`, a region, lies in? Then the region does nothing of its own. */
bool hbg_fire_overrules(const HbgSim *sim, const HbgConjunction *const *fired, int32_t count, int32_t machine);
/* Fires; the machines that changed go into `changed` (machine_count). Answers how many. */
int32_t hbg_fire(HbgSim *sim, const HbgConjunction *const *fired, int32_t count, int32_t *changed);

#endif

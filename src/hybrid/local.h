/* SPDX-License-Identifier: BSD-3-Clause
 * A run whose regions have clocks of their own. Where every region's motion is known in closed form nothing needs to be integrated:
 * what is going to happen waits in a queue, the next machine whose guard becomes true and the next scheduled condition, and an event
 * touches only the regions at the machines that fire and the guards that read these. The instant itself is gone through by
 * settle.c like any other, with what it touches as its scope (scope.h).
 *
 * Models with features that need the whole (delays, clocks, timers, discrete variables, slides that have begun, ...) go on as a
 * whole; so does a run in whose present mode some region has no closed form. */
#ifndef HYBRID_LOCAL_H
#define HYBRID_LOCAL_H

#include "hybrid/guards.h"
#include "hybrid/recipe.h"

typedef struct HbgLocal HbgLocal;

/* An expression with a probe of its own. */
typedef struct HbgLocalReads {
  HbgProbe *probe;
} HbgLocalReads;

/* The input of an integrator (state of the model). */
const HbgLocalReads *hbg_local_integrator(HbgSim *sim, int32_t state);

/* ---- local.c ---- */
/* Behind an instant gone through as a whole: goes on locally from sim->time, where that is possible. */
HbgStatus hbg_local_try(HbgSim *sim);
/* Goes on by one act: a sample, an event, or the end. Only while sim->is_local. */
HbgStatus hbg_local_advance(HbgSim *sim);
/* All states and variables at sim->time into sim->now. */
bool hbg_local_complete(HbgSim *sim);
/* From now on as a whole: all states and variables at sim->time. */
void hbg_local_leave(HbgSim *sim);
void hbg_local_free(HbgSim *sim);
/* The region of state `state`, where that is its first; NULL. */
const HbgRegion *hbg_local_region(const HbgSim *sim, int32_t state);

/* The entry of the queue at which a region takes its next step. */
int32_t hbg_local_entry_of(const HbgSim *sim, const HbgRegion *region);

/* ---- local_window.c ---- */
/* All regions as one stepper, to be asked for states over a stretch of time. */
HbgStepper *hbg_local_patchwork(HbgSim *sim);
/* When a guard becomes true, as far as what it reads is known; infinite. `*is_possible`: false where that cannot be told. `*is_resolved`:
 * whether by then something moves beyond round-off. */
double hbg_local_search(HbgSim *sim, const HbgConjunction *guard, bool *is_possible, bool *is_resolved);

/* ---- local_scope.c: what an instant touches ---- */
/* The scope of an instant that begins: what is due. */
void hbg_local_begin_scope(HbgSim *sim);
/* Before machines take effect: the regions at their junctions and at laws that read them. */
void hbg_local_touch_machines(HbgSim *sim, const int32_t *machines, int32_t count);
/* What new islands bring into the scope. */
void hbg_local_touch_fresh(HbgSim *sim);
/* Everything that columns read, at sim->time. */
bool hbg_local_show(HbgSim *sim);

/* ---- local_regions.c ---- */
/* Regions of what the instant has touched; false where one has no closed form. `recipe`: of the instant, to be completed; NULL. */
bool hbg_local_regroup(HbgSim *sim, HbgRecipe *recipe);

#endif

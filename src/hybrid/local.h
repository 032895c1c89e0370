/* SPDX-License-Identifier: BSD-3-Clause
 * A run whose regions have clocks of their own. A region whose motion is known in closed form needs no steps, and any other one takes its
 * own. What is going to happen waits in a queue: the next machine whose guard becomes true, the next scheduled condition, the next
 * step. An event touches only the regions at the machines that fire and the guards that read these. The instant itself is gone
 * through by settle.c like any other, with what it touches as its scope (scope.h).
 *
 * Models with features that need the whole (delays that vary, slides that have begun, ...) go on as a
 * whole; so does a run in whose present mode some region can neither be known in closed form nor take steps by itself. */
#ifndef HYBRID_LOCAL_H
#define HYBRID_LOCAL_H

#include "hybrid/guards.h"
#include "hybrid/recipe.h"

typedef struct HbgLocal HbgLocal;

/* ---- local.c ---- */
/* Goes on by one act: a sample, an event, or the end. Only while sim->is_local. */
HbgStatus hbg_local_advance(HbgSim *sim);
/* A row of continuous time at `t`, the present instant or one that nothing is due before. */
HbgStatus hbg_local_add_sample(HbgSim *sim, double t);

/* ---- local_begin.c ---- */
/* Behind an instant gone through as a whole: goes on locally from sim->time, where that is possible. */
void hbg_local_try(HbgSim *sim);
/* The input of an integrator (state of the model), with a probe of its own. */
HbgProbe *hbg_local_integrator(HbgSim *sim, int32_t state);
/* What it integrates, with the values in sim->now. */
double hbg_local_integrand(HbgSim *sim, int32_t state);
/* All states and variables at sim->time into sim->now. */
bool hbg_local_complete(HbgSim *sim);
/* Has the run gone on as a whole from `t` on, the last time? */
bool hbg_local_left_at(const HbgSim *sim, double t);
/* From now on as a whole: all states and variables at sim->time. */
void hbg_local_leave(HbgSim *sim);
/* The same, when the instant at hand is over. */
void hbg_local_give_way(HbgSim *sim);
void hbg_local_free(HbgSim *sim);
/* The region of state `state`, where that is its first; NULL. */
const HbgRegion *hbg_local_region(const HbgSim *sim, int32_t state);

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
/* Before the scope becomes everything: what is not in it yet is brought to the instant. */
bool hbg_local_widen(HbgSim *sim);

/* ---- local_show.c ---- */
/* Everything that columns read, at sim->time. */
bool hbg_local_show(HbgSim *sim);
/* Are all of these in the scope, or are all outside it? What hangs is neither. */
bool hbg_local_shows_only(const HbgSim *sim, bool in_scope);
/* Shows the same when an instant begins. */
bool hbg_local_show_left_limit(HbgSim *sim);

/* What `shown` reads of the family of `state`, at `t` of the motion that is known of its region, into sim->now. */
void hbg_local_look(HbgSim *sim, int32_t state, double t, const HbgShown *shown);

/* ---- local_regions.c ---- */
/* Regions of what the instant has touched; false where one cannot go on by itself. `recipe`: of the instant, to be completed; NULL. */
bool hbg_local_regroup(HbgSim *sim, HbgRecipeUse *recipe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of states whose laws bend. They have no series: such a set is integrated by a stepper of its own, at its own pace, and the dense output of the step
 * that it has taken last stands in the place of its series - coefficients of powers of the time, which guards, rows and tallies read as any others.
 * So what is linear beside it keeps its clocks, and an event touches the steps only of what it concerns. */
#ifndef HYBRID_COUPLED_BENT_H
#define HYBRID_COUPLED_BENT_H

#include "hybrid/coupled.h"

/* Does the rate of one of these states bend? */
bool hbg_coupled_bends(const HbgCoupledRun *run, const int32_t *states, int32_t count);
/* Does that of one of all that the instant has touched? */
bool hbg_coupled_scope_bends(const HbgSim *sim);
/* The set, which has its states and no series, goes on from sim->now at sim->time by steps, the first of which is taken. False where it cannot: it stands still then, and the run
 * is to go on as a whole. */
bool hbg_coupled_bend(HbgSim *sim, HbgCoupled *set);
/* Its next step, from where the last one ended: sim->time. False as before. */
bool hbg_coupled_bent_step(HbgSim *sim, HbgCoupled *set);
/* An event in what bends costs less in a run as a whole, which keeps the step of everything (influence.h): so bending pays where most events are about
 * something else. */
bool hbg_coupled_bending_pays(const HbgSim *sim);
/* It is gone: who moved it may move others. */
void hbg_coupled_unbend(HbgCoupledRun *run, HbgCoupled *set);
/* All of them give back what they have. */
void hbg_coupled_bents_free(HbgCoupledRun *run);

#endif

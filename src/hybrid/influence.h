/* SPDX-License-Identifier: BSD-3-Clause
 * An event within a step of the whole redoes only what it can influence.
 *
 * Where everything is coupled and integrated together, an event used to end the step of all states. But what a switch in one cell of a
 * ladder changes has not come far by the end of the step: `d` neighbours away it is of the order (h L)^d / d!, below any tolerance a few
 * cells on. So the step of the whole is kept, and goes on beyond instants that are known ahead; at an event in it only the states
 * around what has changed, the patch, are integrated anew from there to the end of the step, between neighbours that move as
 * they did. At the outermost of them the difference to what was there before must be a small fraction of the tolerance, else the patch grows.
 *
 *   y(t) of a state:   |----- step of the whole -----------------------------|
 *   in two patches:    |--------------|- first -------|- second -------------|
 *                      T0            t1              t2                      T1
 *
 * It applies where one explicit stepper has everything, and to instants that are near (near.h) and let no state jump. All others end the
 * step as ever. While an instant of this kind is gone through, states have their values when they are first asked for. */
#ifndef HYBRID_INFLUENCE_H
#define HYBRID_INFLUENCE_H

#include "hybrid/sim.h"

/* Asks once whether the run may have such events at all. */
void hbg_influence_begin(HbgSim *sim);

/* ---- steps ---- */
/* One step of sim->stepper, or what is left of the one that is kept. It may go beyond `t_max`. */
HbgStepResult hbg_influence_step(HbgSim *sim, double t_max);
/* The earliest crossing in it. */
HbgCrossing hbg_influence_locate(HbgSim *sim);
/* Is something left of a step that is kept, from sim->time on? */
bool hbg_influence_goes_on(const HbgSim *sim);
/* Has a step with patches come to its end? Then everything begins anew there. */
bool hbg_influence_is_over(const HbgSim *sim);
/* Behind an instant: continuous time goes on with a patch. False: it must be restarted. */
bool hbg_influence_patch(HbgSim *sim);
/* Continuous time was restarted: nothing is kept. */
void hbg_influence_forget(HbgSim *sim);
/* stepper->y0 is the state where the last step, or what is left of it, begins. */
void hbg_influence_take_start(HbgSim *sim);

/* ---- states at an instant ---- */
/* The instant at sim->time begins, within a step: no state is known before somebody asks. False: all of them must be. */
bool hbg_influence_wait(HbgSim *sim);
/* sim->now.state has the state at the instant, or all of them. */
void hbg_influence_know(HbgSim *sim, int32_t state);
void hbg_influence_know_all(HbgSim *sim);
/* The instant is over, and was about what it touched alone, or about everything. */
void hbg_influence_note(HbgSim *sim, bool is_near);

#endif

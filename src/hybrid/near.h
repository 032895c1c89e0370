/* SPDX-License-Identifier: BSD-3-Clause
 * What an instant touches in a run that goes on as a whole, or in sets of states where storages hang (coupled.h): the islands at the
 * machines that fire, and what guards read that may turn with them. The integrator has brought the states of all to the instant; in sets, and
 * within a step that is kept (influence.h), a state is brought there when somebody asks. Values, guards and commits of what the instant is
 * not about are left alone, so that a switch in a ladder costs no more for the cells that are far away.
 *
 * Where no state jumps, an island that is not made anew keeps its values, and what is cut off at its border receives only what the
 * touched ones send. A jump in sets of states concerns its islands and the machines that read their states. Any other jump, a slide that is no line or may become one, and laws that look back or anywhere make the instant one of everything
 * (hbg_scope_widen). */
#ifndef HYBRID_NEAR_H
#define HYBRID_NEAR_H

#include "hybrid/sim.h"

/* May instants of this run be near at all? What looks back, what relaxes and steps of one length need everything at each of them. */
bool hbg_near_may_be(const HbgSim *sim);

/* An instant begins, out of `cause`: from now on until hbg_near_end() it is near, where that is possible. */
void hbg_near_begin(HbgSim *sim, HbgCause cause);
void hbg_near_end(HbgSim *sim);

/* The scope of an instant that begins: the machines that were located, the scheduled conditions that turn. */
void hbg_near_begin_scope(HbgSim *sim);
/* Before machines take effect: what their junctions and the laws that read them belong to. */
void hbg_near_touch_machines(HbgSim *sim, const int32_t *machines, int32_t count);
/* Before an island goes: its left limit. */
void hbg_near_touch_gone(HbgSim *sim, HbgIsland *island);
/* What new islands bring into the scope. False: the equations have no solution. */
bool hbg_near_touch_fresh(HbgSim *sim);
/* A new island has jumped: who reads that, or the instant becomes one of everything. False as before. */
bool hbg_near_take_jump(HbgSim *sim);
/* sim->now has the states at the instant that the equations or the law of an island read. */
void hbg_near_know(HbgSim *sim, HbgIsland *island);
/* The same of some states. */
void hbg_near_know_states(HbgSim *sim, const HbgStateList *states);
/* All that columns read. False: the equations have no solution. */
bool hbg_near_show(HbgSim *sim);
/* The instant becomes one of everything. False: the equations have no solution. */
bool hbg_near_widen(HbgSim *sim);

#endif

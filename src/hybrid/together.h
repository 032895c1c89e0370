/* SPDX-License-Identifier: BSD-3-Clause
 * Instants of many things. What is due at one instant mostly falls into groups that have nothing to do with each other: a thousand
 * converters on one clock, balls that reach the floor together. Each group goes through the instant by its own recipe (recipe.h), and the rows
 * are put together as the event iteration would have it, which goes from one configuration of all to the next:
 *
 * - all groups are a priori in the same layer, and leave it together when none of them infers any more; a group that has come to its last
 *   configuration, of a layer or at all, stays in it;
 * - what fires at the same <t, eps, n> is told together;
 * - a jump of one group is an impulse for all, so that guards are examined behind it everywhere: a recipe knows whether that would change
 *   anything (`is_firm`).
 *
 * That groups have nothing to do with each other is known from their recipes, which tell all that they read and touch. Groups that do are
 * taken as one. What has no recipe yet is gone through alone, by the event iteration, as a rehearsal: its recipe is made, and all
 * is as it was before. Where anything is doubtful the instant is gone through as one. */
#ifndef HYBRID_TOGETHER_H
#define HYBRID_TOGETHER_H

#include "hybrid/sim.h"

/* Are there several machines that something is due for, and may recipes be followed? */
bool hbg_together_is_possible(const HbgSim *sim);
/* Goes through the instant at sim->time, where scheduled conditions have turned. False: there are no such groups, and nothing has been
 * changed. */
bool hbg_together_follow(HbgSim *sim, HbgStatus *status);
/* What is due has been gone through as one and has come to no recipe: let it be tried in groups again. */
void hbg_together_part(HbgSim *sim);
/* Up to so many things that are due together time and again are one thing. */
enum { HBG_TOGETHER_BY_HABIT = 4 };
/* What was due the last time with `machine` as the first, as a number; not positive where nothing was, or it has to be tried in groups. */
int32_t hbg_together_habit(const HbgSim *sim, int32_t machine);
/* How many instants have been gone through so. */
int64_t hbg_together_count(const HbgSim *sim);

#endif

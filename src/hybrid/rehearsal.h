/* SPDX-License-Identifier: BSD-3-Clause
 * What is due goes through the instant at hand by the event iteration, so that a recipe is made of it, and all is as it was before: machines,
 * states, islands and scales are put back, and rows and failures forgotten. Nobody reports or warns twice, since warnings stay. A
 * rehearsal that turns out to be about everything, as where a slide may begin, ends there. */
#ifndef HYBRID_REHEARSAL_H
#define HYBRID_REHEARSAL_H

#include "hybrid/recipe.h"

/* Of what is due in a local run whose scheduled conditions have been taken. False: no recipe comes of it. `follower->values`: as for
 * hbg_recipe_choose(). */
bool hbg_rehearse(HbgSim *sim, HbgFollower *follower);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Timers in recipes: which of them have run out when the instant begins is part of when the recipe applies, and which of them start is part of
 * what it leaves behind. How long they run is each machine's own, so that a recipe serves many machines that wait differently. */
#ifndef HYBRID_RECIPE_TIMERS_H
#define HYBRID_RECIPE_TIMERS_H

#include "hybrid/recipe.h"

/* An instant is gone through again: sim->now has the timers of the recipe's machines as they were when it began, and `last` (from the scratch arena)
 * keeps them as they are. False: some run for a time that is not known beforehand, or
 * for none. */
bool hbg_recipe_timers_begin(HbgSim *sim, HbgRecipe *recipe, const HbgRecipeUse *use, HbgDeadline **last);
/* The machine at a place of the recipe fires by `fired`. */
void hbg_recipe_timers_move(HbgSim *sim, HbgRecipe *recipe, const HbgRecipeUse *use, int32_t place, const HbgConjunction *fired);
void hbg_recipe_timers_end(HbgSim *sim, const HbgRecipe *recipe, const HbgRecipeUse *use, const HbgDeadline *last);

/* Have those run out at sim->time that had then, and no others? And will those that start go on for some time? */
bool hbg_recipe_timers_apply(const HbgSim *sim, const HbgRecipeUse *use);
void hbg_recipe_timers_take_effect(HbgSim *sim, const HbgRecipeUse *use);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Recipes by displacement. Where all that an instant is about is what it was somewhere else, displaced (patterns.h), its neighbourhood need
 * not be looked at: the recipe is the same, and its members have numbers that differ by as much as those of what is due. */
#ifndef HYBRID_DISPLACED_H
#define HYBRID_DISPLACED_H

#include "hybrid/neighbourhood.h"
#include "hybrid/recipe.h"

/* Where a recipe was made or bound, with all that is to be compared elsewhere. */
typedef struct HbgHome HbgHome;

/* The neighbourhood `here` of the instant at hand has led to `use`: others may be it displaced. */
void hbg_displaced_keep(HbgSim *sim, const HbgNeighbourhood *here, const HbgRecipeUse *use);
/* As hbg_recipe_borrow(), but only from where all is alike but for a displacement. With no islands owed. */
bool hbg_displaced_borrow(HbgSim *sim, HbgFollower *self);

#endif

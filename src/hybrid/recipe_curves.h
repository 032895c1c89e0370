/* SPDX-License-Identifier: BSD-3-Clause
 * Laws that bend in recipes. What such a law gives is no combination of the states before an instant; but it is computed from some, and that by few
 * instructions. So the value is an input of the recipe like a state, found whenever the recipe is followed, and what decides by it or shows it is a
 * combination again. */
#ifndef HYBRID_RECIPE_CURVES_H
#define HYBRID_RECIPE_CURVES_H

#include "equations/affine.h"
#include "equations/island.h"
#include "hybrid/recipe.h"
#include "hybrid/recipe_forms.h"

/* ---- where it is made ---- */
/* How many columns they may need in what the transcript tells of: 0 where nothing bends. */
int32_t hbg_recipe_curve_room(HbgSim *sim);
/* Register `target` of equations that have been executed on forms is one more input: its form (width). False where it follows from unknowns that
 * have no forms, or there is no room. */
bool hbg_recipe_curve(HbgRecipeForms *self, const HbgEquations *equations, const HbgAffine *registers, int32_t target,
                      double *form);
/* Forgets those that nothing has turned out to need. */
void hbg_recipe_curves_end(HbgRecipe *recipe);

/* ---- where it is followed ---- */
/* The values behind those of states and functions of time. */
void hbg_recipe_read_curves(HbgFollower *self);

#endif

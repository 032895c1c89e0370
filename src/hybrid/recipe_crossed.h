/* SPDX-License-Identifier: BSD-3-Clause
 * crossed.h on forms: which way differences went that were located in the instant that a recipe is made of. */
#ifndef HYBRID_RECIPE_CROSSED_H
#define HYBRID_RECIPE_CROSSED_H

#include "hybrid/recipe_forms.h"

typedef struct HbgRecipeCrossedDifference {
  HbgExpr a, b; /* the two sides */
  int side;     /* on which it is from now on: 1 or -1 */
  HbgFormPair form;
} HbgRecipeCrossedDifference;

typedef struct HbgRecipeCrossed {
  HbgRecipeCrossedDifference *list; int32_t count, capacity;
} HbgRecipeCrossed;

/* The strict differences of what was located, at the left limit, where a guard of the instant asks for them. */
HbgRecipeCrossed hbg_recipe_crossed(HbgRecipeForms *forms);
/* Was difference `which` of `guard`, whose form this is, located to be on the side where the guard does not hold, and has it stayed as it was? Then
 * it does not hold wherever the recipe is followed. */
bool hbg_recipe_crossed_contradicts(const HbgRecipeCrossed *crossed, const HbgRecipeForms *forms, const HbgConjunction *guard, int32_t which,
                                    const HbgFormPair *form);

#endif

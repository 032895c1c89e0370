/* SPDX-License-Identifier: BSD-3-Clause
 * An instant on forms: what hbg_evaluate_instant() and the guards' probes compute on numbers, as combinations of the states before the
 * instant. Work space of recipe_make.c, in the scratch memory of the instant. */
#ifndef HYBRID_RECIPE_FORMS_H
#define HYBRID_RECIPE_FORMS_H

#include "hybrid/recipe.h"
#include "hybrid/transcript.h"

enum { HBG_RECIPE_MOST_DIFFERENCES = 16 };

/* A value with its impulse; each a form: the constant, then the weights of the inputs: states, and functions of time where any matter. */
typedef struct HbgFormPair {
  const double *value, *area;
} HbgFormPair;

typedef struct HbgVariableForms {
  int32_t variable;
  bool is_known, was_known; /* now; before */
  bool is_disputed;         /* sources fight about it ... */
  bool is_endless;          /* ... and its impulse has no end: nobody asks for more than the sign of that */
  double *before, *now, *area; /* (width) */
} HbgVariableForms;

typedef struct HbgRecipeForms {
  HbgSim *sim;
  HbgRecipe *recipe;
  HbgRecipeUse *use;
  int32_t width;
  double *first_value, *size;       /* of the inputs before the instant, and what their round-off is small against (width - 1) */
  int32_t pair_count;               /* sines and cosines among these */
  double *state_before, *state_now; /* (input_count, width) */
  uint8_t *has_moved;               /* in the configuration at hand (input_count) */
  HbgVariableForms *variables; int32_t variable_count, variable_capacity;
  double *zero;                     /* (width) */
  double **works; int32_t work_count, work_capacity; /* that sources which fight do in the configuration at hand: these are not nothing (width) */
} HbgRecipeForms;

/* Does a guard read what sources fight about? */
typedef enum HbgRecipeDispute {
  HBG_NO_DISPUTE,
  HBG_WAITS,         /* ... and nothing that has an impulse: it does not hold until they agree */
  HBG_MAY_BE_DECIDED /* by something else that it reads */
} HbgRecipeDispute;

/* `follows_time`: something of it may. */
HbgRecipeForms hbg_recipe_forms(HbgSim *sim, HbgRecipe *recipe, HbgRecipeUse *use, bool follows_time);
/* What was read, at the left limit. False where something is not affine. */
bool hbg_recipe_left_limit(HbgRecipeForms *self);
/* A configuration with these new islands, entered from the last commit; in those that `fights` tells sources do. */
bool hbg_recipe_enter(HbgRecipeForms *self, HbgIsland *const *islands, const uint8_t *fights, int32_t count);
void hbg_recipe_commit(HbgRecipeForms *self);

/* The differences of a guard in a phase (difference_count, at most HBG_RECIPE_MOST_DIFFERENCES). False where one is not affine. */
bool hbg_recipe_differences(HbgRecipeForms *self, const HbgConjunction *guard, HbgPhase phase, HbgFormPair *differences);
/* Is that so in the configuration at hand? What is looked back at is not disputed. */
HbgRecipeDispute hbg_recipe_dispute(const HbgRecipeForms *self, const HbgConjunction *guard);
/* Do its conditions hold that are no differences? With the machines in sim->now. */
bool hbg_recipe_gates_hold(HbgRecipeForms *self, const HbgConjunction *guard);

/* A form (width) as one of the recipe's, whose terms are kept in `arena`; and are two of these the same? */
HbgRecipeForm hbg_recipe_keep_form(HbgRecipe *recipe, HbgArena *arena, const double *form);
bool hbg_recipe_same_form(const HbgRecipe *recipe, const HbgRecipeForm *a, const HbgRecipeForm *b);

/* What a departure goes by, with the states at hand (width). False where that is no form over the inputs. */
bool hbg_recipe_departure(HbgRecipeForms *self, const HbgDeparture *departure, double *form);

/* What round-off in functions of time, with these values, is small against (HBG_TIME_COLUMNS): a wave is known as its argument is. */
void hbg_recipe_time_sizes(const HbgTimeColumns *columns, double t, const double *values, double *sizes);

/* The value of a form, and what its round-off is small against. */
double hbg_recipe_value(HbgRecipeForms *self, const double *form, double *size);

/* Which input a state is; -1. */
int32_t hbg_recipe_input(const HbgRecipeForms *self, int32_t state);
const double *hbg_recipe_state_now(const HbgRecipeForms *self, int32_t state);
bool hbg_recipe_has_moved(const HbgRecipeForms *self, int32_t state);
void hbg_recipe_moved_by(const HbgRecipeForms *self, int32_t state, double *form);
/* Is the variable one of the instant? Then it may be known in the configuration at hand. */
bool hbg_recipe_has_variable(const HbgRecipeForms *self, int32_t variable);
bool hbg_recipe_variable(const HbgRecipeForms *self, int32_t variable, HbgFormPair *pair);
/* Fills in which machines and scheduled conditions must be as they are. */
void hbg_recipe_list_conditions(HbgRecipeForms *self);

#endif

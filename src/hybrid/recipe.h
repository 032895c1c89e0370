/* SPDX-License-Identifier: BSD-3-Clause
 * Instants by recipe. An instant that has been gone through once tells what the next one of its kind is: which modes are inferred,
 * which guards decide, what jumps. Where all of that is affine in the states before it, the whole instant is: so many linear
 * combinations whose signs must come out as they did then, and so many that are the states behind it. A recipe is
 * followed only as long as every sign is clear; the first that is not sends the instant through the event iteration of settle.c,
 * which is the definition of what happens. */
#ifndef HYBRID_RECIPE_H
#define HYBRID_RECIPE_H

#include "hybrid/guards.h"
#include "hybrid/hypertime.h"
#include "hybrid/region.h"
#include "hybrid/run.h"

/* constant + sum of weights times inputs: terms[start .. end) of the recipe. */
typedef struct HbgRecipeForm {
  double constant;
  int32_t start, end;
} HbgRecipeForm;

typedef struct HbgRecipeTerm {
  int32_t input;
  double weight;
} HbgRecipeTerm;

/* A state before the instant; they come region by region. */
typedef struct HbgRecipeInput {
  int32_t state;
} HbgRecipeInput;

typedef enum HbgRecipeCheckKind {
  HBG_CHECK_POSITIVE, HBG_CHECK_NEGATIVE, /* a difference of a guard, by its impulse where it has one */
  HBG_CHECK_NOTHING                       /* within round-off, where equal is not enough */
} HbgRecipeCheckKind;

typedef struct HbgRecipeCheck {
  HbgRecipeCheckKind kind;
  HbgRecipeForm value, area;
} HbgRecipeCheck;

/* What a configuration changes in the states: something beyond round-off (`jumped`), or nothing. */
typedef struct HbgRecipeJump {
  bool jumped;
  int32_t start, end; /* changes[start .. end) of the recipe */
} HbgRecipeJump;

typedef struct HbgRecipeChange {
  int32_t state;
  HbgRecipeForm form;
} HbgRecipeChange;

/* A row: its configuration, and the values in the scope that columns read there. */
typedef struct HbgRecipeRow {
  HbgHyperTime at; /* without the time */
  HbgRowKind kind;
  const char *cause;
  bool has_jump;
  int32_t *phi;               /* of recipe->machines (machine_count) */
  int32_t state_start, state_end;       /* changes[..) */
  int32_t variable_start, variable_end; /* variables[..) */
} HbgRecipeRow;

typedef struct HbgRecipeVariable {
  int32_t variable;
  HbgRecipeForm value, area;
} HbgRecipeVariable;

typedef struct HbgRecipe {
  struct HbgRecipe *next;  /* of the same first entry of the queue */
  /* when it applies */
  int32_t *due; int32_t due_count;         /* entries of the queue */
  const HbgConjunction **located; int32_t located_count; /* guards that come to hold */
  int32_t *machines, *first_phi, *last_phi; int32_t machine_count; /* of the scope */
  int32_t *others, *other_phi; int32_t other_count;   /* machines that guards read besides */
  HbgIsland **hanging; int32_t hanging_count;               /* sources that hang, and were touched */
  int32_t *ticks; uint8_t *tick_values; int32_t tick_count; /* scheduled conditions that are read, as they are then */
  HbgRegion **regions; const HbgMotion **first_motions; int32_t region_count; /* that were read, as they moved until then */
  /* what it computes */
  HbgRecipeInput *inputs; int32_t input_count;
  HbgRecipeTerm *terms; int32_t term_count, term_capacity;
  HbgRecipeCheck *checks; int32_t check_count, check_capacity;
  HbgRecipeJump *jumps; int32_t jump_count, jump_capacity;
  HbgRecipeChange *changes; int32_t change_count, change_capacity;
  HbgRecipeVariable *variables; int32_t variable_count, variable_capacity;
  HbgRecipeRow *rows; int32_t row_count;
  bool is_event;
  /* what it leaves behind */
  int32_t state_start, state_end; /* changes[..): the states of the scope */
  int32_t *fired; int32_t fired_count;
  int32_t *switched; int32_t switched_count; /* machines whose state is another one than before */
  HbgIsland **gone; int32_t gone_count;
  HbgIsland **come; int32_t come_count;
  HbgRegion **made; const HbgMotion **motions; int32_t made_count; /* that start anew, and how they move */
  int32_t *foretold; int32_t foretold_count; /* machines whose guards read these */
} HbgRecipe;

enum { HBG_RECIPE_MOST_INPUTS = 32, HBG_RECIPE_MOST_DUE = 4 };

/* ---- recipe_make.c ---- */
/* What the transcript of the local instant at hand comes to, before regions are grouped anew; NULL where that is not affine. `first_row`:
 * of the queue. From the local arena. */
HbgRecipe *hbg_recipe_make(HbgSim *sim, int32_t first_row);
/* Completes it when they are. */
void hbg_recipe_finish(HbgSim *sim, HbgRecipe *recipe, HbgRegion *const *made, int32_t made_count);

/* ---- recipe.c ---- */
/* Goes through the instant at sim->time by the first recipe that applies. False: none does, and nothing has been changed. */
bool hbg_recipe_follow(HbgSim *sim, HbgRecipe *first, HbgStatus *status);

#endif

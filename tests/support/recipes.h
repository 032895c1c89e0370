/* SPDX-License-Identifier: BSD-3-Clause
 * A model with recipes and without them, row by row; and who has followed what. */
#ifndef TESTS_SUPPORT_RECIPES_H
#define TESTS_SUPPORT_RECIPES_H

#include <string.h>

#include "hybrid/local_parts.h"
#include "support/ride.h"

enum { MOST_USES = 400 };

static inline HbgSimOptions options_of(void) {
  return (HbgSimOptions){.stop = 2, .interval = 0.0173205, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
}

/* With recipes and without them; the rows are the same. */
static inline void ride_both(Ride *with, Ride *without, const char *text) {
  HbgSimOptions options = options_of();
  ride_begin(with, text, options, RIDE_EVENTS);
  options.without_recipes = true;
  ride_begin(without, text, options, RIDE_EVENTS);
  ride_check_same(without, with, 1e-7, 1e-6);
}

/* ---- who follows what ---- */

typedef struct Uses {
  const HbgRecipeUse *list[MOST_USES];
  int count, recipes; /* recipes: different ones */
} Uses;

static inline Uses uses_of(const Ride *ride) {
  Uses uses = {.count = 0};
  const HbgLocal *local = ride->sim->local;
  for (int32_t entry = 0; local && entry < local->queue.count; entry++)
    for (const HbgRecipeUse *use = local->recipes[entry]; use && uses.count < MOST_USES; use = use->next) uses.list[uses.count++] = use;
  for (int at = 0; at < uses.count; at++) {
    bool is_new = true;
    for (int before = 0; before < at; before++) is_new = is_new && uses.list[before]->recipe != uses.list[at]->recipe;
    uses.recipes += is_new;
  }
  return uses;
}

/* The recipe for the first instant that `machine` begins; NULL. */
static inline const HbgRecipe *recipe_of(const Ride *ride, const char *machine) {
  const HbgFlatModel *model = ride->sim->model;
  for (int32_t at = 0; at < model->machine_count; at++)
    if (!strcmp(model->machines[at].name, machine)) return ride->sim->local->recipes[at] ? ride->sim->local->recipes[at]->recipe : NULL;
  fail_msg("no machine %s", machine);
  return NULL;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * One rate or variable of an island as what is not nothing of its affine form, of an island of any size: of small ones by their forms
 * (island_forms.h); of large ones, where each value follows a few of many states, by compressed columns (equations/compression.h). */
#ifndef HYBRID_ISLAND_WIDE_H
#define HYBRID_ISLAND_WIDE_H

#include "equations/compression.h"
#include "hybrid/island_forms.h"

enum { HBG_WIDE_MOST_STATES = 16384 }; /* of an island: beyond, nobody asks */

/* constant + sum of terms + time_row of functions of time. */
typedef struct HbgForm {
  double constant;
  const HbgFormTerm *terms; int32_t count;
  const HbgTimeColumns *time; const double *time_row; /* NULL: it does not follow the time */
  HbgFormTerm room[HBG_FORMS_MOST_STATES]; /* where `terms` of small islands lie */
} HbgForm;

/* All rates and variables of a large island. */
typedef struct HbgWideForms {
  HbgStore *store;     /* where all of this is (island_store.h), which may be given back */
  const HbgCompression *compression;
  double *constant;    /* per output: rates of all states of the template, then variables */
  int32_t *start;      /* terms of output o: terms[start[o] .. start[o + 1]) */
  HbgFormTerm *terms;
  double *time_rows;   /* (outputs, HBG_TIME_COLUMNS); NULL: no law follows the time */
} HbgWideForms;

/* A variable of the model that belongs to `island`, also to one that hangs; and the rate of state `at` of the template. False where the equations are
 * not affine, or where the island is larger than `most` states. `form` must stay where it is. */
bool hbg_island_variable_form(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t variable, int32_t most, HbgForm *form);
bool hbg_island_rate_form(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t at, int32_t most, HbgForm *form);

#endif

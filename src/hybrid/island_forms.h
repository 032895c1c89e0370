/* SPDX-License-Identifier: BSD-3-Clause
 * An island whose equations are affine in its states: rates and variables as a constant plus a linear combination. */
#ifndef HYBRID_ISLAND_FORMS_H
#define HYBRID_ISLAND_FORMS_H

#include "equations/time_columns.h"
#include "equations/affine.h"
#include "hybrid/island_run.h"

enum { HBG_FORMS_MOST_STATES = 24 }; /* of an island: beyond, nobody asks for its forms */

/* What is not nothing of a form. */
typedef struct HbgFormTerm {
  int32_t state; /* of the model */
  double weight;
} HbgFormTerm;

/* A rate, or a variable that others ask for in continuous time. */
typedef struct HbgFormRow {
  bool is_rate;
  int32_t target; /* state or variable of the model */
  double constant;
  int32_t first, count; /* its terms */
  const double *form;   /* what it has been made of, with what follows the time */
} HbgFormRow;

typedef struct HbgIslandForms {
  bool is_affine;
  bool has_some, has_rates; /* some rates and variables are affine, the others not numbers; all rates are */
  bool is_wide; struct HbgWideForms *wide; /* of an island of too many states, which has no more than that (island_wide.h) */
  int32_t edition;  /* how often they have been made: what was derived from others is out of date */
  int32_t state_count; /* of the template; of what hangs, of a storage */
  int32_t width;    /* 1 + state_count, and HBG_TIME_COLUMNS where there is `time` */
  const int32_t *states; /* of the model, by which the forms are (state_count) */
  HbgTimeColumns *time; /* the functions of time in the last columns; NULL where no law follows the time */
  double *rate;     /* of its states, 0 of those it only reads (state_count, width) */
  double *variable; /* (2 bond_count, width) */
  HbgFormRow *rows; int32_t row_count; /* what hbg_island_rates() gives */
  HbgFormTerm *terms;
} HbgIslandForms;

/* The forms in continuous time, with the scheduled conditions and discrete variables in `now`; made when asked for first and when
 * these have changed. NULL: its equations are not affine, or depend on time. */
const HbgIslandForms *hbg_island_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
/* The same where some rates and variables are affine, though others are not: those are not numbers. */
const HbgIslandForms *hbg_island_some_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
/* One variable of the model as constant and weights of states, of an island whose other values may be none; NULL: it is none, or follows the
 * time. */
const double *hbg_island_steady_form(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t variable);
/* The same as the first for who can do with functions of time. */
const HbgIslandForms *hbg_island_forms_in_time(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);

/* The same of a source or storage that hangs, for the variable that it imposes (the other one has a form of nothing): NULL where its law
 * follows more than the storage's own state and, in the second, the time. */
const HbgIslandForms *hbg_island_hanging_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
const HbgIslandForms *hbg_island_hanging_forms_in_time(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
/* These of what hangs, and of any other island some. */
static inline const HbgIslandForms *hbg_island_forms_of_any(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  return island->is_hanging ? hbg_island_hanging_forms_in_time(solver, island, now) : hbg_island_some_forms(solver, island, now);
}

/* Where an input of its equations tells a piece of a table that is followed, `affine` has that from now on. */
void hbg_island_follow_pieces(const HbgIslandSolver *solver, const HbgIsland *island, const HbgProgramInput *input, HbgAffine *affine);

/* The form of a variable of the model that belongs to the island. */
const double *hbg_island_form_of(const HbgIsland *island, const HbgIslandForms *forms, int32_t variable);

/* Those that hbg_island_rates() goes by: NULL where there is nothing to solve, or not in this way. (island_run.c) */
const HbgIslandForms *hbg_island_rates_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
/* hbg_island_rates() and, of what guards read, hbg_island_variables() without sizes, as these combinations. */
void hbg_island_rates_by_forms(const HbgIslandForms *forms, HbgValues *values, double *rate);
void hbg_island_read_by_forms(const HbgIsland *island, const HbgIslandForms *forms, const uint8_t *is_read, HbgValues *values);

#endif

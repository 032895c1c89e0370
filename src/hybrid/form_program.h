/* SPDX-License-Identifier: BSD-3-Clause
 * The forms of an island (island_forms.h) as a program: what is not nothing in them is its structure, and islands of one program that
 * have that in common differ in their coefficients only. */
#ifndef HYBRID_FORM_PROGRAM_H
#define HYBRID_FORM_PROGRAM_H

#include "base/key.h"
#include "equations/program.h"
#include "hybrid/island_forms.h"

/* A constant, or the weight of a term: of which row of the forms. */
typedef struct HbgFormCoefficient {
  int32_t row, term; /* counted from the row's first one; -1: the constant */
} HbgFormCoefficient;

typedef struct HbgFormProgram {
  HbgProgram program;         /* its inputs are states of the island, and constants: coefficient `index` */
  HbgFormCoefficient *coefficients; int32_t coefficient_count, coefficient_capacity;
  int32_t *state_register;    /* per state of the island: its rate (state_count) */
  int32_t *variable_register; /* per variable of the island: what is demanded of them, else -1 (2 bond_count) */
} HbgFormProgram;

/* What islands must have in common: behind -2 the program and where the forms are not zero. */
HbgKey hbg_form_key(const HbgIsland *island, const HbgIslandForms *forms, HbgArena *arena);
HbgFormProgram *hbg_form_program(const HbgIsland *island, const HbgIslandForms *forms, HbgArena *arena);
/* What an island has for coefficient `index`. */
double hbg_form_coefficient(const HbgFormProgram *self, const HbgIslandForms *forms, int32_t index);

#endif

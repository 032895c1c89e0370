/* SPDX-License-Identifier: BSD-3-Clause
 * The rates of an island that has something to solve for, as byte code like that of any other: where its unknowns follow linearly, by a
 * matrix that stays within a mode, from what bends as it likes. A load that hangs fast on a spring, or two wheels that turn as one, need
 * no solver at every evaluation then, and go together with their like (batch.h).
 *
 *   r(w, x, t) = r(0, x, t) + M w = 0,     w = -M^-1 r(0, x, t),     rates y(w, x, t)
 *
 * The entries of -M^-1, or of the pseudo-inverse, are inputs of the program. */
#ifndef EQUATIONS_SOLVED_RATES_H
#define EQUATIONS_SOLVED_RATES_H

#include "equations/island.h"

/* Which entry of an inverse an input HBG_SLOT_WEIGHT is: of a group, of its columns, of its rows. */
typedef struct HbgRateWeight {
  int32_t group, column, row;
} HbgRateWeight;

typedef struct HbgSolvedRates {
  HbgProgram program;         /* its leaves are those of the equations without unknowns, and weights */
  HbgRateWeight *weights; int32_t weight_count, weight_capacity;
  int32_t *state_register;    /* per state of the island: its rate; -1 (state_count) */
  int32_t *variable_register; /* per variable of the island: what is demanded of them, else -1 (2 bond_count) */
} HbgSolvedRates;

/* Those of `equations`, finite ones of an island of `template`; made when first asked for. NULL: they are not linear in the unknowns, their matrix
 * does not stay, or it is large. */
const HbgSolvedRates *hbg_solved_rates(const HbgEquations *equations, const HbgTemplate *template, HbgArena *arena, HbgArena *scratch);

#endif

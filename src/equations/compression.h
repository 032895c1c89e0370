/* SPDX-License-Identifier: BSD-3-Clause
 * Affine forms of large islands: each register follows a few states only, so states that never meet in a register share a column of its form
 * (affine.h), as in the compression of sparse Jacobians (Curtis, Powell and Reid). Whose a coefficient is follows from which states the register
 * may follow at all. */
#ifndef EQUATIONS_COMPRESSION_H
#define EQUATIONS_COMPRESSION_H

#include "equations/island.h"

enum { HBG_COMPRESSION_MOST = 256, HBG_COMPRESSION_PAYS = 48 }; /* columns at all; of any number of states: beyond, nothing is gained */

typedef struct HbgCompression {
  const HbgEquations *equations;
  int32_t column_count;
  int32_t *column;  /* per state of the template */
  int32_t *start;   /* which states an output may follow: states[start[o] .. start[o + 1]); rates of all states, then variables */
  int32_t *states;
} HbgCompression;

/* Of equations of an island of `state_count` states and `variable_count` variables, from `arena`; NULL where states meet so often that there would be
 * more than `most` columns. */
const HbgCompression *hbg_compression(const HbgEquations *equations, int32_t state_count, int32_t variable_count, int32_t most, HbgArena *arena, HbgArena *scratch);

#endif

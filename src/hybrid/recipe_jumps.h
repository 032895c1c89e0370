/* SPDX-License-Identifier: BSD-3-Clause
 * Jumps under laws that bend, on forms. A coil that saturates and lets no current through any more keeps no flux, however its law is bent: what
 * takes a state to a place that hangs on nothing else is a combination of the state. */
#ifndef HYBRID_RECIPE_JUMPS_H
#define HYBRID_RECIPE_JUMPS_H

#include "equations/affine.h"
#include "hybrid/island_solve.h"
#include "hybrid/recipe_forms.h"

/* For unknowns of a jump that are alone in a law which bends one way only: the impulse that takes a state to where the law lets it be
 * (unknown_count, width); not a number where there is none. NULL where the equations have no solution now. `registers`: loaded, over the states
 * `states` before the jump. In scratch memory. */
const double *hbg_recipe_given_jumps(const HbgRecipeForms *self, HbgIsland *island, HbgEquationsRun *run,
                                     const HbgAffine *registers, const double *states);

#endif

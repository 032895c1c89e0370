/* SPDX-License-Identifier: BSD-3-Clause
 * What the sources of an island impose, and how fast that changes: asked for where they are tied to each other (hybrid/conflict.h). */
#ifndef EQUATIONS_IMPOSED_H
#define EQUATIONS_IMPOSED_H

#include "equations/island.h"

typedef struct HbgImposing {
  int32_t received;    /* the variable that it does not impose (of the island) */
  int sign;            /* 1 where power flows out of it along the bond, else -1 */
  int32_t value, rate; /* registers */
} HbgImposing;

typedef struct HbgImposed {
  HbgProgram program; /* over the leaves of the island's finite equations at an instant, with their unknowns */
  HbgImposing *list; int32_t count; /* without those that impose nothing: ports that are off */
  bool any_moves;     /* one of them follows the time or a state */
  bool are_ratios_constant; /* of all transformers and gyrators: else these, too, make work of what moves */
} HbgImposed;

/* Those of the program's islands; made when first asked for, in `arena`, which must live as long as the program. */
const HbgImposed *hbg_imposed(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena);

#endif

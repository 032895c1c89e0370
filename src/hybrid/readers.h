/* SPDX-License-Identifier: BSD-3-Clause
 * Who reads what: of states, bonds, machines and scheduled conditions the machines whose guards read them, and the bonds whose laws
 * read a scheduled condition. Made once per run; in whatever state a machine is. */
#ifndef HYBRID_READERS_H
#define HYBRID_READERS_H

#include "equations/laws.h"
#include "hybrid/guards.h"

/* Lists by number: of `number` list[start[number] .. start[number + 1]), ascending, each once. */
typedef struct HbgLists {
  int32_t *start, *list;
} HbgLists;

typedef struct HbgReaders {
  HbgLists of_state, of_bond, of_machine, of_tick; /* machines whose guards read it */
  HbgLists bonds_of_tick;                          /* of elements whose law reads it */
  HbgLists by_machine; /* what the guards of a machine read: a state, or -1 - a bond; in the order of the guards */
} HbgReaders;

HbgReaders hbg_readers(const HbgFlatModel *model, const HbgGuards *guards, HbgLaws *laws, HbgArena *arena, HbgArena *scratch);

/* Of what integrators add up (`inputs`, count; the first is the state `first`): the states whose inputs read a machine, and those whose
 * inputs read a scheduled condition. */
void hbg_readers_of_inputs(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *inputs, int32_t count, int32_t first,
                           HbgLists *of_machine, HbgLists *of_tick, HbgArena *arena, HbgArena *scratch);

#endif

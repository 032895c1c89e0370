/* SPDX-License-Identifier: BSD-3-Clause
 * Who reads what: of states, bonds, machines, scheduled conditions and discrete variables the machines whose guards read them, and the
 * bonds whose laws read one of the last two. Made once per run; in whatever state a machine is. */
#ifndef HYBRID_READERS_H
#define HYBRID_READERS_H

#include "equations/laws.h"
#include "hybrid/discrete.h"
#include "hybrid/guards.h"

/* Lists by number: of `number` list[start[number] .. start[number + 1]), ascending, each once. */
typedef struct HbgLists {
  int32_t *start, *list;
} HbgLists;

typedef struct HbgReaders {
  HbgLists of_state, of_bond, of_machine, of_tick, of_variable; /* machines whose guards read it */
  HbgLists bonds_of_tick, bonds_of_variable;                    /* of elements whose law reads it */
  HbgLists by_machine; /* what the guards of a machine read, its transitions for what they assign, and its timers when they start: a state, or
                          -1 - a bond; in their order */
  HbgLists owned_by;    /* machines that are regions in a state of a machine, and come and go with it */
  HbgLists assigned_by; /* discrete variables that transitions of a machine assign */
} HbgReaders;

/* `discrete`: what transitions assign; `durations`: of timers. */
HbgReaders hbg_readers(const HbgFlatModel *model, const HbgGuards *guards, HbgLaws *laws, const HbgDiscrete *discrete, const HbgProbe *durations,
                       HbgArena *arena, HbgArena *scratch);

/* Of what integrators add up: the states whose inputs read a machine, a scheduled condition, a discrete variable. */
typedef struct HbgInputReaders {
  HbgLists of_machine, of_tick, of_variable;
} HbgInputReaders;

/* Of `inputs` (count); the first is the state `first`. */
HbgInputReaders hbg_readers_of_inputs(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *inputs, int32_t count, int32_t first,
                                      HbgArena *arena, HbgArena *scratch);

/* Of efforts and flows, a priori or not: by bond the bonds of elements elsewhere whose law reads one of them, by variable the integrators
 * that add it up; and by state those that read one. */
typedef struct HbgValueReaders {
  HbgLists laws, integrators, integrators_of_state;
} HbgValueReaders;

/* Inputs of integrators (count) as above. */
HbgValueReaders hbg_readers_of_values(const HbgFlatModel *model, HbgLaws *laws, const HbgExpr *inputs, int32_t count, int32_t first,
                                      HbgArena *arena, HbgArena *scratch);

#endif

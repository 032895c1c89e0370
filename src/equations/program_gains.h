/* SPDX-License-Identifier: BSD-3-Clause
 * How some registers of a slice grow with others, where that is linear: what each of many impulses does to each of many states, of which mostly
 * few have to do with each other. Trying them one by one would go through the whole slice for each. */
#ifndef EQUATIONS_PROGRAM_GAINS_H
#define EQUATIONS_PROGRAM_GAINS_H

#include "equations/program_slice.h"

typedef struct HbgGains {
  const HbgSlice *slice;
  const int32_t *causes, *effects; int32_t cause_count, effect_count; /* registers; -1 for a cause that nothing reads */
  uint8_t *moves;                       /* of each register: it follows from a cause */
  int32_t *cone_start, *cone;           /* instructions of the slice between causes and an effect, ascending (effect_count + 1) */
  int32_t *entry_start;                 /* entries of each cause (cause_count + 1): the effects that follow from it, ascending */
  int32_t *entry_effect;
  int32_t *leaf_start;                  /* the same entries by effect (effect_count + 1): of which cause, and where it stands among those above */
  int32_t *leaf_cause, *leaf_entry;
} HbgGains;

/* What states change by when impulses pass. */
typedef struct HbgChanges {
  HbgSlice code;
  const HbgGains *gains; /* of each impulse; NULL: they are few, or it is not to be had */
} HbgChanges;

/* Of the registers `effects` in those of `causes`, which are not among what the slice computes; all of these are borrowed. NULL: that is not linear,
 * or there are more than `most` instructions between causes and effects, taken together. From `arena`; `scratch` is rewound. */
const HbgGains *hbg_gains(const HbgSlice *slice, int32_t register_count, const int32_t *causes, int32_t cause_count, const int32_t *effects,
                          int32_t effect_count, int64_t most, HbgArena *arena, HbgArena *scratch);
/* Their values, of each entry, where the slice has been executed: what an effect grows by where its cause grows by one. `rest` (register_count) is work
 * space, all zeros before and behind it. */
void hbg_gains_find(const HbgGains *gains, const double *registers, double *rest, double *values);

#endif

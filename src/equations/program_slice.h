/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a program that some of its registers need, in the order of the program. */
#ifndef EQUATIONS_PROGRAM_SLICE_H
#define EQUATIONS_PROGRAM_SLICE_H

#include "equations/program.h"

typedef struct HbgSlice {
  HbgInstruction *code; int32_t count, capacity;
  int32_t border;                    /* how many of them come from before the border that was given */
  HbgProgramInput *inputs; int32_t input_count, input_capacity;
  int32_t *constants; int32_t constant_count, constant_capacity; /* registers of constants, and of what was prepared */
} HbgSlice;

/* What `roots` (registers, count; -1 is none) need. With `with_prepared` the instructions of the range `prepare` are part of the
 * code, else what they give is taken for constant. `border`: an instruction of `main`. From `arena`; `scratch` is rewound. */
HbgSlice hbg_program_slice(const HbgProgram *program, const int32_t *roots, int32_t count, bool with_prepared, int32_t border,
                           HbgArena *arena, HbgArena *scratch);

/* Parts of instructions [0, end) of `main` that have nothing in common: what follows from each of some registers. `part` (register_count): of each register, -1 for none; the
 * registers that follow from those of a part are marked as well. False: something follows from two of them, and `part` means nothing. */
bool hbg_program_part(const HbgProgram *program, int32_t end, int32_t *part);

/* Of some registers that are marked in `needed` (register_count): marks all that these are made from. */
void hbg_program_mark(const HbgProgram *program, uint8_t *needed);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Byte code on ranges: between which numbers a register lies, whatever states and unknowns are (interval arithmetic: Moore, "Interval Analysis",
 * 1966). That tells of a law that bends whether it does so one way only. */
#ifndef EQUATIONS_RANGE_H
#define EQUATIONS_RANGE_H

#include "equations/program.h"

typedef struct HbgRange {
  double low, high;
} HbgRange;

/* The range of register `target` behind main [0, end) where all inputs may be anything that change within a mode, and everything else is what
 * `registers` hold. Without regard to round-off. */
HbgRange hbg_program_range(const HbgProgram *program, const double *registers, int32_t end, int32_t target,
                           HbgArena *scratch);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What the integrators of signals read, and with which slopes. Made once per run; the same in all modes. */
#ifndef HYBRID_INPUTS_H
#define HYBRID_INPUTS_H

#include "hybrid/probe.h"

/* A leaf of an integrator's input: a state or a variable of a bond. */
typedef struct HbgInputLeaf {
  bool is_state;
  int32_t index;
} HbgInputLeaf;

typedef struct HbgInputs {
  int32_t count;       /* integrators */
                       /* meaning                                                        shape               */
  int32_t *read_start; /* what integrator i reads: reads[read_start[i] .. [i + 1])       (count + 1)         */
  HbgInputLeaf *reads; int32_t read_capacity;
  uint8_t *reads_mode; /* it also reads a machine, a scheduled condition or a variable,
                          other than which piece of a table is followed                 (count)             */
  uint8_t *reads_piece; /* it reads that, which may lead to a jump                        (count)             */
  int32_t *slope_start;/* what it has a slope by                                         (count + 1)         */
  HbgInputLeaf *slopes; int32_t slope_capacity;
  HbgProbe probe;      /* output k is slope k; hbg_probe_run() makes them                                    */
  bool are_affine;     /* all inputs are, in states and variables, with slopes that never change             */
} HbgInputs;

/* Of the integrators that integrate `inputs` (count). */
HbgInputs hbg_inputs(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *inputs, int32_t count, HbgArena *arena,
                     HbgArena *scratch);

typedef struct HbgSim HbgSim;

/* Those of all integrators of a run, made when asked for first. */
const HbgInputs *hbg_inputs_of(HbgSim *sim);

#endif

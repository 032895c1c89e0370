/* SPDX-License-Identifier: BSD-3-Clause
 * Sequential causality assignment from scratch, as the procedure is told: one choice after the other, each propagated to its
 * end. Slow and obvious; the engine's is to give the same. */
#ifndef TESTS_SUPPORT_SCRATCH_CAUSALITY_H
#define TESTS_SUPPORT_SCRATCH_CAUSALITY_H

#include "causality/assign.h"

typedef struct ScratchCausality {
  uint8_t *effort_from_tail; /* per bond */
  uint8_t *is_choice;        /* per node: an R that chose for itself */
} ScratchCausality;

ScratchCausality scratch_causality(const HbgFlatModel *model, const HbgWish *wishes, const uint8_t *is_on, HbgArena *arena);

/* Demands that were not met. */
typedef struct CausalityViolations {
  int32_t sources, junctions, two_ports, storages;
} CausalityViolations;

/* `effort_from_tail` per bond. */
CausalityViolations causality_violations(const HbgFlatModel *model, const uint8_t *is_on, uint8_t *effort_from_tail);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Families: parts of a model that have nothing to do with each other, in whatever mode. What happens in one of them is not felt in any other, but for what the time
 * tells all of them. */
#ifndef HYBRID_KINDRED_H
#define HYBRID_KINDRED_H

#include "equations/laws.h"

typedef struct HbgKindred {
  int32_t count;       /* families */
  int32_t *of_machine; /* (machine_count) */
  int32_t *of_delay;   /* (delay_count) */
  int32_t *of_state;   /* (state_count) */
  int32_t *of_bond;    /* (bond_count) */
} HbgKindred;

/* Made once per run, from `arena`. */
HbgKindred hbg_kindred(const HbgFlatModel *model, HbgLaws *laws, HbgArena *arena);

#endif

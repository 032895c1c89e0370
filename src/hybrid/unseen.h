/* SPDX-License-Identifier: BSD-3-Clause
 * What the error control of the states does not see: what depends on the time alone, or on a state periodically. Steps are kept short for the samples of guards
 * there. */
#ifndef HYBRID_UNSEEN_H
#define HYBRID_UNSEEN_H

#include "equations/laws.h"
#include "hybrid/guards.h"

/* Steps are no longer than that where there is such a thing in a run until `stop` [s]. No round fraction of it: ends of steps should not fall on instants at which several
 * guards turn together. */
static inline double hbg_unseen_longest_step(double stop) { return stop / 512.7; }
/* Does any model of these laws and guards have such things? */
bool hbg_unseen_is_any(const HbgLaws *laws, const HbgGuards *guards);
/* Per state whether there is such a thing in its family (kindred.h), in whatever mode (state_count); from `arena`. */
const uint8_t *hbg_unseen(const HbgFlatModel *model, HbgLaws *laws, const HbgGuards *guards, HbgArena *arena, HbgArena *scratch);

#endif

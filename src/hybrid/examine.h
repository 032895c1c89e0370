/* SPDX-License-Identifier: BSD-3-Clause
 * Which transitions are enabled in a phase of an instant: of each machine the first in order of declaration, of what a located crossing or the
 * values at hand say. */
#ifndef HYBRID_EXAMINE_H
#define HYBRID_EXAMINE_H

#include "hybrid/crossed.h"
#include "hybrid/transcript.h"

/* Is a guard examined in a phase? After a commit those that read a priori values, which have changed, and all others when an impulse is
 * over. */
bool hbg_guard_may_fire(const HbgConjunction *conjunction, HbgPhase phase, bool had_impulse);
/* Is it one of what was located? */
bool hbg_is_located(const HbgConjunction *conjunction, const HbgConjunction *const *located, int32_t count);
/* The values a posteriori that guards are examined on: after a commit there is but one side. */
const HbgValues *hbg_examine_values(const HbgSim *sim, HbgPhase phase);
/* Examines the guards of all machines that the instant touches. `had_impulse`: the configuration at hand; `crossed`: which way went what began
 * the instant; `located` holds whatever its values say. From the scratch arena. */
HbgFired hbg_examine(HbgSim *sim, HbgPhase phase, bool had_impulse, const HbgCrossed *crossed, const HbgConjunction *const *located,
                     int32_t located_count);

#endif

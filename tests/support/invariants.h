/* SPDX-License-Identifier: BSD-3-Clause
 * What holds for the rows of any run, whatever the model: section 14 of the semantics. Each answers FLAW_NONE, or the flaw with
 * its reason in the case. */
#ifndef TESTS_SUPPORT_INVARIANTS_H
#define TESTS_SUPPORT_INVARIANTS_H

#include "support/random_check.h"

/* All of them. */
Flaw check_invariants(Case *this, const EngineRun *run);

/* Stamps ascend, n begins at 0 in each layer, an inference is followed by the next one, a pinnacle by the next layer. */
Flaw check_stamps(Case *this, const EngineRun *run);
/* At every junction the signed sum of e f is zero, of e F and of E f too, at every row. */
Flaw check_tellegen(Case *this, const EngineRun *run);
/* At every commit: the energy is not more than it was and what sources deliver; what the areas of the mode conserve is
 * conserved; where nothing has an area, the state is what it was: exactly, when the mode is. */
Flaw check_commits(Case *this, const EngineRun *run);

#endif

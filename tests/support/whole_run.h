/* SPDX-License-Identifier: BSD-3-Clause
 * Whole runs: the engine's rows beside the oracle's. */
#ifndef TESTS_SUPPORT_WHOLE_RUN_H
#define TESTS_SUPPORT_WHOLE_RUN_H

#include "support/random_check.h"

/* Runs through up to 20 events: instants, stamps, modes and states agree, times and states to 1e-7; and the invariants hold. */
Flaw check_whole_run(Case *this);

#endif

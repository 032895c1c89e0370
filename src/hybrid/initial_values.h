/* SPDX-License-Identifier: BSD-3-Clause
 * The initial system of one mode: unknown states from conditions, by Newton's method. */
#ifndef HYBRID_INITIAL_VALUES_H
#define HYBRID_INITIAL_VALUES_H

#include "hybrid/sim.h"

/* Puts the unknown states into sim->now.state, which holds the given ones and guesses. */
HbgStatus hbg_initial_values(HbgSim *sim);

#endif

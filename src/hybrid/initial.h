/* SPDX-License-Identifier: BSD-3-Clause
 * The beginning of a run: states that are not given but found, so that what must hold at the start does, in a mode that stays. */
#ifndef HYBRID_INITIAL_H
#define HYBRID_INITIAL_H

#include "hybrid/initial_values.h"

/* Goes through the first instant; where states are unknown, finds them in the mode that results. HBG_STOPPED: the failure is
 * written. */
HbgStatus hbg_initial_settle(HbgSim *sim);

#endif

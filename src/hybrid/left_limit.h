/* SPDX-License-Identifier: BSD-3-Clause
 * Where an instant of everything begins: the values on the left of it, on the constraints of the mode. */
#ifndef HYBRID_LEFT_LIMIT_H
#define HYBRID_LEFT_LIMIT_H

#include <stdbool.h>

typedef struct HbgSim HbgSim;

/* Evaluates sim->now and makes it sim->before. A state that `is_given`, at t = 0 or from outside, has no past: it is not put on constraints, and
 * may have no efforts and flows. False: there is no solution. */
bool hbg_left_limit_take(HbgSim *sim, bool is_given);

#endif

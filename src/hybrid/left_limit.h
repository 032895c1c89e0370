/* SPDX-License-Identifier: BSD-3-Clause
 * Where an instant of everything begins: the values on the left of it, on the constraints of the mode. */
#ifndef HYBRID_LEFT_LIMIT_H
#define HYBRID_LEFT_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HbgSim HbgSim;
struct HbgIsland;

/* Evaluates sim->now and makes it sim->before. A state that `is_given`, at t = 0 or from outside, has no past: it is not put on constraints, and
 * may have no efforts and flows. False: there is no solution. */
bool hbg_left_limit_take(HbgSim *sim, bool is_given);
/* Of some islands alone, whose states are brought to the instant and have not been changed by it: evaluates their variables in sim->now. Storages that are
 * tied have drifted apart by the round-off of many steps, which is small against what they have been and not against what they are: they are put back. */
bool hbg_left_limit_take_islands(HbgSim *sim, struct HbgIsland *const *islands, int32_t count);

#endif

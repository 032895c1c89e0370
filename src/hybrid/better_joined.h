/* SPDX-License-Identifier: BSD-3-Clause
 * Are states that move in sets, as storages hang, better off in regions, whose motion is exact? */
#ifndef HYBRID_BETTER_JOINED_H
#define HYBRID_BETTER_JOINED_H

#include <stdbool.h>

typedef struct HbgSim HbgSim;

/* Asked each time that the sets are given up. */
bool hbg_better_joined(HbgSim *sim);

#endif

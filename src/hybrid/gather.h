/* SPDX-License-Identifier: BSD-3-Clause
 * What holds together: bonds that meet at a junction that is on and not cut, and bonds whose laws read each other. */
#ifndef HYBRID_GATHER_H
#define HYBRID_GATHER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HbgSim HbgSim;

/* A source or storage cut off from its junction by `fixed_by` (per node), or a source at the port of a junction that is off, read by
 * no law: nothing depends on it at the same time, and what its own law reads need not join it to anything. */
bool hbg_hangs(const HbgSim *sim, const int32_t *fixed_by, int32_t bond);
/* All bonds that belong together with `bond`, into `queue`; answers how many. Marks them with sim->stamp, which must be new before
 * the first of several searches. */
int32_t hbg_gather(HbgSim *sim, const int32_t *fixed_by, int32_t bond, int32_t *queue);

#endif

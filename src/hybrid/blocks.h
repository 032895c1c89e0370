/* SPDX-License-Identifier: BSD-3-Clause
 * At which storages the graph is cut in the present mode.
 *
 * With all the cuts that causality allows (cuts.base_by) it falls apart into blocks. A junction is then cut indeed unless
 *   - a block at it needs to know the rate of the storage, or sends it impulses (equations/boundary.h), or
 *   - nothing is gained: no block at it has another storage at its border. For an I, only another I counts, since at a C the graph is
 *     cut anyway: a mass between springs stays one island with its mass.
 * All of this can be seen at the junction and the blocks around it, so the islands depend on the mode alone, and what a change
 * costs is what meets there. */
#ifndef HYBRID_BLOCKS_H
#define HYBRID_BLOCKS_H

#include "hybrid/sim.h"

/* Does the storage of junction `node`, if there is one that may hang, fix it in the present causality? Brings cuts.base_by up to date. */
void hbg_blocks_renew(HbgSim *sim, int32_t node);
/* Decides on all junctions that `loose` bonds (count) meet: cuts.fixed_by. The present islands that the decision depends on besides
 * go to `asked`, in the scratch arena. */
void hbg_blocks_cut(HbgSim *sim, const int32_t *loose, int32_t count, HbgIslandList *asked);
/* The island of loose `bond`, where that is a block whose cuts have all been made and which is known already; NULL. */
HbgIsland *hbg_blocks_island(const HbgSim *sim, int32_t bond);

#endif

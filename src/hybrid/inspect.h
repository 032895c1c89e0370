/* SPDX-License-Identifier: BSD-3-Clause
 * What one mode looks like: strokes, storages, loops, conflicts. */
#ifndef HYBRID_INSPECT_H
#define HYBRID_INSPECT_H

#include "base/arena.h"
#include "hybrsim/model.h"
#include "model/model.h"

/* Causality of the mode in which machine m is in state phi[m]. From `arena`. HBG_MEMORY when that was refused. */
HbgStatus hbg_inspect_mode(const HbgFlatModel *model, const int32_t *phi, HbgArena *arena, HbgCausality *out);

#endif

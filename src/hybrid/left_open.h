/* SPDX-License-Identifier: BSD-3-Clause
 * What a mode may leave open. Two ideal sources that agree and are joined by ideal switches share their load as they like, and in a ring of such switches any flow may go
 * round; values of least norm are taken there (docs/theory.md, 3). This tells, of the bonds between junctions, whose flow (or effort) that can happen to in some mode. It says so rather
 * too often.
 *
 * A flow that is open is one that all storages, sources and resistors allow while they give nothing themselves (the homogeneous equations, which have zeros for everything that is known). It
 * passes 0-junctions and transformers, and 1-junctions at which nothing stops it: an I or Sf, which would have a flow, or an R, which would take power where none comes from. It comes from and goes to
 * sources of effort. In a tree it must come from one and go to another one, along a way on which all efforts are the same; so these two
 * have the same law. For efforts the same holds with 0 and 1, Se and Sf, C and I exchanged. */
#ifndef HYBRID_LEFT_OPEN_H
#define HYBRID_LEFT_OPEN_H

#include "model/model.h"

/* Of each bond between junctions whether its flow, or effort, may be left open; of others nothing is said. (bond_count), from `arena`. */
uint8_t *hbg_left_open(const HbgFlatModel *model, bool is_flow, HbgArena *arena);

#endif

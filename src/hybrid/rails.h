/* SPDX-License-Identifier: BSD-3-Clause
 * Rails: junctions whose effort or flow many share, as a thousand converters do a supply. Signals name the junction, and an integrator that adds up the power
 * which one of them draws, rail.e times its own flow, would have to do with whichever bond is first there. What ideal sources impose for ever is a number instead,
 * and anything else is asked for at the bond that leads to what the integrator reads besides. */
#ifndef HYBRID_RAILS_H
#define HYBRID_RAILS_H

#include "model/model.h"

/* `model` with such inputs of its integrators; itself where there are none. From `arena`. */
const HbgFlatModel *hbg_rails_apart(const HbgFlatModel *model, HbgArena *arena);

#endif

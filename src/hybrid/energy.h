/* SPDX-License-Identifier: BSD-3-Clause
 * The energy in a storage: the work that fills it from zero. */
#ifndef HYBRID_ENERGY_H
#define HYBRID_ENERGY_H

#include "hybrid/run.h"

typedef struct HbgEnergy HbgEnergy;

/* What the energy of the storage that holds `state` is made of; `run_model` is the model as its text has it. From the arena of the run, and with readers of
 * its own in the run: asked for within an instant it is known when that is over. */
HbgEnergy *hbg_energy(HbgSim *sim, const HbgFlatModel *run_model, int32_t state);
/* At the row handed out last [J], before the first one at the start; NAN where there is none. */
double hbg_energy_now(const HbgSim *sim, const HbgEnergy *energy);
/* Why there is none: a constant; "" where there is one. */
const char *hbg_energy_reason(const HbgEnergy *energy);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Values inside the stepper's last step, by dense output: into sim->now, and what a conjunction makes of them. */
#ifndef HYBRID_INSIDE_H
#define HYBRID_INSIDE_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

/* All states at `t`, and nothing else; those of watched islands back on constraints that move. */
void hbg_inside_go(HbgSim *sim, double t);
/* The values at `t` that one conjunction reads, and no others: its own states, and those of the islands it reads. */
void hbg_inside_go_for(HbgSim *sim, double t, const HbgConjunction *conjunction);
bool hbg_inside_holds(HbgSim *sim, const HbgConjunction *conjunction, double t);
/* The same within the band for round-off. */
bool hbg_inside_holds_by_band(HbgSim *sim, const HbgConjunction *conjunction, double t);
/* Do those of its conditions hold that are no relations? */
bool hbg_inside_gates_hold(HbgSim *sim, const HbgConjunction *conjunction, double t);
double hbg_inside_difference(HbgSim *sim, const HbgConjunction *conjunction, int32_t which, double t);
/* Its outputs as pairs, at values that are in sim->now. */
void hbg_inside_measure(HbgSim *sim, const HbgConjunction *conjunction);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * A run as HYBRSIM made it (Mosterman, ICBGM'99): forward Euler on the independent storages, conservation of state by
 * relaxation, modulation one step late, events by bisection. Only for comparison; docs/decisions/0014 says what is known of
 * the original and what had to be decided. */
#ifndef HYBRID_COMPATIBLE_H
#define HYBRID_COMPATIBLE_H

#include "hybrid/relaxation.h"
#include "hybrid/sim.h"

/* Sources and two-ports are modulated by a priori values: those of the last step. What they read of time is not. Call when
 * the laws have been made and nothing has been compiled. */
void hbg_compatible_delay(HbgLaws *laws);
/* Gives the solver of `sim` the relaxation its options ask for. */
void hbg_compatible_begin(HbgSim *sim);
/* Conservation of state at the end of a step; what modulates the next one is taken down. */
HbgStatus hbg_compatible_end_step(HbgSim *sim);
/* Where the first guard becomes true in the last step, when one is true at its end. From the scratch arena. */
HbgCrossing hbg_compatible_locate(HbgSim *sim);
/* What is wrong, in a few words: "no consistent state", or something about a relaxation. */
const char *hbg_compatible_trouble(const HbgSim *sim);
/* A relaxation has failed: why, and what helps. Always HBG_STOPPED. */
HbgStatus hbg_compatible_report(HbgSim *sim);

#endif

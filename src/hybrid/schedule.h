/* SPDX-License-Identifier: BSD-3-Clause
 * Instants that are known beforehand: scheduled conditions and timers. */
#ifndef HYBRID_SCHEDULE_H
#define HYBRID_SCHEDULE_H

typedef struct HbgSim HbgSim;

/* The first scheduled instant behind sim->time [s]; INFINITY without. Those that differ by round-off only are one: the last of
 * them, at which all have come. */
double hbg_schedule_next(const HbgSim *sim);

#endif

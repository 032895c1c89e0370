/* SPDX-License-Identifier: BSD-3-Clause
 * Instants that are known beforehand: scheduled conditions, timers and clocks. */
#ifndef HYBRID_SCHEDULE_H
#define HYBRID_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HbgSim HbgSim;

/* The first scheduled instant behind sim->time [s]; INFINITY without. Those that differ by round-off only are one: the last of
 * them, at which all have come. `*only_clocks`: there clocks tick, and nothing else happens. */
double hbg_schedule_next(HbgSim *sim, bool *only_clocks);
/* The scheduled conditions that turn at sim->time, since the instant before was asked for, ascending. */
const int32_t *hbg_schedule_due_ticks(HbgSim *sim, int32_t *count);
/* Are both one instant but for round-off? */
bool hbg_schedule_is_same(double a, double b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Scheduled conditions: instants that are known beforehand are hit exactly, never searched for. */
#ifndef HYBRID_TICKS_H
#define HYBRID_TICKS_H

#include "model/model.h"

/* Is `tick` true just after time `t`? The k-th period begins at start + k * period, computed as written here so that both
 * functions agree to the last bit. */
bool hbg_tick_value(const HbgTick *tick, double t);
/* The first instant after `t` at which `tick` changes; INFINITY when it never does again. */
double hbg_tick_next(const HbgTick *tick, double t);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that are filled in later. A known instant that is about nothing of what is shown has rows all the same, on which the shown regions are
 * somewhere on their way. Where each of these is then follows from its motion, as long as that is the same one: rows wait for their columns until
 * something else than such instants is due, and are filled in one after the other. The values are those that they would have had at once. */
#ifndef HYBRID_DEFERRED_H
#define HYBRID_DEFERRED_H

#include "hybrid/local_parts.h"

/* Finds what is needed to fill in rows later. False: that is not possible, or rows are not computed ahead. */
bool hbg_deferred_begin(HbgSim *sim);
/* May rows of an instant wait that shows nothing of what it is about? */
static inline bool hbg_deferred_may_wait(HbgSim *sim) { return sim->local->waiting || hbg_deferred_begin(sim); }
/* The last `count` rows of the queue have been added and wait: all behind the first that does. */
static inline void hbg_deferred_add(HbgSim *sim, int32_t count) { sim->local->waiting += count; }
/* Fills in all that waits, if anything does: before something that is shown, or the way it moves, becomes another one, before rows are added that do not
 * wait, and before rows are handed out. */
void hbg_deferred_fill_in_now(HbgSim *sim);
static inline void hbg_deferred_fill_in(HbgSim *sim) {
  if (sim->local && sim->local->waiting) hbg_deferred_fill_in_now(sim);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Kinks of tables that are followed, and of what delays repeat. All that is stored goes on as if nothing had been, and so do most efforts and flows. But what
 * a storage receives that depends on a source follows the rate of that (semantics 3: u'), and jumps where it does: behind the peak of what charges a capacitor
 * its current is another one, and the guard of a diode holds at that very time which did not hold before. The same may be so by a last digit, as a table that leaves
 * zero at a knot is not zero at the number which stands for that time. Such a kink is an instant. */
#ifndef HYBRID_KINKS_H
#define HYBRID_KINKS_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

/* The guards (answers how many) that a kink at sim->time turns, which has not been gone through yet: `foresee` gives what follows the time its courses behind the
 * kink, `take_back` those before it. Efforts and flows are unknown afterwards. */
int32_t hbg_kinks_find_turned(HbgSim *sim, void (*foresee)(HbgSim *), void (*take_back)(HbgSim *), const HbgConjunction ***list);
/* Behind a kink that turns none: guards that follow the time are as far away as they are by the courses at hand. */
void hbg_kinks_pass(HbgSim *sim);
/* At an instant that has gone through kinks: gives sim->now the efforts and flows behind them. False where there are none. `*list`: the guards (`*count`) that
 * hold on these, and not on those before. */
bool hbg_kinks_take(HbgSim *sim, const HbgConjunction ***list, int32_t *count);

#endif

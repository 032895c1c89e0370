/* SPDX-License-Identifier: BSD-3-Clause
 * How far ahead guards on exact flows are looked for: a little further than the last answer in the same state was good for. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

void hbg_watch_note_asked(const HbgSim *sim, HbgWatches *watches, int32_t machine) {
  enum { LONGER = 4 };
  HbgAsked *asked = &watches->asked[machine];
  const int32_t state = sim->guards.start[machine] + sim->now.phi[machine];
  const double elapsed = sim->time - asked->since;
  if (asked->state == state && sim->time >= asked->until) {
    watches->reach[state] = LONGER * elapsed;
    return;
  }
  if (asked->state >= 0 && elapsed > 0) {
    double *reach = &watches->reach[asked->state];
    *reach = hbg_larger(1.25 * elapsed, isinf(*reach) ? 0 : 0.9375 * *reach);
  }
  asked->state = state;
  asked->since = sim->time;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * How far ahead guards on exact flows are looked for: a little further than the last answer in the same state was good for. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

#define LEAST_REACH 1e-6 /* of the rest of the run */

double hbg_watch_reach(HbgWatches *watches, int32_t machine, double rest) {
  HbgAsked *asked = &watches->asked[machine];
  asked->reads_flows = true;
  const double reach = asked->state >= 0 ? watches->reach[asked->state] : rest;
  return reach < rest ? hbg_watch_greatest(reach, LEAST_REACH * rest) : rest;
}

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
    *reach = hbg_watch_greatest(1.25 * elapsed, isinf(*reach) ? 0 : 0.9375 * *reach);
  }
  asked->state = state;
  asked->since = sim->time;
}

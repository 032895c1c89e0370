/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/conflict_order.h"

#include <math.h>

#include "base/numbers.h"
#include "hybrid/conflict.h"
#include "hybrid/sim.h"

#define TOGETHER 1e-9 /* as near to each other as that they are at once */

static bool is_decisive(const HbgPair *difference) {
  return !hbg_is_zero(difference->area) && !hbg_area_is_counted(difference->area) && fabs(difference->area) > HBG_AREA_BAND * difference->area_size;
}

/* How far along the direction a guard turns; infinite: no conflict has decided it. Its probe has just been run, and is run again. */
static double distance_of(HbgSim *sim, const HbgConjunction *guard) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
  double *area = ARENA_NEW(&sim->scratch, double, guard->difference_count);
  for (int32_t at = 0; at < guard->difference_count; at++) {
    const HbgPair *difference = hbg_probe_pair(probe, 1 + at);
    area[at] = is_decisive(difference) ? difference->area : 0;
  }
  hbg_probe_run_pairs(probe, &sim->before, &sim->before);
  double last = (double)-INFINITY;
  for (int32_t at = 0; at < guard->difference_count; at++) {
    const double value = hbg_probe_pair(probe, 1 + at)->value;
    if (!hbg_is_zero(area[at])) last = fmax(last, isfinite(value) ? fabs(value / area[at]) : 0); // all of a conjunction must turn
  }
  hbg_probe_run_pairs(probe, &sim->now, &sim->before);
  return last < 0 ? (double)INFINITY : last;
}

void hbg_conflict_keep_first(HbgSim *sim, HbgFired *enabled) {
  double *distance = ARENA_NEW(&sim->scratch, double, enabled->count), first = (double)INFINITY;
  int32_t kept = 0;
  for (int32_t at = 0; at < enabled->count; at++) {
    distance[at] = distance_of(sim, enabled->list[at]);
    first = fmin(first, distance[at]);
  }
  if (isinf(first)) return;
  for (int32_t at = 0; at < enabled->count; at++)
    if (distance[at] <= first * (1 + TOGETHER)) enabled->list[kept++] = enabled->list[at];
  enabled->count = kept;
}

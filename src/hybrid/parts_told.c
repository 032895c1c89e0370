/* SPDX-License-Identifier: BSD-3-Clause
 * What a run tells of the parts of its states that have clocks of their own. */
#include <math.h>

#include "hybrid/coupled_tally.h"
#include "hybrid/local_parts.h"

/* Where storages hang, sets take the place of regions: the one whose first state this is; NULL. */
static const HbgCoupled *set_of(const HbgSim *sim, int32_t state) {
  const HbgCoupled *set = sim->is_local && sim->local->is_coupled ? sim->local->coupled->states[state].set : NULL;
  return set && set->states[0] == state ? set : NULL;
}

static bool is_tally_of_sets(const HbgSim *sim, int32_t state) {
  return sim->is_local && sim->local->is_coupled && sim->local->coupled->states[state].tally;
}

int32_t hbg_sim_region_count(HbgSim *sim) {
  if (!sim->region_states) sim->region_states = ARENA_NEW(sim->arena, int32_t, sim->model->state_count);
  int32_t count = 0;
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (hbg_local_region(sim, state) || set_of(sim, state) || is_tally_of_sets(sim, state)) sim->region_states[count++] = state;
  return count;
}

static HbgMotionKind motion_of(const HbgRegion *region) {
  if (region->is_stepped) return HBG_MOTION_STEPS;
  if (region->course) return HBG_MOTION_QUADRATURE;
  return region->motion && !region->motion->is_parabola ? HBG_MOTION_EXPONENTIAL : HBG_MOTION_PARABOLA;
}

/* What ends after three terms, exactly, is a parabola. */
static HbgMotionKind motion_of_set(const HbgCoupled *set) {
  if (set->bent) return HBG_MOTION_STEPS;
  return isinf(set->series.length) && set->series.degree <= 2 ? HBG_MOTION_PARABOLA : HBG_MOTION_SERIES;
}

HbgRegionInfo hbg_sim_region(const HbgSim *sim, int32_t index) {
  if (!sim->region_states) return (HbgRegionInfo){0};
  const int32_t *first = &sim->region_states[index];
  const HbgRegion *region = hbg_local_region(sim, *first);
  const HbgCoupled *set = set_of(sim, *first);
  if (region) return (HbgRegionInfo){motion_of(region), region->states, region->count};
  if (set) return (HbgRegionInfo){motion_of_set(set), set->states, set->count};
  return is_tally_of_sets(sim, *first) ? (HbgRegionInfo){HBG_MOTION_QUADRATURE, first, 1} : (HbgRegionInfo){0};
}

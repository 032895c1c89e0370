/* SPDX-License-Identifier: BSD-3-Clause
 * A region that is integrated, by steps of its own: its rates, and one step after the other. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "numerics/dp5.h"

static void go_to(const HbgRegion *region, double t, const double *y) {
  region->sim->now.time = t;
  for (int32_t at = 0; at < region->count; at++) region->sim->now.state[region->states[at]] = y[at];
}

static int rates(double t, const double *y, double *dy, void *user) {
  const HbgRegion *region = user;
  HbgSim *sim = region->sim;
  go_to(region, t, y);
  for (int32_t at = 0; at < region->island_count; at++)
    if (!hbg_island_rates(&sim->solver, region->islands[at], &sim->now, sim->rate)) return 1;
  for (int32_t at = 0; at < region->count; at++) {
    const int32_t state = region->states[at];
    if (state < sim->first_integrator) {
      dy[at] = sim->rate[state];
      continue;
    }
    HbgProbe *probe = hbg_local_integrator(sim, state);
    hbg_probe_run(probe, &sim->now);
    dy[at] = hbg_probe_value(probe, 0);
  }
  return 0;
}

static void round_off(double t, const double *y, double *uncertain, void *user) {
  const HbgRegion *region = user;
  HbgSim *sim = region->sim;
  go_to(region, t, y);
  for (int32_t at = 0; at < region->count; at++) sim->rate[region->states[at]] = uncertain[at];
  for (int32_t at = 0; at < region->island_count; at++)
    hbg_island_round_off(&sim->solver, region->islands[at], &sim->now, sim->rate);
  for (int32_t at = 0; at < region->count; at++) uncertain[at] = sim->rate[region->states[at]];
}

/* A state that has hardly moved yet is measured against others of its kind. */
static void set_scales(HbgRegion *region) {
  HbgSim *sim = region->sim;
  double largest[3] = {0, 0, 0};
  for (int32_t at = 0; at < region->count; at++) {
    const int kind = hbg_state_kind(sim->model, region->states[at]);
    largest[kind] = fmax(largest[kind], sim->scale[region->states[at]]);
  }
  for (int32_t kind = 0; kind < 3; kind++) sim->local->largest[kind] = fmax(sim->local->largest[kind], largest[kind]);
  for (int32_t at = 0; at < region->count; at++) {
    const int32_t state = region->states[at];
    const double least = 1e-6 * sim->local->largest[hbg_state_kind(sim->model, state)];
    region->stepper->scale[at] = fmax(region->stepper->scale[at], fmax(sim->scale[state], least));
  }
}

bool hbg_region_may_step(HbgSim *sim, const HbgRegion *region) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (hbg_constraints_may_drift(sim, region->islands[at])) return false;
  return region->count > 0;
}

static void note_result(HbgRegion *region, HbgStepResult result) {
  if (result != HBG_STEP_TAKEN || region->stepper->stiff) region->sim->local->must_leave = true;
  if (region->stepper->stiff) region->sim->local->is_over = true; // from now on as a whole, where stiff parts are seen to
}

void hbg_region_begin_steps(HbgSim *sim, HbgRegion *region, double t) {
  region->sim = sim;
  if (!region->stepper) {
    region->stepper = hbg_dp5_dp8(&sim->local->arena, region->count, rates, region);
    region->stepper->reads_between = true; // by guards, which watch all of it
    region->stepper->round_off = round_off;
    hbg_stepper_set_tolerance(region->stepper, sim->options.tolerance);
  }
  set_scales(region);
  double *y = region->stepper->y1;
  for (int32_t at = 0; at < region->count; at++) y[at] = sim->now.state[region->states[at]];
  region->horizon = region->origin = t;
  note_result(region, hbg_stepper_restart(region->stepper, t, y));
  if (!sim->local->must_leave) hbg_region_step(sim, region);
  // the first step has been tried at states that lie ahead
  for (int32_t at = 0; at < region->count; at++) sim->now.state[region->states[at]] = region->stepper->y0[at];
  sim->now.time = sim->time;
}

void hbg_region_step(HbgSim *sim, HbgRegion *region) {
  const double longest = hbg_integrate_longest_step(sim);
  note_result(region, hbg_stepper_step(region->stepper, fmin(sim->options.stop, region->horizon + longest)));
  sim->statistics.steps++;
  region->horizon = region->stepper->t1 < sim->options.stop ? region->stepper->t1 : (double)INFINITY;
  for (int32_t at = 0; at < region->count; at++)
    sim->scale[region->states[at]] = fmax(sim->scale[region->states[at]], fabs(region->stepper->y1[at]));
  set_scales(region);
  region->synced = region->shown = (double)NAN;
  hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, region->states[0]), region->horizon);
}

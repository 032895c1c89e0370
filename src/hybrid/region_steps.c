/* SPDX-License-Identifier: BSD-3-Clause
 * A region that is integrated, by steps of its own: its rates, and one step after the other. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/region_series.h"
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
    dy[at] = hbg_local_integrand(sim, state);
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
void hbg_local_set_scales(HbgSim *sim, const int32_t *states, int32_t count, HbgStepper *stepper) {
  double *largest = sim->local->largest;
  for (int32_t at = 0; at < count; at++) {
    double *most = &largest[hbg_state_kind(sim->model, states[at])];
    *most = fmax(*most, sim->scale[states[at]]);
  }
  for (int32_t at = 0; at < count; at++) {
    const double least = 1e-6 * largest[hbg_state_kind(sim->model, states[at])];
    stepper->scale[at] = fmax(stepper->scale[at], fmax(sim->scale[states[at]], least));
  }
}

static void set_scales(const HbgRegion *region) { hbg_local_set_scales(region->sim, region->states, region->count, region->stepper); }

bool hbg_region_may_step(HbgSim *sim, const HbgRegion *region) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (hbg_constraints_may_drift(sim, region->islands[at])) return false;
  return region->count > 0;
}

static void note_result(HbgRegion *region, HbgStepResult result) {
  const bool is_stiff = region->stepper->stiff && region->stepper == region->by_pairs; // series only suspect it
  if (result != HBG_STEP_TAKEN || is_stiff) region->sim->local->must_leave = true;
  if (is_stiff) region->sim->local->is_over = true; // from now on as a whole, where stiff parts are seen to
}

/* ---- by series, or by pairs ---- */

static HbgStepper *pairs_of(HbgSim *sim, HbgRegion *region) {
  if (region->by_pairs) return region->by_pairs;
  region->by_pairs = hbg_dp5_dp8(&sim->local->arena, region->count, rates, region);
  region->by_pairs->reads_between = true; // by guards, which watch all of it
  region->by_pairs->round_off = round_off;
  hbg_stepper_set_tolerance(region->by_pairs, sim->options.tolerance);
  return region->by_pairs;
}

/* NULL where the region has no series. */
static HbgStepper *series_of(HbgSim *sim, HbgRegion *region) {
  if (region->has_no_series) return NULL;
  if (region->by_series && hbg_region_series_renew(sim, region)) return region->by_series;
  region->by_series = hbg_region_series(sim, region);
  if (region->by_series) hbg_stepper_set_tolerance(region->by_series, sim->options.tolerance);
  else region->has_no_series = true;
  return region->by_series;
}

bool hbg_region_is_quick(HbgSim *sim, HbgRegion *region) { return region->count <= HBG_REGION_MOST_STATES && series_of(sim, region); }

bool hbg_region_steps_steadily(const HbgRegion *region) {
  return region->is_stepped && region->by_series && region->stepper == region->by_series && region->series->is_steady;
}

static void begin_by(HbgRegion *region, HbgStepper *stepper, double t, const double *y) {
  region->stepper = stepper;
  set_scales(region);
  note_result(region, hbg_stepper_restart(stepper, t, y));
}

/* What is read often within a step, for rows of others, is better read by its polynomials. */
static HbgStepResult step_by_pairs(HbgSim *sim, HbgRegion *region, double t_max) {
  enum { OFTEN = 3 };
  return region->reads > OFTEN ? hbg_readable_step(region->stepper, t_max, &region->readable, &sim->scratch) : hbg_stepper_step(region->stepper, t_max);
}

/* Where a series breaks off, or meets what may be stiff, pairs go on, which know what to do. */
static HbgStepResult take_step(HbgSim *sim, HbgRegion *region, double t_max) {
  const HbgStepper *series = region->by_series;
  if (region->stepper != series) return step_by_pairs(sim, region, t_max);
  const HbgStepResult result = series->stiff ? HBG_STEP_REFUSED : hbg_stepper_step(region->by_series, t_max);
  if (result == HBG_STEP_TAKEN) return result;
  begin_by(region, pairs_of(sim, region), series->t1, series->y1);
  return hbg_stepper_step(region->stepper, t_max);
}

void hbg_region_begin_steps(HbgSim *sim, HbgRegion *region, double t) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *y = ARENA_NEW(&sim->scratch, double, region->count);
  region->sim = sim;
  for (int32_t at = 0; at < region->count; at++) y[at] = sim->now.state[region->states[at]];
  region->horizon = region->origin = t;
  HbgStepper *series = series_of(sim, region);
  begin_by(region, series ? series : pairs_of(sim, region), t, y);
  if (!sim->local->must_leave) hbg_region_step(sim, region);
  // the first step has been tried at states that lie ahead
  for (int32_t at = 0; at < region->count; at++) sim->now.state[region->states[at]] = y[at];
  sim->now.time = sim->time;
  hbg_arena_rewind(&sim->scratch, mark);
}

/* How large its states have been: where the step ends that was taken last. Where the next one will end is not where they come to be, mostly. */
static void note_sizes(HbgSim *sim, HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++)
    sim->scale[region->states[at]] = fmax(sim->scale[region->states[at]], fabs(region->stepper->y1[at]));
  set_scales(region);
}

/* A region that remembers does not step over where its past has a break, nor reads what it has yet to make. */
static double end_of_step(HbgSim *sim, const HbgRegion *region) {
  const double end = fmin(sim->options.stop, region->horizon + hbg_integrate_longest_step(sim));
  HbgMemory *memory = hbg_memory_of_state(&sim->past, region->states[0]);
  if (!memory) return end;
  hbg_memory_reach(sim, memory, region->horizon);
  return fmin(end, fmin(hbg_memory_next(sim, memory), region->horizon + hbg_memory_longest_step(sim, memory)));
}

void hbg_region_step(HbgSim *sim, HbgRegion *region) {
  note_sizes(sim, region);
  note_result(region, take_step(sim, region, end_of_step(sim, region)));
  region->reads /= 2; // what has been remains of account for a while
  if (region->stepper == region->by_series) hbg_region_note_differences(sim, region);
  sim->statistics.steps++;
  region->horizon = region->stepper->t1 < sim->options.stop ? region->stepper->t1 : (double)INFINITY;
  region->synced = region->shown = (double)NAN;
  hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, region->states[0]), region->horizon);
}

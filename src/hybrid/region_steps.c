/* SPDX-License-Identifier: BSD-3-Clause
 * A region that is integrated, by steps of its own: its rates, and one step after the other. */
#include <math.h>
#include <string.h>

#include "hybrid/local_parts.h"
#include "hybrid/part.h"
#include "hybrid/region_series.h"
#include "hybrid/unseen.h"
#include "numerics/dp5.h"
#include "numerics/stiffness.h"

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

/* ---- stiff regions ---- */

/* A part of the model (part.h) that consists of one region: a one-step method with the Jacobian of its equations. */
typedef struct HbgStiffRegion {
  HbgPart part;
  HbgStiffness stiffness;
} HbgStiffRegion;

void hbg_local_free_stiff(HbgLocal *local) {
  for (int32_t at = 0; at < local->stiff_count; at++) hbg_part_release(&local->stiff[at]->part);
}

static bool is_stiff(const HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++)
    if (region->sim->local->is_stiff[region->states[at]]) return true;
  return false;
}

static void note_stiffness(HbgRegion *region, bool is_stiff) {
  for (int32_t at = 0; at < region->count; at++) region->sim->local->is_stiff[region->states[at]] = is_stiff;
}

/* NULL: where there are many the whole, which sees to all of them together, is better off. */
static HbgStiffRegion *stiff_region_of(HbgSim *sim, HbgRegion *region) {
  enum { MOST = 64 };
  HbgLocal *local = sim->local;
  if (region->by_part) return region->by_part;
  if (local->stiff_count == MOST) return NULL;
  region->by_part = ARENA_NEW(&local->arena, HbgStiffRegion, 1);
  hbg_part_make(&region->by_part->part, sim, hbg_inputs_of(sim), region->states, region->count, true);
  ARENA_PUSH(&local->arena, local->stiff, local->stiff_count, local->stiff_capacity) = region->by_part;
  return region->by_part;
}

static bool is_implicit(const HbgRegion *region) { return region->by_part && region->stepper == region->by_part->part.stepper; }

/* An implicit step has been taken: is it worth while? */
static void judge(HbgRegion *region) {
  HbgStiffRegion *self = region->by_part;
  region->sim->statistics.implicit_steps++;
  const double length = region->stepper->t1 - region->stepper->t0;
  note_stiffness(region, hbg_stiffness_go_on(&self->stiffness, length * self->part.speed[0]));
}

/* What stands in for it as a whole, which sees to stiff parts, from now on; or until it may have an exact motion. */
static void give_up(HbgRegion *region) {
  HbgLocal *local = region->sim->local;
  local->must_leave = true;
  if (!region->waits_for_motion) local->is_over = true;
}

/* An explicit step has found it stiff. Where there is nothing else, the whole is what it is. */
static void meet_stiffness(HbgRegion *region) {
  if (region->count == region->sim->model->state_count) give_up(region);
  else note_stiffness(region, true);
}

static void note_result(HbgRegion *region, HbgStepResult result) {
  if (result != HBG_STEP_TAKEN) region->sim->local->must_leave = true;
  else if (is_implicit(region)) judge(region);
  else if (region->stepper == region->by_pairs && region->stepper->stiff) meet_stiffness(region); // series only suspect it
  if (region->by_pairs) region->by_pairs->stiff = false;
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

bool hbg_region_is_quick(HbgSim *sim, HbgRegion *region) { return region->count <= HBG_REGION_USUAL_STATES && series_of(sim, region); }

bool hbg_region_steps_steadily(const HbgRegion *region) {
  return region->is_stepped && region->by_series && region->stepper == region->by_series && region->series->is_steady;
}

static void begin_by(HbgRegion *region, HbgStepper *stepper, double t, const double *y) {
  region->stepper = stepper;
  set_scales(region);
  note_result(region, hbg_stepper_restart(stepper, t, y));
}

/* From `t` on by the implicit method; false: it cannot. */
static bool begin_implicitly(HbgSim *sim, HbgRegion *region, double t, const double *y) {
  HbgStiffRegion *self = stiff_region_of(sim, region);
  if (!self) return false;
  self->part.arena.on_failure = sim->arena->on_failure; // of the present call
  if (!hbg_part_enter_alone(&self->part, region->islands, region->island_count)) return false;
  if (!self->stiffness.is_stiff) hbg_stiffness_begin(&self->stiffness);
  region->stepper = self->part.stepper;
  set_scales(region);
  return hbg_stepper_restart(region->stepper, t, y) == HBG_STEP_TAKEN;
}

/* What is read often within a step, for rows of others, is better read by its polynomials. */
static HbgStepResult step_by_pairs(HbgSim *sim, HbgRegion *region, double t_max) {
  enum { OFTEN = 3 };
  return region->reads > OFTEN ? hbg_readable_step(region->stepper, t_max, &region->readable, &sim->scratch) : hbg_stepper_step(region->stepper, t_max);
}

/* Where a series breaks off, or meets what may be stiff, pairs go on, which know what to do. */
static HbgStepResult take_step(HbgSim *sim, HbgRegion *region, double t_max) {
  const HbgStepper *series = region->by_series;
  if (is_implicit(region)) {
    region->by_part->part.arena.on_failure = sim->arena->on_failure;
    return hbg_stepper_step(region->stepper, t_max);
  }
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
  if (is_stiff(region)) {
    if (!begin_implicitly(sim, region, t, y)) give_up(region);
  } else {
    HbgStepper *series = series_of(sim, region);
    begin_by(region, series ? series : pairs_of(sim, region), t, y);
  }
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

double hbg_local_longest_step(HbgSim *sim, int32_t state) {
  HbgLocal *local = sim->local;
  const double wave = sim->laws.fastest_wave;
  if (!local->unseen && (wave > 0 || hbg_unseen_is_any(&sim->laws, &sim->guards)))
    local->unseen = hbg_unseen(sim->model, &sim->laws, &sim->guards, &local->arena, &sim->scratch);
  if (!local->unseen) return (double)INFINITY;
  const double longest = local->unseen[state] & HBG_UNSEEN_HIDES ? hbg_unseen_longest_step(sim->options.stop) : (double)INFINITY;
  return local->unseen[state] & HBG_UNSEEN_FOLLOWS_TIME ? fmin(longest, hbg_unseen_part_of_wave(wave, sim->options.stop)) : longest;
}

/* A region that remembers does not step over where its past has a break, nor reads what it has yet to make. */
static double end_of_step(HbgSim *sim, const HbgRegion *region, const HbgMemory *memory) {
  const double end = fmin(sim->options.stop, region->horizon + hbg_local_longest_step(sim, region->states[0]));
  return memory ? fmin(end, fmin(hbg_memory_next(sim, memory), region->horizon + hbg_memory_longest_step(sim, memory))) : end;
}

/* Where stiffness has shown, or gone, the method changes. */
static void choose_method(HbgSim *sim, HbgRegion *region) {
  if (is_stiff(region) == is_implicit(region)) return;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *y = ARENA_NEW(&sim->scratch, double, region->count);
  const double t = region->stepper->t1;
  memcpy(y, region->stepper->y1, (size_t)region->count * sizeof *y);
  if (is_implicit(region)) begin_by(region, pairs_of(sim, region), t, y);
  else if (!begin_implicitly(sim, region, t, y)) give_up(region);
  hbg_arena_rewind(&sim->scratch, mark);
}

void hbg_region_step(HbgSim *sim, HbgRegion *region) {
  HbgMemory *memory = hbg_memory_of_state(&sim->past, region->states[0]);
  if (memory) hbg_memory_reach(sim, memory, region->horizon); // as long as the last step is there
  choose_method(sim, region);
  note_sizes(sim, region);
  note_result(region, take_step(sim, region, end_of_step(sim, region, memory)));
  region->reads /= 2; // what has been remains of account for a while
  if (region->stepper == region->by_series) hbg_region_note_differences(sim, region);
  sim->statistics.steps++;
  region->horizon = region->stepper->t1 < sim->options.stop ? region->stepper->t1 : (double)INFINITY;
  region->synced = region->shown = (double)NAN;
  hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, region->states[0]), region->horizon);
}

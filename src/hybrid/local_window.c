/* SPDX-License-Identifier: BSD-3-Clause
 * What regions with clocks of their own are over a common stretch of time, as if one stepper had taken it in one step: so guards that are no
 * combination of states, or read regions that are integrated, are located like any other (locate.c). */
#include <math.h>

#include "hybrid/local_parts.h"
#include "numerics/polynomial.h"

typedef struct Patchwork {
  HbgStepper stepper; /* first: the methods cast */
  HbgSim *sim;
} Patchwork;

static const HbgRegion *region_of(const HbgSim *sim, int32_t state) { return sim->local->region_of[state]; }

static double time_at(const HbgStepper *stepper, double theta) { return stepper->t0 + theta * (stepper->t1 - stepper->t0); }

static double dense_one(HbgStepper *stepper, double theta, int32_t state) {
  const HbgSim *sim = ((const Patchwork *)stepper)->sim;
  const HbgRegion *region = region_of(sim, state);
  const int32_t place = sim->local->place_of[state];
  const double t = time_at(stepper, theta);
  if (region->is_stepped) return hbg_stepper_dense_one(region->stepper, hbg_stepper_theta(region->stepper, t), place);
  if (region->motion->is_parabola) return hbg_region_value(region, place, t);
  double values[HBG_REGION_MOST_STATES];
  hbg_region_values(region, t, values);
  return values[place];
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  for (int32_t state = 0; state < stepper->n; state++) y[state] = dense_one(stepper, theta, state);
}

static int32_t polynomial(HbgStepper *stepper, int32_t state, double *c) {
  const HbgSim *sim = ((const Patchwork *)stepper)->sim;
  const HbgRegion *region = region_of(sim, state);
  const int32_t place = sim->local->place_of[state];
  const double length = stepper->t1 - stepper->t0;
  if (region->is_stepped) {
    const HbgStepper *own = region->stepper;
    const int32_t degree = hbg_stepper_polynomial(region->stepper, place, c);
    const double own_length = own->t1 - own->t0;
    if (degree >= 0 && own_length > 0)
      hbg_coefficients_part(c, degree, (stepper->t0 - own->t0) / own_length, (stepper->t1 - own->t0) / own_length);
    return degree;
  }
  if (!region->motion->is_parabola) return -1;
  const HbgTrack *track = &region->tracks[place];
  const double s = stepper->t0 - region->origin;
  c[0] = hbg_region_value(region, place, stepper->t0);
  c[1] = (track->b + 2 * s * track->c) * length;
  c[2] = track->c * length * length;
  return 2;
}

HbgStepper *hbg_local_patchwork(HbgSim *sim) {
  static const HbgStepperMethod method = {.name = "regions", .dense = dense, .dense_one = dense_one, .polynomial = polynomial};
  Patchwork *patchwork = ARENA_NEW(&sim->local->arena, Patchwork, 1);
  hbg_stepper_init(&patchwork->stepper, &method, &sim->local->arena, sim->model->state_count, NULL, NULL);
  patchwork->sim = sim;
  return &patchwork->stepper;
}

/* ---- one guard ---- */

typedef struct Readings {
  HbgSim *sim;
  double to; /* up to here everything it reads is known [s] */
  bool is_known;
} Readings;

static void read_region(Readings *self, HbgRegion *region) {
  self->to = fmin(self->to, region->is_stepped ? region->stepper->t1 : (double)INFINITY);
}

static Readings read_guard(HbgSim *sim, const HbgConjunction *guard) {
  Readings self = {.sim = sim, .to = sim->options.stop, .is_known = true};
  for (int32_t at = 0; at < guard->state_count; at++) read_region(&self, sim->local->region_of[guard->states[at]]);
  for (int32_t at = 0; at < guard->bond_count; at++) {
    const HbgIsland *island = sim->island_of[guard->bonds[at]];
    if (island->region) read_region(&self, island->region);
    else self.is_known = false; // its law may read anything
  }
  const HbgMemory *memory = hbg_memory_of_machine(&sim->past, guard->machine);
  if (memory) read_region(&self, sim->local->region_of[memory->state]); // a delay tells no more than has been recorded
  return self;
}

static void set_ends(HbgSim *sim, HbgRegion *region) {
  HbgStepper *stepper = sim->stepper;
  for (int32_t at = 0; at < region->count; at++) {
    stepper->y0[region->states[at]] = dense_one(stepper, 0, region->states[at]);
    stepper->y1[region->states[at]] = dense_one(stepper, 1, region->states[at]);
  }
  region->synced = region->shown = (double)NAN; // the search leaves what it looked at last
}

/* Does the region stay within its size over the window? What round-off can hide is measured against the largest value in it. */
static bool is_calm(const HbgSim *sim, const HbgRegion *region, double from, double length) {
  if (region->is_stepped || !region->motion->is_parabola) return true;
  for (int32_t at = 0; at < region->count; at++) {
    const HbgTrack *track = &region->tracks[at];
    const double rate = track->b + 2 * (from - region->origin) * track->c;
    const double size = fmax(sim->scale[region->states[at]], fabs(hbg_region_value(region, at, from)));
    if ((fabs(rate) + fabs(track->c) * length) * length > size) return false;
  }
  return true;
}

static bool all_are_calm(const HbgSim *sim, const HbgConjunction *guard, double from, double length) {
  for (int32_t at = 0; at < guard->state_count; at++)
    if (!is_calm(sim, region_of(sim, guard->states[at]), from, length)) return false;
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (!is_calm(sim, sim->island_of[guard->bonds[at]]->region, from, length)) return false;
  return true;
}

enum { MOST_HALVINGS = 40 };

/* Where the window ends that begins at `from`: what starts at zero doubles from one to the next. */
static double end_of_window(const HbgSim *sim, const HbgConjunction *guard, double from, double to) {
  double length = to - from;
  for (int halving = 0; halving < MOST_HALVINGS && !all_are_calm(sim, guard, from, length); halving++) length /= 2;
  return length < to - from && from + length > from ? from + length : to;
}

static HbgCrossing look_through(HbgSim *sim, const HbgConjunction *guard, double from, double to) {
  sim->stepper->t0 = from;
  sim->stepper->t1 = to;
  for (int32_t at = 0; at < guard->state_count; at++) set_ends(sim, sim->local->region_of[guard->states[at]]);
  for (int32_t at = 0; at < guard->bond_count; at++) set_ends(sim, sim->island_of[guard->bonds[at]]->region);
  return hbg_locate_guard(sim, guard);
}

double hbg_local_search(HbgSim *sim, const HbgConjunction *guard, bool *is_possible, bool *is_resolved) {
  const Readings reads = read_guard(sim, guard);
  *is_possible = *is_possible && reads.is_known;
  if (!reads.is_known) return (double)INFINITY;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgCrossing crossing = {.found = false};
  double from = sim->time;
  while (!crossing.found && from < reads.to) {
    const double to = end_of_window(sim, guard, from, reads.to);
    hbg_arena_rewind(&sim->scratch, mark);
    crossing = look_through(sim, guard, from, to);
    from = to;
  }
  if (crossing.found && sim->stepper->t0 <= sim->time) *is_resolved = hbg_locate_is_resolved(sim, guard, sim->stepper->t0, crossing.time);
  hbg_arena_rewind(&sim->scratch, mark);
  sim->now.time = sim->time;
  return crossing.found ? crossing.time : (double)INFINITY;
}

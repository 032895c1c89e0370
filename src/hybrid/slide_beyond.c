/* SPDX-License-Identifier: BSD-3-Clause
 * Shares that have jumped beyond their limits, where nothing was located: at an instant, as at a knot of a belt's speed; and at a kink that nobody knows of, as of
 * max(exp(time), 2), within a step. */
#include <math.h>

#include "hybrid/sim.h"

#define BEYOND 1e-9         /* of a limit: a share that has passed it by less is located soon */
#define CLEARLY_BEYOND 1e-6 /* the same, where shares are found by differences */

/* As add_ends_by_share() has made it. */
static const HbgConjunction *way_out(const HbgSurface *surface, double share) { return &surface->ways_out[0].list[share > 1]; }

static double share_of(const HbgSim *sim, const HbgSurface *surface) { return sim->now.share[surface->machines[0]]; }

static bool is_beyond(double share, double by) { return fmax(-share, share - 1) > by; }

int32_t hbg_slides_beyond(const HbgSim *sim, const HbgConjunction **list) {
  int32_t count = 0;
  for (int32_t at = 0; at < sim->slides.count; at++) {
    const HbgSurface *surface = sim->slides.active[at];
    if (surface->slide && surface->slide->reads_mode && is_beyond(share_of(sim, surface), BEYOND)) list[count++] = way_out(surface, share_of(sim, surface));
  }
  return count;
}

/* Those whose shares are found by differences, at `t` within the last step. What cannot be found out is not among them. */
static int32_t find_at(HbgSim *sim, double t, const HbgConjunction **list) {
  bool moved = false;
  int32_t count = 0;
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
  sim->now.time = t;
  if (!hbg_slides_project(sim, &moved) || !hbg_slides_blend(sim)) return 0;
  for (int32_t at = 0; at < sim->slides.count; at++) {
    const HbgSurface *surface = sim->slides.active[at];
    if (surface->slide && !surface->slide->line && is_beyond(share_of(sim, surface), CLEARLY_BEYOND)) list[count++] = way_out(surface, share_of(sim, surface));
  }
  return count;
}

HbgCrossing hbg_slides_locate_beyond(HbgSim *sim) {
  if (!sim->slides.count || sim->slides.are_known) return (HbgCrossing){0};
  const HbgConjunction **list = ARENA_NEW(&sim->scratch, const HbgConjunction *, sim->slides.count);
  double low = sim->stepper->t0, high = sim->stepper->t1;
  int32_t count = find_at(sim, high, list);
  if (!count) return (HbgCrossing){0};
  for (double middle = low + (high - low) / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
    if (find_at(sim, middle, list)) high = middle;
    else low = middle;
  }
  count = find_at(sim, high, list);
  return (HbgCrossing){.found = count > 0, .time = high, .list = list, .count = count};
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Staying on surfaces: what integration leaves of a distance is taken away along the directions in which switching acts. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid/near.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"

static void run_bonds(HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    hbg_island_variables(&sim->solver, sim->island_of[guard->bonds[at]], &sim->now, true);
}

void hbg_guard_measure(HbgSim *sim, const HbgConjunction *guard) {
  run_bonds(sim, guard);
  // near a surface values are small; what they are small against is what their states have been
  sim->now.state_scale = sim->scale;
  hbg_probe_run_pairs((HbgProbe *)(uintptr_t)&guard->probe, &sim->now, &sim->now); /* its registers are work space */
  sim->now.state_scale = NULL;
}

/* The oriented difference at sim->now. */
static HbgPair distance(HbgSim *sim, const HbgSlide *slide) {
  const HbgSurface *surface = slide->surface;
  hbg_guard_measure(sim, surface->to);
  HbgPair pair = *hbg_probe_pair(&surface->to->probe, 1 + surface->which);
  pair.value *= surface->sign;
  return pair;
}

/* Distances of a group's surfaces into group->share, which is work space here. Are they all nothing? */
static bool are_met(HbgSim *sim, HbgSlideGroup *group) {
  bool are_zero = true;
  for (int32_t at = 0; at < group->count; at++) {
    const HbgPair pair = distance(sim, group->slides[at]);
    group->share[at] = -pair.value;
    if (!(fabs(pair.value) <= 4 * DBL_EPSILON * pair.value_size)) are_zero = false;
  }
  return are_zero;
}

static bool is_on_line(const HbgSim *sim, const struct HbgSlideLine *line) {
  double size = line->surface.size;
  for (int32_t at = 0; at < line->surface.count; at++)
    size += fabs(line->surface.terms[at].weight) * sim->scale[line->surface.terms[at].state];
  return fabs(hbg_linear_at(&line->surface, &sim->now)) <= 4 * DBL_EPSILON * size;
}

enum { ROUNDS = 4 };

bool hbg_slide_line_project(HbgSim *sim, const struct HbgSlideLine *line) {
  bool moved = false;
  for (int round = 0; round < ROUNDS && !is_on_line(sim, line); round++) {
    const double share = -hbg_linear_at(&line->surface, &sim->now) / line->along;
    for (int32_t at = 0; at < line->change_count; at++) sim->now.state[line->changes[at].state] += share * line->changes[at].weight;
    moved = true;
  }
  return moved;
}

static bool project(HbgSim *sim, HbgSlideGroup *group, bool *moved) {
  const bool are_known = hbg_slide_group_is_known(group);
  for (int32_t at = 0; are_known && at < group->count; at++) if (hbg_slide_line_project(sim, group->slides[at]->line)) *moved = true;
  if (are_known || are_met(sim, group)) return true;
  if (!hbg_slide_group_solve(sim, group)) return false;
  for (int round = 0; round < ROUNDS && !are_met(sim, group); round++) {
    if (!hbg_slide_group_divide(group, group->share)) return false;
    for (int32_t which = 0; which < group->count; which++)
      for (int32_t at = 0; at < group->relevant.count; at++)
        sim->now.state[group->relevant.list[at]] += group->share[which] * group->change[which * group->relevant.count + at];
    *moved = true;
  }
  return true;
}

void hbg_slides_keep_unprojected(HbgSim *sim) {
  const int32_t count = sim->model->state_count;
  sim->slides.unprojected = NULL;
  if (!sim->slides.count) return;
  double *states = ARENA_NEW(&sim->scratch, double, count);
  memcpy(states, sim->now.state, (size_t)count * sizeof *states);
  sim->slides.unprojected = states;
}

bool hbg_slides_project(HbgSim *sim, bool *moved) {
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    if (!project(sim, sim->slides.groups[at], moved)) return false;
  return true;
}

/* ---- surfaces that are left ---- */

static bool is_by_scope(const HbgSim *sim) { return sim->is_near && !sim->scope.is_everything; }

/* Why both sides do not hold the state on the surface any more, on which it still is; NULL: they do. */
static const char *hold_no_more(HbgSim *sim, HbgSlide *slide, bool *leads_there) {
  if (!slide->line && hbg_slide_is_void(sim, slide, leads_there)) return "both sides are the same";
  return hbg_slide_repels(sim, slide, leads_there) ? "both sides lead away" : NULL;
}

/* Ends its slide where the surface is not here any more, or does not hold the state. Answers how many machines that are, added to `changed`. */
static int32_t drop(HbgSim *sim, HbgSurface *surface, int32_t *changed) {
  if (!surface->is_active || !surface->slide) return 0;
  HbgSlideGroup *group = surface->slide->group;
  if (is_by_scope(sim)) hbg_near_know_states(sim, &group->states);
  const HbgPair pair = distance(sim, surface->slide);
  bool leads_there = pair.value > 0;
  const char *since = "its surface has moved";
  if (fabs(pair.value) <= HBG_AREA_BAND * pair.value_size) since = hold_no_more(sim, surface->slide, &leads_there);
  if (!since) {
    if (is_by_scope(sim)) hbg_slide_group_blend(sim, group); // what was looked at is one side of it, and may be shown
    return 0;
  }
  sim->slides.dropped_since = since;
  hbg_scope_touch_machines(sim, surface->machines, surface->count); // as they are until now
  hbg_surface_end(sim, surface, leads_there);
  sim->slides.disarmed[surface->machines[0]] = (HbgDisarmed){0};
  for (int32_t at = 0; at < surface->count; at++) {
    hbg_scope_note_fired(sim, surface->machines[at]);
    changed[at] = surface->machines[at];
  }
  return surface->count;
}

/* What begins in this instant has been found to be on its surface, which nothing turns any more. */
static bool has_begun_before(const HbgSim *sim, const HbgSurface *surface) { return surface->begun != sim->scope.stamp; }

/* All; those that read what turns at instants; or of these those whose surfaces do. */
typedef enum Dropped { ALL, THAT_READ_MODE, WHOSE_SURFACES_READ_MODE } Dropped;

static bool is_of(const HbgSlide *slide, Dropped which) {
  return which == ALL || (which == THAT_READ_MODE ? slide->reads_mode : slide->surface_reads_mode);
}

static int32_t drop_active(HbgSim *sim, Dropped which, int32_t *changed) {
  HbgSlides *slides = &sim->slides;
  int32_t count = 0;
  for (int32_t at = 0; at < slides->count;) {
    HbgSurface *surface = slides->active[at];
    const bool may_be_left = which == ALL || (surface->slide && is_of(surface->slide, which) && has_begun_before(sim, surface));
    const int32_t dropped = may_be_left ? drop(sim, surface, changed + count) : 0;
    if (!dropped) at++;
    count += dropped;
  }
  return count;
}

static int32_t drop_group(HbgSim *sim, const HbgSlideGroup *group, int32_t *changed) {
  int32_t count = 0;
  for (int32_t at = 0; group && at < group->count; at++) count += drop(sim, group->slides[at]->surface, changed + count);
  return count;
}

/* Those of machines in the scope, and of islands: others an instant that is near has nothing to do with. */
static int32_t drop_in_scope(HbgSim *sim, int32_t *changed) {
  int32_t count = 0;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    const HbgSurface *surface = sim->slides.of_machine[sim->scope.machines.list[at]];
    if (surface && surface->slide) count += drop_group(sim, surface->slide->group, changed + count);
  }
  for (int32_t at = 0; at < sim->scope.bonds.count; at++)
    count += drop_group(sim, sim->island_of[sim->scope.bonds.list[at]]->sliding, changed + count);
  return count;
}

/* Those that read islands that are new: with them another law may hold there. */
static int32_t drop_at_fresh(HbgSim *sim, int32_t *changed) {
  int32_t count = 0;
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    const HbgSurfaceList *surfaces = sim->fresh[at]->place >= 0 ? sim->fresh[at]->surfaces : NULL;
    for (int32_t which = 0; surfaces && which < surfaces->count; which++)
      if (has_begun_before(sim, surfaces->list[which])) count += drop(sim, surfaces->list[which], changed + count);
  }
  return count;
}

int32_t hbg_slides_drop(HbgSim *sim, bool jumped, bool have_turned, bool islands_have_turned, int32_t *changed) {
  int32_t count = 0;
  if (jumped) count += is_by_scope(sim) ? drop_in_scope(sim, changed) : drop_active(sim, ALL, changed);
  if (islands_have_turned) count += drop_at_fresh(sim, changed + count);
  if (islands_have_turned) count += drop_active(sim, have_turned ? THAT_READ_MODE : WHOSE_SURFACES_READ_MODE, changed + count);
  return count;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Where two surfaces meet, Filippov's set has four corners, one for each pair of states. Its vectors along both surfaces are one
 * and the same when what one machine does is independent of the state of the other one; else there are many, and which of
 * them is taken depends on how the switching is imperfect (Dieci and Lopez, Sliding motion in Filippov differential systems,
 * SIAM J. Numer. Anal. 47, 2009). */
#include <math.h>

#include "hybrid/sim.h"

static bool share_support(const HbgSlide *a, const HbgSlide *b) {
  int32_t at = 0;
  for (int32_t which = 0; which < b->support.count; which++) {
    while (at < a->support.count && a->support.list[at] < b->support.list[which]) at++;
    if (at < a->support.count && a->support.list[at] == b->support.list[which]) return true;
  }
  return false;
}

/* The rates with both machines on their other sides into slides.rate; everything is here again afterwards. */
static bool run_corner(HbgSim *sim, HbgSlideGroup *group, const HbgSlide *a, const HbgSlide *b) {
  HbgIslandList bonds = {0};
  for (int32_t at = 0; at < a->here.count; at++) ARENA_PUSH(&sim->scratch, bonds.list, bonds.count, bonds.capacity) = a->here.list[at];
  for (int32_t at = 0; at < b->here.count; at++) ARENA_PUSH(&sim->scratch, bonds.list, bonds.count, bonds.capacity) = b->here.list[at];
  hbg_surface_go(sim, a->surface, true);
  hbg_surface_go(sim, b->surface, true);
  const HbgIslandList corner = hbg_islands_at(sim, &bonds);
  const bool is_done = hbg_islands_run(sim, &group->islands) && hbg_islands_run(sim, &corner);
  for (int32_t at = 0; at < group->islands.count; at++)
    if (group->islands.list[at]->place >= 0) hbg_island_receive(sim, group->islands.list[at]);
  if (is_done) hbg_slide_group_integrate(sim, group);
  hbg_surface_go(sim, a->surface, false);
  hbg_surface_go(sim, b->surface, false);
  return is_done;
}

static bool are_independent(HbgSim *sim, HbgSlideGroup *group, int32_t a, int32_t b) {
  if (!share_support(group->slides[a], group->slides[b])) return true;
  if (!run_corner(sim, group, group->slides[a], group->slides[b])) return false;
  const int32_t relevant = group->relevant.count;
  for (int32_t at = 0; at < relevant; at++) {
    const double base = group->base[at], by_a = group->change[a * relevant + at], by_b = group->change[b * relevant + at];
    const double corner = sim->slides.rate[group->relevant.list[at]];
    const double size = fabs(base) + fabs(by_a) + fabs(by_b) + fabs(corner);
    if (!(fabs(corner - base - by_a - by_b) <= 1e-9 * size)) return false;
  }
  return true;
}

static HbgStatus report(HbgSim *sim, const HbgSurface *a, const HbgSurface *b) {
  hbg_report_at(sim, HBG_DIAGNOSTIC_SLIDING, sim->model->machines[a->machines[0]].span);
  return hbg_report_stop(
      sim,
      "sliding on two surfaces at once is not determined: what %s does depends on the state of %s\n  at t = %.15g s: %s (%s, and "
      "back by %s) and %s (%s, and back by %s) would take turns, and with every order of turns the motion is another one\n  help: "
      "give the guards of one of them a distance (hysteresis), so that there is an order; or let the machines act "
      "independently, for instance on sources that add up",
      hbg_surface_name(sim, a), hbg_surface_name(sim, b), sim->now.time, hbg_surface_name(sim, a),
      hbg_conjunction_text(sim, a->to), hbg_conjunction_text(sim, a->back), hbg_surface_name(sim, b),
      hbg_conjunction_text(sim, b->to), hbg_conjunction_text(sim, b->back));
}

HbgStatus hbg_slide_group_check(HbgSim *sim, HbgSlideGroup *group) {
  if (group->count < 2) return HBG_OK;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  for (int32_t a = 0; a < group->count; a++)
    for (int32_t b = a + 1; b < group->count; b++)
      if (!are_independent(sim, group, a, b)) return report(sim, group->slides[a]->surface, group->slides[b]->surface);
  hbg_arena_rewind(&sim->scratch, mark);
  return HBG_OK;
}

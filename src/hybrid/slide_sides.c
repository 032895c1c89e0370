/* SPDX-License-Identifier: BSD-3-Clause
 * What is different on the other side of a surface: the islands here and those that take their places there. */
#include "hybrid/slide_parts.h"

static void push_ports(HbgSim *sim, HbgIslandList *islands, int32_t node) {
  const HbgNode *at = &sim->model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++)
    hbg_islands_push(&sim->scratch, islands, sim->island_of[hbg_port(sim->model, at, which)->bond]);
}

HbgIslandList hbg_islands_at(HbgSim *sim, const HbgIslandList *of) {
  HbgIslandList islands = {0};
  for (int32_t at = 0; at < of->count; at++) {
    const HbgGraph *graph = &of->list[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      hbg_islands_push(&sim->scratch, &islands, sim->island_of[graph->bonds[bond].bond]);
  }
  hbg_islands_sort(&islands);
  return islands;
}

static HbgIslandList touched(HbgSim *sim, const HbgSurface *surface) {
  const HbgLaws *laws = &sim->laws;
  HbgIslandList islands = {0};
  for (int32_t which = 0; which < surface->count; which++) {
    const int32_t machine = surface->machines[which];
    for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) {
      const int32_t node = laws->switched_list[at], fed = hbg_cut_feeds(&sim->cuts, node);
      push_ports(sim, &islands, node);
      if (fed >= 0) push_ports(sim, &islands, fed);
    }
    for (int32_t at = laws->reader_start[machine]; at < laws->reader_start[machine + 1]; at++)
      push_ports(sim, &islands, hbg_cut_felt_at(sim, laws->reader_list[at]));
  }
  hbg_islands_sort(&islands);
  return islands;
}

void hbg_surface_go(HbgSim *sim, const HbgSurface *surface, bool is_there) {
  for (int32_t at = 0; at < surface->count; at++)
    sim->now.phi[surface->machines[at]] = is_there ? surface->there[at] : surface->here[at];
  hbg_mode_enter(sim, surface->machines, surface->count);
}

/* A bond may move to an island of its own or to another's, and take that one along: until both sides have the same bonds. */
void hbg_slide_find_sides(HbgSim *sim, HbgSlide *slide) {
  HbgIslandList here = touched(sim, slide->surface);
  for (;;) {
    hbg_surface_go(sim, slide->surface, true);
    slide->there = hbg_islands_at(sim, &here);
    hbg_surface_go(sim, slide->surface, false);
    slide->here = hbg_islands_at(sim, &slide->there);
    if (slide->here.count == here.count) return;
    here = slide->here;
  }
}

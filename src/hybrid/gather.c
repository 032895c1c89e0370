/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/gather.h"

#include "hybrid/sim.h"

bool hbg_hangs(const HbgSim *sim, const int32_t *fixed_by, int32_t bond) {
  const HbgBond *ends = &sim->model->bonds[bond];
  // what it receives is summed up afterwards
  if (fixed_by[ends->head] == ends->tail || fixed_by[ends->tail] == ends->head || hbg_cut_way(&sim->cuts, fixed_by, bond)) return true;
  const bool head_off = !sim->is_on[ends->head], tail_off = !sim->is_on[ends->tail];
  if (head_off == tail_off || sim->laws.is_read[bond]) return false;
  const HbgNode *off = &sim->model->nodes[head_off ? ends->head : ends->tail];
  const HbgNode *source = &sim->model->nodes[head_off ? ends->tail : ends->head];
  // e = u against e = 0 is a contradiction that must be told, not overlooked
  return (source->kind == HBG_ELEMENT_SF && off->kind == HBG_ELEMENT_ZERO) ||
         (source->kind == HBG_ELEMENT_SE && off->kind == HBG_ELEMENT_ONE);
}

typedef struct Search {
  HbgSim *sim;
  const int32_t *fixed_by;
  int32_t *queue;
  int32_t count;
} Search;

static void reach(Search *search, int32_t bond) {
  if (search->sim->bond_stamp[bond] == search->sim->stamp) return;
  search->sim->bond_stamp[bond] = search->sim->stamp;
  search->queue[search->count++] = bond;
}

static void reach_through_node(Search *search, int32_t node) {
  HbgSim *sim = search->sim;
  if (!sim->is_on[node] || search->fixed_by[node] >= 0 || sim->node_stamp[node] == sim->stamp) return;
  sim->node_stamp[node] = sim->stamp; // a large junction is walked once
  const HbgNode *at = &sim->model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++) reach(search, hbg_port(sim->model, at, which)->bond);
}

static void reach_through_links(Search *search, int32_t bond) {
  const HbgLaws *laws = &search->sim->laws;
  for (int32_t at = laws->link_start[bond]; at < laws->link_start[bond + 1]; at++) {
    const HbgLink *link = &laws->link_list[at];
    if (hbg_hangs(search->sim, search->fixed_by, link->reader)) continue;
    reach(search, link->reader == bond ? link->read : link->reader);
  }
}

int32_t hbg_gather(HbgSim *sim, const int32_t *fixed_by, int32_t bond, int32_t *queue) {
  Search search = {sim, fixed_by, queue, 0};
  reach(&search, bond);
  for (int32_t at = 0; at < search.count; at++) {
    const int32_t here = queue[at];
    if (hbg_hangs(sim, fixed_by, here)) continue;
    reach_through_node(&search, sim->model->bonds[here].tail);
    reach_through_node(&search, sim->model->bonds[here].head);
    reach_through_links(&search, here);
  }
  return search.count;
}

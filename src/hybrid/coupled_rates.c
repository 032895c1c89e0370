/* SPDX-License-Identifier: BSD-3-Clause
 * The rate of each state as a sum of states and functions of time: of what belongs to an island by its forms, of a storage that hangs by those of its neighbours. */
#include "hybrid/coupled.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"

static HbgRateRow *begin_row(HbgSim *sim, int32_t state) {
  HbgRateRow *row = &sim->local->coupled->states[state].row;
  row->drive = 0;
  row->count = 0;
  return row;
}

static void add_term(HbgSim *sim, HbgRateRow *row, int32_t state, double weight) {
  for (int32_t at = 0; at < row->count; at++) {
    if (row->terms[at].column != state) continue;
    row->terms[at].weight += weight;
    return;
  }
  ARENA_PUSH(&sim->local->arena, row->terms, row->count, row->capacity) = (HbgSeriesTerm){state, weight};
}

/* False: it follows too many functions of time. */
static bool add_form(HbgSim *sim, HbgRateRow *row, const HbgForm *form, double factor) {
  row->drive += factor * form->constant;
  for (int32_t at = 0; at < form->count; at++) add_term(sim, row, form->terms[at].state, factor * form->terms[at].weight);
  if (!form->time) return true;
  HbgSeriesTerm times[HBG_TIME_COLUMNS];
  const int32_t count = hbg_coupled_time_terms(sim, form->time, form->time_row, factor, &row->drive, times);
  for (int32_t at = 0; at < count; at++) add_term(sim, row, times[at].column, times[at].weight);
  return count >= 0;
}

/* The balance of the junction's other ports. */
static bool find_received(HbgSim *sim, int32_t which) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  HbgRateRow *row = begin_row(sim, deliveries->state[which]);
  for (int32_t at = deliveries->start[which]; at < deliveries->start[which + 1]; at++) {
    HbgIsland *island = sim->island_of[deliveries->variable[at] / 2];
    HbgForm form;
    if (island->is_storage || (island->is_hanging && island->delivery >= 0)) return false;
    if (!hbg_island_variable_form(&sim->solver, island, &sim->now, deliveries->variable[at], HBG_WIDE_MOST_STATES, &form)) return false;
    if (!add_form(sim, row, &form, deliveries->factor[at])) return false;
  }
  return true;
}

static bool find_own(HbgSim *sim, HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t at = 0; at < template->state_count; at++) {
    HbgForm form;
    if (template->state_node[at] < 0) continue;
    if (!hbg_island_rate_form(&sim->solver, island, &sim->now, at, HBG_WIDE_MOST_STATES, &form)) return false;
    if (!add_form(sim, begin_row(sim, island->binding.states[at]), &form, 1)) return false;
  }
  return true;
}

/* The storage that hangs at the junction of a port at the border; -1. */
static int32_t delivery_at(const HbgSim *sim, const HbgGraphNode *border) {
  const int32_t state = border->is_source_port ? sim->model->nodes[border->node].state : -1;
  if (state < 0) return -1;
  return sim->island_of[hbg_port(sim->model, &sim->model->nodes[border->node], 0)->bond]->delivery;
}

static bool find_border(HbgSim *sim, const HbgIsland *island) {
  HbgCoupledRun *run = sim->local->coupled;
  for (int32_t at = 0; island->graph.is_cut_at_storage && at < island->graph.node_count; at++) {
    const int32_t which = delivery_at(sim, &island->graph.nodes[at]);
    if (which < 0) continue;
    const int32_t state = sim->cuts.deliveries.state[which];
    hbg_scope_add_state(sim, state);
    if (run->states[state].stamp == run->stamp) continue;
    run->states[state].stamp = run->stamp;
    if (!find_received(sim, which)) return false;
  }
  return true;
}

bool hbg_coupled_find_rates(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->group_stamp++;
  local->coupled->stamp++;
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) {
    HbgIsland *island = sim->island_of[sim->scope.bonds.list[at]];
    if (island->group_stamp == local->group_stamp) continue;
    island->group_stamp = local->group_stamp;
    if (island->is_hanging) continue;
    if (island->program->template.pre_count || !find_own(sim, island) || !find_border(sim, island)) return false;
  }
  return true;
}

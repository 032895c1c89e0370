/* SPDX-License-Identifier: BSD-3-Clause
 * What a local instant touches. The left limit of a region is taken when it is touched: its states and variables a priori. */
#include "hybrid/island_forms.h"
#include "hybrid/left_limit.h"
#include "hybrid/local_parts.h"
#include "hybrid/who_reads.h"

/* What it has gone through up to here, before anything changes. */
static void remember(HbgSim *sim, const HbgRegion *region) {
  HbgMemory *memory = region->count ? hbg_memory_of_state(&sim->past, region->states[0]) : NULL;
  if (memory) hbg_memory_reach(sim, memory, sim->time);
}

/* Brings a region to the present instant. */
static void read_region(HbgSim *sim, HbgRegion *region) {
  if (region->read_stamp == sim->scope.stamp) return;
  region->read_stamp = sim->scope.stamp;
  if (sim->scope.is_survey) {
    hbg_transcript_region(sim, region);
    return;
  }
  remember(sim, region);
  hbg_region_note_course(sim, region, sim->time);
  hbg_region_sync(sim, region, sim->time);
  hbg_transcript_region(sim, region);
  hbg_left_limit_take_islands(sim, region->islands, region->island_count);
  for (int32_t at = 0; at < region->island_count; at++) {
    const HbgIsland *island = region->islands[at];
    for (int32_t bond = 0; bond < island->graph.bond_count; bond++) hbg_scope_take_bond(sim, island->graph.bonds[bond].bond);
  }
  for (int32_t at = 0; at < region->count; at++) sim->before.state[region->states[at]] = sim->now.state[region->states[at]];
}

static void read_bond(HbgSim *sim, int32_t bond) {
  HbgIsland *island = sim->island_of[bond];
  if (island->region) {
    read_region(sim, island->region);
    return;
  }
  if (!island->is_hanging || sim->scope.is_survey) return; // new in this instant
  hbg_island_variables(&sim->solver, island, &sim->now, true);
  hbg_scope_take_bond(sim, bond);
}

static void add_machine(HbgSim *sim, int32_t machine) {
  if (hbg_scope_has_machine(sim, machine)) return;
  hbg_scope_add_machine(sim, machine);
  const HbgLists *read = &sim->who_reads->by_machine;
  for (int32_t at = read->start[machine]; at < read->start[machine + 1]; at++) {
    if (read->list[at] >= 0) read_region(sim, sim->local->region_of[read->list[at]]);
    else read_bond(sim, -1 - read->list[at]);
  }
  const HbgLists *owned = &sim->who_reads->owned_by;
  for (int32_t at = owned->start[machine]; at < owned->start[machine + 1]; at++) add_machine(sim, owned->list[at]);
}

static void add_machines(HbgSim *sim, const HbgLists *lists, int32_t number) {
  for (int32_t at = lists->start[number]; at < lists->start[number + 1]; at++) add_machine(sim, lists->list[at]);
}

static void touch_region(HbgSim *sim, HbgRegion *region);

/* Those who only look on, or all. */
static void touch_among(HbgSim *sim, const HbgLists *readers, int32_t first, int32_t end, bool all) {
  for (int32_t at = readers->start[first]; at < readers->start[end]; at++) {
    HbgRegion *region = sim->local->region_of[readers->list[at]];
    if (region && (all || hbg_is_onlooker(sim, readers->list[at]))) touch_region(sim, region);
  }
}

/* Whoever looks at it sees something else from now on; what reads something that hangs belongs to no region with it, either. */
static void touch_onlookers(HbgSim *sim, int32_t bond) {
  const bool all = sim->local->any_reads_hanging;
  if (all || sim->local->onlookers.count) touch_among(sim, &hbg_who_reads_values(sim)->integrators, 2 * bond, 2 * bond + 2, all);
}

static void touch_onlookers_of_state(HbgSim *sim, int32_t state) {
  if (sim->local->onlookers.count) touch_among(sim, &hbg_who_reads_values(sim)->integrators_of_state, state, state + 1, false);
}

static void touch_region(HbgSim *sim, HbgRegion *region) {
  if (region->touch_stamp == sim->scope.stamp) return;
  region->touch_stamp = sim->scope.stamp;
  read_region(sim, region);
  for (int32_t at = 0; at < region->count; at++) {
    hbg_scope_add_state(sim, region->states[at]);
    touch_onlookers_of_state(sim, region->states[at]);
  }
  for (int32_t at = 0; at < region->guest_count; at++) read_region(sim, sim->local->region_of[region->guests[at]]);
  for (int32_t at = 0; at < region->island_count; at++)
    for (int32_t bond = 0; bond < region->islands[at]->graph.bond_count; bond++) {
      hbg_scope_add_bond(sim, region->islands[at]->graph.bonds[bond].bond);
      touch_onlookers(sim, region->islands[at]->graph.bonds[bond].bond);
    }
  for (int32_t at = 0; at < region->machine_count; at++) add_machine(sim, region->machines[at]);
}

static void touch_bond(HbgSim *sim, int32_t bond) {
  HbgIsland *island = sim->island_of[bond];
  const bool is_as_before = !hbg_scope_has_bond(sim, bond); // else it may hang since a moment ago
  hbg_scope_add_bond(sim, bond);
  touch_onlookers(sim, bond);
  if (island->region) {
    touch_region(sim, island->region);
    return;
  }
  if (island->is_hanging && is_as_before) hbg_transcript_hanging(sim, island);
  add_machines(sim, &sim->who_reads->of_bond, bond);
}

static void touch_node(HbgSim *sim, int32_t node) {
  const HbgNode *at = &sim->model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++) touch_bond(sim, hbg_port(sim->model, at, which)->bond);
}

/* A law that gives something else from now on; a source that is cut off also to the islands that it is cut off from. */
static void touch_law(HbgSim *sim, int32_t bond) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const int32_t which = sim->island_of[bond]->delivery, other = hbg_cut_other_way(&sim->cuts, bond);
  touch_bond(sim, bond);
  if (other >= 0) touch_bond(sim, other);
  for (int32_t term = which < 0 ? 0 : deliveries->start[which]; which >= 0 && term < deliveries->start[which + 1]; term++)
    touch_bond(sim, deliveries->variable[term] / 2);
}

static void touch_variable(HbgSim *sim, int32_t variable) {
  const HbgLists *bonds = &sim->who_reads->bonds_of_variable, *integrators = &sim->local->integrators_of_variable;
  for (int32_t at = bonds->start[variable]; at < bonds->start[variable + 1]; at++) touch_law(sim, bonds->list[at]);
  for (int32_t at = integrators->start[variable]; at < integrators->start[variable + 1]; at++)
    touch_region(sim, sim->local->region_of[integrators->list[at]]);
}

/* Whatever its transitions may assign, so that what is touched hangs on nothing but who fires. */
static void touch_assigned(HbgSim *sim, int32_t machine) {
  const HbgLists *assigned = &sim->who_reads->assigned_by;
  for (int32_t at = assigned->start[machine]; at < assigned->start[machine + 1]; at++) {
    add_machines(sim, &sim->who_reads->of_variable, assigned->list[at]);
    touch_variable(sim, assigned->list[at]);
  }
}

void hbg_local_touch_machines(HbgSim *sim, const int32_t *machines, int32_t count) {
  const HbgLaws *laws = &sim->laws;
  for (int32_t at = 0; at < count; at++) {
    const int32_t machine = machines[at];
    for (int32_t which = laws->switched_start[machine]; which < laws->switched_start[machine + 1]; which++) {
      const int32_t node = laws->switched_list[which], fed = hbg_cut_feeds(&sim->cuts, node);
      touch_node(sim, node);
      if (fed >= 0) touch_node(sim, fed);
    }
    for (int32_t which = laws->reader_start[machine]; which < laws->reader_start[machine + 1]; which++)
      touch_law(sim, hbg_port(sim->model, &sim->model->nodes[laws->reader_list[which]], 0)->bond);
    add_machine(sim, machine);
    add_machines(sim, &sim->who_reads->of_machine, machine);
    for (int32_t which = sim->local->integrators_of_machine.start[machine]; which < sim->local->integrators_of_machine.start[machine + 1]; which++)
      touch_region(sim, sim->local->region_of[sim->local->integrators_of_machine.list[which]]);
    touch_assigned(sim, machine);
  }
}

/* A source that hung elsewhere may have come in; so may the state of an integrator that a law of a new island reads. */
void hbg_local_touch_fresh(HbgSim *sim) {
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    const HbgIsland *island = sim->fresh[at];
    if (island->place < 0) continue;
    for (int32_t bond = 0; bond < island->graph.bond_count; bond++) {
      if (!hbg_scope_has_bond(sim, island->graph.bonds[bond].bond)) hbg_transcript_spoil(sim);
      hbg_scope_add_bond(sim, island->graph.bonds[bond].bond);
      touch_onlookers(sim, island->graph.bonds[bond].bond);
    }
    for (int32_t state = 0; !island->is_hanging && state < island->program->template.state_count; state++) {
      HbgRegion *region = sim->local->region_of[island->binding.states[state]];
      if (region) touch_region(sim, region);
    }
  }
}

/* Machines that read it are due themselves. */
static void touch_tick(HbgSim *sim, int32_t tick) {
  const HbgLists *bonds = &sim->who_reads->bonds_of_tick, *integrators = &sim->local->integrators_of_tick;
  hbg_scope_add_tick(sim, tick);
  for (int32_t at = bonds->start[tick]; at < bonds->start[tick + 1]; at++) touch_law(sim, bonds->list[at]);
  for (int32_t at = integrators->start[tick]; at < integrators->start[tick + 1]; at++)
    touch_region(sim, sim->local->region_of[integrators->list[at]]);
}

/* What clocks have computed that is new. */
static void touch_clocks(HbgSim *sim) {
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++)
    if (hbg_clocks_change_by(sim, &sim->clocks.fresh[at])) touch_variable(sim, sim->clocks.fresh[at].variable);
}

/* Who reads a delay whose past goes on to another piece. */
static void touch_courses(HbgSim *sim) {
  for (int32_t at = 0; at < sim->past.turning_count; at++) {
    const HbgMemory *memory = &sim->past.memories[sim->past.turning[at]];
    touch_region(sim, sim->local->region_of[memory->state]);
    for (int32_t which = 0; which < memory->window_count; which++) {
      const int32_t variable = sim->model->windows[memory->windows[which]].variable;
      add_machines(sim, &sim->who_reads->of_variable, variable);
      touch_variable(sim, variable);
    }
  }
}

void hbg_local_begin_scope(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  sim->now.time = sim->before.time = sim->time;
  for (int32_t at = 0; at < local->due_count; at++) {
    if (local->due[at] < sim->model->machine_count) add_machine(sim, local->due[at]);
    else touch_tick(sim, local->due[at] - sim->model->machine_count);
  }
  if (local->clocks_are_due && sim->clocks.is_computed) touch_clocks(sim);
  touch_courses(sim);
}

/* What is in the scope stands in the middle of an instant, and is left as it is. */
bool hbg_local_widen(HbgSim *sim) {
  hbg_past_reach_all(sim, sim->time);
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    HbgRegion *region = sim->local->region_of[state];
    if (region->read_stamp == sim->scope.stamp) continue;
    hbg_region_sync(sim, region, sim->time);
    sim->before.state[state] = sim->now.state[state];
  }
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    if (island->is_new || (island->region && island->region->read_stamp == sim->scope.stamp)) continue;
    if (!hbg_island_variables(&sim->solver, island, &sim->now, true)) return false;
    for (int32_t bond = 0; bond < island->graph.bond_count; bond++) hbg_scope_take_bond(sim, island->graph.bonds[bond].bond);
  }
  return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/near.h"

#include <math.h>

#include "hybrid/coupled.h"
#include "hybrid/influence.h"
#include "hybrid/left_limit.h"
#include "hybrid/local_parts.h"
#include "hybrid/schedule.h"
#include "hybrid/who_reads.h"

/* ---- where it is possible ---- */

bool hbg_near_may_be(const HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  const HbgSimOptions *options = &sim->options;
  return !options->as_a_whole && options->method != HBG_METHOD_EULER && !sim->solver.relaxation && !model->delay_count && !model->window_count;
}

/* Constraints that the step may have left are put back on everywhere (semantics 3, drift). */
static bool any_drifts(HbgSim *sim) {
  const HbgPresent *present = &sim->present;
  for (int32_t at = 0; at < present->constrained.count; at++)
    if (hbg_constraints_may_drift(sim, present->constrained.islands[at])) return true;
  return false;
}

static bool is_possible(HbgSim *sim, HbgCause cause) {
  if (cause != HBG_CAUSE_STATE || !hbg_near_may_be(sim) || (sim->is_local && !sim->local->is_coupled)) return false;
  if (sim->model->clock_count && !sim->is_local) return false; // in sets clocks are for guards alone, and who reads what they tick for is due
  if (!sim->slides.are_known || hbg_shown_now(sim)->reads_a_priori) return false;
  return sim->is_local || !any_drifts(sim); // what is affine and exact does not leave its constraints
}

void hbg_near_begin(HbgSim *sim, HbgCause cause) {
  if (!is_possible(sim, cause)) {
    if (sim->is_local && sim->local->is_coupled) hbg_coupled_bring_all(sim);
    hbg_influence_know_all(sim);
    return;
  }
  hbg_who_reads(sim);
  sim->is_near = sim->near_is_solved = true;
  sim->scope.is_everything = false;
}

void hbg_near_end(HbgSim *sim) {
  if (!sim->is_near) return;
  sim->is_near = false;
  sim->scope.is_everything = true;
}

/* ---- left limits ---- */

/* Where sets of states have clocks of their own, or a step has been patched, they are not at the instant yet. */
static void know(HbgSim *sim, int32_t state) {
  if (sim->is_local) hbg_coupled_bring(sim, state);
  else hbg_influence_know(sim, state);
}

static void take_state(HbgSim *sim, int32_t state) {
  if (sim->scope.is_survey) return;
  know(sim, state);
  if (!hbg_scope_has_state(sim, state)) sim->before.state[state] = sim->now.state[state];
}

void hbg_near_know(HbgSim *sim, HbgIsland *island) {
  const HbgProbe *law = island->is_hanging ? hbg_island_law(&sim->solver, island) : island->pre;
  for (int32_t at = 0; law && at < law->program.input_count; at++)
    if (law->program.inputs[at].leaf.op == HBG_OP_STATE) know(sim, law->program.inputs[at].leaf.index);
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++)
    know(sim, island->binding.states[at]);
}

void hbg_near_know_states(HbgSim *sim, const HbgStateList *states) {
  for (int32_t at = 0; at < states->count; at++) know(sim, states->list[at]);
}

/* Has the instant changed what belongs to it? */
static bool is_changed(const HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++)
    if (hbg_scope_has_state(sim, island->binding.states[at])) return true;
  return false;
}

/* Of what slides, the mean over both sides. */
static bool variables_of(HbgSim *sim, HbgIsland *island) {
  if (!island->sliding && is_changed(sim, island)) return hbg_island_variables(&sim->solver, island, &sim->now, true);
  if (!island->sliding) return hbg_left_limit_take_islands(sim, &island, 1);
  hbg_near_know_states(sim, &island->sliding->states);
  return hbg_slide_group_blend(sim, island->sliding);
}

static void read_island(HbgSim *sim, HbgIsland *island);

/* By itself: whatever island it belongs to. */
static void read_state(HbgSim *sim, int32_t state) {
  hbg_transcript_state(sim, state);
  take_state(sim, state);
}

/* What laws read beside the equations: a priori, or of a source that hangs. */
static void read_inputs(HbgSim *sim, const HbgProbe *law) {
  for (int32_t at = 0; at < law->program.input_count; at++) {
    const HbgExprNode *leaf = &law->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_STATE) read_state(sim, leaf->index);
    if (variable >= 0) read_island(sim, sim->island_of[variable / 2]);
  }
}

/* In a run as a whole; in sets such an instant is one of everything. */
static void read_beside(HbgSim *sim, HbgIsland *island) {
  if (sim->is_local || island->is_storage) return;
  if (island->is_hanging) read_inputs(sim, hbg_island_law(&sim->solver, island));
  else if (island->pre) read_inputs(sim, island->pre);
}

static void read_island(HbgSim *sim, HbgIsland *island) {
  if (island->is_new) return;
  hbg_transcript_island(sim, island);
  if (island->read_stamp == sim->scope.stamp || sim->scope.is_survey) return;
  island->read_stamp = sim->scope.stamp;
  hbg_near_know(sim, island);
  read_beside(sim, island);
  if (!variables_of(sim, island)) sim->near_is_solved = false;
  for (int32_t bond = 0; bond < island->graph.bond_count; bond++)
    hbg_scope_take_bond(sim, island->graph.bonds[bond].bond);
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++)
    take_state(sim, island->binding.states[at]);
}

/* What something receives that is cut off, its neighbours know: no guard asks for it, but columns may. */
static void read_wholly(HbgSim *sim, HbgIsland *island) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const int32_t which = island->delivery;
  if (which >= 0 && island->received_stamp != sim->scope.stamp) {
    island->received_stamp = sim->scope.stamp;
    for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++)
      read_island(sim, sim->island_of[deliveries->variable[term] / 2]);
    island->read_stamp = sim->scope.stamp - 1;  // once more, if it has been read without
  }
  read_island(sim, island);
}

/* ---- what is touched ---- */

/* What a slide changes, before it may end: its left limit. */
static void read_slide(HbgSim *sim, int32_t machine) {
  const HbgSurface *surface = sim->slides.of_machine[machine];
  for (int32_t at = 0; surface && surface->slide && at < surface->slide->here.count; at++) read_island(sim, surface->slide->here.list[at]);
}

/* Guards in all states: the machine may come to any of them. */
static void add_machine(HbgSim *sim, int32_t machine) {
  if (hbg_scope_has_machine(sim, machine)) return;
  hbg_scope_add_machine(sim, machine);
  read_slide(sim, machine);
  const HbgLists *read = &sim->who_reads->by_machine;
  for (int32_t at = read->start[machine]; at < read->start[machine + 1]; at++) {
    if (read->list[at] >= 0) read_state(sim, read->list[at]);
    else read_island(sim, sim->island_of[-1 - read->list[at]]);
  }
  const HbgLists *owned = &sim->who_reads->owned_by;
  for (int32_t at = owned->start[machine]; at < owned->start[machine + 1]; at++) add_machine(sim, owned->list[at]);
}

static void add_machines(HbgSim *sim, const HbgLists *lists, int32_t number) {
  for (int32_t at = lists->start[number]; at < lists->start[number + 1]; at++) add_machine(sim, lists->list[at]);
}

static void touch_states(HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++) {
    take_state(sim, island->binding.states[at]);
    hbg_scope_add_state(sim, island->binding.states[at]);
  }
}

static void touch_island(HbgSim *sim, HbgIsland *island) {
  if (island->touch_stamp == sim->scope.stamp) return;
  island->touch_stamp = sim->scope.stamp;
  if (!sim->scope.is_survey) hbg_near_know(sim, island);
  read_island(sim, island);
  touch_states(sim, island);
  for (int32_t at = 0; at < island->graph.bond_count; at++) {
    hbg_scope_add_bond(sim, island->graph.bonds[at].bond);
    add_machines(sim, &sim->who_reads->of_bond, island->graph.bonds[at].bond);
  }
}

static void touch_node(HbgSim *sim, int32_t node) {
  const HbgNode *at = &sim->model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++)
    touch_island(sim, sim->island_of[hbg_port(sim->model, at, which)->bond]);
}

static void touch_what_hangs(HbgSim *sim, HbgIsland *island) {
  read_wholly(sim, island);
  touch_island(sim, island);
  if (!sim->scope.is_survey) hbg_island_renew(sim, island);
}

/* What hangs gives something else from now on, without being made anew; and so to the islands that it is cut off from. */
static void touch_law(HbgSim *sim, HbgIsland *island) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const int32_t which = island->delivery;
  const int32_t other = hbg_cut_other_way(&sim->cuts, island->graph.bonds[0].bond);
  if (other >= 0) touch_what_hangs(sim, sim->island_of[other]);
  if (island->is_hanging) touch_what_hangs(sim, island);
  else touch_island(sim, island);
  for (int32_t term = which < 0 ? 0 : deliveries->start[which]; which >= 0 && term < deliveries->start[which + 1];
       term++)
    touch_island(sim, sim->island_of[deliveries->variable[term] / 2]);
}

static void touch_assigned(HbgSim *sim, int32_t machine) {
  const HbgReaders *readers = sim->who_reads;
  for (int32_t at = readers->assigned_by.start[machine]; at < readers->assigned_by.start[machine + 1]; at++) {
    const int32_t variable = readers->assigned_by.list[at];
    add_machines(sim, &readers->of_variable, variable);
    for (int32_t bond = readers->bonds_of_variable.start[variable]; bond < readers->bonds_of_variable.start[variable + 1]; bond++)
      touch_law(sim, sim->island_of[readers->bonds_of_variable.list[bond]]);
  }
}

void hbg_near_touch_machines(HbgSim *sim, const int32_t *machines, int32_t count) {
  const HbgLaws *laws = &sim->laws;
  for (int32_t at = 0; at < count; at++) {
    const int32_t machine = machines[at];
    add_machine(sim, machine);
    add_machines(sim, &sim->who_reads->of_machine, machine);
    for (int32_t which = laws->switched_start[machine]; which < laws->switched_start[machine + 1]; which++) {
      const int32_t node = laws->switched_list[which], fed = hbg_cut_feeds(&sim->cuts, node);
      touch_node(sim, node);
      if (fed >= 0) touch_node(sim, fed);
    }
    for (int32_t which = laws->reader_start[machine]; which < laws->reader_start[machine + 1]; which++)
      touch_node(sim, hbg_cut_felt_at(sim, laws->reader_list[which]));
    touch_assigned(sim, machine);
  }
}

void hbg_near_touch_gone(HbgSim *sim, HbgIsland *island) {
  if (sim->is_near && !sim->scope.is_everything) read_island(sim, island);
}

/* Nobody asks what it gives, but rows. */
static bool is_idle(const HbgSim *sim, const HbgIsland *island) {
  const int32_t bond = island->graph.bonds[0].bond, *start = sim->who_reads->of_bond.start;
  return island->is_hanging && island->delivery < 0 && start[bond] == start[bond + 1];
}

/* Laws of sets that look back, and laws of sources that hang and may read anything, need more than what is touched. */
static bool looks_further(HbgSim *sim, HbgIsland *island) {
  if (!island->is_hanging) return sim->is_local && island->program->template.pre_count > 0;
  if (island->is_storage || (!sim->is_local && is_idle(sim, island))) return false;
  const HbgProgram *law = &hbg_island_law(&sim->solver, island)->program;
  for (int32_t at = 0; at < law->input_count; at++)
    if (law->inputs[at].is_pre || hbg_variable_of(&law->inputs[at].leaf) >= 0) return true;
  return false;
}

bool hbg_near_touch_fresh(HbgSim *sim) {
  for (int32_t at = 0; at < sim->fresh_count; at++)
    if (sim->fresh[at]->place >= 0 && looks_further(sim, sim->fresh[at])) return hbg_scope_widen(sim);
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    if (sim->fresh[at]->place < 0) continue;
    read_beside(sim, sim->fresh[at]);
    touch_island(sim, sim->fresh[at]);
    sim->fresh[at]->read_stamp = sim->scope.stamp; // it has no left limit, also when it goes within the instant
  }
  return sim->near_is_solved;
}

static void touch_tick(HbgSim *sim, int32_t tick) {
  const HbgLists *bonds = &sim->who_reads->bonds_of_tick;
  hbg_scope_add_tick(sim, tick);
  for (int32_t at = bonds->start[tick]; at < bonds->start[tick + 1]; at++)
    touch_law(sim, sim->island_of[bonds->list[at]]);
  add_machines(sim, &sim->who_reads->of_tick, tick);
}

/* What is due of the queue of a local run. */
static void begin_scope_by_queue(HbgSim *sim) {
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t tick = sim->local->due[at] - sim->model->machine_count;
    if (tick < 0) add_machine(sim, sim->local->due[at]);
    else touch_tick(sim, tick);
  }
}

/* Whose timers have run out since the instant before. */
static void add_timed_machines(HbgSim *sim) {
  for (int32_t timer = 0; timer < sim->model->timer_count; timer++) {
    const double time = sim->now.deadline[timer].time;
    if (time > sim->now.instant && time <= sim->time) add_machine(sim, sim->model->timers[timer].machine);
  }
}

void hbg_near_begin_scope(HbgSim *sim) {
  sim->now.time = sim->before.time = sim->time;
  for (int32_t at = 0; at < sim->crossing.count; at++) add_machine(sim, sim->crossing.list[at]->machine);
  if (sim->is_local) {
    begin_scope_by_queue(sim);
    return;
  }
  add_timed_machines(sim);
  int32_t count;
  const int32_t *ticks = hbg_schedule_due_ticks(sim, &count);
  for (int32_t at = 0; at < count; at++)
    if (hbg_tick_value(&sim->ticks[ticks[at]], sim->time) != (sim->now.tick[ticks[at]] != 0))
      touch_tick(sim, ticks[at]);
}

/* ---- jumps ---- */

/* A law elsewhere may read it, also a priori when the jump is over. */
static bool is_read_elsewhere(HbgSim *sim, int32_t bond) {
  const HbgLists *laws = &hbg_who_reads_values(sim)->laws;
  for (int32_t at = laws->start[bond]; at < laws->start[bond + 1]; at++) {
    const HbgIsland *island = sim->island_of[laws->list[at]];
    if (!island->is_new && !is_idle(sim, island)) return true;
  }
  return false;
}

/* An impulse makes the integrators jump that add it up. */
static bool is_added_up(HbgSim *sim, int32_t bond) {
  const HbgLists *integrators = &hbg_who_reads_values(sim)->integrators;
  const double *area = &sim->now.area[hbg_effort_of(bond)];
  for (int32_t of = 0; of < 2; of++)
    if (fabs(area[of]) > 0 && integrators->start[2 * bond + of] < integrators->start[2 * bond + of + 1]) return true;
  return false;
}

/* What jumps is in the scope, and in a run as a whole nothing else feels it. */
static bool jumps_are_known(HbgSim *sim) {
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    const HbgIsland *island = sim->fresh[at];
    if (island->place < 0 || island->is_hanging || !island->program->may_jump) continue;
    for (int32_t state = 0; state < island->program->template.state_count; state++)
      if (!hbg_scope_has_state(sim, island->binding.states[state])) return false;
    for (int32_t at_bond = 0; at_bond < island->graph.bond_count; at_bond++) {
      const int32_t bond = island->graph.bonds[at_bond].bond;
      if (is_added_up(sim, bond) || (!sim->is_local && is_read_elsewhere(sim, bond))) return false;
    }
  }
  return true;
}

/* What jumps belongs to its island alone: laws that read a storage are of its island, and a storage between two never jumps. */
static void add_readers_of_jumps(HbgSim *sim) {
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    const HbgIsland *island = sim->fresh[at];
    if (island->place < 0 || island->is_hanging || !island->program->may_jump) continue;
    for (int32_t state = 0; state < island->program->template.state_count; state++)
      add_machines(sim, &sim->who_reads->of_state, island->binding.states[state]);
  }
}

bool hbg_near_take_jump(HbgSim *sim) {
  if (sim->scope.is_everything) return true;
  if (!jumps_are_known(sim)) return hbg_scope_widen(sim);
  add_readers_of_jumps(sim);
  return sim->near_is_solved;
}

/* ---- rows ---- */

/* What is read for rows alone is no part of what happens. */
bool hbg_near_show(HbgSim *sim) {
  const HbgShown *shown = hbg_shown_now(sim);
  const bool is_on = sim->transcript.is_on;
  sim->transcript.is_on = false;
  for (int32_t at = 0; at < shown->state_count; at++) know(sim, shown->states[at]);
  for (int32_t at = 0; at < shown->bond_count; at++) read_wholly(sim, sim->island_of[shown->bonds[at]]);
  sim->transcript.is_on = is_on;
  return sim->near_is_solved;
}

/* ---- everything ---- */

/* What is in the scope stands in the middle of the instant, and is left as it is. */
bool hbg_near_widen(HbgSim *sim) {
  hbg_influence_know_all(sim);
  for (int hanging = 0; hanging < 2; hanging++)
    for (int32_t at = 0; at < sim->island_count; at++)
      if (sim->islands[at]->is_hanging == (hanging == 1)) read_island(sim, sim->islands[at]);
  for (int32_t state = 0; state < sim->model->state_count; state++) take_state(sim, state);
  return sim->near_is_solved;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/scope.h"

#include <math.h>
#include <string.h>

#include "base/key.h"
#include "hybrid/local_parts.h"
#include "hybrid/near.h"

/* ---- members ---- */

static HbgMembers members(HbgSim *sim, int32_t most) {
  return (HbgMembers){.stamp = ARENA_NEW(sim->arena, int32_t, most), .list = ARENA_FULL(sim->arena, int32_t, most)};
}

static bool is_member(const HbgScope *scope, const HbgMembers *of, int32_t number) { return of->stamp[number] == scope->stamp; }

static bool add(HbgSim *sim, HbgMembers *to, int32_t number) {
  if (is_member(&sim->scope, to, number)) return false;
  to->stamp[number] = sim->scope.stamp;
  to->list[to->count++] = number;
  return true;
}

static void add_all(HbgSim *sim, HbgMembers *to, int32_t count) {
  for (int32_t number = 0; number < count; number++) add(sim, to, number);
}

void hbg_scope_make(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgScope *scope = &sim->scope;
  *scope = (HbgScope){.is_everything = true,
                      .stamp = 1,
                      .machines = members(sim, model->machine_count),
                      .states = members(sim, model->state_count),
                      .bonds = members(sim, model->bond_count),
                      .ticks = members(sim, model->tick_count),
                      .variables = members(sim, model->variable_count),
                      .first_variable = ARENA_NEW(sim->arena, double, model->variable_count),
                      .first_phi = ARENA_NEW(sim->arena, int32_t, model->machine_count),
                      .first_surface = ARENA_NEW(sim->arena, HbgSurface *, model->machine_count),
                      .first_rests = ARENA_NEW(sim->arena, uint8_t, model->machine_count),
                      .first_deadline = ARENA_NEW(sim->arena, HbgDeadline, model->timer_count),
                      .first_state = ARENA_NEW(sim->arena, double, model->state_count),
                      .first_scale = ARENA_NEW(sim->arena, double, model->state_count),
                      .fired_stamp = ARENA_NEW(sim->arena, int32_t, model->machine_count),
                      .changed = ARENA_NEW(sim->arena, int32_t, model->machine_count)};
}

void hbg_scope_empty(HbgSim *sim) {
  HbgScope *scope = &sim->scope;
  scope->stamp++;
  scope->machines.count = scope->states.count = scope->bonds.count = scope->ticks.count = scope->variables.count = scope->sorted_count = 0;
}

static void add_everything(HbgSim *sim) {
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) hbg_scope_add_machine(sim, machine);
  for (int32_t state = 0; state < sim->model->state_count; state++) hbg_scope_add_state(sim, state);
  add_all(sim, &sim->scope.bonds, sim->model->bond_count);
  add_all(sim, &sim->scope.ticks, sim->model->tick_count);
}

void hbg_scope_begin(HbgSim *sim) {
  hbg_scope_empty(sim);
  if (sim->scope.is_everything) add_everything(sim);
  else if (sim->is_near) hbg_near_begin_scope(sim);
  else hbg_local_begin_scope(sim);
}

void hbg_scope_touch_machines(HbgSim *sim, const int32_t *machines, int32_t count) {
  if (sim->scope.is_everything) return;
  if (sim->is_near) hbg_near_touch_machines(sim, machines, count);
  else hbg_local_touch_machines(sim, machines, count);
}

bool hbg_scope_touch_fresh(HbgSim *sim) {
  if (sim->scope.is_everything) return true;
  if (sim->is_near) return hbg_near_touch_fresh(sim);
  hbg_local_touch_fresh(sim);
  return true;
}

bool hbg_scope_show(HbgSim *sim) {
  if (sim->scope.is_everything) return true;
  return sim->is_near ? hbg_near_show(sim) : hbg_local_show(sim);
}

bool hbg_scope_show_left_limit(HbgSim *sim) {
  return sim->scope.is_everything || sim->is_near ? hbg_scope_show(sim) : hbg_local_show_left_limit(sim);
}

bool hbg_scope_widen(HbgSim *sim) {
  if (sim->scope.is_everything) return true;
  hbg_transcript_spoil(sim);
  if (!(sim->is_near ? hbg_near_widen(sim) : hbg_local_widen(sim))) return false;
  add_everything(sim);
  sim->scope.is_everything = true;
  return true;
}

const int32_t *hbg_scope_machines(HbgSim *sim, int32_t *count) {
  HbgScope *scope = &sim->scope;
  *count = scope->machines.count;
  if (scope->sorted_count == *count) return scope->sorted;
  scope->sorted_count = 0;
  for (int32_t at = 0; at < *count; at++)
    ARENA_PUSH(sim->arena, scope->sorted, scope->sorted_count, scope->sorted_capacity) = scope->machines.list[at];
  hbg_key_sort(scope->sorted, *count);
  return scope->sorted;
}

bool hbg_scope_has_machine(const HbgSim *sim, int32_t machine) { return is_member(&sim->scope, &sim->scope.machines, machine); }

void hbg_scope_add_machine(HbgSim *sim, int32_t machine) {
  if (!add(sim, &sim->scope.machines, machine)) return;
  sim->scope.first_phi[machine] = sim->now.phi[machine];
  sim->scope.first_surface[machine] = sim->slides.of_machine[machine];
  sim->scope.first_rests[machine] = sim->rests.of_machine[machine];
  const HbgMachine *of = &sim->model->machines[machine];
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++)
    sim->scope.first_deadline[timer] = sim->now.deadline[timer];
}

bool hbg_scope_has_state(const HbgSim *sim, int32_t state) { return is_member(&sim->scope, &sim->scope.states, state); }
bool hbg_scope_has_bond(const HbgSim *sim, int32_t bond) { return is_member(&sim->scope, &sim->scope.bonds, bond); }

void hbg_scope_add_state(HbgSim *sim, int32_t state) {
  if (!add(sim, &sim->scope.states, state)) return;
  sim->scope.first_state[state] = sim->now.state[state];
  if (sim->is_rehearsal) sim->scope.first_scale[state] = sim->scale[state];
}

void hbg_scope_add_bond(HbgSim *sim, int32_t bond) { add(sim, &sim->scope.bonds, bond); }
void hbg_scope_add_tick(HbgSim *sim, int32_t tick) { add(sim, &sim->scope.ticks, tick); }

void hbg_scope_add_variable(HbgSim *sim, int32_t variable) {
  if (add(sim, &sim->scope.variables, variable)) sim->scope.first_variable[variable] = sim->now.discrete[variable];
}

void hbg_scope_note_fired(HbgSim *sim, int32_t machine) { sim->scope.fired_stamp[machine] = sim->scope.stamp; }
bool hbg_scope_has_fired(const HbgSim *sim, int32_t machine) { return sim->scope.fired_stamp[machine] == sim->scope.stamp; }

/* ---- values ---- */

static void commit_machine(HbgSim *sim, int32_t machine) {
  const HbgMachine *of = &sim->model->machines[machine];
  sim->before.phi[machine] = sim->now.phi[machine];
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++)
    sim->before.deadline[timer] = sim->now.deadline[timer];
}

static void commit_machines_and_states(HbgSim *sim) {
  const HbgScope *scope = &sim->scope;
  for (int32_t at = 0; at < scope->machines.count; at++) commit_machine(sim, scope->machines.list[at]);
  for (int32_t at = 0; at < scope->states.count; at++) {
    const int32_t state = scope->states.list[at];
    sim->before.state[state] = sim->now.state[state];
  }
}

static void commit_variable(HbgSim *sim, int32_t variable) {
  sim->before.variable[variable] = sim->now.variable[variable];
  sim->before.size[variable] = sim->now.size[variable];
  sim->before.undetermined[variable] = sim->now.undetermined[variable];
  sim->now.area[variable] = sim->now.area_size[variable] = 0;
  sim->before.area[variable] = sim->before.area_size[variable] = 0;
}

void hbg_scope_take_bond(HbgSim *sim, int32_t bond) {
  commit_variable(sim, 2 * bond);
  commit_variable(sim, 2 * bond + 1);
}

void hbg_scope_commit_ticks(HbgSim *sim) {
  for (int32_t at = 0; at < sim->scope.ticks.count; at++)
    sim->before.tick[sim->scope.ticks.list[at]] = sim->now.tick[sim->scope.ticks.list[at]];
}

void hbg_scope_commit(HbgSim *sim) {
  if (sim->variables_wait) {
    hbg_values_copy_states(sim->model, &sim->before, &sim->now);
    return;
  }
  if (sim->scope.is_everything) {
    hbg_values_copy(sim->model, &sim->before, &sim->now);
    hbg_values_clear_areas(sim->model, &sim->before);
    hbg_values_clear_areas(sim->model, &sim->now);
    return;
  }
  sim->before.time = sim->now.time;
  sim->before.instant = sim->now.instant;
  sim->before.instant_rest = sim->now.instant_rest;
  commit_machines_and_states(sim);
  hbg_scope_commit_ticks(sim);
  hbg_discrete_commit(sim);
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) hbg_scope_take_bond(sim, sim->scope.bonds.list[at]);
}

void hbg_scope_restore(HbgSim *sim) {
  if (sim->scope.is_everything) {
    if (sim->model->state_count)
      memcpy(sim->now.state, sim->before.state, (size_t)sim->model->state_count * sizeof *sim->now.state);
    return;
  }
  for (int32_t at = 0; at < sim->scope.states.count; at++)
    sim->now.state[sim->scope.states.list[at]] = sim->before.state[sim->scope.states.list[at]];
}

void hbg_scope_note_scale(HbgSim *sim) {
  for (int32_t at = 0; at < sim->scope.states.count; at++) {
    const int32_t state = sim->scope.states.list[at];
    const double size = fabs(sim->now.state[state]);
    if (!(size > sim->scale[state])) continue;
    sim->scale[state] = size;
    sim->scaled = NULL;
  }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks that tick in a local run. What their updates read is brought to the instant, and nothing else; what becomes new concerns the
 * machines, laws and integrators that read it. */
#include "hybrid/local_parts.h"

void hbg_local_await_clocks(HbgSim *sim) { hbg_queue_set(&sim->local->queue, hbg_local_clock_entry(sim), sim->clocks.next); }

/* ---- what updates read ---- */

/* Does the law of what hangs read nothing that moves with states? */
static bool is_given(HbgSim *sim, HbgIsland *island) {
  const HbgProgram *law = &hbg_island_law(&sim->solver, island)->program;
  for (int32_t at = 0; at < law->input_count; at++)
    if (hbg_moves(&law->inputs[at].leaf)) return false;
  return true;
}

static bool read_bond(HbgSim *sim, int32_t bond) {
  HbgIsland *island = sim->island_of[bond];
  if (island->region) hbg_region_sync(sim, island->region, sim->time);
  else if (!is_given(sim, island) && !hbg_local_complete(sim)) return false;
  return hbg_island_variables(&sim->solver, island, &sim->now, true);
}

static bool read_for(HbgSim *sim, const HbgTicking *ticking) {
  const HbgIsland *last = NULL;
  if (sim->local->is_coupled) return !(ticking->state_count + ticking->bond_count) || hbg_local_complete(sim);
  for (int32_t at = 0; at < ticking->state_count; at++)
    hbg_region_sync(sim, sim->local->region_of[ticking->states[at]], sim->time);
  for (int32_t at = 0; at < ticking->bond_count; at++) {
    if (sim->island_of[ticking->bonds[at]] == last) continue;
    if (!read_bond(sim, ticking->bonds[at])) return false;
    last = sim->island_of[ticking->bonds[at]];
  }
  return true;
}

bool hbg_local_compute_clocks(HbgSim *sim) {
  hbg_owed_pay_all(sim);
  sim->now.time = sim->time;
  for (int32_t at = 0, count = hbg_clocks_list_due(sim); at < count; at++)
    if (!read_for(sim, &sim->clocks.list[sim->clocks.ticking[at]])) return false;
  hbg_clocks_compute(sim);
  sim->local->is_kink = hbg_clocks_are_smooth(sim);
  return true;
}

/* ---- kinks ---- */

enum { MANY_KINKS = 64, EVENTS_BESIDE = 3 };

/* Regions that take steps, and are touched by this instant; two are several. */
static bool several_begin_steps(const HbgSim *sim) {
  int32_t count = 0;
  for (int32_t at = 0; at < sim->scope.states.count; at++) {
    const HbgRegion *region = sim->local->region_of[sim->scope.states.list[at]];
    if (region && region->is_stepped && region->states[0] == sim->scope.states.list[at]) count++;
  }
  return count > 1;
}

void hbg_local_note_kink(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (!local->is_kink || !several_begin_steps(sim)) return;
  local->kinks++;
  local->kinks_prevail = local->kinks > MANY_KINKS && EVENTS_BESIDE * local->kinks > sim->statistics.events - local->begun;
  if (local->kinks_prevail) local->must_leave = true;
}

/* ---- who reads what is new ---- */

static bool has_any(const HbgLists *lists, int32_t number) { return lists->start[number] < lists->start[number + 1]; }

static bool do_equations_read(const HbgSim *sim, int32_t variable) {
  return has_any(&sim->who_reads->bonds_of_variable, variable) || has_any(&sim->local->integrators_of_variable, variable);
}

bool hbg_local_clocks_change_equations(const HbgSim *sim) {
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++)
    if (do_equations_read(sim, sim->clocks.fresh[at].variable) && hbg_clocks_change_by(sim, &sim->clocks.fresh[at])) return true;
  return false;
}

bool hbg_local_clocks_are_for_guards(const HbgSim *sim) {
  for (int32_t at = 0; at < sim->model->update_count; at++)
    if (do_equations_read(sim, sim->model->updates[at].variable)) return false;
  return true;
}

/* ---- ticks that nobody feels ---- */

static HbgStatus show(HbgSim *sim, int32_t eps, HbgRowKind kind, const char *cause) {
  if (!hbg_local_show(sim)) return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->time);
  hbg_rows_add(sim, (HbgHyperTime){sim->time, eps, 0}, kind, cause);
  return HBG_OK;
}

HbgStatus hbg_local_tick(HbgSim *sim) {
  const bool is_shown = hbg_clocks_are_shown(sim) && hbg_clocks_change(sim, false);
  if (is_shown) TRY(show(sim, -1, HBG_ROW_BEFORE, ""));
  hbg_clocks_take(sim);
  hbg_discrete_commit(sim);
  hbg_local_await_clocks(sim);
  if (is_shown) TRY(show(sim, 0, HBG_ROW_CONTINUOUS, "tick"));
  else if (hbg_sample_next(sim) <= sim->time) TRY(hbg_local_add_sample(sim, sim->time));
  hbg_samples_skip_until(sim, sim->time);
  return HBG_OK;
}

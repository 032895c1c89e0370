/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/left_limit.h"

#include <math.h>
#include <string.h>

#include "hybrid/given.h"
#include "hybrid/island_parts.h"
#include "hybrid/sim.h"

/* A crossing was located on the state as it was integrated, its guard is examined on the state as it was projected: what lies
 * between the two is no difference for any guard. */
static bool widen_by_projection(HbgSim *sim, const double *unprojected) {
  const int32_t state_count = sim->model->state_count, variable_count = sim->model->bond_count * 2;
  if (!state_count || memcmp(unprojected, sim->now.state, (size_t)state_count * sizeof *unprojected) == 0) return true;
  double *projected = ARENA_NEW(&sim->scratch, double, state_count);
  double *variables = ARENA_NEW(&sim->scratch, double, variable_count);
  memcpy(projected, sim->now.state, (size_t)state_count * sizeof *projected);
  memcpy(variables, sim->now.variable, (size_t)variable_count * sizeof *variables);
  memcpy(sim->now.state, unprojected, (size_t)state_count * sizeof *unprojected);
  if (!hbg_evaluate_variables(sim, true)) return false;
  for (int32_t variable = 0; variable < variable_count; variable++) {
    sim->now.size[variable] += fabs(variables[variable] - sim->now.variable[variable]) / HBG_GUARD_BAND;
    sim->now.variable[variable] = variables[variable];
  }
  memcpy(sim->now.state, projected, (size_t)state_count * sizeof *projected);
  return true;
}

/* A state to start from may contradict the mode so that no efforts and flows exist: they are what the first jump gives. */
static void forget_variables(HbgSim *sim) {
  memset(sim->now.variable, 0, (size_t)sim->model->bond_count * 2 * sizeof *sim->now.variable);
  memset(sim->now.size, 0, (size_t)sim->model->bond_count * 2 * sizeof *sim->now.size);
  sim->solver.failure = (HbgIslandFailure){.node = -1, .law = -1};
}

bool hbg_left_limit_take(HbgSim *sim, bool is_given) {
  if (sim->variables_wait) {
    hbg_values_copy_states(sim->model, &sim->before, &sim->now);
    return true;
  }
  double *unprojected = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  if (sim->model->state_count)
    memcpy(unprojected, sim->now.state, (size_t)sim->model->state_count * sizeof *unprojected);
  bool moved = false;
  if (!is_given && !(hbg_evaluate_projection(sim, true) && hbg_slides_project(sim, &moved))) return false;
  const bool is_defined = hbg_evaluate_variables(sim, false);
  if (!is_defined && !is_given) return false;
  if (!is_defined) forget_variables(sim);
  if (is_given) hbg_given_take(sim);
  if (!widen_by_projection(sim, unprojected)) return false;
  hbg_values_clear_areas(sim->model, &sim->now);
  hbg_values_copy(sim->model, &sim->before, &sim->now);
  return true;
}

/* ---- islands alone ---- */

static int32_t state_count_of(const HbgIsland *island) { return island->is_hanging ? 0 : island->program->template.state_count; }

static void exchange_states(HbgSim *sim, const HbgIsland *island, double *states) {
  for (int32_t at = 0; at < state_count_of(island); at++) {
    double *own = &sim->now.state[island->binding.states[at]];
    const double other = states[at];
    states[at] = *own;
    *own = other;
  }
}

static bool any_moved(const HbgSim *sim, const HbgIsland *island, const double *states) {
  for (int32_t at = 0; at < state_count_of(island); at++)
    if (memcmp(&sim->now.state[island->binding.states[at]], &states[at], sizeof *states)) return true;
  return false;
}

/* As in widen_by_projection(). */
static bool widen_island(HbgSim *sim, HbgIsland *island, double *unprojected) {
  const int32_t count = 2 * island->graph.bond_count;
  double *variables = ARENA_NEW(&sim->scratch, double, count);
  if (!hbg_island_variables(&sim->solver, island, &sim->now, false)) return false;
  for (int32_t at = 0; at < count; at++) variables[at] = sim->now.variable[hbg_island_variable(island, at)];
  exchange_states(sim, island, unprojected);
  const bool is_solved = hbg_island_variables(&sim->solver, island, &sim->now, true);
  exchange_states(sim, island, unprojected);
  for (int32_t at = 0; at < count; at++) {
    const int32_t variable = hbg_island_variable(island, at);
    sim->now.size[variable] += fabs(variables[at] - sim->now.variable[variable]) / HBG_GUARD_BAND;
    sim->now.variable[variable] = variables[at];
  }
  return is_solved;
}

bool hbg_left_limit_take_islands(HbgSim *sim, HbgIsland *const *islands, int32_t count) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double **unprojected = ARENA_NEW(&sim->scratch, double *, count);
  bool is_solved = true;
  for (int32_t at = 0; at < count; at++) {
    const HbgIsland *island = islands[at];
    if (island->is_hanging || !island->program->may_jump) continue;
    unprojected[at] = ARENA_NEW(&sim->scratch, double, state_count_of(island));
    for (int32_t state = 0; state < state_count_of(island); state++) unprojected[at][state] = sim->now.state[island->binding.states[state]];
    hbg_evaluate_projection_of(sim, islands[at], true);
  }
  for (int32_t at = 0; at < count; at++) {
    const bool has_moved = unprojected[at] && any_moved(sim, islands[at], unprojected[at]);
    is_solved = (has_moved ? widen_island(sim, islands[at], unprojected[at]) : hbg_island_variables(&sim->solver, islands[at], &sim->now, true)) && is_solved;
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return is_solved;
}

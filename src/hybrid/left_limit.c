/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/left_limit.h"

#include <math.h>
#include <string.h>

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
  sim->solver.failure = (HbgIslandFailure){.node = -1};
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
  if (!is_given && !(hbg_evaluate_projection(sim) && hbg_slides_project(sim, &moved))) return false;
  const bool is_defined = hbg_evaluate_variables(sim, false);
  if (!is_defined && !is_given) return false;
  if (!is_defined) forget_variables(sim);
  if (!widen_by_projection(sim, unprojected)) return false;
  hbg_values_clear_areas(sim->model, &sim->now);
  hbg_values_copy(sim->model, &sim->before, &sim->now);
  return true;
}

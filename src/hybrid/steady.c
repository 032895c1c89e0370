/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/steady.h"

#include "equations/steady.h"
#include "hybrid/inputs.h"
#include "hybrid/island_forms.h"

bool hbg_island_reads_pieces(const HbgSim *sim, const HbgIsland *island) {
  const HbgFlatModel *model = sim->model;
  for (int32_t at = 0; at < island->program->template.discrete_count; at++) {
    const int32_t variable = island->binding.discrete[at];
    if (sim->clocks.pieces[variable]) return true;
    for (int32_t which = 0; which < model->window_count; which++)
      if (variable == model->windows[which].variable) return true;
  }
  return false;
}

/* Only scheduled conditions lead from one mode to another, if there are several: then steps begin anew. */
static bool is_smooth(const HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  return !model->machine_count && !sim->guards.count && !model->delay_count && !model->window_count && !model->clock_count && !sim->slides.group_count &&
         !sim->solver.relaxation;
}

static bool is_state(const HbgExprNode *leaf, void *user) {
  (void)user;
  return leaf->op == HBG_OP_STATE;
}

/* Of a storage that is cut off integrators may read what it imposes; other ports that hang may give anything. */
static bool hangs_steadily(HbgSim *sim, const HbgIsland *island, bool has_integrators) {
  if (!island->is_storage) return !has_integrators;
  return !island->is_demanded || (!island->reads_time && hbg_expr_is_affine(&sim->laws.pool, sim->model->nodes[island->element].law, is_state, NULL));
}

static bool is_steady(HbgSim *sim, HbgIsland *island, bool has_integrators) {
  if (island->sliding) return false;
  if (island->is_hanging) return hangs_steadily(sim, island, has_integrators);
  return !hbg_island_reads_pieces(sim, island) &&
         (hbg_program_is_steady(island->program, sim->solver.laws, sim->solver.arena) || hbg_island_rates_forms(&sim->solver, island, &sim->now));
}

static bool note_time(HbgExprPool *pool, HbgExpr expr, void *user) {
  if (hbg_expr_node(pool, expr)->op == HBG_OP_TIME) *(bool *)user = true;
  return true;
}

static bool reads_time(HbgExprPool *pool, HbgExpr expr) {
  bool reads = false;
  hbg_expr_visit(pool, expr, note_time, &reads);
  return reads;
}

static bool are_inputs_steady(HbgSim *sim) {
  const HbgInputs *inputs = hbg_inputs_of(sim);
  bool are = inputs->are_affine;
  for (int32_t at = 0; at < inputs->count; at++) {
    const HbgExpr input = sim->model->states[sim->first_integrator + at].input;
    are = are && !inputs->reads_piece[at] && !inputs->reads_mode[at] && !reads_time(&sim->laws.pool, input);
  }
  return are;
}

bool hbg_rates_are_steady(HbgSim *sim) {
  const bool has_integrators = sim->first_integrator < sim->model->state_count;
  if (!is_smooth(sim) || (has_integrators && !are_inputs_steady(sim))) return false;
  for (int32_t at = 0; at < sim->island_count; at++)
    if (!is_steady(sim, sim->islands[at], has_integrators)) return false;
  return true;
}

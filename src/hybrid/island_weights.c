/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_weights.h"

#include <math.h>

#include "hybrid/island_parts.h"

/* Groups are small. False: one is no number. */
static bool take(HbgEquationsRun *run, const HbgSolvedRates *rates, double *list) {
  for (int32_t at = 0; at < rates->weight_count; at++) {
    const HbgRateWeight *weight = &rates->weights[at];
    list[at] = -hbg_equations_column_of_inverse(run, weight->group, weight->row)[weight->column];
    if (!isfinite(list[at])) return false;
  }
  return true;
}

static bool may_have_weights(const HbgIslandSolver *solver, const HbgIsland *island) {
  return !island->is_hanging && !solver->relaxation && !island->program->template.pre_count;
}

static void make(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, HbgIslandWeights *made) {
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, now, NULL);
  made->rates = run && !run->is_singular ? hbg_solved_rates(run->equations, &island->program->template, solver->arena, solver->scratch) : NULL;
  if (!made->rates) return;
  if (made->rates->weight_count > made->room) {
    made->room = made->rates->weight_count;
    made->list = ARENA_NEW(solver->arena, double, made->room);
  }
  if (!take(run, made->rates, made->list)) made->rates = NULL;
}

const HbgIslandWeights *hbg_island_weights(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  if (!may_have_weights(solver, island)) return NULL;
  if (!island->weights) island->weights = ARENA_NEW(solver->arena, HbgIslandWeights, 1);
  if (!island->weights->are_known) make(solver, island, now, island->weights);
  island->weights->are_known = true;
  return island->weights->rates ? island->weights : NULL;
}

static double *registers_for(HbgIslandSolver *solver, int32_t count) {
  if (count > solver->solved.room) solver->solved = (HbgWorkNumbers){ARENA_NEW(solver->arena, double, 2 * count), 2 * count};
  return solver->solved.list;
}

void hbg_island_rates_by_weights(HbgIslandSolver *solver, HbgIsland *island, const HbgIslandWeights *weights, HbgValues *values, double *rate) {
  const HbgSolvedRates *rates = weights->rates;
  const HbgProgram *program = &rates->program;
  double *registers = registers_for(solver, program->register_count);
  hbg_equations_load_other(NULL, island, values, program, registers);
  hbg_execute(program->prepare, 0, program->prepare_count, registers);
  hbg_execute(program->main, 0, program->main_count, registers);
  hbg_island_write_rates(island, registers, rates->state_register, rates->variable_register, values, rate);
}

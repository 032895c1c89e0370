/* SPDX-License-Identifier: BSD-3-Clause
 * What forward Euler integrates in a run compatible with HYBRSIM. */
#include "hybrid/island_parts.h"
#include "hybrid/relaxation.h"
#include "hybrid/relaxation_rest.h"

/* The equations for the rates of the independent storages; the registers hold everything up to the residuals. */
static HbgEquationsRun *solve_independent(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  HbgEquationsRun *run = hbg_equations_run(solver, island, HBG_INSTANT_PLAIN);
  hbg_equations_load(run, island, values, solver->held);
  const HbgDependents dependents = hbg_dependents(run, island, solver->scratch);
  HbgRest rest = hbg_rest(run, &dependents, solver->scratch);
  for (int32_t which = 0; which < dependents.count; which++) run->unknowns[dependents.unknown[which]] = 0;
  return hbg_rest_solve(&rest) ? run : NULL;
}

bool hbg_relaxation_rates(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values, double *rate) {
  const HbgTemplate *template = &island->program->template;
  const bool is_tied = island->program->may_jump && island->needs_stacked[0];
  if (!is_tied && !template->pre_count) return true;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  HbgEquationsRun *run = is_tied ? solve_independent(solver, island, values)
                                 : hbg_island_solve_finite(solver, island, values, solver->held);
  hbg_arena_rewind(solver->scratch, mark);
  if (!run) return false;
  hbg_execute(run->equations->program.main, 0, run->equations->rates_end, run->registers);
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      rate[island->binding.states[state]] = run->registers[run->equations->state_register[state]];
  return true;
}

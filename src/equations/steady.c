/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/steady.h"

static bool is_state(const HbgExprNode *leaf, void *user) {
  (void)user;
  return leaf->op == HBG_OP_STATE;
}

static bool are_sums(const HbgEquations *equations, const HbgTemplate *template, HbgExprPool *pool) {
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0 && !hbg_expr_is_affine(pool, equations->states[state], is_state, NULL)) return false;
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++)
    if (template->is_demanded[variable] && !hbg_expr_is_affine(pool, equations->variables[variable], is_state, NULL)) return false;
  return true;
}

static bool find_out(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  if (program->reads_time || program->template.pre_count) return false;
  const HbgEquations *equations = hbg_island_equations(program, laws, arena, HBG_CONTINUOUS_PLAIN);
  return !equations->system.unknown_count && !equations->system.row_count && are_sums(equations, &program->template, &laws->pool);
}

bool hbg_program_is_steady(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  if (!program->knows_steady) program->is_steady = find_out(program, laws, arena);
  program->knows_steady = true;
  return program->is_steady;
}

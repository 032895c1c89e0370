/* SPDX-License-Identifier: BSD-3-Clause
 * An island's equations over a part of a step: its program runs on polynomials, and unknowns of linear systems with a constant
 * matrix are solved for coefficient by coefficient. */
#include <math.h>
#include <string.h>

#include "hybrid/island_parts.h"
#include "hybrid/sim.h"
#include "hybrid/window.h"
#include "numerics/polynomial_function.h"

/* ---- what is read ---- */

static int32_t count_read(const HbgSim *sim, const HbgIsland *island) {
  int32_t count = 0;
  for (int32_t variable = 0; variable < 2 * island->graph.bond_count; variable++) count += sim->guards.is_read[hbg_island_variable(island, variable)];
  return count;
}

static void make_slice(HbgSim *sim, const HbgIsland *island, HbgIslandWatch *watch) {
  const HbgEquations *equations = watch->run->equations;
  const int32_t most = 2 * island->graph.bond_count, row_count = equations->system.row_count;
  watch->count = 0;
  watch->variables = ARENA_NEW(sim->arena, int32_t, most);
  watch->registers = ARENA_NEW(sim->arena, int32_t, most + row_count + equations->system.entry_count);
  for (int32_t variable = 0; variable < most; variable++) {
    const int32_t of_model = hbg_island_variable(island, variable);
    if (!sim->guards.is_read[of_model]) continue;
    watch->variables[watch->count] = of_model;
    watch->registers[watch->count++] = equations->variable_register[variable];
  }
  // behind them, for the slice only: what unknowns are solved from
  int32_t roots = watch->count;
  for (int32_t row = 0; row < row_count; row++) watch->registers[roots++] = equations->residual_register[row];
  for (int32_t entry = 0; entry < equations->system.entry_count; entry++)
    watch->registers[roots++] = equations->entry_register[entry];
  watch->slice = hbg_program_slice(&equations->program, watch->registers, roots, false, equations->residual_end, sim->arena,
                                   &sim->scratch);
}

/* ---- unknowns ---- */

static bool is_constant(const HbgPolynomial *p) { return p->degree == 0 && !(p->error > 0); }

static bool is_regular(const HbgEquationsRun *run, const HbgGroup *group, const HbgGroupSolver *solver) {
  if (!run->equations->system.is_linear) return false;
  return solver->square || (solver->least && solver->least->rank == group->column_count);
}

/* x = M^-1 right, both in the group's work space. */
static void divide(const HbgGroup *group, HbgGroupSolver *solver) {
  if (!solver->square) {
    hbg_dense_multiply(group->column_count, group->row_count, solver->least->inverse, solver->right, solver->solution);
    return;
  }
  memcpy(solver->solution, solver->right, (size_t)group->column_count * sizeof(double));
  hbg_square_solve(solver->square, solver->solution);
}

static void set_unknown(const HbgEquations *equations, int32_t unknown, HbgPolynomial *registers, HbgPolynomial value) {
  if (equations->unknown_register[unknown] >= 0) registers[equations->unknown_register[unknown]] = value;
}

static void forget_group(const HbgEquations *equations, const HbgGroup *group, HbgPolynomial *registers) {
  for (int32_t column = 0; column < group->column_count; column++)
    set_unknown(equations, group->columns[column], registers, hbg_polynomial_unknown());
}

/* What errors of the residuals do to the unknowns, which have been solved for. */
static void add_errors(HbgEquationsRun *run, int32_t at, HbgPolynomial *registers) {
  const HbgEquations *equations = run->equations;
  const HbgGroup *group = &equations->groups[at];
  for (int32_t row = 0; row < group->row_count; row++) {
    const double error = registers[equations->residual_register[group->rows[row]]].error;
    if (!(error > 0)) continue;
    const double *moved = hbg_equations_moves(run, at, row);
    for (int32_t column = 0; column < group->column_count; column++) {
      const int32_t target = equations->unknown_register[group->columns[column]];
      if (target >= 0) registers[target].error += fabs(moved[column]) * error;
    }
  }
}

/* With a constant matrix each coefficient of the solution belongs to the same coefficient of the residuals. */
static void solve_constant(HbgEquationsRun *run, int32_t at, HbgPolynomial *registers) {
  const HbgEquations *equations = run->equations;
  const HbgGroup *group = &equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  int32_t degree = 0;
  for (int32_t row = 0; row < group->row_count; row++) {
    const HbgPolynomial *residual = &registers[equations->residual_register[group->rows[row]]];
    degree = residual->degree > degree ? residual->degree : degree;
    if (isfinite(residual->error)) continue;
    forget_group(equations, group, registers);
    return;
  }
  for (int32_t k = 0; k <= degree; k++) {
    for (int32_t row = 0; row < group->row_count; row++) {
      const HbgPolynomial *residual = &registers[equations->residual_register[group->rows[row]]];
      solver->right[row] = k <= residual->degree ? -residual->c[k] : 0;
    }
    divide(group, solver);
    for (int32_t column = 0; column < group->column_count; column++) {
      const int32_t target = equations->unknown_register[group->columns[column]];
      if (target < 0) continue;
      HbgPolynomial *unknown = &registers[target];
      if (k == 0) *unknown = hbg_polynomial_constant(solver->solution[column]);
      unknown->degree = k;
      unknown->c[k] = solver->solution[column];
      if (k > 0) unknown->size += fabs(unknown->c[k]);
    }
  }
  add_errors(run, at, registers);
}

/* False: no part of the step is so short that its unknowns would be known. */
static bool solve_group(HbgEquationsRun *run, int32_t at, HbgPolynomial *registers) {
  const HbgEquations *equations = run->equations;
  const HbgGroup *group = &equations->groups[at];
  if (!group->column_count) return true;
  bool has_constant_matrix = true;
  for (int32_t entry = 0; entry < group->entry_count; entry++)
    if (!is_constant(&registers[equations->entry_register[group->entries[entry]]])) has_constant_matrix = false;
  const bool is_single = group->row_count == 1 && group->column_count == 1 && group->entry_count == 1;
  const bool can_be_solved = is_regular(run, group, &run->groups[at]);
  if (!can_be_solved || (!has_constant_matrix && !is_single)) {
    forget_group(equations, group, registers);
  } else if (has_constant_matrix) {
    solve_constant(run, at, registers);
  } else {
    HbgPolynomial quotient;
    hbg_polynomial_scale(&quotient, &registers[equations->residual_register[group->rows[0]]], -1);
    hbg_polynomial_divide(&quotient, &quotient, &registers[equations->entry_register[group->entries[0]]]);
    set_unknown(equations, group->columns[0], registers, quotient);
  }
  return can_be_solved;
}

/* ---- running ---- */

static void load(HbgSim *sim, HbgStepWindow *window, const HbgIsland *island, const HbgIslandWatch *watch,
                 HbgPolynomial *registers) {
  const HbgSlice *slice = &watch->slice;
  const double *numbers = watch->run->registers;
  for (int32_t at = 0; at < slice->constant_count; at++)
    hbg_polynomial_set(&registers[slice->constants[at]], numbers[slice->constants[at]]);
  for (int32_t at = 0; at < slice->input_count; at++) {
    const HbgExprNode *leaf = &slice->inputs[at].leaf;
    HbgPolynomial *target = &registers[slice->inputs[at].target];
    if (leaf->op == HBG_OP_TIME) *target = hbg_window_time(sim, window);
    else if (leaf->op == HBG_OP_STATE) hbg_window_state(sim, window, island->binding.states[leaf->index], target);
    else hbg_polynomial_set(target, numbers[slice->inputs[at].target]);
  }
}

static void run_slice(HbgIslandWatch *watch, HbgPolynomial *registers) {
  const HbgEquations *equations = watch->run->equations;
  const HbgSlice *slice = &watch->slice;
  watch->is_blind = false;
  for (int32_t at = 0; at < equations->system.unknown_count; at++)
    if (equations->unknown_register[at] >= 0) hbg_polynomial_set(&registers[equations->unknown_register[at]], 0);
  hbg_execute_polynomials(slice->code, 0, slice->border, registers);
  for (int32_t at = 0; at < equations->group_count; at++)
    if (!solve_group(watch->run, at, registers)) watch->is_blind = true;
  // what was computed of the unknowns at 0 is computed anew
  hbg_execute_polynomials(slice->code, 0, equations->system.unknown_count ? slice->border : 0, registers);
  hbg_execute_polynomials(slice->code, slice->border, slice->count, registers);
}

/* What a storage imposes that is cut off: its law, over its own state. What it receives no guard reads. */
static bool storage_window(HbgSim *sim, HbgStepWindow *window, HbgIsland *island) {
  if (!island->watch) island->watch = ARENA_NEW(sim->arena, HbgIslandWatch, 1);
  if (island->watch->window == window->number) return true;
  const HbgProbe *law = hbg_island_law(&sim->solver, island);
  const HbgProgram *program = &law->program;
  HbgPolynomial *registers = hbg_window_registers(sim, &window->of_island, program->register_count);
  for (int32_t at = 0; at < program->constant_count; at++)
    hbg_polynomial_set(&registers[program->constants[at].target], program->constants[at].value);
  for (int32_t at = 0; at < program->input_count; at++)
    hbg_window_leaf(sim, window, &program->inputs[at].leaf, &registers[program->inputs[at].target]);
  hbg_execute_polynomials(program->prepare, 0, program->prepare_count, registers);
  hbg_execute_polynomials(program->main, 0, program->main_count, registers);
  HbgPolynomial *kept = ARENA_NEW(&sim->scratch, HbgPolynomial, 1);
  hbg_polynomial_copy(kept, &registers[law->outputs[0]]);
  window->variable[hbg_island_given(island)] = kept;
  island->watch->window = window->number;
  return true;
}

/* Its equations, with the numbers that do not move in continuous time: scheduled conditions, matrices and constants. */
static HbgEquationsRun *run_of(HbgSim *sim, HbgIsland *island) {
  HbgEquationsRun *run = hbg_equations_run(&sim->solver, island,
                                                 island->needs_stacked[0] ? HBG_CONTINUOUS_STACKED : HBG_CONTINUOUS_PLAIN);
  const bool is_ready = run->is_prepared && (!run->equations->system.unknown_count || run->equations->entries_are_constant);
  return is_ready ? run : hbg_island_solve_finite(&sim->solver, island, &sim->now, NULL);
}

static bool has_equations(HbgSim *sim, HbgIsland *island) {
  return !island->is_hanging && (island->is_implicit || !hbg_constraints_may_drift(sim, island));
}

bool hbg_island_is_steady(HbgSim *sim, HbgIsland *island) { return island->is_storage || (!island->sliding && has_equations(sim, island)); }

bool hbg_island_window(HbgSim *sim, HbgStepWindow *window, HbgIsland *island) {
  if (island->is_storage) return storage_window(sim, window, island);
  if (island->watch && island->watch->window == window->number) return true;
  if (!has_equations(sim, island)) return false;
  if (!island->watch) island->watch = ARENA_NEW(sim->arena, HbgIslandWatch, 1);
  HbgIslandWatch *watch = island->watch;
  HbgEquationsRun *run = run_of(sim, island);
  if (!run) return false;
  if (watch->run != run || (watch->read_count != sim->guards.read_count && count_read(sim, island) != watch->count)) {
    watch->run = run;
    make_slice(sim, island, watch);
  }
  watch->read_count = sim->guards.read_count;
  HbgPolynomial *registers = hbg_window_registers(sim, &window->of_island, run->equations->program.register_count);
  load(sim, window, island, watch, registers);
  run_slice(watch, registers);
  HbgPolynomial *kept = ARENA_NEW(&sim->scratch, HbgPolynomial, watch->count);
  for (int32_t at = 0; at < watch->count; at++) {
    hbg_polynomial_copy(&kept[at], &registers[watch->registers[at]]);
    window->variable[watch->variables[at]] = &kept[at];
  }
  watch->window = window->number;
  return true;
}

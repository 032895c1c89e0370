/* SPDX-License-Identifier: BSD-3-Clause
 * An island's equations over a part of a step: its program runs on polynomials, and unknowns of linear systems with a constant
 * matrix are solved for coefficient by coefficient, a few of laws that bend by Newton's method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hybrid/island_parts.h"
#include "hybrid/sim.h"
#include "hybrid/window.h"
#include "numerics/polynomial_function.h"
#include "numerics/polynomial_newton.h"

/* ---- what is read ---- */

static int32_t count_read(const HbgSim *sim, const HbgIsland *island) {
  int32_t count = 0;
  for (int32_t variable = 0; variable < 2 * island->graph.bond_count; variable++) count += sim->guards.is_read[hbg_island_variable(island, variable)];
  return count;
}

/* Is each group of unknowns a matter of its own, as laws between storages are that are cut off? */
static bool are_apart(const HbgEquations *equations) {
  int32_t count = 0;
  for (int32_t at = 0; at < equations->group_count; at++) {
    if (!equations->groups[at].column_count) continue;
    if (!equations->groups[at].code) return false;
    count++;
  }
  return count > 1;
}

static int by_variable(const void *a, const void *b) {
  const HbgIslandPiece *one = a, *other = b;
  return (one->variables[0] > other->variables[0]) - (one->variables[0] < other->variables[0]);
}

/* One piece for all variables, or one for each. */
static void share_out(HbgIslandWatch *watch, int32_t *variables, int32_t *registers, HbgArena *arena) {
  const bool is_each = watch->count > 1 && are_apart(watch->run->equations);
  watch->piece_count = is_each ? watch->count : 1;
  watch->pieces = ARENA_NEW(arena, HbgIslandPiece, watch->piece_count);
  for (int32_t at = 0; at < watch->piece_count; at++)
    watch->pieces[at] = (HbgIslandPiece){.variables = &variables[at], .registers = &registers[at], .count = is_each ? 1 : watch->count};
  qsort(watch->pieces, (size_t)watch->piece_count, sizeof *watch->pieces, by_variable);
}

static void make_pieces(HbgSim *sim, const HbgIsland *island, HbgIslandWatch *watch) {
  const HbgEquations *equations = watch->run->equations;
  const int32_t most = 2 * island->graph.bond_count;
  int32_t *variables = ARENA_NEW(sim->arena, int32_t, most), *registers = ARENA_NEW(sim->arena, int32_t, most);
  watch->count = 0;
  for (int32_t variable = 0; variable < most; variable++) {
    const int32_t of_model = hbg_island_variable(island, variable);
    if (!sim->guards.is_read[of_model]) continue;
    variables[watch->count] = of_model;
    registers[watch->count++] = equations->variable_register[variable];
  }
  share_out(watch, variables, registers, sim->arena);
}

static bool is_needed(const HbgEquations *equations, const HbgGroup *group, const uint8_t *needed) {
  for (int32_t column = 0; column < group->column_count; column++) {
    const int32_t target = equations->unknown_register[group->columns[column]];
    if (target >= 0 && needed[target]) return true;
  }
  return false;
}

/* The groups that a piece follows from: all of them, unless each is a matter of its own. */
static void list_groups(HbgSim *sim, const HbgEquations *equations, HbgIslandPiece *piece, bool takes_all) {
  uint8_t *needed = ARENA_NEW(&sim->scratch, uint8_t, equations->program.register_count);
  for (int32_t at = 0; at < piece->count; at++) needed[piece->registers[at]] = 1;
  if (!takes_all) hbg_program_mark(&equations->program, needed);
  piece->groups = ARENA_NEW(sim->arena, int32_t, equations->group_count);
  for (int32_t group = 0; group < equations->group_count; group++)
    if (takes_all || is_needed(equations, &equations->groups[group], needed)) piece->groups[piece->group_count++] = group;
}

/* What it needs: its variables, and behind them what the unknowns are solved from. */
static void make_slice(HbgSim *sim, const HbgIslandWatch *watch, HbgIslandPiece *piece) {
  const HbgEquations *equations = watch->run->equations;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  list_groups(sim, equations, piece, watch->piece_count == 1);
  int32_t *roots = ARENA_NEW(&sim->scratch, int32_t, piece->count + equations->system.row_count + equations->system.entry_count), count = piece->count;
  if (count) memcpy(roots, piece->registers, (size_t)count * sizeof *roots);
  for (int32_t at = 0; at < piece->group_count; at++) {
    const HbgGroup *group = &equations->groups[piece->groups[at]];
    for (int32_t row = 0; row < group->row_count; row++) roots[count++] = equations->residual_register[group->rows[row]];
    for (int32_t entry = 0; entry < group->entry_count; entry++) roots[count++] = equations->entry_register[group->entries[entry]];
  }
  piece->slice = hbg_program_slice(&equations->program, roots, count, false, equations->residual_end, sim->arena, &sim->scratch);
  piece->is_made = true;
  hbg_arena_rewind(&sim->scratch, mark);
}

static HbgIslandPiece *piece_of(HbgSim *sim, HbgIslandWatch *watch, int32_t variable) {
  int32_t low = 0, high = watch->piece_count - 1;
  while (low < high) {
    const int32_t middle = low + (high - low + 1) / 2;
    if (watch->pieces[middle].variables[0] > variable) high = middle - 1;
    else low = middle;
  }
  if (!watch->pieces[low].is_made) make_slice(sim, watch, &watch->pieces[low]);
  return &watch->pieces[low];
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

static bool is_single(const HbgGroup *group) { return group->row_count == 1 && group->column_count == 1 && group->entry_count == 1; }

/* Laws that are solved during the run: the equations of a few unknowns, in the registers. */
typedef struct GroupEquations {
  const HbgEquations *equations;
  const HbgGroup *group;
  const HbgInstruction *code; int32_t code_count; /* from the unknowns to the residuals and their slopes */
  HbgPolynomial *registers;
} GroupEquations;

static void execute_group(const HbgPolynomial *x, HbgEquationsOver *over, void *user) {
  const GroupEquations *self = user;
  const HbgGroup *group = self->group;
  for (int32_t column = 0; column < group->column_count; column++) set_unknown(self->equations, group->columns[column], self->registers, x[column]);
  hbg_execute_polynomials(self->code, 0, self->code_count, self->registers);
  for (int32_t row = 0; row < group->row_count; row++) {
    over->residual[row] = &self->registers[self->equations->residual_register[group->rows[row]]];
    for (int32_t column = 0; column < group->column_count; column++) over->slope[row][column] = NULL;
  }
  for (int32_t at = 0; at < group->entry_count; at++)
    over->slope[group->entry_row[at]][group->entry_column[at]] = &self->registers[self->equations->entry_register[group->entries[at]]];
}

/* As many unknowns as equations, and no more than are solved together; each slope once. */
static bool is_small(const HbgGroup *group) {
  bool is_there[HBG_EQUATIONS_OVER][HBG_EQUATIONS_OVER] = {{false}};
  if (group->row_count != group->column_count || group->row_count > HBG_EQUATIONS_OVER) return false;
  for (int32_t at = 0; at < group->entry_count; at++) {
    if (is_there[group->entry_row[at]][group->entry_column[at]]) return false;
    is_there[group->entry_row[at]][group->entry_column[at]] = true;
  }
  return true;
}

static void solve_nonlinear(const HbgEquationsRun *run, const HbgSlice *slice, const HbgGroup *group, HbgPolynomial *registers) {
  GroupEquations self = {.equations = run->equations, .group = group, .code = group->code, .code_count = group->code_count, .registers = registers};
  if (!group->code) self.code = slice->code, self.code_count = slice->border;
  HbgPolynomial x[HBG_EQUATIONS_OVER];
  double start[HBG_EQUATIONS_OVER];
  for (int32_t column = 0; column < group->column_count; column++) start[column] = run->unknowns[group->columns[column]];
  hbg_polynomial_newton(group->column_count, x, start, execute_group, &self);
  for (int32_t column = 0; column < group->column_count; column++) set_unknown(run->equations, group->columns[column], registers, x[column]);
}

/* False: no part of the step is so short that its unknowns would be known. */
static bool solve_group(HbgEquationsRun *run, const HbgSlice *slice, int32_t at, HbgPolynomial *registers) {
  const HbgEquations *equations = run->equations;
  const HbgGroup *group = &equations->groups[at];
  if (!group->column_count) return true;
  if (!equations->system.is_linear && is_small(group)) {
    solve_nonlinear(run, slice, group, registers);
    return true;
  }
  bool has_constant_matrix = true;
  for (int32_t entry = 0; entry < group->entry_count; entry++)
    if (!is_constant(&registers[equations->entry_register[group->entries[entry]]])) has_constant_matrix = false;
  const bool can_be_solved = is_regular(run, group, &run->groups[at]);
  if (!can_be_solved || (!has_constant_matrix && !is_single(group))) {
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

static void load(HbgSim *sim, HbgStepWindow *window, const HbgIsland *island, const HbgSlice *slice, HbgPolynomial *registers) {
  const double *numbers = island->watch->run->registers;
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

/* Unknowns begin at 0, which residuals of linear systems are about, or where they have been. */
static void begin_unknowns(const HbgEquationsRun *run, const HbgIslandPiece *piece, HbgPolynomial *registers) {
  for (int32_t at = 0; at < piece->group_count; at++) {
    const HbgGroup *group = &run->equations->groups[piece->groups[at]];
    for (int32_t column = 0; column < group->column_count; column++) {
      const int32_t unknown = group->columns[column];
      set_unknown(run->equations, unknown, registers, hbg_polynomial_constant(run->equations->system.is_linear ? 0 : run->unknowns[unknown]));
    }
  }
}

static void run_slice(HbgEquationsRun *run, HbgIslandPiece *piece, HbgPolynomial *registers) {
  const HbgSlice *slice = &piece->slice;
  piece->is_blind = false;
  begin_unknowns(run, piece, registers);
  hbg_execute_polynomials(slice->code, 0, slice->border, registers);
  for (int32_t at = 0; at < piece->group_count; at++)
    if (!solve_group(run, slice, piece->groups[at], registers)) piece->is_blind = true;
  // what was computed of the unknowns as they were is computed anew
  hbg_execute_polynomials(slice->code, 0, run->equations->system.unknown_count ? slice->border : 0, registers);
  hbg_execute_polynomials(slice->code, slice->border, slice->count, registers);
}

/* What a storage imposes that is cut off: its law, over its own state. What it receives no guard reads. */
static bool storage_window(HbgSim *sim, HbgStepWindow *window, HbgIsland *island) {
  if (!island->watch) {
    island->watch = ARENA_NEW(sim->arena, HbgIslandWatch, 1);
    island->watch->pieces = ARENA_NEW(sim->arena, HbgIslandPiece, 1);
  }
  if (island->watch->pieces->window == window->number) return true;
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
  island->watch->pieces->window = window->number;
  return true;
}

/* Its equations, with the numbers that do not move in continuous time: scheduled conditions, matrices and constants. */
static HbgEquationsRun *run_of(HbgSim *sim, HbgIsland *island) {
  HbgEquationsRun *run = hbg_equations_run(&sim->solver, island,
                                                 island->needs_stacked[0] ? HBG_CONTINUOUS_STACKED : HBG_CONTINUOUS_PLAIN);
  const bool is_ready = run->is_prepared && (!run->equations->system.unknown_count || run->equations->entries_are_constant || !run->equations->system.is_linear);
  return is_ready ? run : hbg_island_solve_finite(&sim->solver, island, &sim->now, NULL);
}

static bool has_equations(HbgSim *sim, HbgIsland *island) {
  return !island->is_hanging && (island->is_implicit || !hbg_constraints_may_drift(sim, island));
}

bool hbg_island_is_steady(HbgSim *sim, HbgIsland *island) { return island->is_storage || (!island->sliding && has_equations(sim, island)); }

/* The pieces of its equations as they are now. False: they have no solution. */
static bool find_pieces(HbgSim *sim, HbgIsland *island) {
  if (!island->watch) island->watch = ARENA_NEW(sim->arena, HbgIslandWatch, 1);
  HbgIslandWatch *watch = island->watch;
  HbgEquationsRun *run = run_of(sim, island);
  if (!run) return false;
  if (watch->run != run || (watch->read_count != sim->guards.read_count && count_read(sim, island) != watch->count)) {
    watch->run = run;
    make_pieces(sim, island, watch);
  }
  watch->read_count = sim->guards.read_count;
  return true;
}

static void compute(HbgSim *sim, HbgStepWindow *window, HbgIsland *island, HbgIslandPiece *piece) {
  HbgEquationsRun *run = island->watch->run;
  HbgPolynomial *registers = hbg_window_registers(sim, &window->of_island, run->equations->program.register_count);
  load(sim, window, island, &piece->slice, registers);
  run_slice(run, piece, registers);
  HbgPolynomial *kept = ARENA_NEW(&sim->scratch, HbgPolynomial, piece->count);
  for (int32_t at = 0; at < piece->count; at++) {
    hbg_polynomial_copy(&kept[at], &registers[piece->registers[at]]);
    window->variable[piece->variables[at]] = &kept[at];
  }
  piece->window = window->number;
}

bool hbg_island_window(HbgSim *sim, HbgStepWindow *window, int32_t variable) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_storage) return storage_window(sim, window, island);
  const bool are_known = island->watch && island->watch->run && island->watch->read_count == sim->guards.read_count;
  HbgIslandPiece *piece = are_known ? piece_of(sim, island->watch, variable) : NULL;
  if (!piece || piece->window != window->number) {
    if (!has_equations(sim, island) || !find_pieces(sim, island)) return false;
    piece = piece_of(sim, island->watch, variable);
    compute(sim, window, island, piece);
  }
  if (piece->is_blind && isinf(window->variable[variable]->error)) window->is_blind = true;
  return true;
}

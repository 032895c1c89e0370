/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_solve.h"

#include "hybrid/island_weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "numerics/random.h"

/* ---- making a run ---- */

typedef struct GroupCall {
  HbgEquationsRun *run;
  const HbgGroup *group;
} GroupCall;

static void note_entry_sizes(HbgEquationsRun *run) {
  const HbgEquations *equations = run->equations;
  const double *sizes = hbg_equations_sizes(run, NULL, equations->residual_end);
  for (int32_t entry = 0; entry < equations->system.entry_count; entry++)
    run->entry_sizes[entry] = sizes[equations->entry_register[entry]];
}

/* A Jacobian entry, but 0 where terms cancel: round-off would pass for a pivot, and a singular matrix for a regular one. */
static double clean_entry(HbgEquationsRun *run, int32_t entry) {
  const double value = run->registers[run->equations->entry_register[entry]];
  if (fabs(value) > 1e-6 * run->entry_sizes[entry] || !(fabs(value) > 0)) return value;
  note_entry_sizes(run); // sizes change slowly: they are only asked for where an entry has become small
  return fabs(value) > HBG_GUARD_BAND * run->entry_sizes[entry] ? value : 0;
}

static void list_entries(HbgEquationsRun *run, const HbgGroup *group, double *list) {
  for (int32_t at = 0; at < group->entry_count; at++) list[at] = clean_entry(run, group->entries[at]);
}

static void fill_matrix(HbgEquationsRun *run, const HbgGroup *group, double *matrix) {
  memset(matrix, 0, (size_t)group->row_count * (size_t)group->column_count * sizeof *matrix);
  for (int32_t at = 0; at < group->entry_count; at++)
    matrix[group->entry_row[at] * group->column_count + group->entry_column[at]] +=
        clean_entry(run, group->entries[at]);
}

/* All else has been executed before. */
static void evaluate_at(const GroupCall *call, const double *x) {
  const HbgEquations *equations = call->run->equations;
  const HbgGroup *group = call->group;
  for (int32_t at = 0; at < group->column_count; at++) {
    const int32_t unknown = group->columns[at], target = equations->unknown_register[unknown];
    call->run->unknowns[unknown] = x[at];
    if (target >= 0) call->run->registers[target] = x[at];
  }
  if (group->code) hbg_execute(group->code, 0, group->code_count, call->run->registers);
  else hbg_execute(equations->program.main, 0, equations->residual_end, call->run->registers);
}

static int group_residual(const double *x, double *residual, void *user) {
  const GroupCall *call = user;
  evaluate_at(call, x);
  for (int32_t at = 0; at < call->group->row_count; at++) {
    residual[at] = call->run->registers[call->run->equations->residual_register[call->group->rows[at]]];
    if (!isfinite(residual[at])) return 1;
  }
  return 0;
}

static int group_jacobian(const double *x, double *jacobian, void *user) {
  const GroupCall *call = user;
  (void)x; // the registers are those of the residual there
  fill_matrix(call->run, call->group, jacobian);
  return 0;
}

static void group_terms(double *terms, void *user) {
  const GroupCall *call = user;
  const HbgEquations *equations = call->run->equations;
  const double *sizes = hbg_equations_sizes(call->run, NULL, equations->residual_end);
  for (int32_t at = 0; at < call->group->row_count; at++) terms[at] = sizes[equations->residual_register[call->group->rows[at]]];
}

enum { MOST_MOVES = 256 }; // of more unknowns the inverse is not kept, nor where few of them meet

static bool is_sparse(const HbgEquations *equations, const HbgGroup *group) {
  return equations->system.is_linear && group->row_count == group->column_count && hbg_square_is_sparse(group->column_count, group->entry_count);
}

static void make_square(const HbgIslandSolver *of, const HbgGroup *group, HbgGroupSolver *solver, HbgArena *arena) {
  solver->matrix = ARENA_NEW(arena, double, group->entry_count);
  solver->square = hbg_square(arena, of->arena, group->column_count, group->entry_count, group->entry_row, group->entry_column);
  solver->rest = ARENA_NEW(arena, double, group->row_count);
  solver->size = ARENA_NEW(arena, double, group->column_count);
}

static void make_least(HbgIslandSolver *of, const HbgGroup *group, HbgGroupSolver *solver, HbgArena *arena) {
  const int32_t m = group->row_count, n = group->column_count;
  solver->least = ARENA_NEW(arena, HbgLeastSquares, 1);
  *solver->least = hbg_least_squares_in(&of->room, arena, m, n);
  solver->matrix = solver->least->a;
  solver->rest = ARENA_NEW(arena, double, m);
  solver->change = ARENA_NEW(arena, double, n);
  solver->size = ARENA_NEW(arena, double, n);
}

static void make_group(HbgIslandSolver *of, HbgEquationsRun *run, int32_t at, HbgArena *arena) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  const int32_t m = group->row_count, n = group->column_count;
  if (!n) return;
  solver->right = ARENA_NEW(arena, double, m);
  solver->solution = ARENA_NEW(arena, double, n);
  if (run->equations->system.kind == HBG_SYSTEM_PLAIN && m != n) run->is_singular = true;
  if (!run->equations->system.is_linear) {
    solver->matrix = ARENA_NEW(arena, double, m * n);
    GroupCall *call = ARENA_NEW(arena, GroupCall, 1);
    *call = (GroupCall){run, group};
    solver->newton = ARENA_NEW(arena, HbgNewton, 1);
    *solver->newton = hbg_newton(arena, m, n, group_residual, group_jacobian, call);
    solver->newton->terms = group_terms;
  } else if (run->equations->system.kind == HBG_SYSTEM_PLAIN) {
    if (m != n) return; // it is singular
    make_square(of, group, solver, arena);
    if (n <= MOST_MOVES && !is_sparse(run->equations, group)) solver->moves = ARENA_NEW(arena, double, n * n);
  } else if (is_sparse(run->equations, group)) {
    make_square(of, group, solver, arena);
  } else {
    make_least(of, group, solver, arena);
  }
}

static const HbgEquations *equations_of(HbgIslandSolver *solver, HbgIslandProgram *program, HbgEquationsKind kind) {
  if (program->equations[kind]) return program->equations[kind];
  hbg_compiling_begin(solver);
  const HbgEquations *equations = hbg_island_equations(program, solver->laws, solver->arena, kind);
  hbg_compiling_end(solver);
  return equations;
}

/* All of them in one piece: most islands have few. */
static void make_numbers(HbgEquationsRun *run, HbgArena *arena) {
  const HbgSystem *system = &run->equations->system;
  const size_t registers = (size_t)run->equations->program.register_count, unknowns = (size_t)system->unknown_count, rows = (size_t)system->row_count;
  run->registers = ARENA_NEW(arena, double, 2 * registers + (system->is_linear ? 2 : 5) * unknowns + rows + (size_t)system->entry_count);
  run->sizes = run->registers + registers;
  run->unknowns = run->sizes + registers;
  run->unknown_sizes = run->unknowns + unknowns;
  run->allowed = run->unknown_sizes + unknowns;
  run->entry_sizes = run->allowed + rows;
  if (system->is_linear) return;
  run->last = run->entry_sizes + system->entry_count;
  run->at_instant = run->last + unknowns;
  run->least_wrong = run->at_instant + unknowns;
}

static void forget_groups(void *owner) {
  HbgEquationsRun *run = owner;
  run->is_prepared = false;
  for (int32_t at = 0; at < run->equations->group_count; at++) hbg_square_free(run->groups[at].square);
  memset(run->groups, 0, (size_t)run->equations->group_count * sizeof *run->groups);
}

/* Of a group, about: the matrix, its inverse or factors, and lists. */
static size_t bytes_of_group(const HbgEquations *equations, const HbgGroup *group) {
  const size_t m = (size_t)group->row_count, n = (size_t)group->column_count, entries = (size_t)group->entry_count;
  if (is_sparse(equations, group)) return hbg_square_size(group->column_count, group->entry_count) + (m + n + entries) * sizeof(double) + 512;
  return ((m <= MOST_MOVES ? 3 : 2) * m * n + 8 * (m + n) + entries + 64) * sizeof(double);
}

static size_t bytes_of_groups(const HbgEquations *equations) {
  size_t bytes = 0;
  for (int32_t at = 0; at < equations->group_count; at++) bytes += bytes_of_group(equations, &equations->groups[at]);
  return bytes;
}

/* Newton's method remembers where it has been, and stays. Factors of sparse matrices are given back, or would be lost. */
static bool may_be_given_back(const HbgEquations *equations) {
  size_t numbers = 0;
  for (int32_t at = 0; at < equations->group_count; at++) {
    const HbgGroup *group = &equations->groups[at];
    if (is_sparse(equations, group)) return true;
    numbers += (size_t)group->row_count * (size_t)group->column_count;
  }
  return equations->system.is_linear && numbers * sizeof(double) >= HBG_STORE_LARGE;
}

/* The numbers of all groups. */
static void make_groups(HbgIslandSolver *solver, HbgEquationsRun *run) {
  HbgArena *arena = run->store ? hbg_store_begin(&solver->stores, run->store, solver->arena, bytes_of_groups(run->equations)) : solver->arena;
  for (int32_t group = 0; group < run->equations->group_count; group++) make_group(solver, run, group, arena);
  if (run->store) hbg_store_end(&solver->stores, run->store);
}

/* They may have been given back meanwhile. */
static HbgEquationsRun *at_hand(HbgIslandSolver *solver, HbgEquationsRun *run) {
  if (run->store && run->store->is_held) hbg_store_use(&solver->stores, run->store);
  else if (run->store) make_groups(solver, run);
  return run;
}

HbgEquationsRun *hbg_equations_run(HbgIslandSolver *solver, HbgIsland *island, HbgEquationsKind kind) {
  kind = hbg_equations_kind(island->program, kind);
  if (island->runs[kind]) return at_hand(solver, island->runs[kind]);
  HbgArena *arena = solver->arena;
  HbgEquationsRun *run = ARENA_NEW(arena, HbgEquationsRun, 1);
  run->of = solver;
  run->equations = equations_of(solver, island->program, kind);
  run->state_scale = solver->scale;
  run->states = island->binding.states;
  make_numbers(run, arena);
  for (int32_t entry = 0; entry < run->equations->system.entry_count; entry++) run->entry_sizes[entry] = HUGE_VAL;
  run->groups = ARENA_NEW(arena, HbgGroupSolver, run->equations->group_count);
  if (may_be_given_back(run->equations)) run->store = hbg_store(arena, forget_groups, run, &island->place);
  make_groups(solver, run);
  island->runs[kind] = run;
  return run;
}

/* ---- inputs ---- */

static void load_constants(HbgEquationsRun *run, const HbgIsland *island) {
  const HbgProgram *program = &run->equations->program;
  hbg_program_load_constants(program, run->registers);
  for (int32_t at = 0; at < program->input_count; at++)
    if (hbg_is_slot(&program->inputs[at].leaf, HBG_SLOT_CONSTANT))
      run->registers[program->inputs[at].target] = island->binding.constants[program->inputs[at].leaf.index];
  run->is_fresh = true;
}

static double a_priori_variable(const HbgIsland *island, const HbgValues *before, int32_t variable) {
  return before->variable[2 * island->graph.bonds[variable / 2].bond + variable % 2];
}

static double input_value(const HbgIsland *island, const HbgExprNode *leaf, const HbgValues *now,
                          const HbgValues *before) {
  if (leaf->op == HBG_OP_TIME) return now->time;
  if (leaf->op == HBG_OP_STATE) return now->state[island->binding.states[leaf->index]];
  switch ((HbgSlotKind)leaf->other) {
    case HBG_SLOT_TICK: return now->tick[island->binding.ticks[leaf->index]];
    case HBG_SLOT_DISCRETE: return now->discrete[island->binding.discrete[leaf->index]];
    case HBG_SLOT_PRE: return island->is_resting && island->pre_rests[leaf->index] ? 0 : hbg_probe_value(island->pre, leaf->index);
    case HBG_SLOT_PRE_VARIABLE: return before ? a_priori_variable(island, before, leaf->index) : 0;
    default: return 0;
  }
}

void hbg_equations_load(HbgEquationsRun *run, HbgIsland *island, const HbgValues *now, const HbgValues *before) {
  const HbgProgram *program = &run->equations->program;
  if (!run->is_fresh) load_constants(run, island);
  if (before && island->binding.pre) hbg_probe_run(island->pre, before);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (!hbg_is_slot(leaf, HBG_SLOT_CONSTANT))
      run->registers[program->inputs[at].target] = input_value(island, leaf, now, before);
  }
  if (!run->is_prepared) hbg_execute(program->prepare, 0, program->prepare_count, run->registers);
}

void hbg_equations_load_other(const HbgEquationsRun *run, HbgIsland *island, const HbgValues *now,
                              const HbgProgram *program, double *registers) {
  hbg_program_load_constants(program, registers);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    double *target = &registers[program->inputs[at].target];
    const int32_t unknown = run ? hbg_system_unknown(&run->equations->system, leaf) : -1;
    if (unknown >= 0) *target = run->unknowns[unknown];
    else if (hbg_is_slot(leaf, HBG_SLOT_CONSTANT)) *target = island->binding.constants[leaf->index];
    else if (hbg_is_slot(leaf, HBG_SLOT_WEIGHT)) *target = island->weights->list[leaf->index];
    else *target = input_value(island, leaf, now, NULL);
  }
}

/* ---- sizes ---- */

const double *hbg_equations_sizes(HbgEquationsRun *run, const double *area_size, int32_t end) {
  const HbgProgram *program = &run->equations->program;
  for (int32_t at = 0; at < program->constant_count; at++)
    run->sizes[program->constants[at].target] = fabs(program->constants[at].value);
  for (int32_t at = 0; at < program->input_count; at++) {
    const int32_t target = program->inputs[at].target;
    run->sizes[target] = fabs(run->registers[target]);
    if (run->with_scale && program->inputs[at].leaf.op == HBG_OP_STATE)
      run->sizes[target] = fmax(run->sizes[target], run->state_scale[run->states[program->inputs[at].leaf.index]]);
    if (area_size && hbg_is_slot(&program->inputs[at].leaf, HBG_SLOT_AREA_UNKNOWN))
      run->sizes[target] = fmax(run->sizes[target], area_size[program->inputs[at].leaf.index]);
  }
  for (int32_t at = 0; at < run->equations->system.unknown_count; at++) {
    const int32_t target = run->equations->unknown_register[at];
    if (target >= 0) run->sizes[target] = fmax(run->sizes[target], run->unknown_sizes[at]);
  }
  hbg_execute_sizes(program->prepare, 0, program->prepare_count, run->registers, run->sizes);
  hbg_execute_sizes(program->main, 0, end, run->registers, run->sizes);
  return run->sizes;
}

static HbgLeastSquares *least_squares_of(HbgGroupSolver *solver) {
  return solver->newton ? &solver->newton->system : solver->least;
}

static void note_sizes_of_sparse(HbgEquationsRun *run, int32_t at) {
  const HbgEquations *equations = run->equations;
  const HbgGroup *group = &equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  for (int32_t row = 0; row < group->row_count; row++) solver->rest[row] = run->sizes[equations->residual_register[group->rows[row]]];
  hbg_square_spread(solver->square, solver->rest, solver->size);
  for (int32_t column = 0; column < group->column_count; column++) run->unknown_sizes[group->columns[column]] = solver->size[column];
}

/* What round-off in an unknown is small against: all that its group added up, by the norm of the inverse. An unknown that
 * is 0 but for round-off would otherwise pass for a small number, and its rows for wrong ones. */
static void note_unknown_sizes(HbgEquationsRun *run) {
  const HbgEquations *equations = run->equations;
  for (int32_t at = 0; at < equations->group_count; at++) {
    const HbgGroup *group = &equations->groups[at];
    const HbgLeastSquares *least = least_squares_of(&run->groups[at]);
    if (run->groups[at].square && equations->system.kind != HBG_SYSTEM_PLAIN) note_sizes_of_sparse(run, at);
    if (!least || !group->column_count || !least->rank) continue;
    double sum = 0;
    for (int32_t row = 0; row < group->row_count; row++)
      sum += least->row_scale[row] * run->sizes[equations->residual_register[group->rows[row]]];
    for (int32_t column = 0; column < group->column_count; column++)
      run->unknown_sizes[group->columns[column]] =
          least->column_scale[column] * sum / least->singular_value[least->rank - 1];
  }
}

void hbg_equations_round_off(HbgEquationsRun *run, const double *area_size, double *round_off, int32_t count) {
  hbg_equations_put_unknowns(run);
  hbg_execute(run->equations->program.main, 0, run->equations->residual_end, run->registers);
  hbg_equations_sizes(run, area_size, run->equations->residual_end);
  note_unknown_sizes(run);
  for (int32_t at = 0; at < count; at++) round_off[at] = HBG_GUARD_BAND * run->unknown_sizes[at];
  memset(run->unknown_sizes, 0, (size_t)run->equations->system.unknown_count * sizeof *run->unknown_sizes);
}

const double *hbg_equations_column_of_inverse(HbgEquationsRun *run, int32_t at, int32_t row) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  const HbgLeastSquares *least = least_squares_of(solver);
  for (int32_t column = 0; column < group->column_count; column++)
    solver->solution[column] = least ? least->inverse[column * group->row_count + row] : column == row;
  if (!least) hbg_square_solve(solver->square, solver->solution);
  return solver->solution;
}

const double *hbg_equations_moves(HbgEquationsRun *run, int32_t at, int32_t row) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  const int32_t n = group->column_count;
  if (!solver->moves) return hbg_equations_column_of_inverse(run, at, row);
  for (int32_t each = 0; !solver->knows_moves && each < group->row_count; each++) {
    const double *moved = hbg_equations_column_of_inverse(run, at, each);
    for (int32_t column = 0; column < n; column++) solver->moves[each * n + column] = fabs(moved[column]);
  }
  solver->knows_moves = true;
  return &solver->moves[row * n];
}

/* Each with a sign that is drawn, the same each time: 128 of them at once. */
static void draw_signs(int32_t count, const double *terms, uint32_t draw, double *signed_terms) {
  enum { BITS = 32, AT_ONCE = 4 * BITS };
  static const uint32_t key[2] = {0, 0};
  uint32_t block[4] = {0};
  for (int32_t at = 0; at < count; at++) {
    if (at % AT_ONCE == 0) {
      memcpy(block, (uint32_t[4]){(uint32_t)(at / AT_ONCE), draw, 0, 0}, sizeof block);
      hbg_random_philox(block, key);
    }
    signed_terms[at] = block[at % AT_ONCE / BITS] >> at % BITS & 1 ? terms[at] : -terms[at];
  }
}

/* size := about |A^-1| terms (by row): they come in with signs that are drawn, several times, and the mean of the squares is that of all by themselves. */
static void draw_sizes(const HbgGroup *group, HbgGroupSolver *solver, const double *terms) {
  enum { DRAWS = 8 };
  memset(solver->size, 0, (size_t)group->column_count * sizeof *solver->size);
  for (uint32_t draw = 0; draw < DRAWS; draw++) {
    draw_signs(group->row_count, terms, draw, solver->rest);
    hbg_square_solve(solver->square, solver->rest);
    for (int32_t column = 0; column < group->column_count; column++) solver->size[column] += solver->rest[column] * solver->rest[column] / DRAWS;
  }
  for (int32_t column = 0; column < group->column_count; column++) solver->size[column] = sqrt(solver->size[column]);
}

/* What round-off in an unknown is small against: what its rows added up, each as far as it moves it, |A^-1| |terms| (Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, 7.2). A current that is zero is the rest of others. */
static void spread_sizes(HbgEquationsRun *run, int32_t at) {
  enum { MOST_UNKNOWNS = 32 }; // of more, nobody waits for the inverse
  const HbgEquations *equations = run->equations;
  const HbgGroup *group = &equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  if (!group->column_count || !(solver->square || least_squares_of(solver))) return;
  for (int32_t row = 0; row < group->row_count; row++) solver->right[row] = run->sizes[equations->residual_register[group->rows[row]]];
  if (solver->square && group->column_count > MOST_UNKNOWNS) {
    draw_sizes(group, solver, solver->right);
    for (int32_t column = 0; column < group->column_count; column++) run->unknown_sizes[group->columns[column]] += solver->size[column];
    return;
  }
  for (int32_t row = 0; row < group->row_count; row++) {
    const double *moved = hbg_equations_column_of_inverse(run, at, row), size = solver->right[row];
    for (int32_t column = 0; column < group->column_count; column++)
      if (fabs(moved[column]) > 0) run->unknown_sizes[group->columns[column]] += fabs(moved[column]) * size;
  }
}

const double *hbg_equations_deep_sizes(HbgEquationsRun *run, int32_t end) {
  if (run->equations->system.unknown_count) {
    hbg_equations_sizes(run, NULL, run->equations->residual_end);
    for (int32_t group = 0; group < run->equations->group_count; group++) spread_sizes(run, group);
  }
  hbg_equations_sizes(run, NULL, end);
  memset(run->unknown_sizes, 0, (size_t)run->equations->system.unknown_count * sizeof *run->unknown_sizes);
  return run->sizes;
}

const double *hbg_equations_allowed(HbgEquationsRun *run, const double *area_size, double tolerance) {
  const HbgEquations *equations = run->equations;
  const int32_t row_count = equations->system.row_count;
  hbg_equations_sizes(run, area_size, equations->residual_end);
  for (int32_t row = 0; row < row_count; row++)
    run->allowed[row] = tolerance * run->sizes[equations->residual_register[row]];
  note_unknown_sizes(run);
  hbg_equations_sizes(run, area_size, equations->residual_end);
  for (int32_t row = 0; row < row_count; row++)
    run->allowed[row] += HBG_GUARD_BAND * run->sizes[equations->residual_register[row]];
  memset(run->unknown_sizes, 0, (size_t)equations->system.unknown_count * sizeof *run->unknown_sizes);
  return run->allowed;
}

/* ---- solving ---- */

void hbg_equations_put_unknowns(HbgEquationsRun *run) {
  for (int32_t at = 0; at < run->equations->system.unknown_count; at++)
    if (run->equations->unknown_register[at] >= 0)
      run->registers[run->equations->unknown_register[at]] = run->unknowns[at];
}

/* It is not regular: what it leaves open takes all its numbers. */
static void give_up_square(HbgEquationsRun *run, int32_t at) {
  HbgGroupSolver *solver = &run->groups[at];
  HbgArena *arena = &run->store->arena;
  hbg_square_free(solver->square);
  solver->square = NULL;
  arena->on_failure = run->of->arena->on_failure;
  make_least(run->of, &run->equations->groups[at], solver, arena);
  hbg_store_has_grown(&run->of->stores, run->store);
}

static bool factor_group(HbgEquationsRun *run, int32_t at) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  solver->knows_moves = false;
  if (solver->square) {
    list_entries(run, group, solver->matrix);
    if (hbg_square_factor(solver->square, solver->matrix)) return true;
    if (run->equations->system.kind == HBG_SYSTEM_PLAIN) return false;
    give_up_square(run, at);
  }
  fill_matrix(run, group, solver->matrix);
  if (!hbg_least_squares_factor(solver->least, solver->matrix, 0)) return false;
  hbg_least_squares_refine(solver->least); // storages that are tied are kept equal to their last digits
  return true;
}

/* y = A x, and the magnitudes each was summed up from; of four rows at a time, so that no sum waits for itself. */
static void multiply(int32_t m, int32_t n, const double *restrict a, const double *restrict x, double *restrict y, double *restrict size) {
  enum { AT_ONCE = 4 };
  for (int32_t first = 0; first < m; first += AT_ONCE) {
    const int32_t count = m - first < AT_ONCE ? m - first : AT_ONCE;
    double sum[AT_ONCE] = {0}, magnitude[AT_ONCE] = {0};
    const double *row = a + (size_t)first * (size_t)n;
    for (int32_t column = 0; column < n; column++) {
      for (int32_t k = 0; k < count; k++) {
        const double term = row[(size_t)k * (size_t)n + (size_t)column] * x[column];
        sum[k] += term;
        magnitude[k] += fabs(term);
      }
    }
    memcpy(&y[first], sum, (size_t)count * sizeof *sum);
    memcpy(&size[first], magnitude, (size_t)count * sizeof *magnitude);
  }
}

/* x := x + A^-1 (b - A x): what the pseudo-inverse lost where sizes lie far apart (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, ch. 12). */
static void correct(const HbgGroup *group, HbgGroupSolver *solver) {
  const HbgLeastSquares *least = solver->least;
  if (!least->rank || least->singular_value[least->rank - 1] > 0.01 * least->singular_value[0]) return;
  for (int32_t row = 0; row < group->row_count; row++) {
    solver->rest[row] = solver->right[row];
    for (int32_t column = 0; column < group->column_count; column++)
      solver->rest[row] -= solver->matrix[row * group->column_count + column] * solver->solution[column];
  }
  hbg_dense_multiply(group->column_count, group->row_count, least->inverse, solver->rest, solver->change);
  for (int32_t column = 0; column < group->column_count; column++) solver->solution[column] += solver->change[column];
}

/* By the pseudo-inverse, but exactly 0 where only round-off of larger terms is left: an impulse that does not exist must not
 * look like a small one. */
static void solve_least(const HbgGroup *group, HbgGroupSolver *solver) {
  multiply(group->column_count, group->row_count, solver->least->inverse, solver->right, solver->solution, solver->size);
  correct(group, solver);
  for (int32_t column = 0; column < group->column_count; column++)
    if (!(fabs(solver->solution[column]) > HBG_GUARD_BAND * solver->size[column])) solver->solution[column] = 0;
}

/* size += |A^-1| |right| of `row` alone. */
static void add_size_by(const HbgGroup *group, HbgGroupSolver *solver, int32_t row) {
  memset(solver->rest, 0, (size_t)group->row_count * sizeof *solver->rest);
  solver->rest[row] = solver->right[row];
  hbg_square_solve(solver->square, solver->rest);
  for (int32_t column = 0; column < group->column_count; column++) solver->size[column] += fabs(solver->rest[column]);
}

/* As solve_least() has it. Most right sides have few numbers: of one that has many, the terms are not told one by one. */
static void clear_round_off(const HbgGroup *group, HbgGroupSolver *solver) {
  enum { FEW = 8 };
  int32_t count = 0;
  for (int32_t row = 0; row < group->row_count; row++) count += !hbg_is_zero(solver->right[row]);
  memset(solver->size, 0, (size_t)group->column_count * sizeof *solver->size);
  for (int32_t row = 0; count <= FEW && row < group->row_count; row++)
    if (!hbg_is_zero(solver->right[row])) add_size_by(group, solver, row);
  if (count > FEW) draw_sizes(group, solver, solver->right);
  for (int32_t column = 0; column < group->column_count; column++)
    if (!(fabs(solver->solution[column]) > HBG_GUARD_BAND * solver->size[column])) solver->solution[column] = 0;
}

void hbg_equations_divide(HbgEquationsRun *run, int32_t at) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  memcpy(solver->solution, solver->right, (size_t)group->column_count * sizeof(double));
  hbg_square_solve(solver->square, solver->solution);
  // of a current beside a leak a million times smaller round-off of voltages would be left: a diode that has just taken hold would let go
  hbg_square_refine(solver->square, solver->right, solver->solution);
  if (run->equations->system.kind != HBG_SYSTEM_PLAIN) clear_round_off(group, solver);
}

static bool solve_group(HbgEquationsRun *run, int32_t at) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  if (!group->column_count) return true;
  const bool must_factor = !run->is_prepared || !run->equations->entries_are_constant;
  if (must_factor && !factor_group(run, at)) return false;
  for (int32_t row = 0; row < group->row_count; row++)
    solver->right[row] = -run->registers[run->equations->residual_register[group->rows[row]]];
  if (solver->square) hbg_equations_divide(run, at);
  else solve_least(group, solver);
  for (int32_t column = 0; column < group->column_count; column++)
    run->unknowns[group->columns[column]] = solver->solution[column];
  return true;
}

static bool solve_linear(HbgEquationsRun *run) {
  const HbgEquations *equations = run->equations;
  memset(run->unknowns, 0, (size_t)equations->system.unknown_count * sizeof *run->unknowns);
  hbg_equations_put_unknowns(run);
  hbg_execute(equations->program.main, 0, equations->residual_end, run->registers);
  for (int32_t group = 0; group < equations->group_count; group++)
    if (!solve_group(run, group)) return false;
  return true;
}

static void execute_residuals(HbgEquationsRun *run) {
  hbg_equations_put_unknowns(run);
  hbg_execute(run->equations->program.main, 0, run->equations->residual_end, run->registers);
}

/* Are the residuals of a group no more than round-off of their terms? Newton's method cannot tell where the solution is 0. */
static bool is_solved(HbgEquationsRun *run, const HbgGroup *group) {
  const HbgEquations *equations = run->equations;
  execute_residuals(run);
  const double *allowed = hbg_equations_allowed(run, NULL, 1e-12);
  for (int32_t at = 0; at < group->row_count; at++) {
    const int32_t row = group->rows[at];
    if (!(fabs(run->registers[equations->residual_register[row]]) <= allowed[row])) return false;
  }
  return true;
}

/* What is left where equations contradict each other: no more than that share of their terms? At a kink of a law its derivative has two, and belongs to neither. */
static bool are_left_with(HbgEquationsRun *run, int32_t at, double share) {
  const HbgGroup *group = &run->equations->groups[at];
  if (run->groups[at].newton->inconsistency <= share) return true;
  execute_residuals(run);
  run->with_scale = true; // a state may just pass zero
  const double *sizes = hbg_equations_sizes(run, NULL, run->equations->residual_end);
  run->with_scale = false;
  for (int32_t of_group = 0; of_group < group->row_count; of_group++) {
    const int32_t row = group->rows[of_group], residual = run->equations->residual_register[row];
    if (!hbg_system_is_derivative(&run->equations->system, row) && !(fabs(run->registers[residual]) <= share * sizes[residual])) return false;
  }
  return true;
}

void hbg_equations_scale(HbgEquationsRun *run, const double *scales, int32_t count) {
  for (int32_t at = 0; at < run->equations->group_count; at++) {
    const HbgGroup *group = &run->equations->groups[at];
    if (!run->groups[at].newton) continue;
    for (int32_t column = 0; column < group->column_count; column++)
      if (group->columns[column] < count) run->groups[at].newton->scale[column] = scales[group->columns[column]];
  }
}

typedef enum Found { NOTHING, CONTRADICTION, SOLUTION } Found;

/* From where the group's unknowns are. A plain system must be solved, and regular. */
static Found newton_group(HbgEquationsRun *run, int32_t at) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  for (int32_t column = 0; column < group->column_count; column++) solver->solution[column] = run->unknowns[group->columns[column]];
  const HbgNewtonResult result = hbg_newton_solve(solver->newton, solver->solution);
  for (int32_t column = 0; column < group->column_count; column++)
    run->unknowns[group->columns[column]] = solver->solution[column];
  const bool is_plain = run->equations->system.kind == HBG_SYSTEM_PLAIN, is_regular = solver->newton->system.rank == group->column_count;
  if (result != HBG_NEWTON_CONVERGED && !is_solved(run, group)) return result == HBG_NEWTON_INCONSISTENT && !is_plain ? CONTRADICTION : NOTHING;
  run->lost_rank = run->lost_rank || !is_regular;
  return is_plain && !is_regular ? NOTHING : SOLUTION;
}

static void start_at(HbgEquationsRun *run, const HbgGroup *group, double value) {
  for (int32_t column = 0; column < group->column_count; column++) run->unknowns[group->columns[column]] = value;
}

static void copy_of_group(const HbgGroup *group, const double *from, double *to) {
  for (int32_t column = 0; column < group->column_count; column++) to[group->columns[column]] = from[group->columns[column]];
}

/* Is there a solution from where the unknowns are? Of conditions on states, stages of a step may differ a little: the first such contradiction is kept. */
static bool is_found_from_here(HbgEquationsRun *run, int32_t at, bool *may_stay) {
  const double little = 0.01;
  const Found found = newton_group(run, at);
  if (found == CONTRADICTION && !*may_stay && !run->must_agree && are_left_with(run, at, little)) {
    *may_stay = true;
    copy_of_group(&run->equations->groups[at], run->unknowns, run->least_wrong);
  }
  return found == SOLUTION;
}

/* While a state moves: from the last solution, which may be that of a stage that led too far, or from where the motion began. From
 * elsewhere another solution would be found where there are several: that is left to conditions, for which nothing else has been found. */
static bool follow_group(HbgEquationsRun *run, int32_t at) {
  const HbgGroup *group = &run->equations->groups[at];
  bool may_stay = false;
  if (is_found_from_here(run, at, &may_stay)) return true;
  copy_of_group(group, run->at_instant, run->unknowns);
  if (is_found_from_here(run, at, &may_stay)) return true;
  if (!may_stay && !run->must_agree && run->equations->system.kind != HBG_SYSTEM_PLAIN) {
    start_at(run, group, 0);
    if (is_found_from_here(run, at, &may_stay)) return true;
  }
  if (may_stay) copy_of_group(group, run->least_wrong, run->unknowns);
  return may_stay;
}

/* At an instant Newton's method, which may rest at a point where the Jacobian is singular, is tried from many starts. Conditions that cannot
 * be met are told by the jump, which checks them. */
static bool find_group(HbgEquationsRun *run, int32_t at) {
  static const double starts[] = {0, 1, -1, 1e-3, -1e-3, 1e3, -1e3};
  const HbgGroup *group = &run->equations->groups[at];
  Found found = newton_group(run, at);
  for (size_t next = 0; found == NOTHING && next < sizeof starts / sizeof *starts; next++) {
    start_at(run, group, starts[next]);
    found = newton_group(run, at);
  }
  return found != NOTHING;
}

/* The one that is satisfied least where Newton's method has ended; -1: the group has none. */
static int32_t worst_row(HbgEquationsRun *run, const HbgGroup *group) {
  execute_residuals(run);
  const double *sizes = hbg_equations_sizes(run, NULL, run->equations->residual_end);
  int32_t worst = group->row_count ? group->rows[0] : -1;
  double most = 0;
  for (int32_t at = 0; at < group->row_count; at++) {
    const int32_t residual = run->equations->residual_register[group->rows[at]];
    const double share = fabs(run->registers[residual]) / fmax(sizes[residual], DBL_MIN);
    if (share > most) {
      worst = group->rows[at];
      most = share;
    }
  }
  return worst;
}

static bool solve_nonlinear(HbgEquationsRun *run, bool is_instant) {
  execute_residuals(run);
  for (int32_t at = 0; at < run->equations->group_count; at++) {
    const HbgGroup *group = &run->equations->groups[at];
    if (!group->column_count) continue;
    const bool is_solved = is_instant ? find_group(run, at) : follow_group(run, at);
    if (is_solved) continue;
    run->unsolved_row = worst_row(run, group);
    return false;
  }
  return true;
}

bool hbg_equations_solve(HbgEquationsRun *run, bool is_instant) {
  const HbgSystem *system = &run->equations->system;
  run->unsolved_row = -1;
  run->lost_rank = system->is_linear;
  if (run->is_singular) return false;
  bool solved = true;
  if (system->row_count || system->unknown_count) solved = system->is_linear ? solve_linear(run) : solve_nonlinear(run, is_instant);
  if (!system->is_linear) { // a later start must not begin at rubbish
    const size_t size = (size_t)system->unknown_count * sizeof *run->unknowns;
    if (solved) memcpy(run->last, run->unknowns, size);
    else memcpy(run->unknowns, run->last, size);
    if (solved && is_instant) memcpy(run->at_instant, run->unknowns, size);
  }
  run->is_prepared = solved;
  hbg_equations_put_unknowns(run);
  return solved;
}

bool hbg_equations_factor(HbgEquationsRun *run) {
  if (run->equations->system.is_linear) return true;
  execute_residuals(run);
  for (int32_t at = 0; at < run->equations->group_count; at++) {
    const HbgGroup *group = &run->equations->groups[at];
    HbgGroupSolver *solver = &run->groups[at];
    if (!group->column_count) continue;
    fill_matrix(run, group, solver->matrix);
    if (!hbg_least_squares_factor(&solver->newton->system, solver->matrix, 0)) return false;
  }
  return true;
}

void hbg_equations_pull_back(HbgEquationsRun *run, int32_t at, const double *by_column, double *by_row) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  if (solver->square) {
    for (int32_t column = 0; column < group->column_count; column++) by_row[column] = -by_column[column];
    hbg_square_solve_transposed(solver->square, by_row);
    return;
  }
  const double *inverse = least_squares_of(solver)->inverse;
  for (int32_t row = 0; row < group->row_count; row++) {
    by_row[row] = 0;
    for (int32_t column = 0; column < group->column_count; column++)
      by_row[row] -= by_column[column] * inverse[column * group->row_count + row];
  }
}

void hbg_equations_execute_all(HbgEquationsRun *run) {
  hbg_equations_put_unknowns(run);
  hbg_execute(run->equations->program.main, 0, run->equations->all_end, run->registers);
}

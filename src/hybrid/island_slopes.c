/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_slopes.h"

#include "hybrid/island_parts.h"

static int32_t most_rows(const HbgEquations *equations) {
  int32_t most = 0;
  for (int32_t at = 0; at < equations->group_count; at++)
    if (equations->groups[at].row_count > most) most = equations->groups[at].row_count;
  return most;
}

static const HbgLinearisation *linearisation_of(HbgIslandSolver *solver, HbgIslandProgram *program, const HbgEquations *equations) {
  const HbgLinearisation *known = program->linearisation[equations->system.kind == HBG_SYSTEM_STACKED];
  if (known) return known;
  hbg_compiling_begin(solver);
  const HbgLinearisation *made = hbg_linearisation(program, equations, &solver->laws->pool, solver->arena, solver->scratch);
  hbg_compiling_end(solver);
  return made;
}

static HbgIslandSlopes *make_slopes(HbgIslandSolver *solver, HbgIsland *island, const HbgEquations *equations) {
  HbgArena *arena = solver->arena;
  HbgIslandSlopes *slopes = ARENA_NEW(arena, HbgIslandSlopes, 1);
  slopes->made = linearisation_of(solver, island->program, equations);
  slopes->value = ARENA_NEW(arena, double, slopes->made->column_start[slopes->made->output_count]);
  return slopes;
}

/* Room for `needed` numbers, zero where there was none. */
static void make_room(HbgArena *arena, double **numbers, int32_t *room, int32_t needed) {
  if (needed <= *room) return;
  *numbers = ARENA_NEW(arena, double, 2 * needed);
  *room = 2 * needed;
}

static void make_work_space(HbgIslandSolver *solver, const HbgIsland *island, const HbgIslandSlopes *slopes) {
  HbgSlopesWork *work = &solver->slopes;
  const HbgEquations *equations = slopes->made->equations;
  const int32_t unknowns = equations->system.unknown_count;
  make_room(solver->arena, &work->registers, &work->register_room, slopes->made->program.register_count);
  make_room(solver->arena, &work->by_state, &work->state_room, island->program->template.state_count);
  make_room(solver->arena, &work->by_row, &work->row_room, most_rows(equations));
  if (unknowns <= work->unknown_room) return;
  make_room(solver->arena, &work->by_unknown, &work->unknown_room, unknowns);
  work->by_column = ARENA_NEW(solver->arena, double, work->unknown_room);
}

/* The equations of an island that has nothing to solve, and needs no run of its own; NULL where there is something. */
static const HbgEquations *find_explicit(HbgIslandSolver *solver, const HbgIsland *island) {
  const HbgIslandProgram *program = island->program;
  if (solver->relaxation || program->template.pre_count || program->finite[0]->unknown_count) return NULL;
  const HbgEquations *equations = hbg_island_equations(island->program, solver->laws, solver->arena, HBG_CONTINUOUS_PLAIN);
  return equations->system.unknown_count || equations->system.row_count || equations->group_count ? NULL : equations;
}

/* The slopes that belong to the equations in use; the run they were solved by into `*run`, NULL where there was nothing to solve. */
static HbgIslandSlopes *present(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values,
                                HbgEquationsRun **run) {
  const HbgEquations *equations = find_explicit(solver, island);
  *run = equations ? NULL : hbg_island_solve_finite(solver, island, values, NULL);
  if (!equations && !*run) return NULL;
  if (*run) equations = (*run)->equations;
  HbgIslandSlopes **place = &island->slopes[equations->system.kind == HBG_SYSTEM_STACKED];
  if (!*place) *place = make_slopes(solver, island, equations);
  island->last_slopes = *place;
  return *place;
}

void hbg_island_linearise(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  HbgEquationsRun *run;
  if (!island->last_slopes) present(solver, island, values, &run);
}

/* target[of] += factor * slope, over one list. */
static void add(const HbgSlopesWork *work, const HbgSlopes *slopes, int32_t at, double factor, double *target) {
  for (int32_t which = slopes->start[at]; which < slopes->start[at + 1]; which++)
    target[slopes->list[which].of] += factor * work->registers[slopes->list[which].target];
}

/* What an output owes to the unknowns of one group, passed on to the states that the group's rows read. */
static void add_through(const HbgSlopesWork *work, const HbgLinearisation *made, HbgEquationsRun *run, int32_t at) {
  const HbgGroup *group = &run->equations->groups[at];
  for (int32_t column = 0; column < group->column_count; column++)
    work->by_column[column] = work->by_unknown[group->columns[column]];
  hbg_equations_pull_back(run, at, work->by_column, work->by_row);
  for (int32_t row = 0; row < group->row_count; row++)
    add(work, &made->residual, group->rows[row], work->by_row[row], work->by_state);
}

static void fill_output(HbgIslandSlopes *self, const HbgSlopesWork *work, HbgEquationsRun *run, int32_t output) {
  const HbgLinearisation *made = self->made;
  for (int32_t at = made->column_start[output]; at < made->column_start[output + 1]; at++)
    work->by_state[made->column[at]] = 0;
  add(work, &made->by_state, output, 1, work->by_state);
  add(work, &made->by_unknown, output, 1, work->by_unknown);
  for (int32_t at = made->group_start[output]; at < made->group_start[output + 1]; at++)
    add_through(work, made, run, made->group_list[at]);
  for (int32_t at = made->column_start[output]; at < made->column_start[output + 1]; at++)
    self->value[at] = work->by_state[made->column[at]];
  // what other outputs read of the same group must not see this one's
  for (int32_t at = made->by_unknown.start[output]; at < made->by_unknown.start[output + 1]; at++)
    work->by_unknown[made->by_unknown.list[at].of] = 0;
}

const HbgIslandSlopes *hbg_island_slopes(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  if (island->last_slopes && island->last_slopes->is_current) return island->last_slopes;
  HbgEquationsRun *run;
  HbgIslandSlopes *self = present(solver, island, values, &run);
  if (!self || (run && !hbg_equations_factor(run))) return NULL;
  const HbgProgram *program = &self->made->program;
  make_work_space(solver, island, self);
  double *registers = solver->slopes.registers;
  hbg_equations_load_other(run, island, values, program, registers);
  hbg_execute(program->prepare, 0, program->prepare_count, registers);
  hbg_execute(program->main, 0, program->main_count, registers);
  for (int32_t output = 0; output < self->made->output_count; output++) fill_output(self, &solver->slopes, run, output);
  self->is_current = self->made->is_constant;
  return self;
}

void hbg_island_forget_slopes(HbgIsland *island) {
  for (int kind = 0; kind < 2; kind++)
    if (island->slopes[kind]) island->slopes[kind]->is_current = false;
}

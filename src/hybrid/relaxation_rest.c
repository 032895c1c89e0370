/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/relaxation_rest.h"

#include <math.h>
#include <string.h>

/* The finite rows come first, so the first row that speaks of a node holds its demand on finite values. */
static int32_t demand_of(const HbgSystem *system, int32_t node) {
  int32_t row = 0;
  while (row < system->row_count && system->row_origin[row] != node) row++;
  return row;
}

HbgDependents hbg_dependents(const HbgEquationsRun *run, const HbgIsland *island, HbgArena *arena) {
  const HbgSystem *system = &run->equations->system;
  const HbgIslandProgram *program = island->program;
  const int32_t count = system->kind == HBG_SYSTEM_JUMP ? program->areas->unknown_count : system->unknown_count;
  HbgDependents found = {.unknown = ARENA_NEW(arena, int32_t, count),
                         .row = ARENA_NEW(arena, int32_t, count),
                         .state = ARENA_NEW(arena, int32_t, count)};
  for (int32_t at = 0; at < count; at++) {
    const HbgUnknown *unknown = &run->equations->unknowns[at];
    if (unknown->reason != HBG_UNKNOWN_DERIVATIVE) continue;
    found.unknown[found.count] = at;
    found.row[found.count] = demand_of(system, unknown->node);
    found.state[found.count] = program->template.node_state[unknown->node];
    found.count++;
  }
  return found;
}

/* A place for each of `all` things: -1 where it is taken, else 0. */
static int32_t *free_places(int32_t all, const int32_t *taken, int32_t taken_count, HbgArena *arena) {
  int32_t *place = ARENA_NEW(arena, int32_t, all);
  for (int32_t at = 0; at < taken_count; at++) place[taken[at]] = -1;
  return place;
}

/* Only unknowns that stand in a row of the rest can be found by it; the others stay 0. */
static void number_columns(HbgRest *rest, HbgArena *arena) {
  const HbgSystem *system = &rest->run->equations->system;
  uint8_t *is_met = ARENA_NEW(arena, uint8_t, system->unknown_count);
  for (int32_t at = 0; at < system->entry_count; at++)
    if (rest->row_of[system->entries[at].row] >= 0) is_met[system->entries[at].column] = 1;
  for (int32_t unknown = 0; unknown < system->unknown_count; unknown++)
    rest->column_of[unknown] = rest->column_of[unknown] == 0 && is_met[unknown] ? rest->column_count++ : -1;
}

HbgRest hbg_rest(HbgEquationsRun *run, const HbgDependents *dependents, HbgArena *arena) {
  const HbgSystem *system = &run->equations->system;
  HbgRest rest = {.run = run};
  rest.column_of = free_places(system->unknown_count, dependents->unknown, dependents->count, arena);
  rest.row_of = free_places(system->row_count, dependents->row, dependents->count, arena);
  for (int32_t row = 0; row < system->row_count; row++)
    if (rest.row_of[row] == 0) rest.row_of[row] = rest.row_count++;
  number_columns(&rest, arena);
  if (!rest.column_count) return rest;
  rest.least = hbg_least_squares(arena, rest.row_count, rest.column_count);
  rest.matrix = ARENA_NEW(arena, double, (size_t)rest.row_count * (size_t)rest.column_count);
  rest.right = ARENA_NEW(arena, double, rest.row_count);
  rest.solution = ARENA_NEW(arena, double, rest.column_count);
  return rest;
}

static void execute(HbgEquationsRun *run) {
  hbg_equations_put_unknowns(run);
  hbg_execute(run->equations->program.main, 0, run->equations->residual_end, run->registers);
}

static void fill(HbgRest *rest) {
  const HbgEquations *equations = rest->run->equations;
  memset(rest->matrix, 0, (size_t)rest->row_count * (size_t)rest->column_count * sizeof *rest->matrix);
  for (int32_t at = 0; at < equations->system.entry_count; at++) {
    const HbgSystemEntry *entry = &equations->system.entries[at];
    const int32_t row = rest->row_of[entry->row], column = rest->column_of[entry->column];
    if (row >= 0 && column >= 0)
      rest->matrix[row * rest->column_count + column] += rest->run->registers[equations->entry_register[at]];
  }
  for (int32_t row = 0; row < equations->system.row_count; row++)
    if (rest->row_of[row] >= 0)
      rest->right[rest->row_of[row]] = -rest->run->registers[equations->residual_register[row]];
}

/* Once, where the entries do not change within a mode. */
static bool factor(HbgRest *rest) {
  if (rest->is_factored && rest->run->equations->entries_are_constant) return true;
  rest->is_factored = hbg_least_squares_factor(&rest->least, rest->matrix, 0);
  return rest->is_factored;
}

/* One step of Newton's method; answers how far it went, relative to where it arrived. */
static double improve(HbgRest *rest) {
  hbg_least_squares_solve(&rest->least, rest->right, rest->solution);
  double moved = 0, size = 0;
  for (int32_t unknown = 0; unknown < rest->run->equations->system.unknown_count; unknown++) {
    const int32_t column = rest->column_of[unknown];
    if (column < 0) continue;
    rest->run->unknowns[unknown] += rest->solution[column];
    moved = fmax(moved, fabs(rest->solution[column]));
    size = fmax(size, fabs(rest->run->unknowns[unknown]));
  }
  return size > 0 ? moved / size : 0;
}

bool hbg_rest_solve(HbgRest *rest) {
  enum { MOST_STEPS = 50 };
  const bool is_linear = rest->run->equations->system.is_linear;
  execute(rest->run);
  for (int step = 0; rest->column_count && step < MOST_STEPS; step++) {
    fill(rest);
    if (!factor(rest)) return false;
    const double moved = improve(rest);
    execute(rest->run);
    if (!isfinite(moved)) return false;
    if (is_linear || moved < 1e-12) return true;
  }
  return !rest->column_count;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/conflict.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/imposed.h"
#include "hybrid/island_parts.h"

/* Of the work that each source does by itself: less is round-off of sources that agree. */
#define AGREEMENT 1e-9

/* ---- what no storage feels ---- */

/* V0 by a basis. */
typedef struct Loops {
  int32_t count, variable_count;
  double *areas; /* of the island's variables in each (variable_count, count) */
} Loops;

/* What a unit of each torn impulse does. */
typedef struct Units {
  int32_t count, row_count;
  double *rows;  /* to laws for areas, and to storages (row_count, count): all of that must be nothing */
  double *areas; /* to variables (variable_count, count) */
} Units;

static void measure_unit(const HbgEquationsRun *run, const HbgIsland *island, const Units *units, int32_t unit) {
  const HbgEquations *equations = run->equations;
  const HbgTemplate *template = &island->program->template;
  int32_t row = 0;
  for (int32_t at = equations->system.first_area_row; at < equations->system.row_count; at++)
    units->rows[row++ * units->count + unit] = run->registers[equations->residual_register[at]];
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) units->rows[row++ * units->count + unit] = run->registers[equations->state_register[state]];
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    units->areas[variable * units->count + unit] = run->registers[equations->variable_register[variable]];
}

static Units measure_units(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before) {
  HbgEquationsRun *run = hbg_equations_run(solver, island, HBG_INSTANT_JUMP);
  HbgArena *scratch = solver->scratch;
  const HbgSystem *system = &run->equations->system;
  const size_t size = (size_t)system->unknown_count * sizeof(double);
  Units units = {.count = island->program->areas->unknown_count, .row_count = system->row_count - system->first_area_row};
  for (int32_t state = 0; state < island->program->template.state_count; state++) units.row_count += island->program->template.state_node[state] >= 0;
  units.rows = ARENA_NEW(scratch, double, (size_t)units.row_count * (size_t)units.count);
  units.areas = ARENA_NEW(scratch, double, (size_t)island->graph.bond_count * 2 * (size_t)units.count);
  double *solution = ARENA_NEW(scratch, double, system->unknown_count);
  hbg_equations_load(run, island, now, before);
  memcpy(solution, run->unknowns, size);
  for (int32_t unit = 0; unit < units.count; unit++) {
    memset(run->unknowns, 0, size);
    run->unknowns[unit] = 1;
    hbg_equations_execute_all(run);
    measure_unit(run, island, &units, unit);
  }
  memcpy(run->unknowns, solution, size);
  hbg_equations_execute_all(run);
  return units;
}

static Loops find_loops(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before) {
  const Units units = measure_units(solver, island, now, before);
  HbgLeastSquares felt = hbg_least_squares(solver->scratch, units.row_count, units.count);
  Loops loops = {.variable_count = island->graph.bond_count * 2};
  if (!hbg_least_squares_factor(&felt, units.rows, 0)) return loops;
  loops.count = units.count - felt.rank;
  loops.areas = ARENA_NEW(solver->scratch, double, (size_t)loops.variable_count * (size_t)loops.count);
  for (int32_t variable = 0; variable < loops.variable_count; variable++)
    for (int32_t unit = 0; unit < units.count; unit++) {
      const double area = units.areas[variable * units.count + unit];
      for (int32_t loop = 0; !hbg_is_zero(area) && loop < loops.count; loop++)
        loops.areas[variable * loops.count + loop] += area * felt.null_space[unit * loops.count + loop];
    }
  return loops;
}

/* ---- the work of sources ---- */

typedef struct Work {
  double *value, *rate; /* of each loop (count) */
  bool any_value, any_rate; /* beyond round-off */
} Work;

static void add_work(double *work, double *size, double imposed, double area) {
  *work += imposed * area;
  *size += fabs(imposed * area);
}

static bool drop_agreement(double *work, const double *size, int32_t count) {
  bool any = false;
  for (int32_t loop = 0; loop < count; loop++) {
    if (!(fabs(work[loop]) > AGREEMENT * size[loop])) work[loop] = 0;
    any = any || !hbg_is_zero(work[loop]);
  }
  return any;
}

/* What sources impose, in the registers of their program. */
static double *execute_sources(HbgIslandSolver *solver, HbgIsland *island, const HbgEquationsRun *run, const HbgImposed *sources, const HbgValues *now) {
  const HbgProgram *program = &sources->program;
  double *registers = ARENA_NEW(solver->scratch, double, program->register_count);
  hbg_equations_load_other(run, island, now, program, registers);
  hbg_execute(program->prepare, 0, program->prepare_count, registers);
  hbg_execute(program->main, 0, program->main_count, registers);
  return registers;
}

/* `run`: of the finite values. */
static Work find_work(HbgIslandSolver *solver, HbgIsland *island, const HbgEquationsRun *run, const HbgImposed *sources, const Loops *loops, const HbgValues *now) {
  HbgArena *scratch = solver->scratch;
  const double *registers = execute_sources(solver, island, run, sources, now);
  Work work = {.value = ARENA_NEW(scratch, double, loops->count), .rate = ARENA_NEW(scratch, double, loops->count)};
  double *size = ARENA_NEW(scratch, double, loops->count), *rate_size = ARENA_NEW(scratch, double, loops->count);
  for (int32_t at = 0; at < sources->count; at++) {
    const HbgImposing *source = &sources->list[at];
    for (int32_t loop = 0; loop < loops->count; loop++) {
      const double area = source->sign * loops->areas[source->received * loops->count + loop];
      add_work(&work.value[loop], &size[loop], registers[source->value], area);
      add_work(&work.rate[loop], &rate_size[loop], registers[source->rate], area);
    }
  }
  work.any_value = drop_agreement(work.value, size, loops->count);
  work.any_rate = drop_agreement(work.rate, rate_size, loops->count);
  return work;
}

/* ---- which way ---- */

typedef struct Direction {
  double *area; /* (variable_count) */
  double *size; /* what round-off in it is small against, likewise */
} Direction;

/* Of the loops, by their products with each other; false: these are no matrix that could be solved with. */
static bool factor_products(HbgIslandSolver *solver, const Loops *loops, HbgLeastSquares *normal) {
  const int32_t count = loops->count;
  double *gram = ARENA_NEW(solver->scratch, double, (size_t)count * (size_t)count);
  for (int32_t variable = 0; variable < loops->variable_count; variable++) {
    const double *row = &loops->areas[variable * count];
    for (int32_t i = 0; i < count; i++)
      for (int32_t j = 0; j < count; j++) gram[i * count + j] += row[i] * row[j];
  }
  *normal = hbg_least_squares(solver->scratch, count, count);
  return hbg_least_squares_factor(normal, gram, 0);
}

/* The areas for which work(Z) - |Z|^2/2 is largest. */
static Direction find_direction(HbgIslandSolver *solver, const Loops *loops, const double *work) {
  HbgArena *scratch = solver->scratch;
  const int32_t count = loops->count;
  double *share = ARENA_NEW(scratch, double, count);
  const Direction direction = {ARENA_NEW(scratch, double, loops->variable_count), ARENA_NEW(scratch, double, loops->variable_count)};
  HbgLeastSquares normal;
  if (!factor_products(solver, loops, &normal)) return direction;
  hbg_least_squares_solve(&normal, work, share);
  double largest = 0; // all shares come out of one solution
  for (int32_t loop = 0; loop < count; loop++) largest = fmax(largest, fabs(share[loop]));
  for (int32_t variable = 0; variable < loops->variable_count; variable++)
    for (int32_t loop = 0; loop < count; loop++) {
      direction.area[variable] += loops->areas[variable * count + loop] * share[loop];
      direction.size[variable] += fabs(loops->areas[variable * count + loop]) * largest;
    }
  return direction;
}

static double largest_size(const Direction *direction, int32_t count) {
  double largest = 0;
  for (int32_t variable = 0; variable < count; variable++) largest = fmax(largest, direction->size[variable]);
  return largest;
}

static bool grows(const Direction *direction, int32_t variable) { return fabs(direction->area[variable]) > AGREEMENT * direction->size[variable]; }

static void write_direction(const HbgIsland *island, const Direction *direction, double amount, HbgValues *now) {
  const int32_t count = island->graph.bond_count * 2;
  const double largest = largest_size(direction, count);
  for (int32_t variable = 0; variable < count; variable++) {
    if (!grows(direction, variable)) continue;
    const int32_t origin = hbg_island_variable(island, variable);
    now->area[origin] = amount * (direction->area[variable] / largest);
    now->area_size[origin] = amount * (direction->size[variable] / largest);
    now->undetermined[origin] = 0; // no value of least norm decides
  }
  *now->has_areas = true;
}

/* ---- all ---- */

/* A source that reads efforts or flows imposes its law on areas, too: the work says nothing then (semantics 4, exception i). */
static bool may_be_looked_at(const HbgIslandSolver *solver, const HbgIsland *island) {
  return solver->conflicts.are_taken && !solver->relaxation && island->program->may_jump && !island->program->is_active;
}

static const HbgImposed *imposed_in(HbgIslandSolver *solver, HbgIsland *island) {
  if (island->program->imposed) return island->program->imposed;
  hbg_compiling_begin(solver);
  const HbgImposed *made = hbg_imposed(island->program, solver->laws, solver->arena);
  hbg_compiling_end(solver);
  return made;
}

bool hbg_conflict_take(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before) {
  if (!may_be_looked_at(solver, island)) return false;
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, now, before);
  if (!run) return false;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  const HbgImposed *sources = imposed_in(solver, island);
  const Loops loops = find_loops(solver, island, now, before);
  island->is_in_conflict = find_work(solver, island, run, sources, &loops, now).any_value;
  hbg_arena_rewind(solver->scratch, mark);
  if (island->is_in_conflict && !solver->conflicts.first.island) solver->conflicts.first = solver->failure;
  return island->is_in_conflict;
}

static bool is_anything_open(const HbgIsland *island, const HbgValues *now) {
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    if (now->undetermined[hbg_island_variable(island, variable)]) return true;
  return false;
}

static bool is_share_open(const HbgIsland *island, const HbgImposed *sources, const HbgValues *now) {
  for (int32_t at = 0; at < sources->count; at++)
    if (now->undetermined[hbg_island_variable(island, sources->list[at].received)]) return true;
  return false;
}

/* May what is tied together part at once? */
static bool may_part(HbgIslandSolver *solver, HbgIsland *island, const HbgEquationsRun *run, const HbgValues *now) {
  if (run->equations->system.kind != HBG_SYSTEM_STACKED || !is_anything_open(island, now)) return false;
  const HbgImposed *sources = imposed_in(solver, island);
  return sources->any_moves && sources->are_ratios_constant && is_share_open(island, sources, now);
}

void hbg_conflict_write(HbgIslandSolver *solver, HbgIsland *island, HbgEquationsRun *run, HbgValues *now, const HbgValues *before) {
  if (!may_be_looked_at(solver, island)) return;
  if (!island->is_in_conflict && !may_part(solver, island, run, now)) return;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  const Loops loops = find_loops(solver, island, now, before);
  const Work work = find_work(solver, island, run, island->program->imposed, &loops, now);
  if (island->is_in_conflict ? work.any_value : work.any_rate) {
    const Direction along = find_direction(solver, &loops, island->is_in_conflict ? work.value : work.rate);
    write_direction(island, &along, island->is_in_conflict ? HBG_AREA_ENDLESS : HBG_AREA_BEGINNING, now);
    solver->conflicts.any_decides = true;
    if (!island->is_in_conflict) island->is_parting = solver->any_parts = true;
  }
  hbg_arena_rewind(solver->scratch, mark);
}

/* ---- as it follows what sources impose ---- */

/* What a unit of what each source imposes adds to the work on each loop, and where that is work now. */
static void write_works(const Loops *loops, const Work *work, HbgConflictLines *out) {
  const int32_t sources = out->sources->count;
  for (int32_t loop = 0; loop < loops->count; loop++) {
    out->is_work[loop] = !hbg_is_zero(work->value[loop]);
    for (int32_t source = 0; source < sources; source++) {
      const HbgImposing *imposing = &out->sources->list[source];
      out->work[loop * sources + source] = imposing->sign * loops->areas[imposing->received * loops->count + loop];
    }
  }
}

/* The way is linear in the works, and the works are in what is imposed. */
static bool write_ways(HbgIslandSolver *solver, const Loops *loops, const Direction *along, HbgConflictLines *out) {
  const int32_t sources = out->sources->count, count = loops->count;
  double *work = ARENA_NEW(solver->scratch, double, count), *share = ARENA_NEW(solver->scratch, double, count);
  HbgLeastSquares normal;
  if (!factor_products(solver, loops, &normal)) return false;
  for (int32_t variable = 0; variable < loops->variable_count; variable++) out->grows[variable] = grows(along, variable);
  for (int32_t source = 0; source < sources; source++) {
    for (int32_t loop = 0; loop < count; loop++) work[loop] = out->is_work[loop] ? out->work[loop * sources + source] : 0;
    hbg_least_squares_solve(&normal, work, share);
    for (int32_t variable = 0; variable < loops->variable_count; variable++)
      for (int32_t loop = 0; loop < count; loop++) out->area[variable * sources + source] += loops->areas[variable * count + loop] * share[loop];
  }
  return true;
}

/* Do those that do not grow now grow by nothing that is imposed, and not only since it cancels? */
static bool are_others_still(const HbgConflictLines *lines, int32_t variable_count) {
  const int32_t sources = lines->sources->count;
  double largest = 0;
  for (int32_t at = 0; at < variable_count * sources; at++) largest = fmax(largest, fabs(lines->area[at]));
  for (int32_t at = 0; at < variable_count * sources; at++)
    if (!lines->grows[at / sources] && fabs(lines->area[at]) > AGREEMENT * largest) return false;
  return true;
}

bool hbg_conflict_lines(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before, HbgConflictLines *out) {
  HbgArena *scratch = solver->scratch;
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, now, before);
  if (!run || !run->equations->entries_are_constant || !hbg_equations_run(solver, island, HBG_INSTANT_JUMP)->equations->entries_are_constant) return false;
  *out = (HbgConflictLines){.sources = imposed_in(solver, island)};
  out->registers = execute_sources(solver, island, run, out->sources, now);
  const Loops loops = find_loops(solver, island, now, before);
  const Work work = find_work(solver, island, run, out->sources, &loops, now);
  if (!work.any_value) return false;
  const size_t sources = (size_t)out->sources->count;
  out->loop_count = loops.count;
  out->is_work = ARENA_NEW(scratch, uint8_t, loops.count);
  out->grows = ARENA_NEW(scratch, uint8_t, loops.variable_count);
  out->work = ARENA_NEW(scratch, double, (size_t)loops.count * sources);
  out->area = ARENA_NEW(scratch, double, (size_t)loops.variable_count * sources);
  const Direction along = find_direction(solver, &loops, work.value);
  out->amount = HBG_AREA_ENDLESS / largest_size(&along, loops.variable_count);
  write_works(&loops, &work, out);
  return write_ways(solver, &loops, &along, out) && are_others_still(out, loops.variable_count);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_wide.h"

#include <math.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/island_parts.h"

/* ---- large islands ---- */

static int32_t output_count(const HbgIsland *island) { return island->program->template.state_count + 2 * island->graph.bond_count; }

/* Where no more states are asked for than there may be columns, each may have its own. */
static int32_t columns_for(int32_t most) { return most <= HBG_COMPRESSION_MOST ? most : HBG_COMPRESSION_PAYS; }

/* Were there too few columns before, and may so many be enough? */
static bool asks_for_more(const HbgIslandProgram *program, int32_t columns) {
  return program->compressed && !program->compression && program->compressed_to < columns;
}

/* Islands of one structure share it. */
static const HbgCompression *compression_of(HbgIslandSolver *solver, HbgIsland *island, const HbgEquations *equations, int32_t columns) {
  HbgIslandProgram *program = island->program;
  if (program->compressed == equations && !asks_for_more(program, columns)) return program->compression;
  program->compressed = equations;
  program->compressed_to = columns;
  program->compression = hbg_compression(equations, program->template.state_count, 2 * island->graph.bond_count, columns, solver->arena, solver->scratch);
  return program->compression;
}

static HbgIslandForms *room_for_forms(HbgArena *arena, const HbgIsland *island) {
  HbgIslandForms *made = ARENA_NEW(arena, HbgIslandForms, 1);
  made->wide = ARENA_NEW(arena, HbgWideForms, 1);
  if (island->program->reads_time) made->time = ARENA_NEW(arena, HbgTimeColumns, 1);
  return made;
}

static void forget_forms(void *owner) {
  HbgIsland *island = owner;
  island->forms->wide->compression = NULL;
  island->has_forms = false;
}

static void make_room(HbgIslandSolver *solver, HbgIsland *island, const HbgCompression *compression) {
  HbgIslandForms *forms = island->forms;
  HbgWideForms *wide = forms->wide;
  const int32_t outputs = output_count(island);
  if (wide->compression == compression) return;
  if (!wide->store) wide->store = hbg_store(solver->arena, forget_forms, island, &island->place);
  if (wide->store->is_held) hbg_store_give_back(&solver->stores, wide->store);
  const size_t bytes = (size_t)outputs * (sizeof *wide->constant + sizeof *wide->start) + (size_t)compression->start[outputs] * sizeof *wide->terms;
  HbgArena *arena = hbg_store_begin(&solver->stores, wide->store, solver->arena, bytes + (forms->time ? (size_t)outputs * HBG_TIME_COLUMNS * sizeof *wide->time_rows : 0) + 64);
  wide->compression = compression;
  wide->constant = ARENA_NEW(arena, double, outputs);
  wide->start = ARENA_NEW(arena, int32_t, outputs + 1);
  wide->terms = ARENA_NEW(arena, HbgFormTerm, compression->start[outputs]);
  if (forms->time) wide->time_rows = ARENA_NEW(arena, double, outputs *HBG_TIME_COLUMNS);
  hbg_store_end(&solver->stores, wide->store);
}

/* Everything as the registers have it but for the states, which become columns. */
static bool begin(const HbgIslandSolver *solver, const HbgIsland *island, const HbgEquationsRun *run, const HbgCompression *compression, HbgAffine *affine) {
  const HbgProgram *program = &run->equations->program;
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    if (hbg_is_slot(&input->leaf, HBG_SLOT_PRE_VARIABLE) || (input->leaf.op == HBG_OP_TIME && !affine->time)) return false;
    if (input->leaf.op == HBG_OP_TIME) hbg_affine_set_time(affine, input->target);
    hbg_island_follow_pieces(solver, island, input, affine);
    if (input->leaf.op == HBG_OP_STATE) hbg_affine_set_input(affine, input->target, compression->column[input->leaf.index]);
  }
  return true;
}

/* Output `output`, in register `target`; without a rate of its own it is nothing. */
static bool expand(const HbgIsland *island, const HbgAffine *affine, HbgWideForms *wide, int32_t output, int32_t target) {
  const HbgCompression *compression = wide->compression;
  int32_t count = wide->start[output];
  wide->constant[output] = 0;
  if (target >= 0) {
    const double *form = hbg_affine_form(affine, target);
    if (!hbg_affine_is_known(affine, target)) return false;
    wide->constant[output] = form[0];
    for (int32_t at = compression->start[output]; at < compression->start[output + 1]; at++) {
      const double weight = form[1 + compression->column[compression->states[at]]];
      if (!hbg_is_zero(weight)) wide->terms[count++] = (HbgFormTerm){island->binding.states[compression->states[at]], weight};
    }
  }
  for (int32_t at = 0; affine->time && at < HBG_TIME_COLUMNS; at++)
    wide->time_rows[output * HBG_TIME_COLUMNS + at] = target >= 0 ? hbg_affine_time_row(affine, target)[at] : 0;
  wide->start[output + 1] = count;
  return true;
}

static bool expand_all(const HbgEquations *equations, const HbgIsland *island, const HbgAffine *affine, HbgWideForms *wide) {
  const HbgTemplate *template = &island->program->template;
  wide->start[0] = 0;
  for (int32_t state = 0; state < template->state_count; state++) {
    const int32_t target = template->state_node[state] >= 0 ? equations->state_register[state] : -1;
    if (!expand(island, affine, wide, state, target)) return false;
  }
  for (int32_t variable = 0; variable < 2 * island->graph.bond_count; variable++)
    if (!expand(island, affine, wide, template->state_count + variable, equations->variable_register[variable])) return false;
  return true;
}

static HbgAffine affine_for(HbgEquationsRun *run, const HbgCompression *compression, HbgTimeColumns *time, double now, HbgArena *scratch) {
  const int32_t registers = run->equations->program.register_count;
  if (!time) return hbg_affine(registers, compression->column_count, run->registers, scratch);
  *time = (HbgTimeColumns){.reference = now};
  return hbg_affine_in_time(registers, compression->column_count, run->registers, time, scratch);
}

static bool compute(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t columns) {
  HbgEquationsRun *run = hbg_island_solve_affine(solver, island, now);
  if (!run) return false;
  const HbgEquations *equations = run->equations;
  const HbgCompression *compression = compression_of(solver, island, equations, columns);
  if (!compression) return false;
  make_room(solver, island, compression);
  HbgAffine affine = affine_for(run, compression, island->forms->time, now->time, solver->scratch);
  if (!begin(solver, island, run, compression, &affine) || !hbg_equations_solve_forms(run, &affine, solver->scratch)) return false;
  hbg_affine_execute(&affine, equations->program.main, 0, equations->all_end);
  return expand_all(equations, island, &affine, island->forms->wide);
}

static const HbgWideForms *wide_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t most) {
  const int32_t states = island->program->template.state_count;
  if (states <= HBG_FORMS_MOST_STATES || states > most || solver->relaxation) return NULL;
  if (!island->forms) island->forms = room_for_forms(solver->arena, island);
  const int32_t columns = columns_for(most);
  if (!island->has_forms || (!island->forms->is_wide && asks_for_more(island->program, columns))) {
    const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
    island->forms->is_wide = compute(solver, island, now, columns);
    island->has_forms = true;
    island->forms->edition++;
    hbg_arena_rewind(solver->scratch, mark);
  }
  if (!island->forms->is_wide) return NULL;
  hbg_store_use(&solver->stores, island->forms->wide->store);
  return island->forms->wide;
}

static bool take_wide(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t output, int32_t most, HbgForm *form) {
  const HbgWideForms *wide = wide_forms(solver, island, now, most);
  if (!wide) return false;
  const HbgTimeColumns *time = island->forms->time;
  form->constant = wide->constant[output];
  form->terms = &wide->terms[wide->start[output]];
  form->count = wide->start[output + 1] - wide->start[output];
  form->time = time;
  form->time_row = time ? &wide->time_rows[output * HBG_TIME_COLUMNS] : NULL;
  return true;
}

/* ---- small ones ---- */

static void take(const HbgIslandForms *forms, const double *row, HbgForm *form) {
  form->constant = row[0];
  form->terms = form->room;
  form->count = 0;
  form->time = forms->time;
  form->time_row = forms->time ? &row[1 + forms->state_count] : NULL;
  for (int32_t at = 0; at < forms->state_count; at++)
    if (!hbg_is_zero(row[1 + at])) form->room[form->count++] = (HbgFormTerm){forms->states[at], row[1 + at]};
}

bool hbg_island_variable_form(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t variable, int32_t most, HbgForm *form) {
  const HbgIslandForms *forms = hbg_island_forms_of_any(solver, island, now);
  if (forms && isnan(hbg_island_form_of(island, forms, variable)[0])) return false; // it is no combination, though others of the island are
  if (forms) take(forms, hbg_island_form_of(island, forms, variable), form);
  if (forms || island->is_hanging) return forms != NULL;
  const int32_t own = 2 * hbg_graph_find_bond(&island->graph, variable / 2) + variable % 2;
  return take_wide(solver, island, now, island->program->template.state_count + own, most, form);
}

bool hbg_island_rate_form(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t at, int32_t most, HbgForm *form) {
  const HbgIslandForms *forms = hbg_island_some_forms(solver, island, now);
  if (forms && isnan(forms->rate[at * forms->width])) return false; // it is no combination, though others of the island are
  if (forms) take(forms, &forms->rate[at * forms->width], form);
  return forms || take_wide(solver, island, now, at, most, form);
}

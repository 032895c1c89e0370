/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_forms.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/island_parts.h"

static bool is_varying(const HbgProgramInput *input) { return input->leaf.op == HBG_OP_STATE; }

void hbg_island_follow_pieces(const HbgIslandSolver *solver, const HbgIsland *island, const HbgProgramInput *input, HbgAffine *affine) {
  const HbgTimePiece *piece = hbg_is_slot(&input->leaf, HBG_SLOT_DISCRETE) ? solver->pieces[island->binding.discrete[input->leaf.index]] : NULL;
  if (piece) hbg_affine_set_piece(affine, input->target, piece);
}

/* Everything as the registers have it but for the states, which become inputs. */
static bool begin(const HbgIslandSolver *solver, const HbgIsland *island, const HbgEquationsRun *run, HbgAffine *affine) {
  const HbgProgram *program = &run->equations->program;
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    if (hbg_is_slot(&input->leaf, HBG_SLOT_PRE_VARIABLE) || (input->leaf.op == HBG_OP_TIME && !affine->time)) return false;
    if (input->leaf.op == HBG_OP_TIME) hbg_affine_set_time(affine, input->target);
    hbg_island_follow_pieces(solver, island, input, affine);
    if (is_varying(input)) hbg_affine_set_input(affine, input->target, input->leaf.index);
  }
  return true;
}

/* solution := inverse right, but exactly 0 where only round-off of larger terms is left, as solve_least() of island_solve.c has it. */
static void multiply(const HbgGroup *group, const double *inverse, const double *right, double *solution) {
  for (int32_t column = 0; column < group->column_count; column++) {
    double sum = 0, size = 0;
    for (int32_t row = 0; row < group->row_count; row++) {
      const double term = inverse[column * group->row_count + row] * right[row];
      sum += term;
      size += fabs(term);
    }
    solution[column] = fabs(sum) > HBG_GUARD_BAND * size ? sum : 0;
  }
}

/* One unknown, where nobody keeps a factor. */
static void solve_one(const HbgEquationsRun *run, const HbgGroup *group, const HbgAffine *affine, double *unknowns) {
  const double *residual = hbg_affine_form(affine, run->equations->residual_register[group->rows[0]]);
  const double slope = *hbg_affine_form(affine, run->equations->entry_register[group->entries[0]]);
  for (int32_t k = 0; k < affine->width; k++) unknowns[group->columns[0] * affine->width + k] = -residual[k] / slope;
}

/* Column by column of the forms of the right side. */
static void solve_group(HbgEquationsRun *run, int32_t at, HbgAffine *affine, double *unknowns) {
  const HbgGroup *group = &run->equations->groups[at];
  HbgGroupSolver *solver = &run->groups[at];
  for (int32_t k = 0; group->column_count && k < affine->width; k++) {
    for (int32_t row = 0; row < group->row_count; row++)
      solver->right[row] = -hbg_affine_form(affine, run->equations->residual_register[group->rows[row]])[k];
    if (solver->square) {
      hbg_equations_divide(run, at);
    } else {
      multiply(group, solver->least->inverse, solver->right, solver->solution);
    }
    for (int32_t column = 0; column < group->column_count; column++)
      unknowns[(size_t)group->columns[column] * (size_t)affine->width + (size_t)k] = solver->solution[column];
  }
}

static bool is_constant(const HbgAffine *affine, int32_t target) {
  const double *form = hbg_affine_form(affine, target);
  for (int32_t at = 1; at < affine->width; at++)
    if (!hbg_is_zero(form[at])) return false;
  return isfinite(form[0]);
}

/* Is its matrix the same in all states? */
static bool has_constant_matrix(const HbgEquationsRun *run, int32_t at, const HbgAffine *affine) {
  const HbgGroup *group = &run->equations->groups[at];
  for (int32_t entry = 0; !run->equations->entries_are_constant && entry < group->entry_count; entry++)
    if (!is_constant(affine, run->equations->entry_register[group->entries[entry]])) return false;
  return true;
}

/* Is nothing asked of it, in any state? What is held fast by a law that bends moves as little as by any other. */
static bool is_homogeneous(const HbgEquationsRun *run, int32_t at, const HbgAffine *affine) {
  const HbgGroup *group = &run->equations->groups[at];
  for (int32_t entry = 0; entry < group->entry_count; entry++) {
    const int32_t residual = run->equations->residual_register[group->rows[group->entry_row[entry]]];
    if (!is_constant(affine, residual) || !hbg_is_zero(*hbg_affine_form(affine, residual))) return false;
  }
  return true;
}

static void set_to_zero(const HbgEquationsRun *run, int32_t at, const HbgAffine *affine, double *unknowns) {
  const HbgGroup *group = &run->equations->groups[at];
  for (int32_t column = 0; column < group->column_count; column++)
    memset(&unknowns[(size_t)group->columns[column] * (size_t)affine->width], 0, (size_t)affine->width * sizeof *unknowns);
}

static bool rows_are_known(const HbgEquationsRun *run, int32_t at, const HbgAffine *affine) {
  const HbgGroup *group = &run->equations->groups[at];
  for (int32_t row = 0; group->column_count && row < group->row_count; row++)
    if (!hbg_affine_is_known(affine, run->equations->residual_register[group->rows[row]])) return false;
  return true;
}

static const double *given_for(const double *given, int32_t width, int32_t unknown) {
  const double *form = given ? &given[unknown * width] : NULL;
  return form && !isnan(form[0]) ? form : NULL;
}

/* Are its residuals nothing in all states, but for what is left where numbers have been found? */
static bool is_solved(HbgEquationsRun *run, int32_t at, const HbgAffine *affine) {
  const HbgGroup *group = &run->equations->groups[at];
  const double *allowed = hbg_equations_allowed(run, NULL, 1e-12);
  for (int32_t row = 0; row < group->row_count; row++) {
    const int32_t target = run->equations->residual_register[group->rows[row]];
    if (!is_constant(affine, target) || !(fabs(*hbg_affine_form(affine, target)) <= allowed[group->rows[row]])) return false;
  }
  return true;
}

/* The unknowns follow from the residuals with the unknowns at zero, as in solve_linear() of island_solve.c, but for those that are given. `is_strict`:
 * also what holds the states fast, and is about no unknown, must be affine. */
static bool solve_forms(HbgEquationsRun *run, HbgAffine *affine, const double *given, bool is_strict, HbgArena *scratch) {
  const HbgEquations *equations = run->equations;
  const int32_t count = equations->system.unknown_count;
  if (!count) return true;
  double *unknowns = ARENA_NEW(scratch, double, count *affine->width);
  for (int32_t at = 0; at < count; at++)
    if (equations->unknown_register[at] >= 0) {
      double *form = hbg_affine_form(affine, equations->unknown_register[at]);
      const double *known = given_for(given, affine->width, at);
      if (known) memcpy(form, known, (size_t)affine->width * sizeof *form);
      else memset(form, 0, (size_t)affine->width * sizeof *form);
    }
  hbg_affine_execute(affine, equations->program.main, 0, equations->residual_end);
  for (int32_t row = 0; is_strict && row < equations->system.row_count; row++)
    if (!hbg_affine_is_known(affine, equations->residual_register[row])) return false;
  for (int32_t group = 0; group < equations->group_count; group++) {
    const HbgGroup *own = &equations->groups[group];
    const double *known = own->column_count == 1 ? given_for(given, affine->width, own->columns[0]) : NULL;
    if (known) {
      if (!is_solved(run, group, affine)) return false;
      memcpy(&unknowns[(size_t)own->columns[0] * (size_t)affine->width], known, (size_t)affine->width * sizeof *known);
    } else if (!has_constant_matrix(run, group, affine)) {
      if (!is_homogeneous(run, group, affine)) return false;
      set_to_zero(run, group, affine, unknowns);
    } else {
      const bool has_factor = run->groups[group].square || run->groups[group].least || !own->column_count;
      if (!rows_are_known(run, group, affine)) return false;
      if (!has_factor && own->row_count && !(own->column_count == 1 && own->row_count == 1 && own->entry_count == 1)) return false;
      if (has_factor) solve_group(run, group, affine, unknowns);
      else if (!own->row_count) set_to_zero(run, group, affine, unknowns);
      else solve_one(run, own, affine, unknowns);
    }
  }
  for (int32_t at = 0; at < count; at++)
    if (equations->unknown_register[at] >= 0)
      memcpy(hbg_affine_form(affine, equations->unknown_register[at]), &unknowns[(size_t)at * (size_t)affine->width],
             (size_t)affine->width * sizeof(double));
  return true;
}

bool hbg_equations_solve_forms(HbgEquationsRun *run, HbgAffine *affine, HbgArena *scratch) {
  return run->equations->entries_are_constant && solve_forms(run, affine, NULL, true, scratch);
}

bool hbg_equations_solve_some_forms(HbgEquationsRun *run, HbgAffine *affine, const double *given, bool is_strict, HbgArena *scratch) {
  return solve_forms(run, affine, given, is_strict, scratch);
}

static bool copy_form(const HbgAffine *affine, int32_t target, double *to) {
  memcpy(to, hbg_affine_form(affine, target), (size_t)affine->width * sizeof *to);
  if (hbg_affine_is_known(affine, target)) return true;
  to[0] = (double)NAN;
  return false;
}

/* What is no combination is not a number. Are all that? */
static bool copy_forms(const HbgEquationsRun *run, const HbgIsland *island, const HbgAffine *affine, HbgIslandForms *forms) {
  const HbgTemplate *template = &island->program->template;
  bool all = true;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0 && !copy_form(affine, run->equations->state_register[state], &forms->rate[state * forms->width]))
      all = false;
  forms->has_rates = all;
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    if (!copy_form(affine, run->equations->variable_register[variable], &forms->variable[variable * forms->width])) all = false;
  forms->has_some = true;
  return all;
}

static bool is_determined(const HbgIsland *island, const HbgValues *now) {
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    if (now->undetermined[hbg_island_variable(island, variable)]) return false;
  return true;
}

static HbgAffine affine_for(HbgIslandForms *forms, int32_t register_count, const double *registers, double reference, HbgArena *scratch) {
  if (!forms->time) return hbg_affine(register_count, forms->state_count, registers, scratch);
  *forms->time = (HbgTimeColumns){.reference = reference};
  return hbg_affine_in_time(register_count, forms->state_count, registers, forms->time, scratch);
}

HbgEquationsRun *hbg_island_solve_affine(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  HbgEquationsRun *run = is_determined(island, now) ? hbg_island_solve_finite(solver, island, now, NULL) : NULL;
  return run && run->equations->system.is_linear && run->equations->entries_are_constant && !run->is_singular ? run : NULL;
}

/* The largest that a function of time is multiplied by in the equations. */
static double largest_in_time(const HbgEquationsRun *run, const HbgAffine *affine) {
  double most = 0;
  for (int32_t target = 0; target < run->equations->program.register_count; target++)
    for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++)
      if (isfinite(hbg_affine_time_row(affine, target)[at])) most = hbg_larger(most, fabs(hbg_affine_time_row(affine, target)[at]));
  return most;
}

/* Sources that are tied to each other, which is where something is left open, may agree at an instant and not go on agreeing: only steps tell that. What holds states
 * fast is theirs to follow. */
static bool agree_for_good(const HbgEquationsRun *run, const HbgAffine *affine) {
  if (!affine->time) return true;
  const double nothing = 1e-9 * largest_in_time(run, affine);
  for (int32_t row = 0; row < run->equations->system.row_count; row++) {
    const double *times = hbg_affine_time_row(affine, run->equations->residual_register[row]);
    if (run->equations->system.row_reads_state[row]) continue;
    for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++)
      if (!(fabs(times[at]) <= nothing)) return false;
  }
  return true;
}

static bool compute_about(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, HbgIslandForms *forms, double reference) {
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, now, NULL);
  forms->has_some = forms->has_rates = false;
  if (!run || !run->equations->system.is_linear || run->is_singular) return false;
  HbgAffine affine = affine_for(forms, run->equations->program.register_count, run->registers, reference, solver->scratch);
  if (!begin(solver, island, run, &affine) || !solve_forms(run, &affine, NULL, false, solver->scratch)) return false;
  hbg_affine_execute(&affine, run->equations->program.main, 0, run->equations->all_end);
  if (!is_determined(island, now) && !(hbg_island_take_minimum_norm_of_forms(solver, run, island, &affine) && agree_for_good(run, &affine))) return false;
  return copy_forms(run, island, &affine, forms);
}

static bool has_powers(const HbgIslandForms *forms, const double *list, int32_t count) {
  for (int32_t at = 0; forms->time && at < count; at++)
    for (int32_t power = 0; power < HBG_TIME_POWERS; power++)
      if (!hbg_is_zero(list[at * forms->width + 1 + forms->state_count + power])) return true;
  return false;
}

/* Powers are about the time now, which they are exact near. What consists of waves only is the same whenever it is found, to the last digit. */
static bool compute(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, HbgIslandForms *forms) {
  const bool all = compute_about(solver, island, now, forms, 0);
  if (!forms->has_some) return false;
  const bool are_waves = !has_powers(forms, forms->rate, forms->state_count) && !has_powers(forms, forms->variable, 2 * island->graph.bond_count);
  return are_waves ? all : compute_about(solver, island, now, forms, now->time);
}

/* ---- rows ---- */

static void add_row(const HbgIsland *island, HbgIslandForms *forms, const double *form, bool is_rate, int32_t target) {
  const int32_t first = forms->row_count ? forms->rows[forms->row_count - 1].first + forms->rows[forms->row_count - 1].count : 0;
  HbgFormRow *row = &forms->rows[forms->row_count++];
  *row = (HbgFormRow){is_rate, target, form[0], first, 0, form};
  for (int32_t at = 1; at <= forms->state_count; at++)
    if (form[at] < 0 || form[at] > 0) forms->terms[first + row->count++] = (HbgFormTerm){island->binding.states[at - 1], form[at]};
}

static void make_rows(const HbgIsland *island, HbgIslandForms *forms) {
  const HbgTemplate *template = &island->program->template;
  forms->row_count = 0;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) add_row(island, forms, &forms->rate[state * forms->width], true, island->binding.states[state]);
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++)
    if (template->is_demanded[variable])
      add_row(island, forms, &forms->variable[variable * forms->width], false, hbg_island_variable(island, variable));
}

static void make_room_for_rows(HbgArena *arena, const HbgIsland *island, HbgIslandForms *forms) {
  const HbgTemplate *template = &island->program->template;
  int32_t count = template->state_count;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) count += template->is_demanded[variable] != 0;
  forms->rows = ARENA_NEW(arena, HbgFormRow, count);
  forms->terms = ARENA_NEW(arena, HbgFormTerm, count *forms->width);
}

static bool may_have_forms(const HbgIslandSolver *solver, const HbgIsland *island) {
  return !island->is_hanging && !solver->relaxation && island->program->template.state_count <= HBG_FORMS_MOST_STATES;
}

static HbgIslandForms *new_forms(HbgArena *arena, int32_t state_count, bool reads_time) {
  HbgIslandForms *made = ARENA_NEW(arena, HbgIslandForms, 1);
  made->state_count = state_count;
  made->width = 1 + state_count + (reads_time ? HBG_TIME_COLUMNS : 0);
  if (reads_time) made->time = ARENA_NEW(arena, HbgTimeColumns, 1);
  return made;
}

static HbgIslandForms *room_for_forms(HbgArena *arena, const HbgIsland *island) {
  HbgIslandForms *made = new_forms(arena, island->program->template.state_count, island->program->reads_time);
  made->states = island->binding.states;
  made->rate = ARENA_NEW(arena, double, made->state_count *made->width);
  made->variable = ARENA_NEW(arena, double, 2 * island->graph.bond_count *made->width);
  make_room_for_rows(arena, island, made);
  return made;
}

const HbgIslandForms *hbg_island_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  return !island->is_hanging && island->program->reads_time ? NULL : hbg_island_forms_in_time(solver, island, now);
}

const HbgIslandForms *hbg_island_some_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  if (hbg_island_forms_in_time(solver, island, now)) return island->forms;
  return island->forms && island->has_forms && island->forms->has_some ? island->forms : NULL;
}

const HbgIslandForms *hbg_island_forms_in_time(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  if (!may_have_forms(solver, island)) return NULL;
  if (!island->forms) island->forms = room_for_forms(solver->arena, island);
  if (!island->has_forms) {
    const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
    island->forms->is_affine = compute(solver, island, now, island->forms);
    if (island->forms->is_affine) make_rows(island, island->forms);
    island->has_forms = true;
    island->forms->edition++;
    hbg_arena_rewind(solver->scratch, mark);
  }
  return island->forms->is_affine ? island->forms : NULL;
}

const double *hbg_island_steady_form(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, int32_t variable) {
  const HbgIslandForms *forms = hbg_island_some_forms(solver, island, now);
  if (!forms) return NULL;
  const double *form = hbg_island_form_of(island, forms, variable);
  for (int32_t at = 1 + forms->state_count; at < forms->width; at++)
    if (form[at] < 0 || form[at] > 0) return NULL;
  return isnan(form[0]) ? NULL : form;
}

/* ---- what hangs ---- */

/* The law of a storage that is cut off, or of a source, whose leaves never change but for the own state. */
static bool compute_hanging_about(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, HbgIslandForms *forms, double *form,
                                  double reference) {
  HbgProbe *law = hbg_island_law(solver, island);
  hbg_probe_load(law, now);
  HbgAffine affine = affine_for(forms, law->program.register_count, law->registers, reference, solver->scratch);
  for (int32_t at = 0; at < law->program.input_count; at++) {
    const HbgProgramInput *input = &law->program.inputs[at];
    const HbgTimePiece *piece = input->leaf.op == HBG_OP_VARIABLE ? solver->pieces[input->leaf.index] : NULL;
    if (input->leaf.op == HBG_OP_TIME) hbg_affine_set_time(&affine, input->target);
    else if (piece) hbg_affine_set_piece(&affine, input->target, piece);
    else if (island->is_storage && input->leaf.op == HBG_OP_STATE) hbg_affine_set_input(&affine, input->target, 0);
    else if (!(input->leaf.op == HBG_OP_TICK && island->knows_ticks)) return false;
  }
  hbg_affine_execute(&affine, law->program.main, 0, law->program.main_count);
  memcpy(form, hbg_affine_form(&affine, law->outputs[0]), (size_t)forms->width * sizeof *form);
  return hbg_affine_is_known(&affine, law->outputs[0]);
}

static bool compute_hanging(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, HbgIslandForms *forms, double *form) {
  if (!compute_hanging_about(solver, island, now, forms, form, 0)) return false;
  return !has_powers(forms, form, 1) || compute_hanging_about(solver, island, now, forms, form, now->time);
}

static bool law_reads_time(HbgIslandSolver *solver, HbgIsland *island) {
  const HbgProgram *program = &hbg_island_law(solver, island)->program;
  for (int32_t at = 0; at < program->input_count; at++)
    if (program->inputs[at].leaf.op == HBG_OP_TIME) return true;
  return false;
}

const HbgIslandForms *hbg_island_hanging_forms_in_time(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  if (!island->forms) {
    const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
    HbgIslandForms *made = new_forms(solver->arena, 1, law_reads_time(solver, island));
    made->states = &solver->laws->model->nodes[island->element].state;
    made->variable = ARENA_NEW(solver->arena, double, 2 * made->width);
    made->is_affine = compute_hanging(solver, island, now, made, &made->variable[made->width * (hbg_island_given(island) % 2)]);
    made->edition = 1;
    island->forms = made;
    island->has_forms = true;
    hbg_arena_rewind(solver->scratch, mark);
  }
  return island->forms->is_affine ? island->forms : NULL;
}

const HbgIslandForms *hbg_island_hanging_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now) {
  const HbgIslandForms *forms = hbg_island_hanging_forms_in_time(solver, island, now);
  return forms && !forms->time ? forms : NULL;
}

const double *hbg_island_form_of(const HbgIsland *island, const HbgIslandForms *forms, int32_t variable) {
  return &forms->variable[(2 * hbg_graph_find_bond(&island->graph, variable / 2) + variable % 2) * forms->width];
}

/* ---- values ---- */

/* The states that the island reads, 1 first. */
static void take_states(const HbgIsland *island, const HbgIslandForms *forms, const HbgValues *values, double *x) {
  x[0] = 1;
  for (int32_t at = 1; at < forms->width; at++) x[at] = values->state[island->binding.states[at - 1]];
}

static double combine(const double *form, const double *x, int32_t width) {
  double sum = 0;
  for (int32_t at = 0; at < width; at++) sum += form[at] * x[at];
  return sum;
}

void hbg_island_rates_by_forms(const HbgIslandForms *forms, HbgValues *values, double *rate) {
  for (int32_t at = 0; at < forms->row_count; at++) {
    const HbgFormRow *row = &forms->rows[at];
    double sum = row->constant;
    for (int32_t term = row->first; term < row->first + row->count; term++)
      sum += forms->terms[term].weight * values->state[forms->terms[term].state];
    (row->is_rate ? rate : values->variable)[row->target] = sum;
  }
}

void hbg_island_read_by_forms(const HbgIsland *island, const HbgIslandForms *forms, const uint8_t *is_read, HbgValues *values) {
  double x[1 + HBG_FORMS_MOST_STATES];
  take_states(island, forms, values, x);
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++) {
    const int32_t origin = hbg_island_variable(island, variable);
    if (is_read[origin]) values->variable[origin] = combine(&forms->variable[variable * forms->width], x, forms->width);
  }
}

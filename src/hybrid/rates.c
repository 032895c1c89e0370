/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/rates.h"

#include <math.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "equations/combination.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"

HbgRates hbg_rates(const int32_t *states, int32_t count, int32_t rows, double reference, HbgArena *arena) {
  HbgRates rates = {.states = states, .count = count, .width = count + HBG_TIME_COLUMNS, .columns.reference = reference};
  rates.matrix = ARENA_NEW(arena, double, rows * rates.width);
  rates.drive = ARENA_NEW(arena, double, rows);
  return rates;
}

/* Where a state of the model lies among them; -1. */
static int32_t place_of(const HbgRates *rates, int32_t state) {
  for (int32_t at = 0; at < rates->count; at++)
    if (rates->states[at] == state) return at;
  return -1;
}

/* row := row + factor form, of an island. */
static bool add_form(HbgRates *rates, int32_t row, const HbgIslandForms *forms, const double *form, double factor) {
  double *to = &rates->matrix[row * rates->width];
  rates->drive[row] += factor * form[0];
  for (int32_t state = 0; state < forms->state_count; state++) {
    if (form[1 + state] >= 0 && form[1 + state] <= 0) continue;
    const int32_t column = place_of(rates, forms->states[state]);
    if (column < 0) return false;
    to[column] += factor * form[1 + state];
  }
  return !forms->time || hbg_time_add(&rates->columns, &rates->drive[row], &to[rates->count], forms->time, &form[1 + forms->state_count], factor);
}

/* The same of a large island, whose forms are lists of what is not nothing. */
static bool add_terms(HbgRates *rates, int32_t row, const HbgForm *form, double factor) {
  double *to = &rates->matrix[row * rates->width];
  rates->drive[row] += factor * form->constant;
  for (int32_t at = 0; at < form->count; at++) {
    const int32_t column = place_of(rates, form->terms[at].state);
    if (column < 0) return false;
    to[column] += factor * form->terms[at].weight;
  }
  return !form->time || hbg_time_add(&rates->columns, &rates->drive[row], &to[rates->count], form->time, form->time_row, factor);
}

static bool is_large(const HbgIsland *island) { return island->program->template.state_count > HBG_FORMS_MOST_STATES; }

static bool add_large_island(HbgSim *sim, HbgRates *rates, HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  HbgForm form;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    if (!hbg_island_rate_form(&sim->solver, island, &sim->now, state, rates->count, &form)) return false;
    if (!add_terms(rates, place_of(rates, island->binding.states[state]), &form, 1)) return false;
  }
  return true;
}

bool hbg_rates_add_island(HbgSim *sim, HbgRates *rates, HbgIsland *island) {
  if (is_large(island)) return add_large_island(sim, rates, island);
  const HbgIslandForms *forms = hbg_island_some_forms(&sim->solver, island, &sim->now);
  const HbgTemplate *template = &island->program->template;
  if (!forms || !forms->has_rates) return false;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    const int32_t row = place_of(rates, island->binding.states[state]);
    if (!add_form(rates, row, forms, &forms->rate[state * forms->width], 1)) return false;
  }
  return true;
}

bool hbg_rates_add_leaf(HbgSim *sim, HbgRates *rates, int32_t row, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf);
  if (factor >= 0 && factor <= 0) return true;
  if (leaf->op == HBG_OP_STATE) {
    const int32_t column = place_of(rates, leaf->index);
    if (column >= 0) rates->matrix[row * rates->width + column] += factor;
    return column >= 0;
  }
  HbgIsland *island = sim->island_of[variable / 2];
  if (hbg_island_receives_nothing(island, variable)) return true;
  const HbgIslandForms *forms = hbg_island_forms_of_any(&sim->solver, island, &sim->now);
  const double *form = forms ? hbg_island_form_of(island, forms, variable) : NULL;
  return form && !isnan(form[0]) && add_form(rates, row, forms, form, factor);
}

/* What an integrator adds up, as a form over its leaves, each of which is a form over states. */
static bool add_by_program(HbgSim *sim, HbgRates *rates, int32_t row, int32_t state) {
  HbgProbe *probe = hbg_local_integrator(sim, state);
  const HbgProgram *program = &probe->program;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine_in_time(program->register_count, program->input_count, probe->registers, &rates->columns, &sim->scratch);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (hbg_moves(leaf)) hbg_affine_set_input(&affine, program->inputs[at].target, at);
    if (leaf->op == HBG_OP_TIME) hbg_affine_set_time(&affine, program->inputs[at].target);
    if (leaf->op == HBG_OP_VARIABLE && sim->clocks.pieces[leaf->index]) hbg_affine_set_piece(&affine, program->inputs[at].target, sim->clocks.pieces[leaf->index]);
  }
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  bool is_known = hbg_affine_is_known(&affine, probe->outputs[0]);
  const double *form = hbg_affine_form(&affine, probe->outputs[0]);
  if (is_known) rates->drive[row] += form[0];
  for (int32_t at = 0; is_known && at < HBG_TIME_COLUMNS; at++)
    rates->matrix[row * rates->width + rates->count + at] += hbg_affine_time_row(&affine, probe->outputs[0])[at];
  for (int32_t at = 0; is_known && at < program->input_count; at++)
    is_known = hbg_rates_add_leaf(sim, rates, row, &program->inputs[at].leaf, form[1 + at]);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}

bool hbg_rates_add_integrator(HbgSim *sim, HbgRates *rates, int32_t row, int32_t state) {
  const HbgExprPool *pool = &sim->laws.pool;
  HbgCombination input;
  if (!hbg_combination(pool, sim->model->states[state].input, &input)) return add_by_program(sim, rates, row, state);
  rates->drive[row] += input.constant;
  for (int32_t at = 0; at < input.count; at++)
    if (!hbg_rates_add_leaf(sim, rates, row, hbg_expr_node(pool, input.terms[at].leaf), input.terms[at].weight)) return false;
  return true;
}

bool hbg_rates_add_guest(const HbgSim *sim, HbgRates *rates, int32_t row, int32_t state) {
  const HbgRegion *home = sim->local->region_of[state];
  const int32_t place = sim->local->place_of[state];
  const HbgDriven *driven = hbg_region_driven(home);
  const double *from = &home->motion->matrix[place * home->motion->count];
  double *to = &rates->matrix[row * rates->width], time[HBG_TIME_COLUMNS] = {0};
  rates->drive[row] += home->motion->drive[place];
  for (int32_t other = 0; other < home->count; other++) {
    if (hbg_is_zero(from[other])) continue;
    const int32_t column = place_of(rates, home->states[other]);
    if (column < 0) return false;
    to[column] += from[other];
  }
  for (int32_t at = 0; at < driven->count; at++) time[driven->column[at]] = from[home->count + at];
  return !driven->count || hbg_time_add(&rates->columns, &rates->drive[row], &to[rates->count], &driven->columns, time, 1);
}

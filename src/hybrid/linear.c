/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/linear.h"

#include <math.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"
#include "numerics/polynomial_function.h"

/* ---- sums ---- */

void hbg_linear_add(HbgLinear *linear, HbgArena *arena, int32_t state, double weight) {
  for (int32_t at = 0; at < linear->count; at++) {
    if (linear->terms[at].state != state) continue;
    linear->terms[at].weight += weight;
    return;
  }
  ARENA_PUSH(arena, linear->terms, linear->count, linear->capacity) = (HbgLinearTerm){state, weight};
}

/* What is held until the next tick is another number then, and pieces of tables are other ones. */
static bool is_held(const double *row) {
  for (int32_t column = HBG_TIME_COLUMNS - HBG_TIME_HELD; column < HBG_TIME_COLUMNS; column++)
    if (!hbg_is_zero(row[column])) return true;
  return false;
}

static bool is_nothing(const double *row) {
  for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++)
    if (!hbg_is_zero(row[column])) return false;
  return true;
}

bool hbg_linear_add_time(HbgLinear *linear, HbgArena *arena, const HbgTimeColumns *columns, const double *row, double factor) {
  if (is_nothing(row)) return true;
  if (is_held(row)) return false;
  if (!linear->time) linear->time = ARENA_NEW(arena, HbgTimePart, 1);
  if (!linear->follows_time) *linear->time = (HbgTimePart){.columns.reference = columns->reference};
  linear->follows_time = true;
  return hbg_time_add(&linear->time->columns, &linear->constant, linear->time->row, columns, row, factor);
}

bool hbg_linear_add_linear(HbgLinear *linear, HbgArena *arena, const HbgLinear *other, double factor) {
  linear->constant += factor * other->constant;
  linear->size += fabs(factor) * other->size;
  for (int32_t at = 0; at < other->count; at++) hbg_linear_add(linear, arena, other->terms[at].state, factor * other->terms[at].weight);
  return !other->follows_time || hbg_linear_add_time(linear, arena, &other->time->columns, other->time->row, factor);
}

void hbg_linear_scale(HbgLinear *linear, double factor) {
  linear->constant *= factor;
  linear->size *= fabs(factor);
  for (int32_t at = 0; at < linear->count; at++) linear->terms[at].weight *= factor;
  for (int32_t column = 0; linear->follows_time && column < HBG_TIME_COLUMNS; column++) linear->time->row[column] *= factor;
}

HbgLinear hbg_linear_rate_in_time(const HbgLinear *linear, HbgArena *arena) {
  HbgLinear rate = {.follows_time = linear->follows_time};
  if (!rate.follows_time) return rate;
  rate.time = ARENA_NEW(arena, HbgTimePart, 1);
  rate.time->columns = linear->time->columns;
  for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++) {
    if (hbg_is_zero(linear->time->row[column])) continue;
    int32_t of;
    const double by = linear->time->row[column] * hbg_time_rate(&linear->time->columns, column, &of);
    *(of < 0 ? &rate.constant : &rate.time->row[of]) += by;
  }
  rate.size = fabs(rate.constant);
  return rate;
}

/* ---- values ---- */

double hbg_time_part_value(const HbgTimePart *part, double t) {
  double values[HBG_TIME_COLUMNS], sum = 0;
  hbg_time_values(&part->columns, t, values);
  for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++) sum += part->row[column] * values[column];
  return sum;
}

double hbg_linear_at(const HbgLinear *linear, const HbgValues *values) {
  double sum = linear->constant;
  for (int32_t at = 0; at < linear->count; at++) sum += linear->terms[at].weight * values->state[linear->terms[at].state];
  return linear->follows_time ? sum + hbg_time_part_value(linear->time, values->time) : sum;
}

/* A function is no farther from a chord than an eighth of its length squared times the largest second derivative. */
double hbg_time_part_stray(const HbgTimePart *part, double from, double to) {
  const double *row = part->row, *wave = &row[HBG_TIME_POWERS], length = to - from;
  const double farthest = fmax(fabs(from - part->columns.reference), fabs(to - part->columns.reference));
  double bend = 2 * fabs(row[1]) + 6 * fabs(row[2]) * farthest;
  for (int32_t pair = 0; pair < part->columns.pair_count; pair++)
    bend += part->columns.omega[pair] * part->columns.omega[pair] * hypot(wave[2 * pair], wave[2 * pair + 1]);
  return bend * length * length / 8;
}

/* ---- over a window ---- */

static void add(HbgPolynomial *sum, const HbgPolynomial *of, double factor) {
  HbgPolynomial term;
  hbg_polynomial_scale(&term, of, factor);
  hbg_polynomial_add(sum, sum, &term);
}

static void add_powers(HbgPolynomial *sum, const HbgPolynomial *time, const HbgTimePart *part) {
  const HbgPolynomial start = hbg_polynomial_constant(part->columns.reference);
  HbgPolynomial power, since;
  hbg_polynomial_subtract(&since, time, &start);
  hbg_polynomial_copy(&power, &since);
  for (int32_t at = 0; at < HBG_TIME_POWERS; at++) {
    if (!hbg_is_zero(part->row[at])) add(sum, &power, part->row[at]);
    const HbgPolynomial last = power;
    hbg_polynomial_multiply(&power, &last, &since);
  }
}

static void add_wave(HbgPolynomial *sum, const HbgPolynomial *time, double omega, const double *weights) {
  HbgPolynomial angle, wave;
  if (hbg_is_zero(weights[0]) && hbg_is_zero(weights[1])) return;
  hbg_polynomial_scale(&angle, time, omega);
  hbg_polynomial_apply(&wave, HBG_SMOOTH_SIN, &angle, 0);
  add(sum, &wave, weights[0]);
  hbg_polynomial_apply(&wave, HBG_SMOOTH_COS, &angle, 0);
  add(sum, &wave, weights[1]);
}

void hbg_linear_over(HbgSim *sim, HbgStepWindow *window, const HbgLinear *linear, HbgPolynomial *out) {
  hbg_polynomial_set(out, linear->constant);
  for (int32_t at = 0; at < linear->count; at++) {
    HbgPolynomial state;
    hbg_window_state(sim, window, linear->terms[at].state, &state);
    add(out, &state, linear->terms[at].weight);
  }
  if (!linear->follows_time) return;
  const HbgPolynomial time = hbg_window_time(sim, window);
  add_powers(out, &time, linear->time);
  for (int32_t pair = 0; pair < linear->time->columns.pair_count; pair++)
    add_wave(out, &time, linear->time->columns.omega[pair], &linear->time->row[HBG_TIME_POWERS + 2 * pair]);
}

/* ---- differences of guards ---- */

/* Byte code on forms, with functions of time where it reads that; `time` has to outlive it. */
static HbgAffine affine_for(HbgSim *sim, const HbgProgram *program, int32_t inputs, const double *registers, HbgTimeColumns *time) {
  bool reads_time = false;
  for (int32_t at = 0; at < program->input_count; at++) reads_time = reads_time || program->inputs[at].leaf.op == HBG_OP_TIME;
  *time = (HbgTimeColumns){.reference = sim->now.time};
  return reads_time ? hbg_affine_in_time(program->register_count, inputs, registers, time, &sim->scratch)
                    : hbg_affine(program->register_count, inputs, registers, &sim->scratch);
}

/* The form of register `target`, whose inputs are left to who asks. */
static bool take_form(HbgSim *sim, HbgLinear *linear, const HbgAffine *affine, int32_t target, double factor) {
  const double *form = hbg_affine_form(affine, target);
  if (!hbg_affine_is_known(affine, target)) return false;
  linear->constant += factor * form[0];
  linear->size += fabs(factor * form[0]);
  return !affine->time || hbg_linear_add_time(linear, sim->arena, affine->time, hbg_affine_time_row(affine, target), factor);
}

/* What a source or storage that hangs imposes: a line over its own state, if it has one. */
static bool add_hanging(HbgSim *sim, HbgLinear *linear, HbgIsland *island, int32_t variable, double factor) {
  HbgProbe *probe = hbg_island_law(&sim->solver, island);
  const HbgProgram *law = &probe->program;
  const int32_t state = island->is_storage ? sim->cuts.deliveries.state[island->delivery] : -1, target = probe->outputs[0];
  HbgTimeColumns time;
  if (variable != hbg_island_given(island)) return false;
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = affine_for(sim, law, 1, probe->registers, &time);
  for (int32_t at = 0; at < law->input_count; at++) {
    const HbgExprNode *leaf = &law->inputs[at].leaf;
    if (leaf->op == HBG_OP_TIME) hbg_affine_set_time(&affine, law->inputs[at].target);
    else if (leaf->op == HBG_OP_STATE && leaf->index == state) hbg_affine_set_input(&affine, law->inputs[at].target, 0);
    else if (leaf->op == HBG_OP_STATE || leaf->op == HBG_OP_SHARE || hbg_variable_of(leaf) >= 0) return false;
  }
  hbg_affine_execute(&affine, law->main, 0, law->main_count);
  if (!take_form(sim, linear, &affine, target, factor)) return false;
  if (state >= 0) hbg_linear_add(linear, sim->arena, state, factor * hbg_affine_form(&affine, target)[1]);
  return true;
}

static bool is_steady(HbgSim *sim, HbgIsland *island) { return island->is_implicit || !hbg_constraints_may_drift(sim, island); }

static bool add_variable(HbgSim *sim, HbgLinear *linear, int32_t variable, double factor) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_hanging) return add_hanging(sim, linear, island, variable, factor);
  const HbgIslandForms *forms = is_steady(sim, island) ? hbg_island_some_forms(&sim->solver, island, &sim->now) : NULL;
  const double *form = forms ? hbg_island_form_of(island, forms, variable) : NULL;
  if (!form || isnan(form[0])) return false;
  linear->constant += factor * form[0];
  linear->size += fabs(factor) * fmax(fabs(form[0]), sim->now.size[variable]);
  for (int32_t at = 0; at < forms->state_count; at++)
    if (!hbg_is_zero(form[1 + at])) hbg_linear_add(linear, sim->arena, forms->states[at], factor * form[1 + at]);
  return !forms->time || hbg_linear_add_time(linear, sim->arena, forms->time, &form[1 + forms->state_count], factor);
}

static bool add_leaf(HbgSim *sim, HbgLinear *linear, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable >= 0) return add_variable(sim, linear, variable, factor);
  if (leaf->op == HBG_OP_SHARE) return hbg_linear_add_linear(linear, sim->arena, &hbg_slide_line_of(sim, leaf->index)->share, factor);
  hbg_linear_add(linear, sim->arena, leaf->index, factor);
  return true;
}

/* The leaves of the guard's probe as inputs. False: it reads what no combination of states tells. */
static bool set_inputs(const HbgSim *sim, const HbgProgram *program, HbgAffine *affine) {
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    const bool is_share = leaf->op == HBG_OP_SHARE;
    if (program->inputs[at].is_pre || (is_share && !hbg_slide_line_of(sim, leaf->index))) return false;
    if (leaf->op == HBG_OP_TIME) hbg_affine_set_time(affine, program->inputs[at].target);
    else if (hbg_moves(leaf) || is_share) hbg_affine_set_input(affine, program->inputs[at].target, at);
  }
  return true;
}

static bool make_difference(HbgSim *sim, const HbgConjunction *guard, const HbgAffine *affine, int32_t which, HbgLinear *linear) {
  const int32_t target = guard->probe.outputs[1 + which];
  linear->constant = linear->size = 0;
  linear->count = 0;
  linear->follows_time = false;
  if (!take_form(sim, linear, affine, target, 1)) return false;
  const double *form = hbg_affine_form(affine, target);
  for (int32_t at = 0; at < guard->probe.program.input_count; at++)
    if (!hbg_is_zero(form[1 + at]) && !add_leaf(sim, linear, &guard->probe.program.inputs[at].leaf, form[1 + at])) return false;
  return true;
}

/* The guard's own program, of which all that moves is an input. False as above. */
static bool execute(HbgSim *sim, const HbgConjunction *guard, HbgTimeColumns *time, HbgAffine *affine) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &sim->now);
  *affine = affine_for(sim, program, program->input_count, probe->registers, time);
  if (!set_inputs(sim, program, affine)) return false;
  hbg_affine_execute(affine, program->main, 0, program->main_count);
  return true;
}

bool hbg_linear_difference(HbgSim *sim, const HbgConjunction *guard, int32_t which, HbgLinear *linear) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgTimeColumns time;
  HbgAffine affine;
  const bool is_known = execute(sim, guard, &time, &affine) && make_difference(sim, guard, &affine, which, linear);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}

bool hbg_linear_differences(HbgSim *sim, const HbgConjunction *guard, HbgLinear *differences, uint8_t *is_line) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgTimeColumns time;
  HbgAffine affine;
  bool all = execute(sim, guard, &time, &affine);
  for (int32_t which = 0; all && which < guard->difference_count; which++) is_line[which] = make_difference(sim, guard, &affine, which, &differences[which]);
  for (int32_t which = 0; all && which < guard->difference_count; which++) all = is_line[which];
  hbg_arena_rewind(&sim->scratch, mark);
  return all;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that read what is held from one tick of a clock to the next, as a regulator's output against a carrier does. With every tick they have another
 * form; but mostly that is the one before with other numbers beside the states: then these alone are found anew, and the regions are read as they were. */
#include <float.h>
#include <math.h>

#include "equations/affine.h"
#include "hybrid/watch_parts.h"

static bool is_held(const HbgProgramInput *input) { return input->leaf.op == HBG_OP_VARIABLE && !input->is_pre; }

static bool reads_held(const HbgProgram *program) {
  for (int32_t at = 0; at < program->input_count; at++)
    if (is_held(&program->inputs[at])) return true;
  return false;
}

static HbgHeldForm *new_held(HbgArena *arena, const HbgProbe *probe) {
  HbgHeldForm *made = ARENA_NEW(arena, HbgHeldForm, 1);
  made->base = ARENA_NEW(arena, double, probe->output_count);
  made->slope = ARENA_NEW(arena, double, probe->output_count);
  made->rest = ARENA_NEW(arena, double, probe->output_count);
  made->weight = ARENA_NEW(arena, double, probe->output_count * probe->program.input_count);
  return made;
}

/* The numbers of each difference that is a sum of what moves and of what is held; false where one is not. */
static bool find_numbers(HbgSim *sim, HbgProbe *probe, HbgHeldForm *held) {
  const HbgProgram *program = &probe->program;
  const int32_t inputs = program->input_count;
  HbgTimeColumns time = {0};
  HbgAffine affine = hbg_affine_in_time(program->register_count, inputs, probe->registers, &time, &sim->scratch);
  for (int32_t at = 0; at < inputs; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    if (hbg_moves(&input->leaf) || is_held(input)) hbg_affine_set_input(&affine, input->target, at);
    if (input->leaf.op == HBG_OP_TIME) hbg_affine_set_time(&affine, input->target);
  }
  hbg_affine_execute(&affine, program->prepare, 0, program->prepare_count);
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  for (int32_t which = 0; which < probe->output_count; which++) {
    const int32_t target = probe->outputs[which];
    if (!hbg_affine_is_known(&affine, target)) return false;
    const double *form = hbg_affine_form(&affine, target);
    held->base[which] = form[0];
    held->slope[which] = hbg_affine_time_row(&affine, target)[0];
    for (int32_t at = 0; at < inputs; at++) held->weight[which * inputs + at] = is_held(&program->inputs[at]) ? form[1 + at] : 0;
  }
  return true;
}

enum { WAVES = HBG_TIME_POWERS, WAVES_END = HBG_TIME_POWERS + 2 * HBG_TIME_PAIRS };

/* Does a guard that reads the time by itself take no more of it than how much has gone by, and waves? These are the same from any time on. */
static bool is_straight_in_time(const HbgGuardForm *form, int32_t count) {
  for (int32_t which = 0; which < count; which++)
    for (int32_t column = 1; column < HBG_TIME_COLUMNS; column++) {
      const bool is_wave = column >= WAVES && column < WAVES_END;
      if (!is_wave && !hbg_is_zero(form->time_row[which * HBG_TIME_COLUMNS + column])) return false;
    }
  return true;
}

/* A difference where all that moves, and every wave, is nothing. What a carrier takes of the time and of its last tick, large numbers both, is one small one. */
static double constant_of(const HbgSim *sim, const HbgProgram *program, const HbgHeldForm *held, int32_t which) {
  enum { FEW_DIGITS = 16 };
  const double *weight = &held->weight[which * program->input_count];
  double sum = held->base[which] + held->rest[which], slope = held->slope[which], size = fabs(slope);
  for (int32_t at = 0; at < program->input_count; at++) {
    if (hbg_is_zero(weight[at])) continue;
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    const double value = hbg_leaf_value(sim->model, leaf, &sim->now);
    const bool is_tick_time = sim->clocks.is_tick_time[leaf->index];
    sum += weight[at] * (is_tick_time ? value - sim->time : value);
    if (!is_tick_time) continue;
    slope += weight[at];
    size += fabs(weight[at]);
  }
  return fabs(slope) <= FEW_DIGITS * DBL_EPSILON * size ? sum : sum + slope * sim->time;
}

static void put_constants(HbgSim *sim, const HbgProbe *probe, HbgGuardForm *form) {
  for (int32_t which = 0; which < probe->output_count; which++) form->constant[which] = constant_of(sim, &probe->program, form->held, which);
  if (form->reads_time) form->time->reference = sim->time;
}

void hbg_watch_note_held(HbgSim *sim, HbgProbe *probe, HbgGuardForm *form, const double *own_constants, bool reads_time) {
  form->is_moved_by_held = false;
  if (!reads_held(&probe->program) || (reads_time && !is_straight_in_time(form, probe->output_count))) return;
  if (!form->held) form->held = new_held(&sim->local->arena, probe);
  if (!find_numbers(sim, probe, form->held)) return;
  for (int32_t which = 0; which < probe->output_count; which++) form->held->rest[which] = form->constant[which] - own_constants[which];
  form->is_moved_by_held = true;
  form->reads_time = reads_time;
  put_constants(sim, probe, form);
}

/* Readings that go on as they are, with other constants. */
static void move_readings(HbgGuardForm *form) {
  for (HbgReading *reading = form->readings; reading; reading = reading->next)
    if (form->reads_time && reading->time && !hbg_watch_go_on_in_time(reading, form->time->reference)) form->readings = NULL;
  for (HbgReading *reading = form->readings; reading; reading = reading->next)
    for (int32_t at = 0; at < reading->difference_count; at++) reading->differences[at].constant = form->constant[reading->differences[at].which];
}

bool hbg_watch_take_held(HbgSim *sim, const HbgWatch *watch, HbgGuardForm *form) {
  if (!form->is_moved_by_held) return false;
  const HbgProgram *program = &watch->differences->program;
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    if (hbg_moves(&input->leaf) || input->leaf.op == HBG_OP_TIME) continue;
    const double value = hbg_leaf_value(sim->model, &input->leaf, &sim->now);
    if (!is_held(input) && !(value >= form->given[at] && value <= form->given[at])) return false;
    form->given[at] = value;
  }
  put_constants(sim, watch->differences, form);
  move_readings(form);
  return true;
}

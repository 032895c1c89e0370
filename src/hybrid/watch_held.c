/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that read what is held from one tick of a clock to the next, as a regulator's output against a carrier does. With every tick they have another
 * form; but mostly that is the one before with other numbers beside the states: then these alone are found anew, and the regions are read as they were. */
#include "equations/affine.h"
#include "hybrid/watch_parts.h"

static bool is_held(const HbgProgramInput *input) { return input->leaf.op == HBG_OP_VARIABLE && !input->is_pre; }

static bool reads_held(const HbgProgram *program) {
  for (int32_t at = 0; at < program->input_count; at++)
    if (is_held(&program->inputs[at])) return true;
  return false;
}

/* Is each difference a sum of what moves and of what is held, however much of these there is? */
static bool are_sums(HbgSim *sim, HbgProbe *probe, HbgTimeColumns *time) {
  const HbgProgram *program = &probe->program;
  HbgAffine affine = hbg_affine_in_time(program->register_count, program->input_count, probe->registers, time, &sim->scratch);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    if (hbg_moves(&input->leaf) || is_held(input)) hbg_affine_set_input(&affine, input->target, at);
    if (input->leaf.op == HBG_OP_TIME) hbg_affine_set_time(&affine, input->target);
  }
  hbg_affine_execute(&affine, program->prepare, 0, program->prepare_count);
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  for (int32_t which = 0; which < probe->output_count; which++)
    if (!hbg_affine_is_known(&affine, probe->outputs[which])) return false;
  return true;
}

/* Does a guard that reads the time by itself take no more of it than how much has gone by? */
static bool is_straight_in_time(const HbgGuardForm *form, int32_t count) {
  for (int32_t which = 0; which < count; which++)
    for (int32_t column = 1; column < HBG_TIME_COLUMNS; column++)
      if (!hbg_is_zero(form->time_row[which * HBG_TIME_COLUMNS + column])) return false;
  return true;
}

/* The differences where all that moves is nothing, and the time is that of now. */
static void put_constants(HbgSim *sim, HbgProbe *probe, HbgGuardForm *form) {
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &sim->now);
  for (int32_t at = 0; at < program->input_count; at++)
    if (hbg_moves(&program->inputs[at].leaf)) probe->registers[program->inputs[at].target] = 0;
  hbg_execute(program->main, 0, program->main_count, probe->registers);
  for (int32_t which = 0; which < probe->output_count; which++) form->constant[which] = hbg_probe_value(probe, which) + form->rest[which];
  if (form->reads_time) form->time->reference = sim->time;
}

void hbg_watch_note_held(HbgSim *sim, HbgProbe *probe, HbgGuardForm *form, const double *own_constants, bool reads_time) {
  form->is_moved_by_held = false;
  if (!reads_held(&probe->program) || (reads_time && !is_straight_in_time(form, probe->output_count))) return;
  HbgTimeColumns time = {.reference = sim->time};
  if (!are_sums(sim, probe, &time)) return;
  if (!form->rest) form->rest = ARENA_NEW(&sim->local->arena, double, probe->output_count);
  for (int32_t which = 0; which < probe->output_count; which++) form->rest[which] = form->constant[which] - own_constants[which];
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/probe.h"

#include <math.h>

static const HbgProgramInput *leaf_of(const HbgProbe *probe) {
  const HbgProgram *program = &probe->program;
  const bool is_leaf = program->input_count == 1 && !program->prepare_count && !program->main_count && probe->output_count == 1;
  return is_leaf && probe->outputs[0] == program->inputs[0].target ? program->inputs : NULL;
}

/* Registers with the constants in them. */
static void make_registers(HbgProbe *probe) {
  probe->registers = ARENA_NEW(probe->arena, double, probe->program.register_count);
  hbg_program_load_constants(&probe->program, probe->registers);
}

/* The same for instants, which are four times as large: of a thousand guards that are alike, most are never asked at one. */
static void make_pairs(HbgProbe *probe) {
  probe->pairs = ARENA_NEW(probe->arena, HbgPair, probe->program.register_count);
  for (int32_t at = 0; at < probe->program.constant_count; at++) {
    const double value = probe->program.constants[at].value;
    probe->pairs[probe->program.constants[at].target] = (HbgPair){.value = value, .value_size = fabs(value)};
  }
}

HbgProbe hbg_probe_like(const HbgProbe *other, const HbgLikeness *likeness, const HbgExprPool *pool, HbgArena *arena) {
  HbgProbe probe = *other;
  HbgProgram *program = &probe.program;
  program->inputs = ARENA_NEW(arena, HbgProgramInput, program->input_count);
  program->input_capacity = program->input_count;
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &other->program.inputs[at];
    program->inputs[at] = (HbgProgramInput){hbg_likeness_leaf(likeness, pool, &input->leaf), input->is_pre, input->target};
  }
  probe.arena = arena;
  probe.pairs = NULL;
  make_registers(&probe);
  probe.leaf = leaf_of(&probe);
  return probe;
}

HbgProbe hbg_probe(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *exprs, int32_t count, HbgArena *arena) {
  HbgProbe probe = {.model = model, .outputs = ARENA_NEW(arena, int32_t, count), .output_count = count, .arena = arena};
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgEmitter emitter = hbg_emitter(&probe.program, pool, arena);
  for (int32_t at = 0; at < count; at++) probe.outputs[at] = hbg_emit(&emitter, exprs[at]);
  hbg_program_pack(&probe.program, arena, mark);
  make_registers(&probe);
  make_pairs(&probe);
  probe.leaf = leaf_of(&probe);
  return probe;
}

double hbg_leaf_value(const HbgFlatModel *model, const HbgExprNode *leaf, const HbgValues *values) {
  switch (leaf->op) {
    case HBG_OP_TIME: return values->time;
    case HBG_OP_STATE: return values->state[leaf->index];
    case HBG_OP_TICK: return values->tick[leaf->index];
    case HBG_OP_IN_STATE: return values->phi[leaf->index] == leaf->other;
    case HBG_OP_IS_ON: return model->machines[leaf->index].states[values->phi[leaf->index]].is_on;
    case HBG_OP_SHARE: return values->share[leaf->index];
    case HBG_OP_VARIABLE: return values->discrete[leaf->index];
    case HBG_OP_TIMER: return values->deadline[leaf->index].time <= values->instant;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: return values->variable[hbg_variable_of(leaf)];
    default: return 0;
  }
}

void hbg_probe_load(HbgProbe *probe, const HbgValues *values) {
  const HbgProgram *program = &probe->program;
  for (int32_t at = 0; at < program->input_count; at++)
    probe->registers[program->inputs[at].target] = hbg_leaf_value(probe->model, &program->inputs[at].leaf, values);
  hbg_execute(program->prepare, 0, program->prepare_count, probe->registers);
}

void hbg_probe_run(HbgProbe *probe, const HbgValues *values) {
  hbg_probe_load(probe, values);
  hbg_execute(probe->program.main, 0, probe->program.main_count, probe->registers);
}

static HbgPair leaf_pair(const HbgFlatModel *model, const HbgProgramInput *input, const HbgValues *values) {
  HbgPair pair = {.value = hbg_leaf_value(model, &input->leaf, values)};
  pair.value_size = fabs(pair.value);
  const int32_t variable = hbg_variable_of(&input->leaf);
  if (input->leaf.op == HBG_OP_STATE && values->state_scale)
    pair.value_size = fmax(pair.value_size, values->state_scale[input->leaf.index]);
  if (variable < 0) return pair;
  if (values->size[variable] > pair.value_size) pair.value_size = values->size[variable];
  if (input->is_pre) return pair; /* a priori values are finite */
  pair.area = values->area[variable];
  pair.area_size = fmax(fabs(pair.area), values->area_size[variable]);
  return pair;
}

HbgProbeNotes hbg_probe_run_pairs(HbgProbe *probe, const HbgValues *now, const HbgValues *before) {
  const HbgProgram *program = &probe->program;
  HbgProbeNotes notes = {false, false};
  if (!probe->pairs) make_pairs(probe);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    probe->pairs[input->target] = leaf_pair(probe->model, input, input->is_pre ? before : now);
  }
  hbg_execute_pairs(program->prepare, 0, program->prepare_count, probe->pairs, &notes.is_undefined, &notes.by_impulse);
  hbg_execute_pairs(program->main, 0, program->main_count, probe->pairs, &notes.is_undefined, &notes.by_impulse);
  return notes;
}

int32_t hbg_probe_undetermined(const HbgProbe *probe, const HbgValues *now) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const int32_t variable = hbg_variable_of(&probe->program.inputs[at].leaf);
    if (variable >= 0 && now->undetermined[variable]) return variable;
  }
  return -1;
}

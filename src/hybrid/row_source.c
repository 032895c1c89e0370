/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/row_source.h"

static bool reads_states_of_alone(const HbgProbe *probe, int32_t machine) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgProgramInput *input = &probe->program.inputs[at];
    if (input->is_pre || input->leaf.op != HBG_OP_IN_STATE || input->leaf.index != machine) return false;
  }
  return probe->program.input_count > 0;
}

/* Machines with more states than there are bits are looked up as any expression. */
static HbgRowSource is_on(const HbgFlatModel *model, int32_t machine) {
  const HbgMachine *self = &model->machines[machine];
  HbgRowSource source = {.kind = HBG_FROM_IS_ON, .index = machine};
  if (self->state_count > 64) return (HbgRowSource){.kind = HBG_FROM_EXPRESSION};
  for (int32_t state = 0; state < self->state_count; state++) source.on |= (uint64_t)self->states[state].is_on << state;
  return source;
}

HbgRowSource hbg_row_source(const HbgFlatModel *model, const HbgProbe *probe, int32_t machine) {
  if (machine >= 0 && reads_states_of_alone(probe, machine)) return (HbgRowSource){.kind = HBG_FROM_MACHINE, .index = machine};
  const HbgProgramInput *leaf = probe->leaf;
  if (!leaf || leaf->is_pre) return (HbgRowSource){.kind = HBG_FROM_EXPRESSION};
  switch (leaf->leaf.op) {
    case HBG_OP_STATE: return (HbgRowSource){.kind = HBG_FROM_STATE, .index = leaf->leaf.index};
    case HBG_OP_VARIABLE: return (HbgRowSource){.kind = HBG_FROM_DISCRETE, .index = leaf->leaf.index};
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: return (HbgRowSource){.kind = HBG_FROM_VARIABLE, .index = hbg_variable_of(&leaf->leaf)};
    case HBG_OP_IS_ON: return is_on(model, leaf->leaf.index);
    default: return (HbgRowSource){.kind = HBG_FROM_EXPRESSION};
  }
}

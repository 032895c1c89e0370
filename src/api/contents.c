/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to what a model is made of. */
#include "api/api.h"

#include <string.h>

#include "model/unit.h"

/* The flat model, or an empty one where the text was wrong. */
static const HbgFlatModel *flat_of(const HbgModel *model) {
  static const HbgFlatModel none = {.name = ""};
  return model && !model->diagnostics.error_count ? &model->flat : &none;
}

static bool is_within(int32_t index, int32_t count) { return index >= 0 && index < count; }

const char *hbg_model_name(const HbgModel *model) { return model && model->flat.name ? model->flat.name : ""; }
const char *hbg_model_text(const HbgModel *model) { return model ? model->text : ""; }

HbgModelSize hbg_model_size(const HbgModel *model) {
  const HbgFlatModel *flat = flat_of(model);
  HbgModelSize size = {.bonds = flat->bond_count,
                       .signals = flat->signal_count,
                       .machines = flat->machine_count,
                       .parameters = flat->parameter_count};
  for (int32_t node = 0; node < flat->node_count; node++) {
    if (hbg_is_junction(&flat->nodes[node])) size.junctions++;
    else size.elements++;
    if (flat->nodes[node].machine >= 0) size.switched_junctions++;
    if (hbg_is_storage(&flat->nodes[node])) size.stored_quantities++;
  }
  size.integrators = flat->state_count - size.stored_quantities;
  return size;
}

/* The value in the unit that the parameter is declared in. */
static double shown_value(const HbgParameter *parameter) {
  HbgUnit unit;
  uint32_t begin, end;
  if (!parameter->unit || !hbg_unit_read(parameter->unit, (uint32_t)strlen(parameter->unit), &unit, &begin, &end)) return parameter->value;
  return (parameter->value - unit.offset) / unit.factor;
}

HbgParameterInfo hbg_model_parameter(const HbgModel *model, int32_t index) {
  const HbgFlatModel *flat = flat_of(model);
  if (!is_within(index, flat->parameter_count)) return (HbgParameterInfo){.name = ""};
  const HbgParameter *parameter = &flat->parameters[index];
  return (HbgParameterInfo){parameter->name, parameter->value, parameter->unit, parameter->description, shown_value(parameter)};
}

HbgNodeInfo hbg_model_node(const HbgModel *model, int32_t index) {
  const HbgFlatModel *flat = flat_of(model);
  if (!is_within(index, flat->node_count)) return (HbgNodeInfo){.name = "", .kind = "", .machine = -1};
  const HbgNode *node = &flat->nodes[index];
  return (HbgNodeInfo){.name = node->name,
                       .kind = hbg_element_info[node->kind].name,
                       .is_junction = hbg_is_junction(node),
                       .machine = node->machine,
                       .bond_count = node->port_count};
}

HbgBondInfo hbg_model_bond(const HbgModel *model, int32_t index) {
  const HbgFlatModel *flat = flat_of(model);
  if (!is_within(index, flat->bond_count)) return (HbgBondInfo){"", "", ""};
  const HbgBond *bond = &flat->bonds[index];
  return (HbgBondInfo){bond->name, flat->nodes[bond->tail].name, flat->nodes[bond->head].name};
}

HbgStoredInfo hbg_model_stored(const HbgModel *model, int32_t index) {
  const HbgFlatModel *flat = flat_of(model);
  if (!is_within(index, flat->state_count)) return (HbgStoredInfo){.name = "", .node = ""};
  const HbgState *state = &flat->states[index];
  return (HbgStoredInfo){.name = state->name,
                         .node = state->node < 0 ? "" : flat->nodes[state->node].name,
                         .is_integrator = state->node < 0,
                         .start = state->start};
}

HbgSignalInfo hbg_model_signal(const HbgModel *model, int32_t index) {
  const HbgFlatModel *flat = flat_of(model);
  if (!is_within(index, flat->signal_count)) return (HbgSignalInfo){.name = ""};
  const HbgSignal *signal = &flat->signals[index];
  return (HbgSignalInfo){signal->name, signal->unit, hbg_expr_node(&flat->pool, signal->expr)->is_boolean};
}

HbgMachineInfo hbg_model_machine(const HbgModel *model, int32_t index) {
  const HbgFlatModel *flat = flat_of(model);
  if (!is_within(index, flat->machine_count)) return (HbgMachineInfo){.name = "", .type = ""};
  const HbgMachine *machine = &flat->machines[index];
  return (HbgMachineInfo){machine->name, machine->type, machine->state_count, machine->initial};
}

const char *hbg_model_machine_state(const HbgModel *model, int32_t machine, int32_t state, bool *is_on) {
  static const HbgMachineState none = {.name = ""};
  const HbgFlatModel *flat = flat_of(model);
  const bool exists = is_within(machine, flat->machine_count) && is_within(state, flat->machines[machine].state_count);
  const HbgMachineState *found = exists ? &flat->machines[machine].states[state] : &none;
  if (is_on) *is_on = found->is_on;
  return found->name;
}

const char *hbg_model_state_name(const HbgModel *model, int32_t state) {
  const HbgFlatModel *flat = flat_of(model);
  return is_within(state, flat->state_count) ? flat->states[state].name : "";
}

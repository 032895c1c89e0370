/* SPDX-License-Identifier: BSD-3-Clause
 * An entry for libFuzzer (scripts/fuzz): any text becomes a flat model that holds together, or a report. */
#include <math.h>

#include "api/api.h"
#include "fuzz/fuzz.h"

static void check_bonds(const HbgFlatModel *flat) {
  int64_t ports = 0;
  for (int32_t i = 0; i < flat->node_count; i++) {
    const HbgNode *node = &flat->nodes[i];
    const bool is_implied = i >= flat->node_count - flat->implied_node_count;
    HOLDS(i == 0 || is_implied || hbg_name_compare(flat->nodes[i - 1].name, node->name) < 0);
    HOLDS(node->machine < flat->machine_count && node->state < flat->state_count);
    HOLDS(hbg_is_junction(node) ? node->port_count >= 1 : node->port_count == hbg_element_info[node->kind].ports);
    ports += node->port_count;
    for (int32_t p = 0; p < node->port_count; p++) {
      const HbgPort *port = hbg_port(flat, node, p);
      HOLDS((port->sign > 0 ? flat->bonds[port->bond].head : flat->bonds[port->bond].tail) == i);
    }
  }
  HOLDS(ports == flat->port_count && ports == 2 * (int64_t)flat->bond_count);
}

static void check_numbers(const HbgFlatModel *flat) {
  for (int32_t i = 0; i < flat->parameter_count; i++) HOLDS(isfinite(flat->parameters[i].value));
  for (int32_t i = 0; i < flat->state_count; i++) HOLDS(isfinite(flat->states[i].start));
}

static void check_machines(const HbgFlatModel *flat) {
  for (int32_t i = 0; i < flat->machine_count; i++) {
    const HbgMachine *machine = &flat->machines[i];
    HOLDS(machine->initial >= 0 && machine->initial < machine->state_count);
    for (int32_t t = 0; t < machine->transition_count; t++) {
      const HbgTransition *transition = &machine->transitions[t];
      HOLDS(transition->from >= 0 && transition->from < machine->state_count);
      HOLDS(transition->to >= 0 && transition->to < machine->state_count);
      HOLDS(hbg_expr_node(&flat->pool, transition->guard)->is_boolean);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Purse purse = {.most = 8 << 20};
  const HbgModelOptions options = purse_options(&purse);
  HbgModel *model = load_checked((const char *)data, size, &options);
  if (model) {
    check_bonds(&model->flat);
    check_numbers(&model->flat);
    check_machines(&model->flat);
  }
  hbg_model_free(model);
  HOLDS(purse.spent == 0);
  return 0;
}

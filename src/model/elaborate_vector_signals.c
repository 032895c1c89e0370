/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: `signal y[1..2] = ...`, several signals of one expression: a list, or a system with several outputs. */
#include "model/functions.h"

static HbgExpr tell_number(HbgElaborator *elaborator, const HbgPlace *place, const HbgSignalDeclaration *signal, int32_t values) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_VECTOR_SIGNAL, hbg_tree_span(place->tree, signal->expression),
                            "%d signals are declared for %d value%s", (int)signal->component_count, (int)values,
                            values == 1 ? "" : "s"))
    HELP(elaborator, "give each its value: signal y[1..2] = [a, b], or let a system with as many outputs stand there: state_space(...)");
  return 0;
}

HbgExpr hbg_elaborate_vector_signal(HbgElaborator *elaborator, const HbgPlace *place, const HbgSignalDeclaration *signal) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode node = signal->expression;
  if (hbg_tree_kind(tree, node) == HBG_NODE_LIST) {
    HbgTreeNode *parts;
    const int32_t count = hbg_elaborate_parts(elaborator, place, node, &parts);
    if (count != signal->component_count) return tell_number(elaborator, place, signal, count);
    return hbg_elaborate_expression(elaborator, place, parts[signal->component]);
  }
  const bool is_system = hbg_tree_kind(tree, node) == HBG_NODE_CALL && hbg_function_of(tree, node) == HBG_FUNCTION_STATE_SPACE;
  const int32_t found = is_system ? hbg_elaborate_integral_at(elaborator, node, place->frame) : -1;
  if (found < 0) return tell_number(elaborator, place, signal, 1);
  HbgIntegral *memory = &elaborator->integrals[found];
  if (memory->system && memory->system->outputs != signal->component_count)
    return tell_number(elaborator, place, signal, memory->system->outputs);
  return hbg_memory_value(elaborator, memory, signal->component);
}

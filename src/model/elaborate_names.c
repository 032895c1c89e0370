/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what a name in an expression stands for. */
#include <string.h>

#include "base/text.h"
#include "model/callables.h"
#include "model/elaborate_names.h"

#define PI 3.14159265358979323846

const HbgFrame *hbg_frame_find(const HbgFrame *frame, const char *name, uint32_t length) {
  while (frame && (frame->length != length || memcmp(frame->name, name, length) != 0)) frame = frame->outer;
  return frame;
}

static bool predefined(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                       HbgExpr *out) {
  HbgExprPool *pool = elaborator->pool;
  if (!strcmp(name, "pi")) *out = hbg_expr_constant(pool, PI);
  else if (!strcmp(name, "true")) *out = hbg_expr_boolean(pool, true);
  else if (!strcmp(name, "false")) *out = hbg_expr_boolean(pool, false);
  else if (strcmp(name, "time") != 0) return false;
  else if (place->constant) *out = hbg_elaborate_not_constant(elaborator, place, node, name, "the time");
  else *out = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  return true;
}

static HbgExpr node_by_itself(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                              const HbgScopeSymbol *symbol) {
  const HbgNode *node = hbg_elaborate_final_node(elaborator, symbol);
  if (elaborator->is_column && node->machine >= 0)
    return hbg_expr_leaf(elaborator->pool, HBG_OP_IS_ON, node->machine, 0);
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, where),
                             "'%s' is %s, not a value", symbol->name, hbg_elaborate_element_word(node->kind)))
    return 0;
  if (node->machine >= 0) HELP(elaborator, "its state is read with: %s in on", symbol->name);
  else HELP(elaborator, "it has %s, as in: %s.%s", hbg_elaborate_members(node), symbol->name,
            hbg_element_info[node->kind].ports == 2 ? "e1" : node->kind == HBG_ELEMENT_ONE ? "f" : "e");
  return 0;
}

HbgExpr hbg_elaborate_symbol_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t found) {
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (symbol->kind == HBG_SCOPE_PARAMETER) return hbg_elaborate_value(elaborator, place, node, found);
  if (place->constant && symbol->kind != HBG_SCOPE_ARRAY)
    return hbg_elaborate_not_constant(elaborator, place, node, symbol->name, hbg_elaborate_what(elaborator, symbol));
  switch (symbol->kind) {
    case HBG_SCOPE_SIGNAL: return hbg_elaborate_value(elaborator, place, node, found);
    case HBG_SCOPE_VARIABLE: return hbg_elaborate_variable_value(elaborator, place, node, symbol);
    case HBG_SCOPE_NODE: return node_by_itself(elaborator, place, node, symbol);
    case HBG_SCOPE_ARRAY:
      hbg_elaborate_unknown(elaborator, place, node, symbol->name, "single value", 0);
      return 0;
    case HBG_SCOPE_FIELD:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is a field, not a value", symbol->name))
        HELP(elaborator, "its ports have variables, as in: %s.e[1]", symbol->name);
      return 0;
    case HBG_SCOPE_BOND:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is a bond, not a value", symbol->name))
        HELP(elaborator, "write %s.e or %s.f", symbol->name, symbol->name);
      return 0;
    case HBG_SCOPE_CLOCK:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is a clock, not a value", symbol->name))
        HELP(elaborator, "sample with it, sample(x, %s), or count its ticks, ticks(%s)", symbol->name, symbol->name);
      return 0;
    default:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is %s, not a value", symbol->name, hbg_elaborate_what(elaborator, symbol)))
        HELP(elaborator, "the state of a machine is read with: %s in on",
             symbol->kind == HBG_SCOPE_MACHINE ? symbol->name : "junction");
      return 0;
  }
}

/* `param f = 50 [Hz]` and `Se u: e = sin(2*pi*f*time)`: there f is the flow of u. */
static void warn_of_hidden(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const char *name = hbg_elaborate_key(elaborator, place, node);
  const int32_t hidden = name ? hbg_elaborate_find(elaborator, place, name) : -1;
  if (hidden < 0 || place->is_left) return;
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[hidden];
  if (symbol->kind != HBG_SCOPE_PARAMETER && symbol->kind != HBG_SCOPE_SIGNAL) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_HIDDEN_NAME, hbg_tree_span(place->tree, node),
                            "in this law '%s' is the variable of '%s' itself, not %s of that name", symbol->name,
                            elaborator->model->nodes[place->element].name, hbg_elaborate_what(elaborator, symbol)))
    HELP(elaborator, "if the other one is meant, give it another name");
}

HbgExpr hbg_elaborate_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  HbgExpr of_port;
  if (hbg_elaborate_own_port(elaborator, place, node, &of_port)) return of_port;
  if (!hbg_tree_find(place->tree, node, HBG_NODE_INDEX)) {
    const HbgFrame *frame = hbg_frame_find(place->frame, text, length);
    if (frame) return frame->value;
    HbgExpr own;
    if (place->element >= 0 &&
        hbg_elaborate_own_variable(elaborator, &elaborator->model->nodes[place->element], text, length, &own)) {
      warn_of_hidden(elaborator, place, node);
      return own;
    }
  }
  const char *name = hbg_elaborate_key(elaborator, place, node);
  HbgExpr out;
  if (!name) return 0;
  if (predefined(elaborator, place, node, local_name(place, name), &out)) return out;
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  if (found >= 0) {
    forget_key(elaborator, name);
    return hbg_elaborate_symbol_value(elaborator, place, node, found);
  }
  hbg_elaborate_unknown(elaborator, place, node, name, place->constant ? "parameter" : "value",
                        1u << HBG_SCOPE_PARAMETER | (place->constant ? 0u : 1u << HBG_SCOPE_SIGNAL));
  return 0;
}

/* ---- states of machines ---- */

static void tell_unknown_state(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                               const HbgMachine *machine, const char *state) {
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_STATE, hbg_tree_span(place->tree, where),
                             "the machine of '%s' has no state '%s'", machine->name, state))
    return;
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < machine->state_count; i++)
    hbg_text_add(&text, "%s%s", i ? ", " : "", machine->states[i].name);
  HELP(elaborator, "its states are: %s; `in on` and `in off` ask for the type of the state", text.bytes);
}

/* In one of the states that a state of the text stands for. */
static HbgExpr is_in(HbgElaborator *elaborator, int32_t machine, const HbgStateDeclaration *declared) {
  HbgExpr in = hbg_expr_leaf(elaborator->pool, HBG_OP_IN_STATE, machine, declared->first);
  for (int32_t state = declared->first + 1; state <= declared->last; state++)
    in = hbg_expr_binary(elaborator->pool, HBG_OP_OR, in, hbg_expr_leaf(elaborator->pool, HBG_OP_IN_STATE, machine, state));
  return in;
}

static HbgExpr state_test(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, int32_t index,
                          const char *state) {
  const HbgMachine *machine = &elaborator->model->machines[index];
  const HbgTypeDeclaration *type = &elaborator->types[elaborator->machines[elaborator->machine_of[index]].type];
  const int32_t declared = hbg_state_find(type, state);
  if (declared >= 0) return is_in(elaborator, index, &type->declared[declared]);
  const bool asks_on = !strcmp(state, "on");
  if (asks_on || !strcmp(state, "off")) {
    const HbgExpr is_on = hbg_expr_leaf(elaborator->pool, HBG_OP_IS_ON, index, 0);
    return asks_on ? is_on : hbg_expr_unary(elaborator->pool, HBG_OP_NOT, is_on);
  }
  tell_unknown_state(elaborator, place, where, machine, state);
  return 0;
}

HbgExpr hbg_elaborate_in_state(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode base = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode state = hbg_tree_find(place->tree, node, HBG_NODE_STATE_NAME);
  const char *name = base && state ? hbg_elaborate_key(elaborator, place, base) : NULL;
  if (!name) return 0;
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  if (found < 0) {
    hbg_elaborate_unknown(elaborator, place, base, name, "junction or machine",
                          1u << HBG_SCOPE_NODE | 1u << HBG_SCOPE_MACHINE);
    return 0;
  }
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (place->constant)
    return hbg_elaborate_not_constant(elaborator, place, node, hbg_tree_excerpt(place->tree, node, elaborator->arena),
                             "the state of a machine");
  const int32_t machine = hbg_elaborate_machine(elaborator, symbol);
  if (machine >= 0)
    return state_test(elaborator, place, state, machine, hbg_state_path(place->tree, state, elaborator->arena));
  const bool is_switched = symbol->kind == HBG_SCOPE_MACHINE ||
                           (symbol->kind == HBG_SCOPE_NODE && elaborator->nodes &&
                            hbg_tree_find(tree_of(elaborator->nodes[symbol->index].frame),
                                          elaborator->nodes[symbol->index].node, HBG_NODE_CONTROL));
  if (is_switched) return 0; /* what is wrong with its machine is told already */
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, base),
                            "'%s' is %s that no machine switches", name, hbg_elaborate_what(elaborator, symbol)))
    HELP(elaborator, "states belong to machines, and to junctions declared with `by`");
  return 0;
}

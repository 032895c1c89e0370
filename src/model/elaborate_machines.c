/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: machine types, their instances, and the guards of every instance with its arguments put in. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- types ---- */

static int32_t find_state(const HbgTypeDeclaration *type, const char *name) {
  for (int32_t i = 0; i < type->state_count; i++)
    if (!strcmp(type->states[i].name, name)) return i;
  return -1;
}

static void add_state(HbgElaborator *elaborator, HbgTypeDeclaration *type, HbgTreeNode node, bool is_on) {
  const HbgTree *tree = tree_of(type->frame);
  const char *name = hbg_tree_word(tree, node, elaborator->arena);
  if (find_state(type, name) >= 0) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME, hbg_tree_token_span(tree, node),
                              "the machine type '%s' has a state '%s' already", type->name, name))
      HELP(elaborator, "give one of them another name");
    return;
  }
  if (!strcmp(name, is_on ? "off" : "on") &&
      hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_RESERVED_NAME, hbg_tree_token_span(tree, node),
                            "a state of type %s cannot be called '%s'", is_on ? "on" : "off", name))
    HELP(elaborator, "write: %s %s", name, name);
  const HbgTreeNode initial = hbg_tree_find(tree, node, HBG_NODE_INITIAL);
  if (initial && type->initial >= 0) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_INITIAL, hbg_tree_span(tree, initial),
                              "a machine begins in one state, but '%s' is initial already",
                              type->states[type->initial].name))
      HELP(elaborator, "take `initial` away from one of them");
  } else if (initial) {
    type->initial = type->state_count;
  }
  ARENA_PUSH(elaborator->arena, type->states, type->state_count, type->state_capacity) = (HbgMachineState){name, is_on};
}

static void add_default_states(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  ARENA_PUSH(elaborator->arena, type->states, type->state_count, type->state_capacity) = (HbgMachineState){"on", true};
  ARENA_PUSH(elaborator->arena, type->states, type->state_count, type->state_capacity) = (HbgMachineState){"off", false};
}

static void read_states(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  const HbgTree *tree = tree_of(type->frame);
  type->initial = -1;
  for (HbgTreeNode list = tree_first(tree, type->node); list; list = tree_next(tree, list)) {
    if (hbg_tree_kind(tree, list) != HBG_NODE_STATE_LIST) continue;
    const bool is_on = hbg_tree_is_word(tree, list, "on");
    for (HbgTreeNode state = tree_first(tree, list); state; state = tree_next(tree, state))
      if (hbg_tree_kind(tree, state) == HBG_NODE_STATE) add_state(elaborator, type, state, is_on);
  }
  if (!type->state_count) add_default_states(elaborator, type);
  // HYBRSIM begins with junctions that are on
  for (int32_t i = 0; i < type->state_count && type->initial < 0; i++)
    if (type->states[i].is_on) type->initial = i;
  if (type->initial < 0) type->initial = 0;
}

static int32_t state_of(HbgElaborator *elaborator, const HbgTypeDeclaration *type, HbgTreeNode name) {
  const HbgTree *tree = tree_of(type->frame);
  const char *word = hbg_tree_word(tree, name, elaborator->arena);
  const int32_t state = find_state(type, word);
  if (state >= 0) return state;
  if (!hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_UNKNOWN_STATE, hbg_tree_span(tree, name),
                             "the machine type '%s' has no state '%s'", type->name, word))
    return -1;
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < type->state_count; i++) hbg_text_add(&text, "%s%s", i ? ", " : "", type->states[i].name);
  HELP(elaborator, "its states are: %s", text.bytes);
  return -1;
}

static void add_transition(HbgElaborator *elaborator, HbgTypeDeclaration *type, HbgTreeNode node) {
  const HbgTree *tree = tree_of(type->frame);
  const HbgTreeNode from = hbg_tree_find(tree, node, HBG_NODE_STATE_NAME);
  HbgTreeNode to = from ? tree_next(tree, from) : 0;
  while (to && hbg_tree_kind(tree, to) != HBG_NODE_STATE_NAME) to = tree_next(tree, to);
  const HbgTreeNode guard = hbg_tree_first_expression(tree, node);
  if (!to || !guard) return;
  const HbgTransition transition = {.from = state_of(elaborator, type, from), .to = state_of(elaborator, type, to),
                                    .span = hbg_tree_span(tree, guard),
                                    .text = hbg_tree_folded(tree, guard, elaborator->arena)};
  if (transition.from < 0 || transition.to < 0) return;
  ARENA_PUSH(elaborator->arena, type->transitions, type->transition_count, type->transition_capacity) = transition;
  ARENA_PUSH(elaborator->arena, type->guards, type->guard_count, type->guard_capacity) = guard;
}

static void add_formal(HbgElaborator *elaborator, HbgTypeDeclaration *type, HbgTreeNode formal) {
  const HbgTree *tree = tree_of(type->frame);
  const char *name = hbg_tree_word(tree, formal, elaborator->arena);
  for (int32_t i = 0; i < type->formal_count; i++) {
    if (!hbg_tree_is_word(tree, type->formals[i], name)) continue;
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME,
                              hbg_tree_token_span(tree, formal), "the machine type '%s' has two parameters '%s'",
                              type->name, name))
      HELP(elaborator, "give one of them another name");
  }
  ARENA_PUSH(elaborator->arena, type->formals, type->formal_count, type->formal_capacity) = formal;
}

static void read_type(HbgElaborator *elaborator, HbgTypeDeclaration *type) {
  const HbgTree *tree = tree_of(type->frame);
  const HbgTreeNode formals = hbg_tree_find(tree, type->node, HBG_NODE_PARAMETERS);
  for (HbgTreeNode child = formals ? tree_first(tree, formals) : 0; child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_PARAMETER) add_formal(elaborator, type, child);
  read_states(elaborator, type);
  for (HbgTreeNode child = tree_first(tree, type->node); child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_TRANSITION) add_transition(elaborator, type, child);
}

void hbg_elaborate_machine_types(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->type_count; i++) read_type(elaborator, &elaborator->types[i]);
}

/* ---- instances ---- */

/* The symbol a CONTROL names: a type or a machine; -1 when there is none such, which is told. */
static int32_t controlling_symbol(HbgElaborator *elaborator, HbgTreeNode control, const HbgFrame *frame) {
  const HbgPlace place = place_in(elaborator, frame, NULL);
  const char *name = hbg_elaborate_key(elaborator, &place, control);
  if (!name) return -1;
  const unsigned kinds = 1u << HBG_SYMBOL_MACHINE_TYPE | 1u << HBG_SYMBOL_MACHINE;
  const int32_t found = hbg_elaborate_find(elaborator, &place, name);
  const HbgSpan span = hbg_tree_token_span(place.tree, control);
  if (found >= 0 && (kinds >> elaborator->scope.symbols[found].kind & 1u)) return found;
  if (found >= 0) {
    if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_WRONG_KIND, span, "'%s' is %s, not a machine", name,
                              hbg_elaborate_what(elaborator, &elaborator->scope.symbols[found])))
      HELP(elaborator, "declare a type: machine Contact { ... }");
    return -1;
  }
  if (!hbg_elaborator_knows_text(elaborator, name)) return -1;
  if (!hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_UNKNOWN_NAME, span, "there is no machine '%s'", name))
    return -1;
  const char *near = hbg_scope_near(&elaborator->scope, name, kinds, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else HELP(elaborator, "declare its type: machine %s { off apart initial; on joined; apart -> joined when ... }", name);
  return -1;
}

/* The argument for formal parameter `which` of `type`, in `tree`: by name, else by place. */
static HbgTreeNode argument_for(const HbgTypeDeclaration *type, int32_t which, const HbgTree *tree, HbgTreeNode arguments) {
  uint32_t length;
  const char *name = hbg_tree_text(tree_of(type->frame), type->formals[which], &length);
  int32_t at = 0;
  for (HbgTreeNode child = tree_first(tree, arguments); child; child = tree_next(tree, child)) {
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT) {
      uint32_t other_length;
      const char *other = hbg_tree_text(tree, child, &other_length);
      if (other_length == length && !memcmp(name, other, length)) return hbg_tree_first_expression(tree, child);
    } else if (hbg_tree_is_expression(tree, child) && at++ == which) {
      return child;
    }
  }
  return 0;
}

static int32_t count_arguments(const HbgTree *tree, HbgTreeNode arguments) {
  int32_t count = 0;
  for (HbgTreeNode child = arguments ? tree_first(tree, arguments) : 0; child; child = tree_next(tree, child))
    count += hbg_tree_is_expression(tree, child) || hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT;
  return count;
}

static const char *call_form(HbgElaborator *elaborator, const HbgTypeDeclaration *type) {
  HbgText text = hbg_text(elaborator->arena);
  hbg_text_add(&text, "%s%s", type->name, type->formal_count ? "(" : "");
  for (int32_t i = 0; i < type->formal_count; i++)
    hbg_text_add(&text, "%s%s", i ? ", " : "", hbg_tree_word(tree_of(type->frame), type->formals[i], elaborator->arena));
  hbg_text_add(&text, "%s", type->formal_count ? ")" : "");
  return text.bytes;
}

/* Frames for the formal parameters of one instance; their values come with the guards. Behind them an empty frame of
 * its own, so that integrals in guards belong to this instance. */
static HbgFrame *make_formals(HbgElaborator *elaborator, const HbgTypeDeclaration *type) {
  HbgFrame *inner = ARENA_NEW(elaborator->arena, HbgFrame, type->formal_count + 1);
  inner[0] = frame_in(type->frame, "", 0, 0);
  for (int32_t i = 0; i < type->formal_count; i++) {
    uint32_t length;
    const char *name = hbg_tree_text(tree_of(type->frame), type->formals[i], &length);
    inner[i + 1] = frame_in(&inner[i], name, length, 0);
  }
  return &inner[type->formal_count];
}

static void instantiate(HbgElaborator *elaborator, HbgMachineDeclaration *machine, int32_t type_index) {
  const HbgTypeDeclaration *type = &elaborator->types[type_index];
  const HbgTree *tree = tree_of(machine->frame);
  const HbgTreeNode arguments = hbg_tree_find(tree, machine->control, HBG_NODE_ARGUMENTS);
  const int32_t count = count_arguments(tree, arguments);
  machine->type = type_index;
  machine->formals = make_formals(elaborator, type);
  bool fits = count == type->formal_count;
  for (int32_t i = 0; i < type->formal_count && fits; i++) fits = argument_for(type, i, tree, arguments);
  if (fits) return;
  machine->lacks_arguments = true;
  const HbgTreeNode where = arguments ? arguments : machine->control;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, where),
                            "the machine type '%s' takes %d argument%s, not %d", type->name, (int)type->formal_count,
                            type->formal_count == 1 ? "" : "s", (int)count))
    HELP(elaborator, "write: %s", call_form(elaborator, type));
}

/* A machine of its own for a junction, named like it. */
static int32_t own_machine(HbgElaborator *elaborator, const HbgNodeDeclaration *node, HbgTreeNode control, int32_t type) {
  const int32_t index = elaborator->machine_count;
  ARENA_PUSH(elaborator->arena, elaborator->machines, elaborator->machine_count, elaborator->machine_capacity) =
      (HbgMachineDeclaration){.name = node->name, .control = control, .frame = node->frame, .span = node->span, .type = -1};
  instantiate(elaborator, &elaborator->machines[index], type);
  return index;
}

static int32_t machine_for(HbgElaborator *elaborator, const HbgNodeDeclaration *node, HbgTreeNode control) {
  const HbgTree *tree = tree_of(node->frame);
  if (node->kind != HBG_ELEMENT_ZERO && node->kind != HBG_ELEMENT_ONE) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_MACHINE_ON_ELEMENT, hbg_tree_span(tree, control),
                              "'%s' is not a junction: machines switch junctions only", node->name))
      HELP(elaborator, "put a 0- or 1-junction in front of it and let the machine switch that");
    return -1;
  }
  const int32_t symbol = controlling_symbol(elaborator, control, node->frame);
  if (symbol < 0) return -1;
  const HbgSymbol *found = &elaborator->scope.symbols[symbol];
  if (found->kind == HBG_SYMBOL_MACHINE_TYPE) return own_machine(elaborator, node, control, found->index);
  const HbgTreeNode arguments = hbg_tree_find(tree, control, HBG_NODE_ARGUMENTS);
  if (arguments && hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, arguments),
                                         "'%s' is a machine with its arguments given already", found->name))
    HELP(elaborator, "write: by %s", found->name);
  return found->index;
}

static int compare_machines(const void *a, const void *b) {
  const HbgMachineDeclaration *const *first = a, *const *second = b;
  return hbg_name_compare((*first)->name, (*second)->name);
}

static void place_machines(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  HbgMachineDeclaration **sorted = ARENA_NEW(elaborator->arena, HbgMachineDeclaration *, elaborator->machine_count);
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[i];
    machine->final = -1;
    if (machine->type >= 0) sorted[model->machine_count++] = machine;
  }
  if (model->machine_count) qsort(sorted, (size_t)model->machine_count, sizeof *sorted, compare_machines);
  model->machines = ARENA_NEW(elaborator->arena, HbgMachine, model->machine_count);
  for (int32_t i = 0; i < model->machine_count; i++) {
    const HbgTypeDeclaration *type = &elaborator->types[sorted[i]->type];
    sorted[i]->final = i;
    HbgMachine machine = {.name = sorted[i]->name, .type = type->name, .span = sorted[i]->span,
                          .states = type->states, .state_count = type->state_count, .initial = type->initial};
    machine.transition_count = type->transition_count;
    machine.transitions = ARENA_NEW(elaborator->arena, HbgTransition, type->transition_count);
    if (type->transition_count)
      memcpy(machine.transitions, type->transitions, (size_t)type->transition_count * sizeof *type->transitions);
    model->machines[i] = machine;
  }
}

static void make_named_machines(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[i];
    const int32_t symbol = machine->control ? controlling_symbol(elaborator, machine->control, machine->frame) : -1;
    if (symbol < 0) continue;
    const HbgSymbol *found = &elaborator->scope.symbols[symbol];
    if (found->kind == HBG_SYMBOL_MACHINE_TYPE) {
      instantiate(elaborator, machine, found->index);
    } else if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_WRONG_KIND,
                                     hbg_tree_token_span(tree_of(machine->frame), machine->control),
                                     "'%s' is a machine itself, not a type of machines", found->name)) {
      HELP(elaborator, "let the junctions share it: by %s", found->name);
    }
  }
}

void hbg_elaborate_machine_instances(HbgElaborator *elaborator) {
  make_named_machines(elaborator);
  elaborator->node_machines = ARENA_NEW(elaborator->arena, int32_t, elaborator->node_count);
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgTreeNode control = hbg_tree_find(tree_of(elaborator->nodes[i].frame), elaborator->nodes[i].node, HBG_NODE_CONTROL);
    elaborator->node_machines[i] = control ? machine_for(elaborator, &elaborator->nodes[i], control) : -1;
  }
  place_machines(elaborator);
}

HbgTreeNode hbg_elaborate_machine_argument(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine,
                                           int32_t which) {
  const HbgTree *tree = tree_of(machine->frame);
  const HbgTreeNode arguments = hbg_tree_find(tree, machine->control, HBG_NODE_ARGUMENTS);
  return argument_for(&elaborator->types[machine->type], which, tree, arguments);
}

/* ---- guards ---- */

static void find_arguments(HbgElaborator *elaborator, HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  const HbgPlace place = place_in(elaborator, machine->frame, NULL);
  HbgFrame *formal = machine->formals - type->formal_count + 1;
  for (int32_t i = 0; i < type->formal_count; i++)
    formal[i].value = hbg_elaborate_expression(elaborator, &place, hbg_elaborate_machine_argument(elaborator, machine, i));
}

void hbg_elaborate_guards(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[i];
    if (machine->type < 0 || machine->lacks_arguments) continue;
    find_arguments(elaborator, machine);
    const HbgTypeDeclaration *type = &elaborator->types[machine->type];
    const HbgPlace place = place_in(elaborator, machine->formals, NULL);
    HbgTransition *transitions = elaborator->model->machines[machine->final].transitions;
    for (int32_t guard = 0; guard < type->guard_count; guard++)
      transitions[guard].guard = hbg_elaborate_condition(elaborator, &place, type->guards[guard]);
  }
}

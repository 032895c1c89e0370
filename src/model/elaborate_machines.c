/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: machine types and their instances. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"
#include "model/name_order.h"

/* ---- types ---- */

static void add_formal(HbgElaborator *elaborator, HbgTypeDeclaration *type, HbgTreeNode formal) {
  const HbgTree *tree = tree_of(type->frame);
  const char *name = hbg_elaborate_word(elaborator, tree, formal);
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
  hbg_elaborate_states(elaborator, type);
  hbg_elaborate_transitions(elaborator, type);
}

/* The regions of the type that was read last become types behind all others, to be read in their turn. */
static void add_regions(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->region_count; i++)
    ARENA_PUSH(elaborator->arena, elaborator->types, elaborator->type_count, elaborator->type_capacity) = elaborator->regions[i];
  elaborator->region_count = 0;
}

void hbg_elaborate_machine_types(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->type_count; i++) {
    read_type(elaborator, &elaborator->types[i]);
    add_regions(elaborator);
  }
}

/* ---- instances ---- */

/* The symbol a CONTROL names: a type or a machine; -1 when there is none such, which is told. */
static int32_t controlling_symbol(HbgElaborator *elaborator, HbgTreeNode control, const HbgFrame *frame) {
  const HbgPlace place = place_in(elaborator, frame, NULL);
  const char *name = hbg_elaborate_key(elaborator, &place, control);
  if (!name) return -1;
  const unsigned kinds = 1u << HBG_SCOPE_MACHINE_TYPE | 1u << HBG_SCOPE_MACHINE;
  const int32_t found = hbg_elaborate_find(elaborator, &place, name);
  const HbgSpan span = hbg_tree_token_span(place.tree, control);
  if (found >= 0 && (kinds >> elaborator->scope.symbols[found].kind & 1u)) return found;
  if (found >= 0) {
    if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_WRONG_KIND, span, "'%s' is %s, not a machine",
                              local_name(&place, name),
                              hbg_elaborate_what(elaborator, &elaborator->scope.symbols[found])))
      HELP(elaborator, "declare a type: machine Contact { ... }");
    return -1;
  }
  const char *local = local_name(&place, name);
  if (!hbg_elaborator_knows_text(elaborator, local)) return -1;
  if (!hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_UNKNOWN_NAME, span, "there is no machine '%s'", local))
    return -1;
  const char *near = hbg_scope_near(&elaborator->scope, local, kinds, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else HELP(elaborator, "declare its type: machine %s { off apart initial; on joined; apart -> joined when ... }", local);
  return -1;
}

/* The argument for formal parameter `which` of `type`, in `tree`. */
static HbgTreeNode argument_for(const HbgTypeDeclaration *type, int32_t which, const HbgTree *tree, HbgTreeNode arguments) {
  uint32_t length;
  const char *name = hbg_tree_text(tree_of(type->frame), type->formals[which], &length);
  return hbg_elaborate_argument_named(tree, arguments, name, length, which);
}

HbgTreeNode hbg_elaborate_machine_argument(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, int32_t which) {
  const HbgTree *tree = tree_of(machine->frame);
  return argument_for(&elaborator->types[machine->type], which, tree, hbg_tree_find(tree, machine->control, HBG_NODE_ARGUMENTS));
}

static int32_t count_arguments(const HbgTree *tree, HbgTreeNode arguments) {
  int32_t count = 0;
  for (HbgTreeNode child = arguments ? tree_first(tree, arguments) : 0; child; child = tree_next(tree, child))
    count += hbg_tree_is_expression(tree, child) || hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT;
  return count;
}

static HbgFrame named_frame(const HbgTypeDeclaration *type, HbgTreeNode node, const HbgFrame *outer) {
  uint32_t length;
  const char *name = hbg_tree_text(tree_of(type->frame), node, &length);
  return frame_in(outer, name, length, 0);
}

/* Frames for the variables and formal parameters of one instance; their values come later. Behind them an empty frame of its own, so
 * that integrals in guards belong to this instance. */
static HbgFrame *make_formals(HbgElaborator *elaborator, const HbgTypeDeclaration *type, const HbgFrame *outer) {
  HbgFrame *inner = ARENA_NEW(elaborator->arena, HbgFrame, type->variable_count + type->formal_count + 1);
  *inner = frame_in(outer, "", 0, 0);
  for (int32_t i = 0; i < type->variable_count; i++, inner++) inner[1] = named_frame(type, type->variables[i], inner);
  for (int32_t i = 0; i < type->formal_count; i++, inner++) inner[1] = named_frame(type, type->formals[i], inner);
  return inner;
}

static bool has_formal(const HbgTypeDeclaration *type, const char *name, uint32_t length) {
  for (int32_t which = 0; which < type->formal_count; which++) {
    uint32_t own_length;
    const char *own = hbg_tree_text(tree_of(type->frame), type->formals[which], &own_length);
    if (own_length == length && !memcmp(own, name, length)) return true;
  }
  return false;
}

/* An argument has a name that the type does not know. */
static bool report_stranger(HbgElaborator *elaborator, const HbgTypeDeclaration *type, const HbgTree *tree, HbgTreeNode arguments) {
  for (HbgTreeNode child = arguments ? tree_first(tree, arguments) : 0; child; child = tree_next(tree, child)) {
    if (hbg_tree_kind(tree, child) != HBG_NODE_NAMED_ARGUMENT) continue;
    uint32_t length;
    const char *name = hbg_tree_text(tree, child, &length);
    if (has_formal(type, name, length)) continue;
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, child), "the machine type '%s' has no argument '%.*s'", type->name, (int)length, name))
      HELP(elaborator, "write: %s; a comparison with `=` stands in parentheses there", hbg_elaborate_call_form(elaborator, type));
    return true;
  }
  return false;
}

static void instantiate(HbgElaborator *elaborator, HbgMachineDeclaration *machine, int32_t type_index) {
  HbgTypeDeclaration *type = &elaborator->types[type_index];
  const HbgTree *tree = tree_of(machine->frame);
  const HbgTreeNode arguments = hbg_tree_find(tree, machine->control, HBG_NODE_ARGUMENTS);
  const int32_t count = count_arguments(tree, arguments);
  machine->type = type_index;
  machine->formals = make_formals(elaborator, type, type->frame);
  type->is_used = true;
  bool fits = count == type->formal_count;
  for (int32_t i = 0; i < type->formal_count && fits; i++) fits = argument_for(type, i, tree, arguments);
  if (fits) return;
  machine->lacks_arguments = true;
  if (report_stranger(elaborator, type, tree, arguments)) return;
  const HbgTreeNode where = arguments ? arguments : machine->control;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, where),
                            "the machine type '%s' takes %d argument%s, not %d", type->name, (int)type->formal_count,
                            type->formal_count == 1 ? "" : "s", (int)count))
    HELP(elaborator, "write: %s", hbg_elaborate_call_form(elaborator, type));
}

/* A machine of its own for a junction, named like it. */
static int32_t own_machine(HbgElaborator *elaborator, const HbgNodeDeclaration *node, HbgTreeNode control, int32_t type) {
  const int32_t index = elaborator->machine_count;
  ARENA_PUSH(elaborator->arena, elaborator->machines, elaborator->machine_count, elaborator->machine_capacity) =
      (HbgMachineDeclaration){.name = node->name, .control = control, .frame = node->frame, .span = node->span, .type = -1,
                              .owner = -1};
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
  const HbgScopeSymbol *found = &elaborator->scope.symbols[symbol];
  if (found->kind == HBG_SCOPE_MACHINE_TYPE) return own_machine(elaborator, node, control, found->index);
  const HbgTreeNode arguments = hbg_tree_find(tree, control, HBG_NODE_ARGUMENTS);
  if (arguments && hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, arguments),
                                         "'%s' is a machine with its arguments given already", found->name))
    HELP(elaborator, "write: by %s", found->name);
  return found->index;
}

/* The regions of a machine are machines of their own, which find their names in it. */
static void make_regions(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    const HbgMachineDeclaration owner = elaborator->machines[i];
    for (int32_t type = 0; type < elaborator->type_count && owner.type >= 0; type++) {
      const HbgTypeDeclaration *region = &elaborator->types[type];
      if (region->owner != owner.type) continue;
      HbgMachineDeclaration made = {.control = owner.control, .frame = owner.frame, .type = type, .owner = i,
                                    .formals = make_formals(elaborator, region, owner.formals),
                                    .span = owner.span, .lacks_arguments = owner.lacks_arguments};
      made.name = hbg_print(elaborator->arena, "%s%s", owner.name, strrchr(region->name, '.'));
      if (hbg_scope_find(&elaborator->scope, made.name, (uint32_t)strlen(made.name)) < 0)
        hbg_scope_add(&elaborator->scope, made.name, HBG_SCOPE_MACHINE, elaborator->machine_count, made.span);
      ARENA_PUSH(elaborator->arena, elaborator->machines, elaborator->machine_count, elaborator->machine_capacity) = made;
    }
  }
}

static void place_transitions(HbgElaborator *elaborator, const HbgTypeDeclaration *type, HbgMachine *machine) {
  machine->transition_count = type->transition_count;
  machine->transitions = ARENA_NEW(elaborator->arena, HbgTransition, type->transition_count);
  for (int32_t i = 0; i < type->transition_count; i++) {
    const HbgFlatTransition *flat = &type->transitions[i];
    const HbgTransitionDeclaration *written = &type->written[flat->written];
    machine->transitions[i] = (HbgTransition){.from = flat->from, .to = flat->to, .kept_depth = flat->kept_depth,
                                              .written = flat->written, .priority = written->priority,
                                              .source_depth = type->declared[written->from].depth,
                                              .span = written->span, .text = written->text};
  }
}

/* Where a region lies in the machine it belongs to. */
static void place_region(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, HbgMachine *out) {
  const HbgTypeDeclaration *region = &elaborator->types[machine->type], *type = &elaborator->types[region->owner];
  out->owner = elaborator->machines[machine->owner].final;
  out->owner_last = type->state_count - 1;
  if (region->owner_state < 0) return;
  const HbgStateDeclaration *state = &type->declared[region->owner_state];
  out->owner_first = state->first;
  out->owner_last = state->last;
  out->owner_depth = state->depth;
  out->entry = out->initial;
  const int32_t initial = elaborator->model->machines[out->owner].initial;
  if (initial < state->first || initial > state->last) out->initial = 0;
}

static void place_machines(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  HbgMachineDeclaration **sorted = hbg_arena_enlarge(elaborator->arena, NULL, 0, elaborator->machine_count, sizeof *sorted);
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[i];
    machine->final = -1;
    if (machine->type >= 0) sorted[model->machine_count++] = machine;
  }
  hbg_sort_by_name((const HbgNamed **)sorted, model->machine_count, elaborator->arena);
  model->machines = hbg_arena_enlarge(elaborator->arena, NULL, 0, model->machine_count, sizeof *model->machines);
  elaborator->machine_of = ARENA_NEW(elaborator->arena, int32_t, model->machine_count);
  elaborator->placed_machine_count = model->machine_count;
  for (int32_t i = 0; i < model->machine_count; i++) {
    const HbgTypeDeclaration *type = &elaborator->types[sorted[i]->type];
    sorted[i]->final = i;
    elaborator->machine_of[i] = (int32_t)(sorted[i] - elaborator->machines);
    HbgMachine machine = {.name = sorted[i]->name, .type = type->name, .span = sorted[i]->span, .owner = -1,
                          .states = type->states, .state_count = type->state_count, .initial = type->initial};
    place_transitions(elaborator, type, &machine);
    // a name comes before those that begin with it: the owner is placed already
    if (sorted[i]->owner >= 0) place_region(elaborator, sorted[i], &machine);
    model->machines[i] = machine;
  }
  hbg_arena_give_back(elaborator->arena, sorted);
}

static void make_named_machines(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[i];
    const int32_t symbol = machine->control ? controlling_symbol(elaborator, machine->control, machine->frame) : -1;
    if (symbol < 0) continue;
    const HbgScopeSymbol *found = &elaborator->scope.symbols[symbol];
    if (found->kind == HBG_SCOPE_MACHINE_TYPE) {
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
  make_regions(elaborator);
  place_machines(elaborator);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: arguments, variables, guards, timers and actions of machines. */
#include "model/unit_check.h"


static bool is_whole(const HbgMachineDeclaration *machine) { return machine->type >= 0 && !machine->lacks_arguments; }

static const HbgTypeDeclaration *type_of(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  return &elaborator->types[machine->type];
}

/* ---- what is learned ---- */

static void make_quantities(const HbgElaborator *elaborator, HbgFrame *formals, int32_t count) {
  HbgQuantity *quantities = ARENA_NEW(elaborator->arena, HbgQuantity, count);
  for (int32_t which = 0; which < count; which++) formals[which].quantity = &quantities[which];
}

/* A region reads the arguments of the machine it belongs to. */
static void learn_arguments(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = type_of(elaborator, machine);
  const HbgPlace place = place_in(elaborator, machine->frame, NULL);
  HbgFrame *formal = machine->formals - type->formal_count + 1;
  if (type->formal_count && !formal->quantity) make_quantities(elaborator, formal, type->formal_count);
  for (int32_t which = 0; which < type->formal_count; which++)
    hbg_learn_unit(elaborator, formal[which].quantity,
                   hbg_unit_of_expression(elaborator, &place, hbg_elaborate_machine_argument(elaborator, machine, which)));
}

/* What a variable starts from; a bare start gets the unit of what is assigned. */
static HbgQuantity of_start(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode variable) {
  const HbgTreeNode unit = hbg_tree_find(place->tree, variable, HBG_NODE_UNIT_OF);
  if (unit) return hbg_unit_of_text(elaborator, place, unit);
  return hbg_unit_of_expression(elaborator, place, hbg_tree_first_expression(place->tree, variable));
}

static HbgQuantity *variable_of(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, int32_t which) {
  return &elaborator->units->variables[elaborator->model->machines[machine->final].first_variable + which];
}

static void learn_variables(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = type_of(elaborator, machine);
  const HbgPlace place = place_in(elaborator, machine->formals, NULL);
  for (int32_t which = 0; which < type->variable_count; which++) {
    HbgQuantity *slot = variable_of(elaborator, machine, which);
    if (slot->kind != HBG_QUANTITY_KNOWN) hbg_learn_unit(elaborator, slot, of_start(elaborator, &place, type->variables[which]));
  }
}

/* The variable that an ACTION assigns; NULL: none that is known. */
static HbgQuantity *assigned(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode action) {
  uint32_t length;
  const char *name = hbg_tree_text(place->tree, action, &length);
  const HbgFrame *frame = hbg_frame_find(place->frame, name, length);
  const HbgExprNode *leaf = frame && frame->value ? hbg_expr_node(elaborator->pool, frame->value) : NULL;
  return leaf && leaf->op == HBG_OP_VARIABLE ? &elaborator->units->variables[leaf->index] : NULL;
}

static void look_at_action(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode action) {
  HbgQuantity *slot = assigned(elaborator, place, action);
  const HbgTreeNode value = hbg_tree_first_expression(place->tree, action);
  if (!slot || !value) return;
  const HbgQuantity quantity = hbg_unit_of_expression(elaborator, place, value);
  if (quantity.kind == HBG_QUANTITY_KNOWN && !quantity.is_loose && slot->kind != HBG_QUANTITY_KNOWN)
    hbg_learn_unit(elaborator, slot, quantity);
  if (slot->kind == HBG_QUANTITY_KNOWN)
    hbg_tell_unit_wanted(elaborator, place, value, quantity, slot->of, "the variable that is assigned");
}

static void look_at_actions(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  for (HbgTreeNode child = tree_first(place->tree, node); child; child = tree_next(place->tree, child))
    if (hbg_tree_kind(place->tree, child) == HBG_NODE_ACTION) look_at_action(elaborator, place, child);
}

static void look_at_all_actions(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = type_of(elaborator, machine);
  HbgPlace place = place_in(elaborator, machine->formals, NULL);
  place.reads_events = true;
  for (int32_t i = 0; i < type->written_count; i++) look_at_actions(elaborator, &place, type->written[i].node);
  for (int32_t i = 0; i < type->passage_count; i++) look_at_actions(elaborator, &place, type->passages[i].node);
}

void hbg_learn_machine_units(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    const HbgMachineDeclaration *machine = &elaborator->machines[i];
    if (!is_whole(machine)) continue;
    if (machine->owner < 0) learn_arguments(elaborator, machine);
    learn_variables(elaborator, machine);
    look_at_all_actions(elaborator, machine);
  }
}

/* ---- what is checked ---- */

static void check_arguments(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  HbgPlace place = place_in(elaborator, machine->frame, NULL);
  place.reads_events = true;
  for (int32_t which = 0; which < type_of(elaborator, machine)->formal_count; which++)
    hbg_unit_of_expression(elaborator, &place, hbg_elaborate_machine_argument(elaborator, machine, which));
}

static void check_duration(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode after) {
  const HbgTreeNode duration = hbg_tree_first_expression(place->tree, after);
  if (!duration) return;
  const HbgQuantity given = hbg_unit_of_expression(elaborator, place, duration);
  // a bare number is one of seconds there
  if (given.kind == HBG_QUANTITY_KNOWN) hbg_tell_unit_wanted(elaborator, place, duration, given, hbg_dimension_second, "the time behind `after`");
}

static void check_starts(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, const HbgPlace *place) {
  const HbgTypeDeclaration *type = type_of(elaborator, machine);
  for (int32_t which = 0; which < type->variable_count; which++) {
    const HbgTreeNode value = hbg_tree_first_expression(place->tree, type->variables[which]);
    const HbgQuantity *slot = variable_of(elaborator, machine, which);
    if (slot->kind == HBG_QUANTITY_KNOWN)
      hbg_tell_unit_wanted(elaborator, place, value, of_start(elaborator, place, type->variables[which]), slot->of,
                           "what is assigned to the variable");
  }
}

static void check_machine(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = type_of(elaborator, machine);
  HbgPlace place = place_in(elaborator, machine->formals, NULL);
  place.reads_events = true;
  if (machine->owner < 0) check_arguments(elaborator, machine);
  check_starts(elaborator, machine, &place);
  for (int32_t i = 0; i < type->written_count; i++) {
    if (type->written[i].after) check_duration(elaborator, &place, type->written[i].after);
    if (type->written[i].guard) hbg_unit_of_expression(elaborator, &place, type->written[i].guard);
  }
  look_at_all_actions(elaborator, machine);
}

void hbg_check_machine_units(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++)
    if (is_whole(&elaborator->machines[i])) check_machine(elaborator, &elaborator->machines[i]);
}

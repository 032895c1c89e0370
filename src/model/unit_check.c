/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: the rounds in which everything gets its quantity, and the last look at every declaration. */
#include "model/unit_check.h"


enum { MOST_ROUNDS = 12 };

static const HbgDimension one = {{0}};

/* ---- is there anything to check? ---- */

static bool is_in_setting(const HbgTree *tree, HbgTreeNode node) {
  while (node && hbg_tree_kind(tree, node) != HBG_NODE_SETTING) node = tree->nodes[node].parent;
  return node;
}

/* Is anything of that kind in the text? A model without units may well say how many seconds it runs. */
static bool is_written(const HbgElaborator *elaborator, HbgNodeKind kind) {
  for (int32_t file = 0; file < elaborator->file_count; file++) {
    const HbgTree *tree = &elaborator->files[file]->tree;
    for (HbgTreeNode node = 1; node < tree->node_count; node++)
      if (hbg_tree_kind(tree, node) == kind && !is_in_setting(tree, node)) return true;
  }
  return false;
}

/* ---- what every declaration is ---- */

void hbg_learn_unit(HbgElaborator *elaborator, HbgQuantity *slot, HbgQuantity found) {
  if (found.kind == HBG_QUANTITY_UNKNOWN) return;
  if (found.kind != slot->kind) elaborator->units->has_changed = true;
  found.is_told = slot->is_told;
  *slot = found;
}

/* Where the value of a parameter stands, and the value: that of the text, or what its instance was given. */
static HbgTreeNode value_of(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter, HbgPlace *place) {
  *place = place_in(elaborator, parameter->argument ? parameter->argument_frame : parameter->frame, NULL);
  return parameter->argument ? parameter->argument : parameter->value;
}

static HbgQuantity of_parameter(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter) {
  if (parameter->same_as >= 0) return elaborator->units->parameters[elaborator->scope.symbols[parameter->same_as].index];
  HbgPlace place = place_in(elaborator, parameter->frame, NULL);
  if (parameter->unit) return hbg_unit_of_text(elaborator, &place, parameter->unit);
  HbgQuantity quantity = hbg_unit_of_expression(elaborator, &place, parameter->value);
  if (parameter->argument && quantity.kind != HBG_QUANTITY_KNOWN) {
    const HbgTreeNode value = value_of(elaborator, parameter, &place);
    quantity = hbg_unit_of_expression(elaborator, &place, value);
  }
  // a parameter that is 0 in the text may get another value
  if (quantity.kind == HBG_QUANTITY_BARE) quantity.is_pure = false;
  return quantity;
}

static HbgTreeNode signal_unit(const HbgSignalDeclaration *signal) {
  return signal->is_input ? 0 : hbg_tree_find(tree_of(signal->frame), signal->node, HBG_NODE_UNIT_OF);
}

/* Of one of several signals that are declared at once nothing is known. */
static HbgQuantity of_signal_value(HbgElaborator *elaborator, const HbgPlace *place, const HbgSignalDeclaration *signal) {
  const HbgQuantity quantity = hbg_unit_of_expression(elaborator, place, signal->expression);
  return signal->component_count ? (HbgQuantity){0} : quantity;
}

static HbgQuantity of_signal(HbgElaborator *elaborator, const HbgSignalDeclaration *signal) {
  const HbgPlace place = place_in(elaborator, signal->frame, NULL);
  const HbgQuantity quantity = of_signal_value(elaborator, &place, signal);
  const HbgTreeNode unit = signal_unit(signal);
  return quantity.kind == HBG_QUANTITY_KNOWN && !quantity.is_loose ? quantity
         : unit                                                    ? hbg_unit_of_text(elaborator, &place, unit)
                                                                   : quantity;
}

static HbgTreeNode integral_start(const HbgIntegral *integral) {
  const HbgTreeNode named = hbg_tree_find(integral->place.tree, integral->node, HBG_NODE_NAMED_ARGUMENT);
  return named ? hbg_tree_first_expression(integral->place.tree, named) : 0;
}

static HbgQuantity of_integral(HbgElaborator *elaborator, const HbgIntegral *integral) {
  if (integral->function != HBG_FUNCTION_INTEGRAL) return (HbgQuantity){0};
  const HbgTreeNode integrand = hbg_tree_first_expression(integral->place.tree, integral->node);
  const HbgQuantity quantity = hbg_quantity_integral(hbg_unit_of_expression(elaborator, &integral->place, integrand));
  if (quantity.kind == HBG_QUANTITY_KNOWN && !quantity.is_loose) return quantity;
  HbgPlace outside = integral->place;
  outside.element = -1;
  const HbgQuantity start = hbg_unit_of_expression(elaborator, &outside, integral_start(integral));
  return start.kind == HBG_QUANTITY_KNOWN ? start : quantity;
}

/* Parameters need no others than those before them in the order in which their values were found. */
static void learn_parameters(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->settled_count; i++) {
    const HbgScopeSymbol *symbol = &elaborator->scope.symbols[elaborator->settled[i]];
    if (symbol->kind == HBG_SCOPE_PARAMETER)
      hbg_learn_unit(elaborator, &elaborator->units->parameters[symbol->index],
            of_parameter(elaborator, &elaborator->parameters[symbol->index]));
  }
}

static void learn_signals(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->settled_count; i++) {
    const HbgScopeSymbol *symbol = &elaborator->scope.symbols[elaborator->settled[i]];
    if (symbol->kind == HBG_SCOPE_SIGNAL)
      hbg_learn_unit(elaborator, &elaborator->units->signals[symbol->index],
            of_signal(elaborator, &elaborator->signals[symbol->index]));
  }
  for (int32_t i = 0; i < elaborator->integral_count; i++)
    hbg_learn_unit(elaborator, &elaborator->units->integrals[i], of_integral(elaborator, &elaborator->integrals[i]));
}

/* ---- what must fit ---- */

/* A value from outside must be of the kind of the declared one; without a unit it counts in that of the parameter. */
static void check_given(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter, HbgQuantity declared) {
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[parameter->symbol];
  const HbgSettingText *given = hbg_elaborate_setting(elaborator, symbol->name);
  if (!given || declared.kind != HBG_QUANTITY_KNOWN) return;
  const HbgTree *tree = &given->tree;
  const HbgPlace place = {.tree = tree, .frame = &elaborator->root->frame, .element = -1, .setting = symbol->name};
  const HbgTreeNode value = hbg_tree_first_expression(tree, tree->root), unit = hbg_tree_find(tree, tree->root, HBG_NODE_UNIT_OF);
  const HbgQuantity quantity = unit ? hbg_unit_of_text(elaborator, &place, unit) : hbg_unit_of_expression(elaborator, &place, value);
  if (quantity.kind == HBG_QUANTITY_KNOWN)
    hbg_tell_unit_wanted(elaborator, &place, value, quantity, declared.of, "its declared value");
}

/* The same of what an instance is given. */
static void check_argument(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter, HbgQuantity declared) {
  if (!parameter->argument || declared.kind != HBG_QUANTITY_KNOWN) return;
  HbgPlace place;
  const HbgTreeNode value = value_of(elaborator, parameter, &place);
  const HbgQuantity quantity = hbg_unit_of_expression(elaborator, &place, value);
  if (quantity.kind == HBG_QUANTITY_KNOWN)
    hbg_tell_unit_wanted(elaborator, &place, value, quantity, declared.of, "the declared value of this parameter");
}

static void check_parameter(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter) {
  const HbgPlace place = place_in(elaborator, parameter->frame, NULL);
  const HbgQuantity quantity = hbg_unit_of_expression(elaborator, &place, parameter->value);
  check_argument(elaborator, parameter, parameter->unit ? hbg_unit_of_text(elaborator, &place, parameter->unit) : quantity);
  check_given(elaborator, parameter, parameter->unit ? hbg_unit_of_text(elaborator, &place, parameter->unit) : quantity);
  if (parameter->unit) hbg_tell_second_unit(elaborator, &place, parameter->value, quantity, parameter->unit);
}

static void check_signal(HbgElaborator *elaborator, int32_t index) {
  const HbgSignalDeclaration *signal = &elaborator->signals[index];
  const HbgPlace place = place_in(elaborator, signal->frame, NULL);
  const HbgTreeNode unit = signal_unit(signal);
  const HbgQuantity given = of_signal_value(elaborator, &place, signal);
  if (unit)
    hbg_tell_unit_wanted(elaborator, &place, signal->expression, given, hbg_unit_of_text(elaborator, &place, unit).of,
                         "the unit behind it");
}

static void check_integral(HbgElaborator *elaborator, const HbgIntegral *integral, HbgQuantity found) {
  if (integral->function != HBG_FUNCTION_INTEGRAL) return;
  const HbgTreeNode integrand = hbg_tree_first_expression(integral->place.tree, integral->node);
  const HbgTreeNode start = integral_start(integral);
  const HbgQuantity quantity = hbg_quantity_integral(hbg_unit_of_expression(elaborator, &integral->place, integrand));
  if (!start) return;
  HbgPlace outside = integral->place;
  outside.element = -1;
  const HbgQuantity begin = hbg_unit_of_expression(elaborator, &outside, start);
  if (quantity.kind == HBG_QUANTITY_KNOWN)
    hbg_tell_unit_wanted(elaborator, &outside, start, begin, quantity.of, "the start of an integral");
  else if (quantity.kind == HBG_QUANTITY_BARE && found.kind == HBG_QUANTITY_KNOWN && !quantity.is_zero)
    hbg_tell_unit_fit(elaborator, &integral->place, integral->node, integrand,
                      hbg_quantity_product(found, hbg_quantity_of(hbg_dimension_second), -1), integrand, (HbgQuantity){.kind = HBG_QUANTITY_BARE},
                      "");
}

/* ---- the run ---- */

static void check_run_setting(HbgElaborator *elaborator, HbgTreeNode setting) {
  const HbgPlace place = place_in(elaborator, &elaborator->root->frame, NULL);
  const HbgTreeNode value = hbg_tree_first_expression(place.tree, setting);
  if (!value || hbg_tree_is_word(place.tree, setting, "method")) return;
  const HbgQuantity given = hbg_unit_of_expression(elaborator, &place, value);
  const char *name = hbg_elaborate_word(elaborator, place.tree, setting);
  // a bare number is one of seconds there
  if (given.kind == HBG_QUANTITY_KNOWN)
    hbg_tell_unit_wanted(elaborator, &place, value, given, hbg_tree_is_word(place.tree, setting, "tolerance") ? one : hbg_dimension_second,
                         name);
}

static void check_everything(HbgElaborator *elaborator) {
  hbg_check_declared_domains(elaborator);
  hbg_check_submodel_units(elaborator);
  for (int32_t i = 0; i < elaborator->parameter_count; i++) check_parameter(elaborator, &elaborator->parameters[i]);
  for (int32_t i = 0; i < elaborator->signal_count; i++) check_signal(elaborator, i);
  for (int32_t i = 0; i < elaborator->integral_count; i++)
    check_integral(elaborator, &elaborator->integrals[i], elaborator->units->integrals[i]);
  hbg_check_element_units(elaborator);
  hbg_check_machine_units(elaborator);
  hbg_check_clock_units(elaborator);
  hbg_check_condition_units(elaborator);
  for (int32_t i = 0; i < elaborator->run_setting_count; i++) check_run_setting(elaborator, elaborator->run_settings[i]);
  hbg_tell_bare_rest(elaborator);
}

/* ---- what signals are shown in ---- */

/* The unit of a quantity for a head of a table; NULL where it is not sure. The last one is remembered: those of a loop are
 * mostly alike. */
static const char *sure_unit(HbgElaborator *elaborator, HbgQuantity quantity) {
  HbgUnitCheck *units = elaborator->units;
  if (quantity.kind != HBG_QUANTITY_KNOWN || quantity.is_loose || hbg_dimension_is_one(quantity.of)) return NULL;
  if (!units->last_unit || !hbg_dimension_equal(units->last, quantity.of)) {
    units->last = quantity.of;
    units->last_unit = hbg_dimension_unit(quantity.of, elaborator->arena);
  }
  return units->last_unit;
}

static void name_units(HbgElaborator *elaborator) {
  int32_t shown = 0;
  for (int32_t i = 0; i < elaborator->signal_count; i++) {
    if (elaborator->signals[i].is_input) continue;
    HbgSignal *signal = &elaborator->model->signals[shown++];
    if (!signal->unit) signal->unit = hbg_model_unit(elaborator->model, elaborator->pool, signal->expr);
    if (!signal->unit) signal->unit = sure_unit(elaborator, elaborator->units->signals[i]);
  }
}

const char *hbg_column_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  return sure_unit(elaborator, hbg_unit_of_expression(elaborator, place, node));
}

/* ---- the check ---- */

static HbgUnitCheck *new_check(HbgElaborator *elaborator) {
  HbgArena *arena = elaborator->arena;
  HbgUnitCheck *check = ARENA_NEW(arena, HbgUnitCheck, 1);
  *check = (HbgUnitCheck){.table = hbg_domain_table(),
                          .parameters = ARENA_NEW(arena, HbgQuantity, elaborator->parameter_count),
                          .signals = ARENA_NEW(arena, HbgQuantity, elaborator->signal_count),
                          .variables = ARENA_NEW(arena, HbgQuantity, elaborator->model->variable_count),
                          .integrals = ARENA_NEW(arena, HbgQuantity, elaborator->integral_count),
                          .integral_of = ARENA_NEW(arena, int32_t, elaborator->model->state_count)};
  for (int32_t i = 0; i < elaborator->model->state_count; i++) check->integral_of[i] = -1;
  for (int32_t i = 0; i < elaborator->integral_count; i++)
    if (elaborator->integrals[i].function == HBG_FUNCTION_INTEGRAL) check->integral_of[elaborator->integrals[i].state] = i;
  return check;
}

void hbg_check_units(HbgElaborator *elaborator) {
  if (elaborator->diagnostics->error_count) return;
  const bool has_units = is_written(elaborator, HBG_NODE_UNIT_OF);
  if (!has_units && !is_written(elaborator, HBG_NODE_DOMAIN)) return;
  hbg_check_domain_names(elaborator);
  elaborator->units = new_check(elaborator);
  elaborator->units->has_units = has_units;
  elaborator->units->groups = hbg_domain_groups(elaborator);
  learn_parameters(elaborator);
  elaborator->units->has_changed = true;
  for (int round = 0; round < MOST_ROUNDS && elaborator->units->has_changed; round++) {
    elaborator->units->has_changed = false;
    hbg_find_domains(elaborator);
    learn_signals(elaborator);
    hbg_learn_machine_units(elaborator);
  }
  elaborator->units->tells = true;
  check_everything(elaborator);
  name_units(elaborator);
  hbg_arena_give_back(elaborator->arena, elaborator->units->groups.votes);
  elaborator->units->groups.votes = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: functions and tables that the modeller declares, read with what their arguments are. */
#include <string.h>

#include "base/text.h"
#include "model/callables.h"
#include "model/unit_check.h"

/* Formulas that call formulas are followed so deep, and so many in all: beyond, nothing is known. */
enum { DEEPEST_CALL = 8, MOST_CALLS = 1000000 };

static const HbgQuantity unknown = {.kind = HBG_QUANTITY_UNKNOWN};

static HbgTreeNode named(const HbgTree *tree, HbgTreeNode call, const char *name) {
  for (HbgTreeNode child = tree_first(tree, call); child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT && hbg_tree_is_word(tree, child, name))
      return hbg_tree_first_expression(tree, child);
  return 0;
}

static HbgTreeNode argument_for(const HbgTree *tree, HbgTreeNode call, const char *name, int which) {
  const HbgTreeNode by_name = named(tree, call, name);
  HbgTreeNode argument = hbg_tree_first_expression(tree, call);
  while (argument && which--) argument = hbg_tree_next_expression(tree, argument);
  return by_name ? by_name : argument;
}

/* A default stands where the function is declared, and may have its unit behind it. */
static HbgQuantity of_default(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode formal) {
  const HbgTreeNode unit = hbg_tree_find(inside->tree, formal, HBG_NODE_UNIT_OF);
  if (unit) return hbg_unit_of_text(elaborator, inside, unit);
  return hbg_unit_of_expression(elaborator, inside, hbg_tree_first_expression(inside->tree, formal));
}

/* The formula, read with what the arguments are. */
static HbgQuantity of_user_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, int32_t index) {
  const HbgCallableDeclaration *function = &elaborator->callables[index];
  HbgPlace inside = place_in(elaborator, function->frame, place->constant);
  const HbgTreeNode formals = hbg_tree_find(inside.tree, function->node, HBG_NODE_PARAMETERS);
  HbgFrame frames[HBG_MOST_ARGUMENTS];
  int count = 0;
  if (elaborator->units->call_depth >= DEEPEST_CALL || elaborator->units->call_count >= MOST_CALLS) return unknown;
  elaborator->units->call_depth++;
  elaborator->units->call_count++;
  for (HbgTreeNode formal = formals ? tree_first(inside.tree, formals) : 0; formal; formal = tree_next(inside.tree, formal)) {
    if (hbg_tree_kind(inside.tree, formal) != HBG_NODE_PARAMETER || count == HBG_MOST_ARGUMENTS) continue;
    const char *name = hbg_tree_word(inside.tree, formal, elaborator->arena);
    const HbgTreeNode argument = argument_for(place->tree, call, name, count);
    const HbgTreeNode otherwise = hbg_tree_first_expression(inside.tree, formal);
    const HbgExpr value = argument    ? hbg_elaborate_expression(elaborator, place, argument)
                          : otherwise ? hbg_elaborate_expression(elaborator, &inside, otherwise)
                                      : 0;
    const HbgQuantity quantity = argument ? hbg_unit_of_expression(elaborator, place, argument) : of_default(elaborator, &inside, formal);
    frames[count] = frame_in(inside.frame, name, (uint32_t)strlen(name), value);
    frames[count].quantity = quantity;
    inside.frame = &frames[count++];
  }
  const HbgTreeNode unit = hbg_tree_find(inside.tree, function->node, HBG_NODE_UNIT_OF);
  const HbgQuantity result = hbg_unit_of_expression(elaborator, &inside, hbg_tree_first_expression(inside.tree, function->node));
  elaborator->units->call_depth--;
  return unit ? hbg_unit_of_text(elaborator, &inside, unit) : result;
}

/* Column `which` of a table that is written out, by its first row. */
static HbgQuantity of_table_column(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode table, int which) {
  const HbgTreeNode list = hbg_tree_first_expression(inside->tree, table);
  if (!list || hbg_tree_kind(inside->tree, list) != HBG_NODE_LIST) return unknown;
  HbgTreeNode entry = hbg_tree_first_expression(inside->tree, hbg_tree_first_expression(inside->tree, list));
  while (entry && which--) entry = hbg_tree_next_expression(inside->tree, entry);
  return hbg_unit_of_expression(elaborator, inside, entry);
}

/* Of one argument: its first column is what it is called with. */
static HbgQuantity of_table(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, int32_t index) {
  const HbgCallableDeclaration *table = &elaborator->callables[index];
  const HbgPlace inside = place_in(elaborator, table->frame, NULL);
  const HbgTreeNode x = hbg_tree_first_expression(place->tree, call);
  const HbgQuantity given = hbg_unit_of_expression(elaborator, place, x);
  if (!x || hbg_tree_next_expression(place->tree, x)) return unknown;
  const HbgQuantity wanted = of_table_column(elaborator, &inside, table->node, 0);
  if (wanted.kind == HBG_QUANTITY_KNOWN) hbg_tell_unit_wanted(elaborator, place, x, given, wanted.of, "the argument of the table");
  return of_table_column(elaborator, &inside, table->node, 1);
}

HbgQuantity hbg_unit_of_callable(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, bool *is_known) {
  const char *name = hbg_tree_word(place->tree, call, elaborator->arena);
  const HbgCallable callable =
      hbg_elaborate_is_function(name) ? (HbgCallable){HBG_SYMBOL_FUNCTION, -1} : hbg_elaborate_callable(elaborator, place, name);
  *is_known = callable.index >= 0 && callable.kind != HBG_SYMBOL_DATA;
  if (!*is_known) return unknown;
  return callable.kind == HBG_SYMBOL_FUNCTION ? of_user_function(elaborator, place, call, callable.index)
                                              : of_table(elaborator, place, call, callable.index);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: functions of the language by what functions.def says of their units, those on clocks, and those that the
 * modeller declares. */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "model/callables.h"
#include "model/unit_check.h"

/* Formulas that call formulas are followed so deep, and so many in all: beyond, nothing is known. */
enum { LETTERS = 26, DEEPEST_CALL = 8, MOST_CALLS = 1000000 };

static const HbgQuantity unknown = {.kind = HBG_QUANTITY_UNKNOWN};
static const HbgQuantity pure = {.kind = HBG_QUANTITY_BARE, .is_pure = true};
static const HbgDimension one = {{0}};

/* ---- functions.def: "a a*s -> a*s" ---- */

/* A call, and what the letters of its rule stand for so far. */
typedef struct Call {
  HbgElaborator *elaborator;
  const HbgPlace *place;
  HbgTreeNode node;
  HbgQuantity letter[LETTERS];
  HbgTreeNode first[LETTERS]; /* the argument that said so; 0: none yet */
} Call;

/* The length of the next word of a rule; 0 at the end. */
static size_t next_word(const char **at) {
  *at += strspn(*at, " ");
  return strcspn(*at, " ");
}

/* What a word like "a*s" or "a/s" stands for. */
static HbgQuantity of_word(const Call *call, const char *word, size_t length) {
  HbgQuantity product = pure;
  int sign = 1;
  for (size_t i = 0; i < length; i++) {
    if (word[i] == '*' && length == 1) return unknown;
    if (word[i] == '*' || word[i] == '/') sign = word[i] == '*' ? 1 : -1;
    else if (word[i] == 's') product = hbg_quantity_product(product, hbg_quantity_of(hbg_dimension_second), sign);
    else if (islower((unsigned char)word[i])) product = hbg_quantity_product(product, call->letter[word[i] - 'a'], sign);
  }
  return product;
}

static void want(const Call *call, HbgTreeNode argument, HbgQuantity given, HbgDimension wanted) {
  if (hbg_quantity_fit(given, hbg_quantity_of(wanted)) == HBG_FITS) return;
  const char *name = hbg_tree_word(call->place->tree, call->node, call->elaborator->arena);
  hbg_tell_unit_wanted(call->elaborator, call->place, argument, given, wanted,
                       hbg_print(call->elaborator->arena, "the argument of %s", name));
}

/* An argument meets the others of its letter. */
static void meet(Call *call, HbgTreeNode argument, HbgQuantity given, int letter) {
  if (call->first[letter])
    hbg_tell_unit_fit(call->elaborator, call->place, call->node, call->first[letter], call->letter[letter], argument, given,
                      "are arguments of one function");
  call->letter[letter] = call->first[letter] ? hbg_quantity_sum(call->letter[letter], given) : given;
  if (!call->first[letter]) call->first[letter] = argument;
}

static void take(Call *call, HbgTreeNode argument, const char *word, size_t length) {
  const HbgQuantity given = hbg_unit_of_expression(call->elaborator, call->place, argument);
  const bool is_time = length == 1 && *word == 's';
  if (length == 1 && *word == '*') return;
  if (is_time || (length == 1 && *word == '1')) {
    // where the language counts in seconds a bare number is one of them
    if (given.kind != HBG_QUANTITY_BARE) want(call, argument, given, is_time ? hbg_dimension_second : one);
  } else if (length == 1) {
    meet(call, argument, given, *word - 'a');
  } else {
    const HbgQuantity wanted = of_word(call, word, length);
    if (wanted.kind == HBG_QUANTITY_KNOWN && !wanted.is_loose) want(call, argument, given, wanted.of);
    else for (size_t i = 0; i < length; i++) // a letter that is not known yet: gain(x, factor)
      if (islower((unsigned char)word[i]) && word[i] != 's' && !call->first[word[i] - 'a']) meet(call, argument, given, word[i] - 'a');
  }
}

static HbgQuantity product_of_all(const Call *call, const HbgArguments *arguments) {
  HbgQuantity product = pure;
  for (int i = 0; i < arguments->count; i++)
    product = hbg_quantity_product(product, hbg_unit_of_expression(call->elaborator, call->place, arguments->list[i]), 1);
  return product;
}

static HbgQuantity of_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgFunction function) {
  Call call = {.elaborator = elaborator, .place = place, .node = node};
  HbgArguments arguments;
  if (!hbg_elaborate_arguments(elaborator, place, node, function, &arguments)) return unknown;
  if (function == HBG_FUNCTION_PRODUCT) return product_of_all(&call, &arguments);
  const char *at = hbg_function_info[function].units, *last = at;
  size_t length, last_length = 0;
  for (int which = 0; (length = next_word(&at)) && strncmp(at, "->", 2) != 0; at += length, which++) {
    if (which < HBG_MOST_ARGUMENTS && arguments.list[which]) take(&call, arguments.list[which], at, length);
    last = at;
    last_length = length;
  }
  // one rule for any number of arguments
  if (hbg_function_info[function].formals[0] == '*')
    for (int which = 1; which < arguments.count; which++) take(&call, arguments.list[which], last, last_length);
  at += 2;
  length = next_word(&at);
  return of_word(&call, at, length);
}

/* ---- of the modeller's own ---- */

static HbgTreeNode argument_for(const HbgTree *tree, HbgTreeNode call, const char *name, int which) {
  const HbgTreeNode by_name = hbg_tree_named(tree, call, name);
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
  HbgQuantity quantities[HBG_MOST_ARGUMENTS];
  int count = 0;
  if (elaborator->units->call_depth >= DEEPEST_CALL || elaborator->units->call_count >= MOST_CALLS) return unknown;
  elaborator->units->call_depth++;
  elaborator->units->call_count++;
  for (HbgTreeNode formal = formals ? tree_first(inside.tree, formals) : 0; formal; formal = tree_next(inside.tree, formal)) {
    if (hbg_tree_kind(inside.tree, formal) != HBG_NODE_PARAMETER || count == HBG_MOST_ARGUMENTS) continue;
    const char *name = hbg_elaborate_word(elaborator, inside.tree, formal);
    const HbgTreeNode argument = argument_for(place->tree, call, name, count);
    const HbgTreeNode otherwise = hbg_tree_first_expression(inside.tree, formal);
    const HbgExpr value = argument    ? hbg_elaborate_expression(elaborator, place, argument)
                          : otherwise ? hbg_elaborate_expression(elaborator, &inside, otherwise)
                                      : 0;
    quantities[count] = argument ? hbg_unit_of_expression(elaborator, place, argument) : of_default(elaborator, &inside, formal);
    frames[count] = frame_in(inside.frame, name, (uint32_t)strlen(name), value);
    frames[count].quantity = &quantities[count];
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

HbgQuantity hbg_unit_of_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, bool *is_known) {
  const char *name = hbg_call_name(elaborator, place, call);
  const bool is_imported = hbg_tree_find(place->tree, call, HBG_NODE_OWNER) != 0;
  const HbgFunction function = is_imported ? HBG_FUNCTION_NONE : hbg_function_of(place->tree, call);
  *is_known = true;
  if (function != HBG_FUNCTION_NONE) return of_function(elaborator, place, call, function);
  if (hbg_elaborate_is_clocked(name)) return hbg_unit_of_clocked(elaborator, place, call);
  if (!hbg_elaborate_is_function(name)) {
    const HbgCallable callable = hbg_elaborate_callable(elaborator, place, name);
    if (callable.index >= 0 && callable.kind == HBG_SCOPE_FUNCTION) return of_user_function(elaborator, place, call, callable.index);
    if (callable.index >= 0 && callable.kind == HBG_SCOPE_TABLE) return of_table(elaborator, place, call, callable.index);
  }
  *is_known = false;
  return unknown;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: lists and matrices of numbers that are known before the run, as arguments of functions and in tables. */
#include <string.h>

#include "base/text.h"
#include "model/functions.h"

static bool is_list(const HbgTree *tree, HbgTreeNode node) { return hbg_tree_kind(tree, node) == HBG_NODE_LIST; }

static int32_t length_of(const HbgTree *tree, HbgTreeNode list) {
  int32_t count = 0;
  for (HbgTreeNode part = hbg_tree_first_expression(tree, list); part; part = hbg_tree_next_expression(tree, part)) count++;
  return count;
}

int32_t hbg_elaborate_parts(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgTreeNode **out) {
  const int32_t count = is_list(place->tree, node) ? length_of(place->tree, node) : 1;
  *out = ARENA_NEW(elaborator->arena, HbgTreeNode, count);
  (*out)[0] = node;
  if (!is_list(place->tree, node)) return 1;
  int32_t at = 0;
  for (HbgTreeNode part = hbg_tree_first_expression(place->tree, node); part; part = hbg_tree_next_expression(place->tree, part))
    (*out)[at++] = part;
  return count;
}

/* A row of numbers, in the unit behind it, or else in that behind the whole. */
static bool read_row(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode list, HbgTreeNode outer_unit, double *out) {
  const HbgTreeNode own = hbg_tree_find(place->tree, list, HBG_NODE_UNIT_OF), unit_of = own ? own : outer_unit;
  HbgUnit unit = {.factor = 1};
  if (unit_of && !hbg_elaborate_unit(elaborator, place, unit_of, &unit)) return false;
  int32_t at = 0;
  bool whole = true;
  for (HbgTreeNode part = hbg_tree_first_expression(place->tree, list); part;
       part = hbg_tree_next_expression(place->tree, part), at++) {
    if (!hbg_elaborate_constant(elaborator, place, part, &out[at])) whole = false;
    out[at] = out[at] * unit.factor + unit.offset;
  }
  return whole;
}

static bool tell_ragged(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode row, int32_t found, int32_t wanted) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_RAGGED, hbg_tree_span(place->tree, row),
                            "this row has %d number%s, and the first one %d", (int)found, found == 1 ? "" : "s", (int)wanted))
    HELP(elaborator, "write all rows equally long: [[1, 2], [3, 4]]");
  return false;
}

static bool read_list(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgNumbers *out) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode first = hbg_tree_first_expression(tree, node);
  if (!first) {
    *out = (HbgNumbers){.rows = 0};
    return true;
  }
  const HbgTreeNode unit = hbg_tree_find(tree, node, HBG_NODE_UNIT_OF);
  const bool is_matrix = is_list(tree, first);
  out->rows = is_matrix ? length_of(tree, node) : 1;
  out->columns = is_matrix ? length_of(tree, first) : length_of(tree, node);
  out->list = ARENA_NEW(elaborator->arena, double, (size_t)out->rows * (size_t)out->columns);
  if (!is_matrix) return read_row(elaborator, place, node, 0, out->list);
  double *at = out->list;
  for (HbgTreeNode row = first; row; row = hbg_tree_next_expression(tree, row), at += out->columns) {
    const int32_t length = is_list(tree, row) ? length_of(tree, row) : 1;
    if (!is_list(tree, row) || length != out->columns) return tell_ragged(elaborator, place, row, length, out->columns);
    if (!read_row(elaborator, place, row, unit, at)) return false;
  }
  return true;
}

/* The parameter array of that name; -1: it is none. */
static int32_t find_array(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char **key) {
  if (hbg_tree_kind(place->tree, node) != HBG_NODE_NAME || hbg_tree_find(place->tree, node, HBG_NODE_INDEX)) return -1;
  *key = hbg_elaborate_key(elaborator, place, node);
  const int32_t found = *key ? hbg_elaborate_find(elaborator, place, *key) : -1;
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_ARRAY ? found : -1;
}

static int32_t find_part(HbgElaborator *elaborator, const HbgPlace *place, const char *key, int32_t row, int32_t column,
                         bool is_matrix) {
  const char *name = is_matrix ? hbg_print(elaborator->arena, "%s[%d][%d]", key, (int)row + 1, (int)column + 1)
                               : hbg_print(elaborator->arena, "%s[%d]", key, (int)column + 1);
  return hbg_elaborate_find(elaborator, place, name);
}

static bool read_array(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *key, bool is_matrix,
                       HbgNumbers *out) {
  int32_t rows = 1, columns = 0;
  while (find_part(elaborator, place, key, 0, columns, is_matrix) >= 0) columns++;
  while (is_matrix && find_part(elaborator, place, key, rows, 0, true) >= 0) rows++;
  *out = (HbgNumbers){rows, columns, ARENA_NEW(elaborator->arena, double, (size_t)rows * (size_t)columns)};
  for (int32_t row = 0; row < rows; row++) {
    for (int32_t column = 0; column < columns; column++) {
      const int32_t part = find_part(elaborator, place, key, row, column, is_matrix);
      const HbgExpr value = part < 0 ? 0 : hbg_elaborate_value(elaborator, place, node, part);
      if (!value || !hbg_elaborate_is_number(elaborator, place, node, value)) return false;
      if (!hbg_expr_is_constant(elaborator->pool, value)) return false;
      out->list[row * columns + column] = hbg_expr_node(elaborator->pool, value)->value;
    }
  }
  return columns > 0;
}

bool hbg_elaborate_numbers(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgNumbers *out) {
  HbgPlace here = *place;
  if (!here.constant) here.constant = "a number of this list";
  *out = (HbgNumbers){.rows = 0};
  if (is_list(place->tree, node)) return read_list(elaborator, &here, node, out);
  const char *key = NULL;
  const int32_t array = find_array(elaborator, &here, node, &key);
  if (array >= 0 && elaborator->scope.symbols[array].index <= 2)
    return read_array(elaborator, &here, node, key, elaborator->scope.symbols[array].index == 2, out);
  *out = (HbgNumbers){1, 1, ARENA_NEW(elaborator->arena, double, 1)};
  return hbg_elaborate_constant(elaborator, &here, node, out->list);
}

bool hbg_elaborate_number_or(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double otherwise, double *out) {
  *out = otherwise;
  if (!node) return true;
  HbgPlace here = *place;
  if (!here.constant) here.constant = "this argument";
  return hbg_elaborate_constant(elaborator, &here, node, out);
}

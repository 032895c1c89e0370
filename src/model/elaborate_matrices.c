/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: matrices, written as lists of lists or as the names of parameters that are such; and what belongs to one
 * part of an array that is declared at once. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- what a value is ---- */

static bool is_known(const HbgElaborator *elaborator, const char *key) {
  return hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key)) >= 0;
}

static bool is_parameter(const HbgElaborator *elaborator, const char *key) {
  const int32_t found = hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key));
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_PARAMETER;
}

static bool is_in_frames(const HbgFrame *frame, const char *text, uint32_t length) {
  for (; frame; frame = frame->outer)
    if (frame->length == length && length && !memcmp(frame->name, text, length)) return true;
  return false;
}

/* Rows and columns of the parameters key[1][1], key[1][2], ... */
static HbgShape shape_of_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t *rows,
                              int32_t *columns) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  if (is_in_frames(place->frame, text, length)) return HBG_SHAPE_SINGLE;
  HbgText base = hbg_text(elaborator->arena);
  hbg_text_add_bytes(&base, place->frame->instance->prefix, place->frame->instance->prefix_length);
  hbg_text_add_bytes(&base, text, length);
  const int32_t found = hbg_elaborate_find(elaborator, place, base.bytes);
  hbg_text_take_back(&base);
  if (found < 0) return hbg_elaborate_is_reserved(text, length) ? HBG_SHAPE_SINGLE : HBG_SHAPE_OPEN;
  if (elaborator->scope.symbols[found].kind != HBG_SCOPE_ARRAY) return HBG_SHAPE_SINGLE;
  int32_t indices = 0;
  for (HbgTreeNode child = tree_first(place->tree, node); child; child = tree_next(place->tree, child))
    indices += hbg_tree_kind(place->tree, child) == HBG_NODE_INDEX;
  if (elaborator->scope.symbols[found].index != indices + 2) return HBG_SHAPE_SINGLE;
  const char *key = hbg_elaborate_key(elaborator, place, node);
  if (!key) return HBG_SHAPE_WRONG;
  *rows = *columns = 0;
  while (is_parameter(elaborator, hbg_print(elaborator->arena, "%s[%d][1]", key, (int)*rows + 1))) ++*rows;
  while (is_parameter(elaborator, hbg_print(elaborator->arena, "%s[1][%d]", key, (int)*columns + 1))) ++*columns;
  return *rows && *columns ? HBG_SHAPE_FIELD : HBG_SHAPE_SINGLE;
}

static int32_t length_of(const HbgTree *tree, HbgTreeNode list) {
  int32_t count = 0;
  for (HbgTreeNode value = hbg_tree_first_expression(tree, list); value; value = hbg_tree_next_expression(tree, value)) count++;
  return count;
}

static HbgShape shape_of_list(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode list, int32_t *rows,
                              int32_t *columns) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode first = hbg_tree_first_expression(tree, list);
  if (!first || hbg_tree_kind(tree, first) != HBG_NODE_LIST) return HBG_SHAPE_SINGLE;
  *rows = length_of(tree, list);
  *columns = length_of(tree, first);
  int32_t number = 0;
  for (HbgTreeNode row = first; row; row = hbg_tree_next_expression(tree, row)) {
    number++;
    const bool is_list = hbg_tree_kind(tree, row) == HBG_NODE_LIST;
    const int32_t found = is_list ? length_of(tree, row) : 1;
    if (is_list && found == *columns && found) continue;
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_MATRIX, hbg_tree_span(tree, row),
                              "row %d of the matrix has %d number%s, but row 1 has %d", (int)number, (int)found,
                              found == 1 ? "" : "s", (int)*columns))
      HELP(elaborator, "write a matrix row by row, each as long as the others: [[1, 2], [3, 4]]");
    return HBG_SHAPE_WRONG;
  }
  return HBG_SHAPE_FIELD;
}

HbgShape hbg_elaborate_matrix_shape(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t *rows,
                                    int32_t *columns) {
  switch (hbg_tree_kind(place->tree, node)) {
    case HBG_NODE_LIST: return shape_of_list(elaborator, place, node, rows, columns);
    case HBG_NODE_NAME: return shape_of_name(elaborator, place, node, rows, columns);
    default: return HBG_SHAPE_SINGLE;
  }
}

/* ---- entries ---- */

/* A number of a list, in the unit behind the list. */
static HbgExpr entry_of_list(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode entry, HbgTreeNode unit_of) {
  const HbgExpr value = hbg_elaborate_number(elaborator, place, entry);
  HbgUnit unit;
  if (!value || !unit_of || !hbg_elaborate_unit(elaborator, place, unit_of, &unit)) return value;
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr scaled = hbg_expr_binary(pool, HBG_OP_MUL, value, hbg_expr_constant(pool, unit.factor));
  return hbg_expr_binary(pool, HBG_OP_ADD, scaled, hbg_expr_constant(pool, unit.offset));
}

static HbgExpr parameter_named(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *key) {
  const int32_t found = hbg_elaborate_find(elaborator, place, key);
  if (found < 0) {
    hbg_elaborate_unknown(elaborator, place, node, key, "parameter", 1u << HBG_SCOPE_PARAMETER);
    return 0;
  }
  const HbgExpr value = hbg_elaborate_value(elaborator, place, node, found);
  return hbg_elaborate_is_number(elaborator, place, node, value) ? value : 0;
}

static HbgTreeNode unit_behind(const HbgTree *tree, HbgTreeNode row, HbgTreeNode list) {
  const HbgTreeNode own = hbg_tree_find(tree, row, HBG_NODE_UNIT_OF);
  return own ? own : hbg_tree_find(tree, list, HBG_NODE_UNIT_OF);
}

static void read_list(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode list, HbgMatrix *matrix) {
  const HbgTree *tree = place->tree;
  HbgExpr *entry = matrix->entries;
  for (HbgTreeNode row = hbg_tree_first_expression(tree, list); row; row = hbg_tree_next_expression(tree, row))
    for (HbgTreeNode at = hbg_tree_first_expression(tree, row); at; at = hbg_tree_next_expression(tree, at))
      *entry++ = entry_of_list(elaborator, place, at, unit_behind(tree, row, list));
}

static void read_parameters(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgMatrix *matrix) {
  const char *key = hbg_elaborate_key(elaborator, place, node);
  for (int32_t at = 0; key && at < matrix->rows * matrix->columns; at++) {
    const int row = (int)(at / matrix->columns) + 1, column = (int)(at % matrix->columns) + 1;
    matrix->entries[at] =
        parameter_named(elaborator, place, node, hbg_print(elaborator->arena, "%s[%d][%d]", key, row, column));
  }
}

HbgMatrix hbg_elaborate_matrix(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t rows,
                               int32_t columns) {
  HbgMatrix matrix = {.rows = rows, .columns = columns, .entries = ARENA_NEW(elaborator->arena, HbgExpr, rows * columns),
                      .is_whole = true};
  if (hbg_tree_kind(place->tree, node) == HBG_NODE_LIST) read_list(elaborator, place, node, &matrix);
  else read_parameters(elaborator, place, node, &matrix);
  for (int32_t at = 0; at < rows * columns; at++) matrix.is_whole = matrix.is_whole && matrix.entries[at];
  return matrix;
}

/* ---- one part of an array ---- */

/* How many elements the array has that `key` is of, where it has one index: body[2]; 0: unknown. */
static int32_t length_of_array(const HbgElaborator *elaborator, const char *key) {
  const char *last = strrchr(key, '.'), *index = strchr(last ? last : key, '[');
  if (!index || strchr(index + 1, '[')) return 0;
  const int32_t found = hbg_scope_find(&elaborator->scope, key, (uint32_t)(index - key));
  const HbgScopeSymbol *array = found < 0 ? NULL : &elaborator->scope.symbols[found];
  if (!array || array->kind != HBG_SCOPE_ARRAY) return 0;
  const HbgIndexRange *range = hbg_scope_range(&elaborator->scope, array);
  return (int32_t)(range->highest - range->lowest + 1);
}

static HbgExpr part_of_list(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode list, int32_t component,
                            const char *key) {
  const int32_t count = length_of(place->tree, list), wanted = length_of_array(elaborator, key);
  if (wanted && count > wanted) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_VECTOR_SIZES, hbg_tree_span(place->tree, list),
                              "the list has %d values, but only %d elements are declared", (int)count, (int)wanted))
      HELP(elaborator, "give each of them its value, or one value for all");
    return 0;
  }
  HbgTreeNode part = hbg_tree_first_expression(place->tree, list);
  for (int32_t i = 1; i < component && part; i++) part = hbg_tree_next_expression(place->tree, part);
  if (part) return entry_of_list(elaborator, place, part, hbg_tree_find(place->tree, list, HBG_NODE_UNIT_OF));
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_VECTOR_SIZES, hbg_tree_span(place->tree, list),
                            "the list has %d values, but more elements are declared", (int)count))
    HELP(elaborator, "give each of them its value, or one value for all");
  return 0;
}

/* "m[2]" for the element "body[2]": the name `array` with the indices of `key`; NULL: there are none. */
static const char *with_indices_of(HbgElaborator *elaborator, const char *array, const char *key) {
  const char *last = strrchr(key, '.');
  const char *indices = strchr(last ? last : key, '[');
  return indices ? hbg_print(elaborator->arena, "%s%s", array, indices) : NULL;
}

HbgExpr hbg_elaborate_part(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t component,
                                const char *key) {
  if (component && hbg_tree_kind(place->tree, node) == HBG_NODE_LIST)
    return part_of_list(elaborator, place, node, component, key);
  if (component && hbg_tree_kind(place->tree, node) == HBG_NODE_NAME) {
    const char *array = hbg_elaborate_key(elaborator, place, node);
    const char *name = array && !is_known(elaborator, array) ? NULL : array;
    const HbgScopeSymbol *symbol = name ? &elaborator->scope.symbols[hbg_elaborate_find(elaborator, place, name)] : NULL;
    if (symbol && symbol->kind == HBG_SCOPE_ARRAY)
      return parameter_named(elaborator, place, node, with_indices_of(elaborator, name, key));
  }
  return hbg_elaborate_number(elaborator, place, node);
}

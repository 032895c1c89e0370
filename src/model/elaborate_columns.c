/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions in the name space of a finished model: columns of results. They look on and change nothing. */
#include <string.h>

#include "model/elaborator.h"
#include "model/unit_check.h"

/* `gap [mm]`: the length of the expression before a unit, where there is one. A bracket that holds an index stands at once
 * behind its name. */
static size_t length_before_unit(const char *text) {
  const size_t length = strlen(text);
  const char *open = strrchr(text, '[');
  if (!length || text[length - 1] != ']' || !open || open == text || open[-1] != ' ') return length;
  HbgUnit unit;
  uint32_t begin, end;
  const uint32_t inside = (uint32_t)(text + length - 1 - (open + 1));
  if (!hbg_unit_read(open + 1, inside, &unit, &begin, &end)) return length;
  return (size_t)(open - text);
}

/* The expression in another unit: (expr - offset)/factor. */
static HbgExpr converted(HbgExprPool *pool, HbgExpr expr, HbgUnit unit) {
  const HbgExpr from_zero = hbg_expr_binary(pool, HBG_OP_SUB, expr, hbg_expr_constant(pool, unit.offset));
  return hbg_expr_binary(pool, HBG_OP_DIV, from_zero, hbg_expr_constant(pool, unit.factor));
}

/* Shows `expr` in the unit that stands behind it. */
static HbgExpr in_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode root, const char *text, HbgExpr expr,
                       const char **unit_text) {
  HbgUnit unit = {.factor = 1};
  uint32_t begin, end;
  const char *inside = hbg_arena_text(elaborator->arena, text + 1, strlen(text) - 2);
  hbg_unit_read(inside, (uint32_t)strlen(inside), &unit, &begin, &end);
  if (elaborator->units) {
    const HbgQuantity quantity = hbg_unit_of_expression(elaborator, place, root);
    hbg_tell_unit_wanted(elaborator, place, root, quantity, unit.dimension, "the unit behind it");
  }
  *unit_text = inside;
  return hbg_elaborate_is_number(elaborator, place, root, expr) ? converted(elaborator->pool, expr, unit) : 0;
}

HbgElaborator hbg_elaborate_onlooker(const HbgFlatModel *model, HbgFlatModel *view, HbgUnitCheck *units, HbgExprPool *pool,
                                     HbgDiagnostics *diagnostics) {
  HbgElaborator elaborator = *(const HbgElaborator *)model->names;
  *view = *model;
  elaborator.arena = pool->arena;
  elaborator.pool = pool;
  elaborator.model = view;
  elaborator.diagnostics = diagnostics;
  elaborator.is_column = true;
  elaborator.readings = NULL;
  elaborator.text_is_wrong = false;
  elaborator.current = elaborator.blocked = -1;
  if (!elaborator.units) return elaborator;
  *units = *elaborator.units;
  units->has_units = false; /* numbers without one are told for the model's text only */
  units->last_unit = NULL;
  elaborator.units = units;
  return elaborator;
}

HbgExpr hbg_model_column(const HbgFlatModel *model, HbgExprPool *pool, const char *text, HbgDiagnostics *diagnostics,
                         const char **unit) {
  HbgFlatModel view;
  HbgUnitCheck units;
  HbgElaborator elaborator = hbg_elaborate_onlooker(model, &view, &units, pool, diagnostics);
  *unit = NULL;
  const int32_t errors = diagnostics->error_count;
  const size_t length = length_before_unit(text);
  const char *copy = hbg_arena_text(pool->arena, text, length);
  const HbgTree tree = hbg_parse_expression(copy, (uint32_t)length, pool->arena, diagnostics);
  if (diagnostics->error_count > errors || !tree.root) return 0;
  const HbgPlace place = {.tree = &tree, .frame = &elaborator.root->frame, .element = -1};
  HbgExpr expr = hbg_elaborate_expression(&elaborator, &place, tree.root);
  if (!expr || diagnostics->error_count > errors) return 0;
  if (text[length]) expr = in_unit(&elaborator, &place, tree.root, text + length, expr, unit);
  else if (elaborator.units) *unit = hbg_column_unit(&elaborator, &place, tree.root);
  return diagnostics->error_count > errors ? 0 : expr;
}

HbgExpr hbg_model_expression(const HbgFlatModel *model, HbgExprPool *pool, const char *text,
                             HbgDiagnostics *diagnostics) {
  const char *unit;
  return hbg_model_column(model, pool, text, diagnostics, &unit);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: look-up tables, from numbers in the text or from files, and what a call of one stands for. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/table_numbers.h"

/* ---- settings ---- */

typedef struct Word {
  const char *word;
  int value;
} Word;

static const Word interpolations[] = {
    {"stepped", HBG_TABLE_STEPPED}, {"nearest", HBG_TABLE_NEAREST}, {"linear", HBG_TABLE_LINEAR}, {"cubic", HBG_TABLE_CUBIC}};
static const Word outsides[] = {{"hold", HBG_OUTSIDE_HOLD}, {"extend", HBG_OUTSIDE_EXTEND}, {"error", HBG_OUTSIDE_ERROR}};

static bool find_word(const HbgTree *tree, HbgTreeNode node, const Word *words, int count, int *value) {
  if (hbg_tree_kind(tree, node) != HBG_NODE_NAME || hbg_tree_find(tree, node, HBG_NODE_INDEX)) return false;
  for (int i = 0; i < count; i++) {
    if (!hbg_tree_is_word(tree, node, words[i].word)) continue;
    *value = words[i].value;
    return true;
  }
  return false;
}

static bool tell_setting(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TABLE_SETTING, hbg_tree_span(place->tree, node),
                            "'%s' is no way to read a table", hbg_tree_excerpt(place->tree, node, elaborator->arena)))
    HELP(elaborator, "between the knots: stepped, nearest, linear or cubic; beyond: outside = hold, extend or error");
  return false;
}

bool hbg_elaborate_table_settings(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode declaration,
                                  HbgLookUpTable *table) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode arguments = hbg_tree_find(tree, declaration, HBG_NODE_ARGUMENTS);
  int interpolation = HBG_TABLE_LINEAR, outside = HBG_OUTSIDE_HOLD;
  for (HbgTreeNode node = arguments ? tree_first(tree, arguments) : 0; node; node = tree_next(tree, node)) {
    const bool is_named = hbg_tree_kind(tree, node) == HBG_NODE_NAMED_ARGUMENT;
    const HbgTreeNode value = is_named ? hbg_tree_first_expression(tree, node) : node;
    const bool is_outside = is_named && hbg_tree_is_word(tree, node, "outside");
    if (!value || (is_named && !is_outside)) return tell_setting(elaborator, place, node);
    if (is_outside ? !find_word(tree, value, outsides, 3, &outside) : !find_word(tree, value, interpolations, 4, &interpolation))
      return tell_setting(elaborator, place, node);
  }
  table->interpolation = (HbgInterpolation)interpolation;
  table->outside = (HbgOutside)outside;
  return true;
}

/* ---- numbers ---- */

static bool wrong_table(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *problem,
                        const char *help) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TABLE, hbg_tree_span(place->tree, node), "%s", problem))
    HELP(elaborator, "%s", help);
  return false;
}

/* What is wrong with knots of one axis; NULL: nothing. */
const char *hbg_table_knots_problem(HbgArena *arena, const HbgLookUpTable *table, const double *knots, int32_t count) {
  const bool is_constant = table->interpolation == HBG_TABLE_STEPPED || table->interpolation == HBG_TABLE_NEAREST;
  if (count < (is_constant ? 1 : 2)) return hbg_print(arena, "the table has %d knot%s", (int)count, count == 1 ? "" : "s");
  for (int32_t at = 0; at < count; at++) {
    if (!isfinite(knots[at])) return hbg_print(arena, "knot %d of the table is no finite number", (int)at + 1);
    if (at == 0 || knots[at] > knots[at - 1]) continue;
    const bool is_jump = knots[at] >= knots[at - 1] && !table->y_count && table->interpolation == HBG_TABLE_LINEAR &&
                         at > 1 && at + 1 < count && knots[at - 1] > knots[at - 2] && knots[at + 1] > knots[at];
    if (is_jump) continue;
    const bool is_at_end = knots[at] >= knots[at - 1] && !table->y_count && table->interpolation == HBG_TABLE_LINEAR && (at == 1 || at + 1 == count);
    if (is_at_end) return hbg_print(arena, "the jump at the %s knot, %.9g, has nothing %s it: one more row tells how the table goes on there", at == 1 ? "first" : "last", knots[at], at == 1 ? "before" : "behind");
    return hbg_print(arena, "the knots do not ascend: %.9g comes behind %.9g", knots[at], knots[at - 1]);
  }
  return NULL;
}

static const char *values_problem(HbgArena *arena, const HbgLookUpTable *table) {
  const int32_t count = table->x_count * (table->y_count ? table->y_count : 1);
  for (int32_t at = 0; at < count; at++)
    if (!isfinite(table->value[at])) return hbg_print(arena, "value %d of the table is no finite number", (int)at + 1);
  return NULL;
}

void hbg_table_take_rows(HbgArena *arena, HbgLookUpTable *table, const double *list, int32_t rows, int32_t columns) {
  const bool is_map = columns > 2;
  table->x_count = is_map ? rows - 1 : rows;
  table->y_count = is_map ? columns - 1 : 0;
  const int32_t width = is_map ? table->y_count : 1;
  table->x = ARENA_NEW(arena, double, table->x_count);
  table->y = ARENA_NEW(arena, double, table->y_count);
  table->value = ARENA_NEW(arena, double, (size_t)table->x_count * (size_t)width);
  for (int32_t at = 0; at < table->y_count; at++) table->y[at] = list[at + 1];
  for (int32_t row = 0; row < table->x_count; row++) {
    const double *from = &list[(size_t)(row + (is_map ? 1 : 0)) * (size_t)columns];
    table->x[row] = from[0];
    for (int32_t at = 0; at < width; at++) table->value[(size_t)row * (size_t)width + (size_t)at] = from[at + 1];
  }
}

static bool read_list(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode list, HbgLookUpTable *table) {
  static const char help[] = "write one knot in each row: [[0, 1], [1, 0.8]]; of two arguments, a first row [0, y1, y2, ...] and "
                             "then rows [x, value at y1, value at y2, ...]";
  HbgNumbers numbers;
  if (hbg_tree_kind(place->tree, list) != HBG_NODE_LIST && hbg_tree_kind(place->tree, list) != HBG_NODE_NAME)
    return wrong_table(elaborator, place, list, "a table is made of rows of numbers", help);
  if (!hbg_elaborate_numbers(elaborator, place, list, &numbers)) return false;
  if (numbers.columns < 2 || numbers.rows < 1)
    return wrong_table(elaborator, place, list, "a table is made of rows of numbers", help);
  hbg_table_take_rows(elaborator->arena, table, numbers.list, numbers.rows, numbers.columns);
  const char *problem = hbg_table_problem(elaborator->arena, table);
  return problem ? wrong_table(elaborator, place, list, problem, help) : true;
}

const char *hbg_table_problem(HbgArena *arena, const HbgLookUpTable *table) {
  const char *problem = hbg_table_knots_problem(arena, table, table->x, table->x_count);
  if (!problem && table->y_count) problem = hbg_table_knots_problem(arena, table, table->y, table->y_count);
  return problem ? problem : values_problem(arena, table);
}

static void make_table(HbgElaborator *elaborator, int32_t index) {
  HbgCallableDeclaration *declared = &elaborator->callables[index];
  const HbgPlace place = place_in(elaborator, declared->frame, "a table");
  const HbgTree *tree = place.tree;
  declared->is_made = declared->is_wrong = true;
  HbgLookUpTable *table = ARENA_NEW(elaborator->arena, HbgLookUpTable, 1);
  table->name = declared->name;
  if (!hbg_elaborate_table_settings(elaborator, &place, declared->node, table)) return;
  const HbgTreeNode file = hbg_tree_find(tree, declared->node, HBG_NODE_FILE_NAME);
  const HbgTreeNode list = hbg_tree_first_expression(tree, declared->node);
  if (file ? !hbg_elaborate_table_file(elaborator, &place, file, table) : !list || !read_list(elaborator, &place, list, table)) {
    // what is not known yet may still come
    if (elaborator->is_missing || elaborator->blocked >= 0) elaborator->callables[index].is_made = false;
    return;
  }
  hbg_look_up_finish(table, elaborator->arena);
  declared = &elaborator->callables[index];
  declared->table = hbg_expr_add_table(elaborator->pool, table);
  declared->is_wrong = false;
}

/* ---- calls ---- */

HbgExpr hbg_elaborate_look_up(HbgElaborator *elaborator, int32_t table, HbgExpr x) {
  HbgProfile profile = {.table = table};
  const HbgExpr plain = hbg_expr_table(elaborator->pool, HBG_OP_TABLE, table, 0, x, 0);
  const bool is_followed =
      !hbg_expr_is_constant(elaborator->pool, plain) && hbg_elaborate_is_affine(elaborator, x, &profile.slope, &profile.rest) && profile.slope > 0;
  const HbgExpr followed = is_followed ? hbg_elaborate_profile(elaborator, profile) : 0;
  return followed ? followed : plain;
}

static HbgExpr outside_of_table(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgExpr value) {
  if (!value || !hbg_expr_is_constant(elaborator->pool, value) || isfinite(hbg_expr_node(elaborator->pool, value)->value))
    return value;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_FINITE, hbg_tree_span(place->tree, call),
                            "'%s' lies outside of the table", hbg_tree_excerpt(place->tree, call, elaborator->arena)))
    HELP(elaborator, "give the table more knots, or declare it with outside = hold or outside = extend");
  return 0;
}

HbgExpr hbg_elaborate_table_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, int32_t index) {
  if (!elaborator->callables[index].is_made) make_table(elaborator, index);
  const HbgCallableDeclaration declared = elaborator->callables[index];
  if (declared.is_wrong) return 0;
  const bool is_map = elaborator->pool->tables[declared.table]->y_count > 0;
  HbgTreeNode argument[2] = {0, 0};
  int given = 0;
  for (HbgTreeNode node = tree_first(place->tree, call); node; node = tree_next(place->tree, node)) {
    if (hbg_tree_kind(place->tree, node) == HBG_NODE_OWNER) continue;
    if (given < 2 && hbg_tree_is_expression(place->tree, node)) argument[given] = node;
    given++;
  }
  if (given != (is_map ? 2 : 1) || !argument[is_map ? 1 : 0]) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, call),
                              "table %s takes %d argument%s, not %d", declared.name, is_map ? 2 : 1, is_map ? "s" : "", given))
      HELP(elaborator, "write: %s", hbg_print(elaborator->arena, is_map ? "%s(x, y)" : "%s(x)", declared.name));
    return 0;
  }
  const HbgExpr x = hbg_elaborate_number(elaborator, place, argument[0]);
  const HbgExpr y = is_map ? hbg_elaborate_number(elaborator, place, argument[1]) : 0;
  if (!x || (is_map && !y)) return 0;
  const HbgExpr value = is_map ? hbg_expr_table(elaborator->pool, HBG_OP_MAP, declared.table, 0, x, y)
                               : hbg_elaborate_look_up(elaborator, declared.table, x);
  return outside_of_table(elaborator, place, call, value);
}

void hbg_elaborate_callables(HbgElaborator *elaborator) {
  for (int32_t index = 0; index < elaborator->callable_count; index++) {
    const HbgCallableDeclaration *declared = &elaborator->callables[index];
    const HbgNodeKind kind = hbg_tree_kind(tree_of(declared->frame), declared->node);
    if (declared->is_made) continue;
    if (kind == HBG_NODE_TABLE) make_table(elaborator, index);
    if (kind == HBG_NODE_DATA) hbg_elaborate_make_data(elaborator, index);
  }
}

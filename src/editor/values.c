/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, units and variables behind the names of a text. */
#include "editor/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborate.h"

enum { LONGEST_EXCERPT = 120 };

const char *hbg_source_excerpt(const HbgView *view, HbgTreeNode node) {
  const HbgTree *tree = view->tree;
  const HbgTreeNodeData *data = &tree->nodes[node];
  HbgText text = hbg_text(view->arena);
  for (int32_t i = data->first_token; i <= data->last_token; i++) {
    const HbgToken *token = &tree->tokens[i];
    if (token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END) continue;
    if (text.length > LONGEST_EXCERPT) {
      hbg_text_add(&text, " ...");
      break;
    }
    if (i > data->first_token && hbg_tree_blank(tree, i) < token->span.begin && text.length) hbg_text_add(&text, " ");
    hbg_text_add_bytes(&text, tree->text + token->span.begin, token->span.end - token->span.begin);
  }
  return text.bytes;
}

const HbgView *hbg_view_of_scope(const HbgView *view, int32_t scope) {
  while (scope >= 0 && hbg_tree_kind(view->tree, view->names->scopes[scope].node) != HBG_NODE_SUBMODEL) scope = view->names->scopes[scope].outer;
  if (scope < 0) return view;
  HbgView *without = ARENA_NEW(view->arena, HbgView, 1);
  *without = (HbgView){.tree = view->tree, .names = view->names, .arena = view->arena};
  return without;
}

bool hbg_is_part_of(const char *flat, const HbgName *name) {
  if (strncmp(flat, name->text, name->length) != 0) return false;
  const char next = flat[name->length];
  return next == '\0' || next == '[' || next == '.';
}

const HbgNode *hbg_view_node(const HbgView *view, const HbgName *name) {
  for (int32_t i = 0; view->model && i < view->model->node_count; i++)
    if (hbg_is_part_of(view->model->nodes[i].name, name)) return &view->model->nodes[i];
  return NULL;
}

static const char *kind_of_element(const HbgView *view, const HbgName *name, uint32_t *length) {
  const char *kind = hbg_tree_text(view->tree, view->tree->nodes[name->node].parent, length);
  if (*length > 1 && *kind == 'M') {
    --*length;
    return kind + 1;
  }
  return kind;
}

const char *const *hbg_members_of(const HbgView *view, const HbgName *name, int32_t *count) {
  static const char *const effort[] = {"e"}, *const flow[] = {"f"}, *const both[] = {"e", "f"}, *const charge[] = {"q", "e", "f"},
                    *const momentum[] = {"p", "e", "f"}, *const ports[] = {"e1", "f1", "e2", "f2"};
  static const struct {
    const char *kind;
    const char *const *members;
    int32_t count;
  } kinds[] = {{"0", effort, 1}, {"1", flow, 1}, {"C", charge, 3}, {"I", momentum, 3}, {"TF", ports, 4}, {"GY", ports, 4},
               {"Se", both, 2}, {"Sf", both, 2}, {"R", both, 2}};
  *count = 0;
  if (name->kind == HBG_NAME_BOND) return *count = 2, both;
  if (name->kind != HBG_NAME_ELEMENT && name->kind != HBG_NAME_JUNCTION) return both;
  uint32_t length;
  const char *kind = kind_of_element(view, name, &length);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strlen(kinds[i].kind) == length && memcmp(kinds[i].kind, kind, length) == 0)
      return *count = kinds[i].count, kinds[i].members;
  return both;
}

const char *hbg_letter_meaning(const char *letter, uint32_t length) {
  if (length == 0 || length > 2) return NULL;
  switch (letter[0]) {
    case 'e': return length == 1 ? "effort" : "effort of port 1, where the bond comes in, or 2";
    case 'f': return length == 1 ? "flow" : "flow of port 1, where the bond comes in, or 2";
    case 'q': return "stored displacement, the integral of the flow";
    case 'p': return "stored momentum, the integral of the effort";
    case 'n': return "ratio of the transformer: e1 = n e2, f2 = n f1";
    case 'r': return "ratio of the gyrator: e1 = r f2, e2 = r f1";
    default: return NULL;
  }
}

/* ---- values ---- */

static HbgExpr evaluate(const HbgView *view, HbgExprPool *pool, const char *expression) {
  if (!view->model) return 0;
  *pool = hbg_expr_pool_copy(&view->model->pool, view->arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(view->arena);
  return hbg_model_expression(view->model, pool, expression, &diagnostics);
}

const char *hbg_view_unit(const HbgView *view, const char *variable) {
  HbgExprPool pool;
  const HbgExpr expr = evaluate(view, &pool, variable);
  return expr ? hbg_model_unit(view->model, &pool, expr) : NULL;
}

bool hbg_view_constant(const HbgView *view, const char *expression, double *value) {
  HbgExprPool pool;
  const HbgExpr expr = evaluate(view, &pool, expression);
  if (!expr || !hbg_expr_is_constant(&pool, expr)) return false;
  *value = hbg_expr_node(&pool, expr)->value;
  return true;
}

const char *hbg_quantity(const HbgView *view, double value, const char *unit) {
  HbgUnit read;
  uint32_t begin, end;
  if (!unit) return hbg_print(view->arena, "%.12g", value);
  if (!hbg_unit_read(unit, (uint32_t)strlen(unit), &read, &begin, &end)) return hbg_print(view->arena, "%.12g [%s]", value, unit);
  const double own = (value - read.offset) / read.factor;
  const bool is_si = read.factor >= 1 && read.factor <= 1 && read.offset >= 0 && read.offset <= 0;
  if (is_si) return hbg_print(view->arena, "%.12g [%s]", value, unit);
  return hbg_print(view->arena, "%.12g [%s] = %.12g in SI", own, unit, value);
}

const char *hbg_in_si(const HbgView *view, const char *number, const char *unit, uint32_t length) {
  HbgUnit read;
  uint32_t begin, end;
  if (!hbg_unit_read(unit, length, &read, &begin, &end)) return NULL;
  return hbg_print(view->arena, "%s [%.*s] = %.12g %s", number, (int)length, unit, strtod(number, NULL) * read.factor + read.offset,
                   hbg_dimension_unit(read.dimension, view->arena));
}

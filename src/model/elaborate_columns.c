/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions in the name space of a finished model: columns of results. They look on and change nothing. */
#include <string.h>

#include "model/elaborator.h"

HbgExpr hbg_model_expression(const HbgFlatModel *model, HbgExprPool *pool, const char *text,
                             HbgDiagnostics *diagnostics) {
  // a copy of the name space that writes into the caller's pool only
  HbgElaborator elaborator = *(const HbgElaborator *)model->names;
  HbgFlatModel view = *model;
  elaborator.arena = pool->arena;
  elaborator.pool = pool;
  elaborator.model = &view;
  elaborator.diagnostics = diagnostics;
  elaborator.is_column = true;
  elaborator.text_is_wrong = false;
  elaborator.current = elaborator.blocked = -1;

  const int32_t errors = diagnostics->error_count;
  const char *copy = hbg_arena_text(pool->arena, text, strlen(text));
  const HbgTree tree = hbg_parse_expression(copy, (uint32_t)strlen(copy), pool->arena, diagnostics);
  if (diagnostics->error_count > errors || !tree.root) return 0;
  const HbgPlace place = {.tree = &tree, .frame = &elaborator.root->frame, .element = -1};
  const HbgExpr expr = hbg_elaborate_expression(&elaborator, &place, tree.root);
  return diagnostics->error_count > errors ? 0 : expr;
}

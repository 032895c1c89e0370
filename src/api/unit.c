/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to units of expressions. */
#include <string.h>

#include "api/api.h"
#include "model/elaborate.h"

typedef struct Question {
  HbgArena arena;
  const HbgModel *model;
  const char *expression;
  const char *unit; /* NULL: unknown */
  bool makes_sense;
} Question;

static HbgStatus ask(void *user) {
  Question *question = user;
  HbgExprPool pool = hbg_expr_pool_copy(&question->model->flat.pool, &question->arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(&question->arena);
  question->makes_sense =
      hbg_model_column(&question->model->flat, &pool, question->expression, &diagnostics, &question->unit) != 0;
  return HBG_OK;
}

HbgStatus hbg_model_unit_of(const HbgModel *model, const char *expression, char *unit, size_t size) {
  if (!model || !expression || !unit || !size) return HBG_ARGUMENT;
  *unit = '\0';
  if (model->diagnostics.error_count) return HBG_ARGUMENT;
  Question question = {.model = model, .expression = expression};
  question.arena = hbg_arena((HbgAllocator){model->options.allocate, model->options.release, model->options.user});
  HbgStatus status = hbg_guarded(&question.arena, ask, &question);
  if (status == HBG_OK && !question.makes_sense) status = HBG_ARGUMENT;
  const char *found = status == HBG_OK && question.unit ? question.unit : "";
  if (strlen(found) < size) memcpy(unit, found, strlen(found) + 1);
  hbg_arena_release_all(&question.arena);
  return status;
}

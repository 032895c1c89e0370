/* SPDX-License-Identifier: BSD-3-Clause
 * Elaborating in tests: a text with its flat model, and expressions written as one line to compare with. */
#ifndef TESTS_SUPPORT_ELABORATED_H
#define TESTS_SUPPORT_ELABORATED_H

#include <string.h>

#include "base/text.h"
#include "model/elaborate.h"
#include "support/check.h"

typedef struct Elaborated {
  HbgArena arena;
  HbgDiagnostics diagnostics;
  HbgFlatModel model;
  const char *text;
  const HbgSetting *settings;
  int32_t setting_count;
} Elaborated;

static inline HbgStatus elaborated_make(void *user) {
  Elaborated *made = user;
  made->diagnostics = hbg_diagnostics(&made->arena);
  const HbgTree tree = hbg_parse(made->text, (uint32_t)strlen(made->text), &made->arena, &made->diagnostics);
  hbg_elaborate(&tree, "model.hbg", NULL, made->settings, made->setting_count, &made->arena, &made->diagnostics, &made->model);
  hbg_diagnostics_sort(&made->diagnostics);
  return HBG_OK;
}

/* Elaborates `text` with settings; mistakes are left to the caller. */
static inline void elaborated_try(Elaborated *made, const char *text, const HbgSetting *settings, int32_t count) {
  *made = (Elaborated){.arena = hbg_arena((HbgAllocator){0}), .text = text, .settings = settings, .setting_count = count};
  if (hbg_guarded(&made->arena, elaborated_make, made) != HBG_OK) fail_msg("out of memory");
}

/* The same, and there must be no mistake. */
static inline void elaborated_begin_with(Elaborated *made, const char *text, const HbgSetting *settings, int32_t count) {
  elaborated_try(made, text, settings, count);
  for (int32_t i = 0; i < made->diagnostics.count; i++)
    if (made->diagnostics.list[i].severity == HBG_ERROR)
      fail_msg("E%04d: %s\n%s", (int)made->diagnostics.list[i].code, made->diagnostics.list[i].message, text);
}

static inline void elaborated_begin(Elaborated *made, const char *text) { elaborated_begin_with(made, text, NULL, 0); }
static inline void elaborated_end(Elaborated *made) { hbg_arena_release_all(&made->arena); }

/* ---- what is in the model, by name ---- */

#define ELABORATED_FIND(what, Type, list, count)                                        \
  static inline const Type *elaborated_##what(const Elaborated *made, const char *name) { \
    for (int32_t i = 0; i < made->model.count; i++)                                     \
      if (!strcmp(made->model.list[i].name, name)) return &made->model.list[i];         \
    fail_msg("there is no " #what " '%s'", name);                                       \
    return NULL;                                                                        \
  }
ELABORATED_FIND(node, HbgNode, nodes, node_count)
ELABORATED_FIND(bond, HbgBond, bonds, bond_count)
ELABORATED_FIND(state, HbgState, states, state_count)
ELABORATED_FIND(signal, HbgSignal, signals, signal_count)
ELABORATED_FIND(machine, HbgMachine, machines, machine_count)
ELABORATED_FIND(parameter, HbgParameter, parameters, parameter_count)
#undef ELABORATED_FIND

/* ---- expressions in words ---- */

static inline void words_add(HbgText *text, const HbgFlatModel *model, const HbgExprPool *pool, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  switch (node->op) {
    case HBG_OP_CONSTANT:
      if (node->is_boolean) hbg_text_add(text, "%s", node->value > 0 ? "true" : "false");
      else hbg_text_add_number(text, node->value);
      return;
    case HBG_OP_TIME: hbg_text_add(text, "time"); return;
    case HBG_OP_STATE: hbg_text_add(text, "{%s}", model->states[node->index].name); return;
    case HBG_OP_EFFORT: hbg_text_add(text, "e{%s}", model->bonds[node->index].name); return;
    case HBG_OP_FLOW: hbg_text_add(text, "f{%s}", model->bonds[node->index].name); return;
    case HBG_OP_TICK: hbg_text_add(text, "tick%d", (int)node->index); return;
    case HBG_OP_IS_ON: hbg_text_add(text, "%s.on", model->machines[node->index].name); return;
    case HBG_OP_IN_STATE:
      hbg_text_add(text, "%s.%s", model->machines[node->index].name,
                   model->machines[node->index].states[node->other].name);
      return;
    default: break;
  }
  hbg_text_add(text, "(%s", hbg_operation_info[node->op].name);
  const HbgExpr arguments[] = {node->a, node->b, node->c};
  for (int i = 0; i < 3 && arguments[i]; i++) {
    hbg_text_add(text, " ");
    words_add(text, model, pool, arguments[i]);
  }
  hbg_text_add(text, ")");
}

typedef struct WordsJob {
  Elaborated *made;
  HbgExpr expr;
  const char *column; /* a text to read first, NULL without */
  HbgDiagnostics diagnostics;
  HbgText text;
} WordsJob;

static inline HbgStatus words_run(void *user) {
  WordsJob *job = user;
  HbgArena *arena = &job->made->arena;
  HbgExprPool pool = hbg_expr_pool_copy(&job->made->model.pool, arena);
  job->text = hbg_text(arena);
  job->diagnostics = hbg_diagnostics(arena);
  if (job->column) job->expr = hbg_model_expression(&job->made->model, &pool, job->column, &job->diagnostics);
  if (job->expr) words_add(&job->text, &job->made->model, &pool, job->expr);
  return HBG_OK;
}

/* "(+ {bullet.p} (* 2 e{a -> b}))" */
static inline const char *elaborated_words(Elaborated *made, HbgExpr expr) {
  WordsJob job = {.made = made, .expr = expr};
  if (hbg_guarded(&made->arena, words_run, &job) != HBG_OK) fail_msg("out of memory");
  return job.text.bytes;
}

/* The same of a column's text; "" when that makes no sense. */
static inline const char *elaborated_column(Elaborated *made, const char *column) {
  WordsJob job = {.made = made, .column = column};
  if (hbg_guarded(&made->arena, words_run, &job) != HBG_OK) fail_msg("out of memory");
  return job.text.bytes;
}

#endif

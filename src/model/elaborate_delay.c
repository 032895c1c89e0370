/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: delays. The value of delay(x, T) is what x was at time - T: before the run, what `start` says, as a function of
 * time; then, what the run remembers (hybrid/past.h). */
#include <math.h>

#include "base/text.h"
#include "model/expression_build.h"
#include "model/functions.h"

enum { X, T, MOST, START };

static bool has_arguments(HbgElaborator *elaborator, const HbgIntegral *memory, HbgArguments *out) {
  return hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, out);
}

static HbgExpr at_other_time(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return hbg_expr_node(pool, leaf)->op == HBG_OP_TIME ? *(const HbgExpr *)user : 0;
}

static HbgExpr note_other(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgOperation op = hbg_expr_node(pool, leaf)->op;
  if (op != HBG_OP_TIME && op != HBG_OP_CONSTANT) *(bool *)user = true;
  return 0;
}

/* What the signal was before the run, over TIME; 0: told. */
static HbgExpr before(HbgElaborator *elaborator, const HbgIntegral *memory, const HbgArguments *arguments) {
  HbgExprPool *pool = elaborator->pool;
  if (!arguments->list[START]) return NUMBER(0);
  // no instants are scheduled before the run
  const bool was_column = elaborator->is_column;
  elaborator->is_column = true;
  const HbgExpr expr = hbg_elaborate_number(elaborator, &memory->place, arguments->list[START]);
  elaborator->is_column = was_column;
  bool reads_other = false;
  if (expr) hbg_expr_replace(pool, expr, note_other, &reads_other);
  if (!reads_other) return expr;
  if (hbg_elaborator_report(elaborator, &memory->place, HBG_DIAGNOSTIC_DELAY,
                            hbg_tree_span(memory->place.tree, arguments->list[START]),
                            "what a signal was before the run can depend on time and parameters only"))
    HELP(elaborator, "as in: delay(x, 1 [s], start = cos(time))");
  return 0;
}

static HbgExpr tell_not_positive(HbgElaborator *elaborator, const HbgIntegral *memory, HbgTreeNode node, double value) {
  if (hbg_elaborator_report(elaborator, &memory->place, HBG_DIAGNOSTIC_DELAY, hbg_tree_span(memory->place.tree, node),
                            "the delay is %.9g s", value))
    HELP(elaborator, "it must be greater than 0");
  return 0;
}

static int32_t add_delay(HbgElaborator *elaborator, const HbgIntegral *memory, HbgExpr past, double most) {
  HbgFlatModel *model = elaborator->model;
  HbgLookUpTable *table = ARENA_NEW(elaborator->arena, HbgLookUpTable, 1);
  *table = (HbgLookUpTable){.name = memory->name, .history = ARENA_NEW(elaborator->arena, HbgHistory, 1)};
  const HbgDelay delay = {.before = past, .table = hbg_expr_add_table(elaborator->pool, table), .window = -1, .most = most};
  ARENA_PUSH(elaborator->arena, model->delays, model->delay_count, elaborator->delay_capacity) = delay;
  return model->delay_count - 1;
}

static int32_t add_window(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t table, double length) {
  HbgFlatModel *model = elaborator->model;
  const HbgVariable stretch = {.name = hbg_print(elaborator->arena, "%s.past", memory->name)};
  const HbgWindow window = {.variable = hbg_elaborate_add_variable(elaborator, stretch), .table = table, .delay = memory->delay, .length = length};
  ARENA_PUSH(elaborator->arena, model->windows, model->window_count, elaborator->window_capacity) = window;
  return model->window_count - 1;
}

static HbgExpr fixed(HbgElaborator *elaborator, const HbgIntegral *memory, HbgExpr past, double time) {
  HbgExprPool *pool = elaborator->pool;
  HbgFlatModel *model = elaborator->model;
  HbgDelay *delay = &model->delays[memory->delay];
  HbgExpr then = SUB(hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0), NUMBER(time));
  if (delay->window < 0) delay->window = add_window(elaborator, memory, delay->table, time);
  const HbgExpr stretch = hbg_expr_leaf(pool, HBG_OP_VARIABLE, model->windows[delay->window].variable, 0);
  const HbgExpr since = hbg_expr_table(pool, HBG_OP_COURSE, delay->table, 0, then, stretch);
  return hbg_expr_select(pool, hbg_expr_binary(pool, HBG_OP_LESS, stretch, NUMBER(1)),
                         hbg_expr_replace(pool, past, at_other_time, &then), since);
}

static HbgExpr varying(HbgElaborator *elaborator, const HbgIntegral *memory, HbgExpr past, HbgExpr time) {
  HbgExprPool *pool = elaborator->pool;
  const HbgDelay *delay = &elaborator->model->delays[memory->delay];
  // never more than was agreed, and no time that is yet to come
  HbgExpr held = hbg_expr_binary(pool, HBG_OP_MAX, time, NUMBER(0));
  if (isfinite(delay->most)) held = hbg_expr_binary(pool, HBG_OP_MIN, held, NUMBER(delay->most));
  HbgExpr then = SUB(hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0), held);
  const HbgExpr since = hbg_expr_table(pool, HBG_OP_TABLE, delay->table, 0, then, 0);
  return hbg_expr_select(pool, hbg_expr_binary(pool, HBG_OP_LESS_EQUAL, then, NUMBER(0)),
                         hbg_expr_replace(pool, past, at_other_time, &then), since);
}

HbgExpr hbg_delay_value(HbgElaborator *elaborator, HbgIntegral *memory) {
  HbgArguments arguments;
  double most;
  if (!has_arguments(elaborator, memory, &arguments) ||
      !hbg_elaborate_number_or(elaborator, &memory->place, arguments.list[MOST], HUGE_VAL, &most))
    return 0;
  const HbgExpr time = hbg_elaborate_number(elaborator, &memory->place, arguments.list[T]);
  const HbgExpr past = before(elaborator, memory, &arguments);
  if (!time || !past) return 0;
  const bool is_fixed = hbg_expr_is_constant(elaborator->pool, time);
  const double value = is_fixed ? hbg_expr_node(elaborator->pool, time)->value : 0;
  if (is_fixed && !(value > 0)) return tell_not_positive(elaborator, memory, arguments.list[T], value);
  if (!(most > 0)) return tell_not_positive(elaborator, memory, arguments.list[MOST], most);
  if (memory->delay < 0) memory->delay = add_delay(elaborator, memory, past, is_fixed ? value : most);
  return is_fixed ? fixed(elaborator, memory, past, value) : varying(elaborator, memory, past, time);
}

void hbg_delay_inputs(HbgElaborator *elaborator, const HbgIntegral *memory) {
  HbgArguments arguments;
  if (memory->delay < 0 || !has_arguments(elaborator, memory, &arguments)) return;
  const HbgExpr input = hbg_elaborate_number(elaborator, &memory->place, arguments.list[X]); // which may be the first to read another delay
  elaborator->model->delays[memory->delay].input = input;
}

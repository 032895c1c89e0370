/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/linearisation.h"

#include "base/key.h"

/* A derivative as an expression: all are made before the first is emitted, since both walk the pool. */
typedef struct Derivative {
  int32_t of;
  HbgExpr expr;
  bool by_state; /* else by an unknown */
} Derivative;

typedef struct Gradient {
  const HbgSystem *system;
  HbgArena *arena;
  Derivative *list;
  int32_t count, capacity;
} Gradient;

typedef struct Maker {
  HbgLinearisation *made;
  HbgExprPool *pool;
  HbgArena *arena, *scratch;
  HbgEmitter emitter;
} Maker;

/* ---- differentiating ---- */

static void take_slope(HbgExprPool *pool, HbgExpr leaf, HbgExpr slope, void *user) {
  Gradient *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  const bool by_state = node->op == HBG_OP_STATE;
  const int32_t of = by_state ? node->index : hbg_system_unknown(self->system, node);
  if (of < 0) return;
  ARENA_PUSH(self->arena, self->list, self->count, self->capacity) = (Derivative){of, slope, by_state};
}

static bool is_state_or_unknown(const HbgExprNode *leaf, void *user) { return leaf->op == HBG_OP_STATE || hbg_system_unknown(user, leaf) >= 0; }

/* The gradients of `count` expressions; 0 has none. */
static Gradient *differentiate(Maker *self, const HbgExpr *exprs, int32_t count) {
  Gradient *gradients = ARENA_NEW(self->arena, Gradient, count);
  for (int32_t at = 0; at < count; at++) {
    gradients[at] = (Gradient){.system = &self->made->equations->system, .arena = self->arena};
    if (!exprs[at]) continue;
    hbg_expr_gradient(self->pool, exprs[at], self->scratch, take_slope, &gradients[at]);
    if (!hbg_expr_is_affine(self->pool, exprs[at], is_state_or_unknown, (void *)(uintptr_t)&self->made->equations->system)) self->made->is_affine = false;
  }
  return gradients;
}

/* Rates of states, then demanded variables. */
static HbgExpr *list_outputs(Maker *self, const HbgTemplate *template) {
  const HbgEquations *equations = self->made->equations;
  HbgExpr *outputs = ARENA_NEW(self->arena, HbgExpr, self->made->output_count);
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) outputs[state] = equations->states[state];
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++)
    if (template->is_demanded[variable]) outputs[template->state_count + variable] = equations->variables[variable];
  return outputs;
}

/* ---- emitting ---- */

static HbgSlopes emit(Maker *self, const Gradient *gradients, int32_t count, bool by_state) {
  HbgSlopes slopes = {.count = count, .start = ARENA_NEW(self->arena, int32_t, count + 1)};
  for (int32_t at = 0; at < count; at++) {
    int32_t end = slopes.start[at];
    for (int32_t which = 0; which < gradients[at].count; which++) {
      const Derivative *derivative = &gradients[at].list[which];
      if (derivative->by_state != by_state) continue;
      const int32_t target = hbg_emit(&self->emitter, derivative->expr);
      if (!hbg_emitted_constant(&self->emitter, target)) self->made->is_constant = false;
      ARENA_PUSH(self->arena, slopes.list, end, slopes.capacity) = (HbgSlope){derivative->of, target};
    }
    slopes.start[at + 1] = end;
  }
  return slopes;
}

/* ---- what an output depends on ---- */

static int32_t *group_of_unknowns(const HbgEquations *equations, HbgArena *scratch) {
  int32_t *group_of = ARENA_NEW(scratch, int32_t, equations->system.unknown_count);
  for (int32_t group = 0; group < equations->group_count; group++)
    for (int32_t at = 0; at < equations->groups[group].column_count; at++)
      group_of[equations->groups[group].columns[at]] = group;
  return group_of;
}

static void find_groups(HbgLinearisation *made, HbgArena *arena, HbgArena *scratch) {
  const int32_t *group_of = group_of_unknowns(made->equations, scratch);
  int32_t *seen = ARENA_NEW(scratch, int32_t, made->equations->group_count);
  made->group_start = ARENA_NEW(arena, int32_t, made->output_count + 1);
  for (int32_t output = 0; output < made->output_count; output++) {
    int32_t end = made->group_start[output];
    for (int32_t at = made->by_unknown.start[output]; at < made->by_unknown.start[output + 1]; at++) {
      const int32_t group = group_of[made->by_unknown.list[at].of];
      if (seen[group] == output + 1) continue;
      seen[group] = output + 1;
      ARENA_PUSH(arena, made->group_list, end, made->group_capacity) = group;
    }
    made->group_start[output + 1] = end;
  }
}

typedef struct Columns {
  HbgLinearisation *made;
  HbgArena *arena;
  int32_t *seen, stamp, end;
} Columns;

static void add_columns(Columns *self, const HbgSlopes *slopes, int32_t at) {
  for (int32_t which = slopes->start[at]; which < slopes->start[at + 1]; which++) {
    const int32_t state = slopes->list[which].of;
    if (self->seen[state] == self->stamp) continue;
    self->seen[state] = self->stamp;
    ARENA_PUSH(self->arena, self->made->column, self->end, self->made->column_capacity) = state;
  }
}

/* Directly, or by the rows that fix an unknown it reads. */
static void find_columns(HbgLinearisation *made, int32_t state_count, HbgArena *arena, HbgArena *scratch) {
  Columns self = {.made = made, .arena = arena, .seen = ARENA_NEW(scratch, int32_t, state_count)};
  made->column_start = ARENA_NEW(arena, int32_t, made->output_count + 1);
  for (int32_t output = 0; output < made->output_count; output++) {
    self.stamp = output + 1;
    add_columns(&self, &made->by_state, output);
    for (int32_t at = made->group_start[output]; at < made->group_start[output + 1]; at++) {
      const HbgGroup *group = &made->equations->groups[made->group_list[at]];
      for (int32_t row = 0; row < group->row_count; row++) add_columns(&self, &made->residual, group->rows[row]);
    }
    made->column_start[output + 1] = self.end;
    if (self.end > made->column_start[output])
      hbg_key_sort(&made->column[made->column_start[output]], self.end - made->column_start[output]);
  }
}

static const HbgLinearisation *make(const HbgEquations *equations, const HbgTemplate *template, HbgExprPool *pool,
                                    HbgArena *arena, HbgArena *scratch) {
  HbgLinearisation *made = ARENA_NEW(arena, HbgLinearisation, 1);
  Maker self = {.made = made, .pool = pool, .arena = arena, .scratch = scratch};
  made->equations = equations;
  made->output_count = template->state_count + 2 * template->graph.bond_count;
  made->is_constant = equations->entries_are_constant;
  made->is_affine = true;
  const HbgExpr *outputs = list_outputs(&self, template);
  const Gradient *of_outputs = differentiate(&self, outputs, made->output_count);
  const Gradient *of_rows = differentiate(&self, equations->system.residuals, equations->system.row_count);
  self.emitter = hbg_emitter(&made->program, pool, arena);
  made->by_state = emit(&self, of_outputs, made->output_count, true);
  made->by_unknown = emit(&self, of_outputs, made->output_count, false);
  made->residual = emit(&self, of_rows, equations->system.row_count, true);
  if (!made->is_constant) made->is_affine = false;
  find_groups(made, arena, scratch);
  find_columns(made, template->state_count, arena, scratch);
  return made;
}

const HbgLinearisation *hbg_linearisation(HbgIslandProgram *program, const HbgEquations *equations, HbgExprPool *pool,
                                          HbgArena *arena, HbgArena *scratch) {
  const HbgLinearisation **place = &program->linearisation[equations->system.kind == HBG_SYSTEM_STACKED];
  if (*place) return *place;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  *place = make(equations, &program->template, pool, arena, scratch);
  hbg_arena_rewind(scratch, mark);
  return *place;
}

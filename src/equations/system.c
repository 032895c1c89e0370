/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/system.h"

typedef struct Builder {
  HbgSystem *system;
  HbgExprPool *pool;
  HbgArena *arena;
  int32_t *columns; /* of the unknowns a row depends on */
  int32_t column_count, column_capacity;
  int32_t *column_seen; /* per unknown: the row that saw it last, plus one */
  HbgExpr *slope;       /* per unknown, of the row at hand */
  HbgArena *scratch;
  int32_t row;
  int32_t area_count; /* unknowns of slot kind AREA_UNKNOWN come first */
} Builder;

static void add_unknowns(HbgSystem *system, HbgSlotKind kind, int32_t count, HbgExprPool *pool, HbgArena *arena) {
  for (int32_t unknown = 0; unknown < count; unknown++)
    ARENA_PUSH(arena, system->unknowns, system->unknown_count, system->unknown_capacity) =
        hbg_slot(pool, kind, unknown);
}

static void add_row(HbgSystem *system, HbgExpr residual, int32_t origin, HbgExprPool *pool, HbgArena *arena) {
  if (hbg_expr_is(pool, residual, 0)) return;
  int32_t count = system->row_count;
  ARENA_PUSH(arena, system->row_origin, count, system->origin_capacity) = origin;
  ARENA_PUSH(arena, system->residuals, system->row_count, system->row_capacity) = residual;
}

/* ---- Jacobian ---- */

/* The column of an unknown's slot; -1 for other leaves. */
static int32_t column_of(const Builder *self, const HbgExprNode *node) {
  if (node->op != HBG_OP_SLOT) return -1;
  const int32_t finite_count = self->system->kind == HBG_SYSTEM_STACKED ? self->system->unknown_count / 2 : 0;
  switch ((HbgSlotKind)node->other) {
    case HBG_SLOT_UNKNOWN: return self->area_count + node->index;
    case HBG_SLOT_RATE: return finite_count + node->index;
    case HBG_SLOT_AREA_UNKNOWN: return self->system->kind == HBG_SYSTEM_JUMP ? node->index : -1;
    default: return -1;
  }
}

static bool note_column(HbgExprPool *pool, HbgExpr expr, void *user) {
  Builder *self = user;
  const int32_t column = column_of(self, hbg_expr_node(pool, expr));
  if (column < 0 || self->column_seen[column] == self->row + 1) return true;
  self->column_seen[column] = self->row + 1;
  ARENA_PUSH(self->arena, self->columns, self->column_count, self->column_capacity) = column;
  return true;
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

static bool note_unknown(HbgExprPool *pool, HbgExpr expr, void *user) {
  Builder *self = user;
  if (column_of(self, hbg_expr_node(pool, expr)) >= 0) self->system->is_linear = false;
  return true;
}

static void take_slope(HbgExprPool *pool, HbgExpr leaf, HbgExpr slope, void *user) {
  const Builder *self = user;
  const int32_t column = column_of(self, hbg_expr_node(pool, leaf));
  if (column >= 0) self->slope[column] = slope;
}

/* With respect to the unknowns it depends on. One by one each walks through the whole row: of many, all at once. */
static void find_slopes(Builder *self, HbgExpr residual) {
  enum { FEW = 8 };
  if (self->column_count > FEW) {
    for (int32_t at = 0; at < self->column_count; at++) self->slope[self->columns[at]] = hbg_expr_constant(self->pool, 0);
    hbg_expr_gradient(self->pool, residual, self->scratch, take_slope, self);
    return;
  }
  for (int32_t at = 0; at < self->column_count; at++)
    self->slope[self->columns[at]] = hbg_expr_derivative(self->pool, residual, one_for, &self->system->unknowns[self->columns[at]]);
}

static void differentiate_row(Builder *self) {
  HbgSystem *system = self->system;
  self->column_count = 0;
  hbg_expr_visit(self->pool, system->residuals[self->row], note_column, self);
  find_slopes(self, system->residuals[self->row]);
  for (int32_t at = 0; at < self->column_count; at++) {
    const int32_t column = self->columns[at];
    const HbgExpr entry = self->slope[column];
    if (hbg_expr_is(self->pool, entry, 0)) continue;
    ARENA_PUSH(self->arena, system->entries, system->entry_count, system->entry_capacity) =
        (HbgSystemEntry){self->row, column, entry};
    hbg_expr_visit(self->pool, entry, note_unknown, self);
  }
}

typedef struct RowReads {
  bool state, time;
} RowReads;

static bool note_reads(HbgExprPool *pool, HbgExpr expr, void *user) {
  RowReads *reads = user;
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  if (op == HBG_OP_STATE) reads->state = true;
  if (op == HBG_OP_TIME) reads->time = true;
  return true;
}

static void differentiate(HbgSystem *system, int32_t area_count, HbgExprPool *pool, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  system->row_reads_state = ARENA_NEW(arena, bool, system->row_count);
  for (int32_t row = 0; row < system->row_count; row++) {
    RowReads reads = {false, false};
    hbg_expr_visit(pool, system->residuals[row], note_reads, &reads);
    system->row_reads_state[row] = reads.state;
    system->reads_time = system->reads_time || reads.time;
  }
  Builder self = {.system = system,
                  .pool = pool,
                  .arena = arena,
                  .column_seen = ARENA_NEW(arena, int32_t, system->unknown_count),
                  .slope = ARENA_NEW(scratch, HbgExpr, system->unknown_count),
                  .scratch = scratch,
                  .area_count = area_count};
  system->is_linear = true;
  for (self.row = 0; self.row < system->row_count; self.row++) differentiate_row(&self);
  hbg_arena_rewind(scratch, mark);
}

/* ---- finite ---- */

typedef struct TimeDerivative {
  const HbgExpr *rate;
} TimeDerivative;

static HbgExpr time_derivative(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const TimeDerivative *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_TIME) return hbg_expr_constant(pool, 1);
  if (node->op == HBG_OP_STATE) return self->rate[node->index];
  return hbg_is_slot(node, HBG_SLOT_UNKNOWN) ? hbg_slot(pool, HBG_SLOT_RATE, node->index) : 0;
}

HbgSystem hbg_system_finite(const HbgSorted *finite, HbgSystemKind kind, const HbgExpr *rate, HbgExprPool *pool,
                            HbgArena *arena, HbgArena *scratch) {
  HbgSystem system = {.kind = kind};
  add_unknowns(&system, HBG_SLOT_UNKNOWN, finite->unknown_count, pool, arena);
  if (kind == HBG_SYSTEM_STACKED) add_unknowns(&system, HBG_SLOT_RATE, finite->unknown_count, pool, arena);
  TimeDerivative derivative = {rate};
  for (int32_t row = 0; row < finite->unknown_count; row++) {
    const HbgExpr residual = finite->unknowns[row].residual;
    add_row(&system, residual, finite->unknowns[row].node, pool, arena);
    if (kind != HBG_SYSTEM_STACKED) continue;
    const HbgExpr dot = hbg_expr_derivative(pool, residual, time_derivative, &derivative);
    add_row(&system, dot, finite->unknowns[row].node, pool, arena);
  }
  differentiate(&system, 0, pool, arena, scratch);
  return system;
}

/* ---- jump ---- */

static HbgExpr state_after(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExpr *jump = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  return node->op == HBG_OP_STATE ? hbg_expr_binary(pool, HBG_OP_ADD, leaf, jump[node->index]) : 0;
}

HbgSystem hbg_system_jump(const HbgSorted *finite, const HbgSorted *areas, const HbgExpr *jump, HbgExprPool *pool,
                          HbgArena *arena, HbgArena *scratch) {
  HbgSystem system = {.kind = HBG_SYSTEM_JUMP};
  add_unknowns(&system, HBG_SLOT_AREA_UNKNOWN, areas->unknown_count, pool, arena);
  add_unknowns(&system, HBG_SLOT_UNKNOWN, finite->unknown_count, pool, arena);
  // J5: a finite solution exists at x+
  for (int32_t row = 0; row < finite->unknown_count; row++) {
    HbgExpr residual = finite->unknowns[row].residual;
    residual = hbg_expr_replace(pool, residual, state_after, (void *)(uintptr_t)jump);
    add_row(&system, residual, finite->unknowns[row].node, pool, arena);
  }
  // J2, J3: the laws hold for the areas; J4: none at resistors
  for (int32_t row = 0; row < areas->unknown_count; row++)
    add_row(&system, areas->unknowns[row].residual, areas->unknowns[row].node, pool, arena);
  for (int32_t row = 0; row < areas->condition_count; row++)
    add_row(&system, areas->conditions[row], areas->condition_nodes[row], pool, arena);
  differentiate(&system, areas->unknown_count, pool, arena, scratch);
  return system;
}

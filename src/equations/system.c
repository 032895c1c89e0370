/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/system.h"

#include <string.h>

#include "base/key.h"

/* What a row is made of besides unknowns. */
typedef struct Reads {
  bool state, time;
} Reads;

typedef struct Slope {
  int32_t column;
  HbgExpr expr;
} Slope;

/* What many rows are made of: how fast a state changes, or by how much, that tens of others depend on. It is differentiated once, and the rows as far
 * as it: of k storages that are tied together each row would be a sum of k terms. */
typedef struct Shared {
  Slope *slopes; int32_t slope_count;
  Reads reads;
  HbgExpr share; /* slope of the row at hand with respect to it */
  int32_t met;   /* the row that met it last, plus one */
} Shared;

typedef struct Builder {
  HbgSystem *system;
  HbgExprPool *pool;
  HbgArena *arena;
  HbgExpr *border; Shared *shared; int32_t shared_count; /* ascending, and what is known of each */
  Reads reads;      /* of the row at hand */
  int32_t *columns; /* of the unknowns it depends on */
  int32_t column_count, column_capacity;
  int32_t *column_seen; /* per unknown: the row that saw it last, plus one */
  HbgExpr *slope;       /* per unknown, of the row at hand */
  HbgSystemEntry *entries; int32_t entry_count, entry_capacity; /* so far */
  HbgArena *scratch;    /* all these lists lie there */
  int32_t row;
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

int32_t hbg_system_unknown(const HbgSystem *system, const HbgExprNode *leaf) {
  if (leaf->op != HBG_OP_SLOT) return -1;
  switch ((HbgSlotKind)leaf->other) {
    case HBG_SLOT_UNKNOWN: return system->area_count + leaf->index;
    case HBG_SLOT_RATE: return system->finite_count + leaf->index;
    case HBG_SLOT_AREA_UNKNOWN: return system->kind == HBG_SYSTEM_JUMP ? leaf->index : -1;
    case HBG_SLOT_SHARED: return system->unknown_count - system->shared_count + leaf->index;
    default: return -1;
  }
}

/* ---- Jacobian ---- */

static void note_column(Builder *self, int32_t column) {
  if (column < 0 || self->column_seen[column] == self->row + 1) return;
  self->column_seen[column] = self->row + 1;
  ARENA_PUSH(self->scratch, self->columns, self->column_count, self->column_capacity) = column;
}

static Shared *shared_at(const Builder *self, HbgExpr expr) {
  const int32_t at = hbg_expr_place(expr, self->border, self->shared_count);
  return at < 0 ? NULL : &self->shared[at];
}

/* The row is made of that, too. */
static void note_shared(Builder *self, Shared *shared) {
  shared->met = self->row + 1;
  shared->share = 0;
  self->reads.state = self->reads.state || shared->reads.state;
  self->reads.time = self->reads.time || shared->reads.time;
  for (int32_t at = 0; at < shared->slope_count; at++) note_column(self, shared->slopes[at].column);
}

static bool note_part(HbgExprPool *pool, HbgExpr expr, void *user) {
  Builder *self = user;
  Shared *shared = self->shared_count ? shared_at(self, expr) : NULL;
  if (shared) {
    note_shared(self, shared);
    return false;
  }
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  self->reads.state = self->reads.state || node->op == HBG_OP_STATE;
  self->reads.time = self->reads.time || node->op == HBG_OP_TIME;
  note_column(self, hbg_system_unknown(self->system, node));
  return true;
}

static void note_parts(Builder *self, HbgExpr expr) {
  self->column_count = 0;
  self->reads = (Reads){false, false};
  hbg_expr_visit(self->pool, expr, note_part, self);
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

static void take_slope(HbgExprPool *pool, HbgExpr leaf, HbgExpr slope, void *user) {
  const Builder *self = user;
  Shared *shared = self->shared_count ? shared_at(self, leaf) : NULL;
  const int32_t column = hbg_system_unknown(self->system, hbg_expr_node(pool, leaf));
  if (shared) shared->share = slope;
  else if (column >= 0) self->slope[column] = slope;
}

/* One by one each walks through the whole expression: of many, all at once. */
enum { FEW = 8 };

static void begin_slopes(Builder *self) {
  for (int32_t at = 0; at < self->column_count; at++) self->slope[self->columns[at]] = hbg_expr_constant(self->pool, 0);
}

/* Of a sum most slopes are the same. */
static void add_shared_slopes(Builder *self, const Shared *shared) {
  HbgExpr last = 0, product = 0;
  for (int32_t at = 0; at < shared->slope_count; at++) {
    HbgExpr *slope = &self->slope[shared->slopes[at].column];
    if (shared->slopes[at].expr != last) {
      last = shared->slopes[at].expr;
      product = hbg_expr_binary(self->pool, HBG_OP_MUL, shared->share, last);
    }
    *slope = hbg_expr_is(self->pool, *slope, 0) ? product : hbg_expr_binary(self->pool, HBG_OP_ADD, *slope, product);
  }
}

/* Up to what it shares with other rows, and through that by the chain rule. False: there is nothing of that, or it cannot be done. */
static bool find_slopes_through_shared(Builder *self, HbgExpr residual) {
  bool any = false;
  for (int32_t at = 0; at < self->shared_count; at++) any = any || self->shared[at].met == self->row + 1;
  if (!any) return false;
  begin_slopes(self);
  if (!hbg_expr_gradient_to(self->pool, residual, self->border, self->shared_count, self->scratch, take_slope, self)) return false;
  for (int32_t which = 0; which < self->shared_count; which++)
    if (self->shared[which].met == self->row + 1 && self->shared[which].share) add_shared_slopes(self, &self->shared[which]);
  return true;
}

/* With respect to the unknowns it depends on. */
static void find_slopes(Builder *self, HbgExpr expr) {
  if (find_slopes_through_shared(self, expr)) return;
  if (self->column_count > FEW) {
    begin_slopes(self);
    hbg_expr_gradient(self->pool, expr, self->scratch, take_slope, self);
    return;
  }
  for (int32_t at = 0; at < self->column_count; at++)
    self->slope[self->columns[at]] = hbg_expr_derivative(self->pool, expr, one_for, &self->system->unknowns[self->columns[at]]);
}

static void differentiate_row(Builder *self) {
  HbgSystem *system = self->system;
  note_parts(self, system->residuals[self->row]);
  system->row_reads_state[self->row] = self->reads.state;
  system->reads_time = system->reads_time || self->reads.time;
  find_slopes(self, system->residuals[self->row]);
  for (int32_t at = 0; at < self->column_count; at++) {
    const int32_t column = self->columns[at];
    const HbgExpr entry = self->slope[column];
    if (hbg_expr_is(self->pool, entry, 0)) continue;
    ARENA_PUSH(self->scratch, self->entries, self->entry_count, self->entry_capacity) = (HbgSystemEntry){self->row, column, entry};
  }
}

static bool note_unknown(HbgExprPool *pool, HbgExpr expr, void *user) {
  Builder *self = user;
  if (hbg_system_unknown(self->system, hbg_expr_node(pool, expr)) >= 0) self->system->is_linear = false;
  return true;
}

static void keep_entries(Builder *self) {
  HbgSystem *system = self->system;
  system->entry_count = self->entry_count;
  system->entries = ARENA_FULL(self->arena, HbgSystemEntry, self->entry_count);
  if (self->entry_count) memcpy(system->entries, self->entries, (size_t)self->entry_count * sizeof *self->entries);
}

/* Entries of tens of rows share most of what they are made of. */
static void find_out_whether_linear(Builder *self) {
  HbgSystem *system = self->system;
  HbgExpr *entries = ARENA_FULL(self->scratch, HbgExpr, system->entry_count);
  for (int32_t at = 0; at < system->entry_count; at++) entries[at] = system->entries[at].expr;
  system->is_linear = true;
  hbg_expr_visit_many(self->pool, entries, system->entry_count, note_unknown, self);
}

/* ---- what rows share ---- */

/* Those of `candidates` (0: none) that are no leaves, ascending and each once; answers how many. */
static int32_t sort_candidates(const HbgExprPool *pool, const HbgExpr *candidates, int32_t count, HbgExpr *sorted) {
  int32_t kept = 0, distinct = 0;
  for (int32_t at = 0; at < count; at++)
    if (candidates[at] && hbg_operation_info[hbg_expr_node(pool, candidates[at])->op].arguments) sorted[kept++] = candidates[at];
  hbg_key_sort(sorted, kept);
  for (int32_t at = 0; at < kept; at++)
    if (!at || sorted[at] != sorted[at - 1]) sorted[distinct++] = sorted[at];
  return distinct;
}

/* Of the expressions for all states those that depend on many unknowns. */
static void find_shared(Builder *self, const HbgExpr *candidates, int32_t count) {
  if (self->system->unknown_count <= FEW) return;
  HbgExpr *sorted = ARENA_FULL(self->scratch, HbgExpr, count);
  Shared *shared = ARENA_NEW(self->scratch, Shared, count);
  const int32_t distinct = sort_candidates(self->pool, candidates, count, sorted);
  int32_t kept = 0;
  for (int32_t at = 0; at < distinct; at++) {
    self->row = -2 - at; // no row
    note_parts(self, sorted[at]);
    if (self->column_count <= FEW) continue;
    find_slopes(self, sorted[at]);
    Slope *slopes = ARENA_FULL(self->scratch, Slope, self->column_count);
    for (int32_t which = 0; which < self->column_count; which++) slopes[which] = (Slope){self->columns[which], self->slope[self->columns[which]]};
    shared[kept] = (Shared){.slopes = slopes, .slope_count = self->column_count, .reads = self->reads};
    sorted[kept++] = sorted[at];
  }
  self->border = sorted;
  self->shared = shared;
  self->shared_count = kept;
}

/* `by_state` (state_count): what states are changed by, of which rows may be made. */
static void differentiate(HbgSystem *system, const HbgExpr *by_state, int32_t state_count, HbgExprPool *pool, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  system->row_reads_state = ARENA_NEW(arena, bool, system->row_count);
  Builder self = {.system = system,
                  .pool = pool,
                  .arena = arena,
                  .column_seen = ARENA_NEW(scratch, int32_t, system->unknown_count),
                  .slope = ARENA_NEW(scratch, HbgExpr, system->unknown_count),
                  .scratch = scratch};
  find_shared(&self, by_state, state_count);
  for (self.row = 0; self.row < system->row_count; self.row++) differentiate_row(&self);
  keep_entries(&self);
  find_out_whether_linear(&self);
  hbg_arena_rewind(scratch, mark);
}

/* ---- unknowns of their own ---- */

enum { MANY = 16 }; // rows that follow a state, and unknowns that change it: of fewer, rows of many terms cost less

/* Counts the leaves of an expression that are counted at all, each once. */
typedef struct Count {
  int32_t *rows; /* per state: rows that read it; NULL: unknowns are counted */
  int32_t unknowns;
} Count;

static bool count_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Count *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (self->rows && node->op == HBG_OP_STATE) self->rows[node->index]++;
  if (!self->rows && (hbg_is_slot(node, HBG_SLOT_UNKNOWN) || hbg_is_slot(node, HBG_SLOT_AREA_UNKNOWN))) self->unknowns++;
  return true;
}

static int32_t count_unknowns(HbgExprPool *pool, HbgExpr expr) {
  Count count = {0};
  if (expr) hbg_expr_visit(pool, expr, count_leaf, &count);
  return count.unknowns;
}

/* What states change by, as rows read it: where many follow a state that many unknowns change, an unknown of its own. */
static const HbgExpr *share(HbgSystem *system, const HbgSorted *finite, const HbgExpr *by_state, int32_t state_count, HbgExprPool *pool, HbgArena *arena,
                            HbgArena *scratch) {
  if (finite->unknown_count < MANY) return by_state;
  Count readers = {.rows = ARENA_NEW(scratch, int32_t, state_count)};
  HbgExpr *shared = NULL;
  for (int32_t row = 0; row < finite->unknown_count; row++) hbg_expr_visit(pool, finite->unknowns[row].residual, count_leaf, &readers);
  for (int32_t state = 0; state < state_count; state++) {
    if (readers.rows[state] < MANY || count_unknowns(pool, by_state[state]) < MANY) continue;
    if (!shared) {
      shared = ARENA_FULL(scratch, HbgExpr, state_count);
      memcpy(shared, by_state, (size_t)state_count * sizeof *shared);
    }
    shared[state] = hbg_slot(pool, HBG_SLOT_SHARED, system->shared_count++);
  }
  add_unknowns(system, HBG_SLOT_SHARED, system->shared_count, pool, arena);
  return shared ? shared : by_state;
}

static void add_shared_rows(HbgSystem *system, const HbgExpr *shared, const HbgExpr *by_state, int32_t state_count, HbgExprPool *pool, HbgArena *arena) {
  for (int32_t state = 0; state < state_count; state++)
    if (shared[state] != by_state[state]) add_row(system, hbg_expr_binary(pool, HBG_OP_SUB, shared[state], by_state[state]), -1, pool, arena);
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

static HbgSystem make_finite(const HbgSorted *finite, HbgSystemKind kind, const HbgExpr *rate, int32_t state_count, bool may_share, HbgExprPool *pool,
                             HbgArena *arena, HbgArena *scratch) {
  HbgSystem system = {.kind = kind, .finite_count = finite->unknown_count};
  add_unknowns(&system, HBG_SLOT_UNKNOWN, finite->unknown_count, pool, arena);
  if (kind == HBG_SYSTEM_STACKED) add_unknowns(&system, HBG_SLOT_RATE, finite->unknown_count, pool, arena);
  const HbgExpr *shared = may_share && kind == HBG_SYSTEM_STACKED ? share(&system, finite, rate, state_count, pool, arena, scratch) : rate;
  TimeDerivative derivative = {shared};
  for (int32_t row = 0; row < finite->unknown_count; row++) {
    const HbgExpr residual = finite->unknowns[row].residual;
    add_row(&system, residual, finite->unknowns[row].node, pool, arena);
    if (kind != HBG_SYSTEM_STACKED) continue;
    const HbgExpr dot = hbg_expr_derivative(pool, residual, time_derivative, &derivative);
    add_row(&system, dot, finite->unknowns[row].node, pool, arena);
  }
  add_shared_rows(&system, shared, rate, state_count, pool, arena);
  differentiate(&system, shared, state_count, pool, arena, scratch);
  return system;
}

bool hbg_system_is_derivative(const HbgSystem *system, int32_t row) {
  return system->kind == HBG_SYSTEM_STACKED && row < 2 * system->finite_count && row % 2 == 1;
}

HbgSystem hbg_system_finite(const HbgSorted *finite, HbgSystemKind kind, const HbgExpr *rate, int32_t state_count, HbgExprPool *pool,
                            HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  HbgSystem system = make_finite(finite, kind, rate, state_count, true, pool, arena, scratch);
  if (system.shared_count && !system.is_linear) system = make_finite(finite, kind, rate, state_count, false, pool, arena, scratch);
  hbg_arena_rewind(scratch, mark);
  return system;
}

/* ---- jump ---- */

static HbgExpr state_after(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExpr *jump = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  return node->op == HBG_OP_STATE ? hbg_expr_binary(pool, HBG_OP_ADD, leaf, jump[node->index]) : 0;
}

static HbgSystem make_jump(const HbgSorted *finite, const HbgSorted *areas, const HbgExpr *jump, int32_t state_count, bool may_share, HbgExprPool *pool,
                           HbgArena *arena, HbgArena *scratch) {
  HbgSystem system = {.kind = HBG_SYSTEM_JUMP, .area_count = areas->unknown_count, .finite_count = finite->unknown_count};
  add_unknowns(&system, HBG_SLOT_AREA_UNKNOWN, areas->unknown_count, pool, arena);
  add_unknowns(&system, HBG_SLOT_UNKNOWN, finite->unknown_count, pool, arena);
  const HbgExpr *shared = may_share ? share(&system, finite, jump, state_count, pool, arena, scratch) : jump;
  // J5: a finite solution exists at x+
  for (int32_t row = 0; row < finite->unknown_count; row++) {
    HbgExpr residual = finite->unknowns[row].residual;
    residual = hbg_expr_replace(pool, residual, state_after, (void *)(uintptr_t)shared);
    add_row(&system, residual, finite->unknowns[row].node, pool, arena);
  }
  add_shared_rows(&system, shared, jump, state_count, pool, arena);
  system.first_area_row = system.row_count;
  // J2, J3: the laws hold for the areas; J4: none at resistors
  for (int32_t row = 0; row < areas->unknown_count; row++)
    add_row(&system, areas->unknowns[row].residual, areas->unknowns[row].node, pool, arena);
  for (int32_t row = 0; row < areas->condition_count; row++)
    add_row(&system, areas->conditions[row], areas->condition_nodes[row], pool, arena);
  differentiate(&system, shared, state_count, pool, arena, scratch);
  return system;
}

HbgSystem hbg_system_jump(const HbgSorted *finite, const HbgSorted *areas, const HbgExpr *jump, int32_t state_count, HbgExprPool *pool,
                          HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  HbgSystem system = make_jump(finite, areas, jump, state_count, true, pool, arena, scratch);
  if (system.shared_count && !system.is_linear) system = make_jump(finite, areas, jump, state_count, false, pool, arena, scratch);
  hbg_arena_rewind(scratch, mark);
  return system;
}

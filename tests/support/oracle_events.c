/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_events.h"

#include <math.h>
#include <string.h>

/* A signal: its value, its impulse, and whether both are known for certain. */
typedef struct Pair {
  double value, area, size;
  bool is_known;
} Pair;

typedef struct Instant {
  const HbgFlatModel *model;
  HbgArena *arena;
  int32_t *states;            /* of machines, under examination (machine_count) */
  double *committed;          /* stored quantities (state_count) */
  const OracleAnswer *before; /* a priori */
  const OracleAnswer *now;    /* a posteriori */
  bool areas_count;           /* the impulse is not over yet */
  double area_scale;
  bool is_unsure;
  int tie; /* 1: a comparison that is too close to call holds; 0: it does not */
} Instant;

enum { CONFIGURATIONS_MOST = 300 };

/* ---- reading ---- */

/* What is this small beside the rest of its kind is round-off; what is near that could be either. */
static double significant_area(Instant *instant, double area) {
  const double part = fabs(area) / fmax(instant->area_scale, 1e-300);
  if (part > 1e-13 && part < 1e-8) instant->is_unsure = true;
  return part >= 1e-8 ? area : 0;
}

static Pair read_variable(Instant *instant, int32_t i, bool is_pre) {
  const OracleAnswer *from = is_pre ? instant->before : instant->now;
  Pair pair = {.value = from->finite[i], .size = fabs(from->finite[i]), .is_known = from->finite_is_known[i]};
  if (is_pre || !instant->areas_count) return pair;
  pair.area = significant_area(instant, from->area[i]);
  if (!from->area_is_known[i]) pair.is_known = false;
  return pair;
}

static Pair read_pair(Instant *instant, HbgExpr expr, bool is_pre) {
  const HbgExprNode *node = hbg_expr_node(&instant->model->pool, expr);
  switch (node->op) {
    case HBG_OP_CONSTANT: return (Pair){.value = node->value, .size = fabs(node->value), .is_known = true};
    case HBG_OP_EFFORT: return read_variable(instant, node->index, is_pre);
    case HBG_OP_FLOW: return read_variable(instant, instant->model->bond_count + node->index, is_pre);
    case HBG_OP_PRE: return read_pair(instant, node->a, true);
    case HBG_OP_IMPULSE: {
      const Pair inner = read_pair(instant, node->a, is_pre);
      return (Pair){.value = inner.area, .size = fabs(inner.area), .is_known = inner.is_known};
    }
    case HBG_OP_FINITE: {
      Pair inner = read_pair(instant, node->a, is_pre);
      inner.area = 0;
      return inner;
    }
    case HBG_OP_NEG: {
      Pair inner = read_pair(instant, node->a, is_pre);
      inner.value = -inner.value, inner.area = -inner.area;
      return inner;
    }
    default: instant->is_unsure = true; return (Pair){0};
  }
}

/* The sign of a - b; an impulse is larger than any number. */
static int order_of(Instant *instant, HbgExpr a, HbgExpr b) {
  const Pair left = read_pair(instant, a, false), right = read_pair(instant, b, false);
  const double area = left.area - right.area, value = left.value - right.value;
  if (!left.is_known || !right.is_known) instant->is_unsure = true;
  if (fabs(area) > 0) return area > 0 ? 1 : -1;
  if (fabs(value) > 1e-7 * (left.size + right.size)) return value > 0 ? 1 : -1;
  instant->is_unsure = true;
  return 0;
}

static bool holds(Instant *instant, HbgExpr guard) {
  const HbgExprNode *node = hbg_expr_node(&instant->model->pool, guard);
  switch (node->op) {
    case HBG_OP_CONSTANT: return node->value > 0;
    case HBG_OP_AND: {
      const bool left = holds(instant, node->a), right = holds(instant, node->b);
      return left && right;
    }
    case HBG_OP_LESS: return order_of(instant, node->a, node->b) < instant->tie;
    case HBG_OP_GREATER: return order_of(instant, node->a, node->b) > -instant->tie;
    default: instant->is_unsure = true; return false;
  }
}

/* Does a guard read anything a posteriori? */
static bool reads_now(const HbgFlatModel *model, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&model->pool, expr);
  if (node->op == HBG_OP_PRE) return false;
  if (node->op == HBG_OP_EFFORT || node->op == HBG_OP_FLOW || node->op == HBG_OP_STATE) return true;
  return (node->a && reads_now(model, node->a)) || (node->b && reads_now(model, node->b));
}

/* Does a guard read anything a priori? */
static bool reads_before(const HbgFlatModel *model, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&model->pool, expr);
  if (node->op == HBG_OP_PRE) return true;
  return (node->a && reads_before(model, node->a)) || (node->b && reads_before(model, node->b));
}

/* ---- firing ---- */

/* Fires the first enabled transition of every machine, all at once; answers how many. */
static int32_t fire(Instant *instant, bool a_posteriori, bool a_priori) {
  const HbgFlatModel *model = instant->model;
  int32_t *next = ARENA_NEW(instant->arena, int32_t, model->machine_count), fired = 0;
  for (int32_t i = 0; i < model->machine_count; i++) {
    const HbgMachine *machine = &model->machines[i];
    next[i] = instant->states[i];
    for (int32_t k = 0; k < machine->transition_count && next[i] == instant->states[i]; k++) {
      const HbgTransition *transition = &machine->transitions[k];
      // after a commit whatever reads an a priori value is asked, both sides at once included (docs/decisions/0009)
      const bool is_asked = (a_posteriori && reads_now(model, transition->guard)) ||
                            (a_priori && reads_before(model, transition->guard));
      if (transition->from != instant->states[i] || !is_asked || !holds(instant, transition->guard)) continue;
      next[i] = transition->to;
      fired++;
    }
  }
  if (model->machine_count) memcpy(instant->states, next, (size_t)model->machine_count * sizeof *next);
  return fired;
}

/* ---- what has been ---- */

typedef struct Memory {
  int32_t *states[CONFIGURATIONS_MOST];
  double *x[CONFIGURATIONS_MOST];
  int32_t count, layer; /* the layer began at this one */
} Memory;

static void remember(Memory *memory, const Instant *instant) {
  const HbgFlatModel *model = instant->model;
  int32_t *states = ARENA_NEW(instant->arena, int32_t, model->machine_count);
  double *x = ARENA_NEW(instant->arena, double, model->state_count);
  memcpy(states, instant->states, (size_t)model->machine_count * sizeof *states);
  memcpy(x, instant->committed, (size_t)model->state_count * sizeof *x);
  memory->states[memory->count] = states;
  memory->x[memory->count++] = x;
}

static bool same_state(const Instant *instant, const double *x) {
  double scale = 0, difference = 0;
  for (int32_t i = 0; i < instant->model->state_count; i++) {
    scale = fmax(scale, fabs(x[i]));
    difference = fmax(difference, fabs(x[i] - instant->committed[i]));
  }
  return difference <= 1e-9 * scale;
}

static bool has_been(const Memory *memory, const Instant *instant, int32_t from) {
  const size_t size = (size_t)instant->model->machine_count * sizeof(int32_t);
  for (int32_t i = from; i < memory->count; i++)
    if (memcmp(memory->states[i], instant->states, size) == 0 && same_state(instant, memory->x[i])) return true;
  return false;
}

/* ---- the iteration ---- */

static double largest_of(const double *values, int32_t count) {
  double most = 0;
  for (int32_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

static const OracleAnswer *jump(Instant *instant) {
  OracleAnswer *answer = ARENA_NEW(instant->arena, OracleAnswer, 1);
  *answer = oracle_jump(instant->model, instant->states, 0, instant->committed, instant->arena);
  instant->area_scale = fmax(largest_of(answer->area, 2 * instant->model->bond_count),
                             largest_of(instant->committed, instant->model->state_count));
  return answer;
}

static OracleVerdict iterate(Instant *instant, OracleInstant *out) {
  Memory *memory = ARENA_NEW(instant->arena, Memory, 1);
  remember(memory, instant);
  while (memory->count < CONFIGURATIONS_MOST) {
    // infer
    instant->now = jump(instant);
    if (instant->now->verdict != ORACLE_SOLVED) return instant->now->verdict;
    if (!instant->before) instant->before = instant->now;  // what the start knows is what the first jump gives
    instant->areas_count = true;
    if (fire(instant, true, false)) {
      out->n++;
      if (has_been(memory, instant, memory->layer)) return ORACLE_NO_SOLUTION;
      remember(memory, instant);
      continue;
    }

    // commit
    memcpy(instant->committed, instant->now->x, (size_t)instant->model->state_count * sizeof(double));
    instant->before = instant->now;
    instant->areas_count = false;
    const bool was_impulse =
        largest_of(instant->now->area, 2 * instant->model->bond_count) > 1e-8 * instant->area_scale;
    if (!fire(instant, was_impulse, true)) return ORACLE_SOLVED;
    out->eps++;
    out->n = 0;
    if (has_been(memory, instant, 0)) return ORACLE_NO_SOLUTION;
    memory->layer = memory->count;
    remember(memory, instant);
  }
  return ORACLE_UNSURE;
}

OracleInstant oracle_start(const HbgFlatModel *model, HbgArena *arena) {
  OracleInstant out = {.machine_states = ARENA_NEW(arena, int32_t, model->machine_count)};
  Instant instant = {.model = model,
                     .arena = arena,
                     .states = out.machine_states,
                     .committed = ARENA_NEW(arena, double, model->state_count)};
  for (int32_t i = 0; i < model->machine_count; i++) instant.states[i] = model->machines[i].initial;
  for (int32_t i = 0; i < model->state_count; i++) instant.committed[i] = model->states[i].start;
  out.verdict = iterate(&instant, &out);
  if (instant.is_unsure) out.verdict = ORACLE_UNSURE;
  if (instant.now) out.answer = *instant.now;
  return out;
}

bool oracle_guard_holds(const HbgFlatModel *model, HbgExpr guard, const double *z, bool is_lenient, HbgArena *arena) {
  bool *known = ARENA_NEW(arena, bool, 2 * model->bond_count);
  for (int32_t i = 0; i < 2 * model->bond_count; i++) known[i] = true;
  OracleAnswer answer = {.finite_is_known = known};
  answer.finite = ARENA_NEW(arena, double, 2 * model->bond_count);
  memcpy(answer.finite, z, 2 * (size_t)model->bond_count * sizeof *z);
  Instant instant = {.model = model, .arena = arena, .before = &answer, .now = &answer, .tie = is_lenient ? 1 : 0};
  return holds(&instant, guard);
}

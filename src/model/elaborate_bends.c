/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions of the time that bend or jump, in laws, in what is integrated and within guards. max(a, b) is `if a > b then a else b`, and where a - b is a line, a
 * parabola or a wave over the time, the instants at which it changes its sign are known beforehand: the condition is scheduled, as that of a pulse is. So no step
 * goes over a bend, and what stands between two of them has a closed form. */
#include <math.h>

#include "base/numbers.h"
#include "model/elaborator.h"
#include "model/expression_build.h"

enum {
  BUDGET = 64,    /* nodes that are looked at: parts may be shared */
  MOST_PARTS = 12 /* that a condition is taken apart into */
};

/* power[0] + power[1] t + power[2] t^2 + sine sin(frequency t) + cosine cos(frequency t); without a wave all three are 0. */
typedef struct Course {
  double power[3];
  double sine, cosine, frequency;
} Course;

/* ---- what it is over the time ---- */

static bool is_still(const Course *a) { return hbg_is_zero(a->power[1]) && hbg_is_zero(a->power[2]) && hbg_is_zero(a->frequency); }

static bool is_wave(const Course *a) { return !hbg_is_zero(a->frequency) && hbg_is_zero(a->power[0]) && hbg_is_zero(a->power[1]) && hbg_is_zero(a->power[2]); }

static Course times(Course a, double factor) {
  for (int at = 0; at < 3; at++) a.power[at] *= factor;
  a.sine *= factor;
  a.cosine *= factor;
  return a;
}

/* a + factor b, where there is one frequency in them. */
static bool add(const Course *a, const Course *b, double factor, Course *out) {
  if (!hbg_is_zero(a->frequency) && !hbg_is_zero(b->frequency) && !hbg_is_zero(a->frequency - b->frequency)) return false;
  *out = *a;
  for (int at = 0; at < 3; at++) out->power[at] += factor * b->power[at];
  out->sine += factor * b->sine;
  out->cosine += factor * b->cosine;
  if (hbg_is_zero(a->frequency)) out->frequency = b->frequency;
  return true;
}

/* Two waves of one frequency are one of twice that. */
static bool multiply_waves(const Course *a, const Course *b, Course *out) {
  if (!is_wave(a) || !is_wave(b) || !hbg_is_zero(a->frequency - b->frequency)) return false;
  *out = (Course){.power = {(a->sine * b->sine + a->cosine * b->cosine) / 2},
                  .sine = (a->sine * b->cosine + a->cosine * b->sine) / 2,
                  .cosine = (a->cosine * b->cosine - a->sine * b->sine) / 2,
                  .frequency = 2 * a->frequency};
  return true;
}

static bool multiply(const Course *a, const Course *b, Course *out) {
  if (is_still(a) || is_still(b)) {
    *out = is_still(a) ? times(*b, a->power[0]) : times(*a, b->power[0]);
    return true;
  }
  const bool are_lines = hbg_is_zero(a->frequency) && hbg_is_zero(b->frequency) && hbg_is_zero(a->power[2]) && hbg_is_zero(b->power[2]);
  if (!are_lines) return multiply_waves(a, b, out);
  *out = (Course){.power = {a->power[0] * b->power[0], a->power[0] * b->power[1] + a->power[1] * b->power[0], a->power[1] * b->power[1]}};
  return true;
}

static bool read_wave(const HbgElaborator *elaborator, const HbgExprNode *node, Course *out) {
  double slope, rest;
  if (!hbg_elaborate_is_affine(elaborator, node->a, &slope, &rest) || hbg_is_zero(slope)) return false;
  // sin(w t + r) = cos(r) sin(w t) + sin(r) cos(w t), where a w below zero turns the sine
  const double by_sine = node->op == HBG_OP_SIN ? cos(rest) : -sin(rest), by_cosine = node->op == HBG_OP_SIN ? sin(rest) : cos(rest);
  *out = (Course){.sine = slope > 0 ? by_sine : -by_sine, .cosine = by_cosine, .frequency = fabs(slope)};
  return true;
}

static bool read(const HbgElaborator *elaborator, HbgExpr expr, int *budget, Course *out) {
  if (--*budget < 0) return false;
  const HbgExprNode *node = hbg_expr_node(elaborator->pool, expr);
  Course a, b;
  switch (node->op) {
    case HBG_OP_CONSTANT: *out = (Course){.power = {node->value}}; return !node->is_boolean;
    case HBG_OP_TIME: *out = (Course){.power = {0, 1}}; return true;
    case HBG_OP_SIN:
    case HBG_OP_COS: return read_wave(elaborator, node, out);
    case HBG_OP_NEG:
      if (!read(elaborator, node->a, budget, &a)) return false;
      *out = times(a, -1);
      return true;
    case HBG_OP_ADD:
    case HBG_OP_SUB:
      return read(elaborator, node->a, budget, &a) && read(elaborator, node->b, budget, &b) && add(&a, &b, node->op == HBG_OP_ADD ? 1 : -1, out);
    case HBG_OP_MUL: return read(elaborator, node->a, budget, &a) && read(elaborator, node->b, budget, &b) && multiply(&a, &b, out);
    case HBG_OP_DIV:
      if (!read(elaborator, node->a, budget, &a) || !read(elaborator, node->b, budget, &b) || !is_still(&b) || hbg_is_zero(b.power[0])) return false;
      *out = times(a, 1 / b.power[0]);
      return true;
    case HBG_OP_POW: return hbg_expr_is(elaborator->pool, node->b, 2) && read(elaborator, node->a, budget, &a) && multiply(&a, &a, out);
    default: return false;
  }
}

/* ---- when it is positive ---- */

static HbgExpr scheduled(HbgElaborator *elaborator, double start, double width, double period, bool holds_within) {
  if (!isfinite(start) || isnan(width) || isnan(period)) return 0;
  const HbgExpr within = hbg_elaborate_tick(elaborator, (HbgTick){.start = start, .width = width, .period = period});
  return holds_within ? within : hbg_expr_unary(elaborator->pool, HBG_OP_NOT, within);
}

/* Around its greatest value, once in a period. What has been so before the run counts from its beginning on. */
static HbgExpr wave_is_positive(HbgElaborator *elaborator, const Course *course) {
  const double size = hypot(course->sine, course->cosine), rest = course->power[0];
  if (!hbg_is_zero(course->power[1]) || !hbg_is_zero(course->power[2])) return 0;
  if (fabs(rest) >= size) return hbg_expr_boolean(elaborator->pool, rest > 0);
  const double half = acos(-rest / size) / course->frequency, greatest = atan2(course->sine, course->cosine) / course->frequency;
  const double period = 2 * acos(-1) / course->frequency, begin = greatest - half;
  return scheduled(elaborator, begin - period * ceil(begin / period), 2 * half, period, true);
}

static HbgExpr parabola_is_positive(HbgElaborator *elaborator, const double power[3]) {
  const double square = power[1] * power[1] - 4 * power[2] * power[0];
  if (!(square > 0)) return hbg_expr_boolean(elaborator->pool, power[2] > 0);
  // the larger sum first, so that nothing cancels
  const double sum = -(power[1] + copysign(sqrt(square), power[1])) / 2, one = sum / power[2], other = power[0] / sum;
  return scheduled(elaborator, fmin(one, other), fabs(one - other), HUGE_VAL, power[2] < 0);
}

static HbgExpr course_is_positive(HbgElaborator *elaborator, const Course *course) {
  if (!hbg_is_zero(course->frequency)) return wave_is_positive(elaborator, course);
  if (!hbg_is_zero(course->power[2])) return parabola_is_positive(elaborator, course->power);
  if (!hbg_is_zero(course->power[1])) return scheduled(elaborator, -course->power[0] / course->power[1], HUGE_VAL, HUGE_VAL, course->power[1] > 0);
  return hbg_expr_boolean(elaborator->pool, course->power[0] > 0);
}

/* ---- what is chosen by a condition already, as what bends further within ---- */

static HbgExpr find_choice(const HbgExprPool *pool, HbgExpr expr, int *budget) {
  if (!expr || --*budget < 0) return 0;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_SELECT) return expr;
  const int32_t arguments = hbg_operation_info[node->op].arguments;
  HbgExpr found = arguments > 0 ? find_choice(pool, node->a, budget) : 0;
  if (!found && arguments > 1) found = find_choice(pool, node->b, budget);
  return found;
}

/* When `expr` is positive, by scheduled conditions; 0: that is not known beforehand. */
static HbgExpr is_positive(HbgElaborator *elaborator, HbgExpr expr, int *parts) {
  HbgExprPool *pool = elaborator->pool;
  Course course;
  int budget = BUDGET, nodes = BUDGET;
  if (--*parts < 0) return 0;
  if (read(elaborator, expr, &budget, &course)) return course_is_positive(elaborator, &course);
  const HbgExpr choice = find_choice(pool, expr, &nodes);
  if (!choice) return 0;
  const HbgExprNode node = *hbg_expr_node(pool, choice);
  const HbgExpr yes = is_positive(elaborator, hbg_expr_exchange(pool, expr, choice, node.b), parts);
  const HbgExpr no = yes ? is_positive(elaborator, hbg_expr_exchange(pool, expr, choice, node.c), parts) : 0;
  return no ? hbg_expr_select(pool, node.a, yes, no) : 0;
}

/* ---- what is exchanged ---- */

typedef enum OverTime {
  STANDS, /* between instants */
  MOVES,  /* with the time, and with nothing else */
  DEPENDS /* on other things */
} OverTime;

typedef struct Bends {
  HbgElaborator *elaborator;
  uint8_t *kind; /* OverTime of each expression that there was before (count) */
  int32_t count;
} Bends;

static bool may_bend(HbgOperation op) {
  switch (op) {
    case HBG_OP_MAX:
    case HBG_OP_MIN:
    case HBG_OP_ABS:
    case HBG_OP_SIGN:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL:
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL: return true;
    default: return false;
  }
}

/* `op` of `a` and `b`, by a scheduled condition; 0: it stays. */
static HbgExpr straighten(HbgElaborator *elaborator, HbgOperation op, HbgExpr a, HbgExpr b) {
  HbgExprPool *pool = elaborator->pool;
  const bool is_less = op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL, has_one = op == HBG_OP_ABS || op == HBG_OP_SIGN;
  int parts = MOST_PARTS;
  const HbgExpr above = is_positive(elaborator, has_one ? a : is_less ? SUB(b, a) : SUB(a, b), &parts);
  if (!above) return 0;
  switch (op) {
    case HBG_OP_MAX: return hbg_expr_select(pool, above, a, b);
    case HBG_OP_MIN: return hbg_expr_select(pool, above, b, a);
    case HBG_OP_ABS: return hbg_expr_select(pool, above, a, FUNCTION(NEG, a));
    case HBG_OP_SIGN: return hbg_expr_select(pool, above, NUMBER(1), NUMBER(-1));
    default: return above;
  }
}

static HbgExpr enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)user;
  return hbg_is_leaf(hbg_expr_node(pool, expr)->op) ? expr : 0;
}

static HbgExpr leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  const Bends *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  const HbgExpr straight = may_bend(node.op) && expr < self->count && self->kind[expr] == MOVES
                               ? straighten(self->elaborator, node.op, memo[node.a], node.b ? memo[node.b] : 0)
                               : 0;
  return straight ? straight : hbg_expr_rebuild(pool, expr, memo, NULL);
}

/* ---- where they stand ---- */

static OverTime of_leaf(HbgOperation op) {
  if (op == HBG_OP_TIME) return MOVES;
  return op == HBG_OP_CONSTANT || op == HBG_OP_TICK ? STANDS : DEPENDS;
}

/* Of all expressions, arguments first. Answers whether any may bend. */
static bool find_moving(Bends *self) {
  const HbgExprPool *pool = self->elaborator->pool;
  bool any = false;
  for (HbgExpr expr = 1; expr < self->count; expr++) {
    const HbgExprNode *node = hbg_expr_node(pool, expr);
    const HbgExpr arguments[] = {node->a, node->b, node->c};
    const int32_t count = hbg_operation_info[node->op].arguments;
    uint8_t kind = (uint8_t)(count ? STANDS : of_leaf(node->op));
    for (int32_t at = 0; at < count; at++)
      if (self->kind[arguments[at]] > kind) kind = self->kind[arguments[at]];
    self->kind[expr] = kind;
    any = any || (kind == MOVES && may_bend(node->op));
  }
  return any;
}

static void exchange(Bends *self, HbgExpr *expr) {
  if (*expr) *expr = hbg_expr_walk(self->elaborator->pool, *expr, &(HbgWalk){enter, leave, self});
}

/* ---- in guards ---- */

/* The conditions on the time alone by which something in a guard is chosen. */
typedef struct Choices {
  const Bends *bends;
  HbgExpr *list; int32_t count, capacity;
} Choices;

static bool note_choice(HbgExprPool *pool, HbgExpr expr, void *user) {
  Choices *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_SELECT && node->a < self->bends->count && self->bends->kind[node->a] == MOVES)
    ARENA_PUSH(self->bends->elaborator->arena, self->list, self->count, self->capacity) = node->a;
  return true;
}

/* What jumps with the time in what a guard compares does so at instants. What it compares with the time itself is located as any other. */
static void exchange_choices(Bends *self, HbgExpr *guard) {
  HbgExprPool *pool = self->elaborator->pool;
  Choices choices = {.bends = self};
  if (*guard) hbg_expr_visit(pool, *guard, note_choice, &choices);
  for (int32_t at = 0; at < choices.count; at++) {
    HbgExpr scheduled = choices.list[at];
    exchange(self, &scheduled);
    if (scheduled != choices.list[at]) *guard = hbg_expr_exchange(pool, *guard, choices.list[at], scheduled);
  }
}

static void exchange_in_guards(Bends *self, HbgMachine *machine) {
  for (int32_t at = 0; at < machine->transition_count; at++) exchange_choices(self, &machine->transitions[at].guard);
}

void hbg_elaborate_bends(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  Bends self = {.elaborator = elaborator, .count = elaborator->pool->count};
  if (elaborator->diagnostics->error_count) return;
  self.kind = ARENA_NEW(elaborator->arena, uint8_t, self.count);
  if (!find_moving(&self)) return;
  for (int32_t at = 0; at < model->node_count; at++) exchange(&self, &model->nodes[at].law);
  for (int32_t at = 0; at < model->state_count; at++) exchange(&self, &model->states[at].input);
  for (int32_t at = 0; at < model->machine_count; at++) exchange_in_guards(&self, &model->machines[at]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/law_jump.h"

#include <math.h>

#include "equations/slot.h"
#include "hybrid/probe.h"

typedef HbgLawJump Jump;

enum { MOST_EXHAUSTIVE = 5, ROUNDS = 8 };

/* ---- what the difference reads ---- */

bool hbg_law_stops_at(HbgOperation op) { return op == HBG_OP_PRE || op == HBG_OP_IMPULSE || op == HBG_OP_FINITE; }

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Jump *self = user;
  const HbgOperation op = hbg_expr_node(pool, leaf)->op;
  if (op == HBG_OP_STATE || op == HBG_OP_EFFORT || op == HBG_OP_FLOW || op == HBG_OP_TIME) {
    self->varies = true;
    if (op != HBG_OP_TIME || !self->leaf) self->leaf = leaf;
    ARENA_PUSH(self->arena, self->own, self->own_count, self->own_capacity) = leaf;
  }
  if (hbg_law_stops_at(op)) self->looks_back = true;
  return hbg_law_stops_at(op) ? leaf : 0;
}

/* Does a - b read something that varies continuously, and nothing that was? */
static bool varies(Jump *self, HbgExpr a, HbgExpr b) {
  HbgExprPool *pool = &self->model->pool;
  self->varies = self->looks_back = false;
  self->leaf = 0;
  self->own_count = 0;
  hbg_expr_replace(pool, a, note_leaf, self);
  hbg_expr_replace(pool, b, note_leaf, self);
  return self->varies && !self->looks_back;
}

/* ---- values to try ---- */

/* Numbers without any relation to each other, for all that is read: of the order of 1 at first, then of others. */
static void choose_values(Jump *self, const HbgProbe *probe, int round) {
  static const double orders[] = {1, 1, 10, 1, 1000, 0.001, -1, 100};
  const double order = orders[round % 8];
  double number = 0.37 + 0.11 * round;
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    number = fmod(number * 1.618 + 0.731, 1);
    if (leaf->op == HBG_OP_STATE) self->values.state[leaf->index] = order * (0.3 + number);
    else if (variable >= 0) self->values.variable[variable] = order * (0.3 + number);
  }
  self->values.time = fabs(order) * (0.3 + fmod(number * 1.618 + 0.731, 1));
}

/* As stored quantities are at the beginning; of all others nothing is known. */
static void begin_values(Jump *self, const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_STATE) self->values.state[leaf->index] = self->model->states[leaf->index].start;
    else if (variable >= 0) self->values.variable[variable] = 0;
  }
  self->values.time = 0;
}

/* ---- what switches beside it ---- */

/* Its value need not be an honest sample of what it can be: it may be the same for long, and another one for long. */
static bool may_rest(HbgOperation op) {
  switch (op) {
    case HBG_OP_TICK:
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON:
    case HBG_OP_TIMER:
    case HBG_OP_VARIABLE:
    case HBG_OP_SIGN:
    case HBG_OP_FLOOR:
    case HBG_OP_CEIL:
    case HBG_OP_MIN:
    case HBG_OP_MAX:
    case HBG_OP_TABLE:
    case HBG_OP_MAP:
    case HBG_OP_COURSE:
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_EQUAL:
    case HBG_OP_GREATER_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_AND:
    case HBG_OP_OR:
    case HBG_OP_NOT:
    case HBG_OP_SELECT: return true;
    default: return false;
  }
}

static int32_t place_in(const HbgExpr *list, int32_t count, HbgExpr expr) {
  for (int32_t at = 0; at < count; at++)
    if (list[at] == expr) return at;
  return -1;
}

static bool is_own(const Jump *self, HbgExpr expr) { return place_in(self->own, self->own_count, expr) >= 0; }
static bool hangs(const Jump *self, HbgExpr expr) { return place_in(self->hanging, self->hanging_count, expr) >= 0; }
static int32_t choice_of(const Jump *self, HbgExpr expr) { return place_in(self->choices, self->choice_count, expr); }

/* What hangs on the difference's own leaves, children first: 2, else 1. */
static HbgExpr hangs_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Jump *self = user;
  if (is_own(self, expr)) return 2;
  return hbg_operation_info[hbg_expr_node(pool, expr)->op].arguments ? 0 : 1;
}

static HbgExpr hangs_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  Jump *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (memo[node->a] != 2 && !(node->b && memo[node->b] == 2) && !(node->c && memo[node->c] == 2)) return 1;
  ARENA_PUSH(self->scratch, self->hanging, self->hanging_count, self->hanging_capacity) = expr;
  return 2;
}

static bool visit_choice(HbgExprPool *pool, HbgExpr expr, void *user) {
  Jump *self = user;
  if (!may_rest(hbg_expr_node(pool, expr)->op) || hangs(self, expr)) return true;
  if (choice_of(self, expr) < 0) ARENA_PUSH(self->scratch, self->choices, self->choice_count, self->choice_capacity) = expr;
  return false;
}

/* The outermost of what may rest and does not hang on the difference. */
static void find_choices(Jump *self, HbgExpr expr) {
  hbg_expr_walk(&self->model->pool, expr, &(HbgWalk){hangs_enter, hangs_leave, self});
  hbg_expr_visit(&self->model->pool, expr, visit_choice, self);
}

typedef struct Choosing {
  const Jump *self;
  int32_t round;
} Choosing;

/* Conditions take turns in all combinations, as far as there are few. */
static HbgExpr choose_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Choosing *choosing = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t at = choice_of(choosing->self, expr), round = choosing->round;
  if (at < 0) return hbg_operation_info[node->op].arguments ? 0 : expr;
  const bool is_many = choosing->self->choice_count > MOST_EXHAUSTIVE;
  const double number = fmod(0.3819 * (at + 1) + 0.6180339887 * (round + 1) * (is_many ? at + 2 : 1), 1);
  if (node->is_boolean) return hbg_expr_boolean(pool, is_many ? number < 0.5 : round >> at & 1);
  return hbg_expr_constant(pool, 0.3 + number);
}

/* `expr`, with what may rest chosen as in `round`. */
static HbgExpr choose(Jump *self, HbgExpr expr, int32_t round) {
  if (!self->choice_count) return expr;
  return hbg_expr_walk(&self->model->pool, expr, &(HbgWalk){choose_enter, hbg_expr_rebuild, &(Choosing){self, round}});
}

/* ---- where it is solved for a leaf ---- */

typedef struct Substitution {
  HbgExpr leaf, by;
} Substitution;

static HbgExpr substitute(HbgExprPool *pool, HbgExpr leaf, void *user) {
  (void)pool;
  const Substitution *substitution = user;
  return leaf == substitution->leaf ? substitution->by : 0;
}

/* A law on both sides: on the surface, and next to it twice. */
enum { ABOVE, BELOW, NEXT = 2, PLACES = 6 };
static const double away[] = {0, 1e-12, 1e-8}; /* relative */

/* What is left of sqrt(1 - 1) by round-off is no jump: it becomes many times as much next to the surface. */
static bool is_jump(const double gap[3], double size) { return gap[0] > 1e-9 * size && !(gap[1] > 10 * gap[0]) && !(gap[2] > 10 * gap[0]); }

static bool differ(Jump *self, const HbgExpr sides[PLACES], int32_t first_round, int32_t rounds) {
  HbgProbe probe = hbg_probe(self->model, &self->model->pool, sides, PLACES, self->scratch);
  for (int32_t round = first_round; round < first_round + rounds; round++) {
    choose_values(self, &probe, round);
    hbg_probe_run(&probe, &self->values);
    double gap[3];
    for (int place = 0; place < 3; place++) gap[place] = fabs(hbg_probe_value(&probe, NEXT * place + ABOVE) - hbg_probe_value(&probe, NEXT * place + BELOW));
    if (is_jump(gap, fabs(hbg_probe_value(&probe, ABOVE)) + fabs(hbg_probe_value(&probe, BELOW)))) return true;
  }
  return false;
}

/* With what may rest chosen as in `round`. */
static void make_sides(Jump *self, const HbgExpr *read, HbgExpr zero, int32_t round, HbgExpr sides[PLACES]) {
  HbgExprPool *pool = &self->model->pool;
  const HbgExpr where = choose(self, zero, round);
  for (int side = 0; side < 2; side++) {
    const HbgExpr chosen = choose(self, read[side], round);
    for (int place = 0; place < 3; place++) {
      const HbgExpr by = place ? hbg_expr_binary(pool, HBG_OP_MUL, where, hbg_expr_constant(pool, 1 + away[place])) : where;
      sides[NEXT * place + side] = hbg_expr_replace(pool, chosen, substitute, &(Substitution){self->leaf, by});
    }
  }
}

/* Where the difference vanishes, by any leaf that this can be solved for; 0. */
static HbgExpr find_zero(Jump *self, HbgExpr a, HbgExpr b) {
  HbgExpr zero = hbg_expr_solve(&self->model->pool, a, b, self->leaf);
  for (int32_t at = 0; at < self->own_count && !zero; at++) {
    self->leaf = self->own[at];
    zero = hbg_expr_solve(&self->model->pool, a, b, self->leaf);
  }
  return zero;
}

/* ---- where the difference cannot be solved for anything, its zeros are looked for in numbers ---- */

static double *number_of(Jump *self, HbgExpr leaf) {
  const HbgExprNode *node = hbg_expr_node(&self->model->pool, leaf);
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0) return &self->values.variable[variable];
  return node->op == HBG_OP_STATE ? &self->values.state[node->index] : &self->values.time;
}

static double difference_at(Jump *self, HbgProbe *probe, double *number, double at) {
  *number = at;
  hbg_probe_run(probe, &self->values);
  return hbg_probe_value(probe, 2);
}

/* A zero between `low` and `high`, to the last digit. */
static void bisect(Jump *self, HbgProbe *probe, double *number, double low, double high, bool rises) {
  for (int halving = 0; halving < 1100 && low < high; halving++) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    if ((difference_at(self, probe, number, middle) > 0) == rises) high = middle;
    else low = middle;
  }
  *number = high;
}

/* Over all orders of magnitude, of either sign. */
static bool find_root(Jump *self, HbgProbe *probe, double *number) {
  enum { ORDERS = 15 };
  double last = -pow(10, ORDERS), before = difference_at(self, probe, number, last);
  for (int32_t at = -2 * ORDERS; at <= 2 * ORDERS; at++) {
    const double here = at < 0 ? -pow(10, -at - ORDERS) : at > 0 ? pow(10, at - ORDERS) : 0, value = difference_at(self, probe, number, here);
    if (before * value < 0) {
      bisect(self, probe, number, last, here, value > 0);
      const double left = fabs(difference_at(self, probe, number, *number)); // at a pole it is more than on both sides
      if (left < fabs(before) || left < fabs(value)) return true;
    }
    last = here;
    before = value;
  }
  return false;
}

static bool differs_at(Jump *self, HbgProbe *probe, double *number) {
  const double root = *number;
  double gap[3], size = 0;
  for (int place = 0; place < 3; place++) {
    *number = root * (1 + away[place]);
    hbg_probe_run(probe, &self->values);
    gap[place] = fabs(hbg_probe_value(probe, ABOVE) - hbg_probe_value(probe, BELOW));
    if (!place) size = fabs(hbg_probe_value(probe, ABOVE)) + fabs(hbg_probe_value(probe, BELOW));
  }
  return is_jump(gap, size);
}

/* `read`: the law on both sides. Where no zero is found it may jump. */
static bool jumps_somewhere(Jump *self, HbgExpr a, HbgExpr b, const HbgExpr *read) {
  HbgExprPool *pool = &self->model->pool;
  const HbgExpr difference = hbg_expr_binary(pool, HBG_OP_SUB, a, b);
  bool is_found = false;
  find_choices(self, difference);
  for (int32_t round = 0; round < ROUNDS; round++) {
    const HbgExpr chosen[] = {choose(self, read[ABOVE], round), choose(self, read[BELOW], round), choose(self, difference, round)};
    HbgProbe probe = hbg_probe(self->model, pool, chosen, 3, self->scratch);
    for (int32_t at = 0; at < self->own_count; at++) {
      double *number = number_of(self, self->own[at]);
      choose_values(self, &probe, round);
      if (!find_root(self, &probe, number)) continue;
      is_found = true;
      if (differs_at(self, &probe, number)) return true;
    }
  }
  return !is_found;
}

/* ---- doors ---- */

static bool has_jump(Jump *self, HbgExpr a, HbgExpr b, const HbgExpr read[2]) {
  const HbgExpr zero = find_zero(self, a, b);
  HbgExpr sides[PLACES];
  self->choices = self->hanging = NULL; // these were in the scratch arena
  self->choice_count = self->choice_capacity = self->hanging_count = self->hanging_capacity = 0;
  find_choices(self, read[ABOVE]);
  find_choices(self, read[BELOW]);
  if (!zero) return jumps_somewhere(self, a, b, read);
  find_choices(self, zero);
  if (!self->choice_count) {
    make_sides(self, read, zero, 0, sides);
    return sides[ABOVE] != sides[BELOW] && differ(self, sides, 0, ROUNDS);
  }
  const int32_t combinations = self->choice_count > MOST_EXHAUSTIVE ? 1 << MOST_EXHAUSTIVE : 1 << self->choice_count;
  const int32_t rounds = combinations < ROUNDS ? ROUNDS : combinations;
  for (int32_t round = 0; round < rounds; round++) {
    make_sides(self, read, zero, round, sides);
    if (sides[ABOVE] != sides[BELOW] && differ(self, sides, round, 1)) return true;
  }
  return false;
}

HbgLawJump hbg_law_jump(HbgFlatModel *model, HbgArena *arena, HbgArena *scratch) {
  return (HbgLawJump){.model = model, .arena = arena, .scratch = scratch, .values = hbg_values(model, arena)};
}

bool hbg_law_jumps(HbgLawJump *self, HbgExpr a, HbgExpr b, const HbgExpr read[2]) {
  if (read[0] == read[1] || !varies(self, a, b)) return false;
  const HbgArenaMark mark = hbg_arena_mark(self->scratch);
  const bool answer = has_jump(self, a, b, read);
  hbg_arena_rewind(self->scratch, mark);
  return answer;
}

bool hbg_law_is_below_at_start(HbgLawJump *self, HbgExpr a, HbgExpr b) {
  const HbgFlatModel *model = self->model;
  const HbgExpr difference = hbg_expr_binary(&self->model->pool, HBG_OP_SUB, a, b);
  const HbgArenaMark mark = hbg_arena_mark(self->scratch);
  HbgProbe probe = hbg_probe(model, &self->model->pool, &difference, 1, self->scratch);
  begin_values(self, &probe);
  hbg_probe_run(&probe, &self->values);
  const bool is_below = hbg_probe_value(&probe, 0) < 0;
  hbg_arena_rewind(self->scratch, mark);
  return is_below;
}

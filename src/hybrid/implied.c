/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/implied.h"

#include <float.h>
#include <math.h>

#include "equations/slot.h"
#include "hybrid/probe.h"

static const char *const told_as = "the jump of its law";

/* ---- reading signs ---- */

static bool find_sides(HbgExprPool *pool, const HbgExprNode *node, HbgExpr *a, HbgExpr *b) {
  switch (node->op) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: *a = node->a, *b = node->b; return true;
    case HBG_OP_SIGN: *a = node->a, *b = hbg_expr_constant(pool, 0); return true;
    default: return false;
  }
}

/* The two sides of what is asked of a difference: of a comparison, or of a sign; false for other operations. -x against 0 is 0
 * against x. */
static bool sides_of(HbgExprPool *pool, const HbgExprNode *node, HbgExpr *a, HbgExpr *b) {
  if (!find_sides(pool, node, a, b)) return false;
  const HbgExpr left = *a;
  if (hbg_expr_node(pool, left)->op != HBG_OP_NEG || !hbg_expr_is(pool, *b, 0)) return true;
  *a = *b;
  *b = hbg_expr_node(pool, left)->a;
  return true;
}

/* 1 where `sign` is about a - b, -1 about b - a, else 0. */
static int sense_of(const HbgImpliedSign *sign, HbgExpr a, HbgExpr b) {
  if (sign->a == a && sign->b == b) return 1;
  return sign->a == b && sign->b == a ? -1 : 0;
}

/* What `node` is where a - b is positive or negative, as the condition `is_above` says. */
static HbgExpr answer(HbgExprPool *pool, const HbgExprNode *node, HbgExpr is_above, int sense) {
  const HbgExpr above = sense > 0 ? is_above : hbg_expr_unary(pool, HBG_OP_NOT, is_above);
  if (node->op == HBG_OP_SIGN)
    return hbg_expr_select(pool, above, hbg_expr_constant(pool, 1), hbg_expr_constant(pool, -1));
  const bool asks_above = node->op == HBG_OP_GREATER || node->op == HBG_OP_GREATER_EQUAL;
  return asks_above ? above : hbg_expr_unary(pool, HBG_OP_NOT, above);
}

/* The one about a - b, or b - a; NULL. */
static const HbgImpliedSign *find_sign(const HbgImplied *implied, HbgExpr a, HbgExpr b) {
  const int32_t key[] = {a < b ? a : b, a < b ? b : a};
  return hbg_key_table_find(&implied->signs, key, 2);
}

typedef struct Reading {
  const HbgImplied *implied;  /* whose machines are read; NULL: */
  const HbgImpliedSign *only;
  HbgExpr is_above;           /* ... the only one is read as this */
} Reading;

static const HbgImpliedSign *sign_for(const Reading *reading, HbgExpr a, HbgExpr b) {
  if (reading->implied) return find_sign(reading->implied, a, b);
  return sense_of(reading->only, a, b) ? reading->only : NULL;
}

static bool stops_at(HbgOperation op) { return op == HBG_OP_PRE || op == HBG_OP_IMPULSE || op == HBG_OP_FINITE; }

static HbgExpr read_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Reading *reading = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_operation_info[node.op].arguments || stops_at(node.op)) return expr;
  HbgExpr a, b;
  if (!sides_of(pool, &node, &a, &b)) return 0;
  const HbgImpliedSign *sign = sign_for(reading, a, b);
  if (!sign) return 0;
  const HbgExpr above = reading->is_above ? reading->is_above : hbg_expr_leaf(pool, HBG_OP_IN_STATE, sign->machine, 0);
  return answer(pool, &node, above, sense_of(sign, a, b));
}

static HbgExpr read_with(HbgExprPool *pool, HbgExpr expr, const Reading *reading) {
  return hbg_expr_walk(pool, expr, &(HbgWalk){read_enter, hbg_expr_rebuild, (void *)(uintptr_t)reading});
}

/* ---- variables that are one and the same ---- */

static HbgExpr common_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgImplied *implied = user;
  const int32_t variable = hbg_variable_of(hbg_expr_node(pool, leaf));
  return variable < 0 ? 0 : hbg_variable(pool, implied->common[variable]);
}

/* With one name for the flow of all bonds at a 1-junction, and for the effort of all bonds at a 0-junction. */
static HbgExpr in_common(const HbgImplied *implied, HbgExprPool *pool, HbgExpr expr) {
  return hbg_expr_replace(pool, expr, common_leaf, (void *)(uintptr_t)implied);
}

static int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

static void find_common(const HbgFlatModel *model, HbgImplied *implied, HbgArena *arena) {
  int32_t *common = implied->common = ARENA_NEW(arena, int32_t, 2 * model->bond_count);
  for (int32_t variable = 0; variable < 2 * model->bond_count; variable++) common[variable] = variable;
  for (int32_t at = 0; at < model->node_count; at++) {
    const HbgNode *node = &model->nodes[at];
    if (!hbg_is_junction(node) || node->machine >= 0) continue;
    const int is_flow = node->kind == HBG_ELEMENT_ONE;
    for (int32_t which = 1; which < node->port_count; which++) {
      const int32_t a = root_of(common, 2 * hbg_port(model, node, 0)->bond + is_flow);
      const int32_t b = root_of(common, 2 * hbg_port(model, node, which)->bond + is_flow);
      common[a < b ? b : a] = a < b ? a : b;
    }
  }
  for (int32_t variable = 0; variable < 2 * model->bond_count; variable++) common[variable] = root_of(common, variable);
}

/* ---- reading ---- */

static HbgExpr read_machines(const HbgImplied *implied, HbgExprPool *pool, HbgExpr expr) {
  return read_with(pool, expr, &(Reading){.implied = implied});
}

HbgExpr hbg_implied_read(const HbgImplied *implied, HbgExprPool *pool, HbgExpr expr) {
  if (!implied->signs.count) return expr;
  const HbgExpr common = in_common(implied, pool, expr), read = read_machines(implied, pool, common);
  return read == common ? expr : read;
}

/* ---- finding them ---- */

typedef struct Finder {
  HbgFlatModel *model;
  HbgImplied *implied;
  HbgArena *arena, *scratch;
  HbgValues values;      /* any, to try laws at */
  const char *name;      /* of what is looked at */
  HbgSpan span;
  HbgImpliedSign *asked; int32_t asked_count, asked_capacity; /* differences whose signs it reads */
  bool varies;           /* a difference reads something that varies continuously */
  HbgExpr leaf; int32_t leaf_count; /* a leaf that varies, of such a difference */
  HbgExpr *own; int32_t own_count, own_capacity;             /* all leaves of it that vary */
  HbgExpr *hanging; int32_t hanging_count, hanging_capacity; /* what hangs on them */
  HbgExpr *choices; int32_t choice_count, choice_capacity;   /* what switches or is looked up beside it: it may be anything, at some time */
} Finder;

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Finder *self = user;
  const HbgOperation op = hbg_expr_node(pool, leaf)->op;
  if (op == HBG_OP_STATE || op == HBG_OP_EFFORT || op == HBG_OP_FLOW || op == HBG_OP_TIME) {
    self->varies = true;
    if (op != HBG_OP_TIME || !self->leaf) self->leaf = leaf;
    ARENA_PUSH(self->arena, self->own, self->own_count, self->own_capacity) = leaf;
  }
  if (stops_at(op)) self->leaf_count = -1; // what was, or an impulse: no quantity that varies with time
  return stops_at(op) ? leaf : 0;
}

static HbgExpr ask_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  Finder *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_operation_info[node.op].arguments || stops_at(node.op)) return expr;
  HbgExpr a, b;
  if (!sides_of(pool, &node, &a, &b)) return 0;
  for (int32_t at = 0; at < self->asked_count; at++)
    if (sense_of(&self->asked[at], a, b)) return 0;
  ARENA_PUSH(self->arena, self->asked, self->asked_count, self->asked_capacity) = (HbgImpliedSign){a, b, -1};
  return 0;
}

static HbgExpr ask_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  (void)pool;
  (void)memo;
  (void)user;
  return expr;
}

typedef struct Substitution {
  HbgExpr leaf, by;
} Substitution;

static HbgExpr substitute(HbgExprPool *pool, HbgExpr leaf, void *user) {
  (void)pool;
  const Substitution *substitution = user;
  return leaf == substitution->leaf ? substitution->by : 0;
}

static bool reads_difference(Finder *self, const HbgImpliedSign *asked) {
  HbgExprPool *pool = &self->model->pool;
  self->varies = false;
  self->leaf = 0;
  self->leaf_count = self->own_count = 0;
  hbg_expr_replace(pool, asked->a, note_leaf, self);
  hbg_expr_replace(pool, asked->b, note_leaf, self);
  return self->varies && self->leaf_count >= 0;
}

/* Numbers without any relation to each other, for all that is read: of the order of 1 at first, then of others. */
static void choose_values(Finder *self, const HbgProbe *probe, int round) {
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
static void begin_values(Finder *self, const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_STATE) self->values.state[leaf->index] = self->model->states[leaf->index].start;
    else if (variable >= 0) self->values.variable[variable] = 0;
  }
  self->values.time = 0;
}

/* ---- does it jump? ---- */

enum { MOST_EXHAUSTIVE = 5, ROUNDS = 8 };

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

static bool is_own(const Finder *self, HbgExpr expr) { return place_in(self->own, self->own_count, expr) >= 0; }
static bool hangs(const Finder *self, HbgExpr expr) { return place_in(self->hanging, self->hanging_count, expr) >= 0; }
static int32_t choice_of(const Finder *self, HbgExpr expr) { return place_in(self->choices, self->choice_count, expr); }

/* What hangs on the difference's own leaves, children first: 2, else 1. */
static HbgExpr hangs_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Finder *self = user;
  if (is_own(self, expr)) return 2;
  return hbg_operation_info[hbg_expr_node(pool, expr)->op].arguments ? 0 : 1;
}

static HbgExpr hangs_leave(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user) {
  Finder *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (memo[node->a] != 2 && !(node->b && memo[node->b] == 2) && !(node->c && memo[node->c] == 2)) return 1;
  ARENA_PUSH(self->scratch, self->hanging, self->hanging_count, self->hanging_capacity) = expr;
  return 2;
}

static bool visit_choice(HbgExprPool *pool, HbgExpr expr, void *user) {
  Finder *self = user;
  if (!may_rest(hbg_expr_node(pool, expr)->op) || hangs(self, expr)) return true;
  if (choice_of(self, expr) < 0) ARENA_PUSH(self->scratch, self->choices, self->choice_count, self->choice_capacity) = expr;
  return false;
}

/* The outermost of what may rest and does not hang on the difference. */
static void find_choices(Finder *self, HbgExpr expr) {
  hbg_expr_walk(&self->model->pool, expr, &(HbgWalk){hangs_enter, hangs_leave, self});
  hbg_expr_visit(&self->model->pool, expr, visit_choice, self);
}

typedef struct Choosing {
  const Finder *self;
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
static HbgExpr choose(Finder *self, HbgExpr expr, int32_t round) {
  if (!self->choice_count) return expr;
  return hbg_expr_walk(&self->model->pool, expr, &(HbgWalk){choose_enter, hbg_expr_rebuild, &(Choosing){self, round}});
}

/* A law on both sides: on the surface, and next to it twice. */
enum { ABOVE, BELOW, NEXT = 2, PLACES = 6 };
static const double away[] = {0, 1e-12, 1e-8}; /* relative */

/* What is left of sqrt(1 - 1) by round-off is no jump: it becomes many times as much next to the surface. */
static bool is_jump(const double gap[3], double size) { return gap[0] > 1e-9 * size && !(gap[1] > 10 * gap[0]) && !(gap[2] > 10 * gap[0]); }

static bool differ(Finder *self, const HbgExpr sides[PLACES], int32_t first_round, int32_t rounds) {
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
static void make_sides(Finder *self, const HbgExpr *read, HbgExpr zero, int32_t round, HbgExpr sides[PLACES]) {
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
static HbgExpr find_zero(Finder *self, const HbgImpliedSign *asked) {
  HbgExpr zero = hbg_expr_solve(&self->model->pool, asked->a, asked->b, self->leaf);
  for (int32_t at = 0; at < self->own_count && !zero; at++) {
    self->leaf = self->own[at];
    zero = hbg_expr_solve(&self->model->pool, asked->a, asked->b, self->leaf);
  }
  return zero;
}

/* ---- where the difference cannot be solved for anything, its zeros are looked for in numbers ---- */

static double *number_of(Finder *self, HbgExpr leaf) {
  const HbgExprNode *node = hbg_expr_node(&self->model->pool, leaf);
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0) return &self->values.variable[variable];
  return node->op == HBG_OP_STATE ? &self->values.state[node->index] : &self->values.time;
}

static double difference_at(Finder *self, HbgProbe *probe, double *number, double at) {
  *number = at;
  hbg_probe_run(probe, &self->values);
  return hbg_probe_value(probe, 2);
}

/* A zero between `low` and `high`, to the last digit. */
static void bisect(Finder *self, HbgProbe *probe, double *number, double low, double high, bool rises) {
  for (int halving = 0; halving < 1100 && low < high; halving++) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    if ((difference_at(self, probe, number, middle) > 0) == rises) high = middle;
    else low = middle;
  }
  *number = high;
}

/* Over all orders of magnitude, of either sign. */
static bool find_root(Finder *self, HbgProbe *probe, double *number) {
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

static bool differs_at(Finder *self, HbgProbe *probe, double *number) {
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
static bool jumps_somewhere(Finder *self, const HbgExpr *read, const HbgImpliedSign *asked) {
  HbgExprPool *pool = &self->model->pool;
  const HbgExpr difference = hbg_expr_binary(pool, HBG_OP_SUB, asked->a, asked->b);
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

/* Has `expr` another value on both sides of where the difference vanishes, ever? Where that place cannot be found it may have. */
static bool jumps(Finder *self, HbgExpr expr, const HbgImpliedSign *asked) {
  HbgExprPool *pool = &self->model->pool;
  const HbgExpr zero = find_zero(self, asked);
  HbgExpr read[2], sides[PLACES];
  for (int side = 0; side < 2; side++) read[side] = read_with(pool, expr, &(Reading){.only = asked, .is_above = hbg_expr_boolean(pool, side == 0)});
  if (read[0] == read[1]) return false;
  self->choices = self->hanging = NULL; // these were in the scratch arena
  self->choice_count = self->choice_capacity = self->hanging_count = self->hanging_capacity = 0;
  find_choices(self, read[0]);
  find_choices(self, read[1]);
  if (!zero) return jumps_somewhere(self, read, asked);
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

/* What is known already stays. */
static void add_sign(Finder *self, HbgImpliedSign sign) {
  HbgImplied *implied = self->implied;
  if (find_sign(implied, sign.a, sign.b)) return;
  HbgImpliedSign *kept = ARENA_NEW(self->arena, HbgImpliedSign, 1);
  int32_t *key = ARENA_NEW(self->arena, int32_t, 2);
  *kept = sign;
  key[0] = sign.a < sign.b ? sign.a : sign.b;
  key[1] = sign.a < sign.b ? sign.b : sign.a;
  hbg_key_table_add(&implied->signs, key, 2, kept);
}

/* Is there a machine for it, perhaps by another name? */
static bool is_known(Finder *self, const HbgImpliedSign *asked, const HbgImpliedSign *common) {
  if (find_sign(self->implied, asked->a, asked->b)) return true;
  const HbgImpliedSign *same = find_sign(self->implied, common->a, common->b);
  if (!same) return false;
  const bool is_turned = sense_of(same, common->a, common->b) < 0;
  add_sign(self, (HbgImpliedSign){is_turned ? asked->b : asked->a, is_turned ? asked->a : asked->b, same->machine});
  return true;
}

static void add_transition(HbgFlatModel *model, HbgTransition *transition, const HbgImpliedSign *asked, int32_t from,
                           HbgSpan span) {
  const HbgOperation turned = from == 0 ? HBG_OP_LESS : HBG_OP_GREATER;
  *transition = (HbgTransition){.from = from,
                                .to = 1 - from,
                                .guard = hbg_expr_binary(&model->pool, turned, asked->a, asked->b),
                                .written = from,
                                .priority = (double)INFINITY,
                                .span = span,
                                .text = told_as};
}

/* The side the difference is on at the beginning, as far as stored quantities tell. */
static int32_t first_side(Finder *self, const HbgImpliedSign *asked) {
  const HbgFlatModel *model = self->model;
  const HbgExpr difference = hbg_expr_binary(&self->model->pool, HBG_OP_SUB, asked->a, asked->b);
  const HbgArenaMark mark = hbg_arena_mark(self->scratch);
  HbgProbe probe = hbg_probe(model, &self->model->pool, &difference, 1, self->scratch);
  begin_values(self, &probe);
  hbg_probe_run(&probe, &self->values);
  const bool is_below = hbg_probe_value(&probe, 0) < 0;
  hbg_arena_rewind(self->scratch, mark);
  return is_below;
}

static HbgMachine make_machine(Finder *self, const HbgImpliedSign *asked) {
  HbgMachineState *states = ARENA_NEW(self->arena, HbgMachineState, 2);
  states[0] = (HbgMachineState){.name = "above"};
  states[1] = (HbgMachineState){.name = "below"};
  HbgTransition *transitions = ARENA_NEW(self->arena, HbgTransition, 2);
  for (int32_t from = 0; from < 2; from++) add_transition(self->model, &transitions[from], asked, from, self->span);
  return (HbgMachine){.name = self->name,
                      .type = "",
                      .states = states,
                      .state_count = 2,
                      .initial = first_side(self, asked),
                      .transitions = transitions,
                      .transition_count = 2,
                      .first_timer = self->model->timer_count,
                      .first_variable = self->model->variable_count,
                      .owner = -1,
                      .span = self->span};
}

typedef struct MachineList {
  HbgMachine *list;
  int32_t count, capacity;
} MachineList;

/* Looks through one law; its machines go to the end of `machines`. */
static void look_through(Finder *self, HbgExpr expr, MachineList *machines) {
  HbgExprPool *pool = &self->model->pool;
  self->asked_count = 0;
  hbg_expr_walk(pool, expr, &(HbgWalk){ask_enter, ask_leave, self});
  for (int32_t at = 0; at < self->asked_count; at++) {
    const HbgImpliedSign asked = self->asked[at];
    const HbgImpliedSign common = {in_common(self->implied, pool, asked.a), in_common(self->implied, pool, asked.b), machines->count};
    if (is_known(self, &asked, &common) || !reads_difference(self, &asked)) continue;
    const HbgArenaMark mark = hbg_arena_mark(self->scratch);
    const bool does_jump = jumps(self, expr, &asked);
    hbg_arena_rewind(self->scratch, mark);
    if (!does_jump) continue;
    add_sign(self, (HbgImpliedSign){asked.a, asked.b, machines->count});
    add_sign(self, common);
    ARENA_PUSH(self->arena, machines->list, machines->count, machines->capacity) = make_machine(self, &asked);
  }
}

/* The law of a resistor that is an equation, or of a storage, is solved as a whole. */
static bool may_jump(const HbgNode *node) {
  return node->law && node->law_form != HBG_LAW_IMPLICIT && !hbg_is_storage(node);
}

static bool asks(HbgOperation op) {
  return op == HBG_OP_SIGN || op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL || op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL;
}

/* Does some law or input of an integrator ask for a sign anywhere? Arguments come before what is made of them, so one look at all
 * expressions tells, and a model without such laws is not copied. */
static bool is_asked(const HbgFlatModel *model, HbgArena *arena) {
  const HbgExprPool *pool = &model->pool;
  uint8_t *is_inside = hbg_arena_enlarge(arena, NULL, 0, pool->count, sizeof *is_inside);
  bool found = false;
  for (HbgExpr expr = 1; expr < pool->count; expr++) {
    const HbgExprNode *node = hbg_expr_node(pool, expr);
    is_inside[expr] = asks(node->op) || is_inside[node->a] || is_inside[node->b] || is_inside[node->c];
  }
  for (int32_t node = 0; node < model->node_count && !found; node++)
    found = may_jump(&model->nodes[node]) && is_inside[model->nodes[node].law];
  for (int32_t state = 0; state < model->state_count && !found; state++)
    found = model->states[state].node < 0 && is_inside[model->states[state].input];
  hbg_arena_give_back(arena, is_inside);
  return found;
}

static void find(Finder *self, MachineList *machines) {
  const HbgFlatModel *model = self->model;
  for (int32_t node = 0; node < model->node_count; node++) {
    if (!may_jump(&model->nodes[node])) continue;
    self->name = model->nodes[node].name;
    self->span = model->nodes[node].span;
    look_through(self, model->nodes[node].law, machines);
  }
  for (int32_t state = 0; state < model->state_count; state++) {
    if (model->states[state].node >= 0) continue;
    self->name = model->states[state].name;
    self->span = model->states[state].span;
    look_through(self, model->states[state].input, machines);
  }
}

static void read_in_laws(HbgFlatModel *model, const HbgImplied *implied, HbgArena *arena) {
  HbgNode *nodes = ARENA_NEW(arena, HbgNode, model->node_count);
  for (int32_t node = 0; node < model->node_count; node++) {
    nodes[node] = model->nodes[node];
    if (may_jump(&nodes[node])) nodes[node].law = read_machines(implied, &model->pool, nodes[node].law);
  }
  HbgState *states = ARENA_NEW(arena, HbgState, model->state_count);
  for (int32_t state = 0; state < model->state_count; state++) {
    states[state] = model->states[state];
    if (states[state].node < 0) states[state].input = read_machines(implied, &model->pool, states[state].input);
  }
  model->nodes = nodes;
  model->states = states;
}

/* A difference that holds another condition, as f - (if sin(time) > 0 then 1 else 0) does, jumps with the machine of that, and not by itself. */
static void read_in_guards(HbgFlatModel *model, const HbgImplied *implied) {
  for (int32_t at = implied->first; at < model->machine_count; at++)
    for (int32_t which = 0; which < model->machines[at].transition_count; which++) {
      HbgExpr *guard = &model->machines[at].transitions[which].guard;
      const HbgExprNode node = *hbg_expr_node(&model->pool, *guard);
      const HbgExpr a = read_machines(implied, &model->pool, node.a), b = read_machines(implied, &model->pool, node.b);
      if (a != node.a || b != node.b) *guard = hbg_expr_binary(&model->pool, node.op, a, b);
    }
}

/* `model` with the machines its laws imply; itself when there are none. */
static const HbgFlatModel *extend(const HbgFlatModel *model, HbgImplied *implied, HbgArena *arena, HbgArena *scratch) {
  HbgFlatModel *extended = ARENA_NEW(arena, HbgFlatModel, 1);
  *extended = *model;
  extended->pool = hbg_expr_pool_copy(&model->pool, arena);
  Finder finder = {.model = extended, .implied = implied, .arena = arena, .scratch = scratch};
  finder.values = hbg_values(model, arena);
  MachineList machines = {0};
  for (int32_t at = 0; at < model->machine_count; at++)
    ARENA_PUSH(arena, machines.list, machines.count, machines.capacity) = model->machines[at];
  find_common(model, implied, arena);
  find(&finder, &machines);
  if (implied->signs.count) {
    extended->machines = machines.list;
    extended->machine_count = machines.count;
    read_in_laws(extended, implied, arena);
    read_in_guards(extended, implied);
  }
  return implied->signs.count ? extended : model;
}

typedef struct Implying {
  const HbgFlatModel *model;
  HbgImplied *implied;
  HbgArena *arena, scratch;
} Implying;

static HbgStatus imply(void *user) {
  Implying *self = user;
  self->scratch.on_failure = self->arena->on_failure;
  self->model = extend(self->model, self->implied, self->arena, &self->scratch);
  return HBG_OK;
}

const HbgFlatModel *hbg_imply_machines(const HbgFlatModel *model, HbgImplied *implied, HbgArena *arena) {
  *implied = (HbgImplied){.first = model->machine_count, .signs = hbg_key_table(arena)};
  if (!is_asked(model, arena)) return model;
  Implying self = {.model = model, .implied = implied, .arena = arena, .scratch = hbg_arena(arena->allocator)};
  const HbgStatus status = hbg_guarded(arena, imply, &self);
  hbg_arena_release_all(&self.scratch);
  if (status != HBG_OK) hbg_arena_give_up(arena);
  return self.model;
}

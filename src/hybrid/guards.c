/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/guards.h"

#include <string.h>

enum { MOST_CONJUNCTIONS = 256 }; /* beyond, a guard stays as one condition */

typedef struct Product {
  HbgExpr *factors;
  int32_t count, capacity;
} Product;

typedef struct Sum {
  Product *products;
  int32_t count, capacity;
} Sum;

typedef struct Expander {
  HbgExprPool *pool;
  HbgArena *arena;
  bool is_too_large;
} Expander;

/* ---- disjunctive normal form ---- */

static HbgOperation opposite(HbgOperation relation) {
  switch (relation) {
    case HBG_OP_LESS: return HBG_OP_GREATER_EQUAL;
    case HBG_OP_LESS_EQUAL: return HBG_OP_GREATER;
    case HBG_OP_GREATER: return HBG_OP_LESS_EQUAL;
    case HBG_OP_GREATER_EQUAL: return HBG_OP_LESS;
    default: return HBG_OP_COUNT;
  }
}

HbgExpr hbg_condition_negated(HbgExprPool *pool, HbgExpr factor) {
  const HbgExprNode node = *hbg_expr_node(pool, factor);
  const HbgOperation turned = opposite(node.op);
  return turned == HBG_OP_COUNT ? hbg_expr_unary(pool, HBG_OP_NOT, factor) : hbg_expr_binary(pool, turned, node.a, node.b);
}

static Sum single(Expander *self, HbgExpr factor) {
  Sum sum = {0};
  Product product = {0};
  ARENA_PUSH(self->arena, product.factors, product.count, product.capacity) = factor;
  ARENA_PUSH(self->arena, sum.products, sum.count, sum.capacity) = product;
  return sum;
}

static Sum add(Expander *self, Sum a, const Sum *b) {
  for (int32_t at = 0; at < b->count; at++)
    ARENA_PUSH(self->arena, a.products, a.count, a.capacity) = b->products[at];
  return a;
}

static Sum multiply(Expander *self, const Sum *a, const Sum *b) {
  Sum result = {0};
  if (a->count * b->count > MOST_CONJUNCTIONS) {
    self->is_too_large = true;
    return result;
  }
  for (int32_t i = 0; i < a->count; i++) {
    for (int32_t j = 0; j < b->count; j++) {
      Product product = {0};
      for (int32_t at = 0; at < a->products[i].count; at++)
        ARENA_PUSH(self->arena, product.factors, product.count, product.capacity) = a->products[i].factors[at];
      for (int32_t at = 0; at < b->products[j].count; at++)
        ARENA_PUSH(self->arena, product.factors, product.count, product.capacity) = b->products[j].factors[at];
      ARENA_PUSH(self->arena, result.products, result.count, result.capacity) = product;
    }
  }
  return result;
}

/* The parser limits the depth of what is written, and named signals stand for one factor each where they are relations. */
static Sum expand(Expander *self, HbgExpr expr, bool negated, int depth) {
  const HbgExprNode node = *hbg_expr_node(self->pool, expr);
  if (self->is_too_large || depth > 200) {
    self->is_too_large = true;
    return (Sum){0};
  }
  if (node.op == HBG_OP_NOT) return expand(self, node.a, !negated, depth + 1);
  if (node.op == HBG_OP_AND || node.op == HBG_OP_OR) {
    const Sum a = expand(self, node.a, negated, depth + 1), b = expand(self, node.b, negated, depth + 1);
    return (node.op == HBG_OP_AND) != negated ? multiply(self, &a, &b) : add(self, a, &b);
  }
  return single(self, negated ? hbg_condition_negated(self->pool, expr) : expr);
}

static bool has_factor(const Product *product, HbgExpr factor) {
  for (int32_t at = 0; at < product->count; at++)
    if (product->factors[at] == factor) return true;
  return false;
}

/* Each condition once: one that waits for itself would be thought to have come to hold as soon as it is met. */
static void drop_repeated(Product *product) {
  const int32_t count = product->count;
  product->count = 0;
  for (int32_t at = 0; at < count; at++)
    if (!has_factor(product, product->factors[at])) product->factors[product->count++] = product->factors[at];
}

static bool holds_all_of(const Product *product, const Product *other) {
  for (int32_t at = 0; at < other->count; at++)
    if (!has_factor(product, other->factors[at])) return false;
  return true;
}

/* Without conjunctions that ask for all that another one asks for, and more. */
static void absorb(Sum *sum) {
  int32_t kept = 0;
  for (int32_t at = 0; at < sum->count; at++) drop_repeated(&sum->products[at]);
  for (int32_t at = 0; at < sum->count; at++) {
    bool is_needed = true;
    for (int32_t other = 0; other < kept && is_needed; other++) is_needed = !holds_all_of(&sum->products[at], &sum->products[other]);
    for (int32_t other = at + 1; other < sum->count && is_needed; other++)
      is_needed = sum->products[other].count >= sum->products[at].count || !holds_all_of(&sum->products[at], &sum->products[other]);
    if (is_needed) sum->products[kept++] = sum->products[at];
  }
  sum->count = kept;
}

enum { MOST_PLAIN = 16 }; /* conditions of a guard that is taken apart without lists that grow */

/* The conditions of a guard that is one conjunction, as expand() would list them; false for others, and for long ones. */
static bool collect_plain(const HbgExprPool *pool, HbgExpr expr, Product *product, int depth) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_AND)
    return depth < MOST_PLAIN && collect_plain(pool, node->a, product, depth + 1) && collect_plain(pool, node->b, product, depth + 1);
  const bool is_taken_apart = node->op == HBG_OP_NOT || node->op == HBG_OP_OR;
  if (is_taken_apart || product->count == MOST_PLAIN || has_factor(product, expr)) return false;
  product->factors[product->count++] = expr;
  return true;
}

/* ---- what a conjunction reads ---- */

typedef struct Reading {
  bool a_posteriori, a_priori, oscillates, time;
  HbgGuards *guards;
  HbgArena *arena;
  int32_t *bonds, bond_count, bond_capacity;
  int32_t *states, state_count, state_capacity;
} Reading;

static void note_bond(Reading *reading, int32_t bond) {
  for (int32_t at = 0; at < reading->bond_count; at++)
    if (reading->bonds[at] == bond) return;
  ARENA_PUSH(reading->arena, reading->bonds, reading->bond_count, reading->bond_capacity) = bond;
}

/* A periodic function of a state that moves evenly turns between the samples of a long step. */
static bool is_periodic(HbgOperation op) {
  switch (op) {
    case HBG_OP_SIN:
    case HBG_OP_COS:
    case HBG_OP_TAN:
    case HBG_OP_MOD:
    case HBG_OP_FLOOR:
    case HBG_OP_CEIL: return true;
    default: return false;
  }
}

void hbg_guards_read_variable(HbgGuards *guards, int32_t variable) {
  if (!guards->is_read[variable]) guards->read_count++;
  guards->is_read[variable] = 1;
}

static bool note_node(HbgExprPool *pool, HbgExpr expr, void *user) {
  Reading *reading = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(&node);
  if (variable >= 0) {
    hbg_guards_read_variable(reading->guards, variable);
    note_bond(reading, variable / 2);
  }
  if (node.op == HBG_OP_STATE)
    ARENA_PUSH(reading->arena, reading->states, reading->state_count, reading->state_capacity) = node.index;
  if (node.op == HBG_OP_TIME) reading->oscillates = reading->time = true;
  if (is_periodic(node.op)) reading->oscillates = true;
  if (node.op == HBG_OP_PRE) {
    // what stands below is read, but on the other side
    const bool a_posteriori = reading->a_posteriori;
    hbg_expr_visit(pool, node.a, note_node, reading);
    reading->a_posteriori = a_posteriori;
    reading->a_priori = true;
    return false;
  }
  if (variable >= 0 || node.op == HBG_OP_STATE || node.op == HBG_OP_TIME || node.op == HBG_OP_TICK ||
      node.op == HBG_OP_TIMER)
    reading->a_posteriori = true;
  return true;
}

static bool note_moving(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (hbg_variable_of(node) >= 0 || node->op == HBG_OP_STATE || node->op == HBG_OP_TIME || node->op == HBG_OP_SHARE)
    *(bool *)user = true;
  return true;
}

/* Does its value move in continuous time? */
static bool moves(HbgExprPool *pool, HbgExpr expr) {
  bool does = false;
  hbg_expr_visit(pool, expr, note_moving, &does);
  return does;
}

static bool is_relation(HbgOperation op) { return opposite(op) != HBG_OP_COUNT || op == HBG_OP_EQUAL; }

/* The relation as it must hold; NOT stands for "differs" (of equality). */
static HbgOperation relation_of(const HbgExprPool *pool, HbgExpr factor) { return hbg_expr_node(pool, factor)->op; }

static HbgExpr relation_inside(const HbgExprPool *pool, HbgExpr factor) {
  const HbgExprNode *node = hbg_expr_node(pool, factor);
  return node->op == HBG_OP_NOT ? node->a : factor;
}

static HbgExpr difference_of(HbgExprPool *pool, HbgExpr factor) {
  const HbgExprNode node = *hbg_expr_node(pool, relation_inside(pool, factor));
  return is_relation(node.op) ? hbg_expr_binary(pool, HBG_OP_SUB, node.a, node.b) : 0;
}

static HbgExpr without_pre(const HbgExprPool *pool, HbgExpr side) {
  const HbgExprNode *node = hbg_expr_node(pool, side);
  return node->op == HBG_OP_PRE ? node->a : side;
}

static bool exclude(HbgOperation a, HbgOperation b) {
  if (a == HBG_OP_LESS) return b == HBG_OP_GREATER || b == HBG_OP_GREATER_EQUAL;
  return a == HBG_OP_LESS_EQUAL && b == HBG_OP_GREATER;
}

/* Do two of its differences, which are one as long as a priori values are those of a posteriori, have to have different signs? */
static bool waits_for_jump(const HbgExprPool *pool, const HbgConjunction *conjunction) {
  for (int32_t a = 0; conjunction->reads_a_priori && a < conjunction->difference_count; a++)
    for (int32_t b = 0; b < conjunction->difference_count; b++) {
      const HbgExpr *of_a = &conjunction->sides[2 * a], *of_b = &conjunction->sides[2 * b];
      if (exclude(conjunction->relations[a], conjunction->relations[b]) && without_pre(pool, of_a[0]) == without_pre(pool, of_b[0]) &&
          without_pre(pool, of_a[1]) == without_pre(pool, of_b[1]))
        return true;
    }
  return false;
}

static HbgConjunction make_conjunction(HbgGuards *guards, HbgExprPool *pool, HbgArena *arena, const Product *product) {
  HbgConjunction conjunction = {.atom_count = product->count,
                                .relations = ARENA_NEW(arena, HbgOperation, product->count),
                                .factors = ARENA_NEW(arena, HbgExpr, product->count),
                                .factor_of = ARENA_NEW(arena, int32_t, product->count)};
  HbgExpr *outputs = ARENA_NEW(arena, HbgExpr, 3 * product->count + 1), *sides = ARENA_NEW(arena, HbgExpr, 2 * product->count);
  Reading reading = {.guards = guards, .arena = arena};
  HbgExpr whole = hbg_expr_boolean(pool, true);
  for (int32_t at = 0; at < product->count; at++) {
    const HbgExpr factor = product->factors[at];
    conjunction.factors[at] = factor;
    whole = hbg_expr_binary(pool, HBG_OP_AND, whole, factor);
    hbg_expr_visit(pool, factor, note_node, &reading);
    const HbgExpr difference = difference_of(pool, factor);
    if (!difference) {
      if (moves(pool, factor)) conjunction.is_opaque = true;
      continue;
    }
    conjunction.relations[conjunction.difference_count] = relation_of(pool, factor);
    conjunction.factor_of[conjunction.difference_count] = at;
    const HbgExprNode relation = *hbg_expr_node(pool, relation_inside(pool, factor));
    sides[2 * conjunction.difference_count] = relation.a;
    sides[2 * conjunction.difference_count + 1] = relation.b;
    outputs[1 + conjunction.difference_count++] = difference;
  }
  outputs[0] = whole;
  for (int32_t at = 0; at < 2 * conjunction.difference_count; at++) outputs[1 + conjunction.difference_count + at] = sides[at];
  conjunction.is_a_posteriori = reading.a_posteriori || !reading.a_priori;
  conjunction.reads_a_priori = reading.a_priori;
  conjunction.reads_time = reading.time;
  conjunction.sides = sides;
  conjunction.waits_for_jump = waits_for_jump(pool, &conjunction);
  conjunction.states = reading.states;
  conjunction.state_count = reading.state_count;
  conjunction.bonds = reading.bonds;
  conjunction.bond_count = reading.bond_count;
  conjunction.may_oscillate = reading.oscillates;
  guards->may_oscillate = guards->may_oscillate || reading.oscillates;
  conjunction.probe = hbg_probe(guards->model, pool, outputs, 3 * conjunction.difference_count + 1, arena);
  return conjunction;
}

HbgConjunction hbg_conjunction(HbgGuards *guards, HbgExprPool *pool, HbgArena *arena, const HbgExpr *factors, int32_t count) {
  Product product = {0};
  for (int32_t at = 0; at < count; at++) ARENA_PUSH(arena, product.factors, product.count, product.capacity) = factors[at];
  return make_conjunction(guards, pool, arena, &product);
}

/* ---- like another one ---- */

/* Notes what a conjunction reads that is like another one. */
static void note_likeness(HbgGuards *guards, const HbgExprPool *pool, const HbgLikeness *likeness) {
  for (int32_t at = 0; at < likeness->count; at++) {
    const int32_t variable = hbg_variable_of(hbg_expr_node(pool, likeness->to[at]));
    if (variable < 0) continue;
    hbg_guards_read_variable(guards, variable);
  }
}

static bool is_like(const HbgExprPool *pool, const HbgConjunction *other, const Product *product, HbgLikeness *likeness) {
  if (other->atom_count != product->count) return false;
  for (int32_t at = 0; at < product->count; at++)
    if (!hbg_likeness_add(likeness, pool, other->factors[at], product->factors[at])) return false;
  return true;
}

/* What loops declare differs in what it reads and in nothing else: the code and all that tells of its conditions is that of the other one. */
static HbgConjunction make_like(HbgGuards *guards, const HbgExprPool *pool, HbgArena *arena, const HbgConjunction *other, const Product *product,
                                const HbgLikeness *likeness) {
  HbgConjunction conjunction = *other;
  conjunction.factors = ARENA_NEW(arena, HbgExpr, product->count + 2 * other->difference_count);
  conjunction.sides = conjunction.factors + product->count;
  for (int32_t at = 0; at < product->count; at++) conjunction.factors[at] = product->factors[at];
  for (int32_t at = 0; at < other->difference_count; at++) {
    const HbgExprNode *relation = hbg_expr_node(pool, relation_inside(pool, product->factors[other->factor_of[at]]));
    conjunction.sides[2 * at] = relation->a;
    conjunction.sides[2 * at + 1] = relation->b;
  }
  conjunction.states = ARENA_NEW(arena, int32_t, other->state_count + other->bond_count);
  conjunction.bonds = conjunction.states + other->state_count;
  for (int32_t at = 0; at < other->state_count; at++) conjunction.states[at] = hbg_likeness_state(likeness, pool, other->states[at]);
  for (int32_t at = 0; at < other->bond_count; at++) conjunction.bonds[at] = hbg_likeness_bond(likeness, pool, other->bonds[at]);
  conjunction.probe = hbg_probe_like(&other->probe, likeness, pool, arena);
  note_likeness(guards, pool, likeness);
  return conjunction;
}

/* ---- what sources impose ---- */

/* What junctions share by ideal sources, as numbers and functions of the time. */
typedef struct Imposed {
  const HbgFlatModel *model;
  HbgExpr *value; /* of each source, and of each junction that one fixes; 0: nothing that is known beforehand (node_count) */
  bool any, is_read, looks_back;
} Imposed;

static bool is_known_beforehand(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  if (op == HBG_OP_PRE || (!hbg_operation_info[op].arguments && op != HBG_OP_CONSTANT && op != HBG_OP_TIME && op != HBG_OP_TICK)) *(bool *)user = false;
  return *(bool *)user;
}

static bool is_source(const HbgNode *node) { return (node->kind == HBG_ELEMENT_SE || node->kind == HBG_ELEMENT_SF) && node->port_count && node->law; }

/* The junction whose common variable a source imposes, in every mode; -1. */
static int32_t imposed_by(const HbgFlatModel *model, int32_t source) {
  const HbgNode *node = &model->nodes[source];
  const int32_t junction = hbg_other_end(model, hbg_port(model, node, 0)->bond, source);
  const HbgElementKind shares = node->kind == HBG_ELEMENT_SE ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE;
  return model->nodes[junction].kind == shares && model->nodes[junction].machine < 0 ? junction : -1;
}

static Imposed find_imposed(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena) {
  Imposed found = {.model = model, .value = ARENA_NEW(arena, HbgExpr, model->node_count)};
  for (int32_t node = 0; node < model->node_count; node++) {
    bool is_known = is_source(&model->nodes[node]);
    if (is_known) hbg_expr_visit(pool, model->nodes[node].law, is_known_beforehand, &is_known);
    if (!is_known) continue;
    const int32_t junction = imposed_by(model, node);
    found.value[node] = model->nodes[node].law;
    if (junction >= 0) found.value[junction] = model->nodes[node].law;
    found.any = true;
  }
  return found;
}

/* 0: no source imposes it. */
static HbgExpr value_of(const Imposed *self, const HbgExprNode *leaf) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable < 0) return 0;
  const HbgBond *bond = &self->model->bonds[variable / 2];
  const int32_t ends[2] = {bond->tail, bond->head};
  for (int end = 0; end < 2; end++) {
    const HbgElementKind kind = self->model->nodes[ends[end]].kind;
    const bool is_told = leaf->op == HBG_OP_FLOW ? kind == HBG_ELEMENT_ONE || kind == HBG_ELEMENT_SF : kind == HBG_ELEMENT_ZERO || kind == HBG_ELEMENT_SE;
    if (is_told && self->value[ends[end]]) return self->value[ends[end]];
  }
  return 0;
}

static bool note_read(HbgExprPool *pool, HbgExpr expr, void *user) {
  Imposed *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (value_of(self, node)) self->is_read = true;
  if (node->op == HBG_OP_PRE) self->looks_back = true;
  return !self->looks_back;
}

static HbgExpr exchange_read(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  return value_of(user, &node);
}

/* A guard that reads the voltage of a rail compares with what the source imposes, and not with what something else at the rail is told. One that looks back besides is left as it is: what it
 * reads as it is now tells its phase, and a number would not. */
static HbgExpr guard_of(const HbgFlatModel *model, int32_t machine, int32_t transition, Imposed *imposed, HbgExprPool *pool) {
  const HbgExpr guard = model->machines[machine].transitions[transition].guard;
  if (!imposed->any) return guard;
  imposed->is_read = imposed->looks_back = false;
  hbg_expr_visit(pool, guard, note_read, imposed);
  return imposed->is_read && !imposed->looks_back ? hbg_expr_replace(pool, guard, exchange_read, imposed) : guard;
}

/* ---- all ---- */

enum { MOST_KINDS = 8 };

typedef struct ConjunctionList {
  HbgConjunction *list;
  int32_t count, capacity;
  int32_t kinds[MOST_KINDS]; /* of each of the first transitions of machines the conjunction that was made for it last, and one more */
} ConjunctionList;

/* As a rule it is like that of the machine before. */
static HbgConjunction conjunction_for(HbgGuards *guards, ConjunctionList *all, int32_t transition, const Product *product,
                                      HbgExprPool *pool, HbgArena *arena) {
  const int32_t kind = transition < MOST_KINDS ? all->kinds[transition] - 1 : -1;
  HbgLikeness likeness = {0};
  if (kind >= 0 && is_like(pool, &all->list[kind], product, &likeness))
    return make_like(guards, pool, arena, &all->list[kind], product, &likeness);
  if (transition < MOST_KINDS) all->kinds[transition] = all->count + 1;
  return make_conjunction(guards, pool, arena, product);
}

static void add_conjunction(HbgGuards *guards, ConjunctionList *all, int32_t machine, int32_t transition, const Product *product,
                            HbgExprPool *pool, HbgArena *arena) {
  const HbgTransition *origin = &guards->model->machines[machine].transitions[transition];
  HbgConjunction conjunction = conjunction_for(guards, all, transition, product, pool, arena);
  conjunction.machine = machine;
  conjunction.transition = transition;
  conjunction.from = origin->from;
  conjunction.to = origin->to;
  ARENA_PUSH(arena, all->list, all->count, all->capacity) = conjunction;
}

static void add_transition(HbgGuards *guards, ConjunctionList *all, int32_t machine, int32_t transition, Imposed *imposed,
                           HbgExprPool *pool, HbgArena *arena) {
  const HbgExpr guard = guard_of(guards->model, machine, transition, imposed, pool);
  HbgExpr few[MOST_PLAIN];
  Product plain = {.factors = few};
  if (collect_plain(pool, guard, &plain, 0)) {
    add_conjunction(guards, all, machine, transition, &plain, pool, arena);
    return;
  }
  Expander expander = {.pool = pool, .arena = arena};
  Sum sum = expand(&expander, guard, false, 0);
  if (expander.is_too_large) sum = single(&expander, guard);
  absorb(&sum);
  for (int32_t at = 0; at < sum.count; at++)
    add_conjunction(guards, all, machine, transition, &sum.products[at], pool, arena);
}

HbgGuards hbg_guards(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena) {
  HbgGuards guards = {.model = model, .is_read = ARENA_NEW(arena, uint8_t, model->bond_count * 2)};
  guards.start = ARENA_NEW(arena, int32_t, model->machine_count + 1);
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    guards.start[machine + 1] = guards.start[machine] + model->machines[machine].state_count;
  guards.first = ARENA_NEW(arena, int32_t, guards.start[model->machine_count] + 1);
  ConjunctionList all = {0};
  Imposed imposed = find_imposed(model, pool, arena);
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    for (int32_t state = 0; state < model->machines[machine].state_count; state++) {
      guards.first[guards.start[machine] + state] = all.count;
      for (int32_t at = 0; at < model->machines[machine].transition_count; at++)
        if (model->machines[machine].transitions[at].from == state)
          add_transition(&guards, &all, machine, at, &imposed, pool, arena);
    }
  }
  guards.first[guards.start[model->machine_count]] = all.count;
  guards.list = all.list;
  guards.count = all.count;
  return guards;
}

bool hbg_conjunction_allows(const HbgConjunction *conjunction, int32_t which, int sign) {
  switch (conjunction->relations[which]) {
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL: return sign < 0;
    case HBG_OP_GREATER:
    case HBG_OP_GREATER_EQUAL: return sign > 0;
    case HBG_OP_EQUAL: return false;
    default: return true;
  }
}

const HbgConjunction *hbg_guards_leaving(const HbgGuards *guards, int32_t machine, int32_t state, int32_t *count) {
  const int32_t *first = &guards->first[guards->start[machine] + state];
  *count = first[1] - first[0];
  return guards->list ? &guards->list[first[0]] : NULL; // there may be no guards at all
}

const HbgConjunction *hbg_guards_at(const HbgGuards *guards, int32_t machine, int32_t place) {
  return &guards->list[guards->first[guards->start[machine]] + place];
}

int32_t hbg_guards_place(const HbgGuards *guards, const HbgConjunction *conjunction) {
  return (int32_t)(conjunction - hbg_guards_at(guards, conjunction->machine, 0));
}

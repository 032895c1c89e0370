/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/implied.h"

#include <math.h>

#include "base/forest.h"
#include "equations/slot.h"
#include "hybrid/law_jump.h"
#include "hybrid/staircase.h"

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

static HbgExpr read_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Reading *reading = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_operation_info[node.op].arguments || hbg_law_stops_at(node.op)) return expr;
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

static void find_common(const HbgFlatModel *model, HbgImplied *implied, HbgArena *arena) {
  int32_t *common = implied->common = ARENA_NEW(arena, int32_t, 2 * model->bond_count);
  for (int32_t variable = 0; variable < 2 * model->bond_count; variable++) common[variable] = variable;
  for (int32_t at = 0; at < model->node_count; at++) {
    const HbgNode *node = &model->nodes[at];
    if (!hbg_is_junction(node) || node->machine >= 0) continue;
    const int is_flow = node->kind == HBG_ELEMENT_ONE;
    for (int32_t which = 1; which < node->port_count; which++) {
      const int32_t a = hbg_forest_root(common, 2 * hbg_port(model, node, 0)->bond + is_flow);
      const int32_t b = hbg_forest_root(common, 2 * hbg_port(model, node, which)->bond + is_flow);
      common[a < b ? b : a] = a < b ? a : b;
    }
  }
  for (int32_t variable = 0; variable < 2 * model->bond_count; variable++) common[variable] = hbg_forest_root(common, variable);
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
  HbgArena *arena;
  HbgLawJump jump;       /* asks whether laws do */
  HbgStaircase stairs;   /* ... which do */
  const char *name;      /* of what is looked at */
  HbgSpan span;
  HbgImpliedSign *asked; int32_t asked_count, asked_capacity; /* differences whose signs it reads */
} Finder;

static HbgExpr ask_enter(HbgExprPool *pool, HbgExpr expr, void *user) {
  Finder *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_operation_info[node.op].arguments || hbg_law_stops_at(node.op)) return expr;
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

static HbgMachine make_machine(Finder *self, const HbgImpliedSign *asked) {
  HbgMachineState *states = ARENA_NEW(self->arena, HbgMachineState, 2);
  states[0] = (HbgMachineState){.name = "above"};
  states[1] = (HbgMachineState){.name = "below"};
  HbgTransition *transitions = ARENA_NEW(self->arena, HbgTransition, 2);
  for (int32_t from = 0; from < 2; from++) add_transition(self->model, &transitions[from], asked, from, self->span);
  const HbgExpr step = hbg_staircase_start(&self->stairs, asked->a);
  return (HbgMachine){.name = self->name,
                      .type = "",
                      .states = states,
                      .state_count = 2,
                      .initial = hbg_law_is_below_at_start(&self->jump, step ? step : asked->a, asked->b),
                      .transitions = transitions,
                      .transition_count = 2,
                      .first_timer = self->model->timer_count,
                      .first_variable = self->model->variable_count,
                      .owner = -1,
                      .span = self->span};
}

/* Has `expr` another value on both sides of where the difference vanishes, ever? */
static bool jumps(Finder *self, HbgExpr expr, const HbgImpliedSign *asked) {
  HbgExprPool *pool = &self->model->pool;
  HbgExpr read[2];
  for (int side = 0; side < 2; side++) read[side] = read_with(pool, expr, &(Reading){.only = asked, .is_above = hbg_expr_boolean(pool, side == 0)});
  return hbg_law_jumps(&self->jump, asked->a, asked->b, read);
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
    if (is_known(self, &asked, &common) || !(hbg_staircase_start(&self->stairs, asked.a) || jumps(self, expr, &asked))) continue;
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
  return hbg_has_steps(op) || op == HBG_OP_SIGN || op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL || op == HBG_OP_GREATER || op == HBG_OP_GREATER_EQUAL;
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

typedef HbgExpr (*Rewrite)(HbgExprPool *pool, HbgExpr expr, void *user);

static void rewrite_laws(HbgFlatModel *model, Rewrite rewrite, void *user, HbgArena *arena) {
  HbgNode *nodes = ARENA_NEW(arena, HbgNode, model->node_count);
  for (int32_t node = 0; node < model->node_count; node++) {
    nodes[node] = model->nodes[node];
    if (may_jump(&nodes[node])) nodes[node].law = rewrite(&model->pool, nodes[node].law, user);
  }
  HbgState *states = ARENA_NEW(arena, HbgState, model->state_count);
  for (int32_t state = 0; state < model->state_count; state++) {
    states[state] = model->states[state];
    if (states[state].node < 0) states[state].input = rewrite(&model->pool, states[state].input, user);
  }
  model->nodes = nodes;
  model->states = states;
}

static HbgExpr by_machines(HbgExprPool *pool, HbgExpr expr, void *user) { return read_machines(user, pool, expr); }

static HbgExpr by_stairs(HbgExprPool *pool, HbgExpr expr, void *user) { return hbg_staircase_read(user, pool, expr); }

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
  Finder finder = {.model = extended, .implied = implied, .arena = arena, .jump = hbg_law_jump(extended, arena, scratch)};
  MachineList machines = {0};
  for (int32_t at = 0; at < model->machine_count; at++)
    ARENA_PUSH(arena, machines.list, machines.count, machines.capacity) = model->machines[at];
  finder.stairs = hbg_staircase(&extended->pool, scratch);
  if (finder.stairs.varies) rewrite_laws(extended, by_stairs, &finder.stairs, arena);
  find_common(model, implied, arena);
  find(&finder, &machines);
  if (implied->signs.count) {
    extended->machines = machines.list;
    extended->machine_count = machines.count;
    rewrite_laws(extended, by_machines, implied, arena);
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

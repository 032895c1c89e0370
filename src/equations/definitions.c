/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/definitions.h"

typedef struct Definer {
  const HbgTemplate *template;
  const HbgGraph *graph;
  const HbgStrokes *strokes;
  HbgExprPool *pool;
  HbgArena *arena;
  bool pre_is_current;
  HbgDefinitions *set; /* the one being written */
} Definer;

/* ---- small words ---- */

static HbgExpr leaf(const Definer *self, int32_t variable) {
  return self->set->is_area ? hbg_slot(self->pool, HBG_SLOT_AREA, variable) : hbg_variable(self->pool, variable);
}

static HbgExpr effort(const Definer *self, int32_t bond) { return leaf(self, hbg_effort_of(bond)); }
static HbgExpr flow(const Definer *self, int32_t bond) { return leaf(self, hbg_flow_of(bond)); }

static HbgExpr minus(const Definer *self, HbgExpr a, HbgExpr b) {
  return hbg_expr_binary(self->pool, HBG_OP_SUB, a, b);
}

static HbgExpr zero(const Definer *self) { return hbg_expr_constant(self->pool, 0); }

static void define(Definer *self, int32_t variable, HbgExpr expr) { self->set->definition[variable] = expr; }

static void define_unknown(Definer *self, int32_t variable, int32_t node, HbgUnknownReason reason, HbgExpr residual) {
  HbgDefinitions *set = self->set;
  set->unknown_of[variable] = set->unknown_count;
  ARENA_PUSH(self->arena, set->unknowns, set->unknown_count, set->unknown_capacity) =
      (HbgUnknown){variable, node, reason, residual};
}

static void require(Definer *self, int32_t node, HbgExpr residual) {
  HbgDefinitions *set = self->set;
  if (hbg_expr_is(self->pool, residual, 0)) return;
  ARENA_PUSH(self->arena, set->condition_nodes, set->condition_count, set->condition_node_capacity) = node;
  set->condition_count--;
  ARENA_PUSH(self->arena, set->conditions, set->condition_count, set->condition_capacity) = residual;
}

static const HbgPort *port_of(const Definer *self, int32_t node, int32_t which) {
  return &self->graph->ports[self->graph->nodes[node].first_port + which];
}

static bool sets_effort(const Definer *self, int32_t node, int32_t bond) {
  return hbg_sets_effort(self->graph, self->strokes->effort_from_tail, node, bond);
}

static HbgExpr replace_pre(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgTemplate *template = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  return hbg_is_slot(node, HBG_SLOT_PRE) ? template->pre_inner[node->index] : 0;
}

/* A law as this set of equations reads it. */
static HbgExpr reading(const Definer *self, HbgExpr law) {
  if (!law || !self->pre_is_current) return law;
  // an a priori value may hold another one: until none is left
  for (;;) {
    const HbgExpr next = hbg_expr_replace(self->pool, law, replace_pre, (void *)(uintptr_t)self->template);
    if (next == law) return law;
    law = next;
  }
}

static HbgExpr area_or_value(const Definer *self, HbgExpr law) {
  bool is_undefined = false;
  return self->set->is_area ? hbg_area_of(self->pool, law, &is_undefined) : law;
}

/* The ratio of a two-port; frozen at its a priori value for areas. */
static HbgExpr ratio(const Definer *self, int32_t node) {
  const HbgExpr law = reading(self, self->template->effort_law[node]);
  return self->set->is_area ? hbg_a_priori_of(self->pool, law) : law;
}

/* ---- one-ports ---- */

/* An element whose law gives one variable and is asked for it, or is overruled and answers with the other. */
static void define_imposing(Definer *self, int32_t node, bool imposes_effort, HbgExpr value, HbgUnknownReason reason) {
  const int32_t bond = port_of(self, node, 0)->bond;
  const int32_t imposed = imposes_effort ? hbg_effort_of(bond) : hbg_flow_of(bond);
  const int32_t answer = imposes_effort ? hbg_flow_of(bond) : hbg_effort_of(bond);
  if (sets_effort(self, node, bond) == imposes_effort) define(self, imposed, value);
  else define_unknown(self, answer, node, reason, minus(self, leaf(self, imposed), value));
}

static void define_source(Definer *self, int32_t node) {
  const bool is_effort = self->graph->nodes[node].kind == HBG_ELEMENT_SE;
  const HbgExpr law = is_effort ? self->template->effort_law[node] : self->template->flow_law[node];
  define_imposing(self, node, is_effort, area_or_value(self, reading(self, law)), HBG_UNKNOWN_SOURCE);
}

/* A law without an explicit form: what the storage gives, in either causality, is an unknown that it must fit. */
static void define_implicit_storage(Definer *self, int32_t node, bool is_effort) {
  const int32_t bond = port_of(self, node, 0)->bond;
  const bool gives_effort = sets_effort(self, node, bond);
  define_unknown(self, gives_effort ? hbg_effort_of(bond) : hbg_flow_of(bond), node,
                 gives_effort == is_effort ? HBG_UNKNOWN_LAW : HBG_UNKNOWN_DERIVATIVE,
                 reading(self, self->template->implicit_law[node]));
}

static void define_storage(Definer *self, int32_t node) {
  const bool is_effort = self->graph->nodes[node].kind == HBG_ELEMENT_C;
  const HbgExpr law = is_effort ? self->template->effort_law[node] : self->template->flow_law[node];
  // the co-energy variable is a function of a finite state, so it cannot be impulsive (J3)
  if (self->set->is_area) define_imposing(self, node, is_effort, zero(self), HBG_UNKNOWN_DERIVATIVE);
  else if (law) define_imposing(self, node, is_effort, reading(self, law), HBG_UNKNOWN_DERIVATIVE);
  else define_implicit_storage(self, node, is_effort);
}

static void define_resistor(Definer *self, int32_t node) {
  const int32_t bond = port_of(self, node, 0)->bond;
  const bool gives_effort = sets_effort(self, node, bond);
  const int32_t given = gives_effort ? hbg_effort_of(bond) : hbg_flow_of(bond);
  const int32_t received = gives_effort ? hbg_flow_of(bond) : hbg_effort_of(bond);
  if (self->set->is_area && !self->template->passes_impulses[node]) { // J4: neither part
    define(self, given, zero(self));
    require(self, node, leaf(self, received));
    return;
  }
  const HbgExpr law = gives_effort ? self->template->effort_law[node] : self->template->flow_law[node];
  if (law) define(self, given, area_or_value(self, reading(self, law)));
  else define_unknown(self, given, node, HBG_UNKNOWN_LAW,
                      area_or_value(self, reading(self, self->template->implicit_law[node])));
}

/* ---- two-ports ---- */

static HbgExpr times(const Definer *self, HbgExpr n, HbgExpr a) { return hbg_expr_binary(self->pool, HBG_OP_MUL, n, a); }

/* variable = value / n where n can be divided by, else an unknown with the residual value - n variable. */
static void define_quotient(Definer *self, int32_t node, int32_t variable, HbgExpr value, HbgExpr n) {
  const HbgExprNode *ratio_node = hbg_expr_node(self->pool, n);
  if (ratio_node->op == HBG_OP_CONSTANT || hbg_is_slot(ratio_node, HBG_SLOT_CONSTANT)) {
    define(self, variable, hbg_expr_binary(self->pool, HBG_OP_DIV, value, n));
    return;
  }
  const HbgExpr residual = minus(self, value, times(self, n, leaf(self, variable)));
  define_unknown(self, variable, node, HBG_UNKNOWN_TWO_PORT, residual);
}

static void define_transformer(Definer *self, int32_t node) {
  const int32_t one = port_of(self, node, 0)->bond, two = port_of(self, node, 1)->bond;
  const bool sets_one = sets_effort(self, node, one), sets_two = sets_effort(self, node, two);
  const HbgExpr n = ratio(self, node);
  const HbgExpr e1 = effort(self, one), e2 = effort(self, two), f1 = flow(self, one), f2 = flow(self, two);
  if (sets_one && !sets_two) {
    define(self, hbg_effort_of(one), times(self, n, e2));
    define(self, hbg_flow_of(two), times(self, n, f1));
  } else if (!sets_one && sets_two) {
    define_quotient(self, node, hbg_effort_of(two), e1, n);
    define_quotient(self, node, hbg_flow_of(one), f2, n);
  } else if (sets_one) {
    define(self, hbg_effort_of(one), times(self, n, e2));
    define_unknown(self, hbg_effort_of(two), node, HBG_UNKNOWN_TWO_PORT, minus(self, f2, times(self, n, f1)));
  } else {
    define(self, hbg_flow_of(two), times(self, n, f1));
    define_unknown(self, hbg_flow_of(one), node, HBG_UNKNOWN_TWO_PORT, minus(self, e1, times(self, n, e2)));
  }
}

static void define_gyrator(Definer *self, int32_t node) {
  const int32_t one = port_of(self, node, 0)->bond, two = port_of(self, node, 1)->bond;
  const bool sets_one = sets_effort(self, node, one), sets_two = sets_effort(self, node, two);
  const HbgExpr r = ratio(self, node);
  const HbgExpr e1 = effort(self, one), e2 = effort(self, two), f1 = flow(self, one), f2 = flow(self, two);
  if (sets_one && sets_two) {
    define(self, hbg_effort_of(one), times(self, r, f2));
    define(self, hbg_effort_of(two), times(self, r, f1));
  } else if (!sets_one && !sets_two) {
    define_quotient(self, node, hbg_flow_of(two), e1, r);
    define_quotient(self, node, hbg_flow_of(one), e2, r);
  } else if (sets_one) {
    define(self, hbg_effort_of(one), times(self, r, f2));
    define_unknown(self, hbg_flow_of(two), node, HBG_UNKNOWN_TWO_PORT, minus(self, e2, times(self, r, f1)));
  } else {
    define(self, hbg_effort_of(two), times(self, r, f1));
    define_unknown(self, hbg_flow_of(one), node, HBG_UNKNOWN_TWO_PORT, minus(self, e1, times(self, r, f2)));
  }
}

/* ---- junctions ---- */

/* Signed sum over the ports of the variable that balances, but for port `left_out` (-1: none). */
static HbgExpr balance(const Definer *self, int32_t node, bool of_flows, int32_t left_out) {
  HbgExpr sum = zero(self);
  for (int32_t which = 0; which < self->graph->nodes[node].port_count; which++) {
    if (which == left_out) continue;
    const HbgPort *port = port_of(self, node, which);
    const HbgExpr term = of_flows ? flow(self, port->bond) : effort(self, port->bond);
    sum = hbg_expr_binary(self->pool, port->sign > 0 ? HBG_OP_ADD : HBG_OP_SUB, sum, term);
  }
  return sum;
}

static void define_junction(Definer *self, int32_t node) {
  const bool common_effort = self->graph->nodes[node].kind == HBG_ELEMENT_ZERO;
  const int32_t port_count = self->graph->nodes[node].port_count;
  int32_t determining = -1;
  for (int32_t which = 0; which < port_count; which++) {
    const int32_t bond = port_of(self, node, which)->bond;
    const int32_t common = common_effort ? hbg_effort_of(bond) : hbg_flow_of(bond);
    const int32_t balanced = common_effort ? hbg_flow_of(bond) : hbg_effort_of(bond);
    if (sets_effort(self, node, bond) == common_effort) continue; // the junction passes the common variable on
    if (determining < 0) {
      // the determining bond balances all others
      determining = which;
      const HbgExpr sum = balance(self, node, common_effort, which);
      const bool turn = port_of(self, node, which)->sign > 0;
      define(self, balanced, turn ? hbg_expr_unary(self->pool, HBG_OP_NEG, sum) : sum);
    } else {
      // one more bond that would determine: its balanced variable is free, and both must agree
      const int32_t first = port_of(self, node, determining)->bond;
      const HbgExpr agreed = common_effort ? effort(self, first) : flow(self, first);
      define_unknown(self, balanced, node, HBG_UNKNOWN_JUNCTION, minus(self, leaf(self, common), agreed));
    }
  }
  const int32_t source = determining < 0 ? 0 : determining;
  const int32_t source_bond = port_count ? port_of(self, node, source)->bond : 0;
  for (int32_t which = 0; which < port_count; which++) {
    const int32_t bond = port_of(self, node, which)->bond;
    if (sets_effort(self, node, bond) != common_effort) continue;
    const int32_t common = common_effort ? hbg_effort_of(bond) : hbg_flow_of(bond);
    if (which == source) // no bond determines: the common variable is what makes the sum vanish
      define_unknown(self, common, node, HBG_UNKNOWN_JUNCTION, balance(self, node, common_effort, -1));
    else define(self, common, common_effort ? effort(self, source_bond) : flow(self, source_bond));
  }
}

/* ---- all ---- */

static void define_node(Definer *self, int32_t node) {
  switch (self->graph->nodes[node].kind) {
    case HBG_ELEMENT_SE:
    case HBG_ELEMENT_SF: define_source(self, node); break;
    case HBG_ELEMENT_C:
    case HBG_ELEMENT_I: define_storage(self, node); break;
    case HBG_ELEMENT_R: define_resistor(self, node); break;
    case HBG_ELEMENT_TF: define_transformer(self, node); break;
    case HBG_ELEMENT_GY: define_gyrator(self, node); break;
    case HBG_ELEMENT_ZERO:
    case HBG_ELEMENT_ONE: define_junction(self, node); break;
    default: break;
  }
}

static void define_all(Definer *self) {
  const int32_t variable_count = self->graph->bond_count * 2;
  HbgDefinitions *set = self->set;
  set->definition = ARENA_NEW(self->arena, HbgExpr, variable_count);
  set->unknown_of = ARENA_NEW(self->arena, int32_t, variable_count);
  for (int32_t variable = 0; variable < variable_count; variable++) set->unknown_of[variable] = -1;
  for (int32_t node = 0; node < self->graph->node_count; node++) define_node(self, node);
}

HbgDefinitions hbg_define_finite(const HbgTemplate *template, const HbgStrokes *strokes, bool pre_is_current,
                                 HbgExprPool *pool, HbgArena *arena) {
  HbgDefinitions set = {.is_area = false};
  define_all(&(Definer){template, &template->graph, strokes, pool, arena, pre_is_current, &set});
  return set;
}

HbgDefinitions hbg_define_areas(const HbgTemplate *template, const HbgStrokes *strokes, HbgExprPool *pool,
                                HbgArena *arena) {
  HbgDefinitions set = {.is_area = true};
  define_all(&(Definer){template, &template->graph, strokes, pool, arena, false, &set});
  return set;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Slides in islands whose laws bend: what switching changes in the rates is a constant all the same where both sides are the same sums but
 * for numbers, as with dry friction on a body between springs of any kind. Sums are held against each other term by term, as expressions. What is a function of nothing but the
 * distance from the surface is a number there, like friction that falls with the speed. */
#include <math.h>

#include "equations/island.h"
#include "hybrid/island_parts.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"

typedef struct HbgSlideLine Line;

/* One of the summands of an expression, of which numbers are none. */
typedef struct Term {
  double factor;
  HbgExpr expr;
} Term;

typedef struct Sum {
  HbgSim *sim;
  const HbgIsland *island;
  const HbgLinear *surface; /* where it is 0; NULL: the time carries it along */
  double constant;
  Term *terms; int32_t count, capacity;
} Sum;

/* ---- numbers ---- */

/* NAN: it is none by itself. */
static double plain_number(const Sum *self, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&self->sim->laws.pool, expr);
  if (node->op == HBG_OP_CONSTANT) return node->value;
  return hbg_is_slot(node, HBG_SLOT_CONSTANT) ? self->island->binding.constants[node->index] : (double)NAN;
}

/* Adds `factor` times an expression of sums and of products with numbers. False: it is another one. */
static bool combine(const Sum *self, HbgExpr expr, double factor, HbgLinear *to) {
  const HbgExprNode *node = hbg_expr_node(&self->sim->laws.pool, expr);
  const double number = plain_number(self, expr), a = node->a ? plain_number(self, node->a) : (double)NAN, b = node->b ? plain_number(self, node->b) : (double)NAN;
  if (!isnan(number)) {
    to->constant += factor * number;
    return true;
  }
  switch (node->op) {
    case HBG_OP_STATE: hbg_linear_add(to, &self->sim->scratch, self->island->binding.states[node->index], factor); return true;
    case HBG_OP_NEG: return combine(self, node->a, -factor, to);
    case HBG_OP_ADD: return combine(self, node->a, factor, to) && combine(self, node->b, factor, to);
    case HBG_OP_SUB: return combine(self, node->a, factor, to) && combine(self, node->b, -factor, to);
    case HBG_OP_MUL: return isnan(a) ? !isnan(b) && combine(self, node->a, factor * b, to) : combine(self, node->b, factor * a, to);
    case HBG_OP_DIV: return !isnan(b) && combine(self, node->a, factor / b, to);
    default: return false;
  }
}

/* What a multiple of the distance from the surface, and a number, come to there; NAN: it is something else. */
static double number_on_surface(const Sum *self, HbgExpr expr) {
  HbgLinear own = {0};
  if (!self->surface) return (double)NAN;
  if (!combine(self, expr, 1, &own) || own.count != self->surface->count || !own.count) return (double)NAN;
  const double multiple = own.terms[0].weight / hbg_linear_weight(self->surface, own.terms[0].state);
  for (int32_t at = 0; at < own.count; at++)
    if (!(fabs(own.terms[at].weight - multiple * hbg_linear_weight(self->surface, own.terms[at].state)) <= 1e-12 * fabs(own.terms[at].weight))) return (double)NAN;
  return own.constant - multiple * self->surface->constant;
}

/* The value of what never changes while the slide lasts; NAN: it may. */
static double number_of(const Sum *self, HbgExpr expr) {
  const HbgExprPool *pool = &self->sim->laws.pool;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int arguments = hbg_operation_info[node->op].arguments;
  const double plain = plain_number(self, expr), there = isnan(plain) ? number_on_surface(self, expr) : plain;
  if (!isnan(there)) return there;
  if (!arguments || arguments > 2 || hbg_operation_has_table(node->op)) return (double)NAN;
  if (node->op == HBG_OP_PRE || node->op == HBG_OP_IMPULSE || node->op == HBG_OP_FINITE) return (double)NAN;
  const double a = number_of(self, node->a), b = arguments > 1 ? number_of(self, node->b) : 0;
  return isnan(a) || isnan(b) ? (double)NAN : hbg_operation_apply(node->op, a, b, 0);
}

/* ---- sums ---- */

static void add(Sum *self, HbgExpr expr, double factor) {
  const HbgExprNode *node = hbg_expr_node(&self->sim->laws.pool, expr);
  const double number = number_of(self, expr);
  if (!isnan(number)) {
    self->constant += factor * number;
    return;
  }
  const double a = node->op == HBG_OP_MUL ? number_of(self, node->a) : (double)NAN;
  const double b = node->op == HBG_OP_MUL || node->op == HBG_OP_DIV ? number_of(self, node->b) : (double)NAN;
  if (node->op == HBG_OP_ADD || node->op == HBG_OP_SUB) {
    add(self, node->a, factor);
    add(self, node->b, node->op == HBG_OP_ADD ? factor : -factor);
  } else if (node->op == HBG_OP_NEG) add(self, node->a, -factor);
  else if (!isnan(a)) add(self, node->b, factor * a);
  else if (!isnan(b)) add(self, node->a, node->op == HBG_OP_MUL ? factor * b : factor / b);
  else ARENA_PUSH(&self->sim->scratch, self->terms, self->count, self->capacity) = (Term){factor, expr};
}

static bool is_same_leaf(const Sum *a, const HbgExprNode *of_a, const Sum *b, const HbgExprNode *of_b) {
  if (of_a->op == HBG_OP_TIME) return true;
  return of_a->op == HBG_OP_STATE && a->island->binding.states[of_a->index] == b->island->binding.states[of_b->index];
}

/* Are two expressions, each of its own island, the same function? */
static bool is_same(const Sum *a, HbgExpr of_a, const Sum *b, HbgExpr of_b) {
  const HbgExprPool *pool = &a->sim->laws.pool;
  const HbgExprNode *x = hbg_expr_node(pool, of_a), *y = hbg_expr_node(pool, of_b);
  const double number = number_of(a, of_a), other = number_of(b, of_b);
  if (!isnan(number) || !isnan(other)) return number >= other && number <= other;
  if (x->op != y->op) return false;
  const int arguments = hbg_operation_info[x->op].arguments;
  if (!arguments) return is_same_leaf(a, x, b, y);
  if (hbg_operation_has_table(x->op) && (x->index != y->index || x->other != y->other)) return false;
  return is_same(a, x->a, b, y->a) && (!x->b || is_same(a, x->b, b, y->b)) && (!x->c || is_same(a, x->c, b, y->c));
}

/* Takes a summand like `term` away. */
static bool take(const Sum *of_term, const Term *term, Sum *from) {
  for (int32_t at = 0; at < from->count; at++) {
    if (!(from->terms[at].factor >= term->factor && from->terms[at].factor <= term->factor)) continue;
    if (!is_same(of_term, term->expr, from, from->terms[at].expr)) continue;
    from->terms[at] = from->terms[--from->count];
    return true;
  }
  return false;
}

/* What `there` is more than `here`; NAN: no number. */
static double difference(HbgSim *sim, const HbgLinear *surface, const HbgIsland *here, HbgExpr of_here, const HbgIsland *there, HbgExpr of_there) {
  Sum own = {.sim = sim, .island = here, .surface = surface}, other = {.sim = sim, .island = there, .surface = surface};
  add(&own, of_here, 1);
  add(&other, of_there, 1);
  if (own.count != other.count) return (double)NAN;
  for (int32_t at = 0; at < own.count; at++)
    if (!take(&own, &own.terms[at], &other)) return (double)NAN;
  return other.constant - own.constant;
}

/* ---- both sides ---- */

static const HbgEquations *equations_of(HbgSim *sim, HbgIsland *island) {
  return hbg_equations_run(&sim->solver, island, HBG_CONTINUOUS_PLAIN)->equations;
}

/* Nothing has to be solved for, and nothing is exchanged at instants. */
static bool is_explicit(HbgSim *sim, HbgIsland *island) {
  const HbgTemplate *template = island->is_hanging ? NULL : &island->program->template;
  if (!template || template->tick_count || template->discrete_count || template->pre_count || hbg_constraints_may_drift(sim, island)) return false;
  const HbgSystem *system = &equations_of(sim, island)->system;
  return !system->unknown_count && !system->row_count;
}

static bool are_explicit(HbgSim *sim, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (!is_explicit(sim, islands->list[at])) return false;
  return true;
}

static bool have_same_bonds(const HbgIsland *a, const HbgIsland *b) {
  if (a->graph.bond_count != b->graph.bond_count || a->program->template.state_count != b->program->template.state_count) return false;
  for (int32_t bond = 0; bond < a->graph.bond_count; bond++)
    if (a->graph.bonds[bond].bond != b->graph.bonds[bond].bond) return false;
  return true;
}

static HbgIsland *find_like(const HbgIslandList *islands, const HbgIsland *island) {
  for (int32_t at = 0; at < islands->count; at++)
    if (have_same_bonds(islands->list[at], island)) return islands->list[at];
  return NULL;
}

static int32_t find_state(const HbgIsland *island, int32_t state) {
  int32_t own = island->program->template.state_count - 1;
  while (own >= 0 && island->binding.states[own] != state) own--;
  return own;
}

/* What switching changes in the rates of an island, and that it changes nothing else that is asked for. */
static bool add_changes(HbgSim *sim, HbgIsland *here, HbgIsland *there, Line *line) {
  const HbgEquations *own = equations_of(sim, here), *other = equations_of(sim, there);
  const HbgTemplate *template = &here->program->template;
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++) {
    if (!template->is_demanded[variable] && !there->program->template.is_demanded[variable]) continue;
    const double change = difference(sim, line->carried.follows_time ? NULL : &line->surface, here, own->variables[variable], there, other->variables[variable]);
    if (!(change >= 0 && change <= 0)) return false;
  }
  for (int32_t state = 0; state < template->state_count; state++) {
    const int32_t like = find_state(there, here->binding.states[state]);
    if (like < 0 || (template->state_node[state] >= 0) != (there->program->template.state_node[like] >= 0)) return false;
    if (template->state_node[state] < 0) continue;
    const double change = difference(sim, line->carried.follows_time ? NULL : &line->surface, here, own->states[state], there, other->states[like]);
    if (!isfinite(change)) return false;
    if (change < 0 || change > 0)
      ARENA_PUSH(sim->arena, line->changes, line->change_count, line->change_capacity) = (HbgLinearTerm){here->binding.states[state], change};
  }
  return true;
}

bool hbg_slide_find_constant_changes(HbgSim *sim, const HbgSlide *slide, struct HbgSlideLine *line) {
  if (slide->here.count != slide->there.count || !are_explicit(sim, &slide->here) || !are_explicit(sim, &slide->there)) return false;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  bool are_constant = true;
  for (int32_t at = 0; are_constant && at < slide->here.count; at++) {
    HbgIsland *there = find_like(&slide->there, slide->here.list[at]);
    are_constant = there && add_changes(sim, slide->here.list[at], there, line);
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return are_constant && line->change_count > 0;
}

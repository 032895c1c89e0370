/* SPDX-License-Identifier: BSD-3-Clause
 * Solving an equation for a leaf. */
#include <math.h>

#include "model/expression_build.h"

static HbgExpr one_for_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? NUMBER(1) : 0;
}

static HbgExpr zero_for_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? NUMBER(0) : 0;
}

static HbgExpr solve_linear(HbgExprPool *pool, HbgExpr residual, HbgExpr unknown) {
  const HbgExpr slope = hbg_expr_derivative(pool, residual, one_for_leaf, &unknown);
  if (!hbg_expr_is_constant(pool, slope) || hbg_expr_is(pool, slope, 0)) return 0;
  const HbgExpr rest = hbg_expr_replace(pool, residual, zero_for_leaf, &unknown);
  return FUNCTION(NEG, DIV(rest, slope));
}

/* sign(value) |value|^exponent. */
static HbgExpr signed_power(HbgExprPool *pool, HbgExpr value, double exponent) {
  const HbgExpr magnitude = FUNCTION(ABS, value);
  if (exponent >= 2 && exponent <= 2) return MUL(value, magnitude); // which has a slope at zero
  if (exponent >= 0.5 && exponent <= 0.5) return MUL(FUNCTION(SIGN, value), FUNCTION(SQRT, magnitude));
  return MUL(FUNCTION(SIGN, value), POW(magnitude, NUMBER(exponent)));
}

static bool is_nonzero_constant(const HbgExprPool *pool, HbgExpr expr) {
  return hbg_expr_is_constant(pool, expr) && !hbg_expr_is(pool, expr, 0);
}

/* A product of powers of one thing that grows with it for every value, as 2*a*abs(a) and 3*sqrt(abs(a))*sign(a) do. */
typedef struct SignedPower {
  HbgExpr base;    /* a; 0: none yet */
  HbgExpr factor;
  double exponent;
  bool is_odd;
} SignedPower;

static bool take_base(SignedPower *self, HbgExpr base, double exponent, bool is_odd) {
  if (self->base && self->base != base) return false;
  self->base = base;
  self->exponent += exponent;
  self->is_odd ^= is_odd;
  return true;
}

/* c and x of c x, also where that is divided by numbers or its sign is turned. */
static double strip_factor(const HbgExprPool *pool, HbgExpr *expr) {
  double factor = 1;
  for (;;) {
    const HbgExprNode *node = hbg_expr_node(pool, *expr);
    if (node->op == HBG_OP_NEG) factor = -factor, *expr = node->a;
    else if (node->op == HBG_OP_DIV && is_nonzero_constant(pool, node->b)) factor /= hbg_expr_node(pool, node->b)->value, *expr = node->a;
    else if (node->op == HBG_OP_MUL && is_nonzero_constant(pool, node->a)) factor *= hbg_expr_node(pool, node->a)->value, *expr = node->b;
    else if (node->op == HBG_OP_MUL && is_nonzero_constant(pool, node->b)) factor *= hbg_expr_node(pool, node->b)->value, *expr = node->a;
    else return factor;
  }
}

static void multiply_factor(HbgExprPool *pool, SignedPower *self, double by) {
  if (by < 1 || by > 1) self->factor = MUL(self->factor, NUMBER(by));
}

/* (c |d a|)^exponent, of positive c. */
static bool take_magnitude(HbgExprPool *pool, SignedPower *self, HbgExpr expr, double exponent) {
  const double outside = strip_factor(pool, &expr);
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (node.op != HBG_OP_ABS || !(outside > 0)) return false;
  HbgExpr base = node.a;
  const double inside = fabs(strip_factor(pool, &base));
  multiply_factor(pool, self, pow(outside * inside, exponent));
  return take_base(self, base, exponent, false);
}

static bool take_sign(HbgExprPool *pool, SignedPower *self, HbgExpr of) {
  multiply_factor(pool, self, strip_factor(pool, &of) < 0 ? -1 : 1);
  return take_base(self, of, 0, true);
}

/* (c a)^exponent, of a whole number. */
static bool take_whole_power(HbgExprPool *pool, SignedPower *self, HbgExpr base, double exponent) {
  multiply_factor(pool, self, pow(strip_factor(pool, &base), exponent));
  return take_base(self, base, exponent, fabs(fmod(exponent, 2)) >= 1);
}

/* |a|^1.5, and a^2, which is of one sign, or a^3. */
static bool take_power(HbgExprPool *pool, SignedPower *self, const HbgExprNode *node) {
  if (!hbg_expr_is_constant(pool, node->b)) return false;
  const double exponent = hbg_expr_node(pool, node->b)->value;
  HbgExpr inner = node->a;
  strip_factor(pool, &inner);
  if (hbg_expr_node(pool, inner)->op == HBG_OP_ABS) return take_magnitude(pool, self, node->a, exponent);
  return floor(exponent) >= exponent && take_whole_power(pool, self, node->a, exponent);
}

static bool take_factor(HbgExprPool *pool, SignedPower *self, HbgExpr expr, HbgExpr unknown) {
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (!hbg_expr_depends(pool, expr, unknown)) {
    self->factor = MUL(self->factor, expr);
    return is_nonzero_constant(pool, expr);
  }
  switch (node.op) {
    case HBG_OP_MUL: return take_factor(pool, self, node.a, unknown) && take_factor(pool, self, node.b, unknown);
    case HBG_OP_DIV:
      if (!is_nonzero_constant(pool, node.b)) return false;
      self->factor = DIV(self->factor, node.b);
      return take_factor(pool, self, node.a, unknown);
    case HBG_OP_NEG:
      self->factor = FUNCTION(NEG, self->factor);
      return take_factor(pool, self, node.a, unknown);
    case HBG_OP_SIGN: return take_sign(pool, self, node.a);
    case HBG_OP_ABS: return take_magnitude(pool, self, expr, 1);
    case HBG_OP_SQRT: return take_magnitude(pool, self, node.a, 0.5);
    case HBG_OP_POW: return take_power(pool, self, &node);
    default: return take_whole_power(pool, self, expr, 1);
  }
}

/* Of a product of which two factors follow the unknown: its base, and what that is; false where it cannot be undone for every value. */
static bool undo_product(HbgExprPool *pool, HbgExpr *expr, HbgExpr *value, HbgExpr unknown) {
  SignedPower product = {.factor = NUMBER(1)};
  if (!take_factor(pool, &product, *expr, unknown) || !product.is_odd || !(product.exponent > 0) || !isfinite(product.exponent)) return false;
  *expr = product.base;
  *value = signed_power(pool, DIV(*value, product.factor), 1 / product.exponent);
  return true;
}

static bool is_odd_power(const HbgExprPool *pool, HbgExpr exponent) {
  if (!hbg_expr_is_constant(pool, exponent)) return false;
  const double value = hbg_expr_node(pool, exponent)->value;
  return value > 0 && fabs(fmod(value, 2)) >= 1 && floor(value) >= value;
}

/* Undoes the outermost operation of `*expr` = `*value`; false when that is not possible for every value. */
static bool undo(HbgExprPool *pool, HbgExpr *expr, HbgExpr *value, HbgExpr unknown) {
  const HbgExprNode node = *hbg_expr_node(pool, *expr);
  const bool in_a = node.a && hbg_expr_depends(pool, node.a, unknown);
  const bool in_b = node.b && hbg_expr_depends(pool, node.b, unknown);
  if (node.op == HBG_OP_MUL && in_a && in_b) return undo_product(pool, expr, value, unknown);
  if (in_a && in_b) return false;
  *expr = in_a ? node.a : node.b;
  const HbgExpr other = in_a ? node.b : node.a;
  switch (node.op) {
    case HBG_OP_ADD: *value = SUB(*value, other); return true;
    case HBG_OP_SUB: *value = in_a ? ADD(*value, other) : SUB(other, *value); return true;
    case HBG_OP_NEG: *value = FUNCTION(NEG, *value); return true;
    case HBG_OP_MUL: *value = DIV(*value, other); return is_nonzero_constant(pool, other);
    case HBG_OP_DIV: *value = MUL(*value, other); return in_a && is_nonzero_constant(pool, other);
    case HBG_OP_POW:
      if (!in_a || !is_odd_power(pool, other)) return false;
      *value = signed_power(pool, *value, 1 / hbg_expr_node(pool, other)->value);
      return true;
    default: return false;
  }
}

/* The factor c of c u, u c or u / c; 0 for everything else, and where c is not an ordinary number. */
static HbgExpr factor_of(HbgExprPool *pool, const HbgExprNode *product, HbgExpr unknown) {
  const bool is_product = product->op == HBG_OP_MUL, is_first = product->a == unknown;
  if (!is_product && product->op != HBG_OP_DIV) return 0;
  if (!is_first && !(is_product && product->b == unknown)) return 0;
  const HbgExpr other = is_first ? product->b : product->a;
  if (!hbg_expr_is_constant(pool, other)) return 0;
  const HbgExpr factor = is_product ? other : DIV(NUMBER(1), other);
  const double value = hbg_expr_node(pool, factor)->value;
  return isfinite(value) && (value < 0 || value > 0) ? factor : 0;
}

/* u = x and c u = x, as most laws are: what solve_linear() comes to but for its signs, without its walks. 0: something else. */
static HbgExpr solve_proportional(HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgExpr unknown) {
  if (right == unknown || !hbg_is_leaf(hbg_expr_node(pool, right)->op)) return 0;
  if (left == unknown) return right;
  const HbgExprNode product = *hbg_expr_node(pool, left);
  const HbgExpr factor = factor_of(pool, &product, unknown);
  return factor ? DIV(right, factor) : 0;
}

HbgExpr hbg_expr_solve(HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgExpr unknown) {
  const HbgExpr proportional = solve_proportional(pool, left, right, unknown);
  if (proportional) return proportional;
  const HbgExpr residual = SUB(left, right);
  const HbgExpr linear = solve_linear(pool, residual, unknown);
  if (linear) return linear;
  HbgExpr expr = residual, value = NUMBER(0);
  if (!hbg_expr_depends(pool, expr, unknown)) return 0;
  while (expr != unknown)
    if (!undo(pool, &expr, &value, unknown)) return 0;
  return value;
}

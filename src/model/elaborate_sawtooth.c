/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions on how far the time is in a period, mod(time, T) < d: a comparison with a sawtooth turns at instants known beforehand, as pulse() does, and is
 * scheduled as that is. */
#include <math.h>

#include "base/numbers.h"
#include "model/elaborator.h"

enum { BUDGET = 64 }; // nodes that are looked at: parts may be shared

/* gain * mod(slope * time + rest, modulus) + constant; without a sawtooth where the gain is 0. */
typedef struct Sawtooth {
  double gain, constant;
  double slope, rest, modulus;
} Sawtooth;

static bool read_mod(const HbgElaborator *elaborator, const HbgExprNode *node, Sawtooth *out) {
  double standing;
  *out = (Sawtooth){.gain = 1};
  return hbg_elaborate_is_affine(elaborator, node->a, &out->slope, &out->rest) && !hbg_is_zero(out->slope) &&
         hbg_elaborate_is_affine(elaborator, node->b, &standing, &out->modulus) && hbg_is_zero(standing) && out->modulus > 0;
}

static bool are_one(const Sawtooth *a, const Sawtooth *b) {
  return hbg_is_zero(a->slope - b->slope) && hbg_is_zero(a->rest - b->rest) && hbg_is_zero(a->modulus - b->modulus);
}

/* a + factor b, where there is one sawtooth in them. */
static bool add(const Sawtooth *a, const Sawtooth *b, double factor, Sawtooth *out) {
  if (!hbg_is_zero(a->gain) && !hbg_is_zero(b->gain) && !are_one(a, b)) return false;
  const double gain = a->gain + factor * b->gain, constant = a->constant + factor * b->constant;
  *out = hbg_is_zero(a->gain) ? *b : *a;
  out->gain = gain;
  out->constant = constant;
  return true;
}

static Sawtooth times(Sawtooth saw, double factor) {
  saw.gain *= factor;
  saw.constant *= factor;
  return saw;
}

static bool read(const HbgElaborator *elaborator, HbgExpr expr, int *budget, Sawtooth *out) {
  if (--*budget < 0) return false;
  const HbgExprNode *node = hbg_expr_node(elaborator->pool, expr);
  Sawtooth a, b;
  switch (node->op) {
    case HBG_OP_CONSTANT: *out = (Sawtooth){.constant = node->value}; return !node->is_boolean;
    case HBG_OP_MOD: return read_mod(elaborator, node, out);
    case HBG_OP_NEG:
      if (!read(elaborator, node->a, budget, &a)) return false;
      *out = times(a, -1);
      return true;
    case HBG_OP_ADD:
    case HBG_OP_SUB:
      if (!read(elaborator, node->a, budget, &a) || !read(elaborator, node->b, budget, &b)) return false;
      return add(&a, &b, node->op == HBG_OP_ADD ? 1 : -1, out);
    case HBG_OP_MUL:
      if (!read(elaborator, node->a, budget, &a) || !read(elaborator, node->b, budget, &b)) return false;
      if (!hbg_is_zero(a.gain) && !hbg_is_zero(b.gain)) return false;
      *out = hbg_is_zero(a.gain) ? times(b, a.constant) : times(a, b.constant);
      return true;
    case HBG_OP_DIV:
      if (!read(elaborator, node->a, budget, &a) || !read(elaborator, node->b, budget, &b) || !hbg_is_zero(b.gain) || hbg_is_zero(b.constant)) return false;
      *out = times(a, 1 / b.constant);
      return true;
    default: return false;
  }
}

HbgSawtoothSign hbg_elaborate_sawtooth(const HbgElaborator *elaborator, HbgExpr a, HbgExpr b, HbgTick *tick, bool *is_positive) {
  Sawtooth left, right, saw;
  int budget = BUDGET;
  if (!read(elaborator, a, &budget, &left) || !read(elaborator, b, &budget, &right) || !add(&left, &right, -1, &saw) || hbg_is_zero(saw.gain))
    return HBG_SAWTOOTH_NONE;
  const double turn = -saw.constant / saw.gain;
  *is_positive = turn > 0 ? saw.gain < 0 : saw.gain > 0;
  if (turn <= 0 || turn >= saw.modulus) return HBG_SAWTOOTH_STANDS;
  const double period = saw.modulus / fabs(saw.slope), begin = (saw.slope > 0 ? -saw.rest : turn - saw.rest) / saw.slope;
  if (!isfinite(period) || !isfinite(begin)) return HBG_SAWTOOTH_NONE;
  // what has been so before the run counts from its beginning on
  tick->start = begin - period * ceil(begin / period);
  tick->width = turn / fabs(saw.slope);
  tick->period = period;
  return HBG_SAWTOOTH_TURNS;
}

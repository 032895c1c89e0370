/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/range.h"

#include <math.h>

static const HbgRange anything = {-HUGE_VAL, HUGE_VAL};

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static HbgRange plus(HbgRange a, HbgRange b) { return (HbgRange){a.low + b.low, a.high + b.high}; }
static HbgRange minus(HbgRange a, HbgRange b) { return (HbgRange){a.low - b.high, a.high - b.low}; }
static HbgRange negative(HbgRange a) { return (HbgRange){-a.high, -a.low}; }

/* What is nothing stays nothing, however large the other is. */
static double times(double a, double b) { return (a >= 0 && a <= 0) || (b >= 0 && b <= 0) ? 0 : a * b; }

static HbgRange product(HbgRange a, HbgRange b) {
  const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low), s = times(a.high, b.high);
  return (HbgRange){least(least(p, q), least(r, s)), most(most(p, q), most(r, s))};
}

static bool holds_zero(HbgRange a) { return a.low <= 0 && a.high >= 0; }

static HbgRange magnitude(HbgRange a) {
  const double largest = most(fabs(a.low), fabs(a.high));
  return (HbgRange){holds_zero(a) ? 0 : least(fabs(a.low), fabs(a.high)), largest};
}

static HbgRange square(HbgRange a) {
  const HbgRange size = magnitude(a);
  return (HbgRange){times(size.low, size.low), times(size.high, size.high)};
}

static HbgRange quotient(HbgRange a, HbgRange b) {
  return holds_zero(b) ? anything : product(a, (HbgRange){1 / b.high, 1 / b.low});
}

/* To a power that is a number. */
static HbgRange power(HbgRange a, HbgRange b) {
  if (b.low < b.high) return anything;
  if (fmod(b.low, 2) >= 0 && fmod(b.low, 2) <= 0 && b.low > 0) {
    const HbgRange size = magnitude(a);
    return (HbgRange){pow(size.low, b.low), pow(size.high, b.low)};
  }
  if (a.low >= 0) return b.low > 0 ? (HbgRange){pow(a.low, b.low), pow(a.high, b.low)} : (HbgRange){0, HUGE_VAL};
  return anything;
}

static HbgRange result_of(const HbgInstruction *i, const HbgRange *ranges) {
  const HbgRange a = ranges[i->a];
  switch ((HbgOperation)i->op) {
    case HBG_OP_PRE:
    case HBG_OP_FINITE: return a;
    case HBG_OP_NEG: return negative(a);
    case HBG_OP_ABS: return magnitude(a);
    case HBG_OP_EXP: return (HbgRange){exp(a.low), exp(a.high)};
    case HBG_OP_COSH: return (HbgRange){cosh(magnitude(a).low), cosh(magnitude(a).high)};
    case HBG_OP_SQRT: return (HbgRange){a.low > 0 ? sqrt(a.low) : 0, HUGE_VAL};
    case HBG_OP_ADD: return plus(a, ranges[i->b]);
    case HBG_OP_SUB: return minus(a, ranges[i->b]);
    case HBG_OP_MUL: return i->a == i->b ? square(a) : product(a, ranges[i->b]);
    case HBG_OP_DIV: return quotient(a, ranges[i->b]);
    case HBG_OP_POW: return power(a, ranges[i->b]);
    default: return anything;
  }
}

/* What is no number may be anything. */
static HbgRange sound(HbgRange range) { return isnan(range.low) || isnan(range.high) ? anything : range; }

static bool stands_still(const HbgExprNode *leaf) {
  return hbg_is_slot(leaf, HBG_SLOT_CONSTANT) || hbg_is_slot(leaf, HBG_SLOT_TICK);
}

HbgRange hbg_program_range(const HbgProgram *program, const double *registers, int32_t end, int32_t target,
                           HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  HbgRange *ranges = ARENA_NEW(scratch, HbgRange, program->register_count);
  for (int32_t at = 0; at < program->register_count; at++) ranges[at] = sound((HbgRange){registers[at], registers[at]});
  for (int32_t at = 0; at < program->input_count; at++)
    if (!stands_still(&program->inputs[at].leaf)) ranges[program->inputs[at].target] = anything;
  for (int32_t at = 0; at < end; at++) ranges[program->main[at].target] = sound(result_of(&program->main[at], ranges));
  const HbgRange found = ranges[target];
  hbg_arena_rewind(scratch, mark);
  return found;
}

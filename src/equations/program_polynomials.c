/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/program_polynomials.h"

#include <math.h>

#include "numerics/polynomial_function.h"

static bool is_constant(const HbgPolynomial *p) { return p->degree == 0 && !(p->error > 0); }

static bool is_number(const HbgPolynomial *p, double value) { return is_constant(p) && p->c[0] >= value && p->c[0] <= value; }

/* Anything between the least and the most that either of both can be. */
static HbgPolynomial either(const HbgPolynomial *a, const HbgPolynomial *b) {
  const HbgRange first = hbg_polynomial_range(a), second = hbg_polynomial_range(b);
  return hbg_polynomial_hull((HbgRange){fmin(first.least, second.least), fmax(first.most, second.most)},
                             fmax(a->size, b->size));
}

/* ---- truth ---- */

static HbgPolynomial truth(bool may_be_true, bool may_be_false) {
  return may_be_true != may_be_false ? hbg_polynomial_constant(may_be_true) : hbg_polynomial_hull((HbgRange){0, 1}, 1);
}

static bool is_certain(const HbgPolynomial *p, bool value) { return is_constant(p) && (p->c[0] > 0.5) == value; }

static HbgPolynomial compared(HbgOperation op, const HbgPolynomial *a, const HbgPolynomial *b) {
  HbgPolynomial difference;
  hbg_polynomial_subtract(&difference, a, b);
  const HbgRange range = hbg_polynomial_range(&difference);
  const bool is_exact = is_constant(a) && is_constant(b);
  switch (op) {
    case HBG_OP_LESS: return truth(range.least < 0, range.most >= 0);
    case HBG_OP_LESS_EQUAL: return truth(range.least <= 0, range.most > 0);
    case HBG_OP_GREATER: return truth(range.most > 0, range.least <= 0);
    case HBG_OP_GREATER_EQUAL: return truth(range.most >= 0, range.least < 0);
    default: return truth(range.least <= 0 && range.most >= 0, !is_exact || range.least > 0 || range.most < 0);
  }
}

static HbgPolynomial conjoined(const HbgPolynomial *a, const HbgPolynomial *b) {
  return truth(!is_certain(a, false) && !is_certain(b, false), !is_certain(a, true) || !is_certain(b, true));
}

static HbgPolynomial disjoined(const HbgPolynomial *a, const HbgPolynomial *b) {
  return truth(!is_certain(a, false) || !is_certain(b, false), !is_certain(a, true) && !is_certain(b, true));
}

/* ---- what bends and jumps ---- */

static HbgPolynomial chosen(const HbgPolynomial *condition, const HbgPolynomial *yes, const HbgPolynomial *no) {
  if (is_certain(condition, true)) return *yes;
  return is_certain(condition, false) ? *no : either(yes, no);
}

static HbgPolynomial magnitude(const HbgPolynomial *a) {
  const HbgRange range = hbg_polynomial_range(a);
  HbgPolynomial negative;
  if (range.least >= 0) return *a;
  hbg_polynomial_scale(&negative, a, -1);
  return range.most <= 0 ? negative : hbg_polynomial_hull((HbgRange){0, fmax(range.most, -range.least)}, a->size);
}

static HbgPolynomial sign_of(const HbgPolynomial *a) {
  const HbgRange range = hbg_polynomial_range(a);
  if (range.least > 0 || range.most < 0 || is_number(a, 0)) return hbg_polynomial_constant((range.least > 0) - (range.most < 0));
  return hbg_polynomial_hull((HbgRange){-1, 1}, 1);
}

/* The smaller of both, or the larger. */
static HbgPolynomial extreme(const HbgPolynomial *a, const HbgPolynomial *b, bool is_larger) {
  HbgPolynomial difference;
  hbg_polynomial_subtract(&difference, a, b);
  const HbgRange range = hbg_polynomial_range(&difference);
  if (range.least >= 0) return is_larger ? *a : *b;
  if (range.most <= 0) return is_larger ? *b : *a;
  const HbgRange first = hbg_polynomial_range(a), second = hbg_polynomial_range(b);
  const HbgRange hull = is_larger ? (HbgRange){fmax(first.least, second.least), fmax(first.most, second.most)}
                                  : (HbgRange){fmin(first.least, second.least), fmin(first.most, second.most)};
  return hbg_polynomial_hull(hull, fmax(a->size, b->size));
}

/* FLOOR and CEIL: constant between whole numbers. */
static HbgPolynomial rounded(const HbgPolynomial *a, double (*round)(double)) {
  const HbgRange range = hbg_polynomial_range(a);
  return hbg_polynomial_hull((HbgRange){round(range.least), round(range.most)}, a->size);
}

/* ---- products and powers ---- */

static HbgPolynomial quotient(const HbgPolynomial *a, const HbgPolynomial *b) {
  HbgPolynomial result;
  hbg_polynomial_divide(&result, a, b);
  return result;
}

static HbgPolynomial whole_power(const HbgPolynomial *a, int exponent) {
  HbgPolynomial result = hbg_polynomial_constant(1);
  for (int at = 0; at < exponent; at++) hbg_polynomial_multiply(&result, &result, a);
  return result;
}

static HbgPolynomial power(const HbgPolynomial *a, const HbgPolynomial *b) {
  enum { HIGHEST = HBG_POLYNOMIAL_DEGREE };
  HbgPolynomial result;
  if (!is_constant(b)) return hbg_polynomial_unknown();
  const double exponent = b->c[0];
  if (exponent >= 0 && exponent <= HIGHEST && exponent <= floor(exponent)) return whole_power(a, (int)exponent);
  hbg_polynomial_apply(&result, HBG_SMOOTH_POWER, a, exponent);
  return result;
}

/* a - b floor(a / b), whose floor is a number where `a` stays within one period. */
static HbgPolynomial remainder_of(const HbgPolynomial *a, const HbgPolynomial *b) {
  HbgPolynomial turns = quotient(a, b);
  turns = rounded(&turns, floor);
  hbg_polynomial_multiply(&turns, &turns, b);
  hbg_polynomial_subtract(&turns, a, &turns);
  return turns;
}

/* ---- functions ---- */

static HbgPolynomial smooth(HbgSmoothFunction function, const HbgPolynomial *a) {
  HbgPolynomial result;
  hbg_polynomial_apply(&result, function, a, 0);
  return result;
}

static HbgPolynomial scaled(HbgPolynomial p, double factor) {
  hbg_polynomial_scale(&p, &p, factor);
  return p;
}

static HbgPolynomial sum(HbgPolynomial a, HbgPolynomial b) {
  hbg_polynomial_add(&a, &a, &b);
  return a;
}

static HbgPolynomial root_of(const HbgPolynomial *a) {
  const HbgPolynomial half = hbg_polynomial_constant(0.5);
  return power(a, &half);
}

/* (exp a + sign exp -a) / 2 */
static HbgPolynomial hyperbolic(const HbgPolynomial *a, double sign) {
  const HbgPolynomial opposite = scaled(*a, -1), falling = smooth(HBG_SMOOTH_EXP, &opposite);
  return scaled(sum(smooth(HBG_SMOOTH_EXP, a), scaled(falling, sign)), 0.5);
}

/* 1 - 2 / (exp 2a + 1) */
static HbgPolynomial hyperbolic_tangent(const HbgPolynomial *a) {
  const HbgPolynomial twice = scaled(*a, 2), two = hbg_polynomial_constant(-2), one = hbg_polynomial_constant(1);
  const HbgPolynomial below = sum(smooth(HBG_SMOOTH_EXP, &twice), one);
  return sum(one, quotient(&two, &below));
}

static HbgPolynomial tangent(const HbgPolynomial *a) {
  const HbgPolynomial sine = smooth(HBG_SMOOTH_SIN, a), cosine = smooth(HBG_SMOOTH_COS, a);
  return quotient(&sine, &cosine);
}

static HbgPolynomial hypotenuse(const HbgPolynomial *a, const HbgPolynomial *b) {
  const HbgPolynomial squares = sum(whole_power(a, 2), whole_power(b, 2));
  return root_of(&squares);
}

/* ---- tables ---- */

/* Within one piece a table is a cubic, whose derivatives tell it. */
static HbgPolynomial piece_of_table(const HbgLookUpTable *table, int32_t piece, const HbgPolynomial *a, HbgRange range) {
  const double middle = range.least + (range.most - range.least) / 2;
  double coefficient[4], factorial = 1;
  for (int order = 0; order < 4; order++) {
    if (order) factorial *= order;
    coefficient[order] = hbg_look_up_piece_value(table, piece, order, middle) / factorial;
    if (!isfinite(coefficient[order])) return hbg_polynomial_unknown();
  }
  HbgPolynomial result;
  hbg_polynomial_substitute(&result, a, middle, coefficient, 3, 0, fabs(coefficient[1]));
  return result;
}

/* All that a table is between two arguments lies between its knots and these: pieces are monotone. */
static HbgPolynomial hull_of_table(const HbgLookUpTable *table, HbgRange range) {
  const double first = hbg_look_up_value(table, 0, range.least), last = hbg_look_up_value(table, 0, range.most);
  HbgRange hull = {fmin(first, last), fmax(first, last)};
  if (isnan(first) || isnan(last)) return hbg_polynomial_unknown();
  for (int32_t at = 0; at < table->x_count; at++) {
    const bool is_inside = table->x[at] >= range.least && table->x[at] <= range.most;
    // of steps the value begins before the break that is inside
    const bool is_next = at + 1 < table->x_count && table->x[at] < range.least && table->x[at + 1] >= range.least;
    const bool is_behind = at > 0 && table->x[at] > range.most && table->x[at - 1] <= range.most;
    if (!is_inside && !is_next && !is_behind) continue;
    hull = (HbgRange){fmin(hull.least, table->value[at]), fmax(hull.most, table->value[at])};
  }
  return hbg_polynomial_hull(hull, fmax(fabs(hull.least), fabs(hull.most)));
}

static HbgPolynomial looked_up(const HbgInstruction *instruction, const HbgPolynomial *registers) {
  const HbgLookUpCall *call = hbg_instruction_look_up(instruction);
  const HbgPolynomial *a = &registers[instruction->a], *b = &registers[call->b];
  const HbgOperation op = (HbgOperation)instruction->op;
  const HbgRange range = hbg_polynomial_range(a);
  if (is_constant(a) && (op == HBG_OP_TABLE || is_constant(b)))
    return hbg_polynomial_constant(hbg_operation_look_up(op, call->table, call->order, a->c[0], b->c[0]));
  if (op == HBG_OP_MAP || call->table->history || call->order || !isfinite(range.least + range.most))
    return hbg_polynomial_unknown();
  if (op == HBG_OP_COURSE) return is_constant(b) ? piece_of_table(call->table, (int32_t)b->c[0], a, range) : hbg_polynomial_unknown();
  const int32_t piece = hbg_look_up_piece_at(call->table, range.least);
  if (piece == hbg_look_up_piece_at(call->table, range.most)) return piece_of_table(call->table, piece, a, range);
  return hull_of_table(call->table, range);
}

/* ---- code ---- */

static HbgPolynomial applied(HbgOperation op, const HbgPolynomial *a, const HbgPolynomial *b) {
  HbgPolynomial result;
  switch (op) {
    case HBG_OP_NEG: return scaled(*a, -1);
    case HBG_OP_DIV: return quotient(a, b);
    case HBG_OP_POW: return power(a, b);
    case HBG_OP_ABS: return magnitude(a);
    case HBG_OP_SIGN: return sign_of(a);
    case HBG_OP_SQRT: return root_of(a);
    case HBG_OP_EXP: return smooth(HBG_SMOOTH_EXP, a);
    case HBG_OP_LOG: return smooth(HBG_SMOOTH_LOG, a);
    case HBG_OP_LOG10: return scaled(smooth(HBG_SMOOTH_LOG, a), 1 / log(10));
    case HBG_OP_SIN: return smooth(HBG_SMOOTH_SIN, a);
    case HBG_OP_COS: return smooth(HBG_SMOOTH_COS, a);
    case HBG_OP_TAN: return tangent(a);
    case HBG_OP_ATAN: return smooth(HBG_SMOOTH_ATAN, a);
    case HBG_OP_SINH: return hyperbolic(a, -1);
    case HBG_OP_COSH: return hyperbolic(a, 1);
    case HBG_OP_TANH: return hyperbolic_tangent(a);
    case HBG_OP_FLOOR: return rounded(a, floor);
    case HBG_OP_CEIL: return rounded(a, ceil);
    case HBG_OP_MIN: return extreme(a, b, false);
    case HBG_OP_MAX: return extreme(a, b, true);
    case HBG_OP_HYPOT: return hypotenuse(a, b);
    case HBG_OP_MOD: return remainder_of(a, b);
    case HBG_OP_AND: return conjoined(a, b);
    case HBG_OP_OR: return disjoined(a, b);
    case HBG_OP_NOT: return truth(!is_certain(a, true), !is_certain(a, false));
    case HBG_OP_LESS:
    case HBG_OP_LESS_EQUAL:
    case HBG_OP_EQUAL:
    case HBG_OP_GREATER_EQUAL:
    case HBG_OP_GREATER: return compared(op, a, b);
    default: result = hbg_polynomial_unknown(); return result;
  }
}

/* Numbers stay numbers, to the last bit. */
static HbgPolynomial general(HbgOperation op, const HbgPolynomial *a, const HbgPolynomial *b) {
  const bool has_two = hbg_operation_info[op].arguments == 2;
  if (is_constant(a) && (!has_two || is_constant(b)))
    return hbg_polynomial_constant(hbg_operation_apply(op, a->c[0], has_two ? b->c[0] : 0, 0));
  return applied(op, a, b);
}

void hbg_execute_polynomials(const HbgInstruction *code, int32_t from, int32_t to, HbgPolynomial *r) {
  if (from == to) return; // there may be no code at all
  for (const HbgInstruction *i = code + from, *end = code + to; i < end; i++) {
    switch ((HbgOperation)i->op) {
      case HBG_OP_ADD: hbg_polynomial_add(&r[i->target], &r[i->a], &r[i->b]); break;
      case HBG_OP_SUB: hbg_polynomial_subtract(&r[i->target], &r[i->a], &r[i->b]); break;
      case HBG_OP_MUL: hbg_polynomial_multiply(&r[i->target], &r[i->a], &r[i->b]); break;
      case HBG_OP_PRE:
      case HBG_OP_FINITE: r[i->target] = r[i->a]; break;
      case HBG_OP_IMPULSE: r[i->target] = hbg_polynomial_constant(0); break;
      case HBG_OP_SELECT: r[i->target] = chosen(&r[i->a], &r[i->b], &r[i->c]); break;
      case HBG_OP_TABLE:
      case HBG_OP_MAP:
      case HBG_OP_COURSE: r[i->target] = looked_up(i, r); break;
      default: r[i->target] = general((HbgOperation)i->op, &r[i->a], &r[i->b]); break;
    }
  }
}

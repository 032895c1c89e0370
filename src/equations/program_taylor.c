/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/program_taylor.h"

#include <math.h>

enum { STRIDE = HBG_TAYLOR_STRIDE, MOST_POWER = 8 };

/* What instructions come to. Functions whose derivative is another function have both as results. */
typedef enum HbgTaylorOperation {
  ADD, SUB, NEG, COPY,
  SCALE,              /* a constant a times b */
  DIVIDE_BY_CONSTANT, /* a by a constant b */
  LAST_LINEAR = DIVIDE_BY_CONSTANT,
  MULTIPLY, SQUARE, DIVIDE,
  EXPONENTIAL,
  SINE, HYPERBOLIC_SINE,     /* and in c the cosine */
  TANGENT, HYPERBOLIC_TANGENT, /* and in c its square */
  ARC_TANGENT,        /* and in c 1 + the square of a */
  SQUARE_ROOT, LOGARITHM, /* of a, up to kink c */
  POWER,              /* a to a constant b, up to kink c */
  MAGNITUDE, SIGN,    /* of a, by kink c */
  CHOOSE_LESS, CHOOSE_GREATER, /* of a and b, by kink c */
  IS_LESS, IS_AT_MOST, IS_GREATER, IS_AT_LEAST, /* by kink c */
  LOGIC_AND, LOGIC_OR, LOGIC_NOT,
  SELECT
} HbgTaylorOperation;

HbgTaylorProgram hbg_taylor_program(HbgArena *arena) { return (HbgTaylorProgram){.arena = arena}; }

int32_t hbg_taylor_input(HbgTaylorProgram *program, bool is_constant) {
  int32_t count = program->register_count, linear_count = count;
  ARENA_PUSH(program->arena, program->is_constant, count, program->constant_capacity) = is_constant;
  ARENA_PUSH(program->arena, program->is_linear, linear_count, program->linear_capacity) = true;
  return program->register_count++;
}

/* ---- emitting ---- */

static int32_t put(HbgTaylorProgram *program, HbgTaylorOperation op, int32_t a, int32_t b, int32_t c) {
  const int32_t target = hbg_taylor_input(program, false);
  ARENA_PUSH(program->arena, program->code, program->count, program->capacity) = (HbgTaylorInstruction){(int32_t)op, target, a, b, c};
  const bool reads_two = op == ADD || op == SUB || op == SCALE;
  program->is_linear[target] = op <= LAST_LINEAR && program->is_linear[a] && (!reads_two || program->is_linear[b]);
  return target;
}

static int32_t kink_of(HbgTaylorProgram *program, HbgTaylorKink own) {
  ARENA_PUSH(program->arena, program->kinks, program->kink_count, program->kink_capacity) = own;
  return program->kink_count - 1;
}

static int32_t kink(HbgTaylorProgram *program, int32_t a, int32_t b) { return kink_of(program, (HbgTaylorKink){.a = a, .b = b}); }

static int32_t put_kinked(HbgTaylorProgram *program, HbgTaylorOperation op, int32_t a, int32_t b, bool has_two) {
  return put(program, op, a, b, kink(program, a, has_two ? b : -1));
}

/* What has no values below zero ends there, also where its series would go on, as where (2 - t)^2 goes through its root. */
static int32_t put_above_zero(HbgTaylorProgram *program, HbgTaylorOperation op, int32_t a, int32_t b) {
  return put(program, op, a, b, kink(program, a, -1));
}

static int32_t multiply(HbgTaylorProgram *program, int32_t a, int32_t b) {
  if (program->is_constant[a]) return put(program, SCALE, a, b, 0);
  if (program->is_constant[b]) return put(program, SCALE, b, a, 0);
  return a == b ? put(program, SQUARE, a, a, 0) : put(program, MULTIPLY, a, b, 0);
}

/* With a second result. */
static int32_t put_pair(HbgTaylorProgram *program, HbgTaylorOperation op, int32_t a, bool wants_second) {
  const int32_t second = hbg_taylor_input(program, false), first = put(program, op, a, 0, second);
  return wants_second ? second : first;
}

/* What has died out has no terms that tell when it comes to life again, as the current of a diode that blocks: e^-200 times whatever powers of the time are nothing, where the sum of all of them is
 * not. A series is good for no longer than until there might be something; and then for what its last terms tell of those that are left out: these are about as much as the last of them as long as the exponent has risen by no more
 * than half as many as there are. */
static const double DIED_OUT = 40, RISES = 8;

static int32_t put_exponential(HbgTaylorProgram *program, int32_t a) {
  kink_of(program, (HbgTaylorKink){.a = a, .b = -1, .level = -DIED_OUT, .reach = -RISES});
  return put(program, EXPONENTIAL, a, 0, 0);
}

/* So it is with what is saturated, on either side: 1 - tanh x is 2 e^(-2x) there. */
static int32_t put_saturating(HbgTaylorProgram *program, int32_t a) {
  kink_of(program, (HbgTaylorKink){.a = a, .b = -1, .level = -DIED_OUT / 2, .reach = -RISES / 2});
  kink_of(program, (HbgTaylorKink){.a = a, .b = -1, .level = DIED_OUT / 2, .reach = RISES / 2});
  return put_pair(program, HYPERBOLIC_TANGENT, a, false);
}

/* By squares and products where the exponent is a small whole number: what is raised may be nothing then. */
static int32_t power(HbgTaylorProgram *program, int32_t a, int32_t b, double exponent) {
  if (!program->is_constant[b]) return put_exponential(program, multiply(program, b, put_above_zero(program, LOGARITHM, a, 0)));
  const int32_t whole = exponent >= 2 && exponent <= MOST_POWER ? (int32_t)exponent : 0;
  if (!whole || exponent < whole || exponent > whole) return put_above_zero(program, POWER, a, b);
  int32_t result = a;
  for (int32_t done = 1; done < whole; done++) result = multiply(program, result, a);
  return result;
}

int32_t hbg_taylor_emit(HbgTaylorProgram *program, HbgOperation op, int32_t a, int32_t b, int32_t c, double exponent) {
  switch (op) {
    case HBG_OP_PRE:
    case HBG_OP_FINITE: return a;
    case HBG_OP_ADD: return put(program, ADD, a, b, 0);
    case HBG_OP_SUB: return put(program, SUB, a, b, 0);
    case HBG_OP_NEG: return put(program, NEG, a, 0, 0);
    case HBG_OP_MUL: return multiply(program, a, b);
    case HBG_OP_DIV: return put(program, program->is_constant[b] ? DIVIDE_BY_CONSTANT : DIVIDE, a, b, 0);
    case HBG_OP_POW: return power(program, a, b, exponent);
    case HBG_OP_SQRT: return put_above_zero(program, SQUARE_ROOT, a, 0);
    case HBG_OP_EXP: return put_exponential(program, a);
    case HBG_OP_LOG: return put_above_zero(program, LOGARITHM, a, 0);
    case HBG_OP_SIN: return put_pair(program, SINE, a, false);
    case HBG_OP_COS: return put_pair(program, SINE, a, true);
    case HBG_OP_SINH: return put_pair(program, HYPERBOLIC_SINE, a, false);
    case HBG_OP_COSH: return put_pair(program, HYPERBOLIC_SINE, a, true);
    case HBG_OP_TAN: return put_pair(program, TANGENT, a, false);
    case HBG_OP_TANH: return put_saturating(program, a);
    case HBG_OP_ATAN: return put_pair(program, ARC_TANGENT, a, false);
    case HBG_OP_ABS: return put_kinked(program, MAGNITUDE, a, 0, false);
    case HBG_OP_SIGN: return put_kinked(program, SIGN, a, 0, false);
    case HBG_OP_MIN: return put_kinked(program, CHOOSE_LESS, a, b, true);
    case HBG_OP_MAX: return put_kinked(program, CHOOSE_GREATER, a, b, true);
    case HBG_OP_LESS: return put_kinked(program, IS_LESS, a, b, true);
    case HBG_OP_LESS_EQUAL: return put_kinked(program, IS_AT_MOST, a, b, true);
    case HBG_OP_GREATER: return put_kinked(program, IS_GREATER, a, b, true);
    case HBG_OP_GREATER_EQUAL: return put_kinked(program, IS_AT_LEAST, a, b, true);
    case HBG_OP_AND: return put(program, LOGIC_AND, a, b, 0);
    case HBG_OP_OR: return put(program, LOGIC_OR, a, b, 0);
    case HBG_OP_NOT: return put(program, LOGIC_NOT, a, 0, 0);
    case HBG_OP_SELECT: return put(program, SELECT, a, b, c);
    default: return -1;
  }
}

/* ---- values ---- */

static int sign_of(double value) { return (value > 0) - (value < 0); }

static void decide(const HbgTaylorProgram *program, const HbgTaylorInstruction *i, const double *series, signed char *signs) {
  if (i->op < SQUARE_ROOT || i->op > IS_AT_LEAST || signs[i->c] != HBG_TAYLOR_UNDECIDED) return;
  const HbgTaylorKink *kink = &program->kinks[i->c];
  signs[i->c] = (signed char)sign_of(series[kink->a * STRIDE] - (kink->b < 0 ? 0 : series[kink->b * STRIDE]));
}

/* Coefficients of order 0. */
static void execute_values(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series, signed char *signs) {
  for (int32_t at = from; at < to; at++) {
    const HbgTaylorInstruction *i = &program->code[at];
    const double a = series[i->a * STRIDE], b = series[i->b * STRIDE];
    double *target = &series[i->target * STRIDE], *second = &series[i->c * STRIDE];
    decide(program, i, series, signs);
    switch ((HbgTaylorOperation)i->op) {
      case ADD: *target = a + b; break;
      case SUB: *target = a - b; break;
      case NEG: *target = -a; break;
      case COPY: *target = a; break;
      case SCALE:
      case SQUARE:
      case MULTIPLY: *target = a * b; break;
      case DIVIDE_BY_CONSTANT:
      case DIVIDE: *target = a / b; break;
      case SQUARE_ROOT: *target = sqrt(a); break;
      case EXPONENTIAL: *target = exp(a); break;
      case LOGARITHM: *target = log(a); break;
      case POWER: *target = pow(a, b); break;
      case SINE: *target = sin(a), *second = cos(a); break;
      case HYPERBOLIC_SINE: *target = sinh(a), *second = cosh(a); break;
      case TANGENT: *target = tan(a), *second = *target * *target; break;
      case HYPERBOLIC_TANGENT: *target = tanh(a), *second = *target * *target; break;
      case ARC_TANGENT: *target = atan(a), *second = 1 + a * a; break;
      case MAGNITUDE: *target = signs[i->c] < 0 ? -a : a; break;
      case SIGN: *target = signs[i->c]; break;
      case CHOOSE_LESS: *target = signs[i->c] < 0 ? a : b; break;
      case CHOOSE_GREATER: *target = signs[i->c] > 0 ? a : b; break;
      case IS_LESS: *target = signs[i->c] < 0; break;
      case IS_AT_MOST: *target = signs[i->c] <= 0; break;
      case IS_GREATER: *target = signs[i->c] > 0; break;
      case IS_AT_LEAST: *target = signs[i->c] >= 0; break;
      case LOGIC_AND: *target = a > 0.5 && b > 0.5; break;
      case LOGIC_OR: *target = a > 0.5 || b > 0.5; break;
      case LOGIC_NOT: *target = !(a > 0.5); break;
      case SELECT: *target = a > 0.5 ? b : *second; break;
    }
  }
}

/* ---- higher orders ---- */

/* Sum over j in [from, to] of a[j] b[k - j], by twos, which do not wait for each other. */
static inline double product(const double *a, const double *b, int32_t k, int32_t from, int32_t to) {
  double sum = 0, others = 0;
  int32_t j = from;
  for (; j < to; j += 2) {
    sum += a[j] * b[k - j];
    others += a[j + 1] * b[k - j - 1];
  }
  if (j == to) sum += a[j] * b[k - j];
  return sum + others;
}

/* Sum over j in [1, to] of j a[j] b[k - j]: k times coefficient k of the integral of a' b, as far as a[to]. */
static inline double moment(const double *a, const double *b, int32_t k, int32_t to) {
  double sum = 0, factor = 1;
  for (int32_t j = 1; j <= to; j++, factor += 1) sum += factor * a[j] * b[k - j];
  return sum;
}

/* Two of them at once: of the integrals of a' y and a' z. */
static inline void moments(const double *a, const double *y, const double *z, int32_t k, double *of_y, double *of_z) {
  double factor = 1, first = 0, second = 0;
  for (int32_t j = 1; j <= k; j++, factor += 1) {
    const double slope = factor * a[j];
    first += slope * y[k - j];
    second += slope * z[k - j];
  }
  *of_y = first / k;
  *of_z = second / k;
}

/* Of y' = a' z and z' = sign a' y, with k > 0. */
static inline void pair(const double *a, double *y, double *z, double sign, int32_t k) {
  double of_y, of_z;
  moments(a, y, z, k, &of_y, &of_z);
  y[k] = of_z;
  z[k] = sign * of_y;
}

static double square(const double *a, int32_t k) {
  const double twice = 2 * product(a, a, k, 0, (k - 1) / 2);
  return k % 2 ? twice : twice + a[k / 2] * a[k / 2];
}

/* y = a^r: a y' = r a' y. */
static double power_coefficient(const double *y, const double *a, double r, int32_t k) {
  double sum = 0;
  for (int32_t j = 1; j <= k; j++) sum += (r * j - (k - j)) * a[j] * y[k - j];
  return sum / (k * a[0]);
}

void hbg_taylor_execute(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series, signed char *signs, int32_t k) {
  if (!k) {
    execute_values(program, from, to, series, signs);
    return;
  }
  for (int32_t at = from; at < to; at++) {
    const HbgTaylorInstruction *i = &program->code[at];
    const double *a = &series[i->a * STRIDE], *b = &series[i->b * STRIDE];
    double *y = &series[i->target * STRIDE], *second = &series[i->c * STRIDE];
    switch ((HbgTaylorOperation)i->op) {
      case ADD: y[k] = a[k] + b[k]; break;
      case SUB: y[k] = a[k] - b[k]; break;
      case NEG: y[k] = -a[k]; break;
      case COPY: y[k] = a[k]; break;
      case SCALE: y[k] = a[0] * b[k]; break;
      case DIVIDE_BY_CONSTANT: y[k] = a[k] / b[0]; break;
      case MULTIPLY: y[k] = product(a, b, k, 0, k); break;
      case SQUARE: y[k] = square(a, k); break;
      case DIVIDE: y[k] = (a[k] - product(y, b, k, 0, k - 1)) / b[0]; break;
      case SQUARE_ROOT: y[k] = (a[k] - product(y, y, k, 1, k - 1)) / (2 * y[0]); break;
      case EXPONENTIAL: y[k] = moment(a, y, k, k) / k; break;
      case LOGARITHM: y[k] = (a[k] - moment(y, a, k, k - 1) / k) / a[0]; break;
      case POWER: y[k] = power_coefficient(y, a, b[0], k); break;
      case SINE: pair(a, y, second, -1, k); break;
      case HYPERBOLIC_SINE: pair(a, y, second, 1, k); break;
      case TANGENT: y[k] = a[k] + moment(a, second, k, k) / k, second[k] = square(y, k); break;
      case HYPERBOLIC_TANGENT: y[k] = a[k] - moment(a, second, k, k) / k, second[k] = square(y, k); break;
      case ARC_TANGENT: y[k] = (a[k] - moment(y, second, k, k - 1) / k) / second[0], second[k] = square(a, k); break;
      case MAGNITUDE: y[k] = signs[i->c] < 0 ? -a[k] : a[k]; break;
      case CHOOSE_LESS: y[k] = signs[i->c] < 0 ? a[k] : b[k]; break;
      case CHOOSE_GREATER: y[k] = signs[i->c] > 0 ? a[k] : b[k]; break;
      case SELECT: y[k] = a[0] > 0.5 ? b[k] : second[k]; break;
      case SIGN:
      case IS_LESS:
      case IS_AT_MOST:
      case IS_GREATER:
      case IS_AT_LEAST:
      case LOGIC_AND:
      case LOGIC_OR:
      case LOGIC_NOT: y[k] = 0; break;
    }
  }
}

void hbg_taylor_execute_all(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series, signed char *signs) {
  for (int32_t at = from; at < to; at++) {
    const HbgTaylorInstruction *i = &program->code[at];
    const double *a = &series[i->a * STRIDE], *b = &series[i->b * STRIDE];
    double *y = &series[i->target * STRIDE];
    switch (i->op) {
      case ADD:
        for (int32_t k = 0; k <= HBG_TAYLOR_ORDER; k++) y[k] = a[k] + b[k];
        break;
      case SUB:
        for (int32_t k = 0; k <= HBG_TAYLOR_ORDER; k++) y[k] = a[k] - b[k];
        break;
      case SCALE:
        for (int32_t k = 0; k <= HBG_TAYLOR_ORDER; k++) y[k] = a[0] * b[k];
        break;
      case DIVIDE_BY_CONSTANT:
        for (int32_t k = 0; k <= HBG_TAYLOR_ORDER; k++) y[k] = a[k] / b[0];
        break;
      default:
        for (int32_t k = 0; k <= HBG_TAYLOR_ORDER; k++) hbg_taylor_execute(program, at, at + 1, series, signs, k);
    }
  }
}

/* ---- sizes ---- */

void hbg_taylor_execute_sizes(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series) {
  for (int32_t at = from; at < to; at++) {
    const HbgTaylorInstruction *i = &program->code[at];
    const double a = series[i->a * STRIDE + HBG_TAYLOR_SIZE], b = series[i->b * STRIDE + HBG_TAYLOR_SIZE];
    double *size = &series[i->target * STRIDE + HBG_TAYLOR_SIZE];
    switch (i->op) {
      case ADD:
      case SUB: *size = a + b; break;
      case SCALE: *size = fabs(series[i->a * STRIDE]) * b; break;
      case DIVIDE_BY_CONSTANT: *size = a / fabs(series[i->b * STRIDE]); break;
      default: *size = a; break;
    }
  }
}

/* ---- kinks ---- */

static double coefficient(const HbgTaylorKink *kink, const double *series, int32_t k) {
  const double a = series[kink->a * STRIDE + k], value = kink->b < 0 ? a : a - series[kink->b * STRIDE + k];
  if (k) return value;
  return kink->reach < 0 ? fmin(value - kink->level, kink->reach) : kink->reach > 0 ? fmax(value - kink->level, kink->reach) : value;
}

int hbg_taylor_sign(const HbgTaylorKink *kink, const double *series, double lag, int32_t order) {
  int sign = sign_of(coefficient(kink, series, 0) + lag * coefficient(kink, series, 1));
  for (int32_t k = 1; k <= order && !sign; k++) sign = sign_of(coefficient(kink, series, k));
  return sign;
}

/* Where a parabola below it, which begins at value > 0 with `slope` and bends down by `bend`, is nothing. */
static double safe_distance(double value, double slope, double bend) {
  const double root = sqrt(slope * slope + 2 * bend * value);
  return slope >= 0 ? (slope + root) / bend : 2 * value / (root - slope);
}

/* How many zeros it has at once, such as two where it begins at rest: they are no turns, and hide what comes behind them. */
static int32_t zeros_at_once(const HbgTaylorKink *kink, const double *series) {
  int32_t count = 0;
  while (count < HBG_TAYLOR_ORDER && !sign_of(coefficient(kink, series, count))) count++;
  return count;
}

/* So far its last terms are small against its largest one: farther on, what is left out may be anything. A law may see much quicker motion than it
 * lets through, as the half wave that it cuts off. */
static double resolved_length(const double *d, double length) {
  enum { MOST = 30, LAST = HBG_TAYLOR_ORDER };
  static const double SMALL = 1e-11, LITTLE_LESS = 0.95;
  for (int32_t round = 0; round < MOST; round++) {
    double largest = 0, last = 0, power = 1;
    for (int32_t k = 0; k <= LAST; k++, power *= length) {
      const double term = fabs(d[k]) * power;
      largest = fmax(largest, term);
      if (k >= LAST - 1) last = fmax(last, term);
    }
    if (last <= SMALL * largest) return length;
    length *= isfinite(last) ? fmin(LITTLE_LESS, pow(SMALL * largest / last, 1.0 / LAST)) : 0.1;
  }
  return length;
}

double hbg_taylor_turn(const HbgTaylorKink *kink, const double *series, double lag, double length) {
  enum { MOST = 60 };
  double d[HBG_TAYLOR_ORDER + 1] = {0}, others = 0, bend = 0, power = 1; // of the length
  const int sign = hbg_taylor_sign(kink, series, lag, HBG_TAYLOR_ORDER);
  if (!sign) return length;
  const int32_t zeros = zeros_at_once(kink, series);
  for (int32_t k = zeros; k <= HBG_TAYLOR_ORDER; k++) d[k - zeros] = sign * coefficient(kink, series, k);
  length = resolved_length(d, length);
  for (int32_t k = 1; k <= HBG_TAYLOR_ORDER; k++) {
    if (k > 1) bend += k * (k - 1) * fabs(d[k]) * power; // by now length^(k - 2)
    if (k > 1) power *= length;
    others += fabs(d[k]) * power * length;
  }
  if (d[0] > others) return length;
  double t = lag;
  for (int32_t step = 0; step < MOST && t < length; step++) {
    double value = 0, slope = 0;
    for (int32_t k = HBG_TAYLOR_ORDER; k >= 0; k--) slope = slope * t + value, value = value * t + d[k];
    if (!(value > 0)) return t;
    const double go = bend > 0 ? safe_distance(value, slope, bend) : slope < 0 ? -value / slope : (double)INFINITY;
    if (t + go <= t || go <= 1e-15 * length) return t;
    t += go;
  }
  return fmin(t, length);
}

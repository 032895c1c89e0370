/* SPDX-License-Identifier: BSD-3-Clause
 * Where f = a + c e^(lambda t) comes down to zero: one real mode beside a constant. f is monotonic, and written from x0 on,
 * f0 + f0' (e^(lambda t) - 1) / lambda, nothing in it cancels over times that are short against 1 / lambda. */
#include <float.h>
#include <math.h>

#include "numerics/flow_course.h"

typedef struct Single {
  double rate;         /* lambda */
  double value, slope; /* at x0 */
} Single;

/* row . (x0, 1) + constant; zero where that is nothing but round-off. */
static double value_from(const double *row, int32_t n, const double *x0, double constant) {
  double size = fabs(row[n]) + fabs(constant), sum = row[n] + constant;
  for (int32_t i = 0; i < n; i++) {
    const double term = row[i] * x0[i];
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) <= 4 * DBL_EPSILON * size ? 0 : sum;
}

/* Both in one pass: states are few. */
static inline Single single_of(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question) {
  const int32_t n = guard->flow->n;
  const double *row = guard->value, *rate = guard->rate, sign = -question->sense;
  double size = fabs(row[n]) + fabs(question->constant), value = row[n] + question->constant, slope = rate[n];
  for (int32_t i = 0; i < n; i++) {
    const double x = x0[i], term = row[i] * x;
    value += term;
    size += fabs(term);
    slope += rate[i] * x;
  }
  if (fabs(value) <= 4 * DBL_EPSILON * size) value = 0;
  return (Single){.rate = guard->flow->mode[0].rate, .value = sign * value, .slope = sign * slope};
}

/* a. */
static double limit_of(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question) {
  return -question->sense * value_from(guard->power, guard->flow->n, x0, question->constant);
}

/* How far f comes until t, without what it begins with. */
static double change_until(const Single *f, double t) { return f->slope * expm1(f->rate * t) / f->rate; }

/* It falls from a positive value: when does it reach zero? Infinite where it never does. */
static double zero_of(const Single *f, double limit) {
  if (f->rate < 0 && limit >= 0) return (double)INFINITY;
  const double part = -f->rate * f->value / f->slope; // e^(lambda t) - 1
  if (part > -0.5) return log1p(part) / f->rate;
  return log(limit / (limit - f->value)) / f->rate; // far on its way to the limit, which tells more
}

bool hbg_flow_is_single(const HbgFlow *flow) {
  return flow->mode_count == 1 && flow->degree == 0 && flow->mode[0].count == 1 && !flow->mode[0].is_split && !flow->mode[0].is_complex;
}

HbgFlowAnswer hbg_flow_single_root(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double *t) {
  const Single f = single_of(guard, x0, question);
  const double from = question->from, change = from > 0 ? change_until(&f, from) : 0;
  const double round_off = FLOW_ROUND_OFF * (fabs(f.value) + fabs(change) + from * fabs(f.slope) / 8);
  const double zero = question->zero + FLOW_BLINK * fabs(question->instant * f.slope);
  const double least = from > 0 || round_off > zero ? round_off : zero;
  const double value = f.value + change;
  *t = from;
  if (value < -least) return HBG_FLOW_CROSSES;
  if (!(f.slope < 0)) return HBG_FLOW_NEVER;
  // where it decays, its tangent at x0 lies below it
  if (f.rate < 0 && value > least && f.value + f.slope * question->to > least) return HBG_FLOW_NEVER;
  const double limit = limit_of(guard, x0, question);
  if (value <= least) {
    // a fall that ends before it comes out of the round-off is no fall
    const double depth = f.rate < 0 ? value - limit : (double)INFINITY;
    return depth > 4 * least ? HBG_FLOW_CROSSES : HBG_FLOW_NEVER;
  }
  *t = zero_of(&f, limit);
  if (*t < from) *t = from;
  return *t <= question->to && isfinite(*t) ? HBG_FLOW_CROSSES : HBG_FLOW_NEVER;
}

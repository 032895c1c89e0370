/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/flow_course.h"

#include <math.h>

/* ---- modes ---- */

static FlowComplex sum(FlowComplex a, FlowComplex b) { return (FlowComplex){a.re + b.re, a.im + b.im}; }
static FlowComplex scaled(FlowComplex a, double factor) { return (FlowComplex){a.re * factor, a.im * factor}; }
static double length(FlowComplex a) { return a.im == 0 ? fabs(a.re) : sqrt(a.re * a.re + a.im * a.im); }
static bool is_single(const FlowMode *mode) { return mode->count == 1 && !mode->is_split; }
static FlowComplex lambda(const FlowMode *mode) { return (FlowComplex){mode->rate, mode->frequency}; }

static FlowComplex split_square(const FlowMode *mode) {
  const FlowComplex delta = {mode->delta, mode->delta_i};
  return flow_times(delta, delta);
}

/* The coefficients about a time t later. */
static void shift(const FlowMode *mode, const FlowComplex *from, double t, FlowComplex *to) {
  if (is_single(mode) && from->re == 0 && from->im == 0) {
    *to = *from;
    return;
  }
  if (mode->is_split) {
    FlowComplex c, s;
    hbg_flow_split(mode, t, &c, &s);
    to[0] = sum(flow_times(c, from[0]), flow_times(s, from[1]));
    to[1] = sum(flow_times(c, from[1]), flow_times(flow_times(s, split_square(mode)), from[0]));
    return;
  }
  const FlowComplex e = hbg_flow_exponential(mode, t);
  for (int32_t k = 0; k < mode->count; k++) to[k] = flow_times(e, from[k]);
  for (int32_t i = 0; i < mode->count; i++)
    for (int32_t k = mode->count - 2; k >= i; k--) to[k] = sum(to[k], scaled(to[k + 1], t));
}

static void derive(const FlowMode *mode, FlowComplex *c) {
  if (mode->is_split) {
    const FlowComplex first = c[0];
    c[0] = sum(flow_times(lambda(mode), c[0]), c[1]);
    c[1] = sum(flow_times(lambda(mode), c[1]), flow_times(split_square(mode), first));
    return;
  }
  for (int32_t k = 0; k < mode->count; k++) {
    c[k] = flow_times(lambda(mode), c[k]);
    if (k + 1 < mode->count) c[k] = sum(c[k], scaled(c[k + 1], k + 1));
  }
}

/* The largest h^k e^(rate h) for h in [0, reach], or a little more. */
static double largest(int32_t k, double rate, double reach) {
  const double growth = rate > 0 ? exp(rate * reach) : 1, top = rate < 0 ? k / (-rate * 2.7) : reach;
  const double h = fmin(top, reach);
  double power = growth;
  for (int32_t i = 0; i < k; i++) power *= h;
  return power;
}

/* Nothing stays nothing for ever. */
static double times(double size, double growth) { return size > 0 ? size * growth : 0; }

static double mode_bound(const FlowMode *mode, const FlowComplex *c, double reach) {
  if (mode->is_split) {
    const double rate = mode->rate + mode->delta, delta = hypot(mode->delta, mode->delta_i);
    const double s = fmin(largest(1, rate, reach), largest(0, rate, reach) / delta);
    return times(length(c[0]), largest(0, rate, reach)) + times(length(c[1]), s);
  }
  double bound = 0;
  for (int32_t k = 0; k < mode->count; k++) bound += times(length(c[k]), largest(k, mode->rate, reach));
  return bound;
}

/* ---- the polynomial ---- */

/* k (k - 1) ... of so many factors. */
static inline double derivative_of_power(double k, int32_t order) {
  double factor = 1;
  for (int32_t i = 0; i < order; i++, k -= 1) factor *= k;
  return factor;
}

static double polynomial_derivative(const FlowCourse *course, double t, int32_t order, double *size) {
  *size = 0;
  if (course->degree < order) return 0;
  const int32_t last = t == 0 ? order : course->degree;
  double value = derivative_of_power(last, order) * course->power[last];
  *size = fabs(value);
  for (int32_t k = last - 1; k >= order; k--) {
    const double c = derivative_of_power(k, order) * course->power[k];
    value = value * t + c;
    *size = *size * t + fabs(c);
  }
  return value;
}

/* The function and its derivatives in one go; factorials come in at the end. */
static void look_at_polynomial(const FlowCourse *course, double t, FlowView *view) {
  const int32_t degree = course->degree;
  const double *power = course->power;
  double a = 0, b = 0, c = 0, d = 0;
  if (t == 0) {
    a = power[0];
    b = degree > 0 ? power[1] : 0;
    c = degree > 1 ? power[2] : 0;
    d = degree > 2 ? power[3] : 0;
  } else {
    for (int32_t k = degree; k >= 0; k--) {
      d = d * t + c;
      c = c * t + b;
      b = b * t + a;
      a = a * t + power[k];
    }
  }
  view->f[0] = a, view->f[1] = b, view->f[2] = 2 * c, view->f[3] = 6 * d;
}

/* Sums of the sizes of the terms of a derivative; the order is known to the compiler. */
static inline double size_of_derivative(const FlowCourse *course, double t, const int32_t order) {
  double size = 0;
  const int32_t last = t == 0 && course->degree > order ? order : course->degree;
  double power = last;  // a double, so that nothing is converted in the loop
  for (int32_t k = last; k >= order; k--, power -= 1)
    size = size * t + derivative_of_power(power, order) * fabs(course->power[k]);
  return size;
}

static double polynomial_bound(const FlowCourse *course, double t, int32_t order) {
  if (order > course->degree) return 0;
  if (order == 2) return size_of_derivative(course, t, 2);
  if (order == 3) return size_of_derivative(course, t, 3);
  if (order == 4) return size_of_derivative(course, t, 4);
  return size_of_derivative(course, t, order);
}

/* ---- both ---- */

static void look_at_single(const FlowMode *mode, FlowComplex c, FlowView *view) {
  for (int32_t order = 0; order < COURSE_ORDERS; order++) {
    view->f[order] += c.re;
    c = mode->is_complex ? flow_times(lambda(mode), c) : (FlowComplex){mode->rate * c.re, 0};
  }
}

static void look_at_mode(const FlowMode *mode, const FlowComplex *local, FlowView *view) {
  if (is_single(mode)) {
    look_at_single(mode, local[0], view);
    return;
  }
  FlowComplex c[FLOW_WIDTH];
  for (int32_t k = 0; k < mode->count; k++) c[k] = local[k];
  for (int32_t order = 0; order < COURSE_ORDERS; order++) {
    view->f[order] += c[0].re;
    derive(mode, c);
  }
}

static void look_at_modes(const FlowCourse *course, double t, FlowView *view) {
  const FlowComplex *coefficient = course->coefficient;
  FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; k++) {
    const FlowMode *mode = &course->flow->mode[k];
    shift(mode, coefficient, t, local);
    look_at_mode(mode, local, view);
    coefficient += mode->count;
    local += mode->count;
  }
}

void hbg_flow_look(const FlowCourse *course, double t, FlowView *view) {
  view->t = t;
  look_at_polynomial(course, t, view);
  if (course->mode_count) look_at_modes(course, t, view);
}

void hbg_flow_measure(const FlowCourse *course, FlowView *view) {
  view->size[0] = size_of_derivative(course, view->t, 0) + course->round_off;
  view->size[1] = size_of_derivative(course, view->t, 1);
  const FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) {
    const FlowMode *mode = &course->flow->mode[k];
    const double size = length(local[0]) * flow_blur(course->flow, mode);
    view->size[0] += size;
    view->size[1] += mode->speed * size + (is_single(mode) ? 0 : length(local[1]));
  }
}

/* The coefficients of a mode at the view, derived `order` times. */
static void derived(const FlowMode *mode, const FlowComplex *local, int32_t order, FlowComplex *c) {
  for (int32_t k = 0; k < mode->count; k++) c[k] = local[k];
  for (int32_t i = 0; i < order; i++) derive(mode, c);
}

double hbg_flow_derivative(const FlowCourse *course, const FlowView *view, int32_t order, double *size) {
  double value = polynomial_derivative(course, view->t, order, size);
  const FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) {
    FlowComplex c[FLOW_WIDTH];
    derived(&course->flow->mode[k], local, order, c);
    value += c[0].re;
    *size += length(c[0]) * flow_blur(course->flow, &course->flow->mode[k]);
  }
  return value;
}

/* Of what is no faster than `limit`. */
static inline double bound_of(const FlowCourse *course, const FlowView *view, int32_t order, double reach, double limit) {
  double bound = polynomial_bound(course, view->t + reach, order);
  const FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) {
    const FlowMode *mode = &course->flow->mode[k];
    if (mode->speed > limit) continue;
    if (is_single(mode)) {
      double size = length(*local);
      for (int32_t i = 0; i < order; i++) size *= mode->speed;
      bound += times(size, largest(0, mode->rate, reach));
      continue;
    }
    FlowComplex c[FLOW_WIDTH];
    derived(mode, local, order, c);
    bound += mode_bound(mode, c, reach);
  }
  return bound;
}

double hbg_flow_bound(const FlowCourse *course, const FlowView *view, int32_t order, double reach) { return bound_of(course, view, order, reach, (double)INFINITY); }

bool hbg_flow_slow_part(const FlowCourse *course, const FlowView *view, double limit, double reach, FlowView *slow, double *second, double *third) {
  double swing = 0;
  slow->t = view->t;
  for (int32_t order = 0; order < COURSE_ORDERS; order++) slow->f[order] = view->f[order];
  const FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) {
    const FlowMode *mode = &course->flow->mode[k];
    if (!(mode->speed > limit)) continue;
    FlowView fast;
    for (int32_t order = 0; order < COURSE_ORDERS; order++) fast.f[order] = 0;
    look_at_mode(mode, local, &fast);
    for (int32_t order = 0; order < COURSE_ORDERS; order++) slow->f[order] -= fast.f[order];
    swing += mode_bound(mode, local, reach);
  }
  slow->f[0] -= swing + FLOW_ROUND_OFF * view->size[0];
  if (!(slow->f[0] > 0)) return false;
  *second = bound_of(course, view, 2, reach, limit);
  *third = bound_of(course, view, 3, reach, limit);
  return true;
}

/* How far a mode that dies out is from what it comes to: nothing, or what stays for ever, where zero is one of two that are taken together. */
static double mode_left(const FlowMode *mode, const FlowComplex *c) {
  if (mode->is_split && !mode->is_complex && mode->delta_i == 0 && mode->rate + mode->delta == 0) return fabs(c[0].re - c[1].re / mode->delta) / 2;
  if (mode->rate + (mode->is_split ? mode->delta : 0) > 0) return (double)INFINITY;
  return mode_bound(mode, c, (double)INFINITY);
}

double hbg_flow_left(const FlowCourse *course, const FlowView *view) {
  if (course->degree > 0) return (double)INFINITY;
  double left = 0;
  const FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) left += mode_left(&course->flow->mode[k], local);
  return left;
}

/* The least value of the polynomial part in [t, to], or -INFINITY where that is not plain. */
static double least_of_polynomial(const FlowCourse *course, double t, double to) {
  double size;
  const double here = polynomial_derivative(course, t, 0, &size);
  for (int32_t order = 1; order <= course->degree; order++)
    if (polynomial_derivative(course, t, order, &size) < 0) {
      if (course->degree > 1 || !isfinite(to)) return -(double)INFINITY;
      return polynomial_derivative(course, to, 0, &size);
    }
  return here;
}

/* A real mode of which every term stays positive until `to`. */
static bool only_helps(const FlowMode *mode, const FlowComplex *local, double reach) {
  if (mode->is_complex || (mode->is_split && mode->delta_i * reach > 1.5)) return false;
  for (int32_t k = 0; k < mode->count; k++)
    if (!(local[k].re >= 0)) return false;
  return !is_single(mode) || mode->rate > 0;
}

/* Abel's summation: when the sums of the coefficients, from the slowest decay on, are all positive, so is the sum of
 * exponentials at all later times. Oscillations count with minus their amplitude. */
bool hbg_flow_stays_positive(const FlowCourse *course, const FlowView *view, double to) {
  const double reach = to - view->t, least = FLOW_ROUND_OFF * view->size[0];  // an oscillation may touch
  double sum_so_far = least_of_polynomial(course, view->t, to);
  if (!(sum_so_far >= 0)) return false;
  const FlowComplex *local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) {
    const FlowMode *mode = &course->flow->mode[k];
    if (is_single(mode) || only_helps(mode, local, reach)) continue;
    sum_so_far -= mode_bound(mode, local, reach) + least;
    if (!(sum_so_far >= 0)) return false;
  }
  local = view->coefficient;
  for (int32_t k = 0; k < course->mode_count; local += course->flow->mode[k++].count) {
    const FlowMode *mode = &course->flow->mode[k];
    if (!is_single(mode) || only_helps(mode, local, reach)) continue;
    if (mode->rate > 0) return false;
    sum_so_far += mode->is_complex ? -length(*local) - least : local->re;
    if (!(sum_so_far >= 0)) return false;
  }
  return true;  // it is positive now, so not all of that is zero
}

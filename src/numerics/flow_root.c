/* SPDX-License-Identifier: BSD-3-Clause
 * The function f = -sense g is positive before what is looked for. At a time t with f > 0 there are bounds of |f''| and |f'''| over
 * some reach, so f lies above one parabola and below another. The first zero of the lower one is how far f is
 * certainly positive; where the upper one comes down to zero, f has come down exactly once: between both lies the root. */
#include "numerics/flow_root.h"

#include <float.h>
#include <math.h>

#include "numerics/flow_course.h"
#include "numerics/parabola.h"

enum { MOST_LOOKS = 200 };
#define FAR_ENOUGH 1e-6 /* of the reach: a way that is worth going */
#define LITTLE 1e-9     /* of the time: what round-off of a course may come to */

typedef struct Search {
  const FlowCourse *course;
  bool is_away; /* f has been clearly positive: a zero is one to be told of */
  bool has_lasting_bounds;
  double zero;  /* until then, so little counts as zero */
  double blink; /* and so short a time is none [s] */
  int32_t looks_left;
  FlowView view;
} Search;

/* fmin() and fmax() are calls; these are not, and nothing here is a NaN that should not be taken. */
static double least_of(double a, double b) { return a < b ? a : b; }
static double greatest_of(double a, double b) { return a > b ? a : b; }

static void look(Search *search, double t) {
  hbg_flow_look(search->course, t, &search->view);
  hbg_flow_measure(search->course, &search->view);
}

/* Of the function or its derivative; also that of the time itself. */
static double round_off(const FlowView *view, int32_t order) {
  return FLOW_ROUND_OFF * (view->size[order] + (order == 0 ? view->t * view->size[1] / 8 : 0));
}

/* What counts as zero at the view. */
static double least_value(const Search *search) {
  const double least = round_off(&search->view, 0);
  return search->is_away ? least : greatest_of(least, search->zero + search->blink * fabs(search->view.f[1]));
}

static bool is_clear(const FlowView *view, int32_t order) { return fabs(view->f[order]) > round_off(view, order); }

/* ---- a root that is known to be there ---- */

/* Halley's step, and the distance of the zero from where it leads: the terms of third order that it leaves out. */
static double halley_step(const FlowView *view, double *left) {
  const double inverse = 1 / view->f[1];
  const double newton = -view->f[0] * inverse;
  const double bend = newton * view->f[2] * inverse / 2;
  const double step = newton / (1 + bend);
  const double third = view->f[3] * inverse / 6;
  *left = fabs(step) * (bend * bend + fabs(third) * step * step);
  return step;
}

/* Are terms of fourth order nothing as well? Those of third order may vanish where something begins at rest, and tell nothing of the others then. */
static bool is_all_that_is_left(const Search *search, double step, double next) {
  const FlowCourse *course = search->course;
  if (course->degree <= 3 && !course->mode_count) return true;
  const double square = step * step, bound = hbg_flow_bound(course, &search->view, 4, fabs(step));
  return bound * square * square <= 6 * DBL_EPSILON * next * fabs(search->view.f[1]);
}

/* f falls through zero exactly once in [low, high]; search->view is a look near it. */
static double refine(Search *search, double low, double high) {
  for (;;) {
    const FlowView *view = &search->view;
    double left;
    if (view->f[0] > 0)
      low = greatest_of(low, view->t);
    else
      high = least_of(high, view->t);
    const double step = halley_step(view, &left);
    double next = view->t + step;
    const bool is_inside = next > low && next < high;
    if (isfinite(next) && left <= DBL_EPSILON / 4 * next && is_all_that_is_left(search, step, next)) return is_inside ? next : next <= low ? low : high;
    if (!is_inside) next = low + (high - low) / 2;
    if (!(next > low && next < high)) return high;
    hbg_flow_look(search->course, next, &search->view);
  }
}

/* ---- parabolas ---- */

/* The first positive zero of f0 + f1 s + curvature s^2 / 2, for f0 > 0; INFINITY when there is none. */
static double first_zero(double f0, double f1, double curvature) {
  return hbg_parabola_rise(-f0, -f1, -0.5 * curvature);
}

/* How |f''| and |f'''| are bounded over the reach. */
typedef struct Bounds {
  double reach, second, third;
} Bounds;

static Bounds bounds_over(const Search *search, double reach) {
  return (Bounds){reach, hbg_flow_bound(search->course, &search->view, 2, reach),
                  hbg_flow_bound(search->course, &search->view, 3, reach)};
}

static double least_curvature(const FlowView *view, const Bounds *bounds, double reach) {
  return greatest_of(-bounds->second, view->f[2] - bounds->third * reach);
}

static double largest_curvature(const FlowView *view, const Bounds *bounds, double reach) {
  return least_of(bounds->second, view->f[2] + bounds->third * reach);
}

/* How far from the view f is certainly positive, at most the reach. */
static double certain_distance(const FlowView *view, const Bounds *bounds) {
  const double zero = first_zero(view->f[0], view->f[1], least_curvature(view, bounds, bounds->reach));
  if (zero >= bounds->reach) return bounds->reach;
  const double nearer = least_of(bounds->reach, 3 * zero);  // there the third derivative tells more
  return greatest_of(zero, least_of(nearer, first_zero(view->f[0], view->f[1], least_curvature(view, bounds, nearer))));
}

/* The same, if all that is faster than `limit` were against it all the time. */
static double distance_of_slow(const Search *search, double limit, double reach) {
  enum { MOST_TRIES = 8 };
  for (int32_t tries = 0; tries < MOST_TRIES; tries++, reach /= 4) {
    FlowView slow;
    Bounds bounds = {.reach = reach};
    if (!hbg_flow_slow_part(search->course, &search->view, limit, reach, &slow, &bounds.second, &bounds.third)) return 0;
    if (!isfinite(bounds.second + bounds.third)) continue;
    const double distance = certain_distance(&slow, &bounds);
    if (distance > reach / 4) return distance;
  }
  return 0;
}

/* Where what rings is small beside what moves slowly, not each of its swings needs a look. */
static double distance_beyond_swings(const Search *search, double distance, double reach) {
  enum { A_TURN = 8, FASTER = 4 };
  const HbgFlow *flow = search->course->flow;
  double fastest = 0, farthest = distance;
  for (int32_t k = 0; k < search->course->mode_count; k++)
    if (flow->mode[k].is_complex) fastest = greatest_of(fastest, flow->mode[k].speed);
  if (distance * fastest > A_TURN || !(fastest > 0)) return distance;
  for (int32_t k = 0; k < search->course->mode_count; k++)
    if (FASTER * flow->mode[k].speed < fastest) farthest = greatest_of(farthest, distance_of_slow(search, flow->mode[k].speed, reach));
  return farthest;
}

/* Is there exactly one zero within the reach, which f falls through? Then it is not behind *high. */
static bool has_one_zero(const FlowView *view, const Bounds *bounds, double *high) {
  if (!(view->f[1] < 0)) return false;
  const double reach = least_of(bounds->reach, 4 * view->f[0] / -view->f[1]);
  *high = first_zero(view->f[0], view->f[1], largest_curvature(view, bounds, reach));
  return *high <= reach;
}

/* Does f turn from falling to rising within *reach, exactly once? */
static bool has_one_bottom(const FlowView *view, const Bounds *bounds, double *reach) {
  if (!(view->f[1] < 0 && view->f[2] > 0)) return false;
  *reach = least_of(bounds->reach, view->f[2] / (2 * bounds->third));
  return view->f[1] + view->f[2] / 2 * *reach > 0;
}

/* ---- zero at the view ---- */

/* The order of the first derivative that is clearly not zero, -1 when there is none: then f is nothing but round-off. */
static int32_t leaving_order(const Search *search, double *derivative) {
  const FlowView *view = &search->view;
  double size;
  const double second = hbg_flow_derivative(search->course, view, 2, &size);
  // a fall that would turn before it comes out of the round-off, of the value or of the time, is no fall
  const bool is_bottom =
      view->f[1] < 0 && second > FLOW_ROUND_OFF * size &&
      (view->f[1] * view->f[1] <= 4 * second * least_value(search) || (!search->is_away && -view->f[1] <= second * search->blink));
  *derivative = view->f[1];
  if (is_clear(view, 1) && !is_bottom) return 1;
  for (int32_t order = 2; order <= 2 * FLOW_WIDTH; order++) {
    *derivative = hbg_flow_derivative(search->course, view, order, &size);
    if (fabs(*derivative) > FLOW_ROUND_OFF * size) return order;
  }
  return -1;
}

/* How far f, which leaves zero upwards with the derivative of that order, is certainly positive. */
static double leaving_distance(const Search *search, int32_t order, double derivative, double reach) {
  for (;;) {
    const double bound = hbg_flow_bound(search->course, &search->view, order + 1, reach);
    const double distance = (order + 1) * derivative / bound;
    if (distance >= reach / 8 || !(reach > 0)) return least_of(reach, distance) / 2;
    reach /= 8;
  }
}

/* The same where the slope is clearly positive: what bends upwards as well leaves farther by that than by a slope that is hardly any. */
static double rising_distance(const Search *search, int32_t order, double derivative, double reach) {
  const double distance = leaving_distance(search, order, derivative, reach), bend = search->view.f[2];
  if (order > 1 || !(bend > 0) || distance > FAR_ENOUGH * reach) return distance;
  return greatest_of(distance, leaving_distance(search, 2, bend, reach));
}

/* ---- the search ---- */

/* What the search goes on with: an answer, or a distance to go. */
typedef struct Finding {
  bool is_answer;
  HbgFlowAnswer answer;
  double t; /* of the answer; else how far to go */
} Finding;

static Finding found(HbgFlowAnswer answer, double t) { return (Finding){true, answer, t}; }
static Finding go(double distance) { return (Finding){.t = distance}; }

static Finding at_zero(Search *search, double reach, double to) {
  const FlowView *view = &search->view;
  double derivative;
  const int32_t order = leaving_order(search, &derivative);
  if (order < 0) return search->is_away ? found(HBG_FLOW_TOUCHES, view->t) : found(HBG_FLOW_NEVER, to);
  if (derivative < 0) {
    // a current that dies out falls for ever, and is never less than none
    if (hbg_flow_left(search->course, view) <= least_value(search)) return found(HBG_FLOW_NEVER, to);
    const double t = order == 1 ? view->t - view->f[0] / view->f[1] : view->t;
    return found(HBG_FLOW_CROSSES, search->is_away ? t : view->t);
  }
  if (search->is_away) return found(HBG_FLOW_TOUCHES, order == 2 ? view->t - view->f[1] / view->f[2] : view->t);
  return go(rising_distance(search, order, derivative, reach));
}

/* f turns once within the reach: where, and is it still positive there? */
static Finding at_bottom(Search *search, double reach) {
  const double start = search->view.t;
  double low = start, high = start + reach;
  for (;;) {
    const FlowView *view = &search->view;
    const double t = view->t, step = -view->f[1] / view->f[2];
    if (view->f[0] < -round_off(view, 0)) return found(HBG_FLOW_CROSSES, refine(search, start, t));
    if (view->f[1] < 0)
      low = greatest_of(low, t);
    else
      high = least_of(high, t);
    double next = t + step;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    const bool is_there = !is_clear(view, 1) || fabs(next - t) <= 2 * DBL_EPSILON * t || !(next > low && next < high);
    if (is_there) break;
    look(search, next);
  }
  const FlowView *view = &search->view;
  return is_clear(view, 0) ? go(0) : found(HBG_FLOW_TOUCHES, view->t);
}

static bool is_nearly_zero_at_bottom(const FlowView *view) {
  return view->f[0] - view->f[1] * view->f[1] / (2 * view->f[2]) < 0.25 * view->f[0];
}

static Finding at_positive(Search *search, double reach, double to) {
  const FlowView *view = &search->view;
  const double whole = reach;
  if (search->course->mode_count && hbg_flow_stays_positive(search->course, view, to)) return found(HBG_FLOW_NEVER, to);
  for (double best = 0;;) {
    const Bounds bounds = bounds_over(search, reach);
    if (!isfinite(bounds.second + bounds.third)) { // growth overflows over so long a reach
      if (!(reach > DBL_EPSILON * view->t)) return go(0);
      reach /= 4;
      continue;
    }
    const double distance = certain_distance(view, &bounds);
    if (distance >= reach) return go(reach);
    double high, turn;
    if (has_one_zero(view, &bounds, &high)) {
      const double t = view->t;
      return found(HBG_FLOW_CROSSES, refine(search, t + distance, t + high));
    }
    if (has_one_bottom(view, &bounds, &turn) && is_nearly_zero_at_bottom(view)) return at_bottom(search, turn);
    // over a shorter reach the bounds are lower
    if (distance > reach / 4 || (distance > 0 && distance <= best) || !(reach > DBL_EPSILON * view->t))
      return go(distance_beyond_swings(search, greatest_of(distance, best), whole));
    best = greatest_of(distance, best);
    reach = search->has_lasting_bounds && distance > 0 ? 4 * distance : reach / 4;
  }
}

/* Do the bounds of all derivatives hold for all times to come? */
static bool has_lasting_bounds(const FlowCourse *course) {
  if (course->degree > 2) return false;
  for (int32_t k = 0; k < course->mode_count; k++) {
    const FlowMode *mode = &course->flow->mode[k];
    if (mode->rate > 0 || mode->is_split || mode->count > 1) return false;
  }
  return true;
}

/* How far to look at once when there is no end: some turns of the slowest mode. */
static double endless_reach(const FlowCourse *course) {
  double slowest = course->flow->fastest;
  for (int32_t k = 0; k < course->mode_count; k++) slowest = least_of(slowest, course->flow->mode[k].speed);
  return 16 / slowest;
}

static double reach_until(const Search *search, double t, double to) {
  return isfinite(to) ? to - t : endless_reach(search->course);
}

/* Goes from `from` to `to`; *t is where the answer is true of. */
static HbgFlowAnswer march(Search *search, double from, double to, double *t) {
  *t = from;
  search->has_lasting_bounds = has_lasting_bounds(search->course);
  look(search, from);
  // how little it is at the start is known better than what may be nothing: a flight from there is one, however little it rises
  if (!(from > 0) && fabs(search->view.f[0]) <= search->zero) search->zero = 2 * fabs(search->view.f[0]);
  while (search->looks_left-- > 0) {
    const FlowView *view = &search->view;
    const double least = least_value(search);
    const bool is_clearly_positive = view->f[0] > least;
    if (is_clearly_positive) search->is_away = true;
    if (view->f[0] < -least) return HBG_FLOW_CROSSES;
    const double reach = reach_until(search, view->t, to);
    const Finding finding = is_clearly_positive ? at_positive(search, reach, to) : at_zero(search, reach, to);
    if (finding.is_answer) {
      *t = least_of(finding.t, to);
      return finding.answer;
    }
    *t = search->view.t + finding.t;
    if (*t >= to) return HBG_FLOW_NEVER;
    if (finding.t > 0) look(search, *t);
  }
  return HBG_FLOW_LATER;
}

/* ---- quick answers ---- */

/* f at x0: its value and slope, a bound of |f''| for all times to come, and what counts as zero. */
typedef struct Outset {
  double value, slope, curvature, least;
} Outset;

static inline Outset outset_of(const HbgFlowGuard *guard, const double *x0, int32_t stride, double constant, double constant_slope, int sense) {
  const int32_t n = guard->flow->n;
  double value = constant + guard->value[n], slope = constant_slope + guard->rate[n], size = fabs(constant), curvature = guard->curvature[n];
  for (int32_t i = 0; i < n; i++, x0 += stride) {
    const double x = *x0, term = guard->value[i] * x;
    value += term;
    size += fabs(term);
    slope += guard->rate[i] * x;
    curvature += guard->curvature[i] * fabs(x);
  }
  const double sign = -sense;
  return (Outset){sign * value, sign * slope, curvature, FLOW_ROUND_OFF * size};
}

/* Does a parabola from x0 already tell that there is no zero until `to`? */
static bool is_far(const Outset *f, double to) {
  return f->value > f->least && f->value + (f->slope - f->curvature * to / 2) * to > f->least;
}

bool hbg_flow_is_far(const HbgFlowGuard *guard, const double *x0, int32_t stride, double constant, int sense, double to) {
  if (!guard->curvature) return false;
  const Outset outset = outset_of(guard, x0, stride, constant, 0, sense);
  return is_far(&outset, to);
}

/* Does it fall to zero at once, by a parabola above it, before its slope is half of what it was? Then there is one zero between *low and *high. */
static bool falls_at_once(const Outset *f, double nothing, double *low, double *high) {
  const double square = f->slope * f->slope, part = 2 * f->curvature * f->value;
  if (!(f->value > greatest_of(f->least, nothing) && f->slope < 0 && part < 0.75 * square)) return false;
  *low = 2 * f->value / (sqrt(square + part) - f->slope);
  *high = 2 * f->value / (sqrt(square - part) - f->slope);
  return true;
}

/* Newton's step by the first terms of a series, so that a single look is enough for the root, mostly. */
static inline double closer(const FlowCourse *course, double t) {
  enum { FIRST_TERMS = 6 };
  int32_t k = course->degree < FIRST_TERMS ? course->degree : FIRST_TERMS;
  double value = course->power[k], slope = 0;
  while (k-- > 0) {
    slope = slope * t + value;
    value = value * t + course->power[k];
  }
  return t - value / slope;
}

/* Where a course that falls through zero once in [low, high], from x0 on, does so: from the zero of its parabola at x0. */
static double falling_root(const FlowCourse *course, double low, double high) {
  Search search;
  search.course = course;
  const double bend = course->degree > 1 ? course->power[2] : 0;
  const double guess = closer(course, first_zero(course->power[0], course->power[1], 2 * bend));
  hbg_flow_look(course, least_of(greatest_of(guess, low), high), &search.view);
  return refine(&search, low, high);
}

/* Polynomials of degree two and less, in closed form. */
static HbgFlowAnswer first_root_of_parabola(const FlowCourse *course, double nothing, double blink, double from, double to, double *t) {
  const double c2 = course->degree > 1 ? course->power[2] : 0, c1 = course->degree > 0 ? course->power[1] : 0;
  double f0 = course->power[0], f1 = c1;
  double size0 = fabs(f0), size1 = fabs(f1);
  if (from > 0) {
    f0 += from * (c1 + from * c2);
    f1 += 2 * c2 * from;
    size0 += from * (fabs(c1) + from * fabs(c2));
    size1 += 2 * fabs(c2) * from;
  }
  const double least = greatest_of(nothing + blink * fabs(f1), FLOW_ROUND_OFF * (size0 + from * size1 / 8) + course->round_off), reach = to - from;
  *t = from;
  if (f0 < -least) return HBG_FLOW_CROSSES;
  if (fabs(f1) <= FLOW_ROUND_OFF * size1) f1 = 0;
  if (f0 <= least) {
    if (f1 < 0 && !(c2 > 0 && (f1 * f1 <= 8 * c2 * least || -f1 <= 2 * c2 * blink))) return HBG_FLOW_CROSSES;
    if (f1 <= 0 && c2 < 0) return HBG_FLOW_CROSSES;
    if (f1 <= 0 || c2 >= 0) return HBG_FLOW_NEVER;
    f0 = 0;
  }
  const double inner = f1 * f1 - 4 * c2 * f0, blur = FLOW_ROUND_OFF * (f1 * f1 + 4 * fabs(c2) * size0);
  if (f1 < 0 && c2 > 0 && fabs(inner) <= blur) {
    *t = from - f1 / (2 * c2);
    return *t <= to ? HBG_FLOW_TOUCHES : HBG_FLOW_NEVER;
  }
  const double zero = f0 > 0 ? first_zero(f0, f1, 2 * c2) : f1 / -c2;
  if (!(zero <= reach) || !isfinite(zero)) return HBG_FLOW_NEVER;
  *t = from + zero;
  return HBG_FLOW_CROSSES;
}

/* Beyond this no zero of the polynomial lies (Fujiwara 1916). */
static double last_zero(const FlowCourse *course) {
  double most = 0;
  for (int32_t k = 0; k < course->degree; k++)
    most = greatest_of(most, pow(fabs(course->power[k] / course->power[course->degree]), 1.0 / (course->degree - k)));
  return 2 * most;
}

static HbgFlowAnswer search_polynomial(Search *search, double from, double to, double *t) {
  const FlowCourse *course = search->course;
  if (course->degree <= 2) return first_root_of_parabola(course, search->zero, search->blink, from, to, t);
  const double end = greatest_of(from, least_of(to, last_zero(course) * (1 + 1e-9)));
  return march(search, from, end, t);
}

/* It falls to zero once in [low, high], at which the series of the flow is still short. */
static HbgFlowAnswer fall(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double low, double high, double *t) {
  FlowCourse series;
  hbg_flow_short_course(guard, x0, question, high, &series);
  *t = falling_root(&series, low, high);
  return *t <= question->to ? HBG_FLOW_CROSSES : HBG_FLOW_NEVER;
}

/* A root of a flow that is fine, which a course in doubles knows only to what its terms leave of each other: by Newton's steps from where the states
 * come to be. */
static double find_finely(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double t) {
  enum { STEPS = 2 };
  const int32_t n = guard->flow->n;
  double matrix[HBG_FLOW_STATES * FLOW_WIDTH];
  for (int step = 0; step < STEPS; step++) {
    hbg_flow_fine_matrix(guard->flow, t, matrix);
    double value = question->constant + question->slope * t + guard->value[n], rate = question->slope + guard->rate[n];
    for (int32_t i = 0; i < n; i++) {
      const double x = flow_dot(n, matrix + i * (n + 1), x0);
      value += guard->value[i] * x;
      rate += guard->rate[i] * x;
    }
    const double next = t - value / rate;
    if (!(fabs(next - t) <= LITTLE * t) || next < question->from || next > question->to) break;
    t = next;
  }
  return t;
}

static HbgFlowAnswer search_all(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double *t) {
  const HbgFlow *flow = guard->flow;
  const double from = question->from, to = question->to;
  Search search;
  search.is_away = false;
  search.zero = from > 0 ? 0 : question->zero;
  search.blink = from > 0 ? 0 : FLOW_BLINK * fabs(question->instant);
  search.looks_left = MOST_LOOKS;
  const double short_end = flow->mode_count ? least_of(to, FLOW_SHORT / flow->fastest) : from;
  if (from < short_end) {  // near x0 the terms of the series do not cancel
    FlowCourse series;
    hbg_flow_short_course(guard, x0, question, short_end, &series);
    search.course = &series;
    const HbgFlowAnswer answer = march(&search, from, short_end, t);
    if (answer != HBG_FLOW_NEVER || short_end >= to) return answer;
    if (!(from > 0)) search.zero = question->zero; // what has not left it by now is as little as what the terms of modes leave of each other
  }
  FlowCourse course;
  hbg_flow_course(guard, x0, question, &course);
  search.course = &course;
  if (!flow->mode_count) return search_polynomial(&search, from, to, t);
  const HbgFlowAnswer answer = march(&search, greatest_of(from, short_end), to, t);
  if (flow->is_fine && answer == HBG_FLOW_CROSSES) *t = find_finely(guard, x0, question, *t);
  return answer;
}

HbgFlowAnswer hbg_flow_first_root(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question,
                                  double *t) {
  if (guard->is_single && question->slope == 0) return hbg_flow_single_root(guard, x0, question, t);
  *t = question->from;
  if (!guard->curvature || question->from > 0) return search_all(guard, x0, question, t);
  // what the first parabolas say, from x0
  const Outset outset = outset_of(guard, x0, 1, question->constant, question->slope, question->sense);
  double low, high;
  if (is_far(&outset, question->to)) return HBG_FLOW_NEVER;
  if (!falls_at_once(&outset, question->zero, &low, &high) || high * guard->flow->fastest > FLOW_SHORT)
    return search_all(guard, x0, question, t);
  return low > question->to ? HBG_FLOW_NEVER : fall(guard, x0, question, low, high, t);
}

/* ---- what does not move ---- */

/* Is row (x0, 1) no more than round-off in its terms, or than what `unsure` in the states, taken as w takes them, comes to in it? */
static bool is_round_off(const HbgFlowGuard *guard, const double *row, const double *x0, double added, double unsure) {
  const int32_t n = guard->flow->n;
  double sum = added + row[n], size = fabs(added) + fabs(row[n]), most = 0, own = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += row[i] * x0[i];
    size += fabs(row[i] * x0[i]);
    most = greatest_of(most, fabs(row[i]));
    own = greatest_of(own, fabs(guard->value[i]));
  }
  return fabs(sum) <= FLOW_ROUND_OFF * size + (own > 0 ? unsure * most / own : 0);
}

/* Of a flow with modes near x0 by its derivatives, which are known best, and for all times by the modes themselves. */
bool hbg_flow_rests(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question) {
  const HbgFlow *flow = guard->flow;
  if (flow->normal) return hbg_flow_rests_normally(guard, x0, question);
  const int32_t width = flow->width, modes = hbg_flow_coefficient_rows(flow);
  const double unsure = question->zero;
  if (!is_round_off(guard, guard->value, x0, question->constant, unsure)) return false;
  if (!is_round_off(guard, guard->rate, x0, question->slope, unsure)) return false;
  for (int32_t k = 2; k < guard->taylor_count; k++)
    if (!is_round_off(guard, guard->taylor + k * width, x0, 0, unsure)) return false;
  for (int32_t k = 1; k <= flow->degree; k++)
    if (!is_round_off(guard, guard->power + k * width, x0, k == 1 ? question->slope : 0, unsure)) return false;
  for (int32_t k = 0; k < modes; k++)
    if (!is_round_off(guard, guard->coefficient + k * width, x0, 0, unsure)) return false;
  return true;
}

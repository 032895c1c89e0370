/* SPDX-License-Identifier: BSD-3-Clause
 * Flows by normal modes. Where capacities are connected by resistances only, or inertias by friction, what each gives to another in A x is what it would take from that, but for how much each
 * holds: with the right units of the states A is symmetric. Its modes are real then, stand at right angles, and are known to the last digits of the fastest, whatever their
 * number; no two of them have to be taken together, as others must (flow_spectrum.c), and a mode is a row and a column, not a matrix.
 *
 * What moves is written from x0 on: x(h) = x0 + sum over modes of (e^(lambda h) - 1) / lambda times the rate of the mode. In it nothing cancels in a short
 * time, and a mode that stands still, or nearly, is no other case. See docs/decisions/0160-normal-modes.md. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "numerics/flow_course.h"
#include "numerics/symmetric.h"

/* ---- units ---- */

/* By how much the ways to and fro between two states move, against what moves each by itself: what is round-off is least. */
static double bond(int32_t n, const double *a, int32_t i, int32_t j) {
  const double both = a[i * n + j] * a[j * n + i], own = fabs(a[i * (n + 1)]) * fabs(a[j * (n + 1)]);
  return both > 0 ? both / (own > 0 ? own : DBL_MIN) : 0;
}

/* The units of the states, d (n): in them d_i a_ij / d_j is the same both ways. From one state to the next along what bonds them most (Prim's algorithm), and anew where nothing does. */
static void find_units(int32_t n, const double *a, double *unit, HbgArena *scratch) {
  double *nearest = ARENA_NEW(scratch, double, n);
  int32_t *from = hbg_arena_indices(scratch, n);
  for (int32_t i = 0; i < n; i++) unit[i] = 0;
  for (int32_t done = 0; done < n; done++) {
    int32_t next = -1;
    for (int32_t i = 0; i < n; i++)
      if (!(unit[i] > 0) && (next < 0 || nearest[i] > nearest[next])) next = i;
    const int32_t by = from[next];
    unit[next] = by < 0 ? 1 : unit[by] * sqrt(a[by * n + next] / a[next * n + by]);
    for (int32_t i = 0; i < n; i++) {
      const double own = unit[i] > 0 ? 0 : bond(n, a, next, i);
      if (own > nearest[i]) nearest[i] = own, from[i] = next;
    }
  }
}

/* A in these units, the same both ways. False where it is not, but for round-off. */
static bool make_symmetric(int32_t n, const double *a, const double *unit, double *symmetric) {
  double size = 0;
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j < n; j++) {
      symmetric[i * n + j] = a[i * n + j] * (unit[i] / unit[j]);
      size = hbg_larger(size, fabs(symmetric[i * n + j]));
    }
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j < i; j++) {
      const double one = symmetric[i * n + j], other = symmetric[j * n + i];
      const double units = n * 2 * DBL_EPSILON * fabs(one); // each is found by way of others
      if (!(fabs(one - other) <= FLOW_ROUND_OFF * size + units)) return false;
      symmetric[i * n + j] = symmetric[j * n + i] = 0.5 * (one + other);
    }
  return isfinite(size);
}

/* ---- modes ---- */

/* How fast a vector decays, by Rayleigh's quotient in extended precision: what is slow beside the fastest is known to no more than the last digits of that as QR steps leave it, and to those
 * of the numbers of A this way, as an error of the vector comes in squared. */
static double rate_of(int32_t n, const double *a, const double *unit, const double *vector) {
  long double sum = 0, square = 0;
  for (int32_t i = 0; i < n; i++) {
    long double row = 0;
    for (int32_t j = 0; j < n; j++) row += (long double)a[i * n + j] * (long double)(vector[j] / unit[j]);
    sum += (long double)vector[i] * (long double)unit[i] * row;
    square += (long double)vector[i] * (long double)vector[i];
  }
  return (double)(sum / square);
}

/* Those that move, slowest decay first, and then those that stand still; values that are round-off of the fastest become zero. */
static int32_t *order_of(HbgNormalModes *modes, double *value, HbgArena *scratch) {
  const int32_t n = modes->n;
  int32_t *order = ARENA_NEW(scratch, int32_t, n);
  for (int32_t i = 0; i < n; i++) modes->fastest = hbg_larger(modes->fastest, fabs(value[i]));
  for (int32_t i = 0; i < n; i++)
    if (fabs(value[i]) <= FLOW_ROUND_OFF * modes->fastest) value[i] = 0;
  for (int32_t i = 0; i < n; i++) {
    int32_t at = i;
    const bool moves = !hbg_is_zero(value[i]);
    for (; at > 0 && moves && (hbg_is_zero(value[order[at - 1]]) || value[order[at - 1]] < value[i]); at--) order[at] = order[at - 1];
    order[at] = i;
    modes->mode_count += moves;
  }
  return order;
}

static void make_mode(HbgNormalModes *modes, int32_t at, double value, const double *vector, const double *unit) {
  const int32_t n = modes->n;
  for (int32_t i = 0; i < n; i++) {
    modes->to[at * n + i] = vector[i] * unit[i];
    modes->from[at * n + i] = vector[i] / unit[i];
  }
  if (at < modes->mode_count) modes->mode[at] = (FlowMode){.rate = value, .speed = fabs(value), .count = 1};
}

static void make_modes(HbgNormalModes *modes, double *value, const double *vectors, const double *unit, HbgArena *arena, HbgArena *scratch) {
  const int32_t n = modes->n, *order = order_of(modes, value, scratch);
  modes->to = ARENA_NEW(arena, double, n *n);
  modes->from = ARENA_NEW(arena, double, n *n);
  modes->mode = ARENA_NEW(arena, FlowMode, modes->mode_count);
  double slowest = modes->mode_count < n ? 0 : (double)INFINITY;
  for (int32_t at = 0; at < n; at++) {
    make_mode(modes, at, value[order[at]], vectors + order[at] * n, unit);
    slowest = fmin(slowest, -value[order[at]]);
  }
  modes->part = (FlowPart){.speed = modes->fastest, .decay = slowest};
}

static FlowOutset *make_outset(int32_t n, HbgArena *arena) {
  FlowOutset *outset = ARENA_NEW(arena, FlowOutset, 1);
  double *room = ARENA_NEW(arena, double, 4 * n);
  *outset = (FlowOutset){.x0 = room, .rate = room + n, .size = room + 2 * n, .modal = room + 3 * n};
  return outset;
}

HbgNormalModes *hbg_normal_modes(HbgArena *arena, int32_t n, const double *a, HbgArena *scratch) {
  if (n > HBG_FLOW_MOST_STATES || !hbg_all_finite(n * n, a)) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  double *unit = ARENA_NEW(scratch, double, n), *value = ARENA_NEW(scratch, double, n);
  double *symmetric = ARENA_NEW(scratch, double, n *n), *vectors = ARENA_NEW(scratch, double, n *n);
  HbgNormalModes *modes = NULL;
  find_units(n, a, unit, scratch);
  if (make_symmetric(n, a, unit, symmetric) && hbg_symmetric_modes(n, symmetric, value, vectors, scratch)) {
    modes = ARENA_NEW(arena, HbgNormalModes, 1);
    *modes = (HbgNormalModes){.n = n, .a = a, .outset = make_outset(n, arena)};
    for (int32_t k = 0; k < n; k++) value[k] = rate_of(n, a, unit, vectors + k * n);
    make_modes(modes, value, vectors, unit, arena, scratch);
  }
  hbg_arena_rewind(scratch, mark);
  return modes && modes->mode_count ? modes : NULL;
}

HbgFlow *hbg_flow_normal(HbgArena *arena, HbgNormalModes *modes, const double *b) {
  const int32_t n = modes->n;
  if (!hbg_all_finite(n, b)) return NULL;
  HbgFlow *flow = ARENA_NEW(arena, HbgFlow, 1);
  double *drive = ARENA_NEW(arena, double, n);
  memcpy(drive, b, (size_t)n * sizeof *drive);
  modes->outset->of = NULL; // whatever was where it is now
  *flow = (HbgFlow){.n = n,
                    .width = n + 1,
                    .normal = modes,
                    .b = drive,
                    .fastest = modes->fastest,
                    .part = &modes->part,
                    .part_count = 1,
                    .degree = modes->mode_count < n ? 1 : 0,
                    .mode_count = modes->mode_count,
                    .mode = modes->mode};
  return flow;
}

/* ---- going ---- */

/* What the states of one flow are asked about at a time is asked more than once: by guards, and for rows. */
static bool is_known(const FlowOutset *outset, const HbgFlow *flow, const double *x0, int32_t stride) {
  if (outset->of != flow) return false;
  for (int32_t i = 0; i < flow->n; i++)
    if (!(outset->x0[i] >= x0[i * stride] && outset->x0[i] <= x0[i * stride])) return false;
  return true;
}

/* A x0 + b, and the sizes of what that is the sum of. */
static void find_rates(const HbgFlow *flow, FlowOutset *outset) {
  const int32_t n = flow->n;
  for (int32_t i = 0; i < n; i++) {
    const double *row = flow->normal->a + i * n;
    double sum = flow->b[i], size = fabs(sum);
    for (int32_t j = 0; j < n; j++) {
      const double term = row[j] * outset->x0[j];
      sum += term;
      size += fabs(term);
    }
    outset->rate[i] = sum;
    outset->size[i] = size;
  }
}

/* How fast each mode moves; not at all where that is no more than round-off: what is slow would come to decide a sign, once all else has died out. */
static void find_modal_rates(const HbgNormalModes *modes, FlowOutset *outset) {
  const int32_t n = modes->n;
  for (int32_t k = 0; k < n; k++) {
    const double *row = modes->to + k * n;
    double sum = 0, size = 0;
    for (int32_t i = 0; i < n; i++) {
      sum += row[i] * outset->rate[i];
      size += fabs(row[i]) * outset->size[i];
    }
    outset->modal[k] = fabs(sum) <= FLOW_ROUND_OFF * size ? 0 : sum;
  }
}

const FlowOutset *hbg_flow_outset(const HbgFlow *flow, const double *x0, int32_t stride) {
  FlowOutset *outset = flow->normal->outset;
  if (is_known(outset, flow, x0, stride)) return outset;
  for (int32_t i = 0; i < flow->n; i++) outset->x0[i] = x0[i * stride];
  find_rates(flow, outset);
  find_modal_rates(flow->normal, outset);
  outset->of = flow;
  return outset;
}

/* (e^(rate h) - 1) / rate. */
static double reach_of(double rate, double h) {
  enum { ALL = -40 }; // e to that is nothing beside 1
  return (rate * h < ALL ? -1 : expm1(rate * h)) / rate;
}

void hbg_flow_go_normally(const HbgFlow *flow, const double *x0, int32_t stride, double h, double *x) {
  const HbgNormalModes *modes = flow->normal;
  const int32_t n = flow->n;
  const FlowOutset *outset = hbg_flow_outset(flow, x0, stride); // x may be x0
  double change[HBG_FLOW_MOST_STATES] = {0};
  for (int32_t k = 0; k < n; k++) {
    if (hbg_is_zero(outset->modal[k])) continue;
    const double factor = outset->modal[k] * (k < modes->mode_count ? reach_of(modes->mode[k].rate, h) : h), *from = modes->from + k * n;
    for (int32_t i = 0; i < n; i++) change[i] += factor * from[i];
  }
  for (int32_t i = 0; i < n; i++) x[i] = outset->x0[i] + change[i];
}

/* ---- guards ---- */

/* What w takes of each mode; nothing where that is no more than round-off, as where one side mirrors the other: two modes mix by what round-off in A is to how far apart they are, which
 * shows as much as they part, within the time of the slower one. */
static void find_shares(const HbgFlow *flow, const double *w, double *share) {
  const HbgNormalModes *modes = flow->normal;
  const int32_t n = modes->n;
  for (int32_t k = 0; k < n; k++) {
    const double *from = modes->from + k * n;
    double sum = 0, size = 0;
    for (int32_t i = 0; i < n; i++) {
      sum += w[i] * from[i];
      size += fabs(w[i] * from[i]);
    }
    share[k] = fabs(sum) <= FLOW_ROUND_OFF * size * flow_blur(flow, k < modes->mode_count ? &modes->mode[k] : NULL) ? 0 : sum;
  }
}

/* next = row A / k. */
static void next_power(const HbgNormalModes *modes, const double *row, int32_t k, double *next) {
  const int32_t n = modes->n;
  for (int32_t i = 0; i < n; i++) {
    const double factor = row[i] / k;
    if (hbg_is_zero(factor)) continue;
    for (int32_t j = 0; j < n; j++) next[j] += factor * modes->a[i * n + j];
  }
}

void hbg_flow_guard_normally(HbgArena *arena, HbgFlowGuard *guard, const double *w) {
  const HbgNormalModes *modes = guard->flow->normal;
  const int32_t n = modes->n, width = n + 1;
  guard->share = ARENA_NEW(arena, double, n);
  find_shares(guard->flow, w, guard->share);
  guard->taylor = guard->value = ARENA_NEW(arena, double, guard->taylor_count *width);
  memcpy(guard->taylor, w, (size_t)n * sizeof *w);
  for (int32_t k = 1; k < guard->taylor_count; k++) next_power(modes, guard->taylor + (k - 1) * width, k, guard->taylor + k * width);
}

/* row . x (n), and the sum of the sizes of what `size` says of x. */
static double dot(int32_t n, const double *row, const double *x, const double *size, double *terms) {
  double sum = 0, most = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += row[i] * x[i];
    most += fabs(row[i]) * fabs(size[i]);
  }
  *terms = most;
  return sum;
}

/* The constant of g at x0. */
static void begin_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, int32_t degree, FlowCourse *course) {
  double size;
  course->flow = guard->flow;
  course->mode_count = 0;
  course->degree = degree;
  course->power[0] = -question->sense * (dot(guard->flow->n, guard->value, x0, x0, &size) + question->constant);
  course->round_off = 4 * DBL_EPSILON * (size + fabs(question->constant));
}

static void end_course(FlowCourse *course) {
  while (course->degree > 0 && hbg_is_zero(course->power[course->degree])) course->degree--;
}

/* Each mode goes from what there is of it to nothing. */
void hbg_flow_normal_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, FlowCourse *course) {
  const HbgNormalModes *modes = guard->flow->normal;
  const FlowOutset *outset = hbg_flow_outset(guard->flow, x0, 1);
  const double sign = -question->sense;
  begin_course(guard, x0, question, 1, course);
  course->power[1] = sign * question->slope;
  for (int32_t k = modes->mode_count; k < modes->n; k++) course->power[1] += sign * guard->share[k] * outset->modal[k];
  course->mode_count = modes->mode_count;
  for (int32_t k = 0; k < modes->mode_count; k++) {
    const double size = sign * guard->share[k] * outset->modal[k] / modes->mode[k].rate;
    course->coefficient[k] = (FlowComplex){size, 0};
    course->power[0] -= size;
    course->round_off += DBL_EPSILON * fabs(size) * flow_blur(guard->flow, &modes->mode[k]);
  }
  end_course(course);
  // where all else dies out, what is left is known no better than the states are
  if (!course->degree && fabs(course->power[0]) <= hbg_larger(course->round_off, question->zero)) course->power[0] = 0;
}

/* By the rates at x0; what begins at zero leaves it by the first of its derivatives that is more than what round-off leaves of its terms. */
void hbg_flow_normal_short_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double reach, FlowCourse *course) {
  const int32_t n = guard->flow->n, width = n + 1;
  const FlowOutset *outset = hbg_flow_outset(guard->flow, x0, 1);
  begin_course(guard, x0, question, hbg_flow_terms(guard->flow, reach), course);
  bool is_at_zero = fabs(course->power[0]) <= course->round_off;
  if (is_at_zero) course->power[0] = 0;
  for (int32_t k = 1; k <= course->degree; k++) {
    const double slope = k == 1 ? question->slope : 0;
    double size;
    const double sum = dot(n, guard->taylor + (k - 1) * width, outset->rate, outset->size, &size) / k + slope;
    is_at_zero = is_at_zero && fabs(sum) <= FLOW_ROUND_OFF * (size / k + fabs(slope));
    course->power[k] = is_at_zero ? 0 : -question->sense * sum;
  }
  end_course(course);
}

/* Of each mode there is no more than round-off, or than what `zero` in the states, taken as w takes them, comes to in it; and so of all together. */
bool hbg_flow_rests_normally(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question) {
  const HbgNormalModes *modes = guard->flow->normal;
  const int32_t n = modes->n;
  const FlowOutset *outset = hbg_flow_outset(guard->flow, x0, 1);
  double size, own = 0, drift = question->slope;
  const double value = dot(n, guard->value, x0, x0, &size) + question->constant;
  if (fabs(value) > FLOW_ROUND_OFF * (size + fabs(question->constant)) + question->zero) return false;
  for (int32_t i = 0; i < n; i++) own = hbg_larger(own, fabs(guard->value[i]));
  for (int32_t k = 0; k < n; k++) {
    const double moves = guard->share[k] * outset->modal[k];
    if (k >= modes->mode_count) {
      drift += moves;
      continue;
    }
    double most = 0;
    for (int32_t i = 0; i < n && !hbg_is_zero(moves); i++) most = hbg_larger(most, fabs(modes->to[k * n + i]));
    if (fabs(moves / modes->mode[k].rate) > question->zero * fabs(guard->share[k]) * most / own) return false;
  }
  return hbg_is_zero(drift);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Guards of flows made ready, and their courses from a state. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/flow_course.h"

/* Is that all of row `i`: `rate` times state `j`? */
static bool follows_alone(const HbgFlow *flow, int32_t i, int32_t j, double *rate) {
  const double *row = flow->m + i * flow->width;
  for (int32_t k = 0; k < flow->width; k++)
    if (k != j && (row[k] < 0 || row[k] > 0)) return false;
  *rate = row[j];
  return *rate < 0 || *rate > 0;
}

/* The other one of a sine and a cosine of the time, which are as large as each other; -1. */
static int32_t partner_of(const HbgFlow *flow, int32_t j) {
  double forth, back;
  for (int32_t other = j > 0 ? j - 1 : 0; other <= j + 1 && other < flow->n; other++)
    if (other != j && j < flow->n && follows_alone(flow, j, other, &forth) && follows_alone(flow, other, j, &back) && forth == -back) return other;
  return -1;
}

/* row = w component, for a component (n, width). What is nothing but round-off is zero: the difference of two that move alike for ever would come to hold
 * by it. Of a wave that is found in two ways it is the phase that differs by round-off, which is as much of the sine as of the cosine. */
static void project(const HbgFlow *flow, const int32_t *partner, const double *w, const double *component, double *row) {
  double size[FLOW_WIDTH];
  for (int32_t j = 0; j < flow->width; j++) {
    double sum = size[j] = 0;
    for (int32_t i = 0; i < flow->n; i++) {
      const double term = w[i] * component[i * flow->width + j];
      sum += term;
      size[j] += fabs(term);
    }
    row[j] = sum;
  }
  for (int32_t j = 0; j < flow->width; j++)
    if (fabs(row[j]) <= FLOW_ROUND_OFF * (partner[j] < 0 ? size[j] : 4 * (size[j] + size[partner[j]]))) row[j] = 0;
}

/* ---- making a guard ---- */

int32_t hbg_flow_coefficient_rows(const HbgFlow *flow) {
  int32_t count = 0;
  for (int32_t k = 0; k < flow->mode_count; k++) count += flow->mode[k].count * (flow->mode[k].is_complex ? 2 : 1);
  return count;
}

static void project_modes(HbgFlowGuard *guard, const int32_t *partner, const double *w) {
  const HbgFlow *flow = guard->flow;
  const int32_t size = flow->n * flow->width;
  double *row = guard->coefficient;
  for (int32_t k = 0; k < flow->mode_count; k++) {
    const FlowMode *mode = &flow->mode[k];
    for (int32_t i = 0; i < mode->count; i++) {
      project(flow, partner, w, mode->component + i * size, row);
      row += flow->width;
      if (!mode->is_complex) continue;
      project(flow, partner, w, mode->component_i + i * size, row);
      row += flow->width;
    }
  }
}

/* w M^k / k!. */
static void make_taylor(HbgFlowGuard *guard, const int32_t *partner, const double *w) {
  const HbgFlow *flow = guard->flow;
  memcpy(guard->taylor, w, sizeof(double) * (size_t)flow->n);
  for (int32_t k = 1; k < guard->taylor_count; k++) {
    double *row = guard->taylor + k * flow->width;
    project(flow, partner, row - flow->width, flow->m, row);
    for (int32_t j = 0; j < flow->width; j++) row[j] /= k;
  }
  for (int32_t k = 0; k < guard->taylor_count; k++)
    for (int32_t j = 0; j < flow->width; j++)
      guard->series[(k / FLOW_BLOCK * flow->width + j) * FLOW_BLOCK + k % FLOW_BLOCK] = guard->taylor[k * flow->width + j];
}

/* Every mode a single exponential that does not grow, beside a parabola at most. */
static bool has_curvature(const HbgFlow *flow) {
  for (int32_t k = 0; k < flow->mode_count; k++)
    if (flow->mode[k].rate > 0 || flow->mode[k].is_split || flow->mode[k].count > 1) return false;
  return flow->degree <= 2;
}

static void make_curvature(HbgFlowGuard *guard) {
  const HbgFlow *flow = guard->flow;
  for (int32_t j = 0; j < flow->width; j++) {
    double bound = flow->degree > 1 ? 2 * fabs(guard->power[2 * flow->width + j]) : 0;
    const double *row = guard->coefficient;
    for (int32_t k = 0; k < flow->mode_count; k++) {
      const FlowMode *mode = &flow->mode[k];
      const double re = row[j], im = mode->is_complex ? row[flow->width + j] : 0;
      bound += mode->speed * mode->speed * hypot(re, im);
      row += (mode->is_complex ? 2 : 1) * flow->width;
    }
    guard->curvature[j] = bound;
  }
}

HbgFlowGuard *hbg_flow_guard(HbgArena *arena, const HbgFlow *flow, const double *w) {
  HbgFlowGuard *guard = ARENA_NEW(arena, HbgFlowGuard, 1);
  const int32_t width = flow->width, taylor_count = flow->mode_count ? FLOW_TAYLOR + flow->layers + 1 : 2;
  if (flow->normal) {
    *guard = (HbgFlowGuard){.flow = flow, .taylor_count = taylor_count};
    hbg_flow_guard_normally(arena, guard, w);
    return guard;
  }
  int32_t partner[FLOW_WIDTH];
  for (int32_t j = 0; j < width; j++) partner[j] = partner_of(flow, j);
  *guard = (HbgFlowGuard){.flow = flow, .is_single = hbg_flow_is_single(flow), .taylor_count = taylor_count};
  guard->taylor = ARENA_NEW(arena, double, taylor_count *width);
  guard->series = ARENA_NEW(arena, double, (taylor_count + FLOW_BLOCK - 1) / FLOW_BLOCK * FLOW_BLOCK * width);
  make_taylor(guard, partner, w);
  guard->value = guard->taylor;
  guard->rate = guard->taylor + width;
  guard->power = ARENA_NEW(arena, double, (flow->degree + 1) * width);
  for (int32_t k = 0; k <= flow->degree; k++)
    project(flow, partner, w, flow->power + k * flow->n * width, guard->power + k * width);
  guard->coefficient = ARENA_NEW(arena, double, hbg_flow_coefficient_rows(flow) *width);
  project_modes(guard, partner, w);
  if (!flow->mode_count || !has_curvature(flow)) return guard;
  guard->curvature = ARENA_NEW(arena, double, width);
  make_curvature(guard);
  return guard;
}

/* ---- its course from a state ---- */

static double size_of_dot(int32_t n, const double *row, const double *x) {
  double sum = fabs(row[n]);
  for (int32_t i = 0; i < n; i++) sum += fabs(row[i] * x[i]);
  return sum;
}

/* What g has besides; a constant that is nothing but round-off is zero. `row`: of w . x at x0. */
static void finish_powers(FlowCourse *course, int32_t count, const double *row, const double *x0, const HbgFlowQuestion *question) {
  const double sign = -question->sense;
  course->degree = count - 1;
  course->power[0] += sign * question->constant;
  course->round_off = 4 * DBL_EPSILON * (size_of_dot(course->flow->n, row, x0) + fabs(question->constant));
  if (fabs(course->power[0]) <= course->round_off) course->power[0] = 0;
  if (question->slope == 0) return;
  if (count == 1) course->power[course->degree = 1] = 0;
  course->power[1] += sign * question->slope;
}

/* How much there is of a mode; nothing where that is no more than what round-off leaves of its terms: what is slow would come to decide the sign, once all else has died out. */
static double coefficient(int32_t n, const double *row, const double *x0) {
  double sum = row[n], size = fabs(sum);
  for (int32_t i = 0; i < n; i++) {
    const double term = row[i] * x0[i];
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) <= FLOW_ROUND_OFF * size ? 0 : sum;
}

static void drop_zeros(FlowCourse *course) {
  while (course->degree > 0 && course->power[course->degree] == 0) course->degree--;
}

void hbg_flow_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, FlowCourse *course) {
  const HbgFlow *flow = guard->flow;
  if (flow->normal) {
    hbg_flow_normal_course(guard, x0, question, course);
    return;
  }
  course->flow = flow;
  course->mode_count = flow->mode_count;
  const double sign = -question->sense;
  for (int32_t k = 0; k <= flow->degree; k++) course->power[k] = sign * flow_dot(flow->n, guard->power + k * flow->width, x0);
  finish_powers(course, flow->degree + 1, guard->power, x0, question);
  drop_zeros(course);
  // where all else dies out, what is left is known no better than the states are
  if (course->mode_count && course->degree == 0 && fabs(course->power[0]) <= question->zero) course->power[0] = 0;
  const double *row = guard->coefficient;
  FlowComplex *of_mode = course->coefficient;
  for (int32_t k = 0; k < flow->mode_count; k++)
    for (int32_t i = 0; i < flow->mode[k].count; i++, of_mode++) {
      *of_mode = (FlowComplex){sign * coefficient(flow->n, row, x0), 0};
      row += flow->width;
      if (!flow->mode[k].is_complex) continue;
      of_mode->im = sign * coefficient(flow->n, row, x0);
      row += flow->width;
    }
}

/* power = sign (series . (x0, 1)), some at once: at least `count` of them, and room for a block more. */
static void sum_powers(const HbgFlowGuard *guard, int32_t count, double sign, const double *x0, double *power) {
  const int32_t n = guard->flow->n;
  const double *block = guard->series;
  for (int32_t first = 0; first < count; first += FLOW_BLOCK, block += FLOW_BLOCK) {
    double sum[FLOW_BLOCK] = {0};
    for (int32_t j = 0; j < n; j++, block += FLOW_BLOCK)
      for (int32_t k = 0; k < FLOW_BLOCK; k++) sum[k] += x0[j] * block[k];
    for (int32_t k = 0; k < FLOW_BLOCK; k++) power[first + k] = sign * (sum[k] + block[k]);
  }
}

/* What begins at zero leaves it by the first of its derivatives that is more than what round-off leaves of its terms: along what is slow beside something fast these are large, and cancel each other. */
static void drop_round_off(const HbgFlowGuard *guard, const double *x0, double slope, FlowCourse *course) {
  for (int32_t k = 0; k <= course->degree; k++) {
    if (k && fabs(course->power[k]) > FLOW_ROUND_OFF * (size_of_dot(guard->flow->n, guard->taylor + k * guard->flow->width, x0) + (k == 1 ? fabs(slope) : 0))) return;
    if (!k && (course->power[k] < 0 || course->power[k] > 0)) return;
    course->power[k] = 0;
  }
}

void hbg_flow_short_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double reach, FlowCourse *course) {
  if (guard->flow->normal) {
    hbg_flow_normal_short_course(guard, x0, question, reach, course);
    return;
  }
  course->flow = guard->flow;
  course->mode_count = 0;
  const int32_t count = hbg_flow_terms(guard->flow, reach) + 1;
  sum_powers(guard, count, -question->sense, x0, course->power);
  finish_powers(course, count, guard->value, x0, question);
  drop_round_off(guard, x0, question->slope, course);
  drop_zeros(course);
}

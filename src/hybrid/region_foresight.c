/* SPDX-License-Identifier: BSD-3-Clause
 * When guards come to hold over a step that was taken by series: what they read is a polynomial then, and where it is a combination of states,
 * exactly that of the step. */
#include <float.h>
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/region_series.h"
#include "numerics/rise.h"

enum { STRIDE = HBG_TAYLOR_STRIDE, ORDER = HBG_TAYLOR_ORDER, SIZE = HBG_TAYLOR_SIZE };

/* ---- differences over the step ---- */

static void set_sizes(const HbgSim *sim, const HbgRegion *region, double *series) {
  const HbgRegionSeries *made = region->series;
  for (int32_t at = 0; at < region->count; at++)
    series[at * STRIDE + SIZE] = fmax(sim->scale[region->states[at]], fabs(region->stepper->y0[at]));
  series[region->count * STRIDE + SIZE] = fabs(region->stepper->t1);
  for (int32_t at = 0; at < made->constant_count; at++)
    series[made->constants[at] * STRIDE + SIZE] = fabs(made->numbers[at]);
  hbg_taylor_execute_sizes(&made->program, 0, made->program.count, series);
}

void hbg_region_note_differences(HbgSim *sim, HbgRegion *region) {
  HbgRegionSeries *made = region->series;
  double *series = sim->local->series;
  const double h = region->stepper->t1 - region->stepper->t0;
  if (!made->target_count || !(h > 0)) return; // a run that is over as it begins takes no step
  hbg_taylor_execute_all(&made->program, made->rate_end, made->program.count, series, sim->local->signs);
  set_sizes(sim, region, series);
  for (int32_t at = 0; at < made->target_count; at++) {
    const double *from = &series[made->targets[at] * STRIDE];
    double *to = &made->differences[at * STRIDE], power = 1;
    for (int32_t k = 0; k <= ORDER; k++, power *= h) to[k] = power * from[k];
    to[SIZE] = made->program.is_linear[made->targets[at]] ? HBG_GUARD_BAND * from[SIZE] : (double)INFINITY;
  }
}

/* ---- one guard ---- */

typedef struct Question {
  const HbgRegion *region;
  const HbgConjunction *guard;
  const double *differences; /* of it */
} Question;

static double sense_of(const Question *self, int32_t which) {
  const HbgOperation relation = self->guard->relations[which];
  return relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
}

static bool is_strict(const Question *self, int32_t which) {
  return self->guard->relations[which] == HBG_OP_LESS || self->guard->relations[which] == HBG_OP_GREATER;
}

static bool is_linear(const Question *self, int32_t which) { return isfinite(self->differences[which * STRIDE + SIZE]); }

/* How much of a difference is round-off, or what its series leaves out; the terms together are `sum`. */
static double rest_of(const Question *self, int32_t which, double sum) {
  const double *d = &self->differences[which * STRIDE];
  return is_linear(self, which) ? d[SIZE] : 1e-6 * sum + 16 * (fabs(d[ORDER]) + fabs(d[ORDER - 1]) + fabs(d[ORDER - 2]));
}

/* Does one of them keep away from zero, on the wrong side? What is no combination of states is its series but for what that leaves out. */
static bool never_holds(const Question *self) {
  for (int32_t which = 0; which < self->guard->difference_count; which++) {
    const double *d = &self->differences[which * STRIDE], sense = sense_of(self, which);
    double most = sense * d[0], sum = fabs(d[0]);
    for (int32_t k = 1; k <= ORDER; k++) {
      most += sense * d[k] > 0 ? sense * d[k] : 0;
      sum += fabs(d[k]);
    }
    if (most < -2 * rest_of(self, which, sum)) return true;
  }
  return false;
}

static HbgRise rise_of(const Question *self, int32_t which) {
  const double *d = &self->differences[which * STRIDE], sense = sense_of(self, which);
  HbgRise rise = {.degree = ORDER};
  for (int32_t k = 0; k <= ORDER; k++) {
    rise.c[k] = sense * d[k];
    rise.zero[k] = HBG_GUARD_BAND * fabs(d[k]);
  }
  rise.zero[0] += d[SIZE];
  return rise;
}

/* Does a difference hold at `theta`, beyond round-off? */
static bool plainly_holds(const Question *self, int32_t which, double theta) {
  const double *d = &self->differences[which * STRIDE];
  double value = d[ORDER], size = fabs(d[ORDER]);
  for (int32_t k = ORDER; k-- > 0;) {
    value = value * theta + d[k];
    size = size * theta + fabs(d[k]);
  }
  return sense_of(self, which) * value > HBG_GUARD_BAND * size + d[SIZE];
}

/* The first theta >= from at which a difference holds; infinite. What is nothing at `from`, and does not clearly move, is for others to judge. */
static double first_holding(const Question *self, int32_t which, double from, bool *is_known) {
  if (plainly_holds(self, which, from)) return from;
  HbgRise rise = rise_of(self, which);
  if (from > 0) rise = hbg_rise_from(&rise, from);
  if (fabs(rise.c[0]) <= rise.zero[0] && !(fabs(rise.c[1]) > 1e6 * rise.zero[0])) *is_known = false;
  return *is_known ? from + (1 - from) * hbg_rise(&rise, !is_strict(self, which), from > 0 && !is_strict(self, which)) : (double)INFINITY;
}

/* The first at which all hold at once: each round goes to the latest of the times at which one begins to. `*last`: that one. */
static double first_common(const Question *self, double begin, int32_t *last, bool *is_known) {
  enum { MOST_ROUNDS = 16 };
  double theta = begin;
  int32_t holds = -1;
  *last = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double latest = theta;
    const int32_t skipped = holds;
    for (int32_t which = 0; which < self->guard->difference_count; which++) {
      if (which == skipped) continue;
      const double found = first_holding(self, which, theta, is_known);
      if (!*is_known || isinf(found)) return (double)INFINITY;
      if (found > latest) *last = holds = which, latest = found;
    }
    if (latest <= theta || self->guard->difference_count == 1) return latest;
    theta = latest;
  }
  *is_known = false;
  return (double)INFINITY;
}

static double value_at(const double *d, double theta) {
  double value = d[ORDER];
  for (int32_t k = ORDER; k-- > 0;) value = value * theta + d[k];
  return value;
}

/* Half way to the event, is every difference more than round-off that is nothing at it? */
static bool is_resolved(const Question *self, double from, double to) {
  for (int32_t which = 0; which < self->guard->difference_count; which++) {
    const double *d = &self->differences[which * STRIDE];
    if (is_linear(self, which) && fabs(value_at(d, to)) <= d[SIZE] && fabs(value_at(d, from + (to - from) / 2)) <= d[SIZE]) return false;
  }
  return true;
}

/* ---- what bends ---- */

/* A difference that is no combination of states, over the rest of a step: a polynomial that it is but for `rest`. */
typedef struct Curve {
  HbgRise rise; /* in powers of u, which is 0 now and 1 at the end of the step; below zero it does not hold */
  double rest;
} Curve;

static Curve curve_of(const Question *self, double from) {
  Curve curve = {.rise = rise_of(self, 0)};
  double sum = 0;
  for (int32_t k = 0; k <= ORDER; k++) {
    sum += fabs(curve.rise.c[k]);
    curve.rise.zero[k] = HBG_GUARD_BAND * fabs(curve.rise.c[k]);
  }
  curve.rest = rest_of(self, 0, sum);
  if (from > 0) curve.rise = hbg_rise_from(&curve.rise, from);
  return curve;
}

/* Where it passes zero for the first time: between *low and *high, and only once, as it rises by more than it can bend. False: that is not clear. */
static bool bracket(const Curve *curve, double *low, double *high) {
  HbgRise below = curve->rise;
  double slope = 0, bend = 0;
  below.c[0] += curve->rest;
  if (!(below.c[0] < 0)) return false;
  *low = hbg_rise(&below, true, false);
  if (isinf(*low)) return true;
  for (int32_t k = ORDER; k > 0; k--) {
    slope = slope * *low + k * below.c[k];
    bend += k * (k - 1) * fabs(below.c[k]);
  }
  const double width = 4 * curve->rest / slope;
  *high = *low + width;
  return slope > 0 && *high <= 1 && 2 * bend * width < slope;
}

/* The value of the difference at `theta` of the step, and its slope. */
static double exact_value(HbgSim *sim, const Question *self, const HbgSeriesGuard *entry, double theta, double *y, double *slope) {
  HbgStepper *stepper = self->region->stepper;
  const double h = stepper->t1 - stepper->t0, sense = sense_of(self, 0);
  hbg_stepper_dense(stepper, theta, y);
  const double *series = hbg_region_series_at(sim, self->region, stepper->t0 + theta * h, y);
  const double *difference = &series[self->region->series->targets[entry->first] * STRIDE];
  *slope = sense * h * difference[1];
  return sense * difference[0];
}

/* By Newton's method, within the bracket, in a quarter of which the polynomial is nothing. */
static double close_in(HbgSim *sim, const Question *self, const HbgSeriesGuard *entry, double low, double high) {
  enum { MOST_STEPS = 30 };
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *y = ARENA_NEW(&sim->scratch, double, self->region->count), theta = low + (high - low) / 4;
  for (int step = 0; step < MOST_STEPS; step++) {
    double slope;
    const double value = exact_value(sim, self, entry, theta, y, &slope), by = value / slope;
    if (value > 0) high = theta;
    else low = theta;
    if (!(fabs(by) > 4 * DBL_EPSILON * theta) || !(high - low > 4 * DBL_EPSILON * theta)) break;
    theta = theta - by > low && theta - by < high ? theta - by : low + (high - low) / 2;
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return theta;
}

static double note(HbgSim *sim, const Question *self, int32_t number, double begin, double theta, int32_t last);

static double foresee_curve(HbgSim *sim, const Question *self, const HbgSeriesGuard *entry, bool *is_known) {
  const double begin = hbg_stepper_theta(self->region->stepper, sim->time);
  const Curve curve = curve_of(self, begin);
  double low, high;
  *is_known = bracket(&curve, &low, &high);
  if (!*is_known || isinf(low)) return (double)INFINITY;
  const double theta = close_in(sim, self, entry, begin + (1 - begin) * low, begin + (1 - begin) * high);
  return note(sim, self, entry->number, begin, theta, 0);
}

/* ---- all guards ---- */

static const HbgSeriesGuard *guard_of(const HbgRegionSeries *made, int32_t number) {
  for (int32_t at = 0; at < made->guard_count; at++)
    if (made->guards[at].number == number) return &made->guards[at];
  return NULL;
}

static double note(HbgSim *sim, const Question *self, int32_t number, double begin, double theta, int32_t last) {
  const HbgStepper *stepper = self->region->stepper;
  HbgForetold *foretold = &sim->local->watches.foretold[number];
  const double t = stepper->t0 + theta * (stepper->t1 - stepper->t0);
  foretold->begin = sim->time;
  foretold->is_late = is_strict(self, last);
  foretold->is_resolved = is_resolved(self, begin, theta);
  return foretold->time = fmin(hbg_time_behind(sim->time, t), stepper->t1);
}

bool hbg_region_has_guard(const HbgRegion *region, int32_t number) {
  return region->by_series && region->stepper == region->by_series && guard_of(region->series, number);
}

double hbg_region_foresee(HbgSim *sim, HbgRegion *region, int32_t number, bool *is_known) {
  const HbgSeriesGuard *entry = region->stepper == region->by_series ? guard_of(region->series, number) : NULL;
  *is_known = entry;
  if (!entry) return (double)INFINITY;
  const Question self = {region, &sim->guards.list[number], &region->series->differences[entry->first * STRIDE]};
  if (never_holds(&self)) return (double)INFINITY;
  if (entry->count == 1 && !is_linear(&self, 0)) return foresee_curve(sim, &self, entry, is_known);
  for (int32_t which = 0; which < entry->count; which++)
    if (!is_linear(&self, which)) *is_known = false;
  if (!*is_known) return (double)INFINITY;
  int32_t last;
  const double begin = hbg_stepper_theta(region->stepper, sim->time), theta = first_common(&self, begin, &last, is_known);
  return *is_known && !isinf(theta) ? note(sim, &self, number, begin, theta, last) : (double)INFINITY;
}

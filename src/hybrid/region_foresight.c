/* SPDX-License-Identifier: BSD-3-Clause
 * When guards come to hold over a step that was taken by series: what they read is a polynomial then, and where it is a combination of states,
 * exactly that of the step. */
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
    series[made->constants[at].target * STRIDE + SIZE] = fabs(*made->constants[at].from);
  hbg_taylor_execute_sizes(&made->program, 0, made->program.count, series);
}

void hbg_region_note_differences(HbgSim *sim, HbgRegion *region) {
  HbgRegionSeries *made = region->series;
  double *series = sim->local->series;
  const double h = region->stepper->t1 - region->stepper->t0;
  if (!made->target_count) return;
  for (int32_t k = 0; k <= ORDER; k++) hbg_taylor_execute(&made->program, made->rate_end, made->program.count, series, sim->local->signs, k);
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

/* Does one of them keep away from zero, on the wrong side? What is no combination of states is its series but for what that leaves out. */
static bool never_holds(const Question *self) {
  for (int32_t which = 0; which < self->guard->difference_count; which++) {
    const double *d = &self->differences[which * STRIDE], sense = sense_of(self, which);
    double most = sense * d[0], sum = fabs(d[0]);
    for (int32_t k = 1; k <= ORDER; k++) {
      most += sense * d[k] > 0 ? sense * d[k] : 0;
      sum += fabs(d[k]);
    }
    const double rest = is_linear(self, which) ? d[SIZE] : 1e-6 * sum + 16 * (fabs(d[ORDER]) + fabs(d[ORDER - 1]) + fabs(d[ORDER - 2]));
    if (most < -2 * rest) return true;
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

/* The first theta >= from at which a difference holds; infinite. What is nothing at `from`, and does not clearly move, is for others to judge. */
static double first_holding(const Question *self, int32_t which, double from, bool *is_known) {
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
    if (fabs(value_at(d, to)) <= d[SIZE] && fabs(value_at(d, from + (to - from) / 2)) <= d[SIZE]) return false;
  }
  return true;
}

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
  return foretold->time = t > sim->time ? fmin(t, stepper->t1) : nextafter(sim->time, HUGE_VAL);
}

double hbg_region_foresee(HbgSim *sim, HbgRegion *region, int32_t number, bool *is_known) {
  const HbgSeriesGuard *entry = region->stepper == region->by_series ? guard_of(region->series, number) : NULL;
  *is_known = entry;
  if (!entry) return (double)INFINITY;
  const Question self = {region, &sim->guards.list[number], &region->series->differences[entry->first * STRIDE]};
  if (never_holds(&self)) return (double)INFINITY;
  for (int32_t which = 0; which < entry->count; which++)
    if (!is_linear(&self, which)) *is_known = false;
  if (!*is_known) return (double)INFINITY;
  int32_t last;
  const double begin = hbg_stepper_theta(region->stepper, sim->time), theta = first_common(&self, begin, &last, is_known);
  return *is_known && !isinf(theta) ? note(sim, &self, number, begin, theta, last) : (double)INFINITY;
}

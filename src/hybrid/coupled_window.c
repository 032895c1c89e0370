/* SPDX-License-Identifier: BSD-3-Clause
 * What sets of states are over a common stretch of time, as if one stepper had taken it in one step: so guards that are no sums of states are located like
 * any other (locate.c), as those over regions are (local_window.c). */
#include <float.h>
#include <math.h>

#include "base/numbers.h"
#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "numerics/polynomial.h"

typedef struct Patchwork {
  HbgStepper stepper; /* first: the methods cast */
  HbgSim *sim;
} Patchwork;

static const HbgCoupledState *at_state(const HbgStepper *stepper, int32_t state) {
  return &((const Patchwork *)stepper)->sim->local->coupled->states[state];
}

static double time_at(const HbgStepper *stepper, double theta) { return stepper->t0 + theta * (stepper->t1 - stepper->t0); }

/* What belongs to no set stands still. */
static double dense_one(HbgStepper *stepper, double theta, int32_t state) {
  const HbgCoupledState *at = at_state(stepper, state);
  if (!at->set) return ((const Patchwork *)stepper)->sim->now.state[state];
  return hbg_series_value(&at->set->series, at->place, time_at(stepper, theta) - at->set->origin);
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  for (int32_t state = 0; state < stepper->n; state++) y[state] = dense_one(stepper, theta, state);
}

/* Where the series of a state of a size may be cut off over so many of its units. */
static int32_t degree_within(const HbgSeries *series, int32_t place, double units, double scale) {
  const double *c = &series->c[place];
  double sum = 0, rest = 0, power = 1;
  for (int32_t k = 0; k <= series->degree; k++, power *= units) sum += fabs(c[k * series->stride]) * power;
  const double size = hbg_larger(sum, scale);
  int32_t degree = series->degree;
  for (; degree > 0; degree--) {
    power /= units;
    rest += fabs(c[degree * series->stride]) * power;
    if (!(rest <= 0.25 * DBL_EPSILON * size)) break;
  }
  return degree;
}

static int32_t polynomial(HbgStepper *stepper, int32_t state, double *c) {
  const HbgSim *sim = ((const Patchwork *)stepper)->sim;
  const HbgCoupledState *at = &sim->local->coupled->states[state];
  if (!at->set) {
    c[0] = dense_one(stepper, 0, state);
    return 0;
  }
  const HbgSeries *series = &at->set->series;
  const double from = (stepper->t0 - at->set->origin) / series->unit, to = (stepper->t1 - at->set->origin) / series->unit;
  const int32_t degree = degree_within(series, at->place, to, sim->scale[state]);
  if (degree > HBG_DENSE_DEGREE) return -1;
  for (int32_t k = 0; k <= degree; k++) c[k] = series->c[k * series->stride + at->place];
  hbg_coefficients_part(c, degree, from, to);
  return degree;
}

HbgStepper *hbg_coupled_patchwork(HbgSim *sim) {
  static const HbgStepperMethod method = {.name = "sets", .dense = dense, .dense_one = dense_one, .polynomial = polynomial};
  Patchwork *patchwork = ARENA_NEW(&sim->local->arena, Patchwork, 1);
  hbg_stepper_init(&patchwork->stepper, &method, &sim->local->arena, sim->model->state_count, NULL, NULL);
  patchwork->sim = sim;
  return &patchwork->stepper;
}

/* ---- one guard ---- */

enum { MOST_HALVINGS = 10 }; /* what takes more is looked at as if it were no polynomial */

/* Are all that it follows short polynomials over this window? */
static bool all_are_short(const HbgSim *sim, const int32_t *states, int32_t count, double to) {
  for (int32_t at = 0; at < count; at++) {
    const HbgCoupledState *of = &sim->local->coupled->states[states[at]];
    if (!of->set) continue;
    const double units = (to - of->set->origin) / of->set->series.unit;
    if (degree_within(&of->set->series, of->place, units, sim->scale[states[at]]) > HBG_DENSE_DEGREE) return false;
  }
  return true;
}

static double end_of_window(const HbgSim *sim, const int32_t *states, int32_t count, double from, double until) {
  double length = until - from;
  for (int halving = 0; halving < MOST_HALVINGS; halving++, length /= 2)
    if (all_are_short(sim, states, count, from + length)) return halving && from + length > from ? from + length : until;
  return until;
}

static HbgCrossing look_through(HbgSim *sim, const HbgConjunction *guard, const int32_t *states, int32_t count, double from, double to) {
  HbgStepper *stepper = sim->stepper;
  stepper->t0 = from;
  stepper->t1 = to;
  for (int32_t at = 0; at < count; at++) {
    stepper->y0[states[at]] = dense_one(stepper, 0, states[at]);
    stepper->y1[states[at]] = dense_one(stepper, 1, states[at]);
  }
  return hbg_locate_guard(sim, guard);
}

/* The search leaves what it looked at last. */
static void come_back(HbgSim *sim, const double *here, const int32_t *states, int32_t count) {
  for (int32_t at = 0; at < count; at++) sim->now.state[states[at]] = here[at];
  sim->now.time = sim->time;
}

double hbg_coupled_search(HbgSim *sim, int32_t number, const int32_t *states, int32_t count, double until) {
  enum { WORK = 10 };
  HbgCoupledRun *run = sim->local->coupled;
  const HbgConjunction *guard = &sim->guards.list[number];
  HbgForetold *foretold = &sim->local->watches.foretold[number];
  const HbgArenaMark bottom = hbg_arena_mark(&sim->scratch);
  double *here = ARENA_NEW(&sim->scratch, double, count);
  for (int32_t at = 0; at < count; at++) here[at] = sim->now.state[states[at]];
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgCrossing crossing = {.found = false};
  double from = sim->time;
  run->bent_work += WORK;
  while (!crossing.found && from < until) {
    const double to = end_of_window(sim, states, count, from, until);
    hbg_arena_rewind(&sim->scratch, mark);
    crossing = look_through(sim, guard, states, count, from, to);
    from = to;
  }
  foretold->begin = sim->time;
  foretold->is_late = false;
  foretold->is_resolved = !(crossing.found && sim->stepper->t0 <= sim->time) || hbg_locate_is_resolved(sim, guard, sim->stepper->t0, crossing.time);
  foretold->time = crossing.found ? crossing.time : (double)INFINITY;
  come_back(sim, here, states, count);
  hbg_arena_rewind(&sim->scratch, bottom);
  return foretold->time;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * When guards come to hold that are sums of states: from now on until the first of the series that they read ends, each difference is
 * a polynomial. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "numerics/polynomial.h"
#include "numerics/rise.h"

_Static_assert((int)HBG_RISE_DEGREE >= (int)HBG_SERIES_DEGREE, "sums of series have room");

enum { MOST_DIFFERENCES = 16, MOST_ROUNDS = 64, MOST_SETS = 8 };

/* ---- who is read ---- */

static void forget_old(HbgCoupledReadings *readings) {
  int32_t kept = 0;
  for (int32_t at = 0; at < readings->count; at++)
    if (readings->list[at].set->serial == readings->list[at].serial) readings->list[kept++] = readings->list[at];
  readings->count = kept;
}

/* The set tells the machine when it goes on. */
static void note_reading(HbgSim *sim, int32_t machine, HbgCoupled *set) {
  HbgArena *arena = &sim->local->arena;
  HbgCoupledReadings *readings = &sim->local->coupled->readings[machine];
  for (int32_t at = 0; at < readings->count; at++)
    if (readings->list[at].set == set) return;
  ARENA_PUSH(arena, readings->list, readings->count, readings->capacity) = (HbgCoupledReading){set, set->serial};
  ARENA_PUSH(arena, set->machines, set->machine_count, set->machine_capacity) = machine;
}

/* ---- differences ---- */

/* The differences of one guard over [now, until], turned so that their relations hold where they are positive. */
typedef struct Courses {
  const HbgConjunction *guard;
  HbgCoupled *sets[MOST_SETS]; int32_t set_count;
  double until;
  HbgRise rise[MOST_DIFFERENCES];
} Courses;

static bool collect(HbgSim *sim, Courses *self, const HbgGuardForm *form) {
  const HbgCoupledRun *run = sim->local->coupled;
  self->set_count = 0;
  for (int32_t at = 0; at < form->start[self->guard->difference_count]; at++) {
    HbgCoupled *set = run->of_state[form->terms[at].state];
    int32_t which = 0;
    while (which < self->set_count && self->sets[which] != set) which++;
    if (which < self->set_count) continue;
    if (self->set_count == MOST_SETS) return false;
    self->sets[self->set_count++] = set;
  }
  return true;
}

/* What the states of one set add to a difference, over the time of its own series; with what round-off in each term is, where asked for. */
static void add_states(const HbgSim *sim, const HbgGuardForm *form, int32_t which, const HbgCoupled *set, double sign, double *c, double *zero) {
  const HbgCoupledRun *run = sim->local->coupled;
  const HbgSeries *series = &set->series;
  for (int32_t k = 0; k <= series->degree; k++) c[k] = 0;
  for (int32_t k = 0; zero && k <= series->degree; k++) zero[k] = 0;
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const HbgGuardTerm *term = &form->terms[at];
    if (run->of_state[term->state] != set) continue;
    const double *own = &series->c[run->place_of[term->state]], weight = sign * term->weight;
    for (int32_t k = 0; k <= series->degree; k++) c[k] += weight * own[k * series->n];
    double size = HBG_GUARD_BAND * fabs(weight) * sim->scale[term->state];
    for (int32_t k = 0; zero && k <= series->degree; size *= series->rate * series->unit / ++k)
      zero[k] += size + HBG_GUARD_BAND * fabs(weight * own[k * series->n]);
  }
}

/* c, over the time of a series, over [now, until]. */
static void turn(const HbgSim *sim, const HbgCoupled *set, double until, double *c) {
  const double from = (sim->time - set->origin) / set->series.unit, to = (until - set->origin) / set->series.unit;
  if (from > 0) {
    hbg_coefficients_part(c, set->series.degree, from, to);
    return;
  }
  double power = 1;
  for (int32_t k = 1; k <= set->series.degree; k++) c[k] *= power *= to;
}

static void add_set(const HbgSim *sim, const HbgGuardForm *form, int32_t which, const HbgCoupled *set, double sign, double until, HbgRise *rise, bool with_zero) {
  double c[HBG_SERIES_DEGREE + 1], zero[HBG_SERIES_DEGREE + 1];
  const int32_t degree = set->series.degree;
  add_states(sim, form, which, set, sign, c, with_zero ? zero : NULL);
  if (sim->time > set->origin || until < set->until || isinf(set->until)) {
    turn(sim, set, until, c);
    if (with_zero) turn(sim, set, until, zero);
  }
  for (int32_t k = rise->degree + 1; k <= degree; k++) rise->c[k] = rise->zero[k] = 0;
  if (degree > rise->degree) rise->degree = degree;
  for (int32_t k = 0; k <= degree; k++) rise->c[k] += c[k];
  for (int32_t k = 0; with_zero && k <= degree; k++) rise->zero[k] += zero[k];
}

static void make_course(const HbgSim *sim, Courses *self, const HbgGuardForm *form, int32_t which, bool with_zero) {
  const HbgOperation relation = self->guard->relations[which];
  const double sign = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
  HbgRise *rise = &self->rise[which];
  rise->degree = 0;
  rise->c[0] = sign * form->constant[which];
  rise->zero[0] = HBG_GUARD_BAND * fabs(form->constant[which]);
  for (int32_t at = 0; at < self->set_count; at++) add_set(sim, form, which, self->sets[at], sign, self->until, rise, with_zero);
}

/* Is the value now more than round-off, whatever that comes to in the other terms? */
static bool is_clear(const HbgSim *sim, const HbgGuardForm *form, int32_t which, HbgRise *rise) {
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
    rise->zero[0] += 2 * HBG_GUARD_BAND * fabs(form->terms[at].weight) * sim->scale[form->terms[at].state];
  return fabs(rise->c[0]) > rise->zero[0];
}

/* False: one of them does not hold anywhere until then. */
static bool make_courses(const HbgSim *sim, Courses *self, const HbgGuardForm *form) {
  self->until = sim->time + 1.001 * (sim->options.stop - sim->time);
  for (int32_t at = 0; at < self->set_count; at++) self->until = fmin(self->until, self->sets[at]->until);
  for (int32_t which = 0; which < self->guard->difference_count; which++) {
    make_course(sim, self, form, which, false);
    if (is_clear(sim, form, which, &self->rise[which]) && hbg_rise_stays_below(&self->rise[which])) return false;
    make_course(sim, self, form, which, true);
  }
  return true;
}

/* ---- the first time ---- */

static bool is_strict(HbgOperation relation) { return relation == HBG_OP_LESS || relation == HBG_OP_GREATER; }

/* The first u >= from in [0, 1] at which a difference's relation holds; infinite. */
static double first_holding(const Courses *self, int32_t which, double from) {
  const bool counts = !is_strict(self->guard->relations[which]);
  if (!(from > 0)) return hbg_rise(&self->rise[which], counts, false);
  const HbgRise rest = hbg_rise_from(&self->rise[which], from);
  return from + (1 - from) * hbg_rise(&rest, counts, counts);
}

/* The first u at which all differences hold at once: each round goes to the latest of the times at which one begins to. `*last`: that one. */
static double first_common(const Courses *self, int32_t *last) {
  double u = 0;
  int32_t holds = -1;
  *last = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double latest = u;
    const int32_t skipped = holds;
    for (int32_t which = 0; which < self->guard->difference_count; which++) {
      if (which == skipped) continue;
      const double found = first_holding(self, which, u);
      if (isinf(found)) return found;
      if (found > latest) *last = holds = which, latest = found;
    }
    if (latest <= u || self->guard->difference_count == 1) return latest;
    u = latest;
  }
  return u;
}

static double foretell(HbgSim *sim, int32_t number, HbgGuardForm *form, bool *is_possible) {
  HbgWatches *watches = &sim->local->watches;
  Courses courses; // large: only what is needed of it is set
  courses.guard = &sim->guards.list[number];
  if (courses.guard->difference_count > MOST_DIFFERENCES || !collect(sim, &courses, form)) {
    *is_possible = false;
    return (double)INFINITY;
  }
  for (int32_t at = 0; at < courses.set_count; at++) note_reading(sim, courses.guard->machine, courses.sets[at]);
  if (!make_courses(sim, &courses, form)) return (double)INFINITY;
  int32_t last;
  const double u = first_common(&courses, &last);
  if (isinf(u)) return u;
  const double t = sim->time + u * (courses.until - sim->time);
  watches->begin[number] = sim->time;
  watches->is_late[number] = is_strict(courses.guard->relations[last]);
  watches->is_resolved[number] = true; // as of all motion that is known exactly
  return watches->time[number] = t > sim->time ? t : nextafter(sim->time, HUGE_VAL);
}

static bool find_forms(HbgSim *sim, const HbgConjunction *leaving, int32_t count) {
  bool is_possible = true;
  for (int32_t at = 0; at < count && is_possible; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    sim->local->watches.time[number] = (double)INFINITY;
    sim->local->coupled->forms[number] = hbg_watch_form(sim, number, &is_possible);
  }
  return is_possible;
}

double hbg_coupled_watch(HbgSim *sim, int32_t machine, bool *is_possible) {
  int32_t count;
  HbgCoupledRun *run = sim->local->coupled;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  double earliest = (double)INFINITY;
  forget_old(&run->readings[machine]);
  if (!run->readings[machine].knows_forms) *is_possible = run->readings[machine].knows_forms = find_forms(sim, leaving, count);
  for (int32_t at = 0; at < count && *is_possible; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    sim->local->watches.time[number] = (double)INFINITY;
    if (run->forms[number]) earliest = fmin(earliest, foretell(sim, number, run->forms[number], is_possible));
  }
  return earliest;
}

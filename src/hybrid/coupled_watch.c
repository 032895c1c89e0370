/* SPDX-License-Identifier: BSD-3-Clause
 * When guards come to hold that are sums of states: from now on until the first of the series that they read ends, each difference is
 * a polynomial. */
#include <math.h>

#include "base/numbers.h"
#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "numerics/polynomial.h"
#include "numerics/rise.h"

_Static_assert((int)HBG_RISE_DEGREE >= (int)HBG_SERIES_DEGREE, "sums of series have room");

enum { MOST_ROUNDS = 64, MOST_SETS = 8 };

/* ---- differences ---- */

/* A sum of states over [now, until], without the constant: several guards of a machine ask for the same, with one sign or the other. */
typedef struct Course {
  const HbgGuardForm *form; int32_t which; /* whose terms these are */
  bool has_zero;
  double scale;      /* of its terms: what round-off in its value is small against */
  double up, down;   /* how far it rises and falls at most */
  HbgRise sum;
} Course;

/* What has been found out about a difference: when it holds first. */
typedef struct Answer {
  const Course *course;
  double sign, constant, time;
  bool is_strict;
} Answer;

enum { MOST_COURSES = 8, MOST_ANSWERS = 16 };

/* The guards of one machine in its present state. */
typedef struct Look {
  HbgSim *sim;
  HbgCoupled *sets[MOST_SETS]; int32_t set_count;
  double until;      /* so far all that they read is known [s] */
  Course courses[MOST_COURSES]; int32_t course_count;
  Answer answers[MOST_ANSWERS]; int32_t answer_count;
} Look;

static bool collect(Look *self, const HbgGuardForm *form, int32_t difference_count) {
  const HbgCoupledRun *run = self->sim->local->coupled;
  for (int32_t at = 0; at < form->start[difference_count]; at++) {
    HbgCoupled *set = run->states[form->terms[at].state].set;
    int32_t which = 0;
    while (which < self->set_count && self->sets[which] != set) which++;
    if (which < self->set_count) continue;
    if (self->set_count == MOST_SETS) return false;
    self->sets[self->set_count++] = set;
  }
  return true;
}

/* What the states of one set add, over the time of its own series. */
static void add_states(const HbgSim *sim, const Course *course, const HbgCoupled *set, double *c) {
  const HbgCoupledRun *run = sim->local->coupled;
  const HbgGuardForm *form = course->form;
  const int32_t n = set->series.stride, degree = set->series.degree;
  for (int32_t k = 0; k <= degree; k++) c[k] = 0;
  for (int32_t at = form->start[course->which]; at < form->start[course->which + 1]; at++) {
    if (run->states[form->terms[at].state].set != set) continue;
    const double *own = &set->series.c[run->states[form->terms[at].state].place], weight = form->terms[at].weight;
    for (int32_t k = 0; k <= degree; k++) c[k] += weight * own[k * n];
  }
}

/* c, over the time of a series, over [now, until]. */
static void turn(const Look *self, const HbgCoupled *set, double *c) {
  const double from = (self->sim->time - set->origin) / set->series.unit, to = (self->until - set->origin) / set->series.unit;
  if (from > 0) {
    hbg_coefficients_part(c, set->series.degree, from, to);
    return;
  }
  double power = 1;
  for (int32_t k = 1; k <= set->series.degree; k++) c[k] *= power *= to;
}

static bool reads(const Look *self, const Course *course, const HbgCoupled *set) {
  for (int32_t at = course->form->start[course->which]; at < course->form->start[course->which + 1]; at++)
    if (self->sim->local->coupled->states[course->form->terms[at].state].set == set) return true;
  return false;
}

static void make_course(const Look *self, Course *course) {
  double c[HBG_SERIES_DEGREE + 1];
  HbgRise *sum = &course->sum;
  sum->degree = 0;
  sum->c[0] = 0;
  for (int32_t at = 0; at < self->set_count; at++) {
    const int32_t degree = self->sets[at]->series.degree;
    if (!reads(self, course, self->sets[at])) continue;
    add_states(self->sim, course, self->sets[at], c);
    turn(self, self->sets[at], c);
    for (int32_t k = sum->degree + 1; k <= degree; k++) sum->c[k] = 0;
    sum->degree = degree > sum->degree ? degree : sum->degree;
    for (int32_t k = 0; k <= degree; k++) sum->c[k] += c[k];
  }
  course->up = course->down = course->scale = 0;
  for (int32_t k = 1; k <= sum->degree; k++) *(sum->c[k] > 0 ? &course->up : &course->down) += fabs(sum->c[k]);
  for (int32_t at = course->form->start[course->which]; at < course->form->start[course->which + 1]; at++)
    course->scale += fabs(course->form->terms[at].weight) * hbg_coupled_scale(self->sim, course->form->terms[at].state);
}

/* What round-off in each term is: of a value, against what the state has been; of what it does, against what may move it, as a set moves no faster than its rate. In a set
 * that is stiff that bound may be far above any value, which it must not hide. */
static void make_zeros(const Look *self, Course *course) {
  const HbgCoupledRun *run = self->sim->local->coupled;
  HbgRise *sum = &course->sum;
  for (int32_t k = 0; k <= sum->degree; k++) sum->zero[k] = HBG_GUARD_BAND * fabs(sum->c[k]);
  for (int32_t at = course->form->start[course->which]; at < course->form->start[course->which + 1]; at++) {
    const int32_t state = course->form->terms[at].state;
    const HbgCoupled *set = run->states[state].set;
    const double growth = set->series.rate * (self->until - self->sim->time), scale = hbg_coupled_scale(self->sim, state);
    const double own = fmax(scale, set->series.norm * set->series.size[run->states[state].place]);
    const double band = HBG_GUARD_BAND * fabs(course->form->terms[at].weight);
    double size = band * own;
    sum->zero[0] += band * scale;
    for (int32_t k = 1; k <= set->series.degree; k++) sum->zero[k] += size *= growth / k;
  }
  course->has_zero = true;
}

/* Is that difference the sum of `course`, or minus that? Its sign; 0. */
static int sign_in(const Course *course, const HbgGuardForm *form, int32_t which) {
  const int32_t count = form->start[which + 1] - form->start[which];
  const HbgGuardTerm *own = &course->form->terms[course->form->start[course->which]], *other = &form->terms[form->start[which]];
  if (course->form->start[course->which + 1] - course->form->start[course->which] != count) return 0;
  int sign = 0;
  for (int32_t at = 0; at < count; at++) {
    const bool is_same = own[at].weight >= other[at].weight && own[at].weight <= other[at].weight;
    const bool is_opposite = own[at].weight >= -other[at].weight && own[at].weight <= -other[at].weight;
    const int here = is_same ? 1 : is_opposite ? -1 : 0;
    if (own[at].state != other[at].state || !here || here == -sign) return 0;
    sign = here;
  }
  return count ? sign : 1;
}

static Course *course_for(Look *self, const HbgGuardForm *form, int32_t which, double *sign) {
  for (int32_t at = 0; at < self->course_count; at++) {
    *sign = sign_in(&self->courses[at], form, which);
    if (*sign > 0 || *sign < 0) return &self->courses[at];
  }
  if (self->course_count == MOST_COURSES) self->course_count = self->answer_count = 0; // they begin anew
  Course *course = &self->courses[self->course_count++];
  course->form = form;
  course->which = which;
  course->has_zero = false;
  make_course(self, course);
  *sign = 1;
  return course;
}

/* ---- the first time ---- */

static bool is_strict(HbgOperation relation) { return relation == HBG_OP_LESS || relation == HBG_OP_GREATER; }

/* Its relation holds where sign * sum + constant is positive. */
static HbgRise difference(const Course *course, double sign, double constant) {
  HbgRise rise;
  rise.degree = course->sum.degree;
  for (int32_t k = 0; k <= rise.degree; k++) rise.c[k] = sign * course->sum.c[k], rise.zero[k] = course->sum.zero[k];
  rise.c[0] += constant;
  rise.zero[0] += HBG_GUARD_BAND * fabs(constant);
  return rise;
}

/* What spreads into many states at once is smaller in each than in the one before, and of numbers near the least ones round-off alone would be told, slowly. It is looked
 * at again with the next series. */
static bool is_nothing_yet(const Course *course) { return fabs(course->sum.c[0]) + course->up + course->down < HBG_COUPLED_NOTHING; }

static double solve(Look *self, Course *course, double sign, double constant, bool strict, double from) {
  if (strict && hbg_is_zero(constant) && is_nothing_yet(course)) return (double)INFINITY;
  // far below zero, and no way up?
  const double value = sign * course->sum.c[0] + constant, most = value + (sign > 0 ? course->up : course->down);
  if (most < -2 * HBG_GUARD_BAND * (course->scale + fabs(constant))) return (double)INFINITY;
  if (!course->has_zero) make_zeros(self, course);
  const HbgRise rise = difference(course, sign, constant);
  if (!(from > 0)) return hbg_rise(&rise, !strict, false);
  const HbgRise rest = hbg_rise_from(&rise, from);
  return from + (1 - from) * hbg_rise(&rest, !strict, !strict);
}

static bool is_about(const Answer *answer, const Course *course, double sign, double constant, bool strict) {
  return answer->course == course && answer->is_strict == strict && answer->sign * sign > 0 && answer->constant >= constant &&
         answer->constant <= constant;
}

/* The first u >= from in [0, 1] at which a difference's relation holds; infinite. */
static double first_holding(Look *self, const HbgConjunction *guard, const HbgGuardForm *form, int32_t which, double from) {
  const HbgOperation relation = guard->relations[which];
  const double sense = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1, constant = sense * form->constant[which];
  double sign;
  Course *course = course_for(self, form, which, &sign);
  sign *= sense;
  if (from > 0) return solve(self, course, sign, constant, is_strict(relation), from);
  for (int32_t at = 0; at < self->answer_count; at++)
    if (is_about(&self->answers[at], course, sign, constant, is_strict(relation))) return self->answers[at].time;
  const double time = solve(self, course, sign, constant, is_strict(relation), 0);
  if (self->answer_count < MOST_ANSWERS) self->answers[self->answer_count++] = (Answer){course, sign, constant, time, is_strict(relation)};
  return time;
}

/* Does a difference stand still where both sides are equal, which is enough for it? It does not come to hold: it waits for the others. */
static bool is_level(Look *self, const HbgConjunction *guard, const HbgGuardForm *form, int32_t which) {
  double sign;
  if (is_strict(guard->relations[which])) return false;
  const Course *course = course_for(self, form, which, &sign);
  if (fabs(sign * course->sum.c[0] + form->constant[which]) > HBG_GUARD_BAND * (course->scale + fabs(form->constant[which]))) return false;
  for (int32_t k = 1; k <= course->sum.degree; k++)
    if (!hbg_is_zero(course->sum.c[k])) return false;
  return true;
}

/* The first u at which all differences hold at once: each round goes to the latest of the times at which one begins to. `*last`: that one. */
static double first_common(Look *self, const HbgConjunction *guard, const HbgGuardForm *form, int32_t *last) {
  double u = 0;
  int32_t holds = -1, waiting = 0;
  *last = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double latest = u;
    const int32_t skipped = holds;
    for (int32_t which = 0; which < guard->difference_count; which++) {
      if (which == skipped) continue;
      if (round == 0 && is_level(self, guard, form, which)) {
        if (++waiting == guard->difference_count) return (double)INFINITY; // what holds by its level has fired already
        continue;
      }
      const double found = first_holding(self, guard, form, which, u);
      if (isinf(found)) return found;
      if (found > latest) *last = holds = which, latest = found;
    }
    if (latest <= u || guard->difference_count == 1) return latest;
    u = latest;
  }
  return u;
}

double hbg_coupled_note_time(HbgSim *sim, int32_t number, double root, bool is_late) {
  HbgWatches *watches = &sim->local->watches;
  const double t = is_late ? hbg_coupled_find_end(sim, number, root) : root;
  watches->foretold[number].begin = sim->time;
  watches->foretold[number].is_late = is_late;
  watches->foretold[number].is_resolved = true; // as of all motion that is known exactly
  return watches->foretold[number].time = hbg_time_behind(sim->time, t);
}

static double foretell(Look *self, int32_t number, const HbgGuardForm *form) {
  HbgSim *sim = self->sim;
  int32_t last;
  const HbgConjunction *guard = &sim->guards.list[number];
  const double u = first_common(self, guard, form, &last);
  return isinf(u) ? u : hbg_coupled_note_time(sim, number, sim->time + u * (self->until - sim->time), is_strict(guard->relations[last]));
}

/* ---- machines ---- */

static bool collect_all(Look *self, const HbgCoupledGuards *guards) {
  HbgSim *sim = self->sim;
  self->set_count = self->course_count = self->answer_count = 0;
  for (int32_t number = guards->first; number < guards->first + guards->count; number++) {
    const HbgGuardForm *form = sim->local->coupled->forms[number];
    sim->local->watches.foretold[number].time = (double)INFINITY;
    if (form && !collect(self, form, sim->guards.list[number].difference_count)) return false;
  }
  return true;
}

/* By polynomials. */
static double solve_all(HbgSim *sim, const HbgCoupledGuards *guards, double until, bool *is_possible) {
  double earliest = (double)INFINITY;
  Look look; // large: only what is needed of it is set
  look.sim = sim;
  look.until = until;
  if (!(*is_possible = collect_all(&look, guards))) return earliest;
  for (int32_t number = guards->first; number < guards->first + guards->count; number++) {
    const HbgGuardForm *form = sim->local->coupled->forms[number];
    const double time = form ? foretell(&look, number, form) : (double)INFINITY;
    earliest = time < earliest ? time : earliest;
  }
  return earliest;
}

/* From now on: nothing has been noted of its guards. */
static HbgCoupledGuards *begin(HbgSim *sim, int32_t machine, bool *is_possible) {
  HbgCoupledGuards *guards = &sim->local->coupled->guards[machine];
  *is_possible = guards->is_known || hbg_coupled_know_guards(sim, machine);
  for (int32_t at = 0; guards->has_times && at < guards->count; at++) sim->local->watches.foretold[guards->first + at].time = (double)INFINITY;
  guards->has_times = false;
  return guards;
}

/* No later than what is `earliest` so far. */
static double search_bent(HbgSim *sim, const HbgCoupledGuards *guards, double until, double earliest) {
  const double end = until < sim->options.stop ? until : sim->options.stop;
  for (int32_t at = 0; at < guards->bent_count; at++) {
    const double found = hbg_coupled_search(sim, guards->bent[at], guards->followed, guards->followed_count, end);
    earliest = found < earliest ? found : earliest;
  }
  return earliest;
}

/* What is found holds as long as no series begins that has been read. */
static double find_time(HbgSim *sim, HbgCoupledGuards *guards, bool by_parabolas, bool *is_possible) {
  const double first = by_parabolas && !guards->bent_count ? hbg_coupled_first(sim, guards) : (double)NAN;
  guards->has_times = true;
  if (!isnan(first)) return first;
  for (int32_t at = 0; at < guards->term_count; at++) hbg_coupled_rely_on_series(sim->local->coupled, guards->terms[at].state);
  for (int32_t at = 0; at < guards->followed_count; at++) hbg_coupled_rely_on_series(sim->local->coupled, guards->followed[at]);
  const double until = hbg_coupled_known_until(sim, guards), earliest = solve_all(sim, guards, until, is_possible);
  return guards->bent_count && *is_possible ? search_bent(sim, guards, until, earliest) : earliest;
}

double hbg_coupled_watch(HbgSim *sim, int32_t machine, bool *is_possible) {
  HbgCoupledGuards *guards = begin(sim, machine, is_possible);
  sim->local->watches.asked[machine].until = (double)INFINITY;
  return *is_possible ? find_time(sim, guards, true, is_possible) : (double)INFINITY;
}

double hbg_coupled_foretell(HbgSim *sim, int32_t machine, bool *is_possible) {
  HbgCoupledGuards *guards = begin(sim, machine, is_possible);
  const double pause = *is_possible ? hbg_coupled_pause(sim, guards) : (double)INFINITY;
  const bool is_pause = pause > sim->time;
  sim->local->watches.asked[machine].until = is_pause ? pause : (double)INFINITY;
  return is_pause || !*is_possible ? pause : find_time(sim, guards, false, is_possible);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Parabolas above what guards read. A state that moves by a series is below one: its value, its speed, and a bend that is no less than any
 * there is until the series ends. So is a sum of states, and it is not above zero before its parabola is. That takes a few operations for
 * each state, where a first zero takes a polynomial; and mostly something else happens to a set before the parabola is at zero, so that nobody
 * ever asks for more. Going from zero to zero of such parabolas comes to a first zero as fast as Newton's steps do. */
#include <math.h>

#include "base/numbers.h"
#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "numerics/parabola.h"

/* Of a pause all but so much is believed, so that what is due at its end by round-off is not within it, ... */
#define BELIEVED 0.99
/* ... and shorter ones are none, of the time itself: far longer than what is one instant. */
#define LEAST_PAUSE 1e-9
/* Who is off for so much of the time between two events need not be known to be off for longer. */
#define A_WHILE 0.25
/* So far behind the earliest, of the time itself, no other guard is of the same instant. */
#define FAR_BEHIND 1e-11

enum { MOST_STEPS = 50 };

/* ---- states ---- */

void hbg_coupled_note_motion(HbgSim *sim, HbgCoupled *set) {
  const HbgSeries *series = &set->series;
  const int32_t n = series->stride, degree = series->degree;
  set->serial = ++sim->local->coupled->serial;
  hbg_series_bends(series, set->bends);
  if (!isinf(set->until) || degree <= 2) return;
  // a polynomial that is good for ever has no end up to which a sum of sizes could be a bound
  for (int32_t at = 0; at < n; at++)
    if (set->bends[at] > 0) set->bends[at] = (double)INFINITY;
}

/* No less than the bend anywhere. */
static double find_far_bend(const HbgCoupled *set, const double *c) {
  const HbgSeries *series = &set->series;
  const int32_t n = series->stride, degree = series->degree;
  const double reach = hbg_series_reach(series);
  double bend = 0, pairs = 0.5 * degree * (degree - 1); // k (k - 1) / 2
  for (int32_t k = degree; k >= 2; k--) {
    bend = bend * reach + pairs * fabs(c[(int64_t)k * n]);
    pairs -= k - 1;
  }
  if (isinf(set->until) && degree > 2 && bend > 0) return (double)INFINITY;
  return bend / (series->unit * series->unit);
}

/* Where its series begins. */
static inline HbgStateMotion first_motion(const HbgCoupled *set, int32_t place) {
  const HbgSeries *series = &set->series;
  const double *c = &series->c[place], speed = series->degree ? c[series->stride] / series->unit : 0;
  return (HbgStateMotion){.time = set->origin, .value = c[0], .speed = speed, .bend = set->bends[place], .serial = set->serial};
}

/* Behind that. */
static void find_motion(HbgCoupledState *own, double t) {
  const HbgCoupled *set = own->set;
  const HbgSeries *series = &set->series;
  HbgStateMotion *motion = &own->motion;
  const int32_t n = series->stride, degree = series->degree;
  const double *first = &series->c[own->place], *c = &first[(int64_t)degree * n];
  const double pace = degree ? 1 / series->unit : 0, u = (t - set->origin) * pace;
  double value = *c, slope = 0;
  while (c > first) {
    slope = slope * u + value;
    value = value * u + *(c -= n);
  }
  if (motion->serial != set->serial) motion->bend = find_far_bend(set, first);
  motion->time = t;
  motion->value = value;
  motion->speed = pace * slope;
  motion->serial = set->serial;
}

/* At t. */
static inline HbgStateMotion motion_at(HbgCoupledState *own, double t) {
  const HbgCoupled *set = own->set;
  if (set->origin >= t && set->origin <= t) return first_motion(set, own->place);
  if (own->motion.serial != set->serial || own->motion.time < t || own->motion.time > t) find_motion(own, t);
  return own->motion;
}

/* ---- sums ---- */

typedef struct Sum {
  double value, speed, bend;
  double scale; /* of its terms: what round-off in its value is small against */
  double spread, spread_speed; /* how far the value may be from `value` at most, and how fast that grows, beside the bend */
} Sum;

static inline void add_term(const HbgSim *sim, Sum *sum, const HbgGuardTerm *term, double value, double speed, double bend) {
  const double size = fabs(term->weight);
  sum->value += term->weight * value;
  sum->speed += term->weight * speed;
  sum->bend += size * bend;
  sum->scale += size * hbg_coupled_scale(sim, term->state);
}

/* The terms of a sum. */
static inline const HbgGuardTerm *terms_of(const HbgCoupledGuards *guards, int32_t which, const HbgGuardTerm **end) {
  *end = &guards->terms[guards->sum_end[which]];
  return &guards->terms[which ? guards->sum_end[which - 1] : 0];
}

/* Along the present series. */
static Sum sum_at(const HbgSim *sim, const HbgCoupledGuards *guards, int32_t which, double t) {
  HbgCoupledState *states = sim->local->coupled->states;
  const HbgGuardTerm *end;
  Sum sum = {0};
  for (const HbgGuardTerm *term = terms_of(guards, which, &end); term < end; term++) {
    const HbgStateMotion motion = motion_at(&states[term->state], t);
    add_term(sim, &sum, term, motion.value, motion.speed, motion.bend);
  }
  return sum;
}

/* From now on, by what states promise. With a promise from d before, V + S d +- B d^2, it is off by B d^2 + 2 B d u + B u^2 at most, u from now. */
static Sum promised_sum(const HbgSim *sim, const HbgCoupledGuards *guards, int32_t which) {
  const HbgCoupledRun *run = sim->local->coupled;
  const double now = sim->time;
  const HbgGuardTerm *end;
  Sum sum = {0};
  for (const HbgGuardTerm *term = terms_of(guards, which, &end); term < end; term++) {
    const HbgStateMotion motion = motion_at(&run->states[term->state], now);
    const HbgStatePromise promise = hbg_promise_from(&run->promises[term->state], &motion);
    const double d = now - promise.time;
    add_term(sim, &sum, term, promise.value + promise.speed * d, promise.speed, promise.bend);
    if (!(d > 0) || !(promise.bend > 0)) continue;
    const double off = fabs(term->weight) * promise.bend * d;
    sum.spread += off * d;
    sum.spread_speed += 2 * off;
  }
  return sum;
}

static inline double value_of(const HbgCoupledDifference *difference, const Sum *sum) {
  return difference->sign * sum->value + difference->constant;
}

static inline double zero_of(const HbgCoupledDifference *difference, const Sum *sum) {
  return 4 * HBG_GUARD_BAND * (sum->scale + fabs(difference->constant));
}

/* From `value` below zero, where the parabola is at zero. */
static inline double time_below(const HbgCoupledDifference *difference, const Sum *sum, double value) {
  return hbg_parabola_rise(value, difference->sign * sum->speed + sum->spread_speed, sum->bend);
}

/* ---- not before ---- */

/* A little behind the end of the run. */
static double latest(const HbgSim *sim) { return sim->time + 1.001 * (sim->options.stop - sim->time); }

double hbg_coupled_known_until(const HbgSim *sim, const HbgCoupledGuards *guards) {
  double until = latest(sim);
  for (int32_t at = 0; at < guards->term_count; at++) {
    const double own = sim->local->coupled->states[guards->terms[at].state].set->until;
    until = own < until ? own : until;
  }
  for (int32_t at = 0; at < guards->followed_count; at++) {
    const double own = sim->local->coupled->states[guards->followed[at]].set->until;
    until = own < until ? own : until;
  }
  return until;
}

/* The sums of one machine, as far as they have been asked for. */
typedef struct Promises {
  const HbgSim *sim;
  const HbgCoupledGuards *guards;
  uint32_t known; /* a bit for each */
  Sum sums[HBG_COUPLED_MOST_SUMS];
} Promises;

static const Sum *promised(Promises *self, int32_t which) {
  if (!(self->known & 1u << which)) self->sums[which] = promised_sum(self->sim, self->guards, which);
  self->known |= 1u << which;
  return &self->sums[which];
}

/* How long that difference does not hold, for certain. */
static double time_off(Promises *self, const HbgCoupledDifference *difference) {
  const Sum *sum = promised(self, difference->sum);
  const double value = value_of(difference, sum) + sum->spread;
  return value < -zero_of(difference, sum) ? time_below(difference, sum, value) : 0;
}

double hbg_coupled_pause(HbgSim *sim, const HbgCoupledGuards *guards) {
  double shortest = (double)INFINITY;
  const double least = LEAST_PAUSE * sim->time, enough = hbg_larger(least, A_WHILE * sim->local->coupled->pace);
  Promises promises; // what has not been made of it is not read
  if (!guards->is_plain) return sim->time;
  promises.sim = sim;
  promises.guards = guards;
  promises.known = 0;
  for (int32_t at = 0; at < guards->difference_count;) {
    // a guard holds when the last of its differences does: the first one that is off for a while tells enough, and nobody relies on what the others read
    const int32_t number = guards->differences[at].number;
    double longest = 0;
    for (; at < guards->difference_count && guards->differences[at].number == number; at++) {
      if (longest > enough || longest >= shortest) continue;
      const double time = time_off(&promises, &guards->differences[at]);
      if (time > longest) longest = time;
    }
    if (longest < shortest) shortest = longest;
  }
  shortest *= BELIEVED;
  if (!(shortest > least)) return sim->time;
  const double end = sim->time + shortest;
  return end < latest(sim) ? end : (double)INFINITY;
}

/* ---- the first time ---- */

/* For one machine. */
typedef struct Look {
  const HbgSim *sim;
  const HbgCoupledGuards *guards;
  double until;                    /* so far all is known that has been read              */
  uint32_t read;                   /* a bit for each sum, ...                             */
  uint32_t known;                  /* ... and for those made at the present instant       */
  Sum here[HBG_COUPLED_MOST_SUMS];
} Look;

/* What a sum reads is read along its present series from now on. */
static void read_sum(Look *self, int32_t which) {
  HbgCoupledRun *run = self->sim->local->coupled;
  const HbgGuardTerm *end;
  const uint32_t bit = which < HBG_COUPLED_MOST_SUMS ? 1u << which : 0;
  if (self->read & bit) return;
  self->read |= bit;
  for (const HbgGuardTerm *term = terms_of(self->guards, which, &end); term < end; term++) {
    const double until = run->states[term->state].set->until;
    self->until = until < self->until ? until : self->until;
    hbg_coupled_rely_on_series(run, term->state);
  }
}

/* At the present instant: guards of one machine mostly read the same. */
static Sum sum_here(Look *self, int32_t which) {
  read_sum(self, which);
  if (which >= HBG_COUPLED_MOST_SUMS) return sum_at(self->sim, self->guards, which, self->sim->time);
  if (!(self->known & 1u << which)) self->here[which] = sum_at(self->sim, self->guards, which, self->sim->time);
  self->known |= 1u << which;
  return self->here[which];
}

/* At t, where that difference has come to zero: does it rise beyond all round-off before it could turn, and do the others hold? Else *later: how
 * long one of them does not for certain, infinite where that is not known; 0 where nothing is clear. */
static bool comes_to_hold(Look *self, int32_t first, int32_t end, int32_t *last, double t, double *later) {
  const int32_t here = *last;
  bool holds = true;
  *later = 0;
  for (int32_t at = first; at < end; at++) {
    const HbgCoupledDifference *difference = &self->guards->differences[at];
    read_sum(self, difference->sum);
    if (t > self->until) {
      *later = (double)INFINITY;
      return false;
    }
    const Sum sum = sum_at(self->sim, self->guards, difference->sum, t);
    const double zero = zero_of(difference, &sum), speed = difference->sign * sum.speed, value = value_of(difference, &sum);
    if (at == here ? speed > 0 && speed * speed > 8 * sum.bend * zero : value > zero) continue;
    holds = false;
    const double time = at != here && value < -zero ? time_below(difference, &sum, value) : 0;
    if (time > *later) *later = time, *last = at;
  }
  return holds;
}

/* The difference that is off for longest now, for certain, or for as long as matters, and how long; -1 where one is not clearly on either side. */
static int32_t find_longest(Look *self, int32_t first, int32_t end, double limit, double *time) {
  int32_t longest = -1;
  *time = 0;
  for (int32_t at = first; at < end; at++) {
    const HbgCoupledDifference *difference = &self->guards->differences[at];
    const Sum sum = sum_here(self, difference->sum);
    const double value = value_of(difference, &sum), zero = zero_of(difference, &sum);
    if (fabs(value) <= zero) return -1;
    const double own = value < 0 ? time_below(difference, &sum, value) : 0;
    if (own > *time) *time = own, longest = at;
    if (self->sim->time + *time > limit || self->sim->time + *time > self->until) return longest;
  }
  return longest;
}

/* The guard of the differences first .. end - 1, and which of them is the last; NAN where that is not clear; infinite where it is behind `limit`. */
static double find_first(Look *self, int32_t first, int32_t end, double limit, int32_t *last) {
  double t = self->sim->time, ahead;
  *last = find_longest(self, first, end, limit, &ahead);
  for (int step = 0; step < MOST_STEPS && *last >= 0; step++) {
    if (t + ahead > limit || t + ahead > self->until) return (double)INFINITY;
    if (t + ahead > t) {
      const HbgCoupledDifference *difference = &self->guards->differences[*last];
      const Sum sum = sum_at(self->sim, self->guards, difference->sum, t += ahead);
      const double value = value_of(difference, &sum);
      ahead = value < 0 ? time_below(difference, &sum, value) : 0;
      continue;
    }
    if (comes_to_hold(self, first, end, last, t, &ahead)) return t;
    if (!(t + ahead > t)) return (double)NAN;
  }
  return (double)NAN;
}

double hbg_coupled_first(HbgSim *sim, const HbgCoupledGuards *guards) {
  double earliest = (double)INFINITY, limit = latest(sim);
  Look look; // what has not been made of it is not read
  look.sim = sim;
  look.guards = guards;
  look.until = limit;
  look.read = look.known = 0;
  for (int32_t at = 0, end; at < guards->difference_count; at = end) {
    const int32_t number = guards->differences[at].number;
    for (end = at; end < guards->difference_count && guards->differences[end].number == number;) end++;
    int32_t last;
    const double t = find_first(&look, at, end, limit, &last);
    if (isnan(t)) return t;
    if (isinf(t)) continue;
    const double noted = hbg_coupled_note_time(sim, number, t, guards->differences[last].is_strict);
    earliest = noted < earliest ? noted : earliest;
    // what is far behind it need not be known
    limit = earliest + FAR_BEHIND * earliest < limit ? earliest + FAR_BEHIND * earliest : limit;
  }
  return earliest;
}

static bool all_strict_hold(HbgSim *sim, const HbgCoupledGuards *guards, int32_t number, double t) {
  for (int32_t at = 0; at < guards->difference_count; at++) {
    const HbgCoupledDifference *difference = &guards->differences[at];
    if (difference->number != number || !difference->is_strict) continue;
    const Sum sum = sum_at(sim, guards, difference->sum, t);
    if (!(value_of(difference, &sum) > 0)) return false;
  }
  return true;
}

static bool follow_time(const HbgSim *sim, const HbgCoupledGuards *guards) {
  for (int32_t at = 0; at < guards->term_count; at++)
    if (hbg_coupled_is_time(sim, guards->terms[at].state)) return true;
  return false;
}

double hbg_coupled_find_end(HbgSim *sim, int32_t number, double root) {
  const HbgCoupledGuards *guards = &sim->local->coupled->guards[sim->guards.list[number].machine];
  if (!follow_time(sim, guards)) return root;
  double t = root, step = nextafter(root, HUGE_VAL) - root;
  for (int32_t doubling = 0; doubling < HBG_WATCH_DOUBLINGS; doubling++, step *= 2) {
    if (all_strict_hold(sim, guards, number, t)) return t;
    t += step;
  }
  return root;
}

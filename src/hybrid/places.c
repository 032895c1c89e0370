/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/places.h"

#include <math.h>
#include <stdlib.h>

#include "hybrid/inside.h"
#include "hybrid/local.h"
#include "hybrid/outlook.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"

/* So many parts a guard may be looked at in, the first few times that it takes many; after that samples are as good. */
enum { MANY_WINDOWS = 128, MOST_WINDOWS = 4096, FEW_WINDOWS = 8, MOST_DOUBTS = 2 };

/* Where something turns. Until `end` the difference is within the band: there is nothing to look at in between. */
typedef struct Break {
  double theta, end;
} Break;

typedef struct Finder {
  HbgSim *sim;
  const HbgConjunction *conjunction;
  double latest; /* as theta */
  bool keeps_all, is_over;
  HbgTakePlaces take;
  void *user;
  int32_t windows, most_windows;
  double doubt_from, doubt_to; /* the last parts that cannot be halved any more; none when both are the same */
  Break *breaks; int32_t break_count, break_capacity; /* as theta */
  double *looks; int32_t look_count, look_capacity;    /* further places to look at */
} Finder;

/* ---- breaks ---- */

static void add_break(Finder *self, double theta, double end) {
  ARENA_PUSH(&self->sim->scratch, self->breaks, self->break_count, self->break_capacity) = (Break){theta, end};
}

static void add_look(Finder *self, double theta) {
  ARENA_PUSH(&self->sim->scratch, self->looks, self->look_count, self->look_capacity) = theta;
}

static void take_roots(Finder *self, const HbgPolynomial *d, double from, double to) {
  HbgRootPlace places[HBG_ROOT_PLACES];
  const int count = hbg_polynomial_roots(d, d->error + HBG_GUARD_BAND * d->size, places);
  for (int at = 0; at < count; at++) {
    const HbgRootPlace *place = &places[at];
    const double start = from + place->from * (to - from), end = from + place->to * (to - from);
    add_break(self, start, end);
    if (start < end) add_break(self, end, end);
    if (place->is_touch) add_look(self, from + place->at * (to - from));
  }
}

static void take_all_roots(Finder *self, const HbgPolynomial *registers, double from, double to) {
  for (int32_t which = 0; which < self->conjunction->difference_count; which++) {
    const HbgPolynomial *d = hbg_outlook_difference(registers, self->conjunction, which);
    if (hbg_outlook_may_vanish(self->conjunction, which)) take_roots(self, d, from, to);
  }
}

/* ---- times ---- */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int ascending_breaks(const void *a, const void *b) {
  return ascending(&((const Break *)a)->theta, &((const Break *)b)->theta);
}

static double time_at(const HbgStepper *stepper, double theta) {
  return theta >= 1 ? stepper->t1 : stepper->t0 + theta * (stepper->t1 - stepper->t0);
}

static void add_time(const Finder *self, HbgPlaces *places, double time, double turn) {
  if (places->count && !(time > places->times[places->count - 1])) return;
  ARENA_PUSH(&self->sim->scratch, places->times, places->count, places->time_capacity) = time;
  places->count--;
  ARENA_PUSH(&self->sim->scratch, places->turns, places->count, places->turn_capacity) = turn;
}

/* The middles between breaks, and where else to look. */
static void make_looks(Finder *self, double from, double to) {
  Break before = {from, from};
  if (self->break_count) qsort(self->breaks, (size_t)self->break_count, sizeof *self->breaks, ascending_breaks);
  for (int32_t at = 0; at < self->break_count; at++) {
    const Break next = self->breaks[at];
    if (!(before.theta < before.end && before.end <= next.theta)) add_look(self, before.theta + (next.theta - before.theta) / 2);
    before = next;
  }
  if (before.theta < to) add_look(self, before.theta + (to - before.theta) / 2);
  if (self->look_count) qsort(self->looks, (size_t)self->look_count, sizeof *self->looks, ascending);
}

/* The ends of a part, and where to look between them. */
static void make_times(Finder *self, double from, double to, HbgPlaces *places) {
  const HbgStepper *stepper = self->sim->stepper;
  add_time(self, places, time_at(stepper, from), time_at(stepper, from));
  int32_t next = 0;
  for (int32_t at = 0; at < self->look_count; at++) {
    double turn = time_at(stepper, self->looks[at]);
    for (; next < self->break_count && self->breaks[next].theta <= self->looks[at]; next++)
      turn = time_at(stepper, self->breaks[next].theta);
    add_time(self, places, time_at(stepper, self->looks[at]), turn);
  }
  const double end = time_at(stepper, to);
  add_time(self, places, end, next < self->break_count ? time_at(stepper, self->breaks[next].theta) : end);
}

/* ---- the search ---- */

static void forget_breaks(Finder *self) { self->break_count = self->look_count = 0; }

static void hand_out(Finder *self, double from, double to) {
  HbgPlaces places = {0};
  make_times(self, from, to, &places);
  self->is_over = self->take(&places, self->user);
  forget_breaks(self);
}

/* What it reads at the beginning of the step has had its instant: at all later breaks, and between them, it may come to hold. */
static bool may_come_to_hold(const Finder *self, const HbgPolynomial *registers, double from, double to) {
  for (int32_t at = 0; at < self->look_count; at++)
    if (hbg_outlook_may_hold_at(self->conjunction, registers, (self->looks[at] - from) / (to - from))) return true;
  for (int32_t at = 0; at < self->break_count; at++)
    if (self->breaks[at].theta > 0 && hbg_outlook_may_hold_at(self->conjunction, registers, (self->breaks[at].theta - from) / (to - from)))
      return true;
  return false;
}

/* What holds all the time did so at the instant before, and nobody has followed it: it has had its instant. But polynomials follow all states, and what is
 * solved for follows those that others depend on: where these drift apart by round-off, a guard may hold by the one before it does by the other. */
static bool has_had_its_instant(const Finder *self, const HbgPolynomial *registers, double from) {
  const double start = time_at(self->sim->stepper, from);
  if (hbg_local_left_at(self->sim, start)) return false; // nobody has asked it since
  if (hbg_inside_holds_by_band(self->sim, self->conjunction, start)) return true;
  for (int32_t which = 0; which < self->conjunction->difference_count; which++) {
    const HbgPair *own = hbg_probe_pair(&self->conjunction->probe, 1 + which);
    const bool is_clear = fabs(own->value) > HBG_GUARD_BAND * own->value_size;
    if (is_clear && own->value * hbg_outlook_difference(registers, self->conjunction, which)->c[0] < 0) return false;
  }
  return !(from > 0); // within the step it comes to hold where polynomials have left their band before values have
}

static void hand_out_clear(Finder *self, const HbgPolynomial *registers, double from, double to) {
  take_all_roots(self, registers, from, to);
  const bool is_open = !self->break_count && !self->keeps_all;
  if (is_open && has_had_its_instant(self, registers, from)) return;
  make_looks(self, from, to);
  if (is_open || self->keeps_all || may_come_to_hold(self, registers, from, to)) hand_out(self, from, to);
  else forget_breaks(self);
}

/* Is there time between the ends of the part? */
static bool can_part(const HbgStepper *stepper, double from, double middle, double to) {
  const double time = time_at(stepper, middle);
  return time_at(stepper, from) < time && time < time_at(stepper, to);
}

/* Parts in doubt that lie next to each other are one place: with its ends, where all is certain, and a look between them. */
static void hand_out_doubt(Finder *self) {
  const double from = self->doubt_from, to = self->doubt_to;
  self->doubt_from = self->doubt_to = 0;
  if (self->is_over || !(from < to)) return;
  add_break(self, from, from);
  add_break(self, to, to);
  make_looks(self, from, to);
  hand_out(self, from, to);
}

static void add_doubt(Finder *self, double from, double to) {
  if (!(self->doubt_to >= from)) hand_out_doubt(self);
  if (!(self->doubt_from < self->doubt_to)) self->doubt_from = from;
  self->doubt_to = to;
}

/* Looks through a part of the step, in halves where it is not clear. False: too much is in doubt. */
static bool search(Finder *self, double from, double to) {
  if (self->is_over || from > self->latest) return true;
  HbgStepWindow *window = hbg_window(self->sim, from, to);
  const HbgPolynomial *registers = hbg_outlook(self->sim, window, self->conjunction);
  if (window->is_hopeless || ++self->windows > self->most_windows) return false;
  if (self->windows > 1) self->sim->budget.samples++;
  if (hbg_outlook_cannot_hold(self->conjunction, registers) && !self->keeps_all) return true;
  if (!hbg_outlook_is_clear(self->conjunction, registers)) {
    if (window->is_blind) self->most_windows = FEW_WINDOWS;
    const double middle = from + (to - from) / 2;
    if (can_part(self->sim->stepper, from, middle, to)) return search(self, from, middle) && search(self, middle, to);
    add_doubt(self, from, to);
    return true;
  }
  hand_out_doubt(self);
  if (self->is_over) return true;
  hand_out_clear(self, registers, from, to);
  return true;
}

/* How often a guard has taken many parts; those that slides add are not counted. NULL for them. */
static uint8_t *doubts_of(HbgSim *sim, const HbgConjunction *conjunction) {
  const HbgGuards *guards = &sim->guards;
  const int32_t count = guards->count;
  if (!count || conjunction < guards->list || conjunction >= guards->list + count) return NULL;
  if (!sim->doubts) sim->doubts = ARENA_NEW(sim->arena, uint8_t, count);
  return &sim->doubts[conjunction - guards->list];
}

bool hbg_places(HbgSim *sim, const HbgConjunction *conjunction, double latest, bool keeps_all, HbgTakePlaces take, void *user) {
  Finder self = {.sim = sim,
                 .conjunction = conjunction,
                 .latest = hbg_stepper_theta(sim->stepper, latest),
                 .keeps_all = keeps_all,
                 .take = take,
                 .user = user};
  if (conjunction->surface && !hbg_slide_of(sim, conjunction->surface->machines[0])) return false;
  if (!keeps_all && hbg_outlook_is_far(sim, conjunction)) return true;
  uint8_t *doubts = doubts_of(sim, conjunction);
  self.most_windows = doubts && *doubts >= MOST_DOUBTS ? FEW_WINDOWS : MOST_WINDOWS;
  const bool is_known = search(&self, 0, 1);
  if (doubts && self.windows > MANY_WINDOWS && *doubts < MOST_DOUBTS) ++*doubts;
  if (!is_known) return false;
  hand_out_doubt(&self);
  return true;
}

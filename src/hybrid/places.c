/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/places.h"

#include <math.h>
#include <stdlib.h>

#include "hybrid/reach.h"
#include "hybrid/sim.h"

/* What is certain of a difference over a part of the step. */
typedef struct Outlook {
  bool is_certain;  /* it keeps away from 0 */
  bool may_hold;    /* then: with its sign the relation may */
  bool is_resolved; /* it is known to within round-off */
} Outlook;

/* The code for the differences of a conjunction, without that for their comparisons. */
typedef struct HbgGuardWatch {
  HbgSlice slice;
  HbgReach reach;
  Outlook *outlooks; /* over the part that was looked at last (difference_count) */
} HbgGuardWatch;

enum { MOST_WINDOWS = 4096 };

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
  int32_t windows;
  double doubt_from, doubt_to; /* the last parts that cannot be halved any more; none when both are the same */
  Break *breaks; int32_t break_count, break_capacity; /* as theta */
  double *looks; int32_t look_count, look_capacity;    /* further places to look at */
} Finder;

/* ---- differences ---- */

static HbgGuardWatch *watch_of(HbgSim *sim, const HbgConjunction *conjunction) {
  if (conjunction->watch) return conjunction->watch;
  HbgGuardWatch *watch = ARENA_NEW(sim->arena, HbgGuardWatch, 1);
  const HbgProgram *program = &conjunction->probe.program;
  const int32_t first = conjunction->is_opaque ? 0 : 1; // behind the whole stand the differences
  watch->slice = hbg_program_slice(program, conjunction->probe.outputs + first, conjunction->difference_count + 1 - first, true,
                                   program->main_count, sim->arena, &sim->scratch);
  watch->reach = hbg_reach(sim, conjunction, &watch->slice);
  watch->outlooks = ARENA_NEW(sim->arena, Outlook, conjunction->difference_count);
  ((HbgConjunction *)(uintptr_t)conjunction)->watch = watch; /* made when first asked for */
  return watch;
}

/* All differences over the window; the registers that hold them. */
static const HbgPolynomial *run(HbgSim *sim, HbgStepWindow *window, const HbgConjunction *conjunction) {
  const HbgSlice *slice = &watch_of(sim, conjunction)->slice;
  HbgPolynomial *registers = hbg_window_registers(sim, &window->of_guard, conjunction->probe.program.register_count);
  for (int32_t at = 0; at < slice->constant_count; at++)
    registers[slice->constants[at]] = hbg_polynomial_constant(conjunction->probe.registers[slice->constants[at]]);
  for (int32_t at = 0; at < slice->input_count; at++)
    registers[slice->inputs[at].target] = hbg_window_leaf(sim, window, &slice->inputs[at].leaf);
  if (!window->is_hopeless) hbg_execute_polynomials(slice->code, 0, slice->count, registers);
  return registers;
}

static const HbgPolynomial *difference(const HbgPolynomial *registers, const HbgConjunction *conjunction, int32_t which) {
  return &registers[conjunction->probe.outputs[1 + which]];
}

/* ---- what is certain of them ---- */

/* 1 or -1 where the difference keeps its sign by more than round-off, else 0. */
static int certain_sign(const HbgPolynomial *d) {
  const double band = d->error + HBG_GUARD_BAND * d->size;
  double others = band;
  for (int32_t k = 1; k <= d->degree; k++) others += fabs(d->c[k]);
  if (fabs(d->c[0]) > others) return d->c[0] > 0 ? 1 : -1; // quick, and mostly enough
  const HbgRange range = hbg_polynomial_range(d);
  const double round_off = HBG_GUARD_BAND * d->size;
  return range.least > round_off ? 1 : range.most < -round_off ? -1 : 0;
}

static Outlook outlook(const HbgConjunction *conjunction, int32_t which, const HbgPolynomial *d) {
  const int sign = certain_sign(d);
  return (Outlook){.is_certain = sign != 0,
                   .may_hold = !sign || hbg_conjunction_allows(conjunction, which, sign),
                   .is_resolved = d->error <= 16 * HBG_GUARD_BAND * d->size};
}

/* Of a conjunction with a condition that is no relation: does the whole keep its truth? */
static bool is_certainly(const HbgConjunction *conjunction, const HbgPolynomial *registers, bool value) {
  const HbgPolynomial *whole = &registers[conjunction->probe.outputs[0]];
  return whole->degree == 0 && !(whole->error > 0) && (whole->c[0] > 0.5) == value;
}

/* Fills the outlooks, as far as some condition does not tell at once that the conjunction cannot hold. */
static bool cannot_hold(const HbgConjunction *conjunction, const HbgPolynomial *registers) {
  if (conjunction->is_opaque && is_certainly(conjunction, registers, false)) return true;
  bool cannot = false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    conjunction->watch->outlooks[which] = outlook(conjunction, which, difference(registers, conjunction, which));
    cannot = cannot || !conjunction->watch->outlooks[which].may_hold;
  }
  return cannot;
}

/* Every difference is either far from 0 or known to within round-off. */
static bool is_clear(const HbgConjunction *conjunction, const HbgPolynomial *registers) {
  if (conjunction->is_opaque) return is_certainly(conjunction, registers, true);
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const Outlook *known = &conjunction->watch->outlooks[which];
    if (!known->is_resolved && !known->is_certain) return false;
  }
  return true;
}

/* May all conditions hold at `x` of a part that is clear, round-off included? */
static bool may_hold_at(const HbgConjunction *conjunction, const HbgPolynomial *registers, double x) {
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    if (conjunction->watch->outlooks[which].is_certain) continue;
    const HbgPolynomial *d = difference(registers, conjunction, which);
    const double value = hbg_polynomial_at(d, x);
    if (fabs(value) > d->error + 2 * HBG_GUARD_BAND * d->size && !hbg_conjunction_allows(conjunction, which, value > 0 ? 1 : -1))
      return false;
  }
  return true;
}

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
    const HbgPolynomial *d = difference(registers, self->conjunction, which);
    if (!self->conjunction->watch->outlooks[which].is_certain) take_roots(self, d, from, to);
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
    if (may_hold_at(self->conjunction, registers, (self->looks[at] - from) / (to - from))) return true;
  for (int32_t at = 0; at < self->break_count; at++)
    if (self->breaks[at].theta > 0 && may_hold_at(self->conjunction, registers, (self->breaks[at].theta - from) / (to - from)))
      return true;
  return false;
}

static void hand_out_clear(Finder *self, const HbgPolynomial *registers, double from, double to) {
  take_all_roots(self, registers, from, to);
  if (!self->break_count && !self->keeps_all) return;
  make_looks(self, from, to);
  if (self->keeps_all || may_come_to_hold(self, registers, from, to)) hand_out(self, from, to);
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
  const HbgPolynomial *registers = run(self->sim, window, self->conjunction);
  if (window->is_hopeless || ++self->windows > MOST_WINDOWS) return false;
  if (cannot_hold(self->conjunction, registers) && !self->keeps_all) return true;
  if (!is_clear(self->conjunction, registers)) {
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

bool hbg_places(HbgSim *sim, const HbgConjunction *conjunction, double latest, bool keeps_all, HbgTakePlaces take, void *user) {
  Finder self = {.sim = sim,
                 .conjunction = conjunction,
                 .latest = hbg_stepper_theta(sim->stepper, latest),
                 .keeps_all = keeps_all,
                 .take = take,
                 .user = user};
  if (conjunction->surface) return false;
  const HbgReach *reach = &watch_of(sim, conjunction)->reach;
  if (!keeps_all && !conjunction->is_opaque && hbg_reach_is_out(sim, hbg_window(sim, 0, 1), reach, conjunction)) return true;
  if (!search(&self, 0, 1)) return false;
  hand_out_doubt(&self);
  return true;
}

bool hbg_places_just_behind(HbgSim *sim, const HbgConjunction *conjunction, double soon) {
  const double length = sim->stepper->t1 - sim->stepper->t0;
  HbgStepWindow *window = hbg_window(sim, 0, 1);
  const HbgPolynomial *registers = run(sim, window, conjunction);
  if (window->is_hopeless || conjunction->is_opaque) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPolynomial *d = difference(registers, conjunction, which);
    const double end = hbg_polynomial_at(d, 1), slope = hbg_polynomial_slope(d, 1) / length;
    if (!outlook(conjunction, which, d).is_resolved) return false;
    if (hbg_conjunction_allows(conjunction, which, end > 0 ? 1 : -1)) continue;
    if (!(end * slope < 0) || fabs(end) > fabs(slope) * soon) return false;
  }
  return conjunction->difference_count > 0;
}

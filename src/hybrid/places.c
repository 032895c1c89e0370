/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/places.h"

#include <math.h>
#include <stdlib.h>

#include "hybrid/sim.h"
#include "hybrid/window.h"

/* The code for the differences of a conjunction, without that for their comparisons. */
typedef struct HbgGuardWatch {
  HbgSlice slice;
} HbgGuardWatch;

enum { DEEPEST = 14, MOST_WINDOWS = 256 };

/* Where something turns. Until `end` the difference is within the band: there is nothing to look at in between. */
typedef struct Break {
  double theta, end;
} Break;

typedef struct Finder {
  HbgSim *sim;
  const HbgConjunction *conjunction;
  int32_t windows;
  bool may_hold; /* somewhere */
  Break *breaks; int32_t break_count, break_capacity; /* as theta */
  double *looks; int32_t look_count, look_capacity;    /* further places to look at */
} Finder;

/* ---- differences ---- */

static HbgGuardWatch *watch_of(HbgSim *sim, const HbgConjunction *conjunction) {
  if (conjunction->watch) return conjunction->watch;
  HbgGuardWatch *watch = ARENA_NEW(sim->arena, HbgGuardWatch, 1);
  const HbgProgram *program = &conjunction->probe.program;
  watch->slice = hbg_program_slice(program, conjunction->probe.outputs + 1, conjunction->difference_count, true,
                                   program->main_count, sim->arena, &sim->scratch);
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

typedef struct Outlook {
  bool is_certain; /* the difference keeps away from 0 */
  bool may_hold;   /* then: with its sign the relation may */
} Outlook;

static Outlook outlook(const HbgConjunction *conjunction, int32_t which, const HbgPolynomial *d) {
  const HbgRange range = hbg_polynomial_range(d);
  const double band = HBG_GUARD_BAND * d->size;
  if (range.least > band) return (Outlook){true, hbg_conjunction_allows(conjunction, which, 1)};
  if (range.most < -band) return (Outlook){true, hbg_conjunction_allows(conjunction, which, -1)};
  return (Outlook){false, true};
}

static bool is_resolved(const HbgPolynomial *d) { return d->error <= 16 * HBG_GUARD_BAND * d->size; }

static bool cannot_hold(const HbgConjunction *conjunction, const HbgPolynomial *registers) {
  for (int32_t which = 0; which < conjunction->difference_count; which++)
    if (!outlook(conjunction, which, difference(registers, conjunction, which)).may_hold) return true;
  return false;
}

/* Every difference is either far from 0 or known to within round-off. */
static bool is_clear(const HbgConjunction *conjunction, const HbgPolynomial *registers) {
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPolynomial *d = difference(registers, conjunction, which);
    if (!is_resolved(d) && !outlook(conjunction, which, d).is_certain) return false;
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
    if (!outlook(self->conjunction, which, d).is_certain) take_roots(self, d, from, to);
  }
}

/* Looks through a part of the step, in halves where it is not clear. False: that does not help. */
static bool search(Finder *self, double from, double to, int depth) {
  HbgStepWindow *window = hbg_window(self->sim, from, to);
  const HbgPolynomial *registers = run(self->sim, window, self->conjunction);
  if (window->is_hopeless || ++self->windows > MOST_WINDOWS) return false;
  if (cannot_hold(self->conjunction, registers)) return true;
  if (is_clear(self->conjunction, registers)) {
    self->may_hold = true;
    take_all_roots(self, registers, from, to);
    return true;
  }
  if (depth >= DEEPEST) return false;
  const double middle = from + (to - from) / 2;
  return search(self, from, middle, depth + 1) && search(self, middle, to, depth + 1);
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

/* The ends, the middles between breaks, and where else to look. */
static void make_times(Finder *self, HbgPlaces *places) {
  const HbgStepper *stepper = self->sim->stepper;
  Break before = {0, 0};
  if (self->break_count) qsort(self->breaks, (size_t)self->break_count, sizeof *self->breaks, ascending_breaks);
  for (int32_t at = 0; at < self->break_count; at++) {
    const Break next = self->breaks[at];
    if (!(before.theta < before.end && before.end <= next.theta)) add_look(self, before.theta + (next.theta - before.theta) / 2);
    before = next;
  }
  if (before.theta < 1) add_look(self, before.theta + (1 - before.theta) / 2);
  if (self->look_count) qsort(self->looks, (size_t)self->look_count, sizeof *self->looks, ascending);
  add_time(self, places, stepper->t0, stepper->t0);
  int32_t next = 0;
  for (int32_t at = 0; at < self->look_count; at++) {
    double turn = time_at(stepper, self->looks[at]);
    for (; next < self->break_count && self->breaks[next].theta <= self->looks[at]; next++)
      turn = time_at(stepper, self->breaks[next].theta);
    add_time(self, places, time_at(stepper, self->looks[at]), turn);
  }
  add_time(self, places, stepper->t1, next < self->break_count ? time_at(stepper, self->breaks[next].theta) : stepper->t1);
}

HbgPlacesResult hbg_places(HbgSim *sim, const HbgConjunction *conjunction, bool keeps_ends, HbgPlaces *places) {
  Finder self = {.sim = sim, .conjunction = conjunction};
  *places = (HbgPlaces){0};
  if (conjunction->surface) return HBG_PLACES_UNKNOWN;
  if (!search(&self, 0, 1, 0)) return HBG_PLACES_UNKNOWN;
  if (conjunction->is_opaque && (self.may_hold || keeps_ends)) return HBG_PLACES_UNKNOWN;
  if (!self.break_count && !keeps_ends) return HBG_PLACES_NONE;
  make_times(&self, places);
  return HBG_PLACES_FOUND;
}

bool hbg_places_just_behind(HbgSim *sim, const HbgConjunction *conjunction, double soon) {
  const double length = sim->stepper->t1 - sim->stepper->t0;
  HbgStepWindow *window = hbg_window(sim, 0, 1);
  const HbgPolynomial *registers = run(sim, window, conjunction);
  if (window->is_hopeless || conjunction->is_opaque) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPolynomial *d = difference(registers, conjunction, which);
    const double end = hbg_polynomial_at(d, 1), slope = hbg_polynomial_slope(d, 1) / length;
    if (!is_resolved(d)) return false;
    if (hbg_conjunction_allows(conjunction, which, end > 0 ? 1 : -1)) continue;
    if (!(end * slope < 0) || fabs(end) > fabs(slope) * soon) return false;
  }
  return conjunction->difference_count > 0;
}

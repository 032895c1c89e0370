/* SPDX-License-Identifier: BSD-3-Clause
 * Where within the last step a guard becomes true, on the method's dense output.
 *
 * Where the differences of a guard can turn is found by isolating the roots of what they are over the step, polynomials (places.h);
 * where they are none, by samples (locate_sampled.c). Between two neighbouring places the truth is the same, so that a look at one time
 * between them is enough. What is looked for between two such times: the truth value turning, and the turning of one condition of
 * a conjunction while another turns back. This uses the band of semantics 12, so that round-off is no crossing;
 * location itself is exact and keeps the end where the guard holds. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "hybrid/course.h"
#include "hybrid/distance.h"
#include "hybrid/inside.h"
#include "hybrid/outlook.h"
#include "hybrid/places.h"
#include "hybrid/window.h"
#include "numerics/root.h"
#include "numerics/scales.h"

/* ---- candidates ---- */

/* Crossings closer than the precision of location belong to one instant, at the later of them so that all hold. */
void hbg_locator_propose(HbgLocator *self, const HbgConjunction *conjunction, double t) {
  HbgCrossing *crossing = &self->crossing;
  const HbgStepper *stepper = self->sim->stepper;
  const double length = stepper->t1 - stepper->t0, same = 1e-13 * fmax(fabs(t), length);
  // "right away" is not the next denormal after 0, where nothing can be told from nothing
  t = fmax(t, stepper->t0 + 1e-16 * length);
  if (crossing->found && t > crossing->time + same) return;
  if (!crossing->found || t < crossing->time - same) crossing->count = 0;
  crossing->time = crossing->count ? fmax(crossing->time, t) : t;
  crossing->found = true;
  for (int32_t at = 0; at < crossing->count; at++)
    if (crossing->list[at] == conjunction) return;
  ARENA_PUSH(&self->sim->scratch, crossing->list, crossing->count, self->capacity) = conjunction;
}

/* A conjunction at times within the step; each look solves the islands that it reads. */
typedef struct Question {
  HbgSim *sim;
  const HbgConjunction *conjunction;
  int32_t which;      /* of its differences, that tells where to look next; NONE, or TO_BE_FOUND: the one that is another side at both ends */
  double from, to;
  double asked;       /* the time of the last look; NAN: none yet */
  bool holds;         /* ... whether it held there, */
  double difference;  /* ... and how far that was from turning */
} Question;

enum { NONE = -1, TO_BE_FOUND = -2 };

static Question question_of(HbgSim *sim, const HbgConjunction *conjunction, int32_t which, double from, double to) {
  return (Question){sim, conjunction, which, from, to, .asked = (double)NAN};
}

static void look(Question *question, double t) {
  if (question->asked >= t && question->asked <= t) return;
  question->holds = hbg_inside_holds(question->sim, question->conjunction, t);
  question->difference = question->which < 0 ? (double)NAN : hbg_probe_value(&question->conjunction->probe, 1 + question->which);
  question->asked = t;
}

static bool holds(double t, void *user) {
  Question *question = user;
  look(question, t);
  return question->holds;
}

/* On the other side at `from` than at `to`; NONE where that are several. */
static int32_t find_turning(HbgSim *sim, const HbgConjunction *conjunction, double from, double to) {
  enum { MOST = 8 };
  bool is_above[MOST];
  int32_t turning = NONE;
  if (conjunction->difference_count > MOST) return NONE;
  hbg_inside_holds(sim, conjunction, from);
  for (int32_t which = 0; which < conjunction->difference_count; which++) is_above[which] = hbg_probe_value(&conjunction->probe, 1 + which) > 0;
  hbg_inside_holds(sim, conjunction, to);
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    if (is_above[which] == (hbg_probe_value(&conjunction->probe, 1 + which) > 0)) continue;
    if (turning != NONE) return NONE;
    turning = which;
  }
  return turning;
}

static double difference_at(double t, void *user) {
  Question *question = user;
  if (question->which == TO_BE_FOUND) {
    question->which = find_turning(question->sim, question->conjunction, question->from, question->to);
    question->asked = (double)NAN;
  }
  look(question, t);
  return question->difference;
}

/* The first double at which `predicate` holds; `turn` is near, or NULL. */
static double first_true(HbgPredicate predicate, Question *question, const double *turn) {
  if (turn) return hbg_locate_near(predicate, difference_at, question, question->from, question->to, *turn);
  return hbg_locate_true(predicate, difference_at, question, question->from, question->to);
}

/* It has switched to and fro without end just now: what it is at the end of its rest counts. Answers whether that was all; otherwise the question is about what is behind it. */
static bool waits(HbgLocator *self, Question *question) {
  const double rest = fmin(hbg_rhythm_rest(self->sim, question->conjunction->machine), self->sim->stepper->t1);
  if (!(rest > question->from)) return false;
  question->from = rest;
  if (holds(rest, question)) {
    hbg_locator_propose(self, question->conjunction, rest);
    return true;
  }
  return rest >= question->to || !holds(question->to, question);
}

/* ---- conditions within ---- */

static bool holds_by_band(double t, void *user) {
  const Question *question = user;
  return hbg_inside_holds_by_band(question->sim, question->conjunction, t);
}

/* Is what it reads another branch within the band for round-off than it is exactly, so that the instant would not find it where it has been located? */
static bool is_other_branch(Question *question, double t) {
  const HbgConjunction *conjunction = question->conjunction;
  if (!conjunction->difference_count || holds_by_band(t, question)) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPair *difference = hbg_probe_pair(&conjunction->probe, 1 + which);
    if (!(fabs(difference->value) > HBG_GUARD_BAND * difference->value_size)) return false;
  }
  return true;
}

/* Just behind `t`, where a condition within it has left the band as well; `t` where that is not soon. */
static double behind_conditions_within(Question *question, double t) {
  static const double SOON = 1e-9;
  if (!is_other_branch(question, t)) return t;
  const double latest = fmin(question->sim->stepper->t1, t + SOON * fabs(t));
  double later = t;
  for (double length = DBL_EPSILON * fabs(t); later < latest && !holds_by_band(later, question); length *= 2) later = fmin(t + length, latest);
  return holds_by_band(later, question) ? hbg_bisect_true(holds_by_band, question, t, later) : t;
}

void hbg_locator_turn(HbgLocator *self, const HbgConjunction *conjunction, double from, double to, const double *turn) {
  Question question = question_of(self->sim, conjunction, TO_BE_FOUND, from, to);
  if (self->sim->rhythms[conjunction->machine].tiny) {
    if (waits(self, &question)) return;
    turn = NULL;
  }
  // at `to` it may hold by the band only: a touch, whose place is `to` itself
  hbg_locator_propose(self, conjunction, behind_conditions_within(&question, holds(to, &question) ? first_true(holds, &question, turn) : to));
}

static bool is_above(double t, void *user) { return difference_at(t, user) > 0; }

static bool is_not_above(double t, void *user) { return !is_above(t, user); }

/* Inside one interval one condition turns true and another false: the whole may hold in between. Also a condition of
 * equality, which holds at one point only. */
static void examine_sign_change(HbgLocator *self, const HbgCourse *course, int32_t which, int32_t sample) {
  const double *d = &course->difference[which * course->count];
  if (!((d[sample - 1] < 0 && d[sample] > 0) || (d[sample - 1] > 0 && d[sample] < 0))) return;
  const uint8_t *is_clear = &course->is_clear[which * course->count];
  // what is round-off on both sides holds by the band there as it does in between, or not
  if (!is_clear[sample - 1] && !is_clear[sample]) return;
  const HbgConjunction *conjunction = course->conjunction;
  Question turned = question_of(self->sim, conjunction, which, course->times[sample - 1], course->times[sample]);
  const double *turn = course->turns ? &course->turns[sample] : NULL;
  const double to = first_true(d[sample] > 0 ? is_above : is_not_above, &turned, turn);
  const double from = nextafter(to, -HUGE_VAL);
  // behind a true crossing the whole may hold for less than the band is wide
  if (hbg_inside_holds_by_band(self->sim, conjunction, to) ||
      (is_clear[sample - 1] && is_clear[sample] && hbg_inside_holds(self->sim, conjunction, to)))
    hbg_locator_turn(self, conjunction, course->times[sample - 1], to, turn);
  else if (hbg_inside_holds_by_band(self->sim, conjunction, from)) hbg_locator_propose(self, conjunction, from);
}

/* What holds at the beginning by the band only, and not exactly, has not fired: it turns true where it does so exactly. */
static bool held_before(const HbgLocator *self, const HbgCourse *course, int32_t sample) {
  if (!course->holds[sample - 1]) return false;
  return sample > 1 || course->is_held || hbg_inside_holds(self->sim, course->conjunction, course->times[0]);
}

/* It holds from `sample` on by the band: the first time at which it does so exactly, before it ceases to; `sample` where that never
 * happens. */
static int32_t first_exact(const HbgLocator *self, const HbgCourse *course, int32_t sample) {
  for (int32_t at = sample; at < course->count && course->holds[at]; at++)
    if (hbg_inside_holds(self->sim, course->conjunction, course->times[at])) return at;
  return sample;
}

bool hbg_locator_examine(HbgLocator *self, const HbgCourse *course, int32_t sample) {
  if (held_before(self, course, sample)) return false;
  if (course->holds[sample]) {
    const int32_t at = first_exact(self, course, sample);
    hbg_locator_turn(self, course->conjunction, course->times[at - 1], course->times[at], course->turns ? &course->turns[at] : NULL);
    return false;
  }
  for (int32_t which = 0; which < course->conjunction->difference_count; which++)
    examine_sign_change(self, course, which, sample);
  return true;
}

/* ---- one conjunction after the other ---- */

typedef struct Visit {
  HbgLocator *locator;
  const HbgConjunction *conjunction;
} Visit;

/* What lies behind the first crossing is not wanted. */
static bool examine_places(const HbgPlaces *places, void *user) {
  const Visit *visit = user;
  HbgLocator *self = visit->locator;
  HbgCourse course = hbg_course(self->sim, visit->conjunction, places->times, places->turns, places->count);
  hbg_course_note_all(self->sim, &course);
  hbg_course_hold_back(self->sim, &course);
  for (int32_t sample = 1; sample < course.count; sample++) {
    if (self->crossing.found && course.times[sample - 1] > self->crossing.time) break;
    hbg_locator_examine(self, &course, sample);
  }
  return self->crossing.found && self->crossing.time <= course.times[course.count - 1];
}

typedef struct Unknown {
  const HbgConjunction **list;
  int32_t count, capacity;
} Unknown;

/* What was too small to be looked at when it turned, and is not any more: now, next to where the step begins, which may be an instant already. */
static bool propose_owed(HbgLocator *self, const HbgConjunction *conjunction) {
  const HbgStepper *stepper = self->sim->stepper;
  if (!hbg_distances_owe(conjunction)) return false;
  if (hbg_inside_holds(self->sim, conjunction, stepper->t0)) {
    hbg_locator_propose(self, conjunction, stepper->t0 + 0x1p-10 * (stepper->t1 - stepper->t0));
    return true;
  }
  hbg_distances_pay(conjunction);
  return false;
}

/* It has switched to and fro without end, and round-off has left it on the side where it holds: from there on it does not turn any more. At the end of its rest it holds for good. */
static bool propose_rested(HbgLocator *self, const HbgConjunction *conjunction) {
  HbgSim *sim = self->sim;
  if (!sim->rhythms[conjunction->machine].tiny) return false;
  const double rest = hbg_rhythm_rest(sim, conjunction->machine);
  if (!(rest > sim->stepper->t0 && rest <= sim->stepper->t1)) return false;
  if (!hbg_inside_holds(sim, conjunction, sim->stepper->t0) || !hbg_inside_holds(sim, conjunction, rest)) return false;
  hbg_locator_propose(self, conjunction, rest);
  return true;
}

/* False: polynomials do not tell. */
static bool examine_guard(HbgLocator *self, const HbgConjunction *conjunction) {
  HbgSim *sim = self->sim;
  const bool is_disarmed = sim->slides.disarmed[conjunction->machine].guard == conjunction;
  if (propose_owed(self, conjunction) || (!is_disarmed && propose_rested(self, conjunction))) return true;
  Visit visit = {self, conjunction};
  const double latest = self->crossing.found ? self->crossing.time : sim->stepper->t1;
  return hbg_places(sim, conjunction, latest, is_disarmed, examine_places, &visit);
}

/* Can the guard not turn before what has been found, nor together with it? */
static bool is_too_late(const HbgLocator *self, const HbgNearGuard *near) {
  const HbgStepper *stepper = self->sim->stepper;
  const double length = stepper->t1 - stepper->t0;
  const double soon = 1e-12 * hbg_larger(fabs(self->crossing.time), length);
  return self->crossing.found && stepper->t0 + near->earliest * length > self->crossing.time + soon;
}

/* The earliest first: those that come after what is found need no look. */
static void examine_guards(HbgLocator *self, const HbgNearGuard *list, int32_t count, Unknown *unknown) {
  for (int32_t at = 0; at < count && !is_too_late(self, &list[at]); at++)
    if (!examine_guard(self, list[at].guard))
      ARENA_PUSH(&self->sim->scratch, unknown->list, unknown->count, unknown->capacity) = list[at].guard;
}

/* Guards lie in the order of their machines. */
static int in_order(const void *a, const void *b) {
  const HbgConjunction *x = *(const HbgConjunction *const *)a, *y = *(const HbgConjunction *const *)b;
  return (x > y) - (x < y);
}

static void sort_crossing(HbgCrossing *crossing) {
  if (crossing->count > 1) qsort((void *)crossing->list, (size_t)crossing->count, sizeof *crossing->list, in_order);
}

bool hbg_locator_is_at_end(const HbgLocator *self, double *soon) {
  const HbgStepper *stepper = self->sim->stepper;
  *soon = 1e-12 * fmax(fabs(stepper->t1), stepper->t1 - stepper->t0);
  return self->crossing.found && stepper->t1 - self->crossing.time <= *soon;
}

/* An end of a step must not part crossings that belong to one instant. */
static void join_beyond_end(HbgLocator *self) {
  HbgSim *sim = self->sim;
  double soon;
  if (!hbg_locator_is_at_end(self, &soon)) return;
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) {
    int32_t count;
    const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
    for (int32_t at = 0; at < count; at++)
      if (hbg_outlook_holds_soon(sim, &leaving[at], soon) && hbg_inside_gates_hold(sim, &leaving[at], sim->stepper->t1))
        hbg_locator_propose(self, &leaving[at], self->crossing.time);
  }
}

bool hbg_locate_is_resolved(HbgSim *sim, const HbgConjunction *conjunction, double from, double to) {
  bool is_resolved = true;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    hbg_inside_go_for(sim, to, conjunction);
    hbg_inside_measure(sim, conjunction);
    const HbgPair end = *hbg_probe_pair(&conjunction->probe, 1 + which);
    if (fabs(end.value) > HBG_GUARD_BAND * end.value_size) continue;
    hbg_inside_go_for(sim, from + (to - from) / 2, conjunction);
    hbg_inside_measure(sim, conjunction);
    const HbgPair middle = *hbg_probe_pair(&conjunction->probe, 1 + which);
    is_resolved = fabs(middle.value) > HBG_GUARD_BAND * middle.value_size;
  }
  return is_resolved;
}

/* Rebounds that have become lower than round-off are no motion any more, however regular they were. */
void hbg_locate_note_unresolved(HbgSim *sim, const HbgCrossing *crossing) {
  const double from = sim->stepper->t0;
  for (int32_t at = 0; at < crossing->count; at++) {
    const HbgConjunction *conjunction = crossing->list[at];
    HbgRhythm *rhythm = &sim->rhythms[conjunction->machine];
    const bool is_asked = !conjunction->surface && (rhythm->last >= from || rhythm->fell_short);
    hbg_rhythm_note_flight(rhythm, from, !is_asked || hbg_locate_is_resolved(sim, conjunction, from, crossing->time));
  }
}

/* A state near 0 carries the round-off of the largest value it was computed or interpolated from. */
static const double *state_scale(HbgSim *sim) {
  double *scale = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  hbg_scales_over(scale, sim->scale, sim->stepper->y0, sim->stepper->y1, sim->model->state_count);
  return scale;
}

HbgCrossing hbg_locate(HbgSim *sim) {
  if (!sim->model->machine_count) return (HbgCrossing){0};
  HbgLocator self = {.sim = sim};
  Unknown unknown = {0};
  HbgNearGuard *near;
  const int32_t near_count = hbg_distances_near(sim, &near);
  if (!near_count) return self.crossing;
  hbg_window_begin(sim);
  sim->now.state_scale = state_scale(sim);
  examine_guards(&self, near, near_count, &unknown);
  hbg_locate_sampled(&self, unknown.list, unknown.count);
  sort_crossing(&self.crossing);
  join_beyond_end(&self);
  sim->now.state_scale = NULL;
  hbg_locate_note_unresolved(sim, &self.crossing);
  return self.crossing;
}

HbgCrossing hbg_locate_guard(HbgSim *sim, const HbgConjunction *conjunction) {
  HbgLocator self = {.sim = sim, .is_alone = true};
  hbg_window_begin(sim);
  sim->now.state_scale = sim->scale;
  if (!examine_guard(&self, conjunction)) hbg_locate_sampled(&self, &conjunction, 1);
  sim->now.state_scale = NULL;
  return self.crossing;
}

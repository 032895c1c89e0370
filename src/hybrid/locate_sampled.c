/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that are no polynomials over a step, nor over short parts of it: they slide, drift, or have a corner just where they turn.
 *
 * Their truth is sampled at the ends of the step and at inner points. Where the samples of a difference do not lie on a smooth
 * curve the step is halved and sampled again, as often as it takes. Between two samples an extremum of a
 * relation's difference that reaches the other side is looked for, too (two crossings, or a touching one, between two samples). */
#include <math.h>

#include "hybrid/course.h"
#include "hybrid/inside.h"
#include "hybrid/outlook.h"

/* Ends, points close to them (an extremum there would hide between two ordinary samples), and inner points, at no simple
 * fractions of the step: a periodic guard must not look constant. */
static const double sample_place[] = {0,      1e-4,   0.0193,           0.1234, 0.2467, 0.381966011250105, 0.4983, 0.618033988749895,
                                      0.7541, 0.8772, 0.9811, 1 - 1e-4, 1};
enum { SAMPLES = sizeof sample_place / sizeof *sample_place };
/* Those that every guard is looked at. */
static const int coarse_sample[] = {0, 2, 5, 7, SAMPLES - 1};

typedef struct Sampler {
  HbgLocator *locator;
  HbgSim *sim;
  HbgCourse *courses;
  int32_t course_count;
  bool reads_variables;
  double times[SAMPLES]; /* of the window that is sampled */
  int windows;           /* sampled so far */
} Sampler;

/* ---- sampling ---- */

static void set_window(Sampler *self, double from, double to) {
  for (int sample = 0; sample < SAMPLES; sample++)
    self->times[sample] = sample == SAMPLES - 1 ? to : from + sample_place[sample] * (to - from);
}

static bool is_coarse(int sample) {
  for (size_t at = 0; at < sizeof coarse_sample / sizeof *coarse_sample; at++)
    if (coarse_sample[at] == sample) return true;
  return false;
}

/* One of the conditions is so far from turning, over the whole step, that the conjunction cannot come to hold. */
static bool is_out_of_reach(const HbgCourse *course) {
  const size_t count = sizeof coarse_sample / sizeof *coarse_sample;
  for (size_t at = 0; at < count; at++)
    if (course->holds[coarse_sample[at]]) return false;
  for (int32_t which = 0; which < course->conjunction->difference_count; which++) {
    const double *d = &course->difference[which * SAMPLES];
    double least = d[0], most = d[0];
    for (size_t at = 0; at < count; at++) {
      least = fmin(least, d[coarse_sample[at]]);
      most = fmax(most, d[coarse_sample[at]]);
    }
    const double nearest = least > 0 ? least : most < 0 ? -most : 0;
    const bool may_hold = hbg_conjunction_allows(course->conjunction, which, least > 0 ? 1 : -1);
    if (!may_hold && nearest > 3 * (most - least) && nearest > 1e-10 * course->size[which]) return true;
  }
  return false;
}

/* A few samples of every conjunction tell which are worth the others: in a large model nearly all guards are far away. */
static void sample_coarsely(Sampler *self) {
  for (size_t at = 0; at < sizeof coarse_sample / sizeof *coarse_sample; at++) {
    hbg_inside_go(self->sim, self->times[coarse_sample[at]]);
    if (self->reads_variables || self->sim->slides.count) hbg_evaluate_variables(self->sim, true);
    for (int32_t course = 0; course < self->course_count; course++)
      hbg_course_note(self->sim, &self->courses[course], coarse_sample[at]);
  }
  int32_t kept = 0;
  for (int32_t course = 0; course < self->course_count; course++)
    if (!is_out_of_reach(&self->courses[course])) self->courses[kept++] = self->courses[course];
  self->course_count = kept;
}

static void sample_finely(Sampler *self, bool coarse_too) {
  for (int32_t at = 0; at < self->course_count; at++) {
    for (int sample = 0; sample < SAMPLES; sample++) {
      if (!coarse_too && is_coarse(sample)) continue;
      hbg_inside_go_for(self->sim, self->times[sample], self->courses[at].conjunction);
      hbg_course_note(self->sim, &self->courses[at], sample);
    }
  }
}

/* ---- smoothness ---- */

/* What the cubic through the two neighbours on each side gives at sample `at`. */
static double predicted(const double *d, int at) {
  static const int neighbour[4] = {-2, -1, 1, 2};
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double weight = 1;
    for (int j = 0; j < 4; j++) {
      if (j == i) continue;
      const double xi = sample_place[at + neighbour[i]], xj = sample_place[at + neighbour[j]];
      weight *= (sample_place[at] - xj) / (xi - xj);
    }
    sum += weight * d[at + neighbour[i]];
  }
  return sum;
}

static bool is_rough(const double *d, double size) {
  double least = d[0], most = d[0];
  for (int sample = 0; sample < SAMPLES; sample++) {
    if (!isfinite(d[sample])) return true;
    least = fmin(least, d[sample]);
    most = fmax(most, d[sample]);
  }
  const double allowed = fmax(0.02 * (most - least), 1e-10 * size);
  for (int sample = 2; sample < SAMPLES - 2; sample++)
    if (fabs(predicted(d, sample) - d[sample]) > allowed) return true;
  return false;
}

static bool any_rough(const Sampler *self) {
  for (int32_t at = 0; at < self->course_count; at++)
    for (int32_t which = 0; which < self->courses[at].conjunction->difference_count; which++)
      if (is_rough(&self->courses[at].difference[which * SAMPLES], self->courses[at].size[which])) return true;
  return false;
}

/* ---- peaks ---- */

/* The place in (a, b) where `sign` times a difference is largest, by golden section (Kiefer 1953). */
static double find_peak(HbgSim *sim, const HbgConjunction *conjunction, int32_t which, double sign, double a, double b) {
  const double golden = 0.6180339887498949;
  double x1 = b - golden * (b - a), x2 = a + golden * (b - a);
  double f1 = sign * hbg_inside_difference(sim, conjunction, which, x1);
  double f2 = sign * hbg_inside_difference(sim, conjunction, which, x2);
  for (int round = 0; round < 60 && b - a > 4e-16 * fabs(b); round++) {
    if (f1 > f2) {
      b = x2, x2 = x1, f2 = f1;
      x1 = b - golden * (b - a);
      f1 = sign * hbg_inside_difference(sim, conjunction, which, x1);
    } else {
      a = x1, x1 = x2, f1 = f2;
      x2 = a + golden * (b - a);
      f2 = sign * hbg_inside_difference(sim, conjunction, which, x2);
    }
  }
  return f1 > f2 ? x1 : x2;
}

/* How far a curve with one bend through three samples can rise above the middle one: as far as the straight lines from the
 * outer ones go on. Also a corner, as of abs(), does not hide behind this. */
static double hidden_rise(const double *t, const double *d) {
  const double before = t[1] - t[0], after = t[2] - t[1];
  return fmax(fabs(d[1] - d[0]) * (after / before), fabs(d[2] - d[1]) * (before / after));
}

/* A difference that has its largest or smallest value between its neighbours may have crossed and come back. */
static void examine_peak(Sampler *self, const HbgCourse *course, int32_t which, int sample) {
  const double *d = &course->difference[which * SAMPLES];
  const double left = d[sample - 1], middle = d[sample], right = d[sample + 1];
  const double sign = middle > left && middle >= right ? 1 : middle < left && middle <= right ? -1 : 0;
  // only towards zero: away from it no relation turns
  const bool is_zero = middle <= 0 && middle >= 0;
  const bool is_peak = sign < 0 || sign > 0;
  if (!is_peak || !(sign * middle < 0 || is_zero)) return;
  // where all there is may be round-off, as of what rests, its largest value says nothing, and takes as many looks as there are digits
  if (fmax(fmax(fabs(left), fabs(right)), fabs(middle)) <= HBG_GUARD_BAND * course->size[which]) return;
  if (fabs(middle) > hidden_rise(&course->times[sample - 1], &d[sample - 1])) return;
  const double from = course->times[sample - 1], to = course->times[sample + 1];
  const double t = find_peak(self->sim, course->conjunction, which, sign, from, to);
  if (hbg_inside_holds_by_band(self->sim, course->conjunction, t)) hbg_locator_turn(self->locator, course->conjunction, from, t, NULL);
}

/* ---- windows ---- */

static void examine_window(Sampler *self) {
  const HbgCrossing *crossing = &self->locator->crossing;
  for (int32_t at = 0; at < self->course_count; at++) hbg_course_hold_back(self->sim, &self->courses[at]);
  for (int32_t at = 0; at < self->course_count; at++) {
    const HbgCourse *course = &self->courses[at];
    for (int sample = 1; sample < SAMPLES; sample++) {
      // later intervals cannot hold an earlier crossing, but for the peak that reaches one interval back
      if (crossing->found && course->times[sample - 1] > crossing->time) break;
      if (!hbg_locator_examine(self->locator, course, sample) || sample + 1 == SAMPLES) continue;
      for (int32_t which = 0; which < course->conjunction->difference_count; which++) examine_peak(self, course, which, sample);
    }
  }
}

/* Looks through [from, to], in halves where a course is rough; the earlier half first. */
static void search(Sampler *self, double from, double to, int depth) {
  enum { DEEPEST = 14, MOST_WINDOWS = 4096 };
  set_window(self, from, to);
  const bool is_coarse_first = depth == 0 && !self->locator->is_alone;
  if (is_coarse_first) sample_coarsely(self);
  sample_finely(self, !is_coarse_first);
  const double middle = from + (to - from) / 2;
  if (depth >= DEEPEST || ++self->windows > MOST_WINDOWS || !(from < middle && middle < to) || !any_rough(self)) {
    examine_window(self);
    return;
  }
  search(self, from, middle, depth + 1);
  // another guard may have been found to turn behind the middle
  const HbgCrossing *crossing = &self->locator->crossing;
  if (!crossing->found || crossing->time > middle) search(self, middle, to, depth + 1);
}

/* Are the relations of a conjunction about to hold just behind the end of the step: does every one, or will it within `soon`? */
static bool is_about_to_hold(const HbgCourse *course, double length, double soon) {
  const double last_piece = (1 - sample_place[SAMPLES - 2]) * length;
  for (int32_t which = 0; which < course->conjunction->difference_count; which++) {
    const double *d = &course->difference[which * SAMPLES];
    const HbgEnding ending = {d[SAMPLES - 1], (d[SAMPLES - 1] - d[SAMPLES - 2]) / last_piece, length, course->size[which]};
    if (!hbg_ending_holds_soon(course->conjunction, which, &ending, soon)) return false;
  }
  return course->conjunction->difference_count > 0;
}

static void join_beyond_end(Sampler *self) {
  double soon;
  const double to = self->times[SAMPLES - 1];
  if (!hbg_locator_is_at_end(self->locator, &soon) || to < self->sim->stepper->t1) return;
  for (int32_t at = 0; at < self->course_count; at++)
    if (is_about_to_hold(&self->courses[at], to - self->times[0], soon) &&
        hbg_inside_gates_hold(self->sim, self->courses[at].conjunction, to))
      hbg_locator_propose(self->locator, self->courses[at].conjunction, self->locator->crossing.time);
}

void hbg_locate_sampled(HbgLocator *locator, const HbgConjunction *const *list, int32_t count) {
  if (!count) return;
  HbgSim *sim = locator->sim;
  Sampler self = {.locator = locator, .sim = sim, .courses = ARENA_NEW(&sim->scratch, HbgCourse, count), .course_count = count};
  for (int32_t at = 0; at < count; at++) {
    self.courses[at] = hbg_course(sim, list[at], self.times, NULL, SAMPLES);
    if (list[at]->bond_count) self.reads_variables = true;
  }
  search(&self, sim->stepper->t0, sim->stepper->t1, 0);
  join_beyond_end(&self);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Where within the last step a guard becomes true, on the method's dense output.
 *
 * The guards' truth is sampled at the ends of the step and at inner points. Where the samples of a difference do not lie on a smooth
 * curve (a law may read the time, a guard a periodic function, and the step may be long all the same) the step is halved and
 * sampled again, as often as it takes. Between two samples three things are looked for: the
 * truth value turning, the turning of one condition of a conjunction while another turns back, and an extremum of a
 * relation's difference that reaches the other side (two crossings, or a touching one, between two samples). Sampling uses the
 * band of semantics 12, so that round-off is no crossing; location itself is exact and keeps the end where the guard holds. */
#include <math.h>
#include <string.h>

#include "hybrid/sim.h"
#include "numerics/root.h"

/* Ends, points close to them (an extremum there would hide between two ordinary samples), and inner points, at no simple
 * fractions of the step: a periodic guard must not look constant. */
static const double sample_place[] = {0,      1e-4,   0.0193,           0.1234, 0.2467, 0.381966011250105, 0.4983, 0.618033988749895,
                                      0.7541, 0.8772, 0.9811, 1 - 1e-4, 1};
enum { SAMPLES = sizeof sample_place / sizeof *sample_place };
/* Those that every guard is looked at. */
static const int coarse_sample[] = {0, 2, 5, 7, SAMPLES - 1};

/* One conjunction over the samples of a step. */
typedef struct Course {
  const HbgConjunction *conjunction;
  uint8_t *holds;     /* within the band (SAMPLES) */
  double *difference; /* (difference_count, SAMPLES) */
  double *size;       /* largest sum of magnitudes, for round-off (difference_count) */
  uint8_t *is_clear;  /* a difference is more than round-off (difference_count, SAMPLES) */
  bool is_held;       /* at the beginning it counts as holding before: a slide has ended there */
} Course;

typedef struct Locator {
  HbgSim *sim;
  Course *courses;
  int32_t course_count, course_capacity;
  bool reads_variables;
  double from, to;    /* the window that is sampled */
  int windows;        /* sampled so far */
  HbgCrossing crossing;
  int32_t capacity;
} Locator;

/* ---- values inside the step ---- */

static double sample_time(const Locator *self, int sample) {
  if (sample == SAMPLES - 1) return self->to;
  return self->from + sample_place[sample] * (self->to - self->from);
}

static void go_to(HbgSim *sim, double t) {
  sim->now.time = t;
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
}

/* The states that slides in a group read, and their shares. */
static void go_for_group(HbgSim *sim, double theta, HbgSlideGroup *group) {
  if (group->reads_everything) hbg_stepper_dense(sim->stepper, theta, sim->now.state);
  for (int32_t at = 0; at < group->states.count; at++)
    sim->now.state[group->states.list[at]] = hbg_stepper_dense_one(sim->stepper, theta, group->states.list[at]);
}

static bool drifts(HbgSim *sim, HbgIsland *island) { return !island->is_implicit && hbg_constraints_may_drift(sim, island); }

/* Between the ends of a step a state has left constraints that move, by the error of the step: no guard may see that. */
static void project(HbgSim *sim, const HbgConjunction *conjunction) {
  const HbgIsland *last = NULL;
  for (int32_t at = 0; at < conjunction->bond_count; at++) {
    HbgIsland *island = sim->island_of[conjunction->bonds[at]];
    if (island != last && drifts(sim, island)) hbg_evaluate_projection_of(sim, island);
    last = island;
  }
}

static void project_all(HbgSim *sim) {
  for (int32_t at = 0; at < sim->island_count; at++)
    if (sim->islands[at]->is_watched && drifts(sim, sim->islands[at])) hbg_evaluate_projection_of(sim, sim->islands[at]);
}

/* The values at `t` that one conjunction reads, and no others: its own states, and those of the islands it reads. */
static void go_for(HbgSim *sim, double t, const HbgConjunction *conjunction) {
  const double theta = hbg_stepper_theta(sim->stepper, t);
  sim->now.time = t;
  for (int32_t at = 0; at < conjunction->state_count; at++) {
    const int32_t state = conjunction->states[at];
    sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, theta, state);
  }
  for (int32_t at = 0; at < conjunction->bond_count; at++) {
    const HbgIsland *island = sim->island_of[conjunction->bonds[at]];
    if (island->sliding) {
      go_for_group(sim, theta, island->sliding);
      continue;
    }
    if (island->is_hanging && !island->is_storage) {
      go_to(sim, t); // its law may read anything
      break;
    }
    if (island->is_storage) {
      const int32_t state = sim->cuts.deliveries.state[island->delivery];
      sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, theta, state);
      continue;
    }
    for (int32_t which = 0; which < island->program->template.state_count; which++) {
      const int32_t state = island->binding.states[which];
      sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, theta, state);
    }
  }
  project(sim, conjunction);
  hbg_evaluate_bonds(sim, conjunction->bonds, conjunction->bond_count);
  if (!conjunction->surface) return;
  go_for_group(sim, theta, conjunction->surface->slide->group);
  if (!hbg_slide_group_solve(sim, conjunction->surface->slide->group)) sim->now.share[conjunction->surface->machines[0]] = (double)NAN;
}

static HbgProbe *probe_of(const HbgConjunction *conjunction) {
  return (HbgProbe *)(uintptr_t)&conjunction->probe; /* its registers are work space */
}

typedef struct Question {
  HbgSim *sim;
  const HbgConjunction *conjunction;
} Question;

static bool holds_exactly(double t, void *user) {
  const Question *question = user;
  go_for(question->sim, t, question->conjunction);
  hbg_probe_run(probe_of(question->conjunction), &question->sim->now);
  return hbg_probe_value(&question->conjunction->probe, 0) > 0.5;
}

static bool holds_within_band(HbgSim *sim, const HbgConjunction *conjunction, double t) {
  go_for(sim, t, conjunction);
  hbg_probe_run_pairs(probe_of(conjunction), &sim->now, &sim->now);
  return hbg_probe_pair(&conjunction->probe, 0)->value > 0.5;
}

static double difference_at(HbgSim *sim, const HbgConjunction *conjunction, int32_t which, double t) {
  go_for(sim, t, conjunction);
  hbg_probe_run(probe_of(conjunction), &sim->now);
  return hbg_probe_value(&conjunction->probe, 1 + which);
}

/* ---- sampling ---- */

static void add_courses(Locator *self) {
  HbgSim *sim = self->sim;
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) {
    int32_t count;
    const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
    for (int32_t at = 0; at < count; at++) {
      Course course = {.conjunction = &leaving[at], .holds = ARENA_NEW(&sim->scratch, uint8_t, SAMPLES)};
      course.difference = ARENA_NEW(&sim->scratch, double, leaving[at].difference_count *SAMPLES);
      course.size = ARENA_NEW(&sim->scratch, double, leaving[at].difference_count);
      course.is_clear = ARENA_NEW(&sim->scratch, uint8_t, leaving[at].difference_count *SAMPLES);
      ARENA_PUSH(&sim->scratch, self->courses, self->course_count, self->course_capacity) = course;
      if (leaving[at].bond_count) self->reads_variables = true;
    }
  }
}

/* Writes down what a conjunction is at one sample; the values it reads have been computed. */
static void note_sample(Locator *self, Course *course, int sample) {
  self->sim->budget.samples++;
  hbg_probe_run_pairs(probe_of(course->conjunction), &self->sim->now, &self->sim->now);
  course->holds[sample] = hbg_probe_pair(&course->conjunction->probe, 0)->value > 0.5;
  for (int32_t which = 0; which < course->conjunction->difference_count; which++) {
    const HbgPair *difference = hbg_probe_pair(&course->conjunction->probe, 1 + which);
    course->difference[which * SAMPLES + sample] = difference->value;
    course->size[which] = fmax(course->size[which], difference->value_size);
    course->is_clear[which * SAMPLES + sample] = fabs(difference->value) > HBG_GUARD_BAND * difference->value_size;
  }
}

static bool is_coarse(int sample) {
  for (size_t at = 0; at < sizeof coarse_sample / sizeof *coarse_sample; at++)
    if (coarse_sample[at] == sample) return true;
  return false;
}

/* One of the conditions is so far from turning, over the whole step, that the conjunction cannot come to hold. */
static bool is_out_of_reach(const Course *course) {
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
static void sample_coarsely(Locator *self) {
  for (size_t at = 0; at < sizeof coarse_sample / sizeof *coarse_sample; at++) {
    go_to(self->sim, sample_time(self, coarse_sample[at]));
    project_all(self->sim);
    if (self->reads_variables || self->sim->slides.count) hbg_evaluate_variables(self->sim, true);
    for (int32_t course = 0; course < self->course_count; course++)
      note_sample(self, &self->courses[course], coarse_sample[at]);
  }
  int32_t kept = 0;
  for (int32_t course = 0; course < self->course_count; course++)
    if (!is_out_of_reach(&self->courses[course])) self->courses[kept++] = self->courses[course];
  self->course_count = kept;
}

static void sample_finely(Locator *self, bool coarse_too) {
  for (int32_t at = 0; at < self->course_count; at++) {
    for (int sample = 0; sample < SAMPLES; sample++) {
      if (!coarse_too && is_coarse(sample)) continue;
      go_for(self->sim, sample_time(self, sample), self->courses[at].conjunction);
      note_sample(self, &self->courses[at], sample);
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

static bool any_rough(const Locator *self) {
  for (int32_t at = 0; at < self->course_count; at++)
    for (int32_t which = 0; which < self->courses[at].conjunction->difference_count; which++)
      if (is_rough(&self->courses[at].difference[which * SAMPLES], self->courses[at].size[which])) return true;
  return false;
}

/* ---- candidates ---- */

/* Crossings closer than the precision of location belong to one instant, at the later of them so that all hold. */
static void propose(Locator *self, const HbgConjunction *conjunction, double t) {
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

/* The conjunction turns true in (from, to], where it holds within the band at `to`. */
static void locate_turn(Locator *self, const HbgConjunction *conjunction, double from, double to) {
  Question question = {self->sim, conjunction};
  // at `to` it may hold by the band only: a touch, whose place is `to` itself
  const double t = holds_exactly(to, &question) ? hbg_bisect_true(holds_exactly, &question, from, to) : to;
  propose(self, conjunction, t);
}

/* The place in (a, b) where `sign` times a difference is largest, by golden section (Kiefer 1953). */
static double find_peak(Locator *self, const HbgConjunction *conjunction, int32_t which, double sign, double a,
                        double b) {
  const double golden = 0.6180339887498949;
  double x1 = b - golden * (b - a), x2 = a + golden * (b - a);
  double f1 = sign * difference_at(self->sim, conjunction, which, x1);
  double f2 = sign * difference_at(self->sim, conjunction, which, x2);
  for (int round = 0; round < 60 && b - a > 4e-16 * fabs(b); round++) {
    if (f1 > f2) {
      b = x2, x2 = x1, f2 = f1;
      x1 = b - golden * (b - a);
      f1 = sign * difference_at(self->sim, conjunction, which, x1);
    } else {
      a = x1, x1 = x2, f1 = f2;
      x2 = a + golden * (b - a);
      f2 = sign * difference_at(self->sim, conjunction, which, x2);
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
static void examine_peak(Locator *self, const Course *course, int32_t which, int sample) {
  const double *d = &course->difference[which * SAMPLES];
  const double left = d[sample - 1], middle = d[sample], right = d[sample + 1];
  const double sign = middle > left && middle >= right ? 1 : middle < left && middle <= right ? -1 : 0;
  // only towards zero: away from it no relation turns
  const bool is_zero = middle <= 0 && middle >= 0;
  const bool is_peak = sign < 0 || sign > 0;
  if (!is_peak || !(sign * middle < 0 || is_zero)) return;
  const double times[3] = {sample_time(self, sample - 1), sample_time(self, sample),
                           sample_time(self, sample + 1)};
  if (fabs(middle) > hidden_rise(times, &d[sample - 1])) return;
  const double from = times[0], to = times[2];
  const double t = find_peak(self, course->conjunction, which, sign, from, to);
  if (!holds_within_band(self->sim, course->conjunction, t)) return;
  locate_turn(self, course->conjunction, from, t);
}

typedef struct SignQuestion {
  HbgSim *sim;
  const HbgConjunction *conjunction;
  int32_t which;
  bool rising;
} SignQuestion;

static bool has_turned(double t, void *user) {
  const SignQuestion *question = user;
  return (difference_at(question->sim, question->conjunction, question->which, t) > 0) == question->rising;
}

/* Inside one interval one condition turns true and another false: the whole may hold in between. Also a condition of
 * equality, which holds at one point only. */
static void examine_sign_change(Locator *self, const Course *course, int32_t which, int sample) {
  const double *d = &course->difference[which * SAMPLES];
  if (!((d[sample - 1] < 0 && d[sample] > 0) || (d[sample - 1] > 0 && d[sample] < 0))) return;
  SignQuestion turned = {self->sim, course->conjunction, which, d[sample] > 0};
  const double to = hbg_bisect_true(has_turned, &turned, sample_time(self, sample - 1), sample_time(self, sample));
  const double from = nextafter(to, -HUGE_VAL);
  // behind a true crossing the whole may hold for less than the band is wide
  const uint8_t *is_clear = &course->is_clear[which * SAMPLES];
  Question question = {self->sim, course->conjunction};
  if (holds_within_band(self->sim, course->conjunction, to) ||
      (is_clear[sample - 1] && is_clear[sample] && holds_exactly(to, &question)))
    locate_turn(self, course->conjunction, sample_time(self, sample - 1), to);
  else if (holds_within_band(self->sim, course->conjunction, from)) propose(self, course->conjunction, from);
}

/* What holds at the beginning by the band only, and not exactly, has not fired: it turns true where it does so exactly. */
static bool held_before(const Locator *self, const Course *course, int sample) {
  Question question = {self->sim, course->conjunction};
  if (!course->holds[sample - 1]) return false;
  return sample > 1 || course->is_held || holds_exactly(sample_time(self, 0), &question);
}

static void examine_interval(Locator *self, const Course *course, int sample) {
  if (held_before(self, course, sample)) return;
  if (course->holds[sample]) {
    locate_turn(self, course->conjunction, sample_time(self, sample - 1), sample_time(self, sample));
    return;
  }
  for (int32_t which = 0; which < course->conjunction->difference_count; which++) {
    examine_sign_change(self, course, which, sample);
    if (sample + 1 < SAMPLES) examine_peak(self, course, which, sample);
  }
}

/* The first sample at which the difference of a disarmed guard has clearly left zero; -1. */
static int leaves_surface(const HbgDisarmed *disarmed, const Course *course) {
  for (int sample = 0; sample < SAMPLES; sample++)
    if (course->is_clear[disarmed->which * SAMPLES + sample]) return sample;
  return -1;
}

/* Where a slide has ended its guard does not count before its difference has clearly left zero: until then it is as if it had
 * held all the time, or, when it leaves on the side on which it holds, as if it had not. */
static void hold_back(Locator *self, Course *course) {
  HbgDisarmed *disarmed = &self->sim->slides.disarmed[course->conjunction->machine];
  course->is_held = disarmed->guard == course->conjunction;
  if (!course->is_held) return;
  const int first = leaves_surface(disarmed, course);
  const bool then_holds = first >= 0 && course->holds[first];
  for (int sample = 0; sample < (first < 0 ? SAMPLES : first); sample++) course->holds[sample] = !then_holds;
  if (first >= 0) *disarmed = (HbgDisarmed){0};
}

static void examine_window(Locator *self) {
  for (int32_t at = 0; at < self->course_count; at++) hold_back(self, &self->courses[at]);
  for (int32_t at = 0; at < self->course_count; at++) {
    for (int sample = 1; sample < SAMPLES; sample++) {
      // later intervals cannot hold an earlier crossing, but for the peak that reaches one interval back
      if (self->crossing.found && sample_time(self, sample - 1) > self->crossing.time) break;
      examine_interval(self, &self->courses[at], sample);
    }
  }
}

/* Looks through [from, to], in halves where a course is rough; the earlier half first. */
static void search(Locator *self, double from, double to, int depth) {
  enum { DEEPEST = 14, MOST_WINDOWS = 4096 };
  self->from = from;
  self->to = to;
  if (depth == 0) sample_coarsely(self);
  sample_finely(self, depth > 0);
  const double middle = from + (to - from) / 2;
  if (depth >= DEEPEST || ++self->windows > MOST_WINDOWS || !(from < middle && middle < to) || !any_rough(self)) {
    examine_window(self);
    return;
  }
  search(self, from, middle, depth + 1);
  if (!self->crossing.found) search(self, middle, to, depth + 1);
}

/* Is a conjunction about to hold just behind the end of the step: every condition does, or will within `soon`? */
static bool is_about_to_hold(const Course *course, double length, double soon) {
  const double last_piece = (1 - sample_place[SAMPLES - 2]) * length;
  for (int32_t which = 0; which < course->conjunction->difference_count; which++) {
    const double *d = &course->difference[which * SAMPLES];
    const double end = d[SAMPLES - 1], slope = (end - d[SAMPLES - 2]) / last_piece;
    if (hbg_conjunction_allows(course->conjunction, which, end > 0 ? 1 : -1)) continue;
    if (!(end * slope < 0) || fabs(end) > fabs(slope) * soon) return false;
  }
  return course->conjunction->difference_count > 0;
}

/* An end of a step must not part crossings that belong to one instant. */
static void join_beyond_end(Locator *self) {
  const HbgStepper *stepper = self->sim->stepper;
  const double length = stepper->t1 - stepper->t0, soon = 1e-12 * fmax(fabs(stepper->t1), length);
  if (!self->crossing.found || stepper->t1 - self->crossing.time > soon || self->to < stepper->t1) return;
  for (int32_t at = 0; at < self->course_count; at++)
    if (is_about_to_hold(&self->courses[at], self->to - self->from, soon))
      propose(self, self->courses[at].conjunction, self->crossing.time);
}

/* Between two events of a machine, is the difference at which the second one happens ever more than round-off? */
static bool is_resolved(HbgSim *sim, const HbgConjunction *conjunction, double from, double to) {
  bool is_resolved = true;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    go_for(sim, to, conjunction);
    hbg_probe_run_pairs(probe_of(conjunction), &sim->now, &sim->now);
    const HbgPair end = *hbg_probe_pair(&conjunction->probe, 1 + which);
    if (fabs(end.value) > HBG_GUARD_BAND * end.value_size) continue;
    go_for(sim, from + (to - from) / 2, conjunction);
    hbg_probe_run_pairs(probe_of(conjunction), &sim->now, &sim->now);
    const HbgPair middle = *hbg_probe_pair(&conjunction->probe, 1 + which);
    is_resolved = fabs(middle.value) > HBG_GUARD_BAND * middle.value_size;
  }
  return is_resolved;
}

/* Rebounds that have become lower than round-off are no motion any more, however regular they were. */
static void note_unresolved(HbgSim *sim, const HbgCrossing *crossing) {
  const double from = sim->stepper->t0;
  for (int32_t at = 0; at < crossing->count; at++) {
    const HbgConjunction *conjunction = crossing->list[at];
    HbgRhythm *rhythm = &sim->rhythms[conjunction->machine];
    rhythm->is_unresolved = !conjunction->surface && rhythm->last >= from && !is_resolved(sim, conjunction, from, crossing->time);
  }
}

HbgCrossing hbg_locate(HbgSim *sim) {
  Locator self = {.sim = sim};
  add_courses(&self);
  if (!self.course_count) return self.crossing;
  // a state near 0 carries the round-off of the largest value it was computed or interpolated from
  double *scale = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  for (int32_t state = 0; state < sim->model->state_count; state++)
    scale[state] = fmax(sim->scale[state], fmax(fabs(sim->stepper->y0[state]), fabs(sim->stepper->y1[state])));
  sim->now.state_scale = scale;
  search(&self, sim->stepper->t0, sim->stepper->t1, 0);
  join_beyond_end(&self);
  sim->now.state_scale = NULL;
  note_unresolved(sim, &self.crossing);
  return self.crossing;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * When a guard over regions that move in parabolas comes to hold: in closed form, for all times to come. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

/* A difference over time from now on, turned so that its relation holds where it is positive: g = a + b s + c s^2, with what round-off in
 * each is small against. */
typedef struct Course {
  HbgTrack track;
  double a_size;
  double first; /* s >= 0 at which it begins to hold; infinite */
  bool is_strict;
  bool rests;   /* it is zero and stays there, which is enough: two bodies that fall side by side */
} Course;

static void find_course(const HbgSim *sim, const HbgReading *reading, const HbgReadDifference *difference, Course *course) {
  const double sign = difference->sense, time = sim->time, *scale = sim->scale;
  const HbgReadTerm *term = &reading->terms[difference->start], *end = &reading->terms[difference->end];
  double a = sign * difference->constant, b = 0, c = 0, a_size = fabs(difference->constant), b_size = 0, c_size = 0;
  for (; term < end; term++) {
    const HbgTrack *track = &term->of->tracks[term->place];
    const double weight = sign * term->weight, size = fabs(weight), s = time - term->of->origin;
    a += weight * (track->a + s * (track->b + s * track->c));
    b += weight * (track->b + 2 * s * track->c);
    c += weight * track->c;
    a_size += size * scale[term->state];
    b_size += size * (track->b_size + 2 * s * track->c_size);
    c_size += size * track->c_size;
  }
  *course = (Course){.track = {.a = a, .b = b, .c = c, .b_size = b_size, .c_size = c_size}, .a_size = a_size, .is_strict = difference->is_strict};
}

/* How clearly a coefficient is not nothing: its sign, or 0 within round-off. */
static int sign_of(double value, double size) { return fabs(value) <= HBG_GUARD_BAND * size ? 0 : value > 0 ? 1 : -1; }

static bool rests(const Course *course) {
  const HbgTrack *track = &course->track;
  return !course->is_strict && !sign_of(track->a, course->a_size) && !sign_of(track->b, track->b_size) && !sign_of(track->c, track->c_size);
}

#define LEAST_SQUARE 1e-150 /* what is less has no square, and what is more than its inverse neither */

/* The first s > 0 at which a + b s + c s^2 with a < 0 rises through zero; infinite. Where it only touches, as far as round-off tells: there,
 * if touching counts. */
static double first_rise(double a, double b, double c, double a_size, bool touching_counts) {
  const double largest = hbg_larger(fabs(b), hbg_larger(fabs(a), fabs(c)));
  if (largest < LEAST_SQUARE || largest > 1 / LEAST_SQUARE)
    return first_rise(a / largest, b / largest, c / largest, a_size / largest, touching_counts);
  if (!(b > 0) && !(c > 0)) return (double)INFINITY;
  if (c >= 0 && c <= 0) return -a / b;
  double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) {
    const double peak = a - b * b / (4 * c); // c < 0 < b
    if (!touching_counts || !(b > 0) || peak < -HBG_GUARD_BAND * a_size) return (double)INFINITY;
    discriminant = 0;
  }
  const double root = sqrt(discriminant);
  return b > 0 ? -2 * a / (b + root) : (root - b) / (2 * c);
}

/* The first s >= from at which the relation holds; infinite. What is zero at `from` goes by where it is going: at the present instant, at
 * which everything that holds by its level has fired already, and behind it where the relation is strict. */
static double first_holding(const Course *course, double from) {
  const HbgTrack *track = &course->track;
  const double a = track->a + from * (track->b + from * track->c), b = track->b + 2 * from * track->c, c = track->c;
  const double a_size = course->a_size + from * (track->b_size + from * track->c_size);
  const int level = sign_of(a, a_size);
  if (level > 0) return from;
  if (level < 0) return from + first_rise(a, b, c, a_size, !course->is_strict);
  if (!course->is_strict && from > 0) return from;
  const int slope = sign_of(b, track->b_size + 2 * from * track->c_size), bend = sign_of(c, track->c_size);
  if (slope > 0 || (slope == 0 && bend > 0)) return from;
  return slope < 0 && bend > 0 ? from - b / c : (double)INFINITY;
}

/* Once it holds it does for good: it grows, and does so ever faster. */
static inline bool stays(const Course *course) {
  const HbgTrack *track = &course->track;
  const double slope = track->b + 2 * course->first * track->c;
  if (!(track->c >= 0 && slope >= 0)) return false;
  return !course->is_strict || slope > HBG_GUARD_BAND * (track->b_size + 2 * course->first * track->c_size) ||
         track->a > HBG_GUARD_BAND * course->a_size;
}

/* The latest of the times at which each of those differences that move begins to hold; infinite as soon as one never does. `*all_stay`: then
 * they hold together from there on. */
static double find_courses(const HbgSim *sim, const HbgReading *reading, Course *courses, bool *all_stay) {
  double latest = 0;
  int32_t moving = 0;
  *all_stay = true;
  for (int32_t which = reading->standing_count; which < reading->difference_count; which++) {
    Course *course = courses++;
    find_course(sim, reading, &reading->differences[which], course);
    course->rests = rests(course);
    course->first = 0;
    if (course->rests) continue;
    moving++;
    course->first = first_holding(course, 0);
    latest = hbg_larger(latest, course->first);
    if (isinf(latest)) return latest;
    *all_stay = *all_stay && stays(course);
  }
  return moving ? latest : (double)INFINITY;
}

/* The first instant at which all differences hold at once: each round goes to the latest of the times at which one begins to. The first
 * of these is `s`. */
static double first_common(const Course *courses, int32_t count, double s) {
  if (s <= 0) return s;
  for (int round = 1; round < HBG_WATCH_ROUNDS; round++) {
    double latest = s;
    for (int32_t which = 0; which < count; which++) {
      if (courses[which].rests) continue;
      latest = hbg_larger(latest, first_holding(&courses[which], s));
      if (isinf(latest)) return latest;
    }
    if (latest <= s) return s;
    s = latest;
  }
  return s;
}

/* Is a difference more than what round-off of its terms comes to, `s` from now? */
static bool shows(const HbgSim *sim, const HbgReading *reading, const HbgReadDifference *difference, double s) {
  double sum = difference->constant, size = fabs(sum);
  for (int32_t at = difference->start; at < difference->end; at++) {
    const HbgReadTerm *term = &reading->terms[at];
    const double x = term->weight * hbg_region_value(term->of, term->place, sim->time + s);
    sum += x;
    size += fabs(x);
  }
  return fabs(sum) > HBG_GUARD_BAND * size;
}

static bool is_at_rest(const HbgSim *sim, const HbgReading *reading, const HbgReadDifference *difference) {
  Course course;
  find_course(sim, reading, difference, &course);
  return rests(&course);
}

/* Half way to the event, is every difference more than round-off that is nothing at it? What stands still holds by more than that, and what rests is nothing for good. */
static bool is_resolved(const HbgSim *sim, const HbgReading *reading, double s) {
  for (int32_t which = reading->standing_count; which < reading->difference_count; which++)
    if (!is_at_rest(sim, reading, &reading->differences[which]) && !shows(sim, reading, &reading->differences[which], s) && !shows(sim, reading, &reading->differences[which], 0.5 * s)) return false;
  return true;
}

/* Does it take some difference that is nothing at the time, and must be more? */
static bool is_late(const Course *courses, int32_t count, double s) {
  for (int32_t which = 0; which < count; which++) {
    const HbgTrack *track = &courses[which].track;
    if (courses[which].is_strict && sign_of(track->a + s * (track->b + s * track->c), courses[which].a_size) == 0) return true;
  }
  return false;
}

/* When all that move hold at once, and is it late then? Apart from straight lines, as what it keeps at hand is much. */
__attribute__((noinline)) static double first_in_common(const HbgSim *sim, const HbgReading *reading, bool *late) {
  const int32_t count = reading->difference_count - reading->standing_count;
  Course courses[HBG_WATCH_DIFFERENCES];
  bool all_stay;
  const double begin = find_courses(sim, reading, courses, &all_stay);
  if (isinf(begin)) return begin;
  const double s = all_stay ? begin : first_common(courses, count, begin);
  *late = is_late(courses, count, s);
  return s;
}

/* ---- straight lines ---- */

/* The same as first_in_common() for one difference a + b s: what it comes to at its zero need not be looked at. */
static inline double first_on_line(const HbgSim *sim, const HbgReading *reading, const HbgReadDifference *own, bool *late) {
  const double time = sim->time, *scale = sim->scale;
  double a = own->constant, b = 0, a_size = fabs(a), b_size = 0;
  for (const HbgReadTerm *term = &reading->terms[own->start], *end = &reading->terms[own->end]; term < end; term++) {
    const HbgTrack *track = &term->of->tracks[term->place];
    const double weight = term->weight, size = fabs(weight);
    a += weight * (track->a + (time - term->of->origin) * track->b);
    b += weight * track->b;
    a_size += size * scale[term->state];
    b_size += size * track->b_size;
  }
  const double level = own->sense * a, slope = own->sense * b, band = HBG_GUARD_BAND * a_size;
  const bool is_rising = slope > HBG_GUARD_BAND * b_size;
  *late = own->is_strict && !(level > band);
  if (level > band) return 0;
  if (level >= -band) return is_rising ? 0 : (double)INFINITY;
  return slope > 0 && (is_rising || !own->is_strict) ? -level / slope : (double)INFINITY;
}

/* ---- all together ---- */

/* The time itself, not before the next that can be told from the present one. */
double hbg_watch_on_parabolas(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading) {
  bool late = false;
  const double s = reading->is_straight ? first_on_line(sim, reading, &reading->differences[reading->standing_count], &late)
                                        : first_in_common(sim, reading, &late);
  if (isinf(s)) return s;
  HbgForetold *foretold = &watches->foretold[number];
  foretold->begin = sim->time;
  foretold->is_late = late;
  foretold->is_resolved = sim->rhythms[reading->machine].last < sim->time || is_resolved(sim, reading, s);
  const double t = sim->time + s;
  return foretold->time = hbg_time_behind(sim->time, t);
}

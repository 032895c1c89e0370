/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/course.h"

#include <math.h>

#include "hybrid/inside.h"
#include "hybrid/local.h"

HbgCourse hbg_course(HbgSim *sim, const HbgConjunction *conjunction, const double *times, const double *turns, int32_t count) {
  const int32_t differences = conjunction->difference_count;
  return (HbgCourse){.conjunction = conjunction,
                     .count = count,
                     .times = times,
                     .turns = turns,
                     .holds = ARENA_NEW(&sim->scratch, uint8_t, count),
                     .difference = ARENA_NEW(&sim->scratch, double, differences * count),
                     .size = ARENA_NEW(&sim->scratch, double, differences),
                     .is_clear = ARENA_NEW(&sim->scratch, uint8_t, differences * count)};
}

void hbg_course_note(HbgSim *sim, HbgCourse *course, int32_t sample) {
  const HbgConjunction *conjunction = course->conjunction;
  sim->budget.samples++;
  hbg_inside_measure(sim, conjunction);
  course->holds[sample] = hbg_probe_pair(&conjunction->probe, 0)->value > 0.5;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPair *difference = hbg_probe_pair(&conjunction->probe, 1 + which);
    course->difference[which * course->count + sample] = difference->value;
    course->size[which] = fmax(course->size[which], difference->value_size);
    course->is_clear[which * course->count + sample] = fabs(difference->value) > HBG_GUARD_BAND * difference->value_size;
  }
}

void hbg_course_note_all(HbgSim *sim, HbgCourse *course) {
  for (int32_t sample = 0; sample < course->count; sample++) {
    hbg_inside_go_for(sim, course->times[sample], course->conjunction);
    hbg_course_note(sim, course, sample);
  }
}

/* The first sample at which the difference of a disarmed guard has clearly left zero; -1. At the beginning it has not: what is left of it then is
 * round-off, on whichever side that may be, and may be all that its terms are. */
static int32_t leaves_surface(const HbgDisarmed *disarmed, const HbgCourse *course) {
  for (int32_t sample = 1; sample < course->count; sample++)
    if (course->is_clear[disarmed->which * course->count + sample]) return sample;
  return -1;
}

/* The instant before the run has gone on as a whole is told by other bands, and by other last digits, than a step: what it takes for round-off may hold for the step, and has not fired.
 * What still holds a little later comes to hold in between. */
static void forget_instant(const HbgSim *sim, HbgCourse *course) {
  if (course->count > 1 && course->holds[1] && hbg_local_left_at(sim, course->times[0])) course->holds[0] = false;
}

/* Until then it is as if it had held all the time, or, when it leaves on the side on which it holds, as if it had not. */
void hbg_course_hold_back(HbgSim *sim, HbgCourse *course) {
  HbgDisarmed *disarmed = &sim->slides.disarmed[course->conjunction->machine];
  course->is_held = disarmed->guard == course->conjunction;
  if (!course->is_held) {
    forget_instant(sim, course);
    return;
  }
  const int32_t first = leaves_surface(disarmed, course);
  const bool then_holds = first >= 0 && course->holds[first];
  for (int32_t sample = 0; sample < (first < 0 ? course->count : first); sample++) course->holds[sample] = !then_holds;
  if (first >= 0) *disarmed = (HbgDisarmed){0};
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a machine that has just switched on a surface may slide there, read off from sums of states where guards are such sums: the first
 * look at nearly every event of blocks that stick and slip. What is not clear is left to slide_enter.c, which measures. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/slide.h"

/* A difference that is so large against its terms is not nothing, whatever round-off its equations have. */
#define CLEARLY 1e-6

enum { UNCLEAR = -2, NONE = -1 };

static const HbgGuardForm *form_of(HbgSim *sim, const HbgConjunction *guard) {
  bool is_possible = true;
  const HbgGuardForm *form = hbg_watch_form(sim, (int32_t)(guard - sim->guards.list), &is_possible);
  return is_possible ? form : NULL;
}

static double value_of(const HbgSim *sim, const HbgGuardForm *form, int32_t which, double *size) {
  double value = form->constant[which];
  *size = fabs(value);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    value += form->terms[at].weight * sim->now.state[form->terms[at].state];
    *size += fabs(form->terms[at].weight) * sim->scale[form->terms[at].state];
  }
  if (!form->follows_time) return value;
  double times[HBG_TIME_COLUMNS];
  const double *row = &form->time_row[which * HBG_TIME_COLUMNS];
  hbg_time_values(form->time, sim->time, times);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) {
    value += row[at] * times[at];
    *size += fabs(row[at]) * (at < HBG_TIME_POWERS ? fabs(times[at]) : 1);
  }
  return value;
}

/* The one difference of a guard that is nothing, while all others hold; NONE; UNCLEAR. */
static int32_t vanishing(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form) {
  int32_t found = NONE;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    double size;
    const double value = value_of(sim, form, which, &size);
    if (fabs(value) > CLEARLY * size) {
      if (!hbg_conjunction_allows(guard, which, value > 0 ? 1 : -1)) return NONE;
    } else if (found >= 0 || fabs(value) > HBG_GUARD_BAND * size) {
      return UNCLEAR;
    } else {
      found = which;
    }
  }
  return found;
}

static bool reads(const HbgGuardForm *form, int32_t which, int32_t state) {
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
    if (form->terms[at].state == state) return true;
  return false;
}

/* What reads no state may be about any surface, and so may what follows the time. */
static bool may_be_one_surface(const HbgGuardForm *a, int32_t a_which, const HbgGuardForm *b, int32_t b_which) {
  if (a->follows_time && b->follows_time) return true;
  if (a->start[a_which] == a->start[a_which + 1] || b->start[b_which] == b->start[b_which + 1]) return true;
  for (int32_t at = a->start[a_which]; at < a->start[a_which + 1]; at++)
    if (reads(b, b_which, a->terms[at].state)) return true;
  return false;
}

bool hbg_slide_is_out(HbgSim *sim, const HbgConjunction *to) {
  if (!sim->is_near || !sim->is_local || to->reads_a_priori) return false;
  const HbgGuardForm *form = form_of(sim, to);
  const int32_t which = form ? vanishing(sim, to, form) : UNCLEAR;
  if (which < 0) return which == NONE;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, to->machine, to->to, &count);
  for (int32_t at = 0; at < count; at++) {
    if (leaving[at].to != to->from) continue;
    const HbgGuardForm *back = form_of(sim, &leaving[at]);
    const int32_t back_which = back ? vanishing(sim, &leaving[at], back) : UNCLEAR;
    if (back_which == UNCLEAR || (back_which >= 0 && may_be_one_surface(form, which, back, back_which))) return false;
  }
  return true;
}

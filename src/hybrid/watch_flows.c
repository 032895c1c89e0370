/* SPDX-License-Identifier: BSD-3-Clause
 * When a guard over regions with an exact flow comes to hold: the first common root of its differences, found with certainty. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

enum { MOST_QUESTIONS = 16 };

/* What is asked of the flow, from the states now. */
typedef struct FlowSearch {
  const HbgConjunction *guard;
  const HbgGuardForm *form;
  const HbgReading *on;
  double horizon;  /* [s] from now: it is looked through so far */
  double pause;    /* until then nothing happens, but no more is known; infinite */
  double x[HBG_FLOW_STATES];
} FlowSearch;

/* Of its functions of time: waves by their amplitude. */
static double size_in_time(const HbgSim *sim, const HbgGuardForm *form, int32_t which) {
  double values[HBG_TIME_COLUMNS], size = 0;
  const double *row = &form->time_row[which * HBG_TIME_COLUMNS];
  hbg_time_values(form->time, sim->time, values);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) size += fabs(row[at]) * (at < HBG_TIME_POWERS ? fabs(values[at]) : 1);
  return size;
}

/* What round-off in the states comes to in a difference: at an instant at which it has just become zero, its sign says nothing. */
static double round_off(const HbgSim *sim, const HbgGuardForm *form, int32_t which) {
  double size = fabs(form->constant[which]);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
    size += fabs(form->terms[at].weight) * sim->scale[form->terms[at].state];
  return HBG_GUARD_BAND * (size + (form->follows_time ? size_in_time(sim, form, which) : 0));
}

/* The first s >= from at which a difference's relation holds; infinite. A strict one does not hold where it is only touched. */
static double first_on_flow(const HbgSim *sim, FlowSearch *search, int32_t which, double from) {
  const HbgOperation relation = search->guard->relations[which];
  HbgFlowQuestion question = {.constant = search->form->constant[which], .from = from, .to = search->horizon,
                              .zero = round_off(sim, search->form, which), .instant = sim->time};
  question.sense = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
  for (int32_t asked = 0; asked < MOST_QUESTIONS; asked++) {
    double t = question.from;
    switch (hbg_flow_first_root(search->on->guards[which], search->x, &question, &t)) {
      case HBG_FLOW_NEVER: return (double)INFINITY;
      case HBG_FLOW_CROSSES: return t;
      case HBG_FLOW_TOUCHES:
        if (relation == HBG_OP_LESS_EQUAL || relation == HBG_OP_GREATER_EQUAL) return t;
        question.from = hbg_watch_greatest(t, nextafter(question.from, HUGE_VAL));
        break;
      case HBG_FLOW_LATER: question.from = t; break;
    }
    if (question.from >= search->horizon) return (double)INFINITY;
  }
  search->pause = hbg_watch_least(search->pause, question.from);
  return question.from;
}

/* As in watch_parabolas.c. `*last`: the difference that comes to hold last. It is not asked again at its own time: a root of a flow that is
 * only touched has been told apart. */
static double first_common_on_flow(const HbgSim *sim, FlowSearch *search, int32_t *last) {
  double s = 0;
  int32_t holds = -1;
  for (int round = 0; round < HBG_WATCH_ROUNDS; round++) {
    double latest = s;
    const int32_t skipped = holds;
    for (int32_t which = 0; which < search->guard->difference_count; which++) {
      if (which == skipped) continue;
      const double t = first_on_flow(sim, search, which, s);
      if (isinf(t)) return t;
      if (t > latest) *last = holds = which, latest = t;
    }
    if (latest <= s || search->guard->difference_count == 1) return latest;
    s = latest;
  }
  return s;
}

/* Is difference `which` more than that, with the states and functions of time `x`? */
static bool is_more_than_round_off(const FlowSearch *search, int32_t which, const double *x) {
  const HbgReading *on = search->on;
  const HbgGuardForm *form = search->form;
  int32_t first[HBG_FLOW_STATES] = {0};
  for (int32_t at = 1; at < on->region_count; at++) first[at] = first[at - 1] + on->regions[at - 1]->count;
  const int32_t states = on->whole->count - on->driven->count;
  double sum = form->constant[which], size = fabs(sum);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const double term = form->terms[at].weight * x[first[on->terms[at].region] + on->terms[at].place];
    sum += term;
    size += fabs(term);
  }
  for (int32_t at = 0; form->follows_time && at < on->driven->count; at++) {
    const double term = form->time_row[which * HBG_TIME_COLUMNS + on->driven->column[at]] * x[states + at];
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) > HBG_GUARD_BAND * size;
}

/* What is short against the motion is a parabola, and resolved as long as times are: but functions of time that the guard follows may be large
 * against what is left of it. Half way to the event, is every difference more than round-off that is nothing at it? */
static bool is_resolved(const HbgSim *sim, const FlowSearch *search, double s) {
  if (!search->on->driven || sim->rhythms[search->guard->machine].last < sim->time) return true;
  double half[HBG_FLOW_STATES], end[HBG_FLOW_STATES];
  hbg_flow_go(search->on->whole->flow, search->x, 0.5 * s, half);
  hbg_flow_go(search->on->whole->flow, search->x, s, end);
  for (int32_t which = 0; which < search->guard->difference_count; which++)
    if (!is_more_than_round_off(search, which, half) && !is_more_than_round_off(search, which, end)) return false;
  return true;
}

double hbg_watch_on_flow(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgGuardForm *form, const HbgReading *reading,
                         bool *is_possible) {
  const HbgConjunction *guard = &sim->guards.list[number];
  FlowSearch search; // of its states as many as there are
  search.guard = guard;
  search.form = form;
  search.on = reading;
  search.pause = (double)INFINITY;
  if (!search.on->whole->flow) {
    *is_possible = false;
    return (double)INFINITY;
  }
  double *next = search.x;
  for (int32_t at = 0; at < reading->region_count; at++) {
    hbg_region_values(reading->regions[at], sim->time, next);
    next += reading->regions[at]->count;
  }
  if (reading->driven) hbg_driven_values(reading->driven, sim->time, next);
  const double rest = 1.001 * (sim->options.stop - sim->time);
  search.horizon = hbg_watch_reach(watches, guard->machine, rest);
  int32_t last = 0;
  const double s = first_common_on_flow(sim, &search, &last);
  if (isinf(s) && search.horizon < rest) search.pause = hbg_watch_least(search.pause, search.horizon);
  const double t = sim->time + hbg_watch_least(s, search.pause);
  // a motion that is much faster than the time can be told: integration says more about it
  if (search.pause <= s && search.pause < 1e-9 * rest) *is_possible = false;
  if (search.pause <= s) return t > sim->time ? t : nextafter(sim->time, HUGE_VAL);
  if (isinf(s)) return s;
  watches->foretold[number].begin = sim->time;
  watches->foretold[number].is_late = guard->relations[last] == HBG_OP_LESS || guard->relations[last] == HBG_OP_GREATER;
  watches->foretold[number].is_resolved = is_resolved(sim, &search, s);
  // the last digit of the time may be worth more than the round-off of the difference: it has come to hold at the next one
  const bool is_too_early = t - sim->time < s || t <= sim->time;
  return watches->foretold[number].time = is_too_early ? nextafter(t, HUGE_VAL) : t;
}

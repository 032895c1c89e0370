/* SPDX-License-Identifier: BSD-3-Clause
 * When a guard over regions with an exact flow comes to hold: the first common root of its differences, found with certainty. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

enum { MOST_QUESTIONS = 16 };
_Static_assert((int)HBG_WATCH_DIFFERENCES <= 32, "differences are told apart by bits");

/* What is asked of the flow, from the states now. */
typedef struct FlowSearch {
  const HbgReading *on;
  double horizon;  /* [s] from now: it is looked through so far */
  double pause;    /* until then nothing happens, but no more is known; infinite */
  double x[HBG_FLOW_MOST_STATES];
} FlowSearch;

/* What round-off in the states comes to in a difference: at an instant at which it has just become zero, its sign says nothing. */
static double round_off(const HbgSim *sim, const HbgReading *reading, int32_t which) {
  const HbgReadDifference *difference = &reading->differences[which];
  double size = fabs(difference->constant);
  for (int32_t at = difference->start; at < difference->end; at++)
    size += fabs(reading->terms[at].weight) * sim->scale[reading->terms[at].state];
  return HBG_GUARD_BAND * (size + (reading->time ? hbg_watch_size_in_time(sim, reading, which) : 0));
}

static inline HbgFlowQuestion question_about(const HbgSim *sim, const FlowSearch *search, int32_t which, double from) {
  const HbgReadDifference *difference = &search->on->differences[which];
  return (HbgFlowQuestion){.constant = difference->constant, .from = from, .to = search->horizon, .sense = difference->sense,
                           .zero = round_off(sim, search->on, which), .instant = sim->time};
}

/* The first time at which the relation holds, where the first answer was that it is touched, or not before `t`. */
static double ask_on(FlowSearch *search, const HbgReadDifference *difference, HbgFlowQuestion *question, HbgFlowAnswer answer, double t) {
  for (int32_t asked = 1;; asked++) {
    if (answer == HBG_FLOW_NEVER) return (double)INFINITY;
    if (answer == HBG_FLOW_CROSSES || (answer == HBG_FLOW_TOUCHES && !difference->is_strict)) return t;
    question->from = answer == HBG_FLOW_LATER ? t : hbg_larger(t, nextafter(question->from, HUGE_VAL));
    if (question->from >= search->horizon) return (double)INFINITY;
    if (asked == MOST_QUESTIONS) break;
    answer = hbg_flow_first_root(difference->guard, search->x, question, &t);
  }
  search->pause = hbg_watch_least(search->pause, question->from);
  return question->from;
}

/* What stands still holds now, or never: also by equality, if it is not strict and waits for others (watch_parts.h). */
static bool stands_and_holds(const HbgSim *sim, FlowSearch *search, int32_t which) {
  const HbgReadDifference *difference = &search->on->differences[which];
  double size;
  const double value = difference->sense * hbg_watch_sum(search->on, which, search->x, &size), band = round_off(sim, search->on, which);
  return difference->is_strict ? value > band : value >= -band;
}

/* What moves, but is zero and stays there: two bodies that fall side by side, or a diode whose current has died out. */
static bool rests(const HbgSim *sim, const FlowSearch *search, int32_t which) {
  const HbgFlowQuestion question = question_about(sim, search, which, 0);
  return hbg_flow_rests(search->on->differences[which].guard, search->x, &question);
}

/* It holds as well as what stands still, if it is not strict. */
static bool rests_and_holds(const HbgSim *sim, const FlowSearch *search, int32_t which) {
  return !search->on->differences[which].is_strict && rests(sim, search, which);
}

/* The first s >= from at which a difference's relation holds; infinite. A strict one does not hold where it is only touched. */
static inline double first_on_flow(const HbgSim *sim, FlowSearch *search, int32_t which, double from) {
  const HbgReadDifference *difference = &search->on->differences[which];
  HbgFlowQuestion question = question_about(sim, search, which, from);
  double t = from;
  const HbgFlowAnswer answer = hbg_flow_first_root(difference->guard, search->x, &question, &t);
  if (answer == HBG_FLOW_NEVER || (difference->is_strict && rests(sim, search, which))) return (double)INFINITY;
  return answer == HBG_FLOW_CROSSES ? t : ask_on(search, difference, &question, answer, t);
}

/* As in watch_parabolas.c. `*last`: the difference that comes to hold last. It is not asked again at its own time: a root of a flow that is
 * only touched has been told apart. */
static double first_common_on_flow(const HbgSim *sim, FlowSearch *search, int32_t *last) {
  double s = 0;
  int32_t holds = -1, standing = 0;
  uint32_t stand = 0; // a bit for each
  for (int32_t which = 0; which < search->on->difference_count; which++) {
    const bool moves = search->on->differences[which].degree > 0;
    if (moves ? !rests_and_holds(sim, search, which) : !stands_and_holds(sim, search, which)) {
      if (!moves) return (double)INFINITY;
      continue;
    }
    stand |= 1u << which;
    if (++standing == search->on->difference_count) return (double)INFINITY;
  }
  for (int round = 0; round < HBG_WATCH_ROUNDS; round++) {
    double latest = s;
    const int32_t skipped = holds;
    for (int32_t which = 0; which < search->on->difference_count; which++) {
      if (which == skipped || stand & 1u << which) continue;
      const double t = first_on_flow(sim, search, which, s);
      if (isinf(t)) return t;
      if (t > latest) *last = holds = which, latest = t;
    }
    if (latest <= s) return latest;
    s = latest;
  }
  return s;
}

/* Nothing is found before `pause`, up to which has been looked; that may be the whole `rest`. */
static inline double found_nothing(const HbgSim *sim, double pause, double rest, bool *is_possible) {
  if (isinf(pause)) return pause;
  // a motion that is much faster than the time can be told: integration says more about it
  if (pause < 1e-9 * rest) *is_possible = false;
  const double t = sim->time + pause;
  return hbg_time_behind(sim->time, t);
}

/* What is read, at `t`. */
static void read_states(FlowSearch *search, double t) {
  const HbgReading *reading = search->on;
  double *next = search->x;
  for (int32_t at = 0; at < reading->region_count; at++) {
    hbg_region_values_with_guests(reading->regions[at], t, next);
    next += hbg_region_width(reading->regions[at]);
  }
  if (reading->time) hbg_driven_values(&reading->time->driven, t, next);
}

/* A strict relation is located at the end where it holds (semantics 12): the root is known to the round-off of the difference only. That matters
 * where functions of time come through zero: what states have been is known when their signs are asked, what a wave was is not. */
static double find_end(FlowSearch *search, int32_t which, double root) {
  const HbgReadDifference *difference = &search->on->differences[which];
  double t = root, step = nextafter(root, HUGE_VAL) - root, size;
  for (int32_t doubling = 0; difference->is_strict && doubling < HBG_WATCH_DOUBLINGS; doubling++, step *= 2) {
    read_states(search, t);
    if (difference->sense * hbg_watch_sum(search->on, which, search->x, &size) > 0) return t;
    t += step;
  }
  return root;
}

/* Apart from those who mostly need not call it, as what it keeps at hand is much. */
__attribute__((noinline)) static double search_flow(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading, double horizon,
                                                    double rest, bool *is_possible) {
  FlowSearch search; // of its states as many as there are
  search.on = reading;
  search.pause = (double)INFINITY;
  search.horizon = horizon;
  read_states(&search, sim->time);
  int32_t last = 0;
  const double s = reading->difference_count == 1 ? first_on_flow(sim, &search, 0, 0) : first_common_on_flow(sim, &search, &last);
  if (isinf(s) && horizon < rest) search.pause = hbg_watch_least(search.pause, horizon);
  if (search.pause <= s) return found_nothing(sim, search.pause, rest, is_possible);
  const double t = sim->time + s;
  HbgForetold *foretold = &watches->foretold[number];
  foretold->begin = sim->time;
  foretold->is_late = reading->differences[last].is_strict;
  // what is short against the motion is a parabola, and resolved as long as times are, but not where functions of time are large against it
  foretold->is_resolved = !reading->time || sim->rhythms[reading->machine].last < sim->time || hbg_watch_is_resolved_in_time(reading, search.x, s);
  // the last digit of the time may be worth more than the round-off of the difference: it has come to hold at the next one
  const bool is_too_early = t - sim->time < s || t <= sim->time;
  const double root = hbg_time_behind(sim->time, is_too_early ? nextafter(t, HUGE_VAL) : t);
  return foretold->time = reading->time ? find_end(&search, last, root) : root;
}

/* Does the first parabola tell that nothing happens? From where the region began to move, so that its states now need not be known. */
static inline bool is_far(const HbgSim *sim, const HbgReading *reading, double horizon) {
  const HbgRegion *region = reading->regions[0];
  const HbgReadDifference *difference = reading->differences;
  return hbg_flow_is_far(difference->guard, &region->tracks[0].a, HBG_TRACK_STRIDE, difference->constant, difference->sense,
                         sim->time - region->origin + horizon);
}

double hbg_watch_on_flow(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading, bool *is_possible) {
  if (!reading->has_flow) {
    *is_possible = false;
    return (double)INFINITY;
  }
  const double rest = 1.001 * (sim->options.stop - sim->time), horizon = hbg_watch_reach(watches, reading->machine, rest);
  if (!reading->is_single || !is_far(sim, reading, horizon)) return search_flow(sim, watches, number, reading, horizon, rest, is_possible);
  return found_nothing(sim, horizon < rest ? horizon : (double)INFINITY, rest, is_possible);
}

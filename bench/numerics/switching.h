// SPDX-License-Identifier: BSD-3-Clause
// A system of differential equations that switches, written down once. Two methods run it that have nothing in common: switched_by_hand()
// is what one would write in C, an explicit integrator with dense output and a search for roots; switched_exactly() is a
// power series of high order, for rates that are affine in the state.
#ifndef BENCH_SWITCHING_H
#define BENCH_SWITCHING_H

#include "dp5.h"

enum { BENCH_READS = 6 };  // how many states a guard may read

typedef struct {
  long states, guards;
  double end;
  BenchRates rates;
  // Guard i, at least 0 as long as nothing happens: linear in the state but for an absolute value. NULL without guards.
  double (*guard)(long i, const double *y, void *model);
  // What it would be with the rates for the state: its derivative. NULL without guards.
  double (*trend)(long i, const double *y, const double *dy, void *model);
  // The states it reads; returns how many.
  long (*reads)(long i, long *states, void *model);
  // What happens when guard i falls through 0.
  void (*fire)(long i, double t, double *y, void *model);
  // The next instant that is known beforehand, INFINITY when there is none, and what happens at it; NULL without such.
  double (*next)(void *model);
  void (*tick)(double t, double *y, void *model);
  void *model;
} Switching;

// The guard at a share of the step.
BENCH_INLINE double guard_between(const Switching *system, const Dp5 *dp5, double *scratch, long i, double x) {
  long states[BENCH_READS], count = system->reads(i, states, system->model);
  for (long k = 0; k < count; k++) scratch[states[k]] = dp5_between(dp5, states[k], x);
  return system->guard(i, scratch, system->model);
}

// Where in (0, end] the guard falls through 0, which is negative at `end`: false position with the Illinois rule.
BENCH_INLINE double root_between(const Switching *system, const Dp5 *dp5, double *scratch, long i, double first, double end, double last) {
  double a = 0, b = end;
  int side = 0;
  if (first <= 0) {  // it has just fired and begins at 0
    for (a = end/8; (first = guard_between(system, dp5, scratch, i, a)) <= 0; a /= 8)
      if (a < 1e-9) return a;
  }
  for (int turn = 0; turn < 60 && b - a > 4e-16; turn++) {
    double middle = (a*last - b*first)/(last - first);
    if (!(middle > a && middle < b)) break;
    double value = guard_between(system, dp5, scratch, i, middle);
    double moved = value > 0 ? middle - a : b - middle;
    if (value > 0) {
      a = middle, first = value;
      if (side == 1) last /= 2;
      side = 1;
    } else {
      b = middle, last = value;
      if (side == -1) first /= 2;
      side = -1;
    }
    if (moved < 4e-16) break;
  }
  return b;
}

// The first guard that falls through 0 within the step, and where; -1 when none does.
BENCH_INLINE long first_root(const Switching *system, const Dp5 *dp5, double *scratch, double *where) {
  long found = -1;
  double share = 2;
  for (long i = 0; i < system->guards; i++) {
    double end = 1, last = system->guard(i, dp5->next, system->model);
    if (last >= 0) {  // perhaps it was below 0 in between
      double falls = system->trend(i, dp5->state, dp5->k[0], system->model);
      if (falls >= 0) continue;
      double rises = system->trend(i, dp5->next, dp5->k[6], system->model);
      if (rises <= 0) continue;
      end = falls/(falls - rises);
      last = guard_between(system, dp5, scratch, i, end);
      if (last >= 0) continue;
    }
    double root = root_between(system, dp5, scratch, i, system->guard(i, dp5->state, system->model), end, last);
    if (root < share) share = root, found = i;
  }
  *where = share;
  return found;
}

// Runs the system from `state`, which is where it ends; returns how often it switched.
BENCH_INLINE long switched_by_hand(const Switching *system, double *state, double relative, double absolute, double step) {
  Dp5 dp5;
  dp5_begin(&dp5, system->states, relative, absolute, step);
  memcpy(dp5.state, state, (size_t)system->states*sizeof *state);
  double next = system->next ? system->next(system->model) : INFINITY;
  dp5_restart(&dp5, system->rates, system->model);
  long events = 0;
  while (dp5.time < system->end) {
    double goal = next < system->end ? next : system->end, share;
    dp5_try(&dp5, goal, system->rates, system->model);
    long guard = system->guards ? first_root(system, &dp5, dp5.stage, &share) : -1;
    if (guard >= 0) {
      for (long i = 0; i < system->states; i++) dp5.stage[i] = dp5_between(&dp5, i, share);
      memcpy(dp5.state, dp5.stage, (size_t)system->states*sizeof *state);
      dp5.time += share*dp5.taken;
      system->fire(guard, dp5.time, dp5.state, system->model);
    } else {
      dp5_accept(&dp5);
      if (goal - dp5.time > 1e-15*goal) continue;
      dp5.time = goal;
      if (goal >= system->end) break;
      system->tick(goal, dp5.state, system->model);
      next = system->next(system->model);
    }
    events++;
    dp5_restart(&dp5, system->rates, system->model);
  }
  memcpy(state, dp5.state, (size_t)system->states*sizeof *state);
  dp5_end(&dp5);
  return events;
}

// The same by power series of the order 24, with steps of `step`, whose product with the fastest rate should be about 1. Exact but for
// round-off where the rates are affine in the state and do not depend on time.
long switched_exactly(const Switching *system, double *state, double step);

#endif

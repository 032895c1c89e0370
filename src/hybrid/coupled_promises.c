/* SPDX-License-Identifier: BSD-3-Clause
 * What guards rely on. An event begins a set of states anew, but most of its states go on nearly as they did: their values and speeds do not jump, and they bend
 * about as much as before. A guard that was far away is still far away then. So a state promises how much it bends at most, with some room: that it
 * is between two parabolas from now on. Whenever its set begins a series that is held against it, and only where a promise is broken those are asked again
 * who read that state.
 *
 * With value, speed and bend (v, s, b) at t, a state is between the parabolas (V, S, B) from T = t - d on if |v - V - S d| <= B d^2,
 * |s - S| <= 2 B d and b <= B: term by term, their difference grows by powers of the time behind t. */
#include <math.h>

#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"

#define ROOM 1.5    /* a promise is so much larger than what is true */
#define LOOSE 16.0  /* one that is so much larger is made anew */

void hbg_coupled_forget_promises(HbgSim *sim) {
  for (int32_t state = 0; state < sim->model->state_count + HBG_COUPLED_TIMES; state++) sim->local->coupled->promises[state] = (HbgStatePromise){.bend = -1};
}

/* Is what moves like this between the parabolas, as far as its value and its speed tell? */
static inline bool is_between(const HbgStatePromise *promise, double time, double value, double speed) {
  const double d = time - promise->time, at = promise->bend * d;
  return fabs(value - promise->value - promise->speed * d) <= at * d && fabs(speed - promise->speed) <= 2 * at;
}

bool hbg_coupled_keeps_promise(HbgCoupledRun *run, int32_t state) {
  HbgStatePromise *promise = &run->promises[state];
  const HbgCoupled *set = run->states[state].set;
  const HbgSeries *series = &set->series;
  const int32_t place = run->states[state].place;
  const double speed = series->degree ? series->c[series->stride + place] / series->unit : 0;
  if (set->bends[place] <= promise->bend && is_between(promise, set->origin, series->c[place], speed)) return true;
  *promise = (HbgStatePromise){.bend = -1};
  return false;
}

/* With a tangent that is within what has been promised, and no more bend, the present time takes the place of the one before: it says more. Of what has jumped since
 * less may be true from now on than was promised from then on, so who asks now has to do with the old one. */
HbgStatePromise hbg_coupled_promise(HbgCoupledRun *run, int32_t state, const HbgStateMotion *motion) {
  HbgStatePromise *promise = &run->promises[state];
  if (isnan(promise->time)) return (HbgStatePromise){motion->time, motion->value, motion->speed, motion->bend};
  const bool is_none = promise->bend < 0;
  if (is_none || (motion->bend <= promise->bend && is_between(promise, motion->time, motion->value, motion->speed))) {
    const bool is_loose = is_none || promise->bend > LOOSE * motion->bend;
    *promise = (HbgStatePromise){motion->time, motion->value, motion->speed, is_loose ? ROOM * motion->bend : promise->bend};
  }
  return *promise;
}

void hbg_coupled_rely_on_series(HbgCoupledRun *run, int32_t state) { run->promises[state].time = (double)NAN; }

/* SPDX-License-Identifier: BSD-3-Clause
 * What guards rely on. An event begins a set of states anew, but most of its states go on nearly as they did: their values and speeds do not jump, and they bend
 * about as much as before. A guard that was far away is still far away then. So a state promises how much it bends at most, with some room: that it
 * is between two parabolas from now on. Whenever its set begins a series that is held against it, and only where a promise is broken those are asked again
 * who read that state.
 *
 * With value, speed and bend (v, s, b) at t, a state is between the parabolas (V, S, B) from T = t - d on if |v - V - S d| <= B d^2,
 * |s - S| <= 2 B d and b <= B: term by term, their difference grows by powers of the time behind t. */
#ifndef HYBRID_PROMISE_H
#define HYBRID_PROMISE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define HBG_PROMISE_ROOM 1.5    /* a promise is so much larger than what is true */
#define HBG_PROMISE_LOOSE 16.0  /* one that is so much larger is made anew */

/* How a state moves at a time: as far as its set is known it stays between value + speed s -+ bend s^2, s later. */
typedef struct HbgStateMotion {
  double time; /* [s] */
  double value, speed, bend;
  int64_t serial; /* along which series */
} HbgStateMotion;

/* What guards rely on that read a state: it stays between value + speed s -+ bend s^2, s behind `time`, whatever series it follows from then on, or they
 * are asked again. Negative bend: nobody does; time NAN: they rely on its present series, and are asked again with the next one. */
typedef struct HbgStatePromise {
  double time, value, speed, bend;
} HbgStatePromise;

static inline bool hbg_promise_is_none(const HbgStatePromise *promise) { return promise->bend < 0 && !isnan(promise->time); }

/* Is what moves like this between the parabolas, as far as its value and its speed tell? */
static inline bool hbg_promise_is_met(const HbgStatePromise *promise, double time, double value, double speed) {
  const double d = time - promise->time, at = promise->bend * d;
  return fabs(value - promise->value - promise->speed * d) <= at * d && fabs(speed - promise->speed) <= 2 * at;
}

/* Is what guards rely on true of a state that goes on like this from `time` on, by a new series? */
static inline bool hbg_promise_is_kept(const HbgStatePromise *promise, double time, double value, double speed, double bend) {
  return bend <= promise->bend && hbg_promise_is_met(promise, time, value, speed);
}

/* What guards may rely on from the present instant on of a state that moves like this: that of `time`, or of one before. With a tangent that is within what has been
 * promised, and no more bend, the present time takes the place of the one before: it says more. Of what has jumped since less may be true from now on than was
 * promised from then on, so who asks now has to do with the old one. */
static inline HbgStatePromise hbg_promise_from(HbgStatePromise *promise, const HbgStateMotion *motion) {
  const HbgStatePromise now = {motion->time, motion->value, motion->speed, motion->bend};
  if (isnan(promise->time)) return now;
  const bool is_none = promise->bend < 0;
  if (!is_none && !(now.bend <= promise->bend && hbg_promise_is_met(promise, now.time, now.value, now.speed))) return *promise;
  const bool is_loose = is_none || promise->bend > HBG_PROMISE_LOOSE * now.bend;
  const HbgStatePromise renewed = {now.time, now.value, now.speed, is_loose ? HBG_PROMISE_ROOM * now.bend : promise->bend};
  *promise = renewed;
  return renewed;
}

#endif

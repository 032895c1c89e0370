/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/ticks.h"

#include <math.h>

static double edge(const HbgTick *tick, double k, bool falling) {
  const double rising = k > 0 ? tick->start + k * tick->period : tick->start;
  return falling ? rising + tick->width : rising;
}

/* Number of the period that `t` lies in; -1 before the first. */
static double period_at(const HbgTick *tick, double t) {
  if (t < tick->start) return -1;
  if (isinf(tick->period)) return 0;
  double k = floor((t - tick->start) / tick->period);
  // the division may be off by one against the edges as they are computed
  while (k > 0 && edge(tick, k, false) > t) k -= 1;
  while (edge(tick, k + 1, false) <= t) k += 1;
  return k;
}

bool hbg_tick_value(const HbgTick *tick, double t) {
  const double k = period_at(tick, t);
  return k >= 0 && t < edge(tick, k, true);
}

double hbg_tick_next(const HbgTick *tick, double t) {
  const double k = period_at(tick, t);
  if (k < 0) return tick->start;
  const double falling = edge(tick, k, true);
  if (t < falling) return falling;
  return isinf(tick->period) ? (double)INFINITY : edge(tick, k + 1, false);
}

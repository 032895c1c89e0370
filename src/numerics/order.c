/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/order.h"

#include <math.h>

#include "numerics/runge_kutta.h"

enum {
  PATIENCE = 6,        /* steps: what a few smooth ones tell of the next */
  MOST_PATIENCE = 384,
  SETTLED = 4          /* steps after which the length of those of the high order is what it will be */
};

static const double first_gain = 2.5;
/* What steps of 1e-13 leave between the two orders. More is said by a step of the low order that was still growing when it was left. */
static const double most_gain = 10;
/* Where stability limits the steps, those of the high order are 2.2 times as long, and cost as much. */
static const double margin = 1.15;

HbgOrder hbg_order(const HbgPair *low, const HbgPair *high) {
  return (HbgOrder){.low = low, .high = high, .patience = PATIENCE};
}

const HbgPair *hbg_order_restart(HbgOrder *order, const HbgPair *present, double *next_h) {
  order->smooth = 0;
  if (present == order->low) return present;
  order->gain = fmin(most_gain, fmax(1, *next_h / order->low_h));
  *next_h = fmin(*next_h, order->low_h);
  return order->low;
}

/* Steps of the high order must be so much longer to cost less. */
static double gain_needed(const HbgOrder *order, bool reads) {
  const int32_t low = order->low->stage_count + (reads ? order->low->dense_stage_count : 0);
  const int32_t high = order->high->stage_count + (reads ? order->high->dense_stage_count : 0);
  return margin * high / low;
}

const HbgPair *hbg_order_choose(HbgOrder *order, const HbgPair *present, bool was_cut, bool reads, double *next_h) {
  if (!order->high || was_cut) return present;
  order->smooth++;
  if (present == order->low) {
    if (order->smooth < order->patience) return present;
    order->smooth = 0;
    order->low_h = *next_h;
    *next_h *= order->gain > 0 ? order->gain : first_gain;
    return order->high;
  }
  if (order->smooth < SETTLED || *next_h >= gain_needed(order, reads) * order->low_h) return present;
  order->smooth = 0;
  order->patience = order->patience < MOST_PATIENCE ? 4 * order->patience : order->patience;
  order->gain = 0;
  *next_h = fmin(*next_h, order->low_h);
  return order->low;
}

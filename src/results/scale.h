/* SPDX-License-Identifier: BSD-3-Clause
 * An axis: a range of values, round numbers on it, and where a value falls on paper. */
#ifndef RESULTS_SCALE_H
#define RESULTS_SCALE_H

#include <stdint.h>

typedef struct HbgScale {
  double least, most;      /* values at the ends */
  double from, to;         /* their places on paper */
  double step;             /* between ticks: 1, 2 or 5 times a power of ten */
  double first_tick;
  int32_t tick_count;
} HbgScale;

/* A scale for values of [least, most] with about `tick_count` ticks. Ends that are equal are moved apart. */
HbgScale hbg_scale(double least, double most, int32_t tick_count);
/* The same with its ends moved out to leave `margin` of the range free on each side. */
HbgScale hbg_scale_with_margin(double least, double most, double margin, int32_t tick_count);
double hbg_scale_tick(const HbgScale *scale, int32_t tick);
/* Where `value` is on paper. */
double hbg_scale_place(const HbgScale *scale, double value);

#endif

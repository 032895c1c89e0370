/* SPDX-License-Identifier: BSD-3-Clause
 * An axis. */
#include "results/scale.h"

#include <math.h>

/* The round number (1, 2 or 5 times a power of ten) nearest above `rough`: Heckbert, "Nice numbers for graph labels",
 * Graphics Gems (1990), with its thresholds taken so that there are never more ticks than asked for. */
static double round_step(double rough) {
  const double power = pow(10.0, floor(log10(rough)));
  const double fraction = rough / power;
  const double slack = 1e-9; // a range that is a round number but for round-off has its round steps
  if (fraction <= 1.0 + slack) return power;
  if (fraction <= 2.0 + slack) return 2.0 * power;
  return fraction <= 5.0 + slack ? 5.0 * power : 10.0 * power;
}

HbgScale hbg_scale(double least, double most, int32_t tick_count) {
  // a constant gets a band of a tenth of its size around it
  if (!(most - least > 1e-12 * fmax(fabs(least), fabs(most)))) {
    const double half = least == 0.0 ? 0.5 : 0.1 * fabs(least);
    most = least + half;
    least -= half;
  }
  HbgScale scale = {.least = least, .most = most, .from = 0.0, .to = 1.0};
  scale.step = round_step((most - least) / tick_count);
  const double slack = 1e-9; // of a step: an end that is a tick but for round-off keeps it
  const double first = ceil(least / scale.step - slack);
  scale.first_tick = first * scale.step;
  scale.tick_count = (int32_t)(floor(most / scale.step + slack) - first) + 1;
  return scale;
}

HbgScale hbg_scale_with_margin(double least, double most, double margin, int32_t tick_count) {
  const HbgScale bare = hbg_scale(least, most, tick_count);
  const double room = margin * (bare.most - bare.least);
  return hbg_scale(bare.least - room, bare.most + room, tick_count);
}

double hbg_scale_tick(const HbgScale *scale, int32_t tick) {
  const double value = scale->step * (round(scale->first_tick / scale->step) + tick);
  return value == 0.0 ? 0.0 : value;
}

double hbg_scale_place(const HbgScale *scale, double value) {
  return scale->from + (value - scale->least) / (scale->most - scale->least) * (scale->to - scale->from);
}

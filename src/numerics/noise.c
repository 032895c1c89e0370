/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring round-off. */
#include "numerics/noise.h"

#include <float.h>
#include <math.h>

HbgNoise hbg_noise(HbgArena *arena, int32_t n) {
  return (HbgNoise){ARENA_NEW(arena, bool, n), ARENA_NEW(arena, double, n), ARENA_NEW(arena, double, n),
                    ARENA_NEW(arena, double, n)};
}

double hbg_scatter(int32_t i) {
  const uint32_t mixed = ((uint32_t)i + 1) * 2654435761u;
  return (double)(mixed >> 8) * 0x1p-23 - 1;
}

/* The rates that become uncertain when all states change in their last digits, and those that hold only round-off by
 * what is tolerated of them. False when they cannot be computed. */
static bool measure(HbgNoise *noise, HbgStepper *stepper, const double *dy) {
  const int32_t n = stepper->n;
  for (int32_t i = 0; i < n; i++) {
    const double digits = 16 * DBL_EPSILON * fabs(stepper->y1[i]);
    const double change = noise->is_noise[i] ? fmax(digits, stepper->tolerance * stepper->scale[i]) : digits;
    noise->state[i] = stepper->y1[i] + change * hbg_scatter(i);
  }
  stepper->counts.evaluations++;
  if (stepper->rhs(stepper->t1, noise->state, noise->rate, stepper->user) != 0) return false;
  if (stepper->round_off) stepper->round_off(stepper->t1, stepper->y1, noise->round_off, stepper->user);
  for (int32_t i = 0; i < n; i++) noise->rate[i] = fabs(noise->rate[i] - dy[i]);
  return true;
}

static bool raise_scales(HbgNoise *noise, HbgStepper *stepper, double h, double far, const double *decay) {
  bool raised = false;
  for (int32_t i = 0; i < stepper->n; i++) {
    const double time = decay && h * decay[i] > 1 ? 1 / decay[i] : h;
    const double known = decay && far * decay[i] > 1 ? noise->round_off[i] / decay[i] : far * noise->round_off[i];
    const double size = fmax(time * noise->rate[i], known) / stepper->tolerance;
    if (!isfinite(size) || size <= stepper->scale[i] || size <= fabs(stepper->y1[i])) continue;
    stepper->scale[i] = size;
    raised = noise->is_noise[i] = true;
  }
  return raised;
}

bool hbg_noise_forgive(HbgNoise *noise, HbgStepper *stepper, const double *dy, double h, double far,
                       const double *decay) {
  // a state may follow one that is noise, and another one that: a few in a row
  int pass = 0;
  while (pass < 8 && measure(noise, stepper, dy) && raise_scales(noise, stepper, h, far, decay)) pass++;
  return pass > 0;
}

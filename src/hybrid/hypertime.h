/* SPDX-License-Identifier: BSD-3-Clause
 * Hyperdense time <t + k eps, n>: a pinnacle advances `eps`, a mythical mode advances `n` (Mosterman, Simko, Zander 2013,
 * sections 2.3 and 2.4). */
#ifndef HYBRID_HYPERTIME_H
#define HYBRID_HYPERTIME_H

#include <math.h>
#include <stdint.h>

#include "numerics/stepper.h"

typedef struct HbgHyperTime {
  double t;    /* real time [s] */
  int32_t eps; /* infinitesimals taken at t; -1: the left limit */
  int32_t n;   /* inferences made at t + eps */
} HbgHyperTime;

static inline HbgHyperTime hbg_hypertime_next_inference(HbgHyperTime now) {
  return (HbgHyperTime){now.t, now.eps, now.n + 1};
}
static inline HbgHyperTime hbg_hypertime_next_layer(HbgHyperTime now) {
  return (HbgHyperTime){now.t, now.eps + 1, 0};
}

/* `root`, but not before the next time that can be told from `t`, which is no later. */
static inline double hbg_time_behind(double t, double root) {
  if (root > t && root >= HBG_LEAST_TIME) return root;
  return t < HBG_LEAST_TIME ? HBG_LEAST_TIME : nextafter(t, HUGE_VAL);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Hyperdense time <t + k eps, n>: a pinnacle advances `eps`, a mythical mode advances `n` (Mosterman, Simko, Zander 2013,
 * sections 2.3 and 2.4). */
#ifndef HYBRID_HYPERTIME_H
#define HYBRID_HYPERTIME_H

#include <stdint.h>

typedef struct HbgHyperTime {
  double t;    /* real time [s] */
  int32_t eps; /* infinitesimals taken at t; -1: the left limit */
  int32_t n;   /* inferences made at t + eps */
} HbgHyperTime;

/* Negative, zero or positive as `a` is before, at or after `b` (lexicographic). */
static inline int hbg_hypertime_compare(HbgHyperTime a, HbgHyperTime b) {
  if (a.t < b.t || a.t > b.t) return a.t < b.t ? -1 : 1;
  if (a.eps != b.eps) return a.eps < b.eps ? -1 : 1;
  return (a.n > b.n) - (a.n < b.n);
}
static inline HbgHyperTime hbg_hypertime_next_inference(HbgHyperTime now) {
  return (HbgHyperTime){now.t, now.eps, now.n + 1};
}
static inline HbgHyperTime hbg_hypertime_next_layer(HbgHyperTime now) {
  return (HbgHyperTime){now.t, now.eps + 1, 0};
}

#endif

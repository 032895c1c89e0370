/* SPDX-License-Identifier: BSD-3-Clause
 * When, in the course of a causality assignment, a bond gets its causality: the rank of the choice that led to it, and
 * how far the choice had been propagated by then. Moments are compared as numbers. */
#ifndef CAUSALITY_MOMENT_H
#define CAUSALITY_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

typedef int64_t HbgMoment;

#define HBG_NEVER INT64_MAX

/* Choices in their order; within one of them nodes and bonds in the order of the model, that is by name. */
typedef enum HbgPhase {
  HBG_PHASE_SE,
  HBG_PHASE_SE_PORT, /* of a 0-junction that is off, or that a source fixes */
  HBG_PHASE_SF,
  HBG_PHASE_SF_PORT,
  HBG_PHASE_LONELY, /* a junction with a single bond */
  HBG_PHASE_STORAGE,
  HBG_PHASE_RATIO,  /* a two-port whose ratio varies */
  HBG_PHASE_FORM,   /* a resistor whose law has only one form, or a better one */
  HBG_PHASE_RESISTOR,
  HBG_PHASE_REST,
  HBG_PHASES
} HbgPhase;

/* `stride`: more than any index. */
static inline HbgMoment hbg_moment(HbgPhase phase, int32_t index, int32_t stride) {
  return ((int64_t)phase * stride + index) * ((int64_t)1 << 32);
}
/* One step of propagation later. */
static inline HbgMoment hbg_moment_next(HbgMoment moment) { return moment == HBG_NEVER ? HBG_NEVER : moment + 1; }

#endif

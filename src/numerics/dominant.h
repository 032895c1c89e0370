/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the rates of two neighbouring states differ, over how far they are apart: an estimate of the dominant eigenvalue of the
 * Jacobian (HNW II, IV.2), relative to the sizes of the states. */
#ifndef NUMERICS_DOMINANT_H
#define NUMERICS_DOMINANT_H

#include <stdint.h>

/* Two states and their rates (n each), and the sizes that states are known to reach. */
typedef struct HbgNeighbours {
  const double *state, *other;
  const double *rate, *other_rate;
  const double *scale;
} HbgNeighbours;

/* |difference of rates| / |difference of states| in the Euclidean norm, each component over max(|state|, scale) where that is not 0; 0 where
 * the states are the same. The same bits on every machine. */
double hbg_dominant_rate(int32_t n, const HbgNeighbours *pair);
/* The same, and how much of it brings them nearer to each other: all of it where that decays, nothing where it goes round. */
double hbg_dominant_rate_and_decay(int32_t n, const HbgNeighbours *pair, double *decay);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers that are functions of a place, not of what was drawn before: number `index` of stream `stream` under `seed`.
 * So neither the order of the asking nor the machine matters: only additions, multiplications, divisions and square roots,
 * which IEEE 754 rounds in one way, stand between the bits and the number. */
#ifndef NUMERICS_RANDOM_H
#define NUMERICS_RANDOM_H

#include <stdint.h>

typedef struct HbgRandomPlace {
  uint64_t seed, stream, index;
} HbgRandomPlace;

/* Philox4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC'11):
 * `block` (4), the counter, becomes 128 random bits under `key` (2). */
void hbg_random_philox(uint32_t block[4], const uint32_t key[2]);
/* Uniform over the 2^52 middles of equal parts of (0, 1): neither 0 nor 1, and symmetric about 1/2. */
double hbg_random_uniform(HbgRandomPlace place);
/* Normal with mean 0 and standard deviation 1. */
double hbg_random_normal(HbgRandomPlace place);
/* The number below which a standard normal variable is with the probability `p`, 0 < p < 1: algorithm AS 241 (PPND16) of
 * M. J. Wichura, "The percentage points of the normal distribution", Applied Statistics 37 (1988), to about 16 figures. */
double hbg_normal_quantile(double p);

#endif

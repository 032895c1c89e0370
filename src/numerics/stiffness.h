/* SPDX-License-Identifier: BSD-3-Clause
 * When to integrate implicitly and when to stop it: what an explicit method would cost against what an implicit one does.
 *
 * A step h at which the fastest eigenvalue has the size rho costs an explicit method about h rho implicit steps (Dormand and
 * Prince: stable to h rho = 3.3 with six evaluations; an implicit step: about two and a solve). While the implicit method
 * runs, what has been lost by it, 1 - h rho per step, is added up and kept above a floor (a cumulative sum, Page 1954): a few
 * short steps behind an event do not count against the long ones between events. Each time the explicit method has to give
 * up again, more patience is asked of the next change: over S steps there are O(log S) changes, whatever the problem. */
#ifndef NUMERICS_STIFFNESS_H
#define NUMERICS_STIFFNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct HbgSparsity HbgSparsity;

typedef struct HbgStiffness {
  bool is_stiff;
  double loss;     /* implicit steps taken in vain so far; at least -4 patience */
  double patience; /* loss at which the implicit method is left; 0 counts as the first one */
} HbgStiffness;

/* The explicit method has found the problem stiff. */
void hbg_stiffness_begin(HbgStiffness *stiffness);
/* An implicit step at which h rho was `speed`. False when it should be the last one: is_stiff has been cleared. */
bool hbg_stiffness_go_on(HbgStiffness *stiffness, double speed);
/* Implicit steps by each of which the method was worth it: `gain` is the sum of their h rho - 1. The same as to go on with them one by one. */
void hbg_stiffness_gain(HbgStiffness *stiffness, double gain);

/* The size of the fastest eigenvalue of a matrix with the pattern `sparsity` and entries `value`, by the growth of a vector
 * (power method), separately for each block of a matrix that is block-diagonal: block_of[i] (n) is the block of row and column
 * i, radius[b] its result. `scale` (n): sizes of the states, which units must not matter against. An estimate: good to a
 * factor of two. `scratch` is left as it was. */
void hbg_spectral_radius(int32_t n, const HbgSparsity *sparsity, const double *value, const double *scale,
                         const int32_t *block_of, int32_t block_count, double *radius, HbgArena *scratch);

#endif

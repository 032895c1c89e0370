/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/stiffness.h"

#include <math.h>

#include "numerics/bdf.h"
#include "numerics/noise.h"

static const double FIRST_PATIENCE = 25;

void hbg_stiffness_begin(HbgStiffness *stiffness) {
  stiffness->is_stiff = true;
  stiffness->loss = 0;
  stiffness->patience = stiffness->patience > 0 ? 2 * stiffness->patience : FIRST_PATIENCE;
}

bool hbg_stiffness_go_on(HbgStiffness *stiffness, double speed) {
  stiffness->loss = fmax(stiffness->loss + 1 - speed, -4 * stiffness->patience);
  if (stiffness->loss < stiffness->patience) return true;
  stiffness->is_stiff = false;
  return false;
}

void hbg_stiffness_gain(HbgStiffness *stiffness, double gain) {
  stiffness->loss = fmax(stiffness->loss - gain, -4 * stiffness->patience);
}

/* ---- spectral radius ---- */

enum { WARM_UP = 6, ROUNDS = 12 };

static double size_of(const double *scale, int32_t i) { return scale[i] > 0 ? scale[i] : 1; }

/* y = D^-1 A D x with the scales D. */
static void multiply(int32_t n, const HbgSparsity *a, const double *value, const double *scale, const double *x, double *y) {
  for (int32_t i = 0; i < n; i++) y[i] = 0;
  for (int32_t j = 0; j < n; j++) {
    const double moved = x[j] * size_of(scale, j);
    for (int32_t k = a->column[j]; k < a->column[j + 1]; k++) y[a->row[k]] += value[k] * moved;
  }
  for (int32_t i = 0; i < n; i++) y[i] /= size_of(scale, i);
}

/* Brings each block of `x` to length one; `length` (block_count) is what it was. */
static void normalise(int32_t n, double *x, const int32_t *block_of, int32_t block_count, double *length) {
  for (int32_t b = 0; b < block_count; b++) length[b] = 0;
  for (int32_t i = 0; i < n; i++) length[block_of[i]] += x[i] * x[i];
  for (int32_t b = 0; b < block_count; b++) length[b] = sqrt(length[b]);
  for (int32_t i = 0; i < n; i++)
    if (length[block_of[i]] > 0) x[i] /= length[block_of[i]];
}

void hbg_spectral_radius(int32_t n, const HbgSparsity *sparsity, const double *value, const double *scale,
                         const int32_t *block_of, int32_t block_count, double *radius, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  double *x = ARENA_NEW(scratch, double, n), *y = ARENA_NEW(scratch, double, n);
  double *length = ARENA_NEW(scratch, double, block_count), *growth = ARENA_NEW(scratch, double, block_count);
  for (int32_t i = 0; i < n; i++) x[i] = hbg_scatter(i);
  normalise(n, x, block_of, block_count, length);
  for (int round = 0; round < ROUNDS; round++) {
    multiply(n, sparsity, value, scale, x, y);
    double *spare = x;
    x = y;
    y = spare;
    normalise(n, x, block_of, block_count, length);
    for (int32_t b = 0; b < block_count; b++)
      if (round >= WARM_UP) growth[b] += log(length[b]);
  }
  for (int32_t b = 0; b < block_count; b++) {
    radius[b] = exp(growth[b] / (ROUNDS - WARM_UP));
    if (isnan(radius[b])) radius[b] = (double)INFINITY;
  }
  hbg_arena_rewind(scratch, mark);
}

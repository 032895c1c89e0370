/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/dominant.h"

#include <math.h>

#include "base/numbers.h"
#include "numerics/clones.h"

/* Sums run side by side in as many lanes as the widest vectors have, and are joined in one order whatever the machine has. */
enum { LANES = 8 };

typedef struct Squares {
  double rates[LANES], states[LANES], products[LANES];
} Squares;

static inline void add(Squares *sum, int lane, const HbgNeighbours *pair, int32_t i) {
  const double size = hbg_larger(fabs(pair->state[i]), pair->scale[i]), weight = size > 0 ? 1 / size : 0;
  const double a = (pair->rate[i] - pair->other_rate[i]) * weight, b = (pair->state[i] - pair->other[i]) * weight;
  sum->rates[lane] += a * a;
  sum->states[lane] += b * b;
  sum->products[lane] += a * b;
}

CLONES static void add_all(int32_t n, const HbgNeighbours *pair, Squares *sum) {
  Squares lanes = {{0}, {0}, {0}};
  const HbgNeighbours here = *pair;
  int32_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int lane = 0; lane < LANES; lane++) add(&lanes, lane, &here, i + lane);
  for (int lane = 0; i < n; i++, lane++) add(&lanes, lane, &here, i);
  *sum = lanes;
}

static double join(const double *lane) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double hbg_dominant_rate(int32_t n, const HbgNeighbours *pair) {
  double decay;
  return hbg_dominant_rate_and_decay(n, pair, &decay);
}

double hbg_dominant_rate_and_decay(int32_t n, const HbgNeighbours *pair, double *decay) {
  Squares sum;
  add_all(n, pair, &sum);
  const double distance = join(sum.states);
  *decay = distance > 0 ? -join(sum.products) / distance : 0;
  return distance > 0 ? sqrt(join(sum.rates) / distance) : 0;
}

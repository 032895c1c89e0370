// SPDX-License-Identifier: BSD-3-Clause
// Blocks that stick and slip: on a belt that carries them, and on a floor that brings them to rest.
#include <stdlib.h>

#include "../numerics/switching.h"
#include "all.h"

typedef struct {
  double belt, ground, coupling, kinetic, breakaway;  // speed, stiffness of the springs to the ground and between blocks, forces
  long n;
  long changes;  // how often a block began to stick or to slip
  double *slip;  // 1: slips ahead, -1: slips behind, 0: sticks
  double *free_; // 1: slips, 0: sticks
} Blocks;

// What the springs pull with; places stand first in a state, speeds behind them.
BENCH_INLINE double pull(const Blocks *blocks, const double *x, long i) {
  double sum = -blocks->ground*x[i], coupling = blocks->coupling;
  long n = blocks->n;
  if (i > 0) sum += coupling*(x[i - 1] - x[i]);
  if (i + 1 < n) sum += coupling*(x[i + 1] - x[i]);
  return sum;
}

static void rates(double t, const double *restrict y, double *restrict dy, void *model) {
  (void)t;
  Blocks *blocks = model;
  long n = blocks->n;
  const double *restrict x = y, *restrict v = y + n, *restrict slip = blocks->slip, *restrict free_ = blocks->free_;
  double *restrict a = dy + n;
  for (long i = 0; i < n; i++) dy[i] = v[i];
  double ground = blocks->ground, coupling = blocks->coupling, kinetic = blocks->kinetic;
  a[0] = free_[0]*(pull(blocks, x, 0) - kinetic*slip[0]);
  for (long i = 1; i < n - 1; i++) a[i] = free_[i]*(-ground*x[i] + coupling*(x[i - 1] - 2*x[i] + x[i + 1]) - kinetic*slip[i]);
  if (n > 1) a[n - 1] = free_[n - 1]*(pull(blocks, x, n - 1) - kinetic*slip[n - 1]);
}

static double guard(long i, const double *y, void *model) {
  Blocks *blocks = model;
  double slip = blocks->slip[i];
  return slip != 0 ? slip*(y[blocks->n + i] - blocks->belt) : blocks->breakaway - fabs(pull(blocks, y, i));
}

static double trend(long i, const double *y, const double *dy, void *model) {
  Blocks *blocks = model;
  double slip = blocks->slip[i];
  return slip != 0 ? slip*dy[blocks->n + i] : -copysign(1, pull(blocks, y, i))*pull(blocks, dy, i);
}

static long reads(long i, long *states, void *model) {
  Blocks *blocks = model;
  long count = 0;
  if (blocks->slip[i] != 0) {
    states[count++] = blocks->n + i;
    return count;
  }
  for (long k = i - 1; k <= i + 1; k++)
    if (k >= 0 && k < blocks->n) states[count++] = k;
  return count;
}

static void set(Blocks *blocks, long i, double slip) {
  blocks->slip[i] = slip;
  blocks->free_[i] = slip != 0;
}

static void fire(long i, double t, double *y, void *model) {
  (void)t;
  Blocks *blocks = model;
  double force = pull(blocks, y, i), ahead = force > 0 ? 1 : -1;
  bool slipped = blocks->slip[i] != 0;
  bool sticks = slipped && fabs(force) <= blocks->breakaway;
  if (slipped) y[blocks->n + i] = blocks->belt;
  blocks->changes += slipped == sticks;
  set(blocks, i, sticks ? 0 : ahead);
}

BENCH_INLINE long run(Blocks blocks, double *state, double end, double exact_step, long *changes) {
  long n = blocks.n;
  double *memory = bench_memory(2*(size_t)n*sizeof *memory);
  blocks.slip = memory;
  blocks.free_ = memory + n;
  for (long i = 0; i < n; i++) set(&blocks, i, state[n + i] > blocks.belt ? 1 : state[n + i] < blocks.belt ? -1 : 0);
  const Switching system = {.states = 2*n, .guards = n, .end = end, .rates = rates, .guard = guard, .trend = trend, .reads = reads,
                            .fire = fire, .model = &blocks};
  long events = exact_step > 0 ? switched_exactly(&system, state, exact_step) : switched_by_hand(&system, state, 1e-8, 1e-10, 1e-3);
  free(memory);
  *changes = blocks.changes;
  return events;
}

BENCH_INLINE long belt(long n, double *values, double exact_step) {
  Blocks blocks = {.belt = 0.5, .ground = 1, .coupling = 0.5, .kinetic = 1, .breakaway = 1.5, .n = n};
  long changes;
  for (long i = 0; i < n; i++) {
    values[i] = n == 1 ? 0 : 0.2*sin(1.7*(double)(i + 1));
    values[n + i] = blocks.belt;
  }
  return run(blocks, values, 100, exact_step, &changes);
}

static long on_belt(long n, double *values) { return belt(n, values, 0); }
static long on_belt_exactly(long n, double *values, long *instants) { return *instants = belt(n, values, 0.5); }

// Where a block turns round without resting nothing but the sign of a law changes: that is no event of a model.
BENCH_INLINE long friction(long n, double *values, double exact_step, long *changes) {
  Blocks blocks = {.coupling = 2, .kinetic = 0.7, .breakaway = 0.7, .n = n};
  for (long i = 0; i < n; i++) {
    values[i] = 0;
    values[n + i] = 3*sin(2.3*(double)(i + 1));
  }
  return run(blocks, values, 10, exact_step, changes);
}

static long on_floor(long n, double *values) {
  long changes;
  return friction(n, values, 0, &changes);
}

static long on_floor_exactly(long n, double *values, long *instants) { return friction(n, values, 0.25, instants); }

const Workload bench_belt = {
  .name = "W5", .title = "stick and slip", .model = "belt", .sizes = {1, 10, 100, 1000}, .quick = 100, .allowed = 1e-5,
  .columns = {"spring[%ld].q", "motion[%ld].f"}, .exact = on_belt_exactly, .hand = on_belt,
};

const Workload bench_friction = {
  .name = "friction", .title = "blocks on a rough floor", .model = "friction", .sizes = {10, 100, 1000}, .quick = 10, .allowed = 1e-5,
  .columns = {"place[%ld]", "motion[%ld].f"}, .exact = on_floor_exactly, .hand = on_floor,
};

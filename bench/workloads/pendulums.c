// SPDX-License-Identifier: BSD-3-Clause
// Pendulums in a row: smooth, and not linear. The second method is the explicit midpoint rule, extrapolated (Hairer, Norsett, Wanner:
// Solving Ordinary Differential Equations I, II.9).
#include <stdlib.h>

#include "../numerics/dp5.h"
#include "all.h"

static const double end = 20;

static void rates(double t, const double *restrict y, double *restrict dy, void *model) {
  (void)t;
  long n = *(long *)model;
  const double *restrict x = y, *restrict v = y + n;
  double *restrict a = dy + n;
  for (long i = 0; i < n; i++) dy[i] = v[i];
  for (long i = 0; i < n; i++) a[i] = -2*sin(x[i]);
  for (long i = 0; i + 1 < n; i++) {
    double torque = 0.5*(x[i] - x[i + 1]);
    a[i] -= torque;
    a[i + 1] += torque;
  }
}

static void start(long n, double *state) {
  for (long i = 0; i < n; i++) state[i] = 2*cos(0.7*(double)(i + 1)), state[n + i] = 0;
}

static long by_hand(long n, double *values) {
  Dp5 dp5;
  dp5_begin(&dp5, 2*n, 1e-8, 1e-10, 1e-3);
  start(n, dp5.state);
  dp5_restart(&dp5, rates, &n);
  while (end - dp5.time > 1e-13) {
    dp5_try(&dp5, end, rates, &n);
    dp5_accept(&dp5);
  }
  memcpy(values, dp5.state, 2*(size_t)n*sizeof *values);
  dp5_end(&dp5);
  return 0;
}

enum { ROWS = 8 };  // with 2, 4, ..., 16 steps: the order is 16

// One large step: Gragg's smoothed midpoint rule with more and more small steps, extrapolated to infinitely many.
static void big_step(long n, double h, double *state, double *work) {
  long size = 2*n;
  double *table[ROWS], *rate = work + ROWS*size, *a = rate + size, *b = a + size;
  for (int row = 0; row < ROWS; row++) {
    int steps = 2*(row + 1);
    double small = h/steps, *now = table[row] = work + row*size;
    rates(0, state, rate, &n);
    memcpy(a, state, (size_t)size*sizeof *a);
    for (long i = 0; i < size; i++) b[i] = a[i] + small*rate[i];
    for (int k = 1; k <= steps; k++) {  // a, b: at k - 1 and k
      rates(0, b, rate, &n);
      for (long i = 0; i < size; i++) {
        double next = a[i] + 2*small*rate[i];
        now[i] = 0.25*(a[i] + 2*b[i] + next);
        a[i] = b[i];
        b[i] = next;
      }
    }
    // Aitken and Neville, in the square of the small step: table[k] is the column of the latest row
    for (int k = row - 1; k >= 0; k--) {
      double ratio = (double)steps/(2*(k + 1)), divisor = ratio*ratio - 1;
      for (long i = 0; i < size; i++) table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i])/divisor;
    }
  }
  memcpy(state, table[0], (size_t)size*sizeof *state);
}

static long exactly(long n, double *values, long *instants) {
  enum { STEPS = 200 };
  double *work = bench_memory((ROWS + 3)*2*(size_t)n*sizeof *work);
  start(n, values);
  for (int k = 0; k < STEPS; k++) big_step(n, end/STEPS, values, work);
  free(work);
  return *instants = 0;
}

const Workload bench_pendulums = {
  .name = "pendulums", .title = "row of pendulums", .model = "pendulums", .sizes = {1, 10, 100, 1000, 10000}, .quick = 1000,
  .allowed = 1e-3, .columns = {"angle[%ld]", "turning[%ld].f"}, .exact = exactly, .hand = by_hand,
};

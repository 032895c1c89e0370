// SPDX-License-Identifier: BSD-3-Clause
// Masses between two walls with springs and dampers. The start is the sum of two eigenvectors of the second difference, so each
// of them decays as q'' + c l q' + l q = 0 with its eigenvalue l.
#include "../numerics/dp5.h"
#include "all.h"

static const double damping = 0.02, end = 100;

static double shape(long i, long mode, long n) { return sin(M_PI*(double)i*(double)mode/(double)(n + 1)); }

static long high(long n) { return (n + 1)/2; }

static double decay(long mode, long n) {
  double eigenvalue = 4*pow(sin(M_PI*(double)mode/(2*(double)(n + 1))), 2), b = damping*eigenvalue/2;
  double frequency = sqrt(eigenvalue - b*b);
  return exp(-b*end)*(-sin(frequency*end)*(frequency + b*b/frequency));
}

static long chain_exactly(long states, double *values, long *instants) {
  long n = states/2;
  double slow = decay(1, n), fast = 0.1*decay(high(n), n);
  for (long i = 1; i <= n; i++) values[i - 1] = slow*shape(i, 1, n) + fast*shape(i, high(n), n);
  return *instants = 0;
}

// Positions, then speeds.
static void rates(double t, const double *restrict y, double *restrict dy, void *model) {
  (void)t;
  long n = *(long *)model;
  const double *restrict x = y, *restrict v = y + n;
  double *restrict a = dy + n;
  for (long i = 0; i < n; i++) dy[i] = v[i];
  if (n == 1) {
    a[0] = -2*x[0] - 2*damping*v[0];
    return;
  }
  a[0] = x[1] - 2*x[0] + damping*(v[1] - 2*v[0]);
  for (long i = 1; i < n - 1; i++) a[i] = x[i - 1] - 2*x[i] + x[i + 1] + damping*(v[i - 1] - 2*v[i] + v[i + 1]);
  a[n - 1] = x[n - 2] - 2*x[n - 1] + damping*(v[n - 2] - 2*v[n - 1]);
}

static long chain(long states, double *values) {
  long n = states/2;
  Dp5 dp5;
  dp5_begin(&dp5, states, 1e-6, 1e-9, 1e-2);
  for (long i = 1; i <= n; i++) dp5.state[i - 1] = shape(i, 1, n) + 0.1*shape(i, high(n), n);
  dp5_restart(&dp5, rates, &n);
  while (end - dp5.time > 1e-12) {
    dp5_try(&dp5, end, rates, &n);
    dp5_accept(&dp5);
  }
  memcpy(values, dp5.state + n, (size_t)n*sizeof *values);
  dp5_end(&dp5);
  return 0;
}

static long masses(long states) { return states/2; }

const Workload bench_chain = {
  .name = "W3", .title = "chain of masses", .model = "chain", .sizes = {10, 100, 1000, 10000, 100000}, .quick = 10000, .allowed = 1e-4,
  .columns = {"motion[%ld].f"}, .parts = masses, .exact = chain_exactly, .hand = chain,
};

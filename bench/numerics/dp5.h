// SPDX-License-Identifier: BSD-3-Clause
// Dormand and Prince's Runge-Kutta pair 5(4) with Shampine's dense output (Hairer, Norsett, Wanner: Solving Ordinary Differential
// Equations I, II.5 and II.6), as one writes it by hand for one system: the rates are handed over as a constant and compiled into
// the loops.
#ifndef BENCH_DP5_H
#define BENCH_DP5_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_INLINE static inline __attribute__((always_inline))

// Writes the rates dy of the state y at time t.
typedef void (*BenchRates)(double t, const double *y, double *dy, void *model);

typedef struct {
  long states;
  double relative, absolute;  // tolerances, in the root mean square over the states
  double time, step;          // where it is, and the step to try next
  double taken;               // the step from `state` to `next`
  double *state, *next;
  double *stage, *k[7];
} Dp5;

BENCH_INLINE void dp5_begin(Dp5 *dp5, long states, double tolerance, double absolute, double step) {
  size_t length = ((size_t)states + 7) & ~(size_t)7;
  double *memory = aligned_alloc(64, 10*length*sizeof *memory);
  if (!memory) abort();
  memset(memory, 0, 10*length*sizeof *memory);
  *dp5 = (Dp5){.states = states, .relative = tolerance, .absolute = absolute, .step = step};
  dp5->state = memory;
  dp5->next = memory + length;
  dp5->stage = memory + 2*length;
  for (int i = 0; i < 7; i++) dp5->k[i] = memory + (size_t)(3 + i)*length;
}

BENCH_INLINE void dp5_end(Dp5 *dp5) {
  // the arrays change places from step to step, and the first of them is the one that was allocated
  double *first = dp5->state;
  if (dp5->next < first) first = dp5->next;
  free(first);
}

// After `state` or the rates have changed.
BENCH_INLINE void dp5_restart(Dp5 *dp5, BenchRates rates, void *model) { rates(dp5->time, dp5->state, dp5->k[0], model); }

// Makes one step that is accepted, not beyond `end`, to `next`.
BENCH_INLINE void dp5_try(Dp5 *dp5, double end, BenchRates rates, void *model) {
  const long n = dp5->states;
  const double t = dp5->time, *restrict y = dp5->state;
  double *restrict z = dp5->stage, *restrict next = dp5->next;
  double *restrict k1 = dp5->k[0], *restrict k2 = dp5->k[1], *restrict k3 = dp5->k[2], *restrict k4 = dp5->k[3];
  double *restrict k5 = dp5->k[4], *restrict k6 = dp5->k[5], *restrict k7 = dp5->k[6];
  for (;;) {
    double h = dp5->step;
    int last = t + h >= end;
    if (last) h = end - t;
    for (long i = 0; i < n; i++) z[i] = y[i] + h*(1./5*k1[i]);
    rates(t + h/5, z, k2, model);
    for (long i = 0; i < n; i++) z[i] = y[i] + h*(3./40*k1[i] + 9./40*k2[i]);
    rates(t + 3*h/10, z, k3, model);
    for (long i = 0; i < n; i++) z[i] = y[i] + h*(44./45*k1[i] - 56./15*k2[i] + 32./9*k3[i]);
    rates(t + 4*h/5, z, k4, model);
    for (long i = 0; i < n; i++)
      z[i] = y[i] + h*(19372./6561*k1[i] - 25360./2187*k2[i] + 64448./6561*k3[i] - 212./729*k4[i]);
    rates(t + 8*h/9, z, k5, model);
    for (long i = 0; i < n; i++)
      z[i] = y[i] + h*(9017./3168*k1[i] - 355./33*k2[i] + 46732./5247*k3[i] + 49./176*k4[i] - 5103./18656*k5[i]);
    rates(t + h, z, k6, model);
    for (long i = 0; i < n; i++)
      next[i] = y[i] + h*(35./384*k1[i] + 500./1113*k3[i] + 125./192*k4[i] - 2187./6784*k5[i] + 11./84*k6[i]);
    rates(t + h, next, k7, model);

    double sum = 0;
    for (long i = 0; i < n; i++) {
      double difference = h*(71./57600*k1[i] - 71./16695*k3[i] + 71./1920*k4[i] - 17253./339200*k5[i] + 22./525*k6[i]
                             - 1./40*k7[i]);
      double size = fabs(y[i]) > fabs(next[i]) ? fabs(y[i]) : fabs(next[i]);
      double share = difference/(dp5->absolute + dp5->relative*size);
      sum += share*share;
    }
    double error = sqrt(sum/(double)n);
    double factor = error < 3e-4 ? 5 : 0.9*pow(error, -0.2);
    if (factor > 5) factor = 5;
    if (factor < 0.2) factor = 0.2;
    if (error <= 1) {
      if (!last || factor*h < dp5->step) dp5->step = h*factor;
      dp5->taken = h;
      return;
    }
    dp5->step = h*factor;
  }
}

// Goes to `next`.
BENCH_INLINE void dp5_accept(Dp5 *dp5) {
  double *swap = dp5->state;
  dp5->state = dp5->next;
  dp5->next = swap;
  swap = dp5->k[0];
  dp5->k[0] = dp5->k[6];
  dp5->k[6] = swap;
  dp5->time += dp5->taken;
}

// State i at the share x of the step that was tried.
BENCH_INLINE double dp5_between(const Dp5 *dp5, long i, double x) {
  double h = dp5->taken, *const *k = dp5->k;
  double rise = dp5->next[i] - dp5->state[i], bend = h*k[0][i] - rise, twist = rise - h*k[6][i] - bend;
  double last = h*(-12715105075./11282082432*k[0][i] + 87487479700./32700410799*k[2][i] - 10690763975./1880347072*k[3][i]
                   + 701980252875./199316789632*k[4][i] - 1453857185./822651844*k[5][i] + 69997945./29380423*k[6][i]);
  return dp5->state[i] + x*(rise + (1 - x)*(bend + x*(twist + (1 - x)*last)));
}

#endif

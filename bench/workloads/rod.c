// SPDX-License-Identifier: BSD-3-Clause
// A rod that conducts heat: stiff, with a tridiagonal matrix. By hand: the L-stable SDIRK method of the order 4 of Hairer and Wanner
// (Solving Ordinary Differential Equations II, IV.6), whose stages share one factorisation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "all.h"

static const double end = 0.1;

static double shape(long i, int mode, long n) { return sin(mode*M_PI*(double)i/(double)(n + 1)); }

static double decay(int mode, long n) {
  double half = sin(mode*M_PI/(2*(double)(n + 1)))*(double)(n + 1);
  return exp(-4*half*half*end);
}

static long exactly(long n, double *values, long *instants) {
  double slow = decay(1, n), fast = 0.5*decay(3, n);
  for (long i = 1; i <= n; i++) values[i - 1] = slow*shape(i, 1, n) + fast*shape(i, 3, n);
  return *instants = 0;
}

enum { STAGES = 5 };
static const double gamma_ = 0.25;
static const double stage_weights[STAGES][STAGES] = {
  {1./4}, {1./2, 1./4}, {17./50, -1./25, 1./4}, {371./1360, -137./2720, 15./544, 1./4}, {25./24, -49./48, 125./16, -85./12, 1./4}};
static const double error_weights[STAGES] = {25./24 - 59./48, -49./48 + 17./96, 125./16 - 225./32, 0, 1./4};

typedef struct {
  long n;
  double *state, *next, *pivot, *rate[STAGES];
} Rod;

static void factorise(Rod *rod, double side) {
  double diagonal = 1 - 2*side;
  rod->pivot[0] = 1/diagonal;
  for (long i = 1; i < rod->n; i++) rod->pivot[i] = 1/(diagonal - side*side*rod->pivot[i - 1]);
}

// k = J (z + h gamma k)
static void solve_stage(Rod *rod, int stage, double h) {
  long n = rod->n;
  double conductance = (double)(n + 1)*(double)(n + 1), side = -gamma_*h*conductance;
  const double *restrict y = rod->state, *restrict pivot = rod->pivot, *weight = stage_weights[stage];
  double *restrict z = rod->next, *restrict k = rod->rate[stage], *const *rate = rod->rate;
  switch (stage) {
    case 0: for (long i = 0; i < n; i++) z[i] = y[i]; break;
    case 1: for (long i = 0; i < n; i++) z[i] = y[i] + h*(weight[0]*rate[0][i]); break;
    case 2: for (long i = 0; i < n; i++) z[i] = y[i] + h*(weight[0]*rate[0][i] + weight[1]*rate[1][i]); break;
    case 3: for (long i = 0; i < n; i++) z[i] = y[i] + h*(weight[0]*rate[0][i] + weight[1]*rate[1][i] + weight[2]*rate[2][i]); break;
    default:
      for (long i = 0; i < n; i++)
        z[i] = y[i] + h*(weight[0]*rate[0][i] + weight[1]*rate[1][i] + weight[2]*rate[2][i] + weight[3]*rate[3][i]);
  }
  double before = 0;
  for (long i = 0; i < n; i++) {
    double right = conductance*((i > 0 ? z[i - 1] : 0) - 2*z[i] + (i + 1 < n ? z[i + 1] : 0));
    k[i] = before = (right - side*before)*pivot[i];
  }
  for (long i = n - 2; i >= 0; i--) k[i] -= side*pivot[i]*k[i + 1];
}

static double finish_step(Rod *rod, double h) {
  double sum = 0, *const *rate = rod->rate;
  const double *weight = stage_weights[STAGES - 1];
  for (long i = 0; i < rod->n; i++) {
    double y = rod->state[i], change = 0, difference = 0;
    for (int s = 0; s < STAGES; s++) {
      change += weight[s]*rate[s][i];
      difference += error_weights[s]*rate[s][i];
    }
    rod->next[i] = y + h*change;
    double share = h*difference/(1e-9 + 1e-6*fmax(fabs(y), fabs(rod->next[i])));
    sum += share*share;
  }
  return sqrt(sum/(double)rod->n);
}

static long by_hand(long n, double *values) {
  double *memory = bench_memory((STAGES + 3)*(size_t)n*sizeof *memory);
  Rod rod = {.n = n, .state = memory, .next = memory + n, .pivot = memory + 2*n};
  for (int s = 0; s < STAGES; s++) rod.rate[s] = memory + (3 + s)*n;
  for (long i = 1; i <= n; i++) rod.state[i - 1] = shape(i, 1, n) + 0.5*shape(i, 3, n);

  double step = 1e-5, factorised = 0;
  for (double time = 0; time < end;) {
    bool last = time + step >= end*(1 - 1e-14);
    double h = last ? end - time : step;
    if (h != factorised) factorise(&rod, -gamma_*h*(double)(n + 1)*(double)(n + 1));
    factorised = h;
    for (int s = 0; s < STAGES; s++) solve_stage(&rod, s, h);
    double error = finish_step(&rod, h), factor = 0.9*pow(error + 1e-10, -0.25);
    if (error <= 1) {
      double *swap = rod.state;
      rod.state = rod.next;
      rod.next = swap;
      time += h;
      if (last) break;
      if (factor < 1 || factor > 1.3) step = h*fmin(factor, 4);  // else the factorisation serves again
    } else {
      step = h*fmax(factor, 0.2);
    }
  }
  memcpy(values, rod.state, (size_t)n*sizeof *values);
  free(memory);
  return 0;
}

const Workload bench_rod = {
  .name = "W6", .title = "stiff rod", .model = "rod", .sizes = {10, 100, 1000, 10000, 100000}, .quick = 10000, .allowed = 1e-4,
  .columns = {"T[%ld].e"}, .exact = exactly, .hand = by_hand,
};

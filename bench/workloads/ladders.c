// SPDX-License-Identifier: BSD-3-Clause
// Ladders of cells that act on each other: with switched loads, without losses, with diodes.
#include <stdlib.h>

#include "../numerics/switching.h"
#include "all.h"

// Currents of the coils first, then voltages of the capacitors.
typedef struct {
  long n;
  double *load;          // conductance across each cell
  double wire, coil, capacitor;
  long *cell;            // which cell is switched, in order of time within a period
  double *time;          // and when
  long edge;             // the next one, counted over all periods
} Ladder;

static void ladder_rates(double t, const double *restrict y, double *restrict dy, void *model) {
  (void)t;
  const Ladder *ladder = model;
  long n = ladder->n;
  const double *restrict current = y, *restrict voltage = y + n, *restrict load = ladder->load;
  double wire = ladder->wire, per_coil = 1/ladder->coil, per_capacitor = 1/ladder->capacitor;
  double *restrict rise = dy + n;
  dy[0] = (1 - voltage[0] - wire*current[0])*per_coil;
  for (long i = 1; i < n; i++) dy[i] = (voltage[i - 1] - voltage[i] - wire*current[i])*per_coil;
  for (long i = 0; i < n - 1; i++) rise[i] = (current[i] - current[i + 1] - load[i]*voltage[i])*per_capacitor;
  rise[n - 1] = (current[n - 1] - load[n - 1]*voltage[n - 1])*per_capacitor;
}

// Edge k of a period belongs to the cell k/2; even ones switch on.
static double edge_time(long k) {
  double on = fmod(0.618034*(double)(k/2 + 1), 1);
  return k%2 == 0 ? on : on < 0.5 ? on + 0.5 : on - 0.5;
}

static int by_time(const void *a, const void *b) {
  double x = edge_time(*(const long *)a), y = edge_time(*(const long *)b);
  return (x > y) - (x < y);
}

static double ladder_next(void *model) {
  const Ladder *ladder = model;
  long edges = 2*ladder->n;
  return ladder->time[ladder->edge%edges] + (double)(ladder->edge/edges);
}

static void ladder_tick(double t, double *y, void *model) {
  (void)t;
  (void)y;
  Ladder *ladder = model;
  long k = ladder->cell[ladder->edge%(2*ladder->n)];
  ladder->load[k/2] = k%2 == 0 ? 0.25 : 0;
  ladder->edge++;
  // in the first period some would be switched off before they have been on
  while (ladder->edge < 2*ladder->n && (k = ladder->cell[ladder->edge])%2 == 1 && ladder->load[k/2] == 0) ladder->edge++;
}

BENCH_INLINE long switched(long n, double *values, bool exactly) {
  Ladder ladder = {.n = n, .wire = 0.05, .coil = 1, .capacitor = 1};
  ladder.load = bench_memory((size_t)n*sizeof(double));
  ladder.time = bench_memory(2*(size_t)n*sizeof(double));
  ladder.cell = bench_memory(2*(size_t)n*sizeof(long));
  for (long k = 0; k < 2*n; k++) ladder.cell[k] = k;
  qsort(ladder.cell, 2*(size_t)n, sizeof(long), by_time);
  for (long k = 0; k < 2*n; k++) ladder.time[k] = edge_time(ladder.cell[k]);
  memset(ladder.load, 0, (size_t)n*sizeof(double));
  while (ladder.cell[ladder.edge]%2 == 1) ladder.edge++;
  memset(values, 0, 2*(size_t)n*sizeof *values);
  const Switching system = {.states = 2*n, .end = 5, .rates = ladder_rates, .next = ladder_next, .tick = ladder_tick, .model = &ladder};
  long events = exactly ? switched_exactly(&system, values, 0.5) : switched_by_hand(&system, values, 1e-8, 1e-10, 1e-2);
  free(ladder.load);
  free(ladder.time);
  free(ladder.cell);
  return events;
}

static long switched_ladder(long n, double *values) { return switched(n, values, false); }
static long switched_ladder_exactly(long n, double *values, long *instants) { return *instants = switched(n, values, true); }

BENCH_INLINE long lossless(long n, double *values, bool exactly) {
  Ladder ladder = {.n = n, .coil = 1e-3, .capacitor = 1e-6, .load = calloc((size_t)n, sizeof(double))};
  if (!ladder.load) abort();
  for (long i = 0; i < n; i++) values[i] = 0, values[n + i] = sin(0.5*(double)(i + 1));
  const Switching system = {.states = 2*n, .end = 1e-3, .rates = ladder_rates, .model = &ladder};
  if (exactly) switched_exactly(&system, values, 1e-5);
  else switched_by_hand(&system, values, 1e-8, 1e-10, 1e-6);
  free(ladder.load);
  return 0;
}

static long lossless_ladder(long n, double *values) { return lossless(n, values, false); }
static long lossless_ladder_exactly(long n, double *values, long *instants) { return *instants = lossless(n, values, true); }

// Voltages of the capacitors, then sine and cosine of the source.
typedef struct {
  long n;
  double *conducts;
} Diodes;

static const double source = 10, omega = 2*M_PI;

BENCH_INLINE double left_of(const double *y, long n, long i) { return i > 0 ? y[i - 1] : source*y[n]; }

static void diode_rates(double t, const double *restrict y, double *restrict dy, void *model) {
  (void)t;
  const Diodes *diodes = model;
  long n = diodes->n;
  const double *restrict conducts = diodes->conducts;
  dy[0] = 10*(conducts[0]*(source*y[n] - y[0]) - y[0]/20);
  for (long i = 1; i < n; i++) dy[i] = 10*(conducts[i]*(y[i - 1] - y[i]) - y[i]/20);
  for (long i = 0; i < n - 1; i++) dy[i] -= 10*conducts[i + 1]*(y[i] - y[i + 1]);
  dy[n] = omega*y[n + 1];
  dy[n + 1] = -omega*y[n];
}

static double diode_guard(long i, const double *y, void *model) {
  const Diodes *diodes = model;
  double current = left_of(y, diodes->n, i) - y[i];
  return diodes->conducts[i] != 0 ? current : -current;
}

static double diode_trend(long i, const double *y, const double *dy, void *model) {
  (void)y;
  return diode_guard(i, dy, model);
}

static long diode_reads(long i, long *states, void *model) {
  states[0] = i > 0 ? i - 1 : ((Diodes *)model)->n;
  states[1] = i;
  return 2;
}

static void diode_fire(long i, double t, double *y, void *model) {
  (void)t;
  (void)y;
  Diodes *diodes = model;
  diodes->conducts[i] = 1 - diodes->conducts[i];
}

BENCH_INLINE long rectify(long n, double *values, bool exactly) {
  Diodes diodes = {.n = n, .conducts = calloc((size_t)n, sizeof(double))};
  double *state = bench_memory(((size_t)n + 2)*sizeof *state);
  if (!diodes.conducts) abort();
  for (long i = 0; i < n; i++) state[i] = (double)(i + 1)/(double)n;
  state[n] = 0;
  state[n + 1] = 1;
  const Switching system = {.states = n + 2, .guards = n, .end = 10.1, .rates = diode_rates, .guard = diode_guard, .trend = diode_trend,
                            .reads = diode_reads, .fire = diode_fire, .model = &diodes};
  long events = exactly ? switched_exactly(&system, state, 0.025) : switched_by_hand(&system, state, 1e-8, 1e-10, 1e-3);
  memcpy(values, state, (size_t)n*sizeof *values);
  free(diodes.conducts);
  free(state);
  return events;
}

static long diode_ladder(long n, double *values) { return rectify(n, values, false); }
static long diode_ladder_exactly(long n, double *values, long *instants) { return *instants = rectify(n, values, true); }

const Workload bench_switched_ladder = {
  .name = "switched", .title = "ladder with switched loads", .model = "switched-ladder", .sizes = {10, 100, 1000}, .quick = 100,
  .allowed = 1e-5, .columns = {"line[%ld].f", "node[%ld].e"}, .exact = switched_ladder_exactly, .hand = switched_ladder,
};

const Workload bench_lossless_ladder = {
  .name = "lossless", .title = "ladder without losses", .model = "lossless-ladder", .sizes = {10, 100, 1000, 10000}, .quick = 1000,
  .allowed = 1e-5, .columns = {"line[%ld].f", "node[%ld].e"}, .exact = lossless_ladder_exactly, .hand = lossless_ladder,
};

const Workload bench_diode_ladder = {
  .name = "diodes", .title = "ladder with diodes", .model = "diode-ladder", .sizes = {1, 10, 100, 1000}, .quick = 100, .allowed = 1e-4,
  .columns = {"node[%ld].e"}, .exact = diode_ladder_exactly, .hand = diode_ladder,
};

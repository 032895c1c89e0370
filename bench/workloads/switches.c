// SPDX-License-Identifier: BSD-3-Clause
// Full bridges that drive coils, and neon lamps that discharge capacitors: one state each, on an ideal source.
#include <stdlib.h>

#include "../numerics/switching.h"
#include "all.h"

static const double bridge_end = 20.1e-3;

static double bridge_period(long i) { return (1 + 0.2*sin((double)(i + 1)))*1e-3; }

static long bridges(long n, double *values) {
  const double rest = 48/5., decay = 5/2e-3;
  long events = 0;
  for (long i = 0; i < n; i++) {
    double half = bridge_period(i)/2, whole = exp(-decay*half), current = 0, side = 1;
    long phases = (long)(bridge_end/half);
    for (long k = 0; k < phases; k++) {
      current = side*rest + whole*(current - side*rest);
      side = -side;
    }
    values[i] = side*rest + exp(-decay*(bridge_end - (double)phases*half))*(current - side*rest);
    events += phases;
  }
  return events;
}

typedef struct {
  double period, side;
  long phase;
} BridgeModes;

static void bridge_rates(double t, const double *y, double *dy, void *model) {
  (void)t;
  dy[0] = (((BridgeModes *)model)->side*48 - 5*y[0])/2e-3;
}

static double bridge_next(void *model) {
  BridgeModes *modes = model;
  return (double)(modes->phase + 1)*modes->period/2;
}

static void bridge_tick(double t, double *y, void *model) {
  (void)t;
  (void)y;
  BridgeModes *modes = model;
  modes->side = -modes->side;
  modes->phase++;
}

static long bridges_exactly(long n, double *values, long *instants) {
  long events = 0;
  for (long i = 0; i < n; i++) {
    BridgeModes modes = {.period = bridge_period(i), .side = 1};
    const Switching system = {.states = 1, .end = bridge_end, .rates = bridge_rates, .next = bridge_next, .tick = bridge_tick,
                              .model = &modes};
    values[i] = 0;
    events += switched_exactly(&system, &values[i], 3e-4);
  }
  *instants = events + 1;  // at the start all of them switch on
  return events;
}

const Workload bench_bridge = {
  .name = "bridge", .title = "full bridges on one source", .model = "bridge", .sizes = {1, 10, 100, 1000}, .quick = 100, .allowed = 1e-9,
  .columns = {"line[%ld].f"}, .exact = bridges_exactly, .hand = bridges,
};

static const double supply = 100, lights = 80, goes_out = 50, glow = 20e3, capacitor = 1e-6, lamps_end = 20;

static double lamp_resistance(long i, long n) { return (1 + 0.618*(double)(i + 1)/(double)n)*1e6; }

static long lamps(long n, double *values) {
  long events = 0;
  for (long i = 0; i < n; i++) {
    double resistance = lamp_resistance(i, n), slow = resistance*capacitor, share = glow/(resistance + glow);
    double fast = slow*share, low = supply*share, voltage = 0, time = 0;
    double charging = slow*log((supply - goes_out)/(supply - lights)), discharging = fast*log((lights - low)/(goes_out - low));
    double phase = slow*log(supply/(supply - lights));
    bool lit = false;
    for (; time + phase < lamps_end; events++) {
      time += phase;
      lit = !lit;
      voltage = lit ? lights : goes_out;
      phase = lit ? discharging : charging;
    }
    double rest = lit ? low : supply;
    values[i] = rest + (voltage - rest)*exp(-(lamps_end - time)/(lit ? fast : slow));
  }
  return events;
}

typedef struct {
  double resistance;
  bool lit;
} LampModes;

static void lamp_rates(double t, const double *y, double *dy, void *model) {
  (void)t;
  const LampModes *modes = model;
  dy[0] = ((supply - y[0])/modes->resistance - (modes->lit ? y[0]/glow : 0))/capacitor;
}

static double lamp_guard(long i, const double *y, void *model) {
  (void)i;
  return ((LampModes *)model)->lit ? y[0] - goes_out : lights - y[0];
}

static long lamp_reads(long i, long *states, void *model) {
  (void)model;
  states[0] = i;
  return 1;
}

static void lamp_fire(long i, double t, double *y, void *model) {
  (void)i;
  (void)t;
  (void)y;
  LampModes *modes = model;
  modes->lit = !modes->lit;
}

static long lamps_exactly(long n, double *values, long *instants) {
  long events = 0;
  for (long i = 0; i < n; i++) {
    LampModes modes = {.resistance = lamp_resistance(i, n)};
    const Switching system = {.states = 1, .guards = 1, .end = lamps_end, .rates = lamp_rates, .guard = lamp_guard, .reads = lamp_reads,
                              .fire = lamp_fire, .model = &modes};
    values[i] = 0;
    events += switched_exactly(&system, &values[i], 2e-2);
  }
  return *instants = events;
}

const Workload bench_lamps = {
  .name = "lamps", .title = "neon lamps on one source", .model = "lamps", .sizes = {1, 10, 100, 1000}, .quick = 100, .allowed = 1e-4,
  .columns = {"node[%ld].e"}, .exact = lamps_exactly, .hand = lamps,
};

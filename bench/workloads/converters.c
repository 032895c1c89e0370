// SPDX-License-Identifier: BSD-3-Clause
// Converters with ideal diodes, on an ideal source: each goes alone. By hand: every phase between two edges is a map, and only the
// instant at which a diode stops to conduct is searched. Exact: the power series.
#include <stdlib.h>

#include "../numerics/switching.h"
#include "all.h"

typedef struct {
  double supply, coil, capacitor, load, channel;  // V, H, F, Ohm, and the Ohm of the switch
  bool steps_up;                                  // boost, else buck
  double period, on, delay, end;                  // s: the switch is on from delay + m period on, for `on`
} Converter;

static Converter boost(double load, double delay, double end) {
  return (Converter){.supply = 12, .coil = 47e-6, .capacitor = 47e-6, .load = load, .steps_up = true, .period = 1e-5, .on = 0.5e-5,
                     .delay = delay, .end = end};
}

static Converter buck(double duty) {
  return (Converter){.supply = 24, .coil = 100e-6, .capacitor = 22e-6, .load = 8, .channel = 0.01, .period = 20e-6,
                     .on = duty*20e-6, .end = 2.003e-3};
}

// A phase in which coil and capacitor act on each other: current and voltage swing round a point of rest.
typedef struct {
  double current, voltage;            // at rest
  double decay, frequency;            // of the swing, in 1/s
  double resistance, per_coil, per_capacitor;
} Swing;

typedef struct {
  double a, b, c, d;  // (current, voltage) less the rest: multiplied by [a b; c d]
} Map;

static Swing swing(const Converter *converter, bool on) {
  double r = on ? converter->channel : 0, L = converter->coil, C = converter->capacitor, R = converter->load;
  double voltage = converter->steps_up || on ? converter->supply*R/(R + r) : 0;
  double half = (1/(R*C) - r/L)/2;  // the halved difference of the two decays
  return (Swing){.current = voltage/R, .voltage = voltage, .decay = (1/(R*C) + r/L)/2, .frequency = sqrt(1/(L*C) - half*half),
                 .resistance = r, .per_coil = 1/L, .per_capacitor = 1/C};
}

static Map swing_map(const Swing *swing, double h) {
  double shrink = exp(-swing->decay*h), cosine = shrink*cos(swing->frequency*h);
  double sine = shrink*sin(swing->frequency*h)/swing->frequency, lean = sine*(swing->decay - swing->resistance*swing->per_coil);
  return (Map){cosine + lean, -sine*swing->per_coil, sine*swing->per_capacitor, cosine - lean};
}

static void apply(const Swing *swing, const Map *map, double *current, double *voltage) {
  double i = *current - swing->current, v = *voltage - swing->voltage;
  *current = swing->current + map->a*i + map->b*v;
  *voltage = swing->voltage + map->c*i + map->d*v;
}

// The diode conducts until the current is 0, by Newton's method from the straight line on; leaves the voltage there. Returns when.
static double run_dry(const Converter *converter, const Swing *swing, double current, double *voltage, double h) {
  double source = converter->steps_up ? converter->supply : 0, x = h/2, i = current, v = *voltage;
  if (v > source) x = fmin(x, current*converter->coil/(v - source));
  for (int turn = 0; turn < 30; turn++) {
    Map map = swing_map(swing, x);
    i = current, v = *voltage;
    apply(swing, &map, &i, &v);
    double move = i*converter->coil/(v - source);
    x += move;
    if (fabs(move) <= 1e-16*converter->period) break;
  }
  *voltage = v;
  return x;
}

static long phases(const Converter *converter, double *current, double *voltage) {
  Swing on = swing(converter, true), off = swing(converter, false);
  double rest = converter->period - converter->on, leak = 1/(converter->load*converter->capacitor);
  double whole_leak = exp(-leak*converter->on);
  Map whole_on = swing_map(&on, converter->on), whole_off = swing_map(&off, rest);
  double i = 0, v = 0, time = 0;
  bool closed = converter->delay <= 0;
  long events = 0, period = 0;
  for (;;) {
    double edge = converter->delay + (double)period*converter->period + (closed ? converter->on : 0);
    bool last = edge >= converter->end, whole = !last && (closed || period > 0);
    double h = (last ? converter->end : edge) - time;
    if (closed && converter->steps_up) {
      i += converter->supply/converter->coil*h;
      v *= whole ? whole_leak : exp(-leak*h);
    } else if (closed) {
      Map map = whole ? whole_on : swing_map(&on, h);
      apply(&on, &map, &i, &v);
    } else if (i <= 0 && v >= (converter->steps_up ? converter->supply : 0)) {
      i = 0;
      v *= exp(-leak*h);
    } else {
      Map map = whole ? whole_off : swing_map(&off, h);
      double start_i = i, start_v = v;
      apply(&off, &map, &i, &v);
      if (i < 0) {
        double dry = run_dry(converter, &off, start_i, &start_v, h);
        i = 0;
        v = start_v*exp(-leak*(h - dry));
        events++;
      }
    }
    if (last) break;
    time = edge;
    events++;
    if (closed) period++;
    closed = !closed;
  }
  *current = i;
  *voltage = v;
  return events;
}

// The same as a system that switches: state is current, voltage.
typedef struct {
  const Converter *converter;
  bool closed, conducts;
  long period, dry;  // how many periods have begun to be left, how often the diode has stopped
} Modes;

static void rates(double t, const double *y, double *dy, void *model) {
  (void)t;
  const Modes *modes = model;
  const Converter *converter = modes->converter;
  bool up = converter->steps_up, closed = modes->closed, flows = up ? !closed && modes->conducts : closed || modes->conducts;
  double driven = closed || up ? converter->supply : 0;
  double drop = (closed ? converter->channel*y[0] : 0) + (up && closed ? 0 : y[1]);
  dy[0] = closed || modes->conducts ? (driven - drop)/converter->coil : 0;
  dy[1] = ((flows ? y[0] : 0) - y[1]/converter->load)/converter->capacitor;
}

static double guard(long i, const double *y, void *model) {
  (void)i;
  const Modes *modes = model;
  return !modes->closed && modes->conducts ? y[0] : 1;
}

static long reads(long i, long *states, void *model) {
  (void)model;
  states[0] = i;
  return 1;
}

static void fire(long i, double t, double *y, void *model) {
  (void)i;
  (void)t;
  Modes *modes = model;
  modes->conducts = false;
  modes->dry++;
  y[0] = 0;
}

static double next(void *model) {
  const Modes *modes = model;
  const Converter *converter = modes->converter;
  return converter->delay + (double)modes->period*converter->period + (modes->closed ? converter->on : 0);
}

static void tick(double t, double *y, void *model) {
  (void)t;
  Modes *modes = model;
  if (modes->closed) {
    modes->period++;
    modes->conducts = y[0] > 0 || y[1] < (modes->converter->steps_up ? modes->converter->supply : 0);
    if (!modes->conducts) y[0] = 0;  // what flowed backwards has nowhere to go
  }
  modes->closed = !modes->closed;
}

// Returns how often it switched; adds to `dry` how often the diode stopped.
static long converter_exactly(const Converter *converter, double *current, double *voltage, long *dry) {
  Modes modes = {.converter = converter, .closed = converter->delay <= 0, .conducts = true};
  const Switching system = {.states = 2, .guards = 1, .end = converter->end, .rates = rates, .guard = guard, .reads = reads,
                            .fire = fire, .next = next, .tick = tick, .model = &modes};
  double state[2] = {0};
  long events = switched_exactly(&system, state, 2e-5);
  *current = state[0];
  *voltage = state[1];
  *dry += modes.dry;
  return events;
}

enum { CONTINUOUS, DISCONTINUOUS, MANY };

static Converter boost_of(int kind, long i, long n) {
  double delay = kind == MANY ? (double)i/(double)n*1e-5 : 0;
  return boost(kind == CONTINUOUS ? 20 : 400, delay, kind == MANY ? 1.0003735e-3 : 9.993e-3);
}

static long boosts(int kind, long n, double *values) {
  long events = 0;
  for (long i = 0; i < n; i++) {
    Converter converter = boost_of(kind, i, n);
    events += phases(&converter, &values[i], &values[n + i]);
  }
  return events;
}

// How many different instants the edges are, that at 0 included: edge j of converter k is at (2k + jN) half N-ths of a period.
static long edges(long n, double end) {
  long count = 0, most = (long)(end/1e-5*2*(double)n) + 1;
  char *seen = calloc((size_t)most, 1);
  if (!seen) abort();
  for (long k = 0; k < n; k++)
    for (long at = 2*k; at < most; at += n) {
      count += !seen[at];
      seen[at] = 1;
    }
  free(seen);
  return count;
}

static long boosts_exactly(int kind, long n, double *values, long *instants) {
  long events = 0, dry = 0;
  for (long i = 0; i < n; i++) {
    Converter converter = boost_of(kind, i, n);
    events += converter_exactly(&converter, &values[i], &values[n + i], &dry);
  }
  *instants = edges(n, boost_of(kind, 0, n).end) + dry;
  return events;
}

static long continuous(long n, double *values) { return boosts(CONTINUOUS, n, values); }
static long discontinuous(long n, double *values) { return boosts(DISCONTINUOUS, n, values); }
static long many(long n, double *values) { return boosts(MANY, n, values); }
static long continuous_exactly(long n, double *values, long *instants) { return boosts_exactly(CONTINUOUS, n, values, instants); }
static long discontinuous_exactly(long n, double *values, long *instants) { return boosts_exactly(DISCONTINUOUS, n, values, instants); }
static long many_exactly(long n, double *values, long *instants) { return boosts_exactly(MANY, n, values, instants); }

static Converter buck_of(long i, long n) { return buck(0.3 + 0.4*(double)(i + 1)/(double)n); }

static long bucks(long n, double *values) {
  long events = 0;
  for (long i = 0; i < n; i++) {
    Converter converter = buck_of(i, n);
    events += phases(&converter, &values[i], &values[n + i]);
  }
  return events;
}

static long bucks_exactly(long n, double *values, long *instants) {
  long events = 0, dry = 0, periods = (long)(buck(0.5).end/buck(0.5).period);
  for (long i = 0; i < n; i++) {
    Converter converter = buck_of(i, n);
    events += converter_exactly(&converter, &values[i], &values[n + i], &dry);
  }
  *instants = events - (n - 1)*periods + 1;  // all of them switch on together, at the start as well
  return events;
}

const Workload bench_boost_continuous = {
  .name = "W4ccm", .title = "boost converter, continuous", .model = "boost", .options = "--set resistance=20 --stop 9.993e-3", .sizes = {1},
  .quick = 1, .allowed = 1e-9, .columns = {"line[%ld].f", "output[%ld].e"}, .exact = continuous_exactly, .hand = continuous,
};

const Workload bench_boost_discontinuous = {
  .name = "W4dcm", .title = "boost converter, discontinuous", .model = "boost", .options = "--stop 9.993e-3", .sizes = {1}, .quick = 1,
  .allowed = 1e-9, .columns = {"line[%ld].f", "output[%ld].e"}, .exact = discontinuous_exactly, .hand = discontinuous,
};

const Workload bench_boosts = {
  .name = "W4b", .title = "boost converters on one source", .model = "boost", .sizes = {1, 10, 100, 1000}, .quick = 100, .allowed = 1e-9,
  .columns = {"line[%ld].f", "output[%ld].e"}, .exact = many_exactly, .hand = many,
};

const Workload bench_buck = {
  .name = "buck", .title = "buck converters on one source", .model = "buck", .sizes = {1, 10, 100, 1000}, .quick = 100, .allowed = 1e-9,
  .columns = {"line[%ld].f", "output[%ld].e"}, .exact = bucks_exactly, .hand = bucks,
};

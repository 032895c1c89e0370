// SPDX-License-Identifier: BSD-3-Clause
// y' = A y + b: the k-th derivative is A times the one before, and A z is the rates at z less the rates at 0. So the power
// series needs nothing but the rates.
#include <stdbool.h>

#include "switching.h"

enum { ORDER = 24, PIECES = 8 };

typedef struct {
  const Switching *system;
  double *term[ORDER + 1];  // of the series in the time since its centre
  double *zero, *still;     // the state 0 and its rates
  double *scratch;
} Series;

static void expand(Series *series, const double *state) {
  const Switching *system = series->system;
  long n = system->states;
  memcpy(series->term[0], state, (size_t)n*sizeof *state);
  system->rates(0, series->zero, series->still, system->model);
  for (int k = 1; k <= ORDER; k++) {
    double *term = series->term[k];
    system->rates(0, series->term[k - 1], term, system->model);
    for (long i = 0; i < n; i++) term[i] = (term[i] - (k > 1 ? series->still[i] : 0))/k;
  }
}

static double sum(const Series *series, long i, double h) {
  double value = series->term[ORDER][i];
  for (int k = ORDER - 1; k >= 0; k--) value = value*h + series->term[k][i];
  return value;
}

static double guard_at(const Series *series, long guard, double h) {
  const Switching *system = series->system;
  long states[BENCH_READS], count = system->reads(guard, states, system->model);
  for (long k = 0; k < count; k++) series->scratch[states[k]] = sum(series, states[k], h);
  return system->guard(guard, series->scratch, system->model);
}

// Halves [a, b], at whose end the guard is below 0, down to neighbouring numbers.
static double bisect(const Series *series, long guard, double a, double b) {
  for (;;) {
    double middle = a + (b - a)/2;
    if (middle <= a || middle >= b) return b;
    if (guard_at(series, guard, middle) < 0) b = middle;
    else a = middle;
  }
}

// The first time after the centre, up to h, at which a guard is below 0; or h, and -1.
static long first_crossing(const Series *series, double h, double *when) {
  long found = -1;
  for (long guard = 0; guard < series->system->guards; guard++) {
    // one that has just fired is 0 at the centre, and is looked at a little later
    double before = 0;
    for (int piece = 1; piece <= PIECES && before < h; piece++) {
      double end = h*piece/PIECES;
      if (guard_at(series, guard, end) < 0) {
        h = bisect(series, guard, before, end);
        found = guard;
        break;
      }
      before = end;
    }
  }
  *when = h;
  return found;
}

static void go(const Series *series, double h, double *state) {
  for (long i = 0; i < series->system->states; i++) state[i] = sum(series, i, h);
}

long switched_exactly(const Switching *system, double *state, double step) {
  size_t n = (size_t)system->states;
  double *memory = calloc((ORDER + 4)*n, sizeof *memory);
  if (!memory) abort();
  Series series = {.system = system, .zero = memory, .still = memory + n, .scratch = memory + 2*n};
  for (size_t k = 0; k <= ORDER; k++) series.term[k] = memory + (3 + k)*n;

  double time = 0, next = system->next ? system->next(system->model) : INFINITY;
  long events = 0;
  while (time < system->end) {
    double goal = next < system->end ? next : system->end, h = goal - time;
    bool arrives = h <= step;
    if (!arrives) h = step;
    expand(&series, state);
    double taken;
    long guard = first_crossing(&series, h, &taken);
    go(&series, taken, state);
    time = guard < 0 && arrives ? goal : time + taken;
    if (guard >= 0) {
      system->fire(guard, time, state, system->model);
      events++;
    } else if (arrives && goal < system->end) {
      system->tick(goal, state, system->model);
      next = system->next(system->model);
      events++;
    }
  }
  free(memory);
  return events;
}

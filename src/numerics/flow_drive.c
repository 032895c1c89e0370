/* SPDX-License-Identifier: BSD-3-Clause
 * Flows that differ in their drive alone. The columns of exp(M t) that belong to the states are exp(A t), whatever b is; the last one is the integral
 * of exp(A s) b, of which each mode has a closed form: so of a base, a flow with some drive in extended precision, that column is all that is made
 * anew.
 *
 * How components cancel each other depends on the drive as well, and how often a power of the time comes in. The base has one that moves each state about as much as
 * any, in units in which they are balanced, and no two alike: what that leaves of the digits any other does, and it adds up wherever any other does. */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "numerics/flow_schur.h"

struct HbgFlowBase {
  HbgFlow flow;
};

/* ---- the base ---- */

/* Shares that no sum of few states is free of. */
static void make_generic(int32_t n, double *drive) {
  double share = 1;
  for (int32_t i = 0; i < n; i++) {
    share = share > 1.2 ? share - 0.4142135623730951 : share + 0.3027756377319946;
    drive[i] *= share;
  }
}

HbgFlowBase *hbg_flow_base(HbgArena *arena, int32_t n, const double *a) {
  if (n > HBG_FLOW_STATES || !hbg_all_finite(n * n, a)) return NULL;
  double drive[HBG_FLOW_STATES] = {0};
  const HbgArenaMark mark = hbg_arena_mark(arena);
  const HbgFlow *still = hbg_flow_begin(arena, n, a, n, drive);
  const bool has_units = hbg_flow_units(still, drive) && hbg_all_finite(n, drive);
  hbg_arena_rewind(arena, mark);
  if (!has_units) return NULL;
  make_generic(n, drive);
  HbgFlow *flow = hbg_flow_begin(arena, n, a, n, drive);
  flow->is_base = true;
  if (hbg_flow_spectrum(flow, arena)) {
    HbgFlowBase *base = ARENA_NEW(arena, HbgFlowBase, 1);
    base->flow = *flow;
    return base;
  }
  hbg_arena_rewind(arena, mark);
  return NULL;
}

/* ---- one drive ---- */

typedef struct Driving {
  const HbgFlow *base;
  HbgFlow *flow;
  HbgArena *arena;
  const double *b;
  long double constant[HBG_FLOW_STATES]; /* that all modes so far leave behind, by state */
} Driving;

static FlowLong complex_of(long double re, long double im) { return re + im * (FlowLong)I; }

/* Row `row` of component k of the mode, times b. */
static FlowLong times_drive(const Driving *self, const FlowMode *mode, int32_t k, int32_t row) {
  const int32_t n = self->base->n, at = (k * n + row) * self->base->width;
  FlowLong sum = 0;
  for (int32_t j = 0; j < n; j++) {
    sum += complex_of(mode->fine.component[at + j], mode->is_complex ? mode->fine.component_i[at + j] : 0) * (long double)self->b[j];
  }
  return sum;
}

/* The numbers of a copy of a mode that are to be written. */
typedef struct Numbers {
  double *re, *im;
  long double *fine, *fine_i;
} Numbers;

static void *copy(HbgArena *arena, const void *numbers, int32_t count, size_t size) {
  void *made = hbg_arena_alloc(arena, (size_t)count, size, _Alignof(max_align_t));
  if (count) memcpy(made, numbers, (size_t)count * size);
  return made;
}

static Numbers copy_mode(const Driving *self, const FlowMode *from, FlowMode *mode) {
  const int32_t count = from->count * self->base->n * self->base->width;
  const bool is_fine = self->base->is_fine;
  Numbers to = {.re = copy(self->arena, from->component, count, sizeof(double))};
  if (from->is_complex) to.im = copy(self->arena, from->component_i, count, sizeof(double));
  if (is_fine) to.fine = copy(self->arena, from->fine.component, count, sizeof(long double));
  if (is_fine && from->is_complex) to.fine_i = copy(self->arena, from->fine.component_i, count, sizeof(long double));
  *mode = *from;
  mode->component = to.re;
  mode->component_i = to.im;
  mode->fine.component = to.fine;
  mode->fine.component_i = to.fine_i;
  return to;
}

static void put(const Driving *self, const Numbers *to, int32_t k, int32_t row, FlowLong value) {
  const int32_t at = (k * self->base->n + row) * self->base->width + self->base->n;
  to->re[at] = (double)creall(value);
  if (to->im) to->im[at] = (double)cimagl(value);
  if (to->fine) to->fine[at] = creall(value);
  if (to->fine_i) to->fine_i[at] = cimagl(value);
}

/* Of an eigenvalue, or of several that are equal: (e^(lambda t) (D_0 + D_1 t + ...))' = e^(lambda t) (G_0 b + G_1 b t + ...). */
static void drive_chain(Driving *self, const FlowMode *from, const Numbers *to) {
  const FlowLong lambda = complex_of(from->fine.rate, from->fine.frequency);
  for (int32_t row = 0; row < self->base->n; row++) {
    FlowLong column = 0;
    for (int32_t k = from->count - 1; k >= 0; k--) {
      column = (times_drive(self, from, k, row) - (long double)(k + 1) * column) / lambda;
      put(self, to, k, row, column);
    }
    self->constant[row] -= creall(column);
  }
}

/* Of two that nearly coincide: (e^(lambda t) (C D_0 + S D_1))' = e^(lambda t) (C G_0 b + S G_1 b), where (e^(lambda t) C)' = e^(lambda t) (lambda C + delta^2 S) and
 * (e^(lambda t) S)' = e^(lambda t) (lambda S + C). */
static void drive_split(Driving *self, const FlowMode *from, const Numbers *to) {
  const FlowLong lambda = complex_of(from->fine.rate, from->fine.frequency), delta = complex_of((long double)from->delta, (long double)from->delta_i);
  for (int32_t row = 0; row < self->base->n; row++) {
    const FlowLong first = times_drive(self, from, 0, row), second = times_drive(self, from, 1, row);
    const FlowLong column = (lambda * first - second) / ((lambda - delta) * (lambda + delta));
    put(self, to, 0, row, column);
    put(self, to, 1, row, first - lambda * column);
    self->constant[row] -= creall(column);
  }
}

/* One of both eigenvalues is the zero of the constant 1: what all others leave behind is part of this mode, G_1 = (M - lambda) G_0. */
static void drive_split_from_zero(Driving *self, const FlowMode *from, const Numbers *to) {
  for (int32_t row = 0; row < self->base->n; row++) {
    put(self, to, 0, row, self->constant[row]);
    put(self, to, 1, row, times_drive(self, from, 0, row) - from->fine.rate * self->constant[row]);
  }
}

static bool is_split_from_zero(const FlowMode *mode) {
  return mode->is_split && !mode->is_complex && mode->delta_i == 0 && mode->delta == fabs(mode->rate);
}

/* P_k b / (k + 1) of each power is the next one's, and what the modes leave behind the first one's. */
static void drive_polynomial(Driving *self) {
  const HbgFlow *base = self->base;
  const int32_t n = base->n, size = n * base->width;
  double *power = copy(self->arena, base->power, (base->degree + 1) * size, sizeof(double));
  long double *fine = base->is_fine && base->fine_power ? copy(self->arena, base->fine_power, (base->degree + 1) * size, sizeof(long double)) : NULL;
  for (int32_t k = 0; k <= base->degree; k++)
    for (int32_t row = 0; row < n; row++) {
      long double column = 0;
      for (int32_t j = 0; k && j < n; j++) column += base->fine_power[(k - 1) * size + row * base->width + j] * (long double)self->b[j] / k;
      if (!k) column = self->constant[row];
      power[k * size + row * base->width + n] = (double)column;
      if (fine) fine[k * size + row * base->width + n] = column;
    }
  self->flow->degree = base->degree;
  self->flow->power = power;
  self->flow->fine_power = fine;
}

static void drive_modes(Driving *self) {
  const HbgFlow *base = self->base;
  HbgFlow *flow = self->flow;
  int32_t from_zero = -1;
  flow->mode = ARENA_NEW(self->arena, FlowMode, base->mode_count);
  flow->mode_count = base->mode_count;
  Numbers last = {0};
  for (int32_t at = 0; at < base->mode_count; at++) {
    const FlowMode *from = &base->mode[at];
    const Numbers to = copy_mode(self, from, &flow->mode[at]);
    if (is_split_from_zero(from)) from_zero = at, last = to;
    else if (from->is_split) drive_split(self, from, &to);
    else drive_chain(self, from, &to);
  }
  if (from_zero < 0) {
    drive_polynomial(self);
    return;
  }
  drive_split_from_zero(self, &base->mode[from_zero], &last);
  flow->degree = 0;
  flow->power = base->power; // nothing
}

HbgFlow *hbg_flow_driven(HbgArena *arena, const HbgFlowBase *base, const double *b) {
  const HbgFlow *from = &base->flow;
  if (!hbg_all_finite(from->n, b)) return NULL;
  Driving self = {.base = from, .flow = hbg_flow_begin(arena, from->n, from->m, from->width, b), .arena = arena, .b = b};
  HbgFlow *flow = self.flow;
  flow->is_fine = from->is_fine;
  flow->fastest = from->fastest;
  flow->part = from->part;
  flow->part_count = from->part_count;
  flow->layers = from->layers;
  drive_modes(&self);
  hbg_flow_end(flow, arena);
  return flow;
}

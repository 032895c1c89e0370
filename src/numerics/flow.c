/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "numerics/flow_inner.h"

static const double RECIPROCAL[FLOW_DEGREE + 2] = {0,        1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,
                                                   1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13,
                                                   1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20,
                                                   1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26};

/* ---- functions of time ---- */

FlowComplex hbg_flow_exponential(const FlowMode *mode, double t) {
  const double size = exp(mode->rate * t);
  if (!mode->is_complex) return (FlowComplex){size, 0};
  if (!(size > 0)) return (FlowComplex){0, 0};
  return (FlowComplex){size * cos(mode->frequency * t), size * sin(mode->frequency * t)};
}

/* sinh(sqrt u) / sqrt u and cosh(sqrt u) for |u| <= 1. */
static void short_split(FlowComplex u, FlowComplex *c, FlowComplex *s) {
  *c = *s = (FlowComplex){1, 0};
  for (int32_t k = 10; k > 0; k--) {
    const double even = RECIPROCAL[2 * k - 1] * RECIPROCAL[2 * k], odd = RECIPROCAL[2 * k] * RECIPROCAL[2 * k + 1];
    *c = flow_times(*c, (FlowComplex){u.re * even, u.im * even});
    *s = flow_times(*s, (FlowComplex){u.re * odd, u.im * odd});
    c->re += 1;
    s->re += 1;
  }
}

void hbg_flow_split(const FlowMode *mode, double t, FlowComplex *c, FlowComplex *s) {
  const FlowComplex delta = {mode->delta, mode->delta_i};
  const double size = delta.re * delta.re + delta.im * delta.im;
  if (size * t * t <= 1) {
    const FlowComplex e = hbg_flow_exponential(mode, t), square = flow_times(delta, delta);
    short_split((FlowComplex){square.re * t * t, square.im * t * t}, c, s);
    *c = flow_times(e, *c);
    *s = flow_times(e, (FlowComplex){s->re * t, s->im * t});
    return;
  }
  FlowMode fast = *mode, slow = *mode;  // both exponentials: neither overflows where the flow does not
  fast.is_complex = slow.is_complex = true;
  fast.rate += delta.re;
  fast.frequency += delta.im;
  slow.rate -= delta.re;
  slow.frequency -= delta.im;
  const FlowComplex e = hbg_flow_exponential(&fast, t), f = hbg_flow_exponential(&slow, t);
  *c = (FlowComplex){(e.re + f.re) / 2, (e.im + f.im) / 2};
  const FlowComplex difference = {(e.re - f.re) / (2 * size), (e.im - f.im) / (2 * size)};
  *s = flow_times(difference, (FlowComplex){delta.re, -delta.im});
}

/* Terms of the exponential series that leave out less than 1e-17, theta^k / k!: entry p is for theta from 2^-p up to twice that. */
static const uint8_t TERMS[] = {13, 13, 13, 13, 11, 10, 9, 8, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2,
                                2,  2,  2,  2,  2,  2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1};

/* So far is theta from 1, in powers of two. */
static inline int32_t powers_below_one(double theta) {
  enum { MOST = sizeof TERMS - 1 };
  const int32_t powers = -hbg_exponent(theta);
  return powers < MOST ? powers : MOST;
}

int32_t hbg_flow_terms(const HbgFlow *flow, double h) {
  const int32_t powers = powers_below_one(h * flow->fastest);
  return TERMS[powers > 0 ? powers : 0] + flow->layers;
}

/* ---- matrices of a time ---- */

static void add_scaled(int32_t size, double factor, const double *restrict component, double *restrict matrix) {
  if (factor == 0) return;
  for (int32_t i = 0; i < size; i++) matrix[i] += factor * component[i];
}

static void add_mode(const HbgFlow *flow, const FlowMode *mode, double h, double *matrix) {
  const int32_t size = flow->n * flow->width;
  FlowComplex factor[2];
  if (mode->is_split)
    hbg_flow_split(mode, h, &factor[0], &factor[1]);
  else
    factor[0] = hbg_flow_exponential(mode, h);
  for (int32_t k = 0; k < mode->count; k++) {
    const FlowComplex phi = mode->is_split ? factor[k] : factor[0];
    add_scaled(size, phi.re, mode->component + k * size, matrix);
    if (mode->is_complex) add_scaled(size, -phi.im, mode->component_i + k * size, matrix);
    if (!mode->is_split) factor[0] = (FlowComplex){factor[0].re * h, factor[0].im * h};
  }
}

/* The matrix of the Taylor series, h <= FLOW_SHORT / fastest. */
static void short_matrix(const HbgFlow *flow, double h, double *matrix) {
  const int32_t n = flow->n, width = flow->width, terms = hbg_flow_terms(flow, h);
  double term[HBG_FLOW_STATES * FLOW_WIDTH], next[HBG_FLOW_STATES * FLOW_WIDTH];
  memcpy(term, flow->m, sizeof(double) * (size_t)(n * width));
  for (int32_t i = 0; i < n * width; i++) matrix[i] = term[i] *= h;
  for (int32_t k = 2; k <= terms; k++) {
    for (int32_t i = 0; i < n; i++)
      for (int32_t j = 0; j < width; j++) {
        double sum = 0;
        for (int32_t l = 0; l < n; l++) sum += flow->m[i * width + l] * term[l * width + j];
        next[i * width + j] = sum * h * RECIPROCAL[k];
      }
    memcpy(term, next, sizeof(double) * (size_t)(n * width));
    for (int32_t i = 0; i < n * width; i++) matrix[i] += term[i];
  }
  for (int32_t i = 0; i < n; i++) matrix[i * width + i] += 1;
}

static bool is_short(const HbgFlow *flow, double h) { return h * flow->fastest <= FLOW_SHORT; }

/* matrix (n, width) = the rows of exp(M h) but the last. */
static void make_matrix(const HbgFlow *flow, double h, double *matrix) {
  if (flow->mode_count && is_short(flow, h)) {
    short_matrix(flow, h, matrix);
    return;
  }
  if (flow->is_fine) {
    hbg_flow_fine_matrix(flow, h, matrix);
    return;
  }
  const int32_t size = flow->n * flow->width;
  double factor = 1;
  memset(matrix, 0, sizeof(double) * (size_t)size);
  for (int32_t k = 0; k <= flow->degree; k++, factor *= h) add_scaled(size, factor, flow->power + k * size, matrix);
  for (int32_t k = 0; k < flow->mode_count; k++) add_mode(flow, &flow->mode[k], h, matrix);
}

/* ---- going ---- */

static void apply(int32_t n, const double *matrix, const double *x0, double *x) {
  double from[HBG_FLOW_STATES];  // x may be x0
  for (int32_t i = 0; i < n; i++) from[i] = x0[i];
  for (int32_t i = 0; i < n; i++) x[i] = flow_dot(n, matrix + i * (n + 1), from);
}

/* So few states that a series is not much more than a product with a matrix. */
enum { FEW = 4 };

/* The series for one state: how fast that changes, what comes of it by powers of A that are known, and the state last. Terms do not wait for each
 * other, and powers of h are added up in two sums. */
static inline void sum_series(const int32_t n, const HbgFlow *flow, const double *x0, int32_t stride, double h, double *x) {
  const int32_t pairs = (hbg_flow_terms(flow, h) + 1) / 2;
  const double square = h * h;
  double rate[FEW], even[FEW] = {0}, odd[FEW] = {0};
  for (int32_t i = 0; i < n; i++) {
    const double *row = flow->m + i * (n + 1);
    rate[i] = row[n];
    for (int32_t j = 0; j < n; j++) rate[i] += row[j] * x0[j * stride];
  }
  for (const double *pair = flow->shares + pairs * 2 * n * n; pair > flow->shares;) {
    pair -= 2 * n * n;
    for (int32_t i = 0; i < n; i++) even[i] *= square, odd[i] *= square;
    for (int32_t j = 0; j < n; j++)
      for (int32_t i = 0; i < n; i++) even[i] += rate[j] * pair[j * n + i], odd[i] += rate[j] * pair[(n + j) * n + i];
  }
  for (int32_t i = 0; i < n; i++) x[i] = x0[i * stride] + h * (even[i] + h * odd[i]);
}

/* Two numbers that are computed with as one. */
typedef double Both __attribute__((vector_size(2 * sizeof(double))));

static inline Both load(const double *two) {
  Both both;
  memcpy(&both, two, sizeof both);
  return both;
}

/* The same of two states, which most regions with switches have. */
static inline void sum_series_of_two(const HbgFlow *flow, const double *x0, int32_t stride, double h, double *x) {
  enum { SHARE = 4 };
  const double *m = flow->m, first = x0[0], second = x0[stride];
  const double rate_1 = m[2] + m[0] * first + m[1] * second, rate_2 = m[5] + m[3] * first + m[4] * second;
  const Both r1 = {rate_1, rate_1}, r2 = {rate_2, rate_2}, by = {h, h}, square = by * by;
  Both even = {0}, odd = {0};
  for (const double *share = flow->shares + (hbg_flow_terms(flow, h) + 1) / 2 * 2 * SHARE; share > flow->shares;) {
    share -= 2 * SHARE;
    even = even * square + (r1 * load(share) + r2 * load(share + 2));
    odd = odd * square + (r1 * load(share + SHARE) + r2 * load(share + SHARE + 2));
  }
  const Both sum = (Both){first, second} + by * (even + by * odd);
  memcpy(x, &sum, sizeof sum);
}

/* Those of A^k / (k + 1)! that the rate is multiplied with, column by column: as many as any h that is short needs, and in pairs. */
static void make_shares(HbgFlow *flow, HbgArena *arena) {
  const int32_t n = flow->n, count = (FLOW_TAYLOR + flow->layers + 1) & ~1;
  double *share = ARENA_NEW(arena, double, count *n *n);
  flow->shares = share;
  for (int32_t i = 0; i < n; i++) share[i * n + i] = 1;
  for (int32_t k = 1; k < count; k++, share += n * n)
    for (int32_t column = 0; column < n; column++)
      for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int32_t l = 0; l < n; l++) sum += flow->m[i * (n + 1) + l] * share[column * n + l];
        share[(n + column) * n + i] = sum * RECIPROCAL[k + 1];
      }
}

/* Small n are known to the compiler. */
static inline void go_short(const HbgFlow *flow, const double *x0, int32_t stride, double h, double *x) {
  switch (flow->n) {
    case 1: sum_series(1, flow, x0, stride, h, x); return;
    case 2: sum_series_of_two(flow, x0, stride, h, x); return;
    case 3: sum_series(3, flow, x0, stride, h, x); return;
    default: sum_series(FEW, flow, x0, stride, h, x);
  }
}

/* The same for more, term by term: first what changes, then the state. */
static void go_short_by_terms(const HbgFlow *flow, const double *x0, double h, double *x) {
  const int32_t n = flow->n, terms = hbg_flow_terms(flow, h);
  double term[HBG_FLOW_STATES], next[HBG_FLOW_STATES], change[HBG_FLOW_STATES];
  for (int32_t i = 0; i < n; i++) term[i] = change[i] = h * flow_dot(n, flow->m + i * (n + 1), x0);
  for (int32_t k = 2; k <= terms; k++) {
    const double factor = h * RECIPROCAL[k];
    for (int32_t i = 0; i < n; i++) {
      const double *row = flow->m + i * (n + 1);
      double sum = 0;
      for (int32_t j = 0; j < n; j++) sum += row[j] * term[j];
      next[i] = sum * factor;
    }
    for (int32_t i = 0; i < n; i++) change[i] += term[i] = next[i];
  }
  for (int32_t i = 0; i < n; i++) x[i] = x0[i] + change[i];
}

/* Adds the part of component k at `factor`. */
static void add_component(const HbgFlow *flow, const double *component, double factor, const double *from, double *x) {
  if (factor == 0) return;
  for (int32_t i = 0; i < flow->n; i++) x[i] += factor * flow_dot(flow->n, component + i * flow->width, from);
}

static void go_mode(const HbgFlow *flow, const FlowMode *mode, double h, const double *from, double *x) {
  const FlowComplex e = hbg_flow_exponential(mode, h);
  add_component(flow, mode->component, e.re, from, x);
  if (mode->is_complex) add_component(flow, mode->component_i, -e.im, from, x);
}

/* Horner's scheme would mix powers that cancel; these are added as they are. */
static void go_polynomial(const HbgFlow *flow, double h, const double *from, double *x) {
  const int32_t size = flow->n * flow->width;
  double factor = 1;
  for (int32_t i = 0; i < flow->n; i++) x[i] = 0;
  for (int32_t k = 0; k <= flow->degree; k++, factor *= h) add_component(flow, flow->power + k * size, factor, from, x);
}

/* Without a matrix, where every mode is a single exponential. */
static bool go_directly(const HbgFlow *flow, const double *x0, double h, double *x) {
  if (flow->mode_count && is_short(flow, h)) {
    go_short_by_terms(flow, x0, h, x);
    return true;
  }
  if (flow->is_fine) return false;
  for (int32_t k = 0; k < flow->mode_count; k++)
    if (flow->mode[k].is_split || flow->mode[k].count > 1) return false;
  double from[HBG_FLOW_STATES];
  for (int32_t i = 0; i < flow->n; i++) from[i] = x0[i];
  go_polynomial(flow, h, from, x);
  for (int32_t k = 0; k < flow->mode_count; k++) go_mode(flow, &flow->mode[k], h, from, x);
  return true;
}

/* ---- what comes again ---- */

static FlowMemory *recall(HbgFlow *flow, double h) {
  for (int32_t i = 0; i < FLOW_REMEMBERED; i++)
    if (flow->memory[i].h == h) return &flow->memory[i];
  return NULL;
}

static FlowMemory *forget_oldest(HbgFlow *flow, double h) {
  FlowMemory *memory = &flow->memory[flow->oldest];
  flow->oldest = (flow->oldest + 1) % FLOW_REMEMBERED;
  memory->h = h;
  memory->is_made = false;
  memory->comings = 0;
  return memory;
}

static const double *matrix_of(HbgFlow *flow, FlowMemory *memory) {
  if (!memory->is_made) make_matrix(flow, memory->h, memory->matrix);
  memory->is_made = true;
  return memory->matrix;
}

/* What is not short, or has more states. */
static void go_far(HbgFlow *flow, const double *x0, double h, double *x) {
  if (!flow->mode_count) {
    go_directly(flow, x0, h, x);
    return;
  }
  FlowMemory *memory = recall(flow, h);
  if (!memory) memory = forget_oldest(flow, h);
  // a matrix costs as much as going for each of its columns
  if (!memory->is_made && memory->comings++ < flow->n && go_directly(flow, x0, h, x)) return;
  apply(flow->n, matrix_of(flow, memory), x0, x);
}

/* Apart from those who mostly need not call it, as what it keeps at hand is much. */
__attribute__((noinline)) static void go_far_from(HbgFlow *flow, const double *x0, int32_t stride, double h, double *x) {
  double from[HBG_FLOW_STATES];
  for (int32_t i = 0; i < flow->n; i++) from[i] = x0[i * stride];
  go_far(flow, from, h, x);
}

void hbg_flow_go_from(HbgFlow *flow, const double *x0, int32_t stride, double h, double *x) {
  if (flow->normal) hbg_flow_go_normally(flow, x0, stride, h, x);
  else if (flow->shares && is_short(flow, h)) go_short(flow, x0, stride, h, x);
  else go_far_from(flow, x0, stride, h, x);
}

void hbg_flow_go(HbgFlow *flow, const double *x0, double h, double *x) { hbg_flow_go_from(flow, x0, 1, h, x); }

double hbg_flow_amplifies(const HbgFlow *flow, double span) {
  double most = 1;
  for (int32_t at = 0; at < flow->part_count; at++) {
    const FlowPart *part = &flow->part[at];
    most = fmax(most, part->speed * (part->decay * span > 1 ? 1 / part->decay : span));
  }
  return most;
}

/* ---- making ---- */

HbgFlow *hbg_flow_begin(HbgArena *arena, int32_t n, const double *a, int32_t stride, const double *b) {
  HbgFlow *flow = ARENA_NEW(arena, HbgFlow, 1);
  double *m = ARENA_NEW(arena, double, n *(n + 1));
  *flow = (HbgFlow){.n = n, .width = n + 1, .m = m};
  for (int32_t i = 0; i < n; i++) {
    memcpy(m + i * (n + 1), a + i * stride, sizeof(double) * (size_t)n);
    m[i * (n + 1) + n] = b[i];
  }
  for (int32_t i = 0; i < FLOW_REMEMBERED; i++)
    flow->memory[i] = (FlowMemory){.h = -1, .matrix = ARENA_NEW(arena, double, n *(n + 1))};
  return flow;
}

void hbg_flow_end(HbgFlow *flow, HbgArena *arena) {
  if (flow->mode_count && flow->n <= FEW) make_shares(flow, arena);
}

HbgFlow *hbg_flow(HbgArena *arena, int32_t n, const double *a, const double *b) {
  if (n > HBG_FLOW_STATES || !hbg_all_finite(n * n, a) || !hbg_all_finite(n, b)) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgFlow *flow = hbg_flow_begin(arena, n, a, n, b);
  if (!hbg_flow_spectrum(flow, arena)) {
    hbg_arena_rewind(arena, mark);
    return NULL;
  }
  hbg_flow_end(flow, arena);
  return flow;
}

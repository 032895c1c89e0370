/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_flow.h"

#include <math.h>
#include <string.h>

#include "support/oracle_linear.h"

enum { COLUMNS = 8 };

static int32_t finite_count(const OracleFlow *flow) { return 2 * flow->model->bond_count; }

/* ---- what is linear ---- */

/* row of `of`: how values at `there` differ from those at `origin`, for a step of `step`. */
static void fill_row(double *of, const double *there, const double *origin, int32_t count, double step) {
  for (int32_t i = 0; i < count; i++) of[i] = (there[i] - origin[i]) / step;
}

static void apply(const double *of, const double *x, int32_t states, int32_t count, double *out) {
  const double *constant = of + (int64_t)states * count;
  for (int32_t i = 0; i < count; i++) out[i] = constant[i];
  for (int32_t s = 0; s < states; s++)
    for (int32_t i = 0; i < count; i++) out[i] += of[s * count + i] * x[s];
}

static bool is_near(const double *a, const double *b, int32_t count) {
  double scale = 0, worst = 0;
  for (int32_t i = 0; i < count; i++) {
    scale = fmax(scale, fabs(b[i]));
    worst = fmax(worst, fabs(a[i] - b[i]));
  }
  return worst <= 1e-11 * scale;
}

static double largest_scale(const OracleFlow *flow) {
  double largest = 0;
  for (int32_t i = 0; i < flow->model->state_count; i++) largest = fmax(largest, flow->scale[i]);
  return largest;
}

/* Are the matrices right at another state and another time? What is small now may come to be as large as the largest, and be bent
 * only there. */
static bool is_confirmed(OracleFlow *flow, double t, const double *x) {
  const int32_t states = flow->model->state_count, n = finite_count(flow);
  const double far = largest_scale(flow);
  double *elsewhere = ARENA_NEW(flow->arena, double, states), *rate = ARENA_NEW(flow->arena, double, states),
         *finite = ARENA_NEW(flow->arena, double, n);
  for (int32_t s = 0; s < states; s++) elsewhere[s] = 0.7 * x[s] + far * (0.3 + 0.41 * sin(s + 1));
  const OracleAnswer answer = oracle_jump(flow->model, flow->mode, t + 0.37, elsewhere, flow->arena);
  if (answer.verdict != ORACLE_SOLVED) return false;
  apply(flow->rate_of, elsewhere, states, states, rate);
  apply(flow->finite_of, elsewhere, states, n, finite);
  return is_near(rate, answer.rate, states) && is_near(finite, answer.finite, n);
}

static void find_matrices(OracleFlow *flow, double t, const double *x) {
  const int32_t states = flow->model->state_count, n = finite_count(flow);
  double *there = ARENA_NEW(flow->arena, double, states);
  flow->rate_of = ARENA_NEW(flow->arena, double, (int64_t)(states + 1) * states);
  flow->finite_of = ARENA_NEW(flow->arena, double, (int64_t)(states + 1) * n);
  OracleMode mode = flow->mode;
  mode.kept = ARENA_NEW(flow->arena, OracleSystems, 1);
  const OracleAnswer origin = oracle_jump(flow->model, mode, t, there, flow->arena);
  if (origin.verdict != ORACLE_SOLVED) return;
  for (int32_t s = 0; s < states; s++) {
    there[s] = flow->scale[s];
    const OracleAnswer answer = oracle_jump(flow->model, mode, t, there, flow->arena);
    there[s] = 0;
    if (answer.verdict != ORACLE_SOLVED) return;
    fill_row(flow->rate_of + (int64_t)s * states, answer.rate, origin.rate, states, flow->scale[s]);
    fill_row(flow->finite_of + (int64_t)s * n, answer.finite, origin.finite, n, flow->scale[s]);
  }
  if (states) memcpy(flow->rate_of + (int64_t)states * states, origin.rate, (size_t)states * sizeof(double));
  if (n) memcpy(flow->finite_of + (int64_t)states * n, origin.finite, (size_t)n * sizeof(double));
  flow->is_linear = is_confirmed(flow, t, x);
}

/* The 32nd root of the norm of the 32nd power: nearly the largest eigenvalue. */
static double find_fastest(const OracleFlow *flow) {
  const int32_t n = flow->model->state_count;
  double *a = ARENA_NEW(flow->arena, double, (int64_t)n *n), *square = ARENA_NEW(flow->arena, double, (int64_t)n *n);
  double logarithm = 0;
  if (!n) return 0;
  memcpy(a, flow->rate_of, (size_t)n * (size_t)n * sizeof *a);
  for (int power = 1; power <= 32; power *= 2) {
    double norm = 0;
    for (int32_t i = 0; i < n * n; i++) norm = fmax(norm, fabs(a[i]));
    if (norm <= 0) return 0;
    logarithm += log(norm) / power;
    for (int32_t i = 0; i < n * n; i++) a[i] /= norm;
    memset(square, 0, (size_t)n * (size_t)n * sizeof *square);
    for (int32_t i = 0; i < n; i++)
      for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++) square[i * n + j] += a[i * n + k] * a[k * n + j];
    memcpy(a, square, (size_t)n * (size_t)n * sizeof *a);
  }
  return exp(logarithm);
}

/* ---- evaluating ---- */

/* x' at a state, from the matrix or from the oracle. */
static bool find_rate(OracleFlow *flow, double t, const double *x, double *rate) {
  const int32_t states = flow->model->state_count;
  if (flow->is_linear) {
    apply(flow->rate_of, x, states, states, rate);
    return true;
  }
  const HbgArenaMark mark = hbg_arena_mark(flow->arena);
  const OracleAnswer answer = oracle_jump(flow->model, flow->mode, t, x, flow->arena);
  if (states) memcpy(rate, answer.rate, (size_t)states * sizeof *rate);
  hbg_arena_rewind(flow->arena, mark);
  return answer.verdict == ORACLE_SOLVED;
}

void oracle_flow_finite(OracleFlow *flow, double t, const double *x, double *finite) {
  const int32_t n = finite_count(flow);
  if (flow->is_linear) {
    apply(flow->finite_of, x, flow->model->state_count, n, finite);
    return;
  }
  const HbgArenaMark mark = hbg_arena_mark(flow->arena);
  const OracleAnswer answer = oracle_jump(flow->model, flow->mode, t, x, flow->arena);
  if (answer.verdict != ORACLE_SOLVED) flow->doubt = ORACLE_DOUBT_CONVERGENCE;
  if (n) memcpy(finite, answer.finite, (size_t)n * sizeof *finite);
  hbg_arena_rewind(flow->arena, mark);
}

/* ---- a step ---- */

/* `count` steps of the midpoint rule, smoothed at the end. */
static bool midpoint(OracleFlow *flow, double t, const double *x, double step, int count, double *out) {
  const int32_t n = flow->model->state_count;
  const double h = step / count;
  double *before = ARENA_NEW(flow->arena, double, n), *now = ARENA_NEW(flow->arena, double, n),
         *rate = ARENA_NEW(flow->arena, double, n);
  if (!find_rate(flow, t, x, rate)) return false;
  for (int32_t i = 0; i < n; i++) before[i] = x[i], now[i] = x[i] + h * rate[i];
  for (int at = 1; at <= count; at++) {
    if (!find_rate(flow, t + at * h, now, rate)) return false;
    for (int32_t i = 0; i < n; i++) {
      if (at == count) out[i] = 0.5 * (now[i] + before[i] + h * rate[i]);
      const double next = before[i] + 2 * h * rate[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  return true;
}

double oracle_flow_step(OracleFlow *flow, double t, const double *x, double step, double *out) {
  const int32_t n = flow->model->state_count;
  const HbgArenaMark mark = hbg_arena_mark(flow->arena);
  double *table[COLUMNS], error = 0;
  for (int j = 0; j < COLUMNS; j++) {
    table[j] = ARENA_NEW(flow->arena, double, n);
    if (!midpoint(flow, t, x, step, 2 * (j + 1), table[j])) {
      hbg_arena_rewind(flow->arena, mark);
      return (double)INFINITY;
    }
  }
  // Aitken and Neville, in place: the error is what the last column adds
  for (int k = 1; k < COLUMNS; k++)
    for (int j = COLUMNS - 1; j >= k; j--) {
      const double ratio = (double)(j + 1) / (j + 1 - k);
      for (int32_t i = 0; i < n; i++) table[j][i] += (table[j][i] - table[j - 1][i]) / (ratio * ratio - 1);
    }
  for (int32_t i = 0; i < n; i++) {
    out[i] = table[COLUMNS - 1][i];
    error = fmax(error, fabs(out[i] - table[COLUMNS - 2][i]) / fmax(flow->scale[i], fabs(out[i])));
  }
  hbg_arena_rewind(flow->arena, mark);
  return isfinite(error) ? error : (double)INFINITY;
}

/* A state that was nothing so far is as large as the others may make it before long. */
static void find_scale(const OracleFlow *flow) {
  const double largest = largest_scale(flow);
  for (int32_t i = 0; i < flow->model->state_count; i++)
    if (flow->scale[i] <= 0) flow->scale[i] = largest > 0 ? 1e-3 * largest : 1;
}

OracleFlow oracle_flow(const HbgFlatModel *model, OracleMode mode, double t, const double *x, double *scale,
                       HbgArena *arena) {
  OracleFlow flow = {.model = model, .arena = arena, .mode = mode, .scale = scale};
  for (int32_t i = 0; i < model->state_count; i++) scale[i] = fmax(scale[i], fabs(x[i]));
  find_scale(&flow);
  flow.here = oracle_jump(model, mode, t, x, arena);
  if (flow.here.verdict != ORACLE_SOLVED) {
    flow.doubt = flow.here.doubt ? flow.here.doubt : ORACLE_DOUBT_RESIDUAL;
    return flow;
  }
  find_matrices(&flow, t, x);
  flow.fastest = find_fastest(&flow);
  return flow;
}

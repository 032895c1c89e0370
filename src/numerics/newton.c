/* SPDX-License-Identifier: BSD-3-Clause
 * Damped Newton. The size of a step is measured relative to the size of each unknown, and a damped step is accepted
 * when the simplified Newton step from there is shorter (natural monotonicity), which no scaling of the equations
 * changes. */
#include "numerics/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "numerics/noise.h"

static const double LEAST_DAMPING = 1e-8;
static const double CONTRADICTION = 1e-9; /* a relative residual above this is not round-off */
static const double NOTHING = DBL_MIN / DBL_EPSILON; /* of sizes: what is smaller has not all its digits, and steps come to no rest among them */

HbgNewton hbg_newton(HbgArena *arena, int32_t m, int32_t n, HbgNewtonResidual residual, HbgNewtonJacobian jacobian,
                     void *user) {
  return (HbgNewton){
      .m = m,
      .n = n,
      .residual = residual,
      .jacobian = jacobian,
      .user = user,
      .tolerance = 1e-12,
      .iterations_most = 100,
      .scale = ARENA_NEW(arena, double, n),
      .system = hbg_least_squares(arena, m, n),
      .f = ARENA_NEW(arena, double, m),
      .j = ARENA_NEW(arena, double, (size_t)m *(size_t)n),
      .trial = ARENA_NEW(arena, double, n),
      .step = ARENA_NEW(arena, double, n),
      .reference = ARENA_NEW(arena, double, n),
      .resolution = ARENA_NEW(arena, double, n),
      .start = ARENA_NEW(arena, double, n),
      .next_step = ARENA_NEW(arena, double, n),
      .term_sizes = ARENA_NEW(arena, double, m),
  };
}

/* 0, or why the residual cannot be had at `x`: > 0 not defined there. */
static int residual_at(HbgNewton *newton, const double *x) {
  const int answer = newton->residual(x, newton->f, newton->user);
  return answer != 0 ? answer : hbg_all_finite(newton->m, newton->f) ? 0 : 1;
}

/* How large an unknown has to be before a step of its round-off counts as none. What is 0 in the solution is round-off of all
 * that was added up to find it: what the equations added up, each as far as it moves the unknown, |J^-1| |terms| (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2002, 7.2). A velocity that does not follow from forces is not nothing where these are
 * large. A difference of terms that do not become nothing with the unknown, exp(x) - 1, has their round-off and not that of its slope
 * times x: the slope is that of another curve there, and steps along it lead closer to 0 each time without end, or nowhere. So where steps
 * have been many, or none was shorter, the terms themselves are asked for. */
static void note_resolution(HbgNewton *newton, const double *x) {
  enum { MANY = 3 };
  if (newton->iterations >= MANY) newton->asks_terms = true;
  const bool knows_terms = newton->terms && newton->asks_terms;
  const HbgLeastSquares *system = &newton->system;
  const size_t m = (size_t)newton->m, n = (size_t)newton->n;
  const double gain = 4 * DBL_EPSILON / newton->tolerance;
  double sum = 0;
  if (knows_terms) newton->terms(newton->term_sizes, newton->user);
  memset(newton->resolution, 0, n * sizeof *newton->resolution);
  for (size_t i = 0; i < m; i++) {
    double size = fabs(newton->f[i]);
    for (size_t j = 0; j < n; j++) size += fabs(newton->j[i * n + j] * x[j]);
    if (knows_terms) size = fmax(size, newton->term_sizes[i]);
    for (size_t j = 0; j < n; j++) newton->resolution[j] += gain * fabs(system->inverse[j * m + i]) * size;
    sum += system->row_scale[i] * size;
  }
  const double by_norm = system->rank > 0 ? gain * sum / system->singular_value[system->rank - 1] : 0;
  for (size_t j = 0; newton->is_by_norm && j < n; j++) newton->resolution[j] = system->column_scale[j] * by_norm;
}

static double size_of(const HbgNewton *newton, const double *x, const double *step, int32_t j) {
  const double known = fmax(newton->scale[j], fmax(newton->resolution[j], NOTHING));
  return fmax(fmax(fabs(x[j]), fabs(x[j] + step[j])), known);
}

/* The largest component of `step`, relative to the unknown it changes. */
static double relative_size(const HbgNewton *newton, const double *x, const double *step) {
  double largest = 0;
  for (int32_t i = 0; i < newton->n; i++) {
    largest = fmax(largest, fabs(step[i]) / size_of(newton, x, step, i));
  }
  return largest;
}

/* The same in a fixed scale, for comparing two steps from different points. */
static double weighted_size(const HbgNewton *newton, const double *x, const double *reference, const double *step) {
  double sum = 0;
  for (int32_t i = 0; i < newton->n; i++) {
    const double part = step[i] / size_of(newton, x, reference, i);
    sum += part * part;
  }
  return sqrt(sum);
}

/* step := the step of minimum norm from the residual in `f`, by the Jacobian factored last. */
static double solve_step(HbgNewton *newton, double *step) {
  for (int32_t i = 0; i < newton->m; i++) newton->f[i] = -newton->f[i];
  return hbg_least_squares_solve(&newton->system, newton->f, step);
}

/* The equations where Newton's method came to rest: what is left of them, relative to the size of their terms. */
static double left_over(HbgNewton *newton, const double *x) {
  double worst = 0;
  for (int32_t i = 0; i < newton->m; i++) {
    double size = 0;
    for (int32_t j = 0; j < newton->n; j++) {
      size += fabs(newton->j[(size_t)i * (size_t)newton->n + (size_t)j]) * fmax(fabs(x[j]), fmax(newton->scale[j], newton->resolution[j]));
    }
    size = fmax(size, fabs(newton->f[i]));
    worst = fmax(worst, fabs(newton->f[i]) / fmax(size, NOTHING));
  }
  return worst;
}

typedef enum Progress { ADVANCED, RESTED, STUCK, GAVE_UP } Progress;

/* Goes along `step`, at first in full, then in halves, until the next step from there would be shorter. */
static Progress advance(HbgNewton *newton, double *x) {
  const int32_t n = newton->n;
  const double length = weighted_size(newton, x, newton->step, newton->step);
  for (double damping = 1; damping >= LEAST_DAMPING; damping /= 2) {
    for (int32_t i = 0; i < n; i++) newton->trial[i] = x[i] + damping * newton->step[i];
    const int answer = residual_at(newton, newton->trial);
    if (answer < 0) return GAVE_UP;
    if (answer > 0) continue;
    solve_step(newton, newton->next_step);
    const double next_length = weighted_size(newton, x, newton->step, newton->next_step);
    if (!newton->is_bold && !(next_length <= (1 - damping / 4) * length)) continue;
    memcpy(x, newton->trial, (size_t)n * sizeof *x);
    if (damping < 1) newton->damped++;
    return damping >= 1 && relative_size(newton, x, newton->next_step) <= newton->tolerance ? RESTED : ADVANCED;
  }
  return STUCK;
}

static HbgNewtonResult refusal(int answer) { return answer < 0 ? HBG_NEWTON_REFUSED : HBG_NEWTON_NOT_DEFINED; }

/* At rest: a solution, or the point where contradicting equations are least wrong? */
static HbgNewtonResult judge(HbgNewton *newton, const double *x) {
  const int answer = residual_at(newton, x);
  if (answer != 0) return refusal(answer);
  newton->inconsistency = left_over(newton, x);
  return newton->inconsistency <= CONTRADICTION ? HBG_NEWTON_CONVERGED : HBG_NEWTON_INCONSISTENT;
}

/* A solution, with exactly 0 where only round-off is left: what is nothing must not pass for something small. */
static HbgNewtonResult come_to_rest(HbgNewton *newton, double *x, const double *last_step) {
  for (int32_t i = 0; i < newton->n; i++) {
    x[i] += last_step[i];
    if (fabs(x[i]) <= 2 * newton->tolerance * newton->resolution[i]) x[i] = 0;
  }
  return judge(newton, x);
}

/* Residual and Jacobian at x; 0, or why they cannot be had. */
static int linearise(HbgNewton *newton, const double *x) {
  const int answer = residual_at(newton, x);
  return answer != 0 ? answer : newton->jacobian(x, newton->j, newton->user);
}

/* The same where there are slopes: where an equation has none, as a root at zero, next to x. */
static int linearise_nearby(HbgNewton *newton, double *x) {
  static const double ASIDE[] = {1e-8, -2e-8};
  int answer = linearise(newton, x);
  for (size_t at = 0; at < sizeof ASIDE / sizeof *ASIDE && answer == 0 && !hbg_all_finite(newton->m * newton->n, newton->j); at++) {
    hbg_step_aside(newton->n, x, newton->scale, ASIDE[at]);
    answer = linearise(newton, x);
  }
  return answer;
}

enum { IN_FULL = 10 }; /* so many times as many iterations where no step is damped */

/* From far up an exponential each step leads down by one unit of its exponent, in full: such steps may be many. */
static bool has_patience(const HbgNewton *newton) {
  return newton->iterations < IN_FULL * newton->iterations_most && newton->damped < newton->iterations_most;
}

static HbgNewtonResult iterate(HbgNewton *newton, double *x) {
  newton->asks_terms = false;
  newton->damped = 0;
  newton->change = HUGE_VAL;
  for (newton->iterations = 0; has_patience(newton); newton->iterations++) {
    // the step of minimum norm that solves the linearised equations
    const int answer = linearise_nearby(newton, x);
    if (answer != 0) return refusal(answer);
    if (!hbg_least_squares_factor(&newton->system, newton->j, newton->rank_tolerance)) return HBG_NEWTON_NOT_DEFINED;
    note_resolution(newton, x);
    solve_step(newton, newton->step);
    newton->change_before = newton->change;
    newton->change = relative_size(newton, x, newton->step);
    if (newton->change <= newton->tolerance) return come_to_rest(newton, x, newton->step);

    const Progress progress = advance(newton, x);
    if (progress == GAVE_UP) return HBG_NEWTON_REFUSED;
    if (progress == RESTED) return come_to_rest(newton, x, newton->next_step);
    if (progress == STUCK && newton->terms && !newton->asks_terms) {
      newton->asks_terms = true;
      continue;
    }
    if (progress == STUCK) {
      // no shorter step from here: at the resolution of numbers that is the solution itself
      const HbgNewtonResult result = judge(newton, x);
      return result == HBG_NEWTON_CONVERGED && newton->change <= sqrt(DBL_EPSILON) ? result : HBG_NEWTON_NO_DESCENT;
    }
  }
  return HBG_NEWTON_NO_CONVERGENCE;
}

/* Steps become shorter and shorter, and the one in full stays what it is: that is a kink, behind which the slope is another one. (Where there is no solution, and
 * no slope, it becomes longer and longer.) There steps in full lead to a solution in a few of them if there is one near, as far as slopes differ (Qi and Sun, A nonsmooth
 * version of Newton's method, Mathematical Programming 58, 1993); one that is not is on another branch. */
static bool cross_kink(HbgNewton *newton, double *x) {
  enum { FEW = 20, MOST_FAR = 10000 };
  const size_t size = (size_t)newton->n * sizeof *x;
  const int32_t most = newton->iterations_most;
  if (!(fabs(newton->change - newton->change_before) <= 0.1 * newton->change)) return false;
  memcpy(newton->start, x, size);
  memcpy(newton->reference, newton->step, size);
  newton->is_bold = true;
  newton->iterations_most = FEW / IN_FULL;
  const bool is_found = iterate(newton, x) == HBG_NEWTON_CONVERGED;
  newton->iterations_most = most;
  newton->is_bold = false;
  for (int32_t i = 0; i < newton->n; i++) newton->step[i] = x[i] - newton->start[i];
  const double far = weighted_size(newton, newton->start, newton->reference, newton->step);
  if (is_found && far <= MOST_FAR * weighted_size(newton, newton->start, newton->reference, newton->reference)) return true;
  memcpy(x, newton->start, size);
  return false;
}

/* Equations that depend on each other may differ by round-off of others than those that an unknown is told by, and steps do not
 * become less than that: then round-off counts by the norm of the inverse, in the scaled system. */
HbgNewtonResult hbg_newton_solve(HbgNewton *newton, double *x) {
  const size_t size = (size_t)newton->n * sizeof *x;
  memcpy(newton->start, x, size);
  newton->is_by_norm = false;
  const HbgNewtonResult result = iterate(newton, x);
  if (result != HBG_NEWTON_NO_DESCENT && result != HBG_NEWTON_NO_CONVERGENCE) return result;
  memcpy(x, newton->start, size);
  newton->is_by_norm = true;
  const HbgNewtonResult by_norm = iterate(newton, x);
  return by_norm == HBG_NEWTON_NO_DESCENT && cross_kink(newton, x) ? HBG_NEWTON_CONVERGED : by_norm;
}

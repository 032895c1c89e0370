/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/foresight.h"

#include <float.h>
#include <math.h>

#include "numerics/noise.h"

enum { MOST_ROUNDS = 12 };

typedef struct Look {
  HbgRightHandSide rhs;
  void *user;
  int32_t n;
  double t;
  const double *y, *sizes;
  double *rate, *moved, *moved_rate; /* f(t, y); another state, and the rates there (n) */
  int64_t *evaluations;
} Look;

static double size_of(const Look *look, int32_t i) { return fmax(fabs(look->y[i]), look->sizes[i]); }

static bool evaluate(const Look *look, double t, const double *y, double *dy) {
  ++*look->evaluations;
  if (look->rhs(t, y, dy, look->user) != 0) return false;
  for (int32_t i = 0; i < look->n; i++)
    if (!isfinite(dy[i])) return false;
  return true;
}

/* How fast the solution moves and turns, relative to the sizes of the states, as in the first step of dp5.c. */
static bool measure_motion(const Look *look, double *fastest) {
  *fastest = 0;
  for (int32_t i = 0; i < look->n; i++)
    if (size_of(look, i) > 0) *fastest = fmax(*fastest, fabs(look->rate[i]) / size_of(look, i));
  if (!(*fastest > 0)) return true;
  const double h = 1e-4 / *fastest;
  for (int32_t i = 0; i < look->n; i++) look->moved[i] = look->y[i] + h * look->rate[i];
  if (!evaluate(look, look->t + h, look->moved, look->moved_rate)) return false;
  for (int32_t i = 0; i < look->n; i++)
    if (size_of(look, i) > 0)
      *fastest = fmax(*fastest, sqrt(fabs(look->moved_rate[i] - look->rate[i]) / (h * size_of(look, i))));
  return true;
}

/* The growth of a disturbance under the Jacobian, by differences (Sommeijer, Shampine, Verwer, RKC, J. Comput. Appl. Math. 88, 1998). */
static bool measure_speed(const Look *look, double *disturbance, double *speed) {
  double last = 0;
  for (int32_t i = 0; i < look->n; i++) disturbance[i] = hbg_scatter(i);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double square = 0;
    for (int32_t i = 0; i < look->n; i++) square += disturbance[i] * disturbance[i];
    *speed = sqrt(square / look->n);
    if (round == 0) *speed = 1;
    if (!(*speed > 0) || (round > 2 && fabs(*speed - last) < 0.05 * *speed)) return true;
    last = *speed;
    const double scale = sqrt(DBL_EPSILON) / sqrt(square / look->n);
    for (int32_t i = 0; i < look->n; i++) {
      const double size = size_of(look, i);
      look->moved[i] = look->y[i] + (size > 0 ? size : 1) * scale * disturbance[i];
    }
    if (!evaluate(look, look->t, look->moved, look->moved_rate)) return false;
    for (int32_t i = 0; i < look->n; i++) {
      const double size = size_of(look, i);
      disturbance[i] = (look->moved_rate[i] - look->rate[i]) / (sqrt(DBL_EPSILON) * (size > 0 ? size : 1));
    }
  }
  return true;
}

bool hbg_foresee(HbgForesight *foresight, HbgRightHandSide rhs, void *user, int32_t n, double t, const double *y, const double *sizes,
                 double tolerance, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  *foresight = (HbgForesight){.step = (double)INFINITY};
  Look look = {rhs, user, n, t, y, sizes, .evaluations = &foresight->evaluations};
  look.rate = ARENA_NEW(scratch, double, n);
  look.moved = ARENA_NEW(scratch, double, n);
  look.moved_rate = ARENA_NEW(scratch, double, n);
  double fastest;
  const bool done = n > 0 && evaluate(&look, t, y, look.rate) && measure_motion(&look, &fastest) &&
                    measure_speed(&look, ARENA_NEW(scratch, double, n), &foresight->speed);
  if (done && fastest > 0) foresight->step = pow(0.1 * tolerance, 0.2) / fastest;
  hbg_arena_rewind(scratch, mark);
  return done;
}

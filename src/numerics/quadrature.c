/* SPDX-License-Identifier: BSD-3-Clause
 * The rule of 15 points that holds Gauss's of 7 (Kronrod, Nodes and Weights of Quadrature Formulas, 1965; the numbers as in Piessens et al., QUADPACK,
 * 1983), on an interval that is halved until both agree. */
#include "numerics/quadrature.h"

#include <math.h>

enum { PAIRS = 7, DEEPEST = 60, MOST_LOOKS = 20000 };

static const double node[PAIRS] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                   0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                   0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                                   0.207784955007898467600689403773245};
static const double kronrod[PAIRS + 1] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                          0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                          0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                          0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                0.381830050505118944950369775488975,
                                0.417959183673469387755102040816327}; /* of every other node */

typedef struct Integral {
  HbgIntegrand f;
  void *user;
  double tolerance;
  double size; /* of the integral of |f|, as far as is known */
  int looks;
  int is_lost;
} Integral;

typedef struct Estimate {
  double value, error, size;
} Estimate;

static Estimate estimate(Integral *self, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  const double centre = self->f(middle, self->user);
  double by_kronrod = kronrod[PAIRS] * centre, by_gauss = gauss[3] * centre, size = kronrod[PAIRS] * fabs(centre);
  for (int at = 0; at < PAIRS; at++) {
    const double below = self->f(middle - half * node[at], self->user),
                 above = self->f(middle + half * node[at], self->user);
    by_kronrod += kronrod[at] * (below + above);
    size += kronrod[at] * (fabs(below) + fabs(above));
    if (at % 2) by_gauss += gauss[at / 2] * (below + above);
  }
  return (Estimate){half * by_kronrod, fabs(half * (by_kronrod - by_gauss)), fabs(half) * size};
}

/* `share`: of the whole interval, and so of the error that it may have. */
static double refine(Integral *self, double a, double b, double share, int depth) {
  const Estimate whole = estimate(self, a, b);
  self->size = fmax(self->size, whole.size);
  self->looks++;
  if (!isfinite(whole.value) || depth > DEEPEST || self->looks > MOST_LOOKS) self->is_lost = 1;
  const double middle = 0.5 * (a + b);
  const int is_good = whole.error <= self->tolerance * share * self->size || whole.error <= 1e-15 * whole.size;
  if (self->is_lost || is_good || !(middle > fmin(a, b) && middle < fmax(a, b))) return whole.value;
  return refine(self, a, middle, 0.5 * share, depth + 1) + refine(self, middle, b, 0.5 * share, depth + 1);
}

double hbg_integral(HbgIntegrand f, void *user, double a, double b, double tolerance) {
  Integral self = {.f = f, .user = user, .tolerance = tolerance};
  const double value = refine(&self, a, b, 1, 0);
  return self.is_lost ? (double)NAN : value;
}

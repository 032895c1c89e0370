/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/polynomial_newton.h"

#include <float.h>
#include <math.h>

#define MIDDLE 0.5

enum { MOST = HBG_EQUATIONS_OVER };

/* x as far as it is known, the inverse of the slopes there, and what is left of F: what rows come to at most, against what they are summed up from. */
typedef struct Approach {
  int32_t n;
  HbgPolynomial x[MOST], inverse[MOST][MOST];
  double left;
  HbgEquationsOf *equations;
  void *user;
} Approach;

/* ---- sizes ---- */

/* At most so large is it without its error. */
static double reach_of(const HbgPolynomial *p) {
  double sum = 0;
  for (int32_t k = 0; k <= p->degree; k++) sum += fabs(p->c[k]);
  return sum;
}

static double most_of(const HbgPolynomial *p) {
  if (!isfinite(p->error)) return (double)INFINITY;
  const HbgRange range = hbg_polynomial_range(p);
  return fmax(fabs(range.least), fabs(range.most));
}

/* An approximation has no error, whatever it has been made of, and no more digits than numbers have. */
static void round_to_digits(HbgPolynomial *p) {
  const double reach = reach_of(p);
  double rest = 0;
  while (p->degree > 0 && (rest += fabs(p->c[p->degree])) <= DBL_EPSILON / 4 * reach) p->degree--;
  p->error = 0;
  p->size = reach;
}

static void add_product(HbgPolynomial *sum, const HbgPolynomial *a, const HbgPolynomial *b) {
  HbgPolynomial product;
  hbg_polynomial_multiply(&product, a, b);
  hbg_polynomial_add(sum, sum, &product);
}

/* ---- numbers ---- */

/* inverse := slopes^-1, by elimination with pivots; the sign of their determinant, 0: they are singular. */
static int invert(int32_t n, double slopes[MOST][MOST], double inverse[MOST][MOST]) {
  int sign = 1;
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j < n; j++) inverse[i][j] = i == j;
  for (int32_t k = 0; k < n; k++) {
    int32_t pivot = k;
    for (int32_t i = k + 1; i < n; i++)
      if (fabs(slopes[i][k]) > fabs(slopes[pivot][k])) pivot = i;
    const double by = 1 / slopes[pivot][k];
    if (!isfinite(by)) return 0;
    if ((pivot != k) != (by < 0)) sign = -sign;
    for (int32_t j = 0; j < n; j++) {
      const double slope = slopes[pivot][j], unit = inverse[pivot][j];
      slopes[pivot][j] = slopes[k][j], inverse[pivot][j] = inverse[k][j];
      slopes[k][j] = slope * by, inverse[k][j] = unit * by;
    }
    for (int32_t i = 0; i < n; i++) {
      const double factor = slopes[i][k];
      for (int32_t j = 0; j < n && i != k; j++) slopes[i][j] -= factor * slopes[k][j], inverse[i][j] -= factor * inverse[k][j];
    }
  }
  return sign;
}

static void look(Approach *self, HbgEquationsOver *over) {
  self->equations(self->x, over, self->user);
  self->left = 0;
  for (int32_t i = 0; i < self->n; i++) {
    const double most = most_of(over->residual[i]);
    if (most > 0) self->left += most / fmax(most, over->residual[i]->size);
  }
}

static bool is_defined(const Approach *self, const HbgEquationsOver *over) {
  for (int32_t i = 0; i < self->n; i++)
    if (!isfinite(over->residual[i]->error)) return false;
  return true;
}

/* What solves the equations in the middle, about; false: they are not defined somewhere, or singular, or the way led across a place where they are: what is there is
 * another branch, mostly. */
static bool begin(Approach *self, const double *start) {
  enum { MOST_STEPS = 8 };
  int side = 0;
  for (int32_t i = 0; i < self->n; i++) hbg_polynomial_set(&self->x[i], start[i]);
  for (int at = 0; at < MOST_STEPS; at++) {
    HbgEquationsOver over;
    double slopes[MOST][MOST], inverse[MOST][MOST];
    bool is_there = true;
    self->equations(self->x, &over, self->user);
    for (int32_t i = 0; i < self->n; i++)
      for (int32_t j = 0; j < self->n; j++) slopes[i][j] = over.slope[i][j] ? hbg_polynomial_at(over.slope[i][j], MIDDLE) : 0;
    if (!is_defined(self, &over)) return false;
    const int sign = invert(self->n, slopes, inverse);
    if (!sign || (side && sign != side)) return false;
    side = sign;
    for (int32_t i = 0; i < self->n; i++) {
      double change = 0;
      for (int32_t j = 0; j < self->n; j++) {
        change += inverse[i][j] * hbg_polynomial_at(over.residual[j], MIDDLE);
        hbg_polynomial_set(&self->inverse[i][j], inverse[i][j]);
      }
      if (!isfinite(change)) return false;
      is_there = is_there && fabs(change) <= sqrt(DBL_EPSILON) * fabs(self->x[i].c[0]);
      hbg_polynomial_set(&self->x[i], self->x[i].c[0] - change);
    }
    if (is_there) break;
  }
  return true;
}

/* ---- polynomials ---- */

/* rest := 1 - inverse F' at a place. */
static void rest_of(const Approach *self, const HbgEquationsOver *over, int32_t i, int32_t j, HbgPolynomial *rest) {
  hbg_polynomial_set(rest, 0);
  for (int32_t k = 0; k < self->n; k++)
    if (over->slope[k][j]) add_product(rest, &self->inverse[i][k], over->slope[k][j]);
  hbg_polynomial_scale(rest, rest, -1);
  rest->c[0] += i == j;
}

/* inverse := (2 - inverse F') inverse, x := x - inverse F. */
static void improve(Approach *self, const HbgEquationsOver *over) {
  HbgPolynomial rest[MOST][MOST], old[MOST][MOST];
  for (int32_t i = 0; i < self->n; i++)
    for (int32_t j = 0; j < self->n; j++) {
      rest_of(self, over, i, j, &rest[i][j]);
      hbg_polynomial_copy(&old[i][j], &self->inverse[i][j]);
    }
  for (int32_t i = 0; i < self->n; i++) {
    for (int32_t j = 0; j < self->n; j++) {
      for (int32_t k = 0; k < self->n; k++) add_product(&self->inverse[i][j], &rest[i][k], &old[k][j]);
      round_to_digits(&self->inverse[i][j]);
    }
    HbgPolynomial change = hbg_polynomial_constant(0);
    for (int32_t j = 0; j < self->n; j++) add_product(&change, &self->inverse[i][j], over->residual[j]);
    hbg_polynomial_subtract(&self->x[i], &self->x[i], &change);
    round_to_digits(&self->x[i]);
  }
}

/* Goes on for as long as clearly less of F is left. */
static void go_on(Approach *self) {
  enum { MOST_STEPS = 12 };
  HbgEquationsOver over;
  look(self, &over);
  for (int at = 0; at < MOST_STEPS && self->left > 0; at++) {
    Approach next = *self;
    improve(&next, &over);
    look(&next, &over);
    if (!is_defined(&next, &over) || !(next.left < self->left / 2)) return;
    *self = next;
  }
}

/* error := |inverse F| + |1 - inverse F'| error, over all that the present errors leave open; false: that is more than these. */
static bool contract(Approach *self, const double *residual) {
  HbgEquationsOver over;
  double error[MOST];
  bool is_within = true;
  self->equations(self->x, &over, self->user);
  for (int32_t i = 0; i < self->n; i++) {
    error[i] = residual[i];
    for (int32_t j = 0; j < self->n; j++) {
      HbgPolynomial rest;
      rest_of(self, &over, i, j, &rest);
      error[i] += most_of(&rest) * self->x[j].error;
    }
    is_within = is_within && error[i] <= self->x[i].error;
  }
  for (int32_t i = 0; i < self->n; i++) self->x[i].error = is_within ? error[i] : 2 * error[i];
  return is_within;
}

/* The errors of x, and what it was summed up from. */
static bool enclose(Approach *self) {
  enum { WIDER = 2, MOST_TRIES = 3 };
  HbgEquationsOver over;
  double residual[MOST];
  self->equations(self->x, &over, self->user);
  for (int32_t i = 0; i < self->n; i++) {
    HbgPolynomial left = hbg_polynomial_constant(0);
    double size = reach_of(&self->x[i]);
    for (int32_t j = 0; j < self->n; j++) {
      add_product(&left, &self->inverse[i][j], over.residual[j]);
      size = fmax(size, reach_of(&self->inverse[i][j]) * over.residual[j]->size);
    }
    residual[i] = most_of(&left);
    self->x[i].size = size;
  }
  for (int32_t i = 0; i < self->n; i++) self->x[i].error = WIDER * residual[i];
  for (int at = 0; at < MOST_TRIES; at++)
    if (contract(self, residual)) return true;
  return false;
}

void hbg_polynomial_newton(int32_t n, HbgPolynomial *x, const double *start, HbgEquationsOf *equations, void *user) {
  Approach self;
  self.n = n;
  self.equations = equations;
  self.user = user;
  bool is_known = begin(&self, start);
  if (is_known) {
    go_on(&self);
    is_known = enclose(&self);
  }
  for (int32_t i = 0; i < n; i++) {
    if (is_known) hbg_polynomial_copy(&x[i], &self.x[i]);
    else x[i] = hbg_polynomial_unknown();
  }
}

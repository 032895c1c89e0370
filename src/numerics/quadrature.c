/* SPDX-License-Identifier: BSD-3-Clause
 * The rule of 15 points that holds Gauss's of 7 (Kronrod, Nodes and Weights of Quadrature Formulas, 1965; the numbers as in Piessens et al., QUADPACK,
 * 1983), on an interval that is halved until both agree; and that of 7 that holds Gauss's of 3 for panels of what is smooth. */
#include "numerics/quadrature.h"

#include <math.h>
#include <stdbool.h>

enum { DEEPEST = 60, MOST_LOOKS = 20000 };

/* Nodes above the middle of [-1, 1], the largest first, and Kronrod's weights; the last weight is that of the middle. Gauss's nodes are every other one:
 * the second, the fourth, ...; in rules of an odd number of pairs the middle is one of them. */
typedef struct Rule {
  int pairs;
  const double *node, *kronrod, *gauss;
} Rule;

static const Rule rule_of_7 = {3, (const double[]){0.960491268708020283423507092629080, 0.774596669241483377035853079956480,
                                                   0.434243749346802558002071502844628},
                               (const double[]){0.104656226026467265193823857192073, 0.268488089868333440728569280666710,
                                                0.401397414775962222905051818618432, 0.450916538658474142345110087045571},
                               (const double[]){0.555555555555555555555555555555556, 0.888888888888888888888888888888889}};

static const Rule rule_of_15 = {7, (const double[]){0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926, 0.741531185599394439863864773280788, 0.586087235467691130294144691693013, 0.405845151377397166906606412076961, 0.207784955007898467600689403773245},
 (const double[]){0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518, 0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014, 0.204432940075298892414161999234649, 0.209482141084727828012999174891714},
 (const double[]){0.129484966168869693270611432679082, 0.279705391489276667901467771423780, 0.381830050505118944950369775488975, 0.417959183673469387755102040816327}};

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

static Estimate estimate(const Rule *rule, HbgIntegrand f, void *user, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a), centre = f(middle, user);
  double by_kronrod = rule->kronrod[rule->pairs] * centre, by_gauss = rule->gauss[rule->pairs / 2] * centre;
  double size = rule->kronrod[rule->pairs] * fabs(centre);
  for (int at = 0; at < rule->pairs; at++) {
    const double below = f(middle - half * rule->node[at], user), above = f(middle + half * rule->node[at], user);
    by_kronrod += rule->kronrod[at] * (below + above);
    size += rule->kronrod[at] * (fabs(below) + fabs(above));
    if (at % 2) by_gauss += rule->gauss[at / 2] * (below + above);
  }
  return (Estimate){half * by_kronrod, fabs(half * (by_kronrod - by_gauss)), fabs(half) * size};
}

/* `share`: of the whole interval, and so of the error that it may have. */
static double refine(Integral *self, double a, double b, double share, int depth) {
  const Estimate whole = estimate(&rule_of_15, self->f, self->user, a, b);
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

/* ---- panels ---- */

/* Where Gauss's rule is as good as that, Kronrod's has nearly all digits: it is exact for about twice the degree. */
#define AGREEMENT 1e-7
/* ... and where it is as good as that, it will be good enough on a panel of twice the length. */
#define TWICE 6e-12
/* Of the integral so far, where that cannot be had; and of a radian, where a panel is taken as it is. */
#define SMALL 1e-12
#define SHORTEST 1e-9
enum { MOST_IN_RADIAN = 4000 }; /* looks; the rest of it is taken as it is then */
/* Panels of so much of a radian are worth a try with the smaller rule. */
#define SHORT 0.3

HbgRunningIntegral hbg_running_integral(double radian, double noise) {
  return (HbgRunningIntegral){.length = radian, .radian = radian, .noise = noise};
}

static bool is_good(const HbgRunningIntegral *self, const Estimate *panel, double length) {
  return panel->error <= AGREEMENT * panel->size || panel->error <= SMALL * (self->size + panel->size) || panel->error <= self->noise * length ||
         length <= SHORTEST * self->radian || !isfinite(panel->value);
}

/* From the last panel on to `end`, by the smaller rule where that will do. */
static Estimate look(const HbgRunningIntegral *self, HbgIntegrand f, void *user, double end) {
  const double length = end - self->until;
  if (length <= SHORT * self->radian) {
    const Estimate few = estimate(&rule_of_7, f, user, self->until, end);
    if (is_good(self, &few, length)) return few;
  }
  return estimate(&rule_of_15, f, user, self->until, end);
}

/* Is that as much as ever, however short, and high above all that has been? Then there is no integral. */
static bool is_pole(const HbgRunningIntegral *self, const Estimate *panel, double length) {
  enum { HIGH = 1000000 };
  const bool is_high = self->until > 0 && panel->size * self->until > HIGH * self->size * length;
  return is_high && length <= SHORTEST * self->radian && panel->size > 1e-3 * self->size;
}

/* The next panel, up to `end` or half as far, ... */
static void take_panel(HbgRunningIntegral *self, HbgIntegrand f, void *user, double end) {
  Estimate panel = look(self, f, user, end);
  while (!is_good(self, &panel, end - self->until) && self->looks++ < MOST_IN_RADIAN) {
    self->length = 0.5 * (end - self->until);
    end = self->until + self->length;
    panel = look(self, f, user, end);
  }
  if (floor(end / self->radian) > floor(self->until / self->radian)) self->looks = 0;
  self->value = is_pole(self, &panel, end - self->until) ? (double)NAN : self->value + panel.value;
  self->until = end;
  self->size += panel.size;
  if (panel.error <= TWICE * panel.size) self->length *= 2;
  if (self->looks++ >= MOST_IN_RADIAN) self->length = self->radian; // there is no end to it
}

double hbg_running_integral_to(HbgRunningIntegral *self, HbgIntegrand f, void *user, double x) {
  if (x < self->until) { // somebody looks back: along the same panels
    HbgRunningIntegral again = hbg_running_integral(self->radian, self->noise);
    return hbg_running_integral_to(&again, f, user, x);
  }
  while (self->until + self->length <= x && isfinite(self->value)) take_panel(self, f, user, self->until + self->length);
  HbgRunningIntegral rest = *self;
  if (!isfinite(rest.radian)) rest.radian = x / SHORT; // the smaller rule is to try it
  while (rest.until < x && isfinite(rest.value)) take_panel(&rest, f, user, fmin(rest.until + rest.length, x));
  return rest.value;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of functions of one variable. */
#ifndef NUMERICS_QUADRATURE_H
#define NUMERICS_QUADRATURE_H

typedef double (*HbgIntegrand)(double x, void *user);

/* The integral of `f` from `a` to `b` to a relative error of about `tolerance`, by Gauss and Kronrod's rules on intervals that are halved where it
 * needs it. NAN where it does not come to an end: a pole, or values that are no numbers. */
double hbg_integral(HbgIntegrand f, void *user, double a, double b, double tolerance);

/* An integral from 0 on, to be asked for at one end after the other. It goes in panels that do not depend on these: whoever asks more often gets the
 * same answers. */
typedef struct HbgRunningIntegral {
  double until, value; /* of all panels so far; up to where */
  double length;       /* that the next one tries; infinite: there is only one, up to where somebody asks */
  double size;         /* of the integral of |f| so far */
  double radian, noise;
  int looks;           /* in the present radian */
} HbgRunningIntegral;

/* From 0 on, of a function that has all its derivatives and does not vary much over a `radian`, infinite for polynomials, and of which `noise` is nothing
 * but round-off. */
HbgRunningIntegral hbg_running_integral(double radian, double noise);
/* The integral from 0 to `x` >= 0, which is cheaper the later `x` is, but may be any, to a relative error of some 1e-12. No number where values are none, and behind
 * a pole. */
double hbg_running_integral_to(HbgRunningIntegral *self, HbgIntegrand f, void *user, double x);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of functions of one variable. */
#ifndef NUMERICS_QUADRATURE_H
#define NUMERICS_QUADRATURE_H

typedef double (*HbgIntegrand)(double x, void *user);

/* The integral of `f` from `a` to `b` to a relative error of about `tolerance`, by Gauss and Kronrod's rules on intervals that are halved where it
 * needs it. NAN where it does not come to an end: a pole, or values that are no numbers. */
double hbg_integral(HbgIntegrand f, void *user, double a, double b, double tolerance);

#endif

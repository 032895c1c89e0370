/* SPDX-License-Identifier: BSD-3-Clause
 * Where a parabola comes to zero, to the last digits of its coefficients: of the two ways to write a root of a quadratic equation the one that
 * subtracts nothing that is nearly equal (G. Forsythe, "How do you solve a quadratic equation?", Stanford CS40, 1966). What is just below
 * zero and falls before it rises would otherwise seem to rise nevermore. */
#ifndef NUMERICS_PARABOLA_H
#define NUMERICS_PARABOLA_H

#include <math.h>

/* The first s > 0 at which value + slope s + bend s^2 is zero, for value < 0; infinite: it stays below. An infinite bend brings it to zero at once. */
static inline double hbg_parabola_rise(double value, double slope, double bend) {
  const double inner = slope * slope - 4 * bend * value;
  if (inner < 0) return (double)INFINITY;
  const double root = sqrt(inner);
  if (slope > 0 || isinf(root)) return -2 * value / (slope + root);
  return bend > 0 ? (root - slope) / (2 * bend) : (double)INFINITY;
}

#endif

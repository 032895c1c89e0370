/* SPDX-License-Identifier: BSD-3-Clause
 * cmocka, and what it lacks: comparing doubles as doubles. Include this instead of cmocka.h. */
#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* |actual - expected| <= tolerance, absolutely; prints both values when not. */
#define CHECK_NEAR(actual, expected, tolerance) \
  check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
/* |actual - expected| <= tolerance |expected|. */
#define CHECK_CLOSE(actual, expected, tolerance) \
  check_near((actual), (expected), (tolerance)*fabs((double)(expected)), #actual, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double tolerance, const char *what, const char *file,
                              int line) {
  if (fabs(actual - expected) <= tolerance) return;
  print_error("%s is %.17g, not %.17g +- %.3g (off by %.3g)\n", what, actual, expected, tolerance, actual - expected);
  _fail(file, line);
}

#endif

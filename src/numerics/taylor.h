/* SPDX-License-Identifier: BSD-3-Clause
 * Steps by Taylor series, for few states whose derivatives of any order are to be had. A step is as long as its last terms allow, so none is ever
 * tried in vain; and the series is the step: its end, and all between. */
#ifndef NUMERICS_TAYLOR_H
#define NUMERICS_TAYLOR_H

#include "numerics/stepper.h"

enum { HBG_TAYLOR_ORDER = 14, HBG_TAYLOR_STRIDE = 16 };

typedef struct HbgTaylorSource {
  /* The series of the states `y` at `t`, one behind the other (HBG_TAYLOR_STRIDE each), to be read before the next call; NULL: there are none.
   * What changes its course within `lag` of t goes its later course. */
  const double *(*expand)(double t, const double *y, double lag, void *user);
  /* Up to when, from t on, the series that were made last are those of the rates, at most `length`. */
  double (*holds_for)(double lag, double length, void *user);
  void *user;
} HbgTaylorSource;

HbgStepper *hbg_taylor(HbgArena *arena, int32_t n, const HbgTaylorSource *source);

#endif

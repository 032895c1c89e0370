/* SPDX-License-Identifier: BSD-3-Clause
 * Is a problem stiff from where it starts? Found out by a dozen evaluations, before an explicit method wastes steps on it. */
#ifndef NUMERICS_FORESIGHT_H
#define NUMERICS_FORESIGHT_H

#include "numerics/stepper.h"

typedef struct HbgForesight {
  double step;  /* that accuracy would allow an explicit method of order five; infinite where nothing moves [s] */
  double speed; /* the size of the fastest eigenvalue of the Jacobian, good to a factor of two [1/s] */
  int64_t evaluations;
} HbgForesight;

/* At (t, y), for a relative tolerance; sizes[i]: what state i is small against, 0: nothing is known (n). `scratch` is left as it
 * was. False where the rates cannot be had. */
bool hbg_foresee(HbgForesight *foresight, HbgRightHandSide rhs, void *user, int32_t n, double t, const double *y, const double *sizes,
                 double tolerance, HbgArena *scratch);

#endif

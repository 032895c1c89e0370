/* SPDX-License-Identifier: BSD-3-Clause
 * A one-step method for stiff systems: ESDIRK5(4)7L[2]SA2 of Kennedy and Carpenter, with dense output of order 4.
 *
 * It needs no past, so an event costs it nothing but a first step. Every stage of a step has the same matrix I - s J, which is
 * factored when s or J change and not otherwise; steps keep their length as long as not much is lost by it. */
#ifndef NUMERICS_SDIRK_H
#define NUMERICS_SDIRK_H

#include "numerics/bdf.h"

/* What is known of dy/dt = f(t, y) between restarts. It says how much of an iteration the stages need. */
typedef enum HbgLinearity {
  HBG_NONLINEAR, /* nothing: Newton's iteration, with a Jacobian as old as it converges with */
  HBG_AFFINE,    /* J y + b(t) with a constant J: one solve per stage */
  HBG_STEADY     /* J y + b with constant J and b: f itself is asked at restarts only */
} HbgLinearity;

/* A stepper in `arena`; `sparsity` is copied. */
HbgStepper *hbg_sdirk(HbgArena *arena, int32_t n, const HbgSparsity *sparsity, HbgRightHandSide rhs, HbgJacobian jacobian,
                      void *user);
/* From the next restart on; HBG_NONLINEAR when never called. */
void hbg_sdirk_set_linearity(HbgStepper *sdirk, HbgLinearity linearity);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The state between the ends of a step of an explicit pair. */
#ifndef NUMERICS_RUNGE_KUTTA_DENSE_H
#define NUMERICS_RUNGE_KUTTA_DENSE_H

#include "numerics/runge_kutta.h"

/* Another step is to come: nothing is known of it yet. */
void hbg_runge_kutta_forget_dense(HbgRungeKutta *self);
/* Evaluates what dense output needs beside the slopes of a step of `h` from `y` at `t`, if it is not there yet; what the right-hand
 * side answered. */
int hbg_runge_kutta_read(HbgRungeKutta *self, double t, const double *y, double h);

/* The parts of the nested form of state `i` over the last step; how many there are. */
int32_t hbg_runge_kutta_parts(HbgRungeKutta *self, int32_t i, double *part);

/* The methods of steppers. */
void hbg_runge_kutta_dense(HbgStepper *stepper, double theta, double *y);
double hbg_runge_kutta_dense_one(HbgStepper *stepper, double theta, int32_t i);
bool hbg_runge_kutta_read_near(HbgStepper *stepper, double theta, const HbgNear *near);
double hbg_runge_kutta_dense_near(HbgStepper *stepper, double theta, int32_t i);
bool hbg_runge_kutta_is_rough(HbgStepper *stepper, double theta);
int32_t hbg_runge_kutta_polynomial(HbgStepper *stepper, int32_t i, double *coefficients);
void hbg_runge_kutta_travel(HbgStepper *stepper, double *rise, double *stray);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * States that hold nothing but round-off, such as what is left of two equal and opposite forces.
 *
 * Tolerances are relative to the size of each state, and no absolute one is known that would suit every unit. So a
 * state that is zero but for round-off would be followed to eight digits of its noise, with steps that shrink without
 * end. Here the noise is measured: what becomes of the derivatives when all states change in their last digits.
 *
 * Where a state is pulled back faster than noise adds up it does not go astray: that must be known (from the Jacobian) or found
 * out, since in a stiff system noise would otherwise feed on itself until nothing is followed any more. */
#ifndef NUMERICS_NOISE_H
#define NUMERICS_NOISE_H

#include "numerics/stepper.h"

typedef struct HbgNoise {
  double *level;  /* of states that held nothing but round-off: the scale they were given for that; 0: of all others (n) */
  double *state;  /* (n) */
  double *rate;   /* how uncertain each derivative is (n) */
  double *astray; /* derivatives with one state gone astray (n) */
  double *round_off; /* the least of it, as the owner of the stepper knows (n) */
  double *way, *ahead; /* a state a little farther, and derivatives or round-off there (n) */
} HbgNoise;

HbgNoise hbg_noise(HbgArena *arena, int32_t n);
/* Raises the scale of states at (t1, y1) whose derivative is more uncertain than tolerated, to what that adds up to
 * over a time of `h` [s] (of `far` [s] for round-off the stepper's owner knows of), or of 1/decay[i] where a state forgets faster
 * (NULL: that is found out, by an evaluation for each such state). `dy` is the derivative
 * there. `ahead` [s]: derivatives have to be as uncertain behind a straight way of that length, or it is no round-off but a root that begins;
 * 0: that is not asked. Were any raised? */
bool hbg_noise_forgive(HbgNoise *noise, HbgStepper *stepper, const double *dy, double ahead, double h, double far,
                       const double *decay);

/* Does the error of an attempt of `h` [s], behind one of `last_h` with `last_error` (infinite: there was none), fall as it should? What a step leaves out falls with its
 * square at least, once that is short, or where a root begins with the power of it that is half more; round-off as its length. A step that was far too long at first is
 * no sign of anything. */
bool hbg_noise_error_falls(double error, double h, double last_error, double last_h);

/* Raises the scale of states that are fixed by constraints and zero but for the round-off of `stepper->project`, whose scale, or
 * else whose `reach` (n), is smaller than that. `t_max`: where the run goes; `once`, `twice` (n): work space. Were any raised? */
bool hbg_noise_forgive_projection(HbgStepper *stepper, const double *reach, double t_max, double *once, double *twice);

/* The last way out where no step is short enough. A state that begins to be anything, as behind a bend of the law that has held it at zero, may
 * change by as much as it is in any time: one that is nothing yet, by what is tolerated of what it moves within `far` [s] or
 * the time in which others answer to that, counts as large as that. `dy` is the derivative at (t1, y1). Were there any? */
bool hbg_noise_take_moves(HbgNoise *noise, HbgStepper *stepper, const double *dy, double far);

/* How a stepper gets on: in rounds of some steps each. */
typedef struct HbgPace {
  double from; /* where this round began [s] */
  int32_t steps, rounds; /* steps in it so far; rounds that got nowhere, one behind the other */
} HbgPace;

/* Asked before each step from `t`: have so many rounds got next to nowhere on the way to `t_max` that it is time to look for round-off? Where all steps are as small as
 * noise has them be, none of them fails. */
bool hbg_noise_has_crawled(HbgPace *pace, double t, double t_max);

/* A number in [-1, 1] that looks random, the same in every run. */
double hbg_scatter(int32_t i);

/* Moves each of x (n) by another share of `part` of its size, so that none of what is equal stays so: away from where a function has no slope, as a root at zero.
 * Sizes are magnitudes, at least `scale` (n); of what has none, that of the largest, or 1. */
void hbg_step_aside(int32_t n, double *x, const double *scale, double part);

#endif

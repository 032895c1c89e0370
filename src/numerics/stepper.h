/* SPDX-License-Identifier: BSD-3-Clause
 * One interface for every integration method, so that the event loop does not care which of them runs.
 *
 * A stepper goes from one accepted step [t0, t1] to the next and can be evaluated anywhere within the last one:
 *
 *   HbgStepper *stepper = hbg_dp5(arena, n, rhs, user);
 *   hbg_stepper_set_tolerance(stepper, 1e-8);
 *   hbg_stepper_restart(stepper, t, y);                 // also after every event, with the new state
 *   while (hbg_stepper_step(stepper, t_stop) == HBG_STEP_TAKEN) {
 *     hbg_stepper_dense(stepper, theta, y);             // anywhere in [t0, t1]: t = t0 + theta (t1 - t0)
 *     hbg_stepper_note_scale(stepper);                  // remembers the largest magnitudes
 *     if (stepper->t1 >= t_stop) break;
 *   }
 *   hbg_stepper_free(stepper);
 */
#ifndef NUMERICS_STEPPER_H
#define NUMERICS_STEPPER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threads.h"

/* dy/dt of the state y (n) at time t. 0: done; > 0: not possible there, try a smaller step; < 0: give up. */
typedef int (*HbgRightHandSide)(double t, const double *y, double *dy, void *user);

/* [s] Sooner behind 0 nothing is an instant of its own. What begins at nothing would have values there that have lost most of their digits, or the squares of which
 * are nothing: no size could tell what is round-off. */
#define HBG_LEAST_TIME 1e-30

#define HBG_STEP_LIST(X)                                                   \
  X(TAKEN, "the step was taken")                                           \
  X(TOO_SMALL, "the step size became smaller than the resolution of time") \
  X(REFUSED, "the right-hand side cannot be computed")                     \
  X(NOT_FINITE, "the right-hand side is not a finite number")              \
  X(NO_CONVERGENCE, "the implicit equations of a step cannot be solved")   \
  X(NO_MEMORY, "the solver was refused memory")
#define HBG_STEP_ENUM(name, text) HBG_STEP_##name,
typedef enum HbgStepResult { HBG_STEP_LIST(HBG_STEP_ENUM) HBG_STEP_COUNT } HbgStepResult;
const char *hbg_step_text(HbgStepResult result);

typedef struct HbgStepperCounts {
  int64_t steps, rejected, evaluations, jacobians, restarts;
} HbgStepperCounts;

typedef struct HbgStepper HbgStepper;

enum { HBG_DENSE_DEGREE = 14 }; /* of dense output, at most */

/* A few states of many, with what their rates hang on so many evaluations deep: after that many right-hand sides in a row over `states` the
 * rates of the few are right, whatever the states outside were. */
enum { HBG_NEAR_DEPTH = 3 };
typedef struct HbgNear {
  const int32_t *states; int32_t count; /* all that is read on the way */
  HbgRightHandSide rhs;                 /* of full vectors, of which it reads and writes those of the states alone */
  void *user;
} HbgNear;

/* What a method provides. */
typedef struct HbgStepperMethod {
  const char *name;
  HbgStepResult (*restart)(HbgStepper *stepper);
  HbgStepResult (*step)(HbgStepper *stepper, double t_max);
  HbgStepResult (*turn)(HbgStepper *stepper); /* NULL: nothing is remembered of the right-hand side */
  void (*dense)(HbgStepper *stepper, double theta, double *y); /* 0 < theta < 1 */
  double (*dense_one)(HbgStepper *stepper, double theta, int32_t i);
  /* The same as coefficients of powers of theta, at most HBG_DENSE_DEGREE + 1 of them: the degree. NULL: it is no polynomial;
   * -1: not in this step. */
  int32_t (*polynomial)(HbgStepper *stepper, int32_t i, double *coefficients);
  void (*free)(HbgStepper *stepper);
  void (*travel)(HbgStepper *stepper, double *rise, double *stray); /* NULL: by the polynomials */
  /* Is what dense output takes there, if it only has to be right for the few states of `near`? NULL: nothing is spared by that. */
  bool (*read_near)(HbgStepper *stepper, double theta, const HbgNear *near);
  double (*dense_near)(HbgStepper *stepper, double theta, int32_t i); /* of one of them, once it is */
  bool (*is_rough)(HbgStepper *stepper, double theta); /* NULL: never */
  bool (*leaves_roughly)(HbgStepper *stepper, int32_t i); /* NULL: never */
} HbgStepperMethod;

struct HbgStepper {
  const HbgStepperMethod *method;
  HbgRightHandSide rhs;
  void *user;
  int32_t n;        /* states; may be 0 */
  double t0, t1;    /* the last accepted step; equal after a restart [s] */
  double *y0, *y1;  /* the state at both ends (n); read only */
  double *scale;    /* largest magnitude each state is known to reach (n); set it, or hbg_stepper_note_scale() */
  double tolerance; /* relative error per step; the absolute part is tolerance * scale */
  void (*round_off)(double t, const double *y, double *round_off, void *user); /* of dy/dt (n, zero at first); NULL: unknown */
  int (*project)(double t, double *y, void *user); /* puts `y` (n) back on constraints, within an implicit step; 0: done. NULL: none */
  bool reads_between; /* the owner will ask for the state between the ends of every step: set it, and what that takes is evaluated
                         with the step, not when it is asked for */
  double next_h;    /* step to be tried next; 0: not known yet */
  HbgThreads *threads; /* for its loops over the states; NULL: none. The right-hand side may use them as well */
  bool stiff;       /* an explicit method found the problem stiff; stays until cleared by the caller */
  HbgStepperCounts counts;
};

/* Relative tolerance, 1e-8 when never called. The absolute part of each state is tolerance * scale[i]; the weight of an
 * error is tolerance * max(|y|, |y after|, scale[i]), in the maximum norm, so that a large model cannot hide one state.
 * A state that rests at zero and has scale 0 has no say until it moves. A stepper raises scale[i] where smaller steps
 * do not help, because the state holds nothing but round-off. States of the same kind should share a scale (the largest
 * of them): a far end of a chain that starts to move at 1e-30 need not be followed to eight digits. */
void hbg_stepper_set_tolerance(HbgStepper *stepper, double relative);
#define HBG_STEPPER_PART 1e-3 /* of the way to where the run goes: what a state without a size gains in it is one */
/* `reach[i]` (n): what each state gains in that part of the way from t1 to `t_max` [s] at the rate `dy` (n) there. */
void hbg_stepper_reach(const HbgStepper *stepper, double t_max, const double *dy, double *reach);
/* The same by the second derivative `ddy` (n), where that is more. What balances as yet, like a load at the moment at which it is lifted, has next to no rate,
 * but will have one. */
void hbg_stepper_reach_by_curve(const HbgStepper *stepper, double t_max, const double *ddy, double *reach);
/* Starts at `t` from state `y` (n; copied; may be stepper->y1 itself). Remembers the last good step size, limited by an
 * estimate of the first one. Answers HBG_STEP_TAKEN, or why the right-hand side cannot be evaluated there. */
HbgStepResult hbg_stepper_restart(HbgStepper *stepper, double t, const double *y);
/* At t1 the right-hand side turns, with a kink, and the state goes on: what is remembered of it there is found anew. */
HbgStepResult hbg_stepper_turn(HbgStepper *stepper);
/* One accepted step from t1, never past `t_max` (which is hit exactly: t1 == t_max). Nothing to do when t_max <= t1. */
HbgStepResult hbg_stepper_step(HbgStepper *stepper, double t_max);
/* The state within the last step: theta = 0 gives y0 and theta = 1 gives y1, exactly. */
void hbg_stepper_dense(HbgStepper *stepper, double theta, double *y);
/* State `i` only. */
double hbg_stepper_dense_one(HbgStepper *stepper, double theta, int32_t i);
/* The states `list` (count) among those of `near` (NULL: any) within the last step, into the places that they have in `y` (n). */
void hbg_stepper_dense_near(HbgStepper *stepper, double theta, const HbgNear *near, const int32_t *list, int32_t count, double *y);
/* State `i` over the last step as coefficients (HBG_DENSE_DEGREE + 1) of powers of theta in [0, 1]: its degree. -1: dense
 * output is no polynomial. */
int32_t hbg_stepper_polynomial(HbgStepper *stepper, int32_t i, double *coefficients);
/* Is the last step so long that its polynomials are less exact at theta than it is at its end? */
bool hbg_stepper_is_rough(HbgStepper *stepper, double theta);
/* Does dense output of state `i` leave t0 with another rate than that there, by as much as the step may err? */
bool hbg_stepper_leaves_roughly(HbgStepper *stepper, int32_t i);
/* The last step as straight lines: at theta each state is at y0 + theta * rise (n), but for `stray` and for 4 theta * stray at most (n;
 * infinite where nothing is known). */
void hbg_stepper_travel(HbgStepper *stepper, double *rise, double *stray);
/* theta of a time within the last step, within [0, 1], and 0 and 1 exactly at t0 and t1. */
double hbg_stepper_theta(const HbgStepper *stepper, double t);
/* scale[i] = max(scale[i], |y1[i]|). */
void hbg_stepper_note_scale(HbgStepper *stepper);
/* Gives back what does not lie in the arena (of bdf). NULL is fine. */
void hbg_stepper_free(HbgStepper *stepper);

/* For the methods: fills the common part, everything from `arena`. */
void hbg_stepper_init(HbgStepper *stepper, const HbgStepperMethod *method, HbgArena *arena, int32_t n,
                      HbgRightHandSide rhs, void *user);

#endif

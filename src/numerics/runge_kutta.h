/* SPDX-License-Identifier: BSD-3-Clause
 * Explicit embedded Runge-Kutta pairs. A pair is a table (dp5.c, dp8.c); how steps are made with it, controlled, repeated and read off
 * between their ends is in runge_kutta.c, once for all of them.
 *
 * The notation is that of Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I": the slopes are k1, k2, ..., and that
 * at the end of a step is the first one of the next. */
#ifndef NUMERICS_RUNGE_KUTTA_H
#define NUMERICS_RUNGE_KUTTA_H

#include "numerics/noise.h"
#include "numerics/order.h"
#include "numerics/slopes.h"
#include "numerics/stepper.h"

typedef struct HbgStage {
  double c;   /* the stage lies at t + c h */
  HbgSum sum; /* and at y + h * sum */
} HbgStage;

enum { HBG_MOST_MIDDLES = 4 };

typedef struct HbgPair {
  int32_t stage_count;    /* of a step, without the first one, whose slope is known */
  const HbgStage *stages; /* their slopes are k2, k3, ...; the last one is the state at the end */
  int32_t error_count;
  HbgSum errors[2];       /* one: the error. Two: of order five and of order three, taken together as in DOP853 */
  double exponent;        /* 1 over the order of the error */
  double memory;          /* of the step size control for the error before; 0: none */
  double stability;       /* how far the stability region reaches along the negative real axis */
  int32_t dense_stage_count;
  const HbgStage *dense_stages; /* what dense output needs besides; their slopes come behind those of the step */
  double readable;        /* times the fastest rate, a step may be so long to be read by its dense output, in whose stages order is lost
                             where the motion follows something; 0: any step may */
  double dense_error;     /* the error between the ends of a step, over that which steps are controlled by; about, at least 1 */
  int32_t middle_count;   /* with a = 1 - theta: y0 + theta (rise + a (bend + theta (twist + a (m0 + theta (m1 + a (m2 + ... */
  HbgSum middles[HBG_MOST_MIDDLES]; /* m0, m1, ... over h */
} HbgPair;

typedef struct HbgRungeKutta {
  HbgStepper stepper; /* first: the methods cast */
  const HbgPair *pair;
  HbgSlopes slopes;
  double *stage; /* the state at the stage being computed; that before the last one after an attempt */
  double *trial; /* the state at the end of the attempt */
  double *middle[HBG_MOST_MIDDLES]; /* the part of the dense output that needs all slopes, made when first asked for */
  HbgNoise noise;
  HbgPace pace;
  HbgOrder order;
  bool has_middle, has_dense_slopes;
  const HbgNear *has_near;      /* the slopes of the dense stages are there for its few states; NULL: for none */
  bool is_cubic;                /* the slopes of the dense stages cannot be computed: the ends and their slopes have to do */
  enum { HBG_READ_UNDECIDED, HBG_READ_DENSE, HBG_READ_AGAIN } reading; /* of the last step, once it has been read */
  struct HbgRungeKutta *again;  /* the step up to where it is read, where its dense output is not exact enough; NULL: not needed yet */
  double *defect;               /* the rates where dense output is looked at; NULL: not needed yet */
  double again_theta;           /* how far it has been taken; NAN: not in this step */
  HbgArena *arena;
  bool has_next;                /* the last slope is that at t1 (k1 is, after a restart) */
  bool was_cut;                 /* the last step had to end where it did */
  bool starting;                /* the next step is the first one after a restart */
  double fastest; int32_t steps_so_far; /* since the restart: the fastest decay that has shown itself [1/s], and steps */
  bool is_calm; /* there were many steps before that */
  double last_log_error;        /* of the step before, for the PI control */
  int32_t suspicion, innocence; /* of stiffness: steps in a row that look so, or not */
} HbgRungeKutta;

/* The stages of a step of `h` from y1 to `end`, into `trial`; what the right-hand side answered. */
int hbg_runge_kutta_attempt(HbgRungeKutta *self, double h, double end);
/* How long an attempt of `h`, which led to `y`, was in times of the fastest rate that shows in it; 0 where nothing can be told. */
double hbg_runge_kutta_reach(const HbgRungeKutta *self, double h, const double *y);

extern const HbgPair hbg_pair_dp5, hbg_pair_dp8;

/* A stepper by `pair`, and where it is smooth by `higher` (order.h; NULL: never). Everything from `arena`. */
HbgStepper *hbg_runge_kutta(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user, const HbgPair *pair,
                            const HbgPair *higher);

#endif

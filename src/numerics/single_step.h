/* SPDX-License-Identifier: BSD-3-Clause
 * One step of Dormand and Prince's pair over a few states, by itself: for who chooses its length, judges its error and keeps what comes
 * of it. */
#ifndef NUMERICS_SINGLE_STEP_H
#define NUMERICS_SINGLE_STEP_H

#include "base/arena.h"
#include "numerics/piece.h"

typedef struct HbgSingleStep {
  int32_t n;
  double begin, length; /* [s] */
  double *y, *end;      /* the states at both ends; set `y` (n) */
  double *scale;        /* of each state: set it (n) */
  double *stage, *middle;
  double *k[8];         /* slopes, from k[1] on (n each) */
  double *room; int32_t capacity;
} HbgSingleStep;

/* Makes room for `n` states. */
void hbg_single_step_begin(HbgSingleStep *self, HbgArena *arena, int32_t n);
/* The step from `begin`. What the right-hand side answered. */
int hbg_single_step_take(HbgSingleStep *self, HbgRightHandSide rhs, void *user);
/* Its error against `tolerance` times the largest of state and scale; NAN where it cannot be told. */
double hbg_single_step_error(const HbgSingleStep *self, double tolerance);
/* By how much the length should be multiplied after an error that is too large. */
double hbg_single_step_shrinkage(double error);
/* State `i` over the step. */
HbgPiece hbg_single_step_piece(const HbgSingleStep *self, int32_t i);

#endif

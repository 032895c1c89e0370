/* SPDX-License-Identifier: BSD-3-Clause
 * One state over some time, as the dense output of an explicit step tells it: something to be kept when the stepper goes on, and to be
 * put beside pieces of other steps. */
#ifndef NUMERICS_PIECE_H
#define NUMERICS_PIECE_H

#include "numerics/stepper.h"

enum { HBG_PIECE_PARTS = 8 }; /* at most */

typedef struct HbgPiece {
  double begin, length;  /* [s] */
  double part[HBG_PIECE_PARTS];  /* of the nested form (runge_kutta_dense.c) */
  int32_t part_count;
} HbgPiece;

/* The value at `theta` of what the parts (count) of the nested form tell. */
static inline double hbg_nested_value(const double *part, int32_t count, double theta) {
  double value = part[count - 1];
  for (int32_t at = count - 2; at >= 0; at--) value = part[at] + (at % 2 == 0 ? theta : 1 - theta) * value;
  return value;
}
/* The same as coefficients of powers of theta: the degree. */
int32_t hbg_nested_multiply_out(const double *part, int32_t count, double *coefficients);

static inline double hbg_piece_at(const HbgPiece *piece, double t) {
  return hbg_nested_value(piece->part, piece->part_count, (t - piece->begin) / piece->length);
}
/* Coefficients (HBG_DENSE_DEGREE + 1) of powers of theta in [0, 1], from `from` to `to` [s]: the degree. */
int32_t hbg_piece_polynomial(const HbgPiece *piece, double from, double to, double *coefficients);

/* State `i` over the last step of a Runge-Kutta stepper. */
HbgPiece hbg_piece_of_step(HbgStepper *stepper, int32_t i);
/* Are pieces of its last step all that there is to know of it: was it a step of order 5? Else dense output may be more than that. */
bool hbg_piece_is_exact(const HbgStepper *stepper);

#endif

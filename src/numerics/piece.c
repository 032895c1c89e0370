/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/piece.h"

#include "numerics/polynomial.h"
#include "numerics/runge_kutta_dense.h"

int32_t hbg_nested_multiply_out(const double *part, int32_t count, double *coefficients) {
  coefficients[0] = part[count - 1];
  for (int32_t at = count - 2, degree = 1; at >= 0; at--, degree++) {
    coefficients[degree] = at % 2 == 0 ? coefficients[degree - 1] : -coefficients[degree - 1];
    for (int32_t power = degree - 1; power > 0; power--)
      coefficients[power] = at % 2 == 0 ? coefficients[power - 1] : coefficients[power] - coefficients[power - 1];
    coefficients[0] = part[at] + (at % 2 == 0 ? 0 : coefficients[0]);
  }
  return count - 1;
}

int32_t hbg_piece_polynomial(const HbgPiece *piece, double from, double to, double *coefficients) {
  const int32_t degree = hbg_nested_multiply_out(piece->part, piece->part_count, coefficients);
  hbg_coefficients_part(coefficients, degree, (from - piece->begin) / piece->length, (to - piece->begin) / piece->length);
  return degree;
}

HbgPiece hbg_piece_of_step(HbgStepper *stepper, int32_t i) {
  HbgPiece piece = {.begin = stepper->t0, .length = stepper->t1 - stepper->t0};
  piece.part_count = hbg_runge_kutta_parts((HbgRungeKutta *)stepper, i, piece.part);
  return piece;
}

bool hbg_piece_is_exact(const HbgStepper *stepper) {
  const HbgRungeKutta *self = (const HbgRungeKutta *)stepper;
  return !self->pair->dense_stage_count && !(self->pair->readable > 0);
}
